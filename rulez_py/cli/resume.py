"""`rulez resume`: a person ends what they have paused or let pass."""

from __future__ import annotations

import os

import click

from rulez_py.cli.granting import EXIT_CODES, Refused, by_a_person, project_of, written
from rulez_py.trust import grants


@click.command(epilog=EXIT_CODES)
@click.option("--project", is_flag=True, help="Only what is about the project around the current directory.")
def resume(project: bool) -> None:
    """End every pause now, and what `rulez allow --once` lets pass.

    \b
    rulez resume               all of it
    rulez resume --project     what is about this project

    A person has to sit at the terminal.
    """
    here = by_a_person()
    try:
        ended = grants.end(here, project_of(here, os.getcwd()) if project else "")
    except OSError as error:
        raise Refused(f"it cannot be ended: {error}") from None
    if not ended:
        raise Refused("nothing is paused or let pass")
    written(here, "a person ended what was paused or let pass")
    click.echo("the rules hold again")

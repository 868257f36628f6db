"""`rulez pause`: a person has the rules only log for a while."""

from __future__ import annotations

import os
import time

import click

from rulez_py.cli.granting import EXIT_CODES, Length, Refused, by_a_person, project_of, with_exceptions, written
from rulez_py.trust import grants


@click.command(epilog=EXIT_CODES)
@click.argument("length", metavar="TIME", type=Length(grants.LONGEST[grants.PAUSE]))
@click.option("--project", is_flag=True, help="Only in the project around the current directory.")
def pause(length: float, project: bool) -> None:
    """Have the rules only log what agents do, until TIME is over.

    \b
    rulez pause 15m              for a quarter of an hour
    rulez pause 1h --project     for an hour, in this project
    rulez resume                 end it now

    A person has to sit at the terminal. Rules of the machine's policy and those by which rulez protects itself go on
    stopping calls; scripts of rules do not run meanwhile. At most 24h.
    """
    here = with_exceptions(by_a_person())
    root = project_of(here, os.getcwd()) if project else ""
    now = time.time()
    grant = grants.Grant(kind=grants.PAUSE, root=root, made=now, clock=grants.clock(), seconds=length)
    try:
        grants.add(here, grant)
    except OSError as error:
        raise Refused(f"it cannot be written: {error}") from None
    where = f"in {root}" if root else "everywhere"
    written(here, f"a person paused the rules {where} for {length:g} s")
    click.echo(f"paused {where} until {grants.clock_time(grant.until)}: rules only log. `rulez resume` ends it.")
    click.echo("The machine's rules and those by which rulez protects itself still hold.")

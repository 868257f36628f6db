"""`rulez doctor`: try whether protection holds in the agents on this machine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from rulez_py.cli.install import platforms_argument

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.doctor.findings import Examined
    from rulez_py.doctor.rendered import Line

EXIT_CODES = "Exit codes: 0 protection holds; 1 it does not, or cannot be examined; 2 wrong command line."
_COLOURS = {"good": "green", "bad": "red", "note": "yellow"}


@click.command(epilog=EXIT_CODES)
@platforms_argument
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def doctor(platforms: tuple[str, ...], as_json: bool) -> None:
    """Try whether rulez protects you in the coding agents on this machine, and say how to mend what does not.

    \b
    rulez doctor              every agent that is found
    rulez doctor claude       this one
    rulez doctor --json       for a script

    The hook of each agent is called by exactly the command line that is installed, once with a call that has to be
    denied and once with one that has to pass; nothing of what they name runs. `rulez status` is the short form.
    """

    found, shorten = examined(platforms, trying=True)
    from rulez_py.doctor import rendered

    say(found, rendered.long(found, shorten), as_json=as_json)


def examined(platforms: tuple[str, ...], *, trying: bool) -> tuple[Examined, Shorten]:
    """Return the findings about these agents, and the function that renders paths."""
    from rulez_py.cli.install import this_machine
    from rulez_py.doctor.examine import examine
    from rulez_py.policy.store.search import shown_path

    here = this_machine()
    found = examine(here, platforms, trying=trying)
    return found, lambda path: shown_path(path, here.project, here.own.home)


def say(found: Examined, lines: Iterable[Line], *, as_json: bool) -> None:
    """Print it; exit code 1 where protection does not hold."""

    from rulez_py.doctor import rendered

    if as_json:
        click.echo(json.dumps(rendered.as_json(found), indent=2))
    else:
        for line, kind in lines:
            click.echo(click.style(line, fg=_COLOURS.get(kind), bold=kind == "title") if kind else line)
    if not found.holds:
        click.get_current_context().exit(1)


if TYPE_CHECKING:
    from collections.abc import Callable

    Shorten = Callable[[str], str]

"""Parts that `allow`, `pause` and `resume` share: proof of a person, place, duration, and the log entry."""

from __future__ import annotations

import os
import re
import time
from typing import Any

import click

from rulez_py.cli import person
from rulez_py.event import Event
from rulez_py.log import audit
from rulez_py.system.places import Places, places
from rulez_py.verdict import Answer, Verdict

EXIT_CODES = "Exit codes: 0 done; 1 refused, or nothing to do it to; 2 wrong command line."
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 24 * 3600}


class Refused(click.ClickException):
    """The request cannot be carried out; exit code 1."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self._command = click.get_current_context().info_name

    def show(self, file: Any = None) -> None:
        click.echo(f"rulez {self._command}: {self.message}", err=True)


class Length(click.ParamType[float]):
    """A duration: 90s, 15m, 1h, 7d."""

    name = "time"

    def __init__(self, most: float) -> None:
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """In seconds."""
        if isinstance(value, (int, float)):
            return value
        match = re.fullmatch(r"(\d{1,5})([smhd])", value)
        seconds = int(match[1]) * _UNITS[match[2]] if match else 0
        if not seconds:
            self.fail(f"{value!r} is no time; write 90s, 15m or 1h", param, ctx)
        if seconds > self.most:
            self.fail(f"{value} is too long: at most {self.most // 3600:g}h", param, ctx)
        return seconds


def by_a_person() -> Places:
    """Return this person's places. Raises Refused where no person is at the terminal, or the project set the places."""
    from rulez_py.cli.validate import why_not_believed
    from rulez_py.policy.store.search import search

    here = places(os.environ)
    why = person.why_no_person() or why_not_believed(here, search(here, os.getcwd()))
    if why:
        raise Refused(why)
    return here


def with_exceptions(here: Places) -> Places:
    """Return the same places.

    Raises Refused where the machine's policy allows no exceptions, or wants more proof.
    """
    why = why_not_let(here, "exceptions")
    if why:
        raise Refused(why)
    return here


def why_not_let(here: Places, setting: str) -> str:
    """Return why the machine's policy forbids what `setting` (`exceptions`, `trust`) is about, "" where it does not.

    Asks for a password where the policy wants one.
    """
    from rulez_py.cli import proof
    from rulez_py.policy.store.load import said_of_people
    from rulez_py.verdict import visible

    said, place = said_of_people(here, setting)
    if said is None:
        return f"this machine's policy cannot be used ({visible(place)}), and may forbid it; `rulez validate` checks it"
    if said is False:
        return f"this machine's policy forbids it ({visible(place)}: {setting}: false)"
    return "" if said is True else proof.why_unproven(str(said))


def project_of(here: Places, directory: str) -> str:
    """Return the project a directory belongs to, as a hook call finds it."""
    from rulez_py.policy.store.search import search

    return search(here, directory).root


def written(here: Places, said: str, about: str = "") -> None:
    """Put into the log what a person has done."""
    event = Event(
        platform=audit.PERSON,
        types=(),
        native_event="person",
        tool_input={"command": about} if about else {},
        cwd=os.getcwd(),
    )
    audit.record(here, audit.entry_for(event, Verdict(notes=(said,)), Answer(), 0.0, time.time()))

"""`rulez session`: what rules remember of agents' sessions, to look at and to forget."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

import click

from rulez_py.cli.granting import EXIT_CODES, Refused, by_a_person, project_of, written
from rulez_py.log.audit import iso_time
from rulez_py.system.places import places
from rulez_py.system.sessions import memory
from rulez_py.verdict import counted, visible

if TYPE_CHECKING:
    from rulez_py.system.effects import Memory, Session
    from rulez_py.system.places import Places


@click.group("session")
def session() -> None:
    """Show or forget what rules remember of agents' sessions."""


@session.command("show", epilog="Exit codes: 0 done; 2 wrong command line.")
@click.argument("identity", metavar="[SESSION]", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def show(identity: str | None, as_json: bool) -> None:
    """Show what is remembered, since when and until when, and which calls are counted.

    \b
    rulez session show          the sessions of this project
    rulez session show SESSION  the one of this identifier, in any project
    """
    here, now = places(os.environ), time.time()
    found = [_told(path, one, held) for path, one, held in _chosen(here, identity, now)]
    if as_json:
        click.echo(json.dumps({"version": 1, "sessions": found}))
        return
    for one in found:
        _say(one)
    if not found:
        click.echo("nothing is remembered")


@session.command("forget", epilog=EXIT_CODES)
@click.argument("identity", metavar="[SESSION]", required=False)
def forget(identity: str | None) -> None:
    """Forget all that is remembered, and begin to count anew.

    \b
    rulez session forget           of the sessions of this project
    rulez session forget SESSION   of the one of this identifier

    A person has to sit at the terminal.
    """
    here = by_a_person()
    found = _chosen(here, identity, time.time())
    try:
        for path, _one, _held in found:
            memory.forget(here.state, path)
    except OSError as error:
        raise Refused(f"it cannot be forgotten: {error}") from None
    if not found:
        raise Refused("nothing is remembered")
    written(here, f"a person had rules forget {counted(len(found), 'session')}")
    click.echo(f"forgotten: {counted(len(found), 'session')}")


def _chosen(here: Places, identity: str | None, now: float) -> list[tuple[str, Session, Memory | None]]:
    """Return the sessions of an identifier, or of the project here, and those whose file cannot be read."""
    root = project_of(here, os.getcwd())
    return [
        (path, one, held)
        for path, one, held in memory.sessions(here.state, now)
        if held is None or (one.project == root if identity is None else one.id == identity)
    ]


def _told(path: str, one: Session, held: Memory | None) -> dict[str, Any]:
    if held is None:
        return {"file": path, "readable": False}
    keys = [
        {"file": file, "key": key, "since": iso_time(kept.since), "until": iso_time(kept.until)}
        for name, kept in held.keys.items()
        for file, _, key in [name.partition("\0")]
    ]
    counts = []
    for name, calls in held.counts.items():
        file, rule, of = (*name.split("\0"), "", "")[:3]
        counts.append({"file": file, "rule": rule, "of": of, "calls": len(calls), "last": iso_time(calls[-1][0])})
    told = {"platform": one.platform, "session": one.id, "project": one.project}
    return {"file": path, "readable": True, **told, "remembered": keys, "counted": counts}


def _say(one: dict[str, Any]) -> None:
    if not one["readable"]:
        click.echo(visible(f"{one['file']} cannot be read: rules that ask for it object; `rulez session forget`"))
        return
    click.echo(visible(f"{one['platform']} {one['session'] or '(no identifier)'} in {one['project']}"))
    for key in one["remembered"]:
        click.echo(visible(f"  {key['key']} since {key['since']} until {key['until']} ({key['file']})"))
    for count in one["counted"]:
        of = f" of {count['of']}" if count["of"] else ""
        calls = f"{counted(count['calls'], 'call')}{of}, the last at {count['last']}"
        click.echo(visible(f"  {count['rule']}: {calls} ({count['file']})"))

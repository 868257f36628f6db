"""`rulez allow`: a person lets one call pass that a rule would stop."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import click

from rulez_py.cli.granting import EXIT_CODES, Length, Refused, by_a_person, project_of, with_exceptions, written
from rulez_py.log.audit import INPUT_LIMIT, as_shown
from rulez_py.trust import content_digest, exceptions, grants
from rulez_py.verdict import visible

if TYPE_CHECKING:
    from rulez_py.system.places import Places

_USUAL = 600
_MORE = "…"


@click.command(epilog=EXIT_CODES)
@click.option("--once", "command", metavar="COMMAND", help="Let this command line pass once, in this project.")
@click.option("--last", is_flag=True, help="The call that was stopped last, wherever that was.")
@click.option("--project", is_flag=True, help="With --last: except its rules in that project, from now on.")
@click.option("--everywhere", is_flag=True, help="With --last: except its rules in every project.")
@click.option("--this", is_flag=True, help="With --last: except only this file, this host, these words.")
@click.option(
    "--for",
    "length",
    metavar="TIME",
    type=Length(exceptions.LONGEST),
    help="How long: 90s, 15m, 1h, 7d. A single call waits 10m, at most 1h; an exception has no end.",
)
@click.option("--why", metavar="TEXT", default="", help="Why, for those who read the exception later.")
@click.option("--list", "listing", is_flag=True, help="Show the exceptions that there are.")
@click.option("--remove", "number", metavar="N", type=click.IntRange(min=1), help="Take exception N back.")
def allow(
    command: str | None,
    last: bool,
    project: bool,
    everywhere: bool,
    this: bool,
    length: float | None,
    why: str,
    listing: bool,
    number: int | None,
) -> None:
    """Let pass what a rule would stop: one call once, or an exception from a rule until it is taken back.

    \b
    rulez allow --last              what was stopped last, once
    rulez allow --once 'git push -f origin x'
    rulez allow --last --this       this file, host or command, from now on
    rulez allow --last --project    all that its rules stop, from now on
    rulez allow --list              the exceptions; --remove N takes one back

    Once, it has to come exactly so, in the same project. A person has to sit at the terminal. Rules of the machine's
    policy and those by which rulez protects itself stop it all the same.
    """
    lasting = project or everywhere or this
    _check(last, command, listing, number, lasting=lasting)
    if project and everywhere:
        raise click.UsageError("--project and --everywhere are two places; choose one")
    if listing:
        from rulez_py.cli import excepting
        from rulez_py.system.places import places

        excepting.show(places(os.environ))
        return
    here = by_a_person()
    if number is not None:
        from rulez_py.cli import excepting

        excepting.end(here, number)
        return
    here = with_exceptions(here)
    if lasting:
        _for_good(here, this=this, everywhere=everywhere, length=length or 0.0, why=why)
        return
    length = _USUAL if length is None else length
    if length > grants.LONGEST[grants.ONCE]:
        raise click.UsageError("a single call waits for 1h at most; --this, --project make exceptions that last")
    grant = _of_last(here, length) if command is None else _of_command(here, command, length)
    shown = visible(" ".join(grant.text.split()))
    try:
        grants.add(here, grant)
    except OSError as error:
        raise Refused(f"it cannot be written: {error}") from None
    written(here, f"a person lets this pass once in {grant.root} within {length:g} s", grant.text)
    click.echo(f"may pass once until {grants.clock_time(grant.until)}, in {visible(grant.root)}:\n  {shown}")
    if grant.tool not in ("", "Bash"):
        click.echo(f"  ({grant.tool}, whatever else it is told)")
    click.echo("Tell the agent to try again.")


def _of_command(here: Places, command: str, length: float) -> grants.Grant:
    if not command.strip():
        raise click.UsageError("--once needs a command line")
    digest = content_digest(command.encode("utf-8", "surrogatepass"))
    return _grant(project_of(here, os.getcwd()), length, text=as_shown(command), digest=digest)


def _last(here: Places) -> dict[str, Any]:
    from rulez_py.history.reading import last_stopped

    try:
        entry = last_stopped(here.state, 1)
    except OSError as error:
        raise Refused(f"the log cannot be read: {error}") from None
    if entry is None:
        raise Refused(f"the log in {here.state} has no call that was stopped")
    return entry


def _check(last: bool, command: str | None, listing: bool, number: int | None, *, lasting: bool) -> None:
    """Raises UsageError unless one thing is asked for."""
    if (last, command is not None, listing, number is not None).count(True) != 1:
        raise click.UsageError("say which call: --last, or --once 'COMMAND'; or --list, --remove N")
    if lasting and not last:
        raise click.UsageError(
            "--project, --everywhere and --this go with --last: they are about what stopped that call"
        )


def _for_good(here: Places, *, this: bool, everywhere: bool, length: float, why: str) -> None:
    """Make an exception from the rules that stopped the last call."""
    from rulez_py.cli import excepting
    from rulez_py.history.reading import as_logged

    entry = _last(here)
    refusal = _why_not(entry) or ("" if _text(entry, "cwd") else "the log does not say where it was made")
    if refusal:
        raise Refused(refusal)
    wanted = excepting.wanted(here, _text(entry, "cwd"), everywhere=everywhere, length=length, why=why)
    excepting.except_from(here, as_logged(entry), wanted, this=this)


def _of_last(here: Places, length: float) -> grants.Grant:
    entry = _last(here)
    text, tool, cwd = (_text(entry, name) for name in ("input", "tool", "cwd"))
    why = _why_not(entry)
    if not why and not text:
        why = "the log does not say what it was about"
    if not why and (text.endswith(_MORE) or len(text) >= INPUT_LIMIT):
        why = "the log holds only the beginning of it: use --once with the whole command line"
    if not why and not cwd:
        why = "the log does not say where it was made: use --once in its project"
    if why:
        raise Refused(why)
    return _grant(project_of(here, cwd), length, text=text, tool=tool, cwd=cwd)


def _why_not(entry: dict[str, Any]) -> str:
    """Return why letting this call pass would change nothing; "" where it would change something."""
    from rulez_py.policy.model.layers import MANAGED

    rule, source = _text(entry, "rule"), _text(entry, "rule_source")
    layers = [
        hit.get("layer") for hit in entry.get("rules") or () if isinstance(hit, dict) and hit.get("decision") != "pass"
    ]
    if not rule:
        return "no rule stopped it, but an error: `rulez explain --last` says which"
    if source.startswith("builtin:self-protection"):
        return f'"{rule}" protects rulez itself: do it yourself, or have it ask by `overrides` (docs/policy.md)'
    if MANAGED in layers:
        return f'"{rule}" is a rule of this machine\'s policy ({source}): who keeps that can change it'
    return ""


def _grant(root: str, length: float, **call: str) -> grants.Grant:
    return grants.Grant(
        kind=grants.ONCE,
        root=root,
        made=time.time(),
        clock=grants.clock(),
        seconds=length,
        **call,
    )


def _text(entry: dict[str, Any], name: str) -> str:
    value = entry.get(name)
    return value if isinstance(value, str) else ""

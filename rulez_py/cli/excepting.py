"""Lasting exceptions of `rulez allow`: make them of the call that was stopped last, list them, end one."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import click

from rulez_py.cli.granting import Refused, project_of, written
from rulez_py.trust import exceptions
from rulez_py.trust.exceptions import CannotKeep, Excepted
from rulez_py.verdict import ASK, DENY, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.explain.calls import Call
    from rulez_py.explain.values import AboutRule, Explained
    from rulez_py.system.places import Places

_STOPPING = (DENY, ASK)


def except_from(here: Places, entry: dict[str, Any], wanted: Excepted, *, this: bool) -> None:
    """Have every rule that stopped a logged call only log from now on, and say so when the call would pass.

    `wanted` has where, until when, by whom and why. With `this`, only calls that fit what the rules matched by are
    excepted. Raises Refused, and has then changed nothing.
    """
    from rulez_py.explain.calls import is_whole

    if this and not is_whole(str(entry.get("input") or "")):
        raise Refused("the log has cut or redacted what it was about: leave out --this, or write the exception by hand")
    call = _call(entry)
    before = _explained(call)
    stopping = _stopping(before, entry)
    if not stopping:
        raise Refused("no rule stops that call any more: tell the agent to try again")
    if wanted.root == here.home:
        raise Refused("it was not made in a project, which has a .git or a .rulez: use --everywhere")
    made = tuple(_exception(one, before, wanted, this=this) for one in stopping)
    try:
        there = {one.number for one in exceptions.read(here)[0]}
        kept = exceptions.add(here, made)
    except CannotKeep as error:
        raise Refused(str(error)) from None
    new = [one.number for one in kept if one.number not in there]
    after = _explained(call)
    if after.verdict.decision in _STOPPING:
        _take_back(here, new)
        raise Refused(f"it would be stopped all the same, so nothing was changed: {after.verdict.reason}")
    for one in kept:
        written(here, f"a person made exception {exceptions.in_words(one)}")
        click.echo(f"exception {exceptions.in_words(one)}")
    for note in (*call.notes, *(f"not tried: {script}" for script in after.scripts)):
        click.echo(f"note: {visible(note)}")
    click.echo(f"Tell the agent to try again. `rulez allow --remove {kept[0].number}` takes it back.")


def show(here: Places) -> None:
    """Print every exception that there is."""
    there, problem = exceptions.read(here)
    if problem:
        raise Refused(problem)
    now = time.time()
    for one in there:
        click.echo(exceptions.in_words(one) + (" (over)" if one.until and one.until <= now else ""))
    if not there:
        click.echo("There are no exceptions.")


def end(here: Places, number: int) -> None:
    """Take an exception away. Raises Refused."""
    try:
        gone = exceptions.remove(here, number)
    except CannotKeep as error:
        raise Refused(str(error)) from None
    if gone is None:
        raise Refused(f"there is no exception {number}: `rulez allow --list` shows those that there are")
    written(here, f"a person took back exception {exceptions.in_words(gone)}")
    click.echo(f"no longer excepted: {exceptions.in_words(gone)}")


def _call(entry: dict[str, Any]) -> Call:
    """Return the call of a line of the log; this process goes to where it was made. Raises Refused."""
    from rulez_py.explain.calls import of_log

    try:
        call = of_log(entry, os.getcwd())
        os.chdir(call.cwd)
    except ValueError as error:
        raise Refused(f"{error}; write the exception by hand (docs/policy.md#exceptions)") from None
    except OSError as error:
        raise Refused(f"it was made in {visible(call.cwd)}, which cannot be entered: {error.strerror}") from None
    return call


def _explained(call: Call) -> Explained:
    from rulez_py.explain.explain import CannotExplain, explain

    try:
        return explain(call, os.environ, others=())
    except CannotExplain as error:
        raise Refused(f"it cannot be judged again: {error}") from None


def _stopping(found: Explained, entry: dict[str, Any]) -> list[AboutRule]:
    """The rules in force that stop the call, or have stopped it: the log does not keep all that they looked at."""
    hits = [hit for hit in entry.get("rules") or () if isinstance(hit, dict) and hit.get("decision") in _STOPPING]
    logged = {(hit.get("rule"), _of(str(hit.get("source")))) for hit in hits}
    excepted = {(one.rule, one.of) for one in found.exceptions}
    stopping = [
        one
        for one in found.rules
        if one.decision in _STOPPING
        or (_key(one) in logged and (one.rule["mode"] == "enforce" or _key(one) in excepted))
    ]
    for one in stopping:
        _check(one)
    return stopping


def _check(one: AboutRule) -> None:
    """Raises Refused where no person may make an exception from a rule."""
    from rulez_py.policy.model.layers import MANAGED, may_be_excepted

    name, source = one.rule["name"], one.rule["source"]
    if one.rule["layer"] == MANAGED:
        raise Refused(f'"{name}" is a rule of this machine\'s policy ({visible(source)}): who keeps that can change it')
    if not may_be_excepted(one.rule["layer"], source):
        raise Refused(f'"{name}" protects rulez itself: do it yourself, or have it ask by `overrides` (docs/policy.md)')


def _exception(one: AboutRule, found: Explained, wanted: Excepted, *, this: bool) -> Excepted:
    """Return the exception from one rule. Raises Refused where no exception is about this call alone."""
    from rulez_py.policy.model.layers import PROJECT

    name, of = _key(one)
    only = found.this.get((name, one.rule["source"]), {}) if this else {}
    covered = next((there for there in found.exceptions if (there.rule, there.of) == (name, of)), None)
    if this and covered is not None:
        return covered
    if this and not only:
        raise Refused(
            f'no exception from "{name}" can be written for this call alone: leave out --this, or write an exception '
            f"by hand (docs/policy.md#exceptions)"
        )
    root = found.project if one.rule["layer"] == PROJECT else wanted.root
    return wanted.replace(rule=name, of=of, root=root, only=only)


def _key(one: AboutRule) -> tuple[str, str]:
    return one.rule["name"], _of(one.rule["source"])


def _of(source: str) -> str:
    return source.rpartition(":")[0]


def _take_back(here: Places, numbers: Sequence[int]) -> None:
    for number in numbers:
        try:
            exceptions.remove(here, number)
        except CannotKeep as error:
            raise Refused(f"it would be stopped all the same, and exception {number} is still there: {error}") from None


def wanted(here: Places, cwd: str, *, everywhere: bool, length: float, why: str) -> Excepted:
    """Return an exception from no rule yet: where, from now on for so many seconds (0: without an end), and why."""
    now = time.time()
    root = "" if everywhere else project_of(here, cwd)
    return Excepted(
        number=0, rule="", of="", root=root, made=now, until=now + length if length else 0.0, by=_user(), why=why
    )


def _user() -> str:
    """Return the name of who does this, as the system knows it."""
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):
        return os.environ.get("USERNAME") or os.environ.get("USER") or ""

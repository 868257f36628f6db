"""`rulez allow`: a person lets one call pass that a rule would stop."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import click

from rulez_py.cli.granting import EXIT_CODES, Length, Refused, by_a_person, project_of, with_exceptions, written
from rulez_py.log.audit import INPUT_LIMIT, as_shown
from rulez_py.trust import content_digest, grants
from rulez_py.verdict import visible

if TYPE_CHECKING:
    from rulez_py.system.places import Places

_USUAL = 600
_MORE = "…"


@click.command(epilog=EXIT_CODES)
@click.option("--once", "command", metavar="COMMAND", help="Let this command line pass once, in this project.")
@click.option("--last", is_flag=True, help="The call that was stopped last, wherever that was.")
@click.option("--project", is_flag=True, help="With --last: have its rule only log in that project, from now on.")
@click.option(
    "--for",
    "length",
    metavar="TIME",
    type=Length(grants.LONGEST[grants.ONCE]),
    default=_USUAL,
    help="How long it waits for the call: 90s, 15m, 1h at most. Default 10m.",
)
def allow(command: str | None, last: bool, project: bool, length: float) -> None:
    """Let one call pass that a rule would stop: the next time it comes, once.

    \b
    rulez allow --last                        what was stopped last
    rulez allow --once 'git push -f origin x'
    rulez allow --last --project              its rule, in its project, for good

    It has to come exactly so, in the same project. A person has to sit at the terminal. Rules of the machine's policy
    and those by which rulez protects itself stop it all the same.
    """
    if last == (command is not None):
        raise click.UsageError("say which call: --last, or --once 'COMMAND'")
    if project and not last:
        raise click.UsageError("--project goes with --last: it is about the rule that stopped that call")
    here = with_exceptions(by_a_person())
    if project:
        _in_project(here)
        return
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


def _in_project(here: Places) -> None:
    """Write the exception for the rule that stopped the last call into the person's own policy."""
    from rulez_py.installing import files
    from rulez_py.policy.amending import CannotAmend, amended, line_for
    from rulez_py.policy.cache import warm

    entry = _last(here)
    rule, rule_set = _own_rule(entry)
    root = project_of(here, _text(entry, "cwd"))
    if root == here.home:
        raise Refused("it was not made in a project, which has a .git or a .rulez")
    path = os.path.realpath(next((path for path in here.user_policies if os.path.exists(path)), here.user_policy))
    try:
        before = files.current(path)
        after = amended(None if before is None else before.decode(), rule, rule_set, root)
        backup = files.back_up(here.state, path, before, time.time()) if before is not None else ""
        files.write(path, after.encode(), before)
    except (CannotAmend, UnicodeDecodeError) as error:
        why = f"{error}" if isinstance(error, CannotAmend) else "it is not UTF-8"
        raise Refused(f"{path}: {why}; below `overrides:` write\n  {line_for(rule, root)}") from None
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror or error}") from None
    written(here, f'a person has rule "{rule}" only log in {root}')
    click.echo(f'"{rule}" only logs in {visible(root)} from now on, by `overrides` in {visible(path)}')
    click.echo("Take that line out to have it stop calls again." + (f" As it was: {backup}" if backup else ""))
    warm(here, root)


def _own_rule(entry: dict[str, Any]) -> tuple[str, str]:
    """The rule that stopped a call and its set, where the person's own policy is what changes it. Raises Refused."""
    from rulez_py.policy.layers import BUILT_IN, USER
    from rulez_py.policy.packs import PREFIX

    why = _why_not(entry)
    if why:
        raise Refused(why)
    rule, source = _text(entry, "rule"), _text(entry, "rule_source")
    hits = [hit for hit in entry.get("rules") or () if isinstance(hit, dict) and hit.get("rule") == rule]
    layer = hits[0].get("layer") if hits else ""
    if layer not in (USER, BUILT_IN) or not source.startswith(PREFIX):
        raise Refused(f'"{rule}" is written in {source}: change it there, or `rulez allow --last` for once')
    return rule, source.rpartition(":")[0]


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
    """Why letting this call pass would change nothing; "" where it would."""
    from rulez_py.policy.layers import MANAGED

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

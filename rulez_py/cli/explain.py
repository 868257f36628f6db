"""`rulez explain`: the verdict on a call, and why."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from rulez_py.cli.platform_option import NAMES, platform_option
from rulez_py.platforms import AUTO
from rulez_py.verdict import ASK, DENY, STRICTNESS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.explain.calls import Call

EXAMPLES = """\b
Examples:
  rulez explain 'git push -f'
  rulez explain --tool Write --arg file_path=.env --arg content=A=1
  rulez explain --last                 the last call that was stopped or kept
  rulez explain --all 'npm publish'    every rule, and why it does not match
  rulez explain --env CI=true --git branch=main 'npm publish'
  rulez explain --case case.yaml       a call and its circumstances, as a test
  rulez explain --json < payload.json
  rulez explain --platform auto < payload.json

Nothing runs: neither the call nor a script of a policy.

Exit codes: 0 explained; 1 it cannot be (no such line in the log, a payload that cannot be read); 2 wrong command line.
"""


@click.command("explain", epilog=EXAMPLES)
@click.argument("command", metavar="['COMMAND LINE']", nargs=-1)
@click.option("--tool", metavar="NAME", help="A call of this tool instead (the common name, or the agent's own).")
@click.option("--arg", "arguments", metavar="KEY=VALUE", multiple=True, help="Its argument; KEY:=JSON for no text.")
@click.option("--prompt", metavar="TEXT", help="What a person writes to the agent instead.")
@click.option(
    "--last",
    metavar="[N]",
    is_flag=False,
    flag_value=1,
    type=click.IntRange(1),
    help="The last call that was stopped, or has a checkpoint; 2 is the one before.",
)
@click.option("--id", "wanted", metavar="ID", help="The call with this id in the log.")
@click.option(
    "--case", "case_file", metavar="FILE", type=click.Path(), help="A call as a policy's tests have it; - for stdin."
)
@click.option(
    "--env", "variables", metavar="NAME=VALUE", multiple=True, help="A variable of its environment; repeatable."
)
@click.option("--git", "facts", metavar="FACT=VALUE", multiple=True, help="What is so of the repository; repeatable.")
@platform_option(
    f"The agent that makes the call: {NAMES}; auto: the one that the payload tells. Default: claude.", auto=True
)
@click.option("--event", metavar="NAME", help="The event, for a payload that does not name it.")
@click.option("--rules", metavar="FILE", type=click.Path(), help="Judge by this file, as `rulez hook --rules` does.")
@click.option("--all", "everything", is_flag=True, help="Every rule, not only those that come nearest.")
@click.option("--json", "as_json", is_flag=True, help="Print it as one JSON object (docs/cli.md has the fields).")
def explain(
    command: tuple[str, ...],
    tool: str | None,
    arguments: tuple[str, ...],
    prompt: str | None,
    last: int | None,
    wanted: str | None,
    case_file: str | None,
    variables: tuple[str, ...],
    facts: tuple[str, ...],
    platform: str | None,
    event: str | None,
    rules: str | None,
    everything: bool,
    as_json: bool,
) -> None:
    """Explain a call: its verdict, what it would run, which rules match, and why the others do not.

    A call is a command line, a tool with its arguments, a prompt, a hook's payload on stdin, or one that the log
    remembers. It is judged as it would be now, here.
    """
    from rulez_py.explain.explain import CannotExplain, explain

    asked = {"a command line": bool(command), "--tool": tool is not None, "--prompt": prompt is not None}
    asked |= {"--last": last is not None, "--id": wanted is not None, "--case": case_file is not None}
    given = [name for name, is_given in asked.items() if is_given]
    if len(given) > 1:
        raise click.UsageError(f"{given[0]} and {given[1]} are two calls; ask about one")
    if arguments and tool is None:
        raise click.UsageError("--arg belongs to a --tool")
    if given and platform == AUTO:
        raise click.UsageError("--platform auto finds the agent by a payload on stdin; name the agent of this call")
    told = _told(variables, facts)
    if last is not None or wanted is not None:
        calls: tuple[Call, ...] = (_logged(last, wanted),)
    elif case_file is not None:
        calls = (_of_case(case_file, platform),)
    elif tool is not None or prompt is not None or command:
        calls = (_typed(command, tool, arguments, prompt, platform or "claude"),)
    else:
        calls = _on_stdin(platform or "claude", event)
    calls = tuple(replace(call, told={**call.told, **told}) for call in calls)
    try:
        explained = [(call, explain(call, os.environ, rules_file=rules, event_name=event)) for call in calls]
    except CannotExplain as error:
        raise click.ClickException(str(error)) from None
    call, found = max(explained, key=lambda pair: STRICTNESS[pair[1].verdict.decision])
    if as_json:
        from rulez_py.explain.as_json import as_json as fields
        from rulez_py.log.audit import as_json as in_json

        click.echo(in_json(fields(found)))
        return
    from rulez_py.explain.as_text import text

    ways_out = () if found.no_exceptions else _ways_out(call)
    shown(text(found, paint, width=width(), everything=everything, ways_out=ways_out))


# The call.


def _typed(
    command: tuple[str, ...], tool: str | None, arguments: tuple[str, ...], prompt: str | None, platform: str
) -> Call:
    from rulez_py.explain.calls import Call

    if len(command) > 1:
        line = shlex.join(command)
        raise click.UsageError(f"put the command line in quotes: rulez explain {shlex.quote(line)}")
    if prompt is not None:
        return Call(platform, os.getcwd(), prompt=prompt)
    given: dict[str, object] = {"command": command[0]} if command else dict(_argument(one) for one in arguments)
    return Call(platform, os.getcwd(), tool=tool or "Bash", arguments=given)


def _told(variables: tuple[str, ...], facts: tuple[str, ...]) -> dict[str, Any]:
    """Return the circumstances that are typed word by word."""
    if not variables and not facts:
        return {}
    from rulez_py.explain.cases import NotRight, told_in_words

    try:
        return told_in_words(variables, facts)
    except NotRight as error:
        raise click.UsageError(str(error)) from None


def _of_case(path: str, platform: str | None) -> Call:
    """Return the call of a case; this process goes to its project, since that says which policy holds."""
    from rulez_py.event import UnreadableEvent
    from rulez_py.explain.calls import of_case
    from rulez_py.explain.cases import NotRight, read_case
    from rulez_py.hook.stdio import LARGEST_EVENT
    from rulez_py.policy.format.circumstances import PROJECT
    from rulez_py.system.files import read_pieces

    try:
        content = sys.stdin.buffer.read() if path == "-" else b"".join(read_pieces(path, LARGEST_EVENT))
        call = of_case(read_case(content, "stdin" if path == "-" else path), os.getcwd(), platform=platform)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from None
    except NotRight as error:
        raise click.ClickException(str(error)) from None
    except UnreadableEvent as error:
        raise click.ClickException(f"the case is no call; {error}") from None
    if PROJECT in call.told:
        _enter(os.path.expanduser(call.told[PROJECT]), "its project is")
    return replace(call, cwd=os.getcwd())


def _enter(directory: str, which: str) -> None:
    try:
        os.chdir(directory)
    except OSError as error:
        raise click.ClickException(f"{which} {directory}, which cannot be entered: {error.strerror}") from None


def _argument(text: str) -> tuple[str, object]:
    from rulez_py.system import jsontext

    name, equals, value = text.partition("=")
    if not equals or not name.strip(":"):
        raise click.UsageError(f"`--arg {text}` names no value; write --arg file_path=x, or --arg limit:=5")
    if not name.endswith(":"):
        return name, value
    try:
        return name[:-1], jsontext.loads(value)
    except ValueError as error:
        raise click.UsageError(f"`--arg {text}` is not JSON behind `:=`: {error}") from None


def _on_stdin(platform: str, event_name: str | None) -> tuple[Call, ...]:
    from rulez_py.event import UnreadableEvent

    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError("name a call: rulez explain 'git push -f'   (-h has more examples)")
    try:
        return calls_of(sys.stdin.buffer.read(), platform, event_name)
    except UnreadableEvent as error:
        raise click.ClickException(f"the payload on stdin cannot be read: {error}") from None


def calls_of(data: bytes, platform: str, event_name: str | None = None) -> tuple[Call, ...]:
    """Return the call of a hook's payload, for `AUTO` one from each agent that may have sent it.

    Raises UnreadableEvent, also where no agent sends such a payload.
    """
    from rulez_py.explain.calls import of_event
    from rulez_py.hook.stdio import read_payload
    from rulez_py.hook.unnamed import from_each
    from rulez_py.platforms import adapter_or_unnamed, candidates

    payload: Any = read_payload(data)
    names = candidates(platform, payload, os.environ)
    notes = (from_each(names),) if len(names) > 1 else ()
    events = (adapter_or_unnamed(name).parse(payload, event_name) for name in names)
    return tuple(replace(of_event(event, payload, os.getcwd()), notes=notes) for event in events)


def _logged(last: int | None, wanted: str | None) -> Call:
    """Return a call of the log; this process goes to where it was made, since that says which policy holds."""
    from rulez_py.explain.calls import of_log
    from rulez_py.history.reading import as_logged, by_id, last_stopped
    from rulez_py.system.places import places

    here = places(os.environ)
    try:
        entry = by_id(here.state, wanted) if wanted is not None else last_stopped(here.state, last or 1, or_kept=True)
    except OSError as error:
        raise click.ClickException(f"the log cannot be read: {error}") from None
    if entry is None:
        missing = (
            f"no call whose id is or begins with `{wanted}`"
            if wanted is not None
            else "no such stopped call, nor one with a checkpoint"
        )
        raise click.ClickException(f"the log in {here.state} has {missing}")
    try:
        call = of_log(as_logged(entry), os.getcwd())
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    _enter(call.cwd, "it was made in")
    return call


def _ways_out(call: Call) -> tuple[str, ...]:
    """Return the commands by which a person lets a call pass once, where rulez has them."""
    root = click.get_current_context().find_root().command
    if not isinstance(root, click.Group) or "allow" not in root.commands:
        return ()
    if call.logged and call.logged.get("verdict") in (DENY, ASK):
        return ("in your own terminal: rulez allow --last",)
    line = call.arguments.get("command") if isinstance(call.arguments, dict) else None
    return (f"in your own terminal: rulez allow --once {shlex.quote(line)}",) if isinstance(line, str) else ()


# The terminal.

_STYLES: dict[str, dict[str, Any]] = {
    "title": {"bold": True},
    "deny": {"fg": "red", "bold": True},
    "ask": {"fg": "yellow", "bold": True},
    "allow": {"fg": "green", "bold": True},
    "pass": {"fg": "green", "bold": True},
    "mark": {"fg": "red"},
    "rule": {"bold": True},
    "command": {"fg": "cyan"},
}


_PLAIN_BRANCHES = str.maketrans("│├└─", "|+`-")


def _has_branches() -> bool:
    """Tell if the output's encoding has the characters that draw trees."""
    try:
        "└".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def shown(lines: Iterable[str]) -> None:
    """Print an explanation, with branches as the terminal can draw them."""
    plain = {} if _has_branches() else _PLAIN_BRANCHES
    for line in lines:
        click.echo(line.translate(plain))


def paint(kind: str, text: str) -> str:
    """Return a text in the style of its kind."""
    return click.style(text, **_STYLES[kind]) if kind in _STYLES else text


def width() -> int:
    """Columns to fill: those of the terminal, but lines that are too long are hard to read."""
    return min(shutil.get_terminal_size((80, 24)).columns, 100)

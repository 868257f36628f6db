"""`rulez debug`: calls typed one after the other, and what the policy says of each."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from rulez_py.cli.platform_option import NAMES, platform_option

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from rulez_py.explain.calls import Call
    from rulez_py.explain.values import Explained

HELP = """\
git push -f      what the policy says of this command line
{"tool_name":    ... of this hook payload, on one line or on several
(an empty line)  the last one again: the policy is read anew each time
?                the last one in full, as `rulez explain` tells it
:help            this
:quit            end (or exit, or Ctrl-D)"""

_ENDS = (":quit", ":q", ":exit")
_ENDS_OF_A_SHELL = ("exit", "quit")  # Of a person's; in a file they are lines to be judged.
PROMPT = "rulez> "
MORE = "  ...> "

EXAMPLES = """\b
Examples:
  rulez debug
  rulez debug --rules draft.yaml --platform codex
  rulez debug < commands.txt

Exit codes: 0; 2 wrong command line.
"""


@click.command("debug", epilog=EXAMPLES)
@click.option("--rules", metavar="FILE", type=click.Path(), help="Judge by this file, as `rulez hook --rules` does.")
@platform_option(f"The agent: {NAMES}. Default: claude.", default="claude")
def debug(rules: str | None, platform: str) -> None:
    """Type commands or paste payloads and see what the policy says, as often as you change it.

    Nothing runs. An empty line judges the last call again, `?` explains it in full.
    """
    if sys.stdin is None:
        return
    asks = sys.stdin.isatty()
    if asks:
        click.echo("Type a command line, or paste a hook payload; :help says what else, exit ends.")
    last: Call | None = None
    known: tuple[str, ...] | None = None
    for text in _entries(sys.stdin.buffer, asks):
        if text in _ENDS or (asks and text in _ENDS_OF_A_SHELL):
            return
        if text in (":help", ":h"):
            click.echo(HELP)
            continue
        if text not in ("", "?"):
            last = _call(text, platform)
        if last is None:
            continue
        found = _explained(last, rules)
        if found is None:
            continue
        digests = tuple(layer.source.digest for layer in found.layers)
        if known is not None and digests != known:
            click.echo("The policy has changed.")
        known = digests
        _show(found, in_full=text == "?")


def _entries(source: BinaryIO, asks: bool) -> Iterator[str]:
    """Yield what is typed: a line, or the lines of one JSON object."""
    held = ""
    while True:
        if asks:
            click.echo(MORE if held else PROMPT, nl=False)
        line = source.readline().decode("utf-8", "replace")
        if not line:
            if asks:
                click.echo()
            if held:
                yield held
            return
        text = line.strip()
        if not held and not _begins_payload(text):
            yield text
            continue
        held += line
        # An empty line ends what never becomes JSON.
        if not text or _is_json(held):
            yield held.strip()
            held = ""


def _begins_payload(text: str) -> bool:
    """Tell whether a line begins a JSON object, and not a group of commands."""
    return text[:1] == "{" and text[1:].lstrip()[:1] in ("", '"')


def _is_json(text: str) -> bool:
    from rulez_py.system import jsontext

    try:
        jsontext.loads(text)
    except ValueError:
        return False
    return True


def _call(text: str, platform: str) -> Call | None:
    """Return the call that was typed; print why and return None where it cannot be read."""
    from rulez_py.cli.explain import calls_of
    from rulez_py.event import UnreadableEvent
    from rulez_py.explain.calls import Call

    # A group of commands begins with a brace and a space.
    if not _begins_payload(text):
        return Call(platform, os.getcwd(), tool="Bash", arguments={"command": text})
    try:
        return calls_of(text.encode(), platform)[0]
    except UnreadableEvent as error:
        click.echo(f"The payload cannot be read: {error}")
        return None


def _explained(call: Call, rules: str | None) -> Explained | None:
    from rulez_py.explain.explain import CannotExplain, explain

    try:
        return explain(call, os.environ, rules_file=rules)
    except CannotExplain as error:
        click.echo(str(error))
        return None


def _show(found: Explained, *, in_full: bool) -> None:
    from rulez_py.cli.explain import paint, shown, width
    from rulez_py.explain.as_text import brief, text

    columns = width()
    shown(text(found, paint, width=columns, everything=False) if in_full else brief(found, paint, width=columns))
    click.echo()

"""`rulez migrate`: rules of RuleZ, or permissions of Claude Code, as a policy, and every difference that matters."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from rulez_py.migrate import CLAUDE, SOURCES

if TYPE_CHECKING:
    from rulez_py.migrate.values import Migrated

_STDIN = "-"
_POLICY = "rules.yaml"

EXAMPLES = """\b
Examples:
  rulez migrate .claude/hooks.yaml
  rulez migrate .claude/hooks.yaml --output .rulez/rules.yaml
  rulez migrate .claude/settings.json --output .rulez/rules.yaml
  rulez migrate ~/.claude/settings.json --json
  rulez migrate - --from claude < settings.json

Exit codes: 0 everything is carried over; 1 something is not, and the report says what; 2 nothing is written: the file
cannot be read, the output is there already, or the command line is wrong.
"""


class NotDone(click.ClickException):
    """Nothing was written; exit code 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        click.echo(self.message if ": error: " in self.message else f"error: {self.message}", err=True)


@click.command("migrate", epilog=EXAMPLES)
@click.argument("file", metavar="FILE|-", type=click.Path(allow_dash=True))
@click.option("--from", "source", type=click.Choice(SOURCES), help="What FILE is, where it does not say so itself.")
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(), help="Write the policy there, into a file that is new."
)
@click.option("--json", "as_json", is_flag=True, help="Print report and policy as one JSON object.")
def migrate(file: str, source: str | None, output: str | None, as_json: bool) -> None:
    """Make a policy of RuleZ' hooks.yaml or Claude Code's permissions, and tell every difference.

    The policy goes to standard output, the report to standard error. Nothing is ever written over.
    """
    from rulez_py.migrate import rendered
    from rulez_py.system import jsontext

    content, name = _read(file)
    kind = source or _kind(file, content)
    if output is not None:
        _may_write(output)
    found = _migrated(kind, content, name, file)
    if output is not None:
        _write(output, found.policy)
    if as_json:
        click.echo(jsontext.dumps(rendered.as_json(found, name, kind)))
    else:
        if output is None:
            click.echo(found.policy, nl=False)
            sys.stdout.flush()
        for line in rendered.text(found, name, _paint):
            click.echo(line, err=True)
    if output is not None:
        click.echo(f"wrote {_shown(output)}; `rulez validate {_shown(output)}` checks it", err=True)
        for path in _not_read_beside(output):
            click.echo(f"note: {_shown(path)} is not read any more, for {_shown(output)} takes its place", err=True)
    click.get_current_context().exit(1 if found.lost else 0)


def _read(file: str) -> tuple[bytes, str]:
    """Return the contents of a file, and its name for people. Raises NotDone."""
    from rulez_py.policy.store.search import LARGEST_FILE
    from rulez_py.system.files import read_pieces

    if file == _STDIN:
        if sys.stdin.isatty():
            click.echo("reading from the terminal; Ctrl-D ends it", err=True)
        return sys.stdin.buffer.read(LARGEST_FILE), "<stdin>"
    try:
        return b"".join(read_pieces(file, LARGEST_FILE)), _shown(file)
    except OSError as error:
        raise NotDone(f"{_shown(file)}: {(error.strerror or 'it is no file').lower()}") from None


def _kind(file: str, content: bytes) -> str:
    """Return the product that a file belongs to. Raises NotDone, also for a product whose files are not migrated."""
    from rulez_py.migrate.peers import title
    from rulez_py.migrate.sources import kind

    whose = title(os.path.abspath(file).replace(os.sep, "/") if file != _STDIN else file, content)
    if whose is not None:
        name = "<stdin>" if file == _STDIN else _shown(file)
        raise NotDone(
            f"{name} is {whose}, which is not read: only RuleZ' hooks.yaml and Claude Code's permissions are; "
            "write what it says as rules of your own (docs/policy.md), or say --from where it is one of these after all"
        )
    found = kind(file, content)
    if found is None:
        raise NotDone("it cannot be told what this is; say --from claude or --from rulez")
    return found


def _migrated(kind: str, content: bytes, name: str, file: str) -> Migrated:
    """Return the result of migrating a file. Raises NotDone."""
    from rulez_py.migrate import claude, rulez
    from rulez_py.migrate.values import CannotRead

    made = claude.migrated if kind == CLAUDE else rulez.migrated
    try:
        return made(content, name, user=_is_own(file))
    except CannotRead as error:
        raise NotDone(str(error)) from None


def _is_own(file: str) -> bool:
    """Tell whether a file is the person's own: it lies in the home directory's `.claude`."""
    from rulez_py.system.places import places

    home = places(os.environ).home
    own = os.path.realpath(os.path.join(home, ".claude"))
    return file != _STDIN and os.path.dirname(os.path.realpath(file)) == own


def _may_write(output: str) -> None:
    """Raises NotDone where the policy is not to be written there."""
    from rulez_py.cli import person

    why = person.why_agent()
    if why:
        raise NotDone(f"{why}; without --output the policy is printed")
    if os.path.lexists(output):
        raise NotDone(
            f"{_shown(output)} is there already, and is left as it is; --output {_shown(_fresh(output))} is new"
        )


def _fresh(output: str) -> str:
    """Return a name beside it that is not there."""
    base, ending = os.path.splitext(output.rstrip(os.sep) or output)
    number = 2
    while os.path.lexists(f"{base}-{number}{ending}"):
        number += 1
    return f"{base}-{number}{ending}"


def _write(output: str, text: str) -> None:
    """Write the policy, and its schema beside it where it has a policy's name and there is no schema."""
    from rulez_py.cli.schema import POLICY
    from rulez_py.cli.schema import text as schema
    from rulez_py.migrate.policytext import SCHEMA

    beside = os.path.join(os.path.dirname(output), SCHEMA)
    wanted = [(output, text)]
    if os.path.basename(output) == _POLICY and not os.path.lexists(beside):
        wanted.append((beside, schema(POLICY)))
    for path, what in wanted:
        try:
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            with open(path, "x", encoding="utf-8", newline="\n") as file:
                file.write(what)
        except OSError as error:
            raise NotDone(f"{_shown(path)} cannot be written: {(error.strerror or str(error)).lower()}") from None


def _not_read_beside(output: str) -> list[str]:
    """Return the present policies that the new one takes precedence over, where it is in a place of policies."""
    from rulez_py.policy.store.search import PROJECT_FILES
    from rulez_py.system.places import places

    path = os.path.abspath(output)
    mine = [os.path.abspath(one) for one in places(os.environ).user_policies]
    found = mine[mine.index(path) + 1 :] if path in mine else []
    first, *others = PROJECT_FILES
    if path.endswith(os.sep + first):
        root = path.removesuffix(first)
        found += [os.path.relpath(root + other) for other in others]
    return [one for one in found if os.path.exists(one)]


def _shown(path: str) -> str:
    from rulez_py.verdict import visible

    return visible(path)


_STYLES: dict[str, dict[str, Any]] = {
    "place": {"bold": True},
    "lost": {"fg": "red"},
    "differs": {"fg": "yellow"},
    "note": {"fg": "cyan"},
}


def _paint(kind: str, text: str) -> str:
    return click.style(text, **_STYLES.get(kind, {}))

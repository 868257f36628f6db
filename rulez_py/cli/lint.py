"""`rulez lint`: find valid policies that are wrong, or could be better."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulez_py.lint.values import Finding

_STDIN = "<stdin>"

EXAMPLES = """\b
Examples:
  rulez lint                       the policy files that apply here
  rulez lint .rulez/rules.yaml
  rulez lint policies/             every policy file in a directory
  rulez lint - < rules.yaml
  rulez lint --only RZ1,RZ2        what never matches, or never counts
  rulez lint --format github       in a workflow; sarif for code scanning
  rulez lint --fix policies/       mend what can be without another meaning

Exit codes: 0 nothing found, or only notes; 1 an error or a warning (with --strict a note as well), or a file cannot be
read or written; 2 wrong command line.
"""


@click.command("lint", epilog=EXAMPLES)
@click.argument("files", metavar="[FILE|DIRECTORY|-]...", nargs=-1, type=click.Path(allow_dash=True))
@click.option(
    "--format", "form", type=click.Choice(("text", "json", "github", "sarif")), default="text", help="Default: text."
)
@click.option("--only", metavar="CODES", default="", help="Codes, or their beginnings, with commas between them.")
@click.option("--strict", is_flag=True, help="Notes count for the exit code, too.")
@click.option("--fix", is_flag=True, help="Write the files anew where a finding can be mended without another meaning.")
def lint(files: tuple[str, ...], form: str, only: str, strict: bool, fix: bool) -> None:
    """Find rules that never match or never count, and what could be better.

    Each finding has a code, its place and a caret under it; docs/lint.md explains the codes.
    """
    from rulez_py.lint.values import NOTE

    if fix:
        _may_fix(files)
    codes = [code.strip() for code in only.split(",") if code.strip()]
    found: list[Finding] = []
    count = 0
    for shown, content, path in _files(files):
        from rulez_py.lint.lint import lint as held
        from rulez_py.policy.store.search import root_of

        root = root_of(path) if path else ""
        count += 1
        here = held(content, shown, root=root, path=path, only=codes)
        if fix and (mended := _mend(shown, content, here)) is not None:
            here = held(mended, shown, root=root, path=path, only=codes)
        found += here
    _print(found, count, form)
    counts = [one for one in found if strict or one.severity != NOTE]
    click.get_current_context().exit(1 if counts else 0)


def _may_fix(files: Sequence[str]) -> None:
    """Raises UsageError or ClickException where nothing is to be written."""
    from rulez_py.cli import person

    if "-" in files:
        raise click.UsageError("--fix writes files, and cannot write standard input")
    why = person.why_agent()
    if why:
        raise click.ClickException(why)


def _mend(path: str, content: bytes, found: Sequence[Finding]) -> bytes | None:
    """Write the file with all fixes and return it; None without a fix."""
    from rulez_py.install.files import write
    from rulez_py.lint.fixing import fixed

    mended, done = fixed(content, path, found)
    if not done:
        return None
    try:
        write(os.path.realpath(path), mended, content)
    except OSError as error:
        raise click.ClickException(f"{path}: {(error.strerror or str(error)).lower()}") from None
    for one in done:
        click.echo(f"{one.file}:{one.line}:{one.column}: mended {one.code}: {one.message}", err=True)
    return mended


def _files(named: Sequence[str]) -> Iterator[tuple[str, bytes, str]]:
    """Yield each file's name for people, its bytes, and its path, "" for standard input."""
    from rulez_py.cli.validate import policies_below
    from rulez_py.policy.store.search import LARGEST_FILE
    from rulez_py.system.files import read_pieces

    for name in named or _applying():
        if name == "-":
            if sys.stdin.isatty():
                click.echo("reading a policy from the terminal; Ctrl-D ends it", err=True)
            yield _STDIN, sys.stdin.buffer.read(), ""
            continue
        for path in policies_below(name) if os.path.isdir(name) else (name,):
            try:
                content = b"".join(read_pieces(path, LARGEST_FILE))
            except OSError as error:
                raise click.ClickException(f"{path}: {(error.strerror or 'it is no file').lower()}") from None
            yield path, content, os.path.abspath(path)


def _applying() -> list[str]:
    from rulez_py.cli.validate import policy_files

    found = [file.source.path for file in policy_files(())]
    here = os.getcwd()
    return [os.path.relpath(path, here) if path.startswith(here + os.sep) else path for path in found]


def _print(found: Sequence[Finding], count: int, form: str) -> None:
    from rulez_py.lint import formats
    from rulez_py.system import jsontext

    if form == "json":
        click.echo(jsontext.dumps(formats.as_json(found)))
    elif form == "sarif":
        click.echo(jsontext.dumps(formats.sarif(found)))
    else:
        for line in formats.github(found) if form == "github" else formats.text(found, count, _paint):
            click.echo(line)


_STYLES = {
    "place": {"bold": True},
    "error": {"fg": "red"},
    "warning": {"fg": "yellow"},
    "note": {"fg": "cyan"},
    "mark": {"fg": "red"},
}


def _paint(kind: str, text: str) -> str:
    return click.style(text, **_STYLES.get(kind, {}))  # type: ignore[arg-type]

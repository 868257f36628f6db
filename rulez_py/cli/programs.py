"""`rulez programs`: what is known of programs, and the tests of who describes one (docs/programs.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rulez_py.verdict import counted, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulez_py.analysis.programs import Described

_LISTS = {".": "flags", "=": "values", "~": "attached", "2": "pairs", "/": "unsure"}
_TAKES = {".": "", "=": "", "~": "attached ", "2": "pair ", ";": "until ; ", "/": "unsure "}


@click.group()
def programs() -> None:
    """What rulez knows of programs: their options, files, hosts, and what they run."""


@programs.command("show", epilog="Exit codes: 0 done; 1 nobody described one of them; 2 wrong command line.")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def show(names: tuple[str, ...]) -> None:
    """Print what is known of each program; of a subcommand as "git push"."""
    from rulez_py.analysis.programs import described, family

    programs, cmdlets = described(), described("powershell")
    unknown = False
    for name in names:
        found = (programs.get(name) or programs.get(family(name)), cmdlets.get(name.lower()))
        for entry in filter(None, found):
            below = sorted(one for one in programs if one.rpartition(" ")[0] == entry.name)
            for line in _lines(entry, below):
                click.echo(line)
        if not any(found):
            unknown = True
            click.echo(f"{visible(name)}: nobody described it; docs/programs.md says how", err=True)
    click.get_current_context().exit(1 if unknown else 0)


def _lines(entry: Described, below: list[str]) -> Iterator[str]:
    """Yield an entry for people."""
    yield entry.name + (" (PowerShell)" if entry.dialect else "")
    if entry.also:
        yield _line("also", ", ".join(entry.also))
    plain = {
        key: ", ".join(" ".join(names) for names, takes, does in entry.options if takes == sign and not does)
        for sign, key in _LISTS.items()
    }
    for key, options in plain.items():
        if options:
            yield _line(key, options)
    for names, takes, does in entry.options:
        if does:
            yield _line(" ".join(names), _TAKES[takes] + ", ".join(does))
    if entry.operands:
        yield _line("operands", ", ".join(entry.operands))
    for key, value in entry.texts:
        yield _line(key, value)
    if entry.stops:
        yield _line("stops", str(entry.stops))
    if entry.switches or entry.traits:
        yield _line("is", ", ".join((*entry.switches, *entry.traits)))
    for name, verb in entry.environment:
        yield _line(name, verb)
    if below:
        yield _line("subcommands", ", ".join(name.rpartition(" ")[2] for name in below))


def _line(key: str, value: str) -> str:
    from textwrap import fill

    return fill(value, 118, initial_indent=f"  {key:12}  ", subsequent_indent=" " * 16, break_on_hyphens=False)


@programs.command(
    "test", epilog="Exit codes: 0 every test holds; 1 one fails, or a file is not valid; 2 wrong command line."
)
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(exists=True, dir_okay=False))
def test(files: tuple[str, ...]) -> None:
    """Try the tests in files that describe programs.

    What a FILE describes stands in place of what rulez knows under that name. Without FILE, rulez' own are tried.
    Nothing runs.
    """
    from rulez_py.analysis.programs import Broken, tried

    try:
        number, told = tried(files)
    except Broken as broken:
        for mistake in broken.mistakes:
            click.echo(str(mistake))
        click.get_current_context().exit(1)
    for line in told:
        click.echo(line)
    failed = len(told)
    click.echo(f"{counted(number, 'test')}, {failed} failed" if failed else counted(number, "test holds", "tests hold"))
    click.get_current_context().exit(1 if failed else 0)

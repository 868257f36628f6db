"""`rulez programs`: print descriptions of programs, and run their tests (docs/programs.md)."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

import click

from rulez_py.verdict import counted, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulez_py.analysis.programs import Described as Entry
    from rulez_py.policy.store.programs import Described

_LISTS = {".": "flags", "=": "values", "~": "attached", "2": "pairs", "/": "unsure"}
_TAKES = {".": "", "=": "", "~": "attached ", "2": "pair ", ";": "until ; ", "/": "unsure "}


@click.group()
def programs() -> None:
    """What rulez knows of programs: their options, files, hosts, and what they run."""


def _here(*, untrusted: bool = False) -> Described:
    """Return the files that describe programs here, with `untrusted` also those of the project before they are trusted.

    Raises ClickException where the environment is not believed.
    """
    import os

    from rulez_py.cli.described import of_people
    from rulez_py.cli.validate import why_not_believed
    from rulez_py.policy.store.search import search
    from rulez_py.system.places import places

    why = why_not_believed(places(os.environ), search(places(os.environ), os.getcwd()))
    if why:
        raise click.ClickException(why)
    return of_people(untrusted=untrusted)


@programs.command("show", epilog="Exit codes: 0 done; 1 one of them is not described; 2 wrong command line.")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def show(names: tuple[str, ...]) -> None:
    """Print what is known of each program, and the file that describes it; of a subcommand as "git push"."""
    from rulez_py.analysis import describe
    from rulez_py.analysis.programs import described, family

    found_here = _here()
    describe(found_here.table)
    programs, cmdlets = described(files=found_here.given), described("powershell", found_here.given)
    for problem in found_here.problems:
        click.echo(problem.labelled, err=True)
    theirs = {one.shown for one in found_here.given}
    unknown = False
    for name in names:
        found = (programs.get(name) or programs.get(family(name)), cmdlets.get(name.lower()))
        for entry in filter(None, found):
            below = sorted(one for one in programs if one.rpartition(" ")[0] == entry.name)
            for line in _lines(entry, below):
                click.echo(line)
            whose = "" if entry.file in theirs else "rulez' own, "
            click.echo(_line("described in", whose + visible(entry.file)))
        if not any(found):
            unknown = True
            begin = f"`rulez programs new {shlex.quote(visible(name))}` begins an entry"
            click.echo(f"{visible(name)} is not described; {begin}", err=True)
    describe("")
    click.get_current_context().exit(1 if unknown else 0)


def _lines(entry: Entry, below: list[str]) -> Iterator[str]:
    """Yield an entry for people."""
    yield entry.name + (" (PowerShell)" if entry.dialect else "")
    if entry.also:
        yield _line("also", ", ".join(entry.also))
    plain = {
        key: ", ".join(" ".join(names) for names, takes, does in entry.options if takes == kind and not does)
        for kind, key in _LISTS.items()
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

    An entry in a FILE replaces rulez' own of that name. Without FILE, rulez' own tests are tried, and then those of
    the files that apply here, trusted or not. Nothing runs.
    """
    from rulez_py.analysis.programs import Broken, tried

    try:
        number, told = tried(files)
    except Broken as broken:
        for mistake in broken.mistakes:
            click.echo(str(mistake))
        click.get_current_context().exit(1)
    wrong = False
    if not files:
        more, failing, wrong = _tried_here()
        number, told = number + more, told + failing
    for line in told:
        click.echo(line)
    failed = len(told)
    click.echo(f"{counted(number, 'test')}, {failed} failed" if failed else counted(number, "test holds", "tests hold"))
    click.get_current_context().exit(1 if failed or wrong else 0)


def _tried_here() -> tuple[int, list[str], bool]:
    """Run the tests of files that apply here; return their number, the failures, and whether a file is wrong."""
    from rulez_py.analysis import describe
    from rulez_py.analysis.programs import failing
    from rulez_py.analysis.programs import of_people as made_of

    here = _here(untrusted=True)
    for problem in here.problems:
        click.echo(problem.labelled)
    if not here.given:
        return 0, [], bool(here.problems)
    describe(here.table)
    tests = made_of(here.given).tests
    told = failing(tests)
    describe("")
    return len(tests), told, bool(here.problems)


@programs.command(
    "new", epilog="Exit codes: 0 done; 1 not written, for instance because there is one; 2 wrong command line."
)
@click.argument("name")
@click.option("--write", is_flag=True, help="Write it into your own directory, ~/.config/rulez/programs.")
@click.option(
    "--project", is_flag=True, help="Write it into the project's .rulez/programs; `rulez trust` lets it count."
)
def new(name: str, write: bool, project: bool) -> None:
    """Print an entry to start from, every line explained: what NAME takes, touches and runs.

    NAME is a program, or one with its subcommands ("foo push").
    """
    if not _NAME.fullmatch(name):
        raise click.BadParameter(
            'a program is called by a plain name in lower case, its subcommands behind it ("foo push")'
        )
    text = _STARTER.format(name=name, key=name if _BARE.fullmatch(name) else f'"{name}"')
    if " " in name:
        above = name.rpartition(" ")[0]
        text += _ABOVE.format(above=above, key=above if _BARE.fullmatch(above) else f'"{above}"')
    if not write and not project:
        click.echo(text, nl=False)
        return
    path = _written(name, text, project)
    click.echo(f"wrote {path}")
    counts = "once you have said `rulez trust`" if project else "from the next call on"
    click.echo(f"Edit it; `rulez programs test` tries it, and it counts {counts}.")


def _written(name: str, text: str, project: bool) -> str:
    """Return where the entry of a program was written to, for people. Raises ClickException."""
    import os

    from rulez_py.cli import person
    from rulez_py.cli.validate import why_not_believed
    from rulez_py.policy.store.search import PROJECT_PROGRAMS, search, shown_path
    from rulez_py.system.places import places

    mine = places(os.environ)
    found = search(mine, os.getcwd())
    why = person.why_agent() or why_not_believed(mine, found)
    if why:
        raise click.ClickException(why)
    there = next((one for one in mine.user_programs if os.path.isdir(one)), mine.user_programs[0])
    if project:
        there = os.path.join(found.root, PROJECT_PROGRAMS)
    path = os.path.join(there, name.replace(" ", "-") + ".toml")
    shown = visible(shown_path(path, os.getcwd(), mine.home))
    try:
        os.makedirs(there, exist_ok=True)
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise click.ClickException(f"{shown} is there already, and is left as it is") from None
    except OSError as error:
        raise click.ClickException(f"{shown} cannot be written: {(error.strerror or str(error)).lower()}") from None
    return shown


_NAME = re.compile(r"[a-z0-9_][a-z0-9_.+-]*(?: [A-Za-z0-9_][A-Za-z0-9_.:+-]*)*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STARTER = """\
# What `{name}` takes, touches and runs; the words are those of docs/programs.md. An option that is not listed may take
# a value, and a word that no line is about may be anything: say only what is certain. Lines with # say nothing yet.
[{key}]
# Options that take no value, all spellings of one together:
# flags = ["-v --verbose", "--dry-run"]
# Options whose value is nothing that matters:
# values = ["-n --count"]
# What its operands are, in their order; the last may be there any number of times. `value` is nothing that matters:
# operands = ["read *"]
# Where a command follows them, as with `timeout 5 make`:
# runs = "words"
# Whether the first operand is a subcommand, described as ["{name} push"]:
# subcommands = true

# Options whose value matters: a file, a host, a command.
# [{key}.options]
# "-o --output" = "write"
# "-c --config" = "read"
# "-x --exec" = "runs shell"
# "--url" = "url"

# What must come of a line. `rulez programs test` tries it; nothing runs.
# [[tests]]
# line = "{name} --verbose -o out.txt in.txt"
# files = ["read in.txt", "write out.txt"]
# runs = []
"""
_ABOVE = """
# Unless `{above}` is described already, it has to be, with subcommands:
# [{key}]
# subcommands = true
"""

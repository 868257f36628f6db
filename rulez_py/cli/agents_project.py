"""`rulez agents list`, `show`, `diff`, `clean`: the plan of rulez.agents.yaml, and files left over from before."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
from typing import TYPE_CHECKING, Any

import click

from rulez_py.cli.agents import (
    Command,
    agents,
    check_person,
    enricher,
    everything,
    no_plugins,
    platform,
    scope,
    tell,
    told,
    values_of,
    variable,
    write_everything,
    write_files,
)
from rulez_py.platforms import PLATFORMS
from rulez_py.system import jsontext

__all__ = ["agents"]

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from rulez_py.cli.agents import Cleaning
    from rulez_py.definitions.base.plan import Imported
    from rulez_py.definitions.output.written import Scope
    from rulez_py.definitions.project import Entry, Everything


_OPTIONS = (platform, scope, variable, enricher, no_plugins)


@dataclasses.dataclass(frozen=True)
class _Chosen:
    """The part of a project that a command is about."""

    platforms: tuple[str, ...]
    scope: Scope
    variables: tuple[str, ...]
    enrichers: tuple[str, ...]
    no_plugins: bool


def _project(function: Command) -> Command:
    """Give a command the options that choose among a project's definitions, as one value."""

    @functools.wraps(function)
    def call(**given: Any) -> None:
        chosen = _Chosen(**{field.name: given.pop(field.name) for field in dataclasses.fields(_Chosen)})
        function(chosen=chosen, **given)

    command: Command = call
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@agents.command("list", epilog="Exit codes: 0 done; 1 something is not valid; 2 wrong command line.")
@_project
@click.option("--json", "as_json", is_flag=True, help="A JSON list, for programs.")
def list_(
    chosen: _Chosen,
    as_json: bool,
) -> None:
    """List the definitions of rulez.agents.yaml, their platforms, and whether their files are up to date."""
    found = _found(chosen)
    rows = _rows(found)
    if as_json:
        click.echo(jsontext.dumps([dataclasses.asdict(row) for row in rows]))
        return
    for row in rows:
        kind, name, state = (
            getattr(row, key).ljust(max(len(getattr(one, key)) for one in rows)) for key in ("kind", "name", "state")
        )
        click.echo(f"{kind}  {name}  {state}  {row.source} -> {', '.join(row.platforms)}")
    for left in found.left:
        click.echo(f"left over  {os.path.normpath(left.path)}  (from {left.source})")


@dataclasses.dataclass
class _Row:
    """A thing of the project, for all of its platforms; `state` is written, missing, differs or edited."""

    kind: str
    name: str
    source: str
    state: str
    platforms: list[str] = dataclasses.field(default_factory=list)
    files: list[str] = dataclasses.field(default_factory=list)


def _rows(found: Everything) -> list[_Row]:
    rows: dict[tuple[str, str, str], _Row] = {}
    for entry in found.entries:
        state = _state(entry)
        row = rows.setdefault((entry.kind, entry.name, entry.source), _Row(entry.kind, entry.name, entry.source, state))
        if state != row.state:
            row.state = "edited" if "edited" in (state, row.state) else "differs"
        row.platforms += [one for one in entry.platform.split() if one not in row.platforms]
        row.files += [one.shown for one in entry.targets if one.shown not in row.files]
    return list(rows.values())


def _state(entry: Entry) -> str:
    """Return the state of an entry's files, in a word or two."""
    from rulez_py.definitions.output.store import state
    from rulez_py.definitions.output.written import State

    with told():
        found = {state(target) for target in entry.targets}
    if State.Edited in found:
        return "edited"
    if found == {State.Same}:
        return "written"
    return "missing" if found == {State.Missing} else "differs"


@agents.command("show", epilog="Exit codes: 0 done; 1 there is nothing of that name; 2 wrong command line.")
@click.argument("name")
@_project
def show(
    name: str,
    chosen: _Chosen,
) -> None:
    """Print the files of one agent, skill or instruction file (by its name), as they are to be."""
    found = _found(chosen)
    named = [entry for entry in found.entries if name in (entry.name, *entry.source.split(", "))]
    if not named:
        names = ", ".join(dict.fromkeys(entry.name for entry in found.entries))
        raise click.ClickException(f"there is no {name}; there are {names}")
    for target in (target for entry in named for target in entry.targets):
        click.secho(f"== {target.shown}", bold=True)
        content = target.wanted(None)
        try:
            click.echo(content.decode().rstrip("\n"))
        except UnicodeDecodeError:
            click.echo(f"({len(content):,} bytes that are no text)")


@agents.command("diff", epilog="Exit codes: 0 nothing would change; 1 something would; 2 wrong command line.")
@_project
def diff(
    chosen: _Chosen,
) -> None:
    """Show what `rulez agents write` would change, line by line: the same as its --check."""
    write_everything(_found(chosen), check=True, force=False)


@agents.command("clean", epilog="Exit codes: 0 done; 1 something was edited or cannot go; 2 wrong command line.")
@_project
@click.option("--all", "all_", is_flag=True, help="Also what rulez.agents.yaml still names.")
@click.option("--dry-run", is_flag=True, help="Remove nothing; print what would be removed.")
@click.option("--force", is_flag=True, help="Remove also what was edited.")
def clean(
    chosen: _Chosen,
    all_: bool,
    dry_run: bool,
    force: bool,
) -> None:
    """Remove what rulez wrote and rulez.agents.yaml no longer names. What people wrote around it stays.

    With --platform only what that agent alone loads: not AGENTS.md, and no rules.
    """
    found = _found(chosen, cleaning="all" if all_ else "old")
    refused = False
    for left in found.left:
        shown = f"{os.path.normpath(left.path)} (from {left.source})"
        if left.edited and not force:
            click.echo(f"kept {shown}: somebody edited it; --force removes it", err=True)
            refused = True
        elif dry_run:
            click.echo(f"would remove {shown}")
        else:
            with told():
                if left.decides:
                    check_person()
                left.remove()
            click.echo(f"removed {shown}")
    if not found.left:
        click.echo("nothing is left over")
    if refused:
        raise click.exceptions.Exit(1)


def _found(chosen: _Chosen, *, cleaning: Cleaning | None = None) -> Everything:
    values = values_of(chosen.variables)
    plugins = not chosen.no_plugins
    return everything(
        chosen.platforms, chosen.scope, None, chosen.enrichers, values, plugins=plugins, cleaning=cleaning
    )


@agents.command(
    "import",
    epilog="Exit codes: 0 done; 1 a file is no agent's, or its definition is there already; 2 wrong command line.",
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--platform", "name", type=click.Choice(PLATFORMS), help="Whose files these are. Default: by their directory."
)
@click.option(
    "--out",
    metavar="DIR",
    help="Where the definitions go; `-` prints them. Default: agents, skills, commands and instructions.",
)
@click.option("--force", is_flag=True, help="Write over definitions that are there; they are kept as NAME.bak.")
def import_(files: tuple[str, ...], name: str | None, out: str | None, force: bool) -> None:
    """Make definitions of what agents load: agents, skills, slash commands, CLAUDE.md. Say what they cannot say.

    A skill is named by its directory, or by its SKILL.md: rulez agents import .claude/skills/notes
    """
    from rulez_py.definitions.output.errors import InvalidAgent
    from rulez_py.definitions.output.store import check_ways
    from rulez_py.definitions.project.kinds import KINDS, importer, kind_at
    from rulez_py.definitions.skills.files import check_is_new

    made: dict[str, tuple[ModuleType, Imported]] = {}
    with told():
        directories = [out] if out is not None else [kind.KEY for kind in KINDS]
        inside = [*directories, *(file for file in files if os.path.isdir(file))]
        check_ways(os.curdir, [*files, *(os.path.join(directory, "x") for directory in inside)])
        for file in files:
            kind = kind_at(file)
            done = importer(kind)(file, name, out or kind.KEY)
            for line in done.warnings:
                click.echo(line, err=True)
            tell(done.notes)
            if done.path in made:
                called = os.path.basename(done.path).removesuffix(".md")
                raise InvalidAgent(f"{file}: there are two {kind.SEVERAL} called {called}")
            made[done.path] = (kind, done)
        if out == "-":
            click.echo("\n".join(done.text for _, done in made.values()), nl=False)
            return
        for kind, done in made.values():
            if kind.INSIDE:
                check_is_new(done.path)
        write_files([target for _, done in made.values() for target in done.targets], force=force)
        _say_how_to_write([(kind.KEY, path) for path, (kind, _) in made.items() if not kind.INSIDE])


def _say_how_to_write(definitions: Sequence[tuple[str, str]]) -> None:
    """The way from definitions, each with its kind, to the files that agents load."""
    from rulez_py.definitions import project as manifest
    from rulez_py.definitions.output.errors import AgentError

    if not definitions:
        return
    named: set[str] = set()
    there = os.path.lexists(manifest.MANIFEST)
    with contextlib.suppress(AgentError):
        found = manifest.load(os.curdir) if there else manifest.Manifest()
        named = {os.path.realpath(path) for path in found.every_path}
    left = [(kind, path) for kind, path in definitions if os.path.realpath(path) not in named]
    kept = (
        ""
        if all(kind == "instructions" for kind, _ in definitions)
        else "; what they were imported from is kept as NAME.bak"
    )
    if not left:
        said = "`rulez agents write` writes them for every agent"
    elif there or any(kind != "agents" for kind, _ in left):
        places = dict.fromkeys((kind, os.path.dirname(path).replace(os.sep, "/") or ".") for kind, path in left)
        lines = ", ".join(f"`{kind}: [{directory}/*]`" for kind, directory in places)
        said = f"write {lines} into {manifest.MANIFEST}, then `rulez agents write` writes them for every agent"
    else:
        said = f"`rulez agents write {' '.join(path for _, path in left)} --platform all` writes them for every agent"
    click.echo(f"note: {said}{kept}", err=True)

"""`rulez agents`: write the definitions of a project for each platform."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal

import click

from rulez_py.platforms import PLATFORMS
from rulez_py.platforms.tool_table import AGENT_FILE_NAMES
from rulez_py.verdict import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rulez_py.definitions.agents.definition import AgentDefinition
    from rulez_py.definitions.agents.enrichers import ToolEnricher
    from rulez_py.definitions.agents.writers import OutputType
    from rulez_py.definitions.base.notes import Note
    from rulez_py.definitions.base.tool import Platform
    from rulez_py.definitions.output.targets import Target, WholeFile
    from rulez_py.definitions.output.written import Scope
    from rulez_py.definitions.project import Everything, Left

Command = Callable[..., None]
Cleaning = Literal["old", "all"]

WITH_AGENT_FILES = tuple(AGENT_FILE_NAMES)
_ALL, _DEFAULT = "all", "opencode"
_STDOUT = "-"
_EXIT_CODES = "Exit codes: 0 done; 1 a definition is not valid, a file was not written, or with --check differs; "

platform = click.option(
    "--platform",
    "platforms",
    multiple=True,
    type=click.Choice([*PLATFORMS, _ALL]),
    help="The agent to write for; repeatable. Default: what rulez.agents.yaml says, or all; for AGENT opencode.",
)
scope = click.option(
    "--scope",
    type=click.Choice(["project", "user"]),
    default="project",
    show_default=True,
    help="The project's files, or your own in your home directory.",
)
variable = click.option("--var", "variables", metavar="NAME=VALUE", multiple=True, help="For {{var:NAME}}; repeatable.")
enricher = click.option(
    "--enricher", "enrichers", metavar="MODULE:FUNCTION", multiple=True, help="It changes tools; repeatable."
)
no_plugins = click.option("--no-plugins", is_flag=True, help="Without the enrichers of installed packages.")
_out = click.option(
    "--out", metavar="DIR", default=None, help="The directory to write into; `-` prints the files of AGENT."
)


@click.group("agents")
def agents() -> None:
    """Write agents, skills and instructions for each agent, from one definition with universal tools."""


@agents.command("write", epilog=_EXIT_CODES + "2 wrong command line.")
@click.argument("files", metavar="[AGENT]...", nargs=-1, type=click.Path())
@platform
@scope
@click.option(
    "--format",
    "output",
    type=click.Choice(["markdown", "json", "yaml"]),
    default="markdown",
    show_default=True,
    help="Agents load Markdown; JSON and YAML hold the same data.",
)
@_out
@click.option("--check", is_flag=True, help="Write nothing, and fail where a file on the disk differs.")
@click.option("--force", is_flag=True, help="Write over files that were edited by hand; they are kept as NAME.bak.")
@click.option("--warn", is_flag=True, help="Say also which keys an agent does not take.")
@enricher
@variable
@no_plugins
def write(
    files: tuple[str, ...],
    platforms: tuple[str, ...],
    scope: Scope,
    output: str,
    out: str | None,
    check: bool,
    force: bool,
    warn: bool,
    enrichers: tuple[str, ...],
    variables: tuple[str, ...],
    no_plugins: bool,
) -> None:
    """Write all that rulez.agents.yaml names, or the AGENTs alone (YAML, or Markdown with front matter).

    A file that was edited by hand is not written over. Where anything is wrong, nothing is written.
    """
    from rulez_py.definitions.agents.writers import OutputType

    if out == _STDOUT and check:
        raise click.UsageError("--check compares with files; leave out `--out -`")
    if not files and (output != "markdown" or out == _STDOUT):
        raise click.UsageError(
            "--format and `--out -` are for an AGENT; rulez.agents.yaml is written as agents load it"
        )
    if out == _STDOUT and output == "json" and (len(files) > 1 or len(platforms) > 1 or _ALL in platforms):
        raise click.UsageError("`--out -` prints one JSON text: choose one AGENT and one --platform")
    values = values_of(variables)
    if not files:
        done = everything(platforms, scope, out, enrichers, values, plugins=not no_plugins)
        tell(done.notes, warn=warn)
        write_everything(done, check=check, force=force)
        return
    definitions = [(file, _read(file, values)) for file in files]
    found = [(file, agent) for file, agent in definitions if agent is not None]
    if len(found) < len(definitions):
        raise click.exceptions.Exit(1)
    with told():
        _write_agents(
            found,
            _chosen(platforms),
            OutputType(output),
            out if out is not None else os.path.expanduser("~") if scope == "user" else os.curdir,
            scope,
            _enricher(enrichers, plugins=not no_plugins),
            check=check,
            force=force,
            warn=warn,
        )


def _chosen(platforms: Sequence[str]) -> list[Platform]:
    """Return the platforms that were asked for."""
    from rulez_py.definitions.base.tool import Platform

    names = WITH_AGENT_FILES if _ALL in platforms else dict.fromkeys(platforms or (_DEFAULT,))
    for name in names:
        if name not in WITH_AGENT_FILES:
            raise click.UsageError(f"--platform {name} has no agent files; there are {', '.join(WITH_AGENT_FILES)}")
    return [Platform(name) for name in names]


def _write_agents(
    found: Sequence[tuple[str, AgentDefinition]],
    chosen: Sequence[Platform],
    output: OutputType,
    directory: str,
    scope: Scope,
    enricher: ToolEnricher,
    *,
    check: bool,
    force: bool,
    warn: bool,
) -> None:
    """The files of these agents alone."""
    from rulez_py.definitions.agents.planning import plan
    from rulez_py.definitions.agents.writers import OutputType
    from rulez_py.definitions.base.files import check_sources, source_name, what_leads_away
    from rulez_py.definitions.output.store import check_ways

    prints = directory == _STDOUT
    here = os.curdir if prints else directory
    planned, notes = plan(found, chosen, here, scope=scope, output=output, enricher=enricher)
    tell(notes, warn=warn)
    targets: list[WholeFile] = [one.target for one in planned]
    if prints:
        click.echo("\n".join(target.text for target in targets), nl=False)
        return
    check_sources(targets, [file for file, _ in found])
    for file, agent in found:
        if agent.policy:
            click.echo(f"note: {file}: its policy is written with all that rulez.agents.yaml names alone", err=True)
    if scope == "user":
        tell(what_leads_away(targets, here))
    else:
        check_ways(here, [*(target.path for target in targets), *(file for file, _ in found)])
    done = _differences(targets) if check else write_files(targets, force=force)
    sources = [source_name(file, here) for file, _ in found]
    left = _say_what_is_left_over(targets, here, sources, "error" if check else "warning")
    if done and not check and output is OutputType.Markdown:
        _say_what_is_left_to_do(chosen)
    if check and (done or left):
        raise click.exceptions.Exit(1)


@contextlib.contextmanager
def told() -> Iterator[None]:
    """Print an error as one line, and exit with code 1."""
    from rulez_py.definitions.output.errors import AgentError

    try:
        yield
    except AgentError as error:
        for line in str(error).splitlines()[:-1]:
            click.echo(line, err=True)
        last = str(error).splitlines()[-1]
        if ": error: " in last:  # A problem with its place says by itself what it is.
            click.echo(last, err=True)
            raise click.exceptions.Exit(1) from None
        raise click.ClickException(last) from None
    except OSError as error:
        raise click.ClickException(f"cannot write: {error.strerror or error}") from None


def tell(notes: Iterable[Note], *, warn: bool = True) -> None:
    for note in dict.fromkeys(notes):
        if warn or note.grave or note.always:
            click.echo(f"{'warning' if note.grave else 'note'}: {note.text}", err=True)


def everything(
    platforms: Sequence[str],
    scope: Scope,
    out: str | None,
    enrichers: Sequence[str],
    values: Mapping[str, str],
    *,
    plugins: bool,
    cleaning: Cleaning | None = None,
) -> Everything:
    """Return the plan of rulez.agents.yaml in the current directory, or with `--out` in that one.

    `cleaning` asks for what is left over of the platforms alone: "all" as if it named nothing, so that all that is
    there is left over.
    """
    from rulez_py.definitions import project as manifest

    root = os.curdir if scope == "user" or out is None else out
    with told():
        if not os.path.lexists(os.path.join(root, manifest.MANIFEST)):
            raise click.ClickException(
                f"there is no {os.path.normpath(os.path.join(root, manifest.MANIFEST))}; write one with "
                "`agents: [agents/*]` in it, or name the AGENTs to write"
            )
        named = manifest.load(root)
        if cleaning == "all":
            named = manifest.Manifest(platforms=named.platforms, gone=named.every_path)
        chosen = PLATFORMS if _ALL in platforms else tuple(dict.fromkeys(platforms))
        changes = _enricher(enrichers, plugins=plugins)
        into = out if scope == "user" else None

        def plan(of: Sequence[str]) -> Everything:
            return manifest.everything(
                named, root, into=into, scope=scope, platforms=of, variables=values, enricher=changes
            )

        if cleaning is None:
            return plan(chosen)
        return manifest.Everything((), (), tuple(manifest.left_over(named, chosen, plan)))
    raise AssertionError


def write_everything(done: Everything, *, check: bool, force: bool) -> None:
    from rulez_py.definitions.project import POLICY
    from rulez_py.definitions.skills import remove

    rules = [entry for entry in done.entries if entry.kind == POLICY]
    with told():
        if not check and rules and _due(rules[0].targets):
            check_person()
        changed = _differences(done.targets) if check else write_files(done.targets, force=force)
        if not check:
            remove(done.removed)
    for path in done.removed:
        click.echo(
            f"{os.path.normpath(path)}: no part of its skill any more" if check else f"removed {os.path.normpath(path)}"
        )
    for left in done.left:
        _say_left(left, "error" if check else "warning")
    if changed and not check:
        _say_what_is_left_to_do([one.platform for one in done.entries if one.kind == "agent"])
        if rules:
            click.echo(f"note: what {rules[0].name} allows or runs waits until you `rulez trust` it again", err=True)
    if check and (changed or done.left or done.removed):
        raise click.exceptions.Exit(1)


def _due(targets: Sequence[Target]) -> bool:
    from rulez_py.definitions.output.store import state
    from rulez_py.definitions.output.written import State

    return any(state(target) is not State.Same for target in targets)


def check_person() -> None:
    """No agent changes the policy that it is held to."""
    from rulez_py.cli import person

    why = person.why_agent()
    if why:
        raise click.ClickException(f"{why}; the rules of an agent's policy are a person's to write")


def _say_left(left: Left, word: str) -> None:
    click.echo(
        f"{word}: {os.path.normpath(left.path)} is still loaded, but {left.source} no longer makes it: "
        "remove it, or all such with `rulez agents clean`",
        err=True,
    )


def values_of(written: Sequence[str]) -> dict[str, str]:
    """Return those of `--var`."""
    from rulez_py.definitions.base.composing import VARIABLE_NAME

    for one in written:
        if "=" not in one or not VARIABLE_NAME.fullmatch(one.partition("=")[0]):
            raise click.UsageError(f"--var {one}: write NAME=VALUE, the name of letters, digits, - and _")
    return {name: value for name, _, value in (one.partition("=") for one in written)}


def _read(file: str, variables: Mapping[str, str]) -> AgentDefinition | None:
    """Return the definition in a file; None where it is not valid; its diagnostics have been printed then."""
    from rulez_py.definitions.agents.reading import read
    from rulez_py.definitions.base.composing import files_beside
    from rulez_py.platforms.agent_files import LARGEST_FILE
    from rulez_py.system.files import read_pieces

    try:
        content = b"".join(read_pieces(file, LARGEST_FILE + 1))
    except OSError as error:
        click.echo(f"{visible(file)}: {error.strerror or error}", err=True)
        return None
    done = read(content, file, files=files_beside(file), variables=variables)
    for problem in done.problems:
        click.echo(problem.labelled, err=True)
    return done.agent


def _enricher(written: Sequence[str], *, plugins: bool) -> ToolEnricher:
    """Return those of installed packages, then those of the command line."""
    from rulez_py.definitions.agents import enrichers

    found = enrichers.installed() if plugins else ()
    for plugin in found:
        click.echo(f"enricher {plugin.name} of {plugin.package} is applied (--no-plugins: is not)", err=True)
    here = [enrichers.load(name, os.getcwd()) for name in written]
    return enrichers.compose([*(plugin.enricher for plugin in found), *here])


def _differences(targets: Sequence[Target]) -> bool:
    """Says of each file that is not as it would be written how it differs."""
    from rulez_py.definitions.output.store import difference, state
    from rulez_py.definitions.output.written import State

    different = False
    for target in targets:
        found = state(target)
        if found is not State.Same:
            different = True
            click.echo(f"{target.shown}: {found.value}")
        if found not in (State.Same, State.Missing):
            for line in difference(target):
                click.echo(line)
    return different


def write_files(targets: Sequence[Target], *, force: bool) -> bool:
    """Write the files that differ, all or none; return whether one did."""
    from rulez_py.definitions.output.store import CannotWrite, state, write
    from rulez_py.definitions.output.written import State

    states = [(target, state(target)) for target in targets]
    edited = [target.shown for target, found in states if found is State.Edited]
    if edited and not force:
        raise CannotWrite(
            f"{', '.join(edited)}: {State.Edited.value}; nothing is written. Put what is in "
            "there into the definition, or write over it with --force, which keeps it as NAME.bak"
        )
    changed = [target for target, found in states if found is not State.Same]
    kept = dict(zip(changed, write(changed), strict=True))
    for target, _ in states:
        said = f"wrote {target.shown}" if target in kept else f"unchanged {target.shown}"
        click.echo(said + (f" (what was there is {os.path.normpath(kept[target])})" if kept.get(target) else ""))
    return bool(changed)


def _say_what_is_left_over(targets: Sequence[Target], directory: str, sources: Sequence[str], word: str) -> bool:
    """Return an agent that was renamed or removed is still loaded, with the tools it had."""
    from rulez_py.definitions.output.store import left_over

    found = list(left_over(targets, directory, sources))
    for path, source in found:
        click.echo(
            f"{word}: {os.path.normpath(path)} is still loaded, but {source} no longer makes it: remove it", err=True
        )
    return bool(found)


def _say_what_is_left_to_do(platforms: Iterable[str]) -> None:
    from rulez_py.definitions.base.platforms import AGENT_FILES
    from rulez_py.definitions.base.tool import Platform

    for platform in dict.fromkeys(platforms):
        if AGENT_FILES[Platform(platform)].afterwards:
            click.echo(f"note: {AGENT_FILES[Platform(platform)].afterwards}", err=True)

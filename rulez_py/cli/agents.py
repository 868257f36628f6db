"""`rulez agents`: agent definitions, written for each harness."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from rulez_py.tools import AGENT_FILE_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rulez_py.agents.definition import AgentDefinition
    from rulez_py.agents.enrichers import ToolEnricher
    from rulez_py.agents.tool import Harness
    from rulez_py.agents.writers import Note, OutputType
    from rulez_py.generating.targets import Target, WholeFile

_HARNESSES = tuple(AGENT_FILE_NAMES)
_ALL, _DEFAULT = "all", "opencode"
_STDOUT = "-"


@click.group("agents")
def agents() -> None:
    """Write agent definitions for each agent, from one definition with universal tools."""


@agents.command(
    "write",
    epilog="Exit codes: 0 done; 1 a definition is not valid, a file was not written, or with --check differs; "
    "2 wrong command line.",
)
@click.argument("files", metavar="AGENT...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--platform",
    "platforms",
    multiple=True,
    type=click.Choice([*_HARNESSES, _ALL]),
    default=[_DEFAULT],
    show_default=True,
    help="The agent to write for; repeatable.",
)
@click.option(
    "--format",
    "output",
    type=click.Choice(["markdown", "json", "yaml"]),
    default="markdown",
    show_default=True,
    help="Agents load Markdown; JSON and YAML hold the same data.",
)
@click.option(
    "--out", metavar="DIR", default=".", show_default=True, help="The project's directory; `-` prints the files."
)
@click.option("--check", is_flag=True, help="Write nothing, and fail where a file on the disk differs.")
@click.option("--force", is_flag=True, help="Write over files that were edited by hand; they are kept as NAME.bak.")
@click.option("--warn", is_flag=True, help="Say also which keys an agent does not take.")
@click.option("--enricher", "enrichers", metavar="MODULE:FUNCTION", multiple=True, help="It changes tools; repeatable.")
@click.option("--var", "variables", metavar="NAME=VALUE", multiple=True, help="For {{var:NAME}}; repeatable.")
@click.option("--no-plugins", is_flag=True, help="Without the enrichers of installed packages.")
def write(
    files: tuple[str, ...],
    platforms: tuple[str, ...],
    output: str,
    out: str,
    check: bool,
    force: bool,
    warn: bool,
    enrichers: tuple[str, ...],
    variables: tuple[str, ...],
    no_plugins: bool,
) -> None:
    """Write each definition (YAML, or Markdown with front matter) as the file that an agent loads.

    A file that was edited by hand is not written over. Where anything is wrong, nothing is written.
    """
    from rulez_py.agents.enrichers import EnricherError
    from rulez_py.agents.tool import Harness
    from rulez_py.agents.writers import CannotSay, OutputType
    from rulez_py.generating.store import CannotWrite

    if out == _STDOUT and check:
        raise click.UsageError("--check compares with files; leave out `--out -`")
    if out == _STDOUT and output == "json" and (len(files) > 1 or len(platforms) > 1 or _ALL in platforms):
        raise click.UsageError("`--out -` prints one JSON text: choose one AGENT and one --platform")
    chosen = [Harness(name) for name in (_HARNESSES if _ALL in platforms else dict.fromkeys(platforms))]
    values = _values(variables)
    definitions = [(file, _read(file, values)) for file in files]
    agents = [(file, agent) for file, agent in definitions if agent is not None]
    if len(agents) < len(definitions):
        raise click.exceptions.Exit(1)
    try:
        enricher = _enricher(enrichers, plugins=not no_plugins)
        directory = os.curdir if out == _STDOUT else out
        targets = _targets(agents, chosen, OutputType(output), directory, enricher, warn=warn)
        if out == _STDOUT:
            click.echo("\n".join(target.text for target in targets), nl=False)
            return
        _check_sources(targets, files)
        _say_what_leads_away(targets, directory)
        done = _differences(targets) if check else _write(targets, force=force)
        sources = [_source(file, directory) for file in files]
        left = _say_what_is_left_over(targets, directory, sources, "error" if check else "warning")
    except (CannotSay, CannotWrite, EnricherError) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"cannot write: {error.strerror or error}") from None
    if done and not check:
        _say_what_is_left_to_do(chosen, OutputType(output))
    if check and (done or left):
        raise click.exceptions.Exit(1)


def _values(written: Sequence[str]) -> dict[str, str]:
    """Those of `--var`."""
    from rulez_py.agents.composing import VARIABLE_NAME

    for one in written:
        if "=" not in one or not VARIABLE_NAME.fullmatch(one.partition("=")[0]):
            raise click.UsageError(f"--var {one}: write NAME=VALUE, the name of letters, digits, - and _")
    return {name: value for name, _, value in (one.partition("=") for one in written)}


def _read(file: str, variables: Mapping[str, str]) -> AgentDefinition | None:
    """The definition in a file; None where it is not valid, which people have been told then."""
    from rulez_py.agents.composing import files_beside
    from rulez_py.agents.reading import read
    from rulez_py.platforms.agent_files import LARGEST_FILE
    from rulez_py.system.files import read_pieces

    try:
        content = b"".join(read_pieces(file, LARGEST_FILE + 1))
    except OSError as error:
        click.echo(f"{file}: {error.strerror or error}", err=True)
        return None
    done = read(content, file, files=files_beside(file), variables=variables)
    for problem in done.problems:
        click.echo(problem.labelled, err=True)
    return done.agent


def _enricher(written: Sequence[str], *, plugins: bool) -> ToolEnricher:
    """Those of installed packages, then those of the command line."""
    from rulez_py.agents import enrichers

    found = enrichers.installed() if plugins else ()
    for plugin in found:
        click.echo(f"enricher {plugin.name} of {plugin.package} is applied (--no-plugins: is not)", err=True)
    here = [enrichers.load(name, os.getcwd()) for name in written]
    return enrichers.compose([*(plugin.enricher for plugin in found), *here])


def _targets(
    agents: Sequence[tuple[str, AgentDefinition]],
    harnesses: Sequence[Harness],
    output: OutputType,
    directory: str,
    enricher: ToolEnricher,
    *,
    warn: bool,
) -> list[WholeFile]:
    """The files to be written. Raises CannotSay, also for two agents in one file."""
    from rulez_py.agents.writers import CannotSay, OutputType, file_path, render
    from rulez_py.generating.marks import mark
    from rulez_py.generating.targets import WholeFile

    def tell(note: Note) -> None:
        if warn or note.grave or note.always:
            click.echo(f"{'warning' if note.grave else 'note'}: {note.text}", err=True)

    targets: dict[str, WholeFile] = {}
    for file, agent in agents:
        for harness in harnesses:
            text = render(agent, harness, output, enricher=enricher, warn=tell)
            if output is not OutputType.JSON:
                text = mark(text, _source(file, directory), after_first_line=output is OutputType.Markdown)
            path = os.path.join(directory, *file_path(agent, harness, output).split("/"))
            place = os.path.normcase(os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path)))
            if place in targets:
                raise CannotSay(f"{targets[place].shown} would hold two agents called {agent.name}")
            targets[place] = WholeFile(path, os.path.normpath(path), text)
        if output is OutputType.Markdown:
            _say_who_reads_it_too(agent, harnesses)
    if output is OutputType.Markdown:
        for harness in harnesses:
            _say_what_wins([agent.name for _, agent in agents], harness, directory)
    return list(targets.values())


def _say_what_wins(names: Sequence[str], harness: Harness, directory: str) -> None:
    """Another file of the same agent would be loaded in its place, or as a part of it, with whatever tools it has."""
    from rulez_py.agents.harnesses import HARNESS_FILES
    from rulez_py.generating.store import names_in

    file = HARNESS_FILES[harness]
    place = os.path.join(directory, file.directory)
    inside = list(names_in(place)) if file.named_inside else []
    for name in names:
        own = os.path.join(place, name + file.ending)
        places = [os.path.join(directory, os.path.expanduser(path.format(name=name))) for path in file.loaded_instead]
        others = [path for path in places if os.path.lexists(path)]
        others += [path for path, said in inside if said == name and path != own]
        for other in others:
            shown = os.path.normpath(other)
            click.echo(
                f"warning: {shown} is an agent called {name} as well, and may take its place: remove it", err=True
            )


def _say_who_reads_it_too(agent: AgentDefinition, harnesses: Sequence[Harness]) -> None:
    """An agent that loads another's files, and does not know what they take away; its own file of the name wins."""
    from rulez_py.agents.harnesses import HARNESS_FILES
    from rulez_py.platforms import adapter

    if agent.tools is not None or not agent.disallowed_tools:
        return
    for reader, file in HARNESS_FILES.items():
        for read in harnesses if reader not in harnesses else ():
            if read in file.reads_files_of:
                click.echo(
                    f"warning: {agent.name}: {adapter(reader).AGENT} reads {adapter(read).AGENT}'s file as well, "
                    f"and gives it every tool; write it with --platform {reader} too",
                    err=True,
                )


def _source(file: str, directory: str) -> str:
    """The definition's path from the project's directory: the same on every machine, if it is a part of the project."""
    try:
        return os.path.relpath(os.path.realpath(file), os.path.realpath(directory)).replace(os.sep, "/")
    except ValueError:  # on another drive
        return os.path.basename(file)


def _check_sources(targets: Sequence[Target], files: Sequence[str]) -> None:
    """No definition is written over by what it defines, whatever is forced. Raises CannotWrite."""
    from rulez_py.generating.store import CannotWrite

    sources = {os.path.realpath(file): file for file in files}
    for target in targets:
        if os.path.realpath(target.path) in sources:
            raise CannotWrite(
                f"{target.shown} is the definition itself, and would be lost; "
                "keep definitions in a directory of their own, like agents/"
            )


def _say_what_leads_away(targets: Sequence[Target], directory: str) -> None:
    """A link to a directory somewhere else, which is followed."""
    project = os.path.realpath(directory)
    places = {os.path.dirname(target.path): os.path.realpath(os.path.dirname(target.path)) for target in targets}
    for place, real in places.items():
        if os.path.commonpath((project, real)) != project:
            click.echo(f"warning: {os.path.normpath(place)} leads out of the project, to {real}", err=True)


def _differences(targets: Sequence[Target]) -> bool:
    """Says of each file that is not as it would be written how it differs."""
    from rulez_py.generating.store import difference, state
    from rulez_py.generating.written import State

    different = False
    for target in targets:
        found = state(target)
        if found is not State.Same:
            different = True
            click.echo(f"{target.shown}: {found.value}")
        if found in (State.Ours, State.Edited):
            for line in difference(target):
                click.echo(line)
    return different


def _write(targets: Sequence[Target], *, force: bool) -> bool:
    """Writes what is not there yet, all or nothing; whether there was something to write."""
    from rulez_py.generating.store import CannotWrite, state, write
    from rulez_py.generating.written import State

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
    """An agent that was renamed or removed is still loaded, with the tools it had."""
    from rulez_py.generating.store import left_over

    found = list(left_over(targets, directory, sources))
    for path, source in found:
        click.echo(
            f"{word}: {os.path.normpath(path)} is still loaded, but {source} no longer makes it: remove it", err=True
        )
    return bool(found)


def _say_what_is_left_to_do(harnesses: Sequence[Harness], output: OutputType) -> None:
    from rulez_py.agents.harnesses import HARNESS_FILES
    from rulez_py.agents.writers import OutputType

    for harness in harnesses:
        if HARNESS_FILES[harness].afterwards and output is OutputType.Markdown:
            click.echo(f"note: {HARNESS_FILES[harness].afterwards}", err=True)

"""A manifest -> all files that are to be written, what people have to know, and what is left over from before."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulez_py.definitions import commands as slash_commands
from rulez_py.definitions import instructions, skills
from rulez_py.definitions.agents import files as agent_files
from rulez_py.definitions.agents import planning
from rulez_py.definitions.agents.enrichers import ToolEnricher
from rulez_py.definitions.base.files import check_sources, origin_at, source_name, what_leads_away
from rulez_py.definitions.base.notes import CannotSay, Note
from rulez_py.definitions.base.platforms import AGENT_FILES
from rulez_py.definitions.base.tool import Platform
from rulez_py.definitions.output.marks import source_of, untouched
from rulez_py.definitions.output.store import CannotWrite, check_ways
from rulez_py.definitions.output.targets import Target
from rulez_py.definitions.output.written import Scope
from rulez_py.definitions.project import policies
from rulez_py.definitions.project.reading import Manifest
from rulez_py.platforms import PLATFORMS
from rulez_py.platforms.agent_files import LARGEST_FILE, AgentFile
from rulez_py.platforms.instruction_files import SHARED
from rulez_py.platforms.slash_command_files import CommandFiles
from rulez_py.system.files import NO_SYMLINK, read_pieces

AGENT, SKILL, COMMAND, INSTRUCTIONS, POLICY = "agent", "skill", "command", "instructions", "policy"


@dataclass(frozen=True)
class Entry:
    """One thing for one platform; instructions are for several, named with spaces between. `source` is its path."""

    kind: str
    name: str
    source: str
    platform: str
    targets: tuple[Target, ...]


@dataclass(frozen=True)
class Left:
    """What rulez wrote before and nothing stands for any more.

    `edited` says that somebody changed it, `decides` that it is part of a policy, `platforms` whose it is: of all
    where it is empty.
    """

    path: str
    source: str
    edited: bool
    remove: Callable[[], None]
    decides: bool = False
    platforms: frozenset[str] = frozenset()

    def is_of(self, platforms: Collection[str]) -> bool:
        """Whether it is of these alone."""
        return (self.platforms or frozenset(PLATFORMS)) <= set(platforms)


@dataclass(frozen=True)
class Everything:
    """All that a manifest comes to: `left` is from before, `removed` are files of skills that go with writing these."""

    entries: tuple[Entry, ...]
    notes: tuple[Note, ...]
    left: tuple[Left, ...]
    removed: tuple[str, ...] = field(default=())

    @property
    def targets(self) -> list[Target]:
        return [target for entry in self.entries for target in entry.targets]


def everything(
    manifest: Manifest,
    root: str = os.curdir,
    *,
    into: str | None = None,
    scope: Scope = "project",
    platforms: Iterable[str] = (),
    variables: Mapping[str, str] | None = None,
    enricher: ToolEnricher | None = None,
) -> Everything:
    """What is to be written of the project in `root`, into its directory or in the scope `user` into a home directory.

    `into` is another one. `platforms` stand for the manifest's; then what is left over is theirs alone. Raises
    AgentError for what cannot be read, said or written.
    """
    platforms = tuple(platforms)
    place = into if into is not None else os.path.expanduser("~") if scope == "user" else root
    chosen = list(platforms or manifest.platforms)
    values = {**manifest.variables, **(variables or {})}
    where = _Where(root, place, scope, tuple(manifest.gone))
    parts = [
        _agents(manifest.agents, chosen, where, values, enricher),
        _skills(manifest.skills, chosen, where, values),
        _commands(manifest.commands, chosen, where, values),
        _instructions(manifest.instructions, chosen, where, values),
    ]
    found = Everything(
        tuple(entry for part in parts for entry in part.entries),
        tuple(note for part in parts for note in part.notes),
        tuple(left for part in parts for left in part.left if not platforms or left.is_of(chosen)),
        tuple(path for part in parts for path in part.removed),
    )
    files = [
        os.path.join(root, *path.split("/")) for path in (*manifest.agents, *manifest.commands, *manifest.instructions)
    ]
    check_sources(found.targets, files)
    check_ways(root, [*files, *(os.path.join(root, *path.split("/"), "SKILL.md") for path in manifest.skills)])
    if scope == "user":
        away = tuple(what_leads_away(found.targets, place))
        return Everything(found.entries, (*found.notes, *away), found.left, found.removed)
    written = (target.path for target in found.targets)
    check_ways(place, (*written, *(one.path for one in found.left), *found.removed))
    return found


def left_over(
    manifest: Manifest, platforms: Collection[str], plan: Callable[[Sequence[str]], Everything]
) -> list[Left]:
    """What is left over of these platforms alone; of all without any. `plan` is `everything` for some platforms.

    What the manifest makes for all of its platforms stays, and what it makes for these: a text may stand elsewhere.
    """
    found = plan(())
    if not platforms:
        return list(found.left)
    left = [one for one in found.left if one.is_of(platforms)]
    here = [one for one in manifest.platforms if one in platforms]
    if here:
        too = {(one.path, one.source) for one in plan(here).left}
        left = [one for one in left if (one.path, one.source) in too]
    return left


@dataclass(frozen=True)
class _Where:
    """The project's directory, the one that is written into, and the sources that shall count as gone."""

    root: str
    place: str
    scope: Scope
    gone: tuple[str, ...]

    def file(self, path: str) -> str:
        return os.path.normpath(os.path.join(self.root, *path.split("/")))

    def sources(self, paths: Iterable[str]) -> dict[str, str]:
        """What the marks call these and what is gone -> their files."""
        files = [self.file(path) for path in (*paths, *self.gone)]
        return {source_name(file, self.place): file for file in files}

    def is_old(self, source: str | None, sources: Collection[str]) -> bool:
        """Whether nothing makes a file any more that is not among those to be written."""
        return source is not None and (source in sources or not os.path.lexists(os.path.join(self.place, source)))


def _agents(
    paths: Sequence[str],
    platforms: Sequence[str],
    where: _Where,
    values: Mapping[str, str],
    enricher: ToolEnricher | None,
) -> Everything:
    with_files = [platform for platform in Platform if platform.value in platforms]
    doubts: list[Note] = []
    named = [(path, agent_files.load(where.file(path), variables=values, warn=doubts.append)) for path in paths]
    planned, notes = planning.plan(
        [(where.file(path), agent) for path, agent in named],
        with_files,
        where.place,
        scope=where.scope,
        enricher=enricher,
    )
    sources = {id(agent): path for path, agent in named}
    entries = tuple(
        Entry(AGENT, one.agent.name, sources[id(one.agent)], one.platform.value, (one.target,)) for one in planned
    )
    now = {os.path.realpath(one.target.path) for one in planned}
    left = tuple(_old_files({one.value: kind for one, kind in AGENT_FILES.items()}, where, now, where.sources(paths)))
    if where.scope == "user":
        return Everything(entries, (*doubts, *notes), left)
    agents = [agent for _, agent in named]
    rules = policies.target(where.place, [(source_name(where.file(path), where.place), agent) for path, agent in named])
    asked = [source for source, _ in rules.parts] if rules is not None else []
    held = policies.notes(agents, platforms)
    sources_of_rules = ", ".join(asked)
    more = () if rules is None else (Entry(POLICY, policies.POLICY, sources_of_rules, " ".join(platforms), (rules,)),)
    known = where.sources(paths)
    old = tuple(
        Left(path, one.source, one.edited, _taking_rules_out(path, one.source), decides=True)
        for path, one in policies.left(where.place, asked)
        if where.is_old(one.source, known)
    )
    return Everything((*entries, *more), (*doubts, *notes, *held), (*left, *old))


def _taking_rules_out(path: str, source: str) -> Callable[[], None]:
    return lambda: policies.take_out(path, source)


def _old_files(
    kinds: Mapping[str, AgentFile] | Mapping[str, CommandFiles],
    where: _Where,
    now: Collection[str],
    sources: Collection[str],
) -> Iterator[Left]:
    """Files of these platforms' kinds that rulez wrote, and that come from none of what is there."""
    for platform, kind in kinds.items():
        below = kind.user_directory if where.scope == "user" else kind.directory
        directory = os.path.join(where.place, *below.split("/"))
        for name in sorted(os.listdir(directory)) if os.path.isdir(directory) else ():
            path = os.path.join(directory, name)
            if not name.endswith(kind.ending) or os.path.realpath(path) in now:
                continue
            content = _content(path)
            source = source_of(content)
            if source is not None and where.is_old(source, sources):
                yield Left(path, source, not untouched(content), _unlinking(path), platforms=frozenset({platform}))


def _content(path: str) -> bytes:
    try:
        return b"".join(read_pieces(path, LARGEST_FILE + 1, os.O_RDONLY | NO_SYMLINK))
    except OSError:
        return b""


def _unlinking(path: str) -> Callable[[], None]:
    def remove() -> None:
        try:
            os.unlink(path)
        except OSError as error:
            raise CannotWrite(f"{os.path.normpath(path)}: {error.strerror or error}") from error

    return remove


def _skills(paths: Sequence[str], platforms: Sequence[str], where: _Where, values: Mapping[str, str]) -> Everything:
    chosen = [one for one in platforms if one in skills.PLATFORMS]
    entries: list[Entry] = []
    notes: list[Note] = []
    removed: list[str] = []
    for path in paths:
        skill = skills.load(where.file(path), variables=values, warn=notes.append)
        source = source_name(where.file(path), where.place)
        for platform in chosen:
            plan = skills.plan(skill, platform, where.place, scope=where.scope, source=source, beside=chosen)
            entries.append(Entry(SKILL, skill.name, path, platform, plan.targets))
            notes += plan.notes
            removed += plan.left_over
    written = [entry.targets[0].path for entry in entries]
    left = [
        Left(one.path, one.source, one.edited, _removing(one), platforms=frozenset({platform}))
        for platform in skills.PLATFORMS
        for one in skills.left_over(
            where.place, platform, scope=where.scope, sources=where.sources(paths), written=written
        )
    ]
    return Everything(tuple(entries), tuple(notes), tuple(left), tuple(removed))


def _removing(left: skills.LeftOver) -> Callable[[], None]:
    return lambda: skills.remove((left.path, *left.files))


def _commands(paths: Sequence[str], platforms: Sequence[str], where: _Where, values: Mapping[str, str]) -> Everything:
    entries: list[Entry] = []
    notes: list[Note] = []
    chosen = [one for one in platforms if one in slash_commands.PLATFORMS]
    for path in paths:
        command = slash_commands.load(where.file(path), variables=values)
        source = source_name(where.file(path), where.place)
        origin = origin_at(where.file(path))
        files, told = slash_commands.plan(
            command, chosen, where.place, scope=where.scope, source=source, instead_of=origin
        )
        entries += [Entry(COMMAND, command.name, path, platform, (target,)) for platform, target in files.items()]
        notes += told
    now = [os.path.realpath(entry.targets[0].path) for entry in entries]
    if len(set(now)) < len(now):
        raise CannotSay("two slash commands have the same name: their files would be one")
    left = tuple(_old_files(slash_commands.COMMAND_FILES, where, now, where.sources(paths)))
    return Everything(tuple(entries), tuple(notes), left)


def _instructions(
    paths: Sequence[str], platforms: Sequence[str], where: _Where, values: Mapping[str, str]
) -> Everything:
    notes: list[Note] = []
    given = [
        instructions.load(file, source=source_name(file, where.place), variables=values)
        for file in map(where.file, paths)
    ]
    targets = instructions.plan(given, platforms, where.place, scope=where.scope, warn=notes.append)
    readers = " ".join(platforms)
    entries = tuple(
        Entry(INSTRUCTIONS, target.shown, ", ".join(source for source, _ in target.parts), readers, (target,))
        for target in targets
    )
    sources = (*where.sources(paths), SHARED)
    left = tuple(
        Left(one.path, one.source, one.edited, _taking_out(one), platforms=one.readers)
        for one in instructions.left_over(where.place, targets, scope=where.scope)
        if where.is_old(one.source, sources)
    )
    return Everything(entries, tuple(notes), left)


def _taking_out(left: instructions.LeftOver) -> Callable[[], None]:
    return lambda: instructions.take_out([left])

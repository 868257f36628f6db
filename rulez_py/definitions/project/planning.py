"""A manifest -> all files that are to be written, what people have to know, and what is left over from before."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from rulez_py.definitions.agents import files as agent_files
from rulez_py.definitions.agents import kind as agents
from rulez_py.definitions.agents.enrichers import ToolEnricher
from rulez_py.definitions.base.files import check_sources, source_name, what_leads_away
from rulez_py.definitions.base.plan import Entry, Everything, Left, Where
from rulez_py.definitions.output.store import check_ways
from rulez_py.definitions.output.written import Scope
from rulez_py.definitions.project import policies
from rulez_py.definitions.project.kinds import KINDS, planner
from rulez_py.definitions.project.reading import Manifest

POLICY = "policy"


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
    """Return the files to write of the project in `root`, into its directory or in the scope `user` into a home
    directory.

    `into` is another one. `platforms` stand for the manifest's; then what is left over is theirs alone. Raises
    AgentError for definitions that cannot be read, expressed or written.
    """
    platforms = tuple(platforms)
    place = into if into is not None else os.path.expanduser("~") if scope == "user" else root
    chosen = list(platforms or manifest.platforms)
    values = {**manifest.variables, **(variables or {})}
    where = Where(root, place, scope, tuple(manifest.gone))
    parts: list[Everything] = []
    for kind in KINDS:
        parts.append(planner(kind)(manifest.of(kind.KEY), chosen, where, values, enricher))
        if kind is agents:
            parts.append(_rules(manifest, chosen, where, values))
    found = Everything(
        tuple(entry for part in parts for entry in part.entries),
        tuple(note for part in parts for note in part.notes),
        tuple(left for part in parts for left in part.left if not platforms or left.is_of(chosen)),
        tuple(path for part in parts for path in part.removed),
    )
    paths = [(os.path.join(root, *path.split("/")), kind.INSIDE) for kind in KINDS for path in manifest.of(kind.KEY)]
    files = [path for path, inside in paths if not inside]
    inside = [os.path.join(path, name) for path, name in paths if name]
    check_sources(found.targets, files)
    check_ways(root, [*files, *inside])
    if scope == "user":
        away = tuple(what_leads_away(found.targets, place))
        return Everything(found.entries, (*found.notes, *away), found.left, found.removed)
    written = (target.path for target in found.targets)
    check_ways(place, (*written, *(one.path for one in found.left), *found.removed))
    return found


def left_over(
    manifest: Manifest, platforms: Collection[str], plan: Callable[[Sequence[str]], Everything]
) -> list[Left]:
    """Return what is left over of these platforms alone; of all without any. `plan` is `everything` for some platforms.

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


def _rules(manifest: Manifest, platforms: Sequence[str], where: Where, values: Mapping[str, str]) -> Everything:
    """Plan the rules that agents have of their own, in the project's policy; a home directory has none."""
    paths = manifest.agents
    if where.scope == "user":
        return Everything((), (), ())
    named = [(path, agent_files.load(where.file(path), variables=values)) for path in paths]
    rules = policies.target(where.place, [(source_name(where.file(path), where.place), agent) for path, agent in named])
    asked = [source for source, _ in rules.parts] if rules is not None else []
    held = policies.notes([agent for _, agent in named], platforms)
    sources_of_rules = ", ".join(asked)
    more = () if rules is None else (Entry(POLICY, policies.POLICY, sources_of_rules, " ".join(platforms), (rules,)),)
    known = where.sources(paths)
    old = tuple(
        Left(path, one.source, one.edited, _taking_rules_out(path, one.source), decides=True)
        for path, one in policies.left(where.place, asked)
        if where.is_old(one.source, known)
    )
    return Everything(more, tuple(held), old)


def _taking_rules_out(path: str, source: str) -> Callable[[], None]:
    return lambda: policies.take_out(path, source)

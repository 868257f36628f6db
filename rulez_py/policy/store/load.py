"""The policy that holds here: read the files of every layer, check and compile them, put their rules in order.

INVARIANT: nothing on disk makes this raise, and a file that is there but cannot be used is a problem, never an absent
file: a policy must not vanish because it was damaged.
"""

from __future__ import annotations

import os
import sys

from rulez_py.analysis import Value
from rulez_py.documents.diagnostics import WARNING, Diagnostic, diagnostic, errors, warnings
from rulez_py.policy import packs
from rulez_py.policy.format.overrides import (
    ENFORCE,
    MAY_CHANGE_OTHERS,
    changes_here,
    in_mode,
    kept_instead,
    links_asked,
    overridden,
    placed,
    relaxing_by_name,
    without_keeping,
)
from rulez_py.policy.matchers.paths import with_more_globs
from rulez_py.policy.model.layers import BUILT_IN, LAYERS, MANAGED, PROJECT
from rulez_py.policy.store import programs
from rulez_py.policy.store.file import PolicyFile, Trusting, first_to_say
from rulez_py.policy.store.floor import Floor, floor, held_elsewhere, notices, says_nothing
from rulez_py.policy.store.reading import NO_FILE, read_or_why
from rulez_py.policy.store.search import (
    MOST_LEVELS,
    MOST_RULES,
    Found,
    Protected,
    Search,
    Source,
    leads_out,
    literal_globs,
    protected,
    root_of,
    search,
    shown_path,
)
from rulez_py.policy.store.unenforced import unenforced
from rulez_py.system.places import RULES
from rulez_py.verdict import DENY, STRICTNESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from rulez_py.policy.format.check import Checked
    from rulez_py.policy.format.overrides import Overrides
    from rulez_py.policy.model.rule import Rule
    from rulez_py.policy.store.programs import Trusted
    from rulez_py.policy.store.whole import Tree
    from rulez_py.system.files import Marked
    from rulez_py.system.places import Places


_START = (1, 1)
_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_LOOSENING = ("allow", "rewrite")
_LEADS_OUT = "it is a link that leads out of the project"


class Policy(Value):
    """The policy in force: compiled rules in evaluation order, errors and warnings of every file, effective settings.

    `on_error` is for errors that belong to no rule. `root` is the project's root directory. `protects` is what the
    self-protection was extended to, `looked_for` what was looked for on the disk besides, `links` what paths really
    are (the rules depend on all three).
    Of the `problems`, `untrusted` are those of files that no person has trusted. `no_exceptions` is the place
    (`path:line`) where the managed file says that no person pauses rules or lets a call pass, "" where it does not.
    `floor` says how the essentials hold; those that a file holds in its own layer are in `rules` once.
    `noted` are those of the `warnings` about parts of a file that do not count. `notices` are sentences for the person,
    at the start of a session: `Verdict.warnings`; `unenforced` are those of them that name files whose rules stop
    nothing. `programs` is what people describe of programs (`analysis.describe`),
    in the files `describing`. `trusting` is what the machine says of trusted projects.
    """

    rules: tuple[Rule, ...]
    problems: tuple[Diagnostic, ...] = ()
    untrusted: tuple[Diagnostic, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    noted: tuple[Diagnostic, ...] = ()
    sources: tuple[Source, ...] = ()
    on_error: str = DENY
    self_protection: bool = True
    no_exceptions: str = ""
    floor: Floor
    root: str
    protects: Protected | None = None
    looked_for: tuple[tuple[str, bool], ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    notices: tuple[str, ...] = ()
    unenforced: tuple[str, ...] = ()
    programs: str = ""
    describing: tuple[Source, ...] = ()
    trusting: Trusting | None = None

    @property
    def remembers(self) -> bool:
        """True if a rule asks which files the agent has seen."""
        from rulez_py.policy.facts.losses import UNREAD

        return any(UNREAD in (rule["match"].get("loses") or ()) for rule in self.rules)


def load(
    places: Places,
    project_dir: str | None,
    *,
    rules_file: str | None = None,
    trusted: Trusted,
    found: Search | None = None,
) -> Policy:
    """Return the policy for an agent that works in `project_dir`; raises nothing.

    With `rules_file`, that file is the whole policy but for the managed file and the self-protection: it replaces the
    user's, the project's and the floor. A missing one is a problem. `found` is what `search` has found for these, where
    that is known already.
    """
    found = found or search(places, project_dir, rules_file=rules_file)
    root = found.root
    files: list[PolicyFile] = []
    believed = trusted
    for one in found.files:
        if one.layer == PROJECT and believed is trusted:
            believed = _believing(files, trusted, places)
        files.append(read_found(one, believed, shown=shown_path(one.path, root, places.home), project=root))
    return policy_of(files, found, places, trusted=trusted, with_floor=rules_file is None)


def _believing(files: Sequence[PolicyFile], trusted: Trusted, places: Places) -> Trusted:
    """Return what `trusted` says, and what the machine's files among these say."""
    return _with(_trusting(files), trusted, places)


def _with(said: Trusting | None, trusted: Trusted, places: Places) -> Trusted:
    if said is None:
        return trusted
    from rulez_py.policy.store.trusting import Believing

    return Believing(said, trusted, places)


def policy_of(
    files: Sequence[PolicyFile], found: Search, places: Places, *, trusted: Trusted, with_floor: bool = True
) -> Policy:
    """Return the policy of files that have been read: those of `found`, as they count in its project; raises nothing.

    `with_floor` puts the essentials below them, where none of them says otherwise.
    """
    root = found.root
    self_protection, on_error = _self_protection(list(files)), _on_error(list(files))
    given = changed_from_above(files, root)
    files = list(given)
    below = Floor(replaced=True)
    if with_floor:
        essentials = read_floor(root)
        below = floor(essentials.rules, given, root)
        if below.holds:
            files.append(essentials.replace(rules=_not_held_elsewhere(below, given, root)))
    files = _reading_files(files)
    protects = _protected(files, found, places) if self_protection else None
    if protects is not None:
        protection = _protecting(read_pack(packs.SELF_PROTECTION, root), protects.globs, own_program())
        files.append(protection.replace(rules=_relaxed(protection.rules, files, root)))
    no_exceptions = next((file.no_exceptions for file in files if file.no_exceptions), "")
    believed = _believing(files, trusted, places)
    described = programs.read(
        found.programs, root=root, home=places.home, trusted=believed, managed_alone=no_exceptions
    )
    stopping_nothing = tuple(unenforced(files))
    problems = (*_too_deep(found), *(one for file in files for one in file.problems), *described.problems)
    return Policy(
        rules=in_order(rule for file in files for rule in file.rules),
        problems=errors(problems),
        untrusted=errors(tuple(one for file in files if not file.source.trusted for one in file.problems)),
        warnings=warnings(problems),
        noted=(*(one for file in files if not file.ignored for one in file.notices), *described.problems),
        notices=(
            *(str(one) for file in files for one in file.notices),
            *notices(below),
            *stopping_nothing,
            *map(str, described.problems),
        ),
        sources=tuple(file.source for file in files),
        on_error=on_error,
        self_protection=self_protection,
        no_exceptions=no_exceptions,
        floor=below,
        root=root,
        protects=protects,
        looked_for=tuple(
            dict.fromkeys(looked for file in files for rule in file.rules if (looked := _looked_for(rule)) is not None)
        ),
        unenforced=stopping_nothing,
        links=tuple(dict.fromkeys(link for file in files for link in links_asked(file.overrides or {}, root))),
        programs=described.table,
        describing=described.sources,
        trusting=_trusting(files),
    )


def _trusting(files: Sequence[PolicyFile]) -> Trusting | None:
    if all(one.trusting is None for one in files):
        return None
    from rulez_py.policy.store.trusting import of_machine

    return of_machine(files)


def changed_from_above(files: Sequence[PolicyFile], project: str) -> tuple[PolicyFile, ...]:
    """Return the files with their rules as the managed and the user's file have them, in the project with this root.

    INVARIANT: a file changes rules of the layers below its own alone, so a project's changes those of no other file.
    The managed file has the last word.
    """
    for layer in reversed(MAY_CHANGE_OTHERS):
        for above in tuple(one for one in files if one.source.layer == layer and one.overrides):
            below = LAYERS[LAYERS.index(layer) + 1 :]
            files = [
                one.replace(rules=overridden(one.rules, above.overrides or {}, project))
                if one.source.layer in below
                else one
                for one in files
            ]
    return tuple(files)


def _reading_files(files: list[PolicyFile]) -> list[PolicyFile]:
    """Return the files with the setting `files` at each rule that does not say its own.

    INVARIANT: the managed file's word counts, else the user's. A project's does not.
    """
    said = first_to_say(files, "files")
    if said is None or said.files is None:
        return files
    setting = said.files
    return [file.replace(rules=tuple({"files": setting, **rule} for rule in file.rules)) for file in files]


def floor_of(files: Sequence[PolicyFile], project: str) -> Floor:
    """Return how the essentials hold beside these files in the project with this root."""
    return floor(read_floor(project).rules, files, project)


def _not_held_elsewhere(below: Floor, files: Sequence[PolicyFile], project: str) -> tuple[Rule, ...]:
    """Return the floor's rules without those that one of the files holds in its own layer."""
    held = [rule for file in files for rule in file.rules]
    return tuple(rule for rule in below.rules if not held_elsewhere(rule, held, project))


def _too_deep(found: Search) -> tuple[Diagnostic, ...]:
    """INVARIANT: a policy that is not looked for is not taken for absent."""
    if not found.levels:
        return ()
    message = f"this directory lies {found.levels} levels deep, and policies are looked for in {MOST_LEVELS} at most"
    return (diagnostic(f"{found.root[:40]}...", _START, message, "start the agent in a directory that is less deep"),)


def _looked_for(rule: Rule) -> tuple[str, bool] | None:
    """Return the file that compiling a rule has looked for, and whether it was there."""
    found: tuple[str, bool] | None = rule["actions"].get("run", {}).get("looked_for")
    return found


def in_order(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Evaluation order: priority, then layer, then as given."""
    return tuple(sorted(rules, key=lambda rule: (-rule["priority"], LAYERS.index(rule["layer"]))))


def _protected(files: list[PolicyFile], found: Search, places: Places) -> Protected:
    paths = [file.source.path for file in files if file.source.layer != BUILT_IN]
    for file in files:
        # A new file that a glob fits would count as well, so the whole directory is guarded.
        paths += (path for path, *_ in file.source.included)
        paths += (directory for directory, *_ in file.source.looked_in)
    # Of a project whose `.rulez` is a link, or has links in it, where that leads.
    described = [one.path for one in found.programs if one.layer == PROJECT]
    paths += dict.fromkeys((*map(os.path.dirname, described), *described))
    named: list[str] = []
    for file in files:
        for rule in file.rules if file.source.trusted else ():
            words = rule["actions"].get("run", {}).get("command", ())
            named += [os.path.join(rule["root"], os.path.expanduser(word)) for word in words if "\0" not in word]
    # What is made in `rules.d` later counts, too; where one has a policy, so does what its link leads to.
    further = [os.path.dirname(one.path) for one in found.files]
    paths += dict.fromkeys(directory for directory in further if os.path.basename(directory) == RULES)
    paths += [places.state, places.cache, os.path.dirname(places.user_policy), os.path.dirname(places.managed_policy)]
    paths.append(places.managed_programs)
    paths += places.user_programs
    paths += (path for file in files if file.trusting is not None for path in file.trusting.signers)
    return protected(tuple(paths), tuple(named))


_ABOUT_WHAT_DECIDES = "rulez-protects-itself"
_ABOUT_THE_PROGRAM = "rulez-protects-its-program"


def _protecting(protection: PolicyFile, globs: tuple[str, ...], program: tuple[str, ...]) -> PolicyFile:
    """Return the self-protection rules; those about what decides, and about the program, are extended to those here."""
    rules = []
    for rule in protection.rules:
        match = rule["match"]
        more = globs if rule["name"].startswith(_ABOUT_WHAT_DECIDES) else ()
        if rule["name"] == _ABOUT_THE_PROGRAM:
            more = program
        if more and "paths" in match:
            rule = {**rule, "match": {**match, "paths": with_more_globs(match["paths"], more)}}
        rules.append(rule)
    return protection.replace(rules=tuple(rules))


def own_program() -> tuple[str, ...]:
    """Globs for the program that runs here: the built one with what lies beside it, or the package's directory.

    Where one file has unpacked it, that file and the whole place as well.

    Which it is decides what a kept policy is for (`cache.made_by`).
    """
    if not getattr(sys, "frozen", False):
        return literal_globs(_PACKAGE)
    directory = os.path.dirname(os.path.realpath(sys.executable))
    inside = os.path.join(directory, "_internal")
    files = [sys.executable, inside] if os.path.isdir(inside) else [sys.executable]
    if one_file := getattr(sys, "_onefile", ""):
        files += [one_file, directory]
    return tuple(pattern for path in files for pattern in literal_globs(path))


def _self_protection(files: list[PolicyFile]) -> bool:
    """On unless the managed policy says no, or the user's does where the managed one is silent."""
    said = first_to_say(files, "self_protection")
    return said is None or said.self_protection is not False


def _relaxed(rules: tuple[Rule, ...], files: list[PolicyFile], project: str) -> tuple[Rule, ...]:
    """Return the self-protection rules as the managed file, and where that leaves them alone the user's, have them.

    INVARIANT: a managed file that says `self_protection` itself, or that cannot be used, leaves nothing to the user's.
    """
    for layer in reversed(MAY_CHANGE_OTHERS):
        above = MAY_CHANGE_OTHERS[: MAY_CHANGE_OTHERS.index(layer)]
        decided = any(
            errors(file.problems) or file.self_protection is not None for file in files if file.source.layer in above
        )
        for file in () if decided else files:
            if file.source.layer == layer:
                rules = overridden(rules, relaxing_by_name(file.overrides or {}), project)
    return rules


def trusting_of(places: Places) -> Trusting | None:
    """Return what the machine's policy says of trusted projects."""
    managed = [one for one in search(places, None).files if one.layer == MANAGED]
    return _trusting([read_found(one, lambda _path, _digest: False, shown=one.path) for one in managed])


def believing(places: Places, trusted: Trusted) -> Trusted:
    """Return what `trusted` says, and what the machine's policy says."""
    return _with(trusting_of(places), trusted, places)


def said_of_people(places: Places, setting: str) -> tuple[bool | str | None, str]:
    """Return what the managed file says of what people may do (`exceptions`, `trust`), and the place (`path:line`).

    (True, "") where it is silent; None and the path where it cannot be used, and so might have said anything.
    """
    found: tuple[bool | str | None, str] = True, ""
    for one in search(places, None).files:
        if one.layer == MANAGED:
            file = read_found(one, lambda _path, _digest: False, shown=one.path)
            if errors(file.problems):
                return None, file.shown
            for name, said, place in file.of_people:
                # Of several files the strictest counts: what is forbidden, then what takes a password.
                if name == setting and said is not True and found[0] is not False and (found[0] is True or not said):
                    found = said, place
    return found


def _on_error(files: list[PolicyFile]) -> str:
    """Return the strictest word of the trusted files, deny where none has one.

    INVARIANT: a managed or user file that cannot be used might have said deny, and counts as if it had.
    """
    saying = [file for file in files if file.source.trusted and file.on_error is not None]
    said = [file.on_error or DENY for file in saying if not file.above]
    if not said or any(file.source.layer != PROJECT and errors(file.problems) for file in files):
        said.append(DENY)
    said += [file.on_error or DENY for file in saying if file.above]
    return max(said, key=STRICTNESS.__getitem__)


# Reading.


def read_found(one: Found, trusted: Trusted, *, shown: str, project: str = "") -> PolicyFile:
    """Read a file that `search` has found, as it counts there in a project with this root; raises nothing."""
    file = read_file(one.layer, one.path, trusted, shown=shown, project=project)
    if one.owner is not None and not (one.layer == PROJECT and file.source.trusted):
        return _ignored(file, one.owner[0])
    if one.tree:
        file = _held_in(file, one.tree)
    return _only_tightening(file) if one.above else file


def _held_in(file: PolicyFile, tree: str) -> PolicyFile:
    """A file of the main work tree as it counts in another: what its rules name lies there, their scripts do not."""
    return file.replace(rules=tuple({**rule, "place": tree} for rule in file.rules), elsewhere=True)


def _ignored(file: PolicyFile, owner: int) -> PolicyFile:
    """Return a file that belongs to another user: nothing of it counts, not even what is wrong with it."""
    message = f"this file is ignored: it belongs to user {owner}, neither to you nor to root"
    advice = (
        "review it, then run `rulez trust`, or make it" if file.source.layer == PROJECT else "make it and its directory"
    )
    warning = diagnostic(file.shown, _START, message, f"{advice} yours (chown)", severity=WARNING)
    source = file.source.replace(trusted=False, ignored=True)
    return PolicyFile(source=source, shown=file.shown, ignored=True, problems=(warning,), notices=(warning,))


def _only_tightening(file: PolicyFile) -> PolicyFile:
    rules = [
        {**rule, "actions": {name: said for name, said in rule["actions"].items() if name not in _LOOSENING}}
        for rule in file.rules
    ]
    return file.replace(rules=tuple(rules), above=True)


def read_file(layer: str, path: str, trusted: Trusted, *, shown: str, project: str = "") -> PolicyFile:
    """Read, check and compile one policy file; raises nothing. Only a project's file needs anybody's trust."""
    unusable = PolicyFile(source=Source(layer=layer, path=path, digest="", trusted=False), shown=shown)
    found = _LEADS_OUT if layer == PROJECT and leads_out(path) else read_or_why(path)
    if os.path.basename(path) == RULES:
        found = f"it is no directory, cannot be looked into, or has more than {MOST_RULES} policies"
    if isinstance(found, str):
        advice = "check the name" if found == NO_FILE else "correct that, or remove the file"
        unreadable = diagnostic(shown, _START, f"the file cannot be read: {found}", advice)
        return unusable.replace(problems=(unreadable,))
    try:
        return _read(layer, path, found, trusted, shown, project)
    except Exception as error:
        message = f"rulez failed on this file: {type(error).__name__}: {error}"
        bug = diagnostic(shown, _START, message, "this is a bug in rulez, please report it")
        return unusable.replace(problems=(bug,))


def _read(layer: str, path: str, found: Marked, trusted: Trusted, shown: str, project: str) -> PolicyFile:
    from rulez_py.policy.format.compile import on_error
    from rulez_py.policy.store.trusting import Believing, people_in, said_in
    from rulez_py.policy.store.whole import read_whole
    from rulez_py.trust import digest_from, script_files

    root = root_of(path)
    whole = read_whole(path, found.content, shown, layer=layer, root=root)
    checked, included = whole.checked, whole.included
    fingerprint = digest_from(path, whole.digest, script_files(whole.words, root))
    is_trusted = layer != PROJECT or trusted(path, fingerprint)
    source = Source(
        layer=layer,
        path=path,
        digest=fingerprint,
        trusted=is_trusted,
        bytes_digest=whole.digest,
        words=whole.words,
        marks=found.marks,
        included=tuple((part.path, part.digest, part.marks) for part in included.each),
        looked_in=included.looked_in,
    )
    data = checked.data
    # What is trusted byte for byte counts, no matter who owns it.
    reviewed = trusted.by_bytes if isinstance(trusted, Believing) else trusted
    any_owner = layer == PROJECT and is_trusted and (not included.foreign or reviewed(path, fingerprint))
    problems = whole.problems if any_owner else (*whole.problems, *included.foreign)
    if data is None or errors(problems):
        return PolicyFile(source=source, shown=shown, problems=problems)
    settings = data.get("settings") or {}
    lines = dict(checked.setting_lines)
    compiling = _Compiling(layer=layer, root=root, is_trusted=is_trusted, project=project)
    rules, in_sets = _rules(whole.tree, {}, compiling)
    of_people = tuple(
        (name, people_in(settings) if name == "trust" else settings[name], f"{shown}:{lines[name]}")
        for name in ("exceptions", "trust")
        if layer == MANAGED and name in settings
    )
    return PolicyFile(
        source=source,
        shown=shown,
        says_nothing_of_floor=says_nothing(whole.data),
        rules=tuple({repr(rule): rule for rule in rules}.values()) if included.parts else tuple(rules),
        problems=(*problems, *in_sets),
        notices=checked.notices,
        on_error=on_error(data),
        self_protection=settings.get("self_protection"),
        essentials=settings.get("essentials"),
        files=settings.get("files"),
        essentials_at=f"{shown}:{lines['essentials']}" if "essentials" in lines else "",
        of_people=of_people,
        trusting=said_in(settings) if layer == MANAGED and "trust" in settings else None,
        disable=tuple(whole.data.get("disable") or ()),
        overrides=_all_changes(whole.tree, is_trusted=is_trusted),
    )


class _Compiling(Value):
    """Values that all rules of a file share, those of the files that it extends among them."""

    layer: str
    root: str
    is_trusted: bool
    project: str


def _rules(tree: Tree, above: dict[str, Any], said: _Compiling) -> tuple[list[Rule], list[Diagnostic]]:
    """Return the rules of a file, of the sets and of the files that it extends, as it has them; what is wrong with the
    sets.

    `above` are the settings of the file that extends it: they hold where it has none of its own.
    """
    from rulez_py.policy.format.check import OF_WHOLE_FILES
    from rulez_py.policy.format.compile import compile_rules

    checked, shown = tree.checked, tree.shown
    data: dict[str, Any] = dict(checked.data or {})
    own = {
        key: one for key, one in (data.get("settings") or {}).items() if not (tree.is_part and key in OF_WHOLE_FILES)
    }
    data["settings"] = settings = {**above, **own}
    lines = dict(checked.setting_lines)
    mode, mode_at = settings.get("mode", ENFORCE), f"{shown}:{lines.get('mode', 1)}"
    compiled = compile_rules(
        data, checked.rule_lines, layer=said.layer, shown=shown, root=said.root, trusted=said.is_trusted
    )
    saying = (rule["name"] for rule in data.get("rules") or () if "mode" in rule)
    rules = list(in_mode(compiled, mode, mode_at, saying=saying))
    problems: list[Diagnostic] = []
    overrides = _changes(data, checked, shown, is_trusted=said.is_trusted)
    by, disable = f"{shown}:{lines.get('checkpoints', 1)}", data.get("disable") or ()

    def changed(theirs: Iterable[Rule]) -> Iterable[Rule]:
        own = overridden(theirs, overrides, said.project)
        here = changes_here(overrides, said.project)
        return kept_instead(own, here, settings, by) if said.is_trusted else own

    for pack in read_packs(data.get("extends") or (), said.root, layer=said.layer, disable=disable):
        rules += changed(in_mode(pack.rules, mode, mode_at))
        problems += pack.problems
    for part in tree.parts:
        theirs, further = _rules(part, settings, said)
        rules += changed(rule for rule in theirs if rule["name"] not in disable)
        problems += further
    return rules, problems


def _all_changes(tree: Tree, *, is_trusted: bool) -> Overrides:
    """Return the changes of a file and of those that it extends; its own count more, as the last that fit."""
    found: dict[str, Any] = {}
    for part in tree.parts:
        found = _in_front(found, _all_changes(part, is_trusted=is_trusted))
    return _in_front(found, _changes(tree.checked.data or {}, tree.checked, tree.shown, is_trusted=is_trusted))


def _in_front(found: dict[str, Any], more: Overrides) -> dict[str, Any]:
    return {**{key: change for key, change in found.items() if key not in more}, **more}


def _changes(data: dict[str, Any], checked: Checked, shown: str, *, is_trusted: bool) -> Overrides:
    overrides: Overrides = data.get("overrides") or {}
    if not is_trusted:
        overrides = without_keeping(overrides)
    where = {key: f"{shown}:{line}" for key, line in checked.override_lines}
    return placed(overrides, data.get("settings") or {}, where)


def read_packs(
    names: Iterable[str], root: str, *, layer: str = BUILT_IN, disable: Iterable[str] = ()
) -> list[PolicyFile]:
    """Return the rule sets of these names and those they extend (`packs.reach`), as `read_pack` reads them."""
    read = []
    for name, held in packs.reach(names, disable).items():
        pack = read_pack(name, root, layer=layer)
        read.append(pack.replace(rules=tuple(rule for rule in pack.rules if rule["name"] in held)))
    return read


def read_floor(root: str) -> PolicyFile:
    """Return the essentials with the sets that they extend, as one."""
    essentials, *further = read_packs((packs.DEFAULT,), root)
    return essentials.replace(
        rules=tuple(rule for pack in (essentials, *further) for rule in pack.rules),
        problems=tuple(one for pack in (essentials, *further) for one in pack.problems),
    )


def read_pack(name: str, root: str, *, layer: str = BUILT_IN) -> PolicyFile:
    """Return the own rules of a set that ships inside rulez, as part of `layer`; they are ours, so trusted.

    Raises nothing.
    """
    shown = packs.PREFIX + name
    source = Source(layer=BUILT_IN, path=shown, digest="", trusted=True)
    try:
        fingerprint, rules = _compiled(name, root, layer)
    except (OSError, ValueError, TypeError, LookupError, AttributeError) as error:
        cause = NO_FILE if isinstance(error, FileNotFoundError) else error
        unreadable = diagnostic(shown, _START, f"the rule set cannot be read: {cause}", "install rulez again")
        return PolicyFile(source=source, shown=shown, problems=(unreadable,))
    return PolicyFile(source=source.replace(digest=fingerprint), shown=shown, rules=rules)


def _compiled(name: str, root: str, layer: str) -> tuple[str, tuple[Rule, ...]]:
    """Return the digest and the own rules of a set that ships inside rulez.

    Raises OSError, ValueError, and errors of other types where it is not what rulez has made.
    """
    form = packs.compiled(name)
    if form is not None:
        of_no_project: list[Rule] = form["rules"]
        return form["digest"], tuple({**rule, "layer": layer, "root": root} for rule in of_no_project)
    from rulez_py.policy.format.compile import compile_rules
    from rulez_py.policy.packs import build
    from rulez_py.trust import digest

    content, checked = build.checked(name)
    lines = tuple(checked["rule_lines"])
    rules = compile_rules(checked["data"], lines, layer=layer, shown=packs.PREFIX + name, root=root, trusted=True)
    return digest(packs.path_of(name), content, ()), tuple(rules)

"""The policy that holds here: find the files of every layer, check and compile them, put their rules in order.

INVARIANT: nothing on disk makes this raise, and a file that is there but cannot be used is a problem, never an absent
file: a policy must not vanish because somebody damaged it.
"""

from __future__ import annotations

import os

from rulez_py.analysis import Value
from rulez_py.policy import packs
from rulez_py.policy.layers import BUILT_IN, LAYERS, MANAGED, PROJECT, USER
from rulez_py.system.files import Marked, read_marked
from rulez_py.system.places import somebody_else
from rulez_py.verdict import DENY, STRICTNESS
from rulez_py.written.problems import WARNING, Problem, errors, problem, warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rulez_py.policy.rule import Rule
    from rulez_py.system.places import Places

    Trusted = Callable[[str, str], bool]
    """Whether a person has trusted the file at this path with this digest."""


PROJECT_FILES = (os.path.join(".rulez", "rules.yaml"), os.path.join(".claude", "hooks.yaml"))
"""In each project directory the first of these that exists."""

LARGEST_FILE = 5 * 1024 * 1024
MOST_LEVELS = 256
"""Directories above one another in which policies are looked for."""
_START = (1, 1)
_NO_FILE = "there is no such file"
_LOOSENING = ("allow", "rewrite")
_LEADS_OUT = "it is a link that leads out of the project"


class Source(Value):
    """A file of the policy.

    `path` is absolute (`builtin:NAME` for a pack); `digest` is what trust in it is tied to: the `bytes_digest` of what
    was read (SHA-256), and the files that `words` name. `marks` are those of `files.read_marked`, () of what could not
    be read. `ignored` says that it does not count, since it belongs to somebody else.
    """

    layer: str
    path: str
    digest: str
    trusted: bool
    bytes_digest: str = ""
    words: tuple[str, ...] = ()
    marks: tuple[int, ...] = ()
    ignored: bool = False


class Found(Value):
    """A policy file that is there, readable or not.

    `above` says that it stands above the root of the repository the agent works in. There it only tightens: what it
    denies and asks about holds, so that a new repository loosens nothing; what it would allow or rewrite does not, nor
    does it stand in for the essentials. Its validators and commands run once it is trusted, since they can only deny
    and tell. `owner` is whose it is where that is neither the person nor root, None where it is one of them, with the
    time of the entry's last change.
    """

    layer: str
    path: str
    above: bool = False
    owner: tuple[int, int] | None = None


class Search(Value):
    """What was found for one directory: the project's `root`, the policy files, and `grounds`, the real directories
    that a repository fills here: what an environment must not lead rulez' own places into.

    `levels` are the directories above one another, where these are too many to be searched; else 0.
    """

    root: str
    files: tuple[Found, ...] = ()
    grounds: tuple[str, ...] = ()
    levels: int = 0


class PolicyFile(Value):
    """One policy file, read. `shown` is its name for people; it has rules only where none of its problems is an error.

    `on_error` and `self_protection` are what the file says, None where it does not say. `above` is that of `Found`;
    `ignored` says that it belongs to somebody else.
    """

    source: Source
    shown: str
    above: bool = False
    ignored: bool = False
    rules: tuple[Rule, ...] = ()
    problems: tuple[Problem, ...] = ()
    on_error: str | None = None
    self_protection: bool | None = None


class Protected(Value):
    """What decides here: `paths` in force, `named`, where there is such a file: what may be a program they run.

    `globs` fit these files and whatever their links led to.
    """

    paths: tuple[str, ...]
    named: tuple[str, ...]
    globs: tuple[str, ...]


def protected(paths: tuple[str, ...], named: tuple[str, ...]) -> Protected:
    """As the disk is now."""
    there = (*paths, *(path for path in named if os.path.isfile(path)))
    globs = dict.fromkeys(_literal_glob(reading) for path in there for reading in (path, _real(path)))
    return Protected(paths=paths, named=named, globs=tuple(globs))


class Policy(Value):
    """What holds here: compiled rules in evaluation order, errors and warnings of every file, effective settings.

    `on_error` is for errors that belong to no rule. `root` is the project's root directory. `protects` is what the
    self-protection was extended to, `looked_for` what was looked for on the disk besides (the rules depend on both).
    Of the `problems`, `untrusted` are those of files that nobody has trusted.
    `notices` are sentences for the person, at the start of a session: `Verdict.warnings`.
    """

    rules: tuple[Rule, ...]
    problems: tuple[Problem, ...] = ()
    untrusted: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    sources: tuple[Source, ...] = ()
    on_error: str = DENY
    self_protection: bool = True
    root: str
    protects: Protected | None = None
    looked_for: tuple[tuple[str, bool], ...] = ()
    notices: tuple[str, ...] = ()


def load(
    places: Places,
    project_dir: str | None,
    *,
    rules_file: str | None = None,
    trusted: Trusted,
    found: Search | None = None,
) -> Policy:
    """The policy for an agent that works in `project_dir`; raises nothing.

    With `rules_file`, that file stands in for the user's and the project's own. A missing one is a problem. `found` is
    what `search` has found for these, where that is known already.
    """
    found = found or search(places, project_dir, rules_file=rules_file)
    root = found.root
    files = [read_found(one, trusted, shown=shown_path(one.path, root, places.home)) for one in found.files]
    self_protection, on_error = _self_protection(files), _on_error(files)
    if not any(map(stands_in, files)):
        files += read_packs((packs.DEFAULT,), root)
    protects = _protected(files, places) if self_protection else None
    if protects is not None:
        files.append(_protecting(read_pack(packs.SELF_PROTECTION, root), protects.globs))
    problems = (*_too_deep(found), *(one for file in files for one in file.problems))
    return Policy(
        rules=in_order(rule for file in files for rule in file.rules),
        problems=errors(problems),
        untrusted=errors(tuple(one for file in files if not file.source.trusted for one in file.problems)),
        warnings=warnings(problems),
        notices=tuple(str(one) for file in files if file.ignored for one in file.problems),
        sources=tuple(file.source for file in files),
        on_error=on_error,
        self_protection=self_protection,
        root=root,
        protects=protects,
        looked_for=tuple(
            dict.fromkeys(looked for file in files for rule in file.rules if (looked := _looked_for(rule)) is not None)
        ),
    )


def stands_in(file: PolicyFile) -> bool:
    """Whether a file takes the place of the essentials.

    INVARIANT: what came with a repository does not, before a person has trusted it as it is now.
    """
    return not file.ignored and (file.source.layer != PROJECT or (file.source.trusted and not file.above))


def _too_deep(found: Search) -> tuple[Problem, ...]:
    """INVARIANT: a policy that is not looked for is not taken for absent."""
    if not found.levels:
        return ()
    message = f"this directory lies {found.levels} levels deep, and policies are looked for in {MOST_LEVELS} at most"
    return (problem(f"{found.root[:40]}...", _START, message, "start the agent in a directory that is less deep"),)


def _looked_for(rule: Rule) -> tuple[str, bool] | None:
    """The file that compiling a rule has looked for, and whether it was there."""
    found: tuple[str, bool] | None = rule["actions"].get("run", {}).get("looked_for")
    return found


def in_order(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Evaluation order: priority, then layer, then as given."""
    return tuple(sorted(rules, key=lambda rule: (-rule["priority"], LAYERS.index(rule["layer"]))))


def _protected(files: list[PolicyFile], places: Places) -> Protected:
    paths = [file.source.path for file in files if file.source.layer != BUILT_IN]
    named: list[str] = []
    for file in files:
        for rule in file.rules if file.source.trusted else ():
            words = rule["actions"].get("run", {}).get("command", ())
            named += [os.path.join(rule["root"], os.path.expanduser(word)) for word in words if "\0" not in word]
    paths += [places.state, places.cache, os.path.dirname(places.user_policy)]
    return protected(tuple(paths), tuple(named))


_ABOUT_WHAT_DECIDES = "rulez-protects-itself"


def _protecting(protection: PolicyFile, globs: tuple[str, ...]) -> PolicyFile:
    """The self-protection rules; those about what decides are extended to what decides here."""
    rules = [
        {**rule, "match": {**match, "paths": {**match["paths"], "globs": [*match["paths"]["globs"], *globs]}}}
        if rule["name"].startswith(_ABOUT_WHAT_DECIDES) and "paths" in (match := rule["match"])
        else rule
        for rule in protection.rules
    ]
    return protection.replace(rules=tuple(rules))


def _literal_glob(path: str) -> str:
    """A glob that fits this path alone (and what is below it)."""
    escaped = "".join(f"\\{character}" if character in "*?[]{}\\" else character for character in path)
    return escaped.replace("\\\\", "/") if os.sep == "\\" else escaped


def _self_protection(files: list[PolicyFile]) -> bool:
    """On unless the managed policy says no, or the user's does where the managed one is silent.

    INVARIANT: a file that cannot be used has not said no.
    """
    for layer in (MANAGED, USER):
        for file in files:
            if file.source.layer == layer:
                if errors(file.problems):
                    return True
                if file.self_protection is not None:
                    return file.self_protection
    return True


def _on_error(files: list[PolicyFile]) -> str:
    """The strictest word of the trusted files, deny where none has one.

    INVARIANT: a managed or user file that cannot be used might have said deny, and counts as if it had.
    """
    saying = [file for file in files if file.source.trusted and file.on_error is not None]
    said = [file.on_error or DENY for file in saying if not file.above]
    if not said or any(file.source.layer != PROJECT and errors(file.problems) for file in files):
        said.append(DENY)
    said += [file.on_error or DENY for file in saying if file.above]
    return max(said, key=STRICTNESS.__getitem__)


# Finding.


def discover(places: Places, project_dir: str | None, *, rules_file: str | None = None) -> tuple[tuple[str, str], ...]:
    """(layer, absolute path) of the files that `search` finds."""
    return tuple((one.layer, one.path) for one in search(places, project_dir, rules_file=rules_file).files)


def project_policies(project_dir: str, places: Places) -> tuple[str, ...]:
    """The project's policy files that are there, nearest first; the managed and the user's own are not among them."""
    return tuple(path for layer, path in discover(places, project_dir) if layer == PROJECT)


def project_root(places: Places, project_dir: str | None) -> str:
    """The repository that `project_dir` is in, else where the nearest project policy is, else itself."""
    return search(places, project_dir).root


def search(places: Places, project_dir: str | None, *, rules_file: str | None = None) -> Search:
    """Every policy file that is there, readable or not: managed, user, project nearest first; raises nothing.

    `rules_file` replaces the user's and the project's files, and is listed even where there is none.
    """
    files = [_found(MANAGED, places.managed_policy, places)] if _is_there(places.managed_policy) else []
    user = next((path for path in places.user_policies if _is_there(path)), None)
    if user is not None and rules_file is None:
        files.append(_found(USER, user, places))
    project = Search(root=places.home)
    if project_dir is not None:
        project = _search_project(os.path.abspath(project_dir), places)
    if rules_file is not None:
        return project.replace(files=(*files, Found(layer=USER, path=os.path.abspath(rules_file))))
    return project.replace(files=(*files, *project.files))


def _search_project(start: str, places: Places) -> Search:
    """The part of it that is about the project.

    A link into another place must not lead away from the policy, whichever way the agent came: both the directories
    above the link and those above its target count.
    """
    bottoms = [start]
    if start.count(os.sep) <= MOST_LEVELS:
        bottoms = list(dict.fromkeys((start, _real(start))))
    levels = max(bottom.count(os.sep) for bottom in bottoms)
    if levels > MOST_LEVELS:
        return Search(root=start, levels=levels)
    homes = (places.home, _real(places.home))
    ways = [_way_up(bottom, homes) for bottom in bottoms]
    inside = {directory for way in ways for directory in way.inside}
    files: list[Found] = []
    taken: set[str] = set()
    for directory in dict.fromkeys(directory for way in ways for directory in way.directories):
        path = next((path for path in _policy_paths(directory) if _is_there(path)), None)
        if path is not None:
            # Home may be a directory above the project, and its files are the user's whether they are in use or not.
            taken = taken or {_real(own) for own in (places.managed_policy, *places.user_policies)}
            if _real(path) not in taken:
                taken.add(_real(path))
                files.append(_found(PROJECT, path, places, above=directory not in inside))
    nearest = next((root_of(one.path) for one in files if not one.above), start)
    root = ways[0].repository or nearest
    # The last way is the real one.
    grounds = [bottoms[-1], ways[-1].repository or root, root if len(ways) == 1 else _real(root)]
    return Search(root=root, files=tuple(files), grounds=tuple(dict.fromkeys(grounds)))


def _found(layer: str, path: str, places: Places, *, above: bool = False) -> Found:
    return Found(layer=layer, path=path, above=above, owner=_somebody_else(path, places.owners))


def _somebody_else(path: str, owners: tuple[int, ...]) -> tuple[int, int] | None:
    """Who else may have put this file here: the owner of it, of its name, or of the directory that is only for it.

    Who owns the directories above can take a policy away, but not make one that counts.
    """
    for look, place in ((os.lstat, os.path.dirname(path)), (os.lstat, path), (os.stat, path)) if owners else ():
        try:
            status = look(place)
        except (OSError, ValueError):
            continue  # reading it says why
        if somebody_else(status.st_uid, owners):
            return status.st_uid, status.st_ctime_ns
    return None


class _Way(Value):
    """The directories above one another, lowest first, and which of them is the first root of a repository."""

    directories: tuple[str, ...]
    repository: str | None = None

    @property
    def inside(self) -> tuple[str, ...]:
        """Those up to that root."""
        if self.repository is None:
            return self.directories
        return self.directories[: self.directories.index(self.repository) + 1]


def _way_up(start: str, homes: tuple[str, ...]) -> _Way:
    """From `start` to the user's home, or else to the top, both included.

    A repository's root ends nothing, or whoever may make one could leave the policies above it.
    """
    directories = [start]
    while directories[-1] not in homes and (parent := os.path.dirname(directories[-1])) != directories[-1]:
        directories.append(parent)
    return _Way(directories=tuple(directories), repository=next(filter(_is_repository, directories), None))


def _is_repository(directory: str) -> bool:
    return os.path.lexists(os.path.join(directory, ".git"))


def _policy_paths(directory: str) -> tuple[str, ...]:
    return tuple(os.path.join(directory, name) for name in PROJECT_FILES)


def _is_there(path: str) -> bool:
    """Whether anything has this name. What cannot be looked at is there: only a plain "no" is a no."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:
        return True
    return True


def _real(path: str) -> str:
    try:
        return os.path.normcase(os.path.realpath(path))
    except (OSError, ValueError):
        return os.path.normcase(path)


def shown_path(path: str, base: str, home: str) -> str:
    """A path as people read it: from `base` where it is below, else from `~`, else whole."""
    for directory, start in ((base, ""), (home, "~" + os.sep)):
        below = directory.rstrip(os.sep) + os.sep
        if path.startswith(below):
            return start + path[len(below) :]
    return path


def root_of(path: str) -> str:
    """What a file's scripts are relative to: the directory that holds its `.rulez` or `.claude`, else its own."""
    directory = os.path.dirname(path)
    return os.path.dirname(directory) if os.path.basename(directory) in (".rulez", ".claude") else directory


# Reading.


def read_found(one: Found, trusted: Trusted, *, shown: str) -> PolicyFile:
    """Read a file that `search` has found, as it counts there; raises nothing."""
    file = read_file(one.layer, one.path, trusted, shown=shown)
    if one.owner is not None and not (one.layer == PROJECT and file.source.trusted):
        return _ignored(file, one.owner[0])
    return _only_tightening(file) if one.above else file


def _ignored(file: PolicyFile, owner: int) -> PolicyFile:
    """A file that belongs to somebody else: nothing of it counts, not even what is wrong with it."""
    message = f"this file is ignored: it belongs to user {owner}, neither to you nor to root"
    advice = (
        "review it, then run `rulez trust`, or make it" if file.source.layer == PROJECT else "make it and its directory"
    )
    warning = problem(file.shown, _START, message, f"{advice} yours (chown)", severity=WARNING)
    source = file.source.replace(trusted=False, ignored=True)
    return PolicyFile(source=source, shown=file.shown, ignored=True, problems=(warning,))


def _only_tightening(file: PolicyFile) -> PolicyFile:
    rules = [
        {**rule, "actions": {name: said for name, said in rule["actions"].items() if name not in _LOOSENING}}
        for rule in file.rules
    ]
    return file.replace(rules=tuple(rules), above=True)


def read_file(layer: str, path: str, trusted: Trusted, *, shown: str) -> PolicyFile:
    """Read, check and compile one policy file; raises nothing. Only a project's file needs anybody's trust."""
    unusable = PolicyFile(source=Source(layer=layer, path=path, digest="", trusted=False), shown=shown)
    found = _LEADS_OUT if layer == PROJECT and leads_out(path) else _read_or_why(path)
    if isinstance(found, str):
        advice = "check the name" if found == _NO_FILE else "mend that, or remove the file"
        unreadable = problem(shown, _START, f"the file cannot be read: {found}", advice)
        return unusable.replace(problems=(unreadable,))
    try:
        return _read(layer, path, found, trusted, shown)
    except Exception as error:
        message = f"rulez failed on this file: {type(error).__name__}: {error}"
        bug = problem(shown, _START, message, "this is a bug in rulez, please report it")
        return unusable.replace(problems=(bug,))


def leads_out(path: str) -> bool:
    """Whether a project's policy is really a file of somebody else's.

    What is wrong with a file is told to the model, words of it included; a repository must not choose which file.
    """
    root = root_of(path)
    top = _way_up(root, ()).repository or root
    return not _real(path).startswith(_real(top).rstrip(os.sep) + os.sep)


def _read(layer: str, path: str, found: Marked, trusted: Trusted, shown: str) -> PolicyFile:
    from rulez_py.policy.check import check
    from rulez_py.policy.compile import compile_rules, on_error
    from rulez_py.trust import content_digest, digest_from, script_files, script_words

    bytes_digest = content_digest(found.content)
    root = root_of(path)
    checked = check(found.content, shown, layer=layer, root=root)
    words = script_words(checked.raw, root)
    fingerprint = digest_from(path, bytes_digest, script_files(words, root))
    is_trusted = layer != PROJECT or trusted(path, fingerprint)
    source = Source(
        layer=layer,
        path=path,
        digest=fingerprint,
        trusted=is_trusted,
        bytes_digest=bytes_digest,
        words=tuple(words),
        marks=found.marks,
    )
    data = checked.data
    if data is None:
        return PolicyFile(source=source, shown=shown, problems=checked.problems)
    rules = compile_rules(data, checked.rule_lines, layer=layer, shown=shown, root=root, trusted=is_trusted)
    problems = checked.problems
    for pack in read_packs(data.get("extends") or (), root, layer=layer, disable=data.get("disable") or ()):
        rules += pack.rules
        problems += pack.problems
    return PolicyFile(
        source=source,
        shown=shown,
        rules=tuple(rules),
        problems=problems,
        on_error=on_error(data),
        self_protection=(data.get("settings") or {}).get("self_protection"),
    )


def read_packs(
    names: Iterable[str], root: str, *, layer: str = BUILT_IN, disable: Iterable[str] = ()
) -> list[PolicyFile]:
    """The rule sets of these names and those they extend (`packs.reach`), as `read_pack` reads them."""
    read = []
    for name, held in packs.reach(names, disable).items():
        pack = read_pack(name, root, layer=layer)
        read.append(pack.replace(rules=tuple(rule for rule in pack.rules if rule["name"] in held)))
    return read


def read_pack(name: str, root: str, *, layer: str = BUILT_IN) -> PolicyFile:
    """The own rules of a set that ships inside rulez, as part of `layer`; they are ours, so trusted. Raises nothing."""
    shown = packs.PREFIX + name
    source = Source(layer=BUILT_IN, path=shown, digest="", trusted=True)
    from rulez_py.policy.compile import compile_rules
    from rulez_py.trust import digest

    try:
        found = packs.made(name)
        if found is None:
            from rulez_py.policy.packs import build

            found = build.checked(name)
        content, form = found
        rules = compile_rules(
            form["data"], tuple(form["rule_lines"]), layer=layer, shown=shown, root=root, trusted=True
        )
    except (OSError, ValueError, TypeError, LookupError, AttributeError) as error:
        cause = _NO_FILE if isinstance(error, FileNotFoundError) else error
        unreadable = problem(shown, _START, f"the rule set cannot be read: {cause}", "install rulez again")
        return PolicyFile(source=source, shown=shown, problems=(unreadable,))
    return PolicyFile(
        source=source.replace(digest=digest(packs.path_of(name), content, ())),
        shown=shown,
        rules=tuple(rules),
    )


def _read_or_why(path: str) -> Marked | str:
    """A file's bytes and marks, or why they cannot be had."""
    try:
        found = read_marked(path, LARGEST_FILE + 1)
    except FileNotFoundError:
        return "it is a link to nothing" if os.path.islink(path) else _NO_FILE
    except OSError as error:
        if os.path.isdir(path):
            return "it is a directory"
        return error.strerror.lower() if error.strerror else "it is not a regular file"
    except ValueError:
        return "this is no file name"
    too_large = len(found.content) > LARGEST_FILE
    return f"it is larger than {LARGEST_FILE // 1024 // 1024} MiB" if too_large else found

"""The policy that holds here: find the files of every layer, check and compile them, put their rules in order.

INVARIANT: nothing on disk makes this raise, and a file that is there but cannot be used is a problem, never an absent
file: a policy must not vanish because somebody damaged it.
"""

from __future__ import annotations

import os

from rulez_py.files import Marked, read_marked
from rulez_py.policy import packs
from rulez_py.policy.layers import BUILT_IN, LAYERS, MANAGED, PROJECT, USER
from rulez_py.problems import Problem, errors, problem, warnings
from rulez_py.value import Value
from rulez_py.verdict import DENY, STRICTNESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from rulez_py.places import Places

    Trusted = Callable[[str, str], bool]
    """Whether a person has trusted the file at this path with this digest."""


PROJECT_FILES = (os.path.join(".rulez", "rules.yaml"), os.path.join(".claude", "hooks.yaml"))
"""In each project directory the first of these that exists."""

LARGEST_FILE = 5 * 1024 * 1024
_START = (1, 1)
_NO_FILE = "there is no such file"
_LEADS_OUT = "it is a link that leads out of the project"


class Source(Value):
    """A file of the policy.

    `path` is absolute (`builtin:NAME` for a pack); `digest` is what trust in it is tied to: the `bytes_digest` of what
    was read (SHA-256), and the files that `words` name. `marks` are those of `files.read_marked`.
    """

    layer: str
    path: str
    digest: str
    trusted: bool
    bytes_digest: str = ""
    words: tuple[str, ...] = ()
    marks: tuple[int, ...] = ()


class PolicyFile(Value):
    """One policy file, read. `shown` is its name for people; it has rules only where none of its problems is an error.

    `on_error` and `self_protection` are what the file says, None where it does not say.
    """

    source: Source
    shown: str
    rules: tuple[dict[str, Any], ...] = ()
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
    """

    rules: tuple[dict[str, Any], ...]
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    sources: tuple[Source, ...] = ()
    on_error: str = DENY
    self_protection: bool = True
    root: str
    protects: Protected | None = None
    looked_for: tuple[tuple[str, bool], ...] = ()


def load(places: Places, project_dir: str | None, *, rules_file: str | None = None, trusted: Trusted) -> Policy:
    """The policy for an agent that works in `project_dir`; raises nothing.

    With `rules_file`, that file stands in for the user's and the project's own. A missing one is a problem.
    """
    root = project_root(places, project_dir)
    files = [
        read_file(layer, path, trusted, shown=shown_path(path, root, places.home))
        for layer, path in discover(places, project_dir, rules_file=rules_file)
    ]
    self_protection, on_error = _self_protection(files), _on_error(files)
    if not files:
        files += read_packs((packs.DEFAULT,), root)
    protects = _protected(files, places) if self_protection else None
    if protects is not None:
        files.append(_protecting(read_pack(packs.SELF_PROTECTION, root), protects.globs))
    problems = tuple(one for file in files for one in file.problems)
    return Policy(
        rules=in_order(rule for file in files for rule in file.rules),
        problems=errors(problems),
        warnings=warnings(problems),
        sources=tuple(file.source for file in files),
        on_error=on_error,
        self_protection=self_protection,
        root=root,
        protects=protects,
        looked_for=tuple(
            dict.fromkeys(found for file in files for rule in file.rules if (found := _looked_for(rule)) is not None)
        ),
    )


def _looked_for(rule: dict[str, Any]) -> tuple[str, bool] | None:
    """The file that compiling a rule has looked for, and whether it was there."""
    found: tuple[str, bool] | None = rule["actions"].get("run", {}).get("looked_for")
    return found


def in_order(rules: Iterable[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
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
    said = [file.on_error for file in files if file.source.trusted and file.on_error is not None]
    if any(file.source.layer != PROJECT and errors(file.problems) for file in files):
        said.append(DENY)
    return max(said, key=STRICTNESS.__getitem__, default=DENY)


# Finding.


def discover(places: Places, project_dir: str | None, *, rules_file: str | None = None) -> tuple[tuple[str, str], ...]:
    """(layer, absolute path) of every policy file that is there, readable or not: managed, user, project nearest first.

    `rules_file` replaces the user's and the project's files, and is listed even where there is none.
    """
    found = [(MANAGED, places.managed_policy)] if _is_there(places.managed_policy) else []
    if rules_file is not None:
        return (*found, (USER, os.path.abspath(rules_file)))
    user = next((path for path in (places.user_policy, places.user_fallback) if _is_there(path)), None)
    if user is not None:
        found.append((USER, user))
    if project_dir is not None:
        found += [(PROJECT, path) for path in project_policies(project_dir, places)]
    return tuple(found)


def project_policies(project_dir: str, places: Places) -> tuple[str, ...]:
    """The project's policy files that are there, nearest first; the managed and the user's own are not among them."""
    # Home may be a directory above the project, and its files are the user's whether they are in use or not.
    taken = {_real(path) for path in (places.managed_policy, places.user_policy, places.user_fallback)}
    found: list[str] = []
    for directory in _project_directories(project_dir, places):
        path = next((path for path in _policy_paths(directory) if _is_there(path)), None)
        if path is not None and _real(path) not in taken:
            taken.add(_real(path))
            found.append(path)
    return tuple(found)


def project_root(places: Places, project_dir: str | None) -> str:
    """The repository that `project_dir` is in, else where the nearest project policy is, else itself."""
    if project_dir is None:
        return places.home
    repository = _repository_above(os.path.abspath(project_dir), places.home)
    if repository is not None:
        return repository
    nearest = project_policies(project_dir, places)[:1]
    return root_of(nearest[0]) if nearest else os.path.abspath(project_dir)


def _project_directories(project_dir: str, places: Places) -> list[str]:
    """Where project policies may be, nearest first.

    A link into another place must not lead away from the policy, whichever way the agent came: both the directories
    above the link and those above its target count.
    """
    start = os.path.abspath(project_dir)
    return list(dict.fromkeys([*_upward(start, places.home), *_upward(_real(start), places.home)]))


def _upward(start: str, home: str) -> list[str]:
    """`start` and the directories above it, up to a repository's root or the user's home, both included."""
    homes = (home, _real(home))
    directories = [start]
    while directories[-1] not in homes and not _is_repository(directories[-1]):
        parent = os.path.dirname(directories[-1])
        if parent == directories[-1]:
            break
        directories.append(parent)
    return directories


def _repository_above(start: str, home: str) -> str | None:
    """The root of the repository that `start` is in, None where there is none up to `home`."""
    top = _upward(start, home)[-1]
    return top if _is_repository(top) else None


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


def read_file(layer: str, path: str, trusted: Trusted, *, shown: str) -> PolicyFile:
    """Read, check and compile one policy file; raises nothing. Only a project's file needs anybody's trust."""
    unusable = PolicyFile(source=Source(layer=layer, path=path, digest="", trusted=False), shown=shown)
    found = _LEADS_OUT if layer == PROJECT and leads_out(path) else _found(path)
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
    top = _repository_above(root, os.sep) or root
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
    found = _found(packs.checked_path_of(name))
    from rulez_py import jsontext
    from rulez_py.policy.compile import compile_rules
    from rulez_py.trust import digest

    try:
        if isinstance(found, str):
            raise ValueError(found)
        checked = jsontext.loads(found.content)
        rules = compile_rules(
            checked["data"], tuple(checked["rule_lines"]), layer=layer, shown=shown, root=root, trusted=True
        )
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        unreadable = problem(shown, _START, f"the rule set cannot be read: {error}", "install rulez again")
        return PolicyFile(source=source, shown=shown, problems=(unreadable,))
    return PolicyFile(
        source=source.replace(digest=digest(packs.checked_path_of(name), found.content, ())),
        shown=shown,
        rules=tuple(rules),
    )


def _found(path: str) -> Marked | str:
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

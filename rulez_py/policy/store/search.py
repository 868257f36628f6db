"""Find the policy's files, and the marks that tell if they have changed.

Every call looks for them; `load.py` reads what was found, which few calls do. INVARIANT: a file that is there is found,
whatever it is: a policy must not vanish because it was damaged.
"""

from __future__ import annotations

import os

from rulez_py.analysis import Value
from rulez_py.policy.model.layers import MANAGED, PROJECT, USER
from rulez_py.system.places import RULES, of_another_user

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.system.places import Places


PROJECT_FILES = (os.path.join(".rulez", "rules.yaml"), os.path.join(".claude", "hooks.yaml"))
"""In each project directory the first of these that exists."""
PROJECT_DIRECTORY = ".rulez"
PROJECT_RULES = os.path.join(PROJECT_DIRECTORY, RULES)
"""In each project directory where its further policies are."""
PROJECT_PROGRAMS = os.path.join(PROJECT_DIRECTORY, "programs")
"""In each project directory where its files are that describe programs."""
MOST_PROGRAMS = MOST_RULES = 64
"""Such files of one project directory: a repository that has more must not make each call slow."""
ENDINGS = (".yaml", ".yml")
"""The endings of policies in `rules.d`."""
LARGEST_FILE = 5 * 1024 * 1024
MOST_LEVELS = 256
"""Directories above one another in which policies are looked for."""


class Found(Value):
    """A policy file that is there, readable or not.

    `above` says that it is above the root of the repository the agent works in, or in the main work tree of that
    while the agent works in another: `tree` is then the directory of this one that it holds in. It only tightens: what
    it denies and asks about holds, so that a new repository loosens nothing; what it would allow or rewrite does not,
    nor does it change rules of the essentials. Its validators and commands run once it is trusted, since they can only
    deny and tell. `owner` is whose it is where that is neither the person nor root, None where it is one of them, with
    the time of the entry's last change.
    """

    layer: str
    path: str
    above: bool = False
    tree: str = ""
    owner: tuple[int, int] | None = None


class Search(Value):
    """The files found for one directory: the project's `root`, the policy files, and `grounds`, the real directories
    that a repository fills here: what an environment must not lead rulez' own places into.

    `levels` are the directories above one another, where these are too many to be searched; else 0. `programs` are the
    files in which people describe programs: the project's nearest first, the user's, the machine's.
    """

    root: str
    files: tuple[Found, ...] = ()
    programs: tuple[Found, ...] = ()
    grounds: tuple[str, ...] = ()
    levels: int = 0


def discover(places: Places, project_dir: str | None, *, rules_file: str | None = None) -> tuple[tuple[str, str], ...]:
    """(layer, absolute path) of the files that `search` finds."""
    return tuple((one.layer, one.path) for one in search(places, project_dir, rules_file=rules_file).files)


def project_policies(project_dir: str, places: Places) -> tuple[str, ...]:
    """Return the project's policy files that are there, nearest first.

    The managed and the user's own are not among them.
    """
    return tuple(path for layer, path in discover(places, project_dir) if layer == PROJECT)


def project_root(places: Places, project_dir: str | None) -> str:
    """Return the repository that `project_dir` is in, else where the nearest project policy is, else itself."""
    return search(places, project_dir).root


def search(
    places: Places, project_dir: str | None, *, rules_file: str | None = None, beside: tuple[str, ...] = ()
) -> Search:
    """Return every policy file that is there, readable or not: managed, user, project nearest first; raises nothing.

    `rules_file` replaces the user's and the project's files, and is listed even if it does not exist. `beside` are
    directories whose projects' files count too.
    """
    files: list[Found] = []
    # Most machines have none, and one look says so of all that would be in it.
    machine = _is_there(os.path.dirname(places.managed_policy))
    if machine:
        own = [places.managed_policy] if _is_there(places.managed_policy) else []
        files += (_found(MANAGED, path, places) for path in (*own, *rules_in(places.managed_rules)))
    if rules_file is None:
        user = next((path for path in places.user_policies if _is_there(path)), None)
        files += (_found(USER, path, places) for path in ((user,) if user is not None else ()))
        further = next((directory for directory in places.user_rules if _is_there(directory)), None)
        files += (_found(USER, path, places) for path in (() if further is None else rules_in(further)))
    project = Search(root=places.home)
    if project_dir is not None:
        project = _search_project(os.path.abspath(project_dir), places)
    for other in beside:
        project = _with(project, _search_project(os.path.abspath(other), places))
    programs = _programs(places, machine=machine)
    if rules_file is not None:
        return project.replace(files=(*files, Found(layer=USER, path=os.path.abspath(rules_file))), programs=programs)
    return project.replace(files=(*files, *project.files), programs=(*project.programs, *programs))


def rules_in(directory: str, most: int | None = None) -> list[str]:
    """Return the policies in a `rules.d`, in the order of their names; the directory itself where it cannot be looked
    into, or has more than `most`.

    Names that begin with a dot are an editor's, not a person's.
    """
    try:
        names = sorted(name for name in os.listdir(directory) if name.endswith(ENDINGS) and name[0] != ".")
    except (FileNotFoundError, ValueError):
        return []
    except OSError:
        return [directory] if _is_there(directory) else []
    if most is not None and len(names) > most:
        return [directory]
    return [os.path.join(directory, name) for name in names]


DESCRIBING = ".toml"
"""The endings of files in which people describe programs."""


def _programs(places: Places, *, machine: bool) -> tuple[Found, ...]:
    """The files in which people describe programs, the user's first; where there are none, a look at each directory.

    `machine` says that the machine may have some.
    """
    user = next((directory for directory in places.user_programs if os.path.lexists(directory)), None)
    found = [] if user is None else _described_in(user, USER, places)
    return (*found, *(_described_in(places.managed_programs, MANAGED, places) if machine else ()))


def _described_in(directory: str, layer: str, places: Places) -> list[Found]:
    """Return those of one directory; the directory itself where it cannot be looked into, or has too many."""
    try:
        names = sorted(name for name in os.listdir(directory) if name.endswith(DESCRIBING))
    except (FileNotFoundError, ValueError):
        return []
    except OSError:
        return [Found(layer=layer, path=directory)] if layer != PROJECT or _is_there(directory) else []
    if layer == PROJECT and len(names) > MOST_PROGRAMS:
        return [Found(layer=layer, path=directory)]
    return [_found(layer, os.path.join(directory, name), places) for name in names]


def _programs_of(directories: Iterable[str], places: Places) -> tuple[Found, ...]:
    """Return the files of a project's directories in which it describes programs; a look at each where there are none.

    Those of the user and the machine are not the project's, by whatever link it reaches them.
    """
    found: list[Found] = []
    taken: set[str] = set()
    for directory in directories:
        for one in _described_in(os.path.join(directory, PROJECT_PROGRAMS), PROJECT, places):
            taken = taken or {real_path(own) for own in (places.managed_programs, *places.user_programs)}
            place = os.path.join(real_path(os.path.dirname(one.path)), os.path.basename(one.path))
            if place not in taken and os.path.dirname(place) not in taken:
                taken.add(place)
                found.append(one)
    return tuple(found)


def _with(project: Search, other: Search) -> Search:
    """Return a project, and what another's directories add to it: no programs, which are described for its own calls
    alone.
    """
    known = {real_path(one.path) for one in project.files}
    return project.replace(
        files=(*project.files, *(one for one in other.files if real_path(one.path) not in known)),
        grounds=tuple(dict.fromkeys((*project.grounds, *other.grounds))),
        levels=max(project.levels, other.levels),
    )


def _search_project(start: str, places: Places) -> Search:
    """Return the part of it that is about the project.

    A link into another place must not lead away from the policy, whichever way the agent came: both the directories
    above the link and those above its target count.
    """
    bottoms = [start]
    if start.count(os.sep) <= MOST_LEVELS:
        bottoms = list(dict.fromkeys((start, real_path(start))))
    levels = max(bottom.count(os.sep) for bottom in bottoms)
    if levels > MOST_LEVELS:
        return Search(root=start, levels=levels)
    homes = (places.home, real_path(places.home))
    ways = [_way_up(bottom, homes) for bottom in bottoms]
    inside = {directory for way in ways for directory in way.inside}
    elsewhere = _in_main_trees(ways)
    files: list[Found] = []
    taken: set[str] = set()
    ours: set[str] = set()
    for directory in dict.fromkeys(directory for way in ways for directory in way.directories):
        # Most directories have none, and one look says so of all that would be in it.
        if _is_there(os.path.join(directory, PROJECT_DIRECTORY)):
            ours.add(directory)
        paths, above, tree = _policies_in(directory, ours=directory in ours), directory not in inside, ""
        if not paths and directory in elsewhere:
            paths, above, tree = _policies_in(elsewhere[directory]), True, directory
        for path in paths:
            # Home may be a directory above the project, and its files are the user's whether they are in use or not.
            taken = taken or {real_path(own) for own in (places.managed_policy, *places.user_policies)}
            real = real_path(path)
            if real not in taken and not _is_further(path, real, places):
                taken.add(real)
                files.append(_found(PROJECT, path, places, above=above, tree=tree))
    nearest = next((root_of(one.path) for one in files if not one.above), start)
    root = ways[0].repository or nearest
    # The last way is the real one.
    grounds = [bottoms[-1], ways[-1].repository or root, root if len(ways) == 1 else real_path(root)]
    # What is above a repository only tightens, and an entry does not show whether it does.
    within = dict.fromkeys(directory for way in ways for directory in way.inside if directory in ours)
    programs = _programs_of(within, places)
    return Search(root=root, files=tuple(files), programs=programs, grounds=tuple(dict.fromkeys(grounds)))


def _in_main_trees(ways: Iterable[_Way]) -> dict[str, str]:
    """Directories of a work tree that is not its repository's main one -> the same ones of that.

    A policy that is not in git is there alone. It counts as those above a repository do: it only tightens, since who
    wrote the branch is not asked whose words loosen what holds here.
    """
    found: dict[str, str] = {}
    for way in ways:
        if way.repository is None or not os.path.isfile(os.path.join(way.repository, ".git")):
            continue
        from rulez_py.system.git.worktrees import main_tree

        main = main_tree(way.repository)
        if main is not None:
            for directory in way.inside:
                below = os.path.relpath(directory, way.repository)
                found[directory] = os.path.normpath(os.path.join(main, below))
    return found


def _found(layer: str, path: str, places: Places, *, above: bool = False, tree: str = "") -> Found:
    return Found(layer=layer, path=path, above=above, tree=tree, owner=other_owner(path, places.owners))


def names_fitting(directory: str, pattern: str) -> tuple[str, ...]:
    """Return the names in a directory that a glob fits, in order; none where it cannot be looked into.

    As in a shell, what begins with a dot fits only a glob that does.
    """
    from rulez_py.policy.patterns import globs

    try:
        names = os.listdir(directory)
    except (OSError, ValueError):
        return ()
    hidden = pattern.startswith(".")
    return tuple(sorted(name for name in names if name.startswith(".") == hidden and globs.plain(pattern, name)))


def other_owner(path: str, owners: tuple[int, ...]) -> tuple[int, int] | None:
    """Return who else may have put this file here: the owner of it, of its name, or of the directory that is only
    for it.

    Who owns the directories above can take a policy away, but not make one that counts.
    """
    for look, place in ((os.lstat, os.path.dirname(path)), (os.lstat, path), (os.stat, path)) if owners else ():
        try:
            status = look(place)
        except (OSError, ValueError):
            continue  # reading it says why
        if of_another_user(status.st_uid, owners):
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

    A repository's root ends nothing, or an agent could leave the policies above it by making one.
    """
    directories = [start]
    while directories[-1] not in homes and (parent := os.path.dirname(directories[-1])) != directories[-1]:
        directories.append(parent)
    return _Way(directories=tuple(directories), repository=next(filter(_is_repository, directories), None))


def _is_repository(directory: str) -> bool:
    return os.path.lexists(os.path.join(directory, ".git"))


def _policies_in(directory: str, *, ours: bool = True) -> list[str]:
    """Return a project directory's policies; unless it is `ours`, it has nothing in `.rulez`."""
    paths = (os.path.join(directory, name) for name in (PROJECT_FILES if ours else PROJECT_FILES[1:]))
    own = next((path for path in paths if _is_there(path)), None)
    further = rules_in(os.path.join(directory, PROJECT_RULES), MOST_RULES) if ours else []
    return further if own is None else [own, *further]


def _is_further(path: str, real: str, places: Places) -> bool:
    """Tell whether a policy in a `rules.d` is one of the machine's or the user's own, by whatever link."""
    if os.path.basename(os.path.dirname(path)) != RULES:
        return False
    return os.path.dirname(real) in map(real_path, (places.managed_rules, *places.user_rules))


def own_policies(places: Places) -> tuple[str, ...]:
    """Return the machine's and the user's policies, and the directories of further ones, there or not."""
    return (places.managed_policy, *places.user_policies, places.managed_rules, *places.user_rules)


def _is_there(path: str) -> bool:
    """Tell whether anything has this name. What cannot be looked at is there: only a plain "no" is a no."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:
        return True
    return True


def real_path(path: str) -> str:
    try:
        return os.path.normcase(os.path.realpath(path))
    except (OSError, ValueError):
        return os.path.normcase(path)


def shown_path(path: str, base: str, home: str) -> str:
    """Return a path as people read it: from `base` where it is below, else from `~`, else whole."""
    for directory, start in ((base, ""), (home, "~" + os.sep)):
        below = directory.rstrip(os.sep) + os.sep
        if path.startswith(below):
            return start + path[len(below) :]
    return path


def root_of(path: str) -> str:
    """Return what a file's scripts are relative to: the directory that holds its `.rulez` or `.claude`, else its
    own.
    """
    directory = os.path.dirname(path)
    if directory.endswith((os.sep + PROJECT_PROGRAMS, os.sep + RULES)):
        directory = os.path.dirname(directory)
    return os.path.dirname(directory) if os.path.basename(directory) in (".rulez", ".claude") else directory


def leads_out(path: str) -> bool:
    """Tell whether a project's policy is really another user's file.

    Diagnostics, which quote the file, reach the model; a repository must not choose which file.
    """
    root = root_of(path)
    top = _way_up(root, ()).repository or root
    return not real_path(path).startswith(real_path(top).rstrip(os.sep) + os.sep)


# The files that were read, and those they protect.


class Source(Value):
    """A file of the policy.

    `path` is absolute (`builtin:NAME` for a pack); `digest` is what trust in it is tied to: the `bytes_digest` of what
    was read (SHA-256), and the files that `words` name. `marks` are those of `files.read_marked`, () of what could not
    be read. `ignored` says that it does not count, since it belongs to another user. `included` are the files that it
    extends, each with its digest and marks; `looked_in` the directories of globs, each with the glob and the names that
    fit. The digests are of them, too.
    """

    layer: str
    path: str
    digest: str
    trusted: bool
    bytes_digest: str = ""
    words: tuple[str, ...] = ()
    marks: tuple[int, ...] = ()
    ignored: bool = False
    included: tuple[tuple[str, str, tuple[int, ...]], ...] = ()
    looked_in: tuple[tuple[str, str, tuple[str, ...]], ...] = ()


class Protected(Value):
    """The files that decide here: `paths` in force, `named`, where there is such a file: what may be a program they
    run.

    `globs` fit these files and whatever their links led to.
    """

    paths: tuple[str, ...]
    named: tuple[str, ...]
    globs: tuple[str, ...]


def protected(paths: tuple[str, ...], named: tuple[str, ...]) -> Protected:
    """As the disk is now."""
    there = (*paths, *(path for path in named if os.path.isfile(path)))
    globs = dict.fromkeys(glob for path in there for glob in literal_globs(path))
    return Protected(paths=paths, named=named, globs=tuple(globs))


def literal_globs(path: str) -> tuple[str, ...]:
    """Globs that fit this path alone (and what is below it), and what its links lead to."""
    return tuple(dict.fromkeys(_literal_glob(reading) for reading in (path, real_path(path))))


def _literal_glob(path: str) -> str:
    """Return a glob that fits this path alone (and what is below it)."""
    escaped = "".join(f"\\{character}" if character in "*?[]{}\\" else character for character in path)
    return escaped.replace("\\\\", "/") if os.sep == "\\" else escaped

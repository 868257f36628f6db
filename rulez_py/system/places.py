"""The places of rulez' files on this machine (policy layers, trust, log), and those it must not use.

An agent's environment can come from a repository (`.env`, a container's or an editor's settings). So what it says is
believed only where that is not in the agent's project and not another user's (`refusals`).
"""

from __future__ import annotations

import os
import stat
import sys

from rulez_py.analysis import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


PROGRAMS = "programs"
"""The directory of files that describe programs, beside a policy."""
RULES = "rules.d"
"""The directory of further policies beside one."""


class Places(Value):
    """Directories and files, all absolute. None of them needs to exist."""

    home: str
    managed_policy: str
    user_policy: str
    user_fallback: str
    """RuleZ's own user file, read where `user_policy` and `user_default` are absent."""
    state: str
    cache: str
    user_default: str = ""
    """Where `user_policy` is by default, read where an environment says otherwise and there is nothing; else ""."""
    owners: tuple[int, ...] = ()
    """The user ids whose files are the person's or the machine's own; none where the system has no such ids."""

    @property
    def user_policies(self) -> tuple[str, ...]:
        """The user's own policy is the first of these that is there."""
        return tuple(path for path in (self.user_policy, self.user_default, self.user_fallback) if path)

    @property
    def managed_rules(self) -> str:
        """Where the machine's further policies lie."""
        return os.path.join(os.path.dirname(self.managed_policy), RULES)

    @property
    def user_rules(self) -> tuple[str, ...]:
        """The user's further policies are in the first of these directories that is there."""
        return tuple(
            os.path.join(os.path.dirname(path), RULES) for path in (self.user_policy, self.user_default) if path
        )

    @property
    def managed_programs(self) -> str:
        """Where the machine's files lie that describe programs."""
        return os.path.join(os.path.dirname(self.managed_policy), PROGRAMS)

    @property
    def user_programs(self) -> tuple[str, ...]:
        """The user's own are in the first of these directories that is there."""
        return tuple(
            os.path.join(os.path.dirname(path), PROGRAMS) for path in (self.user_policy, self.user_default) if path
        )


def places(environ: Mapping[str, str], platform: str = sys.platform) -> Places:
    """This user's places, from an environment and a `sys.platform`; relative XDG directories are ignored."""
    home = os.path.abspath(environ.get("HOME") or environ.get("USERPROFILE") or os.path.expanduser("~"))

    def directory(variable: str, *default: str) -> str:
        value = environ.get(variable, "")
        return value if os.path.isabs(value) else os.path.join(home, *default)

    if platform == "win32":
        managed = os.path.join(environ.get("PROGRAMDATA") or r"C:\ProgramData", "rulez", "rules.yaml")
        default = os.path.join(home, "AppData", "Roaming")
        config = environ.get("APPDATA") or default
        state = cache = environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    else:
        managed = "/Library/Application Support/rulez/rules.yaml" if platform == "darwin" else "/etc/rulez/rules.yaml"
        default = os.path.join(home, ".config")
        config = directory("XDG_CONFIG_HOME", ".config")
        state = directory("XDG_STATE_HOME", ".local", "state")
        cache = directory("XDG_CACHE_HOME", ".cache")
    return Places(
        home=home,
        managed_policy=managed,
        user_policy=os.path.join(config, "rulez", "rules.yaml"),
        user_default="" if config == default else os.path.join(default, "rulez", "rules.yaml"),
        user_fallback=os.path.join(home, ".claude", "hooks.yaml"),
        state=os.path.join(state, "rulez"),
        cache=os.path.join(cache, "rulez"),
        owners=_owners(environ),
    )


# Places that the environment may name.


class Spot(Value):
    """One directory of rulez' own: the variable that names it, and where the disk has it.

    `real` is where it really is, `owner` whose what is there is, or else the nearest directory above it; None where
    the system does not say. `field` is its name in `Places`.
    """

    field: str
    path: str
    variable: str
    value: str
    real: str
    owner: int | None


class Refusal(Value):
    """Why a place is not believed, and what a person can do, in words."""

    field: str
    variable: str
    cause: str
    advice: str


_DEEP = 100
"""Directories above one another that are looked at one by one."""
_HOLDS = {
    "managed_policy": "the machine's policy",
    "user_policy": "the user's own policy",
    "user_fallback": "the user's own policy",
    "state": "what the user has trusted",
    "cache": "the compiled policy",
}


def refusals(
    spots: Iterable[Spot], grounds: Iterable[str], owners: tuple[int, ...], homes: Iterable[str] = ()
) -> tuple[Refusal, ...]:
    """Return the spots that must not be used: those in the project, and another user's.

    `grounds` are the real directories the project fills, `homes` the home directories that the system itself knows for
    the person. The default places are trusted, whatever they lead to: only they can have put it there. And a
    home directory that is the project, or in it, is still theirs.
    """
    usual = {_directory(places({"HOME": home}), field) for home in homes for field in _HOLDS}
    strange = [ground for ground in grounds if not any(_is_in(home, ground) for home in homes)]
    found = []
    for spot in spots:
        ground = next((ground for ground in strange if _is_in(spot.real, ground)), None)
        if spot.path in usual:
            continue
        if ground is not None:
            why, right = f"lies in the project {ground}", "a directory outside of the project"
        elif spot.owner is not None and of_another_user(spot.owner, owners):
            why, right = f"belongs to user {spot.owner}, neither to you nor to root", "a directory of their own"
        else:
            continue
        said = f"{spot.variable} is {spot.value}" if spot.value else f"{spot.variable} is not set"
        found.append(
            Refusal(
                field=spot.field,
                variable=spot.variable,
                cause=f"{said}, so {_HOLDS[spot.field]} would be looked for in {spot.real}, which {why}",
                advice=f"a person can unset {spot.variable} where the agent starts, or let it name {right}",
            )
        )
    return tuple(found)


def in_words(refused: Iterable[Refusal]) -> tuple[str, str]:
    """Cause and advice, each variable named once."""
    first: dict[str, Refusal] = {}
    for refusal in refused:
        first.setdefault(refusal.variable, refusal)
    return "; ".join(one.cause for one in first.values()), "; ".join(one.advice for one in first.values())


def _is_in(path: str, directory: str) -> bool:
    return path == directory or path.startswith(directory.rstrip(os.sep) + os.sep)


def refused(environ: Mapping[str, str], here: Places, grounds: Iterable[str]) -> tuple[Refusal, ...]:
    """Return the refusals for these places, as the disk and the system's list of users are now."""
    spots = tuple(_spots(environ, here))
    if not refusals(spots, grounds, here.owners):
        return ()  # as a rule; asking for the person's home can be slow
    return refusals(spots, grounds, here.owners, real_homes(here))


def _spots(environ: Mapping[str, str], here: Places) -> Iterable[Spot]:
    home = next((name for name in ("HOME", "USERPROFILE") if environ.get(name)), "HOME")
    named = {"user_policy": "XDG_CONFIG_HOME", "state": "XDG_STATE_HOME", "cache": "XDG_CACHE_HOME"}
    if sys.platform == "win32":
        named = {"managed_policy": "PROGRAMDATA", "user_policy": "APPDATA", "state": "LOCALAPPDATA"}
        named["cache"] = "LOCALAPPDATA"
    known: dict[str, tuple[str, int | None]] = {}
    for field in _HOLDS:
        path = _directory(here, field)
        variable = named.get(field, home)
        if not os.path.isabs(environ.get(variable, "")):
            variable = home
        if field != "managed_policy" or variable == "PROGRAMDATA":
            real, owner = _traced(path, known)
            yield Spot(
                field=field, path=path, variable=variable, value=environ.get(variable, ""), real=real, owner=owner
            )


def _directory(here: Places, field: str) -> str:
    path: str = getattr(here, field)
    return path if field in ("state", "cache") else os.path.dirname(path)


def _traced(path: str, known: dict[str, tuple[str, int | None]]) -> tuple[str, int | None]:
    """Return where a path really is, and whose what is there is, or else the nearest directory above it.

    As `os.path.realpath` and `os.stat` say, but each directory is looked at once for all of them: `known`.
    """
    if path in known:
        return known[path]
    parent, name = os.path.split(path)
    if not name or name == ".." or parent == path or path.count(os.sep) > _DEEP:
        real, owner = os.path.realpath(path), None
    else:
        above, owner = _traced(parent, known)
        real = os.path.join(above, name)
    try:
        status = os.lstat(real)
        if stat.S_ISLNK(status.st_mode):
            real = os.path.realpath(real)
            owner = _traced(real, known)[1] if real != path else owner
        else:
            owner = status.st_uid
    except (OSError, ValueError):
        pass  # nothing is there: it will belong to the owner of the directory above
    known[path] = real, owner
    return known[path]


def real_homes(here: Places) -> tuple[str, ...]:
    """Return the person's home directories as the system knows them, not the environment.

    Where it has no list, its word.
    """
    try:
        import pwd
    except ImportError:
        return (here.home,)
    found: list[str] = []
    for user in (os.geteuid(), *here.owners[2:]):
        try:
            found.append(pwd.getpwuid(user).pw_dir)
        except KeyError:
            continue
    homes = [home for home in dict.fromkeys(found) if os.path.isabs(home)]
    reals = [os.path.realpath(home) for home in homes]
    same = [here.home] if os.path.realpath(here.home) in reals else []
    return tuple(dict.fromkeys((*homes, *reals, *same)))


def _owners(environ: Mapping[str, str]) -> tuple[int, ...]:
    """Return the process' user and root; where it is root by `sudo`, also whom that has made root."""
    if sys.platform == "win32":
        return ()
    user, called_by = os.geteuid(), environ.get("SUDO_UID", "")
    return (user, 0, int(called_by)) if user == 0 and called_by.isdecimal() else (user, 0)


def of_another_user(owner: int, owners: tuple[int, ...]) -> bool:
    """Tell whether a file with this owner is neither the person's nor the machine's own."""
    return bool(owners) and owner not in owners and not _stands_for_root(owner)


def _stands_for_root(owner: int) -> bool:
    """Tell whether root's files show this owner: in a user namespace without root they are the overflow user's."""
    try:
        with open("/proc/sys/kernel/overflowuid", encoding="ascii") as overflow:
            if int(overflow.read()) != owner:
                return False
        with open("/proc/self/uid_map", encoding="ascii") as mapped:
            first = [int(line.split()[0]) for line in mapped]
            return bool(first) and min(first) > 0
    except (OSError, ValueError, IndexError):
        return False

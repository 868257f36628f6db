"""The hosts that a part of a call contacts, those of git's remotes by their names among them.

A remote's addresses are in the settings of the repository that the command is about, with `url.BASE.insteadOf`
(git-fetch(1), git-config(1)). What an option, a variable or a command before may have changed of them is unknown.
"""

from __future__ import annotations

from rulez_py.policy.facts.git_facts import situations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulez_py.analysis import Command, Reading
    from rulez_py.policy.facts.facts import Facts, Part
    from rulez_py.system.git.values import Remotes

_TALKING = frozenset(("fetch", "pull", "push", "ls-remote", "remote", "submodule"))
_OF_REMOTE = frozenset(("update", "show", "prune"))
"""Subcommands of `git remote` that contact it."""
_OF_ALL = frozenset(("--all", "--multiple"))
_CHANGING = frozenset(("remote", "config", "clone", "init", "worktree"))
"""Subcommands of git after which a remote may be another."""
_SHOWING = frozenset(("", "show", "get-url", "update"))
_SETTINGS = ("-c", "--config-env")


class Contacts:
    """Hosts by name, and whether others are contacted that are not known."""

    def __init__(self, hosts: Sequence[str] = (), *, somewhere: bool = False) -> None:
        self.hosts = tuple(dict.fromkeys(hosts))
        self.somewhere = somewhere


def contacts(part: Part, facts: Facts) -> Contacts:
    """Return what a part contacts; a repository is only looked at where git goes by a remote's name."""
    if part.hosts or not _talks(part):
        return Contacts(part.hosts, somewhere=part.somewhere)
    command, reading = part.command, part.reading
    assert command is not None
    names = _named(reading)
    if part.somewhere or names is None or _is_unsettled(command, reading, part, facts):
        return Contacts(somewhere=True)
    hosts: list[str] = []
    for situation in situations(part, facts):
        if situation.is_nowhere:
            continue  # git ends with an error.
        remotes = None if situation.tree is None else situation.tree.remotes()
        addresses = None if remotes is None else list(_addresses(remotes, names, pushes=_subcommand(reading) == "push"))
        if addresses is None or None in addresses:
            return Contacts(hosts, somewhere=True)
        hosts += [host for one in addresses if one is not None for host in _hosts(one)]
    return Contacts(hosts)


def _talks(part: Part) -> bool:
    if part.command is None or part.command.program != "git":
        return False
    name = _subcommand(part.reading)
    return name in _TALKING and (name != "remote" or _second(part.reading) in _OF_REMOTE)


def _subcommand(reading: Reading) -> str:
    return reading.operands[0].word.text if reading.operands else ""


def _second(reading: Reading) -> str:
    return reading.operands[1].word.text if len(reading.operands) > 1 else ""


def _named(reading: Reading) -> tuple[str, ...] | None:
    """Return the remotes that a command names, ("",) for the usual one, () for all; None where that is not known."""
    name = _subcommand(reading)
    if name == "submodule":
        return None
    behind = [one.word for one in reading.operands[2 if name == "remote" else 1 :]]
    if any(not _OF_ALL.isdisjoint(option.names) for option in reading.options):
        return ()
    if not behind:
        return () if name == "remote" else ("",)
    given = behind if name == "remote" else behind[:1]
    return tuple(one.text for one in given) if all(one.known for one in given) else None


def _is_unsettled(command: Command, reading: Reading, part: Part, facts: Facts) -> bool:
    """Tell whether a remote may be another than the repository's settings say."""
    if any(not {*_SETTINGS}.isdisjoint(option.names) for option in reading.options):
        return True
    if any(name.startswith(("GIT_CONFIG", "GIT_SSH", "GIT_PROXY")) for name, _ in command.environment):
        return True
    for before in facts.parts:
        if before is part:
            return False
        if before.command is not None and before.command.program == "git" and _changes(before.reading):
            return True
    return False


def _changes(reading: Reading) -> bool:
    """Tell whether a git command may change what a remote is, or where it is looked for."""
    name = _subcommand(reading)
    return name in _CHANGING and (name != "remote" or _second(reading) not in _SHOWING)


def _addresses(remotes: Remotes, names: tuple[str, ...], *, pushes: bool) -> Iterator[str | None]:
    """Yield the addresses of remotes as git rewrites them; None for one that is not known."""
    known = remotes.names
    for name in names or known:
        # Which remote a branch has is not looked up: one of all that there are.
        for one in (name,) if name else known or ("origin",):
            yield from _of_remote(remotes, one, pushes=pushes) if one in known else (one if name else None,)


def _of_remote(remotes: Remotes, name: str, *, pushes: bool) -> Iterator[str | None]:
    """Yield each address of a remote."""
    own = remotes.every(f"remote.{name}.pushurl") if pushes else ()
    for address in own or remotes.every(f"remote.{name}.url"):
        if not own and pushes and (other := _instead(remotes, address, "pushinsteadof")) != address:
            yield other
        else:
            yield _instead(remotes, address, "insteadof")


def _instead(remotes: Remotes, address: str, setting: str) -> str:
    """Return the address with its longest start replaced for which a setting has something else."""
    found = max(
        (
            (value, key[4 : -len(setting) - 1])
            for key, value in remotes.settings
            if key.startswith("url.") and key.endswith(f".{setting}") and value and address.startswith(value)
        ),
        key=lambda one: len(one[0]),
        default=None,
    )
    return address if found is None else found[1] + address[len(found[0]) :]


def _hosts(address: str) -> tuple[str, ...]:
    """Return the hosts of git's address: a URL, or `user@host:path`; a path on this machine has none."""
    from rulez_py.analysis import hosts_of, hosts_of_url

    if "://" in address:
        return hosts_of_url(address)
    start, colon, _ = address.partition(":")
    return hosts_of(start) if colon and "/" not in start else ()

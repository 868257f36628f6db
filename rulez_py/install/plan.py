"""Plan the changes that set rulez up in an agent or remove it, and carry them out."""

from __future__ import annotations

import difflib
import os
from typing import TYPE_CHECKING, NamedTuple

from rulez_py.install import blocks, files, jsonc, required_switches, yaml_merge, yamlc
from rulez_py.install.entries import KEY, ON_PATH, entries_in, filled, is_plugin, is_yaml, plugin_words, settings
from rulez_py.install.installed import decoded, found, not_read_for
from rulez_py.install.merge import is_ours_alone, with_ours, without
from rulez_py.install.places import MANAGED, SCOPES, hooks, no_place, target, targets
from rulez_py.platforms import adapter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulez_py.install.entries import Program
    from rulez_py.install.installed import Found
    from rulez_py.install.places import Machine


class Refused(Exception):
    """Nothing is changed here: why, and where; `at` is () where it is about no place in a file."""

    def __init__(self, path: str, message: str, at: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.path, self.message, self.at = path, message, at


class Change(NamedTuple):
    """A file that shall hold other bytes; None: there is no such file. `real` is where links lead from `path`.

    `updates` says that a hook of rulez was in it before; `directories` go with it when it goes.
    """

    path: str
    real: str
    before: bytes | None
    after: bytes | None
    updates: bool = False
    directories: tuple[str, ...] = ()

    @property
    def needed(self) -> bool:
        return self.before != self.after


class Plan(NamedTuple):
    """The changes for one agent, and notes on them for the person."""

    changes: tuple[Change, ...]
    remarks: tuple[str, ...] = ()
    doubts: tuple[Refused, ...] = ()
    """Reasons why the agent would still not call rulez."""

    @property
    def needed(self) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if change.needed)


def store(scope: str, here: Machine) -> str:
    """Return the directory that keeps what was there before."""
    if scope != MANAGED:
        return here.own.state
    return os.path.join(here.root, os.path.dirname(here.own.managed_policy).lstrip("/"))


# Putting it in.


def to_install(platform: str, scope: str, here: Machine, called: Program) -> Plan:
    """Return the way to an agent that calls this program. Raises Refused."""
    paths = targets(platform, scope, here)
    if not paths:
        raise Refused("", f"{no_place(platform, scope)}; {_INSTEAD}")
    changes = [_set_up(platform, path, scope, called) for path in paths]
    own = {change.real for change in changes}
    switched = [
        _switched_on(os.path.join(here.root, file.lstrip("/")), key)
        for file, key, _ in _switches(platform, scope)
        if file
    ]
    changes += switched
    remarks = [f"{change.path} keeps them on, whatever a repository says" for change in switched]
    after = (changes[0].after or b"").decode()
    doubts = () if is_plugin(platform) else tuple(_unread(platform, paths[0], after))
    for other in _elsewhere(platform, scope, here, own):
        if _by_hand(platform, other.path):
            remarks.append(f"take rulez out of {other.path} by hand, or it is called twice")
        else:
            changes.append(_taken_out(platform, other.path, None, scope))
    remarks += _other_scopes(platform, scope, here)
    return Plan(_once(changes), tuple(dict.fromkeys(remarks)), doubts)


def _set_up(platform: str, path: str, scope: str, called: Program) -> Change:
    """Return the file with our hooks in it."""
    before = current(path)
    text = text_of(path, before or b"")
    after = _with_plugin(platform, path, text, called) if is_plugin(platform) else _merged(platform, path, text, called)
    for file, key, value in _switches(platform, scope):
        if not file:
            after = _put(path, after, lambda text, k=key, v=value: required_switches.json_on(text, k, v))  # type: ignore[misc]
    updates = bool(plugin_words(platform, text)) if is_plugin(platform) else _has_ours(path, text)
    return Change(path, os.path.realpath(path), before, after.encode(), updates)


_INSTEAD = "`rulez install` without --scope sets it up for you alone"


def _switched_on(path: str, key: str) -> Change:
    before = current(path)
    text = text_of(path, before or b"")
    after = _put(path, text, lambda text: required_switches.toml_on(text, key))
    return Change(path, os.path.realpath(path), before, after.encode(), required_switches.MARK in text)


def _put(path: str, text: str, change: Callable[[str], str]) -> str:
    try:
        return change(text)
    except jsonc.Unreadable as error:
        raise Refused(path, error.message, error.at) from None


def _unread(platform: str, path: str, text: str) -> Iterator[Refused]:
    for odd in not_read_for(platform, text):
        message = f"{adapter(platform).AGENT} reads no settings with {odd.what}: while they are there it calls no hook"
        yield Refused(path, message, odd.at)


def _with_plugin(platform: str, path: str, text: str, called: Program) -> str:
    known = hooks(platform)
    if known.ends:
        return _put(path, text, lambda text: blocks.placed(known, text, filled(platform, called)))
    if not _is_blank(text) and not plugin_words(platform, text):
        if hooks(platform).scripts:
            name, agent = os.path.basename(path), adapter(platform).AGENT
            raise Refused(path, f"another hook is there; it is left alone: rename it {name}.sh, which {agent} runs too")
        raise Refused(path, "another plugin has the name of rulez' plugin; it is left alone: move it away first")
    return filled(platform, called)


def _merged(platform: str, path: str, text: str, called: Program) -> str:
    wanted = settings(platform, called)
    if is_yaml(path):
        return _put(path, text, lambda text: yaml_merge.with_ours(text, wanted, called))
    try:
        new = with_ours(text, wanted, called)
        # What a whole file has to say besides may have been missing.
        same = _is_blank(text) or _rest(new) == {**{key: wanted[key] for key in wanted if key != KEY}, **_rest(text)}
    except jsonc.Unreadable as error:
        raise Refused(path, error.message, error.at) from None
    if not same:
        raise Refused(path, "its other settings would not stay what they are; it is left alone, please report this")
    return new


def _rest(text: str) -> dict[str, object]:
    """Return what the settings say besides our hooks, empty lists of hooks aside."""
    value = jsonc.parse(without(text)).value
    hooks = value.get(KEY) or {}
    kept = {event: groups for event, groups in hooks.items() if groups} if isinstance(hooks, dict) else hooks
    return {**value, KEY: kept}


def _has_ours(path: str, text: str) -> bool:
    return not _is_blank(text) and any(entries_in(yamlc.value(text) if is_yaml(path) else jsonc.parse(text).value))


def _elsewhere(platform: str, scope: str, here: Machine, own: set[str]) -> Iterator[Found]:
    """Our hooks for this agent in the other files that it looks for hooks in; those for another agent stay there."""
    for one in found(platform, scope, here)[0]:
        if os.path.realpath(one.path) not in own and f"--platform {platform}" in one.command:
            yield one


def _other_scopes(platform: str, scope: str, here: Machine) -> Iterator[str]:
    for other in SCOPES:
        path = target(platform, other, here)
        if other == scope or path is None or path == target(platform, scope, here):
            continue
        if any(one.path == path for one in found(platform, other, here)[0]):
            yield f"it is set up in {path} as well: where both count, each call is judged twice"


# Taking it out.


def to_uninstall(platform: str, scope: str, here: Machine) -> Plan:
    """Return the way to an agent that does not call rulez. Raises Refused."""
    own = targets(platform, scope, here)
    ours, unread = found(platform, scope, here)
    for bad in unread:
        if bad.path in own:
            raise Refused(bad.path, bad.message, bad.at)
    changes: list[Change] = []
    remarks: list[str] = []
    for one in ours:
        if one.path not in own and f"--platform {platform}" not in one.command:
            continue
        if _by_hand(platform, one.path):
            remarks.append(f"take rulez out of {one.path} by hand")
        elif one.path not in [change.path for change in changes]:
            record = files.record_of(store(scope, here), os.path.realpath(one.path))
            changes.append(_taken_out(platform, one.path, record, scope))
    # Last, so that a directory that was made for several is empty when it goes.
    changes.sort(key=lambda change: bool(change.directories))
    switched = [os.path.join(here.root, file.lstrip("/")) for file, *_ in _switches(platform, scope) if file]
    # First, so that a directory that was made for both is empty when the other goes.
    changes[:0] = [change for path in switched for change in _switched_back(path, store(scope, here))]
    return Plan(_once(changes), tuple(dict.fromkeys(remarks)))


def _by_hand(platform: str, path: str) -> bool:
    """Tell whether rulez writes no such file for this agent, which reads it all the same."""
    return path.endswith(".toml") and not hooks(platform).ends


def _switches(platform: str, scope: str) -> tuple[tuple[str, str, bool], ...]:
    return hooks(platform).keeps_on if scope == MANAGED else ()


def _switched_back(path: str, place: str) -> Iterator[Change]:
    before = current(path)
    text = text_of(path, before or b"")
    if required_switches.MARK not in text:
        return
    record = files.record_of(place, os.path.realpath(path))
    kept = kept_text(record)
    after = required_switches.toml_back(text, kept or "")
    gone = record is not None and record.backup is None and not after
    directories = record.directories if record else ()
    yield Change(path, os.path.realpath(path), before, None if gone else after.encode(), True, directories)


def _taken_out(platform: str, path: str, record: files.Record | None, scope: str) -> Change:
    real = os.path.realpath(path)
    before = current(path) or b""
    text = text_of(path, before)
    gone = Change(path, real, before, None, True, record.directories if record else ())
    kept = kept_text(record)
    known = hooks(platform)
    if known.ends:
        before_us = None if kept is None or blocks.inside(known, kept) else kept
        rest = blocks.without(known, text, before_us)
        return gone if before_us is None and _is_blank(rest) else gone._replace(after=rest.encode())
    if plugin_words(platform, text):
        return gone if kept is None or plugin_words(platform, kept) else gone._replace(after=kept.encode())
    if is_yaml(path):
        like = None if kept is None else yaml_merge.without(kept)
        rest = _put(path, text, lambda text: yaml_merge.without(text, like))
        made = kept is None or _has_ours(path, kept)
        return gone if made and _is_blank(rest) else gone._replace(after=rest.encode())
    try:
        like = kept if kept is None or _is_blank(kept) else without(kept)
        rest = without(text, like)
        for file, key, value in _switches(platform, scope):
            if not file and record is not None:
                rest = required_switches.json_back(rest, key, "{}" if like is None or _is_blank(like) else like, value)
        made = record is not None and record.backup is None
        ours = hooks(platform).ours_alone and (kept is None or _has_ours(path, kept))
        if (made or ours) and is_ours_alone(rest, settings(platform, ON_PATH)):
            return gone
    except jsonc.Unreadable as error:
        raise Refused(path, error.message, error.at) from None
    return gone._replace(after=rest.encode())


def kept_text(record: files.Record | None) -> str | None:
    """Return the text from before rulez was set up, None where there was none or it is not known."""
    if record is None or record.backup is None:
        return None
    try:
        return decoded(files.current(record.backup) or b"")
    except (OSError, jsonc.Unreadable):
        return None


def _is_blank(text: str) -> bool:
    return not text.strip("\ufeff" + jsonc.BLANKS)


def current(path: str) -> bytes | None:
    """Return the bytes of a file, None without a file. Raises Refused."""
    try:
        return files.current(path)
    except OSError as error:
        raise Refused(path, f"it cannot be read: {error.strerror or error}") from None


def text_of(path: str, data: bytes) -> str:
    """Return a file's bytes as text. Raises Refused."""
    try:
        return decoded(data)
    except jsonc.Unreadable as error:
        raise Refused(path, error.message, error.at) from None


def _once(changes: list[Change]) -> tuple[Change, ...]:
    return tuple({change.real: change for change in reversed(changes)}.values())[::-1]


# Doing it.


def install(change: Change, scope: str, here: Machine, now: float) -> str | None:
    """Puts the file there; the result is where its bytes from before are kept, if there were any. Raises OSError."""
    place = store(scope, here)
    known = files.record_of(place, change.real) if change.updates else None
    backup = files.back_up(place, change.real, change.before, now) if change.before is not None else None
    if change.after is None:
        files.remove(change.real, change.before or b"", ())
        return backup
    made = files.write(change.real, change.after, change.before)
    if known is None:
        files.keep(place, files.Record(change.real, backup, made))
    return backup


def uninstall(change: Change, scope: str, here: Machine, now: float) -> str | None:
    """Takes our hooks out of the file; the result is where its bytes from before are kept, if anything of them is lost.

    Nothing is where the file is what it was before we came. Raises OSError.
    """
    place = store(scope, here)
    known = files.record_of(place, change.real)
    backup = None
    if not _is_restored(change, known) and change.before is not None:
        backup = files.back_up(place, change.real, change.before, now)
    if change.after is None:
        files.remove(change.real, change.before or b"", change.directories)
    else:
        files.write(change.real, change.after, change.before)
    if known is not None:
        files.forget(place, known, backup=backup is None)
    return backup


def _is_restored(change: Change, record: files.Record | None) -> bool:
    if record is None:
        return False
    try:
        return change.after == (None if record.backup is None else files.current(record.backup))
    except OSError:
        return False


def difference(change: Change) -> list[str]:
    """Return the change as lines of a unified diff."""
    before, after = change.before, change.after
    names = (change.path if before is not None else os.devnull, change.path if after is not None else os.devnull)
    return list(difflib.unified_diff(_lines(before), _lines(after), *names, lineterm=""))


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").splitlines()

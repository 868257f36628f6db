"""An agent's settings with our hooks in them, and without: text in, text out.

INVARIANT: what is not ours stays, byte for byte: `without(with_ours(text, ...), text) == text` for every text that has
no hook of rulez.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulez_py.install import jsonc
from rulez_py.install.entries import KEY, Entry, Json, Program, by_event, entries_in, is_rulez, recalled

if TYPE_CHECKING:
    from collections.abc import Sequence


_ADDED = ("version",)
"""Keys of a whole file that `with_ours` adds where they are missing."""


def with_ours(text: str, wanted: Json, called: Program) -> str:
    """Return the settings with each hook of rulez once and up to date.

    `wanted` is what a file with nothing else would hold. Raises Unreadable.
    """
    if not text.strip("\ufeff \t\r\n"):
        return text[: text.startswith("\ufeff")] + jsonc.formatted(wanted)
    _expect(text, (), dict, "an object")
    listed, events = isinstance(wanted[KEY], list), by_event(wanted[KEY])
    before, text = text, _without_leftovers(text, events)
    text = _with_root_keys(text, wanted)
    if jsonc.at(jsonc.parse(text), (KEY,)) is None:
        return jsonc.added(text, (), wanted[KEY], KEY)
    if not listed:
        _expect(text, (KEY,), dict, "an object with a list for each event")
    for event, groups in events.items():
        text = _with_event(text, event, groups, (KEY,) if listed else (KEY, event))
    for entry in entries_in(jsonc.parse(text).value):
        if entry.event not in events:
            text = _updated(text, entry.path, called)
    return before if jsonc.parse(text).value == jsonc.parse(before).value else text


def _with_root_keys(text: str, wanted: Json) -> str:
    """With what a file with hooks has to say besides: without its `version`, Cursor reads none of them."""
    there = jsonc.parse(text).value
    for key, value in wanted.items():
        if key != KEY and key not in there:
            text = jsonc.added(text, (), value, key)
    return text


def _without_leftovers(text: str, wanted: Json) -> str:
    """Without what no update can use: doubles, what shares its group with others' hooks, what RuleZ alone knows."""
    seen: set[str] = set()
    superfluous: list[Entry] = []
    for entry in entries_in(jsonc.parse(text).value):
        useless = entry.event in seen or not entry.alone if entry.event in wanted else is_rulez(entry.command)
        if useless:
            superfluous.append(entry)
        elif entry.event in wanted:
            seen.add(entry.event)
    for entry in reversed(superfluous):
        text = _removed(text, entry, keep_list=entry.event in wanted)
    return text


def _with_event(text: str, event: str, groups: Sequence[Json], path: jsonc.Path) -> str:
    """With our hook at an event; `path` is the place of the list with it."""
    if jsonc.at(jsonc.parse(text), path) is None:
        return jsonc.added(text, (KEY,), groups, event)
    _expect(text, path, list, "a list of hooks")
    ours = next((entry for entry in entries_in(jsonc.parse(text).value) if entry.event == event), None)
    if ours is None:
        for group in groups:
            text = jsonc.added(text, path, group)
        return text
    there: jsonc.Path = (*path, ours.group)
    node = jsonc.at(jsonc.parse(text), there)
    return text if node is not None and node.value == groups[0] else jsonc.replaced(text, there, groups[0])


def _updated(text: str, path: jsonc.Path, called: Program) -> str:
    node = jsonc.at(jsonc.parse(text), path)
    if node is None or recalled(node.value, called) == node.value:
        return text
    return jsonc.replaced(text, path, recalled(node.value, called))


def _expect(text: str, path: jsonc.Path, kind: type, what: str) -> None:
    node = jsonc.at(jsonc.parse(text), path)
    if node is None or not isinstance(node.value, kind):
        name = f"`{'.'.join(map(str, path))}`" if path else "the file"
        raise jsonc.Unreadable(text, node.start if node else 0, f"{name} is not {what}")


def without(text: str, like: str | None = None) -> str:
    """Return the settings without our hooks, and without the lists and objects that were there for them alone.

    `like` is the text from before they were put in, which says what was there already. Raises Unreadable.
    """
    if like is not None and not like.strip("\ufeff \t\r\n"):
        rest = without(text)
        return like if set(jsonc.parse(rest).value) <= set(_ADDED) else rest
    if like is not None:
        text = _without_root_keys(text, like)
    for entry in reversed(list(entries_in(jsonc.parse(text).value))):
        text = _removed(text, entry, like=like)
    return text


def _without_root_keys(text: str, like: str) -> str:
    there, before = jsonc.parse(text).value, jsonc.parse(like).value
    for key in _ADDED:
        if isinstance(before, dict) and key in there and key not in before:
            text = jsonc.removed(text, (key,))
    return text


def _removed(text: str, entry: Entry, *, like: str | None = None, keep_list: bool = False) -> str:
    group = entry.whole
    text = jsonc.removed(text, group if entry.alone else entry.path)
    if not entry.alone and jsonc.is_empty(text, (*group, "hooks")):
        text = jsonc.removed(text, group)
    for path in dict.fromkeys((entry.above, (KEY,), ())) if not keep_list else ():
        if not jsonc.is_empty(text, path):
            break
        before = jsonc.inside(like, path) if like is not None else None
        if before is not None:
            return _refilled(text, path, before)
        if not path or (jsonc.inside(text, path) or "").strip(jsonc.BLANKS):
            break
        text = jsonc.removed(text, path)
    return text


def _refilled(text: str, path: jsonc.Path, before: str) -> str:
    """Return the empty list or object with the blanks that were in it, where it held nothing before as well."""
    between = jsonc.inside(text, path) or ""
    same = between.strip(jsonc.BLANKS) == before.strip(jsonc.BLANKS)
    return jsonc.refilled(text, path, before) if same else text


def is_ours_alone(text: str, wanted: Json) -> bool:
    """Tell if nothing is left but what rulez writes into a new file besides the hooks."""
    value = jsonc.parse(text).value
    return isinstance(value, dict) and all(name in wanted and wanted[name] == value[name] for name in value)

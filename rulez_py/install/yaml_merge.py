"""An agent's YAML settings with our hooks in them, and without: text in, text out.

INVARIANT: what is not ours stays, byte for byte: `without(with_ours(text, ...), text) == text` for every text that has
no hook of rulez.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulez_py.install import yamlc
from rulez_py.install.entries import KEY, entries_in, recalled
from rulez_py.install.jsonc import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulez_py.install.entries import Json, Program


def with_ours(text: str, wanted: Json, called: Program) -> str:
    """Return the settings with each hook of rulez once and up to date.

    `wanted` is what a file with nothing else would hold. Raises Unreadable.
    """
    further = {event: [recalled(entry, called)] for event, entry in _ours(text) if event not in wanted[KEY]}
    wanted = {KEY: {**wanted[KEY], **further}}
    if sorted(map(str, _ours(text))) == sorted(map(str, _listed(wanted))):
        return text
    _check(text, wanted)
    rest = _rest(text)
    bare = text
    for entry in reversed(list(entries_in(yamlc.value(text)))):
        bare = yamlc.removed(bare, entry.path)
    new = _placed(bare, wanted)
    try:
        fits = _rest(new) == rest and sorted(map(str, _ours(new))) == sorted(map(str, _listed(wanted)))
    except Unreadable:
        fits = False
    if not fits:
        at = yamlc.parse(text).part(KEY)
        message = f"rulez' lines do not fit below `{KEY}` as it is written here: put them there by hand"
        raise Unreadable(text, at.start if at else 0, message)
    return new


def _check(text: str, wanted: Json) -> None:
    """Raise Unreadable, with the place in this text, where our hooks do not fit."""
    content = yamlc.value(text)
    if not isinstance(content, dict):
        raise Unreadable(text, 0, "the file is not a map of settings")
    yamlc.takes_lines(text, ())
    if KEY not in content:
        return
    there = content[KEY] or {}
    if not isinstance(there, dict):
        node = yamlc.parse(text).part(KEY)
        raise Unreadable(text, node.start if node else 0, f"`{KEY}` is not a map with a list for each event")
    for path in ((KEY,), *((KEY, event) for event in wanted[KEY] if event in there)):
        yamlc.takes_lines(text, path)


def _placed(text: str, wanted: Json) -> str:
    if KEY not in yamlc.value(text):
        return yamlc.added(text, (), KEY, wanted[KEY])
    there = yamlc.value(text)[KEY] or {}
    for event, groups in wanted[KEY].items():
        if event not in there:
            text = yamlc.added(text, (KEY,), event, groups)
        for group in groups if event in there else ():
            text = yamlc.appended(text, (KEY, event), group)
    return text


def _ours(text: str) -> Iterator[tuple[str, Json]]:
    """Yield each hook of rulez with its event."""
    content = yamlc.value(text)
    for entry in entries_in(content):
        hook: Any = content
        for name in entry.path:
            hook = hook[name]
        yield entry.event, hook


def _listed(wanted: Json) -> list[tuple[str, Json]]:
    return [(event, group) for event, groups in wanted[KEY].items() for group in groups]


def _rest(text: str) -> dict[Any, Any]:
    """Return what the settings say besides our hooks, empty lists of hooks aside."""
    content = yamlc.value(text)
    if not isinstance(content, dict) or not isinstance(content.get(KEY) or {}, dict):
        return {"": content}
    ours = {(entry.event, entry.group) for entry in entries_in(content)}
    left: dict[str, Any] = {}
    for event, groups in (content.get(KEY) or {}).items():
        listed = isinstance(groups, list)
        others = [one for number, one in enumerate(groups) if (event, number) not in ours] if listed else groups
        if others:
            left[event] = others
    return {**content, KEY: left}


def without(text: str, like: str | None = None) -> str:
    """Return the settings without our hooks, and without the lists that were there for them alone.

    `like` is the text from before they were put in, which says what was there already. Raises Unreadable.
    """
    ours = list(entries_in(yamlc.value(text)))
    if not ours:
        return text
    if like is not None and _is_that_with_ours(text, like):
        return like
    for entry in reversed(ours):
        text = yamlc.removed(text, entry.path)
        if not yamlc.value(text)[KEY][entry.event]:
            text = yamlc.removed(text, (KEY, entry.event))
    if yamlc.value(text)[KEY]:
        return text
    had = like is not None and KEY in yamlc.value(like)
    return yamlc.emptied(text, (KEY,)) if had else yamlc.removed(text, (KEY,))


def _is_that_with_ours(text: str, like: str) -> bool:
    """Tell whether a text is this one with our hooks in it, and nothing else is changed."""
    groups: dict[str, list[Json]] = {}
    for event, hook in _ours(text):
        groups.setdefault(event, []).append(hook)
    try:
        return _placed(like, {KEY: groups}) == text
    except Unreadable:
        return False

"""The question to a person about a call: the beginning of every argument, and the name of each that is cut. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from rulez_py.verdict import visible

_MOST_SHOWN = 2_000
"""Characters of all values together; where they have more, the longest are cut until it fits."""
_LEAST_SHOWN = 60
"""Characters of each value, however many there are."""
_MOST_VALUES = 50
_LONGEST_NAME = 80


def question(reason: str, tool: str, server: str, arguments: Mapping[str, object]) -> str | None:
    """Return the question whether a call may run; None where it has more arguments than a question can list."""
    if len(arguments) > _MOST_VALUES:
        return None
    values = [(_cut(name, _LONGEST_NAME), _json(value)) for name, value in _parts(arguments)]
    most = _fitting([len(text) for _name, text in values])
    run = f"May {_cut(visible(tool), _LONGEST_NAME)} of {server} run with "
    lost = ", ".join(f"{name} ({len(text) - most:,} characters)" for name, text in values if len(text) > most)
    lines = [reason, "", run + ("this?" if values else "no arguments?")]
    lines += [f"Cut, the end of it is not shown: {lost}"] if lost else []
    return "\n".join(lines + [f"{name}: {_cut(text, most)}" for name, text in values])


def _parts(arguments: Mapping[str, object]) -> list[tuple[str, object]]:
    """Return what is in the arguments, each value with its name.

    What lies in others by itself, where there is room for all.

    A long text must not hide the values after it in the same list or object.
    """
    parts: list[tuple[str, object]] = [(_name(key), value) for key, value in arguments.items()]
    while True:
        room = _MOST_VALUES - len(parts)
        sizes = [(len(value), at) for at, (_, value) in enumerate(parts) if isinstance(value, dict | list) and value]
        size, at = min(sizes, default=(0, 0))
        if not size or size - 1 > room:
            return parts
        parts[at : at + 1] = _inside(*parts[at])


def _inside(name: str, value: object) -> list[tuple[str, object]]:
    if isinstance(value, dict):
        return [(f"{name}.{_name(key)}", inner) for key, inner in value.items()]
    assert isinstance(value, list)
    return [(f"{name}[{at}]", inner) for at, inner in enumerate(value)]


def _name(key: str) -> str:
    """Return a name as it is; quote one that could be taken for more than a name."""
    return key if key.replace("-", "_").isidentifier() and key.isascii() else _json(key)


def _json(value: object) -> str:
    """Return a value on one line, with nothing in it that a screen obeys."""
    return visible(json.dumps(value, ensure_ascii=False))


def _fitting(lengths: Sequence[int]) -> int:
    """Return the most characters of one value with which all of them fit."""
    room = _MOST_SHOWN
    for done, length in enumerate(sorted(lengths)):
        share = room // (len(lengths) - done)
        if length > share:
            return max(share, _LEAST_SHOWN)
        room -= length
    return _MOST_SHOWN


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + "…"

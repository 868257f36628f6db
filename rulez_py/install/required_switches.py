"""Switches beside rulez' hooks in the machine's settings: with them, only root can turn the hooks off.

Each turns one on in a text, or back to what it was in the text from before: `like`.
"""

from __future__ import annotations

import re
from typing import Any

from rulez_py.install import jsonc, lines, tomlc

MARK = "# rulez keeps its hooks on"
"""The mark after each line that rulez writes into a file that is not JSON."""


def json_on(text: str, key: str, value: bool = True) -> str:
    """Settings with this value at a dotted key. Raises Unreadable where what is on the way is no object."""
    *above, name = key.split(".")
    for depth in range(len(above) + 1):
        node = jsonc.at(jsonc.parse(text), tuple(above[:depth]))
        if node is None:
            inner: Any = value
            for missing in reversed([*above[depth:], name]):
                inner = {missing: inner}
            return jsonc.added(text, tuple(above[: depth - 1]), inner, above[depth - 1])
        if not isinstance(node.value, dict):
            raise jsonc.Unreadable(text, node.start, f"`{'.'.join(above[:depth])}` is not an object")
    node = jsonc.at(jsonc.parse(text), (*above, name))
    if node is None:
        return jsonc.added(text, tuple(above), value, name)
    return text if node.value is value else jsonc.replaced(text, (*above, name), value)


def json_back(text: str, key: str, like: str, value: bool = True) -> str:
    """Settings in which the key is what it was."""
    path: jsonc.Path = tuple(key.split("."))
    now, before = jsonc.at(jsonc.parse(text), path), jsonc.at(jsonc.parse(like), path)
    if now is None or now.value is not value:
        return text  # It has been edited since.
    if before is not None:
        return text if before.value is value else jsonc.replaced(text, path, before.value)
    text = jsonc.removed(text, path)
    while len(path) > 1:
        path = path[:-1]
        if not jsonc.is_empty(text, path):
            break
        between = jsonc.inside(like, path)
        if between is not None:
            return jsonc.refilled(text, path, between)
        text = jsonc.removed(text, path)
    return text


def toml_on(text: str, key: str) -> str:
    """TOML with `true` at a key of one of its tables. Raises Unreadable where it cannot be written in plainly."""
    table, _, name = key.partition(".")
    before = tomlc.value(text)
    found = before.get(table, {})
    if isinstance(found, dict) and found.get(name) is True:
        return text
    newline = lines.end(text)
    header = re.search(rf"^[ \t]*\[[ \t]*{re.escape(table)}[ \t]*\][^\r\n]*", text, re.M)
    line = f"{name} = true {MARK}"
    if header:
        new = f"{text[: header.end()]}{newline}{line}{text[header.end() :]}"
    else:
        new = f"{text}{'' if not text or text.endswith(newline) else newline}[{table}] {MARK}{newline}{line}{newline}"
    wanted = {**before, table: {**(found if isinstance(found, dict) else {}), name: True}}
    try:
        fits = tomlc.value(new) == wanted
    except jsonc.Unreadable:
        fits = False
    if not fits:
        raise jsonc.Unreadable(text, max(text.find(table), 0), f"write `{name} = true` into `{table}` here by hand")
    return new


def toml_back(text: str, like: str) -> str:
    """TOML without our lines."""
    rest = "".join(line for line in text.splitlines(keepends=True) if MARK not in line)
    return like if rest.rstrip("\r\n") == like.rstrip("\r\n") else rest

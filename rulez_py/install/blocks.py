"""Rulez' lines in a file of the person's: from the line that begins them to the line that ends them.

INVARIANT: what is not ours stays, byte for byte, but for the end of a last line without one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rulez_py.install import jsonc, lines, tomlc

if TYPE_CHECKING:
    from rulez_py.platforms.settings import HookPlace

_HOOKS = "hooks"


def called(hook: dict[str, Any]) -> object:
    """Return what tells one of our hooks from the others: its name, or its event where hooks have no names."""
    return hook.get("name", hook.get("event"))


def inside(known: HookPlace, text: str) -> str:
    """Return our lines, with line feeds alone; "" where there are none."""
    match = _ours(known).search(text)
    return match[0].replace("\r\n", "\n") if match else ""


def line(known: HookPlace, text: str) -> int:
    """Return the number of the line with which ours begin; 0 where there are none."""
    match = _ours(known).search(text)
    return text.count("\n", 0, match.start()) + 1 if match else 0


def _ours(known: HookPlace) -> re.Pattern[str]:
    begins, ends = re.escape(known.begins), re.escape(known.ends)
    return re.compile(rf"^{begins}\b.*?^{ends}[ \t]*(?:\r?\n|\Z)", re.M | re.S)


def placed(known: HookPlace, text: str, block: str) -> str:
    """Return the text with these lines in the place of ours, else behind all others. Raises Unreadable."""
    tomlc.value(text)
    rest = without(known, text)
    if "\r\n" in text:
        block = block.replace("\n", "\r\n")
    match = _ours(known).search(text)
    if match:
        new = text[: match.start()] + block + text[match.end() :]
    else:
        end = lines.end(text)
        new = text + ("" if not text or text.endswith("\n") else end) + (end if text.strip() else "") + block
    _fits(text, tomlc.value(rest), new, tomlc.value(block))
    return new


def without(known: HookPlace, text: str, like: str | None = None) -> str:
    """Return the text without our lines; `like` is the one from before they were put in."""
    match = _ours(known).search(text)
    if not match:
        return text
    before, after = text[: match.start()], text[match.end() :]
    if not after:
        before = re.sub(r"(?<=\n)\r?\n\Z", "", before)
    rest = before + after
    return like if like is not None and like.rstrip("\r\n") == rest.rstrip("\r\n") else rest


def _fits(text: str, before: dict[str, Any], new: str, ours: dict[str, Any]) -> None:
    """Raise Unreadable where the agent would not take both: what was there, and each of our hooks by its name."""
    names = {hook["name"] for hook in ours[_HOOKS] if "name" in hook}
    others = before.get(_HOOKS, [])
    for hook in others if isinstance(others, list) else ():
        if isinstance(hook, dict) and hook.get("name") in names:
            at = max(text.find(f'"{hook["name"]}"'), 0)
            raise jsonc.Unreadable(text, at, f"a hook of your own is named {hook['name']!r}: give it another name")
    try:
        there = tomlc.value(new)
    except jsonc.Unreadable:
        there = {}
    listed = there.get(_HOOKS)
    if not isinstance(listed, list) or [hook for hook in listed if hook not in ours[_HOOKS]] != others:
        at = max(text.find(_HOOKS), 0)
        raise jsonc.Unreadable(text, at, "`hooks` is no list of tables: write each hook below a line `[[hooks]]`")

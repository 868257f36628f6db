"""Find rulez' hooks in an agent's settings, in any of its files."""

from __future__ import annotations

import os
import shlex
import tomllib
from typing import TYPE_CHECKING, Any, NamedTuple

from rulez_py.install import blocks, jsonc, yamlc
from rulez_py.install.entries import command_of, entries_in, is_yaml, plugin_words
from rulez_py.install.places import candidates, hooks
from rulez_py.platforms.settings import COMMAS, COMMENTS, MARK
from rulez_py.system.files import read_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulez_py.install.places import Machine


class Odd(NamedTuple):
    """A part of a settings file that keeps its agent from reading it, with its place: no hook in it is called."""

    what: str
    at: tuple[int, int]


def not_read_for(platform: str, text: str) -> tuple[Odd, ...]:
    """Return why this agent would not read settings of this text, which are readable otherwise; () where it does."""
    if not hooks(platform).loses or not text.strip("\ufeff" + jsonc.BLANKS):
        return ()
    there = jsonc.beyond(text)
    places = {COMMENTS: there.comment, COMMAS: there.comma, MARK: there.mark}
    return tuple(Odd(what, at) for what in hooks(platform).loses if (at := places[what]) is not None)


LARGEST = 16 * 1024 * 1024
"""Bytes of a settings file that are read."""


class Found(NamedTuple):
    """A hook of rulez in a file of an agent. `entry` is all of it, as the agent reads it; {} for a plugin.

    `event` is "" for a plugin, which has all of them; `line` is where the hook begins, 0 where that is not known; `at`
    is its place in the settings.
    """

    platform: str
    scope: str
    path: str
    line: int
    event: str
    command: str
    entry: dict[str, Any]
    at: jsonc.Path = ()


class Unread(NamedTuple):
    """A file in which an agent looks for hooks, and which cannot be read: why, and where."""

    path: str
    at: tuple[int, int]
    message: str


def found(platform: str, scope: str, here: Machine) -> tuple[tuple[Found, ...], tuple[Unread, ...]]:
    """Our hooks in every file that the agent looks for them in, and which of these files cannot be read."""
    ours: list[Found] = []
    unread: list[Unread] = []
    for path in candidates(platform, scope, here):
        try:
            ours += _in_file(platform, scope, path)
        except jsonc.Unreadable as error:
            unread.append(Unread(path, error.at, error.message))
        except (OSError, ValueError) as error:
            unread.append(Unread(path, (1, 1), getattr(error, "strerror", None) or str(error)))
    return tuple(ours), tuple(unread)


def read(path: str) -> bytes:
    """Return the bytes of a settings file. Raises OSError."""
    data = b"".join(read_pieces(path, LARGEST + 1))
    if len(data) > LARGEST:
        raise OSError(f"larger than {LARGEST // 1024 // 1024} MiB")
    return data


def decoded(data: bytes) -> str:
    """Return their text. Raises Unreadable."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        good = data[: error.start].decode()
        raise jsonc.Unreadable(good, len(good), "this is not UTF-8") from None


def _in_file(platform: str, scope: str, path: str) -> Iterator[Found]:
    text = decoded(read(path))
    known = hooks(platform)
    if known.begins:
        words = plugin_words(platform, text)
        if known.ends:
            tomllib.loads(text.removeprefix("\ufeff"))
        if words:
            command = shlex.join((*words, "hook", "--platform", platform))
            event = dict(known.scripts).get(os.path.basename(path), "")
            line = blocks.line(known, text) if known.ends else 1
            yield Found(platform, scope, path, line, event, command, {})
        return
    ending = os.path.splitext(path)[1]
    if not text.strip("\ufeff" + jsonc.BLANKS):
        return
    root = jsonc.parse(text) if ending != ".toml" and not is_yaml(path) else None
    value: Any = root.value if root is not None else yamlc.value(text) if is_yaml(path) else tomllib.loads(text)
    for one in entries_in(value):
        entry: Any = value
        for name in one.path:
            entry = entry[name]
        node = jsonc.at(root, one.path) if root is not None else None
        line = yamlc.line(text, one.path) if is_yaml(path) else jsonc.place(text, node.start)[0] if node else 0
        yield Found(platform, scope, path, line, one.event, command_of(entry), entry, one.path)

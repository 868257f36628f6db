"""A tool call as an agent tells it, in pieces, and the calls of canonical tools that it is. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulez_py.acp_proxy.agents import NAME_BEFORE, NAMES_IN_META, TITLE_IS, TOOL_OF_KIND
from rulez_py.event.arguments import canonicalise, command_lines, file_accesses
from rulez_py.platforms import tool_table

_WHOLE, _PART = "Write", "Edit"
_OF_FILES = ("Write", "Edit", "Read")


@dataclass(frozen=True)
class Diff:
    """A file with its text before, None for a new one, and after."""

    path: str
    old: str | None
    new: str


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    """What an agent has said of one call so far. `names` are what the agent calls the tool, best first."""

    key: str = ""
    kind: str = ""
    names: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    input: object = None
    told: tuple[dict[str, Any], ...] = ()
    """Inputs that a text tells as JSON, which Kimi Code sends before it asks."""
    content: tuple[object, ...] = ()
    diffs: tuple[Diff, ...] = ()
    places: tuple[str, ...] = ()

    def told_more(self, update: Mapping[str, Any]) -> ToolCall:
        """Return the call with what an update says of it; what an update leaves out stays."""
        given = update.get("rawInput")
        content = update.get("content")
        texts = _json_objects(content)
        title = _text(update.get("title"))
        if isinstance(given, dict) and isinstance(self.input, dict):
            given = {**self.input, **given}
        return replace(
            self,
            kind=_text(update.get("kind")) or self.kind,
            names=tuple(dict.fromkeys((*_names(update), *self.names))),
            titles=(*(one for one in self.titles if one != title), title) if title else self.titles,
            input=given or self.input,
            told=texts or self.told,
            content=tuple(content) if isinstance(content, list) else self.content,
            diffs=_diffs(content) or self.diffs,
            places=_places(update.get("locations")) or self.places,
        )


@dataclass(frozen=True)
class Calls:
    """The calls that a policy can judge, as (canonical tool, arguments), and whether they are all that is asked for."""

    calls: tuple[tuple[str, dict[str, Any]], ...]
    whole: bool


def calls(call: ToolCall, platform: str) -> Calls:
    """Return what a call of a platform's tool is to a policy.

    Its arguments, and the files of diffs that these do not name. Where neither says what it does, the files it
    touches or its title are judged as well, and that is not `whole`.
    """
    arguments = _arguments(call)
    tool = _tool(call, platform, arguments)
    found: list[tuple[str, dict[str, Any]]] = [(tool, arguments)] if arguments else []
    named = [file.path for file in file_accesses(tool, canonicalise(arguments, tool), arguments)]
    shown = [_of_diff(diff, tool) for diff in call.diffs if not _is_among(named, diff.path)]
    if shown or _says_what(tool, arguments):
        return Calls((*found, *shown), True)
    if tool in TITLE_IS:
        found += [(tool, {TITLE_IS[tool]: title}) for title in call.titles[-1:]]
    else:
        found += [(tool, {"file_path": place}) for place in call.places]
    return Calls(tuple(found), False)


def _says_what(tool: str, arguments: Mapping[str, Any]) -> bool:
    """Tell whether arguments say what a tool does: to which files, by which command."""
    known = canonicalise(arguments, tool)
    if tool == "Bash":
        return bool(command_lines(tool, known, arguments))
    return bool(file_accesses(tool, known, arguments)) if tool in _OF_FILES else bool(arguments)


def _arguments(call: ToolCall) -> dict[str, Any]:
    given = call.input
    if isinstance(given, (str, list)) and given:
        return {"command" if call.kind == "execute" else "input": given}
    if isinstance(given, dict) and given:
        return given
    return call.told[-1] if call.told else {}


def _tool(call: ToolCall, platform: str, arguments: Mapping[str, Any]) -> str:
    """Return the canonical name of a call's tool, or what the agent calls one that has none."""
    of_platform = tool_table.inbound(platform)
    names = [*call.names]
    before, between, _ = call.key.partition(NAME_BEFORE)
    if platform == "gemini" and between:
        names.append(before)
    for name in names:
        if name in of_platform or name in tool_table.CANONICAL:
            return tool_table.canonical_name(platform, name)
    of_kind = TOOL_OF_KIND.get(call.kind)
    if of_kind is None and names:
        return names[0]
    if of_kind is None:
        # A title can be the model's text, so it names a tool only where nothing else says what the call is.
        titled = [title for title in call.titles if title in of_platform]
        return tool_table.canonical_name(platform, titled[0]) if titled else _by_arguments(arguments, call.kind)
    return _by_arguments(arguments, of_kind) if of_kind == _PART else of_kind


def _by_arguments(arguments: Mapping[str, Any], otherwise: str) -> str:
    """Return the tool that has such arguments."""
    known = canonicalise(arguments, _PART)
    if any(key in known for key in ("old_string", "new_string", "patch", "edits")):
        return _PART
    if "content" in known and "file_path" in known:
        return _WHOLE
    if otherwise in TOOL_OF_KIND.values():
        return otherwise
    return "Bash" if "command" in known else "WebFetch" if "url" in known else otherwise or "other"


def _of_diff(diff: Diff, tool: str) -> tuple[str, dict[str, Any]]:
    """Return the write or the edit that a diff shows; of an edit the lines from the first that changes to the last."""
    if tool == _WHOLE or not diff.old:
        return _WHOLE, {"file_path": diff.path, "content": diff.new}
    old, new = diff.old.splitlines(keepends=True), diff.new.splitlines(keepends=True)
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    texts = ("".join(lines[start : len(lines) - end]) for lines in (old, new))
    return _PART, {"file_path": diff.path, **dict(zip(("old_string", "new_string"), texts, strict=True))}


def _is_among(named: list[str], path: str) -> bool:
    """Tell whether arguments name this file, whole or from the project."""
    return any(path == one or (one[:1] != "/" and path.endswith("/" + one.removeprefix("./"))) for one in named)


def _names(update: Mapping[str, Any]) -> list[str]:
    found = [_text(update.get("name"))]
    for keys in NAMES_IN_META:
        value: object = update.get("_meta")
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        found.append(_text(value))
    return [name for name in found if name]


def _json_objects(content: object) -> tuple[dict[str, Any], ...]:
    """Return the objects that texts of a call's content are, each as JSON."""
    found = []
    for item in _items(content):
        inner = item.get("content")
        text = _text(inner.get("text")) if isinstance(inner, dict) else ""
        if text.startswith("{"):
            try:
                value = json.loads(text)
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict) and value:
                found.append(value)
    return tuple(found)


def _diffs(content: object) -> tuple[Diff, ...]:
    return tuple(
        Diff(item["path"], item.get("oldText") if isinstance(item.get("oldText"), str) else None, item["newText"])
        for item in _items(content)
        if item.get("type") == "diff" and isinstance(item.get("path"), str) and isinstance(item.get("newText"), str)
    )


def _places(locations: object) -> tuple[str, ...]:
    return tuple(filter(None, (_text(item.get("path")) for item in _items(locations))))


def _items(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""

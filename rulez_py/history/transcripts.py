"""Past calls, out of logs and of the transcripts that agents keep; which it is, the content tells.

Seen in transcripts that the agents themselves have written (docs/cli.md names the versions). What cannot be read is
left out: the forms are the agents' own affair and change.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulez_py.history.reading import Query, entry_of, lines
from rulez_py.hook.values import platform_of
from rulez_py.log.redact import MARK
from rulez_py.platforms import PLATFORMS, adapter
from rulez_py.system import jsontext

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

SQLITE = b"SQLite format 3\0"
BEFORE = "PreToolUse"
_WHOLE = {"Bash": "command", "Read": "file_path", "WebFetch": "url"}
"""Tools -> the argument that the log keeps; it is all that rules ask for."""
_CUT = "…"
_CODEX_SHELLS = ("exec_command", "shell", "shell_command", "local_shell")


@dataclass(frozen=True)
class Past:
    """A call of the past: who made which, where and when. `verdict` is what was decided, "" where that is not known.

    `inexact` says why it cannot be judged as it was; "" where it can.
    """

    platform: str
    tool: str
    arguments: Any
    cwd: str = ""
    session: str = ""
    time: str = ""
    verdict: str = ""
    rule: str = ""
    inexact: str = ""

    def payload(self) -> dict[str, object]:
        """Return what the agent would send its hook."""
        events = adapter(self.platform).EVENTS
        native = next(name for name, spec in events.items() if BEFORE in spec.types)
        return {
            "session_id": self.session or "replay",
            "hook_event_name": native,
            "cwd": self.cwd,
            "tool_name": self.tool,
            "tool_input": self.arguments,
        }


def past_calls(path: str) -> Iterator[Past]:
    """Yield the calls of a log or a transcript, in order. Raises OSError, and ValueError for any other form."""
    with open(path, "rb") as file:
        first = file.read(len(SQLITE))
    if first == SQLITE:
        yield from _opencode(path)
        return
    read: Callable[[dict[str, Any]], Iterator[Past]] | None = None
    some = False
    for line in lines([path]):
        try:
            record = jsontext.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(record, dict):
            continue
        some = True
        if read is None:
            read = _reader(record)
        if read is not None:
            yield from read(record)
        elif _is_of_log(record):
            past = of_log(line)
            if past is not None:
                yield past
    if read is None and some and not _holds_log(path):
        raise ValueError("neither a log of rulez nor a transcript in a form that rulez knows")


def _is_of_log(record: dict[str, Any]) -> bool:
    return "verdict" in record and "time" in record


def _holds_log(path: str) -> bool:
    return any(entry_of(line) is not None for line in lines([path]))


def of_log(line: bytes) -> Past | None:
    """Return the call that a line of the log is about; None where it is about none before a tool."""
    entry = entry_of(line)
    if entry is None or not Query().fits(entry):
        return None
    platform = platform_of(entry["platform"])
    if platform not in PLATFORMS:
        return None
    if BEFORE not in entry["event"] or not entry["tool"]:
        return None
    text, tool = entry["input"], entry["tool"]
    inexact = ""
    if tool not in _WHOLE:
        inexact = "the log does not keep all arguments of this tool"
    elif text.endswith(_CUT):
        inexact = "the log has cut its input"
    elif MARK in text:
        inexact = "the log has redacted its input"
    own = entry.get("platform_tool")
    return Past(
        platform=platform,
        tool=own if isinstance(own, str) and own else tool,
        arguments={_WHOLE.get(tool, "command"): text},
        cwd=entry["cwd"],
        session=entry["session"],
        time=entry["time"],
        verdict=entry["verdict"],
        rule=entry["rule"],
        inexact=inexact,
    )


# The agents' own forms: each reader is given one record after the other.


def _reader(record: dict[str, Any]) -> Callable[[dict[str, Any]], Iterator[Past]] | None:
    """Return who reads a transcript with this record in it; None where the record does not tell."""
    if record.get("type") == "session_meta" and isinstance(record.get("payload"), dict):
        return _Codex().read
    if record.get("type") == "session.start" and isinstance(record.get("data"), dict):
        return _Copilot().read
    if "projectHash" in record and "sessionId" in record:
        return _Gemini().read
    if "sessionId" in record and "type" in record:
        return _claude
    return None


def _claude(record: dict[str, Any]) -> Iterator[Past]:
    content = _object(record.get("message")).get("content")
    if record.get("type") != "assistant" or not isinstance(content, list):
        return
    for one in map(_object, content):
        if one.get("type") == "tool_use":
            yield _past("claude", one.get("name"), one.get("input"), record, record.get("sessionId"), record.get("cwd"))


class _Codex:
    def __init__(self) -> None:
        self.session, self.cwd = "", ""

    def read(self, record: dict[str, Any]) -> Iterator[Past]:
        said = _object(record.get("payload"))
        if record.get("type") in ("session_meta", "turn_context"):
            self.session = _text(said.get("id")) or self.session
            self.cwd = _text(said.get("cwd")) or self.cwd
        kind, name = said.get("type"), _text(said.get("name"))
        if record.get("type") != "response_item":
            return
        if kind == "custom_tool_call":
            yield _past("codex", name, {"command": said.get("input")}, record, self.session, self.cwd)
        elif kind == "function_call":
            try:
                arguments = jsontext.loads(_text(said.get("arguments")))
            except ValueError:
                return
            if name in _CODEX_SHELLS:
                arguments = _object(arguments)
                where = _text(arguments.get("workdir")) or self.cwd
                command = arguments.get("cmd", arguments.get("command"))
                yield _past("codex", "Bash", {"command": command}, record, self.session, where)
                return
            server = _text(said.get("namespace"))
            tool = f"{server}__{name}" if server.startswith("mcp__") else name
            yield _past("codex", tool, arguments, record, self.session, self.cwd)


class _Copilot:
    def __init__(self) -> None:
        self.session, self.cwd = "", ""

    def read(self, record: dict[str, Any]) -> Iterator[Past]:
        said = _object(record.get("data"))
        if record.get("type") == "session.start":
            self.session = _text(said.get("sessionId"))
            self.cwd = _text(_object(said.get("context")).get("cwd"))
        elif record.get("type") == "tool.execution_start":
            yield _past("copilot", said.get("toolName"), said.get("arguments"), record, self.session, self.cwd)


class _Gemini:
    def __init__(self) -> None:
        self.session = ""
        self.seen: set[str] = set()

    def read(self, record: dict[str, Any]) -> Iterator[Past]:
        self.session = _text(record.get("sessionId")) or self.session
        calls = record.get("toolCalls")
        for call in map(_object, calls if isinstance(calls, list) else ()):
            # A message is written again when its calls have ended.
            own = _text(call.get("id"))
            if own not in self.seen:
                self.seen.add(own)
                yield _past("gemini", call.get("name"), call.get("args"), record, self.session, "")


def _opencode(path: str) -> Iterator[Past]:
    import sqlite3
    from urllib.parse import quote

    try:
        database = sqlite3.connect(f"file:{quote(os.path.abspath(path))}?mode=ro", uri=True)
        try:
            query = (
                "select part.data, part.session_id, session.directory from part join session "
                "on session.id = part.session_id order by part.time_created, part.id"
            )
            for data, session, directory in database.execute(query):
                part = _object(jsontext.loads(data))
                if part.get("type") == "tool":
                    arguments = _object(part.get("state")).get("input")
                    yield _past("opencode", part.get("tool"), arguments, {}, session, directory)
        finally:
            database.close()
    except (sqlite3.Error, ValueError) as error:
        raise ValueError(f"not a database of OpenCode as rulez knows it: {error}") from None


def _past(platform: str, tool: object, arguments: object, record: dict[str, Any], session: object, cwd: object) -> Past:
    return Past(platform, _text(tool), arguments, _text(cwd), _text(session), _text(record.get("timestamp")))


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def all_calls(paths: Iterable[str]) -> Iterator[Past]:
    """Yield the calls of several files."""
    for path in paths:
        yield from past_calls(path)

"""The decision log: one JSON line per hook call in `audit.jsonl`, rotated by size. Denials, questions and
calls with a checkpoint are also in `denied.jsonl`.

INVARIANT: the log never changes or fails a hook call, and is written when the answer is out; where it cannot be
written, it is not. No line holds the payload, the environment, or a secret that `redact` knows.
"""

from __future__ import annotations

import os
import time

from rulez_py import __version__
from rulez_py.log.redact import redact_each
from rulez_py.system import jsontext
from rulez_py.system.files import NO_SYMLINK, open_regular, private_directory, try_lock
from rulez_py.verdict import ASK, DENY, PASS, hides, is_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from rulez_py.event import Event
    from rulez_py.system.places import Places
    from rulez_py.verdict import Answer, Checkpoint, RuleHit, Verdict

SCHEMA = 1
"""The form of a line; it grows where a field changes its meaning or goes. Before 1 there was no number."""
FILE_NAME = "audit.jsonl"
DENIED_NAME = "denied.jsonl"
"""The lines that say deny or ask, or have a checkpoint, once more: no flood of others rotates these out."""
FILE_LIMIT = 10 * 1024 * 1024
"""Bytes after which the file becomes `audit.jsonl.1`, that one `.2`, and so on."""
KEPT = 3
"""Rotated files kept."""
OWN_SESSION = "rulez-doctor"
"""The session of calls by which `rulez doctor` tries a hook."""
PERSON = "rulez"
"""The platform of lines that say what a person has done (`rulez allow`, `pause`)."""
LINE_LIMIT = 16 * 1024
"""Bytes of one line, its newline included."""
INPUT_LIMIT = 2000
"""Characters kept of what the tool was to do."""

_ID_LIMIT = 200
# Redacting looks at more than is kept, so that no secret is cut in two and then not recognised.
_LOOKED_AT = 32 * INPUT_LIMIT
_TRIES = 3
_LEAST = ("schema", "time", "id", "verdict", "rule")
"""Characters kept of a line that no other cut makes short enough."""
_STRING_LIMITS = (4000, 1000, 300, 100, 30)


def entry_for(
    event: Event,
    verdict: Verdict,
    answer: Answer,
    milliseconds: float,
    now: float,
    policy_sources: Iterable[str] = (),
) -> dict[str, object]:
    """Return one decision as a log entry, every string redacted but the agent's id of the call.

    `now` is in seconds since the epoch; `policy_sources` are the policy files in force. `verdict` is what the policy
    said; `dropped` names the parts that the agent could not be told, `exit_code` is what the agent was told.
    """
    # The short fields that are asked for most come first: who reads a million lines need not look at the rest.
    entry: dict[str, object] = {
        "schema": SCHEMA,
        "time": iso_time(now),
        "id": os.urandom(8).hex(),
        "verdict": "",
        "rule": verdict.rule,
        "rule_source": _source_of(verdict),
        "ms": round(milliseconds, 1),
        "platform": event.platform,
        "agent_version": event.agent_version or None,
        "session": event.session_id,
        "tool_use_id": None,
        "event": list(event.types),
        "platform_event": event.native_event,
        "tool": event.tool_name,
        "platform_tool": event.platform_tool_name,
        "input": input_of(event.tool_input),
        "reason": verdict.reason,
        "failed": verdict.failed,
        "let_pass": None,
        "redacted": [] if verdict.result is None else [_kind(*one) for one in verdict.result.found],
        "checkpoints": [_checkpoint(one) for one in verdict.checkpoints],
        "rules": [{**hit.as_dict(), "decision": "", "would": ""} for hit in verdict.hits],
        "notes": [*verdict.notes, *verdict.warnings],
        "dropped": list(answer.dropped),
        "exit_code": answer.exit_code,
        "cwd": event.cwd,
        "agent_type": event.agent_type,
        "policies": list(policy_sources),
        "host": _host(),
        "user": _user(),
        "rulez": __version__,
    }
    redacted = iter(redact_each([text[:_LOOKED_AT] for text in _strings(entry)]))
    entry = {key: _with_strings(value, redacted) for key, value in entry.items()}
    entry["input"] = _cut(str(entry["input"]), INPUT_LIMIT)
    # Not redacted: a verdict is one of four words, and "pass" is one by which secrets are found. Ids of calls are what
    # agents make up, and look so much like secrets that each would cost a call the regexes.
    entry["verdict"] = verdict.decision or PASS
    entry["let_pass"] = verdict.let_pass or None
    entry["rules"] = _with_decisions(entry["rules"], verdict.hits)
    entry["checkpoints"] = _with_ids(entry["checkpoints"], verdict.checkpoints)
    entry["tool_use_id"] = _cut(event.call_id, _ID_LIMIT) or None
    return entry


def _with_decisions(rules: object, hits: Iterable[RuleHit]) -> list[object]:
    """Return the entries of the rules that matched, each with what came of it, and what would have but for its mode."""
    written = rules if isinstance(rules, list) else []
    return [
        {**rule, "decision": hit.decision or PASS, "would": hit.would or None}
        for rule, hit in zip(written, hits, strict=True)
    ]


def _checkpoint(one: Checkpoint) -> dict[str, object]:
    return {
        "id": "",
        "rule": one.rule,
        "what": one.what,
        "names": list(one.names),
        "count": one.count,
        "until": iso_time(one.until),
    }


def _kind(kind: str, count: int) -> dict[str, object]:
    return {"kind": kind, "count": count}


def _with_ids(written: object, checkpoints: Iterable[Checkpoint]) -> list[object]:
    """Return the entries of checkpoints with the names of these, which rulez itself makes up."""
    entries = written if isinstance(written, list) else []
    return [{**entry, "id": one.id} for entry, one in zip(entries, checkpoints, strict=True)]


def _source_of(verdict: Verdict) -> str | None:
    """Return the place of the rule that decided."""
    hits = (hit.source for hit in verdict.hits if hit.rule == verdict.rule and hit.decision == verdict.decision)
    return next(hits, None)


def _host() -> str:
    return os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")


def _user() -> str:
    """Return the user's name as the environment has it; where it has none, their number."""
    name = os.environ.get("LOGNAME") or os.environ.get("USER") or os.environ.get("USERNAME")
    return name or (str(os.getuid()) if hasattr(os, "getuid") else "")


def iso_time(now: float) -> str:
    """Seconds since the epoch as ISO 8601 in UTC, to the millisecond."""
    milliseconds = int(now * 1000)
    date = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(milliseconds // 1000))
    return f"{date}.{milliseconds % 1000:03d}Z"


def record(places: Places, entry: Mapping[str, object], *, file_limit: int = FILE_LIMIT, kept: int = KEPT) -> None:
    """Append an entry to the log; never raises, never waits for another process."""
    try:
        data = line(entry)
    except Exception:
        return
    lasts = entry.get("verdict") in (DENY, ASK) or bool(entry.get("checkpoints"))
    for name in (FILE_NAME, DENIED_NAME) if lasts else (FILE_NAME,):
        _add(places.state, os.path.join(places.state, name), data, file_limit, kept)


def _add(directory: str, path: str, data: bytes, file_limit: int, kept: int) -> None:
    """Append a line; raises nothing."""
    try:
        # What was held up while others rotated may have gone into a file that has been deleted since.
        for _ in range(_TRIES):
            descriptor = _open_with_room(directory, path, max(file_limit - len(data), 0), kept)
            try:
                _append(descriptor, data)
                if os.fstat(descriptor).st_nlink:
                    return
            finally:
                os.close(descriptor)
    except Exception:
        return


def _open_with_room(directory: str, path: str, room: int, kept: int) -> int:
    descriptor = _open(directory, path)
    if os.fstat(descriptor).st_size > room and _rotate(path, room, kept):
        os.close(descriptor)
        descriptor = _open(directory, path)
    return descriptor


def why_not_written(places: Places) -> str:
    """Return why the log cannot be written, in words for a person; "" where it can."""
    path = os.path.join(places.state, FILE_NAME)
    try:
        descriptor = _open(places.state, path)
        try:
            full = hasattr(os, "fstatvfs") and not os.fstatvfs(descriptor).f_bavail
        finally:
            os.close(descriptor)
    except OSError as error:
        return f"{path}: {error.strerror or error}"
    return f"{path}: no space left on the disk" if full else ""


def line(entry: Mapping[str, object]) -> bytes:
    """The entry as one line of at most LINE_LIMIT bytes: where it is longer, long strings are cut, then long lists."""
    data = _line(entry)
    for limit in _STRING_LIMITS:
        if len(data) <= LINE_LIMIT:
            return data
        entry = {key: _shortened(value, limit) for key, value in entry.items()}
        data = _line(entry)
    if len(data) > LINE_LIMIT:
        data = _line({key: value[:20] if isinstance(value, list) else value for key, value in entry.items()})
    if len(data) > LINE_LIMIT:
        data = _line({key: value for key, value in entry.items() if not isinstance(value, (list, dict))})
    return data if len(data) <= LINE_LIMIT else _line({key: entry.get(key) for key in _LEAST})


def as_json(entry: object) -> str:
    """Return the entry, or a part of one, as JSON in which nothing is hidden."""
    return _escaped(jsontext.dumps(entry))


def _line(entry: Mapping[str, object]) -> bytes:
    return as_json(entry).encode("utf-8", "replace") + b"\n"


def _escaped(text: str) -> str:
    """Return the same JSON, in which every character that a terminal obeys, hides or reorders can be seen."""
    if is_plain(text):
        return text
    return "".join(_as_json_escape(character) if hides(character) else character for character in text)


def _as_json_escape(character: str) -> str:
    units = character.encode("utf-16-be")
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in zip(units[::2], units[1::2], strict=True))


def _open(directory: str, path: str) -> int:
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | NO_SYMLINK
    try:
        return open_regular(path, flags)
    except FileNotFoundError:
        private_directory(directory)
        return open_regular(path, flags)


def _append(descriptor: int, data: bytes) -> None:
    """One write, so that lines of processes writing at once do not mix."""
    written = os.write(descriptor, data)
    if written < len(data):
        # The disk is full: end the broken line, so that it does not take the next one with it.
        os.write(descriptor, b"\n")


def _rotate(path: str, limit: int, kept: int) -> bool:
    """Tell whether there is room in a new file now; False where another process is making it, or it cannot be made.

    A process that has the old file open goes on writing to it under its new name, so nothing is lost.
    """
    try:
        lock = try_lock(f"{path}.lock")
        if lock is None:
            return False
        try:
            if os.lstat(path).st_size > limit:
                for number in range(kept, 0, -1):
                    newer = path if number == 1 else f"{path}.{number - 1}"
                    if os.path.lexists(newer):
                        os.replace(newer, f"{path}.{number}")
            return True
        finally:
            os.close(lock)
    except FileNotFoundError:
        return True
    except OSError:
        return False


def input_of(tool_input: Mapping[str, object]) -> str:
    """Return what the call was about: its command, file or files, or URL."""
    for key in ("file_paths", "command", "file_path", "url"):
        value = tool_input.get(key)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, (list, tuple)) and value:
            return " ".join(str(item) for item in value)
    return ""


def as_shown(text: str) -> str:
    """Return what a call was about as its line has it: redacted, and cut."""
    return _cut(next(iter(redact_each([text[:_LOOKED_AT]]))), INPUT_LIMIT)


def _strings(value: object) -> list[str]:
    """Return every string in a value, in order."""
    if isinstance(value, str):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return [text for item in items for text in _strings(item)]


def _with_strings(value: object, strings: Iterator[str]) -> object:
    """Return the value with these in the places of its own, in order."""
    if isinstance(value, str):
        return next(strings)
    return _with_each(value, lambda item: _with_strings(item, strings))


def _shortened(value: object, limit: int) -> object:
    if isinstance(value, str):
        return _cut(value, limit)
    return _with_each(value, lambda item: _shortened(item, limit))


def _with_each(value: object, change: Callable[[object], object]) -> object:
    """Return a list or dict with its items changed; anything else as it is."""
    if isinstance(value, dict):
        return {key: change(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [change(item) for item in value]
    return value


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"

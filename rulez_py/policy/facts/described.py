"""Describe a call in plain values, for expressions and for scripts: what it runs, touches and contacts.

The names and their forms are in `event.described`.
"""

from __future__ import annotations

from rulez_py.event.arguments import byte_length

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from rulez_py.analysis import Option
    from rulez_py.policy.facts.disk import Touched
    from rulez_py.policy.facts.facts import Facts, Part


def _commands(facts: Facts) -> list[dict[str, object]]:
    return [_command(part) for part in facts.parts if part.command is not None]


def _command(part: Part) -> dict[str, object]:
    command, reading = part.command, part.reading
    assert command is not None
    operands = [one.word.text for one in reading.operands]
    return {
        "program": command.program,
        "subcommand": operands[0] if operands else "",
        "options": [_option(one) for one in reading.options],
        "operands": operands,
        "words": [one.text for one in command.words],
        "known": not command.opaque and all(one.known for one in command.words),
        "via": list(command.via),
        "user": command.user,
        "cwd": part.places[0].path if len(part.places) == 1 else None,
        "script": command.script,
        "line": command.line,
    }


def _option(option: Option) -> dict[str, object]:
    return {"names": list(option.names), "value": "" if option.value is None else option.value.text}


def _files(facts: Facts) -> list[dict[str, object]]:
    return [*_touched(facts.files, supposed=False), *_touched(facts.named, supposed=True)]


def _touched(files: Iterable[Touched], *, supposed: bool) -> list[dict[str, object]]:
    """Return each path once, with all that happens there."""
    by_path: dict[str, list[Touched]] = {}
    for one in files:
        by_path.setdefault(one.path, []).append(one)
    return [
        {
            "path": path,
            "access": list(dict.fromkeys(way for one in readings for way in one.access)),
            "deep": any(one.deep for one in readings),
            "known": all(one.known and not one.among for one in readings),
            "supposed": supposed,
        }
        for path, readings in by_path.items()
    ]


def _flows(facts: Facts) -> list[dict[str, object]]:
    commands = [part.command for part in facts.parts if part.command is not None]
    found = dict.fromkeys(flow for command in commands for flow in command.flows)
    return [{"from": source, "to": sink} for source, sink in found]


def _written(facts: Facts) -> list[dict[str, object]]:
    return [{"bytes": byte_length(text), "lines": len(text.splitlines())} for text in facts.known_written]


def _time(facts: Facts) -> dict[str, object] | None:
    return moment(facts.around.now)


WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def moment(at: str) -> dict[str, object] | None:
    """Return the parts of a time as RFC 3339 has it (`2026-11-27T22:30:00+01:00`), by the clock it says; None of ""."""
    if not at:
        return None
    year, month, day, hour, minute = (
        int(at[start:end]) for start, end in ((0, 4), (5, 7), (8, 10), (11, 13), (14, 16))
    )
    return {"at": at, "hour": hour, "minute": minute, "weekday": WEEKDAYS[_weekday(year, month, day)]}


def _weekday(year: int, month: int, day: int) -> int:
    """Return the day of the week from Monday, 0 (Sakamoto's method; `datetime` would have to be loaded)."""
    year -= month < 3
    return (
        year + year // 4 - year // 100 + year // 400 + (0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4)[month - 1] + day - 1
    ) % 7


_OF: Mapping[str, Callable[[Facts], object]] = {
    "agent": lambda facts: facts.event.platform,
    "subagent": lambda facts: bool(facts.event.agent_id),
    "commands": _commands,
    "files": _files,
    "hosts": lambda facts: list(facts.hosts),
    "flows": _flows,
    "written": _written,
    "time": _time,
}


def described(name: str, facts: Facts) -> object:
    """Return what one name of DESCRIBED says of a call; each is found when it is asked for."""
    return _OF[name](facts)

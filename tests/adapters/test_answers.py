"""Verdict in, answer out: whole answers, one row per case in `payloads/NAME/answers.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulez_py.event import Event
from rulez_py.platforms import CAPABILITIES, PLATFORMS, adapter
from rulez_py.verdict import Answer, Verdict
from tests.platforms import PLATFORMS as FACTS

PAYLOADS = Path(__file__).parent.parent / "payloads"
OWN = [json.loads((PAYLOADS / name / "answers.json").read_text("utf-8")) for name in FACTS]
ROWS: list[dict[str, Any]] = [row for one in OWN for row in one["answers"]]
UNREADABLE: list[dict[str, Any]] = [row for one in OWN for row in one["unreadable"]]


def shown(answer: Answer) -> dict[str, Any]:
    return {
        "stdout": json.loads(answer.stdout) if answer.stdout.startswith("{") else answer.stdout or None,
        "stderr": answer.stderr,
        "exit": answer.exit_code,
    }


def verdict_of(row: dict[str, Any]) -> Verdict:
    said = dict(row["verdict"])
    return Verdict(**{**said, **{key: tuple(said.get(key, ())) for key in ("context", "warnings")}})


def event_of(row: dict[str, Any]) -> Event:
    given = row["payload"]
    payload = json.loads((PAYLOADS / given).read_bytes()) if isinstance(given, str) else given
    return adapter(row["platform"]).parse(payload, None)


def native_event(row: dict[str, Any]) -> str:
    return event_of(row).native_event


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_answer(row: dict[str, Any]) -> None:
    answer = adapter(row["platform"]).answer(verdict_of(row), event_of(row))
    expected = {key: row[key] for key in ("stdout", "stderr", "exit")}
    assert shown(answer) == expected
    assert list(answer.dropped) == row["dropped"]


@pytest.mark.parametrize("row", UNREADABLE, ids=lambda row: f"{row['platform']} {row['event']}")
def test_an_event_that_cannot_be_read(row: dict[str, Any]) -> None:
    answer = adapter(row["platform"]).unreadable("the hook event cannot be read", row["event"])
    assert shown(answer) == {key: row[key] for key in ("stdout", "stderr", "exit")}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_unreadable_event_is_never_denied_without_a_reason(platform: str) -> None:
    answer = adapter(platform).unreadable(" ", None)
    assert "denied by policy" in answer.stdout + answer.stderr


def test_every_case_has_its_own_name() -> None:
    names = [row["id"] for row in ROWS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_way_to_deny_and_every_event_that_guards_has_a_case(platform: str) -> None:
    events = adapter(platform).EVENTS
    denied = {
        native_event(row) for row in ROWS if row["platform"] == platform and row["verdict"].get("decision") == "deny"
    }
    assert {spec.deny for spec in events.values()} == {events[name].deny for name in denied if name in events}
    assert {spec.types for spec in events.values() if spec.guards} <= {
        events[name].types for name in denied if name in events
    }


@pytest.mark.parametrize("platform", PLATFORMS)
def test_where_an_error_denies(platform: str) -> None:
    events = adapter(platform).EVENTS
    assert {name for name, spec in events.items() if spec.guards} == set(FACTS[platform].guarding.split())
    assert all(spec.deny for spec in events.values() if spec.guards)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_adapter_is_what_the_others_expect(platform: str) -> None:
    module = adapter(platform)
    assert platform == module.NAME
    assert tuple(module.CAPABILITIES) == CAPABILITIES
    assert all(sentence.endswith(".") and "\n" not in sentence for sentence in module.CAPABILITIES.values())


def test_the_tests_know_every_platform() -> None:
    assert tuple(FACTS) == PLATFORMS


@pytest.mark.parametrize("name", ["zed", "common", "", "__init__"])
def test_an_unknown_platform_is_refused(name: str) -> None:
    with pytest.raises(KeyError):
        adapter(name)

"""docs/scripts.md says what a script is told: every key and fact, and an example as rulez writes it."""

from __future__ import annotations

import json
from typing import Any

from dev import scripts_page
from rulez_py.event.described import DESCRIBED
from rulez_py.policy.facts.described import described, moment
from rulez_py.policy.facts.facts import Facts
from rulez_py.policy.judging.scripting import event_json
from tests.events import facts_of
from tests.policy.matchers.test_matchers import event_of

PAGE = scripts_page.PAGE.read_text(encoding="utf-8")


def example() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(PAGE.partition("```json\n")[2].partition("```")[0])
    return found


def test_the_tables_are_true() -> None:
    assert scripts_page.with_tables(PAGE) == PAGE, "run `make scripts-page`"


def test_the_example_is_what_a_script_gets() -> None:
    shown = example()
    payload = {
        "session_id": shown["session_id"],
        "transcript_path": shown["transcript_path"],
        "permission_mode": shown["permission_mode"],
        "tool_use_id": shown["tool_use_id"],
    }
    event = event_of({"tool": "Bash", "input": {"command": shown["tool_input"]["command"]}, "payload": payload})
    facts = facts_of(event)
    facts = Facts(event, facts.around.replace(now=shown["time"]["at"]), facts.effects)
    told = {name: described(name, facts) for name in shown if name in DESCRIBED}
    assert json.loads(event_json(event, facts.around.root, {**told, "git": shown["git"]})) == shown


def test_a_time_has_its_day_of_the_week() -> None:
    assert [moment(f"{day}T10:00:00+00:00")["weekday"] for day in ("1999-12-31", "2000-02-29", "2026-11-30")] == [  # type: ignore[index]
        "fri",
        "tue",
        "mon",
    ]

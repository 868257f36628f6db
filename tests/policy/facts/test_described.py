"""What a call is in plain values: for expressions, and for scripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.event import Event
from rulez_py.event.described import DESCRIBED
from rulez_py.policy.facts import described as finders
from rulez_py.policy.facts.described import described
from rulez_py.policy.facts.facts import Facts
from rulez_py.policy.patterns import expressions
from tests.events import facts_of
from tests.policy.matchers.test_matchers import event_of

DATA: dict[str, list[dict[str, Any]]] = YAML(typ="safe").load(Path(__file__).with_name("described.yaml"))


def seen(case: dict[str, Any]) -> Facts:
    call = case["call"]
    given = {"tool": "Bash", "input": {"command": call}}
    if isinstance(call, dict):
        given = {"tool": call["tool"], "input": {key: value for key, value in call.items() if key != "tool"}}
    facts = facts_of(event_of(given))
    return Facts(facts.event, facts.around.replace(now=case.get("now", "")), facts.effects)


def only(found: object, wanted: object) -> object:
    """What is found, with only those keys that are wanted."""
    if isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        return [only(one, other) for one, other in zip(found, wanted, strict=True)]
    if isinstance(found, dict) and isinstance(wanted, dict):
        return {name: only(found.get(name), value) for name, value in wanted.items()}
    return found


@pytest.mark.parametrize("case", DATA["facts"], ids=lambda case: str(case["call"]))
def test_a_call_is_described(case: dict[str, Any]) -> None:
    facts = seen(case)
    wanted = {name: value for name, value in case.items() if name in DESCRIBED}
    assert {name: only(described(name, facts), value) for name, value in wanted.items()} == wanted


@pytest.mark.parametrize("case", DATA["facts"], ids=lambda case: str(case["call"]))
def test_each_fact_has_its_form(case: dict[str, Any]) -> None:
    facts = seen(case)
    for name, fact in DESCRIBED.items():
        found = described(name, facts)
        assert json.loads(json.dumps(found)) == found
        entries = found if isinstance(found, list) else [found] if isinstance(found, dict) else []
        for entry in entries if not isinstance(fact.form, str) else ():
            assert list(entry) == list(fact.form), name


def test_each_name_is_found() -> None:
    assert list(finders._OF) == list(DESCRIBED)


@pytest.mark.parametrize("case", DATA["expressions"], ids=lambda case: case["when"])
def test_expressions_ask_for_facts(case: dict[str, Any]) -> None:
    assert expressions.check(case["when"]) == []
    facts = seen(case)
    assert (
        expressions.evaluate(case["when"], facts.event, {}, describe=lambda name: described(name, facts)) is case["is"]
    )


@pytest.mark.parametrize("case", DATA["looks"], ids=lambda case: case["when"])
def test_only_what_an_expression_names_is_found_out(case: dict[str, Any]) -> None:
    asked: list[str] = []

    def describe(name: str) -> object:
        asked.append(name)
        return ["x"]

    event = Event(platform="claude", types=("PreToolUse",), native_event="PreToolUse", tool_name="Bash")
    try:
        expressions.evaluate(case["when"], event, {}, describe=describe)
    except expressions.ExpressionError:
        pass
    assert sorted(asked) == case["asks"]

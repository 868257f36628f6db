"""What Factory Droid alone does (docs/contracts/droid.md)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulez_py.platforms import adapter, caller, senders
from rulez_py.verdict import ASK, DENY, Answer, Verdict
from tests.facts import inside
from tests.recordings import PAYLOADS

DROID = adapter("droid")


def recorded(platform: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((PAYLOADS / platform / f"{name}.json").read_text("utf-8"))
    return found


SHELL = recorded("droid", "PreToolUse__Execute")
ALLOW = Answer(stdout='{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}')
ASKS = Answer(stdout=ALLOW.stdout.replace('"allow"', '"ask"'))
WARNS = Answer(stderr="x", exit_code=1)


def runs(*answers: Answer) -> bool:
    """Whether it runs a call after these answers of hooks, in their order (contract.md, section 3)."""
    decision = next((inside(one)["permissionDecision"] for one in answers if inside(one)), "")
    return decision != "deny" and all(one.exit_code != 2 for one in answers)


@pytest.mark.parametrize("decision", [DENY, ASK])
@pytest.mark.parametrize("other", [ALLOW, ASKS, WARNS, Answer()], ids=["allow", "ask", "warning", "nothing"])
def test_what_another_hook_says_undoes_nothing(decision: str, other: Answer) -> None:
    ours = DROID.answer(Verdict(decision=decision, reason="no"), DROID.parse(SHELL, None))
    assert not runs(ours, other)
    assert not runs(other, ours)


def test_the_json_of_a_deny_alone_would_be_undone() -> None:
    ours = DROID.answer(Verdict(decision=DENY, reason="no"), DROID.parse(SHELL, None))
    assert runs(ALLOW, ours.replace(exit_code=0, stderr=""))


@pytest.mark.parametrize("mode", ["off", "spec", "auto-low", "auto-medium", "auto-high"])
@pytest.mark.parametrize("platform", ["claude", "droid"])
def test_its_permission_modes_tell_it(platform: str, mode: str) -> None:
    payload = {**SHELL, "permission_mode": mode}
    assert senders(payload, {}) == ("droid",)
    assert caller(platform, payload, {}) == "droid"


@pytest.mark.parametrize("mode", ["default", "plan", "acceptEdits", "bypassPermissions", "auto", None, ["off"], {}])
def test_other_modes_do_not(mode: object) -> None:
    payload = {**SHELL, "permission_mode": mode}
    assert senders(payload, {}) == ("claude",)
    assert caller("claude", payload, {}) == "claude"


def test_claude_codes_payload_is_not_taken_for_its() -> None:
    payload = recorded("claude", "PreToolUse__Bash")
    assert caller("claude", payload, {"FACTORY_PROJECT_DIR": payload["cwd"]}) == "claude"
    assert "droid" not in senders(payload, {"FACTORY_PROJECT_DIR": payload["cwd"]})


def test_the_tool_of_a_server_may_have_underscores() -> None:
    event = DROID.parse({**SHELL, "tool_name": "my_server___make___file", "tool_input": {}}, None)
    assert event.mcp == (("my_server", "make___file"), ("my_server___make", "file"))

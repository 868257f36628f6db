"""What Kimi Code alone does (docs/contracts/kimi-code.md)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulez_py.platforms import adapter, caller, senders
from rulez_py.verdict import ASK, DENY, Verdict
from tests.facts import inside
from tests.recordings import PAYLOADS

KIMI = adapter("kimi")
SHELL: dict[str, Any] = json.loads((PAYLOADS / "kimi" / "PreToolUse__Bash.json").read_text("utf-8"))


@pytest.mark.parametrize("decision", [DENY, ASK])
def test_a_deny_holds_with_its_exit_code_and_where_a_wrapper_ends_with_another_one(decision: str) -> None:
    answer = KIMI.answer(Verdict(decision=decision, reason="no"), KIMI.parse(SHELL, None))
    assert (answer.exit_code, answer.stderr.partition(" (")[0]) == (2, "no")
    assert inside(answer)["permissionDecision"] == "deny"


@pytest.mark.parametrize("client", ["kimi_code_cli", "web", "of_the_future"])
@pytest.mark.parametrize("platform", ["claude", "kimi"])
def test_the_kind_of_client_tells_it(platform: str, client: str) -> None:
    payload = {**SHELL, "client_type": client}
    assert senders(payload, {}) == ("kimi",)
    assert caller(platform, payload, {}) == "kimi"


def test_claude_codes_payload_is_not_taken_for_its() -> None:
    payload = json.loads((PAYLOADS / "claude" / "PreToolUse__Bash.json").read_text("utf-8"))
    assert caller("claude", payload, {}) == "claude"
    assert "kimi" not in senders(payload, {})


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        ([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}], "a\nb"),
        ("plain", "plain"),
        ([], None),
        ([1, {"text": 2}, {"text": ""}], None),
        (None, None),
    ],
)
def test_a_prompt_is_a_list_of_parts(prompt: object, text: str | None) -> None:
    payload = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "client_type": "x", "prompt": prompt}
    assert KIMI.parse(payload, None).prompt == text

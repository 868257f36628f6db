"""hooks/pi/rulez.js under node: what Pi calls goes in, what Pi would see comes out.

The rules of the host are those of docs/contracts/pi.md: `{block: true}` from `tool_call` and a result from `user_bash`
are the denials, the input is changed in place. What all plugins share is tried in test_opencode_plugin.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.hooks.stage import CAN_PLAY, Json, Stage, says

pytestmark = CAN_PLAY

NO = {"continue": False, "reason": "the policy says no"}
ASK = {"continue": False, "ask": True, "reason": "a person decides"}


class Pi(Stage):
    """Pi, which has a terminal and a person where a test says so."""

    def __init__(self, folder: Path, agent: str, stand_in: str) -> None:
        super().__init__(folder, agent, stand_in)
        self.has_ui = False
        self.person: object = False

    def play(self, *steps: Json) -> list[Json]:
        """Perform the steps in one session -> their results."""
        return self.perform(*steps, hasUI=self.has_ui, answers=self.person)

    def one(self, step: Json) -> Json:
        return self.play(step)[0]


@pytest.fixture(params=["new", "old"])
def stage(tmp_path: Path, request: pytest.FixtureRequest) -> Pi:
    """With a stand-in that knows streams, and with one that does not: what Pi sees is the same."""
    return Pi(tmp_path, "pi", request.param)


def call(command: str = "ls", call_id: str = "call_1") -> Json:
    return {"on": "tool_call", "event": {"toolName": "bash", "toolCallId": call_id, "input": {"command": command}}}


def result(text: str = "a.txt", *, failed: bool = False) -> Json:
    content = [{"type": "text", "text": text}, {"type": "image", "data": "AAAA", "mimeType": "image/png"}]
    told = {"toolName": "bash", "toolCallId": "call_1", "input": {"command": "ls"}}
    return {"on": "tool_result", "event": {**told, "content": content, "isError": failed}}


def typed(command: str = "ls") -> Json:
    return {"on": "user_bash", "event": {"command": command, "excludeFromContext": False, "cwd": "/"}}


def prompt(text: str = "hi", **more: Any) -> Json:
    return {"on": "input", "event": {"text": text, "source": "interactive", **more}}


STARTS = {"on": "session_start", "event": {"reason": "startup"}}
BEGINS = {"on": "before_agent_start", "event": {}}


def test_a_call_is_passed_on_with_its_session(stage: Pi) -> None:
    assert "returned" not in stage.one(call())
    (sent,) = stage.sent("tool_call")
    assert sent == {
        "hook_event_name": "tool_call",
        "session_id": "ses_1",
        "cwd": str(stage.project),
        "mode": "print",
        "has_ui": False,
        "tool_name": "bash",
        "tool_use_id": "call_1",
        "tool_input": {"command": "ls"},
    }


@pytest.mark.parametrize("exit_code", [0, 2])
def test_a_deny_blocks_with_the_reason(stage: Pi, exit_code: int) -> None:
    stage.answers(says(NO, exit=exit_code))
    assert stage.one(call())["returned"] == {"block": True, "reason": "the policy says no"}
    assert stage.played["asked"] == []


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"stdout": ""}, "answered nothing"),
        ({"stdout": "garbage"}, "something else than"),
        ({"stdout": '{"continue": "yes"}'}, "something else than"),
        ({"stdout": '{"continue": true}', "exit": 1, "stderr": "broken"}, "exit code 1: broken"),
        ({"stdout": '{"continue": true, "args": [1]}'}, "not an object"),
    ],
    ids=["nothing", "no JSON", "no boolean", "exit code 1", "other arguments"],
)
def test_no_usable_answer_blocks(stage: Pi, answer: Json, why: str) -> None:
    stage.answers(answer)
    told = stage.one(call())["returned"]
    assert told["block"] is True
    assert told["reason"].startswith("rulez could not judge this call, so it was blocked: ")
    assert why in told["reason"]
    typed_result = stage.one(typed())["returned"]["result"]
    assert typed_result["exitCode"] == 1
    assert why in typed_result["output"]


def test_a_program_that_is_missing_blocks(stage: Pi) -> None:
    stage.environ["RULEZ_BINARY"] = "/nowhere/rulez"
    told = stage.one(call())["returned"]
    assert told["block"] is True
    assert "put rulez on the PATH that Pi sees" in told["reason"]


def test_one_that_hangs_blocks(stage: Pi) -> None:
    stage.program("#!/bin/sh\nsleep 60\n")
    stage.environ["RULEZ_HOOK_TIMEOUT_MS"] = "300"
    told = stage.one(call())["returned"]
    assert told["block"] is True
    assert "no answer within 300 ms" in told["reason"]


def test_the_input_is_rewritten_in_place(stage: Pi) -> None:
    stage.answers(says({"continue": True, "args": {"command": "ls -l"}}))
    played = stage.one(call())
    assert "returned" not in played
    assert played["event"]["input"] == {"command": "ls -l"}


# --- asking ---------------------------------------------------------------------------------------------------------


def test_an_ask_shows_reason_and_call_and_passes_when_the_person_agrees(stage: Pi) -> None:
    stage.has_ui, stage.person = True, True
    stage.answers(says({**ASK, "args": {"command": "ls -l\u001b[2K"}}))
    played = stage.one(call())
    assert "returned" not in played
    assert played["event"]["input"] == {"command": "ls -l\u001b[2K"}
    ((_, message),) = stage.played["asked"]
    assert message == 'a person decides\n\nbash {"command":"ls -l\\u001b[2K"}'


@pytest.mark.parametrize("person", [False, None, "yes", 1, "throws"])
def test_anything_else_than_true_is_a_deny(stage: Pi, person: object) -> None:
    stage.has_ui, stage.person = True, person
    stage.answers(says(ASK))
    played = stage.one(call())
    assert played["returned"]["block"] is True
    assert len(stage.played["asked"]) == 1


def test_an_ask_without_a_dialog_is_a_deny(stage: Pi) -> None:
    stage.person = True
    stage.answers(says(ASK))
    assert stage.one(call())["returned"]["block"] is True
    assert "result" in stage.one(typed())["returned"]
    assert stage.played["asked"] == []


def test_exit_code_2_is_no_ask(stage: Pi) -> None:
    stage.has_ui, stage.person = True, True
    stage.answers(says(ASK, exit=2))
    assert stage.one(call())["returned"] == {"block": True, "reason": "a person decides"}
    assert stage.played["asked"] == []


# --- what the person types ------------------------------------------------------------------------------------------


def test_what_the_person_types_is_judged_as_a_shell_command(stage: Pi) -> None:
    assert "returned" not in stage.one(typed("make"))
    (sent,) = stage.sent("user_bash")
    assert (sent["tool_name"], sent["tool_input"]) == ("bash", {"command": "make"})


def test_a_denied_command_gets_a_whole_result(stage: Pi) -> None:
    """Pi takes any other object for an error, and nothing for leave to run it."""
    stage.answers(says(NO))
    assert stage.one(typed())["returned"] == {
        "result": {"output": "[rulez] the policy says no", "exitCode": 1, "cancelled": False, "truncated": False}
    }


def test_the_person_may_let_their_own_command_pass(stage: Pi) -> None:
    stage.has_ui, stage.person = True, True
    stage.answers(says(ASK))
    assert "returned" not in stage.one(typed())


# --- results, prompts, sessions -------------------------------------------------------------------------------------


def test_a_result_is_passed_on_without_its_pictures(stage: Pi) -> None:
    stage.play(result("broken", failed=True))
    (sent,) = stage.sent("tool_result")
    assert sent["tool_response"] == {"content": [{"type": "text", "text": "broken"}, {"type": "image"}]}
    assert sent["error"] == "broken"


def test_a_result_can_be_withheld(stage: Pi) -> None:
    stage.answers(says(NO))
    assert stage.one(result())["returned"] == {
        "content": [{"type": "text", "text": "the policy says no"}],
        "isError": True,
    }


def test_a_redacted_result_keeps_its_pictures(stage: Pi) -> None:
    left = {"content": [{"type": "text", "text": "T=[redacted:jwt]"}, {"type": "image"}]}
    stage.answers(says({"continue": True, "result": left, "context": "late"}, '"tool_result"'))
    content = stage.one(result("T=eyJ"))["returned"]["content"]
    picture = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    assert content == [{"type": "text", "text": "T=[redacted:jwt]"}, picture, {"type": "text", "text": "late"}]


def test_context_from_before_and_after_comes_with_the_result(stage: Pi) -> None:
    stage.answers(
        says({"continue": True, "context": "early"}, '"tool_call"'),
        says({"continue": True, "context": "late"}, '"tool_result"'),
    )
    content = stage.play(call(), result())[1]["returned"]["content"]
    assert [part.get("text") for part in content] == ["a.txt", None, "early", "late"]


def test_a_denied_prompt_is_dropped_and_the_person_told(stage: Pi) -> None:
    stage.answers(says(NO, '"input"'))
    assert stage.one(prompt())["returned"] == {"action": "handled"}
    assert "the policy says no" in stage.stderr
    stage.has_ui = True
    assert stage.one(prompt())["returned"] == {"action": "handled"}
    assert stage.played["told"] == ["rulez blocked this prompt: the policy says no"]


def test_a_failure_lets_the_prompt_pass_and_is_told(stage: Pi) -> None:
    stage.answers({"when": ['"input"'], "stdout": "garbage"})
    assert stage.one(prompt())["returned"] == {"action": "continue"}
    assert "rulez: input: " in stage.stderr


def test_context_of_session_and_prompt_is_given_once(stage: Pi) -> None:
    stage.answers(
        says({"continue": True, "context": "session"}, '"session_start"'),
        says({"continue": True, "context": "prompt"}, '"input"'),
    )
    played = stage.play(STARTS, prompt(), BEGINS, BEGINS)
    assert played[2]["returned"] == {
        "message": {"customType": "rulez", "content": "session\n\nprompt", "display": False}
    }
    assert "returned" not in played[3]


def test_context_for_a_prompt_in_between_is_sent_with_it(stage: Pi) -> None:
    stage.answers(says({"continue": True, "context": "prompt"}, '"input"'))
    stage.play(prompt(streamingBehavior="steer"))
    assert stage.played["sent"] == [
        [{"customType": "rulez", "content": "prompt", "display": False}, {"deliverAs": "steer"}],
    ]


def test_the_end_of_the_session_is_told_before_the_process_is_ended(stage: Pi) -> None:
    stage.play(STARTS, {"on": "agent_settled", "event": {}})
    for event in ("session_start", "agent_settled", "session_shutdown"):
        assert len(stage.sent(event)) == 1, event


def test_calls_at_the_same_time_are_judged_each(stage: Pi) -> None:
    stage.answers(says(NO, "danger"))
    played = stage.play({"together": [call("ls", "call_1"), call("danger", "call_2"), call("pwd", "call_3")]})
    assert ["returned" in each for each in played] == [False, True, False]

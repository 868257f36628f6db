"""hooks/amp/rulez.js under node: what Amp calls goes in, what Amp would see comes out.

The rules of the host are those of docs/contracts/amp.md: `reject-and-continue` from `tool.call` is the denial. What all
plugins share is tried in test_opencode_plugin.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.hooks.stage import CAN_PLAY, Json, Stage, says

pytestmark = CAN_PLAY

NO = {"continue": False, "reason": "the policy says no"}
ASK = {"continue": False, "ask": True, "reason": "a person decides"}


class Amp(Stage):
    """Amp with a person who answers what is asked."""

    def play(self, *steps: Json, person: object = False) -> list[Any]:
        """Perform the steps in one session -> what the handlers returned."""
        results = self.perform(*steps, answers=person)
        assert not any("error" in one for one in results)
        return [one.get("returned") for one in results]


@pytest.fixture
def stage(tmp_path: Path) -> Amp:
    return Amp(tmp_path, "amp", "new")


CALLED = {"toolUseID": "toolu_1", "tool": "Bash", "input": {"cmd": "ls"}}
CALL = {"on": "tool.call", "event": CALLED}
PROMPT = {"on": "agent.start", "event": {"message": "hi", "id": 1}}


def result(output: object = "a.txt", status: str = "done", **more: Any) -> Json:
    return {"on": "tool.result", "event": {**CALLED, "status": status, "output": output, **more}}


def test_a_call_is_passed_on_with_its_thread(stage: Amp) -> None:
    assert stage.play(CALL) == [{"action": "allow"}]
    assert stage.sent("tool.call") == [
        {
            "hook_event_name": "tool.call",
            "session_id": "T-1",
            "cwd": str(stage.project),
            "executor": "local",
            "tool_name": "Bash",
            "tool_use_id": "toolu_1",
            "tool_input": {"cmd": "ls"},
        }
    ]


@pytest.mark.parametrize("exit_code", [0, 2])
def test_a_deny_rejects_the_call_with_the_reason(stage: Amp, exit_code: int) -> None:
    stage.answers(says(NO, exit=exit_code))
    assert stage.play(CALL) == [{"action": "reject-and-continue", "message": "the policy says no"}]
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
)
def test_what_is_no_answer_rejects_the_call(stage: Amp, answer: Json, why: str) -> None:
    stage.answers({"when": [], **answer})
    (returned,) = stage.play(CALL)
    assert returned["action"] == "reject-and-continue"
    assert returned["message"].startswith("rulez could not judge this call, so it was blocked: ")
    assert why in returned["message"]


def test_a_rulez_that_is_missing_rejects_the_call(stage: Amp) -> None:
    stage.environ["RULEZ_BINARY"] = str(stage.folder / "nowhere")
    (returned,) = stage.play(CALL)
    assert (returned["action"], "was not found" in returned["message"]) == ("reject-and-continue", True)


def test_a_rewrite_is_the_whole_new_input(stage: Amp) -> None:
    stage.answers(says({"continue": True, "args": {"cmd": "ls -l"}}))
    assert stage.play(CALL) == [{"action": "modify", "input": {"cmd": "ls -l"}}]


@pytest.mark.parametrize("person", [False, None, "yes", "throws"])
def test_an_ask_that_no_person_allows_rejects_the_call(stage: Amp, person: object) -> None:
    stage.answers(says(ASK))
    (returned,) = stage.play(CALL, person=person)
    assert returned == {"action": "reject-and-continue", "message": "a person decides (no person has allowed it)"}


def test_an_ask_is_put_to_a_person_and_no_other_agent(stage: Amp) -> None:
    stage.answers(says({**ASK, "args": {"cmd": "ls -l"}}))
    assert stage.play(CALL, person=True) == [{"action": "modify", "input": {"cmd": "ls -l"}}]
    (options,) = stage.played["asked"]
    assert options["requireHuman"] is True
    assert options["message"] == 'a person decides\n\nBash {"cmd":"ls -l"}'


def test_calls_at_once_have_each_its_answer(stage: Amp) -> None:
    stage.answers(says(NO, "second"))
    second = {"on": "tool.call", "event": {**CALLED, "input": {"cmd": "second"}}}
    assert [one["action"] for one in stage.play({"together": [CALL, second]})] == ["allow", "reject-and-continue"]


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("a.txt", "a.txt\n\nlook"),
        ([{"type": "text", "text": "a"}], [{"type": "text", "text": "a"}, {"type": "text", "text": "look"}]),
        ({"output": "a", "exitCode": 0}, {"output": "a\n\nlook", "exitCode": 0}),
    ],
)
def test_the_model_reads_context_behind_the_output(stage: Amp, output: object, told: object) -> None:
    stage.answers(says({"continue": True, "context": "look"}))
    assert stage.play(result(output)) == [{"status": "done", "output": told}]
    assert stage.sent("tool.result")[0]["tool_response"] == {"output": output, "status": "done"}


@pytest.mark.parametrize("step", [result({"files": []}), result(None, "error", error="broken")])
def test_context_without_a_place_waits_for_the_next_prompt(stage: Amp, step: Json) -> None:
    stage.answers(says({"continue": True, "context": "look"}, "tool.result"))
    assert stage.play(step, PROMPT, PROMPT) == [None, {"message": {"content": "look", "display": False}}, {}]


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (result("a secret"), {"status": "done", "output": "x"}),
        (result(None, "error", error="a secret"), {"status": "error", "error": "x"}),
        (result(None, "cancelled"), {"status": "cancelled", "error": "x"}),
    ],
)
def test_a_redacted_result_takes_the_result_s_place(stage: Amp, step: Json, told: Json) -> None:
    stage.answers(says({"continue": True, "result": {"output": "x", "status": "any"}}))
    assert stage.play(step) == [told]


def test_a_deny_after_a_tool_takes_the_result_s_place(stage: Amp) -> None:
    stage.answers(says(NO))
    assert stage.play(result()) == [{"status": "error", "error": "the policy says no"}]


def test_a_failure_after_a_tool_and_with_a_prompt_changes_nothing_and_is_logged(stage: Amp) -> None:
    stage.answers({"when": [], "stdout": "garbage"})
    assert stage.play(result(), PROMPT, {"on": "agent.end", "event": {"status": "done"}}) == [None, {}, None]
    assert [text.split(":")[1].strip() for text in stage.played["logged"]] == [
        "tool.result",
        "agent.start",
        "agent.end",
    ]


def test_a_thread_begins_with_context_for_its_first_prompt(stage: Amp) -> None:
    stage.answers(says({"continue": True, "context": "begun"}, "session.start"))
    begun, prompt = stage.play({"on": "session.start", "event": {}}, PROMPT)
    assert (begun, prompt) == (None, {"message": {"content": "begun", "display": False}})
    assert stage.sent("agent.start")[0]["prompt"] == "hi"

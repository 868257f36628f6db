"""hooks/amp/rulez.js under node: what Amp calls goes in, what Amp would see comes out.

The rules of the host are those of docs/contracts/amp.md: `reject-and-continue` from `tool.call` is the denial. What all
plugins share is tried in test_opencode_plugin.py.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

Json = dict[str, Any]

HERE = os.path.dirname(__file__)
PLUGIN = os.path.join(os.path.dirname(os.path.dirname(HERE)), "hooks", "amp", "rulez.js")
NODE = shutil.which("node")

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="node is not installed: the Amp plugin cannot be run"),
    pytest.mark.skipif(sys.platform == "win32", reason="the stand-in executables are scripts with a #! line"),
]

NO = {"continue": False, "reason": "the policy says no"}
ASK = {"continue": False, "ask": True, "reason": "a person decides"}


class Stage:
    """A project, an executable to consult, and what the last performance left behind."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.project = folder, folder / "the project"
        self.project.mkdir()
        program = folder / "my rulez"
        with open(os.path.join(HERE, "fake_rulez.py")) as file:
            program.write_text(f"#!{sys.executable} -IS\n{file.read()}")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "FAKE_RULEZ": str(folder)}
        self.environ |= {"FAKE_RULEZ_IS": "new", "RULEZ_BINARY": str(program)}
        self.played: Json = {}
        self.answers()

    def answers(self, *entries: Json) -> None:
        """Consult the stand-in, which answers like this (see fake_rulez.py)."""
        (self.folder / "answers.json").write_text(json.dumps(entries))

    def play(self, *steps: Json, person: object = False) -> list[Any]:
        """Perform the steps in one session -> what the handlers returned."""
        plugin = self.folder / "plugin.mjs"
        shutil.copyfile(PLUGIN, plugin)
        scenario = {"directory": str(self.project), "steps": steps, "answers": person}
        done = subprocess.run(
            [str(NODE), os.path.join(HERE, "driver_amp.mjs"), str(plugin)],
            input=json.dumps(scenario),
            capture_output=True,
            text=True,
            env=self.environ,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        self.played = json.loads(done.stdout)
        assert not any("error" in one for one in self.played["results"])
        return [one.get("returned") for one in self.played["results"]]

    def sent(self, event: str) -> list[Json]:
        """What the executable was asked about these events."""
        lines = (self.folder / "sent.jsonl").read_text().splitlines()
        calls = [json.loads(line)["call"] for line in lines]
        return [call for call in calls if call["hook_event_name"] == event]


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def says(answer: Json, *when: str, **more: Any) -> Json:
    return {"when": list(when), "stdout": json.dumps(answer), **more}


CALLED = {"toolUseID": "toolu_1", "tool": "Bash", "input": {"cmd": "ls"}}
CALL = {"on": "tool.call", "event": CALLED}
PROMPT = {"on": "agent.start", "event": {"message": "hi", "id": 1}}


def result(output: object = "a.txt", status: str = "done", **more: Any) -> Json:
    return {"on": "tool.result", "event": {**CALLED, "status": status, "output": output, **more}}


def test_a_call_is_passed_on_with_its_thread(stage: Stage) -> None:
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
def test_a_deny_rejects_the_call_with_the_reason(stage: Stage, exit_code: int) -> None:
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
def test_what_is_no_answer_rejects_the_call(stage: Stage, answer: Json, why: str) -> None:
    stage.answers({"when": [], **answer})
    (returned,) = stage.play(CALL)
    assert returned["action"] == "reject-and-continue"
    assert returned["message"].startswith("rulez could not judge this call, so it was blocked: ")
    assert why in returned["message"]


def test_a_rulez_that_is_missing_rejects_the_call(stage: Stage) -> None:
    stage.environ["RULEZ_BINARY"] = str(stage.folder / "nowhere")
    (returned,) = stage.play(CALL)
    assert (returned["action"], "was not found" in returned["message"]) == ("reject-and-continue", True)


def test_a_rewrite_is_the_whole_new_input(stage: Stage) -> None:
    stage.answers(says({"continue": True, "args": {"cmd": "ls -l"}}))
    assert stage.play(CALL) == [{"action": "modify", "input": {"cmd": "ls -l"}}]


@pytest.mark.parametrize("person", [False, None, "yes", "throws"])
def test_an_ask_that_no_person_allows_rejects_the_call(stage: Stage, person: object) -> None:
    stage.answers(says(ASK))
    (returned,) = stage.play(CALL, person=person)
    assert returned == {"action": "reject-and-continue", "message": "a person decides (no person has allowed it)"}


def test_an_ask_is_put_to_a_person_and_no_other_agent(stage: Stage) -> None:
    stage.answers(says({**ASK, "args": {"cmd": "ls -l"}}))
    assert stage.play(CALL, person=True) == [{"action": "modify", "input": {"cmd": "ls -l"}}]
    (options,) = stage.played["asked"]
    assert options["requireHuman"] is True
    assert options["message"] == 'a person decides\n\nBash {"cmd":"ls -l"}'


def test_calls_at_once_have_each_its_answer(stage: Stage) -> None:
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
def test_the_model_reads_context_behind_the_output(stage: Stage, output: object, told: object) -> None:
    stage.answers(says({"continue": True, "context": "look"}))
    assert stage.play(result(output)) == [{"status": "done", "output": told}]
    assert stage.sent("tool.result")[0]["tool_response"] == {"output": output, "status": "done"}


@pytest.mark.parametrize("step", [result({"files": []}), result(None, "error", error="broken")])
def test_context_without_a_place_waits_for_the_next_prompt(stage: Stage, step: Json) -> None:
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
def test_a_redacted_result_takes_the_result_s_place(stage: Stage, step: Json, told: Json) -> None:
    stage.answers(says({"continue": True, "result": {"output": "x", "status": "any"}}))
    assert stage.play(step) == [told]


def test_a_deny_after_a_tool_takes_the_result_s_place(stage: Stage) -> None:
    stage.answers(says(NO))
    assert stage.play(result()) == [{"status": "error", "error": "the policy says no"}]


def test_a_failure_after_a_tool_and_with_a_prompt_changes_nothing_and_is_logged(stage: Stage) -> None:
    stage.answers({"when": [], "stdout": "garbage"})
    assert stage.play(result(), PROMPT, {"on": "agent.end", "event": {"status": "done"}}) == [None, {}, None]
    assert [text.split(":")[1].strip() for text in stage.played["logged"]] == [
        "tool.result",
        "agent.start",
        "agent.end",
    ]


def test_a_thread_begins_with_context_for_its_first_prompt(stage: Stage) -> None:
    stage.answers(says({"continue": True, "context": "begun"}, "session.start"))
    begun, prompt = stage.play({"on": "session.start", "event": {}}, PROMPT)
    assert (begun, prompt) == (None, {"message": {"content": "begun", "display": False}})
    assert stage.sent("agent.start")[0]["prompt"] == "hi"

"""hooks/opencode/rulez.js under node: what OpenCode calls goes in, what OpenCode would see comes out.

The rules of the host are those of docs/contracts/opencode.md: a throw in `tool.execute.before` is the only deny,
objects are changed in place or not at all, and nobody but the plugin limits the time.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import stat
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

Json = dict[str, Any]

HERE = os.path.dirname(__file__)
ROOT = os.path.dirname(os.path.dirname(HERE))
PLUGIN = os.path.join(ROOT, "hooks", "opencode", "rulez.js")
PAYLOADS = os.path.join(ROOT, "tests", "payloads", "opencode")
NODE = shutil.which("node")

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="node is not installed: the OpenCode plugin cannot be run"),
    pytest.mark.skipif(sys.platform == "win32", reason="the stand-in executables are scripts with a #! line"),
]

SESSION = "ses_1"


READY: Json = {"when": ["plugin.loaded"], "stdout": "ready"}
"""The first call of all is answered with something that the log shows: from then on the stream is free."""


class Stage:
    """A project, an executable to consult, and what the last performance left behind."""

    def __init__(self, folder: Path, stand_in: str = "new") -> None:
        self.project = folder / "the project"
        self.folder = folder
        self.project.mkdir()
        self.sent_file = folder / "sent.jsonl"
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "FAKE_RULEZ": str(folder)}
        self.environ["FAKE_RULEZ_IS"] = stand_in
        self.end = ""
        self.answers()

    def answers(self, *entries: Json, ready: Json = READY) -> None:
        """Consult the stand-in, which answers like this (see fake_rulez.py)."""
        (self.folder / "answers.json").write_text(json.dumps([ready, *entries]))
        with open(os.path.join(HERE, "fake_rulez.py")) as file:
            self.program(f"#!{sys.executable} -IS\n{file.read()}")
        self.awaited = int(ready is READY)

    def program(self, text: str, *, name: str = "my rulez", executable: bool = True) -> Path:
        """Consult a program with this text. Nobody waits for its first answer."""
        self.awaited = 0
        path = self.folder / name
        path.write_text(text)
        if executable:
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
        self.environ["RULEZ_BINARY"] = str(path)
        return path

    def play(self, *steps: Json) -> list[Json]:
        """Perform the steps in one session of the plugin -> their results; `log` and `exports` are kept."""
        plugin = self.folder / "plugin.mjs"
        shutil.copyfile(PLUGIN, plugin)
        done = subprocess.run(
            [str(NODE), os.path.join(HERE, "driver.mjs"), str(plugin)],
            input=json.dumps({"directory": str(self.project), "steps": steps, "logged": self.awaited, "end": self.end}),
            capture_output=True,
            text=True,
            env=self.environ,
            check=False,
        )
        assert done.returncode == (-signal.SIGKILL if self.end == "killed" else 0), done.stderr
        assert done.stderr == ""
        played = json.loads(done.stdout)
        self.log: list[str] = played["log"][self.awaited :]
        self.exports: dict[str, str] = played["exports"]
        results: list[Json] = played["results"]
        return results

    def one(self, step: Json) -> Json:
        """Perform one step -> its result."""
        return self.play(step)[0]

    def received(self) -> list[Json]:
        """What the executable noted about each call, the plugin's own sign of life left out."""
        lines = self.sent_file.read_text().splitlines() if self.sent_file.exists() else []
        notes: list[Json] = [json.loads(line) for line in lines]
        return [note for note in notes if note["call"]["input"].get("type") != "plugin.loaded"]

    def sent(self, hook: str | None = None) -> list[Json]:
        """The calls themselves."""
        calls: list[Json] = [note["call"] for note in self.received()]
        return [call for call in calls if hook in (None, call["hook"])]

    def judges(self) -> list[str]:
        """Who judged each call: "alone" for a process of its own, "stream 1" for the first stream, and so on."""
        streams: list[int] = []
        found = []
        for note in self.received():
            pid = note["pid"]
            if "--stream" not in note["argv"]:
                found.append("alone")
                continue
            if pid not in streams:
                streams.append(pid)
            found.append(f"stream {streams.index(pid) + 1}")
        return found

    def events(self) -> list[str]:
        """The types of the events the executable was told."""
        return [call["input"]["type"] for call in self.sent("event")]


@pytest.fixture(params=["new", "old"])
def stage(tmp_path: Path, request: pytest.FixtureRequest) -> Stage:
    """With a stand-in that knows streams, and with one that does not: what OpenCode sees is the same."""
    return Stage(tmp_path, request.param)


@pytest.fixture
def plain(tmp_path: Path) -> Stage:
    """With the stand-in that knows streams, or a program of the test's own."""
    return Stage(tmp_path)


def before(command: str = "ls", call: str = "call_1", session: str = SESSION, **more: Any) -> Json:
    return {
        "hook": "tool.execute.before",
        "input": {"tool": "bash", "sessionID": session, "callID": call},
        "output": {"args": {"command": command, **more}},
    }


def after(output: Json | None = None, call: str = "call_1") -> Json:
    return {
        "hook": "tool.execute.after",
        "input": {"tool": "bash", "sessionID": SESSION, "callID": call, "args": {"command": "ls"}},
        "output": output if output is not None else {"title": "ls", "output": "a.txt\n", "metadata": {"exit": 0}},
    }


def prompt(*texts: str, agent: str = "build", session: str = SESSION, **more: Any) -> Json:
    parts = [
        {"id": f"prt_1ffd8aa0d0{at:02}y0wkoQafbzTFd", "type": "text", "text": text} for at, text in enumerate(texts)
    ]
    return {
        "hook": "chat.message",
        "input": {"sessionID": session},
        "output": {
            "message": {"id": "msg_1", "role": "user", "sessionID": session, "agent": agent},
            "parts": [*parts, *more.get("parts", [])],
        },
    }


def event(kind: str, **properties: Any) -> Json:
    return {"hook": "event", "input": {"event": {"id": "evt_1", "type": kind, "properties": properties}}}


def created(session: str, parent: str | None = None) -> Json:
    info = {"id": session, "directory": "/p"} | ({"parentID": parent} if parent else {})
    return event("session.created", sessionID=session, info=info)


def tool_part(status: str, call: str = "call_1", kind: str = "tool") -> Json:
    state = {"status": status, "input": {}, "error": "file not found"}
    part = {"id": "prt_9", "sessionID": SESSION, "type": kind, "tool": "read", "callID": call, "state": state}
    return event("message.part.updated", sessionID=SESSION, part=part)


def says(answer: Json, *when: str, **more: Any) -> Json:
    """A stand-in's entry: this answer where all these texts occur."""
    return {"when": list(when), "stdout": json.dumps(answer), **more}


def recorded(name: str) -> Json:
    with open(os.path.join(PAYLOADS, f"{name}.json"), encoding="utf-8") as file:
        step: Json = json.load(file)
    return step


# --- the shape OpenCode asks for ------------------------------------------------------------------------------------


def test_the_only_export_is_a_function(plain: Stage) -> None:
    plain.play()
    assert plain.exports == {"Rulez": "function"}


def test_the_plugin_imports_nothing_but_node_itself() -> None:
    with open(PLUGIN, encoding="utf-8") as file:
        lines = [line for line in file if line.startswith("import ") or "require(" in line]
    assert lines and all(' from "node:' in line for line in lines)


def test_the_plugin_prints_nothing() -> None:
    with open(PLUGIN, encoding="utf-8") as file:
        assert "console." not in file.read()


def test_it_says_at_load_that_it_is_alive(plain: Stage) -> None:
    plain.play()
    (line,) = plain.sent_file.read_text().splitlines()
    sent = json.loads(line)
    assert sent["argv"] == ["hook", "--platform", "opencode", "--stream"]
    assert sent["call"]["hook"] == "event"
    assert sent["call"]["input"]["type"] == "plugin.loaded"


# --- what the executable is sent ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "tool.execute.before__bash",
        "tool.execute.before__apply_patch",
        "tool.execute.after__bash",
        "tool.execute.after__fakemcp_touch_file",
        "chat.message",
        "command.execute.before",
        "experimental.session.compacting",
    ],
)
def test_a_call_is_passed_on_as_opencode_made_it(stage: Stage, name: str) -> None:
    step = recorded(name)
    assert "error" not in stage.one(step)
    (call,) = stage.sent()
    assert {key: call[key] for key in ("hook", "input", "output")} == step
    assert call["directory"] == call["worktree"] == str(stage.project)


def test_the_executable_runs_in_the_project(stage: Stage) -> None:
    stage.one(before())
    line = stage.sent_file.read_text().splitlines()[-1]
    assert os.path.realpath(json.loads(line)["cwd"]) == os.path.realpath(stage.project)


def test_the_executable_is_found_on_the_path(plain: Stage) -> None:
    program = plain.program('#!/bin/sh\necho \'{"continue":false,"reason":"from the PATH"}\'\n', name="rulez")
    del plain.environ["RULEZ_BINARY"]
    plain.environ["PATH"] = f"{program.parent}{os.pathsep}{plain.environ['PATH']}"
    assert plain.one(before())["error"] == "from the PATH"


def test_the_agent_is_remembered_from_the_prompt(stage: Stage) -> None:
    stage.play(prompt("hi", agent="plan"), before())
    assert [call.get("agent") for call in stage.sent()] == ["plan", "plan"]


def test_an_agent_belongs_to_its_session(stage: Stage) -> None:
    stage.play(prompt("hi", agent="plan"), before(session="ses_2"))
    assert "agent" not in stage.sent("tool.execute.before")[0]


def test_the_parent_is_remembered_from_the_creation_of_the_session(stage: Stage) -> None:
    stage.play(created("ses_2", parent="ses_1"), before(session="ses_2"), before(session="ses_1"))
    parents = [call.get("parentSessionID") for call in stage.sent("tool.execute.before")]
    assert parents == ["ses_1", None]


def test_the_names_of_the_mcp_servers_come_from_the_configuration(stage: Stage) -> None:
    stage.play({"hook": "config", "input": {"mcp": {"git_hub": {}, "jira": {}}}}, before())
    assert stage.sent("tool.execute.before")[0]["mcpServers"] == ["git_hub", "jira"]


def test_a_configuration_without_mcp_servers_is_fine(stage: Stage) -> None:
    stage.play({"hook": "config", "input": {}}, before())
    assert stage.sent("tool.execute.before")[0]["mcpServers"] == []


# --- before a tool runs ---------------------------------------------------------------------------------------------


def test_silence_of_the_policy_changes_nothing(stage: Stage) -> None:
    assert stage.one(before(timeout=5)) == {"output": {"args": {"command": "ls", "timeout": 5}}}


@pytest.mark.parametrize("exit_code", [0, 2])
def test_a_deny_throws_the_reason_verbatim(stage: Stage, exit_code: int) -> None:
    stage.answers(says({"continue": False, "reason": 'rule "x": no\nuse y'}, exit=exit_code, stderr="other words"))
    assert stage.one(before())["error"] == 'rule "x": no\nuse y'


@pytest.mark.parametrize(
    "stdout", ["", "garbage", '{"continue": true}'], ids=["no answer", "no JSON", "an answer that says go on"]
)
def test_exit_code_2_denies_whatever_stdout_says(stage: Stage, stdout: str) -> None:
    stage.answers({"stdout": stdout, "stderr": "the policy says no\n", "exit": 2})
    assert stage.one(before())["error"] == "the policy says no"


def test_a_deny_without_any_reason_still_denies(stage: Stage) -> None:
    stage.answers(says({"continue": False}))
    assert stage.one(before())["error"] == "denied by the policy"


def test_arguments_are_rewritten_in_place(stage: Stage) -> None:
    """The driver looks at the object it handed out, so a new one in its place would not show."""
    stage.answers(says({"continue": True, "args": {"command": "ls -l", "workdir": "sub"}}))
    assert stage.one(before(timeout=5)) == {"output": {"args": {"command": "ls -l", "workdir": "sub"}}}


def test_a_deny_does_not_rewrite(stage: Stage) -> None:
    stage.answers(says({"continue": False, "reason": "no", "args": {"command": "true"}}))
    assert stage.one(before()) == {"output": {"args": {"command": "ls"}}, "error": "no"}


def test_arguments_that_are_no_object_cannot_be_rewritten_so_the_call_is_blocked(stage: Stage) -> None:
    stage.answers(says({"continue": True, "args": {"command": "true"}}, "tool.execute.before"))
    step = before()
    step["output"]["args"] = "raw text"
    assert "they are not an object" in stage.one(step)["error"]


def test_parallel_calls_are_judged_at_the_same_time(stage: Stage) -> None:
    """The first call is answered only once the second has reached the executable."""
    second = str(stage.folder / "second")
    stage.answers(
        says({"continue": False, "reason": "no first"}, "first", wait_for=second),
        says({"continue": True}, "second", touch=second),
    )
    stage.environ["RULEZ_HOOK_TIMEOUT_MS"] = "20000"
    first_result, second_result = stage.play({"together": [before("first", "call_1"), before("second", "call_2")]})
    assert first_result["error"] == "no first"
    assert "error" not in second_result


def test_an_answer_cut_inside_a_character_is_put_together_again(plain: Stage) -> None:
    plain.program(
        '#!/bin/sh\ncat >/dev/null\nprintf \'{"continue":false,"reason":"caf\\303\'\nsleep 0.2\nprintf \'\\251"}\'\n'
    )
    assert plain.one(before())["error"] == "café"


def test_an_executable_that_does_not_read_its_input_may_still_answer(plain: Stage) -> None:
    plain.program("#!/bin/sh\nexec <&-\necho '{\"continue\":true}'\n")
    assert "error" not in plain.one(before("x" * 5_000_000))


def test_a_large_call_arrives_whole(stage: Stage) -> None:
    stage.one(before("é" * 2_000_000))
    assert stage.sent("tool.execute.before")[0]["output"]["args"]["command"] == "é" * 2_000_000


def test_a_process_left_behind_does_not_hold_up_the_answer(plain: Stage) -> None:
    plain.environ["RULEZ_HOOK_TIMEOUT_MS"] = "15000"
    plain.program("#!/bin/sh\ncat >/dev/null\nsleep 20 &\necho '{\"continue\":true}'\n")
    assert "error" not in plain.one(before())


# --- when the executable fails --------------------------------------------------------------------------------------

SH = "#!/bin/sh\ncat >/dev/null\n"

FAILURES: dict[str, tuple[str | None, str]] = {
    "there is no such program": (None, "was not found; put rulez on the PATH that OpenCode sees, or set RULEZ_BINARY"),
    "exit code 1": (SH + "echo boom >&2; exit 1", "ended with exit code 1: boom; run `"),
    "exit code 1, though it said go on": (SH + "echo '{\"continue\":true}'; exit 1", "ended with exit code 1"),
    "exit code 127": (SH + "no-such-command-at-all", "ended with exit code 127"),
    "no answer at all": (SH, "answered nothing"),
    "blank answer": (SH + "echo; echo", "answered nothing"),
    "no JSON": (SH + "echo hello", "answered something else"),
    "a log line before the answer": (SH + "echo loading; echo '{\"continue\":true}'", "answered something else"),
    "two answers": (SH + "echo '{\"continue\":true}'; echo '{\"continue\":true}'", "answered something else"),
    "an unfinished answer": (SH + "echo '{\"continue\":true'", "answered something else"),
    "null": (SH + "echo null", "answered something else"),
    "a list": (SH + "echo '[true]'", "answered something else"),
    "a text for a boolean": (SH + 'echo \'{"continue":"true"}\'', "answered something else"),
    "another protocol": (SH + 'echo \'{"decision":"allow"}\'', "answered something else"),
    "arguments that are a list": (SH + 'echo \'{"continue":true,"args":[]}\'', "answered `args` that are not"),
    "an end by a signal": (SH + "kill -KILL $$", "was ended by SIGKILL"),
    "no end of output": (SH + "exec yes", "answered with more than"),
    "no end": (SH + "exec sleep 60", "gave no answer within 200 ms; look for a slow script"),
}


def failing(plain: Stage, name: str) -> str:
    """Set up this failure -> what the message must say."""
    text, message = FAILURES[name]
    plain.environ["RULEZ_HOOK_TIMEOUT_MS"] = "200" if name == "no end" else "20000"
    path = plain.program(f"{text}\n")
    if text is None:
        path.unlink()
    return message


@pytest.fixture(params=FAILURES)
def failure(request: pytest.FixtureRequest, plain: Stage) -> str:
    return failing(plain, request.param)


def test_a_failure_before_a_tool_blocks_it_and_says_why(plain: Stage, failure: str) -> None:
    error = plain.one(before())["error"]
    assert error.startswith("rulez could not judge this call, so it was blocked: ")
    assert failure in error


def test_a_failure_elsewhere_is_logged_and_changes_nothing(plain: Stage, failure: str) -> None:
    steps = [
        after(),
        prompt("hello"),
        recorded("command.execute.before"),
        recorded("experimental.session.compacting"),
        event("session.idle", sessionID=SESSION),
    ]
    results = plain.play(*steps)
    assert results == [{"output": step["output"]} if "output" in step else {} for step in steps]
    assert [line.partition(":")[0] for line in plain.log if failure in line].count("event") == 2
    assert any(line.startswith("chat.message: ") and failure in line for line in plain.log)


def test_a_program_that_may_not_be_executed_blocks(plain: Stage) -> None:
    plain.program("#!/bin/sh\n", name="not executable", executable=False)
    assert "could not be started" in plain.one(before())["error"]


def test_a_time_limit_that_is_no_number_is_not_taken_for_no_time(stage: Stage) -> None:
    stage.environ["RULEZ_HOOK_TIMEOUT_MS"] = "soon"
    assert "error" not in stage.one(before())


def test_the_time_limit_ends_what_the_executable_started_too(plain: Stage) -> None:
    """The grandchild holds the only writing end of a pipe: it writes its last word there if it lives on."""
    pipe = plain.folder / "pipe"
    os.mkfifo(pipe)
    plain.program(f"#!/bin/sh\n(echo started; sleep 30; echo survived) >'{pipe}' &\nwait\n")
    plain.environ["RULEZ_HOOK_TIMEOUT_MS"] = "2000"
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert "gave no answer" in plain.one(before())["error"]
    os.set_blocking(reader, True)
    words = b""
    while piece := os.read(reader, 100):
        words += piece
    os.close(reader)
    assert b"survived" not in words


# --- the stream -----------------------------------------------------------------------------------------------------

ALONE: Json = {"continue": False, "reason": "judged alone"}
"""What the stand-in says where a test wants to know that a process of its own was asked."""
GO_ON = '{"exit_code":0,"stdout":"{\\"continue\\":true}","stderr":""}'


def calls(*commands: str) -> list[Json]:
    return [before(command, f"call_{at}") for at, command in enumerate(commands)]


def test_one_stream_judges_one_call_after_the_other(plain: Stage) -> None:
    plain.answers(says({"continue": False, "reason": "no"}, "bad", exit=2))
    results = plain.play(*calls("good", "bad", "good", "bad"), prompt("good"))
    assert [result.get("error") for result in results] == [None, "no", None, "no", None]
    assert plain.judges() == ["stream 1"] * 5


def test_a_call_that_comes_while_the_stream_has_another_is_judged_alone(plain: Stage) -> None:
    second = str(plain.folder / "second")
    plain.answers(says({"continue": True}, "first", wait_for=second), says({"continue": True}, "second", touch=second))
    plain.play({"together": calls("first", "second")}, *calls("third"))
    judged = [call["output"]["args"]["command"] for call in plain.sent()]
    # The first call goes on as soon as the second has begun: which of them ends first is nobody's promise.
    assert dict(zip(judged, plain.judges(), strict=True)) == {
        "first": "stream 1",
        "second": "alone",
        "third": "stream 1",
    }


@pytest.mark.parametrize("exit_code", [0, 1])
def test_a_stream_that_ends_between_two_calls_is_followed_by_another(plain: Stage, exit_code: int) -> None:
    """The second call may come before the news; then it is judged alone."""
    plain.answers(says({"continue": False, "reason": "last"}, "last", stream={"ends": exit_code}))
    results = plain.play(*calls("last", "second", "third", "fourth"))
    assert [result.get("error") for result in results] == ["last", None, None, None]
    first, second, *rest = plain.judges()
    assert first == "stream 1"
    assert second in ("alone", "stream 2")
    assert rest == ["stream 2", "stream 2"]


UNUSABLE: dict[str, Json] = {
    "an end": {"raw": "", "ends": 0},
    "an end with exit code 2": {"raw": "", "ends": 2},
    "text": {"raw": "garbage\n"},
    "an empty line": {"raw": "\n"},
    "a line before the answer": {"raw": f"loading\n{GO_ON}\n"},
    "two answers": {"raw": f"{GO_ON}\n{GO_ON}\n"},
    "the beginning of another": {"raw": f"{GO_ON}\n{{"},
    "half an answer": {"raw": GO_ON[:20], "ends": 0},
    "an answer whose line does not end": {"raw": GO_ON, "ends": 0},
    "null": {"raw": "null\n"},
    "a list": {"raw": "[0, true]\n"},
    "the answer of one process": {"raw": '{"continue":true}\n'},
    "no exit code": {"raw": '{"stdout":"{\\"continue\\":true}","stderr":""}\n'},
    "a text for the exit code": {"raw": GO_ON.replace("0", '"0"', 1) + "\n"},
    "a fraction for the exit code": {"raw": GO_ON.replace("0", "0.5", 1) + "\n"},
    "no stdout": {"raw": '{"exit_code":0,"stderr":""}\n'},
    "an object for stdout": {"raw": '{"exit_code":0,"stdout":{"continue":true},"stderr":""}\n'},
    "no stderr": {"raw": GO_ON.replace(',"stderr":""', "") + "\n"},
}


@pytest.mark.parametrize("stream", UNUSABLE.values(), ids=UNUSABLE)
def test_a_call_that_a_stream_does_not_answer_is_judged_alone_and_the_next_by_another_stream(
    plain: Stage, stream: Json
) -> None:
    plain.answers(says(ALONE, "odd", exit=2, stream=stream))
    results = plain.play(*calls("before", "odd", "after"))
    assert [result.get("error") for result in results] == [None, "judged alone", None]
    assert plain.judges() == ["stream 1", "stream 1", "alone", "stream 2"]


def test_an_answer_without_end_is_not_waited_for(plain: Stage) -> None:
    plain.program(
        '#!/bin/sh\ncase "$*" in *--stream*) tr "\\0" x </dev/zero; exit;; esac\n'
        'cat >/dev/null; echo \'{"continue":false,"reason":"judged alone"}\'\n'
    )
    assert plain.one(before())["error"] == "judged alone"
    assert plain.log == []  # nor was the first call of all too late


def test_a_call_that_fails_both_ways_is_blocked(plain: Stage) -> None:
    plain.answers({"when": ["odd"], "exit": 1, "stream": {"raw": "", "ends": 1}})
    (result,) = plain.play(*calls("odd"))
    assert "ended with exit code 1" in result["error"]
    assert plain.judges() == ["stream 1", "alone"]


def test_after_three_failures_in_a_row_no_more_streams_are_tried(plain: Stage) -> None:
    plain.answers({"when": ["odd"], "stream": {"raw": "", "ends": 1}})
    plain.play(*calls("odd", "odd", "fine", "odd", "odd", "odd", "fine", "odd"))
    alone = plain.judges().count("alone")
    streamed = [judge for judge in plain.judges() if judge != "alone"]
    assert streamed == ["stream 1", "stream 2", "stream 3", "stream 3", "stream 4", "stream 5"]
    assert alone == 7


def test_an_older_rulez_is_asked_for_a_stream_three_times(tmp_path: Path) -> None:
    stage = Stage(tmp_path, "old")
    stage.answers(says({"continue": False, "reason": "no"}, exit=2))
    assert [result["error"] for result in stage.play(*calls("1", "2", "3", "4"))] == ["no"] * 4
    assert stage.judges() == ["alone"] * 4
    assert (stage.folder / "refused").read_text().count("refused") == 3


def test_a_late_answer_denies_and_the_next_call_has_another_stream(plain: Stage) -> None:
    plain.environ["RULEZ_HOOK_TIMEOUT_MS"] = "2000"
    plain.answers({"when": ["slow"], "sleep": 60})
    late, next_one = plain.play(*calls("slow", "fine"))
    assert "gave no answer within 2000 ms; look for a slow script" in late["error"]
    assert "error" not in next_one
    assert plain.judges() == ["stream 1"]  # the late one did not come to noting its call


def test_a_program_that_reads_to_the_end_of_its_input_is_no_stream_and_holds_up_no_tool(plain: Stage) -> None:
    """Such as a wrapper that keeps what goes through it: it would never answer."""
    plain.environ["RULEZ_HOOK_TIMEOUT_MS"] = "2000"
    plain.program('#!/bin/sh\necho "$*" >>"$HOME/started"\ncat >/dev/null\necho \'{"continue":true}\'\n')
    plain.awaited = 1  # the first call of all is late
    results = plain.play(*calls("1", "2", "3"))
    assert [result.get("error") for result in results] == [None] * 3
    started = (plain.folder / "started").read_text().splitlines()
    assert started.count("hook --platform opencode") == 3
    assert len(started) <= 4


def test_a_stream_that_ends_late_leaves_one_process_only_what_is_left_of_the_time(plain: Stage) -> None:
    """Each alone would be in time."""
    plain.environ["RULEZ_HOOK_TIMEOUT_MS"] = "3000"
    plain.answers(says({"continue": True}, "slow", sleep=2, stream={"raw": "", "ends": 1}))
    (result,) = plain.play(*calls("slow"))
    assert "gave no answer within 3000 ms" in result["error"]


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_dispose_ends_the_stream(plain: Stage) -> None:
    plain.play(*calls("fine"))
    (note,) = plain.received()
    assert not is_running(note["pid"])


def test_dispose_ends_a_stream_that_does_not_end_with_its_input(plain: Stage) -> None:
    plain.program(
        '#!/bin/sh\ncase "$*" in *--stream*) echo $$ >>"$HOME/pids";; esac\n'
        f"while read -r line; do echo '{GO_ON}'; done\n"
        'case "$*" in *--stream*) exec sleep 300;; esac\n'
    )
    plain.play(*calls("fine"))
    (pid,) = (plain.folder / "pids").read_text().split()
    assert not is_running(int(pid))


def test_dispose_ends_though_a_stream_has_died_in_the_middle_of_a_call(plain: Stage) -> None:
    """What it left behind holds its stdout, so that an answer could still be there; an event is still under way."""
    plain.program(
        f"""#!/bin/sh
case "$*" in
  *--stream*) read -r first; echo '{GO_ON.replace('"stderr":""', '"stderr":"ready"').replace(":0", ":1", 1)}'
              read -r second; sleep 3 & exit 1;;
esac
cat >/dev/null; sleep 0.2; echo '{{"continue":true}}'
"""
    )
    plain.awaited = 1
    steps = [*calls("fine"), event("session.idle", sessionID=SESSION), {"hook": "dispose"}]
    assert all("error" not in result for result in plain.play({"together": steps}))


@pytest.mark.parametrize("end", ["leave", "killed"])
def test_a_stream_keeps_nobody_from_ending_and_ends_with_its_host(plain: Stage, end: str) -> None:
    """While it runs it holds the only writing end of a pipe."""
    pipe = plain.folder / "alive"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    plain.environ["FAKE_RULEZ_ALIVE"] = str(pipe)
    plain.end = end
    plain.play(*calls("fine", "fine"))
    os.set_blocking(reader, True)
    assert os.read(reader, 1) == b""
    os.close(reader)
    assert plain.judges() == ["stream 1"] * 2


# --- after a tool has run -------------------------------------------------------------------------------------------


def test_context_from_before_waits_for_the_result_of_its_call(stage: Stage) -> None:
    stage.answers(says({"continue": True, "context": "remember A"}, "tool.execute.before", "call_a"))
    results = stage.play(before(call="call_a"), before(call="call_b"), after(call="call_b"), after(call="call_a"))
    assert [result["output"]["output"] for result in results[2:]] == ["a.txt\n", "a.txt\n\n\nremember A"]


def test_context_is_given_once(stage: Stage) -> None:
    stage.answers(says({"continue": True, "context": "once"}, "tool.execute.before"))
    results = stage.play(before(), after(), after())
    assert [result["output"]["output"] for result in results[1:]] == ["a.txt\n\n\nonce", "a.txt\n"]


def test_context_from_before_and_after_both_reach_the_model(stage: Stage) -> None:
    stage.answers(
        says({"continue": True, "context": "early"}, "tool.execute.before"),
        says({"continue": True, "context": "late"}, "tool.execute.after"),
    )
    assert stage.play(before(), after())[1]["output"]["output"] == "a.txt\n\n\nearly\n\nlate"


def test_the_same_context_from_before_and_after_is_given_once(stage: Stage) -> None:
    stage.answers(says({"continue": True, "context": "mind the style"}, "tool.execute"))
    assert stage.play(before(), after())[1]["output"]["output"] == "a.txt\n\n\nmind the style"


def test_context_from_before_survives_a_failure_after(stage: Stage) -> None:
    stage.answers(
        says({"continue": True, "context": "early"}, "tool.execute.before"),
        {"when": ["tool.execute.after"], "exit": 1},
    )
    assert stage.play(before(), after())[1]["output"]["output"] == "a.txt\n\n\nearly"


def test_context_of_an_mcp_call_becomes_a_content_block(stage: Stage) -> None:
    stage.answers(says({"continue": True, "context": "late"}))
    result = stage.one(after({"content": [{"type": "text", "text": "touched"}]}))
    assert result == {"output": {"content": [{"type": "text", "text": "touched"}, {"type": "text", "text": "late"}]}}


def test_a_redacted_result_takes_the_place_of_what_the_tool_gave_back(stage: Stage) -> None:
    left = {"title": "t", "output": "T=[redacted:jwt]"}
    stage.answers(says({"continue": True, "result": left, "context": "redacted"}, "tool.execute.after"))
    assert stage.one(after())["output"]["output"] == "T=[redacted:jwt]\n\nredacted"


def test_a_redacted_result_of_an_mcp_call_takes_its_place(stage: Stage) -> None:
    left = {"content": [{"type": "text", "text": "[redacted:jwt]"}]}
    stage.answers(says({"continue": True, "result": left}, "tool.execute.after"))
    assert stage.one(after({"content": [{"type": "text", "text": "eyJ"}]})) == {"output": left}


def test_a_deny_after_a_tool_withholds_its_result(stage: Stage) -> None:
    stage.answers(says({"continue": False, "reason": "the output holds a key"}, exit=2))
    assert stage.one(after())["error"] == "the output holds a key"


# --- prompts --------------------------------------------------------------------------------------------------------


def test_context_for_a_prompt_is_a_part_of_the_same_message(stage: Stage) -> None:
    stage.answers(says({"continue": True, "context": "the build is red"}, "chat.message"))
    first, added = stage.one(prompt("hi"))["output"]["parts"]
    assert first["text"] == "hi"
    assert {key: added[key] for key in added if key != "id"} == {
        "sessionID": SESSION,
        "messageID": "msg_1",
        "type": "text",
        "text": "the build is red",
        "synthetic": True,
    }


def test_part_ids_have_the_form_of_opencodes_own_and_differ(stage: Stage) -> None:
    stage.answers(says({"continue": True, "context": "x"}, "chat.message"))
    ids = [result["output"]["parts"][-1]["id"] for result in stage.play({"together": [prompt("hi")] * 5})]
    own = "prt_1ffd8aa0d0010y0wkoQafbzTFd"
    assert all(each.startswith("prt_") and len(each) == len(own) for each in ids)
    assert len(set(ids)) == len(ids)


def test_context_from_the_start_of_a_session_comes_with_its_first_prompt(stage: Stage) -> None:
    stage.answers(
        says({"continue": True, "context": "about this project"}, "session.created", sleep=0.5),
        says({"continue": True, "context": "about this prompt"}, "one", "chat.message"),
    )
    results = stage.play(created(SESSION), prompt("one"), prompt("two"))
    texts = [[part["text"] for part in result["output"]["parts"]] for result in results[1:]]
    assert texts == [["one", "about this project", "about this prompt"], ["two"]]


def test_what_was_said_when_the_plugin_was_loaded_comes_with_the_first_prompt_of_all(plain: Stage) -> None:
    """A session that goes on has no start of its own."""
    said = str(plain.folder / "said")
    plain.answers(
        says({"continue": True}, "tool.execute.before", wait_for=said, sleep=0.2),
        ready=says({"continue": True, "context": "hooks are off"}, "plugin.loaded", touch=said),
    )
    results = plain.play(before(), prompt("one"), prompt("two"))
    texts = [[part["text"] for part in result["output"]["parts"]] for result in results[1:]]
    assert texts == [["one", "hooks are off"], ["two"]]


def test_what_is_said_at_both_starts_is_said_once(plain: Stage) -> None:
    said = {"continue": True, "context": "hooks are off"}
    plain.answers(says(said, "session.created"), ready=says(said, "plugin.loaded"))
    result = plain.play(created(SESSION), prompt("one"))[1]
    assert [part["text"] for part in result["output"]["parts"]] == ["one", "hooks are off"]


def test_context_from_the_start_of_a_session_outlives_a_denied_prompt(stage: Stage) -> None:
    stage.answers(
        says({"continue": True, "context": "about this project"}, "session.created"),
        says({"continue": False, "reason": "no"}, "chat.message", exit=2),
    )
    refusal, context = stage.play(created(SESSION), prompt("one"))[1]["output"]["parts"]
    assert "The policy blocked this prompt: no" in refusal["text"]
    assert context["text"] == "about this project"


def test_a_denied_prompt_is_replaced_by_the_refusal(stage: Stage) -> None:
    stage.answers(says({"continue": False, "reason": "prompts must not hold keys"}, "chat.message", exit=2))
    attached = {"id": "prt_3", "type": "file", "mime": "text/plain", "url": "data:text/plain;base64,c2stc2VjcmV0"}
    result = stage.one(prompt("my key is sk-secret", "and more", parts=[attached]))
    assert "error" not in result
    (part,) = result["output"]["parts"]
    assert part["id"] == "prt_1ffd8aa0d000y0wkoQafbzTFd"
    assert "prompts must not hold keys" in part["text"]
    assert "sk-secret" not in json.dumps(result["output"])


def test_a_denied_prompt_of_files_only_is_replaced_by_a_text(stage: Stage) -> None:
    stage.answers(says({"continue": False, "reason": "no files"}, "chat.message", exit=2))
    (part,) = stage.one(prompt(parts=[{"id": "prt_3", "type": "file", "url": "data:,x"}]))["output"]["parts"]
    assert part["type"] == "text"
    assert part["sessionID"] == SESSION
    assert "no files" in part["text"]


def test_a_denied_command_is_replaced_by_the_refusal(stage: Stage) -> None:
    stage.answers(says({"continue": False, "reason": "not that command"}, "command.execute.before", exit=2))
    (part,) = stage.one(recorded("command.execute.before"))["output"]["parts"]
    assert part["type"] == "text"
    assert "not that command" in part["text"]
    assert "Say arg1" not in part["text"]


def test_context_for_a_command_is_added_to_it(stage: Stage) -> None:
    stage.answers(says({"continue": True, "context": "more"}, "command.execute.before"))
    parts = stage.one(recorded("command.execute.before"))["output"]["parts"]
    assert parts[1:] == [{"type": "text", "text": "more", "synthetic": True}]


def test_context_for_a_compaction_is_pushed(stage: Stage) -> None:
    stage.answers(says({"continue": True, "context": "keep the plan"}, "experimental.session.compacting"))
    assert stage.one(recorded("experimental.session.compacting"))["output"] == {"context": ["keep the plan"]}


# --- events ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["session.created", "session.idle", "session.compacted", "session.deleted", "session.error"]
)
def test_a_session_event_is_reported(stage: Stage, kind: str) -> None:
    stage.play(event(kind, sessionID=SESSION, info={"id": SESSION}))
    assert stage.events() == [kind]


@pytest.mark.parametrize(
    "kind", ["session.updated", "session.status", "message.updated", "file.edited", "todo.updated"]
)
def test_other_events_cost_no_process(stage: Stage, kind: str) -> None:
    stage.play(event(kind, sessionID=SESSION))
    assert stage.events() == []


def test_a_failed_tool_call_is_reported_once(stage: Stage) -> None:
    stage.play(before(), tool_part("error"), tool_part("error"))
    assert stage.events() == ["message.part.updated"]


@pytest.mark.parametrize("part", [tool_part("running"), tool_part("completed"), tool_part("error", kind="text")])
def test_other_parts_cost_no_process(stage: Stage, part: Json) -> None:
    stage.play(part)
    assert stage.events() == []


def test_a_call_the_policy_denied_is_not_reported_as_failed(stage: Stage) -> None:
    stage.answers(says({"continue": False, "reason": "no"}, "tool.execute.before", exit=2))
    stage.play(before(), tool_part("error"))
    assert stage.events() == []


def test_a_result_the_policy_withheld_is_not_reported_as_failed(stage: Stage) -> None:
    stage.answers(says({"continue": False, "reason": "no"}, "tool.execute.after", exit=2))
    stage.play(before(), after(), tool_part("error"))
    assert stage.events() == []


def test_a_deny_of_an_event_does_not_throw(stage: Stage) -> None:
    stage.answers(says({"continue": False, "reason": "too late"}, exit=2))
    assert stage.one(event("session.idle", sessionID=SESSION)) == {}


def test_dispose_waits_for_the_events_under_way(stage: Stage) -> None:
    stage.answers(says({"continue": True}, "session.idle", sleep=1))
    stage.play(event("session.idle", sessionID=SESSION))
    assert stage.events() == ["session.idle"]


def test_the_end_of_a_subagent_is_told_apart_even_when_its_session_is_deleted(stage: Stage) -> None:
    info = {"id": "ses_2", "parentID": "ses_1"}
    stage.play(created("ses_2", parent="ses_1"), event("session.deleted", sessionID="ses_2", info=info))
    deleted = [call for call in stage.sent("event") if call["input"]["type"] == "session.deleted"]
    assert [call.get("parentSessionID") for call in deleted] == ["ses_1"]


# --- with the real executable ---------------------------------------------------------------------------------------

POLICY = """\
version: "1.0"
rules:
  - name: no-releases
    matchers: {tools: [Bash], command_match: "make release"}
    actions: {block: "others rely on releases"}
  - name: no-keys
    matchers: {operations: [UserPromptSubmit], prompt_match: ["sk-[a-z0-9]+"]}
    actions: {block: "keys do not belong in prompts"}
  - name: house-style
    matchers: {tools: [Read]}
    actions: {inject_inline: "tabs, not spaces"}
"""


@pytest.fixture
def real(plain: Stage) -> Stage:
    """The same stage with rulez itself and a policy in the project."""
    plain.environ |= {"PYTHONPATH": ROOT, "PYTHONDONTWRITEBYTECODE": "1"}
    plain.program(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m rulez_py "$@"\n', name="rulez")
    (plain.project / ".rulez").mkdir()
    (plain.project / ".rulez" / "rules.yaml").write_text(POLICY)
    return plain


def test_rulez_denies_a_call(real: Stage) -> None:
    denied, passed = real.play(before("make release", "call_1"), before("make", "call_2"))
    assert "others rely on releases" in denied["error"]
    assert "could not judge" not in denied["error"]
    assert "error" not in passed


def test_rulez_adds_context_to_a_result(real: Stage) -> None:
    first, second = before(), after()
    first["input"]["tool"] = second["input"]["tool"] = "read"
    assert real.play(first, second)[1]["output"]["output"].count("tabs, not spaces") == 1


def test_rulez_denies_a_prompt(real: Stage) -> None:
    (part,) = real.one(prompt("use sk-abc123 please"))["output"]["parts"]
    assert "keys do not belong in prompts" in part["text"]
    assert "sk-abc123" not in part["text"]


def test_rulez_blocks_when_its_policy_is_broken(real: Stage) -> None:
    (real.project / ".rulez" / "rules.yaml").write_text("rules: [")
    assert "rules.yaml" in real.one(before())["error"]


def test_rulez_sees_an_edit_of_its_policy_at_the_next_call(real: Stage) -> None:
    """The first call may come while the stream is starting; those behind it are judged by the stream."""
    real.program(
        f'#!/bin/sh\necho "$*" >>"$HOME/started"\nexec {shlex.quote(sys.executable)} -m rulez_py "$@"\n', name="rulez"
    )
    path = str(real.project / ".rulez" / "rules.yaml")
    other = {"write": path, "text": POLICY.replace("make release", "git status")}
    first = {"write": path, "text": POLICY}
    release, status = "make release", "git status"
    results = real.play(*calls(release, status), other, *calls(release, status), first, *calls(release, status))
    assert ["error" in result for result in results] == [True, False, False, True, True, False]
    started = (real.folder / "started").read_text().splitlines()
    assert started.count("hook --platform opencode --stream") == 1
    assert len(started) < 1 + len(results)

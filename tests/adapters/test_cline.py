"""Cline takes a tool's input in many shapes, and hands its hook the one that the model has chosen."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rulez_py.event import UnreadableEvent
from rulez_py.event.arguments import command_lines, file_accesses
from rulez_py.install.entries import Program, filled, plugin_words
from rulez_py.platforms import adapter
from rulez_py.verdict import DENY, Verdict


def call(tool: str, given: object) -> dict[str, Any]:
    return {"hookName": "tool_call", "workspaceRoots": ["/w"], "tool_call": {"id": "1", "name": tool, "input": given}}


@pytest.mark.parametrize(
    ("given", "lines"),
    [
        ({"commands": ["ls"]}, ["ls"]),
        ({"commands": ["ls", "git status"]}, ["ls", "git status"]),
        ({"commands": "ls"}, ["ls"]),
        ({"commands": {"command": "ls"}}, ["ls"]),
        ({"commands": [{"command": "ls -l /x"}]}, ["ls -l /x"]),
        ({"commands": {"command": "rm", "args": ["-rf", "a b"]}}, ["rm -rf 'a b'"]),
        ({"commands": [{"command": "rm", "args": ["-rf", "/x"]}, "ls"]}, ["rm -rf /x", "ls"]),
        ({"command": "rm", "args": ["-rf", "/x"]}, ["rm -rf /x"]),
        ([{"command": "rm", "args": ["-rf", "/x"]}], ["rm -rf /x"]),
        ({"command": "ls"}, ["ls"]),
        ({"cmd": "ls"}, ["ls"]),
        (["ls", "pwd"], ["ls", "pwd"]),
        ("ls", ["ls"]),
        ({"commands": ["cat <<E", "x", "E"]}, ["cat <<E\nx\nE"]),
        ({"commands": ["ls"], "command": "pwd"}, ["ls", "pwd"]),
    ],
)
def test_every_command_of_a_call_is_judged(given: object, lines: list[str]) -> None:
    event = adapter("cline").parse(call("run_commands", given), None)
    judged = command_lines(event.tool_name, event.tool_input, event.own_input, known=event.known_tool)
    assert set(lines) <= set(judged)
    assert event.tool_input.get("command", lines[0]) in (*lines, "\n".join(lines))


@pytest.mark.parametrize(
    ("given", "paths"),
    [
        ({"files": [{"path": "/w/a", "start_line": 1}, {"path": "/w/b"}]}, ["/w/a", "/w/b"]),
        ({"files": ["/w/a", {"file_path": "/w/b"}]}, ["/w/a", "/w/b"]),
        ({"files": {"path": "/w/a"}}, ["/w/a"]),
        ({"files": "/w/a"}, ["/w/a"]),
        ({"path": "/w/a"}, ["/w/a"]),
        ({"filePath": "/w/a"}, ["/w/a"]),
        ({"file_paths": ["/w/a", "/w/b"]}, ["/w/a", "/w/b"]),
        ({"file_paths": "/w/a"}, ["/w/a"]),
        ({"paths": ["/w/a", {"filePath": "/w/b"}]}, ["/w/a", "/w/b"]),
        ({"paths": {"path": "/w/a"}}, ["/w/a"]),
        ([{"path": "/w/a"}, {"file_path": "/w/b"}], ["/w/a", "/w/b"]),
        (["/w/a", "/w/b"], ["/w/a", "/w/b"]),
        ("/w/a", ["/w/a"]),
    ],
)
def test_every_file_of_a_call_is_judged(given: object, paths: list[str]) -> None:
    event = adapter("cline").parse(call("read_files", given), None)
    files = file_accesses(event.tool_name, event.tool_input, event.own_input, known=event.known_tool)
    assert {file.path for file in files} == set(paths)
    assert {file.access for file in files} == {("read",)}


@pytest.mark.parametrize(
    ("given", "urls"),
    [
        ({"requests": [{"url": "https://a.example", "prompt": "?"}]}, "https://a.example"),
        (
            {"requests": [{"url": "https://a.example"}, {"url": "https://b.example"}]},
            ["https://a.example", "https://b.example"],
        ),
    ],
)
def test_every_page_of_a_call_is_judged(given: object, urls: object) -> None:
    assert adapter("cline").parse(call("fetch_web_content", given), None).tool_input["url"] == urls


def test_a_call_without_a_tool_is_unreadable() -> None:
    event = adapter("cline").parse({"hookName": "tool_call", "tool_call": {"id": "1"}}, None)
    denied = adapter("cline").answer(Verdict(decision=DENY, reason="no"), event)
    assert '"cancel":true' in denied.stdout
    with pytest.raises(UnreadableEvent):
        adapter("cline").parse({"hookName": "tool_call", "tool_call": {"id": "1", "name": 7, "input": {}}}, None)


DENIED = '{"cancel": true, "errorMessage": "Blocked: rulez is missing or has failed. Instead: tell the person."}'


@pytest.mark.skipif(shutil.which("sh") is None, reason="the hook file needs a POSIX shell")
@pytest.mark.parametrize(
    ("name", "does", "said"),
    [
        ("PreToolUse", "echo '{}'", "{}"),
        ("PreToolUse", "cat", '{"in": "x\\n"}'),
        ("PreToolUse", "exit 1", DENIED),
        ("PreToolUse", "echo '{}'; exit 2", DENIED),
        ("PreToolUse", "echo garbage", DENIED),
        ("PreToolUse", "true", DENIED),
        ("PreToolUse", "kill -9 $$", DENIED),
        ("PreToolUse", "", DENIED),
        ("PostToolUse", "exit 1", ""),
        ("TaskStart", "", ""),
    ],
)
def test_the_hook_file_denies_by_itself_before_a_tool(name: str, does: str, said: str, tmp_path: Path) -> None:
    program = tmp_path / "a rulez"
    if does:
        program.write_text(f"#!/bin/sh\n{does}\n")
        program.chmod(0o755)
    file = tmp_path / name
    file.write_text(filled("cline", Program("", (str(program), "one 'word'"))))
    assert plugin_words("cline", file.read_text()) == (str(program), "one 'word'")
    ended = subprocess.run(["sh", str(file)], input='{"in": "x\\n"}', capture_output=True, text=True, check=False)
    assert (ended.stdout.rstrip("\n"), ended.returncode) == (said, 0)

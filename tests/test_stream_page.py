"""docs/stream.md: the host it shows gets the right answers, also where its process has ended."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.programs import ROOT

PAGE = (ROOT / "docs" / "stream.md").read_text(encoding="utf-8")
DENIED, ALLOWED = "git push --force", "git status"


@pytest.fixture
def judge(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    programs = tmp_path / "programs"
    programs.mkdir()
    start = programs / "rulez"
    start.write_text(f'#!/bin/sh\necho "$@" >> {programs}/calls\nexec {sys.executable} -m rulez_py "$@"\n')
    start.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    scope: dict[str, Any] = {}
    exec(code, scope)
    made = scope["Judge"]("claude")
    made.calls = lambda: (programs / "calls").read_text().splitlines()
    yield made
    made.close()


def event(command: str, place: Path) -> dict[str, Any]:
    return {
        "session_id": "s",
        "hook_event_name": "PreToolUse",
        "cwd": str(place),
        "tool_name": "Bash",
        "tool_input": {"command": command},
    }


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for rulez is a shell script")
def test_the_host_in_python_asks_one_process(judge: Any, tmp_path: Path) -> None:
    said = [judge.answer(event(command, tmp_path)) for command in (ALLOWED, DENIED, ALLOWED)]
    assert [one["exit_code"] for one in said] == [0, 2, 0]
    assert "no-force-push" in said[1]["stderr"]
    assert judge.calls() == ["hook --platform claude --stream"]


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for rulez is a shell script")
@pytest.mark.parametrize("stop", [subprocess.Popen.kill, lambda process: process.stdin.close()])
def test_a_call_without_an_answer_gets_a_process_of_its_own(judge: Any, tmp_path: Path, stop: Any) -> None:
    judge.answer(event(ALLOWED, tmp_path))
    stop(judge._process)
    judge._process.wait()
    said = [judge.answer(event(DENIED, tmp_path)) for _ in range(2)]
    assert [one["exit_code"] for one in said] == [2, 2]
    ways = ["hook --platform claude --stream", "hook --platform claude", "hook --platform claude --stream"]
    assert judge.calls() == ways

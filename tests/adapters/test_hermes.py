"""What Hermes alone does (docs/contracts/hermes.md)."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulez_py.event.arguments import command_lines, file_accesses
from rulez_py.install.entries import ON_PATH, Program, called_by, settings
from rulez_py.platforms import adapter, caller, senders
from rulez_py.verdict import ASK, DENY, Verdict
from tests.facts import said
from tests.recordings import PAYLOADS

HERMES = adapter("hermes")
SHELL: dict[str, Any] = json.loads((PAYLOADS / "hermes" / "pre_tool_call__terminal.json").read_text("utf-8"))


def call(tool: str, **given: object) -> dict[str, Any]:
    return {**SHELL, "tool_name": tool, "tool_input": given}


@pytest.mark.parametrize("decision", [DENY, ASK])
def test_a_deny_is_the_one_word_that_counts(decision: str) -> None:
    answer = HERMES.answer(Verdict(decision=decision, reason="no"), HERMES.parse(SHELL, None))
    assert (answer.exit_code, said(answer)["decision"], said(answer)["reason"][:2]) == (0, "block", "no")


@pytest.mark.parametrize("platform", ["claude", "hermes"])
def test_the_extra_key_tells_it(platform: str) -> None:
    assert senders(SHELL, {}) == ("hermes",)
    assert caller(platform, SHELL, {}) == "hermes"


@pytest.mark.parametrize(
    ("payload", "line"),
    [
        (call("terminal", command="ls", workdir=None), "ls"),
        (call("execute_code", code='import os; os.remove("a b")'), "python3 -c 'import os; os.remove(\"a b\")'"),
        (call("process", action="submit", session_id="p", data="ls"), "ls\n"),
        (call("process", action="write", session_id="p", data="ls"), "ls"),
    ],
)
def test_every_line_that_runs_is_judged(payload: dict[str, Any], line: str) -> None:
    event = HERMES.parse(payload, None)
    lines = command_lines(event.tool_name, event.tool_input, event.own_input, known=event.known_tool)
    assert event.tool_name == "Bash"
    assert line in lines or [shlex.split(one) for one in lines] == [shlex.split(line)]


@pytest.mark.parametrize("given", [{"action": "list"}, {"action": "kill", "session_id": "p"}, {}])
def test_what_types_nothing_is_no_shell(given: dict[str, object]) -> None:
    assert HERMES.parse(call("process", **given), None).tool_name == "process"


@pytest.mark.parametrize(
    ("patch", "files"),
    [
        ("*** Begin Patch\n*** Add File: a\n+x\n*** End Patch", [("a", "write")]),
        ("*** Update File: a\n@@\n-x\n+y", [("a", "write")]),
        ("***Delete   File:a b", [("a b", "delete")]),
        ("*** Begin Patch\n*** Move  File: a -> b\n*** End Patch", [("a", "write", "delete"), ("b", "write")]),
        ("***Begin Patch\n*** Add File: a\n+x", [("a", "write")]),
        ("*** Add File: a\n+*** Delete File: b", [("a", "write")]),
    ],
)
def test_every_file_of_a_patch_is_judged(patch: str, files: list[tuple[str, ...]]) -> None:
    event = HERMES.parse(call("patch", mode="patch", patch=patch), None)
    found = file_accesses(event.tool_name, event.tool_input, event.own_input, known=event.known_tool)
    told = [(one.path, *one.access) for one in found]
    assert set(files) <= set(told)
    assert {path for path, *_ in told} == {path for path, *_ in files}


def command() -> str:
    hooks: list[dict[str, Any]] = settings("hermes", ON_PATH)["hooks"]["pre_tool_call"]
    return str(hooks[0]["command"])


def test_the_program_is_found_and_exchanged_in_the_command() -> None:
    other = Program("'/opt/a b/rulez'", ("/opt/a b/rulez",))
    changed = settings("hermes", other)["hooks"]["pre_tool_call"][0]["command"]
    assert (called_by(command()), called_by(changed)) == ("rulez", other.text)
    assert shlex.split(changed)[2] == shlex.split(command())[2].replace(" rulez hook", f" {other.text} hook")


@pytest.mark.skipif(sys.platform == "win32", reason="the command is for a shell")
@pytest.mark.parametrize(
    ("stub", "denied"),
    [
        ("echo '{}'", False),
        ('cat >/dev/null; echo "{\\"a\\": \\"$*\\"}"', False),
        ("exit 0", True),
        ("exit 2", True),
        ("echo '{}'; exit 1", True),
        ("echo no; exit 0", True),
        ("kill -9 $$", True),
        ("", True),
    ],
)
def test_every_failure_of_rulez_is_a_denial(stub: str, denied: bool, tmp_path: Path) -> None:
    if stub:
        program = tmp_path / "rulez"
        program.write_text(f"#!/bin/sh\n{stub}\n")
        program.chmod(0o755)
    ended = subprocess.run(
        shlex.split(command()),  # As Hermes starts it.
        input=json.dumps(SHELL),
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    answer = json.loads(ended.stdout)
    assert (ended.returncode, answer.get("decision") == "block" and bool(answer["reason"])) == (0, denied)

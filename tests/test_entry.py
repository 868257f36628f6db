"""How the process decides whether it is a hook call."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rulez_py.__main__ import as_hook_call
from rulez_py.platforms import caller
from tests.programs import ROOT, SOURCE_COMMAND


@pytest.mark.parametrize(
    ("arguments", "from_terminal", "meant"),
    [
        (["hook", "--platform", "gemini"], False, ["--platform", "gemini"]),
        (["hook"], True, []),
        (["gemini", "hook"], False, ["--platform", "gemini"]),
        (["copilot", "hook", "--event", "preToolUse"], False, ["--platform", "copilot", "--event", "preToolUse"]),
        ([], False, ["--platform", "claude"]),
        ([], True, None),
        (["validate", "hook"], False, None),
        (["--help"], False, None),
        (["trust", "--list"], False, None),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_what_a_command_line_means(arguments: list[str], from_terminal: bool, meant: list[str] | None) -> None:
    assert as_hook_call(arguments, from_terminal=from_terminal) == meant


def ended_with(preparation: str, payload: bytes) -> subprocess.CompletedProcess[bytes]:
    """A hook call in a process that is spoiled before."""
    program = f"import sys; {preparation}; sys.argv[1:] = ['hook', '--platform', 'claude']"
    return subprocess.run(
        [sys.executable, "-c", f"{program}; from rulez_py.__main__ import main; main()"],
        input=payload,
        capture_output=True,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        check=False,
    )


def test_a_broken_installation_denies() -> None:
    ended = ended_with("sys.modules['rulez_py.hook.main'] = None", b"{}")
    assert ended.returncode == 2
    assert ended.stderr.startswith(b"Blocked: rulez ")
    assert b"rulez_py.hook.main" in ended.stderr
    assert b"install rulez again" in ended.stderr
    assert b"Traceback" not in ended.stderr


@pytest.mark.parametrize("payload", [b"{", b'{"tool_input": "' + b"x" * 60_000 + b'"}'], ids=["bad", "large"])
def test_what_only_a_missing_library_can_read_is_denied(payload: bytes) -> None:
    ended = ended_with("sys.modules['orjson'] = None", payload)
    assert ended.returncode == 2
    assert b"Blocked: rulez " in ended.stderr
    assert b"orjson" in ended.stderr
    assert b"Traceback" not in ended.stderr


def test_version_names_the_program() -> None:
    ended = subprocess.run([*SOURCE_COMMAND, "--version"], capture_output=True, text=True, check=True, cwd=ROOT)
    assert ended.stdout.startswith("rulez ")


@pytest.mark.parametrize(
    ("payload", "environ", "platform"),
    [
        ({"timestamp": 1, "hookName": "permissionRequest"}, {"COPILOT_CLI": "1"}, "copilot"),
        ({"timestamp": "2026-01-01", "tool_name": "run_in_terminal"}, {}, "copilot"),
        ({"timestamp": "2026-01-01", "tool_name": "Bash"}, {}, "claude"),
        ({"tool_name": "run_in_terminal"}, {}, "claude"),
        ({"tool_name": "Bash"}, {"COPILOT_CLI": "1"}, "claude"),
    ],
)
def test_who_really_calls_a_hook_of_claude_codes(
    payload: dict[str, object], environ: dict[str, str], platform: str
) -> None:
    assert caller("claude", payload, environ) == platform

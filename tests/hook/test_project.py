"""Which project a call belongs to: the one the agent works in, wherever the call itself works."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from rulez_py.verdict import Answer
from tests.platforms import PLATFORMS, denies
from tests.programs import SOURCE_COMMAND, run_hook

POLICY = """\
version: "1.0"
rules:
  - name: ours
    matchers: {operations: [PreToolUse], command_match: touch}
    actions: {block: true}
"""

# How each agent says where its project is, while the call's own directory is another: (environment, payload fields,
# whether the hook runs there).
SAYS: dict[str, tuple[tuple[str, ...], tuple[str, ...], bool]] = {
    "claude": (("CLAUDE_PROJECT_DIR",), (), False),
    "gemini": (("GEMINI_PROJECT_DIR",), (), False),
    "copilot": (("COPILOT_PROJECT_DIR",), (), False),
    "opencode": ((), ("directory",), False),
    "codex": ((), (), True),
}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_projects_policy_holds_wherever_a_call_works(
    platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = PLATFORMS[platform]
    variables, fields, runs_there = SAYS[platform]
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    (project / ".rulez").mkdir(parents=True)
    (project / ".rulez" / "rules.yaml").write_text(POLICY)
    elsewhere.mkdir()
    for name in variables:
        monkeypatch.setenv(name, str(project))
    payload: dict[str, Any] = {
        "session_id": "s",
        "hook_event_name": facts.before_tool,
        "cwd": str(elsewhere),
        "tool_name": facts.shell,
        "tool_input": {"command": "touch x"},
        **{name: str(project) for name in fields},
    }
    ended = run_hook(SOURCE_COMMAND, platform, payload, project if runs_there else elsewhere)
    answer = Answer(stdout=ended.stdout.rstrip("\n"), stderr=ended.stderr, exit_code=ended.returncode)
    assert denies(answer, platform)
    assert "ours" in answer.stdout


def test_every_platform_says_it_in_one_way() -> None:
    assert set(SAYS) == set(PLATFORMS)
    assert all(bool(variables) + bool(fields) + runs_there == 1 for variables, fields, runs_there in SAYS.values())
    assert os.environ.get("CLAUDE_PROJECT_DIR") is None

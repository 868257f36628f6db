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


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_projects_policy_holds_wherever_a_call_works(
    platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = PLATFORMS[platform]
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    (project / ".rulez").mkdir(parents=True)
    (project / ".rulez" / "rules.yaml").write_text(POLICY)
    elsewhere.mkdir()
    if facts.project_variable:
        monkeypatch.setenv(facts.project_variable, str(project))
    payload: dict[str, Any] = {
        "session_id": "s",
        "hook_event_name": facts.before_tool,
        "cwd": str(elsewhere),
        "tool_name": facts.shell,
        "tool_input": {"command": "touch x"},
        **({facts.project_field: str(project)} if facts.project_field else {}),
    }
    ended = run_hook(SOURCE_COMMAND, platform, payload, project if facts.runs_in_project else elsewhere)
    answer = Answer(stdout=ended.stdout.rstrip("\n"), stderr=ended.stderr, exit_code=ended.returncode)
    assert denies(answer, platform)
    assert "ours" in answer.stdout + answer.stderr


def test_every_platform_says_it_in_one_way() -> None:
    for facts in PLATFORMS.values():
        assert bool(facts.project_variable) + bool(facts.project_field) + facts.runs_in_project == 1
    assert os.environ.get("CLAUDE_PROJECT_DIR") is None


# --- agents that run a hook set up for another ----------------------------------------------------------------------

# What is said of the project, and by whose policies a call is judged; the hook runs in `here`, the project is `app`.
SAID: dict[str, tuple[dict[str, Any], dict[str, str], set[str]]] = {
    "nothing": ({}, {}, {"here"}),
    "Cursor: its roots": ({"workspace_roots": ["{app}"]}, {}, {"app"}),
    "Cursor: several roots": ({"workspace_roots": ["{app}", "{lib}"]}, {}, {"app", "lib"}),
    "Cursor: its roots, and the variable names the same": (
        {"workspace_roots": ["{app}"]},
        {"CLAUDE_PROJECT_DIR": "{app}"},
        {"app"},
    ),
    "its roots, and the variable names another": (
        {"workspace_roots": ["{app}"]},
        {"CLAUDE_PROJECT_DIR": "{lib}"},
        {"app", "lib"},
    ),
    "Cline: its roots": ({"workspaceRoots": ["{app}"]}, {}, {"app"}),
    "Antigravity: its paths": ({"workspacePaths": ["{app}"]}, {}, {"app"}),
    "Grok: its root, which goes before cwd": ({"workspaceRoot": "{app}/", "cwd": "{lib}"}, {}, {"app"}),
    "OpenHands": ({"working_dir": "{app}"}, {}, {"app"}),
    "a root that is none": ({"workspace_roots": ["app", 7, "/not/there", None]}, {}, {"here"}),
    "Devin: a variable of its own": ({}, {"DEVIN_PROJECT_DIR": "{app}"}, {"app", "here"}),
    "Cursor: a variable of its own": ({}, {"CURSOR_PROJECT_DIR": "{app}"}, {"app", "here"}),
    "a variable of its own that is no directory": ({}, {"DEVIN_PROJECT_DIR": "/not/there"}, {"here"}),
    "another's variable beside cwd": ({"cwd": "{lib}"}, {"DEVIN_PROJECT_DIR": "{app}"}, {"lib"}),
    "another's variable beside the agent's": (
        {},
        {"DEVIN_PROJECT_DIR": "{app}", "CLAUDE_PROJECT_DIR": "{lib}"},
        {"lib"},
    ),
}


def _placed(value: Any, top: Path) -> Any:
    if isinstance(value, list):
        return [_placed(one, top) for one in value]
    if isinstance(value, dict):
        return {key: _placed(one, top) for key, one in value.items()}
    if isinstance(value, str):
        for name in ("app", "lib"):
            value = value.replace(f"{{{name}}}", str(top / name))
    return value


@pytest.mark.parametrize("name", SAID)
def test_whose_policies_count(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    payload, environ, counted = SAID[name]
    for project in ("app", "lib", "here"):
        (tmp_path / project / ".rulez").mkdir(parents=True)
    for variable, value in environ.items():
        monkeypatch.setenv(variable, _placed(value, tmp_path))
    denied = {
        project
        for project in ("app", "lib", "here")
        if f"of-{project}" in _judged(tmp_path / "here", _placed(payload, tmp_path), project, tmp_path)
    }
    assert denied == counted


def _judged(here: Path, payload: dict[str, Any], project: str, top: Path) -> str:
    """What is answered where that project's rule is the only one that fits."""
    for other in ("app", "lib", "here"):
        text = POLICY.replace("ours", f"of-{other}")
        (top / other / ".rulez" / "rules.yaml").write_text(text if other == project else text.replace("touch", "other"))
    call = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "touch x"}}
    return run_hook(SOURCE_COMMAND, "claude", {**call, **payload}, here).stdout


@pytest.mark.skipif(os.name == "nt", reason="the system knows the person's home there by the environment alone")
@pytest.mark.parametrize(
    ("payload", "environ", "refused"),
    [
        pytest.param({}, {}, True, id="nobody says which project it is"),
        pytest.param({}, {"CLAUDE_PROJECT_DIR": "{app}"}, True, id="the variable alone"),
        pytest.param({"workspace_roots": ["{app}"]}, {}, False, id="the payload"),
        pytest.param(
            {"cwd": "{app}"}, {"CLAUDE_PROJECT_DIR": "{app}"}, False, id="the variable, where the agent works"
        ),
        pytest.param(
            {"cwd": "{lib}"}, {"CLAUDE_PROJECT_DIR": "{app}"}, True, id="the variable, and it works elsewhere"
        ),
        pytest.param({}, {"DEVIN_PROJECT_DIR": "{app}"}, True, id="a variable that may be anybody's"),
        pytest.param({"workspace_roots": ["{home}"]}, {}, True, id="home is in the project of the payload"),
    ],
)
def test_a_home_around_where_the_hook_runs_is_refused_unless_the_agent_says_that_its_project_is_another(
    payload: dict[str, Any], environ: dict[str, str], refused: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cursor starts the hook of `~/.claude/settings.json` in `~/.claude`; HOME need not be the account's own."""
    home = tmp_path / "home"
    for directory in (home / ".claude", tmp_path / "app", tmp_path / "lib"):
        directory.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    said = {key: _placed(value, tmp_path) for key, value in payload.items()}
    said = {key: [str(home)] if value == ["{home}"] else value for key, value in said.items()}
    for variable, value in environ.items():
        monkeypatch.setenv(variable, _placed(value, tmp_path))
    call = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}, **said}
    ended = run_hook(SOURCE_COMMAND, "claude", call, home / ".claude")
    assert ("HOME is " in ended.stdout) is refused
    assert ended.returncode == (2 if refused else 0)

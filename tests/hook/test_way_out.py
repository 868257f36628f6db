"""What a person can do about a denial is said with every one that they can let pass, a question's as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulez_py.hook.call import WAY_OUT
from tests.platforms import PLATFORMS
from tests.programs import SOURCE_COMMAND, run_hook

ACTIONS = {"a denial": "block: x", "a question": "ask: x"}
UNABLE = "cannot ask the user here"


def policy(action: str) -> str:
    rule = f"{{name: no-deploy, matchers: {{operations: [PreToolUse], command: deploy}}, actions: {{{action}}}}}"
    return f'version: "1.0"\nextends: [builtin:essentials]\nrules:\n  - {rule}\n'


@pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTIONS)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_denial_of_a_rule_that_can_be_let_pass_says_how(
    platform: str, action: str, home: Path, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    own = home / ".config" / "rulez" / "rules.yaml"
    own.parent.mkdir(parents=True)
    own.write_text(policy(action))
    facts = PLATFORMS[platform]
    payload = {
        "session_id": "s",
        "hook_event_name": facts.before_tool,
        "tool_name": facts.shell,
        "tool_input": {"command": "deploy site"},
        "cwd": str(project),
        "directory": str(project),
        **facts.asking,
    }
    ended = run_hook(SOURCE_COMMAND, platform, payload, project)
    said = ended.stdout + ended.stderr
    denied = action.startswith("block") or not facts.asks
    assert (UNABLE in said) is (denied and action.startswith("ask"))
    assert (WAY_OUT in said) is denied


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_question_of_the_machine_s_own_rules_says_nothing_of_a_way_out(
    platform: str, home: Path, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    own = home / ".config" / "rulez" / "rules.yaml"
    own.parent.mkdir(parents=True)
    own.write_text('version: "1.0"\nextends: [builtin:essentials]\noverrides: {rulez-*: {action: ask}}\n')
    facts = PLATFORMS[platform]
    payload = {
        "session_id": "s",
        "hook_event_name": facts.before_tool,
        "tool_name": facts.shell,
        "tool_input": {"command": f"rm {own}"},
        "cwd": str(project),
        "directory": str(project),
    }
    ended = run_hook(SOURCE_COMMAND, platform, payload, project)
    said = ended.stdout + ended.stderr
    assert "rulez-" in said
    assert WAY_OUT not in said

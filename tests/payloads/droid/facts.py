"""What the tests know of Factory Droid, from its contract alone.

It is said a second time on purpose: the adapter must agree with it, and does not read it.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, inside, said, told


def stops(answer: Answer, event_type: str) -> bool:
    """By exit code 2, which the `allow` of another hook does not undo; where the agent ends, by a JSON."""
    if event_type == "Stop":
        return answer.exit_code == 0 and said(answer).get("decision") == "block" and bool(said(answer)["reason"])
    both = event_type != "PreToolUse" or inside(answer).get("permissionDecision", "deny") == "deny"
    return answer.exit_code == 2 and told(answer) and both


FACTS = Facts(
    environ={"FACTORY_PROJECT_DIR": "cwd", "DROID_PROJECT_DIR": "cwd", "CLAUDE_PROJECT_DIR": "cwd"},
    before_tool="PreToolUse",
    shell="Execute",
    stops=stops,
    new_input=lambda answer: inside(answer).get("updatedInput"),
    guarding="PreToolUse UserPromptSubmit",
    begins={"hook_event_name": "SessionStart", "source": "startup", "permission_mode": "off"},
    start="SessionStart",
    prompt="UserPromptSubmit",
    ends=("Stop", "SubagentStop"),
    tools={
        "Bash": "Execute",
        "Write": "Create",
        "Edit": "Edit ApplyPatch",
        "Read": "Read",
        "Glob": "Glob",
        "Grep": "Grep",
        "Task": "Task",
        "WebFetch": "FetchUrl",
    },
    unchanged="LS Skill TodoWrite WebSearch AskUser ToolSearch TaskOutput demo___make_file execute create custom",
    project_variable="FACTORY_PROJECT_DIR",
    places={
        "user": "home/.factory/settings.json",
        "project": "project/.factory/settings.json",
        "managed": "root/etc/factory/settings.json",
    },
    moved=("FACTORY_HOME_OVERRIDE", ".factory/settings.json"),
    loses="trailing commas and a byte order mark",
    settings={
        "file": "droid/settings.json",
        "events": (
            "PreToolUse PostToolUse Notification UserPromptSubmit Stop SubagentStop PreCompact SessionStart SessionEnd"
        ),
        "must have": "PreToolUse PostToolUse UserPromptSubmit SessionStart Stop PreCompact",
        "must not have": {},
        "matched by tool": "",
        "timeout key": "timeout",
        "timeouts per second": 1,
        "entry keys": "type command timeout",
        "top": ["hooks"],
        "closing": "PreToolUse UserPromptSubmit",
        "goes on": "Stop",
    },
)

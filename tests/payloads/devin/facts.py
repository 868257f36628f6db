"""What the tests know of Devin CLI, from its contract alone, which is from documentation and from what others measured.

No payload here was recorded by us: they are made from those.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, said, told


def stops(answer: Answer, event_type: str) -> bool:
    """By exit code 2, with the same in the output."""
    return answer.exit_code == 2 and told(answer) and said(answer).get("decision", "block") == "block"


FACTS = Facts(
    environ={"DEVIN_PROJECT_DIR": ""},
    before_tool="PreToolUse",
    shell="exec",
    stops=stops,
    new_input=lambda answer: None,
    guarding="PreToolUse UserPromptSubmit",
    begins={"hook_event_name": "SessionStart", "session_id": "s", "source": "startup"},
    start="SessionStart",
    prompt="UserPromptSubmit",
    ends=(),
    tools={
        "Bash": "exec",
        "Write": "write",
        "Edit": "edit apply_patch notebook_edit",
        "Read": "read notebook_read",
        "Glob": "glob",
        "Grep": "grep",
        "WebFetch": "webfetch",
        "Task": "run_subagent",
    },
    unchanged="mcp__github__create_issue read_subagent Bash",
    not_rewritten="PreToolUse",
    project_variable="DEVIN_PROJECT_DIR",
    unheard="PostToolUse PermissionRequest SessionEnd PostCompaction Stop",
    places={"user": "home/.config/devin/config.json", "project": "project/.devin/config.json"},
    moved=None,
    settings={
        "file": "devin/config.json",
        "events": (
            "PreToolUse PostToolUse PermissionRequest UserPromptSubmit SessionStart SessionEnd PostCompaction Stop"
        ),
        "must have": "PreToolUse UserPromptSubmit",
        "must not have": {"PermissionRequest": "the call was judged before, and Devin asks the person"},
        "matched by tool": "",
        "timeout key": "timeout",
        "timeouts per second": 1,
        "entry keys": "type command timeout",
        "top": ["hooks"],
        "closing": "PreToolUse UserPromptSubmit",
        "goes on": "",
    },
    loses="comments",
)

"""What the tests know of OpenHands, from its contract alone.

It is said a second time on purpose: the adapter must agree with it, and does not read it.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, said, told


def stops(answer: Answer, event_type: str) -> bool:
    """By exit code 2, with the same in the output."""
    return answer.exit_code == 2 and told(answer) and said(answer).get("decision", "deny") == "deny"


FACTS = Facts(
    environ={
        "OPENHANDS_PROJECT_DIR": "working_dir",
        "OPENHANDS_SESSION_ID": "session_id",
        "OPENHANDS_EVENT_TYPE": "event_type",
    },
    before_tool="PreToolUse",
    shell="terminal",
    stops=stops,
    new_input=lambda answer: None,
    guarding="PreToolUse UserPromptSubmit",
    begins={"event_type": "SessionStart", "session_id": "s", "working_dir": "/work", "metadata": {}},
    start="SessionStart",
    prompt="UserPromptSubmit",
    ends=("Stop",),
    tools={
        "Bash": "terminal",
        "Edit": "file_editor apply_patch",
        "Write": "file_editor:create",
        "Read": "file_editor:view",
        "Glob": "glob",
        "Grep": "grep",
        "Task": "task delegate",
        "WebFetch": "browser_navigate",
    },
    unchanged="task_tracker think finish invoke_skill make_file Bash bash execute_bash str_replace_editor",
    not_rewritten="PreToolUse",
    project_variable="OPENHANDS_PROJECT_DIR",
    unheard="PostToolUse SessionStart SessionEnd",
    places={
        "user": "home/.openhands/hooks.json",
        "project": "project/.openhands/hooks.json",
    },
    moved=None,
    settings={
        "file": "openhands/hooks.json",
        "events": "PreToolUse PostToolUse UserPromptSubmit SessionStart SessionEnd Stop",
        "must have": "PreToolUse PostToolUse UserPromptSubmit SessionStart Stop",
        "must not have": {},
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

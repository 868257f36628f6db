"""What the tests know of Auggie, from its contract alone, which is from the code of its package.

No payload here was recorded: they are made from that code.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, inside, told


def stops(answer: Answer, event_type: str) -> bool:
    """By exit code 2 alone; the model reads stderr."""
    return answer.exit_code == 2 and told(answer)


FACTS = Facts(
    environ={
        "AUGMENT_PROJECT_DIR": "",
        "AUGMENT_CONVERSATION_ID": "conversation_id",
        "AUGMENT_HOOK_EVENT": "hook_event_name",
    },
    before_tool="PreToolUse",
    shell="launch-process",
    stops=stops,
    new_input=lambda answer: inside(answer).get("updatedInput"),
    guarding="PreToolUse",
    begins={"hook_event_name": "SessionStart", "conversation_id": "s", "workspace_roots": []},
    start="SessionStart",
    warns_alone="SessionStart",
    prompt="PromptSubmit",
    ends=(),
    tools={
        "Bash": "launch-process write-process bash",
        "Write": "save-file write",
        "Edit": "str-replace-editor apply_patch edit",
        "Read": "view read",
        "Grep": "grep-search grep",
        "Glob": "find",
        "Task": "sub-agent",
        "WebFetch": "web-fetch",
    },
    unchanged="remove-files web-search read-process kill-process codebase-retrieval create_issue_github shell Bash",
    project_variable="AUGMENT_PROJECT_DIR",
    places={
        "user": "home/.augment/settings.json",
        "project": "project/.augment/settings.json",
        "managed": "root/etc/augment/settings.json",
    },
    moved=None,
    unheard="PromptSubmit",
    settings={
        "file": "auggie/settings.json",
        "events": "PreToolUse PostToolUse PromptSubmit SessionStart SessionEnd Stop Notification",
        "must have": "PreToolUse PostToolUse PromptSubmit SessionStart Stop",
        "must not have": {},
        "matched by tool": "",
        "timeout key": "timeout",
        "timeouts per second": 1000,
        "entry keys": "type command timeout",
        "top": ["hooks"],
        "closing": "PreToolUse",
        "goes on": "",
    },
)

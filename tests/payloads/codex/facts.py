"""What the tests know of Codex CLI, from its contract alone.

It is said a second time on purpose: the adapter must agree with it, and does not read it.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, Json, inside, said, told


def stops(answer: Answer, event_type: str) -> bool:
    """By the exit code, and also by the JSON should that get lost: then every word of it has to be right."""
    words = said(answer)
    reason = answer.stderr.rstrip("\n")
    wanted: Json = {"decision": "block", "reason": reason}
    inner: dict[str, Json] = {
        "PreToolUse": {"permissionDecision": "deny", "permissionDecisionReason": reason},
        "PermissionRequest": {"decision": {"behavior": "deny", "message": reason}},
    }
    if event_type in inner:
        wanted = {"hookSpecificOutput": {"hookEventName": event_type, **inner[event_type]}}
    return answer.exit_code == 2 and told(answer) and words in ({}, wanted)


def new_input(answer: Answer) -> object:
    """It is ignored without the word."""
    words = inside(answer)
    return words.get("updatedInput") if words.get("permissionDecision") == "allow" else None


FACTS = Facts(
    before_tool="PreToolUse",
    shell="Bash",
    stops=stops,
    new_input=new_input,
    guarding="PreToolUse PermissionRequest UserPromptSubmit",
    begins={"hook_event_name": "SessionStart", "source": "startup"},
    start="SessionStart",
    prompt="UserPromptSubmit",
    ends=("Stop", "SubagentStop"),
    tools={"Bash": "Bash", "Edit": "apply_patch", "Read": "view_image", "Task": "spawn_agent"},
    unchanged="request_user_input mcp__demo__poke create_goal list_mcp_resources exec_command shell bash",
    runs_in_project=True,
    places={
        "managed": "root/etc/codex/hooks.json",
        "user": "home/.codex/hooks.json",
        "project": "project/.codex/hooks.json",
    },
    moved=("CODEX_HOME", "hooks.json"),
    settings={
        "file": "codex/hooks.json",
        "events": (
            "SessionStart UserPromptSubmit PreToolUse PermissionRequest PostToolUse PreCompact PostCompact "
            "SubagentStart SubagentStop Stop StopFailure Interrupt SessionEnd"
        ),
        "must have": "PreToolUse PostToolUse PermissionRequest UserPromptSubmit SessionStart Stop PreCompact",
        "must not have": {"SessionEnd": "Codex CLI gives it 3 seconds, and says so at every start"},
        "matched by tool": "",
        "timeout key": "timeout",
        "timeouts per second": 1,
        "entry keys": "type command timeout",
        "top": ["hooks"],
        "closing": "PreToolUse PermissionRequest UserPromptSubmit",
        "goes on": "Stop SubagentStop",
    },
    loses="comments",
)

"""What the tests know of Claude Code, from its contract alone.

It is said a second time on purpose: the adapter must agree with it, and does not read it.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, inside, told


def stops(answer: Answer, event_type: str) -> bool:
    words = inside(answer)
    if event_type == "PermissionRequest":
        return bool(words.get("decision", {}).get("behavior") == "deny")
    return answer.exit_code == 2 and told(answer) and words.get("permissionDecision", "deny") == "deny"


FACTS = Facts(
    environ={"CLAUDE_PROJECT_DIR": "cwd", "CLAUDE_CODE_SESSION_ID": "session_id", "CLAUDECODE": ""},
    before_tool="PreToolUse",
    shell="Bash",
    stops=stops,
    new_input=lambda answer: inside(answer).get("updatedInput"),
    guarding="PreToolUse PermissionRequest UserPromptSubmit UserPromptExpansion PreModelSwitch ConfigChange "
    "TaskCreated Elicitation ElicitationResult",
    asks=True,
    begins={"hook_event_name": "SessionStart", "source": "startup"},
    start="SessionStart",
    prompt="UserPromptSubmit",
    ends=("Stop", "SubagentStop", "TeammateIdle", "TaskCompleted"),
    tools={
        "Bash": "Bash PowerShell Monitor",
        "Write": "Write",
        "Edit": "Edit MultiEdit",
        "Read": "Read",
        "Glob": "Glob",
        "Grep": "Grep",
        "Task": "Task Agent",
        "WebFetch": "WebFetch",
    },
    unchanged="NotebookEdit TodoWrite WebSearch AskUserQuestion Skill mcp__server__tool bash agent Custom",
    project_variable="CLAUDE_PROJECT_DIR",
    places={
        "user": "home/.claude/settings.json",
        "project": "project/.claude/settings.json",
        "managed": "root/etc/claude-code/managed-settings.json",
    },
    moved=("CLAUDE_CONFIG_DIR", "settings.json"),
    settings={
        "file": "claude/settings.json",
        "events": (
            "PreToolUse PostToolUse PostToolUseFailure PostToolBatch PermissionRequest PermissionDenied "
            "UserPromptSubmit UserPromptExpansion SessionStart SessionEnd Setup Stop StopFailure "
            "SubagentStart SubagentStop PreCompact PostCompact PreModelSwitch PostModelSwitch Notification "
            "ConfigChange InstructionsLoaded CwdChanged FileChanged DirectoryAdded TaskCreated TaskCompleted "
            "TeammateIdle Elicitation ElicitationResult MessageDisplay"
        ),
        "must have": "PreToolUse PostToolUse PermissionRequest UserPromptSubmit SessionStart Stop PreCompact",
        "must not have": {
            "WorktreeCreate": "its hook replaces what git does and must print the worktree's path",
            "WorktreeRemove": "its hook replaces what git does",
        },
        "matched by tool": "PreToolUse PostToolUse PostToolUseFailure PermissionRequest",
        "timeout key": "timeout",
        "timeouts per second": 1,
        "entry keys": "type command timeout onFailure",
        "top": ["hooks"],
        "closing": "",
        "goes on": "",
    },
    loses="comments",
)

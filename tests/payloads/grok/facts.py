"""What the tests know of Grok Build, from its contract alone.

It is said a second time on purpose: the adapter must agree with it, and does not read it.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, inside, said, told


def stops(answer: Answer, event_type: str) -> bool:
    """By exit code 2; a JSON beside it says the same, in the place of its event."""
    words = inside(answer) if event_type == "PreToolUse" else said(answer)
    decision = words.get("permissionDecision", "deny") if event_type == "PreToolUse" else words.get("decision", "block")
    return answer.exit_code == 2 and told(answer) and decision in ("deny", "block")


FACTS = Facts(
    environ={
        "GROK_WORKSPACE_ROOT": "workspaceRoot",
        "GROK_SESSION_ID": "sessionId",
        "CLAUDE_PROJECT_DIR": "workspaceRoot",
    },
    before_tool="PreToolUse",
    shell="run_terminal_command",
    stops=stops,
    new_input=lambda answer: inside(answer).get("updatedInput"),
    guarding="PreToolUse UserPromptSubmit",
    asks=True,
    begins={"hook_event_name": "SessionStart", "hookEventName": "session_start", "source": "new"},
    start="SessionStart",
    prompt="UserPromptSubmit",
    ends=("Stop", "SubagentStop"),
    tools={
        "Bash": "run_terminal_command monitor",
        "Write": "write",
        "Edit": "search_replace",
        "Read": "read_file",
        "Grep": "grep",
        "Task": "spawn_subagent",
        "WebFetch": "web_fetch",
    },
    unchanged="list_dir todo_write web_search ask_user_question demo__poke use_tool Bash bash workflow",
    project_variable="GROK_WORKSPACE_ROOT",
    unheard="SessionStart UserPromptSubmit",
    places={
        "user": "home/.grok/hooks/rulez.json",
        "project": "project/.grok/hooks/rulez.json",
    },
    moved=("GROK_HOME", "hooks/rulez.json"),
    settings={
        "file": "grok/rulez.json",
        "events": (
            "PreToolUse PostToolUse PostToolUseFailure PermissionDenied UserPromptSubmit SessionStart SessionEnd "
            "Stop StopFailure StopCancelled Notification SubagentStart SubagentStop PreCompact PostCompact"
        ),
        "must have": "PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart Stop PreCompact",
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

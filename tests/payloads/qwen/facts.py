"""What the tests know of Qwen Code, from its contract alone.

It is said a second time on purpose: the adapter must agree with it, and does not read it.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, inside, said


def stops(answer: Answer, event_type: str) -> bool:
    """By its JSON, at exit code 0: beside another, stdout would not be read."""
    words, nested = said(answer), inside(answer)
    if answer.exit_code != 0 or answer.stderr:
        return False
    if event_type == "PermissionRequest":
        return bool(nested.get("decision", {}).get("behavior") == "deny")
    reason = words.get("reason")
    if not isinstance(reason, str) or not reason.strip():
        return False
    if event_type != "PreToolUse":
        return words.get("decision") == "block"
    alone = words.get("continue") is False and words.get("stopReason") == reason
    return alone and words.get("decision") == "deny" and nested.get("permissionDecision") == "deny"


FACTS = Facts(
    environ={
        "QWEN_PROJECT_DIR": "cwd",
        "CLAUDE_PROJECT_DIR": "cwd",
        "GEMINI_PROJECT_DIR": "cwd",
        "QWEN_CODE_SESSION_ID": "session_id",
    },
    before_tool="PreToolUse",
    shell="run_shell_command",
    stops=stops,
    new_input=lambda answer: inside(answer).get("updatedInput"),
    guarding="PreToolUse PermissionRequest UserPromptSubmit UserPromptExpansion TodoCreated",
    exit_of_a_deny=0,
    asks=True,
    not_rewritten="PreToolUse",
    begins={"hook_event_name": "SessionStart", "source": "startup"},
    start="SessionStart",
    prompt="UserPromptSubmit",
    ends=("Stop", "SubagentStop"),
    tools={
        "Bash": "run_shell_command monitor",
        "Write": "write_file",
        "Edit": "edit",
        "Read": "read_file",
        "Glob": "glob",
        "Grep": "grep_search",
        "Task": "agent",
        "WebFetch": "web_fetch",
    },
    unchanged="notebook_edit list_directory todo_write web_search ask_user_question skill tool_search mcp__x__y "
    "replace search_file_content bash Glob custom",
    project_variable="QWEN_PROJECT_DIR",
    places={
        "user": "home/.qwen/settings.json",
        "project": "project/.qwen/settings.json",
        "managed": "root/etc/qwen-code/settings.json",
    },
    moved=("QWEN_HOME", "settings.json"),
    loses="trailing commas",
    settings={
        "file": "qwen/settings.json",
        "events": (
            "PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit "
            "UserPromptExpansion SessionStart Stop MessageDisplay SubagentStart SubagentStop PreCompact "
            "PostCompact SessionEnd SessionDelete PermissionRequest PermissionDenied StopFailure TodoCreated "
            "TodoCompleted InstructionsLoaded"
        ),
        "must have": "PreToolUse PostToolUse PermissionRequest UserPromptSubmit SessionStart Stop PreCompact",
        "must not have": {"MessageDisplay": "a process for every piece of a reply"},
        "matched by tool": "",
        "timeout key": "timeout",
        "timeouts per second": 1,
        "entry keys": "type command timeout",
        "top": ["hooks"],
        "closing": "PreToolUse UserPromptSubmit",
        "goes on": "",
    },
)

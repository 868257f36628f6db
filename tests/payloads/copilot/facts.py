"""What the tests know of Copilot, from its contract alone.

It is said a second time on purpose: the adapter must agree with it, and does not read it.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, inside, said


def stops(answer: Answer, event_type: str) -> bool:
    words = said(answer)
    if event_type == "PermissionRequest":
        return answer.exit_code == 2 and words.get("behavior") == "deny"
    if event_type == "UserPromptSubmit":
        return answer.exit_code == 0 and words.get("decision") == "block"
    if not words:
        return answer.exit_code == 2
    # The inside is for VS Code; the CLI in PascalCase keeps the reason from the model where there is one.
    outside = {key: value for key, value in words.items() if key != "hookSpecificOutput"}
    agree = inside(answer) in ({}, {"hookEventName": "PreToolUse", **outside})
    return answer.exit_code == 2 and words.get("permissionDecision") == "deny" and agree


def new_input(answer: Answer) -> object:
    """The CLI reads one place and VS Code the other: both must say the same."""
    changed = inside(answer).get("updatedInput")
    return changed if changed == said(answer).get("modifiedArgs") else None


FACTS = Facts(
    environ={"COPILOT_CLI": "", "COPILOT_PROJECT_DIR": "cwd", "CLAUDE_PROJECT_DIR": "cwd"},
    before_tool="preToolUse",
    shell="bash",
    stops=stops,
    new_input=new_input,
    guarding="preToolUse PreToolUse preMcpToolCall permissionRequest PermissionRequest userPromptSubmitted "
    "UserPromptSubmit promptSubmit",
    asks=True,
    begins={"source": "new", "initialPrompt": "hi"},
    start="sessionStart",
    prompt="UserPromptSubmit",
    ends=("agentStop", "subagentStop", "Stop", "SubagentStop"),
    tools={
        "Bash": "shell bash powershell write_bash write_powershell run_in_terminal send_to_terminal runTerminalCommand",
        "Write": "write create create_file createFile",
        "Edit": "edit str_replace_editor apply_patch replace_string_in_file "
        "multi_replace_string_in_file insert_edit_into_file editFiles",
        "Read": "read view read_file view_image",
        "Glob": "glob file_search",
        "Grep": "grep rg grep_search",
        "Task": "task Agent runSubagent search_subagent explore_subagent execution_subagent",
        "WebFetch": "fetch web_fetch fetch_webpage",
    },
    unchanged="TodoRead TodoWrite demo-poke demo/poke mcp_server_tool Write Custom ask_user skill sql",
    project_variable="COPILOT_PROJECT_DIR",
    places={
        "user": "home/.copilot/hooks/rulez.json",
        "project": "project/.github/hooks/rulez.json",
        "managed": "root/etc/github-copilot/policy.d/rulez.json",
    },
    moved=("COPILOT_HOME", "hooks/rulez.json"),
    settings={
        "file": "copilot/rulez.json",
        "events": (
            "SessionStart SessionEnd UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure "
            "PermissionRequest Stop SubagentStart SubagentStop PreCompact ErrorOccurred Notification"
        ),
        "must have": "PreToolUse PostToolUse PermissionRequest UserPromptSubmit SessionStart Stop PreCompact",
        "must not have": {"preToolUse": "VS Code and Copilot CLI read different answers under this spelling"},
        "matched by tool": "",
        "timeout key": "timeoutSec",
        "timeouts per second": 1,
        "entry keys": "type command bash powershell timeoutSec",
        "top": ["version", "hooks"],
        "closing": "PreToolUse PermissionRequest UserPromptSubmit",
        "goes on": "",
    },
    loses="comments",
)

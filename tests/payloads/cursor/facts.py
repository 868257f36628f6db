"""What the tests know of Cursor, from its contract alone.

It is said a second time on purpose: the adapter must agree with it, and does not read it.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, said


def stops(answer: Answer, event_type: str) -> bool:
    """By its JSON, at exit code 0: beside another, its own text would be lost."""
    words = said(answer)
    reason = words.get("user_message")
    if answer.exit_code != 0 or not isinstance(reason, str) or not reason.strip():
        return False
    if event_type == "UserPromptSubmit":
        return words.get("continue") is False
    return words.get("permission") == "deny" and words.get("agent_message") == reason


def new_input(answer: Answer) -> object:
    return said(answer).get("updated_input")


FACTS = Facts(
    environ={"CURSOR_PROJECT_DIR": "", "CLAUDE_PROJECT_DIR": "", "CURSOR_VERSION": "cursor_version"},
    before_tool="preToolUse",
    shell="Shell",
    stops=stops,
    new_input=new_input,
    guarding="preToolUse beforeShellExecution beforeMCPExecution beforeReadFile beforeTabFileRead beforeSubmitPrompt",
    begins={"hook_event_name": "sessionStart", "cursor_version": "1.0.32"},
    start="sessionStart",
    prompt="beforeSubmitPrompt",
    ends=("stop", "subagentStop"),
    tools={
        "Bash": "Shell",
        "Write": "Write",
        "Edit": "TabWrite",
        "Read": "Read TabRead",
        "Grep": "Grep",
        "Task": "Task",
        "WebFetch": "Fetch WebFetch",
    },
    unchanged="Delete List ReadLints WebSearch MCP:poke ComputerUse WriteShellStdin FetchMcpResource bash shell",
    neutral="{}",
    exit_of_a_deny=0,
    project_field="workspace_roots",
    asks_at="beforeShellExecution beforeMCPExecution",
    asked=lambda answer: said(answer).get("permission") == "ask",
    not_rewritten="beforeShellExecution beforeMCPExecution beforeReadFile beforeTabFileRead",
    places={
        "user": "home/.cursor/hooks.json",
        "project": "project/.cursor/hooks.json",
        "managed": "root/etc/cursor/hooks.json",
    },
    moved=None,
    loses="trailing commas",
    settings={
        "file": "cursor/hooks.json",
        "events": (
            "preToolUse postToolUse postToolUseFailure beforeShellExecution beforeMCPExecution "
            "beforeReadFile afterShellExecution afterMCPExecution afterFileEdit beforeTabFileRead "
            "afterTabFileEdit beforeSubmitPrompt stop sessionStart sessionEnd subagentStart "
            "subagentStop preCompact afterAgentResponse afterAgentThought workspaceOpen"
        ),
        "must have": (
            "preToolUse beforeShellExecution beforeMCPExecution beforeSubmitPrompt sessionStart stop postToolUse"
        ),
        "must not have": {"beforeTabFileRead": "a process for every file that Tab reads"},
        "matched by tool": "",
        "timeout key": "timeout",
        "timeouts per second": 1,
        "entry keys": "type command timeout failClosed",
        "top": ["version", "hooks"],
        "closing": "",
        "goes on": "",
    },
)

"""What the tests know of Gemini CLI, from its contract alone.

It is said a second time on purpose: the adapter must agree with it, and does not read it.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, inside, said, told


def stops(answer: Answer, event_type: str) -> bool:
    words = said(answer)
    if not words:
        return answer.exit_code >= 2 and told(answer)
    if answer.exit_code != 0 or told(answer):
        return False
    return words.get("decision") == "deny" and bool(words["reason"].strip())


FACTS = Facts(
    environ={
        "GEMINI_PROJECT_DIR": "cwd",
        "GEMINI_CWD": "cwd",
        "GEMINI_SESSION_ID": "session_id",
        "CLAUDE_PROJECT_DIR": "cwd",
    },
    before_tool="BeforeTool",
    shell="run_shell_command",
    stops=stops,
    new_input=lambda answer: inside(answer).get("tool_input"),
    guarding="BeforeTool BeforeAgent BeforeModel",
    exit_of_a_deny=0,
    begins={"hook_event_name": "SessionStart", "source": "startup"},
    start="SessionStart",
    prompt="BeforeAgent",
    ends=("AfterAgent",),
    tools={
        "Bash": "run_shell_command execute_code",
        "Write": "write_file",
        "Edit": "replace",
        "Read": "read_file",
        "Glob": "glob",
        "Grep": "search_file_content grep_search",
        "Task": "invoke_agent",
        "WebFetch": "web_fetch",
    },
    unchanged="list_directory read_many_files google_web_search ask_user save_memory "
    "write_todos activate_skill run_agent list_files search_files mcp_demo_put_marker mcp__x__y Glob bash custom",
    project_variable="GEMINI_PROJECT_DIR",
    places={
        "user": "home/.gemini/settings.json",
        "project": "project/.gemini/settings.json",
        "managed": "root/etc/gemini-cli/settings.json",
    },
    moved=("GEMINI_CLI_HOME", ".gemini/settings.json"),
    settings={
        "file": "gemini/settings.json",
        "events": (
            "SessionStart SessionEnd BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection "
            "BeforeTool AfterTool PreCompress Notification"
        ),
        "must have": "BeforeTool AfterTool BeforeAgent AfterAgent SessionStart PreCompress Notification",
        "must not have": {
            "PreCompact": "Gemini CLI calls it PreCompress",
            "BeforeModel": "a process per model call",
            "AfterModel": "a process per chunk of the reply",
            "BeforeToolSelection": "any answer to it narrows the tools the model is offered",
        },
        "matched by tool": "",
        "timeout key": "timeout",
        "timeouts per second": 1000,
        "entry keys": "type command timeout",
        "top": ["hooks"],
        "closing": "BeforeTool BeforeAgent",
        "goes on": "AfterAgent",
    },
    loses="comments",
)

"""What the tests know of Cline, from its contract alone.

It is said a second time on purpose: the adapter must agree with it, and does not read it.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, said


def stops(answer: Answer, event_type: str) -> bool:
    """By its JSON, at exit code 0: it looks at no exit code."""
    words = said(answer)
    reason = words.get("errorMessage")
    return answer.exit_code == 0 and words.get("cancel") is True and isinstance(reason, str) and bool(reason.strip())


FACTS = Facts(
    before_tool="tool_call",
    shell="run_commands",
    stops=stops,
    new_input=lambda answer: said(answer).get("overrideInput"),
    guarding="tool_call",
    begins={"hookName": "agent_start", "clineVersion": "", "workspaceRoots": ["/work"]},
    start="agent_start",
    prompt="prompt_submit",
    ends=("agent_end",),
    tools={
        "Bash": "run_commands",
        "Edit": "editor apply_patch",
        "Read": "read_files",
        "Grep": "search_codebase",
        "Task": "spawn_agent",
        "WebFetch": "fetch_web_content",
    },
    unchanged="ask_question skills web_search team_run_task demo__make_file Bash bash shell execute_command",
    neutral="{}",
    exit_of_a_deny=0,
    project_field="workspaceRoots",
    unheard="agent_start prompt_submit agent_end",
    places={"user": "home/.cline/hooks/PreToolUse", "project": "project/.clinerules/hooks/PreToolUse"},
    moved=("CLINE_DIR", "hooks/PreToolUse"),
)

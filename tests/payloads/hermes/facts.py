"""What the tests know of Hermes, from its contract alone.

It is said a second time on purpose: the adapter must agree with it, and does not read it.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, said


def stops(answer: Answer, event_type: str) -> bool:
    """By its JSON: it looks at no exit code, and knows no other word than `block`."""
    words = said(answer)
    reason = str(words.get("reason") or "")
    return answer.exit_code == 0 and words.get("decision") == "block" and bool(reason.strip())


FACTS = Facts(
    before_tool="pre_tool_call",
    shell="terminal",
    stops=stops,
    new_input=lambda answer: said(answer).get("tool_input"),
    guarding="pre_tool_call",
    not_rewritten="pre_tool_call",
    begins={"hook_event_name": "on_session_start", "extra": {"platform": "cli"}},
    start="on_session_start",
    prompt="pre_llm_call",
    ends=("pre_verify", "on_session_end"),
    tools={
        "Bash": "terminal execute_code process:write",
        "Write": "write_file",
        "Edit": "patch",
        "Read": "read_file",
        "Grep": "search_files",
        "Glob": "search_files:files",
        "Task": "delegate_task",
        "WebFetch": "web_extract browser_navigate",
    },
    unchanged="process todo memory skill_view clarify web_search mcp__x__y Shell bash terminal2 custom",
    neutral="{}",
    exit_of_a_deny=0,
    runs_in_project=True,
    unheard="on_session_start post_tool_call on_session_end",
    places={"user": "home/.hermes/config.yaml"},
    moved=("HERMES_HOME", "config.yaml"),
)

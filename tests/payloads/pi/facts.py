"""What the tests know of Pi, from its contract alone.

It is said a second time on purpose: the adapter must agree with it, and does not read it.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, said, told


def stops(answer: Answer, event_type: str) -> bool:
    words = said(answer)
    refused = words.get("continue") is False and bool(words["reason"].strip())
    return answer.exit_code == 2 and (refused if words else told(answer))


def asked(answer: Answer) -> bool:
    """At exit code 0: beside 2 it is a deny, whatever stdout says."""
    words = said(answer)
    return answer.exit_code == 0 and words.get("continue") is False and words.get("ask") is True


FACTS = Facts(
    before_tool="tool_call",
    shell="bash",
    stops=stops,
    new_input=lambda answer: said(answer).get("args"),
    guarding="tool_call user_bash input",
    neutral='{"continue":true}',
    begins={"hook_event_name": "session_start", "session_id": "s", "has_ui": False, "reason": "startup"},
    start="session_start",
    prompt="input",
    ends=("agent_settled",),
    unheard="agent_settled",
    asks=True,
    asking={"has_ui": True},
    asked=asked,
    not_rewritten="user_bash",
    tools={
        "Bash": "bash powershell",
        "Write": "write",
        "Edit": "edit",
        "Read": "read",
        "Glob": "find",
        "Grep": "grep",
    },
    unchanged="ls mytool demo_make_file Bash shell",
    project_field="cwd",
    places={"user": "home/.pi/agent/extensions/rulez.js", "project": "project/.pi/extensions/rulez.js"},
    moved=("PI_CODING_AGENT_DIR", "extensions/rulez.js"),
)

"""What the tests know of Amp, from its contract alone, which is from the code of its package.

No payload here was recorded: they are made from that code.
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
    before_tool="tool.call",
    shell="Bash",
    stops=stops,
    new_input=lambda answer: said(answer).get("args"),
    guarding="tool.call",
    neutral='{"continue":true}',
    begins={"hook_event_name": "session.start", "session_id": "T-1", "executor": "local"},
    start="session.start",
    prompt="agent.start",
    ends=("agent.end",),
    unheard="agent.end",
    asks=True,
    asked=asked,
    tools={
        "Bash": "Bash shell_command",
        "Write": "create_file",
        "Edit": "edit_file apply_patch",
        "Read": "Read",
        "Glob": "glob",
        "Grep": "Grep",
        "WebFetch": "read_web_page",
    },
    unchanged="web_search skill oracle mcp__demo__make_file bash shell",
    project_field="cwd",
    places={"user": "home/.config/amp/plugins/rulez.js", "project": "project/.amp/plugins/rulez.js"},
    moved=("XDG_CONFIG_HOME", "amp/plugins/rulez.js"),
)

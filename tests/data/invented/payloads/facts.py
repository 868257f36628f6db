"""What the tests know of Invented CLI, from its contract alone."""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, said, told


def stops(answer: Answer, event_type: str) -> bool:
    words = said(answer)
    refused = words.get("verdict") == "deny" and bool(words["because"].strip())
    return answer.exit_code == 2 and told(answer) and refused


FACTS = Facts(
    before_tool="before_call",
    shell="terminal",
    stops=stops,
    new_input=lambda answer: said(answer).get("input"),
    guarding="before_call typed",
    begins={"hook_event_name": "opened"},
    start="opened",
    prompt="typed",
    ends=("done",),
    tools={"Bash": "terminal", "Write": "put_file", "Edit": "change_file", "Read": "show_file"},
    unchanged="walk_tree mcp::tool Bash",
    project_variable="INVENTED_PROJECT",
    places={"user": "home/.invented/switches.json", "project": "project/.invented/switches.json"},
    moved=("INVENTED_HOME", "switches.json"),
)

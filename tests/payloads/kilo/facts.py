"""What the tests know of Kilo Code, from its contract alone.

It is said a second time on purpose: the adapter must agree with it, and does not read it.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, said, told


def stops(answer: Answer, event_type: str) -> bool:
    words = said(answer)
    refused = words.get("continue") is False and bool(words["reason"].strip())
    return answer.exit_code == 2 and (refused if words else told(answer))


FACTS = Facts(
    before_tool="tool.execute.before",
    shell="bash",
    stops=stops,
    new_input=lambda answer: said(answer).get("args"),
    guarding="tool.execute.before chat.message command.execute.before",
    neutral='{"continue":true}',
    begins={"hook": "event", "input": {"type": "session.created", "properties": {"sessionID": "s"}}, "output": {}},
    start="session.created",
    prompt="chat.message",
    ends=("session.idle",),
    unheard="session.idle",
    tools={
        "Bash": "bash background_process",
        "Write": "write",
        "Edit": "edit apply_patch",
        "Read": "read",
        "Glob": "glob",
        "Grep": "grep",
        "Task": "task",
        "WebFetch": "webfetch",
    },
    unchanged="list lsp patch skill todowrite websearch question schedule_wakeup demo_touch_file mytool Bash",
    project_field="directory",
    places={"user": "home/.config/kilo/plugin/rulez.js", "project": "project/.kilo/plugin/rulez.js"},
    moved=("XDG_CONFIG_HOME", "kilo/plugin/rulez.js"),
)

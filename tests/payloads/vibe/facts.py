"""What the tests know of Mistral Vibe, from its contract alone.

It is said a second time on purpose: the adapter must agree with it, and does not read it.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, said


def stops(answer: Answer, event_type: str) -> bool:
    """By its flat JSON, at exit code 0: at another Vibe does not read it."""
    words = said(answer)
    reason = words.get("reason")
    denied = words.get("decision") == "deny" and isinstance(reason, str) and bool(reason.strip())
    return answer.exit_code == 0 and denied


FACTS = Facts(
    before_tool="pre_tool",
    shell="file_system.bash",
    stops=stops,
    new_input=lambda answer: said(answer).get("hook_specific_output", {}).get("tool_input"),
    guarding="pre_tool",
    begins={},
    start="",
    prompt="",
    ends=("post_agent",),
    tools={
        "Bash": "file_system.bash process.start process.write",
        "Write": "file_system.write_file vibe.unified_harness_scratchpad:write",
        "Edit": "file_system.search_replace",
        "Read": "file_system.read_file vibe.unified_harness_scratchpad:read",
        "Task": "agents.spawn agents.send_message",
    },
    unchanged="skill.read vibe.todo self.wait mcp_demo.make_file bash edit write_file Bash",
    exit_of_a_deny=0,
    runs_in_project=True,
    places={"user": "home/.vibe/hooks.toml", "project": "project/.vibe/hooks.toml"},
    moved=("VIBE_HOME", "hooks.toml"),
)

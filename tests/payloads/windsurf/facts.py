"""What the tests know of Windsurf, from its contract alone, which is from its documentation.

No payload here was recorded: they are made from that documentation.
"""

from __future__ import annotations

from rulez_py.verdict import Answer
from tests.facts import Facts, told


def stops(answer: Answer, event_type: str) -> bool:
    """By exit code 2 alone; the model reads stderr."""
    return answer.exit_code == 2 and told(answer)


FACTS = Facts(
    before_tool="pre_run_command",
    before_other_tools="pre_write_code pre_read_code pre_mcp_tool_use",
    shell="run_command",
    stops=stops,
    new_input=lambda answer: None,
    guarding="pre_run_command pre_write_code pre_read_code pre_mcp_tool_use pre_user_prompt",
    begins={},
    start="",
    prompt="pre_user_prompt",
    ends=(),
    tools={"Bash": "run_command", "Edit": "write_code", "Read": "read_code"},
    unchanged="mcp__github__create_issue pre_fly bash",
    not_rewritten="pre_run_command pre_write_code pre_read_code pre_mcp_tool_use",
    runs_in_project=True,
    unheard=(
        "pre_user_prompt post_run_command post_write_code post_read_code post_mcp_tool_use post_cascade_response "
        "post_cascade_response_with_transcript post_setup_worktree"
    ),
    places={
        "user": "home/.codeium/windsurf/hooks.json",
        "project": "project/.windsurf/hooks.json",
        "managed": "root/etc/windsurf/hooks.json",
    },
    moved=None,
    settings={
        "file": "windsurf/hooks.json",
        "events": (
            "pre_run_command pre_write_code pre_read_code pre_mcp_tool_use pre_user_prompt post_run_command "
            "post_write_code post_read_code post_mcp_tool_use post_cascade_response "
            "post_cascade_response_with_transcript post_setup_worktree"
        ),
        "must have": "pre_run_command pre_write_code pre_read_code pre_mcp_tool_use pre_user_prompt",
        "must not have": {"post_setup_worktree": "it guards nothing"},
        "matched by tool": "",
        "timeout key": "",
        "timeouts per second": 1,
        "entry keys": "command show_output",
        "top": ["hooks"],
        "closing": "pre_run_command pre_write_code pre_read_code pre_mcp_tool_use pre_user_prompt",
        "goes on": "",
    },
    loses="comments",
)

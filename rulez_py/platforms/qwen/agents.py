"""The agent definition files of Qwen Code: their fields, and the tools the model gets for a name.

Measured on the real CLI: contract.md, "Agent definition files".
"""

from __future__ import annotations

import re
from typing import Any

from rulez_py.platforms.agent_files import (
    EVERY_TOOL,
    SMALL,
    AgentFile,
    Offered,
    anything,
    is_count,
    is_map,
    is_number,
    one_of,
    same,
)
from rulez_py.platforms.tool_table import SOURCE


def _limits(value: Any) -> bool:
    """Tell whether its `runConfig` loads the file; what is no map is ignored."""
    if not is_map(value):
        return True
    minutes, turns = value.get("max_time_minutes", 1), value.get("max_turns", 1)
    return is_number(minutes) and minutes > 0 and is_count(turns)


MEMBER = "Qwen"
"""Its name in `rulez_py.definitions.agents.Platform`."""

FILE = AgentFile(
    directory=".qwen/agents",
    user_directory=".qwen/agents",
    mcp=("mcp__{server}__{tool}", "mcp__{server}"),
    named_inside=True,
    keys={
        "name": "name",
        "description": "description",
        "tools": "tools",
        "disallowed_tools": "disallowedTools",
        "model": "model",
    },
    known={
        **dict.fromkeys(
            ("permissionMode", "maxTurns", "mcpServers", "hooks", "color", "background", "modelConfig"), anything
        ),
        "approvalMode": one_of("plan", "default", "auto-edit", "auto", "yolo", "bubble"),
        "runConfig": _limits,
        "executor": is_map,
    },
    ignores_unknown=True,
    own_agents=frozenset(("general-purpose", "explore", "statusline-setup", "review-agent", "claude-code", "codex")),
    agent_name=re.compile(r"(?!(?:self|system|user|model|tool|config|default|main)$).{2,50}"),
    widening={
        "mcpServers": "gives it all tools of these servers",
        "executor": "has another program do its work, with the tools of that",
    },
    overruling=frozenset(("executor",)),
    spawners=("agent",),
    further={"Grep": ("grep_search",)},
    no_tool="none",
    gives_nothing=re.compile(r"mcp__(?:(?!__).)+(?:__\*)?"),
    # Any other text goes to the service as it is.
    star=EVERY_TOOL,
    model=re.compile(r"(?:qwen|coder-model|vision-model)[^/]*", re.I),
    sizes={SMALL: "fast"},
    breaks_prompt=re.compile(r"\$\{[A-Za-z_]\w*\}"),
    least_prompt=10,
    names_callers=False,
)

OFFERED = {
    **same("write_file", "edit", "run_shell_command", "read_file", "glob"),
    "list_directory": Offered((), "not offered to an agent in the measured version"),
    "lsp": Offered(("lsp",), "only with a language server", SOURCE),
    **same("skill"),
    "todo_write": Offered((), "the main agent alone has it"),
    **same("web_fetch"),
    "web_search": Offered(("web_search",), "only where a search service is set up", SOURCE),
    "ask_user_question": Offered(("ask_user_question",), "in its terminal; never in `qwen -p`", SOURCE),
}

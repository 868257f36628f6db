"""The agent definition files of Kimi Code: their fields, and the tools the model gets for a name.

Measured on the real CLI: contract.md, "Agent definition files".
"""

from __future__ import annotations

import re
from typing import Any

from rulez_py.platforms.agent_files import (
    ALONE_EVERY_TOOL,
    AgentFile,
    Offered,
    anything,
    are_texts,
    is_switch,
    is_text,
    same,
)
from rulez_py.platforms.tool_table import SOURCE


def _names(value: Any) -> bool:
    return is_text(value) or (are_texts(value) and all(map(str.strip, value)))


MEMBER = "Kimi"
"""Its name in `rulez_py.definitions.agents.Platform`."""

_REPLACED = "|".join(
    (
        *("additional_dirs_info", "additional_dirs_section", "agents_md", "base_prompt", "cwd", "cwd_listing"),
        *("notify_user_guidance", "os", "plugin_sections", "product_name", "reply_style_guide", "role_additional"),
        *("shell", "skills", "skills_section", "windows_notes"),
    )
)

FILE = AgentFile(
    directory=".kimi-code/agents",
    user_directory=".kimi-code/agents",
    mcp=("mcp__{server}__{tool}", "mcp__{server}__*"),
    mcp_letter=re.compile(r"[A-Za-z0-9_-]"),
    named_inside=True,
    keys={"name": "name", "description": "description", "tools": "tools", "disallowed_tools": "disallowedTools"},
    known={"whenToUse": anything, "override": is_switch, "subagents": _names},
    ignores_unknown=True,
    own_agents=frozenset(("agent", "coder", "explore", "plan", "tower-worker")),
    agent_name=re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*"),
    spawners=("Agent", "AgentSwarm", "TowerInit", "TowerSpawn"),
    further={"Grep": ("Grep",)},
    # A glob is one for tools of MCP servers alone. Their names have no `__` inside, and a longer one than 64
    # characters ends otherwise: as disallowed tool such a name would take nothing away.
    tool_name=re.compile(
        r"mcp__(?!.*___)(?!.*__.*__)(?:[A-Za-z0-9_-]{1,59}|(?=.*\*)[A-Za-z0-9_*-]{1,45})|(?!mcp__)[^*?\[\]{}]+"
    ),
    star=ALONE_EVERY_TOOL,
    model=re.compile(r".+", re.S),
    description_on_one_line=True,
    changes_prompt=re.compile(rf"\$\{{(?:{_REPLACED})\}}"),
    least_prompt=1,
    names_callers=False,
)

OFFERED = {
    **same("Write", "Edit", "Bash", "Read", "Glob", "Skill", "TodoList"),
    **same("FetchURL"),
    "WebSearch": Offered(("WebSearch",), "only with its service", SOURCE),
    **same("AskUserQuestion"),
}

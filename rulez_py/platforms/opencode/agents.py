"""The agent definition files of OpenCode: their fields, and the tools the model gets for a name.

Measured on the real CLI: contract.md, "Agent definition files".
"""

from __future__ import annotations

import re
from typing import Any

from rulez_py.platforms.agent_files import (
    WRITING,
    AgentFile,
    Offered,
    is_count,
    is_map,
    is_number,
    is_switch,
    is_text,
    one_of,
    same,
)
from rulez_py.platforms.tool_table import SOURCE


def _color(value: Any) -> bool:
    words = ("primary", "secondary", "accent", "success", "warning", "error", "info")
    return isinstance(value, str) and (value in words or re.fullmatch("#[0-9a-fA-F]{6}", value) is not None)


_action = one_of("allow", "ask", "deny")


def _permission(value: Any) -> bool:
    return _action(value) or (is_map(value) and all(map(_action, value.values())))


MEMBER = "OpenCode"
"""Its name in `rulez_py.definitions.agents.Platform`."""

FILE = AgentFile(
    directory=".opencode/agent",
    user_directory=".config/opencode/agent",
    mcp=("{server}_{tool}", "{server}_*"),
    mcp_letter=re.compile(r"[a-zA-Z0-9_-]"),
    loaded_instead=(
        ".opencode/agents/{name}.md",
        *(f"~/.config/opencode/{directory}/{{name}}.md" for directory in ("agent", "agents")),
    ),
    keys={
        "description": "description",
        "tools": "tools",
        "model": "model",
        "temperature": "temperature",
        "max_tokens": "max_tokens",  # An option of the provider: those that are OpenAI-compatible take it.
    },
    known={
        "mode": one_of("primary", "subagent", "all"),
        "color": _color,
        "steps": is_count,
        "maxSteps": is_count,
        "top_p": is_number,
        "hidden": is_switch,
        "disable": is_switch,
        "options": is_map,
        "variant": is_text,
        "permission": lambda value: _action(value) or (is_map(value) and all(map(_permission, value.values()))),
    },
    ignores_unknown=False,
    own_agents=frozenset(("build", "plan", "general", "explore", "title", "summary", "compaction")),
    widening={"permission": "wins over tools"},
    overruling=frozenset(("permission",)),
    tools_as_map=True,
    one_switch=WRITING,
    spawners=("task",),
    further={"Grep": ("grep",)},
    model=re.compile(r"[^/]+/.+"),
    needs_model_like_that=True,
    changes_json=re.compile(r"\{(?=(?:env|file):)"),
    json_path=("agent", "{name}"),
)

OFFERED = {
    "write": Offered(
        ("write", "edit"), "one switch with `edit`; GPT models are offered `apply_patch` in place of both"
    ),
    "edit": Offered(("write", "edit"), "one switch with `write`"),
    **same("bash", "read"),
    "grep": Offered(("grep",), "the tool `glob` has that name: `Custom:glob` gives it"),
    "list": Offered((), "there is no such tool; `read` reads directories"),
    "lsp": Offered(("lsp",), "only with OPENCODE_EXPERIMENTAL_LSP_TOOL"),
    **same("skill", "todowrite"),
    "todoread": Offered((), "there is no such tool"),
    **same("webfetch"),
    "question": Offered(("question",), "in its terminal and app; never in `opencode run`", SOURCE),
}

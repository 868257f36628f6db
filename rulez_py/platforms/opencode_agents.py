"""The agent definition files of OpenCode and of those that descend from it: what they have in common."""

from __future__ import annotations

import re
from typing import Any

from rulez_py.platforms.agent_files import (
    WRITING,
    AgentFile,
    is_count,
    is_map,
    is_number,
    is_switch,
    is_text,
    one_of,
)


def _color(value: Any) -> bool:
    words = ("primary", "secondary", "accent", "success", "warning", "error", "info")
    return isinstance(value, str) and (value in words or re.fullmatch("#[0-9a-fA-F]{6}", value) is not None)


_action = one_of("allow", "ask", "deny")


def _permission(value: Any) -> bool:
    return _action(value) or (is_map(value) and all(map(_action, value.values())))


def agent_file(
    *,
    directory: str,
    user_directory: str,
    loaded_instead: tuple[str, ...],
    own_agents: frozenset[str],
    replaced: re.Pattern[str] | None = None,
) -> AgentFile:
    """Return the facts of one of them; the parameters are those of `AgentFile`."""
    return AgentFile(
        directory=directory,
        user_directory=user_directory,
        loaded_instead=loaded_instead,
        own_agents=own_agents,
        replaced=replaced,
        mcp=("{server}_{tool}", "{server}_*"),
        mcp_letter=re.compile(r"[a-zA-Z0-9_-]"),
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

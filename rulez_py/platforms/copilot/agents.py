"""The agent definition files of Copilot: their fields, and the tools the model gets for a name.

Measured on the real CLI: contract.md, "Agent definition files".
"""

from __future__ import annotations

import re
from typing import Any

from rulez_py.platforms.agent_files import (
    EVERY_TOOL,
    WRITING,
    AgentFile,
    Offered,
    anything,
    are_texts,
    is_map,
    is_switch,
    is_text,
    one_of,
)


def _servers(value: Any) -> bool:
    return is_map(value) and all(is_map(one) and "tools" in one for one in value.values())


MEMBER = "Copilot"
"""Its name in `rulez_py.definitions.agents.Platform`."""

FILE = AgentFile(
    directory=".github/agents",
    user_directory=".copilot/agents",
    mcp=("{server}/{tool}", "{server}/*"),
    loaded_instead=("~/.copilot/agents/{name}.agent.md", "~/.copilot/agents/{name}.md"),
    named_inside=True,
    ending=".agent.md",
    keys={"name": "name", "description": "description", "tools": "tools", "model": "model"},
    known={
        "model-policy": one_of("preferred", "required"),
        "reasoning-effort": is_text,
        "disable-model-invocation": is_switch,
        "infer": is_switch,
        "user-invocable": is_switch,
        "include-custom-instructions": is_switch,
        "mcp-servers": _servers,
        "skills": are_texts,
        "hooks": is_map,
        "strict-tools-list": is_switch,
        "deferred-tool-loading": is_switch,
        "target": anything,
        "metadata": anything,
        "argument-hint": anything,
        "handoffs": anything,
        "agents": anything,
    },
    ignores_unknown=True,
    own_agents=frozenset(
        (
            *("explore", "task", "general-purpose", "code-review", "research", "security-review"),
            *("rubber-duck", "rem-agent", "subconscious-agent", "default"),
        )
    ),
    one_switch=WRITING,
    names_overlap=True,
    ignores_case=True,
    aliases={
        **dict.fromkeys(("runcommands",), "execute"),
        **dict.fromkeys(("multiedit", "notebookedit"), "edit"),
        **dict.fromkeys(("notebookread",), "read"),
        **dict.fromkeys(("codebase", "grep", "grep_search", "rg"), "search"),
        **dict.fromkeys(("todos",), "todo"),
        **dict.fromkeys(("webfetch",), "web"),
        **dict.fromkeys(("agent", "custom-agent"), "task"),
    },
    spawners=("task",),
    further={"Grep": ("search",)},
    # Sent unchanged; its catalogue has names with a version, and no other agent's short ones.
    star=EVERY_TOOL,
    model=re.compile(r"[^/]*[0-9][^/]*|auto"),
    changes_prompt=re.compile(r"\{\{(?:cwd|grepToolName|globToolName|shellToolName)\}\}"),
    reads_files_of=("claude",),
)

OFFERED = {
    "write": Offered(("create", "edit"), "the same as `edit`; VS Code does not know it"),
    "edit": Offered(("create", "edit"), "Codex models are offered `apply_patch` in place of both"),
    "execute": Offered(("bash", "read_bash", "list_bash", "stop_bash")),
    "read": Offered(("view",)),
    "search": Offered(("glob", "grep")),
    "skill": Offered(("skill",), "VS Code does not know it"),
    "todo": Offered(("update_todo",), "nothing reads it"),
    "web": Offered(("web_fetch",), "searching comes from GitHub's MCP server; nothing with COPILOT_OFFLINE"),
}

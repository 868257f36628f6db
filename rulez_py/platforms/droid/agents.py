"""The agent definition files of Factory Droid: their fields, and the tools the model gets for a name.

Measured on the real CLI: contract.md, "Agent definition files".
"""

from __future__ import annotations

import re

from rulez_py.platforms.agent_files import AgentFile, Offered, is_text, is_text_or_texts, same
from rulez_py.platforms.tool_table import SOURCE

MEMBER = "Droid"
"""Its name in `rulez_py.definitions.agents.Platform`."""

FILE = AgentFile(
    directory=".factory/droids",
    user_directory=".factory/droids",
    mcp=("{server}___{tool}", "{server}___*"),
    named_inside=True,
    keys={"name": "name", "description": "description", "tools": "tools", "model": "model"},
    # A wrong type loses all of the front matter: it would be an agent with every tool.
    known={"reasoningEffort": is_text, "mcpServers": is_text_or_texts},
    ignores_unknown=True,
    own_agents=frozenset(("explorer",)),
    agent_name=re.compile(r"[a-z0-9_-]+"),
    always=("Skill",),
    besides=("Grep",),
    further={"Grep": ("Grep",)},
    # It takes MultiEdit for Edit.
    tool_name=re.compile(r"(?!MultiEdit$)(?![*?]+$).*", re.S),
    gives_nothing=re.compile(r".*___\*"),
    # Another one has the agent run on the model of who starts it.
    model=re.compile(r"custom:.+|(?:claude|deepseek|gemini|glm|gpt|kimi|minimax)-[^/]+"),
    least_prompt=1,
    names_callers=False,
)

OFFERED = {
    **same("Create"),
    "Edit": Offered(("Edit",), "models of its own service may be offered `ApplyPatch` in place of it", SOURCE),
    **same("Execute", "Read", "Glob", "LS", "Skill"),
    "TodoWrite": Offered((), "not offered to an agent in the measured version"),
    "FetchUrl": Offered(("FetchUrl",), "only with its service", SOURCE),
    "WebSearch": Offered(("WebSearch",), "only with its service", SOURCE),
    "AskUser": Offered(("AskUser",), "in its terminal; never in `droid exec`", SOURCE),
}

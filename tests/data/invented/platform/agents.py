"""The agent definition files of Invented CLI: what may stand in them, and what the model is offered for a name.

Measured on the real CLI: contract.md, "Agent definition files".
"""

from __future__ import annotations

from rulez_py.platforms.agent_files import NO_SLASH, AgentFile, Offered, is_text, same

MEMBER = "Invented"
"""What `rulez_py.definitions.agents.Platform` calls it."""

FILE = AgentFile(
    directory=".invented/people",
    user_directory=".invented/people",
    mcp=("{server}.{tool}", "{server}.*"),
    keys={"name": "name", "description": "description", "tools": "tools", "model": "model"},
    known={"mood": is_text},
    ignores_unknown=True,
    own_agents=frozenset(("nobody",)),
    model=NO_SLASH,
)

OFFERED = {
    **same("put_file", "change_file", "terminal", "show_file"),
    "walk_tree": Offered(("walk_tree",), "in a folder alone"),
}

"""The agent definition files of OpenCode: their fields, and the tools the model gets for a name.

Measured on the real CLI: contract.md, "Agent definition files".
"""

from __future__ import annotations

from rulez_py.platforms.agent_files import Offered, same
from rulez_py.platforms.opencode_agents import agent_file
from rulez_py.platforms.tool_table import SOURCE

MEMBER = "OpenCode"
"""Its name in `rulez_py.definitions.agents.Platform`."""

FILE = agent_file(
    directory=".opencode/agent",
    user_directory=".config/opencode/agent",
    loaded_instead=(
        ".opencode/agents/{name}.md",
        *(f"~/.config/opencode/{directory}/{{name}}.md" for directory in ("agent", "agents")),
    ),
    own_agents=frozenset(("build", "plan", "general", "explore", "title", "summary", "compaction")),
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

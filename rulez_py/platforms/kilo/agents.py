"""The agent definition files of Kilo Code: their fields, and the tools the model gets for a name.

Measured on the real CLI: contract.md, "Agent definition files".
"""

from __future__ import annotations

from rulez_py.platforms.agent_files import Offered, same
from rulez_py.platforms.kilo.instructions import REPLACED
from rulez_py.platforms.opencode_agents import agent_file
from rulez_py.platforms.tool_table import SOURCE

MEMBER = "Kilo"
"""Its name in `rulez_py.definitions.agents.Platform`."""

FILE = agent_file(
    directory=".kilo/agent",
    user_directory=".config/kilo/agent",
    loaded_instead=(
        ".kilo/agents/{name}.md",
        *(f".kilocode/{directory}/{{name}}.md" for directory in ("agent", "agents")),
        *(
            f"~/{home}/{directory}/{{name}}.md"
            for home in (".config/kilo", ".kilo", ".kilocode")
            for directory in ("agent", "agents")
        ),
    ),
    own_agents=frozenset(
        (
            *("code", "plan", "ask", "debug", "orchestrator", "general", "explore"),
            *("title", "summary", "compaction"),
        )
    ),
    replaced=REPLACED,
)

OFFERED = {
    "write": Offered(
        ("write", "edit"), "one switch with `edit`; GPT models are offered `apply_patch` in place of both"
    ),
    "edit": Offered(("write", "edit"), "one switch with `write`"),
    **same("bash", "read", "glob"),
    "lsp": Offered(("lsp",), "only with KILO_EXPERIMENTAL_LSP_TOOL", SOURCE),
    **same("skill", "todowrite", "webfetch"),
    "websearch": Offered(("websearch",), "only with KILO_ENABLE_EXA, or its own provider", SOURCE),
    "question": Offered(("question",), "in its terminal and app; never in `kilo run`", SOURCE),
}

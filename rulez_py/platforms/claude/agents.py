"""The agent definition files of Claude Code: their fields, and the tools the model gets for a name.

Measured on the real CLI: contract.md, "Agent definition files".
"""

from __future__ import annotations

import re

from rulez_py.platforms.agent_files import EVERY_TOOL, LARGE, SMALL, AgentFile, Offered, anything, same

MEMBER = "Claude"
"""Its name in `rulez_py.definitions.agents.Platform`."""

FILE = AgentFile(
    directory=".claude/agents",
    user_directory=".claude/agents",
    mcp=("mcp__{server}__{tool}", "mcp__{server}"),
    named_inside=True,
    keys={
        "name": "name",
        "description": "description",
        "tools": "tools",
        "disallowed_tools": "disallowedTools",
        "model": "model",
    },
    known=dict.fromkeys(
        (
            *("permissionMode", "maxTurns", "mcpServers", "hooks", "skills", "color", "memory", "background"),
            *("isolation", "effort", "initialPrompt"),
        ),
        anything,
    ),
    ignores_unknown=True,
    own_agents=frozenset(("general-purpose", "explore", "plan", "claude", "statusline-setup")),
    widening={
        "memory": "gives it Read, Write and Edit",
        "mcpServers": "gives it all tools of these servers",
    },
    spawners=("Agent", "Workflow"),
    further={"Grep": ("Grep",)},
    # `Bash(git:*)` gives the whole of Bash, `*` everything; as disallowed tool `*` voids the list.
    tool_name=re.compile(r"[^\s,()*]+(?:(?<=__)\*)?"),
    # Any other text goes to the service as it is.
    star=EVERY_TOOL,
    model=re.compile(r"(?:sonnet|opus|haiku|opusplan|default|[^/]*claude[^/]*)(?:\[1m\])?", re.I),
    sizes={SMALL: "haiku", LARGE: "opus"},
    changes_description=re.compile(r"\\n"),
    largest=1_048_000,  # 1 MiB, with the line that says who wrote it.
    json_path=("{name}",),
)

OFFERED = {
    **same("Write", "Edit", "Bash", "Read"),
    "Glob": Offered(("Glob",), "nothing beside `Bash`, which is told to search with `find`"),
    "LSP": Offered((), "not offered in the measured version"),
    "skill": Offered((), "names are case-sensitive there: `Custom:Skill` gives it"),
    **{
        name: Offered((name,), "with older models, or CLAUDE_CODE_ENABLE_TODO_TOOLS=1")
        for name in ("TaskCreate", "TaskUpdate", "TaskList", "TaskGet")
    },
    **same("WebFetch", "WebSearch"),
    "AskUserQuestion": Offered(("AskUserQuestion",), "to a main agent somebody talks with; never to a subagent"),
}

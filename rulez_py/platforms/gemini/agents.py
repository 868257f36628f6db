"""The agent definition files of Gemini CLI: their fields, and the tools the model gets for a name.

Measured on the real CLI: contract.md, "Agent definition files".
"""

from __future__ import annotations

import re

from rulez_py.platforms.agent_files import (
    EVERY_TOOL,
    LARGE,
    SMALL,
    AgentFile,
    Offered,
    is_count,
    is_map,
    is_text,
    one_of,
    same,
)

MEMBER = "Gemini"
"""Its name in `rulez_py.definitions.agents.Platform`."""

FILE = AgentFile(
    directory=".gemini/agents",
    user_directory=".gemini/agents",
    mcp=("mcp_{server}_{tool}", "mcp_{server}_*"),
    named_inside=True,
    keys={
        "name": "name",
        "description": "description",
        "tools": "tools",
        "model": "model",
        "temperature": "temperature",  # Taken, and without effect so far.
    },
    known={
        "kind": one_of("local"),
        "display_name": is_text,
        "max_turns": is_count,
        "timeout_mins": is_count,
        "mcp_servers": is_map,
    },
    ignores_unknown=False,
    refuses_unknown=True,
    own_agents=frozenset(("codebase_investigator", "cli_help", "generalist", "browser_agent")),
    widening={"mcp_servers": "gives it all tools of these servers"},
    names_overlap=True,
    besides=("grep_search", "mcp_*"),
    further={"Grep": ("grep_search",)},
    tool_name=re.compile(
        r"mcp_\*|mcp_[A-Za-z0-9.:-]+_(?:\*|(?=[^_]*[A-Za-z0-9.:-])[A-Za-z0-9_.:-]+)|discovered_tool_\S+|"
        r"glob|write_todos|write_file|google_web_search|web_fetch|replace|run_shell_command|grep_search|"
        r"search_file_content|read_many_files|read_file|list_directory|activate_skill|ask_user|"
        r"tracker_(?:create_task|update_task|get_task|list_tasks|add_dependency|visualize)|get_internal_docs|"
        r"enter_plan_mode|exit_plan_mode|update_topic|complete_task|invoke_agent|read_mcp_resource|list_mcp_resources"
    ),
    other_tool_names_lose_the_file=True,
    # Any other text goes into the address of the request.
    star=EVERY_TOOL,
    model=re.compile(r"(?:gemini|gemma)-[^/]+|auto|pro|flash"),
    sizes={SMALL: "flash", LARGE: "pro"},
    breaks_prompt=re.compile(r"\$\{[A-Za-z0-9_]+\}"),
    least_prompt=1,
    names_callers=False,
    headless="No agent has more than the main agent: in a session without a terminal (`-p`) the mode `default` offers "
    "none of them a shell, writing, fetching, todos, skills or MCP tools, `auto_edit` no shell; `--yolo` offers all.",
    description_on_one_line=True,
    afterwards="Gemini CLI loads it when somebody has acknowledged it in its terminal, once for each change",
)

OFFERED = {
    **same("write_file", "replace", "run_shell_command", "read_file", "glob", "list_directory", "activate_skill"),
    "write_todos": Offered(("write_todos",), "with Gemini 2 models only"),
    **same("web_fetch", "google_web_search"),
    "ask_user": Offered(("ask_user",), "in its terminal; never in `gemini -p`"),
}

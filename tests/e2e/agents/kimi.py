"""Kimi Code, driven with `-p` (docs/contracts/kimi-code.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tests.e2e import install
from tests.e2e.agents import NO_PROJECT, NO_SHELL, AgentFiles, Conditions, SkillUse, Start
from tests.e2e.place import MCP_COMMAND, Place
from tests.e2e.script import MCP_SERVER, MCP_TOOL, Call, Spelling
from tests.e2e.wires import chat as WIRE

__all__ = ["WIRE"]

PACKAGE = "@moonshot-ai/kimi-code"
LACKS: Mapping[str, str] = {
    NO_PROJECT: "Kimi Code reads no hooks of a project.",
    "ShellAside": "Kimi Code refuses an argument that its tool does not have, before it calls a hook.",
    "Patch": "Kimi Code has no patch tool: it changes files with Edit and Write.",
}
_NO_ASK = "A hook cannot make Kimi Code ask, so it is a deny."
_DEAF = "Kimi Code does not wait for the hook there."
CANNOT: Mapping[str, str] = {
    "leave a call the user's own settings do not permit to them": "A headless Kimi Code runs what it is told to.",
    "ask the person, and run the call when they agree": _NO_ASK,
    "ask the person, and do not run the call when they refuse": _NO_ASK,
    "run the rewritten command": "Kimi Code takes no new input from a hook, so a rewrite is a deny.",
    "tell the model context before a call": "Kimi Code reads no context there; use a UserPromptSubmit rule.",
    "tell the model context after a call": _DEAF,
    "tell the model context when the session starts": "Kimi Code reads nothing a hook says there.",
    "deny when something the agent left running kills rulez and the shell that runs it": NO_SHELL,
}
UNCONTROLLED: Mapping[str, str] = {"deny a fetch": "Kimi Code fetches nothing from an address of the own network."}

_CONFIG = """\
default_model = "scripted"
telemetry = false
[providers.scripted]
type = "openai"
base_url = "{url}/v1"
api_key = "dummy"
[models.scripted]
provider = "scripted"
model = "scripted"
max_context_size = 200000
"""

_OTHERS = frozenset(
    (
        *("AskUserQuestion", "Edit", "FetchURL", "Glob", "Read", "Skill", "TodoList", "Write"),
        f"mcp__{MCP_SERVER}__{MCP_TOOL}",
    )
)
FILES = AgentFiles(
    ways=("subagent", "main"),
    shell_word="Bash",
    mcp_word=f"mcp__{MCP_SERVER}__{MCP_TOOL}",
    model="scripted",
    asked="scripted",
    one_line=True,
    shell=frozenset(("Bash",)),
    others=_OTHERS,
    least=_OTHERS | {"Grep"},
    handing_on=frozenset(("Agent", "AgentSwarm")),
)

SKILLS = SkillUse(
    call=lambda name, args: Spelling("Skill", {"skill": name, "args": args}),
    words=("Bash", "Write"),
    permits=True,
    replaces=("$ARGUMENTS", "$0", "$10", "$1", "$5"),
    loaded="So far: [one two]\n!`touch made-by-loading.txt && echo LOADED`",
)


def program(installed: Path) -> list[str]:
    found = installed / "node_modules" / PACKAGE / "dist/main.mjs"
    if not found.exists():
        raise ValueError("the program is elsewhere in this version")
    return [str(install.node()), str(found)]


def prepare(conditions: Conditions) -> None:
    place = conditions.place
    place.write(f"{place.home}/.kimi-code/config.toml", _CONFIG.format(url=conditions.model))
    server = {"command": MCP_COMMAND[0], "args": MCP_COMMAND[1:]}
    place.write(f"{place.home}/.kimi-code/mcp.json", json.dumps({"mcpServers": {MCP_SERVER: server}}))


def start(conditions: Conditions) -> Start:
    definition = conditions.definition
    who = ["--agent", definition.name] if definition and definition.leads else []
    return Start(
        arguments=[*who, "-p", conditions.prompt],
        environment={"KIMI_CODE_NO_AUTO_UPDATE": "1", "KIMI_DISABLE_TELEMETRY": "1"},
    )


def spell(call: Call, place: Place) -> Spelling:
    given = call.arguments
    path = str(place.project / given.get("path", ""))
    match call.tool:
        case "Shell":
            return Spelling("Bash", {"command": given["command"], "description": "a step"})
        case "ShellElsewhere":
            where = {"cwd": given["directory"], "description": "a step"}
            return Spelling("Bash", {"command": given["command"], **where})
        case "Write":
            return Spelling("Write", {"path": path, "content": given["content"]})
        case "Edit":
            return Spelling("Edit", {"path": path, "old_string": given["old"], "new_string": given["new"]})
        case "Read":
            return Spelling("Read", {"path": path})
        case "Search":
            return Spelling("Grep", {"pattern": given["pattern"], "path": path, "output_mode": "content"})
        case "Fetch":
            return Spelling("FetchURL", {"url": given["url"]})
        case "Subagent":
            task = {"description": "a task", "prompt": given["task"]}
            return Spelling("Agent", {**task, "subagent_type": given.get("agent", "coder")})
        case "Mcp":
            return Spelling(f"mcp__{MCP_SERVER}__{MCP_TOOL}", {"path": path})
        case "McpShell":
            twice = {"command": given["decoy"], "cmd": given["command"]}
            return Spelling(f"mcp__{MCP_SERVER}__{MCP_TOOL}", {"path": path, **twice})
    raise KeyError(call.tool)


def closing(conversation: str) -> Spelling | None:
    return None

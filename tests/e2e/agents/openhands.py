"""OpenHands' CLI, headless (docs/contracts/openhands.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.e2e.agents import NO_SHELL, Conditions, SkillUse, Start
from tests.e2e.place import MCP_COMMAND, Place
from tests.e2e.script import MCP_SERVER, MCP_TOOL, Call, Spelling
from tests.e2e.wires import chat as WIRE

__all__ = ["WIRE"]

PACKAGE = "openhands"
PYTHON = (3, 12)
_NO_DIRECTORY = "OpenHands' terminal takes no directory with a call."
LACKS: Mapping[str, str] = {
    "Patch": "OpenHands' CLI has no patch tool: it changes files with file_editor.",
    "Search": "OpenHands' CLI has no search tool: its model searches in the terminal.",
    "Fetch": "OpenHands' CLI has no tool that fetches pages.",
    "ShellElsewhere": _NO_DIRECTORY,
    "ShellAside": _NO_DIRECTORY,
    "SubagentsCall": "OpenHands calls no hook for what a subagent does.",
}
_NO_ASK = "A hook cannot make OpenHands ask, so it is a deny."
_UNHEARD = "OpenHands reads no text of a hook there; use a UserPromptSubmit rule."
CANNOT: Mapping[str, str] = {
    "leave a call the user's own settings do not permit to them": "A headless OpenHands lets every call run.",
    "ask the person, and run the call when they agree": _NO_ASK,
    "ask the person, and do not run the call when they refuse": _NO_ASK,
    "run the rewritten command": "OpenHands takes no new input from a hook, so a rewrite is a deny.",
    "tell the model context before a call": _UNHEARD,
    "tell the model context after a call": _UNHEARD,
    "tell the model context when the session starts": _UNHEARD,
    "run a harmless subagent": "OpenHands calls no hook for what a subagent does, so rulez denies to start one.",
    "deny when something the agent left running kills rulez and the shell that runs it": NO_SHELL,
}
BUT: Mapping[str, Mapping[str, Any]] = {
    # The repository's .env reaches the hook, which denies the prompt.
    "deny by the user's policy although the repository's environment file names another place": {
        "told": [],
        "unread": True,
        "printed": "XDG_CONFIG_HOME",
    },
}

SKILLS = SkillUse(
    call=lambda name, _args: Spelling("invoke_skill", {"name": name, "security_risk": "LOW", "summary": "a step"}),
    words=("terminal", "file_editor"),
    permits=True,
    replaces=("!`date`",),
    runs=True,
    loaded="So far: [$ARGUMENTS]\nLOADED",
)


def program(installed: Path) -> list[str]:
    found = installed / "bin" / "openhands"
    if not found.exists():
        raise ValueError("the program is elsewhere in this version")
    return [str(found)]


def prepare(conditions: Conditions) -> None:
    server = {"command": MCP_COMMAND[0], "args": MCP_COMMAND[1:]}
    place = conditions.place
    place.write(f"{place.home}/.openhands/mcp.json", json.dumps({"mcpServers": {MCP_SERVER: server}}))


def start(conditions: Conditions) -> Start:
    return Start(
        arguments=["--headless", "--override-with-envs", "--json", "-t", conditions.prompt],
        environment={
            "LLM_API_KEY": "dummy",
            "LLM_MODEL": "openai/scripted",
            "LLM_BASE_URL": f"{conditions.model}/v1",
            # Otherwise it asks the network what models cost.
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "OPENHANDS_SUPPRESS_BANNER": "1",
        },
    )


def spell(call: Call, place: Place) -> Spelling:
    given = call.arguments
    path = str(place.project / given.get("path", ""))
    step = {"security_risk": "LOW", "summary": "a step"}
    match call.tool:
        case "Shell":
            return Spelling("terminal", {"command": given["command"], **step})
        case "Write":
            return Spelling("file_editor", {"command": "create", "path": path, "file_text": given["content"], **step})
        case "Edit":
            change = {"old_str": given["old"], "new_str": given["new"]}
            return Spelling("file_editor", {"command": "str_replace", "path": path, **change, **step})
        case "Read":
            return Spelling("file_editor", {"command": "view", "path": path, **step})
        case "Subagent":
            agent = given.get("agent", "general-purpose")
            task = {"description": "a task", "prompt": given["task"], "subagent_type": agent}
            return Spelling("task", {**task, **step})
        case "Mcp":
            return Spelling(MCP_TOOL, {"path": path, **step}, namespace=MCP_SERVER)
        case "McpShell":
            twice = {"command": given["decoy"], "cmd": given["command"]}
            return Spelling(MCP_TOOL, {"path": path, **twice, **step}, namespace=MCP_SERVER)
    raise KeyError(call.tool)


def closing(conversation: str) -> Spelling | None:
    return None

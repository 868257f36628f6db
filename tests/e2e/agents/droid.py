"""Factory Droid, driven with `droid exec` (docs/contracts/droid.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tests.e2e.agents import NO_SHELL, AgentFiles, Conditions, SkillUse, Start
from tests.e2e.place import MCP_COMMAND, Place
from tests.e2e.script import MCP_SERVER, MCP_TOOL, Call, Spelling
from tests.e2e.wires import chat as WIRE

__all__ = ["WIRE"]

PACKAGE = "@factory/cli-linux-x64"
_NO_DIRECTORY = "Factory Droid's shell tool takes no directory."
LACKS: Mapping[str, str] = {
    "ShellElsewhere": _NO_DIRECTORY,
    "ShellAside": _NO_DIRECTORY,
    "Patch": "Factory Droid has its patch tool for models of its own service alone.",
}
_NO_ASK = "A hook cannot make Factory Droid ask, so it is a deny."
_NO_PROMPT = "`droid exec` calls no hook for its prompt."
CANNOT: Mapping[str, str] = {
    "leave a call the user's own settings do not permit to them": (
        "The model itself says how risky a command is, and what it calls low is permitted."
    ),
    "ask the person, and run the call when they agree": _NO_ASK,
    "ask the person, and do not run the call when they refuse": _NO_ASK,
    "tell the model context before a call": (
        "Factory Droid drops additionalContext of PreToolUse; use a PostToolUse rule."
    ),
    "tell the model context with the prompt": _NO_PROMPT,
    "block a prompt": _NO_PROMPT,
    "tell the person why a prompt was blocked": _NO_PROMPT,
    "tell the person where the policy is broken": _NO_PROMPT,
    "deny when something the agent left running kills rulez and the shell that runs it": NO_SHELL,
}
UNCONTROLLED: Mapping[str, str] = {
    "deny a fetch": "Factory Droid fetches pages with its own service alone.",
    "deny still at the end of it": "Its settings name the model as well: where they are moved away, the run ends.",
}

FILES = AgentFiles(
    ways=("subagent",),
    shell_word="Execute",
    mcp_word=f"{MCP_SERVER}___{MCP_TOOL}",
    model="custom:scripted",
    asked="scripted",
    shell=frozenset(("Execute",)),
    # The last is how it is given the tool of the MCP server.
    others=frozenset(("Create", "Edit", "Glob", "LS", "Read", "Skill", "ToolSearch")),
    least=frozenset(("Create", "Edit", "Glob", "Grep", "LS", "Read", "Skill")),
    handing_on=frozenset(("Task",)),
    looks_up_mcp=True,
)

SKILLS = SkillUse(
    call=lambda name, _args: Spelling("Skill", {"skill": name}), words=("Execute", "Create"), permits=True
)


def program(installed: Path) -> list[str]:
    found = installed / "node_modules" / PACKAGE / "bin/droid"
    if not found.exists():
        raise ValueError("the program is elsewhere in this version")
    return [str(found)]


def prepare(conditions: Conditions) -> None:
    place = conditions.place
    model = {
        "model": "scripted",
        "id": "custom:scripted",
        "displayName": "scripted",
        "apiKey": "dummy",
        "baseUrl": f"{conditions.model}/v1",
        "provider": "generic-chat-completion-api",
        "maxOutputTokens": 8000,
    }
    settings = {"customModels": [model], "cloudSessionSync": False, "enableDroidShield": False}
    place.write(f"{place.home}/.factory/settings.json", json.dumps(settings))
    server = {"type": "stdio", "command": MCP_COMMAND[0], "args": MCP_COMMAND[1:]}
    place.write(f"{place.home}/.factory/mcp.json", json.dumps({"mcpServers": {MCP_SERVER: server}}))


def start(conditions: Conditions) -> Start:
    permitted = ["--skip-permissions-unsafe"] if conditions.permitted else []
    return Start(
        arguments=["exec", *permitted, "--model", "custom:scripted", conditions.prompt],
        environment={
            "FACTORY_API_KEY": "fk-dummy",
            "FACTORY_AIRGAP_ENABLED": "true",
            "FACTORY_DROID_AUTO_UPDATE_ENABLED": "false",
            "FACTORY_DISABLE_KEYRING": "true",
        },
    )


def spell(call: Call, place: Place) -> Spelling:
    given = call.arguments
    path = str(place.project / given.get("path", ""))
    match call.tool:
        case "Shell":
            risk = {"riskLevelReason": "a step of the task", "riskLevel": "low"}
            return Spelling("Execute", {"command": given["command"], "summary": "Take a step", "timeout": 100, **risk})
        case "Write":
            return Spelling("Create", {"file_path": path, "content": given["content"]})
        case "Edit":
            return Spelling("Edit", {"file_path": path, "old_str": given["old"], "new_str": given["new"]})
        case "Read":
            return Spelling("Read", {"file_path": path})
        case "Search":
            return Spelling("Grep", {"pattern": given["pattern"], "path": path, "output_mode": "content"})
        case "Fetch":
            return Spelling("FetchUrl", {"url": given["url"]})
        case "Subagent":
            agent = given.get("agent", "worker")
            task = {"description": "a task", "prompt": given["task"], "subagent_type": agent}
            return Spelling("Task", {**task, "await": True})
        case "Mcp":
            return Spelling(f"{MCP_SERVER}___{MCP_TOOL}", {"path": path})
        case "McpShell":
            twice = {"command": given["decoy"], "cmd": given["command"]}
            return Spelling(f"{MCP_SERVER}___{MCP_TOOL}", {"path": path, **twice})
    raise KeyError(call.tool)


def closing(conversation: str) -> Spelling | None:
    return None

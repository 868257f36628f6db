"""Gemini CLI, driven with `-p` (docs/contracts/gemini-cli.md)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.e2e.agents import NO_SHELL, AgentFiles, Conditions, SkillUse, Start
from tests.e2e.place import MCP_COMMAND, Place
from tests.e2e.script import MCP_SERVER, MCP_TOOL, Call, Spelling
from tests.e2e.wires import gemini as WIRE

__all__ = ["WIRE"]

PACKAGE = "@google/gemini-cli"
LACKS: Mapping[str, str] = {"Patch": "Gemini CLI has no patch tool: it changes files with replace and write_file."}
_NO_ASK = "A hook of Gemini CLI cannot know whether anybody is there, and to ask nobody hangs, so it is a deny."
CANNOT: Mapping[str, str] = {
    "leave a call the user's own settings do not permit to them": (
        "A headless Gemini CLI does not offer its model what would need a permission."
    ),
    "ask the person, and run the call when they agree": _NO_ASK,
    "ask the person, and do not run the call when they refuse": _NO_ASK,
    "tell the model context before a call": "Gemini CLI drops additionalContext of BeforeTool; use a PostToolUse rule.",
    "deny when something the agent left running kills rulez and the shell that runs it": NO_SHELL,
}
UNCONTROLLED: Mapping[str, str] = {
    "deny a fetch": "Gemini CLI has the page fetched by the model's service, which is the script here.",
}
BUT: Mapping[str, Mapping[str, Any]] = {
    "deny by the user's policy although the repository's environment file names another place": {
        "told": [],
        "unread": True,
        "printed": "XDG_CONFIG_HOME",
    },
}

FILES = AgentFiles(
    ways=("subagent",),
    shell_word="run_shell_command",
    mcp_word=f"mcp_{MCP_SERVER}_{MCP_TOOL}",
    model="gemini-2.5-flash",
    asked="gemini-2.5-flash",
    one_line=True,
    shell=frozenset(("run_shell_command",)),
    others=frozenset(
        (
            *("activate_skill", "complete_task", "glob", "google_web_search", "list_directory", "read_file", "replace"),
            *("web_fetch", "write_file", "write_todos", f"mcp_{MCP_SERVER}_{MCP_TOOL}"),
        )
    ),
    least=frozenset(("glob", "read_file", "replace", "web_fetch", "write_file", f"mcp_{MCP_SERVER}_{MCP_TOOL}")),
    handing_on=frozenset(("invoke_agent",)),
)

SKILLS = SkillUse(
    call=lambda name, _args: Spelling("activate_skill", {"name": name}), words=("run_shell_command", "write_file")
)


def program(installed: Path) -> list[str]:
    return ["node", str(installed / "node_modules/@google/gemini-cli/bundle/gemini.js")]


def prepare(conditions: Conditions) -> None:
    place = conditions.place
    server = {"command": MCP_COMMAND[0], "args": MCP_COMMAND[1:], "trust": conditions.permitted}
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
        "mcpServers": {MCP_SERVER: server},
    }
    place.write(f"{place.home}/.gemini/settings.json", json.dumps(settings))
    if definition := conditions.definition:
        # What its dialog "New Agents Discovered" writes when somebody agrees.
        file = place.project / ".gemini" / "agents" / f"{definition.name}.md"
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        agreed = {str(place.project.resolve()): {definition.name: digest}}
        place.write(f"{place.home}/.gemini/acknowledgments/agents.json", json.dumps(agreed))


def start(conditions: Conditions) -> Start:
    place = conditions.place
    approval = "yolo" if conditions.permitted else "default"
    reachable = f"{place.outside},{place.home}"
    arguments = ["-m", "gemini-2.5-pro", "--approval-mode", approval, "--include-directories", reachable]
    return Start(
        arguments=[*arguments, "-p", conditions.prompt],
        environment={
            "GOOGLE_GEMINI_BASE_URL": conditions.model,
            "GEMINI_API_KEY": "dummy",
            "GEMINI_CLI_NO_RELAUNCH": "1",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            # Keep this machine's own settings out.
            "GEMINI_CLI_SYSTEM_SETTINGS_PATH": str(
                place.hook_file if place.scope == "managed" else place.root / "none.json"
            ),
            "GEMINI_CLI_SYSTEM_DEFAULTS_PATH": str(place.root / "none.json"),
        },
    )


def spell(call: Call, place: Place) -> Spelling:
    given = call.arguments
    path = str(place.project / given.get("path", ""))
    match call.tool:
        case "Shell":
            return Spelling("run_shell_command", {"command": given["command"], "description": "a step"})
        case "ShellElsewhere":
            elsewhere = {"command": given["command"], "dir_path": given["directory"]}
            return Spelling("run_shell_command", {**elsewhere, "description": "a step"})
        case "ShellAside":
            twice = {"dir_path": given["directory"], "workdir": given["decoy"]}
            return Spelling("run_shell_command", {"command": given["command"], **twice, "description": "a step"})
        case "Write":
            return Spelling("write_file", {"file_path": path, "content": given["content"]})
        case "Edit":
            texts = {"old_string": given["old"], "new_string": given["new"], "instruction": "a step"}
            return Spelling("replace", {"file_path": path, **texts})
        case "Read":
            return Spelling("read_file", {"file_path": path})
        case "Search":
            return Spelling("grep_search", {"pattern": given["pattern"], "dir_path": path})
        case "Fetch":
            return Spelling("web_fetch", {"prompt": f"What does {given['url']} say?"})
        case "Subagent":
            agent = given.get("agent", "generalist")
            return Spelling("invoke_agent", {"agent_name": agent, "prompt": given["task"]})
        case "Mcp":
            return Spelling(f"mcp_{MCP_SERVER}_{MCP_TOOL}", {"path": path})
        case "McpShell":
            twice = {"command": given["decoy"], "cmd": given["command"]}
            return Spelling(f"mcp_{MCP_SERVER}_{MCP_TOOL}", {"path": path, **twice})
    raise KeyError(call.tool)


def closing(conversation: str) -> Spelling | None:
    """A subagent is done when it says so with a tool."""
    return Spelling("complete_task", {"result": "done"}) if conversation == "sub" else None

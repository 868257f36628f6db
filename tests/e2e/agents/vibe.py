"""Mistral Vibe, driven with `-p` (docs/contracts/vibe.md).

MCP tools, agents and processes are functions of its code mode: the model writes a program that calls them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.e2e.agents import Conditions, SkillUse, Start
from tests.e2e.place import MCP_COMMAND, Place
from tests.e2e.script import MCP_SERVER, MCP_TOOL, Call, Spelling
from tests.e2e.wires import chat as WIRE

__all__ = ["WIRE"]

PACKAGE = "mistral-vibe"
PYTHON = (3, 12)
LACKS: Mapping[str, str] = {
    "Patch": "Vibe has no patch tool: it changes files with edit and write_file.",
    "ShellAside": "Vibe's tools take no argument that they do not know.",
    "Search": "Vibe's model searches with its shell.",
    "Fetch": "Vibe's model reads the web with Mistral's own tools, which need its service.",
}
_NO_PROMPT = "Vibe has no hook for a prompt, nor for the start of a session."
_NO_ASK = "A hook cannot make Vibe ask, so it is a deny."
CANNOT: Mapping[str, str] = {
    "ask the person, and run the call when they agree": _NO_ASK,
    "ask the person, and do not run the call when they refuse": _NO_ASK,
    "tell the model context before a call": "Vibe takes no text for the model before a tool; use a PostToolUse rule.",
    "tell the model context with the prompt": _NO_PROMPT,
    "tell the model context when the session starts": _NO_PROMPT,
    "block a prompt": _NO_PROMPT,
    "tell the person why a prompt was blocked": _NO_PROMPT,
    "tell the person where the policy is broken": _NO_PROMPT,
}
_IN_CODE: Mapping[str, Any] = {"told": "skipped by Runtime policy"}
"""To a program of its model Vibe says no reason of a denial."""
BUT: Mapping[str, Mapping[str, Any]] = {
    "deny a subagent": _IN_CODE,
    "deny an MCP call": _IN_CODE,
    "deny a command that is given another directory to work in": _IN_CODE,
    "deny an MCP tool's command that stands beside a made-up one": _IN_CODE,
}

SKILLS = SkillUse(call=lambda name, _args: Spelling("skill", {"name": name}), words=("bash", "write_file"))


def program(installed: Path) -> list[str]:
    found = installed / "bin/vibe"
    if not found.exists():
        raise ValueError("the program is elsewhere in this version")
    return [str(found)]


def prepare(conditions: Conditions) -> None:
    place = conditions.place
    command, *arguments = MCP_COMMAND
    lines = [
        'active_model = "scripted"',
        "enable_telemetry = false",
        "enable_update_checks = false",
        "[[providers]]",
        'name = "scripted"',
        f'api_base = "{conditions.model}/v1"',
        'api_key_env_var = ""',
        'backend = "generic"',
        "[[models]]",
        'name = "scripted"',
        'provider = "scripted"',
        'alias = "scripted"',
        "[[mcp_servers]]",
        f'name = "{MCP_SERVER}"',
        'transport = "stdio"',
        f"command = {json.dumps(command)}",
        f"args = {json.dumps(arguments)}",
    ]
    place.write(f"{place.home}/.vibe/config.toml", "\n".join(lines) + "\n")


def start(conditions: Conditions) -> Start:
    trusted = ["--trust"] if conditions.place.scope == "project" else []
    approval = ["--auto-approve"] if conditions.permitted else []
    return Start(arguments=[*trusted, *approval, "-p", conditions.prompt], environment={})


def spell(call: Call, place: Place) -> Spelling:
    given = call.arguments
    path = str(place.project / given.get("path", ""))
    match call.tool:
        case "Shell":
            return Spelling("bash", {"command": given["command"]})
        case "ShellElsewhere":
            return _code("process.start", {"command": given["command"], "cwd": given["directory"]})
        case "Write":
            return Spelling("write_file", {"path": path, "content": given["content"]})
        case "Edit":
            return Spelling("edit", {"file_path": path, "old_string": given["old"], "new_string": given["new"]})
        case "Read":
            return Spelling("read_file", {"path": path})
        case "Subagent":
            return _code("agents.spawn", {"name": "helper", "message": given["task"]})
        case "Mcp":
            return _code(f"mcp_{MCP_SERVER}.{MCP_TOOL}", {"path": path})
        case "McpShell":
            twice = {"command": given["decoy"], "cmd": given["command"]}
            return _code(f"mcp_{MCP_SERVER}.{MCP_TOOL}", {"path": path, **twice})
    raise KeyError(call.tool)


def _code(function: str, arguments: Mapping[str, str]) -> Spelling:
    text = f"async function main() {{ return await tools.{function}({json.dumps(arguments)}) }}"
    return Spelling("run_typescript", {"code": text})


def closing(conversation: str) -> Spelling | None:
    return None

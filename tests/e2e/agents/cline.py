"""Cline's CLI, without a terminal (docs/contracts/cline.md).

A denial ends its run, and nobody is told the reason. So each case is played in a session of its own, and what a case
says is told is looked for in the hook's answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.e2e.agents import Conditions, Start
from tests.e2e.place import MCP_COMMAND, HookCall, Place
from tests.e2e.script import MCP_SERVER, MCP_TOOL, Call, Spelling, added_file
from tests.e2e.wires import chat as WIRE

__all__ = ["WIRE"]

PACKAGE = "cline"
_NO_DIRECTORY = "Cline's shell tool takes no directory."
LACKS: Mapping[str, str] = {"ShellElsewhere": _NO_DIRECTORY, "ShellAside": _NO_DIRECTORY}
_NO_WAIT = "Cline does not wait for the hooks of a prompt and of a start."
_NO_ASK = "A hook file cannot make Cline ask, so it is a deny."
CANNOT: Mapping[str, str] = {
    "ask the person, and run the call when they agree": _NO_ASK,
    "ask the person, and do not run the call when they refuse": _NO_ASK,
    "tell the model context with the prompt": _NO_WAIT,
    "tell the model context when the session starts": _NO_WAIT,
    "block a prompt": _NO_WAIT,
    "tell the person why a prompt was blocked": _NO_WAIT,
    "tell the person where the policy is broken": "Cline shows the reason of a denial to nobody.",
}
UNCONTROLLED: Mapping[str, str] = {"deny a search": "Cline's search says where a text is, and no line of it."}
BUT: Mapping[str, Mapping[str, Any]] = {
    # Its program loads a repository's .env before it starts the hook, which then denies every call.
    "deny by the user's policy although the repository's environment file names another place": {
        "told": "XDG_STATE_HOME"
    },
    "run a harmless patch": {"content": {"fine.txt": "x"}},
}

ENDS = "[abort]"


def refused(call: HookCall) -> tuple[str, str] | None:
    """Return the id of a call that the hook has denied, and why."""
    asked = call.payload.get("tool_call") if isinstance(call.payload, dict) else None
    try:
        said = json.loads(call.stdout)
    except ValueError:
        return None
    return (str(asked["id"]), str(said["errorMessage"])) if asked and said.get("cancel") is True else None


def program(installed: Path) -> list[str]:
    return [str(next(installed.glob("node_modules/@cline/cli-*/bin/cline")))]


def prepare(conditions: Conditions) -> None:
    place = conditions.place
    provider = {
        "provider": "openai-compatible",
        "apiKey": "dummy",
        "model": _model(conditions),
        "baseUrl": f"{conditions.model}/v1",
    }
    known = {"settings": provider, "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual"}
    providers = {
        "version": 1,
        "lastUsedProvider": "openai-compatible",
        "modes": {},
        "providers": {"openai-compatible": known},
    }
    settings = place.home / ".cline/data/settings"
    place.write(f"{settings}/providers.json", json.dumps(providers))
    command, *arguments = MCP_COMMAND
    servers = {"mcpServers": {MCP_SERVER: {"command": command, "args": arguments}}}
    place.write(f"{settings}/cline_mcp_settings.json", json.dumps(servers))


def _model(conditions: Conditions) -> str:
    return "gpt-5" if conditions.patching else "scripted"


def start(conditions: Conditions) -> Start:
    permitted = "true" if conditions.permitted else "false"
    return Start(
        arguments=[
            *("--provider", "openai-compatible", "--model", _model(conditions), "--auto-approve", permitted),
            conditions.prompt,
        ],
        # Otherwise the first session starts a server that stays, and that the others are played in.
        environment={"CLINE_NO_AUTO_UPDATE": "1", "CLINE_SESSION_BACKEND_MODE": "local"},
    )


def spell(call: Call, place: Place) -> Spelling:
    given = call.arguments
    path = str(place.project / given.get("path", ""))
    match call.tool:
        case "Shell":
            return Spelling("run_commands", {"commands": [given["command"]]})
        case "Write":
            return Spelling("editor", {"path": path, "new_text": given["content"]})
        case "Edit":
            return Spelling("editor", {"path": path, "old_text": given["old"], "new_text": given["new"]})
        case "Read":
            return Spelling("read_files", {"files": [{"path": path}]})
        case "Search":
            return Spelling("search_codebase", {"queries": [given["pattern"]]})
        case "Fetch":
            return Spelling("fetch_web_content", {"requests": [{"url": given["url"], "prompt": "What is there?"}]})
        case "Subagent":
            return Spelling("spawn_agent", {"systemPrompt": "You are a subagent.", "task": given["task"]})
        case "Mcp":
            return Spelling(f"{MCP_SERVER}__{MCP_TOOL}", {"path": path})
        case "McpShell":
            twice = {"command": given["decoy"], "cmd": given["command"]}
            return Spelling(f"{MCP_SERVER}__{MCP_TOOL}", {"path": path, **twice})
        case "Patch":
            return Spelling("apply_patch", {"input": added_file(given["path"], given["content"])})
    raise KeyError(call.tool)


def closing(conversation: str) -> Spelling | None:
    return None

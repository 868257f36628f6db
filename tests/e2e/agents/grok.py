"""Grok Build, driven with `-p`, and as an editor's agent where a person is there (docs/contracts/grok.md)."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.e2e import install
from tests.e2e.agents import NO_SHELL, Conditions, SkillUse, Start
from tests.e2e.place import MCP_COMMAND, Place
from tests.e2e.script import MCP_SERVER, MCP_TOOL, Call, Spelling
from tests.e2e.wires import chat as WIRE

__all__ = ["WIRE"]

PACKAGE = "@xai-official/grok"
LACKS: Mapping[str, str] = {
    "Patch": "Grok Build has no patch tool: it changes files with search_replace and write.",
    "ShellElsewhere": "Grok Build's shell takes no directory with a call.",
    "ShellAside": "Grok Build's shell takes no directory with a call.",
    "Fetch": "Grok Build offers web_fetch only where its service says so.",
}
_MUTE = "`grok -p` prints only what the model says; its own screen shows why, where a person sits at it."
_LATER = "Grok Build reads no text of a hook there; use a PreToolUse or PostToolUse rule."
CANNOT: Mapping[str, str] = {
    "tell the model context with the prompt": _LATER,
    "tell the model context when the session starts": _LATER,
    "tell the person why a prompt was blocked": _MUTE,
    "tell the person where the policy is broken": _MUTE,
    "deny when something the agent left running kills rulez and the shell that runs it": NO_SHELL,
}
BUT: Mapping[str, Mapping[str, Any]] = {
    # A refusal ends the turn.
    "ask the person, and do not run the call when they refuse": {"unread": True},
}

_UNPACK = """
const fs = require("fs"), [from, to] = process.argv.slice(1);
fs.writeFileSync(to, require("zlib").brotliDecompressSync(fs.readFileSync(from)), {mode: 0o755});
"""

SKILLS = SkillUse(call=None, reads=True, numbers=r"(?m)^\d+→", words=("run_terminal_command", "write"))


def program(installed: Path) -> list[str]:
    """The program, which its package has compressed; its own installer would unpack it into the home."""
    unpacked = installed / "grok-native"
    if not unpacked.exists():
        packed = next(installed.glob("node_modules/@xai-official/grok-*/bin/grok.br"))
        subprocess.run([install.node(), "-e", _UNPACK, packed, unpacked], check=True)
    return [str(unpacked)]


def prepare(conditions: Conditions) -> None:
    place = conditions.place
    lines = [
        "[models]",
        'default = "scripted"',
        "[model.scripted]",
        'model = "scripted"',
        f'base_url = "{conditions.model}/v1"',
        'api_key = "dummy"',
        'api_backend = "chat_completions"',
        "context_window = 200000",
        "[telemetry]",
        "enabled = false",
        # Without this, every session begins and ends with seconds of waiting for the service.
        "[features]",
        "remote_fetch = false",
        f"[mcp_servers.{MCP_SERVER}]",
        f"command = {json.dumps(MCP_COMMAND[0])}",
        f"args = {json.dumps(MCP_COMMAND[1:])}",
    ]
    place.write(f"{place.home}/.grok/config.toml", "\n".join(lines) + "\n")


def start(conditions: Conditions) -> Start:
    environment = {
        "XAI_API_KEY": "dummy",
        "GROK_DISABLE_AUTOUPDATER": "1",
        "GROK_TELEMETRY_ENABLED": "0",
        # Hooks of a project are called in a folder that the person trusts.
        "GROK_FOLDER_TRUST": "0",
    }
    if conditions.person:
        return Start(["agent", "stdio"], environment, talk=_talk)
    # Without either, a headless run lets harmless commands run and ends at the first that needs a permission.
    permits = ["--always-approve"] if conditions.permitted else ["--deny", "Bash(*)"]
    return Start(["-p", conditions.prompt, *permits], environment)


def _talk(process: subprocess.Popen[bytes], prompt: str, agrees: bool, over: threading.Event) -> list[str]:
    """An editor, by the Agent Client Protocol."""
    asked: list[str] = []
    sent: list[str] = []
    assert process.stdin is not None
    assert process.stdout is not None

    def send(**message: object) -> None:
        assert process.stdin is not None
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        process.stdin.flush()

    def request(method: str, **params: object) -> None:
        sent.append(method)
        send(id=len(sent), method=method, params=params)

    request("initialize", protocolVersion=1, clientCapabilities={})
    for line in process.stdout:
        message: Any = json.loads(line) if line.startswith(b"{") else {}
        if message.get("method") == "session/request_permission":
            asked.append(json.dumps(message["params"]))
            kind = "allow_once" if agrees else "reject_once"
            option = next(one["optionId"] for one in message["params"]["options"] if one["kind"] == kind)
            send(id=message["id"], result={"outcome": {"outcome": "selected", "optionId": option}})
        elif "method" in message and "id" in message:
            send(id=message["id"], error={"code": -32601, "message": "not here"})
        elif message.get("id") == 1:
            request("session/new", cwd=_cwd(process), mcpServers=[])
        elif message.get("id") == 2:
            session = message["result"]["sessionId"]
            request("session/prompt", sessionId=session, prompt=[{"type": "text", "text": prompt}])
        elif message.get("id") == 3:
            break
    return asked


def _cwd(process: subprocess.Popen[bytes]) -> str:
    return str(Path(f"/proc/{process.pid}/cwd").resolve())


def spell(call: Call, place: Place) -> Spelling:
    given = call.arguments
    path = str(place.project / given.get("path", ""))
    match call.tool:
        case "Shell":
            return Spelling("run_terminal_command", {"command": given["command"], "description": "a step"})
        case "Write":
            return Spelling("write", {"file_path": path, "content": given["content"]})
        case "Edit":
            change = {"old_string": given["old"], "new_string": given["new"]}
            return Spelling("search_replace", {"file_path": path, **change})
        case "Read":
            return Spelling("read_file", {"target_file": path})
        case "Search":
            return Spelling("grep", {"pattern": given["pattern"], "path": path})
        case "Subagent":
            agent = given.get("agent", "general-purpose")
            task = {"prompt": given["task"], "description": "a task", "subagent_type": agent}
            return Spelling("spawn_subagent", task)
        case "Mcp":
            return _mcp({"path": path})
        case "McpShell":
            return _mcp({"path": path, "command": given["decoy"], "cmd": given["command"]})
    raise KeyError(call.tool)


def _mcp(given: dict[str, str]) -> Spelling:
    return Spelling("use_tool", {"tool_name": f"{MCP_SERVER}__{MCP_TOOL}", "tool_input": given}, namespace=MCP_SERVER)


def closing(conversation: str) -> Spelling | None:
    return None

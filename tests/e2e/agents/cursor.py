"""Cursor's hook runtime, in a loop of ours: its agent itself needs Cursor's service (docs/contracts/cursor.md)."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.e2e import install
from tests.e2e.agents import Conditions, Start
from tests.e2e.place import MCP_COMMAND, Place
from tests.e2e.script import MCP_SERVER, MCP_TOOL, Call, Spelling
from tests.e2e.wires import chat as WIRE

__all__ = ["WIRE"]

PACKAGE = "@cursor/sdk"
LACKS: Mapping[str, str] = {
    "Edit": "Cursor's edits reach its hooks as Write, with the whole new text.",
    "Patch": "Cursor's patches reach its hooks as Write, with the whole new text.",
}
BUT: Mapping[str, Mapping[str, Any]] = {
    # What its agent tells the model then is not the hook runtime's.
    "do not run what a rule asks about while no person is there": {"told": []},
}


def program(installed: Path) -> list[str]:
    found = installed / "node_modules/@cursor/sdk/dist/esm/34.js"
    if not found.exists():
        raise ValueError("the hook runtime is elsewhere in this version")
    return [str(install.node()), str(Path(__file__).parent / "cursor_runtime.mjs"), str(found)]


def prepare(conditions: Conditions) -> None:
    """It starts hooks in a login shell, which finds `rulez` where the person's profile says so."""
    place = conditions.place
    place.write(f"{place.home}/.profile", f'PATH="{place.bin}:$PATH"\n')


def start(conditions: Conditions) -> Start:
    environment = {"RULEZ_MCP": json.dumps(MCP_COMMAND)}
    if not conditions.permitted and not conditions.person:
        environment["RULEZ_PERMITTED"] = "0"
    if conditions.person:
        environment["RULEZ_PERSON"] = "1"
    return Start([conditions.model, conditions.prompt], environment, talk=_talk if conditions.person else None)


def _talk(process: subprocess.Popen[bytes], prompt: str, agrees: bool, over: threading.Event) -> list[str]:
    asked: list[str] = []
    assert process.stdin is not None
    assert process.stdout is not None
    for line in process.stdout:
        question: Any = json.loads(line) if line.startswith(b'{"asked"') else None
        if question:
            asked.append(question["asked"])
            process.stdin.write(b"yes\n" if agrees else b"no\n")
            process.stdin.flush()
    return asked


def spell(call: Call, place: Place) -> Spelling:
    given = call.arguments
    match call.tool:
        case "Shell":
            return Spelling("Shell", {"command": given["command"]})
        case "ShellElsewhere":
            return Spelling("Shell", {"command": given["command"], "working_directory": given["directory"]})
        case "ShellAside":
            twice = {"working_directory": given["directory"], "dir_path": given["decoy"]}
            return Spelling("Shell", {"command": given["command"], **twice})
        case "Write":
            return Spelling("Write", {"path": given["path"], "contents": given["content"]})
        case "Read":
            return Spelling("Read", {"path": given["path"]})
        case "Search":
            return Spelling("Grep", {"pattern": given["pattern"], "path": given["path"]})
        case "Fetch":
            return Spelling("Fetch", {"url": given["url"]})
        case "Subagent":
            return Spelling("Task", {"description": "a task", "prompt": given["task"]})
        case "Mcp":
            return Spelling(f"{MCP_SERVER}-{MCP_TOOL}", {"path": str(place.project / given["path"])})
        case "McpShell":
            twice = {"command": given["decoy"], "cmd": given["command"]}
            return Spelling(f"{MCP_SERVER}-{MCP_TOOL}", {"path": "unused", **twice})
    raise KeyError(call.tool)


def closing(conversation: str) -> Spelling | None:
    return None

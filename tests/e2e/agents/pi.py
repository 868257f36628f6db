"""Pi, driven with `--print`, or where a person is there through its RPC mode (docs/contracts/pi.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.e2e import install
from tests.e2e.agents import Conditions, SkillUse, Start
from tests.e2e.person import pi_rpc
from tests.e2e.place import Place
from tests.e2e.script import Call, Spelling
from tests.e2e.wires import chat as WIRE

__all__ = ["WIRE"]

PACKAGE = "@earendil-works/pi-coding-agent"
_EXTENSIONS = "Pi has none of its own: an extension may add one, under a name of its own."
LACKS: Mapping[str, str] = {
    "Fetch": _EXTENSIONS,
    "Subagent": _EXTENSIONS,
    "Mcp": _EXTENSIONS,
    "McpShell": _EXTENSIONS,
    "Patch": "Pi has no such tool.",
    "ShellElsewhere": "Its shell tool takes no directory.",
    "ShellAside": "Its shell tool takes no directory.",
}
CANNOT: Mapping[str, str] = {
    "leave a call the user's own settings do not permit to them": "Pi has no permissions: it runs what no extension "
    "blocks.",
}
BUT: Mapping[str, Mapping[str, Any]] = {}

# It asks nobody before a tool, with a skill or without.
SKILLS = SkillUse(call=None, reads=True, words=("bash", "write"), permits=True)


def program(installed: Path) -> list[str]:
    return [str(install.node()), str(next(installed.glob("node_modules/@earendil-works/pi-coding-agent/dist/cli.js")))]


def prepare(conditions: Conditions) -> None:
    place = conditions.place
    provider = {
        "baseUrl": f"{conditions.model}/v1",
        "api": "openai-completions",
        "apiKey": "dummy",
        "models": [{"id": "scripted"}],
    }
    place.write(f"{place.home}/.pi/agent/models.json", json.dumps({"providers": {"scripted": provider}}))


def start(conditions: Conditions) -> Start:
    environment = {"PI_OFFLINE": "1"}
    if conditions.hasty:
        environment["RULEZ_HOOK_TIMEOUT_MS"] = "6000"
    # In a project that a person has trusted: only there Pi reads the project's own extensions.
    arguments = ["--approve", "--provider", "scripted", "--model", "scripted", "--tools", "read,bash,edit,write,grep"]
    if conditions.person:
        return Start(arguments=[*arguments, "--mode", "rpc"], environment=environment, talk=pi_rpc)
    return Start(arguments=[*arguments, "--print", conditions.prompt], environment=environment)


def spell(call: Call, place: Place) -> Spelling:
    given = call.arguments
    path = str(place.project / given.get("path", ""))
    match call.tool:
        case "Shell":
            return Spelling("bash", {"command": given["command"]})
        case "Write":
            return Spelling("write", {"path": path, "content": given["content"]})
        case "Edit":
            return Spelling("edit", {"path": path, "edits": [{"oldText": given["old"], "newText": given["new"]}]})
        case "Read":
            return Spelling("read", {"path": path})
        case "Search":
            return Spelling("grep", {"pattern": given["pattern"], "path": path})
    raise KeyError(call.tool)


def closing(conversation: str) -> Spelling | None:
    return None

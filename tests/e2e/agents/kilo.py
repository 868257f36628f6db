"""Kilo Code, driven with `run` (docs/contracts/kilo.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.e2e.agents import AgentFiles, Conditions, SkillUse, Start
from tests.e2e.place import MCP_COMMAND, Place
from tests.e2e.script import MCP_SERVER, MCP_TOOL, Call, Spelling, added_file
from tests.e2e.wires import chat as WIRE

__all__ = ["WIRE"]

PACKAGE = "@kilocode/cli-linux-x64"
LACKS: Mapping[str, str] = {}
_NO_ASK = "A plugin cannot make Kilo Code ask, so it is a deny."
CANNOT: Mapping[str, str] = {
    "ask the person, and run the call when they agree": _NO_ASK,
    "ask the person, and do not run the call when they refuse": _NO_ASK,
    "tell the person why a prompt was blocked": (
        "`kilo run` prints only what the model says; the reason is in the session, in the prompt's place."
    ),
}
BUT: Mapping[str, Mapping[str, Any]] = {
    "leave a call the user's own settings do not permit to them": {"unread": True},
    "block a prompt": {"requests": 1},
}

_MCP = f"{MCP_SERVER}_{MCP_TOOL}"
FILES = AgentFiles(
    ways=("subagent", "main", "json"),
    shell_word="bash",
    mcp_word=_MCP,
    model="scripted/other",
    asked="other",
    shell=frozenset(("bash",)),
    others=frozenset(("edit", "glob", "read", "skill", "todowrite", "webfetch", "write", _MCP)),
    least=frozenset(("edit", "glob", "grep", "read", "skill", "webfetch", "write", _MCP)),
    # The second is a shell of another name.
    handing_on=frozenset(("task", "background_process")),
)

REPLACES = ("{env:HOME}", "{file:a}", "{file:x}", "{file:definition.yaml}")
SKILLS = SkillUse(
    call=lambda name, _args: Spelling("skill", {"name": name}),
    words=("bash", "write"),
    replaces=("!`date`",),
    loaded="So far: [$ARGUMENTS]\n[skill shell execution disabled for untrusted skill]",
)


def program(installed: Path) -> list[str]:
    return [str(next(installed.glob("node_modules/@kilocode/cli-*/bin/kilo")))]


def prepare(conditions: Conditions) -> None:
    place = conditions.place
    model = "gpt-5" if conditions.patching else "scripted"
    described = {"name": model, "tool_call": True, "limit": {"context": 200_000, "output": 8_000}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Scripted",
        "options": {"baseURL": f"{conditions.model}/v1", "apiKey": "dummy"},
        "models": {model: described, **({"other": described} if conditions.definition else {})},
    }
    settings = {
        "$schema": "https://app.kilo.ai/config.json",
        "model": f"scripted/{model}",
        "small_model": f"scripted/{model}",
        "autoupdate": False,
        "share": "disabled",
        "permission": {"*": "allow"} if conditions.permitted else {"*": "allow", "bash": "ask"},
        "provider": {"scripted": provider},
        "mcp": {MCP_SERVER: {"type": "local", "command": list(MCP_COMMAND), "enabled": True}},
    }
    place.write(f"{place.home}/.config/kilo/kilo.json", json.dumps(settings))
    # Without these two in every configuration directory, the first start waits for an installation from the network.
    lock = {
        "name": "none",
        "lockfileVersion": 3,
        "packages": {
            "": {"dependencies": {"@kilocode/plugin": "*"}},
            "node_modules/@kilocode/plugin": {"version": "1.0.0"},
        },
    }
    for directory in (place.home / ".config/kilo", place.home / ".kilo", place.project / ".kilo"):
        (directory / "node_modules").mkdir(parents=True)
        (directory / "package-lock.json").write_text(json.dumps(lock))
    if conditions.skill:
        place.put_lister()


def start(conditions: Conditions) -> Start:
    environment = {
        "KILO_DISABLE_MODELS_FETCH": "1",
        "KILO_DISABLE_AUTOUPDATE": "1",
        "KILO_DISABLE_LSP_DOWNLOAD": "1",
    }
    if conditions.hasty:
        environment["RULEZ_HOOK_TIMEOUT_MS"] = "6000"
    # It answers with no what its own settings ask about, and with this option with yes.
    arguments = ["run", *(["--auto"] if conditions.permitted else [])]
    if definition := conditions.definition:
        arguments += [f"--agent={definition.name}"] if definition.leads else []
        environment |= {"KILO_CONFIG_CONTENT": definition.json} if definition.json else {}
    return Start(arguments=[*arguments, conditions.prompt], environment=environment)


def spell(call: Call, place: Place) -> Spelling:
    given = call.arguments
    path = str(place.project / given.get("path", ""))
    match call.tool:
        case "Shell":
            return Spelling("bash", {"command": given["command"]})
        case "ShellElsewhere":
            return Spelling("bash", {"command": given["command"], "workdir": given["directory"]})
        case "ShellAside":
            twice = {"workdir": given["directory"], "dir_path": given["decoy"]}
            return Spelling("bash", {"command": given["command"], **twice})
        case "Write":
            return Spelling("write", {"filePath": path, "content": given["content"]})
        case "Edit":
            return Spelling("edit", {"filePath": path, "oldString": given["old"], "newString": given["new"]})
        case "Read":
            return Spelling("read", {"filePath": path})
        case "Search":
            return Spelling("grep", {"pattern": given["pattern"], "path": path})
        case "Fetch":
            return Spelling("webfetch", {"url": given["url"], "format": "text"})
        case "Subagent":
            agent = given.get("agent", "general")
            return Spelling("task", {"description": "a task", "prompt": given["task"], "subagent_type": agent})
        case "Mcp":
            return Spelling(f"{MCP_SERVER}_{MCP_TOOL}", {"path": path})
        case "McpShell":
            twice = {"command": given["decoy"], "cmd": given["command"]}
            return Spelling(f"{MCP_SERVER}_{MCP_TOOL}", {"path": path, **twice})
        case "Patch":
            return Spelling("apply_patch", {"patchText": added_file(given["path"], given["content"])})
    raise KeyError(call.tool)


def closing(conversation: str) -> Spelling | None:
    return None

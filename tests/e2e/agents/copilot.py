"""Copilot CLI, driven with `-p` (docs/contracts/copilot.md)."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from tests.e2e import person
from tests.e2e.agents import AgentFiles, Conditions, SkillUse, Start
from tests.e2e.place import MCP_COMMAND, Place
from tests.e2e.script import MCP_SERVER, MCP_TOOL, Call, Spelling, added_file
from tests.e2e.wires import chat as WIRE

__all__ = ["WIRE"]

PACKAGE = "@github/copilot"
LACKS: Mapping[str, str] = {
    "Fetch": "Copilot CLI offers no web_fetch with COPILOT_OFFLINE.",
    "ShellElsewhere": "Copilot CLI's shell takes no directory with a call.",
    "ShellAside": "Copilot CLI's shell takes no directory with a call.",
}
FILES = AgentFiles(
    ways=("subagent", "main"),
    shell_word="execute",
    mcp_word=f"{MCP_SERVER}/{MCP_TOOL}",
    model="other",
    asked="other",
    asked_as_main="scripted",
    shell=frozenset(("bash", "list_bash", "read_bash", "stop_bash")),
    others=frozenset(("create", "edit", "glob", "grep", "skill", "update_todo", "view", f"{MCP_SERVER}-{MCP_TOOL}")),
    always=frozenset(("skill", "sql")),
    # All but the shell is a list there, and no word in it means every MCP server.
    least=frozenset(("create", "edit", "glob", "grep", "skill", "update_todo", "view")),
    handing_on=frozenset(("task", "write_agent")),
)
SKILLS = SkillUse(call=lambda name, _args: Spelling("skill", {"skill": name}), words=("execute", "write"))

# With --acp, as in an editor, the CLI answers a hook's question itself, with no.
_PERSON = person.Terminal(
    first={"Do you trust the files in this folder?": "\r"},
    question="Do you want to allow this tool call?",
    yes="\r",
    no="\x1b",
)


def program(installed: Path) -> list[str]:
    return [str(next(installed.glob("node_modules/@github/copilot-*/copilot")))]


def prepare(conditions: Conditions) -> None:
    """Nothing but a link: the program unpacks 235 MB into the cache of its first home, which all homes share."""
    unpacked = conditions.place.root.parent / "copilot-cache"
    unpacked.mkdir(exist_ok=True)
    os.symlink(unpacked, conditions.place.home / ".cache")


def start(conditions: Conditions) -> Start:
    servers = {MCP_SERVER: {"command": MCP_COMMAND[0], "args": MCP_COMMAND[1:], "tools": ["*"]}}
    reachable = ["--add-dir", str(conditions.place.outside), "--add-dir", str(conditions.place.home)]
    prompt = ["-p", conditions.prompt, "--no-color", "--trust-folder"]
    if conditions.person:
        prompt = ["-i", conditions.prompt]
    return Start(
        talk=_PERSON if conditions.person else None,
        arguments=[
            *prompt,
            *reachable,
            *(["--agent", conditions.definition.name] if conditions.definition and conditions.definition.leads else []),
            *(["--allow-all-tools"] if conditions.permitted else []),
            "--additional-mcp-config",
            json.dumps({"mcpServers": servers}),
        ],
        environment={
            **({"TERM": "xterm-256color"} if conditions.person else {}),
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_PROVIDER_BASE_URL": f"{conditions.model}/v1",
            "COPILOT_PROVIDER_API_KEY": "dummy",
            # The name decides whether the CLI offers apply_patch instead of create and edit.
            "COPILOT_MODEL": "gpt-5.3-codex" if conditions.patching else "scripted",
        },
    )


def spell(call: Call, place: Place) -> Spelling:
    given = call.arguments
    path = str(place.project / given.get("path", ""))
    match call.tool:
        case "Shell":
            return Spelling("bash", {"command": given["command"], "description": "a step"})
        case "Write":
            return Spelling("create", {"path": path, "file_text": given["content"]})
        case "Edit":
            return Spelling("edit", {"path": path, "old_str": given["old"], "new_str": given["new"]})
        case "Read":
            return Spelling("view", {"path": path})
        case "Search":
            return Spelling("grep", {"pattern": given["pattern"], "paths": path, "output_mode": "content"})
        case "Subagent":
            agent = given.get("agent", "task")
            task = {"name": "helper", "prompt": given["task"], "agent_type": agent, "description": "a task"}
            return Spelling("task", task)
        case "Mcp":
            return Spelling(f"{MCP_SERVER}-{MCP_TOOL}", {"path": path})
        case "McpShell":
            twice = {"command": given["decoy"], "cmd": given["command"]}
            return Spelling(f"{MCP_SERVER}-{MCP_TOOL}", {"path": path, **twice})
        case "Patch":
            return Spelling("apply_patch", added_file(given["path"], given["content"]))
    raise KeyError(call.tool)


def closing(conversation: str) -> Spelling | None:
    return None

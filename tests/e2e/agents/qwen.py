"""Qwen Code, driven with `-p` (docs/contracts/qwen-code.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.e2e import install, person
from tests.e2e.agents import NO_SHELL, AgentFiles, Conditions, SkillUse, Start
from tests.e2e.place import MCP_COMMAND, Place
from tests.e2e.script import MCP_SERVER, MCP_TOOL, Call, Spelling
from tests.e2e.wires import chat as WIRE

__all__ = ["WIRE"]

PACKAGE = "@qwen-code/qwen-code"
LACKS: Mapping[str, str] = {"Patch": "Qwen Code has no patch tool: it changes files with edit and write_file."}
_PRINTS = "A headless Qwen Code prints nothing of a prompt that a hook denies."
CANNOT: Mapping[str, str] = {
    "leave a call the user's own settings do not permit to them": (
        "A headless Qwen Code declines what would need a permission before it calls a hook."
    ),
    "run the rewritten command": "Qwen Code takes no new input from a hook, so a rewrite is a deny.",
    "tell the model context before a call": "Qwen Code drops additionalContext of PreToolUse; use a PostToolUse rule.",
    "tell the person why a prompt was blocked": _PRINTS,
    "tell the person where the policy is broken": _PRINTS,
    "deny when something the agent left running kills rulez and the shell that runs it": NO_SHELL,
}
_TURN_ENDS: Mapping[str, Any] = {"told": [], "unread": True}
"""Without rulez the prompt event after a call denies as well: the turn ends before the model reads the result."""
_ASKED: Mapping[str, Any] = {"asked": {"times": 1, "why": ""}}
"""A host is asked without the hook's reason."""
BUT: Mapping[str, Mapping[str, Any]] = {
    "deny by the user's policy although the repository's environment file names another place": _TURN_ENDS,
    "deny when rulez is not there": _TURN_ENDS,
    "deny when rulez crashes": _TURN_ENDS,
    "deny when rulez hangs longer than the agent waits": _TURN_ENDS,
    "deny when something the agent left running kills rulez": _TURN_ENDS,
    "deny when something the agent left running stops rulez": _TURN_ENDS,
    "ask the person, and run the call when they agree": _ASKED,
    "ask the person, and do not run the call when they refuse": _ASKED,
}

_MCP = f"mcp__{MCP_SERVER}__{MCP_TOOL}"
FILES = AgentFiles(
    ways=("subagent",),
    shell_word="run_shell_command",
    mcp_word=_MCP,
    model="other",
    asked="other",
    shell=frozenset(("run_shell_command",)),
    others=frozenset(("edit", "glob", "read_file", "skill", "web_fetch", "write_file", _MCP)),
    least=frozenset(("edit", "glob", "grep_search", "read_file", "skill", "web_fetch", "write_file", _MCP)),
    # The second is a shell of another name.
    handing_on=frozenset(("agent", "monitor")),
)

SKILLS = SkillUse(
    call=lambda name, _args: Spelling("skill", {"skill": name}),
    words=("run_shell_command", "write_file"),
)


def program(installed: Path) -> list[str]:
    found = installed / "node_modules/@qwen-code/qwen-code/cli.js"
    if not found.exists():
        raise ValueError("the program is elsewhere in this version")
    return [str(install.node()), str(found)]


def prepare(conditions: Conditions) -> None:
    place = conditions.place
    server = {"command": MCP_COMMAND[0], "args": MCP_COMMAND[1:], "trust": conditions.permitted}
    settings = {
        "$version": 4,
        "security": {"auth": {"selectedType": "openai"}},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "general": {"enableAutoUpdate": False},
        "mcpServers": {MCP_SERVER: server},
    }
    place.write(f"{place.home}/.qwen/settings.json", json.dumps(settings))


def start(conditions: Conditions) -> Start:
    place = conditions.place
    prompt = ["-p", conditions.prompt]
    if conditions.person:
        prompt = [word for name in ("--input-format", "--output-format") for word in (name, "stream-json")]
    approval = "yolo" if conditions.permitted else "default"
    reachable = f"{place.outside},{place.home}"
    return Start(
        talk=person.stream_json if conditions.person else None,
        arguments=[*prompt, "--approval-mode", approval, "--include-directories", reachable],
        environment={
            "OPENAI_API_KEY": "dummy",
            "OPENAI_BASE_URL": f"{conditions.model}/v1",
            "OPENAI_MODEL": "scripted",
            "QWEN_CODE_NO_RELAUNCH": "1",
            # Keep this machine's own settings out.
            "QWEN_CODE_SYSTEM_SETTINGS_PATH": str(
                place.hook_file if place.scope == "managed" else place.root / "none.json"
            ),
            "QWEN_CODE_SYSTEM_DEFAULTS_PATH": str(place.root / "none.json"),
        },
    )


def spell(call: Call, place: Place) -> Spelling:
    given = call.arguments
    path = str(place.project / given.get("path", ""))
    shell = {"description": "a step", "is_background": False}
    match call.tool:
        case "Shell":
            return Spelling("run_shell_command", {"command": given["command"], **shell})
        case "ShellElsewhere":
            return Spelling(
                "run_shell_command", {"command": given["command"], "directory": given["directory"], **shell}
            )
        case "ShellAside":
            twice = {"directory": given["directory"], "workdir": given["decoy"]}
            return Spelling("run_shell_command", {"command": given["command"], **twice, **shell})
        case "Write":
            return Spelling("write_file", {"file_path": path, "content": given["content"]})
        case "Edit":
            texts = {"old_string": given["old"], "new_string": given["new"]}
            return Spelling("edit", {"file_path": path, **texts})
        case "Read":
            return Spelling("read_file", {"file_path": path})
        case "Search":
            return Spelling("grep_search", {"pattern": given["pattern"], "path": path})
        case "Fetch":
            return Spelling("web_fetch", {"url": given["url"], "prompt": "What does it say?"})
        case "Subagent":
            agent = given.get("agent", "general-purpose")
            task = {"description": "a task", "prompt": given["task"], "subagent_type": agent}
            return Spelling("agent", {**task, "run_in_background": False})
        case "Mcp":
            return Spelling(f"mcp__{MCP_SERVER}__{MCP_TOOL}", {"path": path})
        case "McpShell":
            twice = {"command": given["decoy"], "cmd": given["command"]}
            return Spelling(f"mcp__{MCP_SERVER}__{MCP_TOOL}", {"path": path, **twice})
    raise KeyError(call.tool)


def closing(conversation: str) -> Spelling | None:
    return None

"""Codex CLI, driven with `exec` (docs/contracts/codex.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tests.e2e.agents import NO_SHELL, Conditions, SkillUse, Start
from tests.e2e.place import MCP_COMMAND, Place
from tests.e2e.script import MCP_SERVER, MCP_TOOL, Call, Spelling, added_file
from tests.e2e.wires import responses as WIRE

__all__ = ["WIRE"]

PACKAGE = "@openai/codex"
_BY_SHELL = "Codex CLI has no such tool: it does this in its shell."
LACKS: Mapping[str, str] = {
    "Write": _BY_SHELL,
    "Edit": _BY_SHELL,
    "Read": _BY_SHELL,
    "Search": _BY_SHELL,
    "Fetch": "Codex CLI has no fetch tool: its web search runs at the model's service.",
}
_NO_ASK = "A hook cannot make Codex CLI ask, so it is a deny."
_MUTE = "`codex exec` prints that a hook blocked the prompt, not why; the reason is in audit.jsonl."
CANNOT: Mapping[str, str] = {
    "ask the person, and run the call when they agree": _NO_ASK,
    "ask the person, and do not run the call when they refuse": _NO_ASK,
    "tell the person why a prompt was blocked": _MUTE,
    "tell the person where the policy is broken": _MUTE,
    "deny when something the agent left running kills rulez and the shell that runs it": NO_SHELL,
}

SKILLS = SkillUse(call=None, words=("exec_command", "apply_patch"))


def program(installed: Path) -> list[str]:
    return [str(next(installed.glob("node_modules/@openai/codex-*/vendor/*/bin/codex")))]


def prepare(conditions: Conditions) -> None:
    place = conditions.place
    lines = [
        # The name decides whether the CLI offers apply_patch, or subagents and MCP tools without a search for them.
        f'model = "{"gpt-5.5" if conditions.patching else "gpt-5.4"}"',
        'model_provider = "scripted"',
        'approval_policy = "never"',
        "check_for_update_on_startup = false",
        f'sandbox_mode = "{"danger-full-access" if conditions.permitted else "read-only"}"',
        # Without this, every session ends with five seconds of trying to send.
        "[analytics]",
        "enabled = false",
        "[model_providers.scripted]",
        'name = "scripted"',
        f'base_url = "{conditions.model}/v1"',
        'env_key = "SCRIPTED_KEY"',
        'wire_api = "responses"',
        f"[mcp_servers.{MCP_SERVER}]",
        f"command = {json.dumps(MCP_COMMAND[0])}",
        f"args = {json.dumps(MCP_COMMAND[1:])}",
        f"[projects.{json.dumps(str(place.project))}]",
        'trust_level = "trusted"',
    ]
    place.write(f"{place.home}/.codex/config.toml", "\n".join(lines) + "\n")


def start(conditions: Conditions) -> Start:
    # Nobody is there to review the hook with /hooks; those of the machine need it not.
    asks = conditions.unreviewed and conditions.place.scope != "managed"
    unreviewed = ["--dangerously-bypass-hook-trust"] if asks else []
    arguments = ["exec", *unreviewed, conditions.prompt]
    return Start(arguments=arguments, environment={"SCRIPTED_KEY": "dummy"})


def spell(call: Call, place: Place) -> Spelling:
    given = call.arguments
    match call.tool:
        case "Shell":
            return Spelling("exec_command", {"cmd": given["command"]})
        case "ShellElsewhere":
            return Spelling("exec_command", {"cmd": given["command"], "workdir": given["directory"]})
        case "ShellAside":
            twice = {"workdir": given["directory"], "dir_path": given["decoy"]}
            return Spelling("exec_command", {"cmd": given["command"], **twice})
        case "Subagent":
            return Spelling("spawn_agent", {"message": given["task"]}, namespace="multi_agent_v1")
        case "Mcp":
            path = str(place.project / given["path"])
            return Spelling(MCP_TOOL, {"path": path}, namespace=f"mcp__{MCP_SERVER}")
        case "McpShell":
            twice = {"command": given["decoy"], "cmd": given["command"]}
            return Spelling(MCP_TOOL, {"path": "unused", **twice}, namespace=f"mcp__{MCP_SERVER}")
        case "Patch":
            return Spelling("apply_patch", added_file(given["path"], given["content"]))
    raise KeyError(call.tool)


def closing(conversation: str) -> Spelling | None:
    return None

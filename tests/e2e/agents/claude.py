"""Claude Code, driven with `-p` (docs/contracts/claude-code.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tests.e2e import person
from tests.e2e.agents import AgentFiles, Conditions, SkillUse, Start
from tests.e2e.place import MCP_COMMAND, Place
from tests.e2e.script import MCP_SERVER, MCP_TOOL, Call, Spelling
from tests.e2e.wires import anthropic as WIRE

__all__ = ["WIRE"]

PACKAGE = "@anthropic-ai/claude-code"
LACKS: Mapping[str, str] = {
    "Patch": "Claude Code has no patch tool: it changes files with Edit and Write.",
    "ShellElsewhere": "Claude Code's shell takes no directory with a call.",
    "ShellAside": "Claude Code's shell takes no directory with a call.",
}
UNCONTROLLED: Mapping[str, str] = {
    "keep its own hook settings or plugin from being moved away": (
        "Claude Code asks before its own settings are written, whatever is permitted."
    ),
}

_TOOLS = ("Agent", "Bash", "Edit", "Glob", "Grep", "Read", "WebFetch", "Write")

_OTHERS = frozenset(("Edit", "Read", "WebFetch", "WebSearch", "Write", f"mcp__{MCP_SERVER}__{MCP_TOOL}"))
FILES = AgentFiles(
    ways=("subagent", "main", "json"),
    shell_word="Bash",
    mcp_word=f"mcp__{MCP_SERVER}__{MCP_TOOL}",
    model="claude-other",
    asked="claude-other",
    shell=frozenset(("Bash",)),
    others=_OTHERS,
    instead=frozenset(("Glob",)),  # With a shell it is told to search there.
    least=_OTHERS,
    handing_on=frozenset(("Agent", "Workflow")),
)

SKILLS = SkillUse(
    call=lambda name, args: Spelling("Skill", {"skill": name, "args": args}),
    words=("Bash", "Write"),
    expands=True,
    permits=True,
)


def program(installed: Path) -> list[str]:
    return [str(next(installed.glob("node_modules/@anthropic-ai/claude-code-*/claude")))]


def prepare(conditions: Conditions) -> None:
    place = conditions.place
    allowed = [*_TOOLS, f"mcp__{MCP_SERVER}"] if conditions.permitted else ["Read"]
    allowed += ["Skill"] if conditions.skill else []
    settings = {"permissions": {"allow": allowed}, "skipWebFetchPreflight": True}
    trusted = {"hasCompletedOnboarding": True, "projects": {str(place.project): {"hasTrustDialogAccepted": True}}}
    place.write(f"{place.home}/.claude/settings.json", json.dumps(settings))
    place.write(f"{place.home}/.claude.json", json.dumps(trusted))


def start(conditions: Conditions) -> Start:
    servers = {MCP_SERVER: {"command": MCP_COMMAND[0], "args": MCP_COMMAND[1:]}}
    prompt = ["-p", conditions.prompt]
    if conditions.person:
        formats = ("--input-format", "--output-format")
        prompt = ["-p", "--verbose", *(word for name in formats for word in (name, "stream-json"))]
        prompt += ["--permission-prompt-tool", "stdio"]
    arguments = [*prompt, *_agent(conditions), "--add-dir", str(conditions.place.outside)]
    return Start(
        talk=person.stream_json if conditions.person else None,
        arguments=[*arguments, "--mcp-config", json.dumps({"mcpServers": servers})],
        environment={
            "ANTHROPIC_BASE_URL": conditions.model,
            "ANTHROPIC_API_KEY": "dummy",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_MAX_RETRIES": "0",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_TELEMETRY": "1",
            # Tools that are rarely used would only be offered after a search for them.
            **({"ENABLE_TOOL_SEARCH": "0"} if conditions.definition else {}),
        },
    )


def _agent(conditions: Conditions) -> list[str]:
    """Who it is. Where a file says it, there is no list of tools: that would be all that any agent has."""
    definition = conditions.definition
    if definition is None:
        return ["--tools", ",".join((*_TOOLS, "Skill") if conditions.skill else _TOOLS)]
    given = ["--agents", definition.json] if definition.json else []
    return [*given, *(["--agent", definition.name] if definition.leads else [])]


def spell(call: Call, place: Place) -> Spelling:
    given = call.arguments
    path = str(place.project / given.get("path", ""))
    match call.tool:
        case "Shell":
            return Spelling("Bash", {"command": given["command"], "description": "a step"})
        case "Write":
            return Spelling("Write", {"file_path": path, "content": given["content"]})
        case "Edit":
            return Spelling("Edit", {"file_path": path, "old_string": given["old"], "new_string": given["new"]})
        case "Read":
            return Spelling("Read", {"file_path": path})
        case "Search":
            return Spelling("Grep", {"pattern": given["pattern"], "path": path, "output_mode": "content"})
        case "Fetch":
            return Spelling("WebFetch", {"url": given["url"], "prompt": "What does it say?"})
        case "Subagent":
            agent = given.get("agent", "general-purpose")
            task = {"description": "a task", "prompt": given["task"], "subagent_type": agent}
            return Spelling("Agent", task)
        case "Mcp":
            return Spelling(f"mcp__{MCP_SERVER}__{MCP_TOOL}", {"path": path})
        case "McpShell":
            twice = {"command": given["decoy"], "cmd": given["command"]}
            return Spelling(f"mcp__{MCP_SERVER}__{MCP_TOOL}", {"path": path, **twice})
    raise KeyError(call.tool)


def closing(conversation: str) -> Spelling | None:
    return None

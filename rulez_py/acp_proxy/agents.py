"""Facts of agents that speak ACP: what they call themselves, and where they name a tool. Measured in November 2026."""

from __future__ import annotations

PLATFORM_OF: dict[str, str] = {
    "@agentclientprotocol/claude-agent-acp": "claude",
    "@factory/cli": "droid",
    "@mistralai/mistral-vibe": "vibe",
    "@zed-industries/claude-code-acp": "claude",
    "Copilot": "copilot",
    "Kilo": "kilo",
    "Kimi Code CLI": "kimi",
    "OpenCode": "opencode",
    "OpenHands CLI ACP Agent": "openhands",
    "cline": "cline",
    "gemini-cli": "gemini",
    "qwen-code": "qwen",
}
"""`agentInfo.name` in the agent's answer to `initialize` -> platform. Grok Build sends no `agentInfo`."""

NAMES_IN_META: tuple[tuple[str, ...], ...] = (
    ("toolName",),  # Qwen Code
    ("tool_name",),  # Mistral Vibe
    ("claudeCode", "toolName"),  # Claude Code's adapter
    ("x.ai/tool", "name"),  # Grok Build
)
"""Keys that lead to a tool's name in the `_meta` of a tool call; the protocol's own `name` is new."""

NAME_BEFORE = "__"
"""Gemini CLI names the tool in `toolCallId`, before this."""

TOOL_OF_KIND: dict[str, str] = {
    "execute": "Bash",
    "edit": "Edit",
    "read": "Read",
    "search": "Grep",
    "fetch": "WebFetch",
}
"""The protocol's kind of a tool -> canonical name. The other kinds are no tool's: delete, move, think, other."""

TITLE_IS: dict[str, str] = {"Bash": "command", "WebFetch": "prompt"}
"""Canonical name -> the argument that a title says, where nothing else does: Gemini CLI sends no input."""

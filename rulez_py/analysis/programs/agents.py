"""Name the programs of coding agents, as their platforms do (`make pages`)."""

from __future__ import annotations

AGENTS = (
    "claude",
    "cline",
    "codex",
    "copilot",
    "cursor",
    "droid",
    "gemini",
    "grok",
    "hermes",
    "kilo",
    "kimi",
    "opencode",
    "openhands",
    "pi",
    "qwen",
    "vibe",
    "windsurf",
)

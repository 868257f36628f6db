"""Name the programs of coding agents, as their platforms do (`make pages`)."""

from __future__ import annotations

AGENTS = (
    "amp",
    "auggie",
    "claude",
    "cline",
    "codex",
    "copilot",
    "cursor",
    "devin",
    "droid",
    "gemini",
    "grok",
    "hermes",
    "kilo",
    "kimi",
    "kiro-cli",
    "opencode",
    "openhands",
    "pi",
    "qwen",
    "vibe",
    "windsurf",
)

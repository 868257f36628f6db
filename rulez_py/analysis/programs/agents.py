"""Name the programs of coding agents, as their platforms do (tests/test_architecture.py)."""

from __future__ import annotations

AGENTS = ("claude", "codex", "copilot", "gemini", "opencode")

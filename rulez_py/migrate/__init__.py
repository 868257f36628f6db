"""Turn the rules of other products into a policy: RuleZ' rules, Claude Code's permissions."""

from __future__ import annotations

RULEZ, CLAUDE = "rulez", "claude"
SOURCES = (RULEZ, CLAUDE)
"""The products whose files are read."""

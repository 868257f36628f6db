"""What other products know of what agents may do, as a policy of ours: RuleZ' rules, Claude Code's permissions."""

from __future__ import annotations

RULEZ, CLAUDE = "rulez", "claude"
SOURCES = (RULEZ, CLAUDE)
"""The products whose files are read."""

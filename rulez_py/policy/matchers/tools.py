"""`tools`: which tool is called, MCP tools among them."""

from __future__ import annotations

from rulez_py.policy import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from rulez_py.policy.facts import Facts


def fits(wanted: list[str], facts: Facts, *, strict: bool) -> bool:
    if any(name in facts.names for name in wanted):
        return True
    enough = all if strict else any
    return bool(facts.mcp) and enough(_names(wanted, server, tool) for server, tool in facts.mcp)


def about(match: Mapping[str, Any], facts: Facts) -> Mapping[str, Any]:
    # The matcher `mcp` says it more exactly.
    named = tuple(pair for pair in facts.mcp if "mcp" not in match and _names(match["tools"], *pair))
    return {"mcp": named} if named else {}


def _names(wanted: list[str], server: str, tool: str) -> bool:
    return any(globs.plain(name, f"mcp__{server}__{tool}") for name in wanted if name.startswith("mcp__"))

"""`mcp`: which tool of which MCP server is called."""

from __future__ import annotations

from rulez_py.policy import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from rulez_py.policy.facts import Facts

    Entry = dict[str, list[str]]


def fits(wanted: list[Entry], facts: Facts, *, strict: bool) -> bool:
    enough = all if strict else any
    return bool(facts.mcp) and enough(_names(wanted, server, tool) for server, tool in facts.mcp)


def about(match: Mapping[str, Any], facts: Facts) -> Mapping[str, Any]:
    return {"mcp": tuple(pair for pair in facts.mcp if _names(match["mcp"], *pair))}


def _names(wanted: list[Entry], server: str, tool: str) -> bool:
    return any(
        all(
            any(globs.plain(pattern, value) for pattern in entry[key])
            for key, value in (("server", server), ("tool", tool))
            if key in entry
        )
        for entry in wanted
    )

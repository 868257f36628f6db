"""`mcp`: tools of MCP servers."""

from __future__ import annotations

from rulez_py.policy.patterns import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

    Entry = dict[str, list[str]]

ABOUT = "Calls to tools of MCP servers."
EXAMPLE = r'mcp: {server: github, tool: "delete_*"}'
VARIABLES = ("server", "tool")
NEEDS_TOOL = True


def schema() -> Kind:
    from rulez_py.documents.types import Map
    from rulez_py.policy.matchers.schema_parts import GLOBS, one_or_many

    return one_or_many(
        Map(
            name="Mcp",
            about="Calls to tools of MCP servers.",
            fields={
                "server": (GLOBS, "Globs over the server's name; `!` takes out again. Default: any."),
                "tool": (GLOBS, "Globs over the tool's name; `!` takes out again. Default: any."),
            },
        )
    )


def compiled(wanted: list[Entry]) -> list[Entry]:
    return [{"server": entry.get("server", ["*"]), "tool": entry.get("tool", ["*"])} for entry in wanted]


def filed_by(match: Match) -> Filing | None:
    return "mcp", []


def fits(wanted: list[Entry], facts: Facts, *, strict: bool) -> bool:
    enough = all if strict else any
    return bool(facts.mcp) and enough(_names(wanted, server, tool, strict=strict) for server, tool in facts.mcp)


def about(match: Match, facts: Facts) -> Mapping[str, Any]:
    return {"mcp": tuple(pair for pair in facts.mcp if _names(match["mcp"], *pair))}


def _names(wanted: list[Entry], server: str, tool: str, *, strict: bool = False) -> bool:
    """Tell whether an entry names this tool. A server that the agent does not tell may be any, but not for a permit."""
    told = (("server", server), ("tool", tool)) if server or strict else (("tool", tool),)
    return any(all(globs.plain_list(entry[key], value) for key, value in told if key in entry) for entry in wanted)


def seen(_wanted: object, facts: Facts) -> Iterable[str]:
    """Return the part of the call that the matcher has looked at, for people."""
    return [f"{server} {tool}" for server, tool in facts.mcp]

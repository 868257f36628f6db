"""`tools`: which tool is called, MCP tools among them."""

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

ABOUT = (
    "The canonical tool name, the agent's own, a tool variant, or an MCP name: `mcp__server__tool`, where globs work."
)
EXAMPLE = "tools: [Bash, Shell, mcp__github__*]"
VARIABLES = ("tools",)
GENERAL = True
NEEDS_TOOL = True


def schema() -> Kind:
    from rulez_py.documents.types import check_not_blank, text
    from rulez_py.policy.matchers.schema_parts import check_single, one_or_many

    return one_or_many(text(check_not_blank, check_single, _check_tool, pattern=r"\S"))


def _check_tool(value: str) -> None:
    from rulez_py.documents.types import Refusal

    if value.startswith("!"):
        raise Refusal(f'holds "{value}", but tools are named as they are', f'write except: {{tools: "{value[1:]}"}}')


def compiled(wanted: list[str]) -> list[str]:
    return wanted


def filed_by(match: Match) -> Filing | None:
    return None  # but by drawers


def fits(wanted: list[str], facts: Facts, *, strict: bool) -> bool:
    if any(name in facts.names for name in wanted):
        return True
    enough = all if strict else any
    return bool(facts.mcp) and enough(_names(wanted, server, tool, strict=strict) for server, tool in facts.mcp)


def about(match: Match, facts: Facts) -> Mapping[str, Any]:
    # The matcher `mcp` says it more exactly.
    named = tuple(pair for pair in facts.mcp if "mcp" not in match and _names(match["tools"], *pair))
    return {"mcp": named} if named else {}


def _names(wanted: list[str], server: str, tool: str, *, strict: bool = False) -> bool:
    """Tell whether a name is this tool's. A server that the agent does not tell may be any, but not for a permit."""
    named = (name for name in wanted if name.startswith("mcp__"))
    if server or strict:
        return any(globs.plain(name, f"mcp__{server}__{tool}") for name in named)
    return any(globs.plain([*name.split("__", 2), "*"][2], tool) for name in named)


def seen(_wanted: object, facts: Facts) -> Iterable[str]:
    """Return the part of the call that the matcher has looked at, for people."""
    return facts.names[:1]

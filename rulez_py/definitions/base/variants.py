"""Find the tool variants that a platform's own names of tools mean."""

from __future__ import annotations

from typing import Any

from rulez_py.definitions.base.platforms import AGENT_FILES
from rulez_py.definitions.base.tool import Platform, Tool
from rulez_py.platforms.tool_table import AGENT_FILE_NAMES

_ALL = "*"


def variants(names: list[str], platform: Platform) -> list[Any]:
    """Return the tool variants that all of these names make, and a tool of one's own for each name that none does."""
    file = AGENT_FILES[platform]
    wanted = [file.aliases.get(name, name) for name in names]
    complete = {
        variant: known for variant, known in AGENT_FILE_NAMES[platform].items() if known and set(known) <= set(wanted)
    }
    named: dict[str, list[Any]] = {
        name: [
            *(Tool(variant) for variant, known in complete.items() if name in known),
            *(Tool.Custom(one) for one, known in file.further.items() if name in known),
        ]
        for name in wanted
    }
    # A variant comes where a name is its alone: at one that it shares, another variant may have put the name there.
    own = {variants[0] for variants in named.values() if len(variants) == 1}
    found: dict[Any, None] = {}
    for name, variants in named.items():
        here = variants if len(variants) == 1 else [one for one in variants if one not in own]
        found.update(dict.fromkeys(here if variants else [Tool.Custom(_portable(name, platform))]))
    return list(found)


def _portable(name: str, platform: Platform) -> str:
    """Return a tool of an MCP server as every platform can spell it, where this one's spelling says which it is."""
    pattern = AGENT_FILES[platform].mcp[0]
    if pattern == "{server}/{tool}" and name.count("/") == 1:
        server, _, tool = name.partition("/")
        return f"mcp__{server}" if tool == _ALL else f"mcp__{server}__{tool}"
    return name

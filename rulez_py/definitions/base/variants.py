"""Find the tool variants that a platform's own names of tools mean."""

from __future__ import annotations

from typing import Any

from rulez_py.definitions.base.harnesses import HARNESS_FILES
from rulez_py.definitions.base.tool import Harness, Tool
from rulez_py.tools import AGENT_FILE_NAMES

_ALL = "*"


def variants(names: list[str], harness: Harness) -> list[Any]:
    """The tool variants that all of these names make, and a tool of one's own for each name that none does."""
    file = HARNESS_FILES[harness]
    wanted = [file.aliases.get(name, name) for name in names]
    complete = {
        variant: known for variant, known in AGENT_FILE_NAMES[harness].items() if known and set(known) <= set(wanted)
    }
    found: dict[Any, None] = {}
    for name in wanted:
        variants: list[Any] = [Tool(variant) for variant, known in complete.items() if name in known]
        variants += [Tool.Custom(one) for one, known in file.further.items() if name in known]
        found.update(dict.fromkeys(variants or [Tool.Custom(_portable(name, harness))]))
    return list(found)


def _portable(name: str, harness: Harness) -> str:
    """A tool of an MCP server as every harness can spell it, where this one's spelling says which it is."""
    pattern = HARNESS_FILES[harness].mcp[0]
    if pattern == "{server}/{tool}" and name.count("/") == 1:
        server, _, tool = name.partition("/")
        return f"mcp__{server}" if tool == _ALL else f"mcp__{server}__{tool}"
    return name

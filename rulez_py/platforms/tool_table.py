"""The tool table, both directions.

Inbound: the name a platform's hook payload carries -> the canonical name (Claude Code's) and the tool variant it
belongs to. Outbound: a tool variant -> the names a platform's *agent definition files* use, which are not always the
names its hook payloads use. `TOOL-MAPPING.md` is generated from it (`rulez tools --markdown`).

Each platform's part is in its folder (`platforms/NAME/tools.py`), and a hook call loads that of its own platform alone;
`INBOUND` and `AGENT_FILE_NAMES` are all of them, put together on demand.
"""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.event import CANONICAL_TOOLS
from rulez_py.event.arguments import READ, WRITE
from rulez_py.platforms import PLATFORMS, part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    INBOUND: dict[str, dict[str, ToolName]]
    """Platform -> name in its hook payloads -> what it means."""
    AGENT_FILE_NAMES: dict[str, dict[str, tuple[str, ...]]]
    """Platform -> tool variant -> its names in an agent definition file, of the platforms that have such files."""

# How we know a row.
SEEN = "seen"  # in a payload recorded from the real CLI (tests/payloads)
SOURCE = "source"  # in the platform's shipped code or type declarations, not in a recording
DOCS = "docs"  # only in the platform's documentation
REQUIRED = "required"  # asked for by rulez' mission; the measured CLI version does not send it
OURS = "ours"  # what rulez itself sends, or takes on request

CANONICAL: tuple[str, ...] = CANONICAL_TOOLS

VARIANTS: tuple[str, ...] = (
    "Write",
    "Edit",
    "Shell",
    "Read",
    "Glob",
    "List",
    "LSP",
    "Skill",
    "TodoWrite",
    "TodoRead",
    "WebFetch",
    "WebSearch",
    "Question",
)

# Variants that an event answers to because of its canonical name.
_VARIANT_OF_CANONICAL = {
    "Bash": "Shell",
    "Write": "Write",
    "Edit": "Edit",
    "Read": "Read",
    "Glob": "Glob",
    "WebFetch": "WebFetch",
}

_ACCESS_OF_VARIANT = {
    "Read": (READ,),
    "Glob": (READ,),
    "List": (READ,),
    "LSP": (READ,),
    "Write": (WRITE,),
    "Edit": (WRITE,),
}


class ToolName(Value):
    """One name of one platform. `canonical` is None where the name passes through unchanged."""

    name: str
    canonical: str | None = None
    variants: tuple[str, ...] = ()
    evidence: str = SEEN


def rows(*rows: tuple[str, str | None, str, str]) -> dict[str, ToolName]:
    """Return a platform's table: (name, canonical name or None, tool variants, evidence) of each of its tools."""
    return {
        name: ToolName(name=name, canonical=canonical, variants=tuple(variants.split()), evidence=evidence)
        for name, canonical, variants, evidence in rows
    }


def __getattr__(name: str) -> Any:
    if name == "INBOUND":
        found = {platform: inbound(platform) for platform in PLATFORMS}
    elif name == "AGENT_FILE_NAMES":
        found = {platform: names for platform in PLATFORMS if (names := part(platform, "tools").AGENT_FILE_NAMES)}
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def inbound(platform: str) -> dict[str, ToolName]:
    """Return one platform's row of `INBOUND`; no other platform is loaded. Raises KeyError for an unknown name."""
    table: dict[str, ToolName] = part(platform, "tools").INBOUND
    return table


def canonical_name(platform: str, name: str) -> str:
    """Return the canonical name of a platform's tool name; an unknown or custom name is returned unchanged."""
    row = inbound(platform).get(name)
    return row.canonical if row is not None and row.canonical is not None else name


def rule_names(platform: str, platform_tool_name: str) -> tuple[str, ...]:
    """Every plain name a rule's `tools:` may use for this tool: canonical, the platform's own, and its variants."""
    row = inbound(platform).get(platform_tool_name)
    canonical = canonical_name(platform, platform_tool_name)
    names = [canonical, platform_tool_name, *(row.variants if row is not None else ())]
    if canonical in _VARIANT_OF_CANONICAL:
        names.append(_VARIANT_OF_CANONICAL[canonical])
    return tuple(dict.fromkeys(names))


def access(platform: str, platform_tool_name: str) -> tuple[str, ...]:
    """Return how a platform's tool touches the files it names, as far as its tool variant says; else ()."""
    names = rule_names(platform, platform_tool_name)
    return next((_ACCESS_OF_VARIANT[name] for name in names if name in _ACCESS_OF_VARIANT), ())

"""The platforms that load skills: the facts of each, from `platforms/NAME/skills.py`, and its names for tools."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rulez_py.agents.harnesses import HARNESS_FILES
from rulez_py.agents.mapping import map_tools, one_by_one
from rulez_py.agents.tool import AnyTool, CustomTool, Harness
from rulez_py.generating.errors import InvalidAgent
from rulez_py.platforms import part, parts
from rulez_py.platforms.skill_files import SkillFiles
from rulez_py.written.problems import closest

SKILL_FILES: Mapping[str, SkillFiles] = {platform: known.FILES for platform, known in parts("skills").items()}
HARNESSES: tuple[str, ...] = tuple(SKILL_FILES)
"""The names of those that skills are written for, sorted."""

PERMITTING: frozenset[str] = frozenset(files.permits for files in SKILL_FILES.values()) - {""}
"""Keys with tools that need no question, by the names of one of them."""
ACTED_ON: frozenset[str] = PERMITTING | frozenset(key for files in SKILL_FILES.values() for key in files.acts_on)
"""Keys that do something on one of them."""


def harness_named(name: str) -> str:
    """A harness by its name, `Harness.Claude` too. Raises InvalidAgent for one that loads no skills."""
    if str(name) in SKILL_FILES:
        return str(name)
    close = closest(str(name), HARNESSES)
    guess = f'did you mean "{close}"?' if close else f"there are {', '.join(HARNESSES)}"
    raise InvalidAgent(f"there is no harness {name!r} with skills; {guess}")


def tool_names(
    tools: Iterable[AnyTool], harness: str, *, on_missing: Callable[[AnyTool], None] | None = None
) -> list[str]:
    """What a harness calls tools, in their order; `on_missing` is told of each that it lacks, once."""

    def missing(tool: AnyTool, _harness: object = None) -> None:
        if on_missing is not None:
            on_missing(tool)

    if harness in HARNESS_FILES:
        return map_tools(tools, Harness(harness), on_missing=missing)
    known = part(harness, "tools")
    names: dict[str, None] = {}
    for tool in dict.fromkeys(one_by_one(tools)):
        if isinstance(tool, CustomTool) and not tool.further:
            server, of_it = tool.mcp or ("", "")
            pattern = known.MCP_NAMES[not of_it]
            found = (pattern.format(server=server, tool=of_it) if server else tool.name,)
        else:
            found = known.TEXT_NAMES.get(str(tool), ())
            if not found:
                missing(tool)
        names.update(dict.fromkeys(found))
    return list(names)

"""Agent definitions: written once with universal tools, for each platform the file that it loads.

These names are what definitions and enrichers in Python need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulez_py.definitions.agents.definition import AgentDefinition
from rulez_py.definitions.agents.enrichers import EnricherError, ToolEnricher, compose
from rulez_py.definitions.agents.files import load
from rulez_py.definitions.agents.importing import Imported, imported
from rulez_py.definitions.agents.reading import Read, read
from rulez_py.definitions.agents.writers import OutputType, file_path, render
from rulez_py.definitions.base.files import CannotLoad
from rulez_py.definitions.base.mapping import ToolMap, map_tools, to_platform
from rulez_py.definitions.base.notes import CannotSay, Note
from rulez_py.definitions.base.prompt import Section, Style
from rulez_py.definitions.base.tool import AnyTool, CustomTool, Platform, Tool, UnknownTool, parse_tool
from rulez_py.definitions.output.errors import AgentError, InvalidAgent, WrongType
from rulez_py.definitions.output.store import CannotWrite
from rulez_py.definitions.output.written import State, Written
from rulez_py.renamed import renamed

__all__ = [
    "AgentDefinition",
    "AgentError",
    "AnyTool",
    "CannotLoad",
    "CannotSay",
    "CannotWrite",
    "CustomTool",
    "EnricherError",
    "Imported",
    "InvalidAgent",
    "Note",
    "OutputType",
    "Platform",
    "Read",
    "Section",
    "State",
    "Style",
    "Tool",
    "ToolEnricher",
    "ToolMap",
    "UnknownTool",
    "Written",
    "WrongType",
    "compose",
    "file_path",
    "imported",
    "load",
    "map_tools",
    "parse_tool",
    "read",
    "render",
    "to_platform",
]

if TYPE_CHECKING:
    # Old names, which go on to work.
    Harness = Platform
    to_harness = to_platform
else:
    __getattr__ = renamed(__name__, {"Harness": "Platform", "to_harness": "to_platform"})

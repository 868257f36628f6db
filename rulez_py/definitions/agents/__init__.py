"""Agent definitions: written once with universal tools, for each harness the file that it loads.

These names are what definitions and enrichers in Python need.
"""

from __future__ import annotations

from rulez_py.definitions.agents.definition import AgentDefinition
from rulez_py.definitions.agents.enrichers import EnricherError, ToolEnricher, compose
from rulez_py.definitions.agents.files import load
from rulez_py.definitions.agents.importing import Imported, imported
from rulez_py.definitions.agents.reading import Read, read
from rulez_py.definitions.agents.writers import OutputType, file_path, render
from rulez_py.definitions.base.files import CannotLoad
from rulez_py.definitions.base.mapping import ToolMap, map_tools, to_harness
from rulez_py.definitions.base.notes import CannotSay, Note
from rulez_py.definitions.base.prompt import Section, Style
from rulez_py.definitions.base.tool import AnyTool, CustomTool, Harness, Tool, UnknownTool, parse_tool
from rulez_py.definitions.output.errors import AgentError, InvalidAgent, WrongType
from rulez_py.definitions.output.store import CannotWrite
from rulez_py.definitions.output.written import State, Written

__all__ = [
    "AgentDefinition",
    "AgentError",
    "AnyTool",
    "CannotLoad",
    "CannotSay",
    "CannotWrite",
    "CustomTool",
    "EnricherError",
    "Harness",
    "Imported",
    "InvalidAgent",
    "Note",
    "OutputType",
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
    "to_harness",
]

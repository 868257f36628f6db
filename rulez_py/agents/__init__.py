"""Agent definitions: written once with universal tools, for each harness the file that it loads.

These names are what definitions and enrichers in Python need.
"""

from __future__ import annotations

from rulez_py.agents.definition import AgentDefinition
from rulez_py.agents.enrichers import EnricherError, ToolEnricher, compose
from rulez_py.agents.files import CannotLoad, load
from rulez_py.agents.importing import Imported, imported
from rulez_py.agents.mapping import ToolMap, map_tools, to_harness
from rulez_py.agents.prompt import Section, Style
from rulez_py.agents.reading import Read, read
from rulez_py.agents.tool import AnyTool, CustomTool, Harness, Tool, UnknownTool, parse_tool
from rulez_py.agents.writers import CannotSay, Note, OutputType, file_path, render
from rulez_py.generating.errors import AgentError, InvalidAgent, WrongType
from rulez_py.generating.store import CannotWrite
from rulez_py.generating.written import State, Written

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

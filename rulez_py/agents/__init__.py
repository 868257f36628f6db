"""Agent definitions: written once with universal tools, for each harness the file that it loads.

These names are what definitions and enrichers in Python need.
"""

from __future__ import annotations

from rulez_py.agents.definition import AgentDefinition
from rulez_py.agents.enrichers import ToolEnricher, compose
from rulez_py.agents.mapping import ToolMap, map_tools, to_harness
from rulez_py.agents.prompt import Section
from rulez_py.agents.tool import AnyTool, CustomTool, Harness, Tool
from rulez_py.agents.writers import CannotSay, Note, OutputType, file_path, render

__all__ = [
    "AgentDefinition",
    "AnyTool",
    "CannotSay",
    "CustomTool",
    "Harness",
    "Note",
    "OutputType",
    "Section",
    "Tool",
    "ToolEnricher",
    "ToolMap",
    "compose",
    "file_path",
    "map_tools",
    "render",
    "to_harness",
]

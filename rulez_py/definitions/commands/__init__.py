"""Slash commands: written once, for every platform as it loads them.

These names are what people need who write them from Python.
"""

from __future__ import annotations

from rulez_py.definitions.commands.definition import SlashCommand
from rulez_py.definitions.commands.files import PLATFORMS, Read, load, plan, read
from rulez_py.definitions.commands.rendering import COMMAND_FILES, file_path, render

__all__ = ["COMMAND_FILES", "PLATFORMS", "Read", "SlashCommand", "file_path", "load", "plan", "read", "render"]

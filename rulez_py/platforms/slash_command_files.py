"""Facts about the slash commands that a platform loads, given in `platforms/NAME/slash_commands.py`.

Measured on the real CLIs: contract.md, "Slash commands".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class CommandFiles:
    """The slash commands of one platform: a file for each."""

    directory: str
    """The directory of a project's commands, relative to the project."""
    user_directory: str
    """The directory of a person's own, relative to the home directory."""
    ending: str = ".md"
    toml: bool = False
    """The file is TOML with a `prompt`; else Markdown with front matter."""
    keys: Mapping[str, str]
    """A field of rulez' definitions -> the platform's key. A field that is not here has none."""
    every: str
    """The placeholder of all arguments."""
    one: str = ""
    """The placeholder of one argument, with `{}` for its number; "" without one."""
    first: int = 1
    """The number of the first."""
    taken: re.Pattern[str]
    """Parts of a text that it would replace, read or run by itself."""
    escapable: re.Pattern[str] | None = None
    """Parts that a backslash before them keeps; the backslash is removed."""
    rivals: tuple[str, ...] = ()
    """Files of the same command that win over a project's or lose it: paths from `~`, with `{name}`."""

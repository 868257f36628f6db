"""What has to be known of the slash commands that a platform loads: `platforms/NAME/slash_commands.py` says it.

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
    """Where a project's stand, from its directory."""
    user_directory: str
    """Where a person's own stand, from the home directory."""
    ending: str = ".md"
    toml: bool = False
    """The file is TOML with a `prompt`; else Markdown with front matter."""
    keys: Mapping[str, str]
    """A field of ours -> the key that says it there. A field that is not here cannot be said."""
    every: str
    """What stands for all arguments."""
    one: str = ""
    """What stands for one, with `{}` for its number; "" where nothing does."""
    first: int = 1
    """The number of the first."""
    taken: re.Pattern[str]
    """What in a text it would replace, read or run by itself."""
    escapable: re.Pattern[str] | None = None
    """What of that stays as it is behind a backslash, which goes."""
    rivals: tuple[str, ...] = ()
    """Files of the same command that win over a project's or lose it: paths from `~`, with `{name}`."""

"""One entry of Claude Code's permission lists: `Tool`, `Tool(...)`, `mcp__server__tool`; and its paths as globs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulez_py.policy.patterns import globs

_NAME = re.compile(r"[A-Za-z_*][\w*.-]*", re.ASCII)
_DRIVE = re.compile(r"([A-Za-z])/(.*)", re.ASCII | re.S)
_PARAMETER = re.compile(r"([a-z_][A-Za-z0-9_]*)\s*:\s*(.+)", re.ASCII | re.S)


class Malformed(ValueError):
    """The text is no entry, or no path. The message says why, `help` what would be right."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.help = help


@dataclass(frozen=True)
class Entry:
    """A tool, and the text in brackets after it, "" without brackets."""

    tool: str
    specifier: str = ""

    @property
    def parameter(self) -> tuple[str, str] | None:
        """Name and value of `Tool(parameter:value)`; None for any other form."""
        found = _PARAMETER.fullmatch(self.specifier)
        return (found[1], found[2].strip()) if found else None


def read(text: str) -> Entry:
    """Return the entry that a text is. Raises Malformed."""
    if any(0xD800 <= ord(char) < 0xE000 for char in text):
        raise Malformed("it is no text: half of a character is in it")
    name, bracket, rest = text.strip().partition("(")
    if not _NAME.fullmatch(name):
        raise Malformed("it names no tool", "an entry is `Tool` or `Tool(...)`")
    if bracket and not rest.endswith(")"):
        raise Malformed("its bracket is not closed", f"`{name}({rest})`")
    inside = re.sub(r"\\([()])", r"\1", rest[:-1]).strip() if bracket else ""
    return Entry(name, "" if inside in ("*", ":*") else inside)


def as_glob(path: str, *, user: bool) -> str:
    """Return the glob of `paths` for a path of `Read(...)` or `Edit(...)`. Raises Malformed.

    `user`: it is in a person's own settings, where `/x` is `~/.claude/x`.
    """
    if path.startswith("!"):
        raise Malformed("`!` takes nothing out of a list of permissions", "write the files that are meant")
    if path.startswith("../") or path == "..":
        raise Malformed("`..` depends on where the session began", "write it from // or ~/ on")
    if "\\" in path and (len(path) > 1 and path[1] == ":"):
        raise Malformed("paths are written with slashes", "`//c/Users/...`")
    glob = path.replace("{", "\\{").replace("}", "\\}")
    if glob.startswith("//"):
        glob = _absolute(glob.lstrip("/"))
    elif glob.startswith("/"):
        glob = ("~/.claude" if user else ".") + glob
    if glob.endswith("/"):
        anywhere = "**/" if "/" not in glob[:-1] else ""
        glob = f"{anywhere}{glob}**"
    if glob in ("*", "**", "**/*", "./*", "./**/*"):
        glob = "./**"
    wrong = globs.problem(glob)
    if wrong or not glob.strip("/."):
        raise Malformed(f"it is no glob: {wrong or 'it names no file'}")
    return glob


def _absolute(rest: str) -> str:
    drive = _DRIVE.fullmatch(rest)
    if drive is not None and drive[1] != "*":
        return f"{drive[1].upper()}:/{drive[2]}"
    return rest if rest.startswith("**/") else "/" + rest

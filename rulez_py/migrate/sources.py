"""Recognize the product of a file by its content."""

from __future__ import annotations

from rulez_py.install import jsonc
from rulez_py.migrate import CLAUDE, RULEZ


def kind(name: str, content: bytes) -> str | None:
    """Return the product that a file called `name` is of; None where it is unknown."""
    text = content.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if not text.startswith(("{", "//", "/*")):
        return CLAUDE if name.endswith(".json") else RULEZ
    try:
        root = jsonc.parse(text)
    except jsonc.Unreadable:
        return CLAUDE if name.endswith((".json", ".jsonc")) else None
    keys = root.value if isinstance(root.value, dict) else {}
    found = [source for source, key in ((RULEZ, "rules"), (CLAUDE, "permissions")) if key in keys]
    if len(found) == 1:
        return found[0]
    return CLAUDE if name.endswith((".json", ".jsonc")) and not found else None

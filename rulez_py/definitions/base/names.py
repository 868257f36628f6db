"""Say which names a definition may have: each is also a file's name."""

from __future__ import annotations

NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")

LONGEST_NAME = 64

RESERVED = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10)))
)
"""Names that Windows keeps for devices: a repository with such a file cannot be checked out there."""


def why_no_name(name: str) -> str:
    """Return why an agent cannot have this name, as the end of a sentence; "" where it can."""
    if not name:
        return "is empty"
    if not set(name) <= NAME_CHARACTERS or not name[0].isalnum() or not name[-1].isalnum():
        plain = "".join(one if one in NAME_CHARACTERS else "-" for one in name.lower()).strip("-_")
        guess = f"; for instance {plain}" if plain and len(plain) <= LONGEST_NAME else ""
        return f"must be made of a-z and 0-9, with - and _ in between: every platform takes it for a file's name{guess}"
    if name in RESERVED:
        return "is one that Windows keeps for a device: the file could not be checked out there"
    return f"is longer than {LONGEST_NAME} characters" if len(name) > LONGEST_NAME else ""

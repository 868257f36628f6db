"""Commands of consoles that name a file: `\\i x`, `.output x`, `source x`, `\\copy t from 'x'`."""

from __future__ import annotations

from rulez_py.analysis.values import READ, SEND, WRITE

_COMMANDS = {
    **dict.fromkeys(("\\i", "\\ir", "\\include", "\\include_relative", "\\.", "source"), (READ,)),
    **dict.fromkeys(("\\o", "\\out", "\\w", "\\write", "\\g", "\\gx", "\\s", "\\t"), (WRITE,)),
    **dict.fromkeys((".read", ".restore", ".load", ".import", "\\lo_import"), (READ,)),
    **dict.fromkeys((".output", ".once", ".backup", ".save", ".log", ".clone", ".excel"), (WRITE,)),
    ".open": (READ, WRITE),
    **dict.fromkeys(("spool", "spo"), (WRITE,)),
    # Line editors.
    **dict.fromkeys(("w", "wq", "w!", "saveas", "saveas!"), (WRITE,)),
    **dict.fromkeys(("r", "e"), (READ,)),
}
"""Commands of SQLite, DuckDB, psql, mysql, SQL*Plus, cqlsh and ed, in lower case."""
_FIRST = (".import", ".load", ".read", "\\lo_import")
"""Commands whose file is their first word that is no option. For the others it is the last word."""
_COPIES = ("copy", "\\copy")
_FILE = "file://"
_DIRECTIONS = {"from": READ, "to": WRITE}
_NO_FILES = ("stdin", "stdout", "pstdin", "pstdout", "program", "off", "out", "on", "-")


def may_name(text: str) -> bool:
    """Tell if a text may have such a command: a quick no for most."""
    start = text.lstrip()
    return start[:1] in ("\\", ".") or start[:5].lower() in _BEGINNINGS or any(one in text for one in _LATER)


_LATER = ("w ", "r ", "e ", "wq ", "w! ", "\n.", "\n\\")
_BEGINNINGS = frozenset(("sourc", "spool", "spo ", "copy ", "put f", "put '"))


def file(line: str) -> tuple[str, tuple[str, ...]]:
    """Return the file that a line names, and how it is accessed; ("", ()) for any other line."""
    name, *rest = line.rstrip("; \t").split() or [""]
    name = name.lower()
    if name in _COPIES:
        places = [at for at, word in enumerate(rest[:-1]) if word.lower() in _DIRECTIONS]
        if not places:
            return "", ()
        path = rest[places[-1] + 1]
        access: tuple[str, ...] = (_DIRECTIONS[rest[places[-1]].lower()],)
    elif name == "put":
        # Snowflake's PUT sends a file, named by an address, to a stage.
        address = next((word for word in rest if not word.startswith("-")), "").strip("'\"")
        if not address.startswith(_FILE):
            return "", ()
        path, access = address.removeprefix(_FILE), (READ, SEND)
    elif rest and name in _COMMANDS:
        if name[0] not in "\\." and len(rest) > 1:
            return "", ()  # A sentence begins with such a word.
        words = [word for word in rest if not word.startswith("-")]
        path = next(iter(words[:1] if name in _FIRST else words[-1:]), "")
        access = _COMMANDS[name]
    else:
        return "", ()
    path = path.strip("'\"")
    return ("", ()) if path.lower() in _NO_FILES or path.startswith(("|", "!", "-")) else (path, access)

"""Values of PowerShell's expressions, as far as they are known before a run."""

from __future__ import annotations

from rulez_py.analysis.powershell.syntax import Block
from rulez_py.analysis.record import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from rulez_py.analysis.values import Word

MOST = 20_000
"""Longest text in characters, and longest list in items."""
SPELLED = "spelled"
"""The origin of a text that is put together of single characters; commands do not show it."""


class Listed(Value):
    """A path in a value; `deep` if all files below it are meant."""

    path: str
    deep: bool = False
    known: bool = True


class Flow(Value):
    """An unknown value (`text` is None), or a known text with origins.

    `shown` is its source text; `origins` and `files` are as in values.Data; `paths` are the files it names (the result
    of Get-ChildItem); `output` says that a program printed it; `type` is the class of an object.
    """

    text: str | None = None
    shown: str = ""
    origins: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    paths: tuple[Listed, ...] = ()
    output: bool = False
    type: str = ""


class Closure(Value):
    """A script block, with the text around it."""

    block: Block
    source: str
    outermost: bool


class Bytes(Value):
    """Bytes decoded from text."""

    data: bytes


if TYPE_CHECKING:
    Known: TypeAlias = "str | tuple[Known, ...] | dict[str, Known] | Flow | Closure | Bytes"


def text_of(value: Known | None) -> str | None:
    """Return the value as text, None where it is unknown."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, Flow):
        return value.text
    if isinstance(value, tuple):
        parts = [text_of(one) for one in value]
        known = [part for part in parts if part is not None]
        return " ".join(known)[:MOST] if len(known) == len(parts) else None
    return None


def parts_of(value: Known | None) -> tuple[Known, ...]:
    """Return the items of a list, or the one value."""
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


def origins_of(value: Known | None) -> tuple[str, ...]:
    """Return the origins of a value."""
    return _gather(value, 0)


def files_of(value: Known | None) -> tuple[str, ...]:
    """Return the paths of files whose content is in a value."""
    return _gather(value, 1)


def _gather(value: Known | None, which: int) -> tuple[str, ...]:
    found: dict[str, None] = {}
    todo: list[Known | None] = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, Flow):
            found.update(dict.fromkeys((one.origins, one.files)[which]))
        elif isinstance(one, Bytes) and which == 0:
            found["decode"] = None
        elif isinstance(one, tuple):
            todo.extend(reversed(one))
        elif isinstance(one, dict):
            todo.extend(reversed(one.values()))
    return tuple(found)


def is_output(value: Known | None) -> bool:
    """Tell if a program printed any part of a value."""
    return any(isinstance(one, Flow) and one.output for one in parts_of(value))


def unknown(shown: str, *sources: Known | None) -> Flow:
    """Return an unknown value made of others.

    INVARIANT: it keeps the origins of those.
    """
    paths = tuple(path for one in sources for part in parts_of(one) if isinstance(part, Flow) for path in part.paths)
    return Flow(
        shown=shown,
        origins=origins_of(sources_of(sources)),
        files=files_of(sources_of(sources)),
        paths=paths[:100],
        output=any(is_output(one) for one in sources),
    )


def sources_of(sources: tuple[Known | None, ...]) -> Known:
    return tuple(one for one in sources if one is not None)


def made(text: str, shown: str, *sources: Known | None) -> Known:
    """Return known text with the origins of the values it is made of."""
    if len(text) > MOST:
        return unknown(shown, *sources)
    rest = sources_of(sources)
    origins, files = origins_of(rest), files_of(rest)
    return Flow(text=text, shown=shown, origins=origins, files=files) if origins or files else text


def number(value: Known | None) -> int | None:
    """Return the value as a whole number."""
    text = text_of(value)
    if text is None or len(text) > 10:
        return None
    try:
        return int(text, 16) if text[:2].lower() == "0x" else int(text)
    except ValueError:
        return None


def decoded(text: str) -> Bytes | None:
    """Decode base64; return None for any other text."""
    import binascii

    try:
        return Bytes(data=binascii.a2b_base64(text.encode("ascii", "strict")))
    except ValueError:
        return None


def arranged(pattern: str, items: tuple[Known, ...]) -> str | None:
    """Return the result of the -f operator, for plain fields `{0}`."""
    found: list[str] = []
    place = 0
    while place < len(pattern):
        char = pattern[place]
        if pattern[place : place + 2] in ("{{", "}}"):
            found.append(char)
            place += 2
            continue
        if char != "{":
            found.append(char)
            place += 1
            continue
        end = pattern.find("}", place, place + 5)
        index = pattern[place + 1 : end]
        if end < 0 or not index.isdigit() or int(index) >= len(items):
            return None
        item = text_of(items[int(index)])
        if item is None:
            return None
        found.append(item)
        place = end + 1
        if len(found) > MOST:
            return None
    return "".join(found)


class Argument:
    """One argument of a command: a parameter, a value or both."""

    def __init__(self, name: str, value: Known | None, words: tuple[Word, ...], *, waits: bool = False) -> None:
        self.name = name
        self.value = value
        self.words = words
        self.waits = waits
        """True if a colon ends the name: the next argument is its value."""


def reached(via: tuple[str, ...], *more: str) -> tuple[str, ...]:
    """Return the ways in which a command is reached with more added, each once."""
    return tuple(dict.fromkeys((*via, *more)))


def shown_of(value: Known | None) -> str:
    """Return the source text of an unknown value."""
    if isinstance(value, Flow):
        return value.shown
    if isinstance(value, tuple):
        return " ".join((text if (text := text_of(one)) is not None else shown_of(one)) for one in value[:20])
    return ""


def program_of(text: str) -> str:
    """Return the name of a program, without its directory and `.exe`, lower case."""
    name = text.replace("\\", "/").rpartition("/")[2].lower()
    for ending in (".exe", ".cmd", ".bat", ".com"):
        if name != ending:
            name = name.removesuffix(ending) if ending in (".exe", ".com") else name
    return name


def only_output(value: Known | None) -> bool:
    """Tell if a value is only the output of a program that downloads nothing."""
    printed = any(isinstance(one, Flow) and one.output for one in parts_of(value))
    return printed and not set(origins_of(value)) - {SPELLED}

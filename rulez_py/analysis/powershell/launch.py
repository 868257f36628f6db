"""Reading of the command lines of powershell.exe and pwsh; those of cmd.exe are read by `bash/cmd.py`."""

from __future__ import annotations

from rulez_py.analysis.powershell.flow import decoded
from rulez_py.analysis.values import SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

POWERSHELLS = ("powershell", "pwsh", "powershell_ise", "pwsh-preview")

# about_pwsh: options with a value; each may be abbreviated.
_VALUED = (
    *("executionpolicy", "version", "windowstyle", "inputformat", "outputformat", "configurationname"),
    *("psconsolefile", "workingdirectory", "settingsfile", "custompipename", "configurationfile", "ep", "ex", "wd"),
    *("of", "if"),
)
_COMMAND, _ENCODED, _FILE = "command", "encodedcommand", "file"


def inner(words: Sequence[Word]) -> Inner | None:
    """Return the code that `pwsh ...` runs, in the language "powershell"; None for `--version` and its like.

    Encoded commands are decoded, with the origin "decode" in the word's data.
    """
    place = 1
    while place < len(words):
        word = words[place]
        name = word.text[1:].rstrip(":").lower() if word.text[:1] in ("-", "/") and len(word.text) > 1 else ""
        place += 1
        if word.text == "-":
            return _inner(stdin=True)
        if not name:
            if word.text.lower().endswith(".ps1"):
                return _inner(file=word, arguments=tuple(words[place:]))
            return _code(words[place - 1 :])
        if name in ("cwa", "commandwithargs"):
            return _code(words[place : place + 1])
        if name in ("h", "help", "?", "v", "version") and place == len(words):
            return None
        if _COMMAND.startswith(name):
            return _inner(stdin=True) if words[place:] and words[place].text == "-" else _code(words[place:])
        if name == "ec" or _ENCODED.startswith(name):
            return _encoded(words[place]) if place < len(words) else None
        if _FILE.startswith(name):
            if place >= len(words):
                return None
            if words[place].text == "-":
                return _inner(stdin=True)
            return _inner(file=words[place], arguments=tuple(words[place + 1 :]))
        place += any(valued.startswith(name) for valued in _VALUED)
    return _inner(stdin=True)


def _inner(**parts: object) -> Inner:
    return Inner(language="powershell", via=SHELL, **parts)  # type: ignore[arg-type]


def _code(words: Sequence[Word]) -> Inner:
    if len(words) == 1:
        return _inner(code=words[0])
    known = all(word.known for word in words)
    return _inner(code=Word(text=" ".join(word.text for word in words), known=known))


def _encoded(word: Word) -> Inner:
    octets = decoded(word.text) if word.known else None
    data = word.data.replace(origins=tuple(dict.fromkeys((*word.data.origins, "decode"))))
    if octets is None:
        return _inner(code=word.replace(known=False, data=data))
    return _inner(code=Word(text=octets.data.decode("utf-16-le", "replace"), data=data))


def vector(line: str) -> list[str]:
    """Return the words of a Windows command line: split at white space, but not between double quotes."""
    found: list[str] = []
    word: list[str] = []
    quoted = started = False
    for char in line:
        if char == '"':
            quoted = not quoted
            started = True
        elif char in " \t\n" and not quoted:
            if started:
                found.append("".join(word))
            word, started = [], False
        else:
            word.append(char)
            started = True
    if started:
        found.append("".join(word))
    return found

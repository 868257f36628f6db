"""What the command lines of powershell.exe, pwsh and cmd.exe would run."""

from __future__ import annotations

from rulez_py.analysis.powershell.flow import decoded
from rulez_py.analysis.values import SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

POWERSHELLS = ("powershell", "pwsh", "powershell_ise", "pwsh-preview")

# about_pwsh: options with a value; each may be cut short.
_VALUED = (
    *("executionpolicy", "version", "windowstyle", "inputformat", "outputformat", "configurationname"),
    *("psconsolefile", "workingdirectory", "settingsfile", "custompipename", "configurationfile", "ep", "ex", "wd"),
    *("of", "if"),
)
_COMMAND, _ENCODED, _FILE = "command", "encodedcommand", "file"


def inner(words: Sequence[Word]) -> Inner | None:
    """Return what `pwsh ...` runs, in the language "powershell"; None where it only prints something about itself.

    Encoded commands are given decoded, with the origin "decode" in the word's data.
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


# cmd.exe's own commands, as the cmdlets that do the same.
_BUILT_IN = {
    **dict.fromkeys(("del", "erase", "rd", "rmdir"), "remove-item"),
    **dict.fromkeys(("md", "mkdir"), "new-item"),
    "copy": "copy-item",
    "move": "move-item",
    "ren": "rename-item",
    "type": "get-content",
    "cd": "set-location",
    "chdir": "set-location",
    "dir": "get-childitem",
    "echo": "write-output",
}
_SWITCHES = {"/s": "-Recurse", "/q": "-Force", "/f": "-Force"}


def cmd(words: Sequence[Word]) -> list[tuple[str, list[str]]] | None:
    """Return the commands of `cmd /c ...` as words, each with the cmdlet that does the same, or "".

    None where it runs nothing or is not known.
    """
    place = 1
    while place < len(words) and words[place].text[:1] == "/":
        option = words[place].text[:2].lower()
        place += 1
        if option in ("/c", "/k", "/r"):
            rest = [words[place - 1].text[2:]] if len(words[place - 1].text) > 2 else []
            rest += [word.text for word in words[place:]]
            if not all(word.known for word in words[place:]):
                return None
            return _cmd_line(rest[0] if len(rest) == 1 else " ".join(_quoted(one) for one in rest))
    return None


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word else word


def _cmd_line(line: str) -> list[tuple[str, list[str]]]:
    return [_same(words) for words in _cmd_commands(line) if words]


def _same(words: list[str]) -> tuple[str, list[str]]:
    """Return the cmdlet that does what a command of cmd does, or "", and the command's words as that takes them."""
    words = [words[0].lstrip("@") or words[0], *words[1:]]
    same = _BUILT_IN.get(words[0].lower(), "")
    if not same:
        return "", words
    meant = (_SWITCHES.get(one.lower(), one) for one in words[1:])
    return same, [words[0], *(one for one in meant if not (one[:1] == "/" and len(one) <= 3 and one[1:2].isalpha()))]


def _cmd_commands(line: str) -> list[list[str]]:
    """Return the words of each command in a line of cmd."""
    commands: list[list[str]] = [[]]
    word: list[str] | None = None
    quoted = False
    place = 0
    while place < len(line):
        char = line[place]
        place += 1
        if char == "^" and not quoted and place < len(line):
            word = word or []
            word.append(line[place])
            place += 1
        elif char == '"':
            quoted = not quoted
            word = [] if word is None else word
        elif not quoted and char in " \t,;=\n&|()":
            if word is not None:
                commands[-1].append("".join(word))
            word = None
            if char in "&|\n()":
                commands.append([])
        elif word is None:
            word = [char]
        else:
            word.append(char)
    if word is not None:
        commands[-1].append("".join(word))
    return [[one for one in words if one] for words in commands]


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

"""The programs whose effect on the shell, or whose output, can be told from their words."""

from __future__ import annotations

import posixpath

from rulez_py.shell import grammar
from rulez_py.shell.expand import data_of
from rulez_py.shell.state import NOTHING, UNKNOWN, joined
from rulez_py.shell.values import DECODE, Data, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from rulez_py.shell.run import Machine
    from rulez_py.shell.state import State

    Words: TypeAlias = Sequence[Word]
    Builtin: TypeAlias = Callable[["Machine", Words, State, Data], Data | None]


def run(machine: Machine, name: str, words: Words, state: State, stdin: Data) -> Data | None:
    """Do what a program does to the shell; what it prints, None where nothing is known of that."""
    builtin = _BUILTINS.get(name)
    return None if builtin is None else builtin(machine, words, state, stdin)


def store(state: State, name: str, value: Data, *, adds: bool = False, index: str | None = None) -> None:
    """Assign a value to a variable, or to one place in a list."""
    old = state.get(name) if (adds or index is not None) and state.is_set(name) else None
    if index is not None:
        items = dict(old) if isinstance(old, dict) else {}
        items[index] = value
        state.set(name, items)
    elif adds and isinstance(old, Data):
        state.set(name, joined((old, value)))
    else:
        state.set(name, value)


def change_directory(state: State, word: Word) -> None:
    """Go to a directory, as `cd` would."""
    if not word.known:
        state.known_cwd = False
        state.way = posixpath.join(state.way, word.text)
        return
    path = word.text or state.home
    if path == "~" or path.startswith("~/"):
        path = state.home + path[1:]
    if posixpath.isabs(path):
        state.known_cwd = True
    state.way = posixpath.normpath(posixpath.join(state.way, path)).removeprefix("./")
    state.way = "" if state.way == "." else state.way


def _cd(_machine: Machine, words: Words, state: State, _stdin: Data) -> Data | None:
    places = [word for word in words[1:] if word.text == "-" or not word.text.startswith("-")]
    before = state.cwd
    if not places:
        if words[0].text == "cd":
            state.cwd, state.known_cwd = state.home, True
    elif places[0].text == "-":
        old = state.get("OLDPWD")
        change_directory(
            state, Word(text=old.text or "-", known=old.text is not None) if isinstance(old, Data) else places[0]
        )
    else:
        change_directory(state, places[0])
    state.variables["OLDPWD"] = (Data(text=before),)
    # Where the directory is not there, the shell stays where it was: PWD that was set by hand stays too.
    if "PWD" in state.variables:
        alternatives = (Data(text=state.cwd), *state.variables["PWD"])
        state.variables["PWD"] = alternatives[:4]
    return NOTHING


def _declare(machine: Machine, words: Words, state: State, _stdin: Data) -> Data | None:
    name = words[0].text
    flags = "".join(word.text for word in words[1:] if word.text.startswith("-"))
    own = name == "local" or (name in ("declare", "typeset") and state.locals is not None and "g" not in flags)
    for word in words[1:]:
        if word.text.startswith(("-", "+")):
            continue
        variable, found, text = word.text.partition("=")
        adds = variable.endswith("+")
        variable = variable.removesuffix("+")
        if own and state.locals is not None:
            state.locals.setdefault(variable, state.variables.get(variable, ()))
        if not found:
            if own:
                state.set(variable, None)
            continue
        value = data_of(word).replace(text=text if word.known else None)
        if "n" in flags and value.text:
            state.refer(variable, value)
        else:
            store(state, variable, value, adds=adds)
    return NOTHING


def _unset(_machine: Machine, words: Words, state: State, _stdin: Data) -> Data | None:
    flags = "".join(word.text for word in words[1:] if word.text.startswith("-"))
    for word in words[1:]:
        if word.text.startswith("-"):
            continue
        if "f" in flags:
            state.functions.pop(word.text, None)
        else:
            state.set(word.text, None)
            if word.text not in state.variables:
                state.functions.pop(word.text, None)
    return NOTHING


def _set(_machine: Machine, words: Words, state: State, _stdin: Data) -> Data | None:
    rest = list(words[1:])
    while rest and rest[0].text.startswith(("-", "+")) and rest[0].text not in ("-", "--"):
        takes = rest[0].text[1:2] == "o"
        rest = rest[2 if takes else 1 :]
    if rest and rest[0].text in ("--", "-"):
        rest = rest[1:]
    elif not rest:
        return NOTHING
    state.arguments = (*(state.arguments[:1] or (Word(text="sh"),)), *rest)
    return NOTHING


def _shift(_machine: Machine, words: Words, state: State, _stdin: Data) -> Data | None:
    count = int(words[1].text) if len(words) > 1 and words[1].text.isdecimal() and len(words[1].text) < 6 else 1
    state.arguments = (*state.arguments[:1], *state.arguments[1 + count :])
    return NOTHING


def _read(_machine: Machine, words: Words, state: State, stdin: Data) -> Data | None:
    names, number, _ = _named(words, "u", "adinNptu")
    data = state.inputs.get(number, stdin) if number else stdin
    text = data.text
    line = None if text is None else text.partition("\n")[0]
    for at, name in enumerate(names or ["REPLY"]):
        if line is None:
            state.set(name, data.replace(text=None))
        elif at == max(len(names), 1) - 1:
            state.set(name, data.replace(text=line.strip()))
        else:
            first, _, line = line.strip().partition(" ")
            state.set(name, data.replace(text=first))
    return NOTHING


def _mapfile(_machine: Machine, words: Words, state: State, stdin: Data) -> Data | None:
    names, number, keeps = _named(words, "u", "CcdnOsu")
    data = state.inputs.get(number, stdin) if number else stdin
    name = names[0] if names else "MAPFILE"
    if data.text is None:
        state.set(name, {"0": data})
        return NOTHING
    lines = data.text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    ending = "" if "t" in keeps else "\n"
    state.set(name, {str(at): data.replace(text=line + ending) for at, line in enumerate(lines[:256])})
    return NOTHING


def _named(words: Words, wanted: str, valued: str) -> tuple[list[str], str, str]:
    """Names, the value of the `wanted` option, and the letters of all options; `valued` letters take a value."""
    names: list[str] = []
    value = letters = ""
    at = 1
    while at < len(words):
        text = words[at].text
        if text.startswith("-") and len(text) > 1 and not names:
            for place, letter in enumerate(text[1:], 1):
                letters += letter
                if letter in valued:
                    given = text[place + 1 :]
                    if not given and at + 1 < len(words):
                        at += 1
                        given = words[at].text
                    value = given if letter == wanted else value
                    break
        else:
            names.append(text)
        at += 1
    return names, value, letters


def _hash(_machine: Machine, words: Words, state: State, _stdin: Data) -> Data | None:
    if len(words) > 3 and words[1].text == "-p":
        for word in words[3:]:
            state.programs[word.text] = words[2].text
    return NOTHING


def _alias(machine: Machine, words: Words, state: State, _stdin: Data) -> Data | None:
    for word in words[1:]:
        name, found, text = word.text.partition("=")
        if found and word.known and name:
            try:
                state.functions[name] = grammar.parse(text + ' "$@"').body
            except grammar.TooDeep:
                state.functions.pop(name, None)
    return NOTHING


def _echo(_machine: Machine, words: Words, _state: State, _stdin: Data) -> Data | None:
    rest = list(words[1:])
    escapes, ending = False, "\n"
    while rest and rest[0].text[:1] == "-" and rest[0].text[1:] and set(rest[0].text[1:]) <= set("neE"):
        escapes = "e" in rest[0].text or escapes
        ending = "" if "n" in rest[0].text else ending
        rest.pop(0)
    parts = [data_of(word) for word in rest]
    spaced = [one for part in parts for one in (part, Data(text=" "))][:-1]
    data = joined((*spaced, Data(text=ending)))
    if escapes and data.text is not None:
        data = data.replace(text=_percent_b(data.text))
    return data


def _printf(_machine: Machine, words: Words, state: State, _stdin: Data) -> Data | None:
    rest = list(words[1:])
    variable = ""
    if len(rest) > 1 and rest[0].text == "-v":
        variable = rest[1].text
        rest = rest[2:]
    elif rest and rest[0].text.startswith("-v") and len(rest[0].text) > 2:
        variable = rest.pop(0).text[2:]
    if rest and rest[0].text == "--":
        rest.pop(0)
    parts = [data_of(word) for word in rest]
    data = joined(parts)
    known = all(part.text is not None for part in parts)
    text = _formatted(rest[0].text, [word.text for word in rest[1:]]) if rest and known else None
    data = data.replace(text=text)
    if variable:
        name, bracket, index = variable.partition("[")
        store(state, name, data, index=index.rstrip("]") if bracket else None)
        return NOTHING
    return data


def _formatted(form: str, arguments: list[str]) -> str | None:
    """A format filled in, again and again while there are arguments; None where a directive is not known."""
    found: list[str] = []
    rounds = 0
    while True:
        used = False
        at = 0
        while at < len(form):
            sign = form[at]
            if sign == "\\":
                piece, at = _escape(form, at)
                found.append(piece)
                continue
            if sign != "%":
                found.append(sign)
                at += 1
                continue
            stop = at + 1
            while stop < len(form) and form[stop] in "-+ #0123456789.":
                stop += 1
            kind = form[stop : stop + 1]
            if kind == "%":
                found.append("%")
            elif kind in ("s", "b", "q", "d", "i", "c", "x", "o", "u"):
                value = arguments.pop(0) if arguments else ""
                used = True
                if kind == "b":
                    value = _percent_b(value)
                elif kind == "c":
                    value = value[:1]
                elif kind in ("x", "o") and value.isdecimal() and len(value) < 20:
                    value = format(int(value), kind)
                elif kind in ("d", "i", "u") and not value:
                    value = "0"
                found.append(value)
            else:
                return None
            at = stop + 1
        rounds += 1
        if not arguments or not used or rounds > 256:
            return "".join(found)


def _escape(text: str, at: int) -> tuple[str, int]:
    """The backslash escape of a printf format, and where it ends."""
    stop = at + 2
    sign = text[at + 1 : at + 2]
    if sign in "01234567" and sign:
        stop = at + 1
        while stop < len(text) and stop - at <= 3 and text[stop] in "01234567":
            stop += 1
    elif sign in ("x", "u", "U"):
        most = {"x": 2, "u": 4, "U": 8}[sign]
        while stop < len(text) and stop - at - 2 < most and text[stop] in "0123456789abcdefABCDEF":
            stop += 1
    return grammar.unescaped(text[at:stop]), stop


def _percent_b(text: str) -> str:
    """`\\0ooo` besides the other escapes."""
    found: list[str] = []
    at = 0
    while at < len(text):
        if text[at] != "\\":
            found.append(text[at])
            at += 1
            continue
        if text[at + 1 : at + 2] == "0":
            stop = at + 2
            while stop < len(text) and stop - at < 5 and text[stop] in "01234567":
                stop += 1
            found.append(chr(int(text[at + 1 : stop], 8) & 255))
            at = stop
        else:
            piece, at = _escape(text, at)
            found.append(piece)
    return "".join(found)


def _cat(machine: Machine, words: Words, state: State, stdin: Data) -> Data | None:
    places = [word for word in words[1:] if word.text == "-" or not word.text.startswith("-")]
    if not places:
        return stdin
    return joined(stdin if word.text == "-" else machine.content(word, state, stdin) for word in places)


def _tee(machine: Machine, words: Words, state: State, stdin: Data) -> Data | None:
    return stdin


def _pwd(_machine: Machine, _words: Words, state: State, _stdin: Data) -> Data | None:
    return Data(text=state.cwd + "\n") if state.known_cwd else UNKNOWN


def _base64(machine: Machine, words: Words, state: State, stdin: Data) -> Data | None:
    flags = [word.text for word in words[1:] if word.text.startswith("-")]
    if not any(
        flag in ("-D", "--decode") or (flag[1:2] != "-" and "d" in flag) or "--decode".startswith(flag)
        for flag in flags
        if len(flag) > 2 or flag in ("-d", "-D")
    ):
        return None
    places = [word for word in words[1:] if not word.text.startswith("-")]
    source = machine.content(places[0], state, stdin) if places else stdin
    return _decoded(source, "base64")


def _xxd(machine: Machine, words: Words, state: State, stdin: Data) -> Data | None:
    flags = "".join(word.text for word in words[1:] if word.text.startswith("-"))
    if "r" not in flags:
        return None
    places = [word for word in words[1:] if not word.text.startswith("-")]
    source = machine.content(places[0], state, stdin) if places else stdin
    return _decoded(source, "hex") if "p" in flags else source.replace(text=None, origins=(*source.origins, DECODE))


def _decoded(source: Data, how: str) -> Data:
    text = None
    if source.text:
        import binascii

        plain = "".join(source.text.split())
        try:
            raw = binascii.a2b_base64(plain) if how == "base64" else binascii.unhexlify(plain)
            text = raw.decode("utf-8", "replace")
        except ValueError:
            text = None
    return Data(text=text, origins=tuple(dict.fromkeys((*source.origins, DECODE))), files=source.files)


def _rev(_machine: Machine, words: Words, _state: State, stdin: Data) -> Data | None:
    if len(words) > 1 or stdin.text is None:
        return None
    return stdin.replace(text="\n".join(line[::-1] for line in stdin.text.split("\n")))


def _which(_machine: Machine, words: Words, _state: State, _stdin: Data) -> Data | None:
    """The name for the file: what is asked for is where the program of that name is."""
    return joined(Data(text=word.text + "\n") for word in words[1:] if not word.text.startswith("-"))


def _command(_machine: Machine, words: Words, state: State, stdin: Data) -> Data | None:
    return _which(_machine, words[1:], state, stdin) if len(words) > 2 and words[1].text == "-v" else None


def _nothing(_machine: Machine, _words: Words, _state: State, _stdin: Data) -> Data | None:
    return NOTHING


def _mktemp(_machine: Machine, words: Words, state: State, _stdin: Data) -> Data | None:
    """A new path: its last letters are anybody's guess, where it lies is not."""
    from rulez_py.shell import options

    reading = options.read("mktemp", words[1:])
    if not all(word.known for word in words) or any(option.names[0] == "-p" for option in reading.options):
        return None
    template = reading.operands[0].word.text if reading.operands else "tmp.XXXXXXXXXX"
    below = not reading.operands or any(option.names[0] == "-t" for option in reading.options)
    directory = state.get("TMPDIR")
    if not isinstance(directory, Data) or directory.text is None:
        return None
    return Data(text=(posixpath.join(directory.text or "/tmp", template) if below else template) + "\n")  # noqa: S108


_BUILTINS: dict[str, Builtin] = {
    "mktemp": _mktemp,
    "cd": _cd,
    "chdir": _cd,
    "pushd": _cd,
    "declare": _declare,
    "typeset": _declare,
    "local": _declare,
    "export": _declare,
    "readonly": _declare,
    "unset": _unset,
    "set": _set,
    "shift": _shift,
    "read": _read,
    "mapfile": _mapfile,
    "readarray": _mapfile,
    "hash": _hash,
    "alias": _alias,
    "echo": _echo,
    "printf": _printf,
    "cat": _cat,
    "tee": _tee,
    "pwd": _pwd,
    "base64": _base64,
    "xxd": _xxd,
    "rev": _rev,
    "which": _which,
    "command": _command,
    "true": _nothing,
    "false": _nothing,
    ":": _nothing,
    "shopt": _nothing,
    "wait": _nothing,
    "test": _nothing,
    "[": _nothing,
}

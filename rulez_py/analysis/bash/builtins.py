"""Builtins and programs whose effect on the shell, or whose output, follows from their words."""

from __future__ import annotations

import posixpath

from rulez_py.analysis.bash import grammar
from rulez_py.analysis.bash.expand import data_of, separators_of
from rulez_py.analysis.bash.world import NOTHING, PRINTED, UNDECIDED, UNKNOWN, joined
from rulez_py.analysis.programs import parts
from rulez_py.analysis.values import DECODE, DOWNLOAD, Data, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from rulez_py.analysis.bash.world import Shell, World

    Words: TypeAlias = Sequence[Word]
    Builtin: TypeAlias = Callable[[Shell, Words, World, Data], Data | None]


GLOBAL = "\0words"
"""A variable of no shell: it holds the global aliases (`alias -g` in zsh)."""
_GIVEN = ' "$@"'
"""Behind code that bash gives words of its own."""


def run(shell: Shell, name: str, words: Words, world: World, stdin: Data) -> Data | None:
    """Do what a program does to the shell; what it prints, None where nothing is known of that."""
    builtin = _BUILTINS.get(name)
    return None if builtin is None else builtin(shell, words, world, stdin)


def loads_code(name: str, words: Words) -> bool:
    """Tell if a builtin runs what is not in its words: a library's code, a line of the history."""
    letters = _options(words, "fenps")[2] if name in ("enable", "fc") else ""
    return (name == "enable" and "f" in letters) or (name == "fc" and "l" not in letters) or name == "zmodload"


def store(world: World, name: str, value: Data, *, adds: bool = False, index: str | None = None) -> None:
    """Assign a value to a variable, or to one place in a list."""
    old = world.get(name) if (adds or index is not None) and world.is_set(name) else None
    items = dict(old) if isinstance(old, dict) else {"0": old} if isinstance(old, Data) and index is not None else {}
    if index is not None:
        items[index] = joined((items[index], value)) if adds and index in items else value
        world.set(name, items)
    elif isinstance(old, dict):
        world.set(name, items | {"0": joined((items["0"], value)) if "0" in items else value})
    elif adds:
        before = world.get(name)
        world.set(name, joined((before, value)) if isinstance(before, Data) else value)
    else:
        world.set(name, value)


def change_directory(world: World, word: Word) -> None:
    """Go to a directory, as `cd` would."""
    way = world.way
    if not word.known or word.glob:
        world.go(posixpath.join(way, word.text), known=False)
        return
    if not word.text:
        return
    path = word.text
    if path == "~" or path.startswith("~/"):
        path = world.home + path[1:]
    known = world.known_cwd or posixpath.isabs(path)
    way = posixpath.normpath(posixpath.join(way, path)).removeprefix("./")
    world.go("" if way == "." else way, known=known)


def _cd(shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    places = [word for word in words[1:] if word.text == "-" or not word.text.startswith("-")]
    before, known = world.cwd, world.known_cwd
    if not places:
        world.go("" if world.home == world.start else world.home, known=True)
    elif places[0].text == "-":
        old = world.get("OLDPWD")
        change_directory(
            world, Word(text=old.text or "-", known=old.text is not None) if isinstance(old, Data) else places[0]
        )
    else:
        change_directory(world, places[0])
    _moved(shell, world, Data(text=before) if known else UNKNOWN)
    return NOTHING


def _moved(shell: Shell, world: World, before: Data) -> None:
    world.variables["OLDPWD"] = before
    # Where the directory is not there, the shell stays where it was: PWD that was set by hand stays too.
    if "PWD" in world.variables:
        stays = shell.choose(2)
        if stays == UNDECIDED or not world.known_cwd:
            world.variables["PWD"] = UNKNOWN
        elif not stays:
            world.variables["PWD"] = Data(text=world.cwd)


def _pushd(shell: Shell, words: Words, world: World, stdin: Data) -> Data | None:
    """Change directory, so that `popd` leads back. A rotated stack is unknown."""
    place, known = world.way, world.known_cwd
    if len(words) == 1 or words[1].text[:1] in ("+", "-"):
        world.go(place, known=False)
        world.left_behind = ()
        return NOTHING
    _cd(shell, words, world, stdin)
    world.left_behind = ((place, known), *world.left_behind)
    return NOTHING


def _popd(shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    before = Data(text=world.cwd) if world.known_cwd else UNKNOWN
    if len(words) > 1 or not world.left_behind:
        world.go(world.way, known=False)
        world.left_behind = ()
    else:
        (way, known), *rest = world.left_behind
        world.go(way, known=known)
        world.left_behind = tuple(rest)
    _moved(shell, world, before)
    return NOTHING


def _declare(shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    name = words[0].text
    flags = "".join(word.text for word in words[1:] if word.text.startswith("-"))
    if name == "export" or "x" in flags:
        kind = "()" if "f" in flags else ""
        given = {word.text.partition("=")[0].removesuffix("+") + kind for word in words[1:]}
        world.exported = world.exported - given if name == "export" and "n" in flags else world.exported | given
    if "f" in flags or "F" in flags:
        return NOTHING
    own = name == "local" or (name in ("declare", "typeset") and world.locals is not None and "g" not in flags)
    for word in words[1:]:
        if word.text.startswith(("-", "+")):
            continue
        variable, found, text = word.text.partition("=")
        shell.evaluate(word if "n" in flags else word.replace(text=variable), world)
        adds = variable.endswith("+")
        variable = variable.removesuffix("+")
        attribute = next((flag for flag in flags if flag in "iul"), "") if name != "export" else ""
        attribute = "i" if name == "integer" else attribute
        if attribute:
            world.attributes[variable] = attribute
        if own:
            world.keep_local(variable)
        if not found:
            if own:
                world.set(variable, None)
            continue
        variable, bracket, key = variable.partition("[")
        value = data_of(word).replace(text=text if word.known else None, shown="" if word.known else text)
        if "n" in flags and name != "export" and value.text:
            world.refer(variable, value)
        else:
            shell.assign(world, variable, value, adds=adds, index=key.removesuffix("]") if bracket else None)
    # Without a name it prints all variables.
    return NOTHING if any(not word.text.startswith("-") for word in words[1:]) or name == "local" else None


def _unset(shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    flags = "".join(word.text for word in words[1:] if word.text.startswith("-"))
    for word in words[1:]:
        if word.text.startswith("-"):
            continue
        shell.evaluate(word, world)
        if "f" in flags:
            world.functions.pop(word.text, None)
        else:
            world.set(word.text, None)
            if word.text not in world.variables:
                world.functions.pop(word.text, None)
    return NOTHING


def _set(_shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    rest = list(words[1:])
    while rest and rest[0].text.startswith(("-", "+")) and rest[0].text not in ("-", "--"):
        takes = rest[0].text[1:2] == "o"
        rest = rest[2 if takes else 1 :]
    if rest and rest[0].text in ("--", "-"):
        rest = rest[1:]
    elif not rest:
        # Alone it prints every variable.
        return NOTHING if len(words) > 1 else None
    world.arguments = (*(world.arguments[:1] or (Word(text="sh"),)), *rest)
    return NOTHING


def _shift(_shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    first, rest = world.arguments[:1], world.arguments[1:]
    text = words[1].text if len(words) > 1 else "1"
    if not world.arguments:
        return NOTHING
    if text.isdecimal() and all(word.known and not word.glob for word in (*words[1:2], *rest)):
        # More than there are is an error, and nothing happens.
        world.arguments = (*first, *(rest[int(text) :] if int(text[:9]) <= len(rest) else rest))
    else:
        world.arguments = (*first, Word(text="$@", known=False))
    return NOTHING


def _leave(_shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    """Leave by `break`, `continue`, `return` or `exit`, but not with two words, and not outside of what they leave."""
    how, known = words[0].text, all(word.known for word in words)
    number = words[1].text if len(words) > 1 else "1"
    inside = {"return": world.returns, "exit": 1}.get(how, world.loops)
    if not inside or len(words) > 2 or not known:
        return NOTHING
    if how in ("break", "continue"):
        if not number.isdecimal() or len(number) > 6 or not int(number):
            return NOTHING
        world.leaving = how, min(int(number), inside)
    else:
        world.leaving = how, 1
    return NOTHING


def _read(shell: Shell, words: Words, world: World, stdin: Data) -> Data | None:
    names, values, letters = _options(words, "adinNptu")
    for word in words[1:]:
        shell.evaluate(word, world)
    data = world.inputs.get(values["u"], UNKNOWN) if "u" in values else stdin
    left = world.rest(data)
    names = [values["a"]] if "a" in values else names
    count = values.get("n", values.get("N", ""))
    if left.text is None or not all(word.known for word in words) or (count and not count.isdecimal()):
        for name in names or ["REPLY"]:
            world.set(name, data.replace(text=None))
        return NOTHING
    separators = separators_of(world)
    line, used = _line(left.text, values.get("d", "\n")[:1] or "\0", raw="r" in letters)
    if count:
        line = line[: int(count)]
        used = len(line)
    world.take(data, used)
    world.ended = not used
    if "a" in values:
        fields = [data.replace(text="".join(one)) for one in _fields(line, separators, 0)]
        world.set(names[0], {str(at): field for at, field in enumerate(fields)})
    elif not names:
        world.set("REPLY", data.replace(text="".join(line)))
    else:
        fields = [data.replace(text="".join(one)) for one in _fields(line, separators, len(names))]
        for at, name in enumerate(names):
            world.set(name, fields[at] if at < len(fields) else NOTHING)
    return NOTHING


def _line(text: str, delimiter: str, *, raw: bool) -> tuple[list[str], int]:
    """Return the characters up to a delimiter, an escaped one with its backslash where that counts.

    How many were read.
    """
    found: list[str] = []
    at = 0
    while at < len(text):
        if text[at] == "\\" and not raw and at + 1 < len(text):
            if text[at + 1] != "\n":
                # In front of what splits, the empty string keeps it from doing so.
                found += ["", text[at + 1]]
            at += 2
            continue
        if text[at] == delimiter:
            return found, at + 1
        found.append(text[at])
        at += 1
    return found, at


def _fields(line: list[str], separators: str, most: int) -> list[list[str]]:
    """Return a line's fields; the last of `most` is all that is left."""
    blanks = "".join(char for char in separators if char in " \t\n")

    def splits(at: int) -> bool:
        return line[at] in separators and line[at] != "" and (at == 0 or line[at - 1] != "")

    def past_blanks(at: int) -> int:
        while at < len(line) and splits(at) and line[at] in blanks:
            at += 1
        return at

    found: list[list[str]] = []
    at = past_blanks(0)
    while at < len(line):
        start = at
        while at < len(line) and not splits(at):
            at += 1
        stop = at
        at = past_blanks(at)
        if at < len(line) and splits(at) and line[at] not in blanks:
            at = past_blanks(at + 1)
        if most and len(found) == most - 1 and at < len(line):
            stop = len(line)
            while stop > start and splits(stop - 1) and line[stop - 1] in blanks:
                stop -= 1
            at = len(line)
        found.append(line[start:stop])
    return found


def _mapfile(shell: Shell, words: Words, world: World, stdin: Data) -> Data | None:
    names, values, letters = _options(words, "CcdnOsu")
    data = world.inputs.get(values["u"], UNKNOWN) if "u" in values else stdin
    left = world.rest(data)
    name = names[0] if names else "MAPFILE"
    if "C" in values:
        # It is given the number of a line, and the line.
        call = next(word for word in words[1:] if word.text.endswith(values["C"]))
        shell.nested(call.replace(text=values["C"] + _GIVEN), world)
    numbers = [values.get(letter, "0") for letter in "nOs"]
    if left.text is None or not all(number.isdecimal() for number in numbers):
        world.set(name, {"0": data.replace(text=None)})
        return NOTHING
    delimiter = values.get("d", "\n")[:1] or "\0"
    lines = [line + delimiter for line in left.text.split(delimiter)]
    lines[-1] = lines[-1][:-1]
    lines = lines[int(numbers[2]) :]
    lines = [line for line in lines[: int(numbers[0]) or len(lines)] if line]
    world.take(data, len(left.text))
    kept = [line.removesuffix(delimiter) if "t" in letters else line for line in lines]
    start = int(numbers[1])
    world.set(name, {str(start + at): data.replace(text=line) for at, line in enumerate(kept)})
    return NOTHING


def _getopts(_shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    for name in (*(word.text for word in words[2:3]), "OPTARG", "OPTIND"):
        world.set(name, UNKNOWN)
    return NOTHING


def _let(shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    for word in words[1:]:
        shell.compute(word, world)
    return NOTHING


def _options(words: Words, valued: str) -> tuple[list[str], dict[str, str], str]:
    """Return names, the values of options, and the letters of all options; `valued` letters take a value."""
    names: list[str] = []
    values: dict[str, str] = {}
    letters = ""
    at = 1
    while at < len(words):
        text = words[at].text
        if text == "--" and not names:
            names += [word.text for word in words[at + 1 :]]
            break
        if text.startswith("-") and len(text) > 1 and not names:
            for place, letter in enumerate(text[1:], 2):
                letters += letter
                if letter in valued:
                    given = text[place:]
                    if not given and at + 1 < len(words):
                        at += 1
                        given = words[at].text
                    values[letter] = given
                    break
        else:
            names.append(text)
        at += 1
    return names, values, letters


def _hash(_shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    names, values, _ = _options(words, "p")
    for name in names if "p" in values else ():
        world.programs[name] = values["p"] if all(word.known for word in words) else ""
    return NOTHING


def _alias(_shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    """Set aliases: NAME=TEXT, in csh and fish NAME WORDS. zsh's -g replaces words in any place."""
    first = next((at for at, word in enumerate(words) if at and not word.text.startswith("-")), len(words))
    if len(words) > first + 1 and "=" not in words[first].text:
        abbreviate(world, words[first].text, parts.join(words[first + 1 :]))
        return NOTHING
    anywhere = any(word.text[:1] == "-" and "g" in word.text for word in words[1:])
    for word in words[1:]:
        name, found, text = word.text.partition("=")
        if found and name:
            abbreviate(world, name, word.replace(text=text))
        if found and name and anywhere:
            held = world.variables.get(GLOBAL)
            held = held if isinstance(held, dict) else {}
            world.variables[GLOBAL] = {**held, name: Data(text=text if word.known else None)}
    return NOTHING


def abbreviated(words: list[Word], world: World) -> list[Word]:
    """Return words with global aliases put in (`alias -g` in zsh)."""
    held = world.variables.get(GLOBAL)
    found: list[Word] = []
    for word in words:
        data = held.get(word.text) if isinstance(held, dict) else None
        if data is None:
            found.append(word)
        elif data.text is None:
            found.append(word.replace(known=False))
        else:
            found += parts.split(parts.with_text(word, data.text))
    return found


def abbreviate(world: World, name: str, word: Word) -> None:
    """Make a name an alias of a text."""
    if not word.known:
        world.functions[name] = None
        return
    try:
        # Behind a blank at its end, the next word may be an alias too.
        again = '; "$@"' if word.text[-1:] in (" ", "\t") else ""
        world.functions[name] = grammar.parse(_once(word.text, name) + ' "$@"' + again, (0, 0)).body
    except grammar.TooDeep:
        world.functions[name] = None


def _once(text: str, name: str) -> str:
    """Return an alias's text; in it the alias itself is no alias (`alias ls='ls --color'`)."""
    for word in text.split():
        if word == name:
            return text.replace(word, f"command {word}", 1)
        if "=" not in word:
            break
    return text


def _unalias(_shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    for word in words[1:]:
        world.functions.pop(word.text, None)
    return NOTHING


def _set_variable(_shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    """Return what `dialects` writes for an assignment of words to a variable."""
    if len(words) > 1 and words[1].known:
        world.set(words[1].text, joined(_spaced([data_of(word) for word in words[2:]])))
    return NOTHING


def _setenv(shell: Shell, words: Words, world: World, stdin: Data) -> Data | None:
    """Set and export a variable (csh: setenv NAME VALUE)."""
    _set_variable(shell, words, world, stdin)
    world.exported |= {word.text for word in words[1:2]}
    return NOTHING


def _string(_shell: Shell, words: Words, _state: World, _stdin: Data) -> Data | None:
    """Run fish's `string`, as far as it joins known words."""
    given = [word for word in words[2:] if not word.text.startswith("-")]
    if len(words) < 3 or not given or not all(word.known for word in words):
        return None
    texts = [word.text for word in given]
    how = words[1].text
    if how == "join" and len(words) > 3:
        text = words[2].text.join(word.text for word in words[3:])
    elif how in ("lower", "upper"):
        text = "\n".join(one.lower() if how == "lower" else one.upper() for one in texts)
    elif how == "replace" and len(texts) > 2:
        text = "\n".join(one.replace(texts[0], texts[1]) for one in texts[2:])
    elif how == "collect":
        text = "\n".join(texts)
    else:
        return None
    return Data(text=text + "\n")


def _print(shell: Shell, words: Words, world: World, stdin: Data) -> Data | None:
    """Run `print` of ksh and zsh: with -P it expands a prompt."""
    letters = "".join(word.text for word in words[1:] if word.text.startswith("-"))
    if "P" in letters:
        for word in words[1:]:
            if word.known:
                shell.evaluated(word.text, world)
    plain = [words[0], *(word for word in words[1:] if not word.text.startswith("-"))]
    return _echo(shell, plain, world, stdin) if letters.strip("-nrl") == "" else None


def _spaced(given: Sequence[Data]) -> list[Data]:
    return [one for part in given for one in (part, Data(text=" "))][:-1]


def _echo(_shell: Shell, words: Words, _state: World, _stdin: Data) -> Data | None:
    rest = list(words[1:])
    escapes, ending = False, "\n"
    while rest and rest[0].text[:1] == "-" and rest[0].text[1:] and set(rest[0].text[1:]) <= set("neE"):
        escapes = "e" in rest[0].text or escapes
        ending = "" if "n" in rest[0].text else ending
        rest.pop(0)
    data = joined((*_spaced([data_of(word) for word in rest]), Data(text=ending)))
    if escapes and data.text is not None:
        data = data.replace(text=_percent_b(data.text)[0])
    return data


def _printf(shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    rest = list(words[1:])
    variable = ""
    if len(rest) > 1 and rest[0].text == "-v":
        variable = rest[1].text
        rest = rest[2:]
    elif rest and rest[0].text.startswith("-v") and len(rest[0].text) > 2:
        variable = rest.pop(0).text[2:]
    if rest and rest[0].text == "--":
        rest.pop(0)
    given = [data_of(word) for word in rest]
    data = joined(given)
    known = all(one.text is not None for one in given)
    text = _formatted(rest[0].text, [word.text for word in rest[1:]]) if rest and known else None
    data = data.replace(text=text)
    if variable:
        for word in words[1:3]:
            shell.evaluate(word, world)
        name, bracket, index = variable.partition("[")
        shell.assign(world, name, data, index=index.removesuffix("]") if bracket else None)
        return NOTHING
    return data


def _formatted(form: str, arguments: list[str]) -> str | None:
    """Return a format filled in, again and again while there are arguments; None where a directive is not known."""
    found: list[str] = []
    rounds = 0
    while True:
        used = False
        at = 0
        while at < len(form):
            char = form[at]
            if char == "\\":
                piece, at = _escape(form, at)
                found.append(piece)
                continue
            if char != "%":
                found.append(char)
                at += 1
                continue
            stop = at + 1
            while stop < len(form) and form[stop] in "-+ #0123456789.*":
                stop += 1
            flags = form[at + 1 : stop]
            kind = form[stop : stop + 1]
            if kind == "%":
                found.append("%")
            elif "*" in flags or len(flags) > 6:
                return None
            elif kind in ("s", "b", "q", "c"):
                value = arguments.pop(0) if arguments else ""
                used = True
                if kind == "b":
                    value, ends = _percent_b(value)
                elif kind == "q":
                    value, ends = _quoted(value), False
                else:
                    value, ends = value[:1] if kind == "c" else value, False
                found.append(("%" + flags.replace("#", "").replace("+", "") + "s") % value)
                if ends:
                    return "".join(found)
            elif kind in ("d", "i", "x", "X", "o", "u"):
                value = arguments.pop(0) if arguments else "0"
                used = True
                number = _whole(value)
                if number is None:
                    return None
                if number < 0 and kind not in "di":
                    number += 2**64
                found.append(("%" + flags + ("d" if kind == "u" else kind)) % number)
            else:
                return None
            at = stop + 1
        rounds += 1
        if not arguments or not used or rounds > 256:
            return "".join(found)


def _escape(text: str, at: int) -> tuple[str, int]:
    """Return the backslash escape of a printf format, and where it ends."""
    stop = at + 2
    char = text[at + 1 : at + 2]
    if char in "01234567" and char:
        stop = at + 1
        while stop < len(text) and stop - at <= 3 and text[stop] in "01234567":
            stop += 1
    elif char in ("x", "u", "U"):
        most = {"x": 2, "u": 4, "U": 8}[char]
        while stop < len(text) and stop - at - 2 < most and text[stop] in "0123456789abcdefABCDEF":
            stop += 1
    return grammar.unescaped(text[at:stop]), stop


def _whole(text: str) -> int | None:
    """Return a number as printf takes it: `0x1f`, `017`, `'a` for a character's code."""
    if text[:1] in ("'", '"') and len(text) > 1:
        return ord(text[1])
    char = -1 if text[:1] == "-" else 1
    digits = text.lstrip("+-") or "0"
    try:
        return char * int(digits, 16 if digits[:2].lower() == "0x" else 8 if digits[0] == "0" else 10)
    except ValueError:
        return None


def _quoted(text: str) -> str:
    if any(not char.isprintable() for char in text) or not text:
        return "'" + text.replace("'", "'\\''") + "'"
    return "".join(char if char.isalnum() or char in "_-./,:+@%=" else "\\" + char for char in text)


def _percent_b(text: str) -> tuple[str, bool]:
    """Return a text with `%b`'s escapes (`\\0ooo` besides the others), and if a `\\c` ends all output."""
    found: list[str] = []
    at = 0
    while at < len(text):
        if text[at] != "\\":
            found.append(text[at])
            at += 1
            continue
        if text[at + 1 : at + 2] == "c":
            return "".join(found), True
        if text[at + 1 : at + 2] == "0":
            stop = at + 2
            while stop < len(text) and stop - at < 5 and text[stop] in "01234567":
                stop += 1
            found.append(chr(int(text[at + 1 : stop], 8) & 255))
            at = stop
        else:
            piece, at = _escape(text, at)
            found.append(piece)
    return "".join(found), False


_MOST_READ = 1_000
"""Files whose content is followed."""


def _cat(shell: Shell, words: Words, world: World, stdin: Data) -> Data | None:
    places = [word for word in words[1:] if word.text == "-" or not word.text.startswith("-")]
    if not places:
        return stdin
    if any(word.glob for word in places) or len(places) > _MOST_READ:
        return None
    return joined(stdin if word.text == "-" else shell.content(word, world) for word in places)


def _tee(shell: Shell, words: Words, world: World, stdin: Data) -> Data | None:
    return stdin


def _pwd(_shell: Shell, _words: Words, world: World, _stdin: Data) -> Data | None:
    return Data(text=world.cwd + "\n") if world.known_cwd else UNKNOWN


def _base64(shell: Shell, words: Words, world: World, stdin: Data) -> Data | None:
    flags = [word.text for word in words[1:] if word.text.startswith("-")]
    if not any(
        flag in ("-D", "--decode") or (flag[1:2] != "-" and "d" in flag) or "--decode".startswith(flag)
        for flag in flags
        if len(flag) > 2 or flag in ("-d", "-D")
    ):
        return None
    places = [word for word in words[1:] if not word.text.startswith("-")]
    source = shell.content(places[0], world) if places else stdin
    return _decoded(source, "base64")


def _xxd(shell: Shell, words: Words, world: World, stdin: Data) -> Data | None:
    flags = "".join(word.text for word in words[1:] if word.text.startswith("-"))
    if "r" not in flags:
        return None
    places = [word for word in words[1:] if not word.text.startswith("-")]
    source = shell.content(places[0], world) if places else stdin
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


def _rev(_shell: Shell, words: Words, _state: World, stdin: Data) -> Data | None:
    if len(words) > 1 or stdin.text is None:
        return None
    return stdin.replace(text="\n".join(line[::-1] for line in stdin.text.split("\n")))


def _which(_shell: Shell, words: Words, _state: World, _stdin: Data) -> Data | None:
    """Return the name for the file: what is asked for is where the program of that name is."""
    return joined(Data(text=word.text + "\n") for word in words[1:] if not word.text.startswith("-"))


def _command(_shell: Shell, words: Words, world: World, stdin: Data) -> Data | None:
    return _which(_shell, words[1:], world, stdin) if len(words) > 2 and words[1].text == "-v" else None


def _type(_shell: Shell, words: Words, world: World, stdin: Data) -> Data | None:
    return _which(_shell, words[1:], world, stdin) if len(words) > 2 and words[1].text in ("-P", "-p") else None


_NAMING = ("ls", "gls", "find", "gfind")
"""Programs that print the names of the files that they are given."""


def _lists(_shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    """Return names of files."""
    from rulez_py.analysis.bash.dataflow import resolved
    from rulez_py.analysis.programs.found import LISTING
    from rulez_py.analysis.programs.parts import name

    program = name(words[0])  # it may go by another name here (`hash -p`)
    written = [word.known and resolved(word.text, world) in world.files for word in words[1:]]
    if program in _NAMING and written and all(written):
        return Data(text="".join(f"{word.text}\n" for word in words[1:]))
    lists = LISTING.get(program)
    names = lists(words) if lists is not None else ()
    return Data(origins=(PRINTED,), names=names) if names else None


def _made(_shell: Shell, words: Words, world: World, stdin: Data) -> Data | None:
    """Return a name or a line made of another one."""
    from rulez_py.analysis.bash.computed import made

    text = made(words, world, stdin)
    source = words[-1].data if len(words) > 1 else stdin
    return None if text is None else Data(text=text, origins=source.origins or stdin.origins, files=stdin.files)


def _git(shell: Shell, words: Words, world: World, stdin: Data) -> Data | None:
    """Note what `git config` sets, which counts for every later git; what `git clone` brings is from elsewhere."""
    if any(word.text == "config" for word in words):
        from rulez_py.analysis.bash.dataflow import GIT
        from rulez_py.analysis.programs.special.git import made, written

        for name, value in made(words):
            text = written(name, value)
            world.write(GIT, Data(text=text if value.known else None, shown="" if value.known else text), adds=True)
    elif any(word.text == "clone" for word in words):
        from rulez_py.analysis.bash.dataflow import resolved
        from rulez_py.analysis.programs.special.git import cloned

        for place in cloned(words):
            world.write(resolved(place, world), Data(origins=(DOWNLOAD,)))
    from rulez_py.analysis.programs.special.git import LISTS

    if not any(word.text in LISTS for word in words[1:]):
        return None
    return _lists(shell, words, world, stdin)


_COMPARING = ("-eq", "-ne", "-lt", "-le", "-gt", "-ge")


def _test(shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    for at, word in enumerate(words[1:]):
        before = words[at]
        if before.text in ("-v", "-R"):
            shell.evaluate(word, world)
        elif word.text in _COMPARING:
            shell.compare(before, world)
        elif before.text in _COMPARING:
            shell.compare(word, world)
    return NOTHING


def _fc(shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    """Run the editor of -e or of a variable. What it then executes is not in the line (`loads_code`)."""
    _, values, letters = _options(words, "e")
    names = [world.get(name) for name in ("FCEDIT", "EDITOR") if world.is_set(name)]
    editor = values.get("e") or next((value.text for value in names if isinstance(value, Data) and value.text), "")
    if editor and editor != "-" and not set(letters) & {"l", "s"}:
        shell.nested(words[0].replace(text=editor), world)
    return NOTHING


def _wait(shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    """Set the variable of -p NAME, with an index or without."""
    _, values, _ = _options(words, "p")
    if "p" in values:
        shell.evaluate(Word(text=values["p"], known=all(word.known for word in words)), world)
    if "p" in values:
        world.set(values["p"], UNKNOWN)
    return NOTHING


def _compgen(shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    """Run the command of -C, call the function of -F, expand the text of -W."""
    _, values, _ = _options(words, "ACFGPSWXo")
    for word in words[1:]:
        if word.text.removeprefix("-C") == values.get("C"):
            shell.nested(word.replace(text=values["C"] + _GIVEN), world)
        elif word.text.removeprefix("-F") == values.get("F"):
            shell.nested(word.replace(text=values["F"] + _GIVEN), world)
        elif word.text.removeprefix("-W") == values.get("W") and word.known:
            shell.evaluated(values["W"], world)
    return None


def _bind(shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    """Follow the code of -x KEYS:CODE."""
    _, values, _ = _options(words, "fmqrux")
    if "x" in values:
        word = next(word for word in words[1:] if word.text.endswith(values["x"]))
        shell.nested(word.replace(text=values["x"].rpartition('":')[2].strip() or values["x"]), world)
    return NOTHING


def _jobs(shell: Shell, words: Words, world: World, stdin: Data) -> Data | None:
    """Run the words of -x."""
    if len(words) > 2 and words[1].text == "-x":
        shell.beside(words[2:], world)
    return None


def _exec(_shell: Shell, words: Words, _world: World, _stdin: Data) -> Data | None:
    """Run a program in place of the shell; without one only redirect."""
    return NOTHING if all(word.text.startswith(("-", "{")) for word in words[1:]) else None


def _nothing(_shell: Shell, _words: Words, _state: World, _stdin: Data) -> Data | None:
    return NOTHING


def _mktemp(_shell: Shell, words: Words, world: World, _stdin: Data) -> Data | None:
    """Return a new path: its last letters are anybody's guess, where it lies is not."""
    from rulez_py.analysis.programs import read as options

    reading = options.read("mktemp", words[1:])
    if not all(word.known for word in words) or any(option.names[0] == "-p" for option in reading.options):
        return None
    template = reading.operands[0].word.text if reading.operands else "tmp.XXXXXXXXXX"
    below = not reading.operands or any(option.names[0] == "-t" for option in reading.options)
    directory = world.get("TMPDIR")
    if not isinstance(directory, Data) or directory.text is None:
        return None
    return Data(text=(posixpath.join(directory.text or "/tmp", template) if below else template) + "\n")  # noqa: S108


_BUILTINS: dict[str, Builtin] = {
    **dict.fromkeys(("find", "gfind", "ls", "gls", "exa", "eza", "lsd", "fd", "fdfind", "rg"), _lists),
    **dict.fromkeys(
        ("grep", "egrep", "fgrep", "ggrep", "ag", "ack", "ug", "ugrep", "pt", "sift", "tree", "du"), _lists
    ),
    **dict.fromkeys(("locate", "plocate", "mlocate", "slocate", "mdfind"), _lists),
    **dict.fromkeys(
        ("basename", "dirname", "realpath", "readlink", "tr", "sed", "head", "tail", "sort", "uniq"), _made
    ),
    "git": _git,
    "mktemp": _mktemp,
    "set-variable": _set_variable,
    "setenv": _setenv,
    "string": _string,
    "print": _print,
    "cd": _cd,
    "chdir": _cd,
    "pushd": _pushd,
    "popd": _popd,
    "break": _leave,
    "continue": _leave,
    "return": _leave,
    "exit": _leave,
    "exec": _exec,
    "declare": _declare,
    "typeset": _declare,
    "integer": _declare,
    "float": _declare,
    "fc": _fc,
    "local": _declare,
    "export": _declare,
    "readonly": _declare,
    "unset": _unset,
    "set": _set,
    "shift": _shift,
    "read": _read,
    "mapfile": _mapfile,
    "readarray": _mapfile,
    "getopts": _getopts,
    "let": _let,
    "hash": _hash,
    "alias": _alias,
    "unalias": _unalias,
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
    "type": _type,
    "true": _nothing,
    "false": _nothing,
    ":": _nothing,
    "shopt": _nothing,
    "wait": _wait,
    "test": _test,
    "[": _test,
    "compgen": _compgen,
    "complete": _compgen,
    "bind": _bind,
    "jobs": _jobs,
}
INERT = frozenset(
    (
        *("bg", "caller", "compopt", "dirs", "disown", "enable", "fg", "help", "history", "kill"),
        *("logout", "suspend", "times", "ulimit", "umask"),
    )
)
"""The builtins of bash that change nothing of what is known here, and run nothing but what `loads_code` says."""
KNOWN = INERT.union(_BUILTINS)
"""Those, and the builtins that have a function here."""

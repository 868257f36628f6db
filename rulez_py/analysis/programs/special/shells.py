"""Programs that read text as a shell does: sh -c, eval, source, trap, su, pwsh, cmd, at."""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.programs.runs import context, within
from rulez_py.analysis.values import SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.programs.runs import Own

DOUBTS = 4
"""How many places a shell's code may begin at, where words are not known."""
LONG_VALUES = ("rcfile", "init-file", "emulate")
LONG_NOTHING = ("version", "help", "dump-strings", "dump-po-strings")
BASH_LONG = (
    *("debug", "debugger", "login", "noediting", "noprofile", "norc", "posix", "pretty-print", "restricted", "verbose"),
    *LONG_VALUES,
    *LONG_NOTHING,
)


LANGUAGES = {"zsh": "zsh", "rzsh": "zsh", "tcsh": "csh", "csh": "csh", "bsd-csh": "csh"}
"""The shells of those like bash whose code is read in another way."""


def shell_runs(own: Own) -> tuple[Inner, ...]:
    """Return the commands of sh, bash and the like."""
    language = LANGUAGES.get(parts.name(own.words[0]).partition("-")[0], "sh")
    found = shell(own.words)
    return found if language == "sh" else tuple(one.replace(language=language) for one in found)


def shell(words: Sequence[Word]) -> tuple[Inner, ...]:
    """Return the code of sh, bash and the like: that after -c, else a file, else standard input."""
    found: list[Inner] = []
    letters: set[str] = set()
    files: list[int] = []
    codes: list[int] = []
    at = 1
    while at < len(words):
        word = words[at]
        text = word.text
        if text in ("--", "-"):
            at += 1
            break
        name = text.lstrip("-")
        if text[:2] == "--" or (text[:1] == "-" and name in BASH_LONG):
            at += 1
            if name in LONG_NOTHING:
                return ()
            if name.partition("=")[0] in LONG_VALUES:
                value = parts.cut(word, text.index("=") + 1) if "=" in text else None
                if value is None and at < len(words):
                    value = words[at]
                    at += 1
                if value is not None and name.partition("=")[0] != "emulate":
                    found.append(Inner(file=value, via=SHELL))
        elif len(text) > 1 and text[0] in "-+" and not ("c" in letters and " " in text):
            at += 1
            given = text[1:33]
            if text[0] == "-":
                letters |= set(given)
            at += sum(letter in "oO" for letter in given)
        elif parts.wild(word) and len(files) + len(codes) < DOUBTS:
            (codes if "c" in letters else files).append(at)
            at += 1
        else:
            break
    if "n" in letters:
        return ()
    rest = tuple(words[at:])
    found += [Inner(file=words[start], via=SHELL, arguments=tuple(words[start:])) for start in files]
    if "c" in letters:
        # A word that is not known may be the code, or an option before it.
        starts = [*codes, *([at] if rest else [])]
        found += [
            Inner(code=words[start], via=SHELL, arguments=tuple(words[start + 1 :]) or (words[0],)) for start in starts
        ]
    elif "s" in letters:
        found.append(Inner(stdin=True, via=SHELL, arguments=(words[0], *rest)))
    else:
        if rest:
            found.append(Inner(file=rest[0], via=SHELL, arguments=rest))
        elif not files:
            found.append(Inner(stdin=True, via=SHELL, arguments=(words[0],)))
    return tuple(found)


def other_shell_runs(own: Own) -> list[Inner]:
    """Return what fish, nu, elvish, xonsh run: the option -c has the code as its value, and may come more than once."""
    if own.is_idle:
        return []
    codes = own.every("-C", "--init-command", *_OTHER_CODE)
    name = parts.name(own.words[0])
    language = "nu" if name == "nushell" else name if name in ("fish", "nu", "elvish", "xonsh") else "sh"
    found = [Inner(code=code, language=language, via=SHELL, arguments=(own.words[0], *own.behind)) for code in codes]
    if language == "xonsh":
        found += [Inner(code=code, language="python", via=SHELL) for code in codes if "import " in code.text]
    if not codes or not own.has(*_OTHER_CODE):
        found += [
            Inner(file=own.words[start], language=language, via=SHELL, arguments=own.behind) for start in own.starts
        ]
        if not own.starts:
            found.append(Inner(stdin=True, language=language, via=SHELL, arguments=(own.words[0],)))
    return found


_OTHER_CODE = ("-c", "--command", "--commands", "-e", "--execute")


def eval_runs(own: Own) -> tuple[Inner, ...]:
    """Return what `eval` runs: its words, parted by blanks, are code."""
    words = own.words
    rest = words[2:] if len(words) > 1 and words[1].text == "--" else words[1:]
    return (Inner(code=parts.join(rest), via=SHELL),) if rest else ()


def source_runs(own: Own) -> tuple[Inner, ...]:
    """Return the commands of source and `.`: a file with code for this very shell."""
    words = own.words
    rest = tuple(words[2:] if len(words) > 1 and words[1].text == "--" else words[1:])
    # fish reads its input where no file is named.
    return (Inner(file=rest[0], via=SHELL, arguments=rest) if rest else Inner(stdin=True, via=SHELL),)


def trap_runs(own: Own) -> tuple[Inner, ...]:
    """Return the commands of trap CODE SIGNAL...; with one word, a number or `-` it only resets."""
    words = own.words
    at = 1
    while at < len(words) and len(words[at].text) > 1 and words[at].text[0] == "-":
        at += 1
        if words[at - 1].text == "--":
            break
        if words[at - 1].known and set(words[at - 1].text[1:]) & set("lpP"):
            return ()
    if len(words) - at < 2 or words[at].text in ("", "-") or words[at].text.isdigit():
        return ()
    return (Inner(code=words[at], via=SHELL),)


def zargs_runs(own: Own) -> tuple[Inner, ...]:
    """Return the commands of zargs of zsh: [options --] inputs [-- command]; without a command it prints."""
    places = [at for at, word in enumerate(own.words) if word.text == "--"]
    if not places:
        return ()
    first, last = (places[0], places[-1]) if len(places) > 1 else (0, places[0])
    command = own.words[last + 1 :]
    return (Inner(words=(*command, *own.words[first + 1 : last])),) if command else ()


def su_runs(own: Own) -> tuple[Inner, ...]:
    """Return the commands of su and runuser: [options] [-] [user [options] [words of a shell]]."""
    if own.is_idle:
        return ()
    runuser = own.words[0].text.endswith("runuser")
    if runuser and own.has("-u", "--user"):
        around = context(own)
        return tuple(within(Inner(words=(word, *rest)), around) for word, *rest in _behind(own))
    codes = own.valued("runs shell")
    operands = [word for word in own.operands if word.text != "-"]
    who = parts.user(operands[0]) if operands else "root"
    if codes:
        return tuple(Inner(code=code, via=SHELL, user=who, arguments=tuple(operands[1:])) for code in codes)
    return tuple(one.replace(user=who) for one in shell((own.words[0], *_of_shell(own, operands))))


def _behind(own: Own) -> list[tuple[Word, ...]]:
    """Return the command of `runuser -u NAME`."""
    if not own.operands:
        return []
    first = next(place for place, word in enumerate(own.words) if word is own.operands[0])
    return [tuple(own.words[first:])]


def _of_shell(own: Own, operands: Sequence[Word]) -> tuple[Word, ...]:
    """Return the words after the user: options of su as well, which a shell does not use."""
    return tuple(operands[1:])


def at_runs(own: Own) -> tuple[Inner, ...]:
    """Return what at and batch run: code for later, from a file or from standard input."""
    if own.is_idle:
        return ()
    file = own.value("-f")
    return (Inner(stdin=True, via=SHELL) if file is None else Inner(file=file, via=SHELL),)


# PowerShell's parameters: the name, its shortest abbreviation, others, whether a value follows (pwsh -Help).
POWERSHELL = (
    ("configurationfile", "configurationf", (), True),
    ("configurationname", "config", (), True),
    ("custompipename", "cus", (), True),
    ("commandwithargs", "commandw", ("cwa",), False),
    ("command", "c", (), False),
    ("encodedarguments", "encodeda", ("ea",), True),
    ("encodedcommand", "e", ("ec",), True),
    ("executionpolicy", "ex", ("ep",), True),
    ("file", "f", (), False),
    ("inputformat", "in", ("if",), True),
    ("outputformat", "o", ("of",), True),
    ("psconsolefile", "p", (), True),
    ("settingsfile", "settings", (), True),
    ("windowstyle", "w", (), True),
    ("workingdirectory", "wo", ("wd",), True),
    ("help", "h", ("?",), False),
)


def powershell_runs(own: Own) -> tuple[Inner, ...]:
    """Return the code of pwsh: -Command takes all that follows, -EncodedCommand is UTF-16 in base64, -File a script.

    What is no parameter is a script to pwsh, and code to Windows PowerShell.
    """
    words = own.words
    windows = "pwsh" not in words[0].text.lower()
    at, where = 1, None
    while at < len(words):
        word = words[at]
        text = word.text.lower()
        if text == "-":
            return (Inner(stdin=True, language="powershell", via=SHELL),)
        if text[:1] not in ("-", "/") or (text[0] == "/" and "/" in text[1:]):
            break
        name, valued = _parameter(text.lstrip("-/"), windows=windows)
        rest = tuple(words[at + 1 : at + 2])
        if name in ("command", "commandwithargs"):
            rest = tuple(words[at + 1 :])
            if not rest or rest[0].text == "-":
                return (Inner(stdin=True, language="powershell", via=SHELL),)
            return (Inner(code=parts.join(rest), language="powershell", via=SHELL, cwd=where),)
        if name == "encodedcommand":
            return (Inner(code=_decoded(rest[0]), language="powershell", via=SHELL, cwd=where),) if rest else ()
        if name == "help":
            return ()
        if name == "file":
            at += 1
            break
        if name == "workingdirectory" and rest:
            where = rest[0]
        at += 1 + valued
    before = words[at - 1].text
    is_file = before[:1] in ("-", "/") and before.lstrip("-/").lower()[:1] == "f"
    return _operands(tuple(words[at:]), where, is_file=is_file, windows=windows)


def _operands(left: tuple[Word, ...], where: Word | None, *, is_file: bool, windows: bool) -> tuple[Inner, ...]:
    """Return what PowerShell runs of the words behind its parameters."""
    if not left or left[0].text == "-":
        return (Inner(stdin=True, language="powershell", via=SHELL),)
    file = Inner(file=left[0], language="powershell", via=SHELL, arguments=left, cwd=where)
    if is_file:
        return (file,)
    code = Inner(code=parts.join(left), language="powershell", via=SHELL, cwd=where)
    if parts.wild(left[0]):
        return (code, file)
    return (code,) if windows else (file,)


def _parameter(given: str, *, windows: bool) -> tuple[str, bool]:
    for name, shortest, others, valued in POWERSHELL:
        if given in others or (name.startswith(given) and given.startswith(shortest)):
            return name, valued
    return given, windows and bool(given) and "version".startswith(given)


def _decoded(word: Word) -> Word:
    """Return the text behind -EncodedCommand; unknown where it cannot be decoded."""
    if not word.known:
        return word
    import binascii

    try:
        text = binascii.a2b_base64(word.text, strict_mode=True).decode("utf-16-le")
    except (ValueError, UnicodeError):
        return word.replace(known=False, glob="")
    return parts.with_text(word, text)


def cmd_runs(own: Own) -> tuple[Inner, ...]:
    """Return the command of cmd /c TEXT: words if plain, code if it has variables, quotes or redirections."""
    words = own.words
    for at in range(1, len(words)):
        switch = words[at].text.lower().replace("//", "/", 1)
        if switch[:2] in ("/c", "/k", "/r"):
            rest = [parts.cut(words[at], words[at].text.find(switch[1]) + 1), *words[at + 1 :]]
            rest = [word for word in rest if word.text]
            return _batch(rest) if rest else ()
        if not switch.startswith("/") and not parts.wild(words[at]):
            break
    return (Inner(stdin=True, language="cmd", via=SHELL),)


def _batch(rest: Sequence[Word]) -> tuple[Inner, ...]:
    text = parts.join(rest)
    if text.known or any(char in text.text for char in "^<>()!\n"):
        return (Inner(code=text, language="cmd", via=SHELL),)
    if len(rest) > 1 and rest[0].text.lower() != "type" and not any(char in text.text for char in '%&|">'):
        return (Inner(words=tuple(rest), via=SHELL),)
    commands = _batch_commands(text.text)
    if len(commands) > parts.MANY:
        return (Inner(code=text, language="cmd", via=SHELL),)
    return tuple(
        Inner(words=tuple(_batch_word(text, word) for word in _as_cat(command)), via=SHELL)
        for command in commands
        if command
    )


def _as_cat(command: list[str]) -> list[str]:
    """Return cmd's own `type FILE` as `cat`: a program of that name elsewhere says what a name is."""
    return ["cat", *command[1:]] if command[0].lower() == "type" else command


def _batch_word(text: Word, word: str) -> Word:
    """Return a word of a batch line; `%DIR%`, and what the shell around it fills in (`$DIR`), is not known."""
    return parts.with_text(text, word).replace(
        known="%" not in word and (text.known or not any(char in word for char in "$`"))
    )


def _batch_commands(text: str) -> list[list[str]]:
    """Return the words of each command, apart at `&`, `|` and blanks outside of double quotes."""
    commands: list[list[str]] = [[]]
    word: list[str] | None = None
    quoted = False
    for char in f"{text} ":
        if char == '"':
            quoted, word = not quoted, [] if word is None else word
        elif quoted or char not in " \t&|":
            word = [] if word is None else word
            word.append(char)
        else:
            if word is not None:
                commands[-1].append("".join(word))
                word = None
            if char in "&|":
                commands.append([])
    return commands

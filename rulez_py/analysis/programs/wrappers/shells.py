"""Programs that read text as a shell does: sh -c, eval, source, trap, su, pwsh, cmd, at."""

from __future__ import annotations

from rulez_py.analysis.programs.wrappers import parts
from rulez_py.analysis.programs.wrappers.spec import DOUBTS, Scan, Spec, context, each, scan, within
from rulez_py.analysis.values import SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SHELLS = ("sh", "bash", "rbash", "zsh", "dash", "ash", "ksh", "ksh93", "mksh", "oksh", "yash", "posh", "csh", "tcsh")
LONG_VALUES = ("rcfile", "init-file", "emulate")
LONG_NOTHING = ("version", "help", "dump-strings", "dump-po-strings")
BASH_LONG = (
    *("debug", "debugger", "login", "noediting", "noprofile", "norc", "posix", "pretty-print", "restricted", "verbose"),
    *LONG_VALUES,
    *LONG_NOTHING,
)


def shell(words: Sequence[Word]) -> tuple[Inner, ...]:
    """sh, bash and the like: code behind -c, else a file, else standard input."""
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
        elif len(text) > 1 and text[0] in "-+":
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


FISH = Spec(
    values="-d --debug -o --debug-output -f --features --profile --profile-startup --print-debug-levels",
    nothing="-n --no-execute -v --version -h --help",
)


def other_shell(words: Sequence[Word]) -> tuple[Inner, ...]:
    """fish, nu, elvish, xonsh: the option -c has the code as its value, and may come more than once."""
    spec = FISH.replace(values=f"{FISH.values} -c --command -C --init-command --commands -e --execute")
    return each(spec, words, lambda own: _other_shell(spec, own, words))


def _other_shell(spec: Spec, own: Scan, words: Sequence[Word]) -> tuple[Inner, ...]:
    if own.has(spec.nothing):
        return ()
    codes = own.every("-C --init-command -c --command --commands -e --execute")
    rest = tuple(words[own.last :])
    found = [Inner(code=code, via=SHELL, arguments=(words[0], *rest)) for code in codes]
    if not codes or not own.has("-c --command --commands -e --execute"):
        starts = own.starts
        found += [Inner(file=words[start], via=SHELL, arguments=tuple(words[start:])) for start in starts]
        if not starts:
            found.append(Inner(stdin=True, via=SHELL, arguments=(words[0],)))
    return tuple(found)


def evaluate(words: Sequence[Word]) -> tuple[Inner, ...]:
    """eval: its words, parted by blanks, are code."""
    rest = words[2:] if len(words) > 1 and words[1].text == "--" else words[1:]
    return (Inner(code=parts.join(rest), via=SHELL),) if rest else ()


def source(words: Sequence[Word]) -> tuple[Inner, ...]:
    """source and `.`: a file with code for this very shell."""
    rest = tuple(words[2:] if len(words) > 1 and words[1].text == "--" else words[1:])
    return (Inner(file=rest[0], via=SHELL, arguments=rest),) if rest else ()


def trap(words: Sequence[Word]) -> tuple[Inner, ...]:
    """trap CODE SIGNAL...; with one word, a number or `-` it only resets."""
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


SU = Spec(
    values="-w --whitelist-environment -g --group -G --supp-group -s --shell",
    code="-c --command --session-command",
    flags="-l --login -m -p --preserve-environment -f --fast -P --pty -T --no-pty",
    nothing="--help -h --version -V",
)
RUNUSER = SU.replace(user="-u --user")


def su(words: Sequence[Word]) -> tuple[Inner, ...]:
    """su and runuser: [options] [-] [user [words of a shell]]; options may also follow the user. Default user: root."""
    runuser = words[0].text.endswith("runuser")
    own = scan(RUNUSER if runuser else SU, words)
    if own.has(SU.nothing):
        return ()
    if runuser and own.has(RUNUSER.user):
        around = context(RUNUSER, own)
        return tuple(within(Inner(words=tuple(words[start:])), around) for start in own.starts)
    codes = own.every(SU.code)
    rest = words[own.last :]
    who = parts.user(rest[0]) if rest else "root"
    if rest:
        late = scan(SU, rest)
        codes += late.every(SU.code)
        rest = rest[late.last :]
    if codes:
        return tuple(Inner(code=code, via=SHELL, user=who, arguments=tuple(rest)) for code in codes)
    return tuple(one.replace(user=who) for one in shell((words[0], *rest)))


AT = Spec(values="-q -t -f", nothing="-l -r -d -c -V")


def at(words: Sequence[Word]) -> tuple[Inner, ...]:
    """at and batch: code for later, from a file or from standard input."""
    own = scan(AT.replace(operands=-1, behind=True), words)
    if own.has(AT.nothing):
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


def powershell(words: Sequence[Word]) -> tuple[Inner, ...]:
    """pwsh and powershell: -Command takes all that follows, -EncodedCommand is UTF-16 in base64, -File a script.

    What is no parameter is a script to pwsh, and code to Windows PowerShell.
    """
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
    left = tuple(words[at:])
    if not left or left[0].text == "-":
        return (Inner(stdin=True, language="powershell", via=SHELL),)
    file = Inner(file=left[0], language="powershell", via=SHELL, arguments=left, cwd=where)
    if words[at - 1].text[:1] in ("-", "/") and words[at - 1].text.lstrip("-/").lower()[:1] == "f":
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
    """The text behind -EncodedCommand; not known where it is none."""
    if not word.known:
        return word
    import binascii

    try:
        text = binascii.a2b_base64(word.text, strict_mode=True).decode("utf-16-le")
    except (ValueError, UnicodeError):
        return word.replace(known=False, glob="")
    return parts.with_text(word, text)


def cmd(words: Sequence[Word]) -> tuple[Inner, ...]:
    """cmd /c TEXT. A plain text is taken apart into words; one with variables, quotes or redirections stays code."""
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
    if not text.known or any(char in text.text for char in '%^"<>()!\n'):
        return (Inner(code=text, language="cmd", via=SHELL),)
    if not any(char in text.text for char in "&|"):
        return (Inner(words=tuple(rest) if len(rest) > 1 else parts.split(with_slashes(rest[0])), via=SHELL),)
    commands = text.text.replace("|", "&").split("&")
    if len(commands) > parts.MANY:
        return (Inner(code=text, language="cmd", via=SHELL),)
    return tuple(
        Inner(words=parts.split(with_slashes(parts.with_text(text, one))), via=SHELL) for one in commands if one.strip()
    )


def with_slashes(word: Word) -> Word:
    """The word such that its backslashes, which quote nothing on Windows, stay when it is split."""
    return parts.with_text(word, word.text.replace("\\", "\\\\"))


KINDS: dict[str, Callable[[Sequence[Word]], tuple[Inner, ...]]] = {
    **dict.fromkeys(SHELLS, shell),
    **dict.fromkeys(("fish", "nu", "elvish", "xonsh"), other_shell),
    "eval": evaluate,
    "source": source,
    ".": source,
    "trap": trap,
    "su": su,
    "runuser": su,
    "at": at,
    "batch": at,
    "pwsh": powershell,
    "pwsh-preview": powershell,
    "powershell": powershell,
    "cmd": cmd,
}

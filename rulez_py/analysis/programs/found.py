"""Which files a program that lists files names, as far as its words tell: find, ls, git ls-files, fd, rg, grep -l."""

from __future__ import annotations

from rulez_py.analysis.programs import parts, read
from rulez_py.analysis.values import Names, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rulez_py.analysis.values import Reading

SOME = "{}"
"""A pattern for some of the files: nobody knows which."""
_HERE = "."
_EVERY = ("*", "**", "?*", "*?", "")
"""Patterns of names that leave nothing out."""

EXECS = ("-exec", "-execdir", "-ok", "-okdir")
# What leaves nothing out: alone, and with a word behind it.
_FIND_PLAIN = frozenset(
    (
        *("-print", "-print0", "-depth", "-d", "-H", "-L", "-P", "-ls", "-follow", "-noleaf", "-xdev", "-mount", "-a"),
        *("-and", "-true", "(", ")", "-delete", "-daystart", "-ignore_readdir_race", "-warn", "-nowarn", "-X", "-s"),
    )
)
_FIND_VALUED = frozenset(("-type", "-xtype", "-maxdepth", "-mindepth", "-printf", "-regextype", "-fprint", "-fprint0"))
OF_A_KIND = ("-type", "-xtype", "-mindepth")
"""Tests that leave out what find starts at, or may, and little else."""
_FIND_NAMES = ("-name", "-iname")
_FIND_PRINTS = ("-print", "-print0", "-printf", "-ls")
_FIND_OR = ("-o", "-or", ",")


def by_find(words: Sequence[Word], end: int | None = None) -> tuple[Names, ...]:
    """What find names: all below where it starts, or those of a name where it asks for one.

    `end` is the place of the action that is asked about; without, it is the one that prints.
    """
    starts, at = find_starts(words)
    if end is None:
        end = next((place for place in range(at, len(words)) if words[place].text in _FIND_PRINTS), len(words))
    patterns, flat = _find_patterns(words[at:end])
    return tuple(
        Names(directory=start.text, pattern="*" if flat and not pattern else pattern, flat=flat)
        for start in (starts or (Word(text=_HERE, at=words[0].at),))[: parts.MANY]
        for pattern in patterns
    )


def find_starts(words: Sequence[Word]) -> tuple[tuple[Word, ...], int]:
    """The places that find starts at, and where its tests begin."""
    at = 1
    while at < len(words) and words[at].text in ("-H", "-L", "-P", "-E", "-X", "-d", "-s", "-x"):
        at += 1
    begin = at
    while at < len(words) and words[at].text[:1] not in ("-", "(", "!", ")"):
        at += 1
    return tuple(words[begin:at]), at


def _find_patterns(tests: Sequence[Word]) -> tuple[Sequence[str], bool]:
    """The names that tests leave, and whether what lies deeper is left out: by those of the last `-o` alone."""
    names: list[str] = []
    others = choices = depth = at = 0
    flat = False
    while at < len(tests):
        text = tests[at].text
        following = tests[at + 1] if at + 1 < len(tests) else None
        at += 1
        if text in ("(", ")"):
            depth += 1 if text == "(" else -1
        elif text in EXECS:
            while at < len(tests) and tests[at].text != ";" and (tests[at].text, tests[at - 1].text) != ("+", "{}"):
                at += 1
            at += 1
            others += 1
        elif text in _FIND_NAMES and following is not None and following.known:
            names.append(following.text)
            at += 1
        elif text in _FIND_VALUED:
            flat = flat or (text == "-maxdepth" and following is not None and following.text == "1")
            at += 1
        elif text in ("!", "-not"):
            # What is left is not what stands behind it.
            at += 2
            others += 1
        elif text in _FIND_OR and depth <= 0:
            # Behind it comes what the tests before it have left out.
            names, choices, others = [], 0, 1
        elif text in _FIND_OR:
            choices += 1
        elif text not in _FIND_PLAIN and text[:1] == "-":
            others += 1
    names = [name for name in dict.fromkeys(names[: parts.MANY]) if name not in _EVERY]
    if names and (not choices or len(names) > choices):
        return names, flat
    return ([SOME] if others or names else [""]), flat


def _by_ls(words: Sequence[Word]) -> tuple[Names, ...]:
    """The files it is given, and the names in directories: without these."""
    reading = read.read("ls", words[1:])
    given = [operand.word for operand in reading.operands]
    alone = any(name in ("-d", "--directory") for option in reading.options for name in option.names)
    files = [word for word in given if alone or word.glob or _is_file(word)]
    found = [Names(directory="", pattern=word.glob or word.text, flat=True) for word in files]
    if len(files) < len(given) or not given:
        found.append(Names(directory="", pattern="*", flat=True))
    return tuple(found)


def _is_file(word: Word) -> bool:
    """Whether a word looks like a file's name rather than a directory's: it has an ending."""
    return "." in word.text.rpartition("/")[2].strip(".")


def _by_git(words: Sequence[Word]) -> tuple[Names, ...]:
    """git ls-files: what is tracked, or fits what it is given."""
    reading = read.read("git", words[1:])
    given = [operand.word for operand in reading.operands]
    if not given or given[0].text != "ls-files":
        return ()
    narrow = {"-o", "--others", "-d", "--deleted", "-m", "--modified", "-i", "--ignored", "-u", "--unmerged", "-k"}
    filtered = any(name in narrow for option in reading.options for name in option.names)
    where = next((option.value for option in reading.options if "-C" in option.names and option.value), None)
    base = "" if where is None else where.text
    found = []
    for word in given[1:]:
        name = word.text.rpartition("/")[2]
        if word.glob or any(sign in name for sign in "*?["):
            found.append(Names(directory=_below(base, word.text.rpartition("/")[0]), pattern=name))
        else:
            found.append(Names(directory=_below(base, word.text), pattern=SOME if filtered else ""))
    return tuple(found) or (Names(directory=base or _HERE, pattern=SOME if filtered else ""),)


def _below(base: str, directory: str) -> str:
    return "/".join(part for part in (base, directory) if part) or _HERE


def _by_fd(words: Sequence[Word]) -> tuple[Names, ...]:
    """fd [REGEX [PLACE...]]: what is not hidden; an ending may be asked for."""
    end = next((at for at, word in enumerate(words) if word.text in ("-x", "-X", "--exec", "--exec-batch")), len(words))
    reading = read.read("fd", words[1:end])
    given = [operand.word for operand in reading.operands]
    values = {name: option.value for option in reading.options for name in option.names if option.value is not None}
    ending = values.get("-e") or values.get("--extension")
    every = not given or given[0].text in (".", "", ".*")
    filtering = {"-t", "--type", "-H", "--hidden", "-I", "--no-ignore", "-u", "-a", "-0", "--print0", "-L", "-d"}
    other = any(filtering.isdisjoint(option.names) and "-e" not in option.names for option in reading.options)
    pattern = f"*.{ending.text.lstrip('.')}" if ending is not None else "" if every and not other else SOME
    places = [word.text for word in given[1:]] or [values["--search-path"].text if "--search-path" in values else _HERE]
    return tuple(Names(directory=place, pattern=pattern) for place in places[: parts.MANY])


def _by_grep(words: Sequence[Word]) -> tuple[Names, ...]:
    """grep -l, rg -l and rg --files."""
    program = parts.name(words[0])
    reading = read.read(program, words[1:])
    names = {name for option in reading.options for name in option.names}
    given = [operand.word for operand in reading.operands]
    if program == "rg" and "--files" in names:
        globs = [option.value.text for option in reading.options if "-g" in option.names and option.value is not None]
        narrow = [glob.rpartition("/")[2] for glob in globs if not glob.startswith("!")]
        filtered = not names.isdisjoint(("-t", "--type", "-T", "--type-not", "--iglob")) or bool(globs)
        patterns = narrow or ([SOME] if filtered else [""])
    elif names.isdisjoint(("-l", "--files-with-matches", "-L", "--files-without-match")):
        return ()
    else:
        given = given if not names.isdisjoint(("-e", "--regexp", "-f", "--file")) else given[1:]
        patterns = [SOME]
    places = given or [Word(text=_HERE)]
    found = []
    for word in places[: parts.MANY]:
        found += [Names(directory=word.text, pattern=one) for one in patterns if not word.data.names]
        found += [one.replace(pattern=one.pattern or SOME) for one in word.data.names]
    return tuple(found)


LISTING: dict[str, Callable[[Sequence[Word]], tuple[Names, ...]]] = {
    **dict.fromkeys(("find", "gfind"), by_find),
    **dict.fromkeys(("ls", "gls", "exa", "eza", "lsd"), _by_ls),
    "git": _by_git,
    **dict.fromkeys(("fd", "fdfind"), _by_fd),
    **dict.fromkeys(("grep", "egrep", "fgrep", "ggrep", "rg"), _by_grep),
}
"""The programs that print the names of files."""


def passed(program: str, words: Sequence[Word], names: tuple[Names, ...]) -> tuple[Names, ...]:
    """What a program that reads the names of files leaves of them; nothing where it makes others of them."""
    if read.has_trait(program, "passes"):
        return names
    if program == "tr":
        return names if all(word.text in ("\\n", "\n", "\\0", "\\000", "\0", " ", "") for word in words[1:]) else ()
    if not read.has_trait(program, "chooses"):
        return ()
    if read.family(program) in ("awk", "sed") and not _only_chooses(program, words):
        return ()
    ending = _ending(read.read(program, words[1:])) if "grep" in program else ""
    return tuple(one.replace(pattern=ending or SOME) if one.pattern in ("", SOME) else one for one in names)


def _only_chooses(program: str, words: Sequence[Word]) -> bool:
    code = [word.text for word in words[1:] if not word.text.startswith("-")][:1]
    plain = "".join(code)
    return bool(plain) and not any(sign in plain for sign in _CHANGES)


_CHANGES = ("s/", "s|", "s,", "s#", "y/", "c\\", "a\\", "i\\", "{", "=")


def _ending(reading: Reading) -> str:
    """The pattern of names that end as a plain regex says (`\\.pyc$`); "" where that is not said."""
    names = {name for option in reading.options for name in option.names}
    if not names.isdisjoint(("-v", "--invert-match", "-e", "-f", "-i", "-F")) or not reading.operands:
        return ""
    text = reading.operands[0].word.text
    plain = text[:-1].replace("\\.", ".")
    if text[-1:] != "$" or not reading.operands[0].word.known or not plain or "/" in plain:
        return ""
    return f"*{plain}" if all(sign.isalnum() or sign in "._-" for sign in plain) and "\\." in text else ""


def shown(names: Names) -> str:
    """One of the files, as a word of a command."""
    pattern = names.pattern or SOME
    return f"{names.directory.rstrip('/')}/{pattern}" if names.directory else pattern


def word_for(names: Names, at: tuple[int, int] = (0, 0)) -> Word:
    """A word that is one of the files, nobody knows which."""
    from rulez_py.analysis.values import Data

    return Word(text=shown(names), known=False, at=at, data=Data(names=(names,)))

"""Which files a program that lists files names, as far as its words tell: find, ls, git ls-files, fd, rg, grep -l."""

from __future__ import annotations

from rulez_py.analysis.programs import parts, read
from rulez_py.analysis.values import DELETE, SOME, WRITE, Names, Touch, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rulez_py.analysis.programs.selection import Expression, Test, Ways
    from rulez_py.analysis.values import Reading

_HERE = "."
_EVERY = ("*", "**", "?*", "*?", "")
"""Patterns of names that leave nothing out."""

EXECS = ("-exec", "-execdir", "-ok", "-okdir")
EXECS_THERE = ("-execdir", "-okdir")
"""They run in the directory of what was found."""
OF_A_KIND = ("-type", "-xtype", "-mindepth")
"""Tests that leave out what find starts at, or may, and little else."""
_FIND_PRINTS = ("-print", "-print0", "-printf", "-ls")


def by_find(words: Sequence[Word]) -> tuple[Names, ...]:
    """Return what find names where it prints: all below where it starts, or those of a name where it asks for one."""
    _, expression, named = _finding(words)
    return named(expression.before(*_FIND_PRINTS) or expression.passed())


def by_execs(words: Sequence[Word]) -> Callable[[Word], tuple[Names, ...]]:
    """Return what find names to the command of one of its `-exec`: its words are read once for all of them."""
    at, expression, named = _finding(words)
    ways = expression.before_words([word for word in words[at:] if word.text in EXECS])
    known: dict[Ways, tuple[Names, ...]] = {}

    def found(action: Word) -> tuple[Names, ...]:
        way = ways[id(action)]
        if way not in known:
            known[way] = named(way)
        return known[way]

    return found


def _finding(words: Sequence[Word]) -> tuple[int, Expression, Callable[[Ways], tuple[Names, ...]]]:
    """Return where the expression of a find begins, the expression, and the names of what has come some ways in it."""
    from rulez_py.analysis.programs.selection import Expression

    starts, at = find_starts(words)
    tests = {id(option.word): option for option in read.read("find", words[1:]).options}
    depth = next((option.value for option in tests.values() if "-maxdepth" in option.names), None)
    flat = depth is not None and depth.text == "1"
    begins = (starts or (Word(text=_HERE, at=words[0].at),))[: parts.MANY]

    def named(ways: Ways) -> tuple[Names, ...]:
        found: dict[Names, None] = {}
        for start in begins:
            for way in ways:
                found |= dict.fromkeys(_found(start.text, way, flat=flat))
        return tuple(found)

    return at, Expression(words[at:], tests), named


def _found(start: str, tests: Sequence[Test], *, flat: bool) -> Iterator[Names]:
    """Yield the files below a start that pass some tests."""
    patterns = (
        in_any_case(test.pattern) if test.fold else test.pattern
        for test in tests
        if test.kind == "name" and not test.path
    )
    name = max((one for one in patterns if one not in _EVERY), key=len, default="")
    if name:
        yield Names(directory=start, pattern=name, flat=flat)
        return
    pattern = SOME if any(test.pattern not in _EVERY or test.kind != "name" for test in tests) else ""
    yield Names(directory=start, pattern="*" if flat and not pattern else pattern, flat=flat)
    for path in dict.fromkeys(test.path for test in tests if test.path):
        yield from _by_path(start, path)


def _by_path(start: str, pattern: str) -> tuple[Names, ...]:
    """Return the files whose paths fit a pattern in which `*` fits slashes."""
    while pattern.startswith(("./", "*/", "/")):
        pattern = pattern.partition("/")[2]
    directory, slash, name = pattern.rpartition("/")
    if slash:
        return (Names(directory=f"{start.rstrip('/')}/{directory}", pattern=SOME if name in _EVERY else name),)
    plain = pattern.strip("*")
    inside = (Names(directory=f"{start.rstrip('/')}/{pattern}", pattern=SOME),)
    return (Names(directory=start, pattern=pattern), *inside) if plain and pattern not in _EVERY else ()


def in_any_case(pattern: str) -> str:
    """Return a shell pattern that ignores case; `*` for one with a class or a backslash."""
    if "[" in pattern or "\\" in pattern:
        return "*"
    return "".join(f"[{char.lower()}{char.upper()}]" if char.isalpha() else char for char in pattern)


def find_starts(words: Sequence[Word]) -> tuple[tuple[Word, ...], int]:
    """Return the places that find starts at, and where its tests begin."""
    at = 1
    while at < len(words) and words[at].text in ("-H", "-L", "-P", "-E", "-X", "-d", "-s", "-x"):
        at += 1
    begin = at
    while at < len(words) and words[at].text[:1] not in ("-", "(", "!", ")"):
        at += 1
    return tuple(words[begin:at]), at


def _by_ls(words: Sequence[Word]) -> tuple[Names, ...]:
    """Return the files it is given, and the names in directories: without these."""
    reading = read.read("ls", words[1:])
    given = [operand.word for operand in reading.operands]
    alone = any(name in ("-d", "--directory") for option in reading.options for name in option.names)
    files = [word for word in given if alone or word.glob or _is_file(word)]
    found = [Names(directory="", pattern=word.glob or word.text, flat=True) for word in files]
    if len(files) < len(given) or not given:
        hidden = any(
            name in ("-a", "--all", "-A", "--almost-all", "-f") for one in reading.options for name in one.names
        )
        found.append(Names(directory="", pattern="*" if hidden else "[!.]*", flat=True))
    return tuple(found)


def _is_file(word: Word) -> bool:
    """Tell if a word looks like a file's name rather than a directory's: it has an ending."""
    return "." in word.text.rpartition("/")[2].strip(".")


def _by_git(words: Sequence[Word]) -> tuple[Names, ...]:
    """Return what `git ls-files` lists: tracked files, or those that fit its operands."""
    from rulez_py.analysis.programs.special.git import TRACKED

    reading = read.read("git", words[1:])
    given = [operand.word for operand in reading.operands]
    if not given or given[0].text != TRACKED:
        return _by_other_git(words, reading, given[0].text if given else "")
    narrow = {"-o", "--others", "-d", "--deleted", "-m", "--modified", "-i", "--ignored", "-u", "--unmerged", "-k"}
    filtered = any(name in narrow for option in reading.options for name in option.names)
    where = next((option.value for option in reading.options if "-C" in option.names and option.value), None)
    base = "" if where is None else where.text
    found = []
    for word in given[1:]:
        name = word.text.rpartition("/")[2]
        if word.glob or any(char in name for char in "*?["):
            found.append(Names(directory=_below(base, word.text.rpartition("/")[0]), pattern=name))
        else:
            found.append(Names(directory=_below(base, word.text), pattern=SOME if filtered else ""))
    return tuple(found) or (Names(directory=base or _HERE, pattern=SOME if filtered else ""),)


def _by_other_git(words: Sequence[Word], reading: Reading, subcommand: str) -> tuple[Names, ...]:
    """Return some of the files below the paths after `--`, or here."""
    from rulez_py.analysis.programs.special.git import LISTS

    if subcommand == "archive":
        prefix = next((one.value.text for one in reading.options if "--prefix" in one.names and one.value), "")
        paths = [operand.word for operand in reading.operands[2:]]
        return _in_archive(paths, prefix) or _in_archive([Word(text=prefix)] if prefix else [])
    names = {name for option in reading.options for name in option.names}
    if names.isdisjoint(LISTS.get(subcommand, ())):
        return ()
    return tuple(Names(directory=place, pattern=SOME) for place in _paths(words) or (_HERE,))


def _paths(words: Sequence[Word]) -> tuple[str, ...]:
    """Return the paths after `--`."""
    end = next((at for at, word in enumerate(words) if word.text == "--"), len(words))
    return tuple(word.text for word in words[end + 1 :][: parts.MANY])


def by_diff(words: Sequence[Word]) -> tuple[Names, ...]:
    """Return the paths after `--`, which a patch that git prints is about; nothing without paths."""
    from rulez_py.analysis.programs.special.git import DIFFS

    places = _paths(words)
    if not places:
        return ()
    reading = read.read("git", words[1:])
    needs = DIFFS.get(next((operand.word.text for operand in reading.operands), ""))
    names = {name for option in reading.options for name in option.names}
    if needs is None or (needs and names.isdisjoint(needs)):
        return ()
    return tuple(Names(directory=place, pattern=SOME) for place in places)


def _by_walk(words: Sequence[Word]) -> tuple[Names, ...]:
    """Return what `tree -fi` and `du -a` list: all below their operands."""
    reading = read.read(parts.name(words[0]), words[1:])
    places = [operand.word.text for operand in reading.operands] or [_HERE]
    return tuple(Names(directory=place, pattern=SOME) for place in places[: parts.MANY])


def _by_locate(words: Sequence[Word]) -> tuple[Names, ...]:
    """Return what `locate` and `mdfind -name` list: files of a name, anywhere."""
    found: list[Names] = []
    for word in words[1 : parts.MANY]:
        directory, slash, name = word.text.rpartition("/")
        if word.text[:1] != "-" and name:
            place = directory if directory.startswith("/") else f"/{directory}" if slash else "/"
            found.append(Names(directory=place, pattern=name if "*" in name else f"*{name}*"))
            if slash and not directory.startswith("/"):
                found.append(Names(directory=directory, pattern=name))
    return tuple(found)


def _below(base: str, directory: str) -> str:
    return "/".join(part for part in (base, directory) if part) or _HERE


def _by_fd(words: Sequence[Word]) -> tuple[Names, ...]:
    """Return what `fd [REGEX [PLACE...]]` lists: files that are not hidden, perhaps of one ending."""
    end = next((at for at, word in enumerate(words) if word.text in ("-x", "-X", "--exec", "--exec-batch")), len(words))
    reading = read.read("fd", words[1:end])
    given = [operand.word for operand in reading.operands]
    values = {name: option.value for option in reading.options for name in option.names if option.value is not None}
    ending = values.get("-e") or values.get("--extension")
    every = not given or given[0].text in (".", "", ".*")
    if ending is not None:
        pattern = f"*.{ending.text.lstrip('.')}"
    elif every:
        other = any(_FD_FILTERING.isdisjoint(option.names) for option in reading.options)
        pattern = SOME if other else ""
    else:
        pattern = _sought_by_fd(given[0].text, {name for option in reading.options for name in option.names})
    places = [word.text for word in given[1:]] or [values["--search-path"].text if "--search-path" in values else _HERE]
    return tuple(Names(directory=place, pattern=pattern) for place in places[: parts.MANY])


_FD_FILTERING = frozenset(
    ("-t", "--type", "-H", "--hidden", "-I", "--no-ignore", "-u", "-a", "-0", "--print0", "-L", "-d", "-e")
)
"""fd's options that leave out nothing that matters here."""


def _sought_by_fd(text: str, options: set[str]) -> str:
    """Return the pattern of the names that fd looks for; SOME where it leaves out hidden ones."""
    if options.isdisjoint(("-H", "--hidden", "-u", "--unrestricted")):
        return SOME
    return text if not options.isdisjoint(("-g", "--glob")) else _held(text) or SOME


def _held(regex: str) -> str:
    """Return a shell pattern for the names that a plain regex is found in; "" where it is not plain."""
    text = regex.removeprefix("^").removesuffix("$").replace("\\.", ".")
    if not text or not all(char.isalnum() or char in "._-" for char in text):
        return ""
    return f"{'' if regex[0] == '^' else '*'}{text}{'' if regex[-1] == '$' else '*'}"


def _by_grep(words: Sequence[Word]) -> tuple[Names, ...]:
    """Return what `grep -l`, `rg -l` and `rg --files` list."""
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


def by_tar(words: Sequence[Word]) -> tuple[Names, ...]:
    """Return what `tar c` packs, where the archive goes to standard output."""
    reading = read.read("tar", words[1:])
    options = {name: option for option in reading.options for name in option.names}
    archive = options["--file"].value if "--file" in options else None
    if "--create" not in options or (archive is not None and archive.text not in ("-", "/dev/stdout")):
        return ()
    return _in_archive([operand.word for operand in reading.operands])


def _in_archive(words: Sequence[Word], prefix: str = "") -> tuple[Names, ...]:
    """Return what an archive of these files holds, as it is called in there."""
    return tuple(
        Names(directory=prefix, pattern=word.text.removeprefix("./").rstrip("/"), flat=True)
        for word in words[: parts.MANY]
        if word.known and word.text.strip("./")
    )


def packed(names: Sequence[Names], base: Word) -> tuple[Touch, ...]:
    """Return what is written where an archive of these is unpacked into a directory."""
    paths = (Word(text=f"{one.directory}{one.pattern}") for one in names if one.pattern not in _EVERY)
    return tuple(Touch(path=path, access=(WRITE,), base=base, within=True) for path in paths)


def patched(names: Sequence[Names], base: Word) -> tuple[Touch, ...]:
    """Return what is changed where a patch is put on that is about these: each the file, or some files in the
    directory.
    """
    return tuple(Touch(path=Word(text=one.directory), access=(WRITE, DELETE), base=base, within=True) for one in names)


LISTING: dict[str, Callable[[Sequence[Word]], tuple[Names, ...]]] = {
    **dict.fromkeys(("find", "gfind"), by_find),
    **dict.fromkeys(("ls", "gls", "exa", "eza", "lsd"), _by_ls),
    "git": _by_git,
    **dict.fromkeys(("fd", "fdfind"), _by_fd),
    **dict.fromkeys(("grep", "egrep", "fgrep", "ggrep", "rg", "ag", "ack", "ug", "ugrep", "pt", "sift"), _by_grep),
    **dict.fromkeys(("tree", "du"), _by_walk),
    **dict.fromkeys(("locate", "plocate", "mlocate", "slocate", "mdfind"), _by_locate),
}
"""The programs that print the names of files."""


def passed(program: str, words: Sequence[Word], names: tuple[Names, ...]) -> tuple[Names, ...]:
    """Return what a program that reads the names of files leaves of them; nothing where it makes others of them."""
    if read.has_trait(program, "passes"):
        return names
    if program == "tr" and all(word.text in ("\\n", "\n", "\\0", "\\000", "\0", " ", "") for word in words[1:]):
        return names
    if program in _CHANGING or (read.family(program) in ("awk", "sed") and not _only_chooses(program, words)):
        # Other names may come out of it; they lie where the first ones do, as far as is known.
        return tuple(one.replace(pattern=SOME, flat=False) for one in names)
    if not read.has_trait(program, "chooses"):
        return ()
    if "grep" not in program and program != "rg":
        return tuple(one.replace(pattern=one.pattern or SOME) for one in names)
    reading = read.read(program, words[1:])
    ending, held = _ending(reading), _of_a_path(reading)
    found = []
    for one in names:
        if one.pattern not in ("", SOME):
            found.append(one)
        elif held and not ending:
            found += [one.replace(pattern=held), Names(directory=_below(one.directory, held), pattern=SOME)]
        else:
            found.append(one.replace(pattern=ending or SOME))
    return tuple(found)


_CHANGING = ("tr", "cut", "paste", "column", "perl", "jq")
"""Programs that make other lines of those they read."""


def _of_a_path(reading: Reading) -> str:
    """Return the pattern of what is in the path of each line that grep leaves; "" where it is not plain."""
    names = {name for option in reading.options for name in option.names}
    if not names.isdisjoint(("-v", "--invert-match", "-e", "-f", "-i")) or not reading.operands:
        return ""
    word = reading.operands[0].word
    return _held(word.text) if word.known else ""


def _only_chooses(program: str, words: Sequence[Word]) -> bool:
    code = [word.text for word in words[1:] if not word.text.startswith("-")][:1]
    plain = "".join(code)
    return bool(plain) and not any(char in plain for char in _CHANGES)


_CHANGES = ("s/", "s|", "s,", "s#", "y/", "c\\", "a\\", "i\\", "{", "=")


def _ending(reading: Reading) -> str:
    """Return the pattern of names that end as a plain regex says (`\\.pyc$`); "" for other patterns."""
    names = {name for option in reading.options for name in option.names}
    if not names.isdisjoint(("-v", "--invert-match", "-e", "-f", "-i", "-F")) or not reading.operands:
        return ""
    text = reading.operands[0].word.text
    plain = text[:-1].replace("\\.", ".")
    if text[-1:] != "$" or not reading.operands[0].word.known or not plain or "/" in plain:
        return ""
    return f"*{plain}" if all(char.isalnum() or char in "._-" for char in plain) and "\\." in text else ""


def shown(names: Names) -> str:
    """Return one of the files, as a word of a command."""
    pattern = names.pattern or SOME
    return f"{names.directory.rstrip('/')}/{pattern}" if names.directory else pattern


def word_for(names: Names, at: tuple[int, int] = (0, 0)) -> Word:
    """Return a word that is one of the files; which one is unknown."""
    from rulez_py.analysis.values import Data

    return Word(text=shown(names), known=False, at=at, data=Data(names=(names,)))

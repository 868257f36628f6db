"""Programs that run a command for what they are given: xargs, parallel, find -exec, fd -x, entr, concurrently."""

from __future__ import annotations

from os.path import join

from rulez_py.analysis.bash.patterns import escaped
from rulez_py.analysis.programs import found, parts
from rulez_py.analysis.programs.touches import HERE
from rulez_py.analysis.values import REMOTE, SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rulez_py.analysis.programs.runs import Own
    from rulez_py.analysis.programs.selection import Test
    from rulez_py.analysis.programs.touches import Touching


def xargs_runs(own: Own) -> tuple[Inner, ...]:
    """Return what xargs runs: the input follows the words, or with -I and -J takes the place of a text."""
    if own.is_idle:
        return ()
    placeholder = ""
    for one in own.given:
        if not {"-I", "-J", "-i", "--replace"}.isdisjoint(one.option.names):
            placeholder = one.option.value.text if one.option.value is not None and one.option.value.text else "{}"
    takes = not own.has("-a", "--arg-file")
    separator = own.value("-d", "--delimiter")
    given = "\0" if own.has("-0", "--null") else "" if separator is None else separator.text
    return tuple(
        Inner(
            words=tuple(own.words[start:]),
            placeholder=placeholder,
            appends=not placeholder,
            takes_stdin=takes,
            input_file=own.value("-a", "--arg-file"),
            separator=_SEPARATORS.get(given, given[:1]),
            apart=own.has("-n", "--max-args", "-L", "-l", "--max-lines", "-s", "--max-chars"),
        )
        for start in own.starts
    )


_SEPARATORS = {"\\0": "\0", "\\n": "\n", "\\t": "\t"}


def find_runs(own: Own) -> tuple[Inner, ...]:
    """Return the commands of find -exec WORDS `;` or `+`, as often as it is there.

    What it finds is not known but for where; where no test leaves anything out, the places it starts at are among it.
    """
    words = own.words
    starts, at = found.find_starts(words)
    commands: list[Inner] = []
    named = found.by_execs(words)
    of_a_kind = next((place for place, word in enumerate(words) if word.text in found.OF_A_KIND), len(words))
    while at < len(words):
        if words[at].text not in found.EXECS:
            at += 1
            continue
        names = named(words[at])
        unknown = tuple(found.word_for(one, words[0].at) for one in names)
        # Without a test, what it starts at is among it.
        whole = at <= of_a_kind and all(not one.pattern for one in names)
        end = at + 1
        while end < len(words) and words[end].text != ";":
            if words[end].text == "+" and words[end - 1].text == "{}":
                break
            end += 1
        command = tuple(words[at + 1 : end])
        if command:
            commands.append(Inner(words=command, placeholder="{}", inputs=unknown))
            if words[at].text in found.EXECS_THERE and any(_is_relative(word.text) for word in command[1:]):
                where = (starts or (HERE,))[0]
                there = where.replace(text=join(where.text, "{}"), known=False)
                commands.append(Inner(words=command, placeholder="{}", inputs=(_IT,), cwd=there))
            if starts and whole:
                commands.append(Inner(words=command, placeholder="{}", inputs=starts))
        at = end + 1
    return tuple(commands)


_IT = Word(text="{}", known=False)


def _is_relative(text: str) -> bool:
    """Tell if a word may be a path from where the command runs, and not what was found."""
    return "{}" not in text and text[:1] not in ("", "-", "/")


LONG = 100_000
"""How much text templates may become, filled with their inputs, before the inputs are left apart."""
FD_MARKS = ("{.}", "{/}", "{//}", "{/.}")


def fd_runs(own: Own) -> tuple[Inner, ...]:
    """Return what `fd -x WORDS` runs, up to `;`: files found take the place of `{}`, or follow the words."""
    words = own.words
    commands: list[Inner] = []
    inputs = tuple(found.word_for(one, words[0].at) for one in found.LISTING["fd"](words))
    at = 1
    while at < len(words):
        text = words[at].text
        at += 1
        if text == "--":
            break
        if text not in ("-x", "-X", "--exec", "--exec-batch") and not (
            text[:1] == "-" and text[1:2].isalpha() and text[-1:] in "xX" and text[1:].isalpha()
        ):
            continue
        end = at
        while end < len(words) and words[end].text != ";":
            end += 1
        command = tuple(_marked(word) for word in words[at:end])
        held = any("{}" in word.text for word in command)
        if command:
            commands.append(Inner(words=command, placeholder="{}" if held else "", appends=not held, inputs=inputs))
        at = end + 1
    return tuple(commands)


def _marked(word: Word) -> Word:
    text = word.text
    if "{" not in text:
        return word
    for mark in FD_MARKS:
        text = text.replace(mark, "{}")
    return word if text == word.text else parts.with_text(word, text)


def entr_runs(own: Own) -> list[Inner]:
    """Return what entr runs: `/_` is the file that changed; with -s one text is shell code."""
    if own.is_idle or own.start is None:
        return []
    word, *rest = own.behind
    if own.has("-s"):
        return [Inner(code=word, via=SHELL, arguments=tuple(rest))]
    return [Inner(words=(word, *rest), placeholder="/_")]


SITES = ("-S", "--sshlogin", "--sshloginfile", "--slf")
CHANGES: dict[str, Callable[[Word], Word]] = {
    "": lambda word: word,
    ".": lambda word: parts.with_text(word, _stem(word.text)),
    "/": lambda word: parts.with_text(word, word.text.rpartition("/")[2]),
    "//": lambda word: parts.with_text(word, word.text.rpartition("/")[0] or "."),
    "/.": lambda word: parts.with_text(word, _stem(word.text.rpartition("/")[2])),
}
REPLACEMENTS = tuple("{" + number + tail + "}" for number in ("", *"123456789") for tail in CHANGES)


def _stem(text: str) -> str:
    before, dot, after = text.rpartition(".")
    return before if dot and "/" not in after else text


def parallel_runs(own: Own) -> tuple[Inner, ...]:
    """Return the commands of GNU parallel: a template, which is shell code, and inputs; without it they are the code.

    Inputs follow `:::`, are in the files after `::::`, or come from standard input.
    """
    if own.is_idle:
        return ()
    via = REMOTE if any(site.text != ":" for site in own.every(*SITES)) else SHELL
    template, sources, in_files = _sources(own.words[own.starts[0] if own.starts else own.last :])
    files = bool(in_files) or own.has("-a", "--arg-file")
    streamed = not sources and not files
    if own.has("--pipe", "--pipepart", "--pipe-part"):
        return (Inner(code=parts.join(template), via=via),) if template else ()
    if not template:
        commands = [Inner(code=word, via=via) for source in sources for word in source]
        commands += [Inner(file=word, via=via) for word in (*own.every("-a", "--arg-file"), *in_files)]
        return tuple(commands) if not streamed else (Inner(stdin=True, via=via),)
    if own.has("-q", "--quote"):
        template = [parts.quoted(word) for word in template]
    given = own.value("-I")
    return tuple(
        one
        for code in (parts.readings(template) if not own.has("-q", "--quote") else [parts.join(template)])
        for one in _from_template(code, given, sources, via, streamed, files)
    )


def parallel_effects(command: Touching) -> None:
    """Touch the files with inputs of GNU parallel."""
    command.by_options()
    for word in _sources(command.words[1:])[2]:
        command.touch(word, "r")


def _sources(words: Sequence[Word]) -> tuple[list[Word], list[list[Word]], list[Word]]:
    """Return the template, the inputs behind each `:::`, and the files that hold others."""
    template: list[Word] = []
    sources: list[list[Word]] = []
    files: list[Word] = []
    kind = ""
    for word in words:
        if word.text in (":::", ":::+", "::::", "::::+"):
            kind = word.text.rstrip("+")
            sources.append([])
        elif kind == "":
            template.append(word)
        else:
            (sources[-1] if kind == ":::" else files).append(word)
    return template, sources, files


def _from_template(
    code: Word, given: Word | None, sources: Sequence[Sequence[Word]], via: str, streamed: bool, files: bool
) -> tuple[Inner, ...]:
    """Return the commands that a template becomes; with `files` inputs are in files, `streamed` from standard input."""
    if given is not None and given.text:
        code = parts.with_text(code, code.text.replace(given.text, "{}"))
    plain = _numbered(code)
    if "{}" not in plain.text:
        code = plain = parts.with_text(code, code.text + " {}")
    combined = [] if files or not sources else _combined(sources)
    if combined and len(combined) * len(code.text) < LONG:
        return tuple(_filled(code, one, via) for one in combined)
    known = tuple(sources[0]) if len(sources) == 1 and not files else None
    return (Inner(code=plain, via=via, placeholder="{}", inputs=known, takes_stdin=streamed),)


def _numbered(code: Word) -> Word:
    """Return the template with `{}` for every replacement string."""
    text = code.text
    if "{" in text:
        for one in REPLACEMENTS:
            text = text.replace(one, "{}")
        text = text.replace("{#}", "1").replace("{%}", "1")
    return code if text == code.text else parts.with_text(code, text)


def _filled(code: Word, given: Sequence[Word], via: str) -> Inner:
    """Return the template with one input of each source in it."""
    text = code.text
    for number, word in enumerate(given[:9], 1):
        for tail, change in CHANGES.items():
            text = text.replace("{" + str(number) + tail + "}", parts.quoted(change(word)).text)
    if len(given) == 1:
        for tail, change in CHANGES.items():
            text = text.replace("{" + tail + "}", parts.quoted(change(given[0])).text)
    text = text.replace("{}", " ".join([parts.quoted(word).text for word in given]))
    return Inner(code=parts.join([code, *given]).replace(text=text.replace("{#}", "1").replace("{%}", "1")), via=via)


def _combined(sources: Sequence[Sequence[Word]]) -> list[tuple[Word, ...]]:
    """Return one input of each source, all combinations; none where they are too many."""
    commands: list[tuple[Word, ...]] = [()]
    for source in sources:
        if len(commands) * len(source) > parts.MANY:
            return []
        commands = [(*before, word) for before in commands for word in source]
    return commands


def sem_runs(own: Own) -> tuple[Inner, ...]:
    """Return what `sem` runs: one command in the background, its words are shell code."""
    if own.is_idle or own.start is None:
        return ()
    return tuple(Inner(code=code, via=SHELL) for code in parts.readings(own.behind))


def every_runs(own: Own) -> tuple[Inner, ...]:
    """Return the commands of programs that run each of their words as shell code: concurrently, hyperfine."""
    if own.is_idle:
        return ()
    texts = [*own.valued("runs shell"), *own.operands]
    return tuple(Inner(code=text, via=SHELL) for text in texts)


def find_effects(command: Touching) -> None:
    command.by_options()
    leading = ("-H", "-L", "-P", "-D", "-O")
    places = [command.place.get(id(option.word), 0) for option, _ in command.options if option.names[0] not in leading]
    first = min(places, default=len(command.words))
    starts: list[Word] = []
    for word in command.operands:
        if command.place.get(id(word), 0) > first or word.text in _NOT_A_START:
            first = min(first, command.place.get(id(word), first))
            break
        starts.append(word)
    if not command.has("-delete"):
        return
    from rulez_py.analysis.programs.selection import OTHER, Expression

    tests = {id(option.word): option for option, _ in command.options}
    tested = Expression(command.words[first:], tests).before("-delete")
    ways = [[test for test in way if test.kind != OTHER] for way in tested]
    for word in (starts or [HERE]) if ways else ():
        wide = not (word.known and all(ways))
        # Where every file has to have a name, or nothing in it, the others stay.
        command.touch(word, "d", deep=wide, some=all(tested))
        for way in () if wide else ways:
            _named(command, word, way)


_NOT_A_START = frozenset(("(", ")", "!", ","))


def _named(command: Touching, start: Word, tests: Sequence[Test]) -> None:
    """Touch what `find` deletes below a start of the files that pass some tests."""
    from rulez_py.analysis.programs.selection import BELOW, EMPTY, NAME

    kinds = {test.kind: test for test in reversed(tests)}
    if EMPTY in kinds:
        return
    named = kinds.get(NAME)
    if named is None:
        below = kinds[BELOW].pattern
        inside = join(below, "").startswith(join(start.text, ""))
        command.touch(start.replace(text=below, glob="") if inside else start, "d", deep=True, some=True)
        return
    # find's patterns also fit names that start with a dot.
    pattern = named.pattern
    path = join(start.text, pattern)
    glob = found.in_any_case(pattern) if named.fold else pattern
    command.touch(
        start.replace(text=path, glob=join(escaped(start.text), glob) if _is_pattern(glob) else ""), "d", some=True
    )
    if pattern.startswith(("*", "?", "[")):
        hidden = join(escaped(start.text), ".*" + glob.lstrip("*?"))
        command.touch(start.replace(text=path, glob=hidden), "d", some=True)


def _is_pattern(text: str) -> bool:
    return any(char in text for char in "*?[")

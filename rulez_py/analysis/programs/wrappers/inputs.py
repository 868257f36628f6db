"""Programs that run a command for what they are given: xargs, parallel, find -exec, fd -x, entr, concurrently."""

from __future__ import annotations

from rulez_py.analysis.programs import found
from rulez_py.analysis.programs.wrappers import parts
from rulez_py.analysis.programs.wrappers.spec import Scan, Spec, each, scan
from rulez_py.analysis.values import REMOTE, SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

XARGS = Spec(
    values="-a --arg-file -d --delimiter -E -I -J -L -n --max-args -P --max-procs -R -s --max-chars -S "
    "--process-slot-var",
    attached="-e -i -l --eof --replace --max-lines",
    nothing="--help --version",
)


def xargs(words: Sequence[Word]) -> tuple[Inner, ...]:
    """xargs: the input stands behind the words, or with -I and -J in the place of a text."""
    return each(XARGS, words, lambda own: _xargs(own, words))


def _xargs(own: Scan, words: Sequence[Word]) -> tuple[Inner, ...]:
    if own.has(XARGS.nothing):
        return ()
    placeholder = ""
    for name, value in own.options:
        if name in ("-I", "-J", "-i", "--replace"):
            placeholder = value.text if value is not None and value.text else "{}"
    takes = not own.has("-a --arg-file")
    separator = own.value("-d --delimiter")
    given = "\0" if own.has("-0 --null") else "" if separator is None else separator.text
    return tuple(
        Inner(
            words=tuple(words[start:]),
            placeholder=placeholder,
            appends=not placeholder,
            takes_stdin=takes,
            separator=_SEPARATORS.get(given, given[:1]),
            apart=own.has("-n --max-args -L -l --max-lines -s --max-chars"),
        )
        for start in own.starts
    )


_SEPARATORS = {"\\0": "\0", "\\n": "\n", "\\t": "\t"}


def find(words: Sequence[Word]) -> tuple[Inner, ...]:
    """find -exec WORDS `;` or `+`, as often as it is there.

    What it finds is not known but for where; where no test leaves anything out, the places it starts at are among it.
    """
    starts, at = found.find_starts(words)
    commands: list[Inner] = []
    while at < len(words):
        if words[at].text not in found.EXECS:
            at += 1
            continue
        names = found.by_find(words, at)
        unknown = tuple(found.word_for(one, words[0].at) for one in names)
        # Without a test, what it starts at is among it.
        whole = all(not one.pattern for one in names) and not any(word.text in found.OF_A_KIND for word in words[:at])
        end = at + 1
        while end < len(words) and words[end].text != ";":
            if words[end].text == "+" and words[end - 1].text == "{}":
                break
            end += 1
        command = tuple(words[at + 1 : end])
        if command:
            commands.append(Inner(words=command, placeholder="{}", inputs=unknown))
            if starts and whole:
                commands.append(Inner(words=command, placeholder="{}", inputs=starts))
        at = end + 1
    return tuple(commands)


LONG = 100_000
"""How much text templates may become, filled with their inputs, before the inputs are left apart."""
FD_MARKS = ("{.}", "{/}", "{//}", "{/.}")


def fd(words: Sequence[Word]) -> tuple[Inner, ...]:
    """fd -x WORDS: up to `;`; what was found stands for `{}`, else behind the words."""
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


ENTR = Spec(flags="-a -c -d -n -p -r -x -z", nothing="-h", switch="-s")


def entr(words: Sequence[Word]) -> tuple[Inner, ...]:
    """entr: `/_` stands for the file that changed; with -s one text is shell code."""
    return each(ENTR, words, lambda own: _entr(own, words))


def _entr(own: Scan, words: Sequence[Word]) -> list[Inner]:
    commands = []
    for start in own.starts:
        if own.has("-s"):
            commands.append(Inner(code=words[start], via=SHELL, arguments=tuple(words[start + 1 :])))
        else:
            commands.append(Inner(words=tuple(words[start:]), placeholder="/_"))
    return commands


PARALLEL = Spec(
    values="-j --jobs -P --max-procs --procs -a --arg-file --colsep -C --delay -I --profile -J -L --max-lines -n "
    "--max-args -N --max-replace-args -s --max-chars --tempdir --tmpdir --timeout --retries --results "
    "--res --joblog --halt --halt-on-error --load --memfree --memsuspend --nice --block --block-size "
    "--recstart --recend --rpl --tagstring --env --basefile --bf --return --workdir --wd -d --delimiter "
    "-E --arg-sep --arg-file-sep --trim --sshdelay --termseq --transferfile --tf --limit "
    "--compress-program --decompress-program --controlmaster-persist --cleanupcmd --shell-quote-args "
    "--replace --sqlworker --sqlmaster --sqlandworker --sql --bibtex-file --process-slot-var --id "
    "--semaphore-name --semaphoretimeout --st --parens --seqreplace --slotreplace --basenamereplace "
    "--dirnamereplace --extensionreplace --header --jl --tmux-size",
    attached="-i -l -U -e -D",
    nothing="--version --help -h --citation --number-of-cores --number-of-cpus --number-of-threads",
    flags="--tag --dry-run --dryrun --keep-order --group --line-buffer --pipe --semaphore --fg --bg --shuf "
    "--results-only --tty --bar --eta --progress --verbose -t -v -k -u -q --quote -m -X -x --xargs --no-notice "
    "--will-cite "
    "--no-run-if-empty -r --null -0 --round-robin --line-buffered --lb --ungroup --ll --color --files --nonall "
    "--onall --plus "
    "--cleanup --noswap --pipepart --pipe-part --resume --resume-failed --retry-failed --linebuffer",
)
SITES = "-S --sshlogin --sshloginfile --slf"
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


def parallel(words: Sequence[Word]) -> tuple[Inner, ...]:
    """GNU parallel: a template (shell code once its inputs are in it) and inputs; without a template they are the code.

    Inputs stand behind `:::`, in the files behind `::::`, else on standard input.
    """
    return each(PARALLEL.replace(values=f"{PARALLEL.values} {SITES}"), words, lambda own: _parallel(own, words))


def _parallel(own: Scan, words: Sequence[Word]) -> tuple[Inner, ...]:
    if own.has(PARALLEL.nothing):
        return ()
    via = REMOTE if any(site.text != ":" for site in own.every(SITES)) else SHELL
    first = own.starts[0] if own.starts else own.last
    template: list[Word] = []
    sources: list[list[Word]] = []
    files, kind = own.has("-a --arg-file"), ""
    for word in words[first:]:
        if word.text in (":::", ":::+", "::::", "::::+"):
            kind = word.text.rstrip("+")
            files = files or kind == "::::"
            sources.append([])
        elif kind == "":
            template.append(word)
        elif kind == ":::":
            sources[-1].append(word)
    streamed = not kind and not files
    if own.has("--pipe --pipepart --pipe-part"):
        return (Inner(code=parts.join(template), via=via),) if template else ()
    if not template:
        commands = [Inner(code=word, via=via) for source in sources for word in source]
        return tuple(commands) if not streamed else (Inner(stdin=True, via=via),)
    if own.has("-q --quote"):
        template = [parts.quoted(word) for word in template]
    given = own.value("-I")
    return tuple(
        one
        for code in (parts.readings(template) if not own.has("-q --quote") else [parts.join(template)])
        for one in _from_template(code, given, sources, via, streamed, files)
    )


def _from_template(
    code: Word, given: Word | None, sources: Sequence[Sequence[Word]], via: str, streamed: bool, files: bool
) -> tuple[Inner, ...]:
    """The commands that a template becomes; with `files` inputs are in files, `streamed` from standard input."""
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
    """The template with `{}` for every replacement string."""
    text = code.text
    if "{" in text:
        for one in REPLACEMENTS:
            text = text.replace(one, "{}")
        text = text.replace("{#}", "1").replace("{%}", "1")
    return code if text == code.text else parts.with_text(code, text)


def _filled(code: Word, given: Sequence[Word], via: str) -> Inner:
    """The template with one input of each source in it."""
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
    """One input of each source, all combinations; none where they are too many."""
    commands: list[tuple[Word, ...]] = [()]
    for source in sources:
        if len(commands) * len(source) > parts.MANY:
            return []
        commands = [(*before, word) for before in commands for word in source]
    return commands


SEM = PARALLEL.replace(nothing="--wait --help --version")


def sem(words: Sequence[Word]) -> tuple[Inner, ...]:
    """sem: one command in the background, its words are shell code."""
    return each(SEM, words, lambda own: _sem(own, words))


def _sem(own: Scan, words: Sequence[Word]) -> tuple[Inner, ...]:
    if own.has(SEM.nothing):
        return ()
    return tuple(Inner(code=code, via=SHELL) for start in own.starts[:1] for code in parts.readings(words[start:]))


CONCURRENTLY = Spec(
    values="-n --names -m --max-processes -p --prefix -c --prefix-colors -l --prefix-length -t "
    "--timestamp-format --restart-tries --restart-after --default-input-target -s --success "
    "--kill-others-after --kill-signal -i --handle-input --teardown",
    nothing="--help -h --version -v",
    exact=True,
)
HYPERFINE = Spec(
    values="-w --warmup -m --min-runs -M --max-runs -r --runs -S --shell -n --command-name --style --sort "
    "--time-unit -u --export-json --export-csv --export-markdown --export-asciidoc --export-orgmode "
    "--output --input -D --parameter-step-size",
    pairs="-L --parameter-list",
    code="-s --setup -p --prepare -c --cleanup -C --conclude --reference",
    operands=-1,
    exact=True,
)


def every(spec: Spec) -> Callable[[Sequence[Word]], tuple[Inner, ...]]:
    """Programs that run each of their words as shell code."""

    def run(words: Sequence[Word]) -> tuple[Inner, ...]:
        own = scan(spec, words)
        if own.has(spec.nothing):
            return ()
        texts = [*own.every(spec.code), *own.operands, *words[own.last :]]
        return tuple(Inner(code=text, via=SHELL) for text in texts)

    return run


KINDS: dict[str, Callable[[Sequence[Word]], tuple[Inner, ...]]] = {
    **dict.fromkeys(("xargs", "gxargs"), xargs),
    **dict.fromkeys(("find", "gfind"), find),
    **dict.fromkeys(("fd", "fdfind"), fd),
    "entr": entr,
    "parallel": parallel,
    "sem": sem,
    "concurrently": every(CONCURRENTLY.replace(operands=-1)),
    "hyperfine": every(HYPERFINE),
}

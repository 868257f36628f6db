"""How a program that runs another reads its own words, as data; and the reading of them."""

from __future__ import annotations

from rulez_py.shell.values import REMOTE, SHELL, WRAPPER, Inner, Word
from rulez_py.shell.wrappers import parts
from rulez_py.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DOUBTS = 4
"""How many places a command may begin at, where words are not known."""

WORDS, CODE, ONE = "words", "code", "one"
"""What a command is: an argument vector; a text, its words joined; a text if it is one word."""

VALUED = ("values", "user", "cwd", "env", "code", "remote", "split", "piped", "files")
FLAGS = ("flags", "nothing", "opens", "switch", "keeps", "words", "attached")


class Spec(Value):
    """The words of one program (or one of its subcommands), up to the command it runs.

    Every text but the last ones lists options, parted by blanks. Those of the first group take a value. `values` have
    no meaning here; `user` and `cwd` say who runs the command and where; `env` is `NAME=value`; `code` shell code to
    run here, `remote` to run there; `split` words of the command in one text; `piped` a file, or a command
    behind `|` or `!`; `files` a file with shell code. `pairs` take two values (the last three of `env_pairs` the name
    and the value of a variable), `attached` one that must stand in the same word.

    The second group takes none. `flags` are only named where an abbreviation could mean them; `nothing` says that no
    command runs; `opens` that a shell does where there is no command; `switch` that the command is the other of words
    and code; `keeps` that the user does not change; behind `words` the command begins, whatever it looks like.

    `operands` are the program's own before the command, -1 any number; with `number` they are only there where they
    begin with a digit; with `choices` where they are among these; with `directory` the first is where the command runs,
    with `who` as whom.
    `behind` says that the command only stands behind `--`. `assignments` may stand before the command. `as_user` is
    who it runs as. `form` is what the command is. With `empty`, no command means a shell. `via` is one of VIA.
    `exact` says that long options cannot be abbreviated, `strict`
    that behind the last of `operands` nothing is an option. `below` holds the subcommands that run a command; with
    `other`, any other word begins the command itself. `ends` are
    characters at which a program's name ends (`name@1.2`), behind `begins` it begins (`environment:name`).
    """

    values: str = ""
    user: str = ""
    cwd: str = ""
    env: str = ""
    code: str = ""
    remote: str = ""
    split: str = ""
    piped: str = ""
    files: str = ""
    pairs: str = ""
    env_pairs: str = ""
    attached: str = ""
    flags: str = ""
    nothing: str = ""
    opens: str = ""
    switch: str = ""
    keeps: str = ""
    words: str = ""
    operands: int = 0
    number: bool = False
    choices: str = ""
    directory: bool = False
    who: bool = False
    behind: bool = False
    assignments: bool = False
    as_user: str = ""
    form: str = WORDS
    empty: bool = False
    via: str = WRAPPER
    exact: bool = False
    strict: bool = False
    below: Mapping[str, Spec] | None = None
    other: bool = False
    ends: str = ""
    begins: str = ""


class Scan(Value):
    """A program's own words. `starts` are where the command may begin, `last` where reading ended."""

    options: tuple[tuple[str, Word | None], ...] = ()
    operands: tuple[Word, ...] = ()
    assigned: tuple[tuple[str, Word], ...] = ()
    starts: tuple[int, ...] = ()
    last: int = 0

    def has(self, names: str) -> bool:
        """Whether one of these options is there."""
        wanted = names.split()
        return any(name in wanted for name, _ in self.options)

    def every(self, names: str) -> list[Word]:
        """The values of these options, in order."""
        wanted = names.split()
        return [value for name, value in self.options if name in wanted and value is not None]

    def value(self, names: str) -> Word | None:
        """The last value of these options."""
        return next(reversed(self.every(names)), None)


def scan(spec: Spec, words: Sequence[Word], first: int = 1) -> Scan:
    """Read a program's own words, those from `first` on, up to the command."""
    takes = dict.fromkeys(" ".join([getattr(spec, name) for name in VALUED]).split(), 1)
    takes |= dict.fromkeys(f"{spec.pairs} {spec.env_pairs}".split(), 2)
    attached, starters, splitting = spec.attached.split(), spec.words.split(), spec.split.split()
    names = [*takes, *" ".join([getattr(spec, name) for name in FLAGS]).split()]
    options: list[tuple[str, Word | None]] = []
    operands: list[Word] = []
    assigned: list[tuple[str, Word]] = []
    starts: list[int] = []
    need, slack, at, behind = spec.operands, 0, first, not spec.behind and not starters
    while at < len(words):
        word = words[at]
        text = word.text
        if text == "--":
            at += 1
            behind = True
            if need > 0:
                operands += words[at : at + need]
                at += need
            break
        if len(text) > 1 and text[0] == "-":
            name, value, used, short = _option(word, takes, attached, names, exact=spec.exact)
            options += [(letter, None) for letter in short]
            if name in spec.env_pairs.split():
                assigned += [
                    (key.text, given)
                    for key, given in zip(words[at + 1 : at + 2], words[at + 2 : at + 3], strict=False)
                ]
            at += 1
            if name:
                options.append((name, words[at] if used and at < len(words) else value))
                at += used
            if name in starters or any(letter in starters for letter in short):
                behind = True
                break
            if name in splitting:
                break
            continue
        if text == "-":
            options.append(("-", None))
            at += 1
            if "-" in splitting:
                break
            continue
        if spec.assignments and (length := parts.assignment(word)):
            assigned.append((text[:length], parts.cut(word, length + 1)))
            at += 1
            continue
        if need and _own(spec, word):
            operands.append(word)
            slack += parts.wild(word)
            need -= 1
            at += 1
            if spec.strict and not need:
                break
            continue
        if parts.wild(word) and len(starts) < DOUBTS and behind:
            starts.append(at)
            at += 1
            continue
        if not behind and need <= 0:
            operands.append(word)
            at += 1
            continue
        break
    if behind and at < len(words):
        starts += range(at, min(at + 1 + slack, at + DOUBTS, len(words)))
    return Scan(
        options=tuple(options),
        operands=tuple(operands),
        assigned=tuple(assigned),
        starts=tuple(starts),
        last=min(at, len(words)),
    )


def _own(spec: Spec, word: Word) -> bool:
    if spec.choices:
        return word.text in spec.choices.split()
    return not spec.number or word.text[:1].isdigit() or not word.known


def _option(
    word: Word, takes: Mapping[str, int], attached: Sequence[str], names: Sequence[str], *, exact: bool
) -> tuple[str, Word | None, int, list[str]]:
    """The option's name ("" for none with a value), its value, how many words behind it are its, letters before it."""
    text = word.text
    if text in takes:
        return text, None, takes[text], []
    name, equals, _ = text.partition("=")
    if name in takes and equals and len(name) > 2:
        return name, parts.cut(word, len(name) + 1), 0, []
    if text.startswith("--"):
        if name not in names and not exact and len(name) > 3:
            name = next((one for one in names if one.startswith(name)), name)
        if equals:
            return name, parts.cut(word, text.index("=") + 1), 0, []
        return name, None, takes.get(name, 0), []
    if text in names:
        return text, None, 0, []
    before: list[str] = []
    for place in range(1, min(len(text), 32)):
        letter = "-" + text[place]
        if letter in attached or (letter in takes and place + 1 < len(text)):
            return letter, parts.cut(word, place + 1), 0, before
        if letter in takes:
            return letter, None, takes[letter], before
        before.append(letter)
    return "", None, 0, before


def read(spec: Spec, words: Sequence[Word], first: int = 1, *, guess: bool = True) -> tuple[Inner, ...]:
    """What a program runs that is as `spec` says; with `guess`, an unknown subcommand may be any."""
    own = scan(spec, words, first)
    if own.has(spec.nothing):
        return ()
    found = _texts(spec, own)
    if spec.split and (text := own.value(spec.split)) is not None:
        return (within(_spliced(words[0], text, words[own.last :]), context(spec, own)),)
    if spec.below is None:
        found += [one for start in own.starts for one in _commands(spec, own, words[start:])]
        if not found and (own.has(spec.opens) or (spec.empty and own.last >= len(words))):
            found = [Inner(stdin=True, via=REMOTE if spec.via == REMOTE else SHELL)]
        around = context(spec, own)
        return tuple(one if one.via == REMOTE != spec.via else within(one, around) for one in found)
    for start in own.starts:
        word = words[start]
        if (below := spec.below.get(word.text)) is not None:
            found += read(below, words, start + 1, guess=guess)
        elif spec.other:
            found += _commands(spec, own, words[start:])
        elif guess and not word.known and start == own.starts[0]:
            for one in {id(one): one for one in spec.below.values()}.values():
                found += read(one, words, start + 1, guess=False)
    return tuple(found)


def _spliced(program: Word, text: Word, rest: Sequence[Word]) -> Inner:
    """The same program once more, with the words in `text`: they may be options and variables again."""
    if not text.known:
        return Inner(code=parts.join([text, *rest]), via=SHELL)
    return Inner(words=(program, *parts.split(text), *rest))


def context(spec: Spec, own: Scan) -> Inner:
    """Who runs a command, where and with which environment, by options read as `spec` says."""
    who = "" if own.has(spec.keeps) else spec.as_user
    if (given := own.value(spec.user)) is not None:
        who = parts.user(given)
    elif spec.who and own.operands:
        who = parts.user(own.operands[0])
    where = own.value(spec.cwd)
    if spec.directory and own.operands:
        where = own.operands[0]
    variables = list(own.assigned)
    for word in own.every(spec.env):
        if length := parts.assignment(word):
            variables.append((word.text[:length], parts.cut(word, length + 1)))
    return Inner(user=who, cwd=where, environment=tuple(variables))


def within(one: Inner, around: Inner) -> Inner:
    """The command, run by whom and where `around` says."""
    if not (around.user or around.cwd or around.environment):
        return one
    return one.replace(user=around.user, cwd=around.cwd, environment=around.environment)


def _texts(spec: Spec, own: Scan) -> list[Inner]:
    """The commands that options hold."""
    found = [Inner(code=word, via=SHELL) for word in own.every(spec.code)]
    found += [Inner(code=word, via=REMOTE) for word in own.every(spec.remote)]
    found += [
        Inner(code=parts.cut(word, 1), via=SHELL) for word in own.every(spec.piped) if word.text[:1] in ("|", "!")
    ]
    return found + [Inner(file=word, via=SHELL) for word in own.every(spec.files)]


def _commands(spec: Spec, own: Scan, rest: Sequence[Word]) -> list[Inner]:
    form = spec.form
    if spec.switch and own.has(spec.switch):
        form = CODE if form == WORDS else WORDS
    if form == CODE or (form == ONE and len(rest) == 1):
        via = REMOTE if spec.via == REMOTE else SHELL
        return [Inner(code=code, via=via) for code in parts.readings(rest)]
    if spec.ends and rest[0].known:
        ends = [place for end in spec.ends if (place := rest[0].text.find(end, 1)) > 0]
        if ends:
            rest = (parts.cut(rest[0], 0, min(ends)), *rest[1:])
    if spec.begins and rest[0].known and (place := rest[0].text.find(spec.begins)) > 0:
        rest = (parts.cut(rest[0], place + 1), *rest[1:])
    return [Inner(words=tuple(rest), via=spec.via)]

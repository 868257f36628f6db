"""How a program that runs another reads its own words, as data; and the reading of them."""

from __future__ import annotations

from rulez_py.analysis.programs import options
from rulez_py.analysis.programs.wrappers import parts
from rulez_py.analysis.record import Value
from rulez_py.analysis.values import REMOTE, SHELL, WRAPPER, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    Level: TypeAlias = tuple[str, options.Grammar]
    """A program or one of its subcommands, as `options` knows it."""

DOUBTS = 4
"""How many places a command may begin at, where words are not known."""
MOST_READINGS = 16
"""Ways to read a program's own words, where nobody knows which of its options take a value."""

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
    characters at which a program's name ends (`name@1.2`), behind `begins` it begins (`environment:name`). The value
    of an option in `program` is the program, and what would be the command are its words.
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
    program: str = ""


class Scan(Value):
    """One reading of a program's own words. `starts` are where the command may begin, `last` where reading ended."""

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


class Readings:
    """The ways to read a program's own words, the likeliest first.

    Where neither a Spec nor `options` knows an option, the next word may be its value: it is read both ways.
    """

    def __init__(self, spec: Spec, words: Sequence[Word], first: int = 1, level: Level | None = None) -> None:
        self.spec = spec
        self.words = words
        self.first = first
        self.level = level if level is not None or first != 1 or not words else top(words[0])
        self.takes = dict.fromkeys(" ".join([getattr(spec, name) for name in VALUED]).split(), 1)
        self.takes |= dict.fromkeys(f"{spec.pairs} {spec.env_pairs}".split(), 2)
        self.attached = spec.attached.split()
        self.names = [*self.takes, *" ".join([getattr(spec, name) for name in FLAGS]).split()]
        self.open: list[tuple[int, int]] = []
        """Options of the reading made last that may be read otherwise: where, and how many words are their value."""

    def __iter__(self) -> Iterator[Scan]:
        waiting: list[dict[int, int]] = [{}]
        for count, taken in enumerate(waiting):
            if count >= MOST_READINGS:
                return
            yield self.one(taken)
            last = max(taken, default=-1)
            waiting += [{**taken, at: used} for at, used in self.open if at > last]

    @property
    def are_too_many(self) -> bool:
        """Whether there are more of them than are made."""
        return sum(1 for _ in self) >= MOST_READINGS

    def one(self, taken: Mapping[int, int]) -> Scan:
        """The reading in which the options at these places have so many words as their value."""
        spec, words, at = self.spec, self.words, self.first
        starters, splitting, paired = spec.words.split(), spec.split.split(), spec.env_pairs.split()
        options: list[tuple[str, Word | None]] = []
        operands: list[Word] = []
        assigned: list[tuple[str, Word]] = []
        starts: list[int] = []
        need, slack, behind = spec.operands, 0, not spec.behind and not starters
        # Where all is operands up to `--`, it is all the same which of them is a value.
        settled = need < 0 or spec.behind
        self.open = []
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
                name, value, used, short = self.option(word)
                options += [(letter, None) for letter in short]
                if name in paired:
                    assigned += [
                        (key.text, given)
                        for key, given in zip(words[at + 1 : at + 2], words[at + 2 : at + 3], strict=False)
                    ]
                if at in taken:
                    used = taken[at]
                elif not settled and (other := self.otherwise(at, name, value, used, short)) is not None:
                    self.open.append((at, other))
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

    def option(self, word: Word) -> tuple[str, Word | None, int, list[str]]:
        """The option's name, its value in the same word, how many words behind it are its, letters before it.

        The name is "" for letters of which none has a value.
        """
        text, takes = word.text, self.takes
        if text in takes:
            return text, None, takes[text], []
        name, equals, _ = text.partition("=")
        if name in takes and equals and len(name) > 2:
            return name, parts.cut(word, len(name) + 1), 0, []
        if text.startswith("--"):
            plain = self.level is not None and self.level[1].named(name) is not None
            if name not in self.names and not plain and not self.spec.exact and len(name) > 3:
                name = next((one for one in self.names if one.startswith(name)), name)
            if equals:
                return name, parts.cut(word, text.index("=") + 1), 0, []
            return name, None, takes.get(name, 0) or int(self.described(name) == 1 and name not in self.names), []
        if text in self.names:
            return text, None, 0, []
        if self.described(text) == 1:
            return text, None, 1, []
        before: list[str] = []
        for place in range(1, min(len(text), 32)):
            letter = "-" + text[place]
            if letter in self.attached or (letter in takes and place + 1 < len(text)):
                return letter, parts.cut(word, place + 1), 0, before
            if letter in takes:
                return letter, None, takes[letter], before
            if letter not in self.names and self.described(letter) == 1:
                if place + 1 < len(text):
                    return letter, parts.cut(word, place + 1), 0, before
                return letter, None, 1, before
            before.append(letter)
        return "", None, 0, before

    def described(self, name: str) -> int | None:
        """How many words behind an option are its value by what `options` knows; None where it does not know it."""
        return None if self.level is None else options.taken(self.level[1], name)

    def otherwise(self, at: int, name: str, value: Word | None, used: int, letters: Sequence[str]) -> int | None:
        """How many words may be an option's value instead; None where that is known, or makes no difference."""
        following = self.words[at + 1] if at + 1 < len(self.words) else None
        if value is not None or following is None or following.text == "--" or self.words[at].text[1:].isdecimal():
            return None
        last = name or (letters[-1] if letters else "")
        unknown = [letter for letter in letters if not self.lists(letter)]
        if used:
            # A letter before it may take the rest of the word.
            return 0 if unknown and used == 1 else None
        if self.lists(last):
            return None
        text = following.text
        if len(text) > 1 and text[0] == "-" and not parts.wild(following):
            # It is an option either way, unless it takes a value itself.
            behind, inside, more, _ = self.option(following)
            return 1 if more and inside is None and behind else None
        return 1

    def counts(self, at: int) -> tuple[int, ...]:
        """How many words behind the option at a place may be its value, the likeliest first."""
        name, value, used, letters = self.option(self.words[at])
        other = self.otherwise(at, name, value, used, letters)
        return (used,) if other is None else (used, other)

    def lists(self, name: str) -> bool:
        """Whether it is known what an option takes."""
        return name in self.names or name in self.attached or self.described(name) is not None


def scan(spec: Spec, words: Sequence[Word], first: int = 1, level: Level | None = None) -> Scan:
    """Read a program's own words, those from `first` on, up to the command: the likeliest reading."""
    return Readings(spec, words, first, level).one({})


def each(
    spec: Spec,
    words: Sequence[Word],
    work: Callable[[Scan], Iterable[Inner]],
    first: int = 1,
    level: Level | None = None,
) -> tuple[Inner, ...]:
    """What `work` finds in every reading of a program's own words."""
    readings = Readings(spec, words, first, level)
    found = [one for own in readings for one in work(own)]
    if len(found) > 1 and readings.are_too_many:
        found.append(Inner(words=(words[-1].replace(text="...", known=False, glob=""),), via=spec.via))
    return tuple(one for at, one in enumerate(found) if one not in found[:at])


def top(program: Word) -> Level | None:
    """What `options` knows of a program."""
    key = options.family(parts.name(program))
    level = options.grammar(key) if key else None
    return None if level is None else (key, level)


def below(level: Level | None, name: str) -> Level | None:
    """What `options` knows of a subcommand."""
    return None if level is None else options.below(*level, name)


def _own(spec: Spec, word: Word) -> bool:
    if spec.choices:
        return word.text in spec.choices.split()
    return not spec.number or word.text[:1].isdigit() or not word.known


def read(
    spec: Spec, words: Sequence[Word], first: int = 1, *, guess: bool = True, level: Level | None = None
) -> tuple[Inner, ...]:
    """What a program runs that is as `spec` says; with `guess`, an unknown subcommand may be any."""
    level = top(words[0]) if level is None and first == 1 else level
    return each(spec, words, lambda own: _run(spec, own, words, level, guess=guess), first, level)


def _run(spec: Spec, own: Scan, words: Sequence[Word], level: Level | None, *, guess: bool) -> Sequence[Inner]:
    """What a program runs by one reading of its words."""
    if own.has(spec.nothing):
        return ()
    found = _texts(spec, own)
    if spec.split and (text := own.value(spec.split)) is not None:
        return (within(_spliced(words[0], text, words[own.last :]), context(spec, own)),)
    if spec.below is None:
        around = context(spec, own)
        if spec.program and (entry := own.value(spec.program)) is not None and entry.text:
            starts = own.starts or (len(words),)
            return [within(Inner(words=(entry, *words[start:]), via=spec.via), around) for start in starts]
        found += [one for start in own.starts for one in _commands(spec, own, words[start:])]
        if not found and (own.has(spec.opens) or (spec.empty and own.last >= len(words))):
            found = [Inner(stdin=True, via=REMOTE if spec.via == REMOTE else SHELL)]
        return [one if one.via == REMOTE != spec.via else within(one, around) for one in found]
    for start in own.starts:
        word = words[start]
        if (inside := spec.below.get(word.text)) is not None:
            found += read(inside, words, start + 1, guess=guess, level=below(level, word.text))
        elif spec.other:
            found += _commands(spec, own, words[start:])
        elif guess and not word.known and start == own.starts[0]:
            for one in {id(one): one for one in spec.below.values()}.values():
                found += read(one, words, start + 1, guess=False)
    return found


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

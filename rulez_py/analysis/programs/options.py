"""What each word of a command is: an option, its value or an operand, by what `programs` says of the program."""

from __future__ import annotations

from rulez_py.analysis.programs.table import PROGRAMS
from rulez_py.analysis.values import Operand, Option, Reading, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

_PATTERN = "*?["
_VARIANTS = ("basic", "tiny", "nox", "gtk3", "openbsd", "traditional", "cmd", "bat")
_FALSE = ("false", "False", "FALSE")


def first_from(ordered: Sequence[Any], least: Any) -> int:
    """Where the first item that is not less stands in an ordered sequence (importing `bisect` loads a library)."""
    low, high = 0, len(ordered)
    while low < high:
        middle = (low + high) // 2
        if ordered[middle] < least:
            low = middle + 1
        else:
            high = middle
    return low


class Entry:
    """An option that is described: `takes` is "" for nothing, "=" for a value, "?" for an attached one, ";" for words
    up to a semicolon; `role` says what the value is (see `programs`), `ends` that no option follows."""

    __slots__ = ("ends", "names", "role", "takes")

    def __init__(self, names: tuple[str, ...], takes: str, role: str, *, ends: bool) -> None:
        self.names = names
        self.takes = takes
        self.role = role
        self.ends = ends


class Grammar:
    """One line of `programs`, read: options by spelling without dashes, the way the program reads them, operands."""

    __slots__ = ("flags", "long", "operands", "short", "sorted_names")

    def __init__(self, spec: str, wider: Grammar | None = None) -> None:
        self.flags: frozenset[str]
        self.short: dict[str, Entry] = dict(wider.short) if wider else {}
        self.long: dict[str, Entry] = dict(wider.long) if wider else {}
        self.operands: tuple[str, ...] = ()
        flags = set(wider.flags - {"sub"}) if wider else set()
        tokens = spec.split()
        single = "%single" in tokens or "single" in flags
        for token in tokens:
            if token[0] == "%":
                flags.add(token[1:])
            elif token[0] == ":":
                self.operands = tuple(token[1:].split(","))
            else:
                self._add(token, single=single)
        self.flags = frozenset(flags)
        self.sorted_names = sorted(self.long) if flags & {"abbr", "no"} else []

    def _add(self, token: str, *, single: bool) -> None:
        end = next((place for place, letter in enumerate(token) if letter in "=?;,!"), len(token))
        names, rest = token[:end].split("|"), token[end:]
        ends = rest.endswith("!")
        rest = rest.removesuffix("!")
        spellings: list[str] = []
        for name in names:
            if single:
                spellings += ["-" + name, "--" + name]
            else:
                spellings.append("-" + name if len(name) == 1 else "--" + name)
        entry = Entry(tuple(spellings), rest[:1].strip(","), rest[1:], ends=ends)
        for name in names:
            (self.short if len(name) == 1 else self.long)[name] = entry

    def named(self, spelling: str) -> Entry | None:
        """The option with this spelling, dashes included."""
        name = spelling.lstrip("-")
        return self.short.get(name) or self.long.get(name)

    def starting(self, start: str) -> Iterator[tuple[str, Entry]]:
        """The long options that `start` may abbreviate."""
        for place in range(first_from(self.sorted_names, start), len(self.sorted_names)):
            name = self.sorted_names[place]
            if not name.startswith(start):
                return
            yield name, self.long[name]


_UNDESCRIBED = Grammar("%more %unknown")
_grammars: dict[str, Grammar | None] = {}


def family(program: str) -> str:
    """The key of `PROGRAMS` that describes this program: without its version, by its plain name; "" where none does."""
    return next((_plain(name) for name in _spellings(program) if name in PROGRAMS), "")


def _plain(key: str) -> str:
    """The key that a key is another name of."""
    spec = PROGRAMS.get(key, "")
    return spec[1:] if spec[:1] == ">" else key


def _spellings(program: str) -> Iterator[str]:
    """A program's name with less and less of what a package puts around it: `python3.12`, `mkfs.ext4`, `gtar`."""
    yield program
    name, _, variant = program.partition(".")
    if name == "mkfs" or variant in _VARIANTS:
        yield name
    if program[-1:].isdigit():
        yield program.rstrip("0123456789.").rstrip("-_")
    if program[:1] == "g" and "%abbr" in PROGRAMS.get(program[1:], "").split():
        yield program[1:]


def grammar(key: str, wider: Grammar | None = None) -> Grammar | None:
    """The description under a key such as `git` or `git push`; `wider` gives options of the level above to it."""
    if key not in _grammars:
        spec = PROGRAMS.get(key)
        _grammars[key] = None if spec is None else Grammar(spec, wider)
    return _grammars[key]


def _below(key: str, level: Grammar, name: str) -> tuple[str, Grammar | None]:
    """The subcommand `name` of a level: its key and description."""
    inner = _plain(f"{key} {name}")
    return inner, grammar(inner, level if "anywhere" in level.flags else None)


def below(key: str, level: Grammar, name: str) -> tuple[str, Grammar] | None:
    """The same; what is known of the level above where nobody described the subcommand, None where nothing is."""
    inner, found = _below(key, level, name)
    if found is None and "anywhere" in level.flags:
        found = _further(key, level)
    return None if found is None else (inner, found)


def taken(level: Grammar, name: str) -> int | None:
    """How many words behind an option (`-o`, `--output`) are its value; None where the level does not describe it."""
    single = "single" in level.flags
    entry = level.long.get(name.lstrip("-")) if single or name.startswith("--") else None
    if entry is None and (single or not name.startswith("--")):
        entry = level.short.get(name[1:])
    if entry is not None:
        return int(entry.takes == "=")
    if not name.startswith("--"):
        return None
    if "abbr" in level.flags and len(name) > 3:
        counts = {int(found.takes == "=") for _, found in level.starting(name[2:])}
        return counts.pop() if len(counts) == 1 else None
    return 0 if name.startswith("--no-") and "no" in level.flags and name[5:] in level.long else None


def _further(key: str, level: Grammar) -> Grammar:
    """What is known of a subcommand that nobody described: the options of the level above."""
    key += " *"
    known = _grammars.get(key)
    if known is None:
        _grammars[key] = known = Grammar("%more", level)
    return known


def levels(program: str, operands: Sequence[Operand]) -> tuple[str, tuple[Grammar, ...], int]:
    """What describes a command that was read: the innermost key, the levels from inside out, how many operands name
    the subcommand. ("", (), 0) where nobody described the program."""
    key = family(program)
    level = grammar(key) if key else None
    if level is None:
        return "", (), 0
    found = [level]
    depth = 0
    while "sub" in level.flags and depth < len(operands):
        operand = operands[depth]
        inner, below = _below(key, level, operand.word.text)
        depth += 1
        if below is None:
            if operand.doubtful:
                continue
            return inner, tuple(reversed(found)), depth
        key, level = inner, below
        found.append(level)
    return key, tuple(reversed(found)), depth


def cut(word: Word, start: int) -> Word:
    """The part of a word from a character on, at the word's own place."""
    glob = word.glob
    if glob:
        place = 0
        for _ in range(start):
            place += 2 if glob[place : place + 1] == "\\" else 1
        glob = glob[place:]
        if not _is_pattern(glob):
            glob = ""
    return word.replace(text=word.text[start:], glob=glob)


def _is_pattern(glob: str) -> bool:
    escaped = False
    for letter in glob:
        if escaped:
            escaped = False
        elif letter == "\\":
            escaped = True
        elif letter in _PATTERN:
            return True
    return False


def _unknown_from(word: Word) -> int:
    """Where the part of a word that is not known begins: its length where all is known."""
    if word.known:
        return len(word.text)
    places = [place for sign in "$`" if (place := word.text.find(sign)) >= 0]
    return min(places, default=0)


class _Reader:
    """Reads one command's words from left to right."""

    def __init__(self, program: str, words: Sequence[Word]) -> None:
        self.words = words
        self.next = 0
        self.key = family(program)
        self.level = (grammar(self.key) if self.key else None) or _UNDESCRIBED
        self.operands: list[Operand] = []
        self.options: list[tuple[Option, str, str]] = []
        """An option, what it is (for those that are taken back), and what it takes back."""
        self.here = 0
        """How many operands there are at this level."""
        self.ended = False
        self.doubt = False
        """Whether the word before may take the next one as its value."""

    def read(self) -> Reading:
        if "old" in self.level.flags and self.words and self.words[0].text[:1] not in ("-", ""):
            self.next = 1
            self.cluster(self.words[0], 0)
        while self.next < len(self.words):
            word = self.words[self.next]
            self.next += 1
            text = word.text
            if self.ended or text[:1] != "-" or text == "-":
                self.operand(word)
            elif text == "--":
                self.ended = "expression" not in self.level.flags
                self.doubt = False
            elif "single" in self.level.flags:
                self.single(word)
            elif text.startswith("--"):
                self.long(word)
            elif "unknown" in self.level.flags:
                self.foreign(word)
            else:
                self.cluster(word, 1)
        return Reading(options=self.kept(), operands=tuple(self.operands))

    def operand(self, word: Word) -> None:
        doubtful, self.doubt = self.doubt, False
        if doubtful:
            option, entry, back = self.options[-1]
            self.options[-1] = (option.replace(value=word), entry, back)
        self.operands.append(Operand(word=word, doubtful=doubtful))
        flags = self.level.flags
        if "sub" in flags and not self.ended:
            key, below = _below(self.key, self.level, word.text)
            if below is None:
                if doubtful:
                    return
                below = _further(self.key, self.level) if "anywhere" in flags else _UNDESCRIBED
            self.key, self.level, self.here = key, below, 0
            return
        self.here += 1
        if ("stop" in flags and not doubtful) or ("stop2" in flags and self.here == 2):
            self.ended = True

    def take(self) -> Word | None:
        """The next word as a value."""
        if self.next >= len(self.words):
            return None
        self.next += 1
        return self.words[self.next - 1]

    def add(self, option: Option, entry: str = "", back: str = "") -> None:
        self.options.append((option, entry, back))

    def described(self, entry: Entry, word: Word, attached: Word | None, names: tuple[str, ...] = ()) -> None:
        """One option that is certain: it takes its value, if it does."""
        self.doubt = False
        value = attached
        if value is None and entry.takes == "=":
            value = self.take()
        if entry.takes == ";":
            value = self.take()
            self.add(Option(names=entry.names, word=word, value=value), entry.names[0])
            while value is not None and value.text not in (";", r"\;"):
                last = value.text
                value = self.take()
                if value is not None:
                    self.operands.append(Operand(word=value, doubtful=True))
                    if last == "{}" and value.text == "+":
                        break
            return
        if entry.takes != "=" and value is not None and value.known and value.text in _FALSE:
            self.negation(entry.names, word, value)
            return
        if entry.ends:
            self.ended = True
        self.add(Option(names=names or entry.names, word=word, value=value), entry.names[0])

    def negation(self, names: tuple[str, ...], word: Word, value: Word | None = None) -> None:
        refused = tuple("--no-" + name.lstrip("-") for name in names if name.startswith("--"))
        self.add(Option(names=refused or (word.text,), word=word, value=value), back=names[0])

    def long(self, word: Word) -> None:
        unknown = _unknown_from(word)
        equals = word.text.find("=", 2, unknown)
        attached = None if equals < 0 else cut(word, equals + 1)
        name = word.text[2:] if equals < 0 else word.text[2:equals]
        if equals < 0 and unknown < len(word.text):
            self.maybe(word, name[: max(unknown - 2, 0)])
            return
        entry = self.level.long.get(name)
        if entry is not None:
            self.described(entry, word, attached)
            back = name.removeprefix("no-")
            if back != name and "no" in self.level.flags and back not in self.level.long:
                option, what, _ = self.options[-1]
                self.options[-1] = (option, what, "--" + back)
            return
        if "no" in self.level.flags and self.negated(name, word):
            return
        if "abbr" in self.level.flags and name and self.abbreviated(name, word, attached):
            return
        self.unlisted("--" + name, word, attached)

    def negated(self, name: str, word: Word) -> bool:
        """`--no-force`, or `--verify` where `--no-verify` is the option."""
        entry = self.level.long.get(name[3:] if name.startswith("no-") else "no-" + name)
        if entry is None and name.startswith("no-"):
            if next(self.level.starting(name), None) is not None:
                return False
            entries = {id(entry): entry for _, entry in self.level.starting(name[3:])}
            entry = next(iter(entries.values())) if len(entries) == 1 and "abbr" in self.level.flags else None
        if entry is None:
            return False
        self.doubt = False
        if name.startswith("no-"):
            self.negation(entry.names, word)
        else:
            self.add(Option(names=("--" + name,), word=word), "--" + name, entry.names[0])
        return True

    def abbreviated(self, name: str, word: Word, attached: Word | None) -> bool:
        entries = {id(entry): entry for _, entry in self.level.starting(name)}
        if not entries:
            return False
        if len(entries) == 1:
            self.described(next(iter(entries.values())), word, attached)
            return True
        names = tuple(spelling for entry in entries.values() for spelling in entry.names)
        self.add(Option(names=names, word=word, value=attached, certain=False))
        self.doubt = attached is None and any(entry.takes == "=" for entry in entries.values())
        return True

    def maybe(self, word: Word, start: str) -> None:
        """A long option whose name is not known to its end."""
        names = {name: None for _, entry in self.level.starting(start) for name in entry.names} if start else {}
        self.add(Option(names=(*names, word.text), word=word, certain=False))
        self.doubt = False

    def unlisted(self, name: str, word: Word, attached: Word | None, *, certain: bool = True) -> None:
        self.doubt = attached is None and "more" in self.level.flags
        if attached is not None and attached.known and attached.text in _FALSE:
            self.negation((name,), word, attached)
            return
        self.add(Option(names=(name,), word=word, value=attached, certain=certain), name)

    def cluster(self, word: Word, start: int) -> None:
        """`-rf`, `-ofile`, `-5`; `start` is where the letters begin."""
        text = word.text
        unknown = _unknown_from(word)
        short = self.level.short
        certain = True
        seen: set[str] = set()
        place = start
        if unknown <= start:
            self.add(Option(names=(text,), word=word, certain=False))
            self.doubt = False
            return
        while place < unknown:
            letter = text[place]
            entry = short.get(letter)
            place += 1
            if entry is None and letter.isdigit():
                begin = place - 1
                while place < unknown and text[place].isdigit():
                    place += 1
                self.unlisted("-" + text[begin:place], word, None, certain=certain)
                self.doubt = False
            elif entry is None:
                if letter not in seen:
                    self.unlisted("-" + letter, word, None, certain=certain)
                seen.add(letter)
                certain = False
            elif entry.takes in ("=", "?", ";") and start == 1:
                rest = cut(word, place) if place < len(text) else None
                if entry.takes == "?" and rest is not None:
                    # `-tf` gives -t a value it may not have: whoever writes it may mean -t -f.
                    for other in dict.fromkeys(text[place:unknown]):
                        if other in short:
                            self.add(Option(names=short[other].names, word=word, certain=False))
                if not certain:
                    self.add(Option(names=entry.names, word=word, value=rest, certain=False))
                    self.doubt = self.doubt or rest is None
                else:
                    self.described(entry, word, rest)
                return
            elif entry.takes == "=":
                self.described(entry, word, None)
            else:
                if letter not in seen:
                    self.doubt = False
                    self.add(Option(names=entry.names, word=word, certain=certain), entry.names[0])
                seen.add(letter)
        if unknown < len(text):
            self.doubt = False

    def single(self, word: Word) -> None:
        """Long names behind one dash: `-name`, `-var=x`; one letter with its value attached: `-Idir`."""
        unknown = _unknown_from(word)
        equals = word.text.find("=", 1, unknown)
        dashes = 2 if word.text.startswith("--") else 1
        name = word.text[dashes:] if equals < 0 else word.text[dashes:equals]
        attached = None if equals < 0 else cut(word, equals + 1)
        entry = self.level.long.get(name) or self.level.short.get(name)
        if entry is not None:
            self.described(entry, word, attached)
            return
        letter = self.level.short.get(name[:1])
        if dashes == 1 and letter is not None and letter.takes and len(name) > 1:
            self.described(letter, word, cut(word, 2))
            return
        self.doubt = attached is None and "more" in self.level.flags
        if attached is not None and attached.known and attached.text in _FALSE:
            self.negation(("-" + name, "--" + name), word, attached)
            return
        names = ("-" + name, "--" + name)
        self.add(
            Option(names=names, word=word, value=attached, certain=unknown >= len(word.text) or equals >= 0), names[0]
        )

    def foreign(self, word: Word) -> None:
        """`-xyz` of a program nobody described: that option, or those letters."""
        unknown = _unknown_from(word)
        equals = word.text.find("=", 1, unknown)
        attached = None if equals < 0 else cut(word, equals + 1)
        name = word.text if equals < 0 else word.text[:equals]
        if len(name) > 2 and unknown >= len(name):
            letters: dict[str, None] = {}
            for letter in name[1:]:
                if not letter.isalpha():
                    break
                letters[letter] = None
            for letter in letters:
                self.add(Option(names=("-" + letter,), word=word, certain=False), "-" + letter)
        self.unlisted(name, word, attached, certain=unknown >= len(name))

    def kept(self) -> tuple[Option, ...]:
        """The options without those a later one takes back."""
        kept: list[Option] = []
        taken: set[str] = set()
        for option, entry, back in reversed(self.options):
            if entry in taken and option.certain:
                continue
            if back:
                taken.add(back)
            kept.append(option)
        kept.reverse()
        return tuple(kept)


def read(program: str, words: Sequence[Word]) -> Reading:
    """The options and operands among the words behind a program's name (lower case, no directory, no `.exe`).

    A word that is not known is an operand unless it starts with `-`. A `--` is in neither. Where it is not known
    whether an option takes a value, the next word is a doubtful operand and that option's `value` as well.
    """
    return _Reader(program, words).read()


def holds(reading: Reading, flag: str, fits: Callable[[str], bool] | None = None) -> tuple[Word, ...]:
    """The words that are or may be the option `flag`, in any spelling; with `fits`, only with a value that does."""
    return tuple(
        option.word
        for option in reading.options
        if flag in option.names and (fits is None or (option.value is not None and fits(option.value.text)))
    )


def certainly(reading: Reading, flag: str, fits: Callable[[str], bool] | None = None) -> tuple[Word, ...]:
    """As `holds`, but only words that can be nothing else, with values that are known."""
    doubtful = {id(operand.word) for operand in reading.operands if operand.doubtful} if fits is not None else set()
    return tuple(
        option.word
        for option in reading.options
        if option.certain
        and flag in option.names
        and (
            fits is None
            or (
                option.value is not None
                and option.value.known
                and id(option.value) not in doubtful
                and fits(option.value.text)
            )
        )
    )

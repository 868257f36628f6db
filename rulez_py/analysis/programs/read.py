"""What each word of a command is: an option, its value, an operand, the beginning of the command that it runs.

One reader serves the rules (`read`), the files a command touches (`touches`) and what it runs (`runs`). Where it is
unknown if an option takes a value, the word after it is read as both.
"""

from __future__ import annotations

from rulez_py.analysis.programs import parts, store
from rulez_py.analysis.values import Operand, Option, Reading, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

_PATTERN = "*?["
_VARIANTS = ("basic", "tiny", "nox", "gtk3", "openbsd", "traditional", "cmd", "bat")
_FALSE = ("false", "False", "FALSE")

NONE, VALUE, ATTACHED, PAIR, UNTIL, UNSURE = ".", "=", "~", "2", ";", "/"
"""What an option takes: nothing, a value, one in the same word, two words, words up to `;`, perhaps the next word."""
_READ_ALIKE = frozenset(("abbreviations", "negations", "one-dash", "anywhere", "expression"))
"""Flags of a level that hold for its subcommands as well, where its options may follow them."""
_ENDING = frozenset(("ends", "runs rest", "runs words"))
BEHIND = "behind --"


def first_from(ordered: Sequence[Any], least: Any) -> int:
    """Return the place of the first item that is not less in an ordered sequence.

    Importing `bisect` would load a library.
    """
    low, high = 0, len(ordered)
    while low < high:
        middle = (low + high) // 2
        if ordered[middle] < least:
            low = middle + 1
        else:
            high = middle
    return low


class Entry:
    """An option that is described: its spellings, what it takes, and what it or its value does (docs/programs.md)."""

    __slots__ = ("does", "names", "role", "takes")

    def __init__(self, names: tuple[str, ...], takes: str, does: tuple[str, ...]) -> None:
        self.names = names
        self.takes = takes
        self.does = does
        self.role = does[0] if does else ""


class Level:
    """A program or one of its subcommands, as its row says; `wider` gives the options of the level above."""

    __slots__ = ("fields", "flags", "key", "names", "operands", "own", "sorted_names", "stops")

    def __init__(self, row: str, wider: Level | None = None) -> None:
        self.names: dict[str, Entry] = dict(wider.names) if wider else {}
        self.fields: dict[str, str] = {}
        """What else the row says: `runs`, `language`, `code`, ..."""
        self.operands: tuple[str, ...] = ()
        self.key, flags, *lines = row.split("\n")
        for line in lines:
            kind, *rest = line.split("\t")
            if len(kind) == 1:
                does = tuple(rest[0].split(", ")) if rest[0] else ()
                for names in rest[1:]:
                    spellings = tuple(names.split(" "))
                    entry = Entry(spellings, kind, does)
                    for name in spellings:
                        self.names[name] = entry
            elif kind == "operands":
                self.operands = tuple(rest)
            else:
                self.fields[kind] = "\t".join(rest)
        self.flags = frozenset(flags.split(" "))
        if wider is not None:
            self.flags |= wider.flags & _READ_ALIKE
        self.stops = int(self.fields.get("stops", "0"))
        runs = self.fields.get("runs", "")
        # How many operands come before the command; -1 where none follows them.
        self.own = -1 if not runs or runs.endswith(BEHIND) else 0 if "language" in self.fields else len(self.operands)
        ordered = not self.flags.isdisjoint(("abbreviations", "negations"))
        self.sorted_names = sorted(name for name in self.names if name[:2] == "--") if ordered else []

    def starting(self, start: str) -> Iterator[tuple[str, Entry]]:
        """Yield the long options that `start` (dashes included) may abbreviate."""
        for place in range(first_from(self.sorted_names, start), len(self.sorted_names)):
            name = self.sorted_names[place]
            if not name.startswith(start):
                return
            yield name, self.names[name]

    def environment(self) -> Mapping[str, str]:
        """Return the environment variables that make it run something or take options -> which of these."""
        given = self.fields.get("environment", "")
        return dict(one.split("=", 1) for one in given.split("\t")) if given else {}

    def verb_of(self, variable: str) -> str:
        """Return what an environment variable is to it; "" where it is nothing.

        A `*` in a name is any letters.
        """
        if "environment" not in self.fields:
            return ""
        known = self.environment()
        if variable in known or "*" not in self.fields["environment"]:
            return known.get(variable, "")
        for name, verb in known.items():
            start, star, end = name.partition("*")
            if star and variable.startswith(start) and variable.endswith(end):
                return verb
        return ""


_UNDESCRIBED = Level("\nundescribed")
_levels: dict[str, Level | None] = {}


def forget() -> None:
    """Read every row anew: another table is there."""
    _levels.clear()


def family(program: str) -> str:
    """Return the name under which a program is described, without version; "" for an undescribed program."""
    for name in _spellings(program):
        row = store.rows().get(name)
        if row is not None:
            return row.partition("\n")[0]
    return ""


def _spellings(program: str) -> Iterator[str]:
    """Yield a program's name with less and less of what a package puts around it: `python3.12`, `mkfs.ext4`, `gtar`."""
    if program == "":
        return
    yield program
    name, _, variant = program.partition(".")
    if name == "mkfs" or variant in _VARIANTS:
        yield name
    if program[-1:].isdigit():
        yield program.rstrip("0123456789.").rstrip("-_")
    if program[:1] == "g":
        plain = level(program[1:])
        if plain is not None and "abbreviations" in plain.flags:
            yield program[1:]


def level(key: str, wider: Level | None = None) -> Level | None:
    """Return what is known of a program or subcommand, such as `git` or `git push`."""
    if key not in _levels:
        row = store.rows().get(key) if key else None
        _levels[key] = None if row is None else Level(row, wider)
    return _levels[key]


def has_trait(program: str, trait: str) -> bool:
    """Tell if the entry of a program says something of it that the shell has to know (`traits`)."""
    found = level(family(program))
    return found is not None and trait.replace(" ", "-") in found.flags


def below(above: Level, name: str) -> Level | None:
    """Return the subcommand `name` of a level; None where it is not described."""
    return level(f"{above.key} {name}", above if "anywhere" in above.flags else None) if name else None


def _further(above: Level) -> Level:
    """Return what is known of an undescribed subcommand: the options of the level above."""
    if "anywhere" not in above.flags:
        return _UNDESCRIBED
    key = above.key + " *"
    known = _levels.get(key)
    if known is None:
        _levels[key] = known = Level(key + "\n", above)
    return known


def levels(program: str, operands: Sequence[Operand]) -> tuple[str, tuple[Level, ...], int]:
    """Return what describes a command that was read; ("", (), 0) for an undescribed program.

    These are the innermost key, the levels from inside out, and how many operands name the subcommand.
    """
    top = level(family(program))
    if top is None:
        return "", (), 0
    found = [top]
    depth = 0
    while "subcommands" in found[-1].flags and depth < len(operands):
        operand = operands[depth]
        inner = below(found[-1], operand.word.text)
        depth += 1
        if inner is None:
            if operand.doubtful:
                continue
            return f"{found[-1].key} {operand.word.text}", tuple(reversed(found)), depth
        found.append(inner)
    return found[-1].key, tuple(reversed(found)), depth


def cut(word: Word, start: int) -> Word:
    """Return the part of a word from a character on, at the word's own place."""
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
    """Return where the part of a word that is not known begins: its length where all is known."""
    if word.known:
        return len(word.text)
    places = [place for char in "$`" if (place := word.text.find(char)) >= 0]
    return min(places, default=0)


class Given:
    """An option as it was given: where, what describes it, what it takes back."""

    __slots__ = ("at", "back", "entry", "known_as", "option")

    def __init__(self, at: int, option: Option, entry: Entry | None, known_as: str, back: str) -> None:
        self.at = at
        self.option = option
        self.entry = entry
        self.known_as = known_as
        self.back = back


class Parser:
    """Reads one command's words from left to right.

    `starts` are the places at which the command that the program runs may begin. `assume` says of words, by place,
    which subcommand they are, or "" for no subcommand; `choices` are the words that may be assumed so.
    """

    def __init__(self, top: Level | None, words: Sequence[Word], assume: Mapping[int, str] | None = None) -> None:
        self.words = words
        self.assume = assume or {}
        self.level = top or _UNDESCRIBED
        self.levels = [self.level]
        self.given: list[Given] = []
        self.operands: list[tuple[int, Operand]] = []
        self.path = 0
        """How many operands name the subcommand."""
        self.branch: int | None = None
        """The place of the first of them."""
        self.starts: list[int] = []
        self.choices: list[tuple[int, tuple[str, ...]]] = []
        self.dashes: int | None = None
        """Where the words after `--` begin."""
        self.rest: int | None = None
        """Where the words after the last option begin, where an option says that it is the last."""
        self.settled = False
        """True if it is certain that a command begins, and where."""
        self._next = self._at = 0
        self._certain = self._here = 0
        """How many operands there are for certain, and at most, at this level."""
        self._began = False
        self._ended = False
        self._doubt = False
        """True if the word before may take the next one as its value."""
        self._doubted = False
        """True if the word before may take this one."""
        self._unsure = False
        """True if the command may have begun already."""

    def run(self) -> Parser:
        if "letters-first" in self.level.flags and self.words and self.words[0].text[:1] not in ("-", ""):
            self._next = 1
            self._cluster(self.words[0], 0)
        while self._next < len(self.words):
            self._at = self._next
            word = self.words[self._at]
            self._next += 1
            text = word.text
            self._doubted = self._doubt
            if self._ended or text[:1] != "-" or text == "-":
                self._operand(word)
            elif text == "--":
                self._ended = "expression" not in self.level.flags
                self.dashes = self._next
                self._doubt = False
            elif "one-dash" in self.level.flags:
                self._single(word)
            elif text.startswith("--"):
                self._long(word)
            elif "undescribed" in self.level.flags:
                self._foreign(word)
            else:
                self._cluster(word, 1)
        return self

    def reading(self) -> Reading:
        return Reading(options=self._kept(), operands=tuple(operand for _, operand in self.operands))

    # Operands.

    def _operand(self, word: Word) -> None:
        doubtful, self._doubt = self._doubt, False
        if doubtful:
            last = self.given[-1]
            if last.option.value is None:
                last.option = last.option.replace(value=word)
        # INVARIANT: a word that may be a value is an operand as well.
        self.operands.append((self._at, Operand(word=word, doubtful=doubtful)))
        if "subcommands" in self.level.flags and self._may_descend(word) and self._descended(word, doubtful=doubtful):
            return
        self._counted(word, doubtful=doubtful)

    def _may_descend(self, word: Word) -> bool:
        """Tell if a word may be a subcommand.

        Directly after `--` it is one for some programs (`npm -- exec x`).
        """
        if not self._ended:
            return True
        if self._at != self.dashes or self._began or below(self.level, word.text) is None:
            return False
        if self._at in self.assume:
            self._ended = False
            return True
        self.choices.append((self._at, (word.text,)))
        return False

    def _descended(self, word: Word, *, doubtful: bool) -> bool:
        """Tell if a word that may be a subcommand is dealt with."""
        assumed = self.assume.get(self._at)
        if assumed == "":
            return not self._runs()
        inner = below(self.level, assumed or word.text)
        if parts.wild(word) or (not word.known and inner is None):
            guesses = self.level.fields.get("runners", "") if not any(self.assume.values()) else ""
            self.choices.append((self._at, ("", *guesses.split())))
        elif doubtful and inner is not None:
            self.choices.append((self._at, ("",)))
        if inner is None:
            if doubtful or word.text == "-":
                return not self._runs()
            if self._runs():
                return False
            inner = _further(self.level)
        self.level = inner
        self.levels.append(inner)
        self.branch = self._at if self.branch is None else self.branch
        self.path = len(self.operands)
        self._certain = self._here = 0
        return True

    def _runs(self) -> bool:
        """Tell if a word that is no subcommand begins a command."""
        return "runs" in self.level.fields

    def _counted(self, word: Word, *, doubtful: bool) -> None:
        """Count one more operand of this level: the command may begin with it, and the options may end."""
        level = self.level
        if "runs" not in level.fields:
            self._counted_alone(doubtful=doubtful)
            return
        if self._began or level.own < 0:
            return
        if word.text == "-" and "language" in level.fields:
            self._began = self._ended = True
            self.rest = self._next
            return
        if (word.text == "-" and not self._ended) or ("assignments" in level.flags and parts.assignment(word)):
            return
        wild = parts.wild(word)
        foreign = self._certain < level.own and not self._is_own(word)
        if self._may_begin(word):
            self.starts.append(self._at)
            if not doubtful and not wild and (foreign or self._certain == level.own):
                self._began = self._ended = self.settled = True
        if wild or doubtful:
            self._unsure = self._unsure or wild
        else:
            self._certain += 1
            self._ended = self._ended or self._certain == level.stops
        self._here += 1

    def _may_begin(self, word: Word) -> bool:
        """Tell if the command may begin with this operand."""
        own = self.level.own
        return self._certain <= own <= self._here or (self._certain < own and not self._is_own(word))

    def _counted_alone(self, *, doubtful: bool) -> None:
        """Count one more operand of a level whose operands no command follows."""
        stops = self.level.stops
        self._here += 1
        self._certain += not doubtful
        if stops and ((stops == 1 and not doubtful) or self._here == stops > 1):
            self._ended = True

    def _is_own(self, word: Word) -> bool:
        """Tell if an operand of the program's own may be this word: some are only there in a certain form."""
        role = self.level.operands[min(self._certain, len(self.level.operands) - 1)]
        if role == "number":
            return word.text[:1].isdigit() or not word.known
        return not role.startswith("one of ") or word.text in role[7:].split(" ")

    def _perhaps(self, word: Word) -> None:
        """Read the value of an option that may itself be the value of the one before."""
        self.operands.append((self._next - 1, Operand(word=word, doubtful=True)))
        if "runs" in self.level.fields and not self._began and self.level.own >= 0 and self._may_begin(word):
            self.starts.append(self._next - 1)
        if "subcommands" in self.level.flags and below(self.level, word.text) is not None:
            self.choices.append((self._next - 1, (word.text,)))
        self._here += 1
        # If it is no value it is an option, and may take the next word.
        self._doubt = word.text[:1] == "-" and len(word.text) > 1

    # Options.

    def _take(self) -> Word | None:
        """Return the next word as a value."""
        if self._next >= len(self.words):
            return None
        self._next += 1
        return self.words[self._next - 1]

    def _add(self, option: Option, entry: Entry | None = None, known_as: str = "", back: str = "") -> Given:
        if self._unsure and option.certain:
            option = option.replace(certain=False)
        one = Given(self._at, option, entry, known_as, back)
        self.given.append(one)
        return one

    def _described(self, entry: Entry, word: Word, attached: Word | None, *, within: bool = False) -> None:
        """Read an option that is certain, with its value; `within` letters, others may follow."""
        doubted, self._doubt = self._doubted, entry.takes == UNSURE and attached is None and not within
        value = attached
        name = entry.names[0]
        if value is None and entry.takes in (VALUE, PAIR) and not (doubted and self._next in self.assume):
            value = self._take()
            if doubted and value is not None:
                self._perhaps(value)
        if entry.takes == UNTIL:
            self._until(entry, word)
            return
        if entry.takes in (NONE, ATTACHED) and value is not None and value.known and value.text in _FALSE:
            self._negation(entry.names, word, value)
            return
        given = self._add(Option(names=entry.names, word=word, value=value), entry, name)
        if entry.takes == PAIR:
            given.option = given.option.replace(second=self._take())
        self._ends(entry)

    def _ends(self, entry: Entry) -> None:
        """End the options after one that is the last."""
        if not _ENDING.isdisjoint(entry.does):
            self._ended = self._began = True
            self.rest = self._next
            if "runs rest" in entry.does:
                self.settled = True
                self.starts.append(self._next)

    def _until(self, entry: Entry, word: Word) -> None:
        value = self._take()
        self._add(Option(names=entry.names, word=word, value=value), entry, entry.names[0])
        while value is not None and value.text not in (";", r"\;"):
            last = value.text
            value = self._take()
            if value is not None:
                self.operands.append((self._next - 1, Operand(word=value, doubtful=True)))
                if last == "{}" and value.text == "+":
                    break

    def _negation(self, names: tuple[str, ...], word: Word, value: Word | None = None) -> None:
        refused = tuple("--no-" + name.lstrip("-") for name in names if name.startswith("--"))
        self._add(Option(names=refused or (word.text,), word=word, value=value), back=names[0])

    def _long(self, word: Word) -> None:
        unknown = _unknown_from(word)
        equals = word.text.find("=", 2, unknown)
        attached = None if equals < 0 else cut(word, equals + 1)
        name = word.text if equals < 0 else word.text[:equals]
        if equals < 0 and unknown < len(word.text):
            self._maybe(word, word.text[: max(unknown, 2)])
            return
        flags, names = self.level.flags, self.level.names
        entry = names.get(name)
        if entry is not None:
            self._described(entry, word, attached)
            plain = "--" + name[5:]
            if name.startswith("--no-") and "negations" in flags and plain not in names:
                self.given[-1].back = plain
            return
        if "negations" in flags and self._negated(name, word):
            return
        if "abbreviations" in flags and len(name) > 2 and self._abbreviated(name, word, attached):
            return
        self._unlisted(name, word, attached)

    def _negated(self, name: str, word: Word) -> bool:
        """Read `--no-force`, or `--verify` where `--no-verify` is the option."""
        negative = name.startswith("--no-")
        entry = self.level.names.get("--" + (name[5:] if negative else "no-" + name[2:]))
        if entry is None and negative:
            if next(self.level.starting(name), None) is not None:
                return False
            entries = {id(entry): entry for _, entry in self.level.starting("--" + name[5:])}
            entry = next(iter(entries.values())) if len(entries) == 1 and "abbreviations" in self.level.flags else None
        if entry is None:
            return False
        self._doubt = False
        if negative:
            self._negation(entry.names, word)
        else:
            self._add(Option(names=(name,), word=word), known_as=name, back=entry.names[0])
        return True

    def _abbreviated(self, name: str, word: Word, attached: Word | None) -> bool:
        entries = {id(entry): entry for _, entry in self.level.starting(name)}
        if not entries:
            return False
        first = next(iter(entries.values()))
        if len(entries) == 1:
            self._described(first, word, attached)
            return True
        names = tuple(spelling for entry in entries.values() for spelling in entry.names)
        self._add(Option(names=names, word=word, value=attached, certain=False), first)
        self._doubt = attached is None and any(entry.takes in (VALUE, UNSURE) for entry in entries.values())
        return True

    def _maybe(self, word: Word, start: str) -> None:
        """Read a long option whose name is not known to its end."""
        entries = [entry for _, entry in self.level.starting(start)] if len(start) > 2 else []
        names = {name: None for entry in entries for name in entry.names}
        self._add(Option(names=(*names, word.text), word=word, certain=False), entries[0] if entries else None)
        self._doubt = False

    def _unlisted(self, name: str, word: Word, attached: Word | None, *, certain: bool = True) -> None:
        self._doubt = attached is None
        if attached is not None and attached.known and attached.text in _FALSE:
            self._negation((name,), word, attached)
            return
        self._add(Option(names=(name,), word=word, value=attached, certain=certain), known_as=name)

    def _cluster(self, word: Word, start: int) -> None:
        """Read `-rf`, `-ofile` or `-5`; `start` is where the letters begin."""
        text = word.text
        unknown = _unknown_from(word)
        if unknown <= start:
            # INVARIANT: an option whose letters are unknown is never certain: no rule is passed by it.
            self._add(Option(names=(text,), word=word, certain=False))
            self._doubt = False
            return
        if start == 1 and len(text) > 2 and self._whole(word):
            return
        names = self.level.names
        certain = True
        seen: set[str] = set()
        place = start
        while place < unknown:
            letter = text[place]
            entry = names.get("-" + letter)
            place += 1
            if entry is None and letter.isdigit():
                begin = place - 1
                while place < unknown and text[place].isdigit():
                    place += 1
                self._unlisted("-" + text[begin:place], word, None, certain=certain)
                self._doubt = False
            elif entry is None:
                if letter not in seen:
                    self._unlisted("-" + letter, word, None, certain=certain)
                seen.add(letter)
                certain = False
            elif entry.takes != NONE and start == 1:
                self._valued(entry, word, place, certain=certain)
                return
            elif entry.takes == VALUE:
                self._described(entry, word, None)
            elif letter not in seen:
                self._doubt = False
                self._flag(entry, word, certain=certain)
                seen.add(letter)
            else:
                self._doubt = False
        if unknown < len(text):
            self._doubt = False

    def _flag(self, entry: Entry, word: Word, *, certain: bool) -> None:
        self._add(Option(names=entry.names, word=word, certain=certain), entry, entry.names[0])
        if certain:
            self._ends(entry)

    def _valued(self, entry: Entry, word: Word, place: int, *, certain: bool) -> None:
        """Read a letter that takes the rest of the word."""
        text = word.text
        rest = cut(word, place) if place < len(text) else None
        if entry.takes in (ATTACHED, UNSURE) and rest is not None:
            # `-tf` gives -t a value it may not have: it may mean -t -f.
            names = self.level.names
            for other in dict.fromkeys(text[place : _unknown_from(word)]):
                if "-" + other in names:
                    found = names["-" + other]
                    self._add(Option(names=found.names, word=word, certain=False), found)
        if certain:
            self._described(entry, word, rest)
            return
        self._add(Option(names=entry.names, word=word, value=rest, certain=False), entry)
        self._doubt = self._doubt or rest is None

    def _whole(self, word: Word) -> bool:
        """Return a long name after one dash, of a program that has few of them (`perl -pe`, `strace -ff`)."""
        name, equals, _ = word.text.partition("=")
        entry = self.level.names.get(name)
        if entry is None or len(name) < 3 or _unknown_from(word) < len(name):
            return False
        self._described(entry, word, cut(word, len(name) + 1) if equals else None)
        return True

    def _single(self, word: Word) -> None:
        """Read a long name after one dash (`-name`, `-var=x`), or a letter with its value attached (`-Idir`)."""
        unknown = _unknown_from(word)
        equals = word.text.find("=", 1, unknown)
        dashes = 2 if word.text.startswith("--") else 1
        name = word.text[dashes:] if equals < 0 else word.text[dashes:equals]
        attached = None if equals < 0 else cut(word, equals + 1)
        names = self.level.names
        entry = names.get("-" + name)
        if entry is not None:
            self._described(entry, word, attached)
            return
        letter = names.get("-" + name[:1])
        if dashes == 1 and letter is not None and letter.takes != NONE and len(name) > 1:
            self._described(letter, word, cut(word, 2))
            return
        spelled = ("-" + name, "--" + name)
        self._doubt = attached is None
        if attached is not None and attached.known and attached.text in _FALSE:
            self._negation(spelled, word, attached)
            return
        certain = unknown >= len(word.text) or equals >= 0
        self._add(Option(names=spelled, word=word, value=attached, certain=certain), known_as=spelled[0])

    def _foreign(self, word: Word) -> None:
        """Read `-xyz` of an undescribed program: that option, or those letters."""
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
                self._add(Option(names=("-" + letter,), word=word, certain=False), known_as="-" + letter)
        self._unlisted(name, word, attached, certain=unknown >= len(name))

    def _kept(self) -> tuple[Option, ...]:
        """Return the options without those a later one takes back."""
        kept: list[Option] = []
        taken: set[str] = set()
        for one in reversed(self.given):
            if one.known_as in taken and one.option.certain:
                continue
            if one.back:
                taken.add(one.back)
            kept.append(one.option)
        kept.reverse()
        return tuple(kept)


def read(program: str, words: Sequence[Word]) -> Reading:
    """Return the options and operands among the words after a program's name (lower case, no directory, no `.exe`).

    A word that is not known is an operand unless it starts with `-`. A `--` is in neither. Where it is not known
    whether an option takes a value, the next word is a doubtful operand and that option's `value` as well.
    """
    return Parser(level(family(program)), words).run().reading()


def holds(reading: Reading, flag: str, fits: Callable[[str], bool] | None = None) -> tuple[Word, ...]:
    """Return the words that are or may be the option `flag`, in any spelling.

    With `fits`, only with a value that does.
    """
    return tuple(
        option.word
        for option in reading.options
        if flag in option.names and (fits is None or (option.value is not None and fits(option.value.text)))
    )


def certainly(reading: Reading, flag: str, fits: Callable[[str], bool] | None = None) -> tuple[Word, ...]:
    """Return what `holds` does, but only words that can be nothing else, with values that are known."""
    doubtful = {id(operand.word) for operand in reading.operands if operand.doubtful} if fits is not None else set()
    return tuple(
        option.word
        for option in reading.options
        # INVARIANT: an exception of a rule needs an option that is certain.
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

"""Words as written -> words as a program gets them: braces, tildes, variables, substitutions, splitting, quotes.

The order and the rules are those of bash's manual, "Shell Expansions". What is not known stays in a word as it was
written, and the word is not `known`.
"""

from __future__ import annotations

from rulez_py.analysis.bash import grammar, patterns
from rulez_py.analysis.bash.syntax import Arithmetic, Substitution, Text, Variable
from rulez_py.analysis.bash.world import UNDECIDED, UNKNOWN, joined
from rulez_py.analysis.programs.parts import in_quotes
from rulez_py.analysis.values import CODE, LIMIT, SOME, Data, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rulez_py.analysis.bash.syntax import Piece, Pieces, Written
    from rulez_py.analysis.bash.world import World
    from rulez_py.analysis.values import Names

    Substitute = Callable[[Substitution, World], Data]
    """Returns what a `$( )` prints; for `<( )` and `>( )` the name of the file that takes its place."""
    Doubt = Callable[[str, World], None]
    """Hears why it is unknown what an expansion would execute: a reason of OPAQUE."""
    Choose = Callable[[int], int]
    """Picks one of so many possibilities, all of which are tried; UNDECIDED where none can be picked."""
    Spend = Callable[[int], None]
    """Takes so many steps of those that there are; raises where there are no more."""
    Place = tuple[int, int]

MOST_WORDS = 256
"""What braces may make of one word; and the elements a list may give."""
CHARACTERS, _ITEMS = 512, 32
"""Of so many characters of a text, and elements of a list, going through them is one step."""
_LONGEST_BRACED = 2000
_NUMBERS = dict.fromkeys("$!?#", "0") | {"-": "hB", "0": "sh"}
_DEFAULTS = (":-", "-", ":=", "=", ":+", "+")
_LONGEST_OPEN, _LONGEST_REPLACED = 100, 20_000
_KNOWN = {"RANDOM": "0", "SECONDS": "0", "UID": "1000", "EUID": "1000", "PPID": "1", "LINENO": "1", "BASHPID": "1"}


_LONGEST_EVALUATED = 2_000
_COMPARISONS = ("-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v", "-R")
"""Operators of `[[ ]]` whose operands are expressions, or names that may have an index."""


class Expander:
    """Expands words in a world; `substitute` runs what is substituted."""

    def __init__(self, substitute: Substitute, doubt: Doubt, choose: Choose, spend: Spend) -> None:
        self._substitute = substitute
        self._doubt = doubt
        self._choose = choose
        self._spend = spend

    def words(self, written: Iterable[Written], world: World, place: Place | None) -> list[Word]:
        """Return all words of a command; `place` is their place where that is not where they were written."""
        found: list[Word] = []
        for one in written:
            found.extend(self._fields(one.pieces, world, place or (one.start, one.end)))
        return found

    def word(self, pieces: Pieces, world: World, place: Place = (0, 0), *, tilde: bool = True) -> Word:
        """Return one word, neither split nor made several by braces: an assignment's value, a redirection's target."""
        field = _Field()
        self._fill([field], _with_home(pieces, world) if tilde else pieces, world, splits=False)
        return field.word(place)

    def value(self, pieces: Pieces, world: World) -> Data:
        """Return one word as data: a pattern in it stays plain text, but for names that an expansion has left open."""
        field = _Field()
        self._fill([field], _with_home(pieces, world, assigned=True), world, splits=False)
        return field.data()

    def tested(self, pieces: Pieces, world: World) -> None:
        """Expand what is in `[[ ]]`."""
        self.word(pieces, world)
        if any(isinstance(piece, Text) and piece.text in _COMPARISONS for piece in pieces):
            self.evaluated_in(pieces, world)

    def evaluated_in(self, pieces: Pieces, world: World) -> None:
        """Hold the known parts of an expression, evaluated piece by piece."""
        for piece in pieces:
            if isinstance(piece, Text) or (isinstance(piece, Variable) and not piece.operator):
                one = self.word((piece,), world, tilde=False)
                if one.known:
                    self.evaluated(one.text, world)

    def prompted(self, text: str, world: World) -> Data:
        """Return a prompt (`PS4`, `${x@P}`): what is substituted in it happens."""
        word = self.word(grammar.pieces(text), world, tilde=False)
        return data_of(word) if "\\" not in text else data_of(word).replace(text=None)

    def evaluated(self, text: str, world: World) -> None:
        """Evaluate a text that bash reads as an expression, or as a name with an index.

        What is substituted in it happens, and so does what is in the values of the variables that it names, and of
        those that these name.
        """
        left, seen = [text], {text}
        while left:
            one = left.pop()
            if len(one) > _LONGEST_EVALUATED:
                # INVARIANT: an expression over the bound may run anything that bash expands in it: it is opaque.
                self._doubt(LIMIT, world)
                continue
            if "$" in one or "`" in one:
                self.word(grammar.pieces(one), world, tilde=False)
            for name in _names(one):
                for value in _texts(world.get(name)) if world.is_set(name) else ():
                    if value not in seen and not value.isdigit():
                        seen.add(value)
                        left.append(value)

    def computed(self, pieces: Pieces, world: World) -> Data:
        """Return the value of an arithmetic expression; what it assigns is set."""
        inner = self.word(pieces, world, tilde=False)
        if not inner.known:
            self.evaluated_in(pieces, world)
        elif is_volatile(pieces):
            self.evaluated(inner.text, world)
        text = self._number(inner.text if inner.known and not is_volatile(pieces) else None, world)
        return Data(text=text, origins=inner.data.origins, files=inner.data.files)

    def _number(self, expression: str | None, world: World) -> str | None:
        if expression is None:
            return None
        from rulez_py.analysis.bash import arithmetic

        self.evaluated(expression, world)

        def read(name: str) -> str | None:
            value = _scalar(world.get(name))
            return "0" if value is None else value.text

        def write(name: str, number: int | None) -> None:
            world.set(name, UNKNOWN if number is None else Data(text=str(number)))

        found = arithmetic.computed(expression, read, write)
        return None if found is None else str(found)

    def _fields(self, pieces: Pieces, world: World, place: Place) -> list[Word]:
        if len(pieces) == 1 and isinstance(pieces[0], Text):
            text = pieces[0]
            if text.quoted or not any(char in text.text for char in "{~*?[("):
                return [Word(text=text.text, at=place)]
        found: list[Word] = []
        made = _braces(pieces)
        self._spend(len(made) - 1)
        # INVARIANT: words that braces make past the bound are one unknown word.
        if len(made) >= MOST_WORDS:
            found.append(Word(text="{...}", known=False, at=place))
        for braced in made:
            fields = [_Field()]
            self._fill(fields, _with_home(braced, world), world, splits=True)
            found.extend(field.word(place) for field in fields if field.exists)
        return found

    def _fill(self, fields: list[_Field], pieces: Pieces, world: World, *, splits: bool) -> None:
        """Put pieces at the end of the last field; more fields follow where one of them is split."""
        for piece in pieces:
            if isinstance(piece, Text):
                fields[-1].add(piece.text, quoted=piece.quoted)
            elif isinstance(piece, Variable):
                self._fill_variable(fields, piece, world, splits=splits)
            elif isinstance(piece, Arithmetic):
                fields[-1].put(self.computed(piece.pieces, world), piece.raw, quoted=piece.quoted)
            else:
                data = self._substitute(piece, world)
                if piece.direction:
                    fields[-1].put(data, piece.raw, quoted=True)
                    continue
                if data.text is not None:
                    data = data.replace(text=data.text.rstrip("\n").replace("\0", ""))
                self._put(fields, data, piece.raw, world, quoted=piece.quoted or not splits)

    def _flagged(self, piece: Variable, world: World) -> Data:
        """Return the value of zsh's `${(e)name}` or `${(P)name}`; with other flags it is unknown."""
        word = self.word((piece.replace(flags="", quoted=True),), world, tilde=False)
        if "e" in piece.flags and word.known:
            return self.prompted(word.text, world)
        if "P" in piece.flags and word.known:
            return _scalar(world.get(word.text)) or UNKNOWN
        if "e" in piece.flags and world.is_set(piece.name):
            self._doubt(CODE, world)
        return UNKNOWN

    def _fill_variable(self, fields: list[_Field], piece: Variable, world: World, *, splits: bool) -> None:
        if piece.flags:
            fields[-1].put(self._flagged(piece, world), piece.raw, quoted=piece.quoted)
            return
        values, kind = self._elements(piece, world)
        if piece.operator in _DEFAULTS:
            values, operand = self._defaulted(piece, values, kind, world)
            for one in operand:
                if isinstance(one, Text) and not one.quoted:
                    self._put(fields, Data(text=one.text), one.text, world, quoted=not splits)
                else:
                    self._fill(fields, (one,), world, splits=splits)
        if kind and (piece.quoted or not splits) and not (kind == "@" and splits):
            fields[-1].add("", quoted=True)
            between = separators_of(world)[:1] if kind == "*" else " "
            for number, data in enumerate(values):
                if number and between:
                    fields[-1].add(between, quoted=True)
                fields[-1].put(data, piece.raw, quoted=True)
            return
        if piece.quoted and not kind:
            fields[-1].add("", quoted=True)
        for number, data in enumerate(values):
            if number:
                fields.append(_Field())
            if kind and piece.quoted:
                fields[-1].put(data, piece.raw, quoted=True)
            else:
                self._put(fields, data, piece.raw, world, quoted=piece.quoted or not splits)

    def _put(self, fields: list[_Field], data: Data, raw: str, world: World, *, quoted: bool) -> None:
        if quoted or data.text is None or data.glob:
            fields[-1].put(data, raw, quoted=quoted)
            return
        self._spend(len(data.text) // CHARACTERS)
        for part, end in _split(data.text, separators_of(world)):
            if data.origins or data.files:
                fields[-1].put(data.replace(text=part), raw, quoted=False)
            elif part:
                fields[-1].add(part, quoted=False)
            if end == "empty":
                fields[-1].exists = True
            if end:
                fields.append(_Field())

    # Variables.

    def _elements(self, piece: Variable, world: World) -> tuple[list[Data], str]:
        """Return the values of a variable, and "@" or "*" as written where it is a list."""
        name, index = piece.name, piece.index
        kind = name if name in ("@", "*") else ""
        if index is not None and _is_all(index, "@*"):
            kind = index[0].text if isinstance(index[0], Text) else ""
        if piece.indirect:
            if piece.operator == "@" or _plain(piece.operand) == "*":
                return [UNKNOWN], "@"
            if kind:
                value = world.get(name)
                keys = list(value) if isinstance(value, dict) else ["0"]
                return ([UNKNOWN] if value == UNKNOWN else [Data(text=key) for key in _ordered(keys)]), kind
            target = _scalar(world.get(name))
            text = target.text if target is not None else None
            if not text or text[0] in "!#{":
                return [UNKNOWN], ""
            (inner, *others) = grammar.pieces("${" + text + "}")
            if others or not isinstance(inner, Variable) or inner.operator:
                return [UNKNOWN], ""
            piece = inner.replace(operator=piece.operator, operand=piece.operand, quoted=piece.quoted)
            return self._elements(piece, world)
        values = self._all(name, piece, world)
        if piece.length:
            if kind:
                return [Data(text=str(len(values))) if _are_certain(values) else UNKNOWN], ""
            first = values[0] if values else None
            text = "" if first is None else first.text if not first.glob else None
            return [Data(text=str(len(text))) if text is not None else UNKNOWN], ""
        if piece.operator == ":" and kind:
            return self._sliced(name, values, piece, world), kind
        if piece.operator and piece.operator not in _DEFAULTS:
            values = [self._operated(value, piece, world) for value in values]
        return [value for value in values if value is not None], kind

    def _all(self, name: str, piece: Variable, world: World) -> Sequence[Data | None]:
        if name in ("@", "*"):
            return [data_of(word) for word in world.arguments[1:]]
        if name.isdigit():
            number = int(name)
            before = [data_of(word) for word in world.arguments[1:number]]
            if number < len(world.arguments):
                return [data_of(world.arguments[number]) if _are_certain(before) else UNKNOWN]
            if number == 0:
                return [Data(text="sh")]
            return [None if world.arguments and _are_certain(before) else UNKNOWN]
        if name == "#":
            given = [data_of(word) for word in world.arguments[1:]]
            return [Data(text=str(len(given))) if _are_certain(given) else UNKNOWN]
        if name in _NUMBERS:
            return [Data(text=_NUMBERS[name])]
        if name in _KNOWN and not world.is_set(name):
            return [Data(text=_KNOWN[name])]
        value = world.get(name)
        if piece.index is not None and isinstance(value, dict):
            self._spend(len(value) // _ITEMS)
            if _is_all(piece.index, "@*"):
                items = [value[key] for key in _ordered(value)]
                # INVARIANT: items of a list past the bound are one unknown value.
                return items if len(items) <= MOST_WORDS else [*items[:MOST_WORDS], mixed_of(items[MOST_WORDS:])]
            key = self.value(piece.index, world).text
            return [self._item(value, None if is_volatile(piece.index) else key, world)]
        if piece.index is not None and not _is_all(piece.index, "@*"):
            # What is expanded in it happens, whatever it gives.
            self.evaluated(self.value(piece.index, world).text or "", world)
        return [_scalar(value)] if value is not None or not (piece.index and _is_all(piece.index, "@*")) else []

    def _item(self, items: dict[str, Data], key: str | None, world: World) -> Data | None:
        if key is None or "?" in items:
            return mixed_of(items.values())
        plain = key.strip("'\"")
        if plain in items:
            return items[plain]
        if not all(name.isdigit() for name in items):
            return None
        number = self._number(plain, world)
        if number is None:
            return mixed_of(items.values())
        if number.startswith("-") and items:
            number = str(max(map(int, items)) + 1 + int(number))
        return items.get(number)

    def _sliced(self, name: str, values: Sequence[Data | None], piece: Variable, world: World) -> list[Data]:
        """Return the values of `${@:start:length}` or `${list[@]:start:length}`."""
        kept = [value for value in values if value is not None]
        numbers = self._bounds(piece.operand, world)
        if not _are_certain(kept) or numbers is None:
            return [UNKNOWN]
        start, length = numbers
        if name in ("@", "*"):
            kept = [data_of(world.arguments[0]) if world.arguments else Data(text="sh"), *kept]
        start = max(len(kept) + start, 0) if start < 0 else start
        return kept[start:] if length is None else kept[start : start + max(length, 0)]

    def _bounds(self, operand: Pieces, world: World) -> tuple[int, int | None] | None:
        """Return the numbers in `start:length`."""
        text = self.value(operand, world).text
        if text is None:
            return None
        first, colon, second = text.partition(":")
        start, length = self._number(first, world), self._number(second, world)
        if start is None or length is None:
            return None
        return int(start), int(length) if colon else None

    def _defaulted(
        self, piece: Variable, values: list[Data], kind: str, world: World
    ) -> tuple[list[Data], Sequence[Piece]]:
        """Return the values of `${name:-operand}` and its like, or else the operand that takes their place."""
        operator, name = piece.operator, piece.name
        value = values[0] if values else None
        empty = ":" in operator and len(values) == 1 and value is not None and value.text == ""
        operand = _with_home(piece.operand, world)
        if operator in (":+", "+"):
            if value is None or empty:
                return [], ()
            if value.text is None and not kind and not world.is_set(name):
                # It may be set where this begins, or not.
                chosen = self._choose(2)
                return ([UNKNOWN], ()) if chosen == UNDECIDED else ([], () if chosen else operand)
            return [], operand
        known = value is not None and (value.text is not None or world.is_set(name) or bool(value.glob))
        if known and not empty:
            return values, ()
        if "=" in operator:
            world.set(name, self.value(operand, world))
            given = _scalar(world.get(name))
            return [given] if given is not None else [], ()
        return [], operand

    def _operated(self, value: Data | None, piece: Variable, world: World) -> Data | None:
        operator, operand = piece.operator, piece.operand
        if operator in (":?", "?"):
            self.value(operand, world)
            return value
        if operator == "@" and _plain(operand) == "P" and value is not None:
            if value.text is not None:
                return self.prompted(value.text, world)
            if world.is_set(piece.name):
                self._doubt(CODE, world)
        if value is None or value.text is None:
            # What is expanded in the operand, and what its numbers evaluate, happens all the same.
            if operator == ":":
                self._bounds(operand, world)
            else:
                self.value(operand, world)
            return value
        self._spend(len(value.text) // CHARACTERS)
        if value.glob:
            self.value(operand, world)
            return value.replace(text=None, glob="")
        text = value.text
        if operator in ("#", "##", "%", "%%"):
            pattern = self._pattern(operand, world)
            if pattern is None:
                return value.replace(text=None)
            longest, at_end = len(operator) == 2, operator[0] == "%"
            return value.replace(text=patterns.removed(text, pattern, longest=longest, at_end=at_end))
        if operator[0] == "/":
            return value.replace(text=self._replaced(text, operator, operand, world))
        if operator in ("^", "^^", ",", ",,"):
            if operand:
                return value.replace(text=None)
            change = str.upper if operator[0] == "^" else str.lower
            return value.replace(text=change(text) if len(operator) == 2 else change(text[:1]) + text[1:])
        if operator == ":":
            numbers = self._bounds(operand, world)
            return value.replace(text=None if numbers is None else _slice(text, *numbers))
        if operator == "@":
            transformed = _TRANSFORMED.get(_plain(operand))
            return value.replace(text=None if transformed is None else transformed(text))
        return value

    def _pattern(self, pieces: Pieces, world: World) -> str | None:
        field = _Field()
        self._fill([field], pieces, world, splits=False)
        word = field.word((0, 0))
        return (word.glob or patterns.escaped(word.text)) if word.known else None

    def _replaced(self, text: str, operator: str, operand: Pieces, world: World) -> str | None:
        before, after = _parted(operand)
        pattern, replacement = self._pattern(before, world), self.value(after, world).text
        if pattern is None or replacement is None:
            return None
        if len(text) > (_LONGEST_OPEN if patterns.is_open(pattern) else _LONGEST_REPLACED):
            return None
        if operator in ("/#", "/%"):
            rest = patterns.removed(text, pattern, longest=True, at_end=operator == "/%")
            if rest == text and not patterns.fits(pattern, ""):
                return text
            return replacement + rest if operator == "/#" else rest + replacement
        return patterns.replaced(text, pattern, replacement, every=operator == "//")


class _Field:
    """A word while it is put together."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._glob: list[str] = []
        self._is_glob = False
        self._stands_open = False
        self._known = True
        self._data: list[Data] = []
        self._named: list[tuple[int, Data]] = []
        self.exists = False

    def add(self, text: str, *, quoted: bool) -> None:
        self._text.append(text)
        if quoted:
            self._glob.append(patterns.escaped(text))
        else:
            self._glob.append(patterns.plainer(text.replace("\\", "\\\\")))
            self._is_glob = self._is_glob or patterns.is_pattern(text)
        self.exists = self.exists or quoted or bool(text)

    def put(self, data: Data, raw: str, *, quoted: bool) -> None:
        """Hold what an expansion gave."""
        if data.text is None:
            # INVARIANT: a word is unknown where any part of it is.
            self._known = False
            self._named.append((len(self._text), data))
            self._text.append(raw)
            self._glob.append("*")
            self.exists = True
        elif data.glob:
            self._text.append(data.text)
            self._glob.append(data.glob)
            self._is_glob = self._stands_open = self.exists = True
        else:
            self.add(data.text, quoted=quoted)
        if data.origins or data.files:
            self._data.append(data.replace(text=None, shown=""))

    def word(self, place: Place) -> Word:
        text = "".join(self._text)
        glob = "".join(self._glob) if self._is_glob else ""
        names = self._names()
        if self._data or names:
            return Word(text=text, known=self._known, glob=glob, at=place, data=joined(self._data).replace(names=names))
        return Word(text=text, known=self._known, glob=glob, at=place)

    def _names(self) -> tuple[Names, ...]:
        """Return the files that the word may be: those whose names it is made of, where all else of it is known."""
        if len(self._named) != 1 or not self._named[0][1].names:
            return ()
        place, data = self._named[0]
        before, behind = "".join(self._text[:place]), "".join(self._text[place + 1 :])
        return tuple(one for names in data.names for one in within(before, names, behind))

    def data(self) -> Data:
        """Return the word as data; what looks like a pattern but was not expanded as one stays plain."""
        data = data_of(self.word((0, 0)))
        return data if self._stands_open or not data.glob else data.replace(glob="")


def is_volatile(pieces: Pieces) -> bool:
    """Tell if something in it has another number as its value each time."""
    return any(isinstance(piece, Variable) and (piece.name in _NUMBERS or piece.name in _KNOWN) for piece in pieces)


def data_of(word: Word) -> Data:
    """Return a word that a program got, as data."""
    if word.known:
        return Data(text=word.text, origins=word.data.origins, files=word.data.files, glob=word.glob)
    return Data(origins=word.data.origins, files=word.data.files, shown=word.text, names=word.data.names)


def within(before: str, names: Names, behind: str) -> tuple[Names, ...]:
    """Return the files of names with text around them; nothing where these are unknown."""
    if before and (not before.endswith("/") or names.directory.startswith("/")):
        return ()
    directory = f"{before}{names.directory.lstrip('/')}" if before else names.directory
    if behind.startswith("/") and names.pattern not in ("", SOME):
        # One of the names is a directory.
        place, _, last = behind.rpartition("/")
        inside = f"{directory.rstrip('/')}/{names.pattern}" if directory else names.pattern
        return (names.replace(directory=inside + place, pattern=last or SOME),)
    if behind.startswith("/") and names.pattern == SOME:
        return ()
    return (names.replace(directory=directory, pattern=SOME if behind else names.pattern),)


def mixed_of(values: Iterable[Data]) -> Data:
    """Return one of several values; which one is unknown."""
    return joined((*values, UNKNOWN))


def _names(text: str) -> Iterable[str]:
    """Return what in a text may be the name of a variable."""
    parts = "".join(char if char.isalnum() or char == "_" else " " for char in text).split()
    return dict.fromkeys(part for part in parts if not part[0].isdigit())


def _texts(value: Data | dict[str, Data] | None) -> list[str]:
    """Return the texts in a variable's value."""
    values = value.values() if isinstance(value, dict) else () if value is None else (value,)
    return [data.text for data in values if data.text]


def _scalar(value: Data | dict[str, Data] | None) -> Data | None:
    if isinstance(value, dict):
        return value.get("0")
    return value


def _is_all(index: Pieces, chars: str) -> bool:
    return len(index) == 1 and isinstance(index[0], Text) and index[0].text in tuple(chars)


def separators_of(world: World) -> str:
    """Return the characters that separate words (`IFS`)."""
    if not world.is_set("IFS"):
        return " \t\n"
    value = _scalar(world.get("IFS"))
    return " \t\n" if value is None or value.text is None else value.text


def _split(text: str, separators: str) -> list[tuple[str, str]]:
    """Split a text by bash's "Word Splitting": each part, and how a word ends there ("end", "empty" or not)."""
    blanks = "".join(char for char in separators if char in " \t\n")
    if len(separators) == len(blanks):
        for char in blanks:
            text = text.replace(char, "\0")
        return _ended([part for part in text.split("\0") if part], text) if blanks else [(text, "")]
    found: list[tuple[str, str]] = []
    at = start = 0
    while at < len(text):
        if text[at] not in separators:
            at += 1
            continue
        part = text[start:at]
        while at < len(text) and text[at] in blanks:
            at += 1
        hard = at < len(text) and text[at] in separators
        at += hard
        while at < len(text) and text[at] in blanks:
            at += 1
        found.append((part, "empty" if hard else "end"))
        start = at
    return [*found, (text[start:], "")]


def _ended(parts: list[str], text: str) -> list[tuple[str, str]]:
    """Return words between zeros; a zero at an end keeps a neighbour apart."""
    if not parts:
        return [("", "end" if text else "")]
    found = [("", "end")] if text[0] == "\0" else []
    found += [(part, "end") for part in parts[:-1]]
    return [*found, (parts[-1], "end" if text[-1] == "\0" else "")]


def _with_home(pieces: Pieces, world: World, *, assigned: bool = False) -> Pieces:
    """Fill in a leading `~`, and one after `name=`, or where pieces are `assigned`, after `:`."""
    if not pieces or not isinstance(pieces[0], Text) or pieces[0].quoted or "~" not in pieces[0].text:
        return pieces
    first = pieces[0].text
    if assigned and ":" in first:
        head, _, tail = first.rpartition(":")
        parts = (_with_home((Text(text=part),), world) for part in head.split(":"))
        heads = (piece for part in parts for piece in (*part, Text(text=":")))
        return (*heads, *_with_home((Text(text=tail), *pieces[1:]), world))
    if not first.startswith("~"):
        name, found, rest = first.partition("=~")
        if not found or not name.isidentifier():
            return pieces
        return (Text(text=f"{name}="), *_with_home((Text(text=f"~{rest}"), *pieces[1:]), world))
    user, slash, rest = first[1:].partition("/")
    if not slash and len(pieces) > 1:
        return pieces
    if user == "":
        home = world.home
    elif user == "+":
        home = world.cwd
    elif user == "-":
        return (Variable(name="OLDPWD", raw="~-", quoted=True), Text(text=slash + rest), *pieces[1:])
    else:
        home = "/root" if user == "root" else f"{'/Users' if world.home.startswith('/Users/') else '/home'}/{user}"
    return (Text(text=home, quoted=True), Text(text=slash + rest), *pieces[1:])


def _parted(pieces: Pieces) -> tuple[Pieces, Pieces]:
    """Return the pieces before the first slash, and those after it."""
    for number, piece in enumerate(pieces):
        if isinstance(piece, Text) and not piece.quoted and "/" in piece.text:
            before, _, after = piece.text.partition("/")
            head, tail = piece.replace(text=before), piece.replace(text=after)
            return (*pieces[:number], head), (tail, *pieces[number + 1 :])
    return pieces, ()


def _slice(text: str, start: int, length: int | None) -> str:
    """Return the part of a text that `${name:start:length}` takes."""
    start = max(len(text) + start, 0) if start < 0 else start
    if length is None:
        return text[start:]
    return text[start : start + length] if length >= 0 else text[start:length]


def _plain(pieces: Pieces) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, Text))


def _ordered(keys: Iterable[str]) -> list[str]:
    """Return the keys of a list in the order of their numbers; those of a map as they are."""
    keys = list(keys)
    return sorted(keys, key=int) if all(key.isdigit() and key.isascii() for key in keys) else keys


def _are_certain(values: Iterable[Data | None]) -> bool:
    """Tell if it is known how many words these are."""
    return all(value is None or (value.text is not None and not value.glob) for value in values)


_TRANSFORMED: dict[str, Callable[[str], str]] = {
    "Q": in_quotes,
    "K": in_quotes,
    "k": in_quotes,
    "U": str.upper,
    "L": str.lower,
    "u": lambda text: text[:1].upper() + text[1:],
    "E": grammar.unescaped,
}


# Braces.


def _braces(pieces: Pieces) -> Sequence[Pieces]:
    """Return the words that the braces of one word make."""
    if not any(isinstance(piece, Text) and not piece.quoted and "{" in piece.text for piece in pieces):
        return [pieces]
    if sum(len(piece.text) if isinstance(piece, Text) else 1 for piece in pieces) > _LONGEST_BRACED:
        return [(Variable(name="{}", raw="{...}"),)]
    atoms: list[str | Piece] = []
    for piece in pieces:
        if isinstance(piece, Text) and not piece.quoted:
            atoms.extend(piece.text)
        else:
            atoms.append(piece)
    made = _expanded(atoms, 0)
    return [_together(one) for one in made]


def _expanded(atoms: list[str | Piece], depth: int) -> list[list[str | Piece]]:
    start = next((at for at, atom in enumerate(atoms) if atom == "{"), -1)
    if start < 0:
        return [atoms]
    if depth > 8:
        return [[*atoms[:start], Variable(name="{}", raw="{...}")]]
    level, commas, stop = 0, [], -1
    for at in range(start, len(atoms)):
        atom = atoms[at]
        if atom == "{":
            level += 1
        elif atom == "}":
            level -= 1
            if not level:
                stop = at
                break
        elif atom == "," and level == 1:
            commas.append(at)
    head = atoms[:start]
    inside = atoms[start + 1 : stop] if stop > 0 else []
    choices: list[list[str | Piece]] = []
    if stop > 0 and commas:
        edges = [start, *commas, stop]
        for number, right in enumerate(edges[1:]):
            choices.extend(_expanded(atoms[edges[number] + 1 : right], depth + 1))
    elif stop > 0 and all(isinstance(atom, str) for atom in inside):
        choices = [list(one) for one in _sequence("".join(atom for atom in inside if isinstance(atom, str)))]
    if not choices:
        # Not a brace expansion: the brace is plain.
        rest = _expanded(atoms[start + 1 :], depth + 1)
        return [[*head, "{", *tail] for tail in rest]
    tails = _expanded(atoms[stop + 1 :], depth + 1)
    made = [[*head, *choice, *tail] for choice in choices[:MOST_WORDS] for tail in tails]
    return made[:MOST_WORDS]


def _sequence(text: str) -> list[str]:
    """Return the words of `a..e` or `1..9..2`; nothing for other texts."""
    first, dots, rest = text.partition("..")
    last, _, step = rest.partition("..")
    if not dots:
        return []
    try:
        pace = max(abs(int(step)), 1) if step else 1
        if len(first) == len(last) == 1 and first.isalpha() and last.isalpha():
            low, high = ord(first), ord(last)
            return [chr(code) for code in _between(low, high, pace)]
        padded = any(end.lstrip("-")[:1] == "0" and len(end.lstrip("-")) > 1 for end in (first, last))
        width = max(len(first), len(last)) if padded else 0
        return [str(number).zfill(width) for number in _between(int(first), int(last), pace)]
    except ValueError:
        return []


def _between(first: int, last: int, pace: int) -> Iterable[int]:
    numbers = range(first, last + 1, pace) if first <= last else range(first, last - 1, -pace)
    return numbers[:MOST_WORDS]


def _together(atoms: list[str | Piece]) -> Pieces:
    found: list[Piece] = []
    plain: list[str] = []
    for atom in atoms:
        if isinstance(atom, str):
            last = found[-1] if found and not plain else None
            if isinstance(last, Variable) and last.raw == "$" + last.name and (atom.isalnum() or atom == "_"):
                # Braces are expanded first: `$X{1,2}` is `$X1 $X2`.
                found[-1] = last.replace(name=last.name + atom, raw=last.raw + atom)
            else:
                plain.append(atom)
            continue
        if plain:
            found.append(Text(text="".join(plain)))
            plain = []
        found.append(atom)
    if plain:
        found.append(Text(text="".join(plain)))
    return tuple(found)

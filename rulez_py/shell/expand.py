"""Words as written -> words as a program gets them: braces, tildes, variables, substitutions, splitting, quotes.

The order and the rules are those of bash's manual, "Shell Expansions". What is not known stays in a word as it was
written, and the word is not `known`.
"""

from __future__ import annotations

from rulez_py.shell import patterns
from rulez_py.shell.state import NOTHING, UNKNOWN, joined
from rulez_py.shell.syntax import Arithmetic, Substitution, Text, Variable
from rulez_py.shell.values import Data, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rulez_py.shell.state import State
    from rulez_py.shell.syntax import Piece, Pieces, Written

    Substitute = Callable[[Substitution, State], Data]
    """What a `$( )` prints, or for `<( )` and `>( )` the name of the file it stands for."""
    Place = tuple[int, int]

MOST_WORDS = 256
"""What braces may make of one word; and the elements a list may give."""
_LONGEST_BRACED = 2000
_NUMBERS = dict.fromkeys("$!?#", "0") | {"-": "hB", "0": "sh"}
_KNOWN = {"RANDOM": "0", "SECONDS": "0", "UID": "1000", "EUID": "1000", "PPID": "1", "LINENO": "1", "BASHPID": "1"}


class Expander:
    """Expands words in a state; `substitute` runs what is substituted."""

    def __init__(self, substitute: Substitute) -> None:
        self._substitute = substitute

    def words(self, written: Iterable[Written], state: State, place: Place | None) -> list[Word]:
        """All words of a command; `place` is where they stand, where that is not where they were written."""
        found: list[Word] = []
        for one in written:
            found.extend(self._fields(one.pieces, state, place or (one.start, one.end)))
        return found

    def word(self, pieces: Pieces, state: State, place: Place = (0, 0), *, tilde: bool = True) -> Word:
        """One word, neither split nor made several by braces: an assignment's value, a redirection's target."""
        field = _Field()
        self._fill([field], _with_home(pieces, state) if tilde else pieces, state, splits=False)
        return field.word(place)

    def value(self, pieces: Pieces, state: State) -> Data:
        """The same as data."""
        return data_of(self.word(pieces, state))

    def _fields(self, pieces: Pieces, state: State, place: Place) -> list[Word]:
        if len(pieces) == 1 and isinstance(pieces[0], Text):
            text = pieces[0]
            if text.quoted or not any(sign in text.text for sign in "{~*?["):
                return [Word(text=text.text, at=place)]
        found: list[Word] = []
        made = _braces(pieces)
        if len(made) >= MOST_WORDS:
            found.append(Word(text="{...}", known=False, at=place))
        for braced in made:
            fields = [_Field()]
            self._fill(fields, _with_home(braced, state), state, splits=True)
            found.extend(field.word(place) for field in fields if field.exists)
        return found

    def _fill(self, fields: list[_Field], pieces: Pieces, state: State, *, splits: bool) -> None:
        """Put pieces behind the last field; more fields follow where one of them is split."""
        for piece in pieces:
            if isinstance(piece, Text):
                fields[-1].add(piece.text, quoted=piece.quoted)
            elif isinstance(piece, Variable):
                values, several = self._values(piece, state)
                if several and piece.quoted and splits:
                    for number, data in enumerate(values):
                        if number:
                            fields.append(_Field())
                        fields[-1].put(data, piece.raw, quoted=True)
                    continue
                for number, data in enumerate(values):
                    if number and not splits:
                        fields[-1].add(" ", quoted=True)
                    elif number:
                        fields.append(_Field())
                    self._put(fields, data, piece.raw, state, quoted=piece.quoted or not splits)
            elif isinstance(piece, Arithmetic):
                inner = self.word(piece.pieces, state, tilde=False)
                number_text = _computed(inner.text) if inner.known else None
                data = Data(text=number_text, origins=inner.data.origins, files=inner.data.files)
                fields[-1].put(data, piece.raw, quoted=piece.quoted)
            else:
                data = self._substitute(piece, state)
                if piece.direction:
                    fields[-1].put(data, piece.raw, quoted=True)
                    continue
                if data.text is not None:
                    data = data.replace(text=data.text.rstrip("\n").replace("\0", ""))
                self._put(fields, data, piece.raw, state, quoted=piece.quoted or not splits)

    def _put(self, fields: list[_Field], data: Data, raw: str, state: State, *, quoted: bool) -> None:
        if quoted or data.text is None:
            fields[-1].put(data, raw, quoted=quoted)
            return
        separators = _separators(state)
        parts = _split(data.text, separators)
        for number, part in enumerate(parts):
            if number:
                fields.append(_Field())
            if part or data.origins or data.files:
                fields[-1].put(data.replace(text=part), raw, quoted=False)

    # Variables.

    def _values(self, piece: Variable, state: State) -> tuple[list[Data], bool]:
        """What a variable stands for; whether it may be several words even in double quotes."""
        name = piece.name
        if piece.indirect:
            target = _scalar(state.get(name))
            name = target.text or "" if target is not None else ""
            if not name:
                return [UNKNOWN], False
        several = name == "@" or (piece.index is not None and _is_all(piece.index, "@"))
        values = self._all(name, piece, state)
        if piece.length:
            known = [value for value in values if value is not None and value.text is not None]
            if piece.index is not None and _is_all(piece.index, "@*"):
                return [Data(text=str(len(values)))], False
            return [Data(text=str(len(known[0].text or ""))) if known else UNKNOWN], False
        if piece.operator:
            done = [self._operated(value, name, piece, state) for value in (values or [None])]
            return [value for value in done if value is not None], several
        return [value for value in values if value is not None], several

    def _all(self, name: str, piece: Variable, state: State) -> Sequence[Data | None]:
        if name in ("@", "*"):
            return [data_of(word) for word in state.arguments[1:]]
        if name.isdigit():
            number = int(name)
            if number < len(state.arguments):
                return [data_of(state.arguments[number])]
            if number == 0:
                return [Data(text="sh")]
            return [None if state.arguments else UNKNOWN]
        if name == "#":
            return [Data(text=str(max(len(state.arguments) - 1, 0)))]
        if name in _NUMBERS:
            return [Data(text=_NUMBERS[name])]
        if name in _KNOWN and not state.is_set(name):
            return [Data(text=_KNOWN[name])]
        value = state.get(name)
        if piece.index is not None and not isinstance(value, Data | None):
            if _is_all(piece.index, "@*"):
                return list(value.values())[:MOST_WORDS]
            key = self.value(piece.index, state).text
            if key is None:
                return [mixed_of(value.values())]
            return [value.get(key.strip("'\""))]
        return [_scalar(value)]

    def _operated(self, value: Data | None, name: str, piece: Variable, state: State) -> Data | None:
        operator, operand = piece.operator, piece.operand
        if operator in (":-", "-", ":=", "="):
            if value is not None and value.text is not None and (value.text or operator in ("-", "=")):
                return value
            if value is not None and value.text is None and state.is_set(name):
                return value
            default = self.value(operand, state)
            if "=" in operator:
                state.set(name, default)
            return default
        if operator in (":+", "+"):
            unset = value is None or (operator == ":+" and value.text == "")
            return NOTHING if unset else self.value(operand, state)
        if operator in (":?", "?"):
            return value
        if value is None:
            return None
        if value.text is None:
            return value
        text = value.text
        if operator in ("#", "##", "%", "%%"):
            pattern = self._pattern(operand, state)
            if pattern is None:
                return value.replace(text=None)
            longest, at_end = len(operator) == 2, operator[0] == "%"
            return value.replace(text=patterns.removed(text, pattern, longest=longest, at_end=at_end))
        if operator[0] == "/":
            return value.replace(text=self._replaced(text, operator, operand, state))
        if operator in ("^", "^^", ",", ",,"):
            change = str.upper if operator[0] == "^" else str.lower
            return value.replace(text=change(text) if len(operator) == 2 else change(text[:1]) + text[1:])
        if operator == ":":
            return value.replace(text=_slice(text, self.value(operand, state).text))
        if operator == "@" and self.value(operand, state).text in ("Q", "K", "k"):
            quoted = text.replace("'", "'\\''")
            return value.replace(text=f"'{quoted}'")
        return value

    def _pattern(self, pieces: Pieces, state: State) -> str | None:
        field = _Field()
        self._fill([field], pieces, state, splits=False)
        word = field.word((0, 0))
        return (word.glob or patterns.escaped(word.text)) if word.known else None

    def _replaced(self, text: str, operator: str, operand: Pieces, state: State) -> str | None:
        before, after = _parted(operand)
        pattern, replacement = self._pattern(before, state), self.value(after, state).text
        if pattern is None or replacement is None:
            return None
        if patterns.is_pattern(pattern.replace("\\*", "").replace("\\?", "").replace("\\[", "")):
            if operator == "//" or len(text) > 1000:
                return None
            for start in range(len(text)):
                for stop in range(len(text), start, -1):
                    if patterns.fits(pattern, text[start:stop]):
                        return text[:start] + replacement + text[stop:]
            return text
        plain = _unescaped(pattern)
        if not plain:
            return text
        if operator == "/#":
            return replacement + text[len(plain) :] if text.startswith(plain) else text
        if operator == "/%":
            return text[: -len(plain)] + replacement if text.endswith(plain) else text
        return text.replace(plain, replacement, -1 if operator == "//" else 1)


class _Field:
    """A word while it is put together."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._glob: list[str] = []
        self._is_glob = False
        self._known = True
        self._data: list[Data] = []
        self.exists = False

    def add(self, text: str, *, quoted: bool) -> None:
        self._text.append(text)
        if quoted:
            self._glob.append(patterns.escaped(text))
        else:
            self._glob.append(text.replace("\\", "\\\\"))
            self._is_glob = self._is_glob or patterns.is_pattern(text)
        self.exists = self.exists or quoted or bool(text)

    def put(self, data: Data, raw: str, *, quoted: bool) -> None:
        """What an expansion gave."""
        if data.text is None:
            self._known = False
            self._text.append(raw)
            self._glob.append("*")
            self.exists = True
        else:
            self.add(data.text, quoted=quoted)
        if data.origins or data.files:
            self._data.append(data.replace(text=None, shown=""))

    def word(self, place: Place) -> Word:
        text = "".join(self._text)
        glob = "".join(self._glob) if self._is_glob else ""
        if self._data:
            return Word(text=text, known=self._known, glob=glob, at=place, data=joined(self._data))
        return Word(text=text, known=self._known, glob=glob, at=place)


def data_of(word: Word) -> Data:
    """A word as data."""
    if word.known:
        return Data(text=word.text, origins=word.data.origins, files=word.data.files)
    return Data(origins=word.data.origins, files=word.data.files, shown=word.text)


def mixed_of(values: Iterable[Data]) -> Data:
    """One of several values, nobody knows which."""
    return joined((*values, UNKNOWN))


def _scalar(value: Data | dict[str, Data] | None) -> Data | None:
    if isinstance(value, dict):
        return value.get("0")
    return value


def _is_all(index: Pieces, signs: str) -> bool:
    return len(index) == 1 and isinstance(index[0], Text) and index[0].text in tuple(signs)


def _separators(state: State) -> str:
    if not state.is_set("IFS"):
        return " \t\n"
    value = _scalar(state.get("IFS"))
    return " \t\n" if value is None or value.text is None else value.text


def _split(text: str, separators: str) -> list[str]:
    """A text split as bash's "Word Splitting" says."""
    if not separators:
        return [text]
    blanks = "".join(sign for sign in separators if sign in " \t\n")
    others = "".join(sign for sign in separators if sign not in " \t\n")
    for sign in others:
        text = text.replace(sign, "\0")
    for sign in blanks:
        text = text.replace(sign, " ")
    if not others:
        parts = text.split(" ") if blanks else [text]
        kept = [part for part in parts if part]
        if not kept:
            return [""]
        # A blank at an end keeps a neighbour apart.
        return [*([""] if parts[0] == "" else []), *kept, *([""] if parts[-1] == "" else [])]
    parts = [part.strip(" ") for part in text.split("\0")]
    if parts and parts[-1] == "" and len(parts) > 1:
        parts.pop()
    return [piece for part in parts for piece in (part.split() if blanks else [part]) or [""]]


def _with_home(pieces: Pieces, state: State) -> Pieces:
    """Pieces with a leading `~` filled in; behind an assignment's `:` it is left."""
    if not pieces or not isinstance(pieces[0], Text) or pieces[0].quoted or not pieces[0].text.startswith("~"):
        return pieces
    first = pieces[0].text
    user, slash, rest = first[1:].partition("/")
    if not slash and len(pieces) > 1:
        return pieces
    if user == "":
        home = state.home
    elif user == "+":
        home = state.cwd
    elif user == "-":
        return pieces
    else:
        home = "/root" if user == "root" else f"{'/Users' if state.home.startswith('/Users/') else '/home'}/{user}"
    return (Text(text=home, quoted=True), Text(text=slash + rest), *pieces[1:])


def _parted(pieces: Pieces) -> tuple[Pieces, Pieces]:
    """What stands before the first slash, and behind it."""
    for number, piece in enumerate(pieces):
        if isinstance(piece, Text) and "/" in piece.text:
            before, _, after = piece.text.partition("/")
            head, tail = piece.replace(text=before), piece.replace(text=after)
            return (*pieces[:number], head), (tail, *pieces[number + 1 :])
    return pieces, ()


def _unescaped(pattern: str) -> str:
    found, at = [], 0
    while at < len(pattern):
        if pattern[at] == "\\" and at + 1 < len(pattern):
            at += 1
        found.append(pattern[at])
        at += 1
    return "".join(found)


def _slice(text: str, numbers: str | None) -> str | None:
    """`${name:start:length}`."""
    if numbers is None:
        return None
    first, _, second = numbers.strip().partition(":")
    begin = _computed(first)
    if begin is None:
        return None
    start = int(begin)
    start = max(len(text) + start, 0) if start < 0 else start
    if not second:
        return text[start:]
    length = _computed(second)
    if length is None:
        return None
    return text[start : start + int(length)] if int(length) >= 0 else text[start : int(length)]


def _computed(expression: str) -> str | None:
    """An expression of numbers and `+ - * / %`, computed; None where it is anything else."""
    text = expression.replace(" ", "").replace("\t", "")
    if not text:
        return "0"
    if len(text) > 60 or not all(sign in "0123456789+-*/%" for sign in text):
        return None
    total, at, sign = 0, 0, 1
    while at < len(text):
        sign = 1
        while at < len(text) and text[at] in "+-":
            sign = -sign if text[at] == "-" else sign
            at += 1
        product, at = _product(text, at)
        if product is None:
            return None
        total += sign * product
        if at < len(text) and text[at] not in "+-":
            return None
    return str(total)


def _product(text: str, at: int) -> tuple[int | None, int]:
    value, operator = 1, "*"
    while True:
        start = at
        while at < len(text) and text[at].isdigit():
            at += 1
        if at == start or at - start > 15:
            return None, at
        number = int(text[start:at])
        if operator == "*":
            value *= number
        elif not number:
            return None, at
        else:
            value = value // number if operator == "/" else value % number
        if at >= len(text) or text[at] not in "*/%":
            return value, at
        operator = text[at]
        at += 1


# Braces.


def _braces(pieces: Pieces) -> Sequence[Pieces]:
    """The words that the braces of one word make."""
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
    if start < 0 or depth > 8:
        return [atoms]
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
    """`a..e` or `1..9..2`; nothing where it is neither."""
    first, dots, rest = text.partition("..")
    last, _, step = rest.partition("..")
    if not dots:
        return []
    try:
        pace = max(abs(int(step)), 1) if step else 1
        if len(first) == len(last) == 1 and first.isalpha() and last.isalpha():
            low, high = ord(first), ord(last)
            return [chr(code) for code in _between(low, high, pace)]
        return [str(number) for number in _between(int(first), int(last), pace)]
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

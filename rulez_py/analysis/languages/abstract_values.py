"""Abstract values: what is known of a value in code. A text is a Word, a list a tuple."""

from __future__ import annotations

from rulez_py.analysis.values import DECODE, VARIABLE, Data, Word, is_secretive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

LONGEST = 4_000
MOST_CHOICES = 8
MOST_LEARNT = 24
"""Values kept for one parameter."""
MOST_COMPARED = 50
FEW = 4


class Ref:
    """A name of a module, a function, a number or a method. `on` is the value the method belongs to."""

    __slots__ = ("name", "on")

    def __init__(self, name: str, on: Abstract = None) -> None:
        self.name = name
        self.on = on


class Made:
    """The result of calling `name`, an object of unknown content."""

    __slots__ = ("call", "name")

    def __init__(self, name: str, call: Call) -> None:
        self.name = name
        self.call = call


class Table:
    """A dict, an object literal, a hash; also a block."""

    __slots__ = ("items",)

    def __init__(self, items: dict[str, Abstract]) -> None:
        self.items = items


class Function:
    """A function that the code defines. A parameter is a name, or a tuple of names of attributes.

    `gives` is its return value, None where it is unknown.
    """

    __slots__ = ("gives", "parameters")

    def __init__(self, parameters: tuple[object, ...]) -> None:
        self.parameters = parameters
        self.gives: Abstract = None


class Choice:
    """One of several values."""

    __slots__ = ("of",)

    def __init__(self, of: tuple[Abstract, ...]) -> None:
        self.of = of


class Call:
    """The arguments of a call."""

    __slots__ = ("arguments", "keywords")

    def __init__(self, arguments: list[Abstract], keywords: dict[str, Abstract]) -> None:
        self.arguments = arguments
        self.keywords = keywords


if TYPE_CHECKING:
    Abstract = Word | Ref | Made | Table | Function | Choice | tuple["Abstract", ...] | None
    """What is known of a value; None where the argument is missing."""

UNKNOWN = Word(text="$_", known=False)
"""An unknown piece of text is written `$_`, a variable of the environment `$NAME`."""


def known(text: str) -> Word:
    return Word(text=text)


def environment(name: str) -> Word:
    return Word(text="$" + name, known=False, data=Data(origins=(VARIABLE,)) if is_secretive(name) else Data())


def number(value: Abstract) -> int | None:
    if isinstance(value, Ref) and value.name.isdecimal() and len(value.name) < 6:
        return int(value.name)
    return None


def choices(value: Abstract) -> tuple[Abstract, ...]:
    return value.of if isinstance(value, Choice) else (value,)


def few(value: Abstract) -> tuple[Abstract, ...]:
    """Return the possible values.

    INVARIANT: of many the first `FEW` are returned, and UNKNOWN for the others.
    """
    found = choices(value)
    return found if len(found) <= FEW else (*found[:FEW], UNKNOWN)


def first_of(value: Abstract) -> Word:
    """Return the value as text; of several possible ones the first, marked as unknown."""
    first, *others = choices(value)
    word = text_of(first)
    return word.replace(known=False) if others else word


def either(values: Iterable[Abstract], most: int = MOST_CHOICES) -> Abstract:
    """Return a value that is any of these.

    INVARIANT: of more than `most`, it is one of the first or UNKNOWN.
    """
    flat: list[Abstract] = []
    values = tuple(values)
    for value in values:
        if isinstance(value, Choice) and len(value.of) > most:
            return value
    for value in values:
        for one in choices(value):
            if not any(same(one, other) for other in flat):
                flat.append(one)
            if len(flat) > most:
                return Choice((*flat[:most], UNKNOWN))
    return flat[0] if len(flat) == 1 else Choice(tuple(flat)) if flat else UNKNOWN


def same(one: Abstract, other: Abstract) -> bool:
    if isinstance(one, Word) and isinstance(other, Word):
        return one.text == other.text and one.known == other.known and one.data == other.data and one.glob == other.glob
    if isinstance(one, tuple) and isinstance(other, tuple):
        # Lists inside lists are not compared: two such lists count as different.
        return len(one) == len(other) <= MOST_COMPARED and all(
            a is b or (isinstance(a, Word) and same(a, b)) for a, b in zip(one, other, strict=True)
        )
    return one is other


def text_of(value: Abstract) -> Word:
    """Return a value as one piece of text."""
    if isinstance(value, Word):
        return value
    if isinstance(value, Made):
        return value.call.arguments[0] if value.call.arguments and is_text(value.call.arguments[0]) else UNKNOWN  # type: ignore[return-value]
    if isinstance(value, Ref) and value.name[:1].isdigit() and not value.name.rpartition(".")[2][:1].isalpha():
        return known(value.name)
    data = gathered((value,))
    return UNKNOWN if data is None else UNKNOWN.replace(data=data)


def is_text(value: Abstract) -> bool:
    return isinstance(value, Word)


def items(value: Abstract) -> Iterator[Abstract]:
    """Yield the elements of a list, those of nested lists too, without recursion and to any depth."""
    pending = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, tuple):
            pending.extend(reversed(one))
        else:
            yield one


def merged(one: Data, other: Data, text: str | None = None) -> Data:
    if one.text is None and other.text is None and text is None:
        if not other.origins and not other.files:
            return one
        if not one.origins and not one.files:
            return other
    origins = (*one.origins, *(origin for origin in other.origins if origin not in one.origins))
    files = (*one.files, *(file for file in other.files if file not in one.files))
    return Data(text=text, origins=origins, files=files[:MOST_CHOICES])


def gathered(values: Iterable[Abstract]) -> Data | None:
    """Return the origins and files of all texts in these values; None where there are none."""
    data = Data()
    pending, seen = list(values), 0
    while pending and seen < 200:
        one = pending.pop()
        seen += 1
        if isinstance(one, Word):
            data = merged(data, one.data)
        elif isinstance(one, tuple):
            pending.extend(one)
        elif isinstance(one, Choice):
            pending.extend(one.of)
        elif isinstance(one, Table):
            pending.extend(one.items.values())
        elif isinstance(one, Made):
            pending.extend((*one.call.arguments, *one.call.keywords.values()))
        elif isinstance(one, Ref) and one.on is not None:
            pending.append(one.on)
    return data if data.origins or data.files else None


WHOLE = "/**/"
"""Part of the pattern of a file found somewhere below a directory (`search.py`)."""


def is_found(value: Abstract) -> bool:
    """Tell if the value is a file found below a directory, which has its full path."""
    return isinstance(value, Word) and not value.known and WHOLE in value.glob


def joined(one: Abstract, other: Abstract, between: str = "") -> Abstract:
    """Return the text of two values, one after the other."""
    if isinstance(one, Choice) or isinstance(other, Choice):
        if len(choices(one)) > MOST_CHOICES or len(choices(other)) > MOST_CHOICES:
            return UNKNOWN
        return either([joined(a, b, between) for a in few(one) for b in few(other)])
    left, right = text_of(one), text_of(other)
    if is_found(right):
        return right
    text = left.text + between + right.text
    data = merged(left.data, right.data)
    if len(text) > LONGEST:
        # INVARIANT: a text that is cut off is unknown.
        return Word(text=text[:LONGEST], known=False, data=data)
    glob = ""
    if left.glob or right.glob:
        glob = (left.glob or escaped(left.text)) + between + (right.glob or escaped(right.text))
    return Word(text=text, known=left.known and right.known, data=data, glob=glob)


def escaped(text: str) -> str:
    """Return a shell pattern that matches this text only."""
    for mark in ("\\", "*", "?", "["):
        if mark in text:
            text = text.replace(mark, "\\" + mark)
    return text


def pattern(value: Abstract) -> Abstract:
    """Return a word for the files that match a pattern."""
    word = text_of(value)
    if not any(mark in word.text for mark in "*?["):
        return word
    return Word(text=word.text, known=False, glob=word.text, data=word.data)


def mapped(value: Abstract, change: Callable[[str], str]) -> Abstract:
    """Return known text changed by a function; unknown text stays unknown."""
    if isinstance(value, Choice):
        return either([mapped(one, change) for one in value.of])
    word = text_of(value)
    if not word.known:
        return UNKNOWN.replace(data=word.data)
    text = change(word.text)
    return word.replace(text=text[:LONGEST], known=len(text) <= LONGEST, glob="")


def _percent(raw: bytes) -> bytes:
    """Decode `%20` and the like."""
    first, *others = raw.split(b"%")
    return first + b"".join(bytes((int(part[:2], 16),)) + part[2:] for part in others)


def _turned(code: int) -> int:
    """Return the letter thirteen places after another (ROT13)."""
    base = 97 if 97 <= code < 123 else 65 if 65 <= code < 91 else 0
    return base + (code - base + 13) % 26 if base else code


def decoded(value: Abstract, how: str) -> Abstract:
    """Return the decoded text, unknown where the encoded one is unknown or wrong."""
    word = text_of(value)
    origin = Data(origins=(DECODE,))
    if word.known:
        import binascii

        try:
            raw = word.text.strip().encode("latin-1")
            if how == "hex":
                plain = binascii.unhexlify(raw)
            elif how == "url":
                plain = _percent(raw)
            elif how == "rot13":
                plain = raw.translate(bytes(_turned(code) for code in range(256)))
            else:
                raw = raw.replace(b"-", b"+").replace(b"_", b"/")
                plain = binascii.a2b_base64(raw + b"=" * (-len(raw) % 4))
            return Word(text=plain.decode("utf-8"), data=Data(text=plain.decode("utf-8"), origins=(DECODE,)))
        except (ValueError, UnicodeError):
            pass
    return UNKNOWN.replace(data=merged(word.data, origin))


def truthy(value: Abstract) -> bool:
    """Tell if a flag may be on; an unknown value may be."""
    if isinstance(value, Ref):
        return value.name not in ("false", "False", "FALSE", "None", "null", "nil", "0", "undefined", "F")
    return value is not None and not (isinstance(value, Word) and value.known and not value.text)

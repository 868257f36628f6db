"""Return values of methods of texts and lists, which are alike in most languages."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import (
    UNKNOWN,
    Call,
    Choice,
    Made,
    Ref,
    Table,
    choices,
    decoded,
    either,
    gathered,
    items,
    joined,
    known,
    mapped,
    number,
    text_of,
)
from rulez_py.analysis.languages.effects import under
from rulez_py.analysis.values import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rulez_py.analysis.languages.abstract_values import Abstract

MOST_ITEMS = 1000
UNCHANGED = frozenset(
    (
        *(
            "decode",
            "encode",
            "toString",
            "to_s",
            "to_str",
            "values",
            "flatten",
            "freeze",
            "dup",
            "flat",
        ),
        *("as_posix", "itself", "to_a", "to_ary", "compact", "uniq", "clone", "valueOf", "entries", "tolist", "copy"),
    )
)
"""Methods whose value is the text or list itself, or as good as that."""


def part_of_each(value: Abstract, at: int) -> Abstract:
    """Return the element at an index of a value, of any possible list; a value that is no list is returned."""
    return either([one[at] if isinstance(one, tuple) and at < len(one) else one for one in choices(value)])


def one_of(value: Abstract) -> Abstract:
    """Return a value that is any element of a list."""
    if isinstance(value, tuple):
        return either(value)
    if isinstance(value, Choice) and any(isinstance(one, (tuple, Table)) for one in value.of):
        return either([one_of(one) for one in value.of])
    if isinstance(value, Table):
        return either(value.items.values()) if value.items else UNKNOWN
    data = gathered((value,))
    return UNKNOWN if data is None else UNKNOWN.replace(data=data)


def under_made(left: Abstract, right: Abstract) -> Abstract:
    """`Path("a") / "b"` (Python)."""
    if isinstance(left, Choice):
        return either([under_made(one, right) for one in left.of])
    if isinstance(left, Made):
        base = left.call.arguments[0] if left.call.arguments else known(".")
        return Made(left.name, Call([under(base, text_of(right) if isinstance(right, Made) else right)], {}))
    if isinstance(right, Made):
        return right
    return UNKNOWN


def joined_all(texts: Abstract, between: Abstract) -> Abstract:
    """Return the texts of a list with a separator between them."""
    if isinstance(texts, Table):
        texts = tuple(texts.items.values())
    if not isinstance(texts, tuple):
        data = gathered((texts, between))
        return UNKNOWN if data is None else UNKNOWN.replace(data=data)
    whole: Abstract = known("")
    middle = text_of(between)
    for i, one in enumerate(items(texts)):
        whole = joined(joined(whole, middle) if i else whole, one)
        if i > 2000:
            # INVARIANT: a text without its last parts is unknown.
            return joined(whole, UNKNOWN)
    return whole


def formatted(template: Word, values: Abstract, mark: str) -> Abstract:
    """`"%s" % x`, `"{} {name}".format(x, name=y)`."""
    given = [one for one in items(values) if not isinstance(one, Table)]
    named = {key: value for table in items(values) if isinstance(table, Table) for key, value in table.items.items()}
    whole: Abstract = known("")
    text, used, i = template.text, 0, 0
    while (start := text.find(mark, i)) >= 0 and used < 200:
        whole = joined(whole, known(text[i:start]))
        if text.startswith(mark, start + 1):
            whole, i = joined(whole, known(mark)), start + 2
            continue
        field, i = _field(text, start, mark)
        if field and not field.isdecimal():
            value = named.get(field, UNKNOWN)
        else:
            at = int(field) if field and len(field) < 5 else used
            value = given[at] if at < len(given) else UNKNOWN
        used += 1
        whole = joined(whole, value)
    result = joined(whole, known(text[i:].replace("}}", "}") if mark == "{" else text[i:]))
    if template.known:
        return result
    return joined(result, known("")) if isinstance(result, Choice) else text_of(result).replace(known=False)


def _field(text: str, start: int, mark: str) -> tuple[str, int]:
    """Return the name in a field of a template, "" for the next value, and the index after the field."""
    if mark == "{":
        stop = text.find("}", start)
        stop = len(text) if stop < 0 else stop
        return text[start + 1 : stop].partition(":")[0].partition("!")[0], stop + 1
    field, i = "", start + 1
    if text.startswith("(", i):
        stop = max(text.find(")", i), i)
        field, i = text[i + 1 : stop], stop + 1
    while i < len(text) and text[i] in "-+ #.0123456789":
        i += 1
    return field, i + 1


def _join(on: Abstract, call: Call) -> Abstract:
    first = call.arguments[0] if call.arguments else None
    texts, between = (on, first) if isinstance(on, tuple) else (first, on)
    return joined_all(texts, between if between is not None else known(","))


def _format(on: Abstract, call: Call) -> Abstract | None:
    if not isinstance(on, Word):
        return None
    return formatted(on, (*call.arguments, Table(call.keywords)), "%" if "%" in on.text and "{" not in on.text else "{")


def _concat(on: Abstract, call: Call) -> Abstract:
    for one in call.arguments:
        on = (*on, *items(one)) if isinstance(on, tuple) else joined(on, one)
    return on


def _replace(on: Abstract, call: Call) -> Abstract | None:
    first = number(call.arguments[0]) if call.arguments else None
    if first is not None:  # `text:sub(3)` (Lua)
        last = number(call.arguments[1]) if len(call.arguments) > 1 else None
        return part_of(on, slice(first - 1, last))
    if not isinstance(on, Word) or len(call.arguments) < 2:
        return None
    old, new = call.arguments[:2]
    if isinstance(old, Word) and old.known and isinstance(new, Word) and new.known and old.text:
        return mapped(on, lambda text: text.replace(old.text, new.text)[:20_000])
    return None


def _split(on: Abstract, call: Call) -> Abstract | None:
    first = call.arguments[0] if call.arguments else None
    if not isinstance(on, Word) or not on.known:
        return None
    if first is None:
        return _few_parts(on.text.split())
    if isinstance(first, Word) and first.known:
        return _few_parts(on.text.split(first.text) if first.text else list(on.text))
    return None


def _slice(on: Abstract, call: Call) -> Abstract | None:
    """`text.slice(2)`, `list.slice(1, 3)`."""
    bounds = [number(one) for one in call.arguments[:2]]
    return (
        part_of(on, slice(bounds[0], bounds[1] if len(bounds) > 1 else None)) if bounds and None not in bounds else on
    )


def _nth(at: int) -> Callable[[Abstract, Call], Abstract | None]:
    def method(on: Abstract, call: Call) -> Abstract | None:
        return on[at] if isinstance(on, tuple) and on and not call.arguments else None

    return method


def _get(on: Abstract, call: Call) -> Abstract | None:
    """`dict.get("key", other)`."""
    key = call.arguments[0] if call.arguments else None
    if isinstance(on, Table) and isinstance(key, Word) and key.known:
        return on.items.get(key.text, call.arguments[1] if len(call.arguments) > 1 else UNKNOWN)
    return None


def pairs(on: Abstract, _call: Call) -> Abstract | None:
    """`dict.items()`."""
    return tuple((known(key), value) for key, value in on.items.items()) if isinstance(on, Table) else None


def keys(on: Abstract, _call: Call) -> Abstract | None:
    """`dict.keys()`."""
    return tuple(known(key) for key in on.items) if isinstance(on, Table) else None


def _pack(on: Abstract, call: Call) -> Abstract | None:
    """`["..."].pack("H*")`, `[103, 105].pack("c*")` (Ruby)."""
    how = text_of(call.arguments[0]).text if call.arguments else ""
    if not isinstance(on, tuple) or not on:
        return None
    if how[:1] in ("H", "m"):
        return decoded(on[0], "hex") if how[0] == "H" else None
    codes = [number(one) for one in on]
    return known("".join(chr(code) for code in codes if code)) if all(codes) else None


def some_of(values: tuple[Abstract, ...]) -> tuple[Abstract, ...]:
    """Return some elements of a list in any order: each may be at any index, the one that was there first of all."""
    return tuple(either([*values[at:], *values[:at]]) for at in range(len(values)))


def _filter(on: Abstract, call: Call) -> Abstract:
    """`list.filter(Boolean)` is the list."""
    first = call.arguments[0] if call.arguments else None
    same = first is None or (isinstance(first, Ref) and first.name == "Boolean")
    return on if same or not isinstance(on, tuple) else some_of(on)


def sprintf(_walk: object, call: Call, _on: Abstract) -> Abstract:
    """`sprintf("%s", x)`."""
    template = text_of(call.arguments[0]) if call.arguments else UNKNOWN
    return formatted(template, tuple(call.arguments[1:]), "%")


def imploded(_walk: object, call: Call, _on: Abstract) -> Abstract:
    """`implode(" ", list)`, `table.concat(list, " ")`: the texts of a list with a separator between them."""
    lists = [one for one in call.arguments if isinstance(one, (tuple, Table))]
    between = [one for one in call.arguments if not isinstance(one, (tuple, Table))]
    return joined_all(lists[0], between[0] if between else known("")) if lists else UNKNOWN


def substituted(_walk: object, call: Call, _on: Abstract) -> Abstract:
    """`str_replace(old, new, text)`, `gsub(old, new, text)`."""
    if len(call.arguments) < 3:
        return UNKNOWN
    old, new, text = call.arguments[:3]
    return _replace(text, Call([old, new], {})) or UNKNOWN


def _reverse(on: Abstract, _call: Call) -> Abstract:
    return on[::-1] if isinstance(on, tuple) else mapped(on, lambda text: text[::-1])


def _lower(on: Abstract, _call: Call) -> Abstract:
    return mapped(on, str.lower)


def _strip(on: Abstract, _call: Call) -> Abstract:
    return mapped(on, str.strip)


def added(one: Abstract, other: Abstract) -> Abstract:
    """Return two lists or texts, one after the other."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return (*one, *other)[:MOST_ITEMS]
    if isinstance(one, Choice) and isinstance(other, tuple):
        return either([added(each, other) for each in one.of])
    if isinstance(one, tuple) and isinstance(other, Choice):
        return either([added(one, each) for each in other.of])
    if isinstance(one, tuple) and isinstance(other, Word) and not other.known:
        return (*one, other)
    if isinstance(other, tuple) and isinstance(one, Word) and not one.known:
        return (one, *other)
    return joined(one, other)


def grown(value: Abstract, how: str, given: list[Abstract]) -> Abstract:
    """Return a list after a method has added elements."""
    if not isinstance(value, tuple) or len(value) >= MOST_ITEMS:
        return value
    if how == "insert":
        at = number(given[0]) if given else None
        at = len(value) if at is None else at
        return (*value[:at], *given[1:], *value[at:])
    if how in ("unshift", "prepend"):
        return (*given, *value)
    return (*value, *(items(tuple(given)) if how in ("extend", "concat") else given))


def part_of(value: Abstract, bounds: slice) -> Abstract:
    """Return a slice of a list or a text."""
    if isinstance(value, tuple):
        return value[bounds]
    return mapped(value, lambda text: text[bounds]) if isinstance(value, (Word, Choice)) else value


def slice_of(text: str) -> slice:
    """Return `1:`, `::-1` (Python), `1..-1` (Ruby) as a slice; the whole where a bound is no number."""
    closed = ".." in text and "..." not in text
    bounds: list[int | None] = []
    for part in text.replace("...", ":").replace("..", ":").split(":")[:3]:
        if part and (not part.removeprefix("-").isdecimal() or len(part) > 5):
            return slice(None)
        bounds.append(int(part) if part else None)
    last = bounds[1] if len(bounds) > 1 else None
    if closed and last is not None:
        bounds[1] = last + 1 if last != -1 else None
    return slice(*bounds) if bounds[2:] != [0] else slice(None)


def element(value: tuple[Abstract, ...], at: Abstract, first: int) -> Abstract:
    """Return an element of a list that begins at index `first`; any element where the index is unknown."""
    n = number(at)
    if n is not None and 0 <= n - first < len(value):
        return value[n - first]
    if isinstance(at, Ref) and at.name == "-1" and value:
        return value[-1]
    return one_of(value) if value else UNKNOWN


TAKING = {"pop": -1, "shift": 0}
"""Methods that remove one element of a list -> its index."""


def without(value: tuple[Abstract, ...], how: str, given: list[Abstract]) -> tuple[Abstract, tuple[Abstract, ...]]:
    """Return the element that a method removes, and the list without it."""
    at = (number(given[0]) or 0) if given else TAKING[how]
    at = at if at < len(value) else 0
    return value[at], (*value[:at], *(value[at + 1 :] if at >= 0 else ()))


GROWING = frozenset(("append", "extend", "insert", "push", "unshift", "prepend", "concat!"))
"""Methods that add elements to their list."""
METHODS: dict[str, Callable[[Abstract, Call], Abstract | None]] = {
    "join": _join,
    "filter": _filter,
    "items": pairs,
    "keys": keys,
    "format": _format,
    "concat": _concat,
    "replace": _replace,
    "split": _split,
    "reverse": _reverse,
    "get": _get,
    "pack": _pack,
    **dict.fromkeys(("slice", "substring", "subarray"), _slice),
    **dict.fromkeys(("first", "shift"), _nth(0)),
    **dict.fromkeys(("last", "pop"), _nth(-1)),
    **dict.fromkeys(("replaceAll", "sub", "gsub", "tr"), _replace),
    **dict.fromkeys(("lower", "toLowerCase", "downcase"), _lower),
    **dict.fromkeys(("strip", "trim", "rstrip", "chomp"), _strip),
}
"""Methods of a text or a list -> their value; None where it is unknown."""


def _few_parts(parts: Sequence[str]) -> tuple[Abstract, ...]:
    others = (UNKNOWN,) if len(parts) > MOST_ITEMS else ()
    return (*(known(one) for one in parts[:MOST_ITEMS]), *others)

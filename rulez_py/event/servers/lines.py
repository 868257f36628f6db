"""Turn a line of the table into a command line: the words of a template, filled with a call's arguments.

docs/mcp-servers.md says how a template is written.

INVARIANT: a value never becomes more than the word it is written in, unless the template says that it is words of its
own (`!`, `:options`).
"""

from __future__ import annotations

from rulez_py.event.arguments import plain_key, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Row = tuple[
        tuple[str, ...],
        tuple[str, ...],
        tuple[tuple[str, tuple[str, ...]], ...],
        tuple[str, ...],
        tuple[str, ...],
        tuple[str, ...],
    ]
    """Names of servers, `*` among them where any server's tool of that name is meant; lines; files with their accesses;
    hosts; texts in any language; all arguments."""
    Table = Mapping[str, tuple[Row, ...]]
    Given = Mapping[str, object]
    Pieces = Sequence[tuple[str, str]]
    """See `pieces`."""

ANY = "*"
"""In the table, the entry for unknown tools; among the names of servers, any server."""
_OF_THEIR_OWN = ("!", ":options", ":script")
"""The endings of placeholders whose values are words, or a line, of their own."""
_MOST_WORDS = 2_000
"""Of lists that become words of a line."""


def rendered(template: str, given: Given) -> tuple[str, ...]:
    """Return the command lines that a template is worth with these arguments; none where they do not fit.

    A value that begins with a dash may be an option or a name, which is for the server's program to know: then there
    are two lines.
    """
    as_it_is, as_names = Rendering(given), Rendering(given, names=True)
    line = as_it_is.line(template)
    if line is None:
        return ()
    other = as_names.line(template) if as_it_is.has_dashes else None
    return (line,) if other is None or other == line else (line, other)


class Rendering:
    """One template filled in. `names` says that values in the place of a word are no options."""

    def __init__(self, given: Given, *, names: bool = False) -> None:
        self._given = given
        self._names = names
        self.has_dashes = False

    def line(self, template: str) -> str | None:
        words: list[str] = []
        for group, optional in _read(template):
            found = self._words(group)
            if found is not None:
                words += found
            elif not optional:
                return None
        return " ".join(words)

    def _words(self, group: Sequence[Pieces]) -> list[str] | None:
        words: list[str] = []
        for word in group:
            made = self._made(word)
            if made is None:
                return None
            words += made
        return words

    def _made(self, parts: Pieces) -> list[str] | None:
        """Return the words that one word of a template becomes; none at all for one that is only asked about."""
        texts = [""]
        asked_only, starts = True, True
        for literal, place in parts:
            if literal:
                texts = [text + literal for text in texts]
                starts = asked_only = False
            if not place:
                continue
            filled = self._filled(place)
            if filled is None:
                return None
            if place.endswith(_OF_THEIR_OWN):
                return filled
            if place[-1] == "?":
                continue
            asked_only = False
            if starts and any(value[:1] == "-" for value in filled):
                self.has_dashes = True
                filled = [f"./{value}" if self._names and value[:1] == "-" else value for value in filled]
            starts = False
            texts = [text + value for text in texts for value in filled]
        if asked_only:
            return []
        home = len(parts) == 1 and parts[0][1].endswith(":path")
        return [_path(text) if home else quoted(text) for text in texts]

    def _filled(self, place: str) -> list[str] | None:
        """Return the texts for a place; None where the arguments have none."""
        name, kind = named(place)
        if kind == "?":
            return [""] if self._holds(name) else None
        value = self._value(name)
        if value is None or value == "":
            return None
        if kind == "json":
            return [_json(value)]
        if kind == "!":
            return [value] if isinstance(value, str) else _quoted(_each(value))
        if kind == "script":
            return _script(value)
        if kind == "options":
            return _quoted(_options(value))
        if kind == "keys":
            return [*map(str, value)] if isinstance(value, dict) else None
        if isinstance(value, (list, tuple)):
            found = _each(value)
            if not found:
                return None
            if kind == ";":
                return ["; ".join(found)]
            if kind == "*":
                return found
            # A server written in JavaScript joins a list with commas where it expects a text.
            value = found[0] if len(found) == 1 else None
        text = _text(value)
        if text is None or (kind == "sql" and not is_sql(text)):
            return None
        return [text]

    def _value(self, names: str) -> object:
        for name in names.split("|"):
            value: object = self._given
            for key in name.split("."):
                inner = value if isinstance(value, dict) else {}
                value = inner.get(key)
                if value is None and inner is not self._given:
                    value = next((item for given, item in inner.items() if plain_key(str(given)) == key), None)
            if value is not None and value != "":
                return value
        return None

    def _holds(self, asked: str) -> bool:
        name, equals, wanted = asked.partition("=")
        value = self._value(name.removeprefix("~"))
        if equals:
            text = _text(value)
            fits = text is not None and plain_key(text) in wanted.split(",")
        else:
            fits = bool(value) and value not in ("false", "False", "0")
        return fits != name.startswith("~")


def _text(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (str, int, float)) else None


def _each(value: object) -> list[str] | None:
    """Return the texts of a list; None where it holds anything else, or more than a line may have."""
    if not isinstance(value, (list, tuple)) or len(value) > _MOST_WORDS:
        return None
    found = [_text(item) for item in value]
    texts = [text for text in found if text is not None]
    return texts if len(texts) == len(found) else None


def _options(value: object) -> list[str] | None:
    """Return an object's entries as long options."""
    if not isinstance(value, dict):
        return None
    found = (
        f"--{key}" if inner is True else f"--{key}={_text(inner)}"
        for key, inner in value.items()
        if _text(inner) is not None
    )
    return list(found)


def _json(value: object) -> str:
    """Return a value as JSON. A value that is too deep counts as an empty filter, which is the worst case."""
    from rulez_py.system.jsontext import dumps

    try:
        return dumps(value)
    except (RecursionError, TypeError, ValueError):
        return "{}"


def _path(text: str) -> str:
    """Return a path as a word; servers know the home as a shell does."""
    if text == "~" or text.startswith("~/"):
        return "~/" + quoted(text[2:]) if text[2:] else "~"
    return quoted(text)


def _script(value: object) -> list[str] | None:
    """Return a text, or the texts of a list as the lines of one."""
    texts = [value] if isinstance(value, str) else _each(value)
    return ["\n".join(texts)] if texts else None


def _quoted(texts: list[str] | None) -> list[str] | None:
    return None if texts is None else [quoted(text) for text in texts]


_known: dict[str, list[tuple[list[Pieces], bool]]] = {}


def _read(template: str) -> list[tuple[list[Pieces], bool]]:
    """Return the groups of a template, each word as its pieces. A call can have thousands of objects for one."""
    if template not in _known:
        _known[template] = [([pieces(word) for word in group], optional) for group, optional in groups(template)]
    return _known[template]


def groups(template: str) -> Iterator[tuple[list[str], bool]]:
    """Yield the words of a template, those between brackets together; and whether they may be left out."""
    inside: list[str] | None = None
    for word in template.split(" "):
        if word.startswith("["):
            inside, word = [], word[1:]
        if inside is None:
            yield [word], False
        elif word.endswith("]"):
            yield [*inside, word[:-1]], True
            inside = None
        else:
            inside.append(word)


def pieces(word: str) -> Pieces:
    """Return a word's pieces: a text, and the place behind it."""
    found: list[tuple[str, str]] = []
    while word:
        literal, _, rest = word.partition("{")
        place, _, word = rest.partition("}")
        found.append((literal, place))
    return found


def named(place: str) -> tuple[str, str]:
    """Return the names in a place, and how it is filled."""
    name, colon, kind = place.partition(":")
    if colon:
        return name, kind
    return (place[:-1], place[-1]) if place[-1] in "*;?!" else (place, "")


_STATEMENTS = frozenset(
    (
        *("select", "with", "insert", "update", "delete", "drop", "truncate", "alter", "create", "grant", "revoke"),
        *("begin", "commit", "start", "set", "merge", "replace", "rename", "call", "do", "exec", "execute", "explain"),
        *("use", "vacuum", "copy", "lock", "reindex", "comment", "declare", "attach", "detach", "pragma", "flush"),
    )
)


def is_sql(text: str) -> bool:
    """Tell whether a text begins as a statement for a database."""
    rest = text
    while True:
        rest = rest.lstrip(" \t\r\n;(")
        if rest.startswith("--"):
            rest = rest.partition("\n")[2]
        elif rest.startswith("/*"):
            rest = rest.partition("*/")[2]
        else:
            break
    word = "".join(character if character.isalpha() else " " for character in rest[:20]).partition(" ")[0]
    return word.lower() in _STATEMENTS

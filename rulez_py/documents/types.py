"""Kinds of values, put together in tables such as `schema.py`.

A kind reads plain data, and describes the data as JSON Schema (draft 2020-12).
"""

from __future__ import annotations

from rulez_py.analysis import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Protocol

    Path = tuple[str | int, ...]

    class Kind(Protocol):
        """A kind of values."""

        def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
            """Return the value in its one shape.

            Raises Refusal; what is wrong with its parts is added to `refusals`.
            """

        def json(self) -> dict[str, Any]:
            """Return the JSON Schema of the values."""


UNKNOWN, MISSING, NAME = "unknown", "missing", "name"


class Refusal(Exception):
    """The reason one value is refused. Its kind raises it; `read` adds the `value` and its `path`.

    `predicate` continues a sentence about the value's key: `"mode" in rule "x"` + predicate. `help` or `choices` says
    what would be right. `kind` marks what has a message of its own: a key that is UNKNOWN or MISSING, a rule's NAME.
    """

    path: Path = ()
    value: Any = None

    def __init__(self, predicate: str, help: str = "", *, choices: Sequence[str] = (), kind: str = "") -> None:
        super().__init__(predicate)
        self.predicate = predicate
        self.help = help
        self.choices = choices
        self.kind = kind

    def at(self, path: Path, value: Any) -> Refusal:
        """Return this refusal, with its place and value."""
        self.path, self.value = path, value
        return self


def read(kind: Kind, value: Any, path: Path, refusals: list[Refusal]) -> Any:
    """Return the value in its one shape. For a refused one, return None and add to `refusals`."""
    try:
        return kind.read(value, path, refusals)
    except Refusal as refusal:
        refusals.append(refusal.at(path, value))
        return None


class Plain(Value):
    """A value of one of `types`, as it is, where no check refuses it."""

    types: tuple[type, ...]
    wanted: str
    checks: tuple[Callable[[Any], None], ...] = ()
    form: dict[str, Any]

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
        if type(value) not in self.types:  # True is no number, though `isinstance` says so.
            raise unwanted(value, self.wanted)
        for check in self.checks:
            check(value)
        return value

    def json(self) -> dict[str, Any]:
        return self.form


def text(*checks: Callable[[str], None], **form: Any) -> Plain:
    """Return the kind of text that passes the checks; `form` is added to its JSON Schema."""
    return Plain(types=(str,), wanted=TEXT, checks=checks, form={**form, "type": "string"})


def whole_number(check: Callable[[int], None], **form: Any) -> Plain:
    """Return the kind of whole numbers that pass the check; `form` is added to its JSON Schema."""
    return Plain(types=(int,), wanted=WHOLE_NUMBER, checks=(check,), form={**form, "type": "integer"})


def any_map() -> Plain:
    """Return the kind of maps with any keys and values."""
    return Plain(types=(dict,), wanted=MAP, form={"additionalProperties": True, "type": "object"})


def check_not_blank(value: str) -> None:
    """Raise Refusal for text of white space alone."""
    if not value.strip():
        raise Refusal("is blank")


class Constant(Value):
    """One value, however it is spelled."""

    spellings: tuple[Any, ...]

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
        if isinstance(value, bool) or value not in self.spellings:
            raise Refusal(f"cannot be {described(value)}", f'write {path[-1]}: "{self.spellings[0]}"')
        return self.spellings[0]

    def json(self) -> dict[str, Any]:
        return {"enum": list(self.spellings)}


class ListOf(Value):
    """A list of at least `least` items; where `alone`, one item may be written for a list of one.

    Where people mistake it for a map, `no_map` says what to write.
    """

    item: Kind
    least: int = 0
    alone: bool = False
    no_map: str = ""

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
        if self.no_map and isinstance(value, dict):
            raise Refusal("is a map", self.no_map)
        if self.alone and value is not None and not isinstance(value, list):
            value = [value]
        if not isinstance(value, list):
            raise unwanted(value, LIST)
        if len(value) < self.least:
            raise Refusal("is an empty list", "fill it or remove it")
        return [read(self.item, item, (*path, index), refusals) for index, item in enumerate(value)]

    def json(self) -> dict[str, Any]:
        item = self.item.json()
        many = {"items": item, **({"minItems": self.least} if self.least else {}), "type": "array"}
        return {"anyOf": [item, many]} if self.alone else many


class MapOf(Value):
    """A map of at least `least` keys, which are free."""

    key: Kind
    item: Kind
    least: int = 1

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
        if not isinstance(value, dict):
            raise unwanted(value, MAP)
        if self.least:
            check_filled(value)
        for key in value:
            read(self.key, key, (*path, key, "[key]"), refusals)
        return {key: read(self.item, item, (*path, key), refusals) for key, item in value.items()}

    def json(self) -> dict[str, Any]:
        return {
            "additionalProperties": self.item.json(),
            **({"minProperties": self.least} if self.least else {}),
            "propertyNames": self.key.json(),
            "type": "object",
        }


def check_filled(value: dict[str, Any]) -> None:
    """Raise Refusal for a map without keys."""
    if not value:
        raise Refusal("is an empty map", "fill it or remove it")


class Map(Value):
    """A map with known keys: `fields` has the kind and purpose of each, `needs` the required ones.

    Where it may not be empty, `empty` says what an empty one would do.
    """

    name: str
    about: str
    needs: tuple[str, ...] = ()
    empty: str = ""
    fields: dict[str, tuple[Kind, str]]

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
        if not isinstance(value, dict):
            raise unwanted(value, MAP)
        if self.empty and not value:
            raise Refusal(f"is empty, which {self.empty}", "remove it")
        refusals += [Refusal("", kind=MISSING).at((*path, key), value) for key in self.needs if key not in value]
        fields = self.fields
        done = {
            key: read(kind, value[key], (*path, key), refusals) for key, (kind, _) in fields.items() if key in value
        }
        if len(done) < len(value):
            refusals += [Refusal("", kind=UNKNOWN).at((*path, key), value[key]) for key in value if key not in fields]
        return done

    def json(self) -> dict[str, Any]:
        return {"$ref": f"#/$defs/{self.name}", **({"minProperties": 1} if self.empty else {})}

    def keys(self) -> tuple[str, ...]:
        """Return the known keys."""
        return tuple(self.fields)

    def definition(self) -> dict[str, Any]:
        """Return the definition that `json` refers to."""
        properties = {
            key: dict(sorted({**kind.json(), "description": about}.items()))
            for key, (kind, about) in self.fields.items()
        }
        return {
            "additionalProperties": False,
            "description": self.about,
            "properties": properties,
            **({"required": list(self.needs)} if self.needs else {}),
            "type": "object",
        }


class OrMap(Value):
    """A kind, or a map in its place."""

    kind: Kind
    whole: Map

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
        return read(self.whole if isinstance(value, dict) else self.kind, value, path, refusals)

    def json(self) -> dict[str, Any]:
        return {"anyOf": [self.kind.json(), self.whole.json()]}


class Short(Value):
    """A map that may be written as the value of its one key: as text, and where `lists` as a list of texts.

    Where `many`, a list with maps in it is a list of alternatives.
    """

    key: str
    whole: Map
    lists: bool = False
    many: bool = False

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
        if self.many and isinstance(value, list) and any(isinstance(item, dict) for item in value):
            one: Short = Short(key=self.key, whole=self.whole)
            return [read(one, item, (*path, index), refusals) for index, item in enumerate(value)]
        if isinstance(value, (str, list) if self.lists else str):
            value = {self.key: value}
        if not isinstance(value, dict):
            raise unwanted(value, "text, a list or a map" if self.lists else "text or a map")
        return self.whole.read(value, path, refusals)

    def json(self) -> dict[str, Any]:
        text = {"type": "string"}
        items = {"anyOf": [text, self.whole.json()]} if self.many else text
        lists = [{"items": items, "minItems": 1, "type": "array"}] if self.lists else []
        return {"anyOf": [text, *lists, self.whole.json()]}


class Later(Value):
    """A kind that is only known when it is asked for: a map that holds maps of its own kind."""

    kind: Callable[[], Kind]

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
        return self.kind().read(value, path, refusals)

    def json(self) -> dict[str, Any]:
        return self.kind().json()


class OrNothing(Value):
    """A value that may be left empty."""

    kind: Kind

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
        return None if value is None else self.kind.read(value, path, refusals)

    def json(self) -> dict[str, Any]:
        form = self.kind.json()
        return {"anyOf": [*form.get("anyOf", [form]), {"type": "null"}]}


class OrSwitch(Value):
    """A value, or true or false."""

    kind: Kind

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
        return value if isinstance(value, bool) else self.kind.read(value, path, refusals)

    def json(self) -> dict[str, Any]:
        form = self.kind.json()
        return {"anyOf": [{"type": "boolean"}, *form.get("anyOf", [form])]}


# Names of kinds, and the refusal of a value of another kind.

TEXT, SWITCH, NUMBER, WHOLE_NUMBER = "text", "true or false", "a number", "a whole number"
LIST, MAP = "a list", "a map"


def unwanted(value: object, wanted: str) -> Refusal:
    """Return the refusal of a value of another kind than `wanted`."""
    help = ""
    if wanted == TEXT and isinstance(value, (bool, int, float)):
        help = f'quote it: "{str(value).lower()}"'
    elif wanted == SWITCH and isinstance(value, str):
        help = "write true or false without quotes"
    elif wanted in (NUMBER, WHOLE_NUMBER) and isinstance(value, str):
        help = "write digits without quotes"
    return Refusal(f"must be {wanted}, not {described(value)}", help)


BRIEF = 20
"""Characters of a file that a message quotes where it may be any file: a key, say, that an agent names to a command."""


def briefly(text: str) -> str:
    """Return the beginning of a text of unknown content, cut to what a message may quote."""
    return text if len(text) <= BRIEF else text[: BRIEF - 3] + "..."


def described(value: object) -> str:
    """Return the words for a value in a message."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'the text "{briefly(value)}"'
    if isinstance(value, (int, float)):
        return f"the number {value}"
    return "nothing" if value is None else LIST if isinstance(value, list) else MAP

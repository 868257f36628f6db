"""A map that is never changed: it can be hashed, compared, pickled and copied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite
from types import MappingProxyType
from typing import Any, Self

from rulez_py.definitions.output.errors import InvalidAgent, WrongType

LONGEST_KEY = 200


class FrozenMap(Mapping[Any, Any]):
    """The entries of a map, in their order. Equal to any map with the same entries."""

    __slots__ = ("_entries",)
    _entries: Mapping[Any, Any]

    def __new__(cls, entries: Mapping[Any, Any] | Iterable[tuple[Any, Any]] = ()) -> Self:
        made = super().__new__(cls)
        object.__setattr__(made, "_entries", MappingProxyType(dict(entries)))
        return made

    def __reduce__(self) -> tuple[type[FrozenMap], tuple[dict[Any, Any]]]:
        return type(self), (dict(self._entries),)

    def __setattr__(self, name: str, _value: object) -> None:
        raise AttributeError(f"a frozen map cannot be changed ({name})")

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def __getitem__(self, key: Any) -> Any:
        return self._entries[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __hash__(self) -> int:
        return hash(frozenset(self._entries.items()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self._entries)!r})"


def frozen(value: Any, whose: str) -> Any:
    """Return the same data, all the way down in types that cannot be changed. `whose` is what has it, for people.

    Raises WrongType for what JSON has no words for, InvalidAgent for a key or a text that no file could hold.
    """
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise WrongType(f"a key of front matter is text, not {key!r}")
            if len(key) > LONGEST_KEY:
                raise InvalidAgent(f"{whose} has a key of {len(key)} characters in its front matter")
            check_text(key, "front matter", whose)
        return FrozenMap({key: frozen(item, whose) for key, item in value.items()})
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return tuple(frozen(item, whose) for item in value)
    if isinstance(value, str):
        check_text(value, "front matter", whose)
    elif not (value is None or isinstance(value, bool | int) or (isinstance(value, float) and isfinite(value))):
        raise WrongType(f"front matter cannot hold {value!r}")
    return value


def check_text(text: str, key: str, whose: str) -> None:
    """Raises InvalidAgent for text that cannot be encoded."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidAgent(f"the {key} of {whose} holds half of a surrogate pair, which is no text") from None

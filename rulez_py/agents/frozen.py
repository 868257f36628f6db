"""A map that is never changed: it can be hashed, compared, pickled and copied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Self


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

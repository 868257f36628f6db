"""Immutable records, cheap enough for the hook path.

A frozen dataclass says the same, but importing `dataclasses` costs more than a whole rule evaluation
(`docs/architecture.md`, "Speed"). Type checkers see these classes as frozen, keyword-only dataclasses.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

    _C = TypeVar("_C")
else:

    def dataclass_transform(**_options: object) -> Callable[[_C], _C]:
        return lambda cls: cls


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Value:
    """A record: the annotated names are its fields, class attributes their defaults; set once, by keyword.

    Raises TypeError for a missing or unknown field and AttributeError for an attempt to change one.
    """

    _fields: ClassVar[tuple[str, ...]]
    _known: ClassVar[frozenset[str]]
    _needed: ClassVar[frozenset[str]]

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(cls.__annotations__)
        cls._known = frozenset(cls._fields)
        cls._needed = frozenset(name for name in cls._fields if not hasattr(cls, name))

    def __init__(self, **values: Any) -> None:
        if not self._needed <= values.keys() <= self._known:
            raise TypeError(f"{type(self).__name__} {self._misfit(values)}")
        self.__dict__.update(values)

    def _misfit(self, values: dict[str, Any]) -> str:
        unknown = [name for name in values if name not in self._known]
        if unknown:
            return f"has no field {unknown[0]!r}"
        return f"needs {next(name for name in self._fields if name in self._needed and name not in values)!r}"

    def __setattr__(self, name: str, _value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed; use replace()")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be deleted")

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        return type(self)(**{**self.__dict__, **changes})

    def as_dict(self) -> dict[str, Any]:
        """Return field name -> value, defaults included, in declaration order."""
        return {name: getattr(self, name) for name in self._fields}

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return False
        for name in self._fields:
            own, its = getattr(self, name), getattr(other, name)
            if own is not its and own != its:
                return False
        return True

    def __hash__(self) -> int:
        return hash(tuple(self.as_dict().values()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.as_dict().items())
        return f"{type(self).__name__}({fields})"

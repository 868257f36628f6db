"""Immutable records, cheap enough for the hook path.

A frozen dataclass says the same, but importing `dataclasses` costs more than a whole rule evaluation
(`docs/architecture.md`, "Speed"). Type checkers see these classes as frozen, keyword-only dataclasses.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self, TypeVar, dataclass_transform

    _C = TypeVar("_C")
else:

    def dataclass_transform(**_options: object) -> Callable[[_C], _C]:
        return lambda cls: cls


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Value:
    """A record: the annotated names are its fields, class attributes their defaults; set once, by keyword.

    Raises TypeError for a missing or unknown field and AttributeError for an attempt to change one.
    """

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(cls.__annotations__)  # type: ignore[attr-defined]

    def __init__(self, **values: Any) -> None:
        known: tuple[str, ...] = self._fields  # type: ignore[attr-defined]
        for name in values:
            if name not in known:
                raise TypeError(f"{type(self).__name__} has no field {name!r}")
        for name in known:
            if name not in values and not hasattr(type(self), name):
                raise TypeError(f"{type(self).__name__} needs {name!r}")
        self.__dict__.update(values)

    def __setattr__(self, name: str, _value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed; use replace()")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be deleted")

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        return type(self)(**{**self.__dict__, **changes})

    def as_dict(self) -> dict[str, Any]:
        """Field name -> value, defaults included, in declaration order."""
        return {name: getattr(self, name) for name in self._fields}  # type: ignore[attr-defined]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        return hash(tuple(self.as_dict().values()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.as_dict().items())
        return f"{type(self).__name__}({fields})"

"""What an action `rewrite` says: a new value of an argument, or what becomes of a part of it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeGuard

    Pairs = Sequence[tuple[str, str]]

COMMAND = "command"
PROGRAM, REMOVE, ADD, REPLACE = "replace_program", "remove_flag", "add_flag", "replace"
OF_COMMANDS = (PROGRAM, REMOVE, ADD, REPLACE)
"""What may become of a command, in the order in which it is done."""


def is_partial(value: object, *, of: str) -> TypeGuard[dict[str, object]]:
    """Tell whether a value of `rewrite` says what becomes of a part of an argument, and is no new value."""
    return isinstance(value, dict) and (of == COMMAND or set(value) == {REPLACE})


def pairs(value: object) -> Pairs:
    """Return what `replace` says, as a checked file has it, as pairs of a regex and a text."""
    items: list[object] = value if isinstance(value, list) else []
    return tuple((str(one[0]), str(one[1])) for one in items if isinstance(one, list))


def texts(value: object) -> tuple[str, ...]:
    """Return one text or a list of them as texts."""
    items: list[object] = value if isinstance(value, list) else [value]
    return tuple(one for one in items if isinstance(one, str))

"""Parts of what a library makes: databases of a client, remotes of a repository, tables of a connection.

All that is reached from such an object, by attributes, calls and indices, has the methods that its table lists
(`[within.NAME]` in `data/*.toml`). A method is found by its name, or by its name and the one before it
(`bucket.delete`).
"""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import Call, Made, Ref
from rulez_py.analysis.languages.actions import perform

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.dialect import Walk

    Within = Mapping[str, Mapping[str, str]]


def _owner(within: Within, name: str) -> str:
    """Return what a library makes by the name of a part of it; "" for any other name."""
    return max((one for one in within if name == one or name.startswith(f"{one}.")), key=len, default="")


def is_part(within: Within, value: Abstract) -> bool:
    """Tell if a value is, or is reached from, what a library makes."""
    return bool(within) and isinstance(value, (Ref, Made)) and bool(_owner(within, value.name))


def actions_of(within: Within, name: str) -> str | None:
    """Return what a method of a part does; None where no table lists it."""
    if not (owner := _owner(within, name)) or owner == name:
        return None
    parts = name[len(owner) + 1 :].split(".")
    methods = within[owner]
    return methods.get(".".join(parts[-2:])) or methods.get(parts[-1])


def method_of_part(walk: Walk, call: Call, function: Ref) -> Abstract:
    """Return the value of a method of a part, a part itself; None for any other call."""
    name, on = function.name, function.on
    owner = _owner(walk.dialect.within, name)
    if not owner or owner == name:
        return None
    if (lines := actions_of(walk.dialect.within, name)) is not None:
        perform(walk, name, lines, call, on)
    before = on.call.arguments if isinstance(on, Made) else []
    return Made(f"{owner}.{name.rpartition('.')[2]}", Call([*before[-1:], *call.arguments], call.keywords))

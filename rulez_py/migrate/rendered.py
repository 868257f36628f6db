"""The report of a migration, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulez_py.migrate.values import DIFFERS, KINDS, LOST, NOTE
from rulez_py.verdict import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulez_py.migrate.values import Message, Migrated

    Paint = Callable[[str, str], str]

_MOST_PLACES = 8
_COUNTED = {LOST: "lost", DIFFERS: "different", NOTE: "to know"}


def text(found: Migrated, shown: str, paint: Paint) -> Iterator[str]:
    """Yield the lines of the report: a message about several places is printed once. `shown` is the source's name."""
    same: dict[tuple[str, str, str], list[Message]] = {}
    for one in found.messages:
        same.setdefault((one.kind, one.message, one.help), []).append(one)
    for (kind, message, help), places in same.items():
        line, column = places[0].at
        lines = list(dict.fromkeys(str(one.at[0]) for one in places[1:]))
        more = ", ".join(lines[:_MOST_PLACES]) + (", ..." if len(lines) > _MOST_PLACES else "")
        also = f" (also line {more})" if lines else ""
        yield f"{paint('place', f'{visible(shown)}:{line}:{column}')}: {paint(kind, kind)}: {visible(message)}{also}"
        if help:
            yield f"    {visible(help)}"
    yield summary(found)


def summary(found: Migrated) -> str:
    """Return the counts of rules and messages, on one line."""
    counted = [(kind, sum(one.kind == kind for one in found.messages)) for kind in KINDS]
    said = ", ".join(f"{count} {_COUNTED[kind]}" for kind, count in counted if count)
    return f"{found.rules} rule{'' if found.rules == 1 else 's'}; {said or 'nothing is different'}"


def as_json(found: Migrated, shown: str, source: str) -> dict[str, Any]:
    """Return the report as JSON, with the policy. `source` is the product of the file."""
    return {
        "schema": 1,
        "source": shown,
        "from": source,
        "rules": found.rules,
        "carried": not found.lost,
        "report": [
            {"kind": one.kind, "line": one.at[0], "column": one.at[1], "message": one.message, "help": one.help}
            for one in found.messages
        ],
        "policy": found.policy,
    }

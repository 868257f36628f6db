"""What `python -X importtime` says."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

_MARK = "import time:"


@dataclass(frozen=True)
class Import:
    """One module's loading, in seconds: its own, and with all that it loaded first."""

    name: str
    own: float
    cumulative: float


def parse(text: str) -> list[Import]:
    """Return the modules in the order in which they were ready; other lines are left out."""
    found = []
    for line in text.splitlines():
        if not line.startswith(_MARK):
            continue
        own, cumulative, name = line.removeprefix(_MARK).split("|", 2)
        if own.strip().isdigit():  # not the heading
            found.append(Import(name.strip(), int(own) / 1e6, int(cumulative) / 1e6))
    return found


def medians(runs: Sequence[Sequence[Import]]) -> list[Import]:
    """Return each module's medians over several runs, the slowest own time first."""
    by_name: dict[str, list[Import]] = {}
    for run in runs:
        for one in run:
            by_name.setdefault(one.name, []).append(one)
    return sorted(
        (
            Import(name, statistics.median(one.own for one in seen), statistics.median(one.cumulative for one in seen))
            for name, seen in by_name.items()
        ),
        key=lambda one: -one.own,
    )


def without(imports: Sequence[Import], others: Sequence[Import]) -> list[Import]:
    """Return those that are not among `others`."""
    names = {one.name for one in others}
    return [one for one in imports if one.name not in names]

"""What the benchmark has to reach, and whether it did."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.contenders import (
    CHANGED_UNASKED,
    CHECKPOINT,
    COLD,
    CONSOLE,
    COUNTED,
    DENIED,
    FILE_ASKED,
    FILE_UNASKED,
    FROZEN,
    INTERPRETER,
    MATCHED,
    MATCHED_AFTER,
    ONE_FILE,
    OTHERS,
    PARSED,
    PYTHON,
    REAL,
    REAL_SLOW,
    REMEMBERED,
    REQUIRED,
    STREAM,
    TREE_ASKED,
    TREE_UNASKED,
    Contender,
    Row,
    rules_name,
)
from benchmarks.peers import PEERS
from benchmarks.stats import Summary

Results = Mapping[str, Summary]
"""Contender -> its numbers."""


@dataclass(frozen=True)
class Figure:
    """One number to reach. `measure` raises KeyError where a contender that it needs was not measured."""

    title: str
    limit: float
    measure: Callable[[Results], float]
    at_least: bool = False
    unit: str = ""

    def value(self, results: Results) -> float | None:
        """Return what was measured; None where it was not."""
        try:
            return self.measure(results)
        except KeyError:
            return None

    def reached(self, value: float) -> bool:
        return value >= self.limit if self.at_least else value <= self.limit


def _ratio(title: str, above: str, below: str, limit: float, *, at_least: bool = False) -> Figure:
    return Figure(title, limit, lambda results: results[above].ratio(results[below]), at_least=at_least)


def _more(title: str, above: str, below: str, limit: float) -> Figure:
    """Return how much more one row takes than another, in times of Python's own start."""
    return Figure(
        title, limit, lambda results: results[above].ratio(results[PYTHON]) - results[below].ratio(results[PYTHON])
    )


def figures(rows: Sequence[Row]) -> list[Figure]:
    """Return all of them; `rows` are those of the table."""
    ours = [row.name for row in rows if isinstance(row, Contender) and row.group not in (INTERPRETER, OTHERS)]
    return [
        _ratio(f"lines that agents ran: the median of 100, essentials and 100 rules / `{PYTHON}`", REAL, PYTHON, 1.9),
        _ratio(f"nine of ten of them / `{PYTHON}`", REAL_SLOW, PYTHON, 2.6),
        _ratio(f"frozen, warm cache, essentials and 100 rules / `{PYTHON}`", FROZEN, PYTHON, 1.45),
        _ratio(f"the same, a command that is parsed / `{PYTHON}`", PARSED, PYTHON, 2.0),
        _ratio(f"the same, denied / `{PYTHON}`", DENIED, PYTHON, 1.9),
        _ratio("one file, from its second start on / frozen", ONE_FILE, FROZEN, 1.2),
        _ratio(f"console script in a virtual environment / `{PYTHON}`", CONSOLE, PYTHON, 2.0),
        *(
            _ratio(f"10,000 rules / 10 rules, {tool} event", rules_name(tool, 10_000), rules_name(tool, 10), 1.25)
            for tool in ("Bash", "Write")
        ),
        _ratio(f"stream mode, per call / `{PYTHON}`", STREAM, PYTHON, 0.15),
        _ratio(f"first call with a cold cache, 100 rules / `{PYTHON}`", COLD, PYTHON, 15),
        _more(
            f"what one file would lose, of 10,000, more than without such a rule / `{PYTHON}`",
            FILE_ASKED,
            FILE_UNASKED,
            1.0,
        ),
        _more(f"what 9,800 files would lose / `{PYTHON}`", TREE_ASKED, TREE_UNASKED, 2.5),
        _more(f"200 changed files kept by a checkpoint / `{PYTHON}`", CHECKPOINT, CHANGED_UNASKED, 5.0),
        *(
            _more(f"{what}, more than a rule that matches / `{PYTHON}`", asked, alone, 0.15)
            for what, asked, alone in (
                ("calls counted", COUNTED, MATCHED),
                ("what the session has done required", REQUIRED, MATCHED),
                ("a call remembered", REMEMBERED, MATCHED_AFTER),
            )
        ),
        *(_ratio(f"{peer.name} / frozen", peer.title, FROZEN, 3, at_least=True) for peer in PEERS),
        _memory("peak memory of a hook call, warm cache, 100 rules", (FROZEN,)),
        _memory("the same of every rulez row below (cold, 10,000 rules, 5 MB)", ours),
    ]


def _memory(title: str, names: Sequence[str]) -> Figure:
    def megabytes(results: Results) -> float:
        return max(results[name].memory for name in (FROZEN, *names)) / 1e6

    return Figure(title, 40, megabytes, unit=" MB")

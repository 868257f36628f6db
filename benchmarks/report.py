"""docs/performance.md, out of one run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from benchmarks.contenders import PYTHON, Absent, Contender, Row, Tail
from benchmarks.figures import Figure, Results
from benchmarks.profile import Profile
from benchmarks.stats import Summary

_HEAD = """\
# How long a hook call takes

`make bench` measures whole processes as an agent starts them: from the start until the process has ended and its output
is read. All rows are measured in one run: each once per round, in another order each round, so that a slow minute of
the machine slows all of them. A row is measured only after it has given the right answer and denied what it must, and
every sample is checked in the same way.

`python3` is a virtual environment with nothing in it. *ratio*: this row's time divided by that of `python3 -c pass`
in the same round, the median over all rounds. *CPU*: the median of user and system time. *memory*: the highest peak
of the resident set.
"""


@dataclass(frozen=True)
class Run:
    """Everything the page says."""

    rows: Sequence[Row]
    results: Results
    figures: Sequence[Figure]
    machine: Mapping[str, str]
    rounds: int
    date: str
    command: str
    profile: Profile | None = None


def page(run: Run) -> str:
    """Return the whole page."""
    parts = [_HEAD, "## Targets", required(run), "![the main rows, and how they grow](performance.svg)"]
    parts += ["## All rows", full(run)]
    if run.profile is not None:
        parts += ["## Where the time goes", run.profile.markdown()]
    parts += ["## This run", _circumstances(run)]
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


def required(run: Run) -> str:
    """Return the table of required figures."""
    rows = (_figure(figure, run.results) for figure in run.figures)
    return _table(("figure", "target", "measured", "result"), rows)


def _figure(figure: Figure, results: Results) -> tuple[str, ...]:
    wanted = f"{'at least' if figure.at_least else 'at most'} {figure.limit:g}{figure.unit}"
    value = figure.value(results)
    if value is None:
        return figure.title, wanted, "not measured", ""
    return figure.title, wanted, f"{number(value)}{figure.unit}", "pass" if figure.reached(value) else "**miss**"


def full(run: Run) -> str:
    """Return one table for each group of rows."""
    head = ("", "median ms", "p95", "min", "CPU ms", "memory MB", "ratio")
    tables = []
    for group, rows in groupby(run.rows, key=lambda row: row.group):
        tables.append(f"### {group}\n\n" + _table(head, (_row(row, run.results) for row in rows)))
    return "\n".join(tables)


def _row(row: Row, results: Results) -> tuple[str, ...]:
    if isinstance(row, Absent):
        return row.name, row.why, *("",) * 5
    summary = results.get(row.name)
    if summary is None:
        return row.name, f"see `{row.of}`" if isinstance(row, Tail) else "not measured", *("",) * 5
    return (
        row.name,
        *(number(seconds * 1000) for seconds in (summary.median, summary.p95, summary.min)),
        "–" if summary.cpu is None else number(summary.cpu * 1000),
        number(summary.memory / 1e6),
        _of_python(summary, results),
    )


def _of_python(summary: Summary, results: Results) -> str:
    return number(summary.ratio(results[PYTHON])) if PYTHON in results else "–"


def number(value: float) -> str:
    """Three digits or so."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _circumstances(run: Run) -> str:
    lines = [f"- {what}: {said}" for what, said in run.machine.items()]
    lines += [f"- {run.date}, {run.rounds} rounds", f"- again: `{run.command}`"]
    for row in run.rows:
        if isinstance(row, Contender) and row.words:
            lines.append(f"- {row.name} was run as `{row.words}`; {_stops(row)}")
    return "\n".join(lines)


def _stops(row: Contender) -> str:
    said = [f"`{check.what}`: {check.word}" for check in row.checks if check.what]
    return "its answers before it was measured: " + ", ".join(said)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)

"""docs/performance.svg: the main rows as bars, and how the cost grows; to be read on white and on black."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from xml.sax.saxutils import escape

from benchmarks.contenders import (
    COLD,
    INTERPRETER,
    ONE_CALL,
    OTHERS,
    PYTHON,
    RULE_COUNTS,
    SIZES,
    Contender,
    Row,
    rules_name,
    size_name,
)
from benchmarks.figures import Results

WIDTH = 860
_LEFT, _RIGHT = 300, 90
_BAR, _STEP = 14, 26
_INK = "#7a828c"
_PYTHON, _OURS, _THEIRS = "#8b949e", "#2f81f7", "#d2731d"
_TOOLS = {"Bash": _OURS, "Write": "#2da44e"}
_PANEL = 190


def svg(rows: Sequence[Row], results: Results) -> str:
    """Return the whole picture."""
    shown = [row for row in rows if isinstance(row, Contender) and _in_bars(row) and row.name in results]
    below = 50 + _STEP * len(shown) + 40
    height = below + _PANEL + 70
    half = WIDTH // 2
    counts = {str(count) if count < 1000 else f"{count:,}": count for count in RULE_COUNTS}
    parts = [
        *_bars(shown, results),
        *_curves("number of rules", counts, rules_name, RULE_COUNTS, results, 0, below),
        *_curves("size of the tool's input", SIZES, size_name, tuple(SIZES), results, half, below),
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="system-ui, Segoe UI, Helvetica, Arial, sans-serif" font-size="12">\n'
        "<title>How long a hook call takes</title>\n"
    )
    return head + "\n".join(parts) + "\n</svg>\n"


def _in_bars(row: Contender) -> bool:
    return row.group in (INTERPRETER, ONE_CALL, OTHERS) and row.name != COLD


def _bars(rows: Sequence[Contender], results: Results) -> Iterable[str]:
    largest = max((results[row.name].p95 for row in rows), default=0.001) * 1000
    ticks = _ticks(largest)
    scale = (WIDTH - _LEFT - _RIGHT) / ticks[-1]
    bottom = 50 + _STEP * len(rows)
    yield _text(0, 20, "One process, start to end: median (bar, number), fastest and 95th percentile (line)", bold=True)
    for tick in ticks:
        x = _LEFT + tick * scale
        yield _line(x, 36, x, bottom, faint=True)
        yield _text(x, bottom + 16, f"{tick:g} ms", anchor="middle")
    for number, row in enumerate(rows):
        summary, middle = results[row.name], 50 + _STEP * number
        colour = {INTERPRETER: _PYTHON, OTHERS: _THEIRS}.get(row.group, _OURS)
        length = summary.median * 1000 * scale
        yield _text(_LEFT - 8, middle + 4, row.name, anchor="end")
        yield (
            f'<rect x="{_LEFT}" y="{middle - _BAR / 2:g}" width="{max(length, 1):.1f}" height="{_BAR}" rx="2" '
            f'fill="{colour}" fill-opacity="0.6"/>'
        )
        low, high = (_LEFT + seconds * 1000 * scale for seconds in (summary.min, summary.p95))
        yield _line(low, middle, high, middle)
        for x in (low, high):
            yield _line(x, middle - 4, x, middle + 4)
        yield _text(high + 6, middle + 4, f"{summary.median * 1000:.1f}")


def _curves(
    title: str,
    axis: Mapping[str, float],
    name: object,
    keys: Sequence[object],
    results: Results,
    left: int,
    top: int,
) -> Iterable[str]:
    """Yield one line per tool over a logarithmic axis; `name(tool, key)` is the row of a point."""
    assert callable(name)
    points = {
        tool: [
            (x, results[name(tool, key)].median * 1000)
            for x, key in zip(axis.values(), keys, strict=True)
            if name(tool, key) in results
        ]
        for tool in _TOOLS
    }
    base = results[PYTHON].median * 1000 if PYTHON in results else 0.0
    ticks = _ticks(max([base, *(y for line in points.values() for _x, y in line)]) or 1.0)
    first, last = (math.log10(value) for value in (min(axis.values()), max(axis.values())))
    width, floor = WIDTH // 2 - 110, top + 30 + _PANEL

    def across(value: float) -> float:
        return left + 50 + (math.log10(value) - first) / (last - first) * width

    def up(value: float) -> float:
        return floor - value / ticks[-1] * _PANEL

    yield _text(left, top + 10, f"ms by {title}", bold=True)
    for tick in ticks:
        yield _line(left + 50, up(tick), left + 50 + width, up(tick), faint=True)
        yield _text(left + 44, up(tick) + 4, f"{tick:g}", anchor="end")
    for label, value in axis.items():
        yield _text(across(value), floor + 18, label, anchor="middle")
    if base:
        yield _line(left + 50, up(base), left + 50 + width, up(base), dashed=True)
        yield _text(left + 50 + width, up(base) - 4, PYTHON, anchor="end")
    for tool, line in points.items():
        if not line:
            continue
        colour = _TOOLS[tool]
        path = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in line)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
        for x, y in line:
            yield f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="3" fill="{colour}"/>'
    ends = sorted((line[-1][1], tool) for tool, line in points.items() if line)
    at = math.inf
    for y, tool in ends:
        at = min(up(y), at - 14)  # One label does not cover the other.
        yield _text(left + 58 + width, at + 4, tool, colour=_TOOLS[tool])


def _ticks(largest: float) -> list[float]:
    """Four to eight round numbers from 0 to at least `largest`."""
    power = 10.0 ** math.floor(math.log10(largest))
    step = next(step * power for step in (0.2, 0.5, 1, 2) if largest <= 7 * step * power)
    return [number * step for number in range(math.ceil(largest / step) + 1)]


def _text(x: float, y: float, text: str, *, anchor: str = "start", bold: bool = False, colour: str = _INK) -> str:
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"{weight}>{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, *, faint: bool = False, dashed: bool = False) -> str:
    look = ' stroke-opacity="0.25"' if faint else ' stroke-dasharray="4 3"' if dashed else ' stroke-width="1.3"'
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{_INK}"{look}/>'

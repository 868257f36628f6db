"""Measure hook calls: rulez in its several forms, the bare interpreter, other products."""

from __future__ import annotations

import argparse
import datetime
import fnmatch
import os
import sys
import tempfile
from pathlib import Path

from benchmarks import machine, plot, report, runner
from benchmarks.contenders import FROZEN, PYTHON, ROOT, Programs, Row, contenders
from benchmarks.figures import figures
from benchmarks.process import Spawner
from benchmarks.profile import profile
from benchmarks.verdicts import WrongAnswer

PAGE = ROOT / "docs" / "performance.md"
PLOT = PAGE.with_suffix(".svg")
_PROFILE_RUNS = 15


def main(arguments: list[str] | None = None) -> int:
    """Exit code: 1 where a contender gave a wrong answer, or a figure was missed; with --check, or not measured."""
    options = _options(arguments)
    if not hasattr(os, "posix_spawn"):
        return _fail("processes are measured with posix_spawn and wait4, which this system does not have")
    with tempfile.TemporaryDirectory(prefix="rulez-bench-") as directory:
        programs = Programs.built(options.against)
        try:
            run = measured(Path(directory), programs, options)
        except WrongAnswer as wrong:
            return _fail(str(wrong))
        print(report.required(run) + "\n" + report.full(run))
        if options.write:
            PAGE.write_text(report.page(run))
            PLOT.write_text(plot.svg(run.rows, run.results))
            print(f"wrote {PAGE.relative_to(ROOT)} and {PLOT.relative_to(ROOT)}")
    values = [(figure, figure.value(run.results)) for figure in run.figures]
    missed = [
        figure.title for figure, value in values if (options.check if value is None else not figure.reached(value))
    ]
    if missed:
        return _fail("not reached: " + "; ".join(missed))
    return 0


def measured(directory: Path, programs: Programs, options: argparse.Namespace) -> report.Run:
    """Return one run. Raises WrongAnswer."""
    rows = contenders(directory / "contenders", programs, with_peers=options.with_peers)
    if options.only:
        rows = [row for row in rows if row.name == PYTHON or _chosen(row, options.only)]
    with Spawner() as spawner:
        rows = runner.check(spawner, rows)
        results = runner.measure(
            spawner, rows, options.rounds, _progress if sys.stderr.isatty() else lambda _done: None
        )
    return report.Run(
        rows=rows,
        results=results,
        figures=figures(rows),
        machine=machine.description(),
        rounds=options.rounds,
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
        command="make bench ARGS='--write --with-peers'" if options.with_peers else "make bench ARGS=--write",
        profile=profile(directory / "profile", programs.frozen, _PROFILE_RUNS) if options.write else None,
    )


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=40, help="samples of each contender (default %(default)s)")
    parser.add_argument("--with-peers", action="store_true", help="install other products, and measure them too")
    parser.add_argument("--only", action="append", metavar="GLOB", help="only these rows, and the bare interpreter")
    parser.add_argument("--against", metavar="PROGRAM", help=f"another rulez, in the same run as `{FROZEN}`")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md and .svg, with a profile")
    parser.add_argument("--check", action="store_true", help="fail also where a required figure is not measured")
    options = parser.parse_args(arguments)
    if options.rounds < 1:
        parser.error("--rounds is at least 1")
    if options.write and options.only:
        parser.error("--write needs all rows")
    return options


def _chosen(row: Row, globs: list[str]) -> bool:
    return any(fnmatch.fnmatchcase(row.name, glob) for glob in globs)


def _progress(done: int) -> None:
    print(f"\r{done} rounds", end="", file=sys.stderr, flush=True)


def _fail(problem: str) -> int:
    print(f"error: {problem}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())

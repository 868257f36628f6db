"""Measure `rulez log --summary` on a log of many lines, as a hook writes them: the best of some runs."""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rulez_py.event import Event
from rulez_py.history.reading import Query, lines
from rulez_py.history.summary import summarised
from rulez_py.log import audit
from rulez_py.verdict import Answer, RuleHit, Verdict

if TYPE_CHECKING:
    pass

BEGIN = 1_760_000_000.0
_DIFFERENT = 2000
"""Lines that are made; the others are these again, at other times, so that the file is there in seconds."""
_STOPPED = (("deny", "no-force-push", 3), ("ask", "ask-before-publish", 2), ("deny", "no-secrets-in-files", 1))
"""Verdict, rule, and how many of a hundred calls it stops."""
_COMMANDS = ("git status --short", "python -m pytest -x -q tests/test_one.py", "rg -n 'def main' src", "npm run build")


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0: it only measures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.history", description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000, help="lines of the log (default %(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="runs; the best one counts (default %(default)s)")
    parser.add_argument("--file", type=Path, help="a log of your own instead")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="rulez-bench-") as directory:
        path = options.file or write(Path(directory) / "audit.jsonl", options.lines)
        took = [_measured(path) for _ in range(options.runs)]
    calls = took[0][1]
    print(f"{calls} calls: best {min(took)[0]:.2f} s, median {sorted(took)[len(took) // 2][0]:.2f} s")
    return 0


def write(path: Path, count: int) -> Path:
    """Return a log of so many calls, ten seconds apart."""
    rng = random.Random(7)
    made = [_line(rng, number) for number in range(_DIFFERENT)]
    with path.open("wb", buffering=1 << 20) as file:
        for number in range(count):
            before, behind = made[rng.randrange(_DIFFERENT)]
            file.write(before + audit.iso_time(BEGIN + number * 10).encode() + behind)
    return path


def _line(rng: random.Random, number: int) -> tuple[bytes, bytes]:
    """Return what a line has before and after its time."""
    verdict = Verdict()
    hits: tuple[RuleHit, ...] = ()
    drawn = rng.randrange(100)
    for decision, rule, share in _STOPPED:
        if 0 <= drawn < share:
            hits = (RuleHit(rule=rule, layer="user", source=".rulez/rules.yaml:7", mode="enforce", decision=decision),)
            verdict = Verdict(decision=decision, rule=rule, reason=f"Blocked by rule {rule}: not here.", hits=hits)
        drawn -= share
    after = not hits and rng.random() < 0.4
    event = Event(
        platform=rng.choice(("claude", "codex", "gemini")),
        types=("PostToolUse",) if after else ("PreToolUse",),
        native_event="PostToolUse" if after else "PreToolUse",
        session_id=f"5f0c{number % 37:04x}-7a52-4d0f-9c3e-1f2d3c4b5a69",
        call_id=f"toolu_{rng.getrandbits(64):016x}",
        tool_name="Bash",
        platform_tool_name="Bash",
        tool_input={"command": rng.choice(_COMMANDS) + " " + "x" * rng.randrange(120)},
        cwd="/home/ada/projects/shop",
    )
    milliseconds = rng.lognormvariate(2.5, 0.4)
    sources = ("/home/ada/.config/rulez/rules.yaml", "/home/ada/projects/shop/.rulez/rules.yaml")
    line = audit.line(audit.entry_for(event, verdict, Answer(), milliseconds, BEGIN, sources))
    before, _, behind = line.partition(audit.iso_time(BEGIN).encode())
    return before, behind


def _measured(path: Path) -> tuple[float, int]:
    """Seconds, and the calls that were counted; the file is in memory from the run before, or from writing."""
    began = time.perf_counter()
    found = summarised(lines([os.fspath(path)], lambda _read: None), Query())
    return time.perf_counter() - began, found.calls


if __name__ == "__main__":
    sys.exit(main())

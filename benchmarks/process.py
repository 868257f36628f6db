"""One measured process, through `spawner.py`."""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

BASE_PYTHON: str = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
"""The interpreter behind this virtual environment; `python3` on PATH may be somebody's script."""

LIMIT = 120.0
"""Seconds after which a process is ended."""


@dataclass(frozen=True)
class Ended:
    """How a process ended and what it took: seconds and bytes. `cpu` is None where it is not one call's.

    `started` is what `time.monotonic` said then.
    """

    exit_code: int
    stdout: str
    stderr: str
    started: float
    wall: float
    cpu: float | None
    memory: int

    def __str__(self) -> str:
        return f"exit code {self.exit_code}, stdout {self.stdout[-500:]!r}, stderr {self.stderr[-500:]!r}"


@dataclass(frozen=True)
class Start:
    """What to start, and where. With `calls` it is one process that answers so many lines."""

    command: tuple[str, ...]
    cwd: Path
    environ: Mapping[str, str]
    payload: Path
    calls: int = 0


class Spawner:
    """The small process that starts the measured ones."""

    def __enter__(self) -> Spawner:
        script = Path(__file__).with_name("spawner.py")
        self._process = subprocess.Popen(
            [BASE_PYTHON, "-I", "-S", str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def run(self, start: Start) -> Ended:
        """Return the process, from its start to its end."""
        assert self._process.stdin is not None and self._process.stdout is not None
        request: list[Any] = [list(start.command), str(start.cwd), dict(start.environ), str(start.payload), LIMIT]
        request += [start.calls] if start.calls else []
        marshal.dump(tuple(request), self._process.stdin)
        self._process.stdin.flush()
        exit_code, stdout, stderr, started, wall, cpu, memory = marshal.load(self._process.stdout)
        return Ended(
            exit_code=exit_code,
            stdout=stdout.decode("utf-8", "replace"),
            stderr=stderr.decode("utf-8", "replace"),
            started=started,
            wall=wall,
            cpu=None if start.calls else cpu,
            memory=memory,
        )

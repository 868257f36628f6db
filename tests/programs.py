"""The ways to run rulez as a program: this checkout's Python, and the frozen programs where they were built."""

from __future__ import annotations

import atexit
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
_EXE = ".exe" if sys.platform == "win32" else ""
FROZEN = ROOT / "dist" / "rulez" / f"rulez{_EXE}"
ONE_FILE = ROOT / "dist" / f"rulez-onefile{_EXE}"
ARCHIVE = ROOT / "build" / "pyinstaller" / "rulez" / "PYZ-00.pyz"
"""The archive of modules in each of them."""
PIECES = ROOT / "build" / "pyinstaller" / "rulez" / "rulez-pieces"
"""Compares what the launcher has as data with the archive; only where it has any."""
BUILD_PYTHON = ROOT / "build" / "python" / ("Scripts" if sys.platform == "win32" else "bin") / f"python{_EXE}"
"""What the frozen program was built with; it may be another Python than that of the tests."""
REPORTING = ROOT / "build" / "pyinstaller" / "rulez" / f"rulez-modules{_EXE}"
"""For this one, link `_internal` beside it; `dev/rulez.spec` says what it is."""

SOURCE_COMMAND = (sys.executable, "-m", "rulez_py")

needs_binary = pytest.mark.skipif(not FROZEN.exists(), reason="dist/rulez is not built; run `make binary`")
PROGRAMS = [
    pytest.param(SOURCE_COMMAND, id="source"),
    pytest.param((str(FROZEN),), id="frozen", marks=[pytest.mark.binary, needs_binary]),
    pytest.param((str(ONE_FILE),), id="one file", marks=[pytest.mark.binary, needs_binary]),
]


@functools.cache
def _cache() -> str:
    """The cache of each call of the one file: it would unpack itself anew for each test's home."""
    place = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return place


def _environ(program: Sequence[str]) -> dict[str, str]:
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    return {**environ, "XDG_CACHE_HOME": _cache()} if program[0] == str(ONE_FILE) else environ


def run_hook(
    program: tuple[str, ...], platform: str, payload: object, cwd: Path, *options: str
) -> subprocess.CompletedProcess[str]:
    """One hook call as a process of its own, in `cwd`, with this test's environment. `payload` is bytes or JSON."""
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    ended = subprocess.run(
        [*program, "hook", "--platform", platform, *options],
        input=data,
        capture_output=True,
        cwd=cwd,
        env=_environ(program),
        check=False,
        timeout=60,
    )
    return subprocess.CompletedProcess(
        ended.args, ended.returncode, ended.stdout.decode("utf-8"), ended.stderr.decode("utf-8")
    )


def prepared(preparation: str) -> list[str]:
    """The command of a hook call in a program that has done something else before; options follow."""
    source = f"import os, sys, time\n{preparation}\nfrom rulez_py.hook.main import main\nsys.exit(main(sys.argv[1:]))"
    return [sys.executable, "-c", source]


class Stream:
    """`rulez hook --stream` as a process of its own, in `cwd`, with this test's environment."""

    def __init__(self, command: list[str], cwd: Path, **streams: Any) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
        self.process = subprocess.Popen(command, cwd=cwd, env=_environ(command), **pipes)

    def send(self, data: bytes) -> None:
        """Write to its stdin, and do not close that."""
        assert self.process.stdin
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        """Its next answer."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), "the stream has ended"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def ask(self, payload: object) -> dict[str, Any]:
        """The answer to one line; `payload` is bytes without a line's end, or JSON."""
        self.send((payload if isinstance(payload, bytes) else json.dumps(payload).encode()) + b"\n")
        return self.answer()

    def end(self, data: bytes = b"") -> tuple[list[dict[str, Any]], int]:
        """Send this, close its stdin -> the answers that were still to come, and its exit code."""
        stdout, stderr = self.process.communicate(data, timeout=60)
        assert stderr == b""
        return [json.loads(line) for line in stdout.splitlines()], self.process.returncode

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_error: object) -> None:
        with self.process:
            self.process.kill()


def stream(program: tuple[str, ...], platform: str, cwd: Path, *options: str) -> Stream:
    """The program as a stream for one platform."""
    return Stream([*program, "hook", "--platform", platform, "--stream", *options], cwd)

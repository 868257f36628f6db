"""The ways to run rulez as a program: this checkout's Python, and the frozen programs where they were built."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
_EXE = ".exe" if sys.platform == "win32" else ""
FROZEN = ROOT / "dist" / "rulez" / f"rulez{_EXE}"
ONE_FILE = ROOT / "dist" / f"rulez-onefile{_EXE}"
REPORTING = ROOT / "build" / "pyinstaller" / "rulez" / f"rulez-modules{_EXE}"
"""For this one, link `_internal` beside it; `dev/rulez.spec` says what it is."""

SOURCE_COMMAND = (sys.executable, "-m", "rulez_py")

needs_binary = pytest.mark.skipif(not FROZEN.exists(), reason="dist/rulez is not built; run `make binary`")
PROGRAMS = [
    pytest.param(SOURCE_COMMAND, id="source"),
    pytest.param((str(FROZEN),), id="frozen", marks=[pytest.mark.binary, needs_binary]),
    pytest.param((str(ONE_FILE),), id="one file", marks=[pytest.mark.binary, needs_binary]),
]


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
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
        timeout=60,
    )
    return subprocess.CompletedProcess(
        ended.args, ended.returncode, ended.stdout.decode("utf-8"), ended.stderr.decode("utf-8")
    )

"""Which Python the frozen program is built with: `dev/build_python.py`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dev import build_python
from dev.build_python import Python
from tests.programs import BUILD_PYTHON, FROZEN, ROOT

PLAIN = Python("/plain", "3.11.7", "cpython-311 .so", "'--enable-shared'", "/opt", headers=True, library=True)
FAST = PLAIN._replace(program="/fast", version="3.11.2", arguments="'--enable-optimizations' '--with-lto'")
DEBIAN = FAST._replace(program="/debian", arguments="'--with-dtrace'", prefix="/usr")


@pytest.mark.parametrize(
    ("own", "others", "expected"),
    [
        (PLAIN, [], ["/plain"]),
        (PLAIN, [FAST], ["/fast", "/plain"]),
        (PLAIN, [DEBIAN, FAST], ["/debian", "/fast", "/plain"]),
        (FAST, [DEBIAN], ["/fast"]),
        (PLAIN, [PLAIN._replace(program="/other")], ["/plain"]),
        (PLAIN, [FAST._replace(headers=False)], ["/plain"]),
        (PLAIN, [FAST._replace(library=False)], ["/plain"]),
        (PLAIN, [FAST._replace(abi="cpython-311d .so")], ["/plain"]),
        (PLAIN, [FAST._replace(abi="cpython-312 .so")], ["/plain"]),
        (PLAIN, [None, FAST], ["/fast", "/plain"]),
    ],
)
def test_the_best_python_of_the_version_is_taken(
    own: Python, others: list[Python | None], expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {str(number): other for number, other in enumerate(others)}
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(build_python, "places", lambda version: list(found))
    monkeypatch.setattr(build_python, "asked", found.__getitem__)
    assert [python.program for python in build_python.candidates(own)] == expected


def test_one_that_is_named_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_python, "asked", {"/plain": PLAIN}.get)
    assert build_python.candidates(FAST, "/plain") == [PLAIN]


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (None, "/other does not run; the tests run in 3.11.2"),
        (PLAIN._replace(version="3.12.1", abi="cpython-312 .so"), "/other is CPython 3.12.1; the tests run in 3.11.2"),
    ],
)
def test_one_that_is_named_and_does_not_fit_is_an_error(
    other: Python | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_python, "asked", {"/other": other}.get)
    with pytest.raises(SystemExit, match=said):
        build_python.candidates(FAST, "/other")


@pytest.mark.parametrize(
    ("python", "said"),
    [
        (FAST, "CPython 3.11.2, optimised (PGO, LTO)"),
        (DEBIAN, "CPython 3.11.2, optimised (PGO, LTO; by the distribution)"),
        (FAST._replace(arguments="'--enable-optimizations'"), "CPython 3.11.2, optimised (PGO)"),
        (PLAIN, "CPython 3.11.7, not optimised"),
        (
            FAST._replace(headers=False, library=False),
            "CPython 3.11.2, optimised (PGO, LTO); it lacks headers, a static library",
        ),
    ],
)
def test_it_says_what_it_took_and_what_that_lacks(python: Python, said: str) -> None:
    assert str(python) == said


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script")
def test_a_python_that_makes_no_environment_is_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "python"
    bad.write_text("#!/bin/sh\necho no module named venv >&2\nexit 1\n")
    bad.chmod(0o755)
    own = build_python.asked(sys.executable)
    assert own
    assert build_python.made([own._replace(program=str(bad)), own], tmp_path / "made") == own
    assert "no module named venv" in capsys.readouterr().err
    python = tmp_path / "made" / "bin" / "python"
    code = "import sys, PyInstaller, rulez_py; print(sys.prefix)"
    said = subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == f"{tmp_path / 'made'}\n"


def test_what_does_not_run_says_nothing(tmp_path: Path) -> None:
    assert build_python.asked(str(tmp_path / "missing")) is None


@pytest.mark.binary
@pytest.mark.skipif(not FROZEN.exists(), reason="dist/rulez is not built; run `make binary`")
def test_what_was_taken_is_written_down() -> None:
    built = build_python.asked(str(BUILD_PYTHON))
    assert (ROOT / "build" / "python" / build_python.ABOUT).read_text("utf-8") == f"{built}\n"

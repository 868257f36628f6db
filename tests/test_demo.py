"""`make demo`, the first thing that a newcomer runs: each agent of rulez is in it, and it finds nothing wrong."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dev import demo
from rulez_py.platforms import PLATFORMS

RULEZ = Path(sys.executable).parent / "rulez"


def test_every_agent_is_in_it() -> None:
    assert sorted(platform for platform, _, _ in demo.CALLS) == sorted(PLATFORMS)


def test_it_finds_every_dangerous_call_denied_and_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main(str(RULEZ)) == 0
    assert capsys.readouterr().out.endswith("Every dangerous call was denied, and no other.\n")


def test_it_says_so_where_harmless_calls_are_denied_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main(sys.executable) == 1  # which finds no file called `hook`, and ends with exit code 2
    assert "SOMETHING IS WRONG" in capsys.readouterr().out

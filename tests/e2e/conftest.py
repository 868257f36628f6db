"""The sessions, played once each and shared by the cases they decide; and what came of the cases."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest

from tests.e2e.session import Run, Session, run

WORK = "RULEZ_E2E_WORK"
"""Environment variable: the directory below which the sessions happen; `python -m tests.e2e` sets it."""

CHOSEN = "RULEZ_E2E_AGENTS"
"""Environment variable: the agents that are played, with commas between; all without it."""

RESULTS = "results.json"
"""The file in it that tells what came of each case: a list of objects, see tests/e2e/report.py."""

# Read now: a test has an environment of its own (tests/conftest.py).
_work = os.environ.get(WORK)
_chosen = os.environ.get(CHOSEN)

S = TypeVar("S")
R = TypeVar("R")
Play = Callable[[Session], Run]


def played(platform: str) -> bool:
    """Tell if this run drives a platform's agent."""
    return _work is not None and platform in (_chosen or platform).split(",")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the sessions of agents whose turn it is not."""
    if not _chosen:
        return
    left = [item for item in items if _platform(item) not in ("", *_chosen.split(","))]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in left]


def _platform(item: pytest.Item) -> str:
    called = getattr(item, "callspec", None)
    return str(getattr(called.params.get("session"), "platform", "")) if called else ""


@pytest.fixture(scope="session")
def play(request: pytest.FixtureRequest) -> Iterator[Play]:
    """What a session of cases.yaml left behind."""
    yield from begun(request.session.items, Session, run, plays=lambda session: bool(session.played.cases))


def begun(
    items: Sequence[pytest.Item],
    kind: type[S],
    run: Callable[[S, Path], R],
    plays: Callable[[S], bool] = lambda _: True,
) -> Iterator[Callable[[S], R]]:
    """What a session left behind. All the chosen tests need are begun at once, as many together as there are CPUs."""
    if _work is None:
        pytest.skip("the real agents are driven by `make e2e`")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        started: dict[S, Future[R]] = {}
        for item in items:
            called = getattr(item, "callspec", None)  # Not every test is of a table.
            session = called.params.get("session") if called is not None else None
            if isinstance(session, kind) and session not in started and plays(session):
                started[session] = pool.submit(run, session, Path(_work))
        yield lambda session: started[session].result()
        pool.shutdown(cancel_futures=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Keeps the results of this run for docs/conformance.md."""
    if _work is None:
        return
    rows = [
        {**dict(report.user_properties), "outcome": outcome, "why": _why(report)}
        for outcome in ("passed", "failed", "error", "skipped", "xfailed")
        for report in terminalreporter.stats.get(outcome, [])
        if isinstance(report, pytest.TestReport) and report.user_properties
    ]
    (Path(_work) / RESULTS).write_text(json.dumps(rows, indent=1))


def _why(report: pytest.TestReport) -> str:
    if report.skipped and isinstance(report.longrepr, tuple):
        return report.longrepr[2].removeprefix("Skipped: ")
    return getattr(report, "wasxfail", "").removeprefix("reason: ")

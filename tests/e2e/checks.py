"""Whether a case holds in a session."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from tests.e2e.session import Run, Sitting
from tests.e2e.table import CHECKS, Case

EFFECTS = ("absent", "content", "present", "unheard", "visited")
"""The checks of what a call brought about, or of what came out with it."""


def failures(sitting: Sitting, case: Case, run: Run, only: Collection[str] = CHECKS) -> list[str]:
    """What does not hold of a case, one sentence each; of some checks only, where they are given."""
    call = sitting.played.call_of(case)
    found: list[str] = []
    for check, wanted in case.checks_on(sitting.platform).items():
        if check in only:
            found += _CHECKS[check](run, wanted, run.results.get(call or "", ""))
    if found:
        found.insert(0, f"see {run.place.root}; exit code {run.exit_code} after {run.seconds:.0f} s")
    return found


Check = Callable[[Run, Any, str], list[str]]
"""(run, what the table says, the result of the case's call) -> what does not hold."""


def _texts(wanted: Any) -> list[str]:
    return [wanted] if isinstance(wanted, str) else list(wanted)


def _holding(where: str, text: Callable[[Run, str], str], *, without: bool = False) -> Check:
    """A check that a text has (or has not) some parts."""

    def check(run: Run, wanted: Any, result: str) -> list[str]:
        held = text(run, result)
        parts = [run.place.filled(part) for part in _texts(wanted)]
        return [f"{where} {'has' if without else 'lacks'} `{p}`: {_end(held)}" for p in parts if (p in held) is without]

    return check


def _end(text: str) -> str:
    return repr(text if len(text) <= 600 else "..." + text[-600:])


def _absent(run: Run, wanted: Any, _: str) -> list[str]:
    return [f"{path} exists" for path in _texts(wanted) if (run.place.project / run.place.filled(path)).exists()]


def _present(run: Run, wanted: Any, _: str) -> list[str]:
    missing = [path for path in _texts(wanted) if not (run.place.project / run.place.filled(path)).exists()]
    return [f"{path} does not exist" for path in missing]


def _content(run: Run, wanted: Any, _: str) -> list[str]:
    found = []
    for path, text in wanted.items():
        target = run.place.project / run.place.filled(path)
        held = target.read_text() if target.exists() else None
        if held != text:
            found.append(f"{path} holds {held!r}, not {text!r}")
    return found


def _requests(run: Run, wanted: Any, _: str) -> list[str]:
    return [] if run.requests == wanted else [f"the model was asked {run.requests} times, not {wanted}"]


def _asked(run: Run, wanted: Any, _: str) -> list[str]:
    """How often the person was asked, and that they were told why: the policy's words are in the question."""
    times, why = wanted["times"], wanted["why"]
    if len(run.asked) != times:
        return [f"the person was asked {len(run.asked)} times, not {times}: {_end(' '.join(run.asked))}"]
    return [f"the question lacks `{why}`: {_end(question)}" for question in run.asked if why not in question]


def _visited(run: Run, wanted: Any, _: str) -> list[str]:
    return [] if bool(run.visits) is wanted else [f"the session's web was visited: {list(run.visits)}"]


_CHECKS: dict[str, Check] = {
    "absent": _absent,
    "present": _present,
    "content": _content,
    "requests": _requests,
    "visited": _visited,
    "asked": _asked,
    "told": _holding("the result", lambda run, result: result),
    "untold": _holding("the result", lambda run, result: result, without=True),
    "heard": _holding("what the model was sent", lambda run, _: run.heard),
    "unheard": _holding("what the model was sent", lambda run, _: run.heard, without=True),
    "printed": _holding("what the agent printed", lambda run, _: run.printed),
}

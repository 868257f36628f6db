"""Whether a case holds in a session."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Any

from rulez_py.platforms import adapter
from tests.e2e.session import Run, Session, ends
from tests.e2e.table import CHECKS, Case

EFFECTS = ("absent", "content", "present", "unheard", "visited")
"""The checks of what a call brought about, or of what came out with it."""


def lifeless(session: Session, case: Case, run: Run) -> list[str]:
    """Signs that the case was not played at all, one sentence each: then nothing that is absent means anything."""
    found = []
    call = session.played.call_of(case)
    if run.exit_code is None:
        found.append("the agent had to be ended")
    # Of an agent that calls no hook where a session begins, none can have been called before the program was gone.
    begins = any(spec.begins for spec in adapter(session.platform).EVENTS.values())
    gone = session.played.hook == "missing" and not begins
    if not gone and not any("hook" in one.arguments for one in run.calls):
        found.append("the hook was never called")
    read = call in run.results or case.checks_on(session.platform).get("unread")
    # Where a denial ends the run, the hook's answer stands in for the result, and where rulez itself failed, the end.
    ended = ends(session.platform)
    if call is not None and not read and not (ended and ended in run.printed):
        found.append(f"the model never read the result of {call}")
    return _with_place(found, run)


def failures(session: Session, case: Case, run: Run, only: Collection[str] = CHECKS) -> list[str]:
    """What does not hold of a case, one sentence each; of some checks only, where they are given."""
    result = run.results.get(session.played.call_of(case) or "")
    wanted = {check: what for check, what in case.checks_on(session.platform).items() if check in only}
    return _with_place([line for check, what in wanted.items() for line in BY_NAME[check](run, what, result)], run)


def _with_place(found: list[str], run: Run) -> list[str]:
    if found:
        found.insert(0, f"see {run.place.root}; exit code {run.exit_code} after {run.seconds:.0f} s")
    return found


Check = Callable[[Run, Any, str | None], list[str]]
"""(run, what the table says, the result of the case's call as the model read it) -> what does not hold."""


def _texts(wanted: Any) -> list[str]:
    return [wanted] if isinstance(wanted, str) else list(wanted)


def _holding(where: str, text: Callable[[Run, str | None], str], *, without: bool = False) -> Check:
    """A check that a text has (or has not) some parts."""

    def check(run: Run, wanted: Any, result: str | None) -> list[str]:
        held = text(run, result)
        parts = [run.place.filled(part) for part in _texts(wanted)]
        return [f"{where} {'has' if without else 'lacks'} `{p}`: {_end(held)}" for p in parts if (p in held) is without]

    return check


def _end(text: str) -> str:
    return repr(text if len(text) <= 600 else "..." + text[-600:])


def _unread(run: Run, wanted: Any, result: str | None) -> list[str]:
    return [] if (result is None) is wanted else [f"the model read {result!r}"]


def _judged(run: Run, wanted: Any, _: str | None) -> list[str]:
    payloads = [json.dumps(call.payload) for call in run.calls]
    return [f"the hook was never asked about `{p}`" for p in _texts(wanted) if not any(p in text for text in payloads)]


def _absent(run: Run, wanted: Any, _: str | None) -> list[str]:
    return [f"{path} exists" for path in _texts(wanted) if run.place.file(path).exists()]


def _present(run: Run, wanted: Any, _: str | None) -> list[str]:
    missing = [path for path in _texts(wanted) if not run.place.file(path).exists()]
    return [f"{path} does not exist" for path in missing]


def _content(run: Run, wanted: Any, _: str | None) -> list[str]:
    found = []
    for path, text in wanted.items():
        target = run.place.file(path)
        held = target.read_text() if target.exists() else None
        if held != text:
            found.append(f"{path} holds {held!r}, not {text!r}")
    return found


def _requests(run: Run, wanted: Any, _: str | None) -> list[str]:
    return [] if run.requests == wanted else [f"the model was asked {run.requests} times, not {wanted}"]


def _asked(run: Run, wanted: Any, _: str | None) -> list[str]:
    """How often the person was asked, and that they were told why: the policy's words are in the question."""
    times, why = wanted["times"], wanted["why"]
    if len(run.asked) != times:
        return [f"the person was asked {len(run.asked)} times, not {times}: {_end(' '.join(run.asked))}"]
    return [f"the question lacks `{why}`: {_end(question)}" for question in run.asked if why not in question]


def _visited(run: Run, wanted: Any, _: str | None) -> list[str]:
    return [] if bool(run.visits) is wanted else [f"the session's web was visited: {list(run.visits)}"]


BY_NAME: dict[str, Check] = {
    "absent": _absent,
    "present": _present,
    "content": _content,
    "requests": _requests,
    "visited": _visited,
    "asked": _asked,
    "told": _holding("the result", lambda run, result: result or ""),
    "unread": _unread,
    "judged": _judged,
    "heard": _holding("what the model was sent", lambda run, _: run.heard),
    "unheard": _holding("what the model was sent", lambda run, _: run.heard, without=True),
    "printed": _holding("what the agent printed", lambda run, _: run.printed),
}

"""A child process that judges a case, and tells its parent what it finds as a line of JSON.

No alarm reaches Python while a regex or an expression runs in compiled code, and a repository's policy may be made to
run there for ever, or to crash it. A child can be killed. It only judges: its parent gives out the answer and logs it.
"""

from __future__ import annotations

import os
import select
import time

from rulez_py.hook import call as calls
from rulez_py.hook.stdio import printed, write
from rulez_py.hook.values import Outcome
from rulez_py.system import jsontext
from rulez_py.verdict import Answer, Redacted, RuleHit, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from rulez_py.hook.call import Case
    from rulez_py.hook.values import HookCall


def judged_by_child(call: HookCall, case: Case, grace: float) -> Outcome | None:
    """Return what a child finds until the call's deadline; None where it hangs or has crashed.

    Should this process be gone by then, the child ends `grace` seconds later. Raises OSError.
    """
    signals = __import__("_signal")
    signals.signal(
        signals.SIGCHLD, signals.SIG_DFL
    )  # Where SIGCHLD is ignored, the kernel reaps children itself and waitpid fails.
    reading, writing = os.pipe()
    try:
        child = _fork(lambda: _judge_for_parent(writing, call, case, grace))
    except BaseException:
        os.close(reading)
        raise
    finally:
        os.close(writing)
    try:
        told = _line_from(reading, call.deadline)
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
        os.close(reading)
    return _outcome_from(told) if told.endswith(b"\n") else None


def _fork(work: Callable[[], None]) -> int:
    """Return a child process that does this and nothing else, whatever happens to it; its id."""
    parent = os.getpid()
    try:
        child = os.fork()
        if child == 0:
            work()
        return child
    finally:
        if os.getpid() != parent:
            os._exit(0)


def _judge_for_parent(parent: int, call: HookCall, case: Case, grace: float) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # Input and output are the parent's alone.
        if descriptor != parent:
            os.dup2(nothing, descriptor)
    # Should the parent be gone by then: the signal itself ends what no handler of Python's reaches.
    alarm = __import__("_signal")
    alarm.signal(alarm.SIGALRM, alarm.SIG_DFL)
    alarm.setitimer(alarm.ITIMER_REAL, max(call.deadline - time.monotonic(), 0.0) + grace)
    write(parent, _told(calls.safely(call, lambda: calls.judged(call, case))))


def _told(outcome: Outcome) -> str:
    """Return an outcome as a line of JSON."""
    hits = [hit.as_dict() for hit in outcome.verdict.hits]
    # What the agent is to read in the result's place is in the answer.
    result = outcome.verdict.result
    besides = {"hits": hits, "result": None if result is None else result.replace(value=None).as_dict()}
    return printed(jsontext.dumps([outcome.answer.as_dict(), {**outcome.verdict.as_dict(), **besides}]))


def _outcome_from(told: bytes) -> Outcome:
    answer, verdict = jsontext.loads(told)
    hits = [RuleHit(**hit) for hit in verdict["hits"]]
    result = verdict["result"] and Redacted(**_with_tuples(verdict["result"]))
    return Outcome(
        verdict=Verdict(**_with_tuples({**verdict, "hits": hits, "result": result})),
        answer=Answer(**_with_tuples(answer)),
    )


def _with_tuples(fields: dict[str, Any]) -> dict[str, Any]:
    """Fields of a value that have been JSON, which knows no tuples."""
    return {name: tuple(field) if isinstance(field, list) else field for name, field in fields.items()}


def _line_from(descriptor: int, until: float) -> bytes:
    """Return a line; without its end where the writer ended before, or it is not there `until` (monotonic) then."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    line = b""
    while not line.endswith(b"\n"):
        left = until - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            break
        piece = os.read(descriptor, 1 << 16)
        if not piece:
            break
        line += piece
    return line

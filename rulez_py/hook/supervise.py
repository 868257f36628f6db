"""A call that is answered in time and once, whatever hangs or crashes in it: an alarm, and a child that judges."""

from __future__ import annotations

import os
import sys
import time

from rulez_py.analysis import Value
from rulez_py.hook import call as calls
from rulez_py.hook.failing import exit_code_alone, last_words, unread
from rulez_py.verdict import ALLOW, DENY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from rulez_py.hook.call import Case
    from rulez_py.hook.stdio import Outlet
    from rulez_py.hook.values import HookCall, Outcome

LOG_BUDGET = 2.0
"""Seconds that the log, and keeping the policy, may take where the answer has used up its time; else what it left.

The agents' limits still hold: one that strikes while the log is written lets the call through.
"""
LAST_CALL = 1.0
"""Seconds that finding the right answer may take when time has run out."""


class Watched(Value):
    """A call with a time limit: the destination of its answer, and a lock that only one answer gets.

    On Windows the alarm is a thread, so two may want to at once.
    """

    call: HookCall
    outlet: Outlet
    answered: Any
    """A lock that is never released."""


def watched(call: HookCall, outlet: Outlet) -> Watched:
    """Return a call without an answer so far."""
    return Watched(call=call, outlet=outlet, answered=__import__("_thread").allocate_lock())


def answer_in_time(watch: Watched, read: Callable[[], bytes]) -> None:
    """Judge the payload that `read` gets, give out the answer and log it.

    Where it takes too long, the answer says so and the process ends: what hangs in it may hang for ever.
    """
    set_alarm(watch.call.options.timeout, lambda: time_is_up(watch))
    data = read()
    outcome = calls.safely(watch.call, lambda: calls.by_sender(watch.call, data, lambda *of: _judged(watch, *of)))
    if not _give(watch, outcome):
        time.sleep(LAST_CALL + LOG_BUDGET)  # The alarm, a thread of its own, is about to end the process.


def _judged(watch: Watched, call: HookCall, case: Case) -> Outcome:
    """Return the outcome of a case. Rules that no person has trusted judge it in a child process.

    `call` is the one that is watched, or one of several as which it is judged (`unnamed`).
    INVARIANT: where that finds nothing, the rules that people have trusted still count.
    """
    if call is not watch.call:  # A child that judged it as from another agent has put the alarm off.
        set_alarm(max(call.deadline - time.monotonic(), 0.0), lambda: time_is_up(watch))
    case = calls.as_granted(call, case)
    if case.trusted or not hasattr(os, "fork"):
        return calls.judged(call, case)
    from rulez_py.hook.child import judged_by_child

    clear_alarm()
    outcome = judged_by_child(call, case, LAST_CALL)
    if outcome is not None:
        return outcome
    late = time.monotonic() >= call.deadline
    _expect_the_last_words(watch)
    return stricter_than_failure(call, case.by_trusted_rules()) or (give_up(call) if late else _ended(call))


def stricter_than_failure(call: HookCall, case: Case) -> Outcome | None:
    """Return the outcome of a case where a failure alone would be more lenient; else None."""
    on_error = case.policy.on_error
    if on_error == DENY:
        return None
    outcome = calls.safely(call, lambda: calls.judged(call, case))
    return outcome if on_error == ALLOW or outcome.verdict.decision == DENY else None


def _ended(call: HookCall) -> Outcome:
    advice = "look at the policy's regexes and expressions"
    return calls.failure(call, "rulez was ended while it judged this call", advice)


# Giving out the answer.


def _give(watch: Watched, outcome: Outcome) -> bool:
    """Give out an answer, if it is the call's first, and do what can wait; whether it was the first.

    Where time ran out over the policy, a second process comes back from here, and goes on with that.
    """
    if not watch.answered.acquire(False):
        return False
    call = watch.call
    set_alarm(max(call.deadline - time.monotonic(), LAST_CALL), lambda: _not_read(watch, outcome))
    taken = watch.outlet.put(outcome.answer, exit_code_alone(call.known))
    # Where the alarm is a thread, it is not the one that compiles.
    if sys.platform != "win32" and _is_compiling() and _keeping().finish_afterwards():
        return False
    _log(watch, outcome if taken else unread(call.known, outcome.verdict))
    calls.remember(call)
    calls.finish(call)
    calls.sweep(call)
    clear_alarm()
    return True


def _log(watch: Watched, outcome: Outcome) -> None:
    left = watch.call.deadline - time.monotonic()
    set_alarm(max(left, LOG_BUDGET), lambda: os._exit(watch.outlet.exit_code))
    calls.log(watch.call, outcome)


def _not_read(watch: Watched, outcome: Outcome) -> NoReturn:
    watch.outlet.complain()
    _log(watch, unread(watch.call.known, outcome.verdict))
    os._exit(watch.outlet.exit_code)


# When time runs out.


def time_is_up(watch: Watched) -> None:
    """Answer now, and end the process."""
    _expect_the_last_words(watch)
    _end_with(watch, give_up(watch.call))


def _expect_the_last_words(watch: Watched) -> None:
    """Set an alarm that denies at once, should finding the right answer not end either."""
    set_alarm(LAST_CALL, lambda: _end_with(watch, last_words(watch.call.known, *_too_slow(watch.call))))


def _end_with(watch: Watched, outcome: Outcome) -> None:
    if _give(watch, outcome):
        os._exit(watch.outlet.exit_code)


def give_up(call: HookCall) -> Outcome:
    """Return the outcome of a call that ran out of time."""
    return calls.failure(call, *_too_slow(call))


def _too_slow(call: HookCall) -> tuple[str, str]:
    """Return the cause and the advice."""
    cause = f"no verdict within {call.options.timeout:g} s"
    if call.known.policy is None and _is_compiling():
        return f"{cause}: the policy was still being compiled", "call again; the next call will find it compiled"
    return cause, "look for slow scripts in the policy, or raise --timeout"


def _is_compiling() -> bool:
    """Tell whether the policy is being compiled, or waited for."""
    from sys import modules  # A plain call does not load it.

    return "rulez_py.policy.store.compile_lock" in modules and _keeping().compiling()


def _keeping() -> Any:
    from rulez_py.policy.store import compile_lock

    return compile_lock


# The alarm.


class _Timer:
    """The thread that is the alarm on Windows, which has no signal for it."""

    running: Any = None


def set_alarm(seconds: float, act: Callable[[], object]) -> None:
    """Call `act` after `seconds`, whatever the program is doing then; a second call replaces the first."""
    clear_alarm()
    if sys.platform == "win32":
        import threading

        _Timer.running = threading.Timer(seconds, act)
        _Timer.running.daemon = True
        _Timer.running.start()
    else:
        # The `signal` module would import `enum`; this is the part of it that does the work.
        alarm = __import__("_signal")
        alarm.signal(alarm.SIGALRM, lambda _number, _frame: act())
        alarm.pthread_sigmask(alarm.SIG_UNBLOCK, (alarm.SIGALRM,))  # A parent may have blocked it.
        alarm.setitimer(alarm.ITIMER_REAL, max(seconds, 0.001))


def clear_alarm() -> None:
    """No alarm any more: at the interpreter's end it would kill the process, and with it the exit code."""
    if sys.platform == "win32":
        if _Timer.running is not None:
            _Timer.running.cancel()
    else:
        alarm = __import__("_signal")
        alarm.setitimer(alarm.ITIMER_REAL, 0)

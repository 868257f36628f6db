"""Verdicts and answers for a call that cannot be judged: values in, values out.

INVARIANT: no path out of here lets a guarded event pass unless `on_error` says so.
"""

from __future__ import annotations

from rulez_py.event import Event
from rulez_py.hook.values import Outcome
from rulez_py.platforms.answering import PLEASE_TELL
from rulez_py.verdict import ALLOW, DENY, Answer, Redacted, Verdict, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.documents.diagnostics import Diagnostic
    from rulez_py.hook.values import Known
    from rulez_py.platforms import Adapter


def failed(known: Known, cause: str, advice: str, on_error: str) -> Outcome:
    """Return the outcome of a failed call under this `on_error`."""
    reason = sentence(cause, advice)
    verdict = _by(on_error, reason)
    if known.redacting:
        # INVARIANT: a result that a rule wants redacted is not read where that fails, whatever `on_error` says.
        withheld = Redacted(withheld="rulez failed while it looked for secrets in this result", failed=True)
        verdict = verdict.replace(result=withheld.replace(rules=known.redacting))
    event = known.event or (unknown_event(known.adapter, known.event_name) if on_error == ALLOW else None)
    try:
        if event is not None:
            return Outcome(verdict=verdict, answer=known.adapter.answer(verdict, event))
    except BaseException as error:
        if on_error == ALLOW:
            return Outcome(verdict=verdict, answer=Answer())
        reason = f"{reason} ({type(error).__name__})"
    return Outcome(verdict=verdict, answer=_last_resort(known, reason))


def last_words(known: Known, cause: str, advice: str) -> Outcome:
    """Return a denial for the case that reading `on_error` does not end either; it reads nothing."""
    reason = sentence(cause, advice)
    return Outcome(verdict=_by(DENY, reason), answer=_last_resort(known, reason))


def unread(known: Known, verdict: Verdict) -> Outcome:
    """Return the log entry of an answer that the agent did not read: the exit code alone counts then."""
    code = exit_code_alone(known)
    if code:
        notes = (*verdict.notes, "the answer was not read")
        verdict = verdict.replace(decision=DENY, notes=notes, failed=True)
    return Outcome(verdict=verdict, answer=Answer(exit_code=code))


def exit_code_alone(known: Known) -> int:
    """Return the exit code where the answer is not read: 2, which blocks, where there is something to block."""
    spec = known.adapter.EVENTS.get(known.event_name or "")
    return 2 if spec is None or spec.guards else 0


def invalid_policy(problems: tuple[Diagnostic, ...], on_error: str) -> Verdict:
    """Return what a policy that cannot be read says to every event."""
    shown = [str(problem) for problem in problems[:3]]
    more = len(problems) - len(shown)
    listed = "; ".join(shown) + (f"; and {more} more" if more > 0 else "")
    reason = sentence(f"the policy cannot be used: {listed}", "mend the file; `rulez validate` shows every problem")
    return _by(on_error, reason)


def tools_are_denied(problems: tuple[Diagnostic, ...]) -> Verdict:
    """Return what a person hears of their project's broken policy instead.

    None of its words, since the model reads it.
    """
    places = ", ".join(f"{one.path}:{one.line}:{one.column}" for one in problems[:3])
    text = printable(
        f"The project's policy cannot be used ({places}), so every tool call is denied. `rulez validate` shows what is "
        "wrong; a person can mend the file or remove it."
    )
    return Verdict(context=(f"{PLEASE_TELL}\n\n{text}",), notes=(text,))


def sentence(cause: str, advice: str) -> str:
    """Return a failure in words for the model and the person."""
    end = "" if cause.endswith(("?", ".", "!")) else "."
    return printable(f"Blocked: {cause}{end} Instead: {advice}.")


def let_through(reason: str) -> str:
    """Return the same sentence for the log, where `on_error` is `allow`."""
    return reason.replace("Blocked: ", "Let through (on_error: allow): ", 1)


def a_bug(error: BaseException) -> tuple[str, str]:
    """Return the cause and the advice for something that must not happen."""
    if isinstance(error, ImportError):
        return f"rulez is not fully installed: {error}", "install rulez again"
    return f"rulez failed: {type(error).__name__}: {error}", "this is a bug in rulez, please report it"


def blunt(reason: str) -> Answer:
    """Return a deny in no agent's own words: exit 2 with text on stderr blocks on every agent."""
    return Answer(stderr=reason, exit_code=2)


def unknown_event(platform: Adapter, event_name: str | None) -> Event:
    """Return a substitute for an unreadable event. It is taken for one that can be denied."""
    events = platform.EVENTS
    name = event_name or ""
    if name not in events:
        name = next(name for name, spec in events.items() if spec.guards)
    return Event(platform=platform.NAME, types=events[name].types, native_event=name)


def _by(on_error: str, reason: str) -> Verdict:
    """Return what `on_error` makes of a failure."""
    if on_error == ALLOW:
        return Verdict(notes=(let_through(reason),))
    return Verdict(decision=on_error, reason=reason, notes=(reason,), failed=True)


def _last_resort(known: Known, reason: str) -> Answer:
    try:
        return known.adapter.unreadable(reason, known.event_name)
    except BaseException:
        return blunt(reason)

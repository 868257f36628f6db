"""The adapter of a sender that is unknown: its denial is one that all agents obey, in the words of all of them.

It answers `rulez hook --platform auto` where no payload was read, where none or several agents may have sent it, and
where several that may have would be told different things.
"""

from __future__ import annotations

from rulez_py.event import Event, UnreadableEvent
from rulez_py.platforms import AUTO, PLATFORMS, adapter, answering
from rulez_py.platforms.parsing import asks_at_once, hooks_of_nobody_else, own_hooks_alone
from rulez_py.system import jsontext
from rulez_py.verdict import ASK, DENY, STRICTNESS, Answer, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from rulez_py.event import EventSpec

NAME = AUTO
AGENT = "the agent"
PROJECT_VARIABLES: tuple[str, ...] = ()
RUNS_IN_PROJECT = False
SHELL_MARKS: tuple[str, ...] = ()
PROGRAMS: tuple[str, ...] = ()
UNRECORDED: Mapping[str, str] = {}
CAPABILITIES: Mapping[str, str] = {}
asks_at = asks_at_once
may_be_foreign = own_hooks_alone
sends_to = hooks_of_nobody_else


def __getattr__(name: str) -> Any:
    """Return `EVENTS`: the events of all agents. They are loaded only where a call fails or its sender is unknown."""
    if name != "EVENTS":
        raise AttributeError(name)
    return _events()


def _events() -> Mapping[str, EventSpec]:
    """Return every agent's events; of a name that several use, the meaning that guards something."""
    found: dict[str, EventSpec] = {}
    for platform in PLATFORMS:
        for name, spec in adapter(platform).EVENTS.items():
            if name not in found or (spec.guards and not found[name].guards):
                found[name] = spec
    return found


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Raise UnreadableEvent: the words of an unknown agent cannot be read."""
    raise UnreadableEvent(
        "no agent that rulez knows sends such a payload; name the agent in its hook: "
        f"`rulez hook --platform NAME`, with one of {', '.join(PLATFORMS)}"
    )


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict as far as all agents understand it: a denial, or nothing. An ask is a denial."""
    if verdict.decision in (ASK, DENY):
        return unreadable(verdict.reason, event.native_event)
    return Answer()


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Return a deny in the words of all agents, unless the caller knows the event and it guards nothing anywhere."""
    spec = _events().get(event_name or "")
    return Answer() if spec is not None and not spec.guards else denied(reason, event_name)


def denied(reason: str, event_name: str | None) -> Answer:
    """Return the denial: exit code 2 with the reason on stderr, and one JSON object for who does not look at these.

    Cline looks at no exit code, and cancels. Gemini CLI takes any JSON for the answer whatever the exit code, so it
    holds the `decision` too; Copilot reads that at a prompt, and `permissionDecision` before a tool. Claude Code obeys
    no exit code where a person is asked for permission, but the decision in `hookSpecificOutput`. All others obey the
    exit code beside any JSON (sections on answers of each contract.md).
    """
    reason = answering.reason_of(reason)
    output: dict[str, object] = {
        "decision": "block",
        "reason": reason,
        "permissionDecision": "deny",
        "permissionDecisionReason": reason,
        "cancel": True,
        "errorMessage": reason,
    }
    if event_name == "PermissionRequest":
        decision = {"behavior": "deny", "message": reason}
        output |= {**decision, "hookSpecificOutput": {"hookEventName": event_name, "decision": decision}}
    return Answer(stdout=jsontext.dumps(output), stderr=reason, exit_code=2)


# Where several agents may have sent a payload.


def together(said: Sequence[tuple[Event | None, Verdict, Answer]]) -> Answer:
    """Return one answer that all candidates understand, from what each has read, decided and answered.

    Who could not read an event has None. Where all answers are equal, it is that one. Else a denial, an ask and a
    rewrite deny where one of the events guards something, and what remains is said to none of them.
    INVARIANT: it lets nothing pass that one of the answers stops.
    """
    first = said[0][2]
    dropped = tuple(dict.fromkeys(part for _, _, answer in said for part in answer.dropped))
    if all(
        (one.stdout, one.stderr, one.exit_code) == (first.stdout, first.stderr, first.exit_code) for *_, one in said
    ):
        return first.replace(dropped=dropped)
    known = [event for event, _, _ in said if event is not None]
    guards = len(known) < len(said) or any(_guards(event) for event in known)
    names = " or ".join(adapter(event.platform).AGENT for event in known) or AGENT
    strictest = max((verdict for _, verdict, _ in said), key=lambda verdict: STRICTNESS[verdict.decision])
    stops = strictest.decision in (ASK, DENY) or any(verdict.rewrite for _, verdict, _ in said)
    if guards and (stops or any(answer.exit_code for *_, answer in said)):
        reason = strictest.reason
        if strictest.decision != DENY:
            reason = f"{answering.reason_of(reason)} ({names} sent this, and not each can do that, so it is denied)"
        return denied(reason, known[0].native_event if known else None).replace(dropped=dropped)
    dropped += (f"the answer: {names} sent this, and each would be told something else",)
    return Answer(stdout=_neutral(known), dropped=dropped)


def _guards(event: Event) -> bool:
    spec = adapter(event.platform).EVENTS.get(event.native_event)
    return spec.guards if spec is not None else "PreToolUse" in event.types


def _neutral(known: Sequence[Event]) -> str:
    """Return what changes nothing on any of them: the words of all, where some take silence for a failure."""
    texts = [adapter(event.platform).answer(Verdict(), event).stdout for event in known]
    output: dict[str, object] = {}
    for text in filter(None, texts):
        output |= jsontext.loads(text)
    return jsontext.dumps(output) if any(texts) else ""

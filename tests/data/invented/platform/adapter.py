"""Invented CLI: what its hooks send and honour. Every fact here is from contract.md."""

from __future__ import annotations

from rulez_py.event import EventSpec
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.parsing import asks_at_once, hooks_of_nobody_else, own_hooks_alone, spec_of
from rulez_py.platforms.tool_table import SOURCE
from rulez_py.system import jsontext
from rulez_py.verdict import DENY, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

NAME = "invented"
AGENT = "Invented CLI"
PROJECT_VARIABLES: tuple[str, ...] = ("INVENTED_PROJECT",)
RUNS_IN_PROJECT = False
SHELL_MARKS: tuple[str, ...] = ("INVENTED_SHELL",)
PROGRAMS: tuple[str, ...] = ("invented", "@invented/cli")
asks_at = asks_at_once
may_be_foreign = own_hooks_alone
sends_to = hooks_of_nobody_else

REFUSE = "verdict"
NOTE = "note"

EVENTS: Mapping[str, EventSpec] = {
    "before_call": EventSpec(types=("PreToolUse",), guards=True, deny=REFUSE, context=NOTE),
    "after_call": EventSpec(types=("PostToolUse",), deny=REFUSE, context=NOTE),
    "typed": EventSpec(types=("UserPromptSubmit",), guards=True, deny=REFUSE, context=NOTE),
    "opened": EventSpec(types=("SessionStart",), context=NOTE, begins=True),
    "done": EventSpec(types=("Stop",), deny=REFUSE),
}

UNRECORDED: Mapping[str, str] = {"after_call": SOURCE, "opened": SOURCE, "done": SOURCE}

CAPABILITIES: Mapping[str, str] = {
    "deny": "The call does not run and the model reads the reason.",
    "ask": "Denied: it cannot be made to ask.",
    "allow": "Says nothing.",
    "rewrite": "The call runs with the new input.",
    "context": "The model reads it.",
    "redact": "Not possible: the result stays, and the model is warned.",
    "prompt": "The prompt is stopped.",
    "stop": "The agent goes on with the reason, once in a row.",
    "failure": "The call does not run.",
}


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """The event of one payload. Raises UnreadableEvent."""
    native = parsing.named_event(payload, event_name)
    name = parsing.text(payload, "tool_name", "toolName") or ""
    servers = parsing.mcp_splits(name, "::")
    return parsing.flat_event(NAME, native, parsing.types_of(EVENTS, native, payload), payload).replace(mcp=servers)


def answer(verdict: Verdict, event: Event) -> Answer:
    """The verdict in Invented CLI's words. Neutral is no output at all."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    if event.type == "Stop" and event.payload.get("stop_hook_active") is True:
        spec = spec.replace(deny="")
    said = answering.settle(verdict, event, spec, AGENT)
    if said.decision == DENY:
        return answering.to_whomever(_refused(said.reason, said.dropped), said.reason)
    output: dict[str, object] = {}
    if said.new_input is not None:
        output["input"] = said.new_input
    if said.context:
        output["note"] = said.context
    return Answer(stdout=jsontext.dumps(output) if output else "", dropped=said.dropped)


def _refused(reason: str, dropped: tuple[str, ...]) -> Answer:
    return Answer(stdout=jsontext.dumps({"verdict": "deny", "because": reason}), exit_code=2, dropped=dropped)


def unreadable(reason: str, event_name: str | None) -> Answer:
    """A deny, unless the caller knows the event and it guards nothing."""
    spec = EVENTS.get(event_name or "")
    if spec is not None and not spec.guards:
        return Answer()
    reason = answering.reason_of(reason)
    return answering.to_whomever(_refused(reason, ()), reason)

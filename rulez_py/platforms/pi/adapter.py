"""Pi: what our extension (hooks/pi/rulez.js) sends and how it takes the answer.

Pi has no command hooks. The extension sends each event in the flat form, under Pi's own name for it, with the session,
`cwd`, `mode` and `has_ui`. Every fact about Pi here is from contract.md.
"""

from __future__ import annotations

from rulez_py.event import REPLACED, EventSpec
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.parsing import asks_at_once, hooks_of_nobody_else, own_hooks_alone, spec_of
from rulez_py.verdict import Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

NAME = "pi"
AGENT = "Pi"
PROJECT_VARIABLES: tuple[str, ...] = ()
RUNS_IN_PROJECT = True  # our extension starts rulez in the session's directory
SHELL_MARKS: tuple[str, ...] = ("PI_CODING_AGENT",)
PROGRAMS: tuple[str, ...] = ("pi", "@earendil-works/pi-coding-agent")
asks_at = asks_at_once
may_be_foreign = own_hooks_alone
sends_to = hooks_of_nobody_else

REFUSE = "continue"
"""How an event is denied: `continue: false` and exit 2."""
CONTEXT = "context"

_CALL = EventSpec(types=("PreToolUse",), guards=True, deny=REFUSE)

EVENTS: Mapping[str, EventSpec] = {
    "tool_call": _CALL.replace(context=CONTEXT),
    "user_bash": _CALL,
    "tool_result": EventSpec(types=("PostToolUse",), deny=REFUSE, context=CONTEXT, result=REPLACED),
    "input": EventSpec(types=("UserPromptSubmit",), guards=True, deny=REFUSE, context=CONTEXT),
    "session_start": EventSpec(types=("SessionStart",), context=CONTEXT, begins=True),
    "session_shutdown": EventSpec(types=("SessionEnd",)),
    "session_before_compact": EventSpec(types=("PreCompact",)),
    "session_compact": EventSpec(types=("PostCompact",)),
    "agent_settled": EventSpec(types=("Stop",)),
}

UNRECORDED: Mapping[str, str] = {}

CAPABILITIES: Mapping[str, str] = {
    "deny": "The extension blocks the call: it does not run and the model reads the reason.",
    "ask": "The extension asks the person in the terminal, or through an RPC client; without either (`--print`, "
    "`--mode json`) it is denied.",
    "allow": "Says nothing: Pi runs every call that no extension blocks.",
    "rewrite": "The call runs with the new arguments; a command that the person typed after `!` is denied.",
    "context": "The model reads it with the prompt, with the first prompt of a session, and with a tool's result (text "
    "from before the call too).",
    "redact": "The extension puts the redacted result in the result's place, where a tool fails too.",
    "prompt": "The prompt is dropped before the model is called; the user reads the reason.",
    "stop": "Not done: Pi tells the extension when it has come to an end.",
    "failure": "The extension denies the call when rulez fails or is too slow; where it does not load, Pi says so and "
    "runs every call.",
}


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload. Raises UnreadableEvent."""
    native = parsing.named_event(payload, event_name)
    failed = ("PostToolUseFailure",) if native == "tool_result" and parsing.failed_call(payload) else ()
    types = parsing.types_of(EVENTS, native, payload, *failed)
    event = parsing.flat_event(NAME, native, types, payload)
    return event.replace(project_dir=event.cwd, payload=payload)


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict as the extension reads it."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    asks = parsing.mapping(event.payload).get("has_ui") is True
    said = answering.settle(verdict, event, spec, AGENT, asks=asks, rewrites=event.native_event != "user_bash")
    return answering.for_plugin(said, spec)


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Return a refusal, unless the caller knows the event and it guards nothing."""
    return answering.refused_unread(EVENTS, reason, event_name)

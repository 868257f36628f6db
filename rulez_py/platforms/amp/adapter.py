"""Amp: what our plugin (hooks/amp/rulez.js) sends and how it takes the answer.

Amp has no command hooks. The plugin sends each event in the flat form, under Amp's own name for it, with the thread as
its session, the workspace as `cwd`, and `executor`. Every fact about Amp here is from contract.md.
"""

from __future__ import annotations

from rulez_py.event import REPLACED, EventSpec
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.parsing import asks_at_once, hooks_of_nobody_else, own_hooks_alone, spec_of
from rulez_py.platforms.tool_table import SOURCE
from rulez_py.verdict import Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

NAME = "amp"
AGENT = "Amp"
PROJECT_VARIABLES: tuple[str, ...] = ()
RUNS_IN_PROJECT = True  # our plugin starts rulez in the workspace
SHELL_MARKS: tuple[str, ...] = ()
PROGRAMS: tuple[str, ...] = ("amp", "@ampcode/cli")
asks_at = asks_at_once
may_be_foreign = own_hooks_alone
sends_to = hooks_of_nobody_else

REFUSE = "continue"
"""How an event is denied: `continue: false` and exit 2."""
CONTEXT = "context"

EVENTS: Mapping[str, EventSpec] = {
    "tool.call": EventSpec(types=("PreToolUse",), guards=True, deny=REFUSE),
    "tool.result": EventSpec(types=("PostToolUse",), deny=REFUSE, context=CONTEXT, result=REPLACED),
    "agent.start": EventSpec(types=("UserPromptSubmit",), context=CONTEXT),
    "agent.end": EventSpec(types=("Stop",)),
    "session.start": EventSpec(types=("SessionStart",), context=CONTEXT, begins=True),
}

UNRECORDED: Mapping[str, str] = dict.fromkeys(EVENTS, SOURCE)

CAPABILITIES: Mapping[str, str] = {
    "deny": "The plugin rejects the call: it does not run and the model reads the reason. Another plugin that changes "
    "or answers the same call may undo it.",
    "ask": "The plugin asks the person; without a person to ask (`amp -x`) it is denied.",
    "allow": "Says nothing: Amp's own permissions decide.",
    "rewrite": "The call runs with the new arguments.",
    "context": "The model reads it with the prompt, with a tool's result, and with the first prompt of a thread.",
    "redact": "The plugin puts the redacted result in the result's place, where a tool fails too.",
    "prompt": "Not possible: Amp asks the model whatever a plugin says.",
    "stop": "Not done: Amp tells the plugin when a turn has come to an end.",
    "failure": "The plugin denies the call when rulez fails or is too slow; while it loads or where it does not, every "
    "call runs.",
}


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload. Raises UnreadableEvent."""
    native = parsing.named_event(payload, event_name)
    failed = ("PostToolUseFailure",) if native == "tool.result" and parsing.failed_call(payload) else ()
    types = parsing.types_of(EVENTS, native, payload, *failed)
    event = parsing.flat_event(NAME, native, types, payload)
    return event.replace(project_dir=event.cwd, mcp=_mcp(payload), payload=payload)


def _mcp(payload: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """`mcp__server__tool`, every way to read it."""
    name = parsing.text(payload, "tool_name") or ""
    return parsing.mcp_splits(name[5:], "__") if name.startswith("mcp__") else ()


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict as the plugin reads it."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    said = answering.settle(verdict, event, spec, AGENT, asks=True)
    return answering.for_plugin(said, spec)


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Return a refusal, unless the caller knows the event and it guards nothing."""
    return answering.refused_unread(EVENTS, reason, event_name)

"""Devin CLI: what its hooks get and honour. Every fact here is from contract.md.

INVARIANT: a denial is exit code 2. At any other exit code but 0 Devin goes on.
"""

from __future__ import annotations

from rulez_py.event import EventSpec
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.parsing import asks_at_once, own_hooks_alone, spec_of
from rulez_py.platforms.tool_table import DOCS
from rulez_py.system import jsontext
from rulez_py.verdict import DENY, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

NAME = "devin"
AGENT = "Devin CLI"
PROJECT_VARIABLES: tuple[str, ...] = ("DEVIN_PROJECT_DIR",)
RUNS_IN_PROJECT = False
SHELL_MARKS: tuple[str, ...] = ()
PROGRAMS: tuple[str, ...] = ("devin",)
asks_at = asks_at_once
may_be_foreign = own_hooks_alone

BLOCK = "block"
"""How an event is denied: exit code 2, with the same in JSON."""
CONTEXT = "hookSpecificOutput.additionalContext"

EVENTS: Mapping[str, EventSpec] = {
    "PreToolUse": EventSpec(types=("PreToolUse",), guards=True, deny=BLOCK),
    "PostToolUse": EventSpec(types=("PostToolUse",)),
    "PermissionRequest": EventSpec(types=("PermissionRequest",)),
    "UserPromptSubmit": EventSpec(types=("UserPromptSubmit",), guards=True, deny=BLOCK, context=CONTEXT),
    "SessionStart": EventSpec(types=("SessionStart",), begins=True, context=CONTEXT),
    "SessionEnd": EventSpec(types=("SessionEnd",)),
    "PostCompaction": EventSpec(types=("PostCompact",)),
    # A denial there would be the agent's next task; whether Devin ends that is unknown.
    "Stop": EventSpec(types=("Stop",)),
}

UNRECORDED: Mapping[str, str] = dict.fromkeys(EVENTS, DOCS)

CAPABILITIES: Mapping[str, str] = {
    "deny": "The call does not run and the model reads the reason.",
    "ask": "Denied: a hook cannot make Devin CLI ask.",
    "allow": "Says nothing: Devin CLI's own permissions decide.",
    "rewrite": "Denied: how Devin CLI takes new input is not documented.",
    "context": "The model reads it with a prompt and where a session starts; not with tools.",
    "redact": "Not possible: the result stays, and the model is not warned. The audit log has it.",
    "prompt": "The prompt is stopped before the model is called.",
    "stop": "Not used: whether anything would end the going on is unknown.",
    "failure": "The call runs, unless the hook ends with exit code 2, as our command in config.json does.",
}


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload. Raises UnreadableEvent."""
    native = parsing.named_event(payload, event_name)
    event = parsing.flat_event(NAME, native, parsing.types_of(EVENTS, native, payload), payload)
    name = event.platform_tool_name or ""
    return event.replace(mcp=parsing.mcp_splits(name[5:], "__") if name.startswith("mcp__") else ())


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict in Devin CLI's words. Neutral is no output at all."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    said = answering.settle(verdict, event, spec, AGENT, rewrites=False)
    if said.decision == DENY:
        output = jsontext.dumps({"decision": "block", "reason": said.reason})
        return Answer(stdout=output, stderr=said.reason, exit_code=2, dropped=said.dropped)
    nested = answering.nested_output(said, event, {})
    return Answer(stdout=jsontext.dumps(nested) if nested else "", dropped=said.dropped)


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Return a deny, unless the caller knows the event and it guards nothing."""
    return answering.exited_unread(EVENTS, reason, event_name)


def sends_to(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    """Devin CLI also runs the hooks in Claude Code's settings, with payloads of its own (contract.md, section 1)."""
    return platform == "claude" and "DEVIN_PROJECT_DIR" in environ and "cwd" not in payload

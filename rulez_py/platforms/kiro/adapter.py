"""Kiro: what the hooks of its CLI and its IDE get and honour. Every fact here is from contract.md.

INVARIANT: a denial is exit code 2 with the reason on stderr. At any other exit code, or without a reason, it goes on.
"""

from __future__ import annotations

from rulez_py.event import EventSpec, UnreadableEvent
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.parsing import asks_at_once, own_hooks_alone, spec_of
from rulez_py.platforms.tool_table import DOCS
from rulez_py.verdict import DENY, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

NAME = "kiro"
AGENT = "Kiro"
PROJECT_VARIABLES: tuple[str, ...] = ()
RUNS_IN_PROJECT = True
SHELL_MARKS: tuple[str, ...] = ()
PROGRAMS: tuple[str, ...] = ("kiro-cli", "kiro-cli-chat", "kiro")
asks_at = asks_at_once
may_be_foreign = own_hooks_alone

BLOCK = "block"
"""How an event is denied: exit code 2."""
TEXT = "text"
"""How context is given: the plain text on stdout."""

_CALL = EventSpec(types=("PreToolUse",), guards=True, deny=BLOCK)
_DONE = EventSpec(types=("PostToolUse",))
_BEGINS = EventSpec(types=("SessionStart",), begins=True, context=TEXT)
_STOP = EventSpec(types=("Stop",))
_HEARD = EventSpec(types=("Notification",))

EVENTS: Mapping[str, EventSpec] = {
    "SessionStart": _BEGINS,
    "UserPromptSubmit": EventSpec(types=("UserPromptSubmit",), guards=True, deny=BLOCK, context=TEXT),
    "PreToolUse": _CALL,
    "PostToolUse": _DONE,
    "Stop": _STOP,
    # rulez registers none of these: nothing is documented of their payloads.
    "PreTaskExec": _HEARD,
    "PostTaskExec": _HEARD,
    "PostFileCreate": _HEARD,
    "PostFileSave": _HEARD,
    "PostFileDelete": _HEARD,
    # Kiro CLI 2, in the files of its agents.
    "agentSpawn": _BEGINS,
    "userPromptSubmit": EventSpec(types=("UserPromptSubmit",), context=TEXT),
    "preToolUse": _CALL,
    "postToolUse": _DONE,
    "stop": _STOP,
}

UNRECORDED: Mapping[str, str] = dict.fromkeys(EVENTS, DOCS)

CAPABILITIES: Mapping[str, str] = {
    "deny": "The call does not run and the model reads the reason.",
    "ask": "Denied: a hook cannot make Kiro ask.",
    "allow": "Says nothing: Kiro's own permissions decide.",
    "rewrite": "Denied: Kiro takes no new input from a hook.",
    "context": "The model reads it with a prompt and where a session starts; not with tools.",
    "redact": "Not possible: the result stays, and the model is not warned. The audit log has it.",
    "prompt": "The prompt is stopped before the model is called; Kiro CLI 2 cannot be stopped there.",
    "stop": "Not possible: at the end of a turn a hook stops nothing.",
    "failure": "The call runs, unless the hook ends with exit code 2, as our command in rulez.json does.",
}


_HAVE_ARGUMENTS = ("Bash", "Write", "Edit", "Read")
"""Tools that do nothing without an argument: a call without one is told by halves."""


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload. Raises UnreadableEvent."""
    native = parsing.named_event(payload, event_name)
    event = parsing.flat_event(NAME, native, parsing.types_of(EVENTS, native, payload), payload)
    named = event.known_tool and event.tool_name in _HAVE_ARGUMENTS
    if event.type == "PreToolUse" and named and not event.own_input:
        raise UnreadableEvent("`tool_input` must say the call; Kiro IDE before 1.0.116 leaves it empty")
    return event.replace(mcp=_mcp(event.platform_tool_name or ""), tool_input=_with_paths(event.tool_input))


def _mcp(name: str) -> tuple[tuple[str, str], ...]:
    """`@server/tool`, as Kiro CLI 2 calls the tool of a server."""
    server, _, tool = name[1:].partition("/")
    return ((server, tool),) if name.startswith("@") and server and tool else ()


def _with_paths(tool_input: Mapping[str, object]) -> Mapping[str, object]:
    """Return what rules see of a call with the paths of `operations`, as `fs_read` of Kiro CLI 2 says them."""
    listed = tool_input.get("operations")
    operations = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    named = [one.get("path") for one in operations] + [
        path for one in operations if isinstance(images := one.get("image_paths"), list) for path in images
    ]
    paths = [path for path in named if isinstance(path, str)]
    return {**tool_input, "paths": paths} if paths and "paths" not in tool_input else tool_input


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict in Kiro's words. Neutral is no output at all."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    said = answering.settle(verdict, event, spec, AGENT, rewrites=False)
    if said.decision == DENY:
        return answering.exited(said, spec)
    return Answer(stdout=said.context, dropped=said.dropped)


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Return a deny, unless the caller knows the event and it guards nothing."""
    return answering.exited_unread(EVENTS, reason, event_name)


def sends_to(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    """Kiro runs its own hooks alone."""
    return False

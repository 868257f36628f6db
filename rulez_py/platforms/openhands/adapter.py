"""OpenHands: what its hooks send and honour. Every fact here is from contract.md.

INVARIANT: a deny says so by exit code 2 and by `decision: deny` in the output. OpenHands reads no other word for it,
and at any other exit code without that word it runs the call.
"""

from __future__ import annotations

from rulez_py.event import EventSpec
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.parsing import asks_at_once, own_hooks_alone, spec_of
from rulez_py.system import jsontext
from rulez_py.verdict import DENY, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

NAME = "openhands"
AGENT = "OpenHands"
PROJECT_VARIABLES: tuple[str, ...] = ("OPENHANDS_PROJECT_DIR",)
RUNS_IN_PROJECT = True
SHELL_MARKS: tuple[str, ...] = ()
PROGRAMS: tuple[str, ...] = ("openhands", "openhands-acp")
asks_at = asks_at_once
may_be_foreign = own_hooks_alone

# How an event is denied.
BLOCK = "block"  # `decision: deny`, and exit code 2
CONTEXT = "additionalContext"

EVENTS: Mapping[str, EventSpec] = {
    "PreToolUse": EventSpec(types=("PreToolUse",), guards=True, deny=BLOCK),
    "PostToolUse": EventSpec(types=("PostToolUse",)),
    "UserPromptSubmit": EventSpec(types=("UserPromptSubmit",), guards=True, deny=BLOCK, context=CONTEXT),
    "SessionStart": EventSpec(types=("SessionStart",), begins=True),
    "SessionEnd": EventSpec(types=("SessionEnd",)),
    "Stop": EventSpec(types=("Stop",), deny=BLOCK),
}

UNRECORDED: Mapping[str, str] = {}

CAPABILITIES: Mapping[str, str] = {
    "deny": "The call does not run and the model reads the reason; JSON and exit code 2 both say so.",
    "ask": "Denied: a hook cannot make OpenHands ask.",
    "allow": "Says nothing: OpenHands' own confirmations decide.",
    "rewrite": "Denied: OpenHands takes no new input from a hook.",
    "context": "The model reads it with UserPromptSubmit alone.",
    "redact": "Not possible: the result stays, and the model is not warned. The audit log has it.",
    "prompt": "The prompt is stopped before the model is called.",
    "stop": "The agent goes on with the reason as its next task, without a limit.",
    "failure": "The call runs, unless the hook ends with exit code 2, as our command in hooks.json does.",
}

EDITOR = "file_editor"
_NAMES = {"view": "file_editor:view", "create": "file_editor:create"}
"""Command of the editor that is another tool's work -> the name under which rules see it."""


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload. Raises UnreadableEvent."""
    native = parsing.named_event(payload, event_name)
    flat = _flat(payload)
    event = parsing.flat_event(NAME, native, parsing.types_of(EVENTS, native, flat), flat)
    project = parsing.text(payload, "working_dir")
    return event.replace(
        mcp=_mcp(payload),
        prompt=event.prompt or parsing.text(payload, "message"),
        cwd=event.cwd or project,
        project_dir=project,
        payload=payload,
    )


def _flat(payload: Mapping[str, object]) -> Mapping[str, object]:
    """Return the payload with tool and arguments as rules look for them."""
    given = payload.get("tool_input")
    if not isinstance(given, dict):
        return payload
    tool = payload.get("tool_name")
    told = {key: value for key, value in given.items() if key != "kind" and value is not None}
    if tool == EDITOR:
        tool = _NAMES.get(str(told.get("command")), EDITOR)
        if tool != EDITOR:
            del told["command"]
    elif tool == "terminal" and told.get("is_input") is True and isinstance(told.get("command"), str):
        told["chars"] = _keys(str(told.pop("command")))
    elif _is_of_a_server(given):
        told = dict(parsing.mapping(given["data"]))
    return {**payload, "tool_name": tool, "tool_input": told}


def _is_of_a_server(given: object) -> bool:
    return isinstance(given, dict) and given.get("kind") == "MCPToolAction" and isinstance(given.get("data"), dict)


def _mcp(payload: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """The tool's own name where there is one server, whose name is not told; with several `server_tool`."""
    name = parsing.text(payload, "tool_name")
    if name is None or not _is_of_a_server(payload.get("tool_input")):
        return ()
    return (("", name), *parsing.mcp_splits(name, "_"))


_KEYS = ("up", "down", "left", "right", "home", "end", "pgup", "pgdn", "tab", "esc", "bs", "enter")


def _keys(text: str) -> str:
    """Return what is typed into a program that runs, with its keys in brackets; Enter follows what is no key."""
    word = text.strip()
    if word.lower() in _KEYS or (len(word) == len("C-x") and word[:2].upper() == "C-"):
        return "{" + word.lower() + "}"
    return text + "\n"


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict in OpenHands' words. Neutral is no output at all."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    said = answering.settle(verdict, event, spec, AGENT, rewrites=False)
    if said.decision == DENY:
        return _denied(said.reason, said.dropped)
    output = {CONTEXT: said.context} if said.context else {}
    return Answer(stdout=jsontext.dumps(output) if output else "", dropped=said.dropped)


def _denied(reason: str, dropped: tuple[str, ...] = ()) -> Answer:
    output = {"decision": "deny", "reason": reason}
    return Answer(stdout=jsontext.dumps(output), stderr=reason, exit_code=2, dropped=dropped)


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Return a deny, unless the caller knows the event and it guards nothing."""
    spec = EVENTS.get(event_name or "")
    if spec is not None and not spec.guards:
        return Answer()
    return _denied(answering.reason_of(reason))


def sends_to(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    """It reads hooks in Claude Code's form, so one that calls rulez for Claude Code may stand in its file."""
    return platform == "claude" and "event_type" in payload and "working_dir" in payload

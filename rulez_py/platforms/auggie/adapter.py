"""Auggie: what its hooks send and honour. Every fact here is from contract.md, and that is from its package's code.

INVARIANT: a denial is exit code 2 with the reason on stderr. JSON at exit code 0 is undone by another hook that fails.
"""

from __future__ import annotations

from rulez_py.event import EventSpec
from rulez_py.event.arguments import DELETE, WRITE
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.parsing import asks_at_once, own_hooks_alone, spec_of
from rulez_py.platforms.tool_table import SOURCE
from rulez_py.system import jsontext
from rulez_py.verdict import DENY, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

NAME = "auggie"
AGENT = "Auggie"
PROJECT_VARIABLES: tuple[str, ...] = ("AUGMENT_PROJECT_DIR",)
RUNS_IN_PROJECT = False
SHELL_MARKS: tuple[str, ...] = ("AUGMENT_AGENT",)
PROGRAMS: tuple[str, ...] = ("auggie", "@augmentcode/auggie")
asks_at = asks_at_once
may_be_foreign = own_hooks_alone

EXIT = "exit"
"""How an event is denied: exit code 2 with the reason on stderr."""
CONTEXT = "hookSpecificOutput.additionalContext"

EVENTS: Mapping[str, EventSpec] = {
    "PreToolUse": EventSpec(types=("PreToolUse",), guards=True, deny=EXIT),
    "PostToolUse": EventSpec(types=("PostToolUse",), deny=EXIT, context=CONTEXT),
    "PromptSubmit": EventSpec(types=("UserPromptSubmit",)),
    "SessionStart": EventSpec(types=("SessionStart",), begins=True),
    "SessionEnd": EventSpec(types=("SessionEnd",)),
    "Stop": EventSpec(types=("Stop",)),
    "Notification": EventSpec(types=("Notification",)),
}

UNRECORDED: Mapping[str, str] = dict.fromkeys(EVENTS, SOURCE)

CAPABILITIES: Mapping[str, str] = {
    "deny": "The call does not run and the model reads the reason; what another hook says does not undo it.",
    "ask": "Denied: a hook cannot make Auggie ask.",
    "allow": "Says nothing: Auggie's own permissions decide.",
    "rewrite": "The call runs with the new input, unless a hook that comes later sends another.",
    "context": "The model reads it with PostToolUse; not before a tool, with a prompt, or where the session starts.",
    "redact": "Not possible: the result stays, and the model is warned.",
    "prompt": "Not possible: Auggie does not wait for the hook.",
    "stop": "Not possible: Auggie does nothing with what a hook says at the end of a turn.",
    "failure": "The call runs, unless the hook ends with exit code 2, as our command in settings.json does.",
}

_SUBAGENT = "sub-agent-"
"""The beginning of the name of each subagent's tool."""
_EDITS = ("str_replace_entries", "insert_line_entries")
"""The lists in which one schema of its editor has the edits; another has them in numbered keys."""
_NUMBERED = ("old_str_", "new_str_")
_DELETES = "remove-files"
_OURS = {"str-replace-editor": "edits", "write-process": "chars", "sub-agent": "subagent_type"}
"""Tool -> the argument that rules look for, and that is not Auggie's own."""
_HEAD = "Here are the results from executing the command.\n<return-code>\n"
"""The text before the exit code of a command that has ended, at the very beginning of the result."""


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload. Raises UnreadableEvent."""
    native = parsing.named_event(payload, event_name)
    flat = _flat(payload)
    failed = ("PostToolUseFailure",) if native == "PostToolUse" and payload.get("tool_error") is not None else ()
    event = parsing.flat_event(NAME, native, parsing.types_of(EVENTS, native, flat, *failed), flat)
    roots = payload.get("workspace_roots")
    root = roots[0] if isinstance(roots, list) and roots else None
    if event.platform_tool_name == _DELETES:
        event = event.replace(tool_access=(WRITE, DELETE))
    return event.replace(
        mcp=_mcp(payload),
        cwd=event.cwd or (root if isinstance(root, str) else None),
        prompt=parsing.text(payload, "user_prompt", "prompt") if native == "PromptSubmit" else event.prompt,
        payload=payload,
    )


def _flat(payload: Mapping[str, object]) -> Mapping[str, object]:
    """Return the payload with session, arguments and result where rules look for them."""
    if not isinstance(payload, dict):
        return payload
    flat = {key: value for key, value in payload.items() if key not in ("tool_output", "tool_error", "user_prompt")}
    flat.setdefault("session_id", payload.get("conversation_id"))
    given, tool = payload.get("tool_input"), payload.get("tool_name")
    if isinstance(given, dict) and isinstance(tool, str):
        told, known = dict(given), _SUBAGENT[:-1] if tool.startswith(_SUBAGENT) else tool
        if known == "str-replace-editor":
            told["edits"] = list(_edits(given))
        elif known == "write-process":
            told["chars"] = given.get("input_text")
        elif known != tool:
            told["subagent_type"] = tool[len(_SUBAGENT) :]
        flat |= {"tool_name": known, "tool_input": told}
    if isinstance(payload.get("tool_output"), str):
        flat["tool_response"] = _response(str(payload["tool_output"]), failed=payload.get("tool_error") is not None)
    return flat


def _edits(given: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Yield each edit as an object, in whichever schema they are said."""
    for key in _EDITS:
        entries = given.get(key)
        yield from (entry for entry in entries if isinstance(entry, dict)) if isinstance(entries, list) else ()
    for key, value in given.items():
        word = next((word for word in _NUMBERED if key.startswith(word)), "")
        if word and isinstance(value, str) and key[len(word) :].isdecimal():
            yield {word[:-1]: value}


def _response(text: str, *, failed: bool) -> dict[str, object]:
    """Return a result: its text, whether it is an error, and of a command that has ended its exit code."""
    found: dict[str, object] = {"output": text, "is_error": failed}
    code = text[len(_HEAD) :].partition("\n")[0] if text.startswith(_HEAD) else ""
    if code.isdecimal():
        found["exit_code"] = int(code)
    return found


def _mcp(payload: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """Return the server and tool that Auggie names beside the call, else every way `tool_server` can be read."""
    told = parsing.mapping(payload.get("mcp_metadata"))
    server = parsing.text(told, "mcpExecutedToolServerName")
    tool = parsing.text(told, "mcpExecutedToolName")
    if server and tool:
        return tuple(dict.fromkeys(((server, tool), (parsing.plain_name(server), tool))))
    name = parsing.text(payload, "tool_name") or ""
    if name.startswith("mcp__"):  # As rules write it in the flat form.
        return parsing.mcp_splits(name[5:], "__")
    splits = parsing.mcp_splits(name, "_") if payload.get("is_mcp_tool") is True else ()
    return tuple((server, tool) for tool, server in splits)


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict in Auggie's words. Neutral is no output at all."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    ours = _OURS.get(event.platform_tool_name or "", "")
    said = answering.settle(verdict, event, spec, AGENT, tells=True, rewrites=ours not in (verdict.rewrite or ()))
    if said.decision == DENY:
        return answering.exited(said, spec)
    changed = said.new_input
    specific = {} if changed is None else {"updatedInput": {key: changed[key] for key in changed if key != ours}}
    output = answering.nested_output(said, event, specific)
    return Answer(stdout=jsontext.dumps(output) if output else "", dropped=said.dropped)


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Return a deny, unless the caller knows the event and it guards nothing."""
    return answering.exited_unread(EVENTS, reason, event_name)


def sends_to(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    """Its hooks have Claude Code's form, so one that calls rulez for Claude Code may stand in its settings."""
    return platform == "claude" and "conversation_id" in payload and "workspace_roots" in payload

"""Hermes: what its hooks send and honour. Every fact here is from contract.md.

INVARIANT: every answer is one JSON object at exit code 0. Hermes takes nothing but `decision: block` in it for a deny,
and runs a call whose hook has failed, says nothing or takes too long.
"""

from __future__ import annotations

from rulez_py.event import EventSpec
from rulez_py.event.arguments import PATCH_START, quoted
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.parsing import asks_at_once, own_hooks_alone, spec_of
from rulez_py.platforms.tool_table import SOURCE
from rulez_py.system import jsontext
from rulez_py.verdict import DENY, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

NAME = "hermes"
AGENT = "Hermes"
PROJECT_VARIABLES: tuple[str, ...] = ()
RUNS_IN_PROJECT = True
SHELL_MARKS: tuple[str, ...] = ("HERMES_SESSION_ID",)
PROGRAMS: tuple[str, ...] = ("hermes", "hermes-agent", "hermes-acp")
asks_at = asks_at_once
may_be_foreign = own_hooks_alone

# How an event is denied.
BLOCK = "block"  # `decision: block`: before a tool the call does not run, where the agent ends it goes on
CONTEXT = "context"  # added to the prompt

EVENTS: Mapping[str, EventSpec] = {
    "pre_tool_call": EventSpec(types=("PreToolUse",), guards=True, deny=BLOCK),
    "post_tool_call": EventSpec(types=("PostToolUse",)),
    "pre_llm_call": EventSpec(types=("UserPromptSubmit",), context=CONTEXT),
    "post_llm_call": EventSpec(types=("Notification",)),
    # Where the agent has changed code, and is about to end.
    "pre_verify": EventSpec(types=("Stop",), deny=BLOCK),
    "on_session_start": EventSpec(types=("SessionStart",), begins=True),
    "on_session_end": EventSpec(types=("Stop",)),
    "on_session_finalize": EventSpec(types=("SessionEnd",)),
    "on_session_reset": EventSpec(types=("SessionEnd",)),
    "subagent_start": EventSpec(types=("SubagentStart", "BeforeAgent")),
    "subagent_stop": EventSpec(types=("SubagentStop", "AfterAgent")),
    "pre_approval_request": EventSpec(types=("PermissionRequest",)),
    "post_approval_response": EventSpec(types=("Notification",)),
}

UNRECORDED: Mapping[str, str] = {
    "on_session_reset": SOURCE,
    "pre_approval_request": SOURCE,
    "post_approval_response": SOURCE,
}

CAPABILITIES: Mapping[str, str] = {
    "deny": "The call does not run and the model reads the reason; what another hook says does not undo it.",
    "ask": "Denied: a hook's command cannot make Hermes ask.",
    "allow": "Says nothing: Hermes' own approvals decide.",
    "rewrite": "Denied: Hermes takes no new input from a hook.",
    "context": "The model reads it with the prompt; not with tools, and not where the session starts.",
    "redact": "Not possible: the result stays, and the model is not warned. The audit log has it.",
    "prompt": "Not possible: Hermes asks the model whatever the hook says.",
    "stop": "The agent goes on with the reason as its task, where it has changed code.",
    "failure": "The command that rulez installs denies the call when rulez fails. Without it, Hermes lets it run.",
}

_SUBAGENT = "sa-"
"""The beginning of the task of a subagent."""
_TYPED = {"write": "", "submit": "\n"}
"""Actions of the tool `process` that type into a program that runs -> what they type behind the text."""


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload. Raises UnreadableEvent."""
    native = parsing.named_event(payload, event_name)
    extra = parsing.mapping(payload.get("extra"))
    flat = _flat(payload)
    event = parsing.flat_event(NAME, native, _types(native, extra, flat), flat)
    task = parsing.text(extra, "task_id") or ""
    return event.replace(
        mcp=_mcp(payload),
        call_id=parsing.text(extra, "tool_call_id") or event.call_id,
        prompt=event.prompt or parsing.text(extra, "user_message", "child_goal"),
        tool_response=parsing.first(extra, "result"),
        agent_id=task if task.startswith(_SUBAGENT) else parsing.text(extra, "child_subagent_id", "child_session_id"),
        payload=payload,
    )


def _types(native: str, extra: Mapping[str, object], flat: Mapping[str, object]) -> tuple[str, ...]:
    """Return the event's types: a session of a subagent begins and ends with events of its own besides."""
    if native == "post_tool_call" and extra.get("status") in ("error", "blocked"):
        return parsing.types_of(EVENTS, native, flat, "PostToolUseFailure")
    if native in ("on_session_start", "on_session_end") and extra.get("platform") == "subagent":
        return ("Notification",)
    return parsing.types_of(EVENTS, native, flat)


def _flat(payload: Mapping[str, object]) -> Mapping[str, object]:
    """Return the payload with tool and arguments as rules look for them, and without what is said of a turn."""
    flat = {key: value for key, value in payload.items() if key != "extra" or not isinstance(value, dict)}
    given = payload.get("tool_input")
    if not isinstance(given, dict):
        return flat
    tool = payload.get("tool_name")
    told = {key: value for key, value in given.items() if value is not None}
    if tool == "execute_code" and isinstance(told.get("code"), str):
        told["command"] = f"python3 -c {quoted(str(told.pop('code')))}"
    elif tool == "process" and told.get("action") in _TYPED:
        tool = "process:write"
        told["chars"] = str(told.pop("data", "")) + _TYPED[str(told["action"])]
    elif tool == "search_files":
        tool = "search_files:files" if told.get("target") in ("files", "find") else tool
        told |= {"glob": told["file_glob"]} if "file_glob" in told else {}
    elif tool == "patch" and isinstance(told.get("patch"), str):
        told["patch"] = _patch(str(told["patch"]))
    elif tool == "memory":
        told.pop("target", None)  # Which of its notes: no file of that name.
    elif tool == "web_extract" and isinstance(told.get("urls"), list):
        told["url"] = told["urls"][0] if len(told["urls"]) == 1 else told["urls"]
    return {**flat, "tool_name": tool, "tool_input": told}


_HEADERS = ("Add", "Update", "Delete")


def _patch(text: str) -> str:
    """Return a patch with its first line, which Hermes does without, and each line about a file as others write it."""
    lines: list[str] = []
    for line in text.split("\n"):
        word, _, rest = line.strip().removeprefix("***").lstrip().partition("File:")
        kind = word.strip()
        if not line.lstrip().startswith("***") or not rest.strip():
            lines.append(line)
        elif kind in _HEADERS:
            lines.append(f"*** {kind} File: {rest.strip()}")
        elif kind == "Move":
            old, _, new = rest.partition("->")
            lines += [f"*** Update File: {old.strip()}", f"*** Move to: {new.strip()}"]
        else:
            lines.append(line)
    whole = "\n".join(lines)
    return whole if PATCH_START in whole else f"{PATCH_START}\n{whole}"


def _mcp(payload: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """`mcp__server__tool`, every way to read it."""
    name = parsing.text(payload, "tool_name") or ""
    return parsing.mcp_splits(name[5:], "__") if name.startswith("mcp__") else ()


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict in Hermes' words. Neutral is `{}`."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    said = answering.settle(verdict, event, spec, AGENT, rewrites=False)
    if said.decision == DENY:
        denied = Answer(stdout=jsontext.dumps(_denied(said.reason)), dropped=said.dropped)
        return answering.to_whomever(denied, said.reason) if spec.guessed else denied
    return Answer(stdout=jsontext.dumps({CONTEXT: said.context} if said.context else {}), dropped=said.dropped)


def _denied(reason: str) -> dict[str, object]:
    return {"decision": "block", "reason": reason}


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Return a deny, unless the caller knows the event and it guards nothing."""
    spec = EVENTS.get(event_name or "")
    if spec is not None and not spec.guards:
        return Answer(stdout="{}")
    return Answer(stdout=jsontext.dumps(_denied(answering.reason_of(reason))))


def sends_to(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    """A person may have its hooks call the hook of another platform."""
    return "extra" in payload and payload.get("hook_event_name") in EVENTS

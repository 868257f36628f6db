"""Cline: what its hook files get, and which parts of an answer it honours. Every fact here is from contract.md.

INVARIANT: every answer is one JSON object at exit code 0. Cline looks at no exit code: it runs a call whose hook has
failed.
"""

from __future__ import annotations

from rulez_py.event import EventSpec
from rulez_py.event.arguments import quoted
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

NAME = "cline"
AGENT = "Cline"
PROJECT_VARIABLES: tuple[str, ...] = ()
RUNS_IN_PROJECT = True
SHELL_MARKS: tuple[str, ...] = ()
PROGRAMS: tuple[str, ...] = ("cline", "@cline/cli")
asks_at = asks_at_once
may_be_foreign = own_hooks_alone

# How an event is denied.
CANCEL = "cancel"  # `cancel: true`: the call does not run, and the run ends
TOLD = "contextModification"  # the model reads it after the results: what ran has run

EVENTS: Mapping[str, EventSpec] = {
    "tool_call": EventSpec(types=("PreToolUse",), guards=True, deny=CANCEL, context=TOLD),
    "tool_result": EventSpec(types=("PostToolUse",), deny=TOLD, context=TOLD),
    "prompt_submit": EventSpec(types=("UserPromptSubmit",)),
    "agent_start": EventSpec(types=("SessionStart",), begins=True),
    "agent_resume": EventSpec(types=("SessionStart",), begins=True),
    "agent_end": EventSpec(types=("Stop",)),
    "agent_abort": EventSpec(types=("StopFailure", "Notification")),
    "agent_error": EventSpec(types=("StopFailure",)),
    "session_shutdown": EventSpec(types=("SessionEnd",)),
}

UNRECORDED: Mapping[str, str] = {
    "prompt_submit": SOURCE,
    "agent_abort": SOURCE,
    "agent_resume": SOURCE,
    "agent_error": SOURCE,
}

CAPABILITIES: Mapping[str, str] = {
    "deny": "The call does not run and Cline ends its run. It shows no reason to anybody: `rulez explain --last` does.",
    "ask": "Denied: a hook file cannot make Cline ask.",
    "allow": "Says nothing: Cline's own settings decide.",
    "rewrite": "The call runs with the new input.",
    "context": "The model reads it before and after a tool.",
    "redact": "Not possible: the result stays, and the model is warned.",
    "prompt": "Not possible: Cline does not wait for the hook.",
    "stop": "Not possible: Cline does not wait for the hook.",
    "failure": "The hook file that rulez installs denies the call when rulez fails. Without it, Cline lets it run.",
}

_CALLS = ("tool_call", "tool_result")
_BESIDES = ("preToolUse", "postToolUse", "workspaceInfo")
"""What a payload has a second time, as texts."""
_SUBAGENT = {"agent_start": ("SubagentStart", "BeforeAgent"), "agent_end": ("SubagentStop", "AfterAgent")}


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload, as a hook file gets it or in the flat form. Raises UnreadableEvent."""
    flat = payload
    if isinstance(payload, dict) and "hookName" in payload and "hook_event_name" not in payload:
        flat = _flat(payload)
    native = parsing.named_event(flat, event_name)
    event = parsing.flat_event(NAME, native, _types(native, flat), flat)
    roots = flat.get("workspaceRoots")
    project = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else None
    return event.replace(
        mcp=parsing.mcp_splits(event.platform_tool_name or "", "__") if not event.known_tool else (),
        prompt=event.prompt or parsing.text(parsing.mapping(flat.get("userPromptSubmit")), "prompt"),
        cwd=event.cwd or project,
        project_dir=project,
        agent_id=event.agent_id if parsing.text(flat, "parent_agent_id") else None,
        agent_version=parsing.text(flat, "clineVersion") or "",
        payload=payload,
    )


def _types(native: str, flat: Mapping[str, object]) -> tuple[str, ...]:
    if native == "tool_result" and parsing.text(flat, "error"):
        return parsing.types_of(EVENTS, native, flat, "PostToolUseFailure")
    if native in _SUBAGENT and parsing.text(flat, "parent_agent_id"):
        return _SUBAGENT[native]
    return parsing.types_of(EVENTS, native, flat)


def _flat(payload: Mapping[str, object]) -> dict[str, object]:
    """Return a hook file's payload with event, tool and input where the flat form has them."""
    native = payload["hookName"]
    call = next((parsing.mapping(payload[key]) for key in _CALLS if payload.get(key) is not None), {})
    session = parsing.text(parsing.mapping(payload.get("sessionContext")), "rootSessionId")
    flat = {key: value for key, value in payload.items() if key not in (*_CALLS, *_BESIDES, "hookName")}
    flat |= {"hook_event_name": native, "session_id": session or payload.get("taskId"), "tool_use_id": call.get("id")}
    if call:
        name = call.get("name")
        flat |= {"tool_name": name, "tool_input": _named(name, call.get("input"))}
        flat |= {"tool_response": call.get("output"), "error": call.get("error")}
    return flat


# Cline takes a tool's input in many shapes, and gives the hook the one that the model has chosen.


def _named(tool: object, given: object) -> object:
    """Return a tool's input as an object, with what the rules look for under a name that they know."""
    if tool == "run_commands":
        return _commands(given)
    if tool == "read_files":
        paths = list(dict.fromkeys(_under(given, ("path", "file_path", "filePath", "files", "file_paths", "paths"))))
        whole = given if isinstance(given, dict) else {"files": given}
        return {**whole, **({"file_path": paths[0]} if len(paths) == 1 else {"file_paths": paths})}
    if tool == "fetch_web_content":
        urls = list(dict.fromkeys(_under(given, ("url", "requests"))))
        whole = given if isinstance(given, dict) else {"requests": given}
        return {**whole, "url": urls[0] if len(urls) == 1 else urls}
    if tool == "search_codebase" and not isinstance(given, dict):
        return {"queries": given}
    return given


def _commands(given: object) -> object:
    """Return the command lines of `run_commands`, each of which a shell of its own runs, all at the same time.

    A single one is `command`, which a rule can rewrite. Lines are joined where one may be the here-document of another.
    """
    lines = list(_lines(given))
    if len(lines) == 1:
        rest = {key: value for key, value in given.items() if key not in _LISTS} if isinstance(given, dict) else {}
        return {**rest, "command": lines[0]}
    if not lines:
        return given
    joined = {"command": "\n".join(lines)} if any("<<" in line for line in lines) else {}
    return {"commands": lines, **joined}


_LISTS = ("commands", "command", "cmd", "args")


def _lines(given: object) -> Iterator[str]:
    """Yield command lines of any shape: a text, a list, `commands`, `command` or `cmd`, a program with its `args`."""
    if isinstance(given, str):
        yield given
    elif isinstance(given, list):
        for one in given:
            yield from _lines(one)
    elif isinstance(given, dict):
        program, words = given.get("command"), given.get("args")
        if isinstance(program, str) and isinstance(words, list):
            yield " ".join(quoted(word) for word in (program, *words) if isinstance(word, str))
            given = {**given, "command": None}
        for key in ("commands", "command", "cmd"):
            yield from _lines(given.get(key))


def _under(given: object, keys: tuple[str, ...]) -> Iterator[str]:
    """Yield the texts of a list, or under one of these keys at any depth."""
    if isinstance(given, str):
        yield given
    elif isinstance(given, list):
        for one in given:
            yield from _under(one, keys)
    elif isinstance(given, dict):
        for key in keys:
            yield from _under(given.get(key), keys)


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict in Cline's words. Neutral is `{}`."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    said = answering.settle(verdict, event, spec, AGENT)
    if said.decision == DENY:
        denied = Answer(stdout=jsontext.dumps(_denied(spec.deny, said.reason)), dropped=said.dropped)
        return answering.to_whomever(denied, said.reason) if spec.guessed else denied
    output: dict[str, object] = {}
    if said.new_input is not None:
        output["overrideInput"] = said.new_input
    if said.context:
        output[TOLD] = said.context
    return Answer(stdout=jsontext.dumps(output), dropped=said.dropped)


def _denied(form: str, reason: str) -> dict[str, object]:
    return {TOLD: reason} if form == TOLD else {"cancel": True, "errorMessage": reason}


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Return a cancellation, unless the caller knows the event and it guards nothing."""
    spec = EVENTS.get(event_name or "")
    if spec is not None and not spec.guards:
        return Answer(stdout="{}")
    return Answer(stdout=jsontext.dumps(_denied(CANCEL, answering.reason_of(reason))))


def sends_to(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    """A person may have a hook file of Cline's call the hook of another platform."""
    return "clineVersion" in payload and "hookName" in payload

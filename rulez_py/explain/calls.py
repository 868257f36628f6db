"""The call to explain: typed by a person, a payload, or a line of the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rulez_py.hook.values import platform_of
from rulez_py.log.audit import INPUT_LIMIT
from rulez_py.log.redact import MARK
from rulez_py.platforms import PLATFORMS, adapter
from rulez_py.platforms.tool_table import CANONICAL, INBOUND
from rulez_py.policy.format.circumstances import PLATFORM, Case, case_of, sender

if TYPE_CHECKING:
    from rulez_py.event import Event

BEFORE, PROMPT = "PreToolUse", "UserPromptSubmit"
_CUT = "…"
_SESSION = "explain"


@dataclass(frozen=True)
class Call:
    """A call to be explained as `platform` would send it.

    It is one of a tool with its arguments, of a prompt, or a `payload` as it came. `kind` is its canonical event, where
    it is told; one without a tool has `arguments` of its own. `told` are its circumstances (`circumstances`), beside
    what is so here. `notes` say in what it may differ from the call that is meant; `logged` is the line of the log that
    it was made of.
    """

    platform: str
    cwd: str
    tool: str = ""
    arguments: Mapping[str, object] | str = field(default_factory=dict)
    prompt: str | None = None
    payload: Mapping[str, Any] | None = None
    notes: tuple[str, ...] = ()
    logged: Mapping[str, object] = field(default_factory=dict)
    kind: str = ""
    told: Mapping[str, Any] = field(default_factory=dict)

    def event(self, platform: str, *, event_name: str | None = None) -> Event:
        """Return the event of it as this platform sends it. Raises UnreadableEvent."""
        if self.payload is not None and platform == self.platform:
            return adapter(platform).parse(self.payload, event_name)
        return self._case().event((platform,), cwd=self.cwd, session=_SESSION)

    def _case(self) -> Case:
        """Return the call as a case, for whichever agent is asked about."""
        told = {key: value for key, value in self.told.items() if key != PLATFORM}
        if self.prompt is not None:
            return Case(kind=self.kind or PROMPT, tool="", given={"prompt": self.prompt}, told=told)
        given = self.arguments if isinstance(self.arguments, str) else dict(self.arguments)
        return Case(kind=self.kind or BEFORE, tool=self.tool, given=given, told=told)


def of_case(example: object, cwd: str, *, platform: str | None = None) -> Call:
    """Return the call of a case as `tests` have it, made by an agent: the given one, the case's own, one that has it.

    Raises UnreadableEvent.
    """
    case = case_of(example)
    by = platform or case.told.get(PLATFORM) or sender(case.kind, case.tool, PLATFORMS)
    given: Any = case.given
    prompt = given.get("prompt") if not case.tool and set(given) == {"prompt"} else None
    return Call(by, cwd, tool=case.tool, arguments=given, prompt=prompt, kind=case.kind, told=case.told)


def of_event(event: Event, payload: Mapping[str, Any], cwd: str) -> Call:
    """Return the call of a payload, so that the same call can be judged for other agents."""
    arguments = event.own_input if isinstance(event.own_input, dict) else {}
    return Call(
        platform=event.platform,
        cwd=event.cwd or cwd,
        tool=event.tool_name or "",
        arguments=arguments,
        prompt=event.prompt if event.tool_name is None else None,
        payload=payload,
    )


def is_whole(text: str) -> bool:
    """Tell if the log has kept all of an input: neither cut nor redacted it."""
    return not (text.endswith(_CUT) or len(text) >= INPUT_LIMIT or MARK in text)


def of_log(entry: Mapping[str, Any], cwd: str) -> Call:
    """Return the call that a line of the log records, as far as it has it.

    Raises ValueError where the line has too little.
    """
    platform, tool, text = (str(entry.get(key) or "") for key in ("platform", "tool", "input"))
    platform = platform_of(platform)
    if platform not in PLATFORMS:
        raise ValueError(f"the log line names no agent that rulez knows (`{platform}`)")
    kinds = entry.get("event") or []
    if BEFORE not in kinds or not tool:
        said = ", ".join(map(str, kinds)) or "no event"
        raise ValueError(f"only calls of tools can be judged again; the log line is of {said}")
    notes = []
    if text.endswith(_CUT):
        notes.append("the log keeps only the beginning of its input: the rest is not judged")
    if MARK in text:
        notes.append("the log has redacted its input: each text in brackets replaces another one")
    if tool == "Bash":
        arguments: dict[str, object] = {"command": text}
    elif text.startswith(("http://", "https://")):
        arguments = {"url": text}
    else:
        arguments = {"file_path": text} if text else {}
    if tool != "Bash":
        notes.append(f"the log keeps one argument of a call of {tool}; its other arguments are not judged")
    where = entry.get("cwd")
    own = entry.get("platform_tool")
    named = own if isinstance(own, str) and (own in INBOUND[platform] or tool not in CANONICAL) else tool
    return Call(
        platform=platform,
        cwd=where if isinstance(where, str) and where else cwd,
        tool=named,
        arguments=arguments,
        notes=tuple(notes),
        logged=dict(entry),
    )

"""What a test has to know of an agent: `tests/payloads/NAME/facts.py` says it, beside what was recorded of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from rulez_py.verdict import Answer

Json = dict[str, Any]


def said(answer: Answer) -> Json:
    """The one JSON object on stdout; {} where there is nothing."""
    parsed = json.loads(answer.stdout or "{}")
    assert isinstance(parsed, dict)
    return parsed


def inside(answer: Answer) -> Json:
    """The `hookSpecificOutput` of an answer; {} where there is none."""
    found: Json = said(answer).get("hookSpecificOutput", {})
    return found


def told(answer: Answer) -> bool:
    """Whether it says something on stderr."""
    return bool(answer.stderr.strip())


class Facts(NamedTuple):
    """One agent, from its contract alone."""

    before_tool: str
    """Its event before a tool runs, and its shell tool."""
    shell: str
    stops: Callable[[Answer, str], bool]
    """Whether it stops what an event of this canonical type comes before, when it gets this answer."""
    new_input: Callable[[Answer], object]
    """The tool's input that it would run instead; None where the answer has none."""
    guarding: str
    """Its events that stand before something it can still stop."""
    begins: Json
    """The payload with which a session begins, and the event's name."""
    start: str
    """The name alone; "" for an agent without such an event."""
    prompt: str
    """Its event when a person has written something; "" for an agent without one."""
    ends: tuple[str, ...]
    """Its events at which a denial, or a text, gives some agents their next task; the first has a way to say it."""
    tools: Mapping[str, str]
    """Canonical name -> its tools that must be understood to mean it, letter for letter; no other may be."""
    unchanged: str
    """Some names that must pass through."""
    places: Mapping[str, str]
    """Scope -> where its hooks are installed: below `home/`, `project/` or, for the whole machine, `root/`."""
    moved: tuple[str, str] | None
    """The variable that moves its directory, and the file in the other place."""
    settings: Json | None = None
    """What its snippet has to be (tests/hooks/test_settings.py); None where it is a plugin."""
    loses: str = ""
    """Why it reads no settings with comments, trailing commas and a byte order mark, as `rulez install` says it."""
    neutral: str = ""
    """The stdout that changes nothing."""
    exit_of_a_deny: int = 2
    asks: bool = False
    """Whether it can be made to ask the user before a tool runs."""
    asking: Mapping[str, Any] = MappingProxyType({})
    """What its payload says where a person is there to be asked."""
    asks_at: str = ""
    """Its events at which it asks, where it does so at others than `before_tool`."""
    asked: Callable[[Answer], bool] = lambda answer: inside(answer).get("permissionDecision") == "ask"
    """Whether an answer makes it ask."""
    not_rewritten: str = ""
    """Its events before a tool that take no new input, where a rewrite denies."""
    project_variable: str = ""
    """How it says where its project is, while the call's own directory is another: in this variable,"""
    project_field: str = ""
    """in this field of the payload,"""
    runs_in_project: bool = False
    """or by running the hook there."""
    environ: Mapping[str, str] = MappingProxyType({})
    """Variables that its hooks get -> the key of the payload with the same value; "" where there is none."""
    before_other_tools: str = ""
    """Its events before other tools than its shell, where each kind of tool has an event."""
    warns_alone: str = ""
    """Those at which it tells the person warnings, and the model nothing."""
    plain: bool = False
    """Whether it takes what a hook says on stdout for text, whatever it looks like."""
    unheard: str = ""
    """Its events whose answer, unless it denies, tells neither the model nor the person anything."""

    @property
    def rewrites(self) -> bool:
        """Whether it takes new input before a tool."""
        return self.before_tool not in self.not_rewritten.split()

    def reads(self, event: str) -> bool:
        """Whether context in the answer to this event reaches the model."""
        return self.hears(event) and event not in self.warns_alone.split()

    def hears(self, event: str) -> bool:
        """Whether what the answer to this event says reaches the model or the person where it denies nothing."""
        return bool(event) and event not in self.unheard.split()

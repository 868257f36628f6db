"""The report as text of 80 columns, and as JSON."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from rulez_py.doctor.findings import BROKEN, NOTE, UNKNOWN
from rulez_py.policy.store import floor
from rulez_py.verdict import counted, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rulez_py.doctor.findings import AgentState, Examined, Finding, PolicyState
    from rulez_py.policy.store.floor import Floor

SCHEMA = 1
_WIDTH = 79
_SHORT = 12
"""Characters of a digest that the text has."""

_SCOPES = {"managed": "whole machine"}
_MARKS = {BROKEN: ("bad", "!"), UNKNOWN: ("bad", "?"), NOTE: ("note", "-")}

Line = tuple[str, str]
"""A line, and its kind: "good", "bad", "note", "title" or ""."""


def long(found: Examined, shorten: Callable[[str], str]) -> Iterator[Line]:
    """Yield the whole report; `shorten` makes paths short."""
    for agent in found.agents:
        yield from _agent(agent, shorten)
        yield "", ""
    yield "Policy in force here", "title"
    for one in found.policy:
        yield from _wrapped(f"{one.layer}: {_policy(one)}", "  ", "")
    yield from _floor(found.floor, "  ")
    for line in found.granted:
        yield from _wrapped(line, "  ", "note")
    yield from _findings(found.findings)
    yield "", ""
    yield conclusion(found)


def short(found: Examined) -> Iterator[Line]:
    """Yield one line for each agent, and what is wrong."""
    width = max((len(agent.agent) for agent in found.agents), default=0)
    for agent in found.agents:
        state = "set up" if agent.holds else "NOT PROTECTED" if agent.broken else "CANNOT TELL"
        fired = f", last called {_moment(agent.fired)}" if agent.fired else ", not called yet"
        yield f"{agent.agent.ljust(width)}  {state}{fired}", "good" if agent.holds else "bad"
        yield from _findings(one for one in agent.findings if one.level != NOTE)
    for one in found.policy:
        yield from _wrapped(f"{one.layer}: {_policy(one)}", "", "")
    yield from _floor(found.floor, "")
    messages = {finding.message for finding in found.findings}
    for line in found.granted:
        if line not in messages:
            yield from _wrapped(line, "", "note")
    yield from _findings(found.findings)


def conclusion(found: Examined) -> Line:
    """Return the last line: does protection hold."""
    if found.holds:
        return "Protection holds.", "good"
    if not found.broken:
        return "It is unknown if protection holds everywhere: look at what is marked with ?", "bad"
    return "Protection does not hold everywhere: mend what is marked with !", "bad"


def as_json(found: Examined) -> dict[str, Any]:
    """Return the report as JSON."""
    return {
        "schema": SCHEMA,
        "holds": found.holds,
        "agents": [
            {
                **agent._asdict(),
                "holds": agent.holds,
                "places": [place._asdict() for place in agent.places],
                "tried": [{**one._asdict(), "ms": round(one.ms, 1), "right": one.right} for one in agent.tried],
                "findings": [_finding(one) for one in agent.findings],
                "servers": [one._asdict() for one in agent.servers],
            }
            for agent in found.agents
        ],
        "policy": [one._asdict() for one in found.policy],
        "essentials": floor.as_json(found.floor),
        "granted": list(found.granted),
        "findings": [_finding(one) for one in found.findings],
    }


def _finding(one: Finding) -> dict[str, str]:
    """Return a finding with the keys that programs have read since 0.1.0."""
    return {"level": one.level, "what": one.message, "mend": one.help, "state": one.state}


def _agent(agent: AgentState, shorten: Callable[[str], str]) -> Iterator[Line]:
    version = f" {agent.version}" if agent.version else ""
    proved = " (proved)" if agent.version and agent.version == agent.proved else ""
    yield f"{agent.agent}{version}{proved}", "title"
    if not agent.there:
        yield "  not found on this machine", "note"
    for path, scope in dict.fromkeys((place.path, place.scope) for place in agent.places):
        yield from _wrapped(f"hook for the {_SCOPES.get(scope, scope)} in {shorten(path)}", "  ", "")
    for one in agent.tried:
        if one.right:
            yield f"  tried: {one.got} as it should, {one.ms:.0f} ms", "good"
    if agent.places:
        yield f"  last called: {_moment(agent.fired) if agent.fired else 'never'}", ""
    if agent.servers:
        said = ", ".join(f"{one.name} ({one.state})" for one in agent.servers)
        yield from _wrapped(f"MCP servers: {said}", "  ", "")
    yield from _findings(agent.findings)


def _findings(findings: Iterable[Finding]) -> Iterator[Line]:
    for finding in findings:
        kind, mark = _MARKS[finding.level]
        yield from _wrapped(finding.message, f"  {mark} ", kind)
        yield from _wrapped(f"help: {finding.help}", "      ", "")


def _policy(one: PolicyState) -> str:
    trust = f", trusted by {visible(one.by)}" if one.by else "" if one.trusted else ", not trusted"
    return f"{one.path} ({counted(one.rules, 'rule')}, {one.digest[:_SHORT]}{trust})"


def _floor(below: Floor, indent: str) -> Iterator[Line]:
    yield from _wrapped(floor.in_words(below), indent, "" if below.holds and not below.changed else "note")


def _moment(time: str) -> str:
    return f"{time[:10]} {time[11:16]} UTC"


def _wrapped(text: str, first: str, kind: str) -> Iterator[Line]:
    lines = textwrap.wrap(
        visible(text),
        _WIDTH,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )
    for line in lines:
        yield line, kind

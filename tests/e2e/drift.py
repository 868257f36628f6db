"""The shape of what an agent sends its hooks, and how it differs from the one kept for the pinned version.

A shape is taken from the payloads of a whole run of cases.yaml, so two of them differ only where the agent does. The
kept ones are tests/e2e/shapes; `make conformance` writes them, `make e2e-latest` compares.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulez_py.event import EVENT_TYPES
from rulez_py.log.audit import OWN_SESSION
from rulez_py.platforms import adapter
from tests.e2e.place import hook_calls
from tests.e2e.session import OFFERED

SHAPES = Path(__file__).parent / "shapes"


@dataclass(frozen=True)
class Fields:
    """The fields of one kind of payload, as paths of keys with lists as `[]`: `tool_input.todos[].status`."""

    always: frozenset[str]
    sometimes: frozenset[str] = frozenset()

    @property
    def all(self) -> frozenset[str]:
        return self.always | self.sometimes

    def merged(self, other: Fields) -> Fields:
        always = self.always & other.always
        return Fields(always, (self.all | other.all) - always)


@dataclass(frozen=True)
class Shape:
    """What one version of an agent sends.

    `fields`: the event's own name, with the tool's behind a space where it has one -> the fields; `tools`: the names
    its model can call; `unknown_events`: event names in its program that our adapter does not know; `lists_events`:
    whether such names can be found there at all (so far in Claude Code's program alone).
    """

    version: str
    tools: frozenset[str] = frozenset()
    unknown_events: frozenset[str] = frozenset()
    fields: Mapping[str, Fields] = field(default_factory=dict)
    lists_events: bool = False

    def merged(self, other: Shape) -> Shape:
        """Both runs of the same version together: what one of them happened not to show is not gone."""
        shared = {kind: here.merged(other.fields.get(kind, here)) for kind, here in self.fields.items()}
        return Shape(
            other.version,
            self.tools | other.tools,
            self.unknown_events | other.unknown_events,
            {**other.fields, **shared},
            other.lists_events,
        )


def differences(kept: Shape, seen: Shape) -> list[str]:
    """What has changed from one shape to the other, one sentence each; nothing where it is the same."""
    found = [f"new event `{name}` in the program" for name in sorted(seen.unknown_events - kept.unknown_events)]
    if kept.lists_events and not seen.lists_events:
        found.append("the program's event names are not found any more: look how it lists them now")
    found += [f"new tool `{name}`" for name in sorted(seen.tools - kept.tools)]
    found += [f"tool `{name}` is gone" for name in sorted(kept.tools - seen.tools)]
    for kind in sorted({*kept.fields, *seen.fields}):
        before, now = kept.fields.get(kind), seen.fields.get(kind)
        if before is None or now is None:
            found.append(f"{kind}: {'a new kind of payload' if before is None else 'never sent'}")
            continue
        found += [f"{kind}: new field `{path}`" for path in sorted(now.all - before.all)]
        found += [f"{kind}: field `{path}` is gone" for path in sorted(before.always - now.all)]
    return found


def kept(platform: str) -> Shape | None:
    """The shape kept for a platform."""
    path = SHAPES / f"{platform}.json"
    if not path.exists():
        return None
    read = json.loads(path.read_text())
    fields = {
        kind: Fields(frozenset(some["always"]), frozenset(some["sometimes"])) for kind, some in read["fields"].items()
    }
    unknown = frozenset(read["unknown events"])
    return Shape(read["version"], frozenset(read["tools"]), unknown, fields, read["lists events"])


def keep(platform: str, shape: Shape) -> None:
    """Keeps a shape; together with the kept one where that is of the same version."""
    before = kept(platform)
    if before is not None and before.version == shape.version:
        shape = before.merged(shape)
    written = {
        "version": shape.version,
        "tools": sorted(shape.tools),
        "lists events": shape.lists_events,
        "unknown events": sorted(shape.unknown_events),
        "fields": {
            kind: {"always": sorted(some.always), "sometimes": sorted(some.sometimes)}
            for kind, some in sorted(shape.fields.items())
        },
    }
    SHAPES.mkdir(exist_ok=True)
    (SHAPES / f"{platform}.json").write_text(json.dumps(written, indent=1) + "\n")


def seen(platform: str, version: str, program: Path, work: Path) -> Shape:
    """The shape of a platform in the sessions below `work`."""
    offered = {name for path in work.glob(f"{platform}-*/{OFFERED}") for name in json.loads(path.read_text())}
    known, unknown = listed_events(platform, program.read_bytes().decode("latin-1"))
    shapes = fields(platform, payloads(platform, work))
    return Shape(version, frozenset(offered), frozenset(unknown), shapes, bool(known))


def payloads(platform: str, work: Path) -> Iterator[Any]:
    for calls in sorted(work.glob(f"{platform}-*/calls")):
        for call in hook_calls(calls):
            if call.payload is not None and "hook" in call.arguments and not _is_trial(call.payload):
                yield call.payload


def _is_trial(payload: Any) -> bool:
    """Whether `rulez doctor` made the call: its payload is of our own making, and says nothing of the agent."""
    return isinstance(payload, dict) and payload.get("session_id") == OWN_SESSION


def fields(platform: str, sent: Iterable[Any]) -> dict[str, Fields]:
    """Kind of payload -> its fields."""
    of: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
    for payload in sent:
        event = adapter(platform).parse(payload, None)
        of[" ".join(filter(None, (event.native_event, event.platform_tool_name)))].append(frozenset(paths(payload)))
    found = {}
    for kind, each in of.items():
        always = frozenset.intersection(*each)
        found[kind] = Fields(always, frozenset().union(*each) - always)
    return found


def paths(value: Any, at: str = "") -> Iterator[str]:
    """Every path of keys in a JSON value."""
    if isinstance(value, list):
        for item in value:
            yield from paths(item, f"{at}[]")
    elif isinstance(value, dict):
        for key, item in value.items():
            path = f"{at}.{key}" if at else key
            yield path
            yield from paths(item, path)


_LISTED = re.compile(r'(?:"[A-Za-z.]{3,40}"[,\s]+){2,}"[A-Za-z.]{3,40}"')


def listed_events(platform: str, program: str) -> tuple[set[str], set[str]]:
    """Event names in the text of an agent's program: those its adapter knows, and those it does not.

    They are told by their company: a list of names, most of which are known events.
    """
    known = set(adapter(platform).EVENTS) | set(EVENT_TYPES)
    found: set[str] = set()
    for listed in _LISTED.findall(program):
        names = set(listed.replace('"', " ").replace(",", " ").split())
        if len(names & known) > len(names) / 2:
            found |= names
    return found & known, found - known

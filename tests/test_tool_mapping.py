"""TOOL-MAPPING.md says how sure it is: what it calls seen is in a recording, what it calls source in a contract."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulez_py.cli import tool_mapping as page
from rulez_py.event.arguments import ALIASES, TOOL_ALIASES
from rulez_py.platforms import CAPABILITIES, PLATFORMS, adapter
from rulez_py.platforms.tool_table import DOCS, OURS, SOURCE
from tests.platforms import PROVEN
from tests.recordings import NO_RECORDINGS

ROOT = Path(__file__).parent.parent
INPUTS = frozenset(("tool_input", "toolArgs", "toolInput", "args", "input"))
SPELLINGS = sorted(
    {one for spellings in ALIASES.values() for one in spellings}
    | {one for names in TOOL_ALIASES.values() for spellings in names.values() for one in spellings}
)


def recordings(platform: str) -> Iterator[Any]:
    for path in sorted((ROOT / "tests" / "payloads" / platform).rglob("*.json")):
        if path.name not in NO_RECORDINGS:
            yield json.loads(path.read_text(encoding="utf-8"))


def inputs(value: Any) -> Iterator[Any]:
    """What calls were given, anywhere in a recording."""
    if isinstance(value, list):
        for one in value:
            yield from inputs(one)
    if isinstance(value, dict):
        for key, one in value.items():
            if key in INPUTS:
                yield _read(one)
            yield from inputs(one)


def _read(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return None


def names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from names(one)
    for one in value if isinstance(value, list) else ():
        yield from names(one)


@cache
def recorded() -> frozenset[str]:
    """The names of arguments in all recordings; those of an unproven agent are none."""
    return frozenset(
        name for platform in PROVEN for one in recordings(platform) for given in inputs(one) for name in names(given)
    )


@cache
def contract(platform: str) -> str:
    return (ROOT / "rulez_py" / "platforms" / platform / "contract.md").read_text(encoding="utf-8")


def in_contracts(name: str) -> bool:
    return any(re.search(rf"\b{re.escape(name)}\b", contract(platform)) for platform in PLATFORMS)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_how_a_spelling_is_known(spelling: str) -> None:
    assert (spelling in page._SPELLINGS_SEEN) is (spelling in recorded())
    if spelling in page._SPELLINGS_IN_CONTRACTS:
        assert in_contracts(spelling)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_how_an_event_is_known(platform: str) -> None:
    texts = "\n".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "tests" / "payloads" / platform).rglob("*.json")
        if path.name != "answers.json"
    )
    known = adapter(platform).UNRECORDED
    for name in adapter(platform).EVENTS if platform in PROVEN else ():
        assert (name in known) is not (f'"{name}"' in texts), name
    assert platform in PROVEN or known.keys() == adapter(platform).EVENTS.keys()
    for name, level in known.items():
        assert level in (SOURCE, OURS, *(() if platform in PROVEN else (DOCS,)))
        assert level == OURS or name in contract(platform)


def test_every_capability_names_cases_that_there_are() -> None:
    text = (ROOT / "tests" / "e2e" / "cases.yaml").read_text(encoding="utf-8")
    cases = set(re.findall(r"case: (.+)", text))
    assert tuple(page._PROVED_BY) == CAPABILITIES
    assert {case for named in page._PROVED_BY.values() for case in named} <= cases


def test_what_a_session_without_a_terminal_leaves_out_is_said() -> None:
    assert "No agent has more than the main agent" in page.markdown()

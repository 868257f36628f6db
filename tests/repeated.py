"""Calls of tools in which one construct is repeated: what an agent could send to make an analysis slow."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

SIZE = 5_000_000
"""The longest input that is tried, in characters."""


@cache
def constructs() -> Mapping[str, dict[str, Any]]:
    """The table of tests/data/repeated.yaml, by what is repeated."""
    found: dict[str, dict[str, Any]] = YAML(typ="safe").load(
        (Path(__file__).parent / "data" / "repeated.yaml").read_text("utf-8")
    )
    return found


def call(construct: str, count: int) -> tuple[str, dict[str, Any]]:
    """A tool and its input, with so many of a construct."""
    about = constructs()[construct]
    given = {**about.get("input", {}), about.get("key", "command"): _values(about, count) or _text(about, count)}
    return about.get("tool", "Bash"), given


def longest(construct: str) -> int:
    """How many of it are in the longest input that is tried."""
    few, many = (len(str(call(construct, count)[1])) for count in (100, 200))
    return SIZE * 100 // (many - few)


def _text(about: Mapping[str, Any], count: int) -> str:
    pieces = "".join(_numbered(about["piece"], number) for number in range(count))
    return str(about.get("before", "") + pieces + about.get("behind", "") + about.get("close", "") * count)


def _values(about: Mapping[str, Any], count: int) -> Any:
    if "each" not in about:
        return None
    values = [_numbered(about["each"], number) for number in range(count)]
    if "nested" not in about:
        return values
    whole: Any = None
    for value in values:
        whole = {**value, about["nested"]: whole}
    return whole


def _numbered(value: Any, number: int) -> Any:
    if isinstance(value, str):
        return value.replace("%N", str(number + 1)).replace("%P", str(number))
    if isinstance(value, list):
        return [_numbered(one, number) for one in value]
    return {key: _numbered(one, number) for key, one in value.items()}

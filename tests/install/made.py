"""Settings that nobody would write by hand, and every agent may have: JSON with comments in any shape."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

_NAMES = st.text(st.characters(codec="utf-8"), max_size=4)
_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _NAMES
VALUES = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=3), max_leaves=8
)
OTHERS = st.sampled_from(["./mine.sh", "echo rulez", "logger -t rulez x", "cat /etc/rulez/rules.yaml", "npx prettier"])


@st.composite
def groups(draw: st.DrawFn) -> Any:
    """An item of an event's list that is not ours."""
    entry = {"type": "command", "command": draw(OTHERS)}
    shape = draw(st.sampled_from(["flat", "nested", "odd"]))
    if shape == "odd":
        return draw(VALUES)
    nested = {"matcher": draw(_NAMES), "hooks": [entry, *draw(st.lists(VALUES, max_size=1))]}
    return entry if shape == "flat" else nested


@st.composite
def settings(draw: st.DrawFn, events: list[str]) -> dict[str, Any]:
    """Settings with keys of their own and others' hooks."""
    value: dict[str, Any] = draw(st.dictionaries(_NAMES, VALUES, max_size=3))
    value.pop("hooks", None)
    if draw(st.booleans()):
        names = st.sampled_from([*events, "Other"])
        value["hooks"] = draw(st.dictionaries(names, st.lists(groups(), max_size=2), max_size=3))
        order = draw(st.permutations(list(value)))
        value = {name: value[name] for name in order}
    return value


@st.composite
def listed(draw: st.DrawFn) -> dict[str, Any]:
    """The same with a list of the hooks of all events."""
    value = draw(settings([]))
    return {**value, "hooks": draw(st.lists(groups(), max_size=3))} if "hooks" in value else value


@st.composite
def written(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> tuple[str, Any]:
    """A value as somebody may have written it, and the value."""
    value = draw(values)
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    blanks = ["", "", " ", newline, f"{newline}  ", f"{newline}\t\t", "/**/"]
    blanks += [f"/* , [}} */{newline}", f' // "x, ]{newline}']
    if not draw(st.booleans()):
        blanks = ["", " "]  # all on one line
    gap = st.sampled_from(blanks)

    def text(value: Any) -> str:
        if isinstance(value, dict):
            parts = [f"{json.dumps(name)}{draw(gap)}:{draw(gap)}{text(item)}" for name, item in value.items()]
            return _joined("{", parts, "}")
        if isinstance(value, list):
            return _joined("[", [text(item) for item in value], "]")
        return json.dumps(value, ensure_ascii=draw(st.booleans()))

    def _joined(first: str, parts: list[str], last: str) -> str:
        inside = ",".join(f"{draw(gap)}{part}{draw(gap)}" for part in parts)
        comma = draw(st.sampled_from(["", ","])) if parts else ""
        return f"{first}{inside}{comma}{draw(gap)}{last}"

    mark = draw(st.sampled_from(["", "\ufeff"]))
    return f"{mark}{draw(gap)}{text(value)}{draw(gap)}", value

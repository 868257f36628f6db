"""What property tests make up: tools, sections, front matter, agents."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from rulez_py.definitions.agents.definition import AgentDefinition
from rulez_py.definitions.base.prompt import DEEPEST, Section
from rulez_py.definitions.base.tool import AnyTool, CustomTool, Platform, Tool

printable = st.characters(categories=("L", "N", "P", "S"), exclude_characters=",")
custom_tools = st.text(printable, min_size=1, max_size=20).map(CustomTool)
any_tools: st.SearchStrategy[AnyTool] = st.one_of(st.sampled_from(list(Tool)), custom_tools)
tool_lists = st.lists(any_tools, max_size=12)
platforms = st.sampled_from(list(Platform))

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
scalars = st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), st.floats(-1e9, 1e9), text)
data: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(text.filter(bool), inner, max_size=3)),
    max_leaves=6,
)
names = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?", fullmatch=True)
described = text.filter(lambda made: bool(made.strip()))
_titles = st.sampled_from(["Role", "How to work: step 1", "`code`"])
sections = st.recursive(
    st.builds(Section, st.just("") | _titles, described, st.just(())),
    lambda inner: st.builds(Section, _titles, described, st.lists(inner, max_size=2).map(tuple)),
    max_leaves=4,
).filter(lambda one: _depth(one) <= DEEPEST - 1)


def _depth(section: Section) -> int:
    return 1 + max(map(_depth, section.sections), default=0)


agents = st.builds(
    AgentDefinition,
    name=names,
    description=described,
    model=st.one_of(st.none(), described),
    temperature=st.one_of(st.none(), st.floats(0, 2)),
    max_tokens=st.one_of(st.none(), st.integers(1, 200_000)),
    tools=st.one_of(st.none(), tool_lists.map(tuple)),
    disallowed_tools=tool_lists.map(tuple),
    sections=st.lists(sections, max_size=4).map(tuple),
)

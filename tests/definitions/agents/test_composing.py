"""Definitions put together from sections, files and values: composing.yaml says what comes of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.definitions.agents import AgentDefinition, InvalidAgent, Section, load, read, render
from rulez_py.definitions.base.composing import MOST_PARTS, files_beside, put_in
from rulez_py.definitions.base.prompt import Style, fill, split
from rulez_py.definitions.base.tool import Platform

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("composing.yaml"))


def project(at: Path, case: dict[str, Any]) -> Path:
    """A project with a definition and its parts; returns the definition's path."""
    (at / "project" / ".git").mkdir(parents=True)
    (at / "out.md").write_text("out")
    agents = at / "project" / "agents"
    (agents / "directory").mkdir(parents=True)
    (agents / "bytes.md").write_bytes(b"a\xff")
    (agents / "large.md").write_bytes(b"a" * 1_000_001)
    (agents / "link.md").symlink_to(at / "out.md")
    for name, text in case.get("parts", {}).items():
        (agents / name).parent.mkdir(parents=True, exist_ok=True)
        (agents / name).write_text(text)
    definition: Path = at / "project" / case.get("name", "agents/x.yaml")
    definition.write_text(case["file"])
    return definition


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_a_definition_is_put_together(tmp_path: Path, case: dict[str, Any]) -> None:
    definition = project(tmp_path, case)
    shown = case.get("name", "agents/x.yaml")
    done = read(definition.read_bytes(), shown, files=files_beside(str(definition)), variables=case.get("given", {}))
    said = [
        f"{one.path}:{one.line}:{one.column}: {'warning: ' if one.severity == 'warning' else ''}{one.text}"
        for one in done.problems
    ]
    root = os.path.realpath(tmp_path / "project")
    assert said == [one.replace("PROJECT", root) for one in case.get("problems", [])]
    assert (done.agent is not None) is ("prompt" in case)
    if done.agent is not None:
        written = render(done.agent, "claude").split("---\n", 2)[2]
        assert written.removeprefix("\n") == case["prompt"]
        assert done.agent.description == case.get("description", "d")


def test_load_takes_parts_and_values(tmp_path: Path) -> None:
    definition = project(
        tmp_path, {"file": "description: d\nsections: [{from: a.md}]\n", "parts": {"a.md": "{{var:x}}"}}
    )
    assert load(definition, variables={"x": "y"}).markdown == "y\n"
    with pytest.raises(InvalidAgent, match=r"a\.md:1:1: error: \{\{var:x\}\} has no value"):
        load(definition)


def test_without_its_directory_a_definition_takes_no_files() -> None:
    done = read(b"description: d\nsections: [{from: a.md}]\n", "x.yaml")
    assert [one.text for one in done.problems] == [
        '"a.md" cannot be taken in here: the definition was read without its directory'
    ]


def test_a_definition_outside_of_a_project_takes_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("beside")
    (tmp_path / "x.yaml").write_text("description: d\nsections: [{from: a.md}]\n")
    assert load(tmp_path / "x.yaml").markdown == "beside\n"


def test_there_is_an_end_to_parts(tmp_path: Path) -> None:
    for number in range(MOST_PARTS + 1):
        (tmp_path / f"{number}.md").write_text("x")
    listed = ", ".join(f"{{from: {number}.md}}" for number in range(MOST_PARTS + 1))
    (tmp_path / "x.yaml").write_text(f"description: d\nsections: [{listed}]\n")
    with pytest.raises(InvalidAgent, match=f"{MOST_PARTS}.md. is one file too many"):
        load(tmp_path / "x.yaml")


def test_each_platform_may_have_its_style() -> None:
    agent = AgentDefinition(name="a", description="d", sections=[Section("Role", "x")], section_style={"claude": "xml"})
    assert "<role>\nx\n</role>\n" in render(agent, "claude")
    assert "## Role\n\nx\n" in render(agent, "gemini")
    assert agent.style_on("claude") is Style.XML


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"section_style": "html"}, "are written as markdown, xml"),
        ({"section_style": {"cursor": "xml"}}, "cursor"),
        ({"sections": [Section("", "x", (Section("a"),))]}, "in a section that has no title"),
        ({"sections": [Section("a", "x", cast(Any, "b"))]}, "are a list of Section"),
    ],
)
def test_what_no_definition_may_be(given: dict[str, Any], said: str) -> None:
    with pytest.raises((InvalidAgent, TypeError), match=said):
        AgentDefinition(name="a", description="d", **given)


@given(st.text(st.sampled_from("{}:\\ varto lSh\n"), max_size=40), st.text(max_size=20))
def test_a_value_is_never_more_than_text(value: str, text: str) -> None:
    for platform in Platform:
        assert fill(put_in("{{var:x}}", {"x": value}), platform) == value
    assert put_in(text, {}) == text


@given(st.text(st.sampled_from("# a\n`-"), max_size=40))
def test_a_prompt_in_sections_has_the_same_sections(markdown: str) -> None:
    agent = AgentDefinition(name="a", description="d", prompt=markdown)
    assert split(agent.markdown) == agent.sections

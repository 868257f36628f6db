"""Files -> agent definitions: what is read, and what people are told."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.definitions.agents.definition import AgentDefinition
from rulez_py.definitions.agents.format import FILE, json_schema
from rulez_py.definitions.agents.reading import read
from rulez_py.definitions.base.prompt import Section
from rulez_py.definitions.base.tool import AnyTool, CustomTool, Platform, Tool, spelled
from rulez_py.definitions.output.yamltext import value
from rulez_py.platforms.agent_files import LARGEST_FILE
from tests.definitions.agents.made import agents

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).parent / "problems.yaml")


def agent_of(text: str, path: str = "agents/x.yaml") -> AgentDefinition:
    done = read(text.encode(), path)
    assert done.agent is not None, done.problems
    return done.agent


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_what_people_are_told(case: dict[str, Any]) -> None:
    done = read(case["file"].encode(), case.get("name", "agents/x.yaml"))
    said = [
        f"{one.line}:{one.column}: {'warning: ' if one.severity == 'warning' else ''}{one.text}"
        for one in done.problems
    ]
    assert said == case["problems"]
    assert (done.agent is not None) is case.get("agent", False)


def test_all_that_a_definition_can_say() -> None:
    agent = agent_of(
        """
        name: dba
        description: Looks after the database.
        model: {claude: sonnet, opencode: anthropic/x}
        temperature: 0.5
        maxTokens: 100
        tools: [Read, Custom:mcp_db, Todo]
        disallowedTools: Write
        platforms: {opencode: {mode: subagent}}
        tags: [db, {deep: [1]}]
        mode: all
        sections: [{title: Role, text: "You are a dba."}, {text: "Be short."}]
        """
    )
    assert agent == AgentDefinition(
        name="dba",
        description="Looks after the database.",
        model={Platform.Claude: "sonnet", Platform.OpenCode: "anthropic/x"},
        temperature=0.5,
        max_tokens=100,
        tools=(Tool.Read, CustomTool("mcp_db"), Tool.TodoWrite, Tool.TodoRead),
        disallowed_tools=(Tool.Write,),
        platforms={Platform.OpenCode: {"mode": "subagent"}},
        front_matter={"tags": ("db", {"deep": (1,)}), "mode": "all"},
        sections=(Section("Role", "You are a dba."), Section("", "Be short.")),
    )


def test_markdown_says_the_same_with_its_text_as_prompt() -> None:
    markdown = "---\ndescription: d\ntools: [Read]\n---\n\nYou look.\n\n## How\n\nWell.\n"
    yaml = "name: x\ndescription: d\ntools: [Read]\nprompt: |\n  You look.\n\n  ## How\n\n  Well.\n"
    assert agent_of(markdown, "x.md") == agent_of(yaml)
    assert agent_of(yaml).sections == (Section("", "You look."), Section("How", "Well."))


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_byte_order_mark_and_line_ends_make_no_difference(mark: str, end: str) -> None:
    text = mark + end.join(["---", "description: d", "---", "one", "", "## Two", "---", "three", ""])
    agent = agent_of(text, "x.md")
    assert agent.sections == (Section("", "one"), Section("Two", "---\nthree"))


@pytest.mark.parametrize(
    ("path", "name"), [("a/reviewer.yaml", "reviewer"), ("reviewer.agent.md", "reviewer"), ("b_2.yml", "b_2")]
)
def test_without_a_name_it_has_that_of_its_file(path: str, name: str) -> None:
    text = "---\ndescription: d\n---\n" if path.endswith(".md") else '{"description": "d"}'
    assert agent_of(text, path).name == name


@pytest.mark.parametrize(
    ("tools", "meaning"),
    [("", None), ("tools: []", ()), ("tools: Read", (Tool.Read,)), ("tools: [Read, Read]", (Tool.Read, Tool.Read))],
)
def test_no_tools_and_no_list_are_not_the_same(tools: str, meaning: tuple[AnyTool, ...] | None) -> None:
    assert agent_of(f"description: d\n{tools}\n").tools == meaning


def section_as_data(section: Section) -> dict[str, Any]:
    title = {"title": section.title} if section.title else {}
    inner = {"sections": [section_as_data(one) for one in section.sections]} if section.sections else {}
    return {"text": section.text, **title, **inner}


@given(agents)
def test_what_was_made_in_python_can_be_read_from_a_file(agent: AgentDefinition) -> None:
    written: dict[str, Any] = {
        "name": agent.name,
        "description": agent.description,
        "disallowedTools": [spelled(tool) for tool in agent.disallowed_tools],
        "sections": [section_as_data(one) for one in agent.sections],
    }
    if agent.tools is not None:
        written["tools"] = [spelled(tool) for tool in agent.tools]
    more = {"model": agent.model, "temperature": agent.temperature, "maxTokens": agent.max_tokens}
    written |= {key: value for key, value in more.items() if value is not None}
    assert agent_of(value(written)) == agent


@given(st.binary(max_size=200), st.sampled_from(["x.md", "x.yaml", "x.yml"]))
def test_no_bytes_raise(content: bytes, path: str) -> None:
    done = read(content, path)
    assert done.agent is not None or done.problems


@given(st.text(st.sampled_from("-\n: []{}#desc\"'tools&*|>"), max_size=80))
def test_no_text_raises(text: str) -> None:
    read(f"---\ndescription: {text}\n---\n{text}".encode(), "x.md")


@pytest.mark.parametrize("path", ["x.md", "x.yaml"])
def test_a_file_that_would_be_read_in_part_is_refused(path: str) -> None:
    done = read(b"#" * LARGEST_FILE + b"\ntools: [Read]\n", path)
    assert [str(one) for one in done.problems] == [f"{path}:1:1: the file has more than 10,000,000 bytes"]


def test_bytes_that_are_not_text_are_told_in_the_body_too() -> None:
    done = read(b"---\ndescription: d\n---\none\ntwo \xff\n", "x.md")
    assert [str(one) for one in done.problems] == ["x.md:5:1: byte 0xff is not UTF-8; save the file as UTF-8"]


# For editors.


def test_the_schema_knows_every_key() -> None:
    schema = json_schema()
    assert set(schema["properties"]) == set(FILE.fields)
    assert schema["required"] == ["description"]
    assert schema["additionalProperties"] is True


@pytest.mark.parametrize("word", ["Shell", "Custom:x", "Bash", "Todo"])
def test_the_schema_takes_the_words_for_tools(word: str) -> None:
    kinds = json_schema()["properties"]["disallowedTools"]["anyOf"][0]["anyOf"]
    assert word in kinds[0]["enum"] or re.search(kinds[1]["pattern"], word)

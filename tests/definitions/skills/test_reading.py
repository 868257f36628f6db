"""SKILL.md -> skills: what is read, and what people are told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.definitions.base.tool import CustomTool, Tool
from rulez_py.definitions.output.errors import WrongType
from rulez_py.definitions.skills import Skill, SkillFile, adopt, read, render
from rulez_py.definitions.skills.format import FILE, json_schema
from rulez_py.platforms.agent_files import LARGEST_FILE

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).parent / "problems.yaml")


def skill_of(text: str, directory: str = "skills/notes") -> Skill:
    done = read(text.encode(), directory)
    assert done.skill is not None, done.problems
    return done.skill


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_what_people_are_told(case: dict[str, Any]) -> None:
    files = [SkillFile(path, text.encode()) for path, text in case.get("beside", {}).items()]
    done = read(case["file"].encode(), case.get("directory", "skills/notes"), files)
    said = [
        f"{one.line}:{one.column}: {'warning: ' if one.severity == 'warning' else ''}{one.text}"
        for one in done.problems
    ]
    assert said == case["problems"]
    assert (done.skill is not None) is case.get("skill", False)


def test_all_that_a_skill_can_say() -> None:
    skill = skill_of(
        """---
name: notes
description: Writes notes.
tools: [Read, "Custom:mcp__db__query"]
expands: [commands, arguments]
platforms: {claude: {model: sonnet}, codex: {metadata: {short-description: x}}}
license: MIT
---

# Notes

With {{tool:Shell}}.

"""
    )
    assert skill == Skill(
        name="notes",
        description="Writes notes.",
        tools=[Tool.Read, CustomTool("mcp__db__query")],
        expands=["arguments", "commands"],
        platforms={"claude": {"model": "sonnet"}, "codex": {"metadata": {"short-description": "x"}}},
        front_matter={"license": "MIT"},
        text="# Notes\n\nWith {{tool:Shell}}.\n",
    )


def test_variables_are_put_in_and_nothing_in_them_is_a_placeholder() -> None:
    head = b"description: For {{var:team}}.\nvars: {team: core, how: '{{tool:Shell}}'}"
    done = read(b"---\n" + head + b"\n---\n{{var:how}} {{var:team}}\n", "notes", variables={"team": "web"})
    assert done.skill is not None, done.problems
    assert done.skill.description == "For web."
    assert done.skill.text == "\\{{tool:Shell}} web\n"


def test_a_variable_without_a_value_is_told_where_it_stands() -> None:
    done = read(b"---\ndescription: x\nvars: {team: core}\n---\nFor {{var:taem}}.\n", "notes")
    assert [(one.line, one.column, one.text) for one in done.problems] == [
        (5, 5, '{{var:taem}} has no value; did you mean "team"?')
    ]


@pytest.mark.parametrize("directory", ["skills/notes", "skills/notes/", "notes", "/x/notes", "C:\\x\\notes"])
def test_without_a_name_it_has_its_directory_s(directory: str) -> None:
    assert skill_of("---\ndescription: x\n---\n", directory).name == "notes"


@pytest.mark.parametrize("start", [b"\xef\xbb\xbf", b""])
def test_line_ends_and_a_mark_at_the_beginning_do_not_matter(start: bytes) -> None:
    done = read(start + b"---\r\ndescription: x\r\n---\r\n\r\nOne.\r\nTwo.\r\n", "notes")
    assert done.skill is not None
    assert done.skill.text == "One.\nTwo.\n"


def test_what_is_no_utf_8_is_told_with_its_line() -> None:
    (told,) = read(b"---\ndescription: x\n---\nOne.\n\xff\n", "notes").problems
    assert (told.line, told.text) == (5, "byte 0xff is not UTF-8; save the file as UTF-8")


def test_a_file_that_is_too_large_is_not_read() -> None:
    (told,) = read(b"---\n" + b"x" * LARGEST_FILE, "notes").problems
    assert "more than 10,000,000 bytes" in told.text


def test_only_bytes_are_read() -> None:
    with pytest.raises(WrongType):
        read("---\n", "notes")  # type: ignore[arg-type]


def test_the_schema_has_every_key_and_lets_others_be() -> None:
    schema = json_schema()
    assert list(schema["properties"]) == list(FILE.fields)
    assert schema["additionalProperties"] is True


@given(st.binary(max_size=200))
def test_no_bytes_break_it(content: bytes) -> None:
    done = read(content, "skills/notes")
    assert (done.skill is None) == any(one.severity == "error" for one in done.problems)


@given(st.text(max_size=200))
def test_no_text_below_the_front_matter_breaks_it(text: str) -> None:
    done = read(b"---\ndescription: x\n---\n" + text.encode("utf-8", "replace"), "skills/notes")
    assert (done.skill is None) == any(one.severity == "error" for one in done.problems)


@pytest.mark.parametrize("word", ["\\\\", "$ARGUMENTS ", " !`a`", "$1", "(a", "!`", "<", "{{tool:Shell}}"])
def test_a_long_text_takes_no_longer_than_it_must(word: str) -> None:
    text = word * (300_000 // len(word))
    done = read(f"---\ndescription: x\nallowed-tools: {json.dumps(text[:9000])}\n---\n{text}".encode(), "notes")
    if done.skill is not None:
        for platform in ("claude", "codex"):
            render(done.skill, platform)
    adopt(f"---\ndescription: x\nallowed-tools: {json.dumps(text[:9000])}\n---\n{text}".encode(), "notes", "claude")

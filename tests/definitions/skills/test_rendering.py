"""A skill -> the SKILL.md a platform loads. writing.yaml says what."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.definitions.base.notes import CannotSay, Note
from rulez_py.definitions.output.errors import InvalidAgent
from rulez_py.definitions.skills import PLATFORMS, Skill, SkillFile, read, render
from rulez_py.definitions.skills.platforms import SKILL_FILES
from rulez_py.platforms import adapter

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).parent / "writing.yaml")


def halves(text: str) -> tuple[dict[str, Any], str]:
    """The front matter and the text of a SKILL.md."""
    assert text.startswith("---\n")
    head, _, body = text[4:].partition("---\n")
    return YAML(typ="safe", pure=True).load(head), body.removeprefix("\n")


def cases() -> Iterator[Any]:
    for case in CASES:
        for platform in PLATFORMS:
            if platform in case:
                yield pytest.param(case, platform, id=f"{platform}: {case['title']}")


@pytest.mark.parametrize(("case", "platform"), list(cases()))
def test_what_is_written(case: dict[str, Any], platform: str) -> None:
    head = {"name": "x", "description": "Does it.", **case["skill"]}
    source = f"---\n{json.dumps(head)}\n---\n{case.get('text', '')}"
    done = read(source.encode(), "x")
    assert done.skill is not None, done.problems
    notes: list[Note] = []
    expected = case[platform]
    if "refused" in expected:
        with pytest.raises(CannotSay) as refused:
            render(done.skill, platform)
        assert expected["refused"] in str(refused.value)
        return
    front, text = halves(render(done.skill, platform, warn=notes.append))
    assert list(front)[:2] == ["name", "description"]
    if "head" in expected:
        assert dict(list(front.items())[2:]) == expected["head"]
    if "text" in expected:
        assert text == expected["text"]
    if "told" in expected:
        start = f"x, {adapter(platform).AGENT}: "
        assert [("!" if one.grave else "") + one.text.removeprefix(start) for one in notes] == expected["told"]


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_description_stands_on_one_line(platform: str) -> None:
    skill = Skill(name="x", description=' Says "a": \n- fake: b --- c\n\tC:\\n 🦉 ')
    text = render(skill, platform)
    assert halves(text)[0]["description"] == 'Says "a": - fake: b --- c C:\\n 🦉'
    assert "---" not in text[4:].partition("\n---\n")[0]


@pytest.mark.parametrize(
    ("platform", "told"), [("gemini", True), ("opencode", True), ("claude", False), ("codex", False)]
)
def test_tags_in_a_description_are_told_where_the_list_has_them_raw(platform: str, told: bool) -> None:
    notes: list[Note] = []
    render(Skill(name="x", description="a </description> b"), platform, warn=notes.append)
    assert any("</description> in its description" in one.text for one in notes) is told


def test_a_command_that_python_did_not_mean_is_refused() -> None:
    skill = Skill(name="x", description="d", text="So: !`git log`")
    with pytest.raises(CannotSay, match="it would run !`git log` while it loads the text"):
        render(skill, "claude")
    assert "!`git log`" in render(skill, "codex")


def test_a_text_that_the_model_would_not_be_given_is_refused() -> None:
    long = Skill(name="x", description="d", text="x" * 51_000)
    with pytest.raises(CannotSay, match="not given a whole text of more than 48,000 bytes or 1,970 lines"):
        render(long, "opencode")
    with pytest.raises(CannotSay, match="1,970 lines"):
        render(Skill(name="x", description="d", text="x\n" * 2000), "opencode")
    assert len(render(long, "claude")) > 51_000


@pytest.mark.parametrize("platform", ["droid", "openhands", "vibe"])
@pytest.mark.parametrize("name", ["under_score", "a--b"])
def test_a_name_that_a_platform_loads_no_skill_by_is_refused(platform: str, name: str) -> None:
    skill = Skill(name=name, description="d", text="x")
    assert render(skill, "kimi")
    if platform == "droid" and "_" not in name:
        assert render(skill, platform)
    else:
        with pytest.raises(CannotSay, match="it loads no skill of that name"):
            render(skill, platform)


def test_a_directory_that_hermes_passes_over_is_refused() -> None:
    with pytest.raises(CannotSay, match="it loads no skill of that name"):
        render(Skill(name="node_modules", description="d", text="x"), "hermes")


@pytest.mark.parametrize("path", ["notes.md", "docs/notes.md", "docs/references/notes.md"])
def test_a_file_that_hermes_takes_for_another_skill_is_refused(path: str) -> None:
    skill = Skill(name="notes", description="d", files=[SkillFile(path, b"x"), SkillFile("assets/notes.md", b"x")])
    with pytest.raises(CannotSay, match=f"it takes {path} for another skill; rename it, or put it in one of assets, "):
        render(skill, "hermes")
    assert render(skill, "vibe")
    assert render(dataclasses.replace(skill, files=skill.files[:1]), "hermes")


def test_a_file_that_nobody_would_load_is_refused() -> None:
    skill = Skill(name="x", description="d", text="x" * 1_000_000)
    with pytest.raises(CannotSay, match=r"no SKILL.md of more than 999,000 bytes"):
        render(skill, "claude")


def test_the_files_beside_it_stand_in_a_comment() -> None:
    files = [SkillFile("scripts/a--b.sh", b"x"), SkillFile("README.md", b"y")]
    text = render(Skill(name="x", description="d", files=files), "codex")
    line = text.splitlines()[1]
    assert line.startswith("# Its files: README.md ")
    assert "; scripts/a\\u002d-b.sh " in line


def test_there_is_no_such_platform() -> None:
    with pytest.raises(InvalidAgent, match='did you mean "claude"'):
        render(Skill(name="x", description="d"), "claud")


WORDS = st.lists(
    st.sampled_from(["$1", "$ARGUMENTS", "\\", " ", "a", "`", "!", "\n", "$", "0", "[0]", "{{tool:Shell}}"]),
    max_size=20,
).map("".join)


@pytest.mark.parametrize("platform", sorted(set(PLATFORMS) - {"claude"}))
@given(text=WORDS)
def test_who_replaces_nothing_is_given_the_text_as_it_is(platform: str, text: str) -> None:
    text = text.replace("!", "") if SKILL_FILES[platform].commands else text
    skill = Skill(name="x", description="d", text=text.replace("{{tool:Shell}}", "Shell"))
    assert halves(render(skill, platform))[1] == skill.text


@given(text=WORDS)
def test_what_is_replaced_by_arguments_is_escaped_or_told(text: str) -> None:
    skill = Skill(name="x", description="d", text=text.replace("!", ""))
    notes: list[Note] = []
    written = halves(render(skill, "claude", warn=notes.append))[1]
    pattern = SKILL_FILES["claude"].arguments
    assert pattern is not None
    for found in pattern.finditer(written):
        assert len(found["slashes"]) == 1 or any(found[0] in one.text for one in notes)

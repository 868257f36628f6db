"""Skills that a platform has already, as skills of ours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.definitions.base.notes import CannotSay
from rulez_py.definitions.base.tool import CustomTool, Tool
from rulez_py.definitions.output.errors import InvalidAgent
from rulez_py.definitions.skills import PLATFORMS, Skill, SkillFile, adopt, read, render, source
from rulez_py.documents.diagnostics import errors

CLAUDE = b"""---
name: look
description: Looks.
allowed-tools: Bash(git log:*), Read, Bash
context: fork
license: MIT
---

Look: !`git log`, $ARGUMENTS, \\$5.
"""


def adopted(content: bytes, platform: str = "claude", directory: str = ".claude/skills/look") -> Skill:
    done = adopt(content, directory, platform)
    assert done.skill is not None, done.problems
    return done.skill


def test_what_claude_code_knows_is_said_in_universal_terms_or_kept() -> None:
    assert adopted(CLAUDE) == Skill(
        name="look",
        description="Looks.",
        tools=[CustomTool("Bash(git log:*)"), Tool.Read, Tool.Shell],
        expands=["arguments", "commands"],
        front_matter={"context": "fork", "license": "MIT"},
        text="Look: !`git log`, $ARGUMENTS, \\$5.\n",
    )


def test_what_it_would_not_replace_is_plain_text() -> None:
    skill = adopted(b"---\ndescription: x\n---\nIt costs \\$5 and \\$ARGUMENTS.\n")
    assert (skill.text, skill.expands) == ("It costs $5 and $ARGUMENTS.\n", ())


def test_for_another_platform_it_is_text_as_well() -> None:
    skill = adopted(b"---\nname: look\ndescription: x\nallowed-tools: Bash\n---\n$5 !`date` \\$5\n", "codex")
    assert (skill.text, skill.expands, skill.tools) == ("$5 !`date` \\$5\n", (), None)


def test_nothing_in_it_is_a_placeholder_of_ours() -> None:
    skill = adopted(b"---\ndescription: x\n---\n{{tool:Shell}} {{var:x}}\n")
    assert "{{tool:Shell}} {{var:x}}" in render(skill, "claude")
    again = read(source(skill).encode(), "look")
    assert again.skill == skill, again.problems


def test_a_key_of_ours_does_nothing_there() -> None:
    done = adopt(b"---\ndescription: x\ntools: Bash\n---\n", "look", "claude")
    assert [one.text for one in done.problems] == ['"tools" does nothing with Claude Code, so it is left out']
    assert done.skill is not None and done.skill.tools is None


def test_tools_that_cannot_be_said_are_kept_for_it() -> None:
    skill = adopted(b'---\ndescription: x\nallowed-tools: ["a,b"]\n---\n')
    assert skill.tools is None
    assert skill.front_matter == {"allowed-tools": ("a,b",)}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"# x\n", "there is no front matter"),
        (b"---\nname: Look At\ndescription: x\n---\n", 'the name "Look At" must be made of'),
        (b"---\nname: 3\ndescription: x\n---\n", 'the name "3" is no text'),
        (b"---\nname: x\n---\n", "its description is empty"),
        (b"---\ndescription: [a]\n---\n", "its description is no text"),
        (b"---\n- a\n---\n", "the front matter of a skill is a map"),
    ],
)
def test_what_cannot_be_a_skill_of_ours_is_told(content: bytes, said: str) -> None:
    done = adopt(content, "look", "claude")
    assert done.skill is None
    assert any(one.text.startswith(said) for one in done.problems), done.problems


def test_there_is_no_such_platform() -> None:
    with pytest.raises(InvalidAgent):
        adopt(CLAUDE, "look", "cursor")


def test_values_of_hermes_are_what_it_expands() -> None:
    done = adopt(b"---\ndescription: x\n---\nRun ${HERMES_SKILL_DIR}/x.\n", "look", "hermes")
    assert done.skill is not None
    assert done.skill.expands == ("arguments",)


TEXTS = st.lists(
    st.sampled_from(
        [
            *("$1", "$ARGUMENTS", "\\", " ", "a", "`", "!", "\n", "$", "${CLAUDE_SKILL_DIR}", "{{tool:Shell}}"),
            *("${HERMES_SESSION_ID}", "{{var:x}}", "!`date`", "\\{{tool:Read}}"),
        ]
    ),
    max_size=12,
).map("".join)


@pytest.mark.parametrize("platform", PLATFORMS)
@given(
    text=TEXTS,
    tools=st.none() | st.lists(st.sampled_from([Tool.Read, Tool.Shell, CustomTool("x")]), max_size=3),
    expands=st.sampled_from([(), ("arguments",), ("commands",), ("arguments", "commands")]),
    more=st.dictionaries(st.sampled_from(["license", "metadata", "context", "owner"]), st.just({"a": "b"})),
)
def test_written_adopted_and_written_it_is_the_same(
    platform: str, text: str, tools: list[Tool] | None, expands: tuple[str, ...], more: dict[str, object]
) -> None:
    skill = Skill(
        name="look",
        description="Looks.",
        text=text,
        tools=tools,
        expands=expands,  # type: ignore[arg-type]
        front_matter=more,
        files=[SkillFile("a.txt", b"x")],
    )
    try:
        written = render(skill, platform)
    except CannotSay:
        return
    done = adopt(written.encode(), "look", platform, skill.files)
    assert done.skill is not None, done.problems
    assert render(done.skill, platform) == written
    again = read(source(done.skill).encode(), "look", skill.files)
    if again.skill is None:  # Somebody has to say whether that is meant.
        assert all("is run by Claude Code while it loads the skill" in one.text for one in errors(again.problems))
    else:
        assert again.skill == done.skill

"""A skill is a value, and one that no platform or disk would take is refused."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from rulez_py.definitions.base.tool import Tool
from rulez_py.definitions.output.errors import AgentError, InvalidAgent, WrongType
from rulez_py.definitions.skills import Skill, SkillFile
from rulez_py.definitions.skills.definition import MOST_FILES

SKILL = Skill(
    name="notes",
    description="Writes notes.",
    tools=[Tool.Read],
    expands=["arguments"],
    front_matter={"metadata": {"a": [1, 2]}},
    platforms={"claude": {"model": "sonnet"}},
    text="Text.\n",
    files=[SkillFile("a.sh", b"x", executable=True)],
)


def test_it_is_a_value() -> None:
    for other in (copy.deepcopy(SKILL), pickle.loads(pickle.dumps(SKILL))):
        assert other == SKILL
        assert hash(other) == hash(SKILL)


HOSTILE_NAMES = (
    *("", ".", "..", "../x", "a/b", "a\\b", "A", "Notes", "a b", "-a", "a-", "_", "žluť", "a\u202eb", "a\0b", "a\n"),
    *("con", "nul", "com1", "x" * 65, "SKILL.md", "a.b", "~", "$HOME", "{{x}}", "<b>", "a:b", "*"),
)


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_name_that_is_no_directory_s_is_refused(name: str) -> None:
    with pytest.raises(InvalidAgent):
        Skill(name=name, description="d")


HOSTILE_PATHS = (
    *("", "/", "/etc/x", "..", "../x", "a/../b", "a//b", "./a", "a/", "a\\b", "C:/x", "con", "a/nul.txt", "com1.sh"),
    *("a\0", "a\nb", "žluť", "a\u202eb.md", "a ", "a.", " a", "a:b", "a*", "a?", 'a"', "a<b", "a|b", "a;b", "x" * 101),
    *("SKILL.md", "skill.md", "b/SKILL.md", "b/Skill.MD", "/".join("abcdefghi"), "a,b"),
)


@pytest.mark.parametrize("path", HOSTILE_PATHS)
def test_a_path_that_could_not_be_written_everywhere_is_refused(path: str) -> None:
    with pytest.raises(InvalidAgent):
        SkillFile(path, b"")


@pytest.mark.parametrize("path", ["a", "README.md", "a b/c-d_e+f@g (1).txt", ".gitignore", "a/b/c/d/e/f/g/h", "a--b"])
def test_other_paths_are_taken(path: str) -> None:
    assert SkillFile(path, b"").path == path


WRONG: dict[str, dict[str, Any]] = {
    "a description without text": {"description": " \n"},
    "a description that Copilot would not load": {"description": "x" * 1025},
    "one that is too long in the units it counts": {"description": "🦉" * 513},
    "half of a surrogate pair": {"description": "\ud83e"},
    "half of one in the text": {"text": "\ud83e"},
    "a placeholder that names no tool": {"text": "{{tool:Shel}}"},
    "something else that is put into a text": {"expands": ["files"]},
    "a platform that there is none of": {"platforms": {"cursor": {}}},
    "one of our keys in the front matter": {"front_matter": {"Tools": ["Read"]}},
    "one of our keys for one platform": {"platforms": {"claude": {"description": "x"}}},
    "two files that are one on some disks": {"files": [SkillFile("a", b""), SkillFile("A", b"")]},
    "a file twice": {"files": [SkillFile("a", b""), SkillFile("a", b"x")]},
    "a file that is a directory as well": {"files": [SkillFile("a", b""), SkillFile("a/b", b"")]},
    "more files than anybody reads": {"files": [SkillFile(f"f{n}", b"") for n in range(MOST_FILES + 1)]},
    "no text": {"description": None},
    "tools that are no list": {"tools": "Read"},
    "tools that are none": {"tools": ["Read"]},
    "front matter that is no map": {"front_matter": ["a"]},
    "front matter of one platform that is no map": {"platforms": {"claude": "x"}},
    "front matter that no file holds": {"front_matter": {"a": object()}},
    "files that are none": {"files": ["a"]},
    "what it expands as text": {"expands": "commands"},
}


@pytest.mark.parametrize("given", WRONG.values(), ids=WRONG)
def test_what_it_cannot_be(given: dict[str, Any]) -> None:
    with pytest.raises(AgentError) as refused:
        Skill(**{"name": "x", "description": "d", **given})
    assert isinstance(refused.value, ValueError | TypeError)


def test_a_description_may_have_what_copilot_loads() -> None:
    assert Skill(name="x", description="ž" * 1024 + "\n").description
    assert Skill(name="x", description="🦉" * 512).description


def test_a_file_is_a_path_and_bytes() -> None:
    with pytest.raises(WrongType):
        SkillFile("a", "text")  # type: ignore[arg-type]

"""docs/skills.md says what becomes of skills: its examples are tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulez_py.definitions.base.tool import Tool
from rulez_py.definitions.skills import PLATFORMS, adopt, read
from rulez_py.definitions.skills.definition import DEEPEST, LARGEST_SKILL, LONGEST_DESCRIPTION, MOST_FILES
from rulez_py.definitions.skills.format import FILE
from rulez_py.definitions.skills.platforms import SKILL_FILES
from rulez_py.documents.diagnostics import errors
from rulez_py.platforms import adapter

PAGE = (Path(__file__).parents[3] / "docs" / "skills.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return [part.split("\n```\n", 1)[0] + "\n" for part in PAGE.split(f"\n```{language}\n")[1:]]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


def test_the_first_example(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, written = blocks("markdown")
    directory = place / "skills" / "release-notes"
    (directory / "scripts").mkdir(parents=True)
    (directory / "SKILL.md").write_text(source)
    (directory / "scripts" / "log.sh").write_text("#!/bin/sh\ngit log\n")
    (directory / "scripts" / "log.sh").chmod(0o755)
    exec(blocks("python")[0], {})
    said = capsys.readouterr().out
    assert all(line in said.splitlines() for line in blocks("text")[0].splitlines())
    assert (place / ".claude/skills/release-notes/SKILL.md").read_text() == written
    assert (place / ".codex/skills/release-notes/scripts/log.sh").stat().st_mode & 0o100


@pytest.mark.parametrize("example", blocks("python")[1:])
def test_the_examples_in_python(place: Path, example: str) -> None:
    theirs = place / ".claude" / "skills" / "look" / "SKILL.md"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("---\nname: look\ndescription: Looks.\nallowed-tools: Bash, Read\n---\nIt costs \\$5.\n")
    exec(example, {})


def test_what_becomes_of_claude_code_s_own_keys() -> None:
    done = adopt(b"---\ndescription: x\nallowed-tools: Bash, Read\n---\n\\$5\n", "look", "claude")
    assert done.skill is not None
    assert (done.skill.tools, done.skill.text) == ((Tool.Shell, Tool.Read), "$5\n")


def rows() -> list[tuple[str, str]]:
    table = PAGE.split("| key | example |", 1)[1].split("\n\n", 1)[0]
    cells = [line.split("|") for line in table.splitlines() if line.startswith("| `")]
    return [(row[1].strip(" `"), row[2].strip().strip("`")) for row in cells]


def test_the_page_has_every_key() -> None:
    assert [key for key, _ in rows()] == list(FILE.fields)


@pytest.mark.parametrize(("key", "example"), rows())
def test_its_examples_are_right(key: str, example: str) -> None:
    more = "" if key == "description" else "description: d\n"
    done = read(f"---\n{more}{example}\n---\n".encode(), "release-notes")
    assert not errors(done.problems), done.problems
    assert example.startswith(f"{key}: ")


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_page_says_where_they_stand(platform: str) -> None:
    files = SKILL_FILES[platform]
    directory = f"`{files.directory}`" if files.directory else "none"
    assert f"| {adapter(platform).AGENT} | {directory} | `~/{files.user_directory}` |" in PAGE


def test_the_numbers_are_right() -> None:
    assert f"at most {LONGEST_DESCRIPTION:,} characters" in PAGE
    assert f"At most {MOST_FILES} files, {LARGEST_SKILL // 1_000_000} MB, eight directories deep" in PAGE
    assert DEEPEST == 8

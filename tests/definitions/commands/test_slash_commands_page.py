"""docs/slash-commands.md and docs/instructions.md say what becomes of them: their examples are tried."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulez_py.cli import cli
from rulez_py.definitions.commands import read
from rulez_py.definitions.commands.format import FILE

DOCS = Path(__file__).parents[3] / "docs"
COMMANDS, INSTRUCTIONS = "slash-commands.md", "instructions.md"


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return [part.split("\n```\n", 1)[0] + "\n" for part in text.split(f"\n```{language}\n")[1:]]


def rows() -> list[tuple[str, str]]:
    """(key, example) of the table of keys."""
    return re.findall(r"^\| `(\w+)` \| `(.+?)` \| ", (DOCS / COMMANDS).read_text(encoding="utf-8"), re.M)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.mark.parametrize(
    ("page", "source", "written"),
    [
        (COMMANDS, "commands/fix.md", ".claude/commands/fix.md"),
        (INSTRUCTIONS, "instructions/main.md", "AGENTS.md"),
    ],
)
def test_the_example_becomes_the_file_that_is_shown(place: Path, page: str, source: str, written: str) -> None:
    first, second = blocks(page, "markdown")
    (place / source).parent.mkdir()
    (place / source).write_text(first)
    (place / "rulez.agents.yaml").write_text(blocks(page, "yaml")[0])
    assert CliRunner().invoke(cli, ["agents", "write"]).exit_code == 0
    assert (place / written).read_text() == second


@pytest.mark.parametrize("page", [COMMANDS, INSTRUCTIONS])
def test_the_python_of_the_page_runs(place: Path, page: str, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "instructions").mkdir()
    (place / "instructions/main.md").write_text("Run the tests.\n")
    for example in blocks(page, "python"):
        exec(example, {})
    assert ("AGENTS.md True" in capsys.readouterr().out) is (page == INSTRUCTIONS)


def test_the_page_has_every_key() -> None:
    assert [key for key, _ in rows()] == list(FILE.fields)


@pytest.mark.parametrize(("key", "example"), rows())
def test_its_examples_are_right(key: str, example: str) -> None:
    more = "" if key == "description" else "description: d\n"
    done = read(f"---\n{more}{example}\n---\nx\n".encode(), "fix.md")
    assert done.command is not None, done.problems

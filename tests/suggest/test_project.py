"""Looking at a project reads few names and fewer files, and no link leads it away."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from rulez_py.suggest import project
from rulez_py.suggest.project import look

HOME = "/home/none"


def put(root: Path, path: str, text: str = "") -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def test_the_nearest_files_come_first(tmp_path: Path) -> None:
    for path in (
        "b/c/x.tf",
        "z.tf",
        "b/y.tf",
        "a/w.tf",
        ".github/workflows/ci.yml",
        "1/2/3/4/near.tf",
        "1/2/3/4/5/far.tf",
    ):
        put(tmp_path, path)
    assert list(look(str(tmp_path), HOME)) == [
        *("z.tf", "a/w.tf", "b/y.tf", ".github/workflows/ci.yml", "b/c/x.tf", "1/2/3/4/near.tf"),
    ]


@pytest.mark.parametrize(
    "directory",
    ["node_modules/a", "vendor", "Vendor/x", ".git", ".venv/lib", "target/debug", "tests/fixtures", ".terraform"],
)
def test_what_others_wrote_or_tools_made_is_passed_over(tmp_path: Path, directory: str) -> None:
    put(tmp_path, f"{directory}/main.tf")
    assert look(str(tmp_path), HOME) == {}


def test_only_what_names_do_not_say_is_read(tmp_path: Path) -> None:
    put(tmp_path, "package.json", "{}")
    put(tmp_path, "Dockerfile", "FROM x")
    put(tmp_path, ".env", "TOKEN=x")
    put(tmp_path, "notes.md", "x")
    assert look(str(tmp_path), HOME) == {".env": "", "Dockerfile": "", "notes.md": "", "package.json": "{}"}


def test_it_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        put(tmp_path, f"many/{number:02}.tf", "x" * 100)
        put(tmp_path, f"other{number:02}/one.tf", "x" * 100)
    monkeypatch.setattr(project, "MOST_IN_ONE", 40)
    monkeypatch.setattr(project, "MOST_ENTRIES", 31 + 30 + 9)
    monkeypatch.setattr(project, "MOST_READ", 5)
    monkeypatch.setattr(project, "MOST_BYTES", 10)
    found = look(str(tmp_path), HOME)
    assert (len(found), sorted({len(text) for text in found.values()})) == (39, [0, 10])
    assert sum(map(bool, found.values())) == 5


@pytest.mark.skipif(sys.platform == "win32", reason="links want rights there")
def test_no_link_is_followed(tmp_path: Path) -> None:
    put(tmp_path, "elsewhere/main.tf", 'provider "aws" {}')
    root = tmp_path / "root"
    root.mkdir()
    (root / "infra").symlink_to(tmp_path / "elsewhere")
    (root / "main.tf").symlink_to(tmp_path / "elsewhere/main.tf")
    os.mkfifo(root / "pipe.tf")
    assert look(str(root), HOME) == {}


@pytest.mark.parametrize("home", ["", "me", "me/deep"])
def test_the_home_and_what_is_above_it_are_no_project(tmp_path: Path, home: str) -> None:
    put(tmp_path, "main.tf")
    assert look(str(tmp_path), str(tmp_path / home)) == {}


def test_a_directory_that_is_not_there_says_nothing(tmp_path: Path) -> None:
    assert look(str(tmp_path / "gone"), HOME) == {}

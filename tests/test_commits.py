"""Whether a file is as the last commit has it is asked of git, which runs nothing of the repository's for that."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from rulez_py.system.git.commits import is_committed

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/x.sh").write_bytes(b"true\n")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b.example", *words],
            cwd=tmp_path,
            check=True,
            env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        )
    return tmp_path


def test_a_file_as_the_commit_has_it(repository: Path) -> None:
    path = str(repository / "a/x.sh")
    assert is_committed(path, b"true\n")
    assert not is_committed(path, b"false\n")


def test_a_file_that_is_only_added_is_not_committed(repository: Path) -> None:
    (repository / "new.sh").write_bytes(b"true\n")
    subprocess.run(["git", "add", "."], cwd=repository, check=True)
    assert not is_committed(str(repository / "new.sh"), b"true\n")


@pytest.mark.parametrize("name", ["--help", "x.sh:y", "a b", "*"])
def test_any_name_is_a_name(repository: Path, name: str) -> None:
    assert not is_committed(str(repository / "a" / name), b"true\n")


def test_nothing_is_committed_outside_of_a_repository(tmp_path: Path) -> None:
    assert not is_committed(str(tmp_path / "x.sh"), b"true\n")


def test_the_environment_of_the_agent_says_nothing(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert is_committed(str(repository / "a/x.sh"), b"true\n")

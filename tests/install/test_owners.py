"""Who can change the program that the machine's hooks call: every owner and mode on the way to it counts."""

from __future__ import annotations

import shlex
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulez_py.install import owners
from rulez_py.install.entries import program
from rulez_py.install.owners import Rights, why_changeable
from rulez_py.install.programs import why_not_for_all

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="users have no numbers there")
look = owners.look


class Disk:
    """Files as they are on the disk, but that all are root's and only root's to write, save those that are `set`."""

    def __init__(self) -> None:
        self._set: dict[str, dict[str, int]] = {}

    def set(self, path: Path, *, uid: int = 0, gid: int = 0, more: int = 0) -> None:
        self._set[str(path)] = {"uid": uid, "gid": gid, "more": more}

    def look(self, path: str) -> Rights:
        there = look(path)
        own = self._set.get(path, {"uid": 0, "gid": 0, "more": 0})
        mode = there.mode & ~(stat.S_IWGRP | stat.S_IWOTH | stat.S_ISVTX) | own["more"]
        return Rights(mode, own["uid"], own["gid"], there.link)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    disk = Disk()
    monkeypatch.setattr(owners, "look", disk.look)
    return disk


@pytest.fixture
def opt(tmp_path: Path) -> Path:
    """Below it the two forms of rulez: a frozen program with its folder, and an environment of Python."""
    frozen = tmp_path / "opt" / "rulez"
    python = tmp_path / "opt" / "env"
    packages = python / "lib" / "python3.11" / "site-packages"
    for file in (
        frozen / "rulez",
        frozen / "_internal" / "lib.so",
        python / "pyvenv.cfg",
        packages / "rulez_py" / "hook" / "main.py",
        packages / "other.py",
        tmp_path / "source" / "rulez_py" / "main.py",
        tmp_path / "usr" / "bin" / "python3",
    ):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    (packages / "editable.pth").write_text(f"import x\n{tmp_path}/source\n")
    (python / "bin").mkdir()
    (python / "bin" / "python").symlink_to("../../../usr/bin/python3")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "rulez").symlink_to(frozen / "rulez")
    return tmp_path / "opt"


FROZEN, PYTHON, LINK = "opt/rulez/rulez", "opt/env/bin/python", "bin/rulez"
CHANGED = [
    pytest.param(called, path, id=f"{called}: {path}")
    for called, paths in {
        FROZEN: ("opt/rulez/rulez", "opt/rulez/_internal/lib.so", "opt/rulez/_internal", "opt/rulez", "opt", "."),
        PYTHON: (
            "opt/env/bin/python",
            "opt/env/bin",
            "usr/bin/python3",
            "usr",
            "opt/env/pyvenv.cfg",
            "opt/env/lib/python3.11/site-packages/rulez_py/hook/main.py",
            "opt/env/lib/python3.11/site-packages/other.py",
            "opt/env/lib/python3.11/site-packages",
            "source/rulez_py/main.py",
        ),
        LINK: ("bin/rulez", "bin", "opt/rulez/rulez", "opt/rulez/_internal/lib.so"),
    }.items()
    for path in paths
]


def said(tmp_path: Path, called: str) -> str:
    return why_changeable(f"{shlex.quote(str(tmp_path / called))} -I -c 'x' hook --platform claude || exit 2")


@pytest.mark.parametrize("called", [FROZEN, PYTHON, LINK])
def test_what_only_root_can_write_is_good(disk: Disk, opt: Path, tmp_path: Path, called: str) -> None:
    assert said(tmp_path, called) == ""


@pytest.mark.parametrize(("called", "path"), CHANGED)
def test_each_part_and_each_directory_above_counts(
    disk: Disk, opt: Path, tmp_path: Path, called: str, path: str
) -> None:
    disk.set(tmp_path / path, uid=4_000_000)
    assert said(tmp_path, called) == f"{tmp_path / path} belongs to uid 4000000"


MODES: list[tuple[str, Callable[[Disk, Path], None], str]] = [
    ("everybody", lambda disk, path: disk.set(path, more=stat.S_IWOTH), "can be written by everybody"),
    ("a group", lambda disk, path: disk.set(path, more=stat.S_IWGRP, gid=4_000_000), "by the group gid 4000000"),
    ("root's group", lambda disk, path: disk.set(path, more=stat.S_IWGRP), ""),
]


@pytest.mark.parametrize(("name", "change", "expected"), MODES, ids=[name for name, _, _ in MODES])
@pytest.mark.parametrize("path", [FROZEN, "opt/rulez"])
def test_who_may_write_counts_as_who_owns(
    disk: Disk, opt: Path, tmp_path: Path, path: str, name: str, change: Callable[[Disk, Path], None], expected: str
) -> None:
    change(disk, tmp_path / path)
    why = said(tmp_path, FROZEN)
    assert (expected in why, bool(why)) == (True, bool(expected))


def test_in_a_directory_like_tmp_nobody_moves_what_is_roots(disk: Disk, opt: Path, tmp_path: Path) -> None:
    disk.set(tmp_path / "opt", more=stat.S_IWOTH | stat.S_ISVTX)
    assert said(tmp_path, FROZEN) == ""


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("rulez hook --platform claude", "rulez is no full path"),
        (
            "$(command -v timeout >/dev/null && echo timeout -k 1 27) rulez hook --platform codex || exit 2",
            "rulez is no",
        ),
        ("/usr/bin/env rulez hook --platform claude", "/usr/bin/env runs another program"),
        ("/not/there/rulez hook --platform claude", "/not cannot be looked at: no such file"),
        ("'/not closed hook --platform claude", "is no full path"),
    ],
)
def test_a_program_that_cannot_be_named_is_none(disk: Disk, command: str, expected: str) -> None:
    assert expected in why_changeable(command)


def test_a_link_that_leads_in_a_circle_is_none(disk: Disk, tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert "leads nowhere" in said(tmp_path, "a")


def test_where_users_have_no_numbers_nothing_is_said() -> None:
    assert why_changeable("rulez hook --platform claude", "win32") == ""


def test_who_installs_is_told_what_to_do(disk: Disk, opt: Path, tmp_path: Path) -> None:
    disk.set(tmp_path / FROZEN, uid=4_000_000)
    why = why_not_for_all(program((str(tmp_path / FROZEN),)))
    assert why.startswith(f"{tmp_path / FROZEN} belongs to uid 4000000: who can change")
    assert "Install rulez where only root can write" in why

"""Agent files on the disk: nothing that somebody wrote is lost."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from rulez_py.definitions.output.marks import mark
from rulez_py.definitions.output.store import CannotWrite, state, write
from rulez_py.definitions.output.targets import WholeFile
from rulez_py.definitions.output.written import State
from rulez_py.platforms.agent_files import LARGEST_FILE

TEXT = "---\nname: x\n---\n\nYou look.\n"


def target(tmp_path: Path, text: str = TEXT, name: str = "a/b/x.md") -> WholeFile:
    return WholeFile(str(tmp_path / name), name, mark(text, "agents/x.yaml", after_first_line=True))


def test_the_mark_is_a_comment_below_the_fence_and_says_what_to_edit() -> None:
    lines = mark(TEXT, "agents/x.yaml", after_first_line=True).splitlines()
    assert lines[0] == "---"
    assert lines[1].startswith("# Written by `rulez agents write` from agents/x.yaml; sha256 ")
    assert lines[1].endswith(": edit that file, not this one.")
    assert lines[2:] == TEXT.splitlines()[1:]


@pytest.mark.parametrize("source", ["a---b.yaml", "a\nb.yaml", "a`b.yaml", "--", "\u2028.yaml"])
def test_no_file_s_name_breaks_out_of_the_mark(tmp_path: Path, source: str) -> None:
    marked = mark(TEXT, source, after_first_line=True)
    assert len(marked.splitlines()) == len(TEXT.splitlines()) + 1
    assert "---" not in marked.splitlines()[1]
    wanted = WholeFile(str(tmp_path / "x.md"), "x.md", marked)
    write([wanted])
    assert state(WholeFile(wanted.path, "x.md", marked + "more\n")) is State.Ours


def test_a_file_is_written_with_its_directories_and_once(tmp_path: Path) -> None:
    wanted = target(tmp_path)
    assert state(wanted) is State.Missing
    assert write([wanted]) == [""]
    assert Path(wanted.path).read_text() == wanted.text
    assert state(wanted) is State.Same
    assert os.listdir(tmp_path / "a" / "b") == ["x.md"]


@pytest.mark.skipif(os.name == "nt", reason="modes are a POSIX affair")
def test_everybody_may_read_it_whom_the_umask_lets(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write([target(tmp_path)])
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(tmp_path / "a/b/x.md").st_mode) == 0o640


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda text: text.replace("\n", "\r\n"), State.Same),
        (lambda text: text + "\n", State.Edited),
        (lambda text: text.replace("look", "touch"), State.Edited),
        (lambda text: text.replace("sha256 ", "sha256 0"), State.Edited),
        (lambda text: "\n".join(text.split("\n")[:1] + text.split("\n")[2:]), State.Edited),
        (lambda text: "", State.Edited),
        (lambda text: TEXT, State.Edited),
    ],
)
def test_an_edited_file_is_known_by_itself(tmp_path: Path, change: Callable[[str], str], found: State) -> None:
    wanted = target(tmp_path)
    write([wanted])
    Path(wanted.path).write_bytes(change(wanted.text).encode())
    assert state(wanted) is found
    # Also by who would write something else there.
    other = target(tmp_path, TEXT + "More.\n")
    assert state(other) is (State.Ours if found is State.Same else found)


def test_what_rulez_wrote_may_be_written_over(tmp_path: Path) -> None:
    write([target(tmp_path)])
    new = target(tmp_path, TEXT + "More.\n")
    assert state(new) is State.Ours
    assert write([new]) == [""]
    assert state(new) is State.Same


def test_what_somebody_edited_is_kept_each_time(tmp_path: Path) -> None:
    wanted = target(tmp_path)
    path = Path(wanted.path)
    path.parent.mkdir(parents=True)
    for number, kept in enumerate(("x.md.bak", "x.md.bak2", "x.md.bak3")):
        path.write_text(f"by hand {number}")
        assert write([wanted]) == [str(path.parent / kept)]
        assert (path.parent / kept).read_text() == f"by hand {number}"
        assert path.read_text() == wanted.text


def test_a_symbolic_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("keep")
    for pointed in ("precious", "nowhere"):
        link = tmp_path / f"{pointed}.md"
        link.symlink_to(tmp_path / pointed)
        wanted = WholeFile(str(link), link.name, TEXT)
        with pytest.raises(CannotWrite, match=f"{link.name} is a symbolic link"):
            state(wanted)
        with pytest.raises(CannotWrite, match=f"{link.name} is a symbolic link"):
            write([wanted])
    assert (tmp_path / "precious").read_text() == "keep"
    assert not (tmp_path / "nowhere").exists()


def test_a_directory_in_its_place_is_told(tmp_path: Path) -> None:
    wanted = target(tmp_path)
    os.makedirs(wanted.path)
    with pytest.raises(CannotWrite, match=r"a/b/x\.md: "):
        state(wanted)


def test_a_file_in_the_place_of_a_directory_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    with pytest.raises(CannotWrite, match=r"a/b/x\.md: "):
        write([target(tmp_path)])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="FIFOs are a POSIX affair")
def test_a_fifo_in_its_place_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.md")
    with pytest.raises(CannotWrite):
        state(WholeFile(str(tmp_path / "x.md"), "x.md", TEXT))


@pytest.mark.parametrize("before", ["ours", "by hand"])
def test_where_one_cannot_be_written_none_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str) -> None:
    wanted = target(tmp_path)
    write([wanted])
    if before == "by hand":
        Path(wanted.path).write_text(before)
    there = Path(wanted.path).read_text()
    made = tempfile.mkstemp

    def full(prefix: str, suffix: str, dir: str) -> tuple[int, str]:
        if dir.endswith("c"):
            raise OSError(28, "No space left on device")
        return made(suffix, prefix, dir)

    monkeypatch.setattr(tempfile, "mkstemp", full)
    with pytest.raises(CannotWrite, match=r"c/y\.md: No space left on device"):
        write([target(tmp_path, TEXT + "More.\n"), target(tmp_path, name="c/y.md")])
    assert Path(wanted.path).read_text() == there
    assert os.listdir(tmp_path / "a" / "b") == ["x.md"]


def test_a_file_too_large_to_be_ours_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_bytes(b"x" * (LARGEST_FILE + 1))
    with pytest.raises(CannotWrite, match="has more than 10,000,000 bytes"):
        state(WholeFile(str(tmp_path / "x.md"), "x.md", TEXT))


def test_a_line_end_of_old_does_not_hide_an_edit(tmp_path: Path) -> None:
    wanted = target(tmp_path)
    write([wanted])
    Path(wanted.path).write_bytes(wanted.text.encode().replace(b"x.yaml;", b"x.yaml\rtools: [Bash] ;"))
    assert state(wanted) is State.Edited

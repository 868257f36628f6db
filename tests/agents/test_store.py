"""Agent files on the disk: nothing that somebody wrote is lost."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from rulez_py.agents.store import CannotWrite, State, Target, mark, state, write

TEXT = "---\nname: x\n---\n\nYou look.\n"


def target(tmp_path: Path, text: str = TEXT, name: str = "a/b/x.md") -> Target:
    return Target(str(tmp_path / name), name, mark(text, "agents/x.yaml", after_first_line=True))


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
    wanted = Target(str(tmp_path / "x.md"), "x.md", marked)
    write(wanted)
    assert state(Target(wanted.path, "x.md", marked + "more\n")) is State.Ours


def test_a_file_is_written_with_its_directories_and_once(tmp_path: Path) -> None:
    wanted = target(tmp_path)
    assert state(wanted) is State.Missing
    assert write(wanted) == ""
    assert Path(wanted.path).read_text() == wanted.text
    assert state(wanted) is State.Same
    assert os.listdir(tmp_path / "a" / "b") == ["x.md"]


@pytest.mark.skipif(os.name == "nt", reason="modes are a POSIX affair")
def test_everybody_may_read_it_whom_the_umask_lets(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write(target(tmp_path))
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
    write(wanted)
    Path(wanted.path).write_bytes(change(wanted.text).encode())
    assert state(wanted) is found
    # Also by who would write something else there.
    other = target(tmp_path, TEXT + "More.\n")
    assert state(other) is (State.Ours if found is State.Same else found)


def test_what_rulez_wrote_may_be_written_over(tmp_path: Path) -> None:
    write(target(tmp_path))
    new = target(tmp_path, TEXT + "More.\n")
    assert state(new) is State.Ours
    assert write(new) == ""
    assert state(new) is State.Same


def test_what_somebody_edited_is_kept_each_time(tmp_path: Path) -> None:
    wanted = target(tmp_path)
    path = Path(wanted.path)
    path.parent.mkdir(parents=True)
    for number, kept in enumerate(("x.md.bak", "x.md.bak2", "x.md.bak3")):
        path.write_text(f"by hand {number}")
        assert write(wanted) == str(path.parent / kept)
        assert (path.parent / kept).read_text() == f"by hand {number}"
        assert path.read_text() == wanted.text


def test_a_symbolic_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("keep")
    for pointed in ("precious", "nowhere"):
        link = tmp_path / f"{pointed}.md"
        link.symlink_to(tmp_path / pointed)
        wanted = Target(str(link), link.name, TEXT)
        for action in (state, write):
            with pytest.raises(CannotWrite, match=f"{link.name} is a symbolic link"):
                action(wanted)
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
        write(target(tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="FIFOs are a POSIX affair")
def test_a_fifo_in_its_place_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.md")
    with pytest.raises(CannotWrite):
        state(Target(str(tmp_path / "x.md"), "x.md", TEXT))


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = target(tmp_path)
    write(wanted)
    new = target(tmp_path, TEXT + "More.\n")

    def full(_source: str, _target: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(CannotWrite, match="No space left on device"):
        write(new)
    assert Path(wanted.path).read_text() == wanted.text
    assert os.listdir(tmp_path / "a" / "b") == ["x.md"]

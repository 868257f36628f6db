"""Sections of ours in other people's files: put in, found again, taken out, and every other byte as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.definitions.output.sections import Broken, is_mark, put, section_from, sections, without

SOURCE = "instructions/main.md"
TEXT = "Run `make test`.\n\n- one\n- two\n"
PEOPLE = st.text(st.sampled_from("ab \n\r\t#-<!>é"), max_size=60).map(str.encode) | st.binary(max_size=30)
TEXTS = st.text(st.sampled_from("ab \n#-<>`é"), min_size=1, max_size=40).filter(str.strip)
SOURCES = st.sampled_from([SOURCE, "a--b.md", "ž `x`.md", "a; sha256 b.md"])


def begin(source: str = SOURCE) -> bytes:
    """The first comment of a section, as it is written."""
    return put(None, source, "x").splitlines(keepends=True)[0]


def test_a_section_stands_between_two_comments_that_say_what_to_edit() -> None:
    lines = put(b"# Mine\n", SOURCE, TEXT).decode().splitlines()
    assert lines[:2] == ["# Mine", ""]
    assert lines[2].startswith("<!-- Written by `rulez agents write` from instructions/main.md; sha256 ")
    assert lines[2].endswith("/1: edit that file, not this part. -->")
    assert lines[3:-1] == TEXT.splitlines()
    assert lines[-1] == "<!-- End of what `rulez agents write` wrote from instructions/main.md. -->"


@given(PEOPLE | st.none(), SOURCES, TEXTS)
def test_taking_a_section_out_gives_back_the_file_from_before(before: bytes | None, source: str, text: str) -> None:
    assert without(put(before, source, text), source) == before


@given(PEOPLE | st.none(), TEXTS, TEXTS)
def test_so_it_does_after_it_was_written_anew(before: bytes | None, text: str, other: str) -> None:
    assert without(put(put(before, SOURCE, text), SOURCE, other), SOURCE) == before


@given(PEOPLE, TEXTS, TEXTS, PEOPLE)
def test_a_new_text_changes_no_other_byte(before: bytes, text: str, other: str, after: bytes) -> None:
    written = put(before, SOURCE, text)
    there = section_from(written, SOURCE)
    assert there is not None
    changed = put(written + after, SOURCE, other)
    assert changed[: there.start] == written[: there.start]
    assert changed.endswith(after)


@given(PEOPLE | st.none(), SOURCES, TEXTS)
def test_what_was_written_is_found_unedited_and_written_once(before: bytes | None, source: str, text: str) -> None:
    written = put(before, source, text)
    assert [one.edited for one in sections(written)] == [False]
    assert put(written, source, text) == written


@given(PEOPLE | st.none())
def test_sections_of_several_sources_stand_side_by_side(before: bytes | None) -> None:
    both = put(put(before, "a.md", "A"), "b.md", "B")
    assert [one.source for one in sections(both)] == ["a.md", "b.md"]
    assert without(without(both, "b.md") or b"", "a.md") == before
    assert [one.source for one in sections(without(both, "a.md") or b"")] == ["b.md"]


@pytest.mark.parametrize(
    ("change", "edited"),
    [
        (lambda content: content.replace(b"make", b"gmake"), True),
        (lambda content: content.replace(b"- two\n", b"- two\n\n"), True),
        (lambda content: content.replace(b"\n", b"\r\n"), False),
        (lambda content: b"before\n" + content + b"after\n", False),
    ],
)
def test_an_edited_section_is_known_by_itself(change: object, edited: bool) -> None:
    changed = change(put(b"# Mine\n\n", SOURCE, TEXT))  # type: ignore[operator]
    there = section_from(changed, SOURCE)
    assert there is not None
    assert there.edited is edited


def test_a_file_with_the_line_ends_of_windows_keeps_them() -> None:
    written = put(b"# Mine\r\n", SOURCE, TEXT)
    assert written.count(b"\n") == written.count(b"\r\n")


WHOLE = put(b"# Mine\n\n", SOURCE, TEXT)
LINES = WHOLE.splitlines(keepends=True)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"".join(LINES[:-1]), "line 3: the section from instructions/main.md does not end: put the comment back"),
        (b"".join(LINES[:2] + LINES[3:]), "line 7: the section from instructions/main.md ends, and has not begun"),
        (WHOLE + b"".join(LINES[2:]), "line 9: there is a second section from instructions/main.md: remove one"),
        (begin("a.md") + begin("b.md"), "line 1: the section from a.md does not end before line 2"),
        (begin("a.md") + WHOLE[-80:], "and has not begun"),
        (WHOLE.replace(b"/0:", b"/x:"), "line 8: the section from instructions/main.md ends, and has not begun"),
    ],
)
def test_comments_that_do_not_fit_each_other_are_told_with_their_line(content: bytes, said: str) -> None:
    for act in (sections, lambda content: put(content, SOURCE, "x"), lambda content: without(content, SOURCE)):
        with pytest.raises(Broken, match=said.replace("(", r"\(")):
            act(content)


def test_a_text_with_one_of_the_comments_is_known() -> None:
    assert is_mark(f"a\n  {begin().decode()}b")
    assert is_mark("<!-- End of what `rulez agents write` wrote from x. -->")
    assert not is_mark("<!-- End of x -->")

"""YAML text -> plain data with positions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.documents.document import MAX_DEPTH, MOST_TAG_LINES, Document, parse

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).parent / "data" / "documents.yaml")


def read(text: str) -> Document:
    return parse(text.encode(), "rules.yaml", if_empty="write something")


def told(document: Document) -> list[str]:
    return [f"{one.line}:{one.column}: {one.text}" for one in document.problems]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_what_cannot_be_read_is_told(case: dict[str, Any]) -> None:
    assert told(read(case["file"])) == case["problems"]


# Values.


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # YAML 1.2: these are words, whatever YAML 1.1 thought
        *((word, word) for word in ("yes", "no", "on", "off", "y", "N", "YES", "tRue")),
        *((word, True) for word in ("true", "True", "TRUE")),
        *((word, False) for word in ("false", "False", "FALSE")),
        *((word, None) for word in ("~", "null", "Null", "NULL")),
        ("0", 0),
        ("-12", -12),
        ("+3", 3),
        ("017", 17),
        ("0o17", 15),
        ("0x1F", 31),
        ("9223372036854775807", 2**63 - 1),
        ("1.0", 1.0),
        (".5", 0.5),
        ("-1e3", -1000.0),
        ("1.", 1.0),
        # what only looks like a number
        *((word, word) for word in ("1_000", "0b11", "1.2.3", "e5", ".", "+-1", "12:30:45", "0x", "0o8", "١")),
        # what only looks like a date
        ("2025-01-31", "2025-01-31"),
        ("2025-01-31T10:00:00Z", "2025-01-31T10:00:00Z"),
        # quotes and tags make text
        ("'1'", "1"),
        ('"true"', "true"),
        ("''", ""),
        ("!!str 1.0", "1.0"),
        ("! 4", "4"),
        # other tags of YAML itself only say what is there anyway
        ("!!int 7", 7),
        ("!!bool true", True),
        ("!!map {a: !!seq [1]}", {"a": [1]}),
        ("[a, {b: c}, [], {}]", ["a", {"b": "c"}, [], {}]),
    ],
)
def test_values(text: str, value: object) -> None:
    document = read(f"key: {text}\n")
    assert told(document) == []
    assert document.data == {"key": value}
    assert type(document.data["key"]) is type(value)


def test_blocks_of_text() -> None:
    assert read("a: |\n  one\n  two\nb: >-\n  one\n  two\n").data == {"a": "one\ntwo\n", "b": "one two"}


def test_merge_keys_are_plain_keys() -> None:
    assert read("a: &a {x: 1}\nb: {<<: *a}\n").data == {"a": {"x": 1}, "b": {"<<": {"x": 1}}}


def test_the_first_of_two_equal_keys_is_kept() -> None:
    assert read("a: 1\na: 2\n").data == {"a": 1}


def test_aliases_stand_for_what_they_name_last() -> None:
    document = read("a: &x [1]\nb: *x\nc: &x 2\n*x : 3\nd: [*x]\n")
    assert told(document) == ['4:1: a key must be text, not 2; quote it: "2"']
    assert document.data == {"a": [1], "b": [1], "c": 2, "d": [2]}


# Encodings.


def test_a_byte_order_mark_is_no_text() -> None:
    document = parse(b"\xef\xbb\xbfa: 1\n", "rules.yaml")
    assert document.data == {"a": 1}
    assert document.key_position(("a",)) == (1, 1)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a: 1\nb: caf\xe9\n", "2:7: byte 0xe9 is not UTF-8; save the file as UTF-8"),
        ("ü: x".encode() + b"\xff", "1:5: byte 0xff is not UTF-8; save the file as UTF-8"),
        (b"\xef\xbb\xbfab\xff", "1:3: byte 0xff is not UTF-8; save the file as UTF-8"),
        ("a: 1\n".encode("utf-16"), "1:1: the file is UTF-16; save it as UTF-8"),
        ("a: 1\n".encode("utf-16-be"), "1:1: character U+0000 is not allowed in YAML; remove it"),
    ],
)
def test_other_encodings(content: bytes, said: str) -> None:
    document = parse(content, "rules.yaml")
    assert told(document) == [said]
    assert document.data is None


def test_a_tab_may_stand_between_the_parts_of_a_line() -> None:
    document = read("a:\tb\t# c\nd:\t[1,\t2]\t\n")
    assert told(document) == []
    assert document.data == {"a": "b", "d": [1, 2]}


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(line_end: str) -> None:
    document = read(line_end.join(["a: 1", "b:", "  c: 2", ""]))
    assert document.position(("b", "c")) == (3, 6)


# Bounds.


def test_nesting_is_bounded() -> None:
    assert told(read("[" * MAX_DEPTH + "]" * MAX_DEPTH)) == []
    assert told(read("[" * 100_000)) == [f"1:{MAX_DEPTH + 1}: lists and maps are nested more than {MAX_DEPTH} deep"]


def test_aliases_cannot_multiply_without_bound() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    document = read("\n".join(lines))
    assert document.data is None
    assert [one.message for one in document.problems] == ["the file is too large once its aliases are written out"]


def test_a_long_text_cannot_be_multiplied_either() -> None:
    document = read(f"a: &a {'x' * 100_000}\nb: [{', '.join(['*a'] * 1000)}]\n")
    assert [one.message for one in document.problems] == ["the file is too large once its aliases are written out"]


def test_directives_are_bounded() -> None:
    """libyaml compares each with all before it, in code that nothing interrupts: this text would take it minutes."""
    text = "".join(f"%TAG !{number}! x\n" for number in range(300_000))
    assert told(read(text)) == [f'1:1: "%TAG" is written more than {MOST_TAG_LINES} times; remove it']


def test_numbers_of_any_length_are_told() -> None:
    assert [one.message for one in read(f"a: {'9' * 10_000}\n").problems] == [
        f"the number {'9' * 40} is out of range",
    ]


# Positions.

POLICY = """\
# comment
version: "1.0"
rules:
  - name: first
    matchers:
      tools: [Bash, "Edit"]
      command_match: >-
        rm -rf
  -   name: second
      matchers: &m {tools: Bash}
      except: *m
      actions:
"""


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        ((), (2, 1), (2, 1)),
        (("version",), (2, 1), (2, 10)),
        (("rules",), (3, 1), (4, 3)),
        (("rules", 0), (4, 5), (4, 5)),
        (("rules", 0, "name"), (4, 5), (4, 11)),
        (("rules", 0, "matchers", "tools"), (6, 7), (6, 14)),
        (("rules", 0, "matchers", "tools", 1), (6, 21), (6, 21)),
        (("rules", 0, "matchers", "command_match"), (7, 7), (7, 22)),
        (("rules", 1), (9, 7), (9, 7)),
        # an alias has its own place; what is in it has the place where it was written
        (("rules", 1, "except"), (11, 7), (11, 15)),
        (("rules", 1, "except", "tools"), (10, 21), (10, 28)),
        # nothing has no place of its own
        (("rules", 1, "actions"), (12, 7), (12, 7)),
        # what the long form has and the file has not is left out
        (("rules", 1, "matchers", "tools", 0), (10, 21), (10, 28)),
        (("rules", 0, "matchers", "command_match", "patterns", 0), (7, 7), (7, 22)),
        (("rules", 7, "name"), (3, 1), (4, 3)),
        (("nowhere",), (2, 1), (2, 1)),
    ],
)
def test_positions(path: tuple[str | int, ...], key: tuple[int, int], value: tuple[int, int]) -> None:
    document = read(POLICY)
    assert (document.key_position(path), document.position(path)) == (key, value)


def test_present_segments_are_those_that_were_written() -> None:
    assert read(POLICY).present(("rules", 1, "matchers", "tools", 0)) == ("rules", 1, "matchers", "tools")


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(
        st.characters(codec="utf-8", exclude_categories=["C"], exclude_characters="\ufeff\u2028\u2029"), max_size=20
    )
)
KEYS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters="\ufeff"), max_size=10)
DATA = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


def paths_in(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], object]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield (*path, key), item
            yield from paths_in(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield (*path, index), item
            yield from paths_in(item, (*path, index))


@given(data=st.dictionaries(KEYS, DATA, min_size=1), indent=st.sampled_from([None, 1, 2, 4]))
def test_json_is_read_as_json_and_every_part_is_where_it_says(data: dict[str, Any], indent: int | None) -> None:
    text = json.dumps(data, indent=indent, ensure_ascii=False)
    document = read(text)
    assert told(document) == []
    assert document.data == data
    lines = text.split("\n")
    for path, value in paths_in(data):
        line, column = document.position(path)
        start = json.dumps(value, ensure_ascii=False)
        assert lines[line - 1][column - 1 :].startswith(start[:1] if isinstance(value, (dict, list)) else start)
        line, column = document.key_position(path)
        if isinstance(path[-1], str):
            assert lines[line - 1][column - 1 :].startswith(json.dumps(path[-1], ensure_ascii=False))
        assert document.present(path) == path


@given(st.binary(max_size=200))
def test_no_bytes_raise(content: bytes) -> None:
    document = parse(content, "rules.yaml")
    assert document.data is not None or document.problems


@given(st.text(alphabet="abk12.:-?,[]{}#&*!|>'\"%@`\\ \t\r\n~=<ux\u2028\ufeff\ud800", max_size=60))
def test_no_text_raises(text: str) -> None:
    document = parse(text.encode("utf-8", "surrogatepass"), "rules.yaml")
    assert document.data is not None or document.problems
    for one in document.problems:
        assert one.line >= 1 and one.column >= 1
        assert "\n" not in str(one)

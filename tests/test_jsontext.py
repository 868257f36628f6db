"""JSON in and out: the same whoever reads and writes it, and whatever types of the standard library orjson got."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.system import jsontext
from tests.test_native import run


@dataclasses.dataclass
class Point:
    x: int


class Odd:
    def __str__(self) -> str:
        return "odd"


WRITTEN: list[tuple[Any, str]] = [
    ({"a": [1, -2.5, True, False, None], "b": {}}, '{"a":[1,-2.5,true,false,null],"b":{}}'),
    ((1, (2,)), "[1,[2]]"),
    ({1: "one", None: 0, False: 1}, '{"1":"one","null":0,"false":1}'),
    ("é\u2028😀", '"é\u2028😀"'),
    (Odd(), '"odd"'),
    ([b"x", {3}], '["b\'x\'","{3}"]'),
    (Point(1), '"Point(x=1)"'),
    (2**70, "1180591620717411303424"),
    ("cut \ud83d off", '"cut ? off"'),
]


@pytest.mark.parametrize(("value", "text"), WRITTEN, ids=[text for _, text in WRITTEN])
def test_what_is_written(value: object, text: str) -> None:
    assert jsontext.dumps(value) == text


READ: list[tuple[bytes | str, Any]] = [
    (b'{"a": [1, 2.5, "\\u00e9", null, true]}', {"a": [1, 2.5, "é", None, True]}),
    ('"😀"', "😀"),
    (b'"\\ud83d cut"', "\ud83d cut"),
    (b" 1 \n", 1),
    ('"cut \ud83d off"', "cut \ud83d off"),
]


@pytest.mark.parametrize(("text", "value"), READ, ids=[str(text) for text, _ in READ])
def test_what_is_read(text: bytes | str, value: object) -> None:
    assert jsontext.loads(text) == value


BAD = (b"", b"{", b"[1,]", b'{"a": 1} 2', b"NaN", b"\xff", b'{"a":\n  nope}', "['\u00e9']")


@pytest.mark.parametrize("text", BAD, ids=str)
def test_what_is_not_json_is_a_value_error_that_says_where(text: bytes | str) -> None:
    with pytest.raises(ValueError, match=r": line \d+ column \d+ \(char \d+\)$"):
        jsontext.loads(text)


def test_without_the_types_of_the_standard_library_it_says_the_same() -> None:
    """This process has loaded them all; a hook call has not."""
    source = f"""
from rulez_py.system import jsontext
def said(text):
    try:
        return jsontext.loads(text)
    except ValueError as error:
        return str(error)
results = [said(text) for text in {[text for text, _ in READ[:2]] + list(BAD)!r}]
assert not {{"json", "enum", "dataclasses", "uuid"}} & set(sys.modules)
print(ascii(results))
"""
    expected = [said(text) for text in [*(text for text, _ in READ[:2]), *BAD]]
    assert run(source) == ascii(expected)


def said(text: bytes | str) -> object:
    try:
        return jsontext.loads(text)
    except ValueError as error:
        return str(error)


def test_an_error_is_placed_as_in_the_standard_library() -> None:
    text = "line one\nline two: é\nthird"
    for position in range(len(text) + 1):
        assert str(jsontext.JSONDecodeError("no", text, position)) == str(json.JSONDecodeError("no", text, position))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('a,[{"\\\\\n', max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('a,[{"\\\\', max_size=3), inner, max_size=4),
    max_leaves=20,
)


def count(value: Any) -> int:
    """The values in a value, itself included."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(count, inner))


SIGNS = st.sampled_from(
    [*'{}[]:,"- \n\t\v\x00', "\\\\", "\\u00e9", "\\ud83d", "é", "\ud83d", "1e400", "12", "9" * 20, "0.5"]
)


@given(st.lists(SIGNS | st.sampled_from(["null", "true", "NaN", "-Infinity", '"a"']), max_size=8).map("".join))
def test_whoever_reads_a_text_reads_the_same(text: str) -> None:
    assert repr(said(text)) == repr(said(text + " " * jsontext._SMALL)) or isinstance(said(text), str)


@given(VALUES | st.floats(allow_nan=False, allow_infinity=False))
def test_whoever_reads_a_value_reads_the_same(value: object) -> None:
    text = json.dumps(value)
    assert repr(jsontext.loads(text)) == repr(jsontext._of_any_size(text))
    assert jsontext.loads(text.encode()) == jsontext._of_any_size(text.encode())


@given(VALUES)
def test_whoever_writes_a_value_writes_the_same(value: object) -> None:
    assert jsontext.dumps(value) == jsontext._of_odd(value)


@given(VALUES)
def test_too_many_values_are_seen_whatever_their_texts_hold(value: object) -> None:
    found, data = count(value), json.dumps(value).encode()
    assert jsontext.has_more_values(data, found - 1) or len(data) < 2 * (found - 1)
    containers = data.count(b"[]") + data.count(b"{}")  # Each is taken to hold something.
    assert not jsontext.has_more_values(data, found + containers)


@pytest.mark.parametrize(
    ("data", "most"),
    [
        (b"[" + b",".join([b"[]"] * 100) + b"]", 100),
        (b"{" + b",".join(b'"k%d":1' % number for number in range(200)) + b"}", 150),
        (b"[" + b",".join([b'""'] * 500) + b"]", 100),
        (b"[" * 500, 100),
    ],
    ids=["lists", "an object", "texts", "no JSON"],
)
def test_what_would_take_too_long_is_not_read(data: bytes, most: int) -> None:
    assert jsontext.has_more_values(data, most)


def test_a_long_text_is_one_value() -> None:
    assert not jsontext.has_more_values(json.dumps({"content": 'a,b,["c"],\\"{' * 10_000}).encode(), 3)

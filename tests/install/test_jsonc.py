"""JSON with comments: read as it is meant, and changed nowhere but where it is told to."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.install import jsonc
from tests.install.made import VALUES, written


@given(written(VALUES))
def test_a_text_is_read_as_what_it_says(made: tuple[str, Any]) -> None:
    text, value = made
    assert jsonc.parse(text).value == value


@given(written(st.lists(VALUES, max_size=3)), VALUES)
def test_an_item_that_is_added_is_there_and_goes_again(made: tuple[str, Any], item: Any) -> None:
    text, value = made
    more = jsonc.added(text, (), item)
    assert jsonc.parse(more).value == [*value, item]
    less = jsonc.removed(more, (len(value),))
    assert jsonc.parse(less).value == value
    assert less == text or not value


@given(written(st.dictionaries(st.text(max_size=2), VALUES, max_size=3)), VALUES)
def test_a_member_that_is_added_is_there_and_goes_again(made: tuple[str, Any], item: Any) -> None:
    text, value = made
    more = jsonc.added(text, (), item, "a new one")
    assert jsonc.parse(more).value == {**value, "a new one": item}
    less = jsonc.removed(more, ("a new one",))
    assert jsonc.parse(less).value == value
    assert less == text or not value


@given(written(st.lists(VALUES, min_size=1, max_size=3)), VALUES, st.data())
def test_one_value_is_replaced_and_no_other(made: tuple[str, Any], item: Any, data: st.DataObject) -> None:
    text, value = made
    index = data.draw(st.integers(0, len(value) - 1))
    other = jsonc.replaced(text, (index,), item)
    assert jsonc.parse(other).value == [*value[:index], item, *value[index + 1 :]]


@given(written(st.lists(VALUES, min_size=1, max_size=4)), st.data())
def test_one_item_is_taken_away_and_no_other(made: tuple[str, Any], data: st.DataObject) -> None:
    text, value = made
    index = data.draw(st.integers(0, len(value) - 1))
    assert jsonc.parse(jsonc.removed(text, (index,))).value == value[:index] + value[index + 1 :]


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("", (1, 1), "the text ends here"),
        ("\ufeff{", (1, 2), 'the text ends without "}"'),
        ('{\n  "a": 1\n  "b": 2\n}', (3, 3), 'a "," is missing here'),
        ('{"a" 1}', (1, 6), 'a ":" is missing here'),
        ("{'a': 1}", (1, 2), "a key in double quotes belongs here: \"'a':\""),
        ('{"a": yes}', (1, 7), 'no JSON value: "yes"'),
        ('{"a": 01}', (1, 7), 'no JSON value: "01"'),
        ('{"a": "x\n"}', (1, 7), "this text has no end on its line"),
        ('{"a": "\\x"}', (1, 7), "this text has an escape that JSON does not know"),
        ("[1,,2]", (1, 4), 'no JSON value: ","'),
        ("{} {}", (1, 4), 'this follows the end of the JSON: "{"'),
        ("[1] /* x", (1, 5), "this comment has no end"),
        ("[" * 300, (1, 202), "more than 200 values inside one another"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(text: str, at: tuple[int, int], message: str) -> None:
    with pytest.raises(jsonc.Unreadable) as error:
        jsonc.parse(text)
    assert (error.value.at, error.value.message) == (at, message)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[]", "[\n  7\n]"),
        ("[1]", "[1, 7]"),
        ("[1,2]", "[1,2, 7]"),
        ('[{"a":1}]', '[{"a":1},7]'),
        ("[\n    1\n]", "[\n    1,\n    7\n]"),
        ("[\r\n\t1,\r\n]", "[\r\n\t1,\r\n\t7,\r\n]"),
        ("[\n  1 // one\n  // two\n]", "[\n  1, // one\n  7\n  // two\n]"),
        ("[ // none\n]", "[ // none\n  7\n]"),
    ],
)
def test_what_is_added_looks_like_what_is_there(text: str, expected: str) -> None:
    assert jsonc.added(text, (), 7).rstrip() == expected.rstrip()

"""The YAML that is written: the same data for every parser."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.definitions.output.yamltext import mapping, value
from tests.definitions.agents.made import data, text


def read(written: str, version: tuple[int, int]) -> Any:
    yaml = YAML(typ="safe", pure=True)
    yaml.version = version
    return yaml.load(written)


@pytest.mark.parametrize("version", [(1, 1), (1, 2)])
@given(st.dictionaries(text.filter(bool), data, max_size=5))
def test_what_is_written_is_what_is_read(version: tuple[int, int], made: dict[str, Any]) -> None:
    assert read(mapping(made) or "{}", version) == made


@given(st.dictionaries(text.filter(bool), data, max_size=5))
def test_what_is_written_is_printable_text_without_a_fence(made: dict[str, Any]) -> None:
    written = mapping(made)
    assert written.count("\n") == len(written.splitlines())
    assert all(line.isprintable() or not line.isascii() for line in written.splitlines())
    assert "--" not in written


@pytest.mark.parametrize(
    ("given_", "written"),
    [
        ("reviewer", "reviewer"),
        ("code-reviewer", "code-reviewer"),
        ("snake_case", "snake_case"),
        ("", '""'),
        *((word, f'"{word}"') for word in ("yes", "No", "ON", "off", "True", "null", "NULL", "y", "N", "nan", "Inf")),
        *((word, f'"{word}"') for word in ("1e3", "0o17", "017", "1_000", "2001-01-01", "12:30:45", "~", ".inf", "=")),
        *((word, f'"{word}"') for word in ("a b", "a: b", "a #b", "@x", "`x`", "*x", "&x", "!x", "- x", "? x", "[x]")),
        ("mcp__demo__tool", "mcp__demo__tool"),
        ("mcp_*", '"mcp_*"'),
        ('say "no"', '"say \\"no\\""'),
        ("back\\slash", '"back\\\\slash"'),
        ("a --- b", '"a \\u002d\\u002d- b"'),
        ("--", '"\\u002d-"'),
        ("two\nlines\t", '"two\\nlines\\t"'),
        ("\x7f\x85\xa0\u2028\ufeff", '"\\u007f\\u0085\\u00a0\\u2028\\ufeff"'),
        ("Prüfer 審査 😀", '"Prüfer 審査 😀"'),
        ("plain\n", '"plain\\n"'),
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-3, "-3"),
        (0.2, "0.2"),
        (1e-07, "1.0e-07"),
        (2.0, "2.0"),
        (["Read", "a b", 1], '[Read, "a b", 1]'),
        (("x",), "[x]"),
        ([], "[]"),
        ({}, "{}"),
        ({"a b": {"c": [True]}}, '{"a b": {c: [true]}}'),
    ],
)
def test_how_a_value_is_written(given_: object, written: str) -> None:
    assert value(given_) == written


@given(text)
def test_quoted_text_without_line_ends_is_json_as_well(made: str) -> None:
    written = value(made)
    if written.startswith('"'):
        assert json.loads(written) == made


@pytest.mark.parametrize("given_", [b"x", {1, 2}, object(), re.compile("x")])
def test_what_yaml_has_no_words_for_is_refused(given_: object) -> None:
    with pytest.raises(TypeError):
        value(given_)


def test_maps_stand_below_their_key_and_all_else_beside_it() -> None:
    made = {"tools": {"*": False, "read": True}, "a b": {"c": {"d": []}, "e": {}}, "list": [{"f": 1}]}
    assert mapping(made) == ('tools:\n  "*": false\n  read: true\n"a b":\n  c:\n    d: []\n  e: {}\nlist: [{f: 1}]\n')

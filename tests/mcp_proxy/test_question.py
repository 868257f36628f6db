"""What a person reads who is asked about a call: the beginning of every argument, and what is cut."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.mcp_proxy.question import question

LONG = "x" * 5_000
MOST = 50


def asked(arguments: dict[str, Any], tool: str = "shell") -> list[str]:
    text = question("Because.", tool, "files", arguments)
    assert text is not None
    reason, nothing, *lines = text.split("\n")
    assert (reason, nothing) == ("Because.", "")
    return lines


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        ({}, ["May shell of files run with no arguments?"]),
        ({"command": "ls"}, ["May shell of files run with this?", 'command: "ls"']),
        ({"n": 1, "on": True, "no": None}, ["May shell of files run with this?", "n: 1", "on: true", "no: null"]),
        (
            {"edits": [{"old": "a", "new": "b"}, "c"], "none": []},
            [
                "May shell of files run with this?",
                'edits[0].old: "a"',
                'edits[0].new: "b"',
                'edits[1]: "c"',
                "none: []",
            ],
        ),
        # Nothing passes for another line or another argument, and nothing hides.
        (
            {"a": "x\ncommand: ls", 'b": 1, "c': 2, "d e": "\u202e\x9b", "f": "\u00e9"},
            [
                "May shell of files run with this?",
                'a: "x\\ncommand: ls"',
                '"b\\": 1, \\"c": 2',
                '"d e": "\\u202e\\x9b"',
                'f: "\u00e9"',
            ],
        ),
    ],
)
def test_every_argument_is_shown(arguments: dict[str, Any], lines: list[str]) -> None:
    assert asked(arguments) == lines


@pytest.mark.parametrize(
    "arguments",
    [
        {"content": LONG, "command": "git push --force"},
        {"command": "git push --force", "content": LONG},
        {"input": {"content": LONG, "command": "git push --force"}},
        {"input": [LONG, {"content": [LONG] * 20, "command": "git push --force"}]},
        {"many": list(range(10_000)), "command": "git push --force"},
        {**{f"a{number}": LONG for number in range(MOST - 1)}, "command": "git push --force"},
    ],
)
def test_a_long_text_hides_nothing_behind_it_and_what_is_cut_is_named(arguments: dict[str, Any]) -> None:
    lines = asked(arguments)
    assert lines[1].startswith("Cut, the end of it is not shown: ")
    assert any(line.endswith('command: "git push --force"') for line in lines[2:])
    cut = [line.partition(": ")[0] for line in lines[2:] if line.endswith("…")]
    assert cut
    assert all(f"{name} (" in lines[1] for name in cut)
    assert sum(map(len, lines)) < 10_000


def test_a_long_name_hides_nothing() -> None:
    lines = asked({LONG: 1, "command": "ls"}, tool=LONG)
    assert lines[-1] == 'command: "ls"'
    assert max(map(len, lines)) < 150


def test_more_arguments_than_can_be_shown_are_no_question() -> None:
    assert question("Because.", "shell", "files", {f"a{number}": 1 for number in range(MOST + 1)}) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(st.text(), inner, max_size=9),
    max_leaves=60,
)


@given(st.dictionaries(st.text(min_size=1), JSON, max_size=MOST))
def test_each_argument_has_a_line(arguments: dict[str, Any]) -> None:
    lines = asked(arguments)
    assert min(len(arguments), 1) <= len(lines[1:]) <= MOST + 1
    assert all(line.isprintable() for line in lines)

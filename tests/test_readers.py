"""rulez reads YAML by libyaml. What a text means, another reader says as well: both say the same, or one refuses it.

For more examples than the gate's: `make random ARGS=tests/test_readers.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError

from rulez_py.documents import events, syntax
from rulez_py.documents.document import Document, parse
from rulez_py.policy import packs
from tests.test_document import paths_in

PIECES = (
    *(
        "a",
        "b: ",
        "key: ",
        "- ",
        "  ",
        "    ",
        "\n",
        "\n  ",
        "\n- ",
        "\n    ",
        "? ",
        ": ",
        ":",
        ",",
        "[",
        "]",
        "{",
        "}",
    ),
    *(
        "#",
        " # c",
        "&a ",
        "*a ",
        "!t ",
        "!!str ",
        "!",
        "|\n",
        "|-\n",
        ">\n",
        "'",
        '"',
        "''",
        "\\n",
        "\\x41",
        "%",
        "---",
    ),
    *(
        "...",
        "\n---\n",
        "@",
        "`",
        "\t",
        "~",
        "<<: ",
        "-",
        "1",
        "0x1",
        "x y",
        "x: y",
        "\r\n",
        "\r",
        "ü",
        "😀",
        "|2\n",
        "\xa0",
    ),
)
POLICIES = [Path(packs.DIRECTORY, f"{name}.yaml").read_text(encoding="utf-8") for name in packs.extendable()]
LINES = [line for text in POLICIES for line in text.splitlines()]


def ruamel_reader(text: str) -> Callable[[], Any]:
    """ruamel's events as libyaml's."""
    found = made(text)
    return lambda: next(found, None)


def made(text: str) -> Iterator[Any]:
    compiled: Any = events._compiled
    try:
        for event in YAML(typ="safe", pure=True).parse(text):
            one = object.__new__(getattr(compiled, type(event).__name__))
            for name in ("start_mark", "end_mark", "anchor", "value", "style"):
                setattr(one, name, getattr(event, name, None))
            tag = getattr(event, "tag", None)
            one.tag = None if tag is None else str(tag)
            yield one
    except (MarkedYAMLError, AssertionError, ValueError, OverflowError) as error:
        raise events.BadSyntax[0](None, None, "refused", compiled.Mark("", 0, 0, 0, None, None)) from error


def read(text: str, monkeypatch: pytest.MonkeyPatch, reader: Callable[[str], Any]) -> Document:
    with monkeypatch.context() as patched:
        patched.setattr(events, "reader", reader)
        patched.setattr(syntax, "refusal", lambda _text, _error: ((1, 1), "refused", ""))
        return parse(text.encode(), "rules.yaml")


def places(found: Document) -> dict[Any, Any]:
    return {path: (found.key_position(path), found.position(path)) for path, _ in paths_in(found.data)}


@st.composite
def changed_policies(draw: st.DrawFn) -> str:
    """Some lines of a policy, with a few pieces put in and taken out."""
    at = draw(st.integers(0, len(LINES) - 1))
    text = "\n".join(LINES[at : at + draw(st.integers(1, 25))])
    for piece in draw(st.lists(st.sampled_from(PIECES), max_size=3)):
        at, gone = draw(st.integers(0, len(text))), draw(st.integers(0, 3))
        text = text[:at] + piece + text[at + gone :]
    return text


TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join) | changed_policies()


@settings(max_examples=500)
@given(text=TEXTS)
def test_two_readers_read_alike_what_both_read(text: str) -> None:
    if "&" in text and "!" in text:
        return  # Of a value with a tag and a name, one says that it starts at the first of them, the other at the last.
    with pytest.MonkeyPatch.context() as monkeypatch:
        ours, theirs = (read(text, monkeypatch, reader) for reader in (events.reader, ruamel_reader))
    if ours.data is None or theirs.data is None or ours.problems or theirs.problems:
        return
    if isinstance(ours.data, (dict, list)) or isinstance(theirs.data, (dict, list)):
        assert ours.data == theirs.data
        assert places(ours) == places(theirs)


@pytest.mark.parametrize("text", POLICIES)
def test_both_read_the_rule_sets(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = (read(text, monkeypatch, reader) for reader in (events.reader, ruamel_reader))
    assert (ours.problems, theirs.problems) == ((), ())
    assert ours.data == theirs.data
    assert places(ours) == places(theirs)

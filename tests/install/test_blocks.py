"""Rulez' lines in a file with hooks of the person's: in, up to date, out, and where they do not go in."""

from __future__ import annotations

import tomllib

import pytest

from rulez_py.install import blocks, jsonc
from rulez_py.install.entries import ON_PATH, filled, plugin_words, program
from rulez_py.install.places import hooks

KNOWN = hooks("vibe")
OURS = filled("vibe", ON_PATH)
THEIRS = '# mine\n[[hooks]]\nname = "lint"\ntype = "post_tool"\ncommand = "./lint"\n'
TEXTS = {
    "nothing": "",
    "a comment": "# mine\n",
    "a hook": THEIRS,
    "no end of the last line": THEIRS.rstrip("\n"),
    "blank lines at the end": THEIRS + "\n\n",
    "CRLF": THEIRS.replace("\n", "\r\n"),
    "a byte order mark": "\ufeff" + THEIRS,
    "other tables": 'x = 1\n[a]\nb = "[[hooks]]"\n',
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_is_there_stays_and_is_what_it_was_afterwards(text: str) -> None:
    new = blocks.placed(KNOWN, text, OURS)
    there = tomllib.loads(new.removeprefix("\ufeff").replace("\r\n", "\n"))["hooks"]
    before = tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n")).get("hooks", [])
    assert there == [*before, *tomllib.loads(OURS)["hooks"]]
    assert new.startswith(text)
    assert plugin_words("vibe", new) == ("rulez",)
    assert blocks.placed(KNOWN, new, OURS) == new
    assert blocks.without(KNOWN, new, text) == text
    assert blocks.without(KNOWN, new).rstrip() == text.rstrip()


def test_lines_are_brought_up_to_date_where_they_are() -> None:
    other = filled("vibe", program(("/opt/my rulez/rulez",)))
    between = blocks.placed(KNOWN, THEIRS, other) + "\n" + THEIRS.replace("lint", "fmt")
    new = blocks.placed(KNOWN, between, OURS)
    assert new == between.replace(other, OURS)
    assert blocks.line(KNOWN, new) == THEIRS.count("\n") + 2
    assert blocks.without(KNOWN, new) == THEIRS + "\n\n" + THEIRS.replace("lint", "fmt")


@pytest.mark.parametrize(
    ("text", "at", "said"),
    [
        ("[[hooks]\n", 7, "this is no TOML"),
        ("a = 1\nb = = 2\n", 10, "this is no TOML"),
        ("hooks = []\n", 0, "no list of tables"),
        ("[hooks]\na = 1\n", 1, "no list of tables"),
        (THEIRS.replace("lint", "rulez"), THEIRS.index('"lint"'), "a hook of your own is named 'rulez'"),
    ],
)
def test_where_they_do_not_fit_nothing_is_changed(text: str, at: int, said: str) -> None:
    with pytest.raises(jsonc.Unreadable, match=said) as refused:
        blocks.placed(KNOWN, text, OURS)
    assert refused.value.at == jsonc.place(text, at)

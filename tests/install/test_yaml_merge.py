"""Our hooks in YAML settings of a person's, and out again: nothing else changes, or nothing at all."""

from __future__ import annotations

import pytest

from rulez_py.install import yaml_merge, yamlc
from rulez_py.install.entries import ON_PATH, entries_in, filled, program, settings, snippet
from rulez_py.install.jsonc import Unreadable

PROGRAM = program(("/opt/a b/rul'ez",))
WANTED = settings("hermes", PROGRAM)
MINE = "hooks:\n  pre_tool_call:\n    - command: mine\n      timeout: 3\n"

TEXTS = {
    "nothing": "",
    "a mark alone": "\ufeff",
    "a comment": "# mine\n",
    "another setting": "a: 1\n",
    "no last line end": "a: 1",
    "no hooks": "hooks: {}\n",
    "no hooks, with a comment": "a: 1\nhooks: {} # none yet\nb:\n  - x\n",
    "hooks without a value": "hooks:\n\n# c\nb: 1\n",
    "hooks are null": "a: 1\nhooks: null\n",
    "hooks are ~": "hooks: ~ # c\n",
    "quoted": '"hooks": {}\n',
    "others": MINE + "  # after\nb: 2\n",
    "a list at its key's column": "hooks:\n  pre_tool_call:\n  - command: mine # a-b\n\n  post_tool_call: []\n# x\n",
    "deeper, a block": "hooks:\n    x: {}\n    pre_tool_call:\n    -   command: |\n          x\n          y\nz: 1",
    "items in brackets": "hooks:\n  pre_tool_call:\n    # one\n    - {command: mine}\n  pre_llm_call:\nb: 1\n",
    "brackets on two lines": "hooks: {\n}\nb: 1\n",
    "CRLF and a mark": "\ufeff" + MINE.replace("\n", "\r\n"),
    "a document's start": "---\na: 1\n",
    "a document's end": "a: 1\n...\n",
    "a text that keeps its lines": "a: |+\n  x\n\n",
    "indented": "  a: 1\n  b: 2\n",
    "an alias elsewhere": "a: &x\n  b: 1\nc: *x\n",
    "the key twice": "hooks: {}\nhooks:\n  pre_tool_call: []\n",
    "other letters": "a: é ü # ñ\nhooks: {}\n",
}

EMPTY = ("hooks: {}", "hooks: null", "hooks: {", '"hooks": {}', "call: []")
"""Ends of lines that become lines of their own below; of what follows such a value, the line."""


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_was_there_stays_and_comes_back_byte_for_byte(text: str) -> None:
    new = yaml_merge.with_ours(text, WANTED, PROGRAM)
    hooks = yamlc.value(new)["hooks"]
    assert {event: hooks[event][-1:] for event in WANTED["hooks"]} == WANTED["hooks"]
    gone = [line for line in text.splitlines() if line.strip("\ufeff") and line not in new.splitlines()]
    assert all(line == "}" or line.endswith(EMPTY) or " # " in line for line in gone), gone
    assert yaml_merge.with_ours(new, WANTED, PROGRAM) == new
    assert yaml_merge.without(new, text) == text
    assert not list(entries_in(yamlc.value(yaml_merge.without(new))))


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_another_program_takes_the_place_of_the_one_there(text: str) -> None:
    new = yaml_merge.with_ours(text, WANTED, PROGRAM)
    changed = yaml_merge.with_ours(new, settings("hermes", ON_PATH), ON_PATH)
    assert "/opt" not in changed
    assert yamlc.value(yaml_merge.without(changed)) == yamlc.value(yaml_merge.without(new))


def test_what_a_person_adds_in_between_stays() -> None:
    new = yaml_merge.with_ours(MINE, WANTED, PROGRAM).replace("timeout: 3\n", "timeout: 4 # more\n") + "later: 1\n"
    assert yaml_merge.without(new, MINE) == MINE.replace("timeout: 3\n", "timeout: 4 # more\n") + "later: 1\n"


def test_hermes_writes_its_settings_anew_and_ours_are_found_all_the_same() -> None:
    hook = '{command: "rulez hook --platform hermes", timeout: 30}'
    text = f"a: 1\nhooks:\n  post_tool_call:\n  - {hook}\n  pre_future:\n  - {hook}\n  - command: mine\n"
    new = yaml_merge.with_ours(text, WANTED, PROGRAM)
    hooks = yamlc.value(new)["hooks"]
    assert hooks["post_tool_call"] == WANTED["hooks"]["post_tool_call"]
    assert [hook["command"] for hook in hooks["pre_future"]] == ["mine", f"{PROGRAM.text} hook --platform hermes"]


REFUSED = {
    "brackets with a hook": ("hooks: {a: [1]}\n", (1, 8), "`hooks` is not written as lines of its own"),
    "a list in brackets": ("hooks:\n  pre_tool_call: [{command: x}]\n", (2, 18), "`hooks.pre_tool_call` is not"),
    "an alias": ("h: &h\n  pre_tool_call: []\nhooks: *h\n", (3, 8), "put rulez' there by hand"),
    "all in brackets": ("{a: 1}\n", (1, 1), "the file is not written as lines of its own"),
    "a list of hooks": ("a: 1\nhooks:\n- x\n", (2, 1), "`hooks` is not a map with a list for each event"),
    "a word": ("hooks: x\n", (1, 1), "`hooks` is not a map"),
    "a word for a list": ("hooks:\n  pre_tool_call: x\n", (2, 18), "`hooks.pre_tool_call` is not"),
    "no settings": ("- a\n", (1, 1), "the file is not a map of settings"),
    "no YAML": ("a: [\n", (2, 1), "this is no YAML: did not find expected node content"),
    "a character": ("a: \x07\n", (1, 4), "YAML does not allow this character"),
    "two documents": ("a: 1\n---\nb: 1\n", (3, 1), "a second document begins here"),
    "too deep": ("a: " + "[" * 200 + "]" * 200 + "\n", (1, 104), "this is nested too deeply"),
    "a text to the file's end": (
        "hooks:\n  pre_tool_call:\n  - command: |\n      x",
        (1, 1),
        "do not fit below `hooks`",
    ),
    "an alias of nothing": ("a: *x\n", (1, 4), "nothing is called &x"),
}


@pytest.mark.parametrize(("text", "at", "said"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_fit_is_refused_with_its_place(text: str, at: tuple[int, int], said: str) -> None:
    with pytest.raises(Unreadable) as error:
        yaml_merge.with_ours(text, WANTED, PROGRAM)
    assert error.value.at == at
    assert said in error.value.message


def test_a_new_file_is_what_is_shown() -> None:
    assert yaml_merge.with_ours("", WANTED, PROGRAM) == filled("hermes", PROGRAM)
    assert snippet("hermes") == filled("hermes", ON_PATH)

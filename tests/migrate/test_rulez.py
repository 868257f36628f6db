"""RuleZ' rules as a policy: what is written, what is told, and that what RuleZ' documentation says is blocked is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.documents.diagnostics import errors
from rulez_py.migrate import rendered, rulez
from rulez_py.migrate.values import LOST, CannotRead
from rulez_py.policy.format.check import check
from tests.migrate.questions import rules_of, verdict

CASES = YAML(typ="safe").load(Path(__file__).parent / "rulez.yaml")
HEADER = "\nextends: [builtin:essentials]\n\n"


def as_yaml(data: object) -> bytes:
    """The data as YAML: JSON is, where surrogates are no pairs."""
    return json.dumps(data, ensure_ascii=False).translate(_ESCAPED).encode()


_ESCAPED = {code: f"\\u{code:04x}" for code in (0x7F, *range(0x80, 0xA0), 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF)}


def plain(_kind: str, text: str) -> str:
    return text


@pytest.mark.parametrize("case", CASES, ids=[case["title"] for case in CASES])
def test_what_is_written_and_told(case: dict[str, str]) -> None:
    found = rulez.migrated(case["source"].encode(), "hooks.yaml")
    header, _, policy = found.policy.partition(HEADER)
    assert policy == case["policy"]
    assert "\n".join(rendered.text(found, "hooks.yaml", plain)) + "\n" == case["report"]
    assert header.startswith("# yaml-language-server: $schema=schema.json\n# Made from hooks.yaml by `rulez migrate`")
    assert errors(check(found.policy.encode(), "policy").problems) == ()


def test_a_persons_own_scripts_run_elsewhere() -> None:
    source = b'version: "1.0"\nrules:\n  - {name: x, matchers: {}, actions: {run: check.sh}}\n'
    said = [one.message for one in rulez.migrated(source, "hooks.yaml", user=True).messages]
    assert "it runs in the directory of your policy, not in the project's (g)" in said
    assert not any("rulez trust" in one for one in said)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("", "hooks.yaml:1:1: error: the file is empty"),
        ("- a", "hooks.yaml:1:1: error: this is no hooks.yaml: a map with `version` and `rules` belongs here"),
        ("version: '1.0'", "hooks.yaml:1:1: error: this is no hooks.yaml: `rules`, a list, is missing"),
        ("rules:\n  a: b", "hooks.yaml:2:3: error: this is no hooks.yaml: `rules`, a list, is missing"),
        ("rules: [", "hooks.yaml:1:9: error:"),
        ("a: 1\na: 2\nrules: []", 'hooks.yaml:2:1: error: "a" is written twice in this map'),
        ("rules: &a [*a]", 'hooks.yaml:1:12: error: "*a" is inside the value it refers to'),
        ("rules: !!python/object:os.system x", "hooks.yaml:1:8: error:"),
        ("\xff\xfe", "hooks.yaml:1:1: error: the file is UTF-16"),
        ("[" * 100, "hooks.yaml:1:41: error: lists and maps are nested more than 40 deep"),
    ],
)
def test_what_is_no_hooks_yaml_is_refused_with_its_place(source: str, told: str) -> None:
    with pytest.raises(CannotRead, match="^" + re.escape(told)):
        rulez.migrated(source.encode("latin-1"), "hooks.yaml")


# Whatever is in a file.

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-100, 100) | st.text(max_size=8) | st.sampled_from(["x", "a.b", "(", ".*"]),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=5), inside, max_size=3),
    max_leaves=6,
)


def maps(*keys: str) -> st.SearchStrategy[Any]:
    some = st.dictionaries(st.sampled_from([*keys, "more"]), VALUES, max_size=4)
    return st.one_of(some, VALUES)


RULES = st.fixed_dictionaries(
    {},
    optional={
        "name": VALUES,
        "description": VALUES,
        "enabled_when": VALUES,
        "matchers": maps("tools", "operations", "command_match", "extensions", "prompt_match", "require_fields"),
        "actions": maps("block", "run", "inject", "inline_script", "block_if_match", "validate_expr"),
        "mode": VALUES,
        "priority": VALUES,
        "governance": maps("author", "tags"),
        "metadata": maps("priority", "timeout", "enabled"),
    },
)
FILES = st.fixed_dictionaries(
    {"rules": st.lists(RULES | VALUES, max_size=3)},
    optional={"version": VALUES, "settings": maps("fail_open", "script_timeout", "logging"), "more": VALUES},
)


@given(FILES)
def test_every_policy_is_valid_and_the_same_each_time(data: dict[str, Any]) -> None:
    source = as_yaml(data)
    try:
        found = rulez.migrated(source, "hooks.yaml")
    except CannotRead:
        return
    assert errors(check(found.policy.encode(), "policy").problems) == (), found.policy
    assert rulez.migrated(source, "hooks.yaml") == found
    lines = source.decode().count("\n") + 1
    assert all(1 <= one.at[0] <= lines for one in found.messages)


@given(st.binary(max_size=60))
def test_bytes_of_any_kind_are_read_or_refused(source: bytes) -> None:
    try:
        rulez.migrated(source, "hooks.yaml")
    except CannotRead as error:
        assert str(error).startswith("hooks.yaml:")


@given(st.text(max_size=40), st.text(max_size=40))
def test_texts_are_carried_over_whole(description: str, author: str) -> None:
    rule = {"name": "x", "description": description, "matchers": {}, "actions": {}, "governance": {"author": author}}
    source = as_yaml({"version": "1.0", "rules": [rule]})
    found = rulez.migrated(source, "hooks.yaml")
    checked = check(found.policy.encode(), "policy")
    assert checked.data is not None
    got = checked.data["rules"][0]
    assert (got.get("description"), got["governance"].get("author")) == (description, author)


# What RuleZ' documentation says of simple rules: a command that has the words is blocked.

WORDS = st.text("abcdefgh", min_size=1, max_size=4)
COMMANDS = st.lists(WORDS, min_size=1, max_size=3)


@given(COMMANDS, COMMANDS, st.sampled_from([[], ["Bash"], ["Bash", "Write"]]))
def test_a_command_that_a_rule_blocks_is_blocked(words: list[str], more: list[str], tools: list[str]) -> None:
    matchers = {"command_match": r"\s+".join(words), **({"tools": tools} if tools else {})}
    rule = {"name": "x", "matchers": matchers, "actions": {"block": True}}
    found = rulez.migrated(as_yaml({"version": "1.0", "rules": [rule]}), "hooks.yaml")
    assert not any(one.kind == LOST for one in found.messages)
    assert verdict(rules_of(found.policy), " ".join([*words, *more])) == "deny"


@given(WORDS, st.sampled_from(["Write", "Edit", "Read"]))
def test_a_file_that_a_rule_blocks_is_blocked(name: str, tool: str) -> None:
    rule = {"name": "x", "matchers": {"tools": [tool], "extensions": [f".{name}"]}, "actions": {"block": True}}
    found = rulez.migrated(as_yaml({"version": "1.0", "rules": [rule]}), "hooks.yaml")
    call = {"tool": tool, "file_path": f"src/x.{name}", "content": "", "old_string": "a", "new_string": "b"}
    rules = rules_of(found.policy)
    assert (verdict(rules, call), verdict(rules, {**call, "file_path": "src/x.other"})) == ("deny", "")

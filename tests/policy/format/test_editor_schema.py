"""The schema as editors read it, held against the policies that rulez reads, by another validator of JSON Schema."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from dev import lint_page
from rulez_py.cli.schema import AGENT, POLICY, text
from rulez_py.definitions.agents import format
from rulez_py.lint.checks import CHECKS
from rulez_py.platforms.tool_table import CANONICAL, VARIANTS
from rulez_py.policy import packs
from rulez_py.policy.format import schema
from rulez_py.policy.format.cases import run_cases
from rulez_py.policy.format.check import check
from rulez_py.policy.format.editor_schema import ADDED, SNIPPETS, for_editors

EDITORS = for_editors()
VALIDATOR = Draft202012Validator(EDITORS)
PLAIN = Draft202012Validator(schema.json_schema())


def without_what_is_added(part: Any, *, are_names: bool = False) -> Any:
    """A schema without the keywords for editors; of a map whose keys are names nothing is one."""
    if isinstance(part, dict):
        kept = part if are_names else {key: value for key, value in part.items() if key not in ADDED}
        return {
            key: without_what_is_added(value, are_names=key in ("properties", "$defs")) for key, value in kept.items()
        }
    return [without_what_is_added(item) for item in part] if isinstance(part, list) else part


def read(policy: str) -> Any:
    return YAML(typ="safe", pure=True).load(policy)


# Valid is what was valid.


def test_the_schemas_are_in_order() -> None:
    for one in (EDITORS, schema.json_schema(), format.json_schema()):
        Draft202012Validator.check_schema(one)


def test_what_is_for_editors_only_explains() -> None:
    assert without_what_is_added(EDITORS) == schema.json_schema()


def test_schemas_have_names_of_their_own() -> None:
    names = [json.loads(text(kind))["$id"] for kind in (POLICY, AGENT)]
    assert names == ["urn:rulez:schema:policy", "urn:rulez:schema:agent"]


@pytest.mark.parametrize("name", packs.names())
def test_a_rule_set_that_ships_is_valid_by_it(name: str) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(read(packs.text_of(name)))] == []


@pytest.mark.parametrize("one", CHECKS, ids=lambda one: one.code)
def test_an_example_of_lint_is_valid_by_it(one: Any) -> None:
    for policy, head in ((one.bad, one.bad_head), (one.good, one.good_head)):
        assert [error.message for error in VALIDATOR.iter_errors(read(lint_page.policy(policy, head)))] == []


@pytest.mark.parametrize(
    "rule",
    [
        "{name: a b, actions: {}}",
        "{actions: {}}",
        "{name: a, event: x}",
        "{name: a, matchers: {comand: git}}",
        "{name: a, matchers: {command: {program: git, flag: -f}}}",
        "{name: a, matchers: {operations: [BeforeTool1]}}",
        "{name: a, matchers: {tools: []}}",
        "{name: a, matchers: {tools: ''}}",
        "{name: a, except: {}}",
        "{name: a, mode: deny}",
        "{name: a, priority: high}",
        "{name: a, metadata: {enabled: 'no'}}",
        "{name: a, metadata: {timeout: 0}}",
        "{name: a, actions: {run: {args: [x]}}}",
    ],
)
def test_what_rulez_refuses_it_refuses(rule: str) -> None:
    policy = f'version: "1.0"\nrules:\n  - {rule}\n'
    assert check(policy.encode(), "f").data is None
    assert not VALIDATOR.is_valid(read(policy))
    assert not PLAIN.is_valid(read(policy))


@pytest.mark.parametrize("top", ["extends: [builtin:gti]", "version: '2.0'", "disable: {a: b}", "overrides: {a: {}}"])
def test_what_rulez_refuses_of_a_file_it_refuses(top: str) -> None:
    policy = (top if "version" in top else f'version: "1.0"\n{top}') + "\n"
    assert check(policy.encode(), "f").data is None
    assert not VALIDATOR.is_valid(read(policy))


# What an editor proposes.


def forms(key: str, part: dict[str, Any]) -> list[dict[str, Any]]:
    """A text alone, and in a list."""
    one, many = part["properties"][key]["anyOf"][:2]
    return [one, many["items"]]


def test_tools_are_proposed() -> None:
    for form in forms("tools", EDITORS["$defs"]["Matchers"]):
        assert {*CANONICAL, *VARIANTS} < set(form["examples"])


def test_what_is_proposed_for_one_key_is_not_for_others() -> None:
    text = json.dumps(schema.json_schema())
    assert json.dumps(for_editors()).count('"examples"') == len(["tools", "disable"]) * 2
    assert json.dumps(schema.json_schema()) == text


def test_what_is_proposed_for_tools_is_valid() -> None:
    (example, *_) = forms("tools", EDITORS["$defs"]["Matchers"])
    rule = {"name": "a", "matchers": {"tools": example["examples"]}, "actions": {}}
    assert check(json.dumps({"version": "1.0", "rules": [rule]}).encode(), "f").problems == ()


def test_rule_sets_are_proposed_with_what_they_are_for() -> None:
    for form in forms("extends", EDITORS):
        sets, files = form["anyOf"]
        assert [name.removeprefix(packs.PREFIX) for name in sets["enum"]] == list(packs.extendable())
        assert re.search(files["pattern"], "./team.yaml") and not re.search(files["pattern"], "team.yaml")
        assert sets["enumDescriptions"] == [packs.about(name) for name in packs.extendable()]


def test_rules_of_the_sets_are_proposed_to_be_disabled() -> None:
    for form in forms("disable", EDITORS):
        assert "no-force-push" in form["examples"]
        assert set(form["examples"]) == {rule for names in packs.reach(packs.extendable()).values() for rule in names}


def filled_in(part: Any) -> Any:
    """A snippet with what it proposes itself."""
    if isinstance(part, dict):
        return {key: filled_in(value) for key, value in part.items()}
    if isinstance(part, list):
        return [filled_in(item) for item in part]
    return re.sub(r"\$\{\d+:([^}]*)\}", r"\1", part) if isinstance(part, str) else part


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda snippet: snippet["label"])
def test_a_rule_that_is_proposed_is_in_order_and_its_tests_hold(snippet: dict[str, Any]) -> None:
    policy = {"version": "1.0", "rules": [filled_in(snippet["body"])]}
    assert VALIDATOR.is_valid(policy)
    content = json.dumps(policy).encode()
    assert check(content, "f").problems == ()
    tried = run_cases(content, "f")
    assert (tried.failures, tried.held) == ((), 2)
    assert snippet["description"]


# What an editor says.


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (("Rule", "name", "patternErrorMessage"), "may hold only letters, digits, - and _, like no-force-push"),
        (("Metadata", "enabled", "errorMessage"), "must be true or false, without quotes"),
        (("Metadata", "timeout", "errorMessage"), "must be a number above 0, without quotes"),
        (("Rule", "priority", "errorMessage"), "must be a whole number, without quotes"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else "",
)
def test_what_is_said_of_a_value(path: tuple[str, str, str], message: str) -> None:
    name, key, keyword = path
    assert EDITORS["$defs"][name]["properties"][key][keyword] == message


def test_of_an_unknown_key_it_is_said_which_there_are() -> None:
    for name, part in EDITORS["$defs"].items():
        if part.get("additionalProperties") is False:
            assert part["errorMessage"].endswith(", ".join(part["properties"])), name


# Where it is published.

PUBLISHED = Path(__file__).parents[3] / "docs" / "schema"


@pytest.mark.parametrize("kind", [POLICY, AGENT])
def test_the_schema_of_the_docs_is_the_one_that_rulez_prints(kind: str) -> None:
    assert (PUBLISHED / f"{kind}.json").read_text("utf-8") == text(kind), "run `make schemas`"

"""The policy file format: what is refused, in which words, and what is accepted."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.analysis import ORIGINS, VIA
from rulez_py.documents import types
from rulez_py.documents.diagnostics import Diagnostic, errors
from rulez_py.event import EVENT_TYPES
from rulez_py.event.arguments import ACCESSES
from rulez_py.hook import call, values
from rulez_py.platforms import PLATFORMS
from rulez_py.policy import packs
from rulez_py.policy.format import prerequisites, schema
from rulez_py.policy.format.check import check
from rulez_py.policy.packs import build
from rulez_py.system import scripts

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).parent / "problems.yaml")

FRAMES = {
    "file": "{}",
    "rule": 'version: "1.0"\nrules:\n  - name: r\n    {}\n',
    "matchers": 'version: "1.0"\nrules:\n  - name: r\n    matchers: {}\n    actions: {{block: true}}\n',
    "actions": 'version: "1.0"\nrules:\n  - name: r\n    matchers: {{tools: [Bash]}}\n    actions: {}\n',
    "settings": 'version: "1.0"\nsettings: {}\nrules: []\n',
}


def framed(kind: str, text: str) -> str:
    """A whole file around one piece of it."""
    return FRAMES[kind].format(text.rstrip("\n").replace("\n", "\n    ") if kind == "rule" else text)


def told(problems: tuple[Diagnostic, ...]) -> list[str]:
    return [
        f"{one.line}:{one.column}: {'warning: ' if one.severity == 'warning' else ''}{one.text}" for one in problems
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_problems(case: dict[str, Any]) -> None:
    (kind,) = FRAMES.keys() & case.keys()
    checked = check(framed(kind, case[kind]).encode(), "rules.yaml", layer=case.get("layer", ""))
    # RuleZ files with `rules: []` frame the settings; that they hold no rules is told elsewhere.
    said = [line for line in told(checked.problems) if kind != "settings" or "this file has no rules" not in line]
    assert said == case["problems"]
    assert (checked.data is None) == any(": warning: " not in line for line in said)


def test_a_hook_s_scripts_have_the_time_that_is_told() -> None:
    assert values.TIME_BUDGET - call.SCRIPT_RESERVE - scripts.RESERVE == prerequisites.SCRIPTS_HAVE


def test_a_problem_names_its_file() -> None:
    (problem,) = check(b"version: 2\nrules: []\nextends: builtin:essentials\n", ".rulez/rules.yaml").problems
    assert str(problem) == '.rulez/rules.yaml:1:10: "version" cannot be the number 2; write version: "1.0"'


@pytest.mark.parametrize(("size", "warned"), [(10_000, False), (10_001, True)])
def test_long_inline_scripts(size: int, warned: bool) -> None:
    problems = check(framed("actions", f"{{inline_script: {'x' * size}}}").encode(), "f").problems
    message = '5:30: warning: "inline_script" in rule "r" is longer than 10000 bytes; put it in a file and use "run"'
    assert told(problems) == ([message] if warned else [])


@pytest.mark.parametrize(("layer", "warned"), [("project", True), ("user", False), ("managed", False)])
def test_a_project_cannot_switch_self_protection_off(layer: str, warned: bool) -> None:
    content = b'version: "1.0"\nsettings: {self_protection: false}\n'
    problems = told(check(content, "f", layer=layer).problems)
    message = '2:29: warning: "settings.self_protection" has no effect in a project'
    assert problems == ([f"{message}; only the managed and the user's own policy decide that"] if warned else [])


@pytest.mark.parametrize(("layer", "warned"), [("project", True), ("user", True), ("managed", False), ("", False)])
def test_only_the_machines_policy_forbids_exceptions(layer: str, warned: bool) -> None:
    problems = told(check(b'version: "1.0"\nsettings: {exceptions: false}\n', "f", layer=layer).problems)
    message = '2:24: warning: "settings.exceptions" has no effect here; only the managed policy decides that'
    assert problems == ([message] if warned else [])


# What is accepted, and in which shape it goes on.


def data_of(kind: str, text: str) -> Any:
    checked = check(framed(kind, text).encode(), "f")
    assert errors(checked.problems) == ()
    assert checked.data is not None
    return checked.data


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("{tools: Bash}", {"tools": ["Bash"]}),
        ("{command_match: rm}", {"command_match": ["rm"]}),
        ("{operations: PreToolUse}", {"operations": ["PreToolUse"]}),
        ("{paths: .env}", {"paths": {"globs": [".env"]}}),
        ("{paths: [.env, '!.env.example']}", {"paths": {"globs": [".env", "!.env.example"]}}),
        ("{paths: {globs: .env, access: read}}", {"paths": {"globs": [".env"], "access": ["read"]}}),
        ("{command: git}", {"command": {"program": ["git"]}}),
        ("{command: [git, hg]}", {"command": {"program": ["git", "hg"]}}),
        ("{command: [hg, {program: git}]}", {"command": [{"program": ["hg"]}, {"program": ["git"]}]}),
        ("{command: {subcommand: push}}", {"command": {"subcommand": [["push"]]}}),
        ("{command: {subcommand: [a, b]}}", {"command": {"subcommand": [["a", "b"]]}}),
        ("{command: {subcommand: [[a], [b, c]]}}", {"command": {"subcommand": [["a"], ["b", "c"]]}}),
        ("{command: {any_flag: -f, via: shell}}", {"command": {"any_flag": ["-f"], "via": ["shell"]}}),
        ("{command: {opaque: true}}", {"command": {"opaque": True}}),
        ("{command: {opaque: code}}", {"command": {"opaque": ["code"]}}),
        ("{prompt_match: secret}", {"prompt_match": {"patterns": ["secret"]}}),
        ("{prompt_match: [a, 'not:b']}", {"prompt_match": {"patterns": ["a", "not:b"]}}),
        ("{prompt_match: {patterns: a, mode: all}}", {"prompt_match": {"patterns": ["a"], "mode": "all"}}),
        ("{mcp: {server: github}}", {"mcp": [{"server": ["github"]}]}),
        ("{mcp: [{tool: [a, b]}, {}]}", {"mcp": [{"tool": ["a", "b"]}, {}]}),
        ("{require_fields: a.0.b}", {"require_fields": ["a.0.b"]}),
        ("{field_types: {a.b: any}}", {"field_types": {"a.b": "any"}}),
        ("{}", {}),
    ],
)
def test_short_forms_of_matchers(short: str, long: dict[str, Any]) -> None:
    assert data_of("matchers", short)["rules"][0]["matchers"] == long


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("{block: true}", {"block": True}),
        ("{block: false}", {"block": False}),
        ("{ask: Is this meant?}", {"ask": "Is this meant?"}),
        ("{run: a.sh --x}", {"run": {"script": "a.sh --x"}}),
        ("{run: {script: a.sh, args: -v, timeout: 2}}", {"run": {"script": "a.sh", "args": ["-v"], "timeout": 2}}),
        ("{block_if_match: [a, b]}", {"block_if_match": ["a", "b"]}),
        ("{rewrite: {command: ls, timeout: ~}}", {"rewrite": {"command": "ls", "timeout": None}}),
    ],
)
def test_short_forms_of_actions(short: str, long: dict[str, Any]) -> None:
    assert data_of("actions", short)["rules"][0]["actions"] == long


@pytest.mark.parametrize("version", ['"1.0"', "'1'", "1", "1.0"])
def test_versions(version: str) -> None:
    assert data_of("file", f"version: {version}\nrules: []\n")["version"] == "1.0"


RULEZ = """\
version: "1.0"
settings: {log_level: info, max_context_size: 1048576, script_timeout: 5, fail_open: true, debug_logs: false,
           logging: {backends: []}}
rules:
  - name: everything
    description: Every key RuleZ 2.3.0 has
    enabled_when: tool_name == "Bash" && env_CI != "true" && prompt != "x" && tool_input_timeout == 30.0
    matchers:
      tools: [Bash]
      extensions: [.rs]
      directories: [src/, "**/*.rs"]
      operations: [PreToolUse, SubagentStart]
      command_match: 'rm\\s+-rf'
      prompt_match:
        {patterns: [delete, "not:safe", "contains_word:drop"], mode: all, case_insensitive: true, anchor: start}
      require_fields: [user.name]
      field_types: {user.name: string, user.age: number, a: boolean, b: array, c: object, d: any}
    actions:
      inject: .claude/context.md
      inject_inline: text
      inject_command: echo x
      run: {script: .claude/check.sh, trust: local}
      block: true
      block_if_match: secret
      validate_expr: has_field("user.name") && get_field("user.name") != ""
    mode: warn
    priority: 100
    governance:
      {author: a, created_by: b, reason: c, confidence: high, last_reviewed: 2025-01-31, ticket: T-1, tags: [x]}
    metadata: {priority: 1, timeout: 10, enabled: true}
  - name: the-rest
    description: ~
    governance: ~
    metadata: {}
    matchers: {}
    actions: {run: check.sh}
  - {name: scripted, matchers: {tools: [Write]}, actions: {inline_script: "#!/bin/sh\\nexit 0\\n"}}
"""


def test_a_file_with_everything_rulez_had_is_valid() -> None:
    checked = check(RULEZ.encode(), "hooks.yaml")
    assert told(checked.problems) == [
        '2:23: warning: "settings.log_level" has no effect here',
        '2:104: warning: "settings.debug_logs" has no effect here',
        '3:21: warning: "settings.logging" has no effect here',
        '7:19: warning: "enabled_when" in rule "everything" reads "timeout", which a call may leave out,'
        ' and then `on_error` decides; ask first: has_field("timeout") && ...',
        '22:46: warning: "run.trust" in rule "everything" has no effect here;'
        " whether scripts run is decided by `rulez trust`",
    ]
    assert checked.data is not None
    assert checked.rule_lines == (5, 31, 37)


@pytest.mark.parametrize("name", [name for name in os.listdir(packs.DIRECTORY) if name.endswith(".yaml")])
def test_what_ships_is_valid(name: str) -> None:
    checked = check(packs.text_of(name.removesuffix(".yaml")).encode(), packs.PREFIX + name)
    assert told(checked.problems) == []
    assert checked.data is not None and (checked.data.get("rules") or checked.data.get("extends"))
    _, form = build.checked(name.removesuffix(".yaml"))
    assert (form["data"], form["rule_lines"]) == (checked.data, list(checked.rule_lines))


# Whatever is in a file, it is told in our words.

VALID: dict[str, Any] = {
    "version": "1.0",
    "extends": ["builtin:essentials"],
    "disable": ["no-force-push"],
    "settings": {"on_error": "deny", "script_timeout": 5, "self_protection": True},
    "rules": [
        {
            "name": "a",
            "matchers": {
                "tools": ["Bash"],
                "paths": {"globs": ["a"], "access": ["read"]},
                "command": {
                    "program": ["a"],
                    "subcommand": [["a", "b"], ["c"]],
                    "any_flag": ["-f"],
                    "args": ["re:a"],
                    "opaque": ["code"],
                },
                "prompt_match": {"patterns": ["a"], "mode": "any"},
                "mcp": [{"server": ["x"]}],
                "field_types": {"a": "string"},
                "domains": ["example.com"],
            },
            "except": [{"command_match": ["a"]}],
            "actions": {"block": True, "run": {"script": "a.sh", "args": ["b"]}, "rewrite": {"command": "ls"}},
            "governance": {"tags": ["x"], "confidence": "high"},
            "tests": {"deny": ["rm"]},
        }
    ],
}

JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**40), 2**40),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", " ", "x", "(", "yes", "mcp__*", "a b", "é\n", "[z-a]", "http://x"]),
    st.just([]),
    st.just({}),
    st.just([[]]),
    st.just({"x": 1}),
)


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places_in(item, (*path, key))


def changed(path: tuple[Any, ...], junk: Any) -> Any:
    """`VALID` with one part replaced."""
    if not path:
        return junk
    result = copy.deepcopy(VALID)
    target: Any = result
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = junk
    return result


@given(path=st.sampled_from(list(places_in(VALID))), junk=JUNK)
def test_every_refusal_is_told(path: tuple[Any, ...], junk: Any) -> None:
    data, refusals = schema.read(changed(path, junk))
    assert data == {} or refusals == []
    assert [one for one in refusals if not one.predicate and one.kind not in (types.UNKNOWN, types.MISSING)] == []


@given(path=st.sampled_from(list(places_in(VALID))), junk=JUNK)
def test_data_of_any_shape_is_checked(path: tuple[Any, ...], junk: Any) -> None:

    checked = check(json.dumps(changed(path, junk), ensure_ascii=False).encode(), "f")
    assert (checked.data is None) == bool(errors(checked.problems))
    for one in checked.problems:
        assert one.message and "\n" not in str(one)
        assert one.line == 1
        assert not one.message.endswith(".") and not one.help.endswith(".")


# The JSON Schema.


def maps_in(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        if "properties" in part:
            yield part
        for item in part.values():
            yield from maps_in(item)
    elif isinstance(part, list):
        for item in part:
            yield from maps_in(item)


def test_the_json_schema_describes_every_key() -> None:
    described = schema.json_schema()
    assert described["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert described["title"] == "rulez policy file"
    assert tuple(described["properties"]) == schema.FILE.keys()
    for part in maps_in(described):
        assert part["additionalProperties"] is False
        assert part["description"]
        assert [key for key, value in part["properties"].items() if not value.get("description")] == []


def test_the_json_schema_knows_the_keys_of_every_map() -> None:
    defined = schema.json_schema()["$defs"]
    assert tuple(defined["Rule"]["properties"]) == schema.RULE.keys()
    for one in schema.MAPS.values():
        assert tuple(defined[one.name]["properties"]) == one.keys()


@pytest.mark.parametrize(
    ("model", "key", "choices"),
    [
        ("Matchers", "operations", EVENT_TYPES),
        ("Matchers", "platforms", PLATFORMS),
        ("Paths", "access", ACCESSES),
        ("Command", "via", VIA),
        ("Command", "stdin_from", ORIGINS),
    ],
)
def test_the_json_schema_lists_choices_alone_and_in_a_list(model: str, key: str, choices: tuple[str, ...]) -> None:
    one, many = schema.json_schema()["$defs"][model]["properties"][key]["anyOf"]
    assert one["enum"] == many["items"]["enum"] == list(choices)


@pytest.mark.parametrize(
    ("model", "key", "kinds"),
    [
        ("Matchers", "tools", ["string", "array"]),
        ("Matchers", "paths", ["string", "array", "#/$defs/Paths"]),
        ("Matchers", "command", ["string", "array", "#/$defs/Command"]),
        ("Command", "opaque", ["boolean", "string", "array"]),
        ("Command", "subcommand", ["string", "array", "array"]),
        ("Matchers", "prompt_match", ["string", "array", "#/$defs/PromptMatch"]),
        ("Matchers", "mcp", ["#/$defs/Mcp", "array"]),
        ("Actions", "run", ["string", "#/$defs/Run"]),
        ("Actions", "block", ["boolean", "string"]),
        ("Rule", "description", ["string", "null"]),
    ],
)
def test_the_json_schema_has_the_short_forms(model: str, key: str, kinds: list[str]) -> None:
    forms = schema.json_schema()["$defs"][model]["properties"][key]["anyOf"]
    assert [form.get("type") or form["$ref"] for form in forms] == kinds


def test_what_must_be_there() -> None:
    described = schema.json_schema()
    assert described["required"] == ["version"]
    required = {name: part["required"] for name, part in described["$defs"].items() if "required" in part}
    assert required == {
        "Rule": ["name"],
        "PromptMatch": ["patterns"],
        "Paths": ["globs"],
        "Flow": ["from"],
        "Loses": ["kinds"],
        "Domains": ["only"],
        "Pushes": ["to"],
        "Run": ["script"],
        "Remember": ["key"],
        "AtMost": ["times"],
        "Case": ["tool", "tool_input"],
    }

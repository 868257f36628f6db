"""A checked file -> the rules `match.py` reads."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.documents.diagnostics import errors
from rulez_py.policy.format.check import check
from rulez_py.policy.format.compile import compile_rules, on_error
from rulez_py.policy.matchers import KINDS, matcher
from rulez_py.policy.patterns import regex
from rulez_py.system import jsontext
from tests.policy.compiled import regexes

FRAME = """\
version: "1.0"
settings: {settings}
rules:
  - name: r
    matchers: {matchers}
    actions: {actions}
    {rest}
"""


def compiled(
    *,
    matchers: str = "{tools: [Bash]}",
    actions: str = "{block: true}",
    settings: str = "{}",
    rest: str = "",
    layer: str = "user",
    root: str = "/nowhere",
    trusted: bool = True,
) -> list[Any]:
    text = FRAME.format(matchers=matchers, actions=actions, settings=settings, rest=rest.replace("\n", "\n    "))
    checked = check(text.encode(), "rules.yaml")
    assert errors(checked.problems) == ()
    assert checked.data is not None
    return compile_rules(checked.data, checked.rule_lines, layer=layer, shown="rules.yaml", root=root, trusted=trusted)


@pytest.mark.parametrize("kind", KINDS)
def test_no_matcher_is_lost(kind: str) -> None:
    """INVARIANT: a rule that has lost a matcher would deny, or allow, what nobody has written."""
    example = f"{{{matcher(kind).EXAMPLE}}}"
    (rule,) = compiled(matchers=example, rest=f"except: {example}")
    assert list(rule["match"]) == list(rule["except"][0]) == [kind]


def test_a_matcher_that_nobody_compiles_is_an_error() -> None:
    data = {"rules": [{"name": "r", "matchers": {"tools": ["Bash"], "moods": ["bad"]}, "actions": {"block": True}}]}
    with pytest.raises(KeyError, match="moods"):
        compile_rules(data, (1,), layer="user", shown="rules.yaml", root="/nowhere", trusted=True)


def test_a_rule_with_nothing_but_the_least() -> None:
    assert compiled() == [
        {
            "name": "r",
            "description": "",
            "suggestion": "",
            "why": "",
            "layer": "user",
            "source": "rules.yaml:4",
            "trusted": True,
            "root": "/nowhere",
            "mode": "enforce",
            "priority": 0,
            "timeout": 5.0,
            "on_error": "deny",
            "max_context": 1048576,
            "enabled_when": None,
            "match": {"tools": ["Bash"]},
            "except": [],
            "actions": {"block": True},
        }
    ]


def test_a_rule_with_everything_people_say_about_it() -> None:
    rest = "description: d\nsuggestion: s\nmode: warn\npriority: 7\nenabled_when: 'true'\ngovernance: {reason: w}"
    (rule,) = compiled(rest=rest, layer="project", trusted=False)
    said = {key: rule[key] for key in ("description", "suggestion", "mode", "priority", "enabled_when", "why")}
    assert said == {
        "description": "d",
        "suggestion": "s",
        "mode": "warn",
        "priority": 7,
        "enabled_when": "true",
        "why": "w",
    }
    assert (rule["layer"], rule["trusted"]) == ("project", False)


@pytest.mark.parametrize(
    ("rest", "priority"),
    [
        ("", 0),
        ("metadata: {priority: 3}", 3),
        ("priority: 5\nmetadata: {priority: 3}", 5),
        ("priority: 0\nmetadata: {priority: 3}", 0),
        ("priority: -2", -2),
    ],
)
def test_priority(rest: str, priority: int) -> None:
    assert compiled(rest=rest)[0]["priority"] == priority


@pytest.mark.parametrize(
    ("settings", "rest", "timeout"),
    [
        ("{}", "", 5.0),
        ("{script_timeout: 20}", "", 20.0),
        ("{script_timeout: 20}", "metadata: {timeout: 1.5}", 1.5),
        # RuleZ falls back to 5 seconds as soon as there is any metadata
        ("{script_timeout: 20}", "metadata: {priority: 1}", 20.0),
    ],
)
def test_time_limit(settings: str, rest: str, timeout: float) -> None:
    assert compiled(settings=settings, rest=rest)[0]["timeout"] == timeout


def test_a_program_can_have_a_time_limit_of_its_own() -> None:
    (rule,) = compiled(actions="{run: {script: a, timeout: 2}}", rest="metadata: {timeout: 9}")
    assert (rule["timeout"], rule["actions"]["run"]["timeout"]) == (9.0, 2.0)


@pytest.mark.parametrize(("enabled", "count"), [("true", 1), ("false", 0)])
def test_a_rule_can_be_switched_off(enabled: str, count: int) -> None:
    assert len(compiled(rest=f"metadata: {{enabled: {enabled}}}")) == count


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("{}", None),
        ("{on_error: ask}", "ask"),
        ("{fail_open: true}", None),
        ("{fail_open: false}", None),
        ("{fail_open: true, on_error: ask}", "ask"),
    ],
)
@pytest.mark.parametrize("trusted", [True, False])
def test_what_an_error_comes_to(settings: str, said: str | None, trusted: bool) -> None:
    data = check(f'version: "1.0"\nsettings: {settings}\n'.encode(), "f").data
    assert data is not None
    assert on_error(data) == said
    # INVARIANT: a file nobody has trusted cannot let errors through
    assert compiled(settings=settings, trusted=trusted)[0]["on_error"] == ((said if trusted else None) or "deny")


@pytest.mark.parametrize(
    ("settings", "trusted", "said"),
    [
        ("{}", True, None),
        ("{fail_open: true}", True, "allow"),
        ("{fail_open: true}", False, None),
        ("{fail_open: false}", True, None),
        ("{fail_open: true, on_error: ask}", True, None),
    ],
)
def test_fail_open_is_for_run_scripts_alone(settings: str, trusted: bool, said: str | None) -> None:
    (rule,) = compiled(settings=settings, actions="{run: a, inline_script: b}", trusted=trusted)
    assert rule["actions"]["run"]["on_error"] == said
    assert settings.endswith("ask}") or rule["on_error"] == "deny"


def test_how_much_a_rule_may_inject() -> None:
    assert compiled(settings="{max_context_size: 100}")[0]["max_context"] == 100


# Matchers.


@pytest.mark.parametrize(
    ("matchers", "match"),
    [
        ("{paths: a}", {"paths": {"globs": ["a"], "texts": ["a"], "access": ["read", "write", "delete", "send"]}}),
        ("{paths: {globs: [a], access: write}}", {"paths": {"globs": ["a"], "texts": ["a"], "access": ["write"]}}),
        ("{mcp: {}}", {"mcp": [{"server": ["*"], "tool": ["*"]}]}),
        (
            "{mcp: [{server: a}, {tool: [b, c]}]}",
            {"mcp": [{"server": ["a"], "tool": ["*"]}, {"server": ["*"], "tool": ["b", "c"]}]},
        ),
        ("{field_types: {a.b: number}}", {"field_types": {"a.b": "number"}}),
        (
            "{operations: Stop, platforms: claude, extensions: .py, directories: src, domains: [Example.com],"
            " require_fields: a, content_match: x, input_match: [y], command_match: z}",
            {
                "operations": ["Stop"],
                "platforms": ["claude"],
                "extensions": [".py"],
                "directories": ["src"],
                "domains": ["Example.com"],
                "require_fields": ["a"],
                "content_match": regexes("x"),
                "input_match": regexes("y"),
                "command_match": regexes("z"),
            },
        ),
        ("{}", {}),
    ],
)  # fmt: skip
def test_matchers(matchers: str, match: dict[str, Any]) -> None:
    assert compiled(matchers=matchers)[0]["match"] == match


def test_except_is_compiled_alike() -> None:
    assert compiled(rest="except: {paths: a, tools: Edit}")[0]["except"] == [
        {"tools": ["Edit"], "paths": {"globs": ["a"], "texts": ["a"], "access": ["read", "write", "delete", "send"]}}
    ]
    assert len(compiled(rest="except: [{paths: a}, {tools: Edit}]")[0]["except"]) == 2


@pytest.mark.parametrize(
    ("prompt_match", "hits", "misses"),
    [
        ("delete", ["please delete it", "undeleted"], ["DELETE", ""]),
        ("{patterns: a|b, anchor: start}", ["a x", "b x"], ["x b", "x a"]),
        ("{patterns: a|b, anchor: end}", ["x a", "x b"], ["a x", "b x", "x b\n"]),
        ("{patterns: a|b, anchor: contains}", ["x a y"], ["xyz"]),
        ("{patterns: Delete, case_insensitive: true}", ["DELETE", "delete"], ["x"]),
        ("{patterns: Straße, case_insensitive: true, anchor: start}", ["straße"], ["x straße"]),
        ("contains_word:delete", ["please delete it", "delete"], ["undelete", "deleted"]),
        ("'contains_word: a.b '", ["x a.b y"], ["x axb y"]),
        ("{patterns: contains_word:drop, case_insensitive: true, anchor: start}", ["Drop it"], ["to drop", "dropped"]),
    ],
)
def test_prompt_patterns(prompt_match: str, hits: list[str], misses: list[str]) -> None:
    (pattern,) = compiled(matchers=f"{{prompt_match: {prompt_match}}}")[0]["match"]["prompt_match"]["patterns"]
    assert pattern["negate"] is False
    assert [text for text in hits if not regex.any_fits([pattern], text)] == []
    assert [text for text in misses if regex.any_fits([pattern], text)] == []


def test_prompt_patterns_can_be_negated() -> None:
    matchers = "{prompt_match: {patterns: ['not:safe', 'not: contains_word: dry ', 'notes: x'], mode: all}}"
    assert compiled(matchers=matchers)[0]["match"]["prompt_match"] == {
        "patterns": [
            {"regex": "safe", "literals": ["safe"], "negate": True},
            {"regex": r"\bdry\b", "literals": ["dry"], "negate": True},
            {"regex": "notes: x", "literals": ["notes: x"], "negate": False},
        ],
        "mode": "all",
    }


# Actions.


@pytest.mark.parametrize(
    ("actions", "compiled_actions"),
    [
        ("{block: true}", {"block": True}),
        ("{block: because}", {"block": "because"}),
        ("{block: false, ask: sure?}", {"ask": "sure?"}),
        ("{allow: true}", {"allow": True}),
        ("{block: false}", {}),
        ("{}", {}),
        ("{block_if_match: x}", {"block_if_match": ["x"]}),
        (
            "{rewrite: {command: ls}, inject_inline: a, inject: b.md, inject_command: c | d, validate_expr: 'true'}",
            {
                "rewrite": {"command": "ls"},
                "inject_inline": "a",
                "inject": "b.md",
                "inject_command": "c | d",
                "validate_expr": "true",
            },
        ),
        ("{inline_script: exit 0}", {"inline_script": "exit 0"}),
    ],
)
def test_actions(actions: str, compiled_actions: dict[str, Any]) -> None:
    assert compiled(actions=actions)[0]["actions"] == compiled_actions


@pytest.mark.parametrize(
    ("run", "command", "shell", "looked_for"),
    [
        ("ruff", ["ruff"], False, ("/nowhere/ruff", False)),
        (
            "ruff check --fix 'a b'",
            ["ruff", "check", "--fix", "a b"],
            False,
            ("/nowhere/ruff check --fix 'a b'", False),
        ),
        ("{script: check me, args: ['a b', c]}", ["check me", "a b", "c"], False, ("/nowhere/check me", False)),
        ("{script: check me, args: []}", ["check me"], False, ("/nowhere/check me", False)),
        ("{script: 'a | b', shell: true}", ["a | b"], True, None),
        ("scripts/x.sh -v", ["scripts/x.sh", "-v"], False, ("/nowhere/scripts/x.sh -v", False)),
    ],
)
def test_programs(run: str, command: list[str], shell: bool, looked_for: tuple[str, bool] | None) -> None:
    assert compiled(actions=f"{{run: {run}}}")[0]["actions"]["run"] == {
        "command": command,
        "shell": shell,
        "timeout": None,
        "on_error": None,
        "looked_for": looked_for,
    }


@pytest.mark.parametrize(
    ("run", "rest"),
    [("check me.sh", []), ("./check me.sh", []), ("{script: check me.sh, args: [-v]}", ["-v"])],
)
def test_a_file_that_is_there_is_the_program_whatever_its_name(tmp_path: Path, run: str, rest: list[str]) -> None:
    (tmp_path / "check me.sh").touch()
    command = compiled(actions=f"{{run: {run}}}", root=str(tmp_path))[0]["actions"]["run"]["command"]
    assert os.path.samefile(command[0], tmp_path / "check me.sh")
    assert os.path.isabs(command[0])
    assert command[1:] == rest


def test_a_directory_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "check me").mkdir()
    command = compiled(actions="{run: check me}", root=str(tmp_path))[0]["actions"]["run"]["command"]
    assert command == ["check", "me"]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.text(st.characters(codec="ascii", exclude_categories=["C"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["a", "b"]), inner),
    max_leaves=10,
)


@given(JSON)
def test_compiled_rules_survive_a_cache(value: object) -> None:
    rules = compiled(actions=f"{{rewrite: {{x: {jsontext.dumps(value)}}}}}", settings="{script_timeout: 0.1}")
    assert rules[0]["actions"]["rewrite"] == {"x": value}
    assert jsontext.loads(jsontext.dumps(rules)) == rules

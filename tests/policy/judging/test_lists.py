"""`!x` means "not" in every list of globs, and is refused where it could not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.lint.lint import lint
from rulez_py.policy.format.check import check
from rulez_py.policy.format.compile import compile_rules
from rulez_py.policy.judging import index
from rulez_py.policy.judging.matching import is_excepted, matches
from rulez_py.policy.patterns import globs
from rulez_py.system import jsontext
from tests.events import HOME, ROOT, facts_of
from tests.platforms import adapter

Entries = list[str]


def event(tool: str, arguments: dict[str, Any]) -> Any:
    payload = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": ROOT, "tool_name": tool}
    return adapter("claude").parse({**payload, "tool_input": arguments}, None)


def bash(line: str) -> Any:
    return event("Bash", {"command": line})


LISTS: dict[str, tuple[Callable[[Entries], dict[str, Any]], str, Callable[[str], Any], dict[str, str]]] = {
    "domains": (lambda of: {"domains": of}, "*", lambda x: bash(f"curl https://{x}.dev/a"), {"x": "x.dev"}),
    "agent_types": (lambda of: {"agent_types": of}, "*", lambda x: bash("ls").replace(agent_type=x), {}),
    "command.program": (lambda of: {"command": {"program": of}}, "*", lambda x: bash(f"{x} a"), {}),
    "command.operands": (lambda of: {"command": {"operands": of}}, "*", lambda x: bash(f"tool {x}"), {}),
    "command.operands with a regex": (
        lambda of: {"command": {"operands": of}},
        "re:.",
        lambda x: bash(f"tool {x}"),
        {"x": "re:^x$"},
    ),
    "command.args": (lambda of: {"command": {"program": "tool", "args": of}}, "*", lambda x: bash(f"tool {x}"), {}),
    "command.stdin": (
        lambda of: {"command": {"program": "tool", "stdin": of}},
        "*",
        lambda x: bash(f"printf %s {x} | tool"),
        {},
    ),
    "command.cwd": (lambda of: {"command": {"program": "ls", "cwd": of}}, "**", lambda x: bash(f"cd {x} && ls"), {}),
    "several commands": (
        lambda of: {"command": [{"program": "nothing"}, {"operands": of}]},
        "*",
        lambda x: bash(f"tool {x}"),
        {},
    ),
    "paths": (lambda of: {"paths": {"globs": of}}, "**", lambda x: event("Read", {"file_path": x}), {}),
    "directories": (
        lambda of: {"directories": of},
        "**",
        lambda x: event("Read", {"file_path": f"{x}/a"}),
        {"x": "x/"},
    ),
    "projects": (lambda of: {"projects": of}, "**", lambda x: x, {"x": "~/x", "y": "~/y"}),
    "mcp.server": (lambda of: {"mcp": {"server": of}}, "*", lambda x: event(f"mcp__{x}__t", {}), {}),
    "mcp.tool": (lambda of: {"mcp": {"tool": of}}, "*", lambda x: event(f"mcp__s__{x}", {}), {}),
}
"""List -> matchers with it, the entry that fits everything, an event that has x or y, and how x is written."""


def compiled(matchers: dict[str, Any], exception: dict[str, Any] | None = None) -> Any:
    written = {"name": "r", "matchers": matchers, "actions": {"block": True}}
    written |= {"except": exception} if exception else {}
    found = check(jsontext.dumps({"version": "1.0", "rules": [written]}).encode(), "f")
    assert found.data is not None, found.problems
    return compile_rules(found.data, found.rule_lines, layer="user", shown="f", root="/", trusted=True)[0]


def facts(one: Any) -> Any:
    if isinstance(one, str):
        found = facts_of(bash("ls"))
        return found.in_project(f"{HOME}/{one}")
    return facts_of(one)


@pytest.mark.parametrize("name", LISTS)
def test_everything_but_x_fits_y_and_not_x(name: str) -> None:
    matchers, everything, sent, spelled = LISTS[name]
    rule = compiled(matchers([everything, f"!{spelled.get('x', 'x')}"]))
    assert [matches(rule["match"], facts(sent(one))) for one in ("x", "y")] == [False, True]


@pytest.mark.parametrize("name", LISTS)
def test_what_is_taken_out_can_be_put_in_again(name: str) -> None:
    matchers, everything, sent, spelled = LISTS[name]
    x = spelled.get("x", "x")
    rule = compiled(matchers([everything, f"!{x}", x]))
    assert matches(rule["match"], facts(sent("x")))


@pytest.mark.parametrize("name", LISTS)
def test_a_rule_is_found_by_what_it_fits_and_not_by_what_it_takes_out(name: str) -> None:
    matchers, everything, sent, spelled = LISTS[name]
    packed = index.pack([compiled(matchers([everything, f"!{spelled.get('x', 'x')}"]))])
    assert [one["name"] for one in index.select(packed, facts(sent("y")))] == ["r"]


@pytest.mark.parametrize("name", LISTS)
def test_an_exception_for_everything_but_x_is_none_for_x(name: str) -> None:
    matchers, everything, sent, spelled = LISTS[name]
    rule = compiled(matchers([everything]), matchers([everything, f"!{spelled.get('x', 'x')}"]))
    assert [is_excepted(rule["except"], rule["match"], facts(sent(one))) for one in ("x", "y")] == [False, True]


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize(("before", "told"), [((), "never fits"), (("z",), "")])
def test_lint_and_validate_say_where_nothing_can_be_taken_out(name: str, before: Entries, told: str) -> None:
    matchers, *_ = LISTS[name]
    for entries, said in (([*before, "!x"], told), (["!x", "z"], "takes nothing out")):
        rules = [{"name": "r", "matchers": matchers(entries), "actions": {"block": "x"}}]
        text = jsontext.dumps({"version": "1.0", "rules": rules})
        found = [one.message for one in lint(text.encode(), "f", only=("RZ105",))]
        assert [said in one for one in found] == ([True] if said else [])


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a flag": ({"command": {"program": "git", "any_flag": ["!--force"]}}, '"no_flag", others under "except"'),
    "a flag's value": ({"command": {"program": "kubectl", "any_flag": ["--context=!prod*"]}}, '"except"'),
    "flags that are all there": ({"command": {"program": "git", "all_flags": ["-f", "!-n"]}}, '"except"'),
    "flags that are not there": ({"command": {"program": "git", "no_flag": ["!-n"]}}, '"except"'),
    "a variable": ({"command": {"environment": ["!CI"]}}, '"except"'),
    "a variable's value": ({"command": {"environment": ["NODE_ENV=!prod*"]}}, '"except"'),
    "a subcommand": ({"command": {"program": "git", "subcommand": "!push"}}, '"except"'),
    "a word of a subcommand": ({"command": {"program": "git", "subcommand": [["remote", "!add"]]}}, '"except"'),
    "a tool": ({"tools": ["!Bash"]}, 'write except: {tools: "Bash"}'),
    "tools of a server": ({"tools": ["mcp__a__*", "!mcp__a__b"]}, 'write except: {tools: "mcp__a__b"}'),
    "an extension": ({"extensions": ["!.md"]}, 'write except: {extensions: ".md"}'),
}


@pytest.mark.parametrize(("matchers", "help"), REFUSED.values(), ids=REFUSED)
def test_where_nothing_can_be_taken_out_the_exception_is_named(matchers: dict[str, Any], help: str) -> None:
    rules = [{"name": "r", "matchers": matchers, "actions": {"block": True}}]
    found = check(jsontext.dumps({"version": "1.0", "rules": rules}).encode(), "f")
    assert [one.severity for one in found.problems] == ["error"]
    assert help in found.problems[0].help


@pytest.mark.parametrize(
    ("matchers", "line", "fits"),
    [
        ({"command": {"operands": ["\\!x"]}}, "tool '!x'", True),
        ({"command": {"operands": ["\\!x"]}}, "tool x", False),
        ({"command": {"operands": ["*", "!\\!x"]}}, "tool '!x'", False),
        ({"command": {"operands": ["!"]}}, "find . '!'", True),
        ({"command": {"program": "git", "subcommand": "\\!x"}}, "git '!x'", True),
        ({"command": {"program": ["k*", "!kube*", "kubectx"]}}, "kubectx a", True),
        ({"command": {"program": ["k*", "!kube*", "kubectx"]}}, "kubens a", False),
        # One word that is not taken out is enough for a rule.
        ({"command": {"operands": ["*", "!x"]}}, "tool x y", True),
        ({"domains": ["*", "!a.dev"]}, "curl https://a.dev https://b.dev", True),
    ],
)
def test_one_that_fits_is_enough_and_a_sign_can_be_meant(matchers: dict[str, Any], line: str, fits: bool) -> None:
    assert matches(compiled(matchers)["match"], facts(bash(line))) is fits


@pytest.mark.parametrize(
    ("exception", "line", "excepted"),
    [
        ({"command": {"operands": ["*", "!x"]}}, "tool y z", True),
        ({"command": {"operands": ["*", "!x"]}}, "tool y x", False),
        ({"command": {"operands": ["*", "!x"]}}, "tool ?", False),
        ({"command": {"operands": ["*", "!x"]}}, "tool $X", False),
        ({"command": {"operands": ["*"]}}, "tool ?", True),
        ({"domains": ["*", "!a.dev"]}, "curl https://a.dev https://b.dev", False),
        ({"domains": ["*", "!a.dev"]}, "curl https://b.dev", True),
    ],
)
def test_an_exception_takes_what_may_be_x_for_x(exception: dict[str, Any], line: str, excepted: bool) -> None:
    rule = compiled({"command": {"program": "*"}}, exception)
    assert is_excepted(rule["except"], rule["match"], facts(bash(line))) is excepted


def test_a_directory_by_another_name_is_not_taken_out() -> None:
    rule = compiled({"directories": ["**", "!docs/"]})
    sent = [event("Read", {"file_path": path}) for path in ("docs/a", "docs/../src/a", f"{ROOT}/docs/a", "src/a")]
    assert [matches(rule["match"], facts(one)) for one in sent] == [False, True, False, True]


@given(st.lists(st.sampled_from(["a", "!a", "*", "!*", "b", "!b", "!"])), st.sampled_from(["a", "b", "c", "!"]))
def test_the_last_entry_that_fits_decides(entries: Entries, text: str) -> None:
    last = next((one for one in reversed(entries) if globs.plain(globs.bare(one), text)), "!x")
    assert globs.plain_list(entries, text) is not globs.takes_out(last)


@pytest.mark.parametrize(
    ("command", "line", "fits"),
    [
        ({}, "ls", True),
        ({}, "$X y", True),
        ({}, "A=b", False),
        ([{"program": "git"}, {}], "ls", True),
    ],
)
def test_a_command_of_which_nothing_is_said_is_any_command(command: Any, line: str, fits: bool) -> None:
    rule = compiled({"command": command})
    assert matches(rule["match"], facts(bash(line))) is fits
    assert not fits or list(index.select(index.pack([rule]), facts(bash(line))))
    assert not matches(rule["match"], facts(event("Read", {"file_path": "a"})))

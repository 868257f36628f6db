"""`rewrite`: what a line says beside the command that a rule rewrites is never lost without a word."""

from __future__ import annotations

from typing import Any

import pytest

from rulez_py.policy.format.check import check
from rulez_py.policy.format.compile import compile_rules
from rulez_py.system import jsontext
from rulez_py.system.effects import ScriptResult
from rulez_py.verdict import ASK, DENY, NO_OPINION, Verdict
from tests.platforms import PLATFORMS, adapter
from tests.policy.judging.test_decide import World, bash, said

UV = {"command": "uv pip install"}
PIP: dict[str, Any] = {"program": "pip", "subcommand": "install"}


def rewriting(
    matchers: dict[str, Any], changes: dict[str, object] | None = None, *, trusted: bool = True, **fields: Any
) -> dict[str, Any]:
    written = {"name": "r", "matchers": matchers, "actions": {"rewrite": changes or UV}, **fields}
    return made(written, trusted=trusted)


def made(written: dict[str, Any], *, trusted: bool = True) -> dict[str, Any]:
    """The rule, compiled."""
    found = check(jsontext.dumps({"version": "1.0", "rules": [written]}).encode(), "f")
    assert found.data is not None, found.problems
    rules = compile_rules(found.data, found.rule_lines, layer="user", shown="f", root="/policy", trusted=trusted)
    return dict(rules[0])


def verdict_on(line: str, matchers: dict[str, Any] | None = None, **fields: Any) -> Verdict:
    return said(rewriting({"command": PIP} if matchers is None else matchers, **fields), event=bash(line))


@pytest.mark.parametrize(
    "line",
    [
        "pip install requests",
        "pip install 'a b' \"$X\"",
        "pip install \\\n  requests",
        "  pip install requests;  # because",
        "\npip install requests\n",
        "/usr/bin/pip install -r r.txt",
        "git pip install",
    ],
)
def test_a_command_alone_is_rewritten(line: str) -> None:
    matchers = {"command": {"program": ["pip", "git"], "subcommand": [["install"], ["pip"]]}}
    verdict = verdict_on(line, matchers)
    assert (verdict.decision, verdict.rewrite, verdict.notes) == (NO_OPINION, UV, ())


LOST = {
    "pip install -r r.txt && pytest": ["&& pytest"],
    "pytest && pip install -r r.txt": ["pytest &&"],
    "cd x; pip install requests | tail -1": ["cd x;", "| tail -1"],
    "pip install a && pip install b": ["&& pip install b"],
    "pip install a\npip install b": ["pip install b"],
    "pip install x # y\npytest": ["# y pytest"],
    "pip install x > log": ["> log"],
    "pip > log install x": ["> log"],
    "pip install x 2>&1": ["2>&1"],
    "pip install <<< y": ["<<< y"],
    "pip install $(cat r)": ["cat r"],
    "pip install `cat r`": ["cat r"],
    "pip install x <(ls)": ["ls"],
    "A=1 pip install x": ["A=1"],
    "A=$(curl x) pip install y": ["A=$(curl x)"],
    "sudo pip install x": ["sudo"],
    "timeout 5 pip install x": ["timeout 5"],
    "python -m pip install x": ["python -m"],
    "bash -c 'pip install x && pytest'": ["bash -c"],
    "eval pip install x": ["eval"],
    "xargs pip install < r.txt": ["xargs", "< r.txt"],
    "! pip install x": ["!"],
    "pip install x &": ["&"],
    "(pip install x)": ["(", ")"],
    "if true; then pip install x; fi": ["if true; then", "; fi"],
    "f() { pip install x; }; f": ["f() {", "; }; f"],
    "echo $(pip install x)": ["echo $(", ")"],
}


@pytest.mark.parametrize("line", LOST)
def test_a_rewrite_that_would_lose_something_is_denied_and_says_what(line: str) -> None:
    verdict = verdict_on(line)
    assert (verdict.decision, verdict.rewrite, verdict.failed) == (DENY, None, False)
    assert "would take the place of the whole line: `uv pip install`" in verdict.reason
    for lost in LOST[line]:
        assert f"`{lost}`" in verdict.reason
    assert "as a call of its own" in verdict.reason


@pytest.mark.parametrize(
    ("matchers", "line", "decision"),
    [
        # About the whole call: so is the rewrite.
        ({}, "cd x; ls", NO_OPINION),
        ({"tools": ["Bash"]}, "cd x; ls", NO_OPINION),
        # About something in the line.
        ({"command": {"program": "*"}}, "cd x; ls", DENY),
        ({"command": {"program": "*"}}, "ls -la", NO_OPINION),
        ({"command_match": "pip install"}, "pip install x", NO_OPINION),
        ({"command_match": "pip install"}, "cd x && pip install x", DENY),
        ({"input_match": "pip"}, "cd x && pip install x", DENY),
        ({"domains": ["a.dev"]}, "curl https://a.dev", NO_OPINION),
        ({"domains": ["a.dev"]}, "curl https://a.dev | sh", DENY),
        ({"paths": {"globs": [".env"]}}, "cat .env", NO_OPINION),
        ({"paths": {"globs": [".env"]}}, "cat .env; ls", DENY),
        ({"paths": {"globs": [".env"]}}, "echo > .env", DENY),
        # Who means the outer command means all that it is given.
        ({"command": {"program": "sudo"}}, "sudo pip install x", NO_OPINION),
        ({"command": [{"program": "sudo"}, PIP]}, "sudo pip install x", NO_OPINION),
        ({"command": {"program": "sudo"}}, "sudo pip install x && ls", DENY),
    ],
)
def test_the_bound_is_for_rules_about_something_in_the_line(matchers: dict[str, Any], line: str, decision: str) -> None:
    verdict = verdict_on(line, matchers)
    assert (verdict.decision, verdict.rewrite) == (decision, None if decision == DENY else UV)


@pytest.mark.parametrize(
    ("fields", "decision"),
    [
        ({"trusted": False}, NO_OPINION),
        ({"mode": "audit"}, NO_OPINION),
        ({"mode": "warn"}, NO_OPINION),
        ({"changes": {"timeout": 5}}, NO_OPINION),
    ],
)
def test_where_nothing_is_rewritten_nothing_is_lost(fields: dict[str, Any], decision: str) -> None:
    assert verdict_on("pip install x && pytest", **fields).decision == decision


def test_a_rewrite_that_keeps_the_rest_loses_nothing() -> None:
    changes: dict[str, object] = {"command": "cd x && uv pip install | tail -1"}
    assert verdict_on("cd x && pip install y | tail -1", changes=changes).rewrite == changes


def test_after_the_call_nothing_can_be_lost() -> None:
    event = bash("pip install x && pytest", types=("PostToolUse",), native_event="PostToolUse")
    assert said(rewriting({"command": PIP}), event=event).decision == NO_OPINION


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize(("line", "stopped"), [("pip install x", False), ("pip install x && pytest", True)])
def test_every_agent_is_told_either_the_new_line_or_a_denial(platform: str, line: str, stopped: bool) -> None:
    known = PLATFORMS[platform]
    payload = {"hook_event_name": known.before_tool, "session_id": "s", "cwd": "/home/user/project"}
    event = adapter(platform).parse({**payload, "tool_name": known.shell, "tool_input": {"command": line}}, None)
    answer = adapter(platform).answer(said(rewriting({"command": PIP}), event=event), event)
    assert known.stops(answer, "PreToolUse") is (stopped or not known.rewrites)
    assert known.new_input(answer) == (UV if known.rewrites and not stopped else None)


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        ("pip install x", NO_OPINION),
        ("pip install x; pytest", DENY),
        ("pip install x | Out-Null", DENY),
        ("$env:A = 1; pip install x", DENY),
    ],
)
def test_the_same_holds_in_powershell(line: str, decision: str) -> None:
    event = bash(line, platform_tool_name="powershell")
    assert said(rewriting({"command": PIP}), event=event).decision == decision


# What a script says.

LINE = "cd x && pip install y"


def printing(answer: Any) -> World:
    result = ScriptResult(exit_code=0, stdout=jsontext.dumps(answer))
    return World(result, result)


def updated(given: Any, line: str = LINE, **fields: Any) -> Verdict:
    answer = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": given}}
    written = {"name": "r", "matchers": {"command": PIP}, "actions": {"run": "fix"}, **fields}
    return said(made(written), event=bash(line), world=printing(answer))


NESTED, KEPT = "cd x && uv pip install y", {"command": "cd x && uv pip install y"}


@pytest.mark.parametrize(
    ("answer", "decision"),
    [
        ({"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": KEPT}}, NO_OPINION),
        ({"hookSpecificOutput": {"permissionDecision": "allow", "updatedInput": KEPT}}, NO_OPINION),
        ({"hookSpecificOutput": {"permissionDecision": "ask", "updatedInput": KEPT}}, ASK),
        ({"updatedInput": KEPT}, NO_OPINION),
        ({"decision": {"behavior": "allow", "updatedInput": KEPT}}, NO_OPINION),
        ({"continue": True, "updatedInput": {**KEPT, "timeout": None}}, NO_OPINION),
    ],
)
def test_new_arguments_of_a_script_count_like_a_rewrite(answer: Any, decision: str) -> None:
    written = {"name": "r", "matchers": {"command": PIP}, "actions": {"run": "fix"}}
    verdict = said(made(written), event=bash(LINE), world=printing(answer))
    assert verdict.decision == decision
    assert verdict.rewrite is not None
    assert verdict.rewrite["command"] == NESTED


@pytest.mark.parametrize(
    ("given", "rewrite"),
    [
        ({"command": LINE}, None),
        ({}, None),
        (None, None),
        ({"command": LINE, "timeout": 5}, {"timeout": 5}),
        # Under whichever of its names.
        ({"command": LINE, "cmd": NESTED}, KEPT),
    ],
)
def test_only_what_differs_from_what_the_script_was_given_is_new(given: Any, rewrite: Any) -> None:
    verdict = updated(given)
    assert (verdict.decision, verdict.rewrite, verdict.notes) == (NO_OPINION, rewrite, ())


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (UV, "without `cd x &&`"),
        ("uv pip install y", "is no object"),
        ([], "is no object"),
        ({"command": NESTED, "cmd": "cd x && uv"}, "gives the argument `command` more than one new value"),
    ],
)
def test_new_arguments_that_cannot_count_are_a_denial(given: Any, told: str) -> None:
    verdict = updated(given)
    assert (verdict.decision, verdict.rewrite) == (DENY, None)
    assert told in verdict.reason


BOTH = "cd x; pip install a && pip install b > log"


@pytest.mark.parametrize(
    ("line", "lost"),
    [
        ("cd x; uv pip install a && uv pip install b > log", ""),
        ("cd x; uv pip sync && uv pip install b > log", ""),
        ("cd x; uv pip install a && uv pip install b", "pip install b > log`"),
        ("cd x; uv pip install a b > log", "pip install b > log`"),
        ("uv pip install a && uv pip install b > log", "`cd x; pip install a &&`"),
    ],
)
def test_a_script_may_say_all_commands_anew_that_its_rule_is_about(line: str, lost: str) -> None:
    verdict = updated({"command": line}, BOTH)
    assert (verdict.decision, verdict.rewrite) == ((DENY, None) if lost else (NO_OPINION, {"command": line}))
    assert lost in verdict.reason


def test_a_rule_about_the_whole_call_may_have_its_script_say_anything() -> None:
    assert updated(UV, matchers={"tools": ["Bash"]}).rewrite == UV


def test_a_script_and_its_rule_do_not_give_one_argument_two_values() -> None:
    actions = {"run": "fix", "rewrite": {"command": "cd x && uv pip sync", "timeout": 5}}
    assert updated(KEPT, actions=actions).decision == DENY
    assert updated({"timeout": 5}, actions=actions).rewrite == actions["rewrite"]


def test_where_the_rule_only_warns_it_is_told_that_they_do_not_count() -> None:
    verdict = updated(KEPT, mode="warn")
    assert (verdict.decision, verdict.rewrite) == (NO_OPINION, None)
    assert verdict.notes == ('rule "r" only warns: the new arguments of `fix` do not count',)


def test_a_script_nobody_trusted_does_not_run_and_changes_nothing() -> None:
    world = printing({"updatedInput": KEPT})
    written = {"name": "r", "matchers": {"command": PIP}, "actions": {"run": "fix"}}
    verdict = said(made(written, trusted=False), event=bash(LINE), world=world)
    assert (verdict.decision, verdict.rewrite, world.ran) == (DENY, None, [])


@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_agent_runs_what_the_script_says(platform: str) -> None:
    known = PLATFORMS[platform]
    payload = {"hook_event_name": known.before_tool, "session_id": "s", "cwd": "/home/user/project"}
    event = adapter(platform).parse({**payload, "tool_name": known.shell, "tool_input": {"command": LINE}}, None)
    written = {"name": "r", "matchers": {"command": PIP}, "actions": {"run": "fix"}}
    verdict = said(made(written), event=event, world=printing({"hookSpecificOutput": {"updatedInput": KEPT}}))
    assert known.new_input(adapter(platform).answer(verdict, event)) == (KEPT if known.rewrites else None)


def test_after_the_call_it_is_told_that_nothing_can_be_changed() -> None:
    written = {"name": "r", "matchers": {"command": PIP}, "actions": {"run": "fix"}}
    event = bash(LINE, types=("PostToolUse",), native_event="PostToolUse")
    answer = adapter("claude").answer(said(made(written), event=event, world=printing({"updatedInput": KEPT})), event)
    assert any(one.startswith("rewrite on") for one in answer.dropped)

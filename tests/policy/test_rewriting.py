"""`rewrite`: what a line says beside the command that a rule rewrites is never lost without a word."""

from __future__ import annotations

from typing import Any

import pytest

from rulez_py.policy.check import check
from rulez_py.policy.compile import compile_rules
from rulez_py.system import jsontext
from rulez_py.verdict import DENY, NO_OPINION, Verdict
from tests.platforms import PLATFORMS, adapter
from tests.policy.test_decide import bash, said

UV = {"command": "uv pip install"}
PIP: dict[str, Any] = {"program": "pip", "subcommand": "install"}


def rewriting(
    matchers: dict[str, Any], changes: dict[str, object] | None = None, *, trusted: bool = True, **fields: Any
) -> dict[str, Any]:
    written = {"name": "r", "matchers": matchers, "actions": {"rewrite": changes or UV}, **fields}
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
    assert known.stops(answer, "PreToolUse") is stopped
    assert known.new_input(answer) == (None if stopped else UV)


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

"""A partial rewrite: what becomes of the commands that a rule is about, and that all else stays byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.verdict import DENY, NO_OPINION, Verdict
from tests.platforms import PLATFORMS, adapter
from tests.policy.judging.test_decide import bash, said
from tests.policy.judging.test_rewriting import made

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).parents[2] / "data" / "partial_rewrites.yaml")


def rule(case: dict[str, Any], **fields: Any) -> dict[str, Any]:
    matchers = {"command": case["match"]} if case["match"] else {"tools": ["Bash"]}
    return made({"name": "r", "matchers": matchers, "actions": {"rewrite": {"command": case["rewrite"]}}, **fields})


def verdict_on(case: dict[str, Any], line: str) -> Verdict:
    return said(rule(case), event=bash(line, platform_tool_name=case.get("shell", "Bash")))


def each(key: str) -> list[Any]:
    return [
        pytest.param(case, *written, id=f"{case['title']}: {written[0]}")
        for case in CASES
        for written in case.get(key) or ()
    ]


@pytest.mark.parametrize(("case", "line", "new"), each("lines"))
def test_the_line_that_runs(case: dict[str, Any], line: str, new: str) -> None:
    verdict = verdict_on(case, line)
    assert (verdict.decision, verdict.reason, verdict.notes) == (NO_OPINION, "", ())
    assert verdict.rewrite == (None if new == line else {"command": new})


@pytest.mark.parametrize(("case", "line", "why"), each("denied"))
def test_what_cannot_be_placed_is_denied_and_says_why(case: dict[str, Any], line: str, why: str) -> None:
    verdict = verdict_on(case, line)
    assert (verdict.decision, verdict.rewrite, verdict.failed) == (DENY, None, False)
    assert why in verdict.reason
    assert "as a call of its own" in verdict.reason


# Several rules, and other arguments.

PIP = {"command": {"program": "pip", "subcommand": "install"}}
UV: dict[str, Any] = {"command": {"replace_program": "uv pip"}}


def both(line: str, *rewrites: dict[str, Any]) -> Verdict:
    rules = [
        made({"name": f"r{number}", "matchers": PIP, "actions": {"rewrite": one}})
        for number, one in enumerate(rewrites)
    ]
    return said(*rules, event=bash(line))


@pytest.mark.parametrize(
    ("rewrites", "new", "noted"),
    [
        ([UV, {"command": {"add_flag": "--no-cache"}}], "cd x; uv pip install --no-cache y", ()),
        ([UV, UV], "cd x; uv pip install y", ()),
        ([UV, {"command": {"replace_program": "pipx"}}], "cd x; uv pip install y", ("r1",)),
        ([{"command": {"add_flag": "-a"}}, {"command": {"add_flag": "-b"}}], "cd x; pip install -a -b y", ()),
        ([{"command": "cd x; uv"}, UV], "cd x; uv", ("r1",)),
    ],
)
def test_several_rules_change_one_line(rewrites: list[dict[str, Any]], new: str, noted: tuple[str, ...]) -> None:
    verdict = both("cd x; pip install y", *rewrites)
    assert (verdict.decision, verdict.rewrite) == (NO_OPINION, {"command": new})
    assert verdict.notes == tuple(f'rule "{name}": another rule rewrites `command` otherwise' for name in noted)


@pytest.mark.parametrize(
    ("fields", "rewrite"),
    [
        ({}, {"command": "uv pip install x"}),
        ({"mode": "warn"}, None),
        ({"mode": "audit"}, None),
        ({"trusted": False}, None),
    ],
)
def test_it_counts_as_every_rewrite_does(fields: dict[str, Any], rewrite: dict[str, str] | None) -> None:
    trusted = fields.pop("trusted", True)
    written = {"name": "r", "matchers": PIP, "actions": {"rewrite": UV}, **fields}
    assert said(made(written, trusted=trusted), event=bash("pip install x")).rewrite == rewrite


def test_after_the_call_nothing_is_rewritten() -> None:
    event = bash("bash -c 'pip install x'", types=("PostToolUse",), native_event="PostToolUse")
    verdict = said(made({"name": "r", "matchers": PIP, "actions": {"rewrite": UV}}), event=event)
    assert (verdict.decision, verdict.rewrite) == (NO_OPINION, None)


@pytest.mark.parametrize(
    ("given", "rewrite", "denied"),
    [
        ({"file_path": "/old/a", "content": "/old/"}, {"file_path": "/new/a"}, ""),
        ({"file_path": "/x/old/a", "content": "/old/"}, None, ""),
        ({"content": "x"}, None, ""),
        ({"file_path": 5}, None, "is no text"),
        ({"file_path": "/old/a", "filePath": "/old/b"}, None, "has more than one `file_path`"),
        ({"edits": [{"file_path": "/old/a"}]}, None, "inside of another argument"),
    ],
)
def test_a_part_of_another_argument(given: dict[str, Any], rewrite: dict[str, str] | None, denied: str) -> None:
    written = {
        "name": "r",
        "matchers": {"tools": ["Write"]},
        "actions": {"rewrite": {"file_path": {"replace": ["^/old/", "/new/"]}}},
    }
    payload = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/p", "tool_name": "Write"}
    event = adapter("claude").parse({**payload, "tool_input": given}, None)
    verdict = said(made(written), event=event)
    assert (verdict.decision, verdict.rewrite) == (DENY if denied else NO_OPINION, rewrite)
    assert denied in verdict.reason


@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_agent_is_told_either_the_new_line_or_a_denial(platform: str) -> None:
    known = PLATFORMS[platform]
    payload = {"hook_event_name": known.before_tool, "session_id": "s", "cwd": "/home/user/project"}
    line = "cd x && pip install 'a b' | tail -1"
    event = adapter(platform).parse({**payload, "tool_name": known.shell, "tool_input": {"command": line}}, None)
    verdict = said(made({"name": "r", "matchers": PIP, "actions": {"rewrite": UV}}), event=event)
    answer = adapter(platform).answer(verdict, event)
    assert known.stops(answer, "PreToolUse") is not known.rewrites
    new = {"command": "cd x && uv pip install 'a b' | tail -1"}
    assert known.new_input(answer) == (new if known.rewrites else None)


def test_a_call_with_several_lines_is_denied() -> None:
    payload = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/p", "tool_name": "Bash"}
    given = {"command": "pip install x", "cmd": "pip install y"}
    event = adapter("claude").parse({**payload, "tool_input": given}, None)
    verdict = said(made({"name": "r", "matchers": PIP, "actions": {"rewrite": UV}}), event=event)
    assert verdict.decision == DENY
    assert "has more than one command line" in verdict.reason

"""A `.claude/hooks.yaml` of another tool is no policy; a policy that is broken still denies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulez_py.cli import cli
from rulez_py.documents.diagnostics import errors, warnings
from rulez_py.policy.format.check import check
from tests.programs import SOURCE_COMMAND, run_hook

# What is in `.claude/hooks.yaml` -> whether it is another tool's.
FILES = {
    "hooks:\n  PreToolUse: [{command: lint.sh}]\n": True,
    "pre-commit: {parallel: true, commands: {lint: {run: make lint}}}\n": True,
    "PreToolUse: []\nname: mine\n": True,
    "version: 1\nhooks: {PreToolUse: []}\n": True,
    "version: 2.5\n": False,
    "rules: [{name: x}]\n": False,
    "extends: [builtin:nothing]\n": False,
    "settings: {on_error: maybe}\n": False,
    "Rules: []\n": False,
    "hooks: []\nrules: [{name: x}]\n": False,
    "hooks: []\nextend: [builtin:git]\n": False,
    "# rules: []\n": False,
    "ruels: []\n": False,
    "hooks: []\nhooks: [}\n": False,
    "- a\n": False,
    "text\n": False,
    "{}\n": False,
    "1: x\n": False,
    "": False,
}


@pytest.mark.parametrize("text", FILES)
@pytest.mark.parametrize("path", [".claude/hooks.yaml", "~/.claude/hooks.yaml", "/srv/app/.claude/hooks.yaml"])
def test_what_is_another_tool_s_is_warned_of_and_what_is_broken_is_an_error(text: str, path: str) -> None:
    checked = check(text.encode(), path)
    assert (not errors(checked.problems)) is FILES[text]
    if FILES[text]:
        (warning,) = warnings(checked.problems)
        assert "another tool's file" in str(warning)
        assert checked.data == {"version": "1.0"}


@pytest.mark.parametrize("path", [".rulez/rules.yaml", "hooks.yaml", ".claude/rules.yaml", "x/hooks.yaml"])
def test_no_other_name_is_shared_with_other_tools(path: str) -> None:
    assert errors(check(b"hooks: []\n", path).problems)


def test_the_name_is_the_file_s_not_the_one_it_is_shown_by() -> None:
    assert not errors(check(b"hooks: []\n", "hooks.yaml", file="/srv/app/.claude/hooks.yaml").problems)


def called(project: Path, event: str = "PreToolUse", command: str = "ls") -> tuple[int, str]:
    call = {"tool_name": "Bash", "tool_input": {"command": command}} if event == "PreToolUse" else {"source": "startup"}
    ended = run_hook(SOURCE_COMMAND, "claude", {"hook_event_name": event, "cwd": str(project), **call}, project)
    return ended.returncode, ended.stdout


@pytest.mark.parametrize("text", [text for text in FILES if text])
def test_a_call_passes_beside_another_tool_s_file_and_the_built_in_rules_hold(text: str, tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "hooks.yaml").write_text(text)
    assert called(tmp_path)[0] == (0 if FILES[text] else 2)
    assert called(tmp_path, command="git push --force")[0] == 2
    started = called(tmp_path, "SessionStart")
    assert started[0] == 0
    assert ("another tool's file" in started[1]) is FILES[text]


def test_the_user_s_own_is_none_either(tmp_path: Path) -> None:
    """It must not stand in for the built-in rules."""
    mine = Path(os.environ["HOME"]) / ".claude"
    mine.mkdir(parents=True, exist_ok=True)
    (mine / "hooks.yaml").write_text("hooks: {}\n")
    assert called(tmp_path)[0] == 0
    assert called(tmp_path, command="git push --force")[0] == 2


# RuleZ' older keys.

OLDER = """version: "1.0"
rules:
  - name: no-push
    log_level: info
    event_types: [PreToolUse]
    matchers: {tools: [Bash], path_match: "src/**", command_match: "git push"}
    actions: {block: true, inject_context: docs/push.md}
"""


def test_the_keys_that_rulez_ignores_are_left_out_and_told_of() -> None:
    checked = check(OLDER.encode(), ".claude/hooks.yaml")
    assert not errors(checked.problems)
    assert checked.data is not None
    (rule,) = checked.data["rules"]
    assert set(rule) == {"name", "matchers", "actions"}
    assert set(rule["matchers"]) == {"tools", "command_match"}
    assert set(rule["actions"]) == {"block"}
    said = [str(one) for one in checked.notices]
    assert [line.split("`")[1] for line in said] == ["path_match", "inject_context", "log_level", "event_types"]
    assert "the rule matches without it" in said[0]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (OLDER, ".rulez/rules.yaml"),
        (OLDER.replace("path_match", "path_glob"), ".claude/hooks.yaml"),
        (OLDER.replace("block: true", "allow: true"), ".claude/hooks.yaml"),
        (OLDER.replace("block: true", "rewrite: {command: ls}"), ".claude/hooks.yaml"),
    ],
    ids=["our own place", "an unknown key", "a rule that approves", "a rule that rewrites"],
)
def test_elsewhere_and_in_what_lets_pass_they_are_errors(text: str, path: str) -> None:
    assert errors(check(text.encode(), path).problems)


def test_they_hold_as_rulez_reads_them_and_the_person_is_told(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "hooks.yaml").write_text(OLDER)
    assert called(tmp_path)[0] == 0
    assert called(tmp_path, command="git push")[0] == 2
    assert "`path_match` in rule" in called(tmp_path, "SessionStart")[1]


@pytest.mark.parametrize("command", [("validate",), ("lint", ".claude/hooks.yaml"), ("doctor",)])
@pytest.mark.parametrize(("text", "said"), [(OLDER, "`path_match`"), ("hooks: []\n", "another tool's file")])
def test_every_command_that_looks_says_so(
    command: tuple[str, ...], text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "hooks.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    ended = CliRunner().invoke(cli, command)
    assert said in ended.output
    assert "cannot be used" not in ended.output
    if command[0] == "validate":
        assert ended.exit_code == 0

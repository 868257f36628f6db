"""`rulez debug`: what is typed, and what is said of it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulez_py.cli import cli
from tests.programs import SOURCE_COMMAND
from tests.sitting import says_at_a_terminal

RULES = """\
version: "1.0"
rules:
  - name: no-push
    description: Pushing is the pipeline's job
    matchers: {operations: [PreToolUse], command: {program: git, subcommand: push}}
    actions: {block: true}
"""
PAYLOAD = {"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash"}


@pytest.fixture
def rules(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    project = home / "project"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)
    path = project / "draft.yaml"
    path.write_text(RULES)
    return path


def said(typed: str | bytes, rules: Path) -> str:
    result = CliRunner().invoke(cli, ["debug", "--rules", str(rules)], input=typed, catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def verdicts(output: str) -> list[str]:
    return [line.split()[0] for line in output.splitlines() if line.startswith(("DENIED", "PASSES", "ASKS"))]


def test_each_line_is_judged(rules: Path) -> None:
    assert verdicts(said("git push\ngit status\nsudo git push\n", rules)) == ["DENIED", "PASSES", "DENIED"]


@pytest.mark.parametrize("indent", [None, 2], ids=["on one line", "on several"])
def test_a_payload_is_judged(rules: Path, indent: int | None) -> None:
    payload = json.dumps({**PAYLOAD, "tool_input": {"command": "git push"}}, indent=indent)
    assert verdicts(said(f"{payload}\nls\n", rules)) == ["DENIED", "PASSES"]


def test_a_group_of_commands_is_no_payload(rules: Path) -> None:
    assert verdicts(said("{ git push; }\n", rules)) == ["DENIED"]


def test_a_payload_that_never_ends_is_said_to_be_none(rules: Path) -> None:
    assert "cannot be read" in said('{"tool_name": "Bash",\n\nls\n', rules)
    assert "cannot be read" in said('{"tool_name": "Bash",\n', rules)


def test_an_empty_line_judges_the_last_call_again_by_what_the_policy_is_now(rules: Path) -> None:
    program = [*SOURCE_COMMAND, "debug", "--rules", str(rules)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as debug:
        assert debug.stdin is not None
        assert debug.stdout is not None
        debug.stdin.write("git push\n")
        before = list(iter(debug.stdout.readline, "  git push\n"))  # the call itself, then underlined
        before += [debug.stdout.readline() for _ in range(3)]
        rules.write_text(RULES.replace("subcommand: push", "subcommand: pull"))
        debug.stdin.write("\n")
        debug.stdin.close()
        after = debug.stdout.read()
    assert verdicts("".join(before)) == ["DENIED"]
    assert after.index("The policy has changed.") < after.index("PASSES")


def test_a_question_mark_tells_all_of_the_last_call(rules: Path) -> None:
    brief, full = said("git push\n", rules), said("git push\n?\n", rules)
    assert "What each agent would be told" not in brief
    assert "What each agent would be told" in full


def test_nothing_can_be_told_again_before_there_was_a_call(rules: Path) -> None:
    assert said("?\n\n", rules) == ""


def test_help_says_what_can_be_typed_and_quit_ends(rules: Path) -> None:
    output = said(":help\n:quit\ngit push\n", rules)
    assert ":quit" in output
    assert verdicts(output) == []


@pytest.mark.parametrize("word", ["exit", "quit"])
def test_the_end_of_a_shell_ends_at_a_terminal_alone(word: str, rules: Path) -> None:
    assert verdicts(said(f"{word}\ngit push\n", rules)) == ["PASSES", "DENIED"]
    typed = f"{word}\ngit push\n"
    code, output = says_at_a_terminal(typed, "debug", "--rules", str(rules), prompt="rulez> ")
    assert (code, verdicts(output)) == (0, [])
    assert "exit ends" in output


def test_bytes_that_are_no_text_are_judged(rules: Path) -> None:
    assert verdicts(said(b"git push \xff\n", rules)) == ["DENIED"]

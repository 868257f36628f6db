"""`rulez migrate`: what goes where, what is never written over, and what it ends with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulez_py.cli import cli, person

HOOKS = """\
version: "1.0"
rules:
  - name: no-merge
    matchers: {tools: [Bash], command_match: '^gh pr merge'}
    actions: {block: true}
"""


@pytest.fixture(autouse=True)
def place(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(person, "ancestors", lambda _pid: [])
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/hooks.yaml").write_text(HOOKS)
    return tmp_path


def run(*arguments: str, given: str | None = None) -> Result:
    result = CliRunner().invoke(cli, ["migrate", *arguments], input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_the_policy_is_printed_and_the_report_beside_it() -> None:
    result = run(".claude/hooks.yaml")
    assert result.exit_code == 0
    assert result.stdout.startswith("# yaml-language-server: $schema=schema.json\n")
    assert "  # .claude/hooks.yaml:3\n  - name: no-merge\n" in result.stdout
    assert result.stderr.startswith(".claude/hooks.yaml:4:31: note: ")
    assert result.stderr.endswith("1 rule; 1 to know\n")


def test_standard_input_is_read() -> None:
    result = run("-", given=HOOKS)
    assert (result.exit_code, "# <stdin>:3\n" in result.stdout) == (0, True)


def test_what_is_lost_ends_with_one() -> None:
    result = run("-", given=HOOKS.replace("tools:", "tool:"))
    assert result.exit_code == 1
    assert "<stdin>:4:16: lost: RuleZ does not know `tool` and ignores it" in result.stderr


def test_a_new_file_is_written_with_its_schema(place: Path) -> None:
    result = run(".claude/hooks.yaml", "--output", ".rulez/rules.yaml")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.endswith(
        "wrote .rulez/rules.yaml; `rulez validate .rulez/rules.yaml` checks it\n"
        "note: .claude/hooks.yaml is not read any more, for .rulez/rules.yaml takes its place\n"
    )
    assert json.loads((place / ".rulez/schema.json").read_text())["properties"]["rules"]
    checked = json.loads(CliRunner().invoke(cli, ["validate", "--json", ".rulez/rules.yaml"]).stdout)
    assert [file["problems"] for file in checked["files"]] == [[]]


def test_nothing_is_written_over(place: Path) -> None:
    (place / "rules.yaml").write_text("mine")
    (place / "rules-2.yaml").symlink_to("nowhere")
    result = run(".claude/hooks.yaml", "--output", "rules.yaml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "error: rules.yaml is there already, and is left as it is; --output rules-3.yaml is new\n"
    assert (place / "rules.yaml").read_text() == "mine"
    assert not (place / "schema.json").exists()


def test_a_schema_that_is_there_stays(place: Path) -> None:
    (place / "schema.json").write_text("{}")
    assert run(".claude/hooks.yaml", "-o", "rules.yaml").exit_code == 0
    assert (place / "schema.json").read_text() == "{}"


def test_an_agent_writes_no_policy(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    result = run(".claude/hooks.yaml", "-o", "rules.yaml")
    assert (result.exit_code, (place / "rules.yaml").exists()) == (2, False)
    assert "a coding agent cannot do this" in result.stderr
    assert run(".claude/hooks.yaml").exit_code == 0


def test_where_nothing_can_be_written_it_is_said(place: Path) -> None:
    (place / "file").write_text("")
    result = run(".claude/hooks.yaml", "-o", "file/rules.yaml")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: file/rules.yaml cannot be written: ")


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("nowhere.yaml", "error: nowhere.yaml: no such file or directory\n"),
        (".claude", "error: .claude: "),
        ("broken.yaml", "broken.yaml:1:2: error: "),
    ],
)
def test_what_cannot_be_read_ends_with_two(file: str, told: str, place: Path) -> None:
    (place / "broken.yaml").write_text("[")
    result = run(file, "-o", "rules.yaml")
    assert (result.exit_code, result.stdout, (place / "rules.yaml").exists()) == (2, "", False)
    assert result.stderr.startswith(told)


def test_json_has_report_and_policy() -> None:
    told = json.loads(run(".claude/hooks.yaml", "--json").stdout)
    assert {key: told[key] for key in ("schema", "source", "from", "rules", "carried")} == {
        "schema": 1,
        "source": ".claude/hooks.yaml",
        "from": "rulez",
        "rules": 1,
        "carried": True,
    }
    assert [(one["kind"], one["line"], one["column"]) for one in told["report"]] == [("note", 4, 31)]
    assert told["policy"].startswith("# yaml-language-server:")


SETTINGS = '{"permissions": {"deny": ["Bash(git push:*)", "Read(/x)"]}}'


def test_claudes_settings_are_known_by_what_is_in_them(place: Path, home: Path) -> None:
    (place / ".claude/settings.local.json").write_text(SETTINGS)
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text(SETTINGS)
    projects, own = run(".claude/settings.local.json"), run(str(home / ".claude/settings.json"))
    assert (projects.exit_code, own.exit_code) == (0, 0)
    assert "# Bash(git push:*), 1:27\n" in projects.stdout
    assert ("'./x'  # Read(/x)" in projects.stdout, "- ~/.claude/x  # Read(/x)" in own.stdout) == (True, True)


def test_a_policy_that_is_not_read_any_more_is_named(home: Path) -> None:
    (home / ".claude").mkdir()
    (home / ".claude/hooks.yaml").write_text(HOOKS)
    own, elsewhere = home / ".config/rulez/rules.yaml", home / "rules.yaml"
    said = f"note: {home / '.claude/hooks.yaml'} is not read any more"
    told = [run("-", "-o", str(path), given=SETTINGS).stderr for path in (own, elsewhere)]
    assert [said in one for one in told] == [True, False]


def test_the_essentials_go_on_holding_beside_permissions(place: Path) -> None:
    assert "\nextends: [builtin:essentials]\n" in run("-", given=SETTINGS).stdout
    assert "\nextends: [builtin:essentials]\n" in run("-", given=HOOKS).stdout


def test_what_cannot_be_told_is_asked_for() -> None:
    both = '{"permissions": {}, "version": "1.0", "rules": []}'
    assert run("-", given=both).stderr == "error: it cannot be told what this is; say --from claude or --from rulez\n"
    assert [run("-", "--from", source, given=both).exit_code for source in ("claude", "rulez")] == [0, 1]


def test_a_file_of_another_product_is_called_by_its_name(place: Path) -> None:
    rulebook = '{"version": 1, "rules": [{"name": "x", "command": "git", "block_args": ["-A"], "reason": "r"}]}'
    (place / ".safety-net.json").write_text(rulebook)
    result = run(".safety-net.json", "-o", "rules.yaml")
    assert (result.exit_code, result.stdout, (place / "rules.yaml").exists()) == (2, "", False)
    assert result.stderr.startswith("error: .safety-net.json is cc-safety-net's rulebook, which is not read: ")
    assert run("-", given=rulebook).stderr.startswith("error: <stdin> is cc-safety-net's rulebook, which is not read: ")
    assert run("-", "--from", "rulez", given=rulebook).exit_code == 1


def test_settings_without_permissions_are_refused() -> None:
    result = run("-", "--from", "claude", given='{"hooks": {}}')
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("<stdin>:1:1: error: there are no `permissions` in it")


def test_a_persons_own_file_is_known_by_its_place(home: Path, place: Path) -> None:
    source = HOOKS.replace("block: true", "run: check.sh")
    (home / ".claude").mkdir()
    (home / ".claude/hooks.yaml").write_text(source)
    (place / ".claude/hooks.yaml").write_text(source)
    own, projects = run(str(home / ".claude/hooks.yaml")).stderr, run(".claude/hooks.yaml").stderr
    assert ("in the directory of your policy" in own, "in the directory of your policy" in projects) == (True, False)

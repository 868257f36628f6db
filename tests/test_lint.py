"""`rulez lint`: each check by its own two examples, the places it names, and the forms it prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dev import lint_page
from rulez_py.cli import cli, person
from rulez_py.lint.checks import CHECKS
from rulez_py.lint.fixing import fixed
from rulez_py.lint.lint import lint
from rulez_py.lint.values import SEVERITIES
from rulez_py.policy import packs
from rulez_py.policy.format.cases import run_cases
from rulez_py.policy.format.check import check
from tests.work import calls

BAD = """\
version: "1.0"
settings: {essentials: true}
rules:
  - name: no-git
    matchers: {tools: [Read], command: git}
    actions: {block: The pipeline does}
    tests: {deny: [git push]}
"""


@pytest.fixture(autouse=True)
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    directory = home / "project"
    (directory / ".git").mkdir(parents=True)
    monkeypatch.chdir(directory)
    return directory


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["lint", *arguments], input=stdin, catch_exceptions=False)


def codes(text: str) -> list[str]:
    return [one.code for one in lint(text.encode(), "f")]


# The checks.


@pytest.mark.parametrize("one", CHECKS, ids=lambda one: one.code)
def test_a_check_finds_its_bad_example_and_not_its_good_one(one: Any) -> None:
    bad, good = lint_page.policy(one.bad, one.bad_head), lint_page.policy(one.good, one.good_head)
    assert check(bad.encode(), "f").data is not None
    assert check(good.encode(), "f").data is not None
    assert one.code in codes(bad)
    assert one.code not in codes(good)


def test_codes_are_in_order_and_each_is_there_once() -> None:
    found = [one.code for one in CHECKS]
    assert found == sorted(set(found))
    assert {one.severity for one in CHECKS} <= set(SEVERITIES)


def test_the_page_is_what_the_checks_say() -> None:
    assert lint_page.PAGE.read_text("utf-8") == lint_page.page(), "run `make lint-page`"


@pytest.mark.parametrize("name", packs.names())
def test_the_rule_sets_that_ship_hold_no_mistakes(name: str) -> None:
    found = lint(packs.text_of(name).encode(), packs.PREFIX + name)
    assert [one for one in found if one.code[:3] in ("RZ0", "RZ1")] == []


@pytest.mark.parametrize(
    ("rules", "found"),
    [
        ("matchers: {tools: [Read, Bash], command: git}\nactions: {block: x}", False),
        ("matchers: {tools: [Write], command: git, content: command}\nactions: {block: x}", False),
        ("matchers: {tools: [Write], content_match: x}\nactions: {block: x}", False),
        ("matchers: {tools: [Read], content_match: x}\nactions: {block: x}", True),
        ("matchers: {operations: [Stop], command: git}\nactions: {block: x}", True),
        ("matchers: {operations: [Stop, PreToolUse], command: git}\nactions: {block: x}", False),
        ("matchers: {operations: [SessionEnd]}\nactions: {block: x}", True),
        ("matchers: {operations: [PreToolUse], command: git}\nactions: {allow: true, run: x.sh}", False),
        ("matchers: {operations: [PostToolUse], command: git}\nactions: {inject_inline: x}", False),
        ("matchers: {command: git}\nenabled_when: '1 == 1'\nactions: {block: x}", True),
        ("matchers: {command: npm}\nactions: {rewrite: {comand: x}}", True),
        ("matchers: {command: npm}\nactions: {rewrite: {timeout: 5}}", False),
        ("matchers: {tools: [mcp__a__b]}\nactions: {rewrite: {comand: x}}", False),
        ("matchers: {command: git}\nexcept: {command: git}\nactions: {block: x}", True),
        ("matchers: {command: git, tools: [Bash]}\nexcept: {command: git}\nactions: {block: x}", True),
        ("matchers: {command: git}\nexcept: {command: git, tools: [Bash]}\nactions: {block: x}", False),
        ("matchers: {command: [git, hg]}\nexcept: {command: git}\nactions: {block: x}", False),
        ("matchers: {command: git}\nenabled_when: 'platform == \"claude\"'\nactions: {block: x}", False),
    ],
)
def test_what_never_matches_or_acts(rules: str, found: bool) -> None:
    assert any(code.startswith("RZ10") for code in codes(lint_page.policy(rules))) is found


@pytest.mark.parametrize(
    ("command", "advice", "fixed_to"),
    [
        ("{program: git, subcommand: [checkout, switch]}", "[[checkout], [switch]]", "[[checkout], [switch]]"),
        ("{program: git, subcommand: [push, pull, fetch]}", "[[push], [pull], [fetch]]", "[[push], [pull], [fetch]]"),
        ("[{program: git, subcommand: [checkout, switch]}, {program: hg}]", "[[checkout], [switch]]", ""),
        ("{program: git, subcommand: [[checkout, switch], [push]]}", "write [checkout], [switch] if", ""),
        ("{program: [kubectl, oc], subcommand: [delete, drain]}", "[[delete], [drain]]", "[[delete], [drain]]"),
        ("{program: git, subcommand: [remote, add]}", "", ""),
        ("{program: git, subcommand: [stash, drop]}", "", ""),
        ("{program: git, subcommand: [checkout, main]}", "", ""),
        ("{program: git, subcommand: [[checkout], [switch]]}", "", ""),
        ("{program: git, subcommand: checkout}", "", ""),
        ("{program: npm, subcommand: [run, test]}", "", ""),
        ("{program: own-tool, subcommand: [checkout, switch]}", "", ""),
        ("{program: [git, own-tool], subcommand: [checkout, switch]}", "", ""),
        ("{subcommand: [checkout, switch]}", "", ""),
    ],
)
def test_several_subcommands_in_a_row(command: str, advice: str, fixed_to: str) -> None:
    text = lint_page.policy(f"matchers: {{command: {command}}}\nactions: {{block: x}}")
    found = lint(text.encode(), "f", only=("RZ111",))
    assert [advice in one.help for one in found] == ([True] if advice else [])
    written, _done = fixed(text.encode(), "f", found)
    assert (written.decode() != text) is bool(fixed_to) or command.startswith("[")
    assert not fixed_to or f"subcommand: {fixed_to}" in written.decode()


@pytest.mark.parametrize(
    ("wide", "narrow", "found"),
    [
        ("{command: git}", "{command: {program: git, any_flag: -f}}", True),
        ("{command: [git, hg]}", "{command: git}", True),
        ("{tools: [Bash, Read]}", "{tools: [Bash]}", True),
        ("{tools: [Bash]}", "{tools: [Bash, Read]}", False),
        ("{command: {program: git, all_flags: -f}}", "{command: {program: git, all_flags: [-f, -q]}}", True),
        ("{command: {program: git, all_flags: [-f, -q]}}", "{command: {program: git, all_flags: -f}}", False),
        ("{command: {program: git, no_flag: -n}}", "{command: {program: git, no_flag: [-n, -v]}}", True),
        ("{paths: ['*.pem', '*.key']}", "{paths: {globs: '*.pem', access: read}}", True),
        ("{paths: ['*.pem', '!a.pem']}", "{paths: '*.pem'}", False),
        ("{command: git, tools: [Bash]}", "{command: git}", False),
    ],
)
def test_a_rule_that_another_covers_never_counts(wide: str, narrow: str, found: bool) -> None:
    both = f"matchers: {wide}\nactions: {{block: x}}\n---\nmatchers: {narrow}\nactions: {{ask: x}}"
    assert ("RZ202" in codes(lint_page.policy(both))) is found
    if found:
        weaker = f"matchers: {wide}\nactions: {{ask: x}}\n---\nmatchers: {narrow}\nactions: {{block: x}}"
        assert "RZ202" not in codes(lint_page.policy(weaker))


@pytest.mark.parametrize(
    ("above", "found"),
    [
        ("extends: [builtin:essentials]\n", True),
        ("extends: [builtin:essentials]\ndisable: [no-force-push]\n", False),
        ("extends: [builtin:essentials]\noverrides: {no-force-push: {action: ask}}\n", True),
        ("", False),
    ],
)
def test_an_approval_that_a_set_takes_back(above: str, found: bool) -> None:
    rule = (
        "matchers: {command: {program: git, subcommand: push}}\nactions: {allow: true}\ntests: {allow: [git push -f]}"
    )
    text = lint_page.policy(rule).replace("rules:", f"{above}rules:")
    said = lint(text.encode(), "f", only=("RZ203",))
    assert bool(said) is found
    if found:
        assert "rule `no-force-push` (builtin:essentials:" in said[0].message
        assert said[0].help == "add disable: [no-force-push], or leave the example out"


@pytest.mark.parametrize(
    ("above", "found"),
    [
        ("overrides: {no-force-push: {mode: enforce}}\n", True),
        ("overrides: {no-force-push: {mode: warn}}\n", False),
        ('overrides: {"no-force-push*": {action: block}}\n', True),
        ('overrides: {"*-force-push": {files: off}}\n', False),
        ('overrides: {"no-*": {action: checkpoint}}\n', False),
        ("overrides: {no-force-push: {except: {tools: [Bash]}}}\n", False),
        ("overrides: {no-force-push: {reason: Because.}}\n", False),
        ("overrides: {no-force-push: {action: ask, not_in: ~/work}}\n", False),
        ("overrides: {of-the-team: {action: ask}}\n", False),
        ("extends: [builtin:terraform]\noverrides: {no-destroy: {mode: enforce}}\n", True),
        ("extends: [builtin:terraform]\nsettings: {mode: audit}\noverrides: {no-destroy: {mode: enforce}}\n", False),
        ("extends: [builtin:terraform]\nsettings: {mode: audit}\noverrides: {no-force-push: {mode: enforce}}\n", True),
    ],
)
def test_a_change_that_changes_nothing(above: str, found: bool) -> None:
    said = lint(f'version: "1.0"\n{above}'.encode(), "f", only=("RZ306",))
    assert bool(said) is found


@pytest.mark.parametrize(
    ("place", "found"),
    [
        *(("/**", True), ("/*", True), ("~/**", True), ("~/*/*", True), ("/home/*/**", True), ("/srv/*", True)),
        *(("/tmp", True), ("/tmp/acme/*", True), ("/var/tmp/x", True), ("/root/**", True), ("/home/ann/*", True)),
        *(("/srv/acme/*", False), ("~/work/acme/*", False), ("/home/*/work/acme", False), ("/tmpfiles/a", False)),
        *(("/srv/acme/**", False), ("/opt/acme", False)),
    ],
)
def test_a_place_in_which_any_clone_may_lie_is_not_trusted_unsaid(place: str, found: bool) -> None:
    text = f'version: "1.0"\nsettings: {{trust: {{paths: ["{place}"]}}}}\nrules: []\n'
    assert ("RZ307" in codes(text)) == found


def test_the_work_grows_with_the_pairs_of_rules_and_not_faster() -> None:
    rule = "  - {{name: r{n}, matchers: {{command: git, tools: [t{n}]}}, actions: {{ask: x{n}}}}}\n"

    def written(count: int) -> str:
        return 'version: "1.0"\nrules:\n' + "".join(rule.format(n=n) for n in range(count))

    assert "RZ202" not in codes(written(4))
    few, many = (calls(codes, written(count)) for count in (200, 400))
    assert many <= 4.5 * few + 1_000


# What is printed.


def test_a_finding_has_its_line_and_carets(project: Path) -> None:
    (project / "rules.yaml").write_text(BAD, "utf-8")
    result = run("rules.yaml")
    assert result.output.splitlines() == [
        "rules.yaml:5:40: warning RZ101: rule `no-git`: `command` never fits: Read runs no command",
        "    5 |     matchers: {tools: [Read], command: git}",
        "      |                                        ^^^",
        "    help: name the tool that does, or leave `tools` out",
        "",
        "1 file: 1 warning; docs/lint.md explains the codes",
    ]
    assert result.exit_code == 1


def test_what_validate_says_has_a_code_as_well() -> None:
    result = run("-", stdin=BAD.replace("command: git", "comand: git"))
    assert 'error RZ001: unknown matcher "comand" in rule "no-git"' in result.output
    assert "\n      |                               ^^^^^^\n" in result.output
    assert result.exit_code == 1


def test_nothing_to_say(project: Path) -> None:
    (project / "rules.yaml").write_text(BAD.replace("Read", "Bash"), "utf-8")
    result = run("rules.yaml")
    assert (result.output, result.exit_code) == ("1 file: nothing to say\n", 0)


def test_notes_fail_only_where_they_are_to() -> None:
    text = BAD.replace("Read", "Bash").partition("    tests")[0]
    assert run("-", stdin=text).exit_code == 0
    assert run("--strict", "-", stdin=text).exit_code == 1
    assert "note RZ302" in run("-", stdin=text).output
    assert "nothing to say" in run("--only", "RZ1,RZ301", "-", stdin=text).output


def test_json() -> None:
    found = json.loads(run("--format", "json", "-", stdin=BAD).output)
    assert found == {
        "schema": 1,
        "findings": [
            {
                "code": "RZ101",
                "severity": "warning",
                "file": "<stdin>",
                "line": 5,
                "column": 40,
                "width": 3,
                "message": "rule `no-git`: `command` never fits: Read runs no command",
                "help": "name the tool that does, or leave `tools` out",
            }
        ],
    }


def test_github(project: Path) -> None:
    (project / "a,b.yaml").write_text(BAD, "utf-8")
    assert run("--format", "github", "a,b.yaml").output == (
        "::warning file=a%2Cb.yaml,line=5,col=40,endColumn=43,title=RZ101::"
        "rule `no-git`: `command` never fits: Read runs no command; name the tool that does, or leave `tools` out\n"
    )


def test_sarif(project: Path) -> None:
    (project / "rules.yaml").write_text(BAD, "utf-8")
    log = json.loads(run("--format", "sarif", "rules.yaml").output)
    (one,) = log["runs"][0]["results"]
    assert (log["version"], one["ruleId"], one["level"]) == ("2.1.0", "RZ101", "warning")
    assert one["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "rules.yaml"},
        "region": {"startLine": 5, "startColumn": 40, "endColumn": 43},
    }
    known = {rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]}
    assert {check.code for check in CHECKS} < known


# What is mended.

MENDED = """\
version: "1.0"
rules:
  - name: always
    enabled_when: "1 == 1"   # on
    matchers: {command: git}
    actions: {ask: true}
  - name: letters
    matchers:
      # Deleting.
      command: {program: rm, any_flag: [-rf], operands: "*"}   # everything
    actions: {block: true}
"""


@pytest.fixture
def at_a_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody but a person has started this."""
    monkeypatch.setattr(person, "why_agent", lambda: "")


@pytest.mark.usefixtures("at_a_desk")
def test_what_can_be_mended_is_written_and_nothing_else(project: Path) -> None:
    text = MENDED.replace("   # on", "")
    (project / "rules.yaml").write_bytes(text.replace("\n", "\r\n").encode())
    (project / "link.yaml").symlink_to("rules.yaml")
    result = run("--fix", "--only", "RZ106,RZ304", "link.yaml")
    mended = text.replace('    enabled_when: "1 == 1"\n', "").replace("any_flag: [-rf]", "all_flags: [-r, -f]")
    assert (project / "rules.yaml").read_bytes() == mended.replace("\n", "\r\n").encode()
    assert (project / "link.yaml").is_symlink()
    assert result.stderr.splitlines() == [
        "link.yaml:4:19: mended RZ106: rule `always`: `enabled_when` is always true: it can be left out",
        "link.yaml:10:41: mended RZ304: rule `letters`: "
        "`any_flag: -rf` wants -r and -f together, in one word or in several",
    ]
    assert (result.stdout, result.exit_code) == ("1 file: nothing to say\n", 0)


@pytest.mark.usefixtures("at_a_desk")
@pytest.mark.parametrize(
    "rules",
    [
        "matchers: {command: git}\nenabled_when: 'true'   # a word beside it\nactions: {ask: x}",
        "matchers: {command: git}\nenabled_when:\n  'true'\nactions: {ask: x}",
        "matchers: {command: git}\nenabled_when: >\n  true\nactions: {ask: x}",
        "matchers: {command: git}\nenabled_when: 'false'\nactions: {ask: x}",
        "matchers: {command: {program: rm, any_flag: [-rf, --recursive]}}\nactions: {block: x}",
        "matchers: {command: {program: rm, any_flag: -rf, all_flags: -v}}\nactions: {block: x}",
        "matchers: {command: {program: rm, any_flag: [\n  -rf]}}\nactions: {block: x}",
        "matchers: {tools: [Read], command: git}\nactions: {block: x}",
    ],
)
def test_what_would_need_more_than_that_is_left_alone(project: Path, rules: str) -> None:
    text = lint_page.policy(rules)
    (project / "rules.yaml").write_text(text, "utf-8")
    assert run("--fix", "rules.yaml").stderr == ""
    assert (project / "rules.yaml").read_text("utf-8") == text


@pytest.mark.parametrize(("command", "found"), [("rm -r -f x", True), ("rm -fr x", True), ("rm -r x", False)])
def test_what_is_mended_means_the_same(command: str, found: bool) -> None:
    rule = "matchers: {command: {program: rm, any_flag: -rf}}\nactions: {block: x}"
    tests = f"\ntests: {{{'deny' if found else 'allow'}: ['{command}']}}"
    text = lint_page.policy(rule + tests).encode()
    mended, done = fixed(text, "f", lint(text, "f"))
    assert [one.code for one in done] == ["RZ304"]
    for content in (text, mended):
        assert run_cases(content, "f").held == 1


@pytest.mark.parametrize(
    ("flag", "program", "found"),
    [
        ("-rf", "rm", True),
        ("-r", "rm", False),
        ("--rf", "rm", False),
        ("-name", "find", False),
        ("-xf", "nobody", False),
    ],
)
def test_letters_of_several_options(flag: str, program: str, found: bool) -> None:
    rule = f"matchers: {{command: {{program: {program}, any_flag: {flag}}}}}\nactions: {{block: x}}"
    assert ("RZ304" in codes(lint_page.policy(rule))) is found


def test_an_agent_mends_no_policy(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person, "why_agent", lambda: "a coding agent cannot do this")
    (project / "rules.yaml").write_text(MENDED, "utf-8")
    result = run("--fix", "rules.yaml")
    assert (result.output, result.exit_code) == ("Error: a coding agent cannot do this\n", 1)
    assert (project / "rules.yaml").read_text("utf-8") == MENDED


def test_standard_input_is_not_mended() -> None:
    assert run("--fix", "-", stdin=MENDED).exit_code == 2


# What is looked at.


def test_a_directory(project: Path) -> None:
    for name in ("policies/.rulez/rules.yaml", "policies/team.yaml", "policies/.hidden/rules.yaml"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(BAD, "utf-8")
    (project / "policies" / "compose.yaml").write_text("version: '3'\nservices: {}\n", "utf-8")
    found = json.loads(run("--format", "json", "policies").output)["findings"]
    assert [one["file"] for one in found] == ["policies/team.yaml", "policies/.rulez/rules.yaml"]


def test_without_a_name_the_files_that_apply_here(project: Path) -> None:
    (project / ".rulez").mkdir()
    (project / ".rulez" / "rules.yaml").write_text(BAD, "utf-8")
    assert run().output.startswith(".rulez/rules.yaml:5:40: ")


def test_no_policy_file_at_all(project: Path) -> None:
    (project / "empty").mkdir()
    for arguments in ([], ["empty"]):
        result = run(*arguments)
        assert (result.output, result.exit_code) == ("there is no policy file to look at\n", 0)


def test_the_page_shows_what_is_printed(project: Path) -> None:
    """docs/cli.md, and the head of docs/lint.md."""
    (project / ".rulez").mkdir()
    (project / ".rulez" / "rules.yaml").write_text(BAD, "utf-8")
    page = (lint_page.PAGE.parent / "cli.md").read_text("utf-8")
    shown = page.partition("$ rulez lint .rulez/rules.yaml\n")[2].partition("```")[0]
    assert run(".rulez/rules.yaml").output == shown
    assert shown.partition("rules.yaml:")[2].partition("\n\n")[0] in lint_page.page()


def test_a_file_that_is_not_there() -> None:
    result = run("none.yaml")
    assert (result.output, result.exit_code) == ("Error: none.yaml: no such file or directory\n", 1)

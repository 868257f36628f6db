"""`rulez test`, as a person types it: what counts as a case, what a case must come to, and what is said."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from ruamel.yaml import YAML

from rulez_py.cli import cli
from rulez_py.policy.format import cases
from rulez_py.policy.judging import decide

PUSH = """\
version: "1.0"
rules:
  - name: no-push
    matchers: {tools: [Bash], command_match: '^git push'}
    actions: {block: true}
    tests:
      deny: ["git push"]
      allow:
        - git status
        - git stash push
"""


@pytest.fixture(autouse=True)
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    directory = home / "project"
    (directory / ".git").mkdir(parents=True)
    monkeypatch.chdir(directory)
    return directory


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["test", *arguments], catch_exceptions=False)


def policy(rule: str, tests: str) -> str:
    """A policy file of one rule and its tests."""
    return f'version: "1.0"\nrules:\n  - name: x\n    {rule}\n    tests: {tests}\n'


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


# What is said.


def test_tests_that_hold(project: Path) -> None:
    write(project / "rules.yaml", PUSH)
    result = run("rules.yaml")
    assert (result.output, result.exit_code) == ("3 tests hold, 0 fail\n", 0)


def test_a_test_that_fails_is_told_with_its_place(project: Path) -> None:
    write(
        project / "rules.yaml",
        PUSH.replace("- git stash push", "- git push --dry-run").replace('"git push"', '"git pull"'),
    )
    result = run("rules.yaml")
    assert result.output.splitlines() == [
        'rules.yaml:7:14: rule "no-push": "git pull" must be denied, and is not',
        "    command_match wants ^git push; here git pull",
        'rules.yaml:10:11: rule "no-push": "git push --dry-run" must be let through, and is denied',
        "    command_match ^git push: git push --dry-run",
        "1 test holds, 2 fail",
    ]
    assert result.exit_code == 1


def test_json(project: Path) -> None:
    write(project / "good.yaml", PUSH)
    write(project / "bad.yaml", PUSH.replace('["git push"]', "[git pull, {tool: Read, file_path: x}]"))
    write(project / "broken.yaml", PUSH.replace("tools", "tolls"))
    result = run("--json", "good.yaml", "bad.yaml", "broken.yaml")
    failure = {"rule": "no-push", "line": 7, "expected": "deny", "decision": None, "help": ""}
    assert json.loads(result.output) == {
        "files": [
            {
                "path": "broken.yaml",
                "problems": [
                    {
                        "severity": "error",
                        "line": 4,
                        "column": 16,
                        "message": 'unknown matcher "tolls" in rule "no-push"',
                        "help": 'did you mean "tools"?',
                    }
                ],
            },
            {"path": "good.yaml", "held": 3, "failures": [], "skipped": [], "untested": []},
            {
                "path": "bad.yaml",
                "held": 2,
                "failures": [
                    {
                        **failure,
                        "column": 14,
                        "test": "git pull",
                        "message": 'rule "no-push": "git pull" must be denied, and is not',
                        "why": ["command_match wants ^git push; here git pull"],
                    },
                    {
                        **failure,
                        "column": 24,
                        "test": {"tool": "Read", "file_path": "x"},
                        "message": 'rule "no-push": {"tool":"Read","file_path":"x"} must be denied, and is not',
                        "why": ["tools wants Bash; here Read", "command_match wants ^git push; here nothing"],
                    },
                ],
                "skipped": [],
                "untested": [],
            },
        ],
        "ok": False,
    }
    assert result.exit_code == 1


# For pipelines.

JUNIT_ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors", "time"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testcase": {"classname", "name", "file", "line", "time"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message"},
}
"""What Jenkins', GitLab's and GitHub's readers know; each element may have these and no others."""


def junit(*arguments: str) -> ElementTree.Element:
    """What `rulez test --junit` writes, in which nothing is that a reader of JUnit's XML refuses."""
    run("--junit", "deep/results.xml", *arguments)
    root = ElementTree.parse("deep/results.xml").getroot()
    for element in root.iter():
        assert set(element.attrib) <= JUNIT_ATTRIBUTES[element.tag]
    assert root.tag == "testsuites"
    for suite in root:
        cases = list(suite)
        assert int(suite.attrib["tests"]) == len(cases)
        for tag, count in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            assert int(suite.attrib[count]) == sum(case.find(tag) is not None for case in cases)
    for count in ("tests", "failures", "errors"):
        assert int(root.attrib[count]) == sum(int(suite.attrib[count]) for suite in root)
    return root


def test_junit_has_a_case_for_each_example(project: Path) -> None:
    write(project / "rules.yaml", PUSH.replace("- git stash push", "- git push <&\\x1b>"))
    root = junit("rules.yaml")
    cases = [(case.get("classname"), case.get("name"), case.get("file"), case.get("line")) for case in root[0]]
    assert cases == [
        ("no-push", 'deny: "git push"', "rules.yaml", "7"),
        ("no-push", 'allow: "git status"', "rules.yaml", "9"),
        ("no-push", 'allow: "git push <&\\x1b>"', "rules.yaml", "10"),
    ]
    failure = root[0][2].find("failure")
    assert failure is not None
    assert failure.text is not None
    assert failure.get("message") == 'rule "no-push": "git push <&\\x1b>" must be let through, and is denied'
    assert failure.text.splitlines()[1:] == ["command_match ^git push: git push <&\\x1b>"]


def test_junit_has_what_was_skipped_and_what_is_not_valid(project: Path) -> None:
    rule = "matchers: {tools: [Bash]}\n    actions: {run: ./check}"
    write(project / "skipped.yaml", policy(rule, '{deny: ["ls"]}'))
    write(project / "broken.yaml", PUSH.replace("tools", "tolls"))
    root = junit("skipped.yaml", "broken.yaml")
    assert [(suite.get("name"), suite.get("errors"), suite.get("skipped")) for suite in root] == [
        ("broken.yaml", "1", "0"),
        ("skipped.yaml", "0", "1"),
    ]
    error = root[0][0].find("error")
    assert error is not None
    assert error.text == ('broken.yaml:4:16: error: unknown matcher "tolls" in rule "no-push"; did you mean "tools"?')


def test_junit_has_no_character_that_xml_has_not(project: Path) -> None:
    write(project / "rules.yaml", PUSH.replace('"git push"', '"git pull \\x01 \\uFFFE"'))
    assert junit("rules.yaml")[0].get("failures") == "1"


def test_junit_that_cannot_be_written_is_an_error(project: Path) -> None:
    write(project / "rules.yaml", PUSH)
    write(project / "taken", "")
    result = run("--junit", "taken/results.xml", "rules.yaml")
    assert (result.output, result.exit_code) == ("Error: taken/results.xml cannot be written: file exists\n", 1)


def test_a_directory_stands_for_the_policies_in_it(project: Path) -> None:
    write(project / "policies" / "one.yaml", PUSH)
    write(project / "policies" / ".rulez" / "rules.yaml", PUSH)
    write(project / "policies" / "other.yaml", "a: b\n")
    assert run("policies").output == "6 tests hold, 0 fail\n"


def test_a_directory_without_policies_is_an_error(project: Path) -> None:
    (project / "empty").mkdir()
    result = run("empty")
    assert (result.output, result.exit_code) == (
        "Error: empty: there is no policy file in this directory, and no scenario file\n",
        1,
    )


def test_rules_without_tests_are_counted(project: Path) -> None:
    write(
        project / "rules.yaml",
        PUSH + "  - {name: a, matchers: {}, actions: {}}\n  - {name: b, matchers: {}, actions: {}}\n",
    )
    result = run("rules.yaml")
    assert (result.output, result.exit_code) == ("3 tests hold, 0 fail; 2 rules have no tests\n", 0)


@pytest.mark.parametrize("action", ["run: ./check", "inline_script: exit 0"])
def test_a_rule_that_runs_a_script_is_skipped_with_a_note(project: Path, action: str) -> None:
    write(project / "rules.yaml", policy(f"matchers: {{tools: [Bash]}}\n    actions: {{{action}}}", '{deny: ["ls"]}'))
    result = run("rules.yaml")
    assert result.output.splitlines() == [
        'rules.yaml:6:12: note: rule "x" runs a script: its test is skipped',
        "0 tests hold, 0 fail; the tests of 1 rule are skipped",
    ]
    assert result.exit_code == 0


def test_a_rule_that_is_switched_off_is_skipped_with_a_note(project: Path) -> None:
    rule = "matchers: {tools: [Bash]}\n    metadata: {enabled: false}\n    actions: {block: true}"
    write(project / "rules.yaml", policy(rule, "{deny: [ls, pwd]}"))
    assert run("rules.yaml").output.splitlines() == [
        'rules.yaml:7:12: note: rule "x" is switched off: its 2 tests are skipped',
        "0 tests hold, 0 fail; the tests of 1 rule are skipped",
    ]


# Which files.


def test_without_a_name_the_files_that_apply_here_are_tested(project: Path, home: Path) -> None:
    write(home / ".config" / "rulez" / "rules.yaml", PUSH)
    write(project / ".rulez" / "rules.yaml", PUSH.replace('"git push"', "git pull"))
    assert run().output.replace(os.sep, "/").splitlines() == [
        '.rulez/rules.yaml:7:14: rule "no-push": "git pull" must be denied, and is not',
        "    command_match wants ^git push; here git pull",
        "5 tests hold, 1 fails",
    ]


def test_where_no_file_applies_that_is_said() -> None:
    result = run()
    assert (result.output, result.exit_code) == (
        "no policy file applies here\n",
        0,
    )


def test_a_file_that_is_not_there_is_told_as_validate_tells_it() -> None:
    result = run("nope.yaml")
    assert result.output.splitlines() == [
        "nope.yaml (project): not valid",
        "nope.yaml:1:1: error: the file cannot be read: there is no such file; check the name",
    ]
    assert result.exit_code == 1


def test_an_invalid_file_is_told_as_validate_tells_it_and_the_others_are_tested(project: Path) -> None:
    write(project / "broken.yaml", PUSH.replace("tools", "tolls"))
    write(project / "good.yaml", PUSH)
    validated = CliRunner().invoke(cli, ["validate", "broken.yaml"]).output
    result = run("broken.yaml", "good.yaml")
    assert result.output == validated + "3 tests hold, 0 fail\n"
    assert result.exit_code == 1


@pytest.mark.parametrize("name", ["essentials", "builtin:essentials"])
def test_a_rule_set_is_tested_by_name(name: str) -> None:
    result = run("--pack", name)
    assert result.exit_code == 0, result.output
    assert int(result.output.split()[0]) > 20


def test_a_rule_set_that_is_not_there_is_told_with_the_nearest_name() -> None:
    result = run("--pack", "essentails")
    assert 'there is no rule set "essentails"; did you mean "essentials"?' in result.output
    assert result.exit_code == 2


# What a case is, and what it must come to.

BASH = "matchers: {tools: [Bash], command_match: push}\n    actions: "
HOLDS = {
    "a text is a shell command": (BASH + "{block: true}", "{deny: [git push], allow: [git pull]}"),
    "ask": (BASH + "{ask: true}", "{ask: [git push], allow: [git pull]}"),
    "an approval is nothing against it": (BASH + "{allow: true}", "{allow: [git push, git pull]}"),
    "a map with a command is a shell command": (BASH + "{block: true}", "{deny: [{command: git push}]}"),
    "a map names its tool": (
        "matchers: {paths: {globs: [.env], access: [write]}}\n    actions: {block: true}",
        "{deny: [{tool: Write, file_path: .env, content: A=1}], allow: [{tool: Read, file_path: .env}]}",
    ),
    "an MCP tool": (
        "matchers: {mcp: {server: github, tool: 'delete_*'}}\n    actions: {block: true}",
        "{deny: [{tool: mcp__github__delete_repo, repo: a}], allow: [{tool: mcp__github__get_repo}]}",
    ),
    "a prompt": (
        "matchers: {prompt_match: deploy}\n    actions: {block: true}",
        "{deny: [{prompt: deploy it}], allow: [{prompt: test it}, deploy]}",
    ),
    "before the tool runs": ("matchers: {operations: [PostToolUse]}\n    actions: {block: true}", "{allow: [ls]}"),
    "only warns": ("mode: warn\n    " + BASH + "{block: true}", "{deny: [git push]}"),
    "only noted": ("mode: audit\n    " + BASH + "{ask: true}", "{ask: [git push]}"),
    "a rule for another agent": (
        "matchers: {platforms: [gemini], tools: [Bash]}\n    actions: {block: true}",
        "{deny: [ls]}",
    ),
    "a tool of another agent": (
        "matchers: {tools: [read_many_files]}\n    actions: {block: true}",
        "{deny: [{tool: read_many_files, paths: [a]}]}",
    ),
    "an expression, in an empty environment": (
        "enabled_when: env_CI == \"\" && project_dir != \"\"\n    " + BASH + "{block: true}",
        "{deny: [git push]}",
    ),
    "an exception": (BASH + "{block: true}\n    except: {command_match: dry-run}", "{allow: [git push --dry-run]}"),
    "it is where no machine is": (
        "enabled_when: project_dir == env_HOME + '/project' && cwd == project_dir\n    " + BASH + "{block: true}",
        "{deny: [git push]}",
    ),
    "its home": (
        "matchers: {paths: [~/.ssh/**]}\n    actions: {block: true}",
        "{deny: [{tool: Read, file_path: /home/user/.ssh/id_rsa}, {tool: Read, file_path: ../.ssh/x}]}",
    ),
    "paths are those of the empty project": (
        "matchers: {paths: [src/a]}\n    actions: {block: true}",
        "{deny: [{tool: Read, file_path: src/a}], allow: [{tool: Read, file_path: b/src/a}]}",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("rule", "tests"), HOLDS.values(), ids=HOLDS)
def test_holds(project: Path, rule: str, tests: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    write(project / "rules.yaml", policy(rule, tests))
    result = run("rules.yaml")
    assert result.exit_code == 0, result.output


FAILS = {
    "asked instead of denied": (BASH + "{ask: true}", "{deny: [git push]}", "must be denied, and is asked about"),
    "denied instead of asked": (BASH + "{block: true}", "{ask: [git push]}", "must be asked about, and is denied"),
    "nothing instead of asked": (BASH + "{ask: true}", "{ask: [git pull]}", "must be asked about, and is not"),
    "asked instead of let through": (BASH + "{ask: true}", "{allow: [git push]}", "let through, and is asked about"),
    "approved instead of denied": (BASH + "{allow: true}", "{deny: [git push]}", "must be denied, and is approved"),
    "another reason": (
        "matchers: {command: git}\n    actions: {block: use the pipeline}",
        "{deny: [{command: git push, reason: use a pull request}]}",
        'must be denied, and its reason must say "use a pull request"; it says "Blocked by rule "x" (git): use the',
    ),
    "no reason": (
        BASH + "{block: true}",
        "{allow: [{command: git pull, reason: pipeline}]}",
        'must be let through, and its reason must say "pipeline"; it says nothing',
    ),
    "an expression that fails": (
        "enabled_when: size(env_CI) + 1\n    " + BASH + "{block: true}",
        "{deny: [git push]}",
        "must be denied, and its rule fails; Blocked: rule",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("rule", "tests", "said"), FAILS.values(), ids=FAILS)
def test_fails(project: Path, rule: str, tests: str, said: str) -> None:
    write(project / "rules.yaml", policy(rule, tests))
    result = run("rules.yaml")
    assert said in result.output
    assert result.exit_code == 1


@pytest.mark.parametrize("example", ["{file_path: .env}", "{tool: 5}", "{}", "{tool: '', command: x}"])
@pytest.mark.parametrize("expected", ["deny", "allow"])
def test_a_map_that_is_no_call_fails_whatever_it_expects(project: Path, expected: str, example: str) -> None:
    write(project / "rules.yaml", policy(BASH + "{block: true}", f"{{{expected}: [{example}]}}"))
    result = run("rules.yaml")
    assert "is no call; name its tool, like {tool: Write, file_path: .env, content: x}" in result.output
    assert result.exit_code == 1


def test_only_the_rule_itself_counts(project: Path) -> None:
    other = "  - {name: all, matchers: {}, actions: {block: true}, priority: 9}\n"
    write(project / "rules.yaml", PUSH + other)
    assert run("rules.yaml").exit_code == 0


def test_nothing_runs_and_nothing_is_written(project: Path, home: Path) -> None:
    rule = "matchers: {}\n    actions: {inject_command: 'touch ran', inject: rules.yaml}"
    write(project / "rules.yaml", policy(rule, "{allow: [ls]}"))
    assert run("rules.yaml").output == "1 test holds, 0 fail\n"
    assert sorted(os.listdir(project)) == [".git", "rules.yaml"]
    assert sorted(os.listdir(home)) == ["project"]


def test_the_answer_is_that_of_the_function_that_judges_a_hook_call() -> None:
    assert vars(cases)["decide"] is decide.decide


def test_the_examples_in_the_documentation_hold(project: Path, home: Path) -> None:
    mine = home / ".config" / "rulez" / "rules.yaml"
    mine.parent.mkdir(parents=True)
    page = (Path(__file__).parents[1] / "docs" / "policy.md").read_text("utf-8")
    for number, text in enumerate(part.split("```", 1)[0] for part in page.split("```yaml\n")[1:]):
        parsed: Any = YAML(typ="safe").load(text)
        if "tests" not in text or "version" not in parsed:
            continue
        # Some keys only a person's own file may have.
        place = mine if "rulez-protects-itself" in text else project / f"{number}.yaml"
        if "./team.yaml" in text:
            place = project / ".rulez" / "rules.yaml"
            for name, file in (("ask-before-migrations", ".rulez/team.yaml"), ("no-friday-releases", "shared/a.yaml")):
                rule = f"{{name: {name}, matchers: {{command: {{program: x}}}}, actions: {{ask: true}}}}"
                write(project / file, f'version: "1.0"\nrules: [{rule}]\n')
        result = run(str(write(place, text)))
        assert (result.exit_code, result.output[0]) != (0, "0"), text
        assert result.exit_code == 0, result.output


# What is rewritten.

REWRITING = "matchers: {command: {program: pip}}\n    actions: {rewrite: {command: {replace_program: uv pip}}}"


@pytest.mark.parametrize(
    ("case", "wrong"),
    [
        ("{command: cd x; pip list, rewritten: {command: cd x; uv pip list}}", ""),
        ("{command: ls, rewritten: {}}", ""),
        ("{command: pip list}", ""),
        ("{command: pip list, rewritten: {}}", 'be rewritten to {}; it is rewritten to {"command":"uv pip list"}'),
        ("{command: ls, rewritten: {command: uv}}", 'it must be rewritten to {"command":"uv"}; it is not rewritten'),
        ("{command: pip list, rewritten: uv pip list}", 'must be a map, not the text "uv pip list"'),
    ],
)
def test_a_case_says_what_the_call_is_rewritten_to(project: Path, case: str, wrong: str) -> None:
    write(project / "rules.yaml", policy(REWRITING, f"{{allow: [{case}]}}"))
    result = run("rules.yaml")
    assert result.exit_code == (1 if wrong else 0)
    assert wrong in result.output


def test_the_tests_of_files_that_a_policy_extends_are_tried_with_its_lists(project: Path) -> None:
    write(project / ".rulez" / "rules.yaml", 'version: "1.0"\nextends: ./team.yaml\nvars: {hosts: [a.example]}\n')
    rule = "{name: r, matchers: {domains: [$hosts]}, actions: {block: true}, tests: {deny: [curl https://a.example]}}"
    write(project / ".rulez" / "team.yaml", f'version: "1.0"\nrules: [{rule}]\n')
    assert run().output == "1 test holds, 0 fail\n"
    assert run(".rulez/rules.yaml").output == "1 test holds, 0 fail\n"

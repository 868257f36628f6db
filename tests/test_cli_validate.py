"""`rulez validate` and `rulez schema`, as a person types them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulez_py import trust
from rulez_py.cli.schema import schema as schema_command
from rulez_py.cli.validate import validate
from rulez_py.definitions.agents.format import json_schema as agents_json_schema
from rulez_py.policy.format.editor_schema import for_editors
from rulez_py.policy.store.load import read_file, read_floor
from rulez_py.policy.store.search import discover
from rulez_py.system.places import places

GOOD = 'version: "1.0"\nrules:\n  - {name: a, matchers: {tools: [Bash]}, actions: {block: true}}\n'
BAD = 'version: "1.0"\nrules:\n  - {name: a, matchers: {comand_match: rm}, actions: {block: true}, mode: 5}\n'
WARNED = 'version: "1.0"\nsettings: {log_level: info}\nrules:\n  - {name: a, matchers: {tools: [Bash]}, actions: {}}\n'


@pytest.fixture
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    directory = home / "project"
    (directory / ".git").mkdir(parents=True)
    monkeypatch.chdir(directory)
    return directory


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(validate, arguments, catch_exceptions=False)


RULES = len(read_floor("/").rules)
FLOOR = f"builtin:essentials (built-in): {RULES} rules"


def test_what_keeps_an_agent_going_waits_for_trust(project: Path) -> None:
    write(project / ".rulez" / "rules.yaml", GOOD.replace("tools: [Bash]", "operations: [Stop]"))
    assert ".rulez/rules.yaml (project): 1 rule, waits for `rulez trust`" in run().output.replace(os.sep, "/")


def test_nothing_to_check(project: Path) -> None:
    result = run()
    assert result.output == f"no policy file applies here\n{FLOOR}\n"
    assert result.exit_code == 0


def test_the_files_that_apply_here(project: Path, home: Path) -> None:
    write(
        home / ".claude" / "hooks.yaml", GOOD + GOOD.splitlines()[2].replace("a,", "b,").replace("Bash", "Read") + "\n"
    )
    write(project / ".rulez" / "rules.yaml", WARNED)
    result = run()
    assert result.output.replace(os.sep, "/").splitlines() == [
        "~/.claude/hooks.yaml (user): 2 rules",
        ".rulez/rules.yaml (project): 1 rule",
        '.rulez/rules.yaml:2:23: warning: "settings.log_level" has no effect here',
        FLOOR,
    ]
    assert result.exit_code == 0


def test_essentials_that_are_taken_need_no_note(project: Path, home: Path) -> None:
    write(home / ".claude" / "hooks.yaml", 'version: "1.0"\nextends: [builtin:essentials]\nrules: []\n')
    assert "note" not in run().output


def test_a_change_of_a_rule_that_is_nowhere_is_said_where_all_files_are_known(project: Path, home: Path) -> None:
    own = home / ".config" / "rulez" / "rules.yaml"
    overrides = (
        'a: {mode: warn}\n  no-destroy: {mode: warn}\n  "of-*": {mode: warn}\n  b: {mode: warn, only_in: /elsewhere}\n'
    )
    write(own, f'version: "1.0"\noverrides:\n  rulez-protects-itself: {{action: ask}}\n  {overrides}')
    help = "write its name as its file does, or only_in, where it is a rule of other projects"
    expected = [
        f'~/.config/rulez/rules.yaml:{number}:1: warning: "overrides" names "{key}", no rule here; {help}'
        for number, key in ((4, "a"), (6, "of-*"))
    ]
    assert [line for line in run().output.replace(os.sep, "/").splitlines() if "warning" in line] == expected
    write(project / ".rulez" / "rules.yaml", GOOD)
    assert [line for line in run().output.replace(os.sep, "/").splitlines() if "warning" in line] == expected[1:]


CHANGES = 'version: "1.0"\noverrides: {no-hard-reset: {action: ask}, "ask-*": {action: log}}\n'


def test_what_of_the_essentials_is_changed_is_said_with_whose_word_it_is(project: Path, home: Path) -> None:
    path = write(project / ".rulez" / "rules.yaml", f"{CHANGES}disable: [no-force-push]\n")
    assert run().output.splitlines()[-1] == FLOOR
    source = read_file("project", str(path), lambda _path, _digest: False, shown="x").source
    trust.trust(places(os.environ), source.path, source.digest, now=0.0)
    assert run().output.replace(os.sep, "/").splitlines()[-1] == (
        f"builtin:essentials (built-in): {RULES - 1} rules; no-force-push is taken out by .rulez/rules.yaml;"
        " no-hard-reset asks by .rulez/rules.yaml"
    )
    write(home / ".config" / "rulez" / "rules.yaml", 'version: "1.0"\nsettings:\n  essentials: false\n')
    assert run().output.replace(os.sep, "/").splitlines()[-1] == (
        "builtin:essentials is switched off by ~/.config/rulez/rules.yaml:3 (essentials: false)"
    )


@pytest.mark.parametrize(
    "action", ["run: a", "inline_script: a", "inject_command: a", "allow: true", "rewrite: {a: b}"]
)
def test_what_waits_for_trust_is_said(project: Path, action: str) -> None:
    path = write(project / ".rulez" / "rules.yaml", GOOD.replace("block: true", action))
    assert run().output.splitlines()[0].replace(os.sep, "/") == (
        ".rulez/rules.yaml (project): 1 rule, waits for `rulez trust`"
    )
    mine = places(os.environ)
    source = read_file("project", str(path), lambda _path, _digest: False, shown="x").source
    trust.trust(mine, source.path, source.digest, now=0.0)
    assert run().output.splitlines()[0].replace(os.sep, "/") == ".rulez/rules.yaml (project): 1 rule"


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("matchers: {command: npm}, actions: {rewrite: {command: pnpm}}", True),
        ("matchers: {command: npm}, actions: {rewrite: {timeout: 5}}", False),
        ("matchers: {tools: [Bash]}, actions: {rewrite: {command: pnpm}}", False),
        ("matchers: {command: npm}, actions: {rewrite: {command: pnpm}}, tests: {deny: ['npm i; ls']}", False),
        ("matchers: {command: npm}, actions: {rewrite: {command: pnpm}}, tests: {deny: ['npm i']}", True),
    ],
)
def test_a_rewrite_that_denies_longer_lines_is_told(project: Path, rule: str, told: bool) -> None:
    write(project / ".rulez" / "rules.yaml", f'version: "1.0"\nrules:\n  - {{name: a, {rule}}}\n')
    assert ("where that says more than this command, the call is denied (RZ110)" in run().output) is told


@pytest.mark.skipif(os.name == "nt", reason="POSIX paths")
@pytest.mark.parametrize("variable", ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "HOME"])
def test_an_environment_that_leads_into_the_project_is_refused(
    project: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "/proc/self/cwd/.x")
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        if variable == "HOME":
            monkeypatch.delenv(name)
    result = run()
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: {variable} is /proc/self/cwd/.x, so ")
    assert f"a person can unset {variable}" in result.output


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() != 0, reason="root only")
def test_a_file_of_somebody_else_is_told(project: Path) -> None:
    os.chown(write(project / ".rulez" / "rules.yaml", BAD), 12345, 12345)
    assert run().output.splitlines()[:2] == [
        ".rulez/rules.yaml (project): ignored",
        ".rulez/rules.yaml:1:1: warning: this file is ignored: it belongs to user 12345, neither to you nor to root; "
        "review it, then run `rulez trust`, or make it yours (chown)",
    ]
    assert run().exit_code == 0


def test_what_stands_above_the_repository_is_told(project: Path) -> None:
    write(project / "sub" / ".git", "gitdir: elsewhere")
    write(project / ".rulez" / "rules.yaml", GOOD.replace("block: true", "allow: true"))
    os.chdir(project / "sub")
    assert run().output.splitlines()[0].replace(os.sep, "/") == (
        "~/project/.rulez/rules.yaml (project, above the repository: only its denials and questions count): 1 rule"
    )


def test_errors(project: Path) -> None:
    write(project / ".rulez" / "rules.yaml", BAD)
    result = run()
    assert result.output.replace(os.sep, "/").splitlines() == [
        ".rulez/rules.yaml (project): not valid",
        '.rulez/rules.yaml:3:26: error: unknown matcher "comand_match" in rule "a"; did you mean "command_match"?',
        '.rulez/rules.yaml:3:75: error: "mode" in rule "a" must be text, not the number 5; quote it: "5"',
    ]
    assert result.exit_code == 1


def test_named_files_wherever_they_are(project: Path, home: Path) -> None:
    write(project / ".rulez" / "rules.yaml", BAD)
    elsewhere = write(home / "elsewhere" / "x.yaml", GOOD)
    result = run(str(elsewhere), "../elsewhere/x.yaml")
    assert result.output.splitlines() == [
        f"{elsewhere} (project): 1 rule",
        "../elsewhere/x.yaml (project): 1 rule",
    ]
    assert result.exit_code == 0


def test_a_named_file_keeps_its_layer(project: Path, home: Path) -> None:
    write(home / ".claude" / "hooks.yaml", GOOD)
    assert run("../.claude/hooks.yaml").output == "../.claude/hooks.yaml (user): 1 rule\n"


def test_a_missing_file_is_an_error_and_stays_missing(project: Path) -> None:
    result = run("nope.yaml")
    assert result.output.splitlines() == [
        "nope.yaml (project): not valid",
        "nope.yaml:1:1: error: the file cannot be read: there is no such file; check the name",
    ]
    assert result.exit_code == 1
    assert sorted(os.listdir(project)) == [".git"]


def test_json(project: Path) -> None:
    write(project / "good.yaml", GOOD)
    write(project / "bad.yaml", BAD)
    result = run("--json", "good.yaml", "bad.yaml")
    assert json.loads(result.output) == {
        "files": [
            {"path": "good.yaml", "layer": "project", "rules": 1, "waits_for_trust": False, "problems": []},
            {
                "path": "bad.yaml",
                "layer": "project",
                "rules": 0,
                "waits_for_trust": False,
                "problems": [
                    {
                        "severity": "error",
                        "line": 3,
                        "column": 26,
                        "message": 'unknown matcher "comand_match" in rule "a"',
                        "help": 'did you mean "command_match"?',
                    },
                    {
                        "severity": "error",
                        "line": 3,
                        "column": 75,
                        "message": '"mode" in rule "a" must be text, not the number 5',
                        "help": 'quote it: "5"',
                    },
                ],
            },
        ],
        "ok": False,
    }
    assert result.exit_code == 1


def test_json_where_there_is_nothing(project: Path) -> None:
    assert json.loads(run("--json").output) == {
        "files": [],
        "ok": True,
        "essentials": {"holds": True, "off_by": "", "rules": RULES, "changed": []},
        "settings": [],
    }


def test_checking_what_applies_creates_nothing_but_what_the_next_call_finds(project: Path, home: Path) -> None:
    run()
    run("--json")
    files = [path.relative_to(home) for path in home.rglob("*") if path.is_file()]
    assert [(path.parent, path.suffix) for path in files] == [(Path(".cache/rulez"), ".policy")]
    assert discover(places(os.environ), str(project)) == ()


def test_the_schema_command_prints_the_schema() -> None:
    result = CliRunner().invoke(schema_command, [], catch_exceptions=False)
    printed: Any = json.loads(result.output)
    assert printed == for_editors()
    assert result.exit_code == 0


def test_the_schema_command_prints_that_of_agent_definitions() -> None:
    result = CliRunner().invoke(schema_command, ["agent"], catch_exceptions=False)
    assert json.loads(result.output) == agents_json_schema()


SCRIPTS = """\
version: "1.0"
rules:
  - {name: a, matchers: {}, actions: {run: scripts/none.py --strict}}
  - {name: b, matchers: {}, actions: {run: {script: python3, args: [-I, scripts/none.py]}}}
  - {name: c, matchers: {}, actions: {run: sh none.sh}}
  - {name: d, matchers: {}, actions: {run: scripts/plain.sh}}
  - {name: e, matchers: {}, actions: {run: scripts/check.sh x/y}}
  - {name: f, matchers: {}, actions: {run: python3 -m none/x}}
  - {name: g, matchers: {}, actions: {run: ~/none.sh}}
  - {name: h, matchers: {}, actions: {run: {script: "scripts/none.sh | cat", shell: true}}}
  - {name: i, matchers: {}, actions: {run: some-program none.py}}
"""


@pytest.mark.skipif(os.name == "nt", reason="POSIX modes")
@pytest.mark.parametrize("layer", ["project", "user"])
def test_a_script_that_is_not_there_or_cannot_run_is_told(project: Path, home: Path, layer: str) -> None:
    mine = home / ".config" / "rulez" if layer == "user" else project
    path = write(mine / "rules.yaml" if layer == "user" else mine / ".rulez" / "rules.yaml", SCRIPTS)
    write(mine / "scripts" / "plain.sh", "#!/bin/sh\n").chmod(0o644)
    write(mine / "scripts" / "check.sh", "#!/bin/sh\n").chmod(0o755)
    result = run(str(path))
    told = [line.removeprefix(f"{path}:") for line in result.output.splitlines() if "warning" in line]
    nowhere = f"which is not there; it is looked for in {mine}"
    assert told == [
        f'3:44: warning: "run" in rule "a" names scripts/none.py, {nowhere}',
        f'4:53: warning: "run.script" in rule "b" names scripts/none.py, {nowhere}',
        f'5:44: warning: "run" in rule "c" names none.sh, {nowhere}',
        '6:44: warning: "run" in rule "d" names scripts/plain.sh, which is not executable;'
        f" chmod +x {mine}/scripts/plain.sh",
    ]
    assert result.exit_code == 0


def test_files_that_a_policy_extends_are_counted_and_their_mistakes_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".rulez" / "rules.d").mkdir(parents=True)
    policy, team = tmp_path / ".rulez" / "rules.d" / "a.yaml", tmp_path / ".rulez" / "team.yaml"
    policy.write_text('version: "1.0"\nextends: ../team.yaml\n')
    team.write_text('version: "1.0"\nrules: [{name: r, matchers: {tools: Bash}, actions: {block: true}}]\n')
    result = CliRunner().invoke(validate, [".rulez"])
    lines = result.output.splitlines()
    assert ".rulez/rules.d/a.yaml (project): 1 rule, 1 file that it extends".replace("/", os.sep) in lines
    team.write_text('version: "1.0"\nrulez: []\n')
    result = CliRunner().invoke(validate, [".rulez/rules.d/a.yaml"])
    assert (result.exit_code, "team.yaml:2:1: error: unknown top-level key" in result.output) == (1, True)


def test_a_rule_that_some_agents_give_no_result_is_noted(project: Path) -> None:
    rules = [
        "  - {name: tests, matchers: {command: {program: npm}}, actions: {remember: tested}}",
        "  - {name: push, matchers: {command: {program: git}}, requires: tested, actions: {block: true}}",
    ]
    write(project / "x.yaml", "\n".join(('version: "1.0"', "rules:", *rules, "")))
    result = run("x.yaml")
    (note,) = [line for line in result.output.splitlines() if ": note: " in line]
    assert note.startswith("x.yaml:3: note: rule `tests` never remembers `tested` in ")
    assert "Codex CLI" in note
    assert note.endswith(
        "and push objects each time; write `result: any` where it is enough that the command has been run"
    )
    assert result.exit_code == 0
    (file,) = json.loads(run("--json", "x.yaml").output)["files"]
    (told,) = file["never_remembers"]
    assert (told["rule"], told["key"], told["required_by"]) == ("tests", "tested", ["push"])

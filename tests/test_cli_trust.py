"""`rulez trust` as a person, a script and a coding agent meet it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import rulez_py.system.places
from rulez_py.cli import cli, processes
from rulez_py.cli import person as sitting
from rulez_py.cli.person import agent_of, maker_of, terminal_maker, why_no_person, why_not_typed
from rulez_py.cli.processes import Process, agent_marks, ancestors, read_ps
from rulez_py.cli.trust import trust
from rulez_py.policy.store.load import load
from rulez_py.system.places import places
from rulez_py.trust import is_trusted, signatures, trusted
from rulez_py.trust.signatures import own_signers
from tests.sitting import PLAIN, ROOT, SITTING, says_at_a_terminal

POLICY = """\
version: "1.0"
settings: {on_error: allow}
rules:
  - name: checked
    matchers: {tools: [Bash]}
    actions: {run: .rulez/check.sh --strict 'a b'}
  - name: shelled
    matchers: {tools: [Bash]}
    actions: {run: {script: "grep -q x | tee log", shell: true}}
  - name: scripted
    matchers: {tools: [Bash]}
    actions:
      inline_script: |
        #!/bin/sh
        if true; then
        \texit 1
        fi
  - name: told
    matchers: {tools: [Bash]}
    actions: {inject_command: git status}
  - name: approved
    matchers: {tools: [Bash]}
    actions: {allow: true}
  - name: rewritten
    matchers: {tools: [Bash]}
    actions: {rewrite: {command: "true", timeout: 5}}
  - name: renamed
    matchers: {command: npm}
    actions: {rewrite: {command: pnpm}}
  - name: partly
    matchers: {command: pip}
    actions: {rewrite: {command: {replace_program: uv pip, add_flag: [-a, "-b 1"], replace: [x, y]}}}
  - name: denied
    matchers: {tools: [Bash]}
    actions: {block: true}
"""

DESCRIPTION = """\
{policy}
  9 rules. Once trusted, they may:
    let calls through where something fails
    run (rule "checked")
        | .rulez/check.sh --strict 'a b'
    run in a shell (rule "shelled")
        | grep -q x | tee log
    run this script (rule "scripted")
        | #!/bin/sh
        | if true; then
        |     exit 1
        | fi
    run this shell line and tell the agent its output (rule "told")
        | git status
    approve calls without asking you (rule "approved")
    change the arguments of calls (rule "rewritten")
        | command = true
        | timeout = 5
    change the arguments of calls (rule "renamed")
        | command = pnpm
        a line that says more than the command the rule is about is denied instead
    change the arguments of calls (rule "partly")
        | command: replace_program uv pip
        | command: add_flag -a, -b 1
        | command: replace x -> y
  It weakens no rule of builtin:essentials: they hold as before
  Trust covers these files as well, and ends when one of them changes:
    .rulez/check.sh
  Not covered; a change there does not end trust:
    what these scripts and programs themselves run, load or read
"""

HARMLESS = """\
version: "1.0"
rules:
  - {name: denied, matchers: {tools: [Bash]}, actions: {block: true}}
"""


class Person:
    """Somebody with a home directory and a project, in an environment no agent has marked."""

    def __init__(self, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home = Path(os.path.realpath(directory)) / "home"
        self.project = self.home / "project"
        self.policy = self.write(".rulez/rules.yaml", POLICY)
        self.write(".rulez/check.sh", "exit 0\n")
        (self.project / ".git").mkdir()
        for name in (*agent_marks(), "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HOME", str(self.home))
        monkeypatch.setattr(rulez_py.system.places, "real_homes", lambda _here: (str(self.home),))
        monkeypatch.chdir(self.project)
        monkeypatch.setattr(sitting, "why_no_person", lambda: "")
        self.places = places(os.environ)

    def write(self, name: str, text: str) -> Path:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def says(self, *arguments: str) -> Result:
        return CliRunner().invoke(trust, arguments)

    def says_at_a_terminal(self, answer: str, *arguments: str, below: tuple[str, ...] = ()) -> tuple[int, str]:
        return says_at_a_terminal(answer, "trust", *arguments, below=below)

    @property
    def trusts(self) -> bool:
        """Whether the hook would find the project's policy trusted."""
        policy = load(
            self.places,
            str(self.project),
            trusted=lambda path, digest: is_trusted(self.places, path, digest),
        )
        (source,) = [source for source in policy.sources if source.layer == "project"]
        return source.trusted


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Person:
    return Person(tmp_path, monkeypatch)


# Trusting.


def test_a_script_trusts_with_yes_and_the_hook_agrees(person: Person) -> None:
    assert not person.trusts
    result = person.says("--yes")
    assert (result.exit_code, result.stdout, result.stderr) == (
        0,
        f"{DESCRIPTION.format(policy=person.policy)}trusted: {person.policy}\n",
        "",
    )
    assert person.trusts


@pytest.mark.parametrize("name", [".rulez/rules.yaml", ".rulez/check.sh"])
def test_a_change_ends_trust_and_trusting_again_brings_it_back(person: Person, name: str) -> None:
    person.says("--yes")
    person.write(name, (person.project / name).read_text() + "\n# changed\n")
    assert not person.trusts
    person.says("--yes")
    assert person.trusts


FROB = "# Fast.\n[frob]\nalso = ['frobnicate']\noperands = ['text *']\n"


def test_trust_covers_and_names_the_files_that_a_policy_extends(person: Person) -> None:
    person.write(".rulez/rules.yaml", 'version: "1.0"\nextends: [./team.yaml, ../shared/*.yaml]\n')
    person.write(".rulez/team.yaml", POLICY)
    person.write("shared/a.yaml", 'version: "1.0"\ndisable: [no-force-push]\nrules: []\n')
    said = person.says("--yes").stdout
    covered = said.split("  Trust covers these files as well, and ends when one of them changes:\n")[1]
    assert covered.splitlines()[:3] == ["    .rulez/team.yaml", "    shared/a.yaml", "    .rulez/check.sh"]
    assert '    run (rule "checked")' in said.splitlines()
    assert "    no-force-push: is taken out" in said
    assert person.trusts
    person.write("shared/b.yaml", 'version: "1.0"\nrules: []\n')
    assert not person.trusts


def described(person: Person) -> str:
    """The names that the project's files describe, as the hook finds them."""
    policy = load(
        person.places, str(person.project), trusted=lambda path, digest: is_trusted(person.places, path, digest)
    )
    return policy.programs


def test_a_file_that_describes_programs_is_shown_whole_and_counts_once_it_is_trusted(person: Person) -> None:
    path = person.write(".rulez/programs/own.toml", FROB)
    person.says("--yes", str(person.policy))
    assert "frob" not in described(person)
    told = person.says("--yes", str(path))
    assert (told.exit_code, told.stdout) == (
        0,
        f"""{path}
  It describes 2 programs: frob, frobnicate.
  Once trusted, rules see in their commands what this says, in place of what rulez knows, and nothing else:
    | # Fast.
    | [frob]
    | also = ['frobnicate']
    | operands = ['text *']
trusted: {path}
""",
    )
    assert "frob" in described(person)
    assert "is trusted already" in person.says("--yes", str(path)).stdout
    assert re.search(r"^trusted .*own\.toml$", person.says("--list").stdout, re.M)
    path.write_text(FROB + "\n")
    assert "frob" not in described(person)
    assert re.search(r"^changed since .*own\.toml$", person.says("--list").stdout, re.M)


def test_a_projects_files_that_describe_programs_are_trusted_with_its_policy_and_revoked_with_it(
    person: Person,
) -> None:
    path = person.write(".rulez/programs/own.toml", FROB)
    told = person.says("--yes")
    assert told.stdout.endswith(f"trusted: {path}\n")
    assert f"trusted: {person.policy}\n" in told.stdout
    assert "frob" in described(person)
    revoked = person.says("--revoke")
    assert sorted(revoked.stdout.splitlines()) == sorted(f"no longer trusted: {one}" for one in (path, person.policy))
    assert "frob" not in described(person)


def test_a_file_that_describes_programs_wrongly_is_not_trusted(person: Person) -> None:
    path = person.write(".rulez/programs/own.toml", "[frob]\nflagz = []\n")
    told = person.says("--yes", str(path))
    assert (told.exit_code, f"{path}:2: 'flagz' is no key" in told.stderr) == (1, True)
    assert "is invalid, so it cannot be trusted" in told.stderr
    assert trusted(person.places) == []


# Lines of a policy -> a file they run, and what a person is told is not covered (None: nothing but the general word).
REACHED: list[tuple[str, str, str | None]] = [
    ("cd tools && ./check.sh", "tools/check.sh", None),
    ("cd tools && sh check.sh", "tools/check.sh", None),
    ("(cd tools; ./c{he,}ck.sh)", "tools/check.sh", None),
    ("pushd tools && ./check.sh", "tools/check.sh", None),
    ("env -C tools ./check.sh", "tools/check.sh", None),
    ("timeout 5 $PWD/tools/check.sh", "tools/check.sh", None),
    ('"$(pwd)/tools/check.sh"', "tools/check.sh", None),
    ("T=tools; sh $T/check.sh", "tools/check.sh", None),
    ("sh tools/*.sh", "tools/check.sh", None),
    ("sh tools/*.sh", "tools/added.sh", None),
    ("for f in tools/*.sh; do . $f; done", "tools/added.sh", None),
    ("cd tools && . ./check.sh", "tools/check.sh", None),
    ("cat tools/check.sh | sh", "tools/check.sh", None),
    ("cd tools && bash < check.sh", "tools/check.sh", None),
    ('cd tools && eval "$(cat check.sh)"', "tools/check.sh", None),
    ("f() { cd tools; ./check.sh; }; f", "tools/check.sh", None),
    ("cd tools; trap ./check.sh EXIT", "tools/check.sh", None),
    ("find tools -name '*.sh' -exec sh {} ';'", "tools/check.sh", "which file `tools/*.sh` is"),
    ("python3 -m tools.check", "tools/check.py", "what the module tools.check imports"),
    ("python3 -Im tools.check", "tools/__init__.py", "what the module tools.check imports"),
    ("cd tools && python3 -m check", "tools/check.py", "what the module check imports"),
    (
        "python3 -c 'from tools.check import x'",
        "tools/check.py",
        "what the code `from tools.check import x` itself loads",
    ),
    ("make check", "Makefile", "what `make check` runs besides GNUmakefile or makefile or Makefile"),
    ("make -C tools check", "tools/Makefile", "what `make -C tools check` runs besides GNUmakefile or"),
    ("make -f tools/x.mk", "tools/x.mk", "what `make -f tools/x.mk` runs besides"),
    ("npm run check", "package.json", "what `npm run check` runs besides package.json"),
    ('"$CLAUDE_PROJECT_DIR"/tools/check.sh', "tools/check.sh", "which file `$CLAUDE_PROJECT_DIR/tools/check.sh` is"),
    ('cd "$D" && ./x.sh', "", "which file `./x.sh` is"),
    ("$TOOL --check", "", "which program `$TOOL --check` is"),
    ('eval "$(direnv hook bash)"', "", "another program prints it"),
    ("PATH=$PWD/tools:$PATH; check.sh", "", "which programs `PATH=$PWD/tools:$PATH; check.sh` finds"),
    ("~/bin/check.sh", "", "`~/bin/check.sh`, which is not in the project"),
    ("../tools/check.sh", "", "/tools/check.sh`, which is not in the project"),
    ("make check", "tools/deep.mk", "what `make check` runs besides"),
    ("git status --short", "", None),
]
HOW = {
    "run": "run: {{script: {line}, shell: true}}",
    "inject_command": "inject_command: {line}",
    "inline_script": "inline_script: {line}",
}


@pytest.mark.skipif(os.name == "nt", reason="POSIX shells")
@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(("line", "file", "told"), REACHED, ids=[f"{line} {file}" for line, file, _ in REACHED])
def test_what_a_policy_reaches_is_pinned_or_said_not_to_be(
    person: Person, how: str, line: str, file: str, told: str | None
) -> None:
    for name in ("check.sh", "check.py", "__init__.py", "Makefile", "x.mk", "deep.mk"):
        person.write(f"tools/{name}", name)
    for name in ("Makefile", "package.json"):
        person.write(name, name)
    action = HOW[how].format(line=json.dumps(line))
    person.write(
        ".rulez/rules.yaml", f"version: '1.0'\nrules:\n  - {{name: a, matchers: {{}}, actions: {{{action}}}}}\n"
    )
    shown = person.says("--yes").stdout
    *_, not_covered = shown.partition("  Not covered; a change there does not end trust:\n")
    lines = [line.strip() for line in not_covered.splitlines()]
    assert lines[-2] == "what these scripts and programs themselves run, load or read"
    assert (told in not_covered) if told is not None else len(lines) == 2
    assert person.trusts
    if file and file != "tools/deep.mk":
        person.write(file, "changed")
        assert not person.trusts


def test_what_is_too_long_to_follow_is_said(person: Person) -> None:
    long = "; ".join(["for a in 1 2 3 4 5 6 7 8 9; do for b in 1 2 3 4 5 6 7 8 9; do : $a $b; done; done"] * 200)
    rule = f"{{name: a, matchers: {{}}, actions: {{inject_command: '{long}; cd tools; ./check.sh'}}}}"
    person.write(".rulez/rules.yaml", f"version: '1.0'\nrules:\n  - {rule}\n  - {rule.replace('a,', 'b,', 1)}\n")
    shown = person.says("--yes").stdout
    assert "rulez could not follow it to its end" in shown


def test_a_list_of_words_reaches_what_they_run(person: Person) -> None:
    person.write("tools/my check.sh", "")
    rule = "{name: a, matchers: {}, actions: {run: {script: env, args: [-C, tools, './my check.sh']}}}"
    person.write(".rulez/rules.yaml", f"version: '1.0'\nrules:\n  - {rule}\n")
    assert "    tools/my check.sh\n" in person.says("--yes").stdout
    person.write("tools/my check.sh", "changed")
    assert not person.trusts


def test_what_is_trusted_already_is_not_asked_again(person: Person) -> None:
    person.says("--yes")
    result = person.says()
    assert (result.exit_code, result.stdout) == (0, f"{person.policy} is trusted already, as it is now\n")


def test_nothing_but_denials_needs_no_trust(person: Person) -> None:
    person.write(".rulez/rules.yaml", HARMLESS)
    assert person.says("--yes").stdout == (
        f"{person.policy}\n"
        "  1 rule; none needs trust: denials and questions count without it\n"
        "  It weakens no rule of builtin:essentials: they hold as before\n"
        f"trusted: {person.policy}\n"
    )


@pytest.mark.parametrize(
    ("rule", "power"),
    [
        (
            "matchers: {operations: [Stop, PreToolUse]}, actions: {block: x}",
            'keep the agent going where it would end (Stop) (rule "a")',
        ),
        (
            "matchers: {}, actions: {inject: server.key}",
            'show the agent a file, also one that a rule keeps it from reading (rule "a")',
        ),
        (
            "matchers: {loses: untracked}, actions: {checkpoint: true}",
            'let calls through that lose something, once it is kept (rule "a")',
        ),
        ("matchers: {operations: [PreToolUse]}, actions: {block: x}", "1 rule; none needs trust"),
    ],
)
def test_what_waits_is_shown(person: Person, rule: str, power: str) -> None:
    person.write(".rulez/rules.yaml", f"version: '1.0'\nrules:\n  - {{name: a, {rule}}}\n")
    assert power in person.says("--yes").stdout


@pytest.mark.parametrize(
    ("settings", "power"),
    [
        ("{on_error: allow}", "let calls through where something fails"),
        ("{on_error: ask}", "ask you where something fails"),
        ("{fail_open: true}", "let calls through where a script cannot run"),
        ("{on_error: deny}", None),
        ("{fail_open: false}", None),
    ],
)
def test_settings_that_need_trust_are_shown(person: Person, settings: str, power: str | None) -> None:
    person.write(".rulez/rules.yaml", f"settings: {settings}\n{HARMLESS}")
    lines = person.says("--yes").stdout.splitlines()
    assert [line.strip() for line in lines if "fails" in line or "cannot run" in line] == ([power] if power else [])


def test_what_a_terminal_would_obey_hide_or_reorder_is_spelled_out(person: Person) -> None:
    hidden = '"ls \\e[2K\\r \\u202e\\u200b \\x07 \\U000e0041 é"'
    person.write(".rulez/rules.yaml", POLICY.replace("git status", hidden))
    shown = person.says("--yes").stdout
    assert r"| ls \x1b[2K\r \u202e\u200b \x07 \U000e0041 é" in shown
    assert [character for character in shown if not character.isprintable() and character != "\n"] == []


def test_every_line_of_a_long_script_is_shown(person: Person) -> None:
    script = "".join(f"        echo line-{number}\n" for number in range(500))
    person.write(".rulez/rules.yaml", POLICY.replace("        fi\n", f"        fi\n{script}"))
    shown = person.says("--yes").stdout
    assert all(f"| echo line-{number}\n" in shown for number in range(500))


@pytest.mark.parametrize("where", ["sub/dir", ".rulez"])
def test_the_policy_is_found_from_below(person: Person, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    (person.project / where).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(person.project / where)
    assert person.says("--yes").exit_code == 0
    assert person.trusts


@pytest.mark.parametrize("path", ["project", "project/.rulez/rules.yaml", "project/../project"])
def test_path_is_a_project_or_a_policy_file(person: Person, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.chdir(person.home)
    assert person.says("--yes", path).exit_code == 0
    assert person.trusts


def test_the_older_place_of_a_policy_counts(person: Person) -> None:
    (person.project / ".claude").mkdir()
    person.policy.rename(person.project / ".claude" / "hooks.yaml")
    assert person.says("--yes").exit_code == 0
    assert person.trusts


def test_one_s_own_policy_needs_no_trust(person: Person) -> None:
    own = Path(person.places.user_policy)
    own.parent.mkdir(parents=True)
    own.write_text(POLICY)
    result = person.says("--yes", str(own))
    assert (result.exit_code, result.stdout) == (0, f"{own} is your own policy, it needs no trust\n")
    assert trusted(person.places) == []


def test_a_damaged_list_is_kept_and_told(person: Person) -> None:
    person.says("--yes")
    store = Path(person.places.state) / "trust.json"
    store.write_text("{")
    result = person.says("--yes")
    assert result.exit_code == 0
    assert (
        result.stderr
        == f"the list of trusted files was damaged; it is kept as {store}.damaged-1, and a new one begun\n"
    )
    assert Path(f"{store}.damaged-1").read_text() == "{"
    assert person.trusts


# Refusing.


def refused(result: Result, message: str) -> bool:
    return (result.exit_code, result.stderr) == (1, f"rulez trust: {message}\n")


@pytest.mark.parametrize("arguments", [(), ("--yes",)])
def test_without_a_terminal_nobody_trusts(
    person: Person, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setattr(sitting, "why_no_person", why_no_person)
    result = person.says(*arguments)
    assert refused(result, "this needs a person at a terminal: its input and output have to be one")
    assert result.stdout == DESCRIPTION.format(policy=person.policy)
    assert not person.trusts


@pytest.mark.parametrize("arguments", [(), ("--yes",)])
@pytest.mark.parametrize("mark", agent_marks())
def test_an_agent_cannot_trust(
    person: Person, monkeypatch: pytest.MonkeyPatch, mark: str, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setattr(sitting, "why_no_person", why_no_person)
    monkeypatch.setenv(mark, "1")
    result = person.says(*arguments)
    message = f"a coding agent cannot do this ({mark} is set); a person can, in a terminal of their own"
    assert refused(result, message)
    assert not person.trusts


def test_an_invalid_policy_cannot_be_trusted(person: Person) -> None:
    person.write(".rulez/rules.yaml", POLICY.replace("run:", "rum:").replace("allow: true", "alow: true"))
    result = person.says("--yes")
    assert result.exit_code == 1
    assert result.stdout == ""
    *problems, last = result.stderr.splitlines()
    assert [re.sub(r"^.*?(\d+):\d+: ", r"\1 ", problem) for problem in problems] == [
        '6 unknown action "rum" in rule "checked"; did you mean "run"?',
        '9 unknown action "rum" in rule "shelled"; did you mean "run"?',
        '23 unknown action "alow" in rule "approved"; did you mean "allow"?',
    ]
    assert last == f"rulez trust: {person.policy} is invalid, so it cannot be trusted; `rulez validate` checks it"
    assert not person.trusts


def test_where_there_is_no_policy(person: Person) -> None:
    person.policy.unlink()
    message = f"no project policy was found from {person.project}; it would be .rulez/rules.yaml"
    assert refused(person.says("--yes"), message)


def test_a_path_that_does_not_exist(person: Person) -> None:
    assert refused(person.says("--yes", "nowhere.yaml"), "nowhere.yaml does not exist")


@pytest.mark.skipif(os.name == "nt", reason="POSIX files")
def test_a_policy_that_is_no_file(person: Person) -> None:
    person.policy.unlink()
    os.mkfifo(person.policy)
    result = person.says("--yes")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"rulez trust: {person.policy} cannot be read: ")


@pytest.mark.skipif(os.name == "nt", reason="POSIX modes")
@pytest.mark.parametrize("arguments", [("--yes",), ("--list",), ("--revoke",)])
def test_a_list_that_others_may_write_is_told(person: Person, arguments: tuple[str, ...]) -> None:
    person.says("--yes")
    store = Path(person.places.state) / "trust.json"
    store.chmod(0o666)
    person.write(".rulez/check.sh", "changed")
    message = f"{store} can be written by others, nothing in it counts as trusted; correct it with `chmod go-w`"
    assert refused(person.says(*arguments), message)


@pytest.mark.parametrize("arguments", [("--list", "--yes"), ("--list", "--revoke"), ("--list", "."), ("--nonsense",)])
def test_command_lines_that_make_no_sense(person: Person, arguments: tuple[str, ...]) -> None:
    assert person.says(*arguments).exit_code == 2


def test_help_tells_the_exit_codes(person: Person) -> None:
    assert "Exit codes: 0 done; 1 refused" in person.says("--help").stdout


# At a terminal.

terminals = pytest.mark.skipif(os.name == "nt", reason="POSIX terminals")


WEAKENING = """\
version: "1.0"
extends: [builtin:recommended]
disable: [no-force-push, no-dropping-stashes]
overrides:
  no-hard-reset: {action: ask}
  ask-before-env-files: {action: block}
  no-fork-bombs: {mode: audit}
  no-force-push-by-refspec: {mode: warn}
  no-disk-formatting: {reason: Never mind.}
  "no-*": {action: log}
"""


@terminals
def test_each_rule_of_the_essentials_that_is_weakened_is_named_and_asked_about(person: Person) -> None:
    person.write(".rulez/rules.yaml", WEAKENING)
    _code, shown = person.says_at_a_terminal("n\n")
    assert (
        "  It weakens 4 rules of builtin:essentials in its project:\n"
        "    no-force-push: is taken out (today it denies)\n"
        "    no-force-push-by-refspec: only warns (today it denies)\n"
        "    no-hard-reset: asks (today it denies)\n"
        "    no-fork-bombs: only logs (today it denies)\n"
        "Trust this file as it is now, and weaken these 4 rules in its project? [y/N]: n\n"
    ) in shown
    assert not person.trusts


@terminals
def test_a_person_is_asked(person: Person) -> None:
    code, shown = person.says_at_a_terminal("y\n")
    description = DESCRIPTION.format(policy=person.policy)
    assert (code, shown) == (0, f"{description}Trust this file as it is now? [y/N]: y\ntrusted: {person.policy}\n")
    assert person.trusts


@terminals
@pytest.mark.parametrize("answer", ["n\n", "\n", "\x04"], ids=["no", "enter", "end of input"])
def test_a_person_may_decline(person: Person, answer: str) -> None:
    code, shown = person.says_at_a_terminal(answer)
    assert code == 1
    assert "trusted:" not in shown
    assert not person.trusts


@terminals
def test_yes_is_enough_at_a_terminal(person: Person) -> None:
    code, shown = person.says_at_a_terminal("", "--yes")
    assert (code, "[y/N]" in shown) == (0, False)
    assert person.trusts


@terminals
@pytest.mark.parametrize("arguments", [(), ("--yes",)])
def test_an_agent_s_mark_counts_at_a_terminal_too(
    person: Person, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setenv("GEMINI_CLI", "1")
    code, shown = person.says_at_a_terminal("y\n", *arguments)
    assert (code, "GEMINI_CLI is set" in shown, person.trusts) == (1, True, False)


AGENTS = ["claude", "gemini", "copilot", "opencode", "codex", "node_modules/@google/gemini-cli/dist/index.js"]


@terminals
@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("how", ["by its name", "by an interpreter", "through env -i", "with a shell between"])
def test_below_an_agent_no_terminal_helps(person: Person, name: str, how: str) -> None:
    agent = person.write(name, '#!/bin/sh\n"$@"\nexit $?\n')
    agent.chmod(0o755)
    below = {
        "by its name": (str(agent),),
        "by an interpreter": ("sh", str(agent)),
        "through env -i": ("sh", str(agent), "env", "-i", f"HOME={person.home}", f"PYTHONPATH={ROOT}"),
        "with a shell between": ("sh", str(agent), "sh", "-c", '"$@"; exit $?', "sh"),
    }[how]
    code, shown = person.says_at_a_terminal("y\n", "--yes", below=below)
    assert (code, person.trusts) == (1, False)
    assert "a coding agent cannot do this (it was started by " in shown


@terminals
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the environment of other processes")
def test_what_an_agent_has_marked_stays_marked_though_the_variable_goes(person: Person) -> None:
    below = ("env", "CODEX_CI=1", "sh", "-c", '"$@"; exit $?', "sh", "env", "-u", "CODEX_CI")
    code, shown = person.says_at_a_terminal("y\n", "--yes", below=below)
    assert (code, person.trusts) == (1, False)
    assert "it was started by " in shown


@terminals
def test_a_terminal_of_its_own_making_is_nobody_s(person: Person) -> None:
    spawn = "import pty, sys; pty.spawn(sys.argv[1:])"
    _code, shown = person.says_at_a_terminal("y\n", "--yes", below=(sys.executable, "-c", spawn))
    assert not person.trusts
    assert "made this terminal" in shown or "a coding agent" in shown


LEAVING = """\
import os, pty, sys
out, *command = sys.argv[1:]
if command:
    for _ in range(2):  # Leaves the process tree, the session and the environment.
        if os.fork():
            os._exit(0)
        os.setsid()
    os.execve(sys.executable, [sys.executable, __file__, out], {"HOME": os.environ["HOME"], "RUN": command[0]})
run = os.environ.pop("RUN")
pid, terminal = pty.fork()
if not pid:
    os.execv("/bin/sh", ["sh"])
os.write(terminal, f"{run}; exit\\n".encode())
shown = b""
while b"[y/N]: " not in shown[-20:] or not os.write(terminal, b"y\\n"):
    try:
        shown += os.read(terminal, 4096)
    except OSError:
        break
os.write(int(out), shown)
"""


@terminals
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="who holds a terminal is told by Linux alone")
def test_a_script_that_leaves_the_agents_processes_gets_no_word_in(person: Person) -> None:
    script = person.write("x.py", LEAVING)
    here, there = os.pipe()
    run = f"PYTHONPATH={ROOT} {sys.executable} -c '{PLAIN.replace(chr(39), chr(34))}' trust"
    subprocess.run([sys.executable, str(script), str(there), run], pass_fds=[there], check=True)
    os.close(there)
    with open(here, encoding="utf-8") as told:
        shown = told.read()
    assert re.search(r"rulez trust: `python\S*` made this terminal, so there may be no person at it", shown), shown
    assert not person.trusts


@terminals
def test_another_session_s_terminal_is_nobody_s(person: Person) -> None:
    ours, theirs = os.openpty()
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SITTING, "trust", "--yes"]
    ended = subprocess.run(
        command, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, env=environ, start_new_session=True, check=False
    )
    os.close(ours)
    os.close(theirs)
    assert ended.returncode == 1
    assert b"this one is not the terminal of this session" in ended.stderr
    assert not person.trusts


# Who is an agent, and what makes a terminal that nobody sits at.


def process(line: str, *, pid: int = 9, parent: int = 1, marks: tuple[str, ...] = ()) -> Process:
    words = tuple(line.split())
    return Process(pid, parent, words[0].rsplit("/", 1)[-1][:15] if words else "", words, marks)


@pytest.mark.parametrize(
    ("line", "agent"),
    [
        ("claude", "Claude Code"),
        ("/home/me/.local/bin/claude -p x", "Claude Code"),
        ("node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js", "Claude Code"),
        ("node --no-warnings=DEP0040 /usr/local/bin/gemini -p x", "Gemini CLI"),
        ("/usr/bin/node /x/node_modules/@google/gemini-cli/dist/index.js", "Gemini CLI"),
        ("node20 /usr/bin/gemini", "Gemini CLI"),
        ("bun /opt/opencode", "OpenCode"),
        ("opencode run x", "OpenCode"),
        ("/x/node_modules/opencode-ai/bin/opencode", "OpenCode"),
        ("copilot --allow-all-tools", "Copilot"),
        ("node /x/@github/copilot/index.js", "Copilot"),
        ("C:/x/codex.exe exec", "Codex CLI"),
        ("codex-linux-sandbox bash -lc true", "Codex CLI"),
        ("-bash", ""),
        ("vim claude", ""),
        ("grep gemini x", ""),
        ("node server.js gemini", ""),
        ("python3 -m http.server", ""),
        ("tmux attach -t codex", ""),
        ("cat /x/@google/gemini-cli/package.json", ""),
        ("", ""),
    ],
)
def test_agents_are_known_by_their_process(line: str, agent: str) -> None:
    assert agent_of(process(line)) == agent


@pytest.mark.parametrize("mark", agent_marks())
def test_agents_are_known_by_what_they_set(mark: str) -> None:
    assert agent_of(process("bash", marks=(mark,)))


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("script -qc x /dev/null", "script"),
        ("expect x.exp", "expect"),
        ("python3 -c import_pty", "python3"),
        ("perl5 -e x", "perl5"),
        ("python3 -m jupyterlab", ""),
        ("gnome-terminal-server", ""),
        ("tmux: server", ""),
        ("sshd: me@pts/0", ""),
        ("python3 /usr/bin/terminator", ""),
        ("node /home/me/.vscode-server/out/bootstrap-fork --type=ptyHost", ""),
        ("bash -c x", ""),
        ("sudo -i", ""),
    ],
)
def test_what_makes_a_terminal_for_nobody(line: str, name: str) -> None:
    above = [process("rulez trust", pid=30, parent=20), process("bash", pid=20, parent=9), process(line, pid=9)]
    assert terminal_maker(above, 20) == name
    assert terminal_maker(above, 99) == ""


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("bash", True),
        ("-zsh", True),
        ("bash --init-file /usr/share/code/shellIntegration-bash.sh", True),
        ("fish --init-command x", True),
        ("zsh -o vi -i", True),
        ("vim notes", True),
        ("python3 /usr/bin/xonsh", True),
        ("bash -c x", False),
        ("zsh -ic x", False),
        ("sh ./x.sh", False),
        ("sudo -i", False),
        ("env -i rulez pause 1h", False),
        ("python3 x.py", False),
        ("node -e x", False),
        ("rulez-onefile pause 1h", False),
    ],
)
def test_somebody_typed_it_where_something_reads_lines(line: str, typed: bool) -> None:
    above = [process("rulez pause 1h", pid=30, parent=20), process(line, pid=20, parent=9), process("xterm", pid=9)]
    assert (why_not_typed(above, 20) == "") is typed


def test_what_began_out_of_sight_may_have_been_typed() -> None:
    above = [process("rulez pause 1h", pid=30, parent=0)]
    assert why_not_typed(above, 0) == ""
    assert "runs this command alone" in why_not_typed(above, 30)
    assert "runs this command alone" in why_not_typed(above, 7)


class Machine:
    """Processes by number, and which of them hold the other end of which terminal."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.processes: dict[int, Process] = {}
        self.held: dict[str, list[int]] = {}
        self.reads: dict[int, str] = {}
        self.files: dict[int, str] = {}
        monkeypatch.setattr(
            processes, "holders", lambda at: tuple(self.processes[pid] for pid in self.held.get(at, ()))
        )
        monkeypatch.setattr(
            processes, "named", lambda name: (one for one in self.processes.values() if one.name == name)
        )
        monkeypatch.setattr(processes, "terminal_of", lambda pid: self.reads.get(pid, ""))
        monkeypatch.setattr(processes, "program_file", lambda pid: self.files.get(pid, ""))
        monkeypatch.setattr(processes, "directory_of", lambda _pid: "/home/me/project")
        monkeypatch.setattr(sitting, "ancestors", self.ancestors)

    def ancestors(self, pid: int) -> list[Process]:
        found = []
        while pid in self.processes:
            found.append(self.processes[pid])
            pid = self.processes[pid].parent
        return found

    def runs(self, line: str, *, below: int = 1, holds: str = "", reads: str = "", file: str = "") -> int:
        pid = 100 + len(self.processes)
        self.processes[pid] = process(line, pid=pid, parent=below)
        self.held.setdefault(holds, []).append(pid)
        self.reads[pid], self.files[pid] = reads, file
        return pid


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


@pytest.mark.parametrize(
    ("line", "maker"),
    [
        ("gnome-terminal-server", ""),
        ("/home/me/.local/kitty.app/bin/kitty", ""),
        ("node /home/me/.vscode-server/out/bootstrap-fork --type=ptyHost", ""),
        ("python3 /home/me/.venv/bin/jupyter-lab", ""),
        ("node /home/me/.local/lib/code-server-4.9/out/node/entry.js", ""),
        ("python3 -m jupyterlab", ""),
        ("python3 x.py", "python3"),
        ("python3 /home/me/jupyter-lab", "python3"),
        ("python3 -Ic x", "python3"),
        ("python3 -m mine", "python3"),
        ("node /home/me/project/x.js", "node"),
        ("perl x", "perl"),
        ("script -qc x", "script"),
        ("tmux", "tmux"),
        ("claude", "Claude Code"),
    ],
)
def test_who_holds_the_terminal_tells_whether_somebody_sits_there(machine: Machine, line: str, maker: str) -> None:
    machine.runs(line, holds="/dev/pts/1")
    assert maker_of("/dev/pts/1") == maker
    assert maker_of("/dev/pts/2") == ""


def test_what_an_agent_started_holds_it_for_nobody(machine: Machine) -> None:
    agent = machine.runs("claude")
    machine.runs("xterm -e bash", below=machine.runs("bash", below=agent), holds="/dev/pts/1")
    assert maker_of("/dev/pts/1") == "Claude Code"


def test_everything_that_holds_it_counts(machine: Machine) -> None:
    machine.runs("xterm", holds="/dev/pts/1")
    machine.runs("python3 x.py", holds="/dev/pts/1")
    assert maker_of("/dev/pts/1") == "python3"


@pytest.mark.parametrize("name", ["tmux", "screen", "zellij"])
@pytest.mark.parametrize(("window", "maker"), [("xterm", ""), ("python3 x.py", "python3"), ("claude", "Claude Code")])
def test_a_multiplexer_is_as_good_as_the_terminal_it_is_looked_at_from(
    machine: Machine, name: str, window: str, maker: str
) -> None:
    machine.runs(name, holds="/dev/pts/1")
    assert maker_of("/dev/pts/1") == name
    machine.runs(f"/usr/bin/{name} attach", reads="/dev/pts/2")
    machine.runs(window, holds="/dev/pts/2")
    assert maker_of("/dev/pts/1") == maker


def test_terminals_that_look_at_one_another_come_to_an_end(machine: Machine) -> None:
    for number in range(12):
        machine.runs("tmux", holds=f"/dev/pts/{number}", reads=f"/dev/pts/{number + 1}")
    assert maker_of("/dev/pts/0") == "tmux"


@pytest.mark.parametrize(("place", "maker"), [("project", "window"), ("", "")])
def test_a_program_that_lies_in_the_project_may_be_the_agents(
    machine: Machine, person: Person, place: str, maker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sitting, "_TEMPORARY", ())
    monkeypatch.setattr(tempfile, "gettempdir", lambda: "/nonexistent")
    file = person.home / place / "window"
    file.touch()
    machine.runs(str(file), holds="/dev/pts/1", file=str(file))
    assert maker_of("/dev/pts/1") == maker


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="who holds a terminal is told by Linux alone")
def test_linux_tells_who_holds_a_terminal() -> None:
    ours, theirs = os.openpty()
    try:
        assert os.getpid() in {one.pid for one in processes.holders(os.ttyname(theirs))}
    finally:
        os.close(ours)
        os.close(theirs)
    assert processes.holders("/dev/tty1") == ()


@pytest.mark.skipif(os.name == "nt", reason="POSIX processes")
def test_processes_are_read_from_this_one_upward() -> None:
    above = ancestors(os.getpid())
    assert above is not None
    assert [one.pid for one in above[:2]] == [os.getpid(), os.getppid()]
    assert above[0].words[1:] or above[0].words


def test_what_ps_lists_is_read() -> None:
    listed = (
        "    1     0 /sbin/launchd\n  310     1 /usr/bin/login -fp me\n  311   310 -zsh\n  312   311 claude\n 313 1\n"
    )
    found = read_ps(listed)
    assert (found[311].parent, found[311].words) == (310, ("-zsh",))
    assert agent_of(found[312]) == "Claude Code"
    assert agent_of(found[313]) == ""


# Listing and revoking.


def test_the_list_tells_what_became_of_each_file(person: Person) -> None:
    for name in ("changed", "gone", "kept", "spoiled"):
        person.write(f"{name}/.rulez/rules.yaml", HARMLESS)
        person.says("--yes", f"{name}/.rulez/rules.yaml")
    person.write("changed/.rulez/rules.yaml", POLICY)
    (person.project / "gone/.rulez/rules.yaml").unlink()
    person.write("spoiled/.rulez/rules.yaml", "\x00")
    listed = [re.split(r"  +", line) for line in person.says("--list").stdout.splitlines()]
    assert [(state, os.path.relpath(path, person.project)) for state, _when, path in listed] == [
        ("changed since", "changed/.rulez/rules.yaml"),
        ("missing", "gone/.rulez/rules.yaml"),
        ("trusted", "kept/.rulez/rules.yaml"),
        ("changed since", "spoiled/.rulez/rules.yaml"),
    ]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", when) for _state, when, _path in listed)


def test_an_empty_list(person: Person) -> None:
    assert person.says("--list").stdout == "no policy file is trusted\n"


def test_a_damaged_list_is_not_shown_as_an_empty_one(person: Person) -> None:
    person.says("--yes")
    store = Path(person.places.state) / "trust.json"
    store.write_text("{")
    message = f"{store} is damaged, nothing counts as trusted; `rulez trust` starts a new one"
    assert refused(person.says("--list"), message)
    assert refused(person.says("--revoke"), message)
    assert store.read_text() == "{"


@pytest.mark.parametrize("path", [(), (".",), (".rulez/rules.yaml",)])
def test_revoking(person: Person, path: tuple[str, ...]) -> None:
    person.says("--yes")
    result = person.says("--revoke", *path)
    assert (result.exit_code, result.stdout) == (0, f"no longer trusted: {person.policy}\n")
    assert not person.trusts


def test_a_file_that_is_gone_can_be_revoked(person: Person) -> None:
    person.says("--yes")
    person.policy.unlink()
    assert person.says("--revoke", str(person.policy)).exit_code == 0
    assert trusted(person.places) == []


def test_revoking_what_was_not_trusted(person: Person) -> None:
    assert refused(person.says("--revoke"), f"{person.policy} was not trusted")


def test_an_agent_may_revoke(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    person.says("--yes")
    monkeypatch.setenv("CLAUDECODE", "1")
    assert person.says("--revoke").exit_code == 0
    assert not person.trusts


@pytest.mark.skipif(os.name == "nt", reason="POSIX paths")
@pytest.mark.parametrize("arguments", [("--yes",), ("--list",), ("--revoke",), ("--yes", "{project}")])
@pytest.mark.parametrize("variable", ["HOME", "XDG_STATE_HOME"])
def test_a_list_of_trusted_files_inside_the_project_is_refused(
    person: Person, monkeypatch: pytest.MonkeyPatch, variable: str, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setenv(variable, str(person.project / ".x"))
    if arguments[-1] == "{project}":
        monkeypatch.chdir(person.home)
    result = person.says(*(argument.format(project=person.project) for argument in arguments))
    assert result.exit_code == 1
    assert f"{variable} is {person.project}{os.sep}.x, so " in result.stderr
    assert not (person.project / ".x").exists()


# A file that has changed.


BEFORE = """\
version: "1.0"
settings: {on_error: deny}
rules:
  - {name: guard, matchers: {command: git}, actions: {block: true}}
  - {name: approved, matchers: {tools: [Bash]}, actions: {allow: true}}
  - {name: gone, matchers: {tools: [Bash]}, actions: {ask: true}}
  - {name: same, matchers: {tools: [Bash]}, actions: {run: .rulez/check.sh}}
"""
AFTER = """\
version: "1.0"
settings: {on_error: allow}
extends: [./team.yaml]
overrides: {no-force-push: {action: ask}}
rules:
  - {name: guard, matchers: {command: git}, actions: {inject_inline: hello}}
  - {name: approved, matchers: {}, actions: {allow: true}}
  - {name: same, matchers: {tools: [Bash]}, actions: {run: .rulez/check.sh}}
  - {name: told, matchers: {tools: [Bash]}, actions: {inject_command: "id\\e[31m"}}
"""
CHANGED = """\
  You trusted it on {since} as it was then. What has changed:
    It may newly:
      let calls through where something fails
      approve calls without asking you (rule "approved"): for other calls than before
      run this shell line and tell the agent its output (rule "told")
          | id\\x1b[31m
    It stops less, or otherwise:
      rule "guard" stops calls no more
      it has no rule "gone" any more, which stopped calls
      it changes rule "no-force-push": {{"action":"ask"}}
      setting on_error is now "allow"
    Rules added: told, team
    Rules removed: gone
    Rules changed: approved, guard
    Files added: .rulez/team.yaml
    Files changed: .rulez/check.sh, .rulez/rules.yaml
    | --- .rulez/rules.yaml (trusted)
    | +++ .rulez/rules.yaml (now)
"""


def changed(person: Person) -> str:
    """Trust one policy, write another, and return when the first was trusted."""
    person.write(".rulez/rules.yaml", BEFORE)
    person.says("--yes")
    (entry,) = trusted(person.places)
    person.write(".rulez/rules.yaml", AFTER)
    person.write(".rulez/team.yaml", HARMLESS.replace("denied", "team"))
    person.write(".rulez/check.sh", "exit 0\necho more\n")
    return entry.at


def test_a_file_that_has_changed_is_shown_by_what_it_may_newly_do_and_line_by_line(person: Person) -> None:
    since = changed(person)
    shown = person.says("--show").stdout
    assert CHANGED.format(since=since) in shown
    assert "    |  exit 0\n    | +echo more\n" in shown
    assert "    | --- .rulez/team.yaml (trusted)\n" in shown
    assert shown.endswith("\n  not trusted\n")
    assert not person.trusts
    assert CHANGED.format(since=since) in person.says("--yes").stdout
    assert person.trusts
    assert "What has changed" not in person.says("--show").stdout


def test_a_change_is_told_to_programs(person: Person) -> None:
    since = changed(person)
    (said,) = json.loads(person.says("--show", "--json").stdout)["files"]
    assert said["change"]["since"] == since
    assert said["change"]["rules"] == {"added": ["told", "team"], "removed": ["gone"], "changed": ["approved", "guard"]}
    assert said["change"]["files"]["added"] == [".rulez/team.yaml"]
    assert "+echo more" in said["change"]["diff"].splitlines()
    assert (said["path"], said["trusted_by"], said["weakens"]) == (str(person.policy), "", ["no-force-push"])
    assert re.fullmatch("sha256:[0-9a-f]{64}", said["digest"])


def test_what_was_trusted_is_kept_privately_and_as_long_as_it_is(person: Person) -> None:
    changed(person)
    directory = Path(person.places.state) / "trusted"
    (kept,) = directory.iterdir()
    if os.name != "nt":
        assert (kept.stat().st_mode & 0o777, directory.stat().st_mode & 0o777) == (0o600, 0o700)
    person.says("--yes")
    (later,) = directory.iterdir()
    assert later.name != kept.name
    later.write_text("{")
    person.write(".rulez/rules.yaml", BEFORE)
    assert "What has changed" not in person.says("--show").stdout


def test_what_is_too_large_to_be_shown_is_said(person: Person) -> None:
    person.says("--yes")
    person.write(".rulez/check.sh", "#" * 600_000)
    assert ".rulez/check.sh is no text, or too long to be shown; it may have changed" in person.says("--show").stdout


def test_a_change_in_a_work_tree_is_held_against_what_was_trusted_in_another(person: Person) -> None:
    shutil.rmtree(person.project / ".git")
    environ = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    named = ("-c", "user.name=a", "-c", "user.email=a@b")
    for line in (("init", "-q"), ("add", "."), ("commit", "-qm", "x"), ("worktree", "add", "-q", "../tree")):
        subprocess.run(["git", *named, *line], cwd=person.project, check=True, capture_output=True, env=environ)
    person.says("--yes")
    person.write("../tree/.rulez/check.sh", "exit 3\n")
    assert "    | +exit 3\n" in person.says("--show", "../tree").stdout
    assert "trusted by you" in person.says("--show").stdout


# Everywhere, by the machine, by a signature.


def test_trusted_everywhere_counts_in_a_clone_until_it_is_revoked_there(person: Person) -> None:
    shutil.copytree(person.project, person.home / "clone")
    person.says("--yes")
    assert "not trusted" in person.says("--show", "../clone").stdout
    result = person.says("--yes", "--everywhere")
    assert result.stdout.endswith(f"trusted: {person.policy}, and wherever it is the same\n")
    assert "trusted by you, everywhere" in person.says("--show", "../clone").stdout
    assert person.says("--list").stdout.endswith(f"{person.policy}  (you, everywhere)\n")
    assert person.says("--revoke", "../clone").exit_code == 0
    assert not person.trusts


@pytest.mark.skipif(not signatures.program(), reason="ssh-keygen is not installed")
def test_a_person_signs_and_who_lets_them_sign_trusts(person: Person) -> None:
    key = person.home / "key"
    subprocess.run([signatures.program(), "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    result = person.says("--yes", "--sign", "~/key")
    assert (result.exit_code, result.stdout) == (
        0,
        f"{DESCRIPTION.format(policy=person.policy)}signed: {person.policy}.sig\n",
    ), result.stderr
    assert not person.trusts
    signers = Path(own_signers(person.places))
    signers.parent.mkdir(parents=True)
    signers.write_text(f"ann {key.with_suffix('.pub').read_text()}")
    assert person.trusts
    assert "trusted by you (signed by ann)" in person.says("--show").stdout
    assert person.says("--list").stdout == f"trusted        {'-':<25}  {person.policy}  (you (signed by ann))\n"
    assert person.says("--yes").stdout == f"{person.policy} is trusted already, as it is now (by you (signed by ann))\n"
    person.write(".rulez/check.sh", "exit 1\n")
    said = f"{person.policy}.sig: this signature does not count: it is for other content, or for another purpose\n"
    assert said in person.says("--show").stdout


@pytest.mark.skipif(not signatures.program(), reason="ssh-keygen is not installed")
def test_the_text_that_is_signed_is_printed(person: Person) -> None:
    (said,) = json.loads(person.says("--show", "--json").stdout)["files"]
    result = person.says("--signed-text")
    assert result.stdout == f"rulez policy 1\n.rulez/rules.yaml\n{said['digest']}\n"
    person.write(".rulez/rules.d/more.yaml", HARMLESS)
    assert person.says("--signed-text").exit_code == 1
    assert "\n.rulez/rules.d/more.yaml\n" in person.says("--signed-text", ".rulez/rules.d/more.yaml").stdout


def test_what_the_machine_trusts_is_not_a_persons_to_revoke(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    managed = person.home / "etc" / "rules.yaml"
    managed.parent.mkdir()
    managed.write_text(json.dumps({"version": "1.0", "settings": {"trust": {"paths": [f"{person.home}/*"]}}}))
    made = rulez_py.system.places.Places
    monkeypatch.setattr(
        rulez_py.system.places, "Places", lambda **told: made(**{**told, "managed_policy": str(managed)})
    )
    by = f"this machine's policy (its place, {person.home}/*)"
    assert person.says("--yes").stdout == f"{person.policy} is trusted already, as it is now (by {by})\n"
    assert f"trusted by {by}" in person.says("--show").stdout
    result = person.says("--revoke")
    assert (result.exit_code, result.stdout) == (1, f"still trusted by {by}: {person.policy}\n")


def test_explain_and_status_say_by_whom_a_policy_is_trusted(person: Person) -> None:
    def said(*arguments: str) -> Any:
        return json.loads(CliRunner().invoke(cli, [*arguments, "--json"], catch_exceptions=False).stdout)

    def by() -> list[str]:
        (explained,) = (one for one in said("explain", "ls")["policy"] if one["layer"] == "project")
        (state,) = (one for one in said("status")["policy"] if one["layer"] == "project")
        assert explained["trusted"] == state["trusted"] == bool(state["by"])
        return [explained["trusted_by"], state["by"]]

    assert by() == ["", ""]
    person.says("--yes", "--everywhere")
    assert by() == ["you, everywhere", "you, everywhere"]
    text = CliRunner().invoke(cli, ["status"]).stdout
    assert ", trusted by you, everywhere)" in " ".join(text.split())
    text = CliRunner().invoke(cli, ["explain", "ls"]).stdout
    assert "project: .rulez/rules.yaml (trusted by you, everywhere)" in " ".join(text.split())


def test_doctor_says_why_a_signature_does_not_count(person: Person) -> None:
    person.write(".rulez/rules.yaml.sig", "x")
    text = " ".join(CliRunner().invoke(cli, ["doctor"]).stdout.split())
    said = ".rulez/rules.yaml.sig: this signature does not count: who may sign is not known:"
    assert f"{said} {own_signers(person.places)}: no such file or directory" in text


def test_nobody_signs_without_a_person(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitting, "why_no_person", lambda: "nobody sits here")
    assert refused(person.says("--yes", "--sign", "key"), "nobody sits here")
    assert not Path(f"{person.policy}.sig").exists()


def test_a_key_that_is_none_signs_nothing(person: Person) -> None:
    assert person.says("--yes", "--sign", str(person.home / "none")).exit_code == 1
    assert sorted(os.listdir(person.policy.parent)) == ["check.sh", "rules.yaml"]

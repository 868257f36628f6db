"""What `command` fits, alone and with the matchers about files and hosts, and which words it says it fits by."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.analysis import Command, Data, Word, analyse
from rulez_py.platforms import adapter
from rulez_py.policy.facts.facts import Facts, Part
from rulez_py.policy.format.check import check
from rulez_py.policy.format.compile import compile_rules
from rulez_py.policy.judging.decide import decide
from rulez_py.policy.judging.matching import is_excepted, matched_words, matches
from rulez_py.policy.matchers.command import words as fitting_words
from rulez_py.verdict import ALLOW, DENY, NO_OPINION
from tests.events import HOME, ROOT, Disk, facts_of
from tests.policy import lines

DIRECTORIES = {
    ROOT: [".env", ".env.example", "src", "secrets", "a.pem"],
    f"{ROOT}/src": ["a.py", "b.py"],
    HOME: [".ssh", ".aws", "project", "notes"],
    f"{HOME}/.ssh": ["id_rsa", "config"],
}


def compiled(text: str) -> Any:
    """The rule with `text` after its name."""
    body = "\n    ".join(text.strip().splitlines())
    checked = check(f'version: "1.0"\nrules:\n  - name: r\n    {body}\n'.encode(), "f")
    assert checked.data is not None, [str(problem) for problem in checked.problems]
    rules = compile_rules(checked.data, checked.rule_lines, layer="user", shown="f", root=ROOT, trusted=True)
    return rules[0]


def matchers(text: str) -> dict[str, Any]:
    match: dict[str, Any] = compiled(f"matchers: {text}\nactions: {{block: true}}")["match"]
    return match


def event(command: str, *, tool: str = "Bash", cwd: str = ROOT, **given: Any) -> Any:
    payload = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": cwd, "tool_name": tool}
    return adapter("claude").parse({**payload, "tool_input": {"command": command, **given}}, None)


DISK = Disk(
    lambda path: path.replace("/link", f"{HOME}/.ssh", 1) if path.startswith("/link") else path,
    lambda directory: DIRECTORIES.get(os.path.normpath(directory), []),
)


def seen(command: str, **given: Any) -> Facts:
    return facts_of(event(command, **given), DISK, analyse=lines.analyse)


@pytest.mark.parametrize(
    ("wanted", "fits", "does_not"),
    [
        ("program: git", ["git push", "/usr/bin/git push", "ls; git x", "GIT push"], ["gitk", "echo git", "$X push"]),
        ("program: Git", ["git push"], ["gits"]),
        ("program: [rm, 'mkfs*']", ["rm a", "mkfs.ext4 /dev/sda"], ["rmdir a", "ls"]),
        ("subcommand: push", ["git push", "git -C x push", "git -c a.b=c push o"], ["git pull push", "git"]),
        ("subcommand: [stash, '{drop,clear}']", ["git stash drop"], ["git stash", "git drop stash", "git stash pop"]),
        ("subcommand: [[push], [remote, add]]", ["git push", "git remote add x"], ["git remote"]),
        ("{program: tool, subcommand: go}", ["tool go", "tool --x y go"], ["tool y go"]),
        ("any_flag: [--force, --mirror]", ["git push -f", "git push --forc", "git push --mirror"], ["git push -u o"]),
        ("any_flag: -n", ["git push --dry-run", "git push -n"], ["git push -- -n", "git push --no-dry-run"]),
        ("all_flags: [-r, -f]", ["rm -rf a", "rm -f -r a", "rm -fr a"], ["rm -r a", "rm a"]),
        (
            "any_flag: -rf",
            ["rm -rf a", "rm -fr a", "rm -r -f a", "rm --force -R a", "tool -r -f"],
            ["rm -r a", "rm -- -rf"],
        ),
        ("all_flags: [-xzf, -v]", ["tar -xzvf a", "tar xvzf a", "tar -z -x -v --file a"], ["tar -xvf a", "tar -xzf a"]),
        ("any_flag: '-xf=*.tgz'", ["tar -xf a.tgz", "tar -x --file=a.tgz"], ["tar -xf a.tar", "tar -tf a.tgz"]),
        ("{program: rm, no_flag: -rf}", ["rm -r a", "rm -f a"], ["rm -rf a", "rm -f -r a"]),
        ("any_flag: -delete", ["find . -delete"], ["find . -name delete", "tool -d -e -l -t"]),
        ("any_flag: '--dry-run=client'", ["kubectl delete x --dry-run=client"], ["kubectl delete x --dry-run=none"]),
        ("{program: git, no_flag: [--dry-run]}", ["git push", "git push $X"], ["git push -n", "git push --dry"]),
        ("args: ['*.prod', 're:^--ev']", ["x a.prod", "x --eval y"], ["x a.production", "x a--ev", "a.prod"]),
        ("{program: rm, operands: ['/', '~*']}", ["rm -r /", "rm a ~/x"], ["rm -r a", "rm /a"]),
        ("{subcommand: push, operands: '+*'}", ["git push o +m"], ["git push o m", "git +m push"]),
        ("{subcommand: push, operands: push}", ["git push push"], ["git push"]),
        ("via: wrapper", ["sudo ls", "timeout ls"], ["ls", "sudo"]),
        ("user: root", ["sudo ls"], ["timeout ls"]),
        ("{program: rm, via: [remote, shell]}", ["ssh: rm x"], ["rm x", "sudo rm x"]),
        ("stdin_from: download", ["ssh: x"], ["x"]),
        ("opaque: true", ["$X a"], ["a $X", "a"]),
        ("opaque: arguments", ["a $X"], ["$X a", "a b"]),
        ("{program: a, opaque: false}", ["a b"], ["a $X"]),
        ("[{program: git, any_flag: -f}, {program: hg}]", ["git x -f", "hg x"], ["git x", "hgx -f"]),
        ("[hg, {program: git, subcommand: push}]", ["hg x", "git push"], ["git pull"]),
    ],
)
def test_what_a_command_must_be(wanted: str, fits: list[str], does_not: list[str]) -> None:
    match = matchers(f"{{command: {wanted if wanted.startswith(('{', '[')) else '{' + wanted + '}'}}}")
    assert [line for line in (*fits, *does_not) if matches(match, seen(line))] == fits


def part_of(command: Command) -> Part:
    return Part(command, (), lambda: ())


@pytest.mark.parametrize(
    ("read", "fits", "strictly"),
    [
        ([Data(text="one; drop two")], True, True),
        ([Data(text="one")], False, False),
        ([], False, False),
        ([Data(text="drop one"), Data(text="two")], True, False),
        ([Data(text="drop one"), Data()], True, False),
        ([Data(shown="drop $X")], True, False),
    ],
)
def test_what_a_command_reads(read: list[Data], fits: bool, strictly: bool) -> None:
    wanted = matchers("{command: {program: db, stdin: ['re:drop (one|two|.X)']}}")["command"]
    part = part_of(Command(words=(Word(text="db"),), program="db", inputs=tuple(read)))
    found = tuple(fitting_words(wanted, part, strict=strict) is not None for strict in (False, True))
    assert found == (fits, strictly)


@pytest.mark.parametrize(
    ("wanted", "line", "fits"),
    [
        ("A", "A=b tool", True),
        ("A", "A= tool", True),
        ("A", "export A=b; tool", True),
        ("A", "A=b; tool", True),  # It may be exported from before.
        ("A", "unset A; tool", True),
        ("A", "env A=b tool", True),
        ("A", "A=b sh -c tool", True),
        ("A", "if x; then A=b; fi; tool", True),
        ("A", "tool A=b", False),
        ("A", "A=b other; tool", False),
        ("A", "(A=b); tool", False),
        ("A", "AB=c tool", False),
        ("[B, A]", "A=b tool", True),
        ("A=b*", "A=bc tool", True),
        ("A=b*", "A=c tool", False),
        ("'PATH=/x:*'", "PATH=/x:$PATH tool", True),
        ("a", "for a in b; do tool; done", False),  # Nobody exports it.
        ("a", "export a=b; tool", True),
    ],
)
def test_what_a_command_is_given_in_its_environment(wanted: str, line: str, fits: bool) -> None:
    match = matchers(f"{{command: {{program: tool, environment: {wanted}}}}}")["command"]
    commands = analyse(line, cwd="/p", home="/h", environ={})
    assert any(fitting_words(match, part_of(one)) is not None for one in commands) is fits


def test_a_strict_fit_needs_a_value_that_is_known() -> None:
    match = matchers("{command: {environment: ['A=b*']}}")["command"]
    [unknown] = analyse("A=b$X tool", cwd="/p", home="/h", environ={})
    [known] = analyse("A=bc tool", cwd="/p", home="/h", environ={})
    found = [fitting_words(match, part_of(one), strict=True) is not None for one in (unknown, known)]
    assert found == [False, True]


@pytest.mark.parametrize(
    ("exception", "denied"),
    [
        ("{command: [{operands: [a, b]}, {any_flag: -n}]}", ["rm c", "rm a c"]),
        ("{command: [{operands: [a]}, {operands: [b]}]}", ["rm c", "rm a b", "rm a c", "rm c -n"]),
    ],
)
def test_an_exception_may_be_one_of_several_commands(exception: str, denied: list[str]) -> None:
    rule = compiled(f"matchers: {{command: rm}}\nexcept: {exception}\nactions: {{block: true}}")
    calls = {line: seen(line) for line in ("rm a", "rm c", "rm a b", "rm a c", "rm c -n")}
    assert [line for line, one in calls.items() if not is_excepted(rule["except"], rule["match"], one)] == denied


def test_an_exception_is_about_the_operands_by_which_any_of_the_commands_fitted() -> None:
    rule = compiled(
        "matchers: {command: [{program: rm, operands: [a]}, {program: rm, operands: [b]}]}\n"
        "except: {command: {operands: [a]}}\nactions: {block: true}"
    )
    for line, excepted in (("rm a c", True), ("rm a b", False), ("rm b", False)):
        one = seen(line)
        assert matches(rule["match"], one)
        assert is_excepted(rule["except"], rule["match"], one) is excepted


@pytest.mark.parametrize(("operand", "fits"), [("re:^out/", True), ("re:^out/[^/]*$", False), ("out/*", True)])
def test_strictly_a_pattern_of_the_shell_may_name_what_lies_deeper(operand: str, fits: bool) -> None:
    wanted = matchers(f"{{command: {{program: rm, operands: ['{operand}']}}}}")["command"]
    words = (Word(text="rm"), Word(text="out/*", glob="out/*"))
    part = part_of(Command(words=words, program="rm"))
    assert (fitting_words(wanted, part, strict=True) is not None) is fits


@pytest.mark.parametrize("given", [{"tool": "Write"}, {"tool": "Edit"}])
def test_a_call_without_a_command_line_executes_nothing(given: dict[str, str]) -> None:
    one = seen("", **given)
    assert not matches(matchers("{command: {program: '*'}}"), one)


def test_a_command_line_with_nothing_to_execute_fits_nothing() -> None:
    assert not matches(matchers("{command: {opaque: false}}"), seen(""))
    assert not matches(matchers("{command: {opaque: false}}"), seen(""), strict=True)


@pytest.mark.parametrize("nothing", [None, RuntimeError("broken")])
def test_an_analysis_that_fails_is_no_answer(nothing: Exception | None) -> None:
    def analyse(*_words: Any, **_given: Any) -> Any:
        if nothing is not None:
            raise nothing
        return None

    broken = facts_of(event("ls"), analyse=analyse)
    for match in ({"command": {"program": ["ls"]}}, matchers("{paths: x}"), {"domains": ["x"]}):
        with pytest.raises((RuntimeError, TypeError)):
            matches(match, broken)


def test_the_analysis_gets_the_place_the_home_the_environment_and_the_dialect() -> None:
    seen: list[Any] = []

    def analyse(text: str, **given: Any) -> tuple[Command, ...]:
        seen.append((text, given))
        return ()

    for tool, asked in (("Bash", {"workdir": "sub"}), ("PowerShell", {})):
        sent = event("ls", tool=tool, **asked)
        facts_of(sent, environ={"A": "b"}, analyse=analyse).commands  # noqa: B018
    common = {"home": HOME, "environ": {"A": "b"}}
    assert seen == [
        ("ls", {"cwd": f"{ROOT}/sub", "dialect": "sh", **common}),
        ("ls", {"cwd": ROOT, "dialect": "sh", **common}),
        ("ls", {"cwd": ROOT, "dialect": "powershell", **common}),
    ]


def test_a_line_is_analysed_once_for_all_rules() -> None:
    asked: list[str] = []

    def analyse(text: str, **given: Any) -> tuple[Command, ...]:
        asked.append(text)
        return lines.analyse(text, **given)

    sent = event("git push")
    rules = [compiled("matchers: {command: git, paths: x}\nactions: {block: true}") | {"layer": "project", "root": root}
             for root in ("/a", "/b")]  # fmt: skip
    decide(rules, facts_of(sent, analyse=analyse))
    assert asked == ["git push"]


@pytest.mark.parametrize(
    ("wanted", "fits", "does_not"),
    [
        ("{paths: secrets}", ["cat secrets/a", "ls; rm secrets"], ["echo secrets", "ssh: cat secrets"]),
        ("{paths: {globs: secrets, access: delete}}", ["rm secrets/a"], ["cat secrets/a"]),
        ("{paths: {globs: secrets, access: send}}", ["send secrets/a"], ["cat secrets/a", "rm secrets/a"]),
        ("{paths: ~/.ssh}", ["cat ~/.ssh/x", "cat ../.ssh/x", "cat /link/x"], ["cat ~/x"]),
        # patterns of the shell are held against the disk
        ("{paths: .env}", ["cat .env", "cat .e*", "cat .en?", "cat ./.e*"], ["cat *", "cat .x*", "cat .env.ex*"]),
        ("{paths: '*.pem'}", ["cat *", "cat a*", "cat ../project/*.p*"], ["cat .*", "cat src/*"]),
        ("{paths: ~/.ssh/id_rsa}", ["cat ~/.ssh/*", "cat ../.s*/id*"], ["cat ~/*"]),
        # all below a directory
        ("{paths: ~/.ssh}", ["rm -r ~", "rm -r /", "rm -r ../../user", "rm -r ~/*/../.ssh"], ["rm ~", "rm -r src"]),
        ("{paths: ./secrets/x}", ["rm -r .", "rm -r secrets", "rm -r /home"], ["rm -r src", "rm secrets"]),
        ("{paths: 'secrets/**'}", ["rm -r secrets", "rm -r ."], ["rm -r src", "rm secrets"]),
        ("{paths: '~/.ssh/*.pub'}", ["rm -r ~"], ["rm -r ~/.ssh"]),
        ("{paths: .env}", ["grep -r x .", "grep -r x ~", "grep -r x /home"], ["grep x .", "grep -r x src"]),
        ("{paths: ['.env*', '!.env.example']}", ["cat .env*", "rm -r ."], ["cat .env.e*", "cat .env.example"]),
        ("{paths: ['/**/.aws']}", ["rm -r ~", "rm -r /"], ["rm -r ."]),
        ("{paths: ['~/.ssh', '!~/.ssh']}", [], ["rm -r ~"]),
        ("{extensions: .py}", ["cat src/a.py", "rm -r src", "cat src/*"], ["cat a.pyc", "rm src"]),
        ("{directories: src/}", ["cat src/a"], ["cat a"]),
        ("{domains: '*.evil.com'}", ["curl https://x.evil.com/a"], ["curl https://evil.org"]),
    ],
)
def test_files_and_hosts_of_commands(wanted: str, fits: list[str], does_not: list[str]) -> None:
    match = matchers(wanted)
    assert [line for line in (*fits, *does_not) if matches(match, seen(line))] == fits


SURELY = ["cat secrets/a"]
PERHAPS = ["frob secrets/a", "cat x; frob -x secrets/a y", "frob sec*s/a"]


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        ("{paths: secrets}", [*SURELY, *PERHAPS]),
        ("{paths: {globs: secrets, unknown: match}}", [*SURELY, *PERHAPS]),
        ("{paths: {globs: secrets, unknown: ignore}}", SURELY),
        # nobody supposes that something is deleted, or all that is below it touched
        ("{paths: {globs: secrets, access: [delete, send]}}", []),
        ("{paths: ./secrets/x}", []),
        ("{paths: ~/.ssh}", ["frob ~/.ssh/x", "frob /link/x"]),
        # of one command the program and the file
        ("{command: nib, paths: secrets}", []),
        # these say what an agent works on
        ("{extensions: .pem}", []),
        ("{directories: secrets/}", SURELY),
    ],
)
def test_files_that_are_only_named(wanted: str, fits: list[str]) -> None:
    match = matchers(wanted)
    tried = [*SURELY, *PERHAPS, "frob -r .", "frob a.pem", "frob ~/.ssh/x", "frob /link/x", "nib; frob secrets/b"]
    tried = tried[: len(tried) - ("nib" not in wanted)]
    assert [line for line in tried if matches(match, seen(line))] == fits


@pytest.mark.parametrize(
    ("unknown", "command", "decision"),
    [
        ("", "frob secrets/a", "ask"),
        ("unknown: ask", "frob secrets/a", "ask"),
        ("unknown: match", "frob secrets/a", "deny"),
        ("unknown: ignore", "frob secrets/a", ""),
        # what is certain is no question
        ("", "cat secrets/a", "deny"),
        ("", "frob secrets/a; cat secrets/a", "deny"),
        ("", "cat secrets/public; frob secrets/a", "ask"),
        ("", "frob secrets/public", ""),
        ("", "frob x; cat y", ""),
    ],
)
def test_what_blocks_asks_about_a_program_that_nobody_knows(unknown: str, command: str, decision: str) -> None:
    paths = f"{{globs: [secrets], {unknown}}}"
    text = f"matchers: {{paths: {paths}}}\nexcept: {{paths: secrets/public}}\nactions: {{block: true}}"
    verdict = decide([compiled(text)], seen(command))
    assert verdict.decision == decision
    if decision == "ask":
        assert "what this program does with the file is not known" in verdict.reason


def test_an_allow_is_for_no_program_that_nobody_knows() -> None:
    text = "matchers: {paths: {globs: [src], access: [read]}}\nactions: {allow: true}"
    decided = [decide([compiled(text)], seen(line)).decision for line in ("cat src/a", "cat src/a; frob src/a")]
    assert decided == ["allow", ""]


def test_of_what_is_named_in_vain_only_so_much_is_looked_at() -> None:
    followed: list[str] = []

    def real_path(path: str) -> str:
        followed.append(path)
        return path

    line = "frob " + " ".join(f"a{number}" for number in range(5000))
    disk = Disk(real_path)
    assert len(facts_of(event(line), disk, analyse=lines.analyse).named) == 5000
    assert len(followed) < 2000


def test_a_disk_without_end_is_looked_at_within_bounds() -> None:
    listed: list[str] = []

    def names_in(directory: str) -> list[str]:
        listed.append(directory)
        return [f"n{number}" for number in range(5000)]

    one = facts_of(event("rm -r */*/*"), Disk(names=names_in), analyse=lines.analyse)
    assert len(one.files) <= 15_000
    assert len(listed) <= 100


@pytest.mark.parametrize(
    ("wanted", "fits", "does_not"),
    [
        ("{command: rm, paths: secrets}", ["rm secrets", "ls; rm a secrets"], ["rm a; cat secrets", "cat secrets"]),
        ("{command: curl, domains: x.io}", ["curl http://x.io"], ["curl a; wget http://x.io"]),
        (
            "{command: {program: cat}, paths: ~/.ssh, extensions: .pub}",
            ["cat ~/.ssh/a.pub"],
            ["cat ~/.ssh/a; cat a.pub", "rm ~/.ssh/a.pub"],
        ),
    ],
)
def test_one_command_must_fit_all(wanted: str, fits: list[str], does_not: list[str]) -> None:
    match = matchers(wanted)
    assert [line for line in (*fits, *does_not) if matches(match, seen(line))] == fits


@pytest.mark.parametrize(
    ("wanted", "excepts", "excepted", "applies"),
    [
        (
            "{command: rm}",
            "{command: {program: rm, operands: [build, 'out/*']}}",
            ["rm -rf build", "rm build out/a; ls", "rm out/*.o", "sudo rm build"],
            ["rm build src", "rm build; rm src", "rm b*", "rm $X", "rm build $X", "rm"],
        ),
        (
            "{command: {program: rm, operands: '/*'}}",
            "{command: {operands: '/tmp/*'}}",
            ["rm /tmp/a", "rm a /tmp/b"],
            ["rm /tmp/a /etc"],
        ),
        (
            "{command: {program: git, subcommand: push}}",
            "{command: {any_flag: --dry-run}}",
            ["git push -n", "git push --dry", "git push -n; git pull", "git push -n o/$X"],
            ["git push", "git push -n; git push", "git push -n $X", "git push -n --no-dry-run", "git push $X"],
        ),
        (
            "{command: {program: git}}",
            "{command: {no_flag: --force}}",
            ["git push"],
            ["git push -f", "git push $X", "git push --for"],
        ),
        ("{command: tool}", "{command: {any_flag: -n}}", ["tool -n"], ["tool -xn", "tool"]),
        ("{command: tool}", "{command: {subcommand: show}}", ["tool show", "tool show $X"], ["tool --x y show"]),
        ("{command: tool}", "{command: {args: --help}}", ["tool --help", "tool a --help"], ["tool a", "tool $X"]),
        ("{tools: Bash}", "{command: ls}", ["ls", "ls; ls $X"], ["ls; rm a", "$X", "sudo ls"]),
        ("{command: {opaque: program}}", "{command: {opaque: program}}", ["$X"], []),
        ("{command: {opaque: program}}", "{command: {program: '*'}}", [], ["$X"]),
        # files
        ("{paths: src}", "{paths: src/a.py}", ["cat src/a.py", "cat src/a.py; ls $X"], ["cat src/*", "rm -r src"]),
        ("{paths: src}", "{command: cat}", ["cat src/a", "cat src/a; rm b"], ["cat src/a; rm src/b"]),
        ("{command: rm}", "{paths: build}", ["rm -r build", "rm build/x"], ["rm build x", "rm", "rm build $X"]),
        ("{command: rm}", "{paths: [build, '!build/keep']}", ["rm build/x"], ["rm -r build", "rm build/keep"]),
        ("{command: rm, paths: a}", "{command: rm, paths: a}", ["rm a", "rm a b"], []),
        ("{tools: Bash}", "{paths: docs}", ["cat docs/a"], ["cat docs/a; ls", "ls", "cat $X"]),
        ("{domains: '*'}", "{domains: a.io}", ["curl http://a.io"], ["curl http://a.io; curl http://b.io"]),
        ("{command: rm}", "[{command: {operands: a}}, {paths: b}]", ["rm a; rm b", "rm b"], ["rm a c", "rm b; rm c"]),
        ("{paths: k}", "{command: cat}", ["cat k", "cat k x"], ["cat k; rm k"]),
        ("{paths: k}", "{command: cat, paths: k}", ["cat k"], ["rm k"]),
    ],
)
def test_an_exception_must_fit_all_that_made_the_rule_match(
    wanted: str, excepts: str, excepted: list[str], applies: list[str]
) -> None:
    rule = compiled(f"matchers: {wanted}\nexcept: {excepts}\nactions: {{block: true}}")
    found = []
    for line in (*excepted, *applies):
        one = seen(line)
        assert matches(rule["match"], one), line
        if is_excepted(rule["except"], rule["match"], one):
            found.append(line)
    assert found == excepted


WORDS = st.sampled_from(
    [
        *(
            "git",
            "rm",
            "tool",
            "sudo",
            "push",
            "a",
            "$X",
            "-$X",
            "-f",
            "-rf",
            "--force",
            "--for",
            "--no-force",
            "-n",
            "--",
        )
    ],
)
FLAGS = st.sampled_from([["-f", None], ["--force", None], ["-r", None], ["-n", None], ["-n", "a"]])
COMMANDS = st.fixed_dictionaries(
    {},
    optional={
        "program": st.lists(st.sampled_from(["git", "rm", "t*", "*"]), min_size=1, max_size=2),
        "subcommand": st.lists(st.lists(st.sampled_from(["push", "a", "*"]), min_size=1, max_size=2), min_size=1),
        "any_flag": st.lists(FLAGS, min_size=1, max_size=2),
        "all_flags": st.lists(FLAGS, min_size=1, max_size=2),
        "no_flag": st.lists(FLAGS, min_size=1, max_size=2),
        "args": st.just([{"glob": "a"}, {"regex": "^-"}]),
        "operands": st.sampled_from([[{"glob": "a"}], [{"glob": "*"}]]),
        "via": st.just(["wrapper"]),
        "opaque": st.sampled_from([[], ["program"], ["arguments"]]),
    },
)


@given(COMMANDS, st.lists(WORDS, min_size=1, max_size=6))
def test_what_fits_for_certain_fits(wanted: dict[str, Any], words: list[str]) -> None:
    one = seen(" ".join(words))
    if matches({"command": wanted}, one, strict=True):
        assert matches({"command": wanted}, one)


@given(COMMANDS, st.lists(WORDS, min_size=1, max_size=6))
def test_the_words_of_a_fit_are_words_of_the_line(wanted: dict[str, Any], words: list[str]) -> None:
    line = " ".join(words)
    one = seen(line)
    found = matched_words({"command": wanted}, one)
    assert bool(found) is matches({"command": wanted}, one)
    assert [line[start:end] for start, end, _ in found] == [text for *_, text in found]


def said(rule: str, command: str) -> Any:
    return decide([compiled(rule)], seen(command))


@pytest.mark.parametrize(
    ("command", "decision"),
    [("ls", ALLOW), ("ls; ls -l", ALLOW), ("ls; rm a", NO_OPINION), ("rm a", NO_OPINION), ("$X", NO_OPINION)],
)
def test_an_allow_needs_every_command(command: str, decision: str) -> None:
    assert said("matchers: {command: ls}\nactions: {allow: true}", command).decision == decision


@pytest.mark.parametrize(
    ("wanted", "command", "words"),
    [
        ("{command: {program: git, subcommand: push, any_flag: -f}}", "cd; git -C y push --force", "git push --force"),
        ("{command: {args: '*prod*'}}", "deploy a --to=prod", "deploy --to=prod"),
        ("{command: {all_flags: [-r, -f], operands: /}}", "rm -rf / a", "rm -rf /"),
        ("{command: {via: wrapper}}", "sudo ls -l", "ls"),
        ("{paths: .env}", "ls; cat a .env", "cat .env"),
        ("{command: grep, paths: .env}", "grep -r x .", "grep ./.env"),
        ("{domains: a.io}", "curl http://a.io", "curl"),
        ("{tools: Bash}", "ls", ""),
        ("{command_match: ls}", "ls", ""),
    ],
)
def test_the_words_by_which_a_rule_matches(wanted: str, command: str, words: str) -> None:
    found = matched_words(matchers(wanted), seen(command))
    assert " ".join(text for _start, _end, text in found) == words
    assert all(command[start:end] in text or start == end or text.startswith("./") for start, end, text in found)


def test_a_reason_names_the_words() -> None:
    rule = "description: No\nmatchers: {command: {program: git, any_flag: --force}}\nactions: {block: true}"
    verdict = said(rule, "git push -f")
    assert (verdict.decision, verdict.reason) == (DENY, 'Blocked by rule "r" (git -f): No. [f:3]')
    asks = said(rule.replace("block", "ask"), "git push -f")
    assert asks.reason == 'Rule "r" wants the user\'s approval (git -f): No. [f:3]'


def test_words_in_a_reason_are_harmless_and_short() -> None:
    long = said("matchers: {command: {args: '*x*'}}\nactions: {block: true}", f"a {'x' * 500}").reason
    assert long == f'Blocked by rule "r" (a {"x" * 75}...). [f:3]'
    odd = said("matchers: {command: {args: '*x*'}}\nactions: {block: true}", "a x\x1b[2J\u202ey").reason
    assert odd == 'Blocked by rule "r" (a x[2Jy). [f:3]'


def test_a_word_that_stands_nowhere_is_named_first() -> None:
    hidden = Command(words=(Word(text="rm"), Word(text="a", at=(5, 6))), program="rm")
    one = facts_of(event("eval a"), analyse=lambda *_words, **_given: (hidden,))
    assert matched_words(matchers("{command: {operands: a}}"), one) == ((0, 0, "rm"), (5, 6, "a"))


def test_an_undescribed_cmdlet_and_a_described_one_are_read_by_their_own_rules() -> None:
    match = matchers("{command: {program: Remove-Item, all_flags: [-Recurse, -Force]}}")
    assert matches(match, seen("Remove-Item -rec -fo x"))
    assert not matches(match, seen("Remove-Item -rec x"))
    assert matches(matchers("{command: {program: apt-get, any_flag: -y}}"), seen("apt-get install -y x"))


def test_the_yaml_of_a_compiled_rule_is_plain_data() -> None:
    match = matchers(
        "{command: {program: [A, B*], stdin: x, any_flag: [-f, '--x=*.y'], args: 're:a', operands: b, opaque: true}}"
    )
    assert match == {
        "command": {
            "program": ["a", "b*"],
            "program_globs": ["b*"],
            "stdin": [{"glob": "x"}],
            "any_flag": [["-f", None], ["--x", "*.y"]],
            "args": [{"regex": "a", "literals": ["a"]}],
            "operands": [{"glob": "b"}],
            "opaque": ["program", "code", "syntax", "limit", "recursion"],
        }
    }


@pytest.mark.parametrize(
    ("wanted", "tool", "arguments", "named"),
    [
        ("{paths: '*.pem'}", "Read", {"file_path": "keys/a.pem"}, "keys/a.pem"),
        ("{paths: '*.pem'}", "Bash", {"command": "cp b keys/a.pem"}, "cp keys/a.pem"),
        ("{extensions: .tf}", "Write", {"file_path": "main.tf", "content": "x"}, "main.tf"),
        ("{domains: '*.evil.dev'}", "WebFetch", {"url": "https://a.evil.dev/x?y"}, "a.evil.dev"),
        ("{domains: '*.evil.dev'}", "Bash", {"command": "H=a.evil.dev; curl $H"}, "curl a.evil.dev"),
        ("{domains: evil.dev, command: curl}", "Bash", {"command": "curl -s https://evil.dev/x"}, "curl evil.dev"),
        ("{mcp: {server: github}}", "mcp__github__delete", {"id": "1"}, "github delete"),
        ("{tools: 'mcp__*'}", "mcp__github__delete", {"id": "1"}, "github delete"),
        ("{tools: Write}", "Write", {"file_path": "a", "content": "b"}, ""),
        ("{content_match: secret}", "Write", {"file_path": "a", "content": "a secret"}, ""),
    ],
)
def test_a_reason_names_files_hosts_and_tools(wanted: str, tool: str, arguments: dict[str, Any], named: str) -> None:
    payload = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "cwd": ROOT,
        "tool_name": tool,
        "tool_input": arguments,
    }
    called = facts_of(adapter("claude").parse(payload, None), DISK)
    verdict = decide([compiled(f"matchers: {wanted}\nactions: {{block: true}}")], called)
    assert verdict.reason == f'Blocked by rule "r"{f" ({named})" if named else ""}. [f:3]'

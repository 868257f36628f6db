"""What a command line would execute: tests/analysis/commands.yaml, one line of text for each command.

    [via,...] (user) program words... !opaque,... <fed,... {access,... path} @host

A word that is not known has a `?` before it; the program is under its plain name, `-` where there is none.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.analysis import analyse
from rulez_py.analysis.bash import builtins, machine
from rulez_py.analysis.programs import runs
from rulez_py.analysis.values import LIMIT, Command, Word

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("commands.yaml"))


def analysed(line: str) -> tuple[Command, ...]:
    return analyse(line, cwd="/p", home="/home/me", environ={})


def shown(command: Command) -> str:
    def word(one: Word) -> str:
        return ("" if one.known else "?") + (one.text if one.text.isalnum() else shlex.quote(one.text))

    parts = [f"[{','.join(command.via)}]"] if command.via else []
    parts += [f"({command.user})"] if command.user else []
    parts += [command.program or "-", *map(word, command.words[1:])]
    parts += ["!" + ",".join(command.opaque)] if command.opaque else []
    parts += ["<" + ",".join(command.fed)] if command.fed else []
    for file in command.files:
        parts.append(f"{{{','.join(file.access)}{' deep' if file.deep else ''} {file.path}}}")
    return " ".join([*parts, *("@" + host for host in command.hosts)])


@pytest.mark.parametrize("case", CASES, ids=[case["line"] for case in CASES])
def test_what_would_be_executed(case: dict[str, Any]) -> None:
    assert [shown(command) for command in analysed(case["line"])] == case["executes"]


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("db", []),
        ("db <<< 'a b'", ["a b\n"]),
        ("db <<EOF\na\nEOF", ["a\n"]),
        ("printf a | db", ["a"]),
        ("echo a | cat | sudo db", ["a\n"]),
        ("echo a > f; sort -o out f", ["a\n"]),
        ("echo a > f; psql -f f", ["a\n"]),
        ("echo a > f; db < f", ["a\n"]),
        ("echo a | sh -c db", ["a\n"]),
        ('echo "a $X" | db', ["?a $X\n"]),
        ("db <<EOF\na $X\nEOF", ["?a $X\n"]),
        ("echo a | tr a b | db", ["b\n"]),
        ("echo a | tr a b c | db", ["?a\n"]),
        ("make a | db", ["?"]),
        ("db < f", ["?"]),
        ("echo a | xargs db", []),
    ],
)
def test_what_a_command_reads(line: str, read: list[str]) -> None:
    assert [f"?{data.shown}" if data.text is None else data.text for data in analysed(line)[-1].inputs] == read


@pytest.mark.parametrize(("count", "opaque"), [(450, ()), (600, (LIMIT,))])
def test_of_very_many_files_it_is_not_known_what_happens_to_them(count: int, opaque: tuple[str, ...]) -> None:
    (command,) = analysed(" ".join(["rm", *(f"a{number}" for number in range(count)), ".rulez"]))
    assert command.opaque == opaque
    assert command.files[-1].path == ".rulez"


@pytest.mark.parametrize(
    "line",
    [
        "case $1 in " + " ".join(f"{n}) r=-{n};;" for n in range(20)) + " esac; go $r",
        "case $1 in " + " ".join(f"{n}) cd /{n};;" for n in range(20)) + " esac; go x > y",
        "case $1 in " + " ".join(f"{n}) set -- {n};;" for n in range(20)) + ' esac; go "$1"',
        "case $1 in " + " ".join(f"{n}) echo {n} > f;;" for n in range(20)) + ' esac; go "$(cat f)"',
        "i=1; while t; do i=$((i+1)); done; go $i",
        "x=; while t; do x=a$x; done; go $x",
        "while t; do shift; done; go $1",
        f"a=({'x ' * 300}-f); " + 'go "${a[@]}"',
        "echo {1..300} -f | xargs -n1 go",
        "go {1..300}",
        f"go {'{a,' * 10}b{'}' * 10}",
        f"for x in {'a ' * 40}; do go $x; done",
        "; ".join(f"declare -n r{n}=r{n + 1}" for n in range(20)) + "; r20=x; go $r0",
        "; ".join(f"if t; then v{n}=1; else v{n}=2; fi" for n in range(6)) + "; go $v0 $v1 $v2 $v3 $v4 $v5",
        f"find {' '.join(f'd{n}' for n in range(40))} | xargs -n1 go",
        "go " + "".join(f"${{Q{n}:+x}}" for n in range(6)),
    ],
)
def test_past_a_bound_something_is_not_known(line: str) -> None:
    said = [command for command in analysed(line) if command.program == "go"]
    assert any(not word.known for command in said for word in command.words) or any(
        not file.known for command in said for file in command.files
    )


@pytest.mark.parametrize(
    "line",
    [
        "exit; go",
        "f() { return; go; }; f",
        "true || { exit; go; }",
        "false && exit 1 && go",
        "exit && go",
        "exit || go",
        "x=1 && y=2 || go",
    ],
)
def test_a_part_that_nothing_leads_to_is_followed(line: str) -> None:
    assert "go" in [command.program for command in analysed(line)]


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("X=1; bash -c 'go $X'", ["1", "?$X"]),
        ("export X=1; bash -c 'go $X'", ["1"]),
        ("X=1 bash -c 'go $X'", ["1"]),
    ],
)
def test_a_variable_may_have_been_exported_before(line: str, values: list[str]) -> None:
    words = [command.words[1] for command in analysed(line) if command.program == "go"]
    assert [word.text if word.known else f"?{word.text}" for word in words] == values


def opaque(line: str) -> set[str]:
    return {reason for command in analysed(line) for reason in command.opaque}


@pytest.mark.parametrize(
    "line",
    [
        "echo " + "x" * (machine.LONGEST + 1),
        "a;" * (machine.MOST_COMMANDS + 10),
        "( " * 100 + "a" + ")" * 100,
        "eval " * 100 + "a",
        "for a in {1..30}; do for b in {1..30}; do for c in {1..30}; do x; done; done; done",
        "f() { g; g; g; g; }; g() { h; h; h; h; }; h() { i; i; i; i; }; i() { j; j; j; j; }; "
        "j() { k; k; k; k; }; k() { l; l; l; l; }; l() { x; x; x; x; }; f",
        "X=aaaaaaaaaa; " + 'X="$X$X$X$X"; ' * 30 + "echo $X; " + 'eval "$X"; ' * 3 + "$(" * 60,
        "; ".join(f"trap 'a {n}' {n}" for n in range(40)),
        "x='a[" + "0" * 30_000 + "]'; (( x ))",
    ],
    ids=["long", "many", "deep", "nested", "loops", "calls", "grown", "traps", "evaluated"],
)
def test_past_a_bound_it_is_opaque(line: str) -> None:
    assert LIMIT in opaque(line)


@settings(max_examples=200, deadline=None)
@given(text=st.text(alphabet=st.sampled_from("ab $'\"`(){}<>|&;\\\n=*~!#-/0X[]"), max_size=80))
def test_any_text_can_be_followed(text: str) -> None:
    analysed(text)


PROGRAMS = (
    "sudo",
    "env",
    "xargs",
    "find",
    "bash",
    "python3",
    "ssh",
    "docker",
    "git",
    "tar",
    "curl",
    "parallel",
    "awk",
    "eval",
)
WORDS = st.sampled_from(
    ("-c", "-e", "-exec", "{}", ";", "-", "--", "-I", "x=y", "$A", "", "rm", ":::", "-u", "@f", "-i{}", "*", *PROGRAMS)
)


@settings(max_examples=300, deadline=None)
@given(
    program=st.sampled_from(PROGRAMS),
    words=st.lists(WORDS, max_size=8),
    before=st.sampled_from(("", "ls | ", "echo rm | ")),
)
def test_any_words_of_a_program_that_runs_others_can_be_followed(program: str, words: list[str], before: str) -> None:
    analysed(before + " ".join([program, *(word if word in ("$A", "*") else shlex.quote(word) for word in words)]))


def test_every_builtin_of_bash_is_followed_or_known_to_change_nothing() -> None:
    assert not [
        name
        for name in BUILTINS
        if name not in builtins.KNOWN and not runs.inner(name, tuple(map(word, (name, "a", "b"))))
    ]


def word(text: str) -> Word:
    return Word(text=text)


BUILTINS = (
    *(".", ":", "[", "alias", "bg", "bind", "break", "builtin", "caller", "cd", "command", "compgen", "complete"),
    *("compopt", "continue", "declare", "dirs", "disown", "echo", "enable", "eval", "exec", "exit", "export"),
    *("false", "fc", "fg", "getopts", "hash", "help", "history", "jobs", "kill", "let", "local", "logout", "mapfile"),
    *("popd", "printf", "pushd", "pwd", "read", "readarray", "readonly", "return", "set", "shift", "shopt", "source"),
    *("suspend", "test", "times", "trap", "true", "type", "typeset", "ulimit", "umask", "unalias", "unset", "wait"),
)
"""Those of bash 5.2 (its manual, "Shell Builtin Commands")."""

"""What is told of a plain line without reading any shell is what `analyse` says of it."""

from __future__ import annotations

import posixpath
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulez_py
from rulez_py.analysis import analyse
from rulez_py.analysis.bash import quick

CWD = "/p"
ALL = {*quick.QUIET, *quick.READERS, *quick.SCRIPTS, *quick.BY_SUBCOMMAND}
PROGRAMS = st.one_of(
    st.sampled_from(sorted((*quick.QUIET, *quick.READERS, *quick.SCRIPTS, "cd"))),
    st.sampled_from([f"{name} {sub}" for name, subs in sorted(quick.BY_SUBCOMMAND.items()) for sub in sorted(subs)]),
)
WORDS = st.sampled_from(
    (
        *(
            "a",
            "src/a.py",
            "../b",
            "/etc/x",
            ".env",
            ".",
            "..",
            "/",
            "-r",
            "-R",
            "-rf",
            "-o",
            "-oout",
            "-f",
            "-c",
            "-e",
            "-n5",
            "-x",
        ),
        *(
            "--output=x",
            "--file=y",
            "--force",
            "-C",
            "--",
            "-",
            "-i",
            "-d",
            "a=b",
            "HEAD",
            "origin",
            "main",
            "--files0-from=l",
        ),
        *(
            "-m",
            "msg",
            "-A",
            "user@host",
            "example.com/x",
            "+main",
            "-5",
            "--exec",
            "-S",
            "--pre",
            "-p",
            "-t",
            "-I",
            "-D",
            "-s",
        ),
        *(
            "--no-index",
            "--ext-diff",
            "--files-from=x",
            "--rawfile",
            "-L",
            "--from-file",
            "--log-file=q",
            "--target",
            "-O",
        ),
        *(
            "HEAD:a.py",
            "test:unit",
            "C:/x",
            ":",
            "-rn",
            "-il",
            "-A",
            "3",
            "1,5p",
            "5w",
            "-ne",
            "-i.bak",
            "--color=auto",
        ),
        *(
            '"a b"',
            "'a b'",
            "'*.py'",
            "'$X'",
            '"$X"',
            '"a;b"',
            "'&&'",
            "''",
            '""',
            "'1,$p'",
            "'s/a/b/w out'",
            "a'b'c",
            "'-r'",
        ),
        *(
            '"-o"ut',
            "'~/x'",
            '"{a,b}"',
            "'.en'v",
            '"two\nlines"',
            "'#'",
            '"it\'s"',
            "'/etc/'x",
            "'user@host:a'",
            "--file='y'",
        ),
        *("'1e rm a'", "'/x/d'", "'(a|b)'", '"`ls`"', "'a\\b'", '"a\\b"', "'!x'", '"!x"', "'a='b", "'|'", '"2>&1"'),
    )
)
COMMAND = st.builds(lambda program, words: " ".join([program, *words]), PROGRAMS, st.lists(WORDS, max_size=5))
LINE = st.lists(
    st.tuples(COMMAND, st.sampled_from((" && ", " || ", "; ", ";", " | ", " 2>&1 | ", " 2>/dev/null; "))),
    min_size=1,
    max_size=4,
).map(lambda parts: "".join(command + separator for command, separator in parts) + "ls")


def resolved(path: str) -> str:
    return posixpath.normpath(posixpath.join(CWD, path))


@settings(max_examples=1500, deadline=None)
@given(line=st.one_of(LINE, COMMAND))
def test_a_plain_line_does_what_is_told_of_it(line: str) -> None:
    _is_told(line)


def _described() -> dict[str, list[str]]:
    """Return every option that is described of each program of the tables: after the program, or its part."""
    found: dict[str, list[str]] = {}
    for path in (Path(rulez_py.__file__).parent / "analysis/programs/data").glob("*.toml"):
        for section, said in tomllib.loads(path.read_text("utf-8")).items():
            for name in (section, *said.get("also", ())) if isinstance(said, dict) else ():
                program, _, sub = name.partition(" ")
                if program not in ALL or (sub and sub.split()[0] not in quick.BY_SUBCOMMAND.get(program, ())):
                    continue
                written = [*said.get("flags", ()), *said.get("values", ()), *said.get("attached", ())]
                options = [one for many in (*written, *said.get("options", ())) for one in many.split()]
                for start in (
                    (name,) if sub else (f"{program} {one}" for one in quick.BY_SUBCOMMAND.get(program, (" ",)))
                ):
                    found.setdefault(start, []).extend(options)
    return found


DESCRIBED = _described()


@pytest.mark.parametrize("start", sorted(DESCRIBED))
def test_an_option_that_runs_or_touches_something_is_told_of_or_the_line_is_not_plain(start: str) -> None:
    for option in DESCRIBED[start]:
        for value in (" x", "=x", "x", " 'rm -rf /p/x'", "='rm -rf /p/x'"):
            _is_told(f"{start} {option}{value}")
        _is_told(f"{start} a {option} 'b '")
        _is_told(f"{start} {option[:-1]} x")


def _is_told(line: str) -> None:
    plain = quick.plain(line)
    if plain is None:
        return
    commands = analyse(line, cwd=CWD, home="/home/me", environ={})
    # What comes after a condition may be there twice: with one side's files, and with the other's.
    programs = {command.words: command.program for command in commands if command.words}
    assert list(programs.values()) == list(plain.programs)
    assert [word.text for words in programs for word in words] == list(plain.words)
    assert {resolved(file.path) for one in commands for file in one.files} <= {resolved(path) for path in plain.paths}
    ways = {way for command in commands for file in command.files for way in file.access}
    assert "delete" not in ways
    assert plain.writes or "write" not in ways
    for command in commands:
        assert not (command.hosts or command.via or command.opaque or command.fed or command.user)
        assert not any(file.deep or file.glob or not file.known for file in command.files)


@pytest.mark.parametrize(
    "line",
    [
        *(
            "ls -la src",
            "git status",
            "cd src && cat a.py | head -5",
            "npm test 2>&1 | tail -20",
            "python manage.py migrate",
        ),
        *("git log --oneline -5; git diff HEAD", "cargo test 2>/dev/null || echo failed"),
        *(
            'git commit -m "Say why (and how)"',
            "sed -n '1,240p' a.py",
            "npm run test:unit | grep -n 'not ok' | head -5",
        ),
        *('echo "=== a ==="; cat a.py', "git show HEAD:src/a.py", "grep -n 'def a' src/a.py", "which node", "cat 'a'b"),
    ],
)
def test_what_agents_run_most_is_plain(line: str) -> None:
    assert quick.plain(line) is not None


@pytest.mark.parametrize(
    "line",
    [
        *(
            "rm a",
            "jobs -x rm a",
            "git push",
            "cat $X",
            "cat ~/a",
            "cat *.py",
            "echo a > b",
            "echo `ls`",
            "(ls)",
            "ls &",
            "sudo ls",
            "X=1 ls",
        ),
        *(
            'cat "$X"',
            "cat 'a",
            "cd a || cat b && ls",
            "cd a | cat b",
            "ls | cd a && cat b",
            "grep -rn a src",
            "sed -i 1,5p a",
            "sed -n 's/a/b/e' a",
            "sed -n 1,5p -i a",
            "echo 'a'>b",
            "'ls'&&rm a",
            "cat a\\ b",
            "python -c x",
            "cd && cat a",
            "cd - && cat a",
            "ls\nrm a",
            "git -C x status",
            "",
            "echo a#b",
        ),
        *("curl example.com", "xargs ls", "{ ls; }", "! ls", "if ls; then ls; fi", "ls | xargs rm", "&& ls", "ls <a"),
    ],
)
def test_everything_else_is_not(line: str) -> None:
    assert quick.plain(line) is None

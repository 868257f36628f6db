"""What is told of a plain line without reading any shell is what `analyse` says of it."""

from __future__ import annotations

import posixpath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulez_py.analysis import analyse
from rulez_py.analysis.bash import quick

CWD = "/p"
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
    plain = quick.plain(line)
    if plain is None:
        return
    commands = analyse(line, cwd=CWD, home="/home/me", environ={})
    # What comes after a condition may be there twice: with one side's files, and with the other's.
    programs = {command.words: command.program for command in commands if command.words}
    assert list(programs.values()) == list(plain.programs)
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
            "cat 'a'",
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

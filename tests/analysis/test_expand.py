"""Words come out as bash itself expands them: the same words, put together from the same pieces, through both."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulez_py.analysis import analyse

BASH = shutil.which("bash")
HOME = "/home/me"
BEFORE = "X='reset me'; Y=(one 'two three' four); Z=' lead trail '; N=X; unset U; set -- p1 'p 2'; IFS=$' \\t\\n'; "
PIECES = (
    *("a", "b c", "rm", "-rf", "/", "x=y", "~/z", "=", "!", "a:~", "@", "%", "+main", ":ref"),
    *("$X", "${X}", '"$X"', "${X:-d e}", "${U:-d e}", "${U-}", '"${U:-}"', "${X:+set}", "${U:+set}", "${#X}"),
    *(
        "${X#r}",
        "${X##*e}",
        "${X%%e*}",
        "${X%m?}",
        "${X/e/o}",
        "${X//e/}",
        "${X/#r/b}",
        "${X/%e/x}",
        "${X:1:2}",
        "${X: -2}",
    ),
    *(
        "${X^^}",
        "${X,,}",
        "${X^}",
        "${X@Q}",
        "${!N}",
        "$1",
        "$2",
        "$#",
        '"$@"',
        "${Y[@]}",
        '"${Y[@]}"',
        "${Y[1]}",
        "${Y[*]}",
    ),
    *("$Z", '"$Z"', '""', "''", "'q q'", "\\ ", "\\$", "$'\\x41\\n'", "$'a\\tb\\101'", '"\\$X"', '"a\\b"', '"x\\"y"'),
    *("$(echo hi)", '"$(echo a b)"', "`echo q`", '"`echo "q r"`"', "$((1+2*3))", "$[2+3]", "$(printf '%s' x)"),
    *("{1..3}", "{a,b}", "{x}", "{a,{b,c}}", "{,}", "{c..a}", "'{a,b}'", "{a,$X}", "}", "{"),
)


def expanded_by_bash(line: str, directory: Path) -> list[str] | None:
    """What bash makes of the words behind `probe`; None where it has an error to tell."""
    script = 'set -f; probe() { printf \'%s\\0\' "$#" "$@"; }; ' + line
    assert BASH is not None
    done = subprocess.run(
        [BASH, "--norc", "-c", script],
        capture_output=True,
        cwd=directory,
        env={"HOME": HOME, "PATH": "/usr/bin:/bin", "LC_ALL": "C"},
        check=False,
    )
    if done.returncode or done.stderr:
        return None
    count, *words = done.stdout.decode("utf-8", "replace").split("\0")[:-1]
    return words[: int(count)]


def expanded_by_us(line: str, directory: Path) -> list[str] | None:
    """The words behind `probe`; None where one of them is not known."""
    (probe,) = [one for one in analyse(line, cwd=str(directory), home=HOME, environ={}) if one.program == "probe"]
    return [word.text for word in probe.words[1:]] if all(word.known for word in probe.words) else None


@pytest.mark.skipif(BASH is None, reason="there is no bash here to compare with")
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(st.lists(st.sampled_from(PIECES), min_size=1, max_size=3).map("".join), min_size=1, max_size=3))
def test_words_are_what_bash_makes_of_them(tmp_path: Path, words: list[str]) -> None:
    line = BEFORE + "probe " + " ".join(words)
    expected, found = expanded_by_bash(line, tmp_path), expanded_by_us(line, tmp_path)
    # `$Za` is another variable than `$Z`: nobody has set it, and so it is not known.
    if expected is not None and found is not None:
        assert found == expected


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("probe $NOBODY_SET_THIS/build", ["$NOBODY_SET_THIS/build"]),
        ('probe "$(date +%s)"', ["$(date +%s)"]),
        ("probe a$(curl example.com)b", ["a$(curl example.com)b"]),
    ],
)
def test_what_is_not_known_stays_as_it_was_written(line: str, words: list[str]) -> None:
    commands = [one for one in analyse(line, cwd="/p", home=HOME, environ={}) if one.program == "probe"]
    assert [word.text for word in commands[0].words[1:]] == words
    assert not any(word.known for word in commands[0].words[1:])


def test_a_word_says_where_it_stands() -> None:
    line = "echo hi && git 'push' --fo\"rce\""
    (_, push) = analyse(line, cwd="/p", home=HOME, environ={})
    assert [line[slice(*word.at)] for word in push.words] == ["git", "'push'", '--fo"rce"']


def test_words_inside_of_code_stand_where_the_code_does() -> None:
    line = "bash -c 'git push --force'"
    push = analyse(line, cwd="/p", home=HOME, environ={})[-1]
    assert {line[slice(*word.at)] for word in push.words} == {"'git push --force'"}


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("echo `git push`", "`git push`"),
        ("echo \"a `git 'push'` b\"", "`git 'push'`"),
        ("echo $(x `git push`)", "`git push`"),
        ("cat <<E\n$(git push)\nE", "$(git push)\n"),
        ("cat <<-E\n\ta `git push`\n\tE", "\ta `git push`\n"),
        ("eval 'f() { git push; }'; f", "'f() { git push; }'"),
        ("bash -c 'echo $(git push)'", "'echo $(git push)'"),
        ("alias p='git push'\np", ""),
        ("x='a[$(git push)]'; ((x))", ""),
    ],
)
def test_words_that_are_read_out_of_a_text_stand_where_the_text_does(line: str, place: str) -> None:
    commands = analyse(line, cwd="/p", home=HOME, environ={})
    pushes = [one for one in commands if one.program == "git" and "doubt" not in one.via]
    assert {line[slice(*word.at)] for one in pushes for word in one.words} == {place}


def test_a_word_with_a_pattern_keeps_it() -> None:
    (command,) = analyse("rm *.py 'a*' b\\*c", cwd="/p", home=HOME, environ={})
    assert [word.glob for word in command.words] == ["", "*.py", "", ""]

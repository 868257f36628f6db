"""Which commands a command runs by its own words; examples stand beside the programs (`test_programs.py`)."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rulez_py.analysis.programs import parts, store
from rulez_py.analysis.programs.environment import commands as by_environment
from rulez_py.analysis.programs.read import Level, level
from rulez_py.analysis.programs.runs import MOST_WAYS, inner, ways
from rulez_py.analysis.values import SHELL, WRAPPER, Data, Inner, Word


def runs_others(name: str) -> bool:
    """Whether a program is described as one that may run another."""
    described = level(name)
    return described is not None and "wraps" in described.flags


PROGRAMS = sorted(name for name in store.rows().names() if " " not in name and runs_others(name))


def word(text: str, at: int = 0) -> Word:
    """A word; one with a dollar sign is not known."""
    return Word(text=text, known="$" not in text, at=(at, at + len(text)) if at else (0, 0))


def words(line: str) -> list[Word]:
    """The words of a command line, each at a place of its own."""
    return [word(text, 1000 * number) for number, text in enumerate(shlex.split(line), 1)]


def name(first: Word) -> str:
    return first.text.rpartition("/")[2].lower()


def run(line: str) -> tuple[Inner, ...]:
    given = words(line)
    return inner(name(given[0]), given)


def test_a_program_that_runs_no_other_runs_nothing() -> None:
    assert inner("ls", words("ls -l")) == ()
    assert inner("sudo", []) == ()


def test_the_words_are_the_ones_that_were_given() -> None:
    line = words("sudo -u web make $TARGET")
    assert all(mine is yours for mine, yours in zip(inner("sudo", line)[0].words, line[3:], strict=True))


def test_a_cut_word_keeps_its_place_and_what_is_known_of_it() -> None:
    value = Word(text="--user=$WHO", known=False, at=(7, 18), data=Data(files=("who",)))
    found = inner("docker", [*words("docker exec"), value.replace(text="--workdir=$WHO"), *words("web make")])
    assert found[0].cwd == Word(text="$WHO", known=False, at=(7, 18), data=Data(files=("who",)))


def test_joined_code_stands_where_its_words_stand() -> None:
    (found,) = run("eval make $TARGET x")
    assert found.code is not None
    assert (found.code.text, found.code.known, found.code.at) == ("make $TARGET x", False, (2000, 4001))


def test_joined_code_is_made_of_all_that_flowed_into_its_words() -> None:
    one = Word(text="a", data=Data(origins=("download",), files=("x",)))
    other = Word(text="b", data=Data(origins=("download", "decode"), files=("y",)))
    (found,) = inner("eval", [word("eval"), one, other])
    assert found.code is not None
    assert found.code.data == Data(origins=("download", "decode"), files=("x", "y"))


def test_text_that_is_not_base64_is_not_known() -> None:
    (found,) = run("pwsh -EncodedCommand %%%")
    assert found.code is not None
    assert not found.code.known


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a  b\tc", ["a", "b", "c"]),
        ("'a b' \"c d\"e", ["a b", "c de"]),
        (r"a\ b 'c\d' \"", ["a b", r"c\d", '"']),
        ("'' x", ["", "x"]),
        ("'open", ["open"]),
        ("", []),
    ],
)
def test_a_program_splits_a_text_as_a_shell_would(text: str, expected: list[str]) -> None:
    assert parts.pieces(text) == expected


@given(st.text(max_size=20))
def test_a_quoted_word_splits_into_itself(text: str) -> None:
    assert parts.pieces(parts.quoted(Word(text=text)).text) == [text]


@given(st.sampled_from(PROGRAMS))
def test_a_variable_concerns_the_programs_that_say_so(program: str) -> None:
    assert by_environment(program, words(program), {"NOBODY_READS_THIS": word("make")}) == ()


def starts(row: str, line: str) -> list[int | None]:
    """Where the command begins in each way to read a line, by a row of the table."""
    return [own.start for own in ways(Level(row), words(line))[0]]


def test_an_option_that_nobody_lists_may_take_the_next_word() -> None:
    assert starts("wrap\n\nruns\twords", "wrap --new value make") == [2, 3]
    assert starts("wrap\n\nruns\twords\n.\t\t--new", "wrap --new value make") == [2]
    assert starts("wrap\n\nruns\twords\n=\t\t--new", "wrap --new value make") == [3]
    assert starts("wrap\n\nruns\twords\n/\t\t--new", "wrap --new value make") == [2, 3]


def test_a_doubtful_subcommand_is_also_none() -> None:
    assert [[one.text for one in found.words] for found in run("npm --new exec run make")] == [["run", "make"]]


def test_a_command_behind_too_many_options_that_nobody_lists_is_not_known() -> None:
    """INVARIANT: what is cut off is not known, instead of left out."""
    line = " ".join(f"--option{number} value{number}" for number in range(MOST_WAYS + 1))
    last = run(f"nice {line} make")[-1]
    assert [(one.text, one.known) for one in last.words] == [("...", False)]


PIECES = st.sampled_from(
    [
        *(
            "$X",
            "$",
            "",
            "-",
            "--",
            "-c",
            "-e",
            "-i",
            "-S",
            "-u",
            "-x",
            "-exec",
            "-I",
            "-o",
            "-m",
            "-s",
            "--exec",
            "-lc",
            "-X",
        ),
        *(
            "{}",
            ";",
            "+",
            ":::",
            "::::",
            "a",
            "run",
            "exec",
            "compose",
            "ssh",
            "shell",
            "foreach",
            "bisect",
            "A=b",
            "root@h",
        ),
        *(
            "--user=$X",
            "-u$X",
            "!a b",
            "'",
            "\\",
            "s/a/b/e",
            "1e a",
            "EXEC:a,b",
            "ProxyCommand=a",
            "alias.a=!b",
            "/c",
            "tool",
        ),
        *(
            "system('a",
            "send-keys",
            "stuff",
            "-enc",
            "AAA",
            "--split-string=a 'b",
            "python",
            "\\! a",
            "\0",
            "\ud800",
            "{1.}",
        ),
    ]
)


@given(st.sampled_from(PROGRAMS), st.lists(PIECES, max_size=8))
@example("gmake", [])
def test_nothing_makes_it_fail_and_nothing_is_made_up(program: str, texts: list[str]) -> None:
    line = [word(program, 1000), *[word(text, 1000 * number) for number, text in enumerate(texts, 2)]]
    places = {one.at for one in line}
    for found in inner(program, line):
        whole = [*found.words, *found.arguments, *(found.inputs or ()), *[value for _, value in found.environment]]
        whole += [one for one in (found.file, found.cwd) if one is not None]
        assert {one.at for one in whole if one.at not in places} <= joined(line)
        if found.code is not None:
            assert found.code.at in places | joined(line)
        assert sum((bool(found.words), found.code is not None, found.file is not None, found.stdin)) == 1


def joined(line: list[Word]) -> set[tuple[int, int]]:
    """Every place that a text joined of some of the words may stand at."""
    return {(first.at[0], last.at[1]) for first in line for last in line}


@given(st.sampled_from(sorted({"git", "tar", "bash", "node", "less", "man", "rsync"})), st.lists(PIECES, max_size=5))
def test_no_variable_makes_it_fail(program: str, texts: list[str]) -> None:
    names = [
        *("GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0", "GIT_CONFIG_PARAMETERS", "TAR_OPTIONS"),
        *("NODE_OPTIONS", "LESSOPEN", "BASH_FUNC_a%%", "PAGER"),
    ]
    for text in texts:
        found = by_environment(program, [word(program), word("a")], dict.fromkeys(names, word(text, 5)))
        assert all(one.via for one in found)


@pytest.mark.parametrize("text", ["$X", "-q", "--qq", "-", "a"])
def test_the_number_of_readings_is_bounded(text: str) -> None:
    """But for the programs whose every word is a command."""
    line = [*[word("$X")] * 6, *[word(text)] * 300]
    counts = {program: len(inner(program, [word(program), *line])) for program in PROGRAMS}
    assert {program for program, count in counts.items() if count > 40} <= {"concurrently", "hyperfine"}


@pytest.mark.parametrize("program", ["sh", "bash", "zsh", "dash", "ash", "ksh", "ksh93", "mksh", "yash", "csh", "tcsh"])
def test_what_another_shell_is_called_does_not_matter(program: str) -> None:
    (found,) = inner(program, words(f"{program} -c make"))
    assert (found.code and found.code.text, found.via) == ("make", SHELL)


@pytest.mark.parametrize(
    "program", ["python", "python3", "python3.12", "pypy3", "perl5.36", "ruby3.2", "php8.3", "lua5.4", "node20"]
)
def test_a_version_may_stand_in_an_interpreters_name(program: str) -> None:
    assert [one.file and one.file.text for one in inner(program, words(f"{program} x"))] == ["x"]


@pytest.mark.parametrize("program", ["pythonista", "r2", "sudo2", "2", ""])
def test_other_names_are_other_programs(program: str) -> None:
    assert inner(program, words("x -c y")) == ()


def test_a_wrapper_is_one_by_default() -> None:
    assert run("nohup make")[0].via == WRAPPER


def test_code_of_special_programs_is_loaded_for_them_alone() -> None:
    code = """
import sys
from rulez_py.analysis.values import Word
from rulez_py.analysis.programs.runs import inner
def loaded(program):
    inner(program, [Word(text=program)])
    package = "rulez_py.analysis.programs.special."
    return sorted(name.rpartition(".")[2] for name in sys.modules if name.startswith(package))
print(loaded("ls"), loaded("nohup"), loaded("bash"))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] [] ['shells']"

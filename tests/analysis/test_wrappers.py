"""Which commands a command runs by its own words (`wrappers.yaml` has the table)."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.analysis.programs import options
from rulez_py.analysis.programs.wrappers import (
    PROGRAMS,
    environment,
    git,
    inner,
    inputs,
    interpreters,
    jobs,
    parts,
    plain,
    remote,
    shells,
    tools,
)
from rulez_py.analysis.programs.wrappers.spec import FLAGS, MOST_READINGS, VALUED, Readings, Spec, below, top
from rulez_py.analysis.values import SHELL, WRAPPER, Data, Inner, Word

TABLE: dict[str, list[dict[str, Any]]] = YAML(typ="safe").load(
    (Path(__file__).parent / "wrappers.yaml").read_text("utf-8")
)
CASES = [case for group in TABLE.values() for case in group]


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


def written(one: Inner) -> dict[str, Any]:
    """An Inner as the table writes it."""
    found: dict[str, Any] = {}
    for field, value in one.as_dict().items():
        if value == getattr(Inner, field):
            continue
        if isinstance(value, Word):
            found[field] = value.text
            if field in ("code", "file") and not value.known:
                found["known"] = False
        elif field == "environment":
            found[field] = {key: held.text for key, held in value}
        elif isinstance(value, tuple):
            found[field] = [held.text for held in value]
        else:
            found[field] = value
    return found


@pytest.mark.parametrize("case", CASES, ids=[case["run"] for case in CASES])
def test_what_a_command_runs(case: dict[str, Any]) -> None:
    assert [written(one) for one in run(case["run"])] == case["is"]


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


# program, its words, what is set for it, what runs because of it
VARIABLES: list[tuple[str, dict[str, str], list[dict[str, Any]]]] = [
    ("git fetch", {"GIT_SSH_COMMAND": "ssh -i key"}, [{"code": "ssh -i key", "via": SHELL}]),
    ("git commit", {"GIT_EDITOR": "make", "PATH": "/bin"}, [{"code": "make", "via": SHELL}]),
    ("git log", {"PAGER": "less", "EDITOR": ""}, [{"code": "less", "via": SHELL}]),
    ("ls", {"PAGER": "less", "GIT_SSH_COMMAND": "ssh"}, []),
    (
        "git x y",
        {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "alias.x", "GIT_CONFIG_VALUE_0": "!make"},
        [{"code": "make y", "via": SHELL, "arguments": ["make", "y"]}],
    ),
    ("git x", {"GIT_CONFIG_KEY_0": "alias.x", "GIT_CONFIG_VALUE_0": "!make"}, []),
    ("git fetch", {"GIT_CONFIG_PARAMETERS": "'core.sshcommand=make x'"}, [{"code": "make x", "via": SHELL}]),
    ("git fetch", {"GIT_CONFIG_PARAMETERS": "'core.sshcommand'='make x'"}, [{"code": "make x", "via": SHELL}]),
    ("bash -c x", {"BASH_ENV": "setup.sh"}, [{"file": "setup.sh", "via": SHELL}]),
    ("bash", {"PROMPT_COMMAND": "make"}, [{"code": "make", "via": SHELL}]),
    ("bash -c ls", {"BASH_FUNC_ls%%": "() { make; }"}, [{"code": "{ make; }", "via": SHELL}]),
    ("rsync a b", {"RSYNC_RSH": "ssh -p 1"}, [{"code": "ssh -p 1", "via": SHELL}]),
    ("tar xf a", {"TAR_OPTIONS": "--to-command='make x'"}, [{"code": "make x", "via": SHELL}]),
    ("less a", {"LESSOPEN": "|make %s"}, [{"code": "make %s", "via": SHELL, "placeholder": "%s"}]),
    (
        "node a.js",
        {"NODE_OPTIONS": "--require ./b.js"},
        [{"file": "./b.js", "language": "javascript", "via": "interpreter"}],
    ),
    ("man ls", {"MANPAGER": "$MINE"}, [{"code": "$MINE", "known": False, "via": SHELL}]),
]


@pytest.mark.parametrize(("line", "variables", "expected"), VARIABLES)
def test_what_a_variable_runs(line: str, variables: dict[str, str], expected: list[dict[str, Any]]) -> None:
    given = words(line)
    held = {key: word(value) for key, value in variables.items()}
    assert [written(one) for one in environment(name(given[0]), given, held)] == expected


def specs() -> list[tuple[str, Spec]]:
    """Every spec in the tables, with the path that leads to it."""
    found = []
    left = [*plain.PLAIN.items(), *remote.SPECS.items()]
    while left:
        path, spec = left.pop()
        found.append((path, spec))
        left += [(f"{path} {below}", one) for below, one in (spec.below or {}).items()]
    return found


OPTION_FIELDS = (
    *("values", "user", "cwd", "env", "code", "remote", "split", "piped", "files", "pairs", "env_pairs", "attached"),
    *("flags", "nothing", "opens", "switch", "keeps", "words"),
)


@pytest.mark.parametrize(("path", "spec"), specs())
def test_the_tables_name_options(path: str, spec: Spec) -> None:
    named = [option for field in OPTION_FIELDS for option in getattr(spec, field).split()]
    assert [option for option in named if not option.startswith("-") or option == "--"] == []


# Specs of programs that take more than data to describe.
OTHER_SPECS = {
    "ansible": remote.ANSIBLE,
    "crontab": jobs.CRONTAB,
    "docker": remote.DOCKER,
    "git": git.GIT,
    "make": jobs.MAKE,
    "nc": tools.NCAT,
    "parallel": inputs.PARALLEL,
    "psql": tools.PSQL,
    "rsync": tools.RSYNC,
    "screen": remote.SCREEN,
    "ssh": remote.SSH,
    "su": shells.SU,
    "tar": tools.TAR,
    "tmux": remote.TMUX,
    "uv": tools.UV.replace(below={"run": tools.UV_RUN}),
    "vim": tools.VIM,
    "xargs": inputs.XARGS,
}


def described_twice() -> list[tuple[str, Spec, options.Grammar]]:
    """Every program and subcommand that both tables describe."""
    found = []
    left = [
        (name, spec, top(Word(text=name))) for name, spec in ({**plain.PLAIN, **remote.SPECS} | OTHER_SPECS).items()
    ]
    while left:
        name, spec, level = left.pop()
        if level is None:
            continue
        found.append((name, spec, level[1]))
        left += [(f"{name} {one}", inside, below(level, one)) for one, inside in (spec.below or {}).items()]
    return found


@pytest.mark.parametrize(("name", "spec", "level"), [pytest.param(*one, id=one[0]) for one in described_twice()])
def test_no_option_takes_a_value_for_one_reader_and_none_for_the_other(
    name: str, spec: Spec, level: options.Grammar
) -> None:
    """INVARIANT: what one table says takes a value, the other reads so, or as one that may."""
    named = {one for field in (*VALUED, *FLAGS) for one in getattr(spec, field).split() if one not in ("-", "--")}
    named |= {one for entry in (*level.short.values(), *level.long.values()) for one in entry.names}
    unlike = []
    for option in sorted(named - set(spec.nothing.split())):
        given = [word(name.split()[0]), word(option), word("value"), word("more")]
        readings = Readings(spec, given, 1, (name, level))
        wrapper = set(readings.counts(1))
        entry = level.named(option)
        others = {int(entry.takes == "=")} if entry is not None else {0, 1} if "more" in level.flags else {0}
        # Where a value stands in the same word or nowhere, it is none of ours.
        if (wrapper == {1} and 1 not in others) or (others == {1} and 1 not in wrapper):
            unlike.append((name, option))
    assert unlike == []


def test_an_option_that_nobody_lists_may_take_the_next_word() -> None:
    assert [one.starts for one in Readings(Spec(), words("wrap --new value make"))] == [(2,), (3,)]
    assert [one.starts for one in Readings(Spec(flags="--new"), words("wrap --new value make"))] == [(2,)]
    assert [one.starts for one in Readings(Spec(values="--new"), words("wrap --new value make"))] == [(3,)]


def test_a_command_behind_too_many_options_that_nobody_lists_is_not_known() -> None:
    """INVARIANT: what is cut off is not known, instead of left out."""
    line = " ".join(f"--option{number} value{number}" for number in range(MOST_READINGS + 1))
    last = run(f"nice {line} make")[-1]
    assert [(one.text, one.known) for one in last.words] == [("...", False)]


HOMES: dict[str, list[Mapping[str, object]]] = {
    "git": [git.KINDS],
    "shells": [shells.KINDS],
    "inputs": [inputs.KINDS],
    "plain": [plain.PLAIN],
    "remote": [remote.SPECS, remote.KINDS],
    "tools": [tools.KINDS],
    "jobs": [jobs.KINDS],
    "interpreters": [interpreters.INTERPRETERS],
}


def test_a_program_is_described_once_and_in_the_module_that_is_said() -> None:
    described = [(program, home) for home, tables in HOMES.items() for table in tables for program in table]
    assert sorted(described) == sorted(PROGRAMS.items())


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


@given(st.sampled_from(sorted(PROGRAMS)), st.lists(PIECES, max_size=8))
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
        found = environment(program, [word(program), word("a")], dict.fromkeys(names, word(text, 5)))
        assert all(one.via for one in found)


@pytest.mark.parametrize("text", ["$X", "-q", "--qq", "-", "a"])
def test_the_number_of_readings_is_bounded(text: str) -> None:
    """But for the programs whose every word is a command."""
    line = [*[word("$X")] * 6, *[word(text)] * 300]
    counts = {program: len(inner(program, [word(program), *line])) for program in PROGRAMS}
    assert {program for program, count in counts.items() if count > 40} <= {"concurrently", "hyperfine"}


def test_what_another_shell_is_called_does_not_matter() -> None:
    for program in shells.SHELLS:
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


def test_a_table_is_loaded_for_the_first_program_it_describes() -> None:
    code = """
import sys
from rulez_py.analysis.values import Word
from rulez_py.analysis.programs.wrappers import inner
def loaded(program):
    inner(program, [Word(text=program)])
    package = "rulez_py.analysis.programs.wrappers."
    return sorted(name.rpartition(".")[2] for name in sys.modules if name.startswith(package))
print(loaded("ls"), loaded("nohup"))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] ['parts', 'plain', 'spec']"

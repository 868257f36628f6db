"""Words told apart: options, their values, operands; examples stand beside the programs (`test_programs.py`)."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.analysis.programs import parts, patches, store
from rulez_py.analysis.programs.read import ATTACHED, NONE, VALUE, certainly, cut, family, holds, level, read
from rulez_py.analysis.values import Operand, Option, Reading, Word

TABLE: dict[str, list[dict[str, Any]]] = YAML(typ="safe").load(Path(__file__).parent / "undescribed.yaml")
CASES = [pytest.param(case, id=case["line"]) for cases in TABLE.values() for case in cases]
UNTIMED = settings(deadline=None)

PROGRAMS = store.rows().names()
PLAIN_KEYS = sorted(key for key in PROGRAMS if " " not in key)
texts = st.sampled_from(
    ["-", "--", "-r", "-rf", "--force", "--no-force", "--for", "--x=y", "-C", "push", "a", "{}", ";", "-5", "+x", "-é"]
) | st.text(max_size=6)
words_of = st.lists(st.builds(Word, text=texts, known=st.booleans()), max_size=12)


def words(line: str) -> tuple[str, list[Word]]:
    program, *rest = line.split(" ")
    return program, [Word(text=text) for text in rest]


def shown(option: Option) -> str:
    value = "" if option.value is None else f"={option.value.text}"
    return f"{'' if option.certain else '?'}{option.names[0]}{value}"


def operand(one: Operand) -> str:
    return f"{'?' if one.doubtful else ''}{one.word.text}"


def names(reading: Reading) -> list[tuple[str, ...]]:
    return sorted(option.names for option in reading.options)


@pytest.mark.parametrize("case", CASES)
def test_words_are_told_apart(case: dict[str, Any]) -> None:
    reading = read(*words(case["line"]))
    assert sorted(shown(option) for option in reading.options) == sorted(case["options"])
    assert [operand(one) for one in reading.operands] == case["operands"]


@UNTIMED
@given(st.sampled_from([*PLAIN_KEYS, "nobody-described-this", ""]), words_of)
def test_every_word_is_read_once(program: str, given: list[Word]) -> None:
    reading = read(program, given)
    places = {id(word): place for place, word in enumerate(given)}
    seen = {places[id(one.word)] for one in reading.operands}
    assert len(seen) == len(reading.operands)
    seen |= {places[id(option.word)] for option in reading.options}
    seen |= {places[id(option.value)] for option in reading.options if id(option.value) in places}
    left_out = [given[place].text for place in range(len(given)) if place not in seen]
    assert all(text.startswith("-") for text in left_out)


class Counted(list[Word]):
    """Words that count how often one of them is taken."""

    taken = 0

    def __getitem__(self, place: Any) -> Any:
        self.taken += 1
        return super().__getitem__(place)


@pytest.mark.parametrize(
    ("program", "unit"),
    [
        ("rm", ["-r"]),
        ("git", ["-C", "x"]),
        ("git", ["push", "--force", "--no-force"]),
        ("find", ["-exec", "a", ";"]),
        ("tar", ["-C", "x", "y"]),
        ("aws", ["--unheard-of", "x"]),
        ("curl", ["--p"]),
        ("zork", ["-abc", "x"]),
    ],
)
def test_each_word_is_taken_a_bounded_number_of_times(program: str, unit: list[str]) -> None:
    given = Counted(Word(text=text) for text in unit * 500)
    read(program, given)
    assert 0 < given.taken <= 3 * len(given)


def test_a_cluster_counts_each_letter_once() -> None:
    assert names(read("rm", [Word(text="-" + "rf" * 50_000)])) == names(read("rm", [Word(text="-rf")]))


@UNTIMED
@given(st.lists(st.sampled_from("rfivd"), min_size=1, max_size=5, unique=True), st.randoms(use_true_random=False))
def test_letters_mean_the_same_together_apart_and_in_any_order(letters: list[str], order: Any) -> None:
    together = read("rm", [Word(text="-" + "".join(letters)), Word(text="x")])
    order.shuffle(letters)
    apart = read("rm", [Word(text="x"), *(Word(text="-" + letter) for letter in letters)])
    assert names(together) == names(apart)
    assert [one.word.text for one in together.operands] == [one.word.text for one in apart.operands] == ["x"]


@UNTIMED
@given(st.sampled_from(["rm", "cp", "git push", "wget", "rsync"]), st.data())
def test_a_long_option_is_itself_and_not_its_longer_brothers(key: str, data: st.DataObject) -> None:
    described = level(key)
    assert described is not None
    name = data.draw(st.sampled_from(described.sorted_names))
    program, *path = key.split(" ")
    reading = read(program, [*(Word(text=text) for text in path), Word(text=f"{name}=v")])
    assert [option.names for option in reading.options] == [described.names[name].names]


def test_an_option_that_is_not_known_to_its_end_may_be_several() -> None:
    (option,) = read("rm", [Word(text="--re$X", known=False)]).options
    assert not option.certain
    assert "--recursive" in option.names


def test_a_word_that_is_not_known_is_an_operand() -> None:
    unknown = Word(text="$FLAGS", known=False)
    assert read("rm", [unknown]).operands == (Operand(word=unknown),)


def test_letters_before_what_is_not_known_are_certain() -> None:
    reading = read("rm", [Word(text="-r$X", known=False)])
    assert [(option.names[0], option.certain) for option in reading.options] == [("-r", True)]


def test_a_flag_is_held_in_every_spelling() -> None:
    word = Word(text="-rf")
    reading = read("rm", [word, Word(text="x")])
    assert holds(reading, "--force") == holds(reading, "-f") == (word,)
    assert holds(reading, "--verbose") == ()


def test_an_abbreviation_of_several_is_held_but_not_certainly() -> None:
    reading = read("git", [Word(text="push"), Word(text="--forc")])
    assert len(holds(reading, "--force")) == len(holds(reading, "--force-with-lease")) == 1
    assert certainly(reading, "--force") == ()


def test_a_value_is_asked_for() -> None:
    reading = read("curl", [Word(text="-XDELETE"), Word(text="u")])
    assert len(certainly(reading, "--request", lambda value: value == "DELETE")) == 1
    assert holds(reading, "--request", lambda value: value == "GET") == ()


def test_a_doubtful_value_is_not_certain() -> None:
    reading = read("zork", [Word(text="--mode"), Word(text="wipe")])
    assert len(holds(reading, "--mode", lambda value: value == "wipe")) == 1
    assert certainly(reading, "--mode", lambda value: value == "wipe") == ()
    assert len(certainly(reading, "--mode")) == 1


@pytest.mark.parametrize(
    ("glob", "start", "text", "rest"),
    [
        ("--include=\\*.c*", 10, "*.c*", "\\*.c*"),
        ("-[ab]c", 5, "c", ""),
        ("of=*.img", 3, "*.img", "*.img"),
        ("of=\\*", 3, "*", ""),
    ],
)
def test_a_part_of_a_word_keeps_its_pattern(glob: str, start: int, text: str, rest: str) -> None:
    part = cut(Word(text=glob.replace("\\", ""), glob=glob, at=(3, 9)), start)
    assert (part.text, part.glob, part.at) == (text, rest, (3, 9))


@pytest.mark.parametrize(
    ("program", "key"),
    [
        ("python3.12", "python"),
        ("pip3", "pip"),
        ("clang-17", "gcc"),
        ("mkfs.ext4", "mkfs"),
        ("vim.tiny", "vim"),
        ("gsed", "sed"),
        ("7z", "7z"),
        ("md5sum", "md5sum"),
        ("zork", ""),
        ("", ""),
    ],
)
def test_a_program_has_a_family(program: str, key: str) -> None:
    assert family(program) == key


LATER_ATTACHED = ("--update",)
"""Options that take a value behind `=` since coreutils 9.3, and none before."""


@pytest.mark.parametrize("program", ["rm", "cp", "mv", "chmod", "sort", "head", "touch", "truncate", "mkdir"])
def test_descriptions_agree_with_the_programs_of_this_machine(program: str) -> None:
    """Every long option of GNU programs is in their own help, as `--name`, `--name=X` or `--name[=X]`."""
    shown_help = subprocess.run([program, "--help"], capture_output=True, text=True, check=False).stdout
    if "GNU coreutils" not in shown_help:
        pytest.skip("not GNU's")
    described = level(program)
    assert described is not None
    for name in described.sorted_names:
        if name in shown_help:
            # `--check, --check=quiet` is written with and without its value.
            optional = f"{name}[=" in shown_help or f"{name}, {name}=" in shown_help
            required = f"{name}=" in shown_help
            takes = ATTACHED if optional or name in LATER_ATTACHED else VALUE if required else NONE
            assert described.names[name].takes == takes, name


def test_an_option_with_unknown_letters_is_not_certain() -> None:
    (option,) = read("rm", [Word(text="-$X", known=False)]).options
    assert not option.certain


@pytest.mark.parametrize("base", [Word(text="$A", known=False), Word(text="a" * 100_000)])
def test_a_directory_below_an_unknown_one_is_unknown(base: Word) -> None:
    assert not parts.below(base, Word(text="b")).known


def test_names_of_a_patch_past_the_bound_are_any_file() -> None:
    names = "\n".join(f"--- a{number}" for number in range(1_001))
    last = patches.touched([names], Word(text="d"))[-1]
    assert last.deep
    assert not last.path.known

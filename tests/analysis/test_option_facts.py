"""What programs' manuals say of their options is what our tables say (`option_facts.yaml` has the evidence)."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from rulez_py.analysis.programs import read
from rulez_py.analysis.programs.read import VALUE, Level
from rulez_py.analysis.programs.runs import ways
from rulez_py.analysis.programs.trial import words

FACTS: dict[str, list[dict[str, str]]] = YAML(typ="safe").load(
    (Path(__file__).parent / "option_facts.yaml").read_text("utf-8")
)
TAKEN = {"value": 1, "attached": 0, "nothing": 0}
"""How many words behind an option are its value."""


def facts(program: str) -> dict[str, int | None]:
    """What is known of a program's options: words behind each that are its value, None where that is open."""
    return {
        option: TAKEN.get(kind)
        for row in FACTS[program]
        for kind, named in row.items()
        if kind != "from"
        for option in named.split()
    }


def level(program: str) -> Level:
    """What the table has under a program or subcommand."""
    first, *names = program.split()
    found = read.level(read.family(first))
    for name in names:
        assert found is not None, program
        found = read.below(found, name)
    assert found is not None, program
    return found


@pytest.mark.parametrize("program", FACTS)
def test_the_table_says_what_the_manual_says(program: str) -> None:
    described = level(program)
    table = {}
    for option in facts(program):
        entry = described.names.get(option)
        table[option] = None if entry is None or entry.takes == read.UNSURE else int(entry.takes == VALUE)
    assert table == facts(program)


def runs_words(program: str) -> bool:
    """Whether the first word that is no option begins a command."""
    described = level(program)
    return described.own == 0 and "subcommands" not in described.flags and "language" not in described.fields


@pytest.mark.parametrize("program", [program for program in FACTS if runs_words(program)])
def test_what_stands_before_a_command_is_read_as_the_manual_says(program: str) -> None:
    """Where it is open, both ways are read."""
    places = {0: [2], 1: [3], None: [2, 3]}
    ends = {name for name, entry in level(program).names.items() if entry.does}
    for option, taken in facts(program).items():
        if option not in ends:
            owns, _ = ways(level(program), words(f"{program.split()[-1]} {option} value more"))
            assert [own.start for own in owns] == places[taken], option


@pytest.mark.parametrize("program", FACTS)
def test_an_option_is_decided_once_and_it_is_said_by_what(program: str) -> None:
    named = [option for row in FACTS[program] for kind in row if kind != "from" for option in row[kind].split()]
    assert len(named) == len(set(named))
    assert all(row["from"] and set(row) <= {"from", *TAKEN, "doubtful"} for row in FACTS[program])

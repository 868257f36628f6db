"""What programs' manuals say of their options is what our tables say (`option_facts.yaml` has the evidence)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.analysis.programs import options
from rulez_py.analysis.programs.wrappers.spec import Readings
from tests.analysis.test_wrappers import described_twice, word

FACTS: dict[str, list[dict[str, str]]] = YAML(typ="safe").load(
    (Path(__file__).parent / "option_facts.yaml").read_text("utf-8")
)
TAKEN = {"value": 1, "attached": 0, "nothing": 0}
"""How many words behind an option are its value."""
SPECS = {name: (spec, level) for name, spec, level in described_twice()}


def facts(program: str) -> dict[str, int | None]:
    """What is known of a program's options: words behind each that are its value, None where that is open."""
    return {
        option: TAKEN.get(kind)
        for row in FACTS[program]
        for kind, named in row.items()
        if kind != "from"
        for option in named.split()
    }


def level(program: str) -> options.Grammar:
    """What the table has under a program or subcommand."""
    first, *names = program.split()
    key = options.family(first)
    found = options.grammar(key)
    for name in names:
        assert found is not None, program
        inner = options.below(key, found, name)
        assert inner is not None, program
        key, found = inner
    assert found is not None, program
    return found


@pytest.mark.parametrize("program", FACTS)
def test_the_table_says_what_the_manual_says(program: str) -> None:
    described = level(program)
    table = {}
    for option in facts(program):
        entry = described.named(option)
        table[option] = None if entry is None else int(entry.takes == "=")
    assert table == facts(program)


@pytest.mark.parametrize("program", [program for program in FACTS if program in SPECS])
def test_what_stands_before_a_command_is_read_as_the_manual_says(program: str) -> None:
    """Where it is open, both ways are read."""
    spec, described = SPECS[program]
    read: dict[str, Any] = {}
    for option, taken in facts(program).items():
        given = [word(program.split()[0]), word(option), word("value"), word("more")]
        counts = Readings(spec, given, 1, (program, described)).counts(1)
        read[option] = counts[0] if taken is not None and counts[0] == counts[-1] else None
    ends = set(spec.nothing.split())
    assert {one: count for one, count in read.items() if one not in ends} == {
        one: count for one, count in facts(program).items() if one not in ends
    }


@pytest.mark.parametrize("program", FACTS)
def test_an_option_is_decided_once_and_it_is_said_by_what(program: str) -> None:
    named = [option for row in FACTS[program] for kind in row if kind != "from" for option in row[kind].split()]
    assert len(named) == len(set(named))
    assert all(row["from"] and set(row) <= {"from", *TAKEN, "doubtful"} for row in FACTS[program])

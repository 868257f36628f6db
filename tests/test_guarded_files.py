"""Files that rules guard, by whatever way a command line reaches them: data/guarded.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.policy.decide import decide
from rulez_py.policy.facts import Facts, Surroundings
from rulez_py.verdict import NO_OPINION
from tests.test_packs import HOME, RECOMMENDED, ROOT, Machine, called, rules_of

TABLE: dict[str, dict[str, list[str]]] = YAML(typ="safe").load(Path(__file__).parent / "data" / "guarded.yaml")
HELD = {
    ROOT: [".claude", ".rulez", ".env", "src"],
    f"{ROOT}/.claude": ["settings.json", "skills"],
    f"{ROOT}/.rulez": ["rules.yaml"],
    f"{ROOT}/src": ["a.py"],
}


class Project(Machine):
    """One that holds what is guarded."""

    def names(self, directory: str) -> list[str]:
        return HELD.get(directory, [])


def verdict_of(line: str) -> Any:
    event = called("claude", "PreToolUse", "Bash", {"command": line})
    facts = Facts(event, Surroundings(root=ROOT, home=HOME, environ={"HOME": HOME}), Project())
    return decide(rules_of(*RECOMMENDED), facts).decision


def _rows(kind: str) -> list[Any]:
    return [
        pytest.param(line, id=f"{way}: {line.splitlines()[0]}") for way, lines in TABLE[kind].items() for line in lines
    ]


@pytest.mark.parametrize("line", _rows("stopped"))
def test_a_guarded_file_is_guarded_by_every_way(line: str) -> None:
    assert verdict_of(line) != NO_OPINION


@pytest.mark.parametrize("line", _rows("harmless"))
def test_what_reaches_no_guarded_file_passes(line: str) -> None:
    assert verdict_of(line) == NO_OPINION

"""Rules name effects. One that names programs instead says why, above the rule or at the head of its file."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rulez_py.policy import packs

WHY = "# By name: "
EFFECTS = frozenset({"paths", "flow", "domains"})
"""Matchers over what a call does, whoever does it. Beside them the name of a program wants a reason of its own."""


def _text(name: str) -> str:
    with open(packs.path_of(name), encoding="utf-8") as file:
        return file.read()


def _rules(name: str) -> list[dict[str, Any]]:
    return packs.rules_of([name])


def _names_programs(rule: dict[str, Any]) -> bool:
    return "'program'" in repr(rule["matchers"])


@pytest.mark.parametrize("name", packs.names())
def test_a_set_whose_rules_name_programs_says_why(name: str) -> None:
    head = _text(name).split('version: "1.0"')[0]
    assert (WHY in head) is any(map(_names_programs, _rules(name)))


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        pytest.param(name, rule["name"], id=rule["name"])
        for name in packs.names()
        for rule in _rules(name)
        if _names_programs(rule) and EFFECTS & set(rule["matchers"])
    ],
)
def test_a_rule_over_effects_that_names_programs_says_why(name: str, rule: str) -> None:
    block = re.split(r"(?m)^  - name: ", _text(name))
    written = next(one for one in block if one.startswith(f"{rule}\n")).split("    tests:")[0]
    assert WHY in written

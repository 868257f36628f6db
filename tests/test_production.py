"""The set `production`: what destroys what others use asks, and what is visibly local or there for tests is free."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from dev import production
from rulez_py.verdict import ASK, NO_OPINION
from tests.test_packs import called, rules_of, said

FAMILIES: dict[str, list[dict[str, Any]]] = YAML(typ="safe").load(Path(__file__).parent / "data" / "production.yaml")


@cache
def decided(line: str) -> str:
    event = called("claude", "PreToolUse", "Bash", {"command": line})
    return said(rules_of("production"), event).decision


def lines(family: str, kind: str, circumstances: str) -> list[str]:
    """The lines of a family that are asked about or free; each template once in every one of its circumstances."""
    found = []
    for group in FAMILIES[family]:
        found += group.get(kind, [])
        found += [
            " ".join(line.replace("@", at).split()) for line in group.get("lines", []) for at in group[circumstances]
        ]
    return found


ASKED = [(family, line) for family in FAMILIES for line in lines(family, "asked", "far")]
FREE = [(family, line) for family in FAMILIES for line in lines(family, "free", "near")]


@pytest.mark.parametrize(("family", "line"), ASKED)
def test_what_others_use_is_asked_about(family: str, line: str) -> None:
    assert decided(line) == ASK


@pytest.mark.parametrize(("family", "line"), FREE)
def test_what_is_local_or_only_looked_at_is_free(family: str, line: str) -> None:
    assert decided(line) == NO_OPINION


def test_the_set_is_written_from_its_table() -> None:
    assert production.PAGE.read_text("utf-8") == production.written(), "run `make production`"


def test_every_line_is_there_once() -> None:
    assert len({line for _, line in (*ASKED, *FREE)}) == len(ASKED) + len(FREE)

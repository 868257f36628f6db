"""Every agent that the tests know: a folder of recordings, with `facts.py` beside them, makes one."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from rulez_py.platforms import adapter, is_proven
from rulez_py.verdict import Answer
from tests.facts import Facts, inside, said

__all__ = ["PLATFORMS", "PROVEN", "Facts", "adapter", "denies", "in_turn", "inside", "is_neutral", "said"]

_FOLDERS = sorted(path.parent.name for path in (Path(__file__).parent / "payloads").glob("*/facts.py"))

PLATFORMS: dict[str, Facts] = {name: import_module(f"tests.payloads.{name}.facts").FACTS for name in _FOLDERS}

PROVEN = tuple(name for name in PLATFORMS if is_proven(name))
"""Those on which rulez was played; of the others the payloads are made from documentation."""


def in_turn(rows: Iterable[Any], among: Iterable[Any] = PLATFORMS) -> list[tuple[Any, Any]]:
    """Returns pairs in which each row and each agent are at least once: for rows that say the same of every agent."""
    first, second = list(rows), list(among)
    return [(first[at % len(first)], second[at % len(second)]) for at in range(max(len(first), len(second)))]


def denies(answer: Answer, platform: str) -> bool:
    """Whether the agent would not run the tool it asked about."""
    return PLATFORMS[platform].stops(answer, "PreToolUse")


def is_neutral(answer: Answer, platform: str) -> bool:
    """Whether the answer changes nothing at all."""
    return (answer.stdout, answer.stderr, answer.exit_code) == (PLATFORMS[platform].neutral, "", 0)

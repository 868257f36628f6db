"""Matchers in their compiled form, for rules that are made in a test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rulez_py.policy.matchers.paths import compiled
from rulez_py.policy.patterns import regex


def paths(globs: Iterable[str], access: Sequence[str] = ("read", "write", "delete"), **more: Any) -> dict[str, Any]:
    return {**compiled({"globs": list(globs), "access": list(access), **more})}


def regexes(*patterns: str) -> list[regex.Regex]:
    return [regex.prepared(pattern) for pattern in patterns]

"""Matchers in their compiled form, for rules that are made in a test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rulez_py.policy.matchers.paths import compiled


def paths(globs: Iterable[str], access: Sequence[str] = ("read", "write", "delete"), **more: Any) -> dict[str, Any]:
    return {**compiled({"globs": list(globs), "access": list(access), **more})}

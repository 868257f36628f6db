"""What the frozen program has in the place of a module of the standard library, held against that."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable
from typing import Any

import pytest

from tests.programs import ROOT

SOURCE = (ROOT / "dev" / "frozen_entry.py").read_text()


def part(name: str) -> Any:
    """A class or a function of it, which as a whole starts a program."""
    found = next(node for node in ast.parse(SOURCE).body if getattr(node, "name", "") == name)
    scope: dict[str, Any] = {}
    exec(compile(ast.Module([found], []), "frozen_entry.py", "exec"), scope)
    return scope[name]


def environments() -> tuple[Any, Any]:
    """An environment as `os.environ` is one, and one with the stand-in below it."""
    values: Any = {b"A": b"1", b"B": b"", b"C": b"\xff"}
    real: Any = type(os.environ)
    known: Any = os.environ
    own = {name: value for name, value in vars(real).items() if name not in ("__dict__", "__weakref__")}
    other = type("_Environ", (part("_Environment"),), {**own, "__abstractmethods__": frozenset()})
    helpers = (known.encodekey, known.decodekey, known.encodevalue, known.decodevalue)
    return real(dict(values), *helpers), other(dict(values), *helpers)


USES: dict[str, Callable[[Any], Any]] = {
    "get": lambda one: [one.get("A"), one.get("X"), one.get("X", "y"), one.get("B", "y")],
    "in": lambda one: ["A" in one, "B" in one, "X" in one],
    "keys": lambda one: (list(one.keys()), one.keys() & {"A", "X"}, len(one)),
    "items": lambda one: (list(one.items()), ("A", "1") in one.items()),
    "values": lambda one: list(one.values()),
    "a dict of it": lambda one: (dict(one), {**one}, one.copy(), one | {"X": "y"}, list(one)),
    "pop": lambda one: (one.pop("A"), one.pop("A", None), one.pop("B", "x"), dict(one)),
    "update": lambda one: (one.update({"X": "y"}, A="2"), dict(one)),
    "setdefault": lambda one: (one.setdefault("A", "9"), one.setdefault("X", "y"), dict(one)),
    "==": lambda one: (one == dict(one), one == {}),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_the_environment_is_what_it_would_be(use: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "putenv", lambda *_: None)
    monkeypatch.setattr(os, "unsetenv", lambda *_: None)
    real, other = environments()
    assert use(other) == use(real)


def test_a_name_that_is_not_there_is_an_error() -> None:
    for one in environments():
        with pytest.raises(KeyError):
            one.pop("X")


def test_a_path_is_known_by_its_methods() -> None:
    check = part("_check_methods")
    assert check(type("P", (), {"__fspath__": lambda self: ""}), "__fspath__") is True
    assert check(type("P", (), {"__fspath__": None}), "__fspath__") is NotImplemented
    assert check(int, "__fspath__") is NotImplemented

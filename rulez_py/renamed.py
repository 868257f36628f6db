"""Forward old names of this package to new ones, with a warning: programs that use them go on to work."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")


def forward(old: str, new: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a module that has moved: it gives what the new one has."""

    def get(name: str) -> Any:
        if name.startswith("__"):  # Python itself asks for these.
            raise AttributeError(f"module {old!r} has no attribute {name!r}")
        found = getattr(import_module(new), name)
        warnings.warn(f"{old} is now {new}", DeprecationWarning, stacklevel=2)
        return found

    return get


def renamed(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a module in which names have changed, by a table of old name -> new name."""

    def get(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warnings.warn(f"{module}.{name} is now {names[name]}", DeprecationWarning, stacklevel=2)
        return getattr(import_module(module), names[name])

    return get


def takes(**old: str) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Let a function take its arguments by old names too: `takes(harness="platform")`."""

    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        @functools.wraps(function)
        def call(*given: _P.args, **named: _P.kwargs) -> _R:
            for name in old.keys() & named.keys():
                told = f"the argument {name} of {function.__name__} is now {old[name]}"
                warnings.warn(told, DeprecationWarning, stacklevel=2)
                named[old[name]] = named.pop(name)
            return function(*given, **named)

        return call

    return decorate

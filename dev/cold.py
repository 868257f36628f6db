"""Functions that few hook calls need, taken out of their modules' code: read where one of them is called.

Each is replaced by one of the same name and parameters that asks `__thaw__` (dev/frozen_entry.py) for the real
one and calls that. Only functions and methods at a module's outer level are taken out, none that is part of another.
"""

from __future__ import annotations

import inspect
import marshal
from collections.abc import Callable, Container
from types import CodeType

SMALLEST = 600
"""Bytes of a function's code from which on there is something to gain."""

Store = Callable[[bytes], tuple[int, int]]
"""Keeps what is taken out; where, and how many bytes."""


def without_cold(code: CodeType, is_hot: Container[str], store: Store) -> CodeType:
    """Return a module's or a class's code without its functions whose qualified names are not in `is_hot`."""
    return code.replace(co_consts=tuple(_kept(constant, is_hot, store) for constant in code.co_consts))


def _kept(constant: object, is_hot: Container[str], store: Store) -> object:
    if not isinstance(constant, CodeType):
        return constant
    if not constant.co_flags & inspect.CO_OPTIMIZED:
        return without_cold(constant, is_hot, store)  # The body of a class.
    if constant.co_freevars or constant.co_name.startswith("<") or constant.co_qualname in is_hot:
        return constant
    data = marshal.dumps(constant)
    return constant if len(data) < SMALLEST else stand_in(constant, *store(data))


def stand_in(code: CodeType, at: int, size: int) -> CodeType:
    """Return what calls a function whose code is kept elsewhere."""
    parameters, arguments = _signature(code)
    source = f"def {code.co_name}({parameters}):\n return __thaw__({at}, {size})({arguments})"
    module = compile(source, code.co_filename, "exec", dont_inherit=True)
    found = next(constant for constant in module.co_consts if isinstance(constant, CodeType))
    return found.replace(co_qualname=code.co_qualname, co_firstlineno=code.co_firstlineno)


def _signature(code: CodeType) -> tuple[str, str]:
    """Return a function's parameters as they are declared, without defaults, and as they are passed on."""
    names = list(code.co_varnames)
    positional = names[: code.co_argcount]
    by_name = names[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    rest = names[code.co_argcount + code.co_kwonlyargcount :]
    parameters, arguments = [*positional], [*positional]
    if code.co_posonlyargcount:
        parameters.insert(code.co_posonlyargcount, "/")
    if code.co_flags & inspect.CO_VARARGS:
        parameters.append(f"*{rest[0]}")
        arguments.append(f"*{rest.pop(0)}")
    elif by_name:
        parameters.append("*")
    parameters += by_name
    arguments += [f"{name}={name}" for name in by_name]
    if code.co_flags & inspect.CO_VARKEYWORDS:
        parameters.append(f"**{rest[0]}")
        arguments.append(f"**{rest[0]}")
    return ", ".join(parameters), ", ".join(arguments)

"""What the frozen program leaves out of our modules: what only people and type checkers read (`dev/stripped.py`)."""

from __future__ import annotations

import ast
import importlib
import inspect
import marshal
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from tests.programs import ROOT

sys.path.insert(0, str(ROOT / "dev"))
from stripped import code_of, stripped, without_lines  # type: ignore[import-not-found]

SOURCES = sorted(path for path in (ROOT / "rulez_py").rglob("*.py"))
OF_AN_EXTRA = ("streamable_http.py",)
"""Modules whose libraries only an extra brings."""

TABLE = {
    "annotations of functions": (
        "def f(a: int, *b: str, c: int = 1, **d: object) -> int:\n    return a",
        "def f(a, *b, c=1, **d):\n    return a",
    ),
    "those of asynchronous ones": ("async def f(a: int) -> int:\n    return a", "async def f(a):\n    return a"),
    "annotations of a module's names": ("a: int = 1\nb: str", "a = 1"),
    "docstrings": (
        "'''Module.'''\nclass C:\n    '''Class.'''\n    def f(self):\n        '''Method.'''\n        return 1",
        "class C:\n\n    def f(self):\n        return 1",
    ),
    "docstrings of names, which would become another's": ("'''One.'''\n'''Two.'''\na = 1\n'''Three.'''", "a = 1"),
    "a body that was a docstring alone": ("class C:\n    '''Class.'''", "class C:\n    pass"),
    "a block for type checkers": (
        "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    import typing\nelse:\n    a = 1",
        "a = 1",
    ),
    "its opposite": ("TYPE_CHECKING = False\nif not TYPE_CHECKING:\n    a = 1", "a = 1"),
    "the import that says how annotations are read": ("from __future__ import annotations\na = 1", "a = 1"),
    # What stays.
    "fields of classes": ("class C:\n    a: int\n    b: int = 1", "class C:\n    a: int\n    b: int = 1"),
    "assertions": ("assert a, 'b'", "assert a, 'b'"),
    "a constant that something else reads": ("TYPE_CHECKING = False\nprint(TYPE_CHECKING)",) * 2,
    "a condition with more to it": ("if TYPE_CHECKING or a:\n    b = 1",) * 2,
    "texts that are used": ("def f():\n    return 'a'\nprint('b')",) * 2,
    "names that a function declares its own": ("def f():\n    a: int\n    return a",) * 2,
}


@pytest.mark.parametrize(("source", "expected"), TABLE.values(), ids=TABLE)
def test_what_becomes_of(source: str, expected: str) -> None:
    assert ast.unparse(stripped(ast.parse(source), keep_docstrings=False)) == ast.unparse(ast.parse(expected))


def test_docstrings_stay_where_they_are_printed() -> None:
    source = "'''Module.'''\nTYPE_CHECKING = False\n'''Not one.'''\ndef f():\n    '''Function.'''\n    return 1"
    kept = ast.unparse(stripped(ast.parse(source), keep_docstrings=True))
    assert kept == ast.unparse(ast.parse("'''Module.'''\ndef f():\n    '''Function.'''\n    return 1"))


def test_lines_keep_their_numbers() -> None:
    source = b"'''Module.'''\nif TYPE_CHECKING:\n    import typing\n\ndef f():\n    '''F.'''\n    1 / 0\n"
    names: dict[str, Any] = {}
    exec(code_of(source, "m.py", keep_docstrings=False), names)
    with pytest.raises(ZeroDivisionError) as caught:
        names["f"]()
    assert caught.traceback[-1].lineno + 1 == 7


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_of_ours_has_the_same_names_signatures_defaults_and_fields(path: Path) -> None:
    source = path.read_bytes()
    try:
        whole = shape(path, compile(source, str(path), "exec", dont_inherit=True))
    except ModuleNotFoundError as missing:
        assert path.name in OF_AN_EXTRA
        pytest.skip(f"{missing.name} is in no frozen program")
    assert shape(path, code_of(source, str(path), keep_docstrings=False)) == whole


def shape(path: Path, code: types.CodeType) -> dict[str, object]:
    """What a module defines, as far as two runs of it can be compared."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    original = importlib.import_module(name)
    module = types.ModuleType(name)
    for key in ("__file__", "__package__", "__path__", "__spec__"):
        if hasattr(original, key):
            setattr(module, key, getattr(original, key))
    exec(code, vars(module))
    only_read = {"TYPE_CHECKING", "annotations"}
    return {
        key: of_one(value, name)
        for key, value in vars(module).items()
        if key not in only_read and not (key.startswith("__") and key.endswith("__"))
    }


def of_one(value: object, module: str) -> object:
    if isinstance(value, types.FunctionType):
        parameters = inspect.signature(value).parameters.values()
        return [(one.name, one.kind, of_constant(one.default)) for one in parameters]
    if isinstance(value, type) and value.__module__ == module:
        fields = inspect.get_annotations(value)
        names = {key: of_one(one, module) for key, one in vars(value).items() if not key.startswith("__")}
        return [[base.__qualname__ for base in value.__mro__], fields, names]
    return of_constant(value)


def of_constant(value: object) -> object:
    """Of what type it is, and a constant's value."""
    return type(value).__qualname__, value if isinstance(value, str | int | float | bytes | frozenset) else None


def test_code_without_lines_does_the_same_and_is_smaller() -> None:
    source = (
        "def outer(a):\n    def inner(b):\n        try:\n            return a // b\n"
        "        except ZeroDivisionError:\n            return 0\n    return inner\n"
    )
    whole = compile(source, "x.py", "exec")
    bare = without_lines(whole)
    scope: dict[str, Any] = {}
    exec(bare, scope)
    assert [scope["outer"](6)(2), scope["outer"](6)(0)] == [3, 0]
    assert len(marshal.dumps(bare)) < len(marshal.dumps(whole))
    assert scope["outer"](1).__code__.co_linetable == b""

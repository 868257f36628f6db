"""Code objects as data in C, for the launcher: what it holds need not be read, checked and made anew by each call.

CPython has a tool of this kind, but only in its sources; it writes modules that Python itself imports. This one writes
the pieces of the archive that most calls load (dev/groups.py), each a tuple of modules' names and one of their codes,
as `marshal` would make them. The layout is that of one version: for another one nothing is written, and the archive is
read instead.
"""

from __future__ import annotations

import opcode
import sys
from collections.abc import Iterable, Sequence
from types import CodeType

VERSION = (3, 11)
"""The Python whose layout of objects this is (Include/cpython/code.h, unicodeobject.h and their like)."""

Piece = tuple[int, Sequence[str], Sequence[CodeType]]
"""Where it is in the archive; modules; their codes."""

_LOCAL, _CELL, _FREE = 0x20, 0x40, 0x80
"""What a variable of a function is (CO_FAST_LOCAL, CO_FAST_CELL, CO_FAST_FREE)."""
_DIGIT = 30
"""Bits of a number that CPython keeps in one digit (PyLong_SHIFT)."""

_HEAD = """\
/* Written by dev/code_data.py. */
#define KEPT 999999999
#define OBJECT(name) ((PyObject *)&name)
"""


class Unknown(Exception):
    """A constant of a kind that is not written as data."""


def header(pieces: Iterable[Piece]) -> str:
    """Return the C file. Raises Unknown."""
    if sys.version_info[:2] != VERSION:
        raise Unknown(f"objects of Python {sys.version_info[0]}.{sys.version_info[1]} have another layout")
    written = _Written()
    for place, names, codes in pieces:
        written.piece(place, names, codes)
    return written.text()


class _Written:
    """What is written so far: each constant once, in the section of the piece that has it first."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._known: dict[object, str] = {}
        self._first: dict[object, str] = {}
        self._section = ""
        self._sets: list[tuple[str, str]] = []
        self._codes: list[str] = []
        self._pieces: list[str] = []

    def text(self) -> str:
        table = f"static const struct piece pieces[] = {{{' '.join(self._pieces)} {{0}}}};"
        return "\n".join((_HEAD, *self._lines, table, ""))

    def piece(self, place: int, names: Sequence[str], codes: Sequence[CodeType]) -> None:
        number = len(self._pieces)
        # Every call opens the first piece; of the others one may be open without another.
        self._known = dict(self._first)
        self._section, self._sets, self._codes = f"code_{number}", [], []
        whole = self._tuple((tuple(names), tuple(codes)))
        sets = ", ".join(f"{{&{slot}, {members}}}" for slot, members in self._sets)
        code = ", ".join(f"&{name}" for name in self._codes)
        self._lines += [
            f"extern char __start_{self._section}[], __stop_{self._section}[];",
            f"static const struct set sets_{number}[] = {{{sets}{', ' if sets else ''}{{0}}}};",
            f"static void *const codes_{number}[] = {{{code}, 0}};",
        ]
        section = f"__start_{self._section}, __stop_{self._section}"
        self._first = self._first or self._known
        self._pieces.append(f"{{{place}, {whole}, sets_{number}, codes_{number}, {section}}},")

    def _object(self, value: object) -> str:
        """Return how a constant is named in C, as a PyObject *."""
        if value is None or isinstance(value, bool) or value is Ellipsis:
            return f"Py_{value}" if value is not Ellipsis else "Py_Ellipsis"
        if isinstance(value, CodeType):
            return self._code(value)
        key = _key(value)
        if key not in self._known:
            self._known[key] = self._new(value)
        return self._known[key]

    def _new(self, value: object) -> str:
        if isinstance(value, str):
            return self._str(value)
        if isinstance(value, bytes):
            length = len(value)
            return self._define(
                f"struct {{ PyObject_VAR_HEAD Py_hash_t hash; char text[{length + 1}]; }}",
                f"{{{_head('PyBytes_Type')}, {length}}}, -1, {_c_bytes(value)}",
            )
        if isinstance(value, int):
            digits, rest = [], abs(value)
            while rest:
                digits.append(rest & ((1 << _DIGIT) - 1))
                rest >>= _DIGIT
            count = len(digits) if value >= 0 else -len(digits)
            return self._define(
                f"struct {{ PyObject_VAR_HEAD digit digits[{max(len(digits), 1)}]; }}",
                f"{{{_head('PyLong_Type')}, {count}}}, {{{','.join(map(str, digits)) or '0'}}}",
            )
        if isinstance(value, float):
            if value != value or value in (float("inf"), float("-inf")):
                raise Unknown(f"a constant {value!r}")
            return self._define("PyFloatObject", f"{_head('PyFloat_Type')}, {value.hex()}")
        if isinstance(value, tuple):
            return self._tuple(value)
        raise Unknown(f"a constant of type {type(value).__name__}")

    def _str(self, text: str) -> str:
        widest = max(map(ord, text), default=0)
        width, kind = ("Py_UCS1", 1) if widest < 256 else ("Py_UCS2", 2) if widest < 65536 else ("Py_UCS4", 4)
        is_ascii = int(widest < 128)
        state = f"{{0, {kind}, 1, {is_ascii}, 1}}"
        short = f"{{{_head('PyUnicode_Type')}, {len(text)}, -1, {state}, 0}}"
        if is_ascii:
            kept = f"struct {{ PyASCIIObject head; char text[{len(text) + 1}]; }}"
            return self._define(kept, f"{short}, {_c_bytes(text.encode('ascii'))}")
        kept = f"struct {{ PyCompactUnicodeObject head; {width} text[{len(text) + 1}]; }}"
        return self._define(kept, f"{{{short}, 0, 0, 0}}, {{{','.join(str(ord(sign)) for sign in text)},0}}")

    def _tuple(self, values: tuple[object, ...]) -> str:
        # A set has to be made by Python: its order depends on a number drawn at each start.
        names = ["0" if isinstance(value, frozenset) else self._object(value) for value in values]
        name = self._name()
        # A container has its place in the garbage collector's lists in front of it.
        self._lines.append(
            "static struct { uintptr_t unlisted[2]; "
            f"struct {{ PyObject_VAR_HEAD PyObject *items[{max(len(names), 1)}]; }} it; }} "
            f'{name} __attribute__((section("{self._section}"))) = '
            f"{{{{0, 0}}, {{{{{_head('PyTuple_Type')}, {len(names)}}}, {{{', '.join(names) or '0'}}}}}}};"
        )
        for at, value in enumerate(values):
            if isinstance(value, frozenset):
                members = self._object(tuple(sorted(value, key=repr)))
                self._sets.append((f"{name}.it.items[{at}]", members))
        return f"OBJECT({name}.it)"

    def _code(self, code: CodeType) -> str:
        cells = [name for name in code.co_cellvars if name not in code.co_varnames]
        variables = (*code.co_varnames, *cells, *code.co_freevars)
        own = [_LOCAL | (_CELL if name in code.co_cellvars else 0) for name in code.co_varnames]
        kinds = bytes((*own, *[_CELL] * len(cells), *[_FREE] * len(code.co_freevars)))
        length = len(code.co_code)
        fields = {
            "co_consts": self._object(code.co_consts),
            "co_names": self._object(code.co_names),
            "co_exceptiontable": self._object(code.co_exceptiontable),
            "co_flags": code.co_flags,
            "co_warmup": "QUICKENING_INITIAL_WARMUP_VALUE",
            "co_argcount": code.co_argcount,
            "co_posonlyargcount": code.co_posonlyargcount,
            "co_kwonlyargcount": code.co_kwonlyargcount,
            "co_stacksize": code.co_stacksize,
            "co_firstlineno": code.co_firstlineno,
            "co_nlocalsplus": len(variables),
            "co_nlocals": len(code.co_varnames),
            "co_nplaincellvars": len(cells),
            "co_ncellvars": len(code.co_cellvars),
            "co_nfreevars": len(code.co_freevars),
            "co_localsplusnames": self._object(variables),
            "co_localspluskinds": self._object(kinds),
            "co_filename": self._object(code.co_filename),
            "co_name": self._object(code.co_name),
            "co_qualname": self._object(code.co_qualname),
            "co_linetable": self._object(code.co_linetable),
            "_co_firsttraceable": _first_traceable(code),
            "co_code_adaptive": _c_bytes(code.co_code),
        }
        name = self._name()
        said = ", ".join(f".{field} = {value}" for field, value in fields.items())
        self._lines.append(
            f'static struct _PyCode_DEF({length + 1}) {name} __attribute__((section("{self._section}"))) = '
            f"{{.ob_base = {{{_head('PyCode_Type')}, {length // 2}}}, {said}}};"
        )
        self._codes.append(name)
        return f"OBJECT({name})"

    def _define(self, kind: str, value: str) -> str:
        name = self._name()
        self._lines.append(f'static {kind} {name} __attribute__((section("{self._section}"))) = {{{value}}};')
        return f"OBJECT({name})"

    def _name(self) -> str:
        return f"o{len(self._lines)}"


def _head(kind: str) -> str:
    return f"{{KEPT, &{kind}}}"


def _key(value: object) -> object:
    """Return what is equal only for constants of the same type: 1, 1.0 and True are three."""
    if isinstance(value, tuple | frozenset):
        members = [_key(member) for member in value]
        return type(value), tuple(members) if isinstance(value, tuple) else frozenset(members)
    if isinstance(value, CodeType):
        return CodeType, id(value)
    return type(value), repr(value) if isinstance(value, float) else value


def _first_traceable(code: CodeType) -> int:
    resume = opcode.opmap["RESUME"]
    operations = code.co_code[::2]
    return operations.index(resume) if resume in operations else len(operations)


def _c_bytes(data: bytes) -> str:
    """Return a string literal; each byte that is not plain by three octal digits, which nothing behind it prolongs."""
    plain = {ord('"'): '\\"', ord("\\"): "\\\\", ord("?"): "\\?"}
    return '"' + "".join(plain.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in data) + '"'

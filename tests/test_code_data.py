"""Modules as data in the launcher (dev/code_data.py): it says what it cannot write; then the archive is read.

That what it writes is what the archive has: tests/test_frozen.py.
"""

from __future__ import annotations

import sys

import pytest

from dev import code_data

ELEVEN = pytest.mark.skipif(sys.version_info[:2] != code_data.VERSION, reason="it is for the layout of one Python")


@ELEVEN
def test_each_constant_is_written_once_and_numbers_of_several_types_are_several() -> None:
    code = compile("x = (1, 1.0, True, 'x', b'x', 'é', 10**20, -0.0, 0.0, ...)\ny = (1, 1.0)", "one.py", "exec")
    text = code_data.header([(7, ("one",), (code,))])
    for kind, count in {"PyFloat_Type": 3, "PyLong_Type": 2, "PyBytes_Type": 3}.items():
        assert text.count(f"&{kind}") == count, kind
    assert text.count('"one.py"') == text.count("233,0}") == 1


@ELEVEN
@pytest.mark.parametrize("constant", ["1j", "1e999"])
def test_a_constant_that_is_not_known_is_said(constant: str) -> None:
    code = compile(f"x = {constant}", "one.py", "exec")
    with pytest.raises(code_data.Unknown, match="a constant"):
        code_data.header([(0, ("one",), (code,))])


def test_another_python_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_data, "VERSION", (3, 2))
    with pytest.raises(code_data.Unknown, match="another layout"):
        code_data.header([])

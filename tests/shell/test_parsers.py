"""Grammars, loaded without the Python around them."""

from __future__ import annotations

import pytest

from rulez_py.shell.parsers import parser
from tests.test_native import run

KEPT_OUT = {"re", "enum", "collections", "functools", "typing", "importlib.resources"}


@pytest.mark.parametrize("package", ["tree_sitter_bash", "tree_sitter_powershell"])
def test_a_grammar_is_loaded_without_what_its_package_would_import(package: str) -> None:
    source = (
        "import sys\nfrom rulez_py.shell.parsers import parser\n"
        f"print(parser({package!r}).parse(b'echo one; echo two').root_node.type, *sys.modules)"
    )
    root, *loaded = run(source).split()
    assert root == "program"
    assert {"tree_sitter._binding", f"{package}._binding"} <= set(loaded)
    assert set(loaded) & KEPT_OUT == set()


def test_a_parser_is_made_once() -> None:
    assert parser("tree_sitter_bash") is parser("tree_sitter_bash")


def test_a_grammar_that_is_not_installed_is_an_import_error() -> None:
    with pytest.raises(ImportError, match="tree_sitter_none"):
        parser("tree_sitter_none")


def test_what_other_modules_import_later_is_whole() -> None:
    source = (
        "from rulez_py.shell.parsers import parser\nparser('tree_sitter_bash')\nimport re, enum\n"
        "print(re.compile('b').search('abc').start(), enum.IntEnum('One', {'A': 1}).A.value)"
    )
    assert run(source) == "1 1"

"""Compiled modules, loaded without the Python around them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import ROOT

# Modules of the standard library that cost more to import than a hook call may take, and who would import them.
KEPT_OUT = {
    "orjson.orjson": {"uuid", "enum", "dataclasses", "zoneinfo", "json", "datetime"},
    "cel_expr_python.cel": {"datetime", "google", "typing"},
    "re2._re2": {"re", "enum", "typing"},
}
LOADERS = {
    "orjson.orjson": "from rulez_py.system.jsontext import orjson; orjson()",
    "cel_expr_python.cel": "from rulez_py.policy.patterns.expressions import check; check('1 == 1')",
    "re2._re2": "from rulez_py.policy.patterns.regex import search; search('a', 'a')",
}


def run(source: str) -> str:
    """What a program prints, in a bare interpreter that finds this checkout and its packages."""
    paths = [str(ROOT), *(path for path in sys.path if path.endswith("site-packages"))]
    program = f"import sys; sys.path[:0] = {paths!r}\n{source}"
    ended = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.rstrip("\n")


@pytest.mark.parametrize("module", KEPT_OUT)
def test_a_compiled_module_is_loaded_without_what_it_would_import(module: str) -> None:
    loaded = set(run(f"{LOADERS[module]}\nprint(*sys.modules)").split())
    assert module in loaded
    assert loaded & KEPT_OUT[module] == set()


def test_no_stand_in_is_left_behind() -> None:
    source = (
        "from rulez_py.system.jsontext import orjson; orjson()\n"
        "import json, enum, uuid, datetime, dataclasses, zoneinfo\n"
        "print(json.JSONDecodeError.__mro__[1].__name__, enum.Enum, uuid.UUID(int=1), datetime.date(2026, 1, 2))"
    )
    assert run(source) == "ValueError <enum 'Enum'> 00000000-0000-0000-0000-000000000001 2026-01-02"


def test_what_is_loaded_already_is_used() -> None:
    source = (
        "import json\nfrom rulez_py.system.jsontext import orjson\n"
        "print(issubclass(orjson().JSONDecodeError, json.JSONDecodeError))"
    )
    assert run(source) == "True"


@pytest.fixture
def demanding(tmp_path: Path) -> Path:
    """A package whose module asks `colorsys` for something at once, and again when it is called."""
    (tmp_path / "demanding").mkdir()
    (tmp_path / "demanding" / "inner.py").write_text(
        "import colorsys\n"
        "known, ONE_SIXTH = colorsys.known, colorsys.ONE_SIXTH\n"
        "looked_up = colorsys.__dict__['TWO_THIRD']\n"
        "def later():\n"
        "    return colorsys.rgb_to_hsv(0, 0, 0)\n"
    )
    return tmp_path


def test_a_part_a_stand_in_does_not_have_is_the_real_one(demanding: Path) -> None:
    source = (
        f"sys.path.insert(0, {str(demanding)!r})\n"
        "from rulez_py.system.native import extension\n"
        "inner = extension('demanding', 'inner', {'colorsys': {'known': 1}})\n"
        "print(inner.known, inner.ONE_SIXTH == 1 / 6, inner.looked_up == 2 / 3, inner.later())\n"
        "import colorsys; print(colorsys.__file__ is not None)"
    )
    assert run(source) == "1 True True (0.0, 0.0, 0)\nTrue"


def test_a_module_that_cannot_do_with_stand_ins_is_imported_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "strict").mkdir()
    (tmp_path / "strict" / "inner.py").write_text("import colorsys, types\nassert type(colorsys) is types.ModuleType\n")
    source = (
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "from rulez_py.system.native import extension\n"
        "print(extension('strict', 'inner', {'colorsys': {}}).colorsys.ONE_SIXTH == 1 / 6)"
    )
    assert run(source) == "True"


def test_a_package_that_is_not_installed_is_named() -> None:
    source = (
        "from rulez_py.system.native import extension\n"
        "try:\n    extension('not_there', 'inner', {'colorsys': {}})\n"
        "except ImportError as error:\n    print(error)"
    )
    assert "not_there" in run(source)


def test_a_module_is_unseen_only_meanwhile() -> None:
    source = (
        "from rulez_py.system.native import Unseen\n"
        "def found():\n"
        "    try: import colorsys\n"
        "    except ImportError: return False\n"
        "    return True\n"
        "with Unseen('colorsys'): print(found())\n"
        "print(found())\n"
        "with Unseen('colorsys'): print(found())\n"
    )
    assert run(source).split() == ["False", "True", "True"]

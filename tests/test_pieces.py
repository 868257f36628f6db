"""How the frozen program keeps modules: groups that are read at once, functions that are read when they are called."""

from __future__ import annotations

import builtins
import marshal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.programs import ROOT

sys.path.insert(0, str(ROOT / "dev"))
import cold  # type: ignore[import-not-found]
from groups import copied, groups, imported  # type: ignore[import-not-found]

LOADED: dict[str, Any] = YAML(typ="safe").load(ROOT / "tests" / "data" / "imports.yaml")
SOURCES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path.read_text()
    for path in (ROOT / "rulez_py").rglob("*.py")
}


def test_a_module_stands_behind_its_package_and_what_it_imports() -> None:
    sources = {
        "a": "",
        "a.b": "from a.d import x\nfrom a import c",
        "a.c": "import a.e",
        "a.d": "if TYPE_CHECKING:\n    from a.b import y\ndef f():\n    import a.b",
        "a.e": "try:\n    import a.f\nexcept ImportError:\n    pass",
        "a.f": "",
    }
    table = {"always": [*sources, "json"], "plain": [], "shell": [], "session": []}
    assert groups(table, sources)[0] == ["a", "a.d", "a.f", "a.e", "a.c", "a.b"]


def test_what_a_package_imports_of_itself_stands_behind_it() -> None:
    sources = {"a": "from a.b import x", "a.b": ""}
    assert groups({"always": ["a", "a.b"], "plain": [], "shell": [], "session": []}, sources)[0] == ["a", "a.b"]


def test_every_module_that_each_call_loads_is_in_one_group() -> None:
    found = [name for group in groups(LOADED, SOURCES) for name in group]
    assert len(found) == len(set(found))
    assert {name for part in ("always", "plain", "shell") for name in LOADED[part] if name in SOURCES} <= set(found)


def test_what_asks_for_the_shell_is_read_with_it_and_by_itself() -> None:
    shell = next(group for group in groups(LOADED, SOURCES) if "rulez_py.analysis.bash.interpreter" in group)
    assert copied(LOADED) == LOADED["asking"]
    assert set(LOADED["asking"]) < set(shell)


def test_what_belongs_to_an_agent_is_a_group_of_its_own() -> None:
    for group in groups(LOADED, SOURCES):
        agents = {name.split(".")[2] for name in group if f"{'.'.join(name.split('.')[:3])}.adapter" in SOURCES}
        assert len(agents) <= 1
        assert not agents or len(group) == 3


def test_each_import_that_is_made_when_a_module_is_run_is_seen() -> None:
    assert "rulez_py.system.native" in imported(SOURCES["rulez_py.system.jsontext"])
    assert "rulez_py.verdict" not in imported(SOURCES["rulez_py.hook.stdio"])


BODY = f"\n    return ({'x' * cold.SMALLEST!r}, %s)[1]"
SIGNATURES = [
    ("", "[]", ""),
    ("a, b=2", "a, b", "1"),
    ("a, /, b, *, c, d=4", "a, b, c, d", "1, b=2, c=3"),
    ("a, *rest, b=2, **others", "a, rest, b, others", "1, 2, 3, b=4, c=5"),
    ("*, self", "self", "self=1"),
]


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What was taken out of a code; `__thaw__` gives it back."""
    kept: list[bytes] = []

    def thaw(at: int, size: int) -> Callable[..., object]:
        assert len(kept[at]) == size
        return FunctionType(marshal.loads(kept[at]), sys._getframe(1).f_globals)

    monkeypatch.setattr(builtins, "__thaw__", thaw, raising=False)
    return kept


def run(source: str, taken: list[bytes], hot: tuple[str, ...] = ()) -> dict[str, Any]:
    """A module without what is not hot."""

    def store(data: bytes) -> tuple[int, int]:
        taken.append(data)
        return len(taken) - 1, len(data)

    scope: dict[str, Any] = {"__name__": "module"}
    exec(cold.without_cold(compile(source, "module.py", "exec"), hot, store), scope)
    return scope


@pytest.mark.parametrize(("parameters", "result", "arguments"), SIGNATURES)
def test_a_function_that_is_kept_elsewhere_does_the_same(
    parameters: str, result: str, arguments: str, taken: list[bytes]
) -> None:
    source = f"def f({parameters}):{BODY % f'({result})'}\ndef call():\n    return f({arguments})"
    whole: dict[str, Any] = {}
    exec(source, whole)
    without = run(source, taken)
    assert len(taken) == 1
    assert without["call"]() == whole["call"]()
    assert without["f"].__qualname__ == "f"


def test_methods_are_kept_elsewhere_as_well(taken: list[bytes]) -> None:
    scope = run(f"class C:\n  @staticmethod\n  def f(a):{BODY % 'a'}\n  def g(self):{BODY % 'self.f(2)'}", taken)
    assert (len(taken), scope["C"]().g(), scope["C"].g.__qualname__) == (2, 2, "C.g")


@pytest.mark.parametrize(
    "source",
    [
        f"def hot():{BODY % '[]'}",
        "def small():\n    return 1",
        f"lambdas = [lambda: ({'x' * cold.SMALLEST!r}, [])[1]]",
        f"def hot(a):\n  def inner():{BODY % 'a'}\n  return inner",
        f"class C(dict):\n  def get(self, key):{BODY % 'super().get(key)'}",
    ],
    ids=["hot", "small", "a lambda", "part of a hot one", "with a cell"],
)
def test_some_functions_stay(source: str, taken: list[bytes]) -> None:
    run(source, taken, hot=("hot",))
    assert taken == []


def test_lines_keep_their_numbers(taken: list[bytes]) -> None:
    scope = run(f"\n\ndef f():{BODY % '[]'}", taken)
    code: CodeType = marshal.loads(taken[0])
    assert scope["f"].__code__.co_firstlineno == code.co_firstlineno == 3


def test_everyday_calls_say_what_they_go_through(tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, str(ROOT / "dev" / "hot.py")], capture_output=True, text=True, check=True)
    found = ended.stdout.splitlines()
    assert found == sorted(set(found))
    assert {"rulez_py.hook.call judged", "rulez_py.analysis.bash.grammar parse", "rulez_py.log.audit record"} <= set(
        found
    )
    assert not any(line.startswith(("rulez_py.policy.store.load", "rulez_py.cli")) for line in found)

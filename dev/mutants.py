"""Change rulez in one place at a time and see whether a test notices: `make mutants`.

The places are drawn by a seed out of four areas, each change is a small one that a person might make by mistake, and
each is judged by the tests of its area, then, where these see nothing, by the wide ones. What survives is printed with
its place: it is a gap in the tests, or it changes nothing that can be seen.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).parent.parent
WIDE = (
    "tests/test_packs.py",
    "tests/test_tool_packs.py",
    "tests/compat",
    "tests/test_meaning.py",
    "tests/hook/test_stream.py",
)
LONGEST = 900
"""Seconds after which the tests of a mutant are ended; one that makes rulez hang is noticed."""
LEFT_OUT = (
    "build",
    "dist",
    ".git",
    ".venv",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".hypothesis",
    "__pycache__",
)


@dataclass(frozen=True)
class Area:
    """A part of rulez: its files, its tests, and which share of the mutants it gets."""

    name: str
    sources: tuple[str, ...]
    tests: tuple[str, ...]
    share: float


AREAS = (
    Area("analysis", ("rulez_py/analysis/**/*.py",), ("tests/analysis", "tests/test_addresses.py"), 0.4),
    Area(
        "matching", ("rulez_py/policy/**/*.py", "rulez_py/event/*.py"), ("tests/policy", "tests/test_arguments.py"), 0.3
    ),
    Area("hook", ("rulez_py/hook/*.py",), ("tests/hook*",), 0.15),
    Area(
        "trust",
        ("rulez_py/trust/*.py",),
        ("tests/test_trust.py", "tests/test_pins.py", "tests/test_cli_trust.py", "tests/test_untrusted.py"),
        0.15,
    ),
)


@dataclass(frozen=True)
class Mutant:
    """One change: the characters of a file from `start` to `end` become `text`."""

    area: Area
    path: Path
    line: int
    start: int
    end: int
    text: str
    said: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.said}"


_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}


def _changes(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield what may stand in the place of a part of a module: the part, and its new text."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        new = _OPERATORS[type(node.ops[0])]
        yield node, f"{ast.unparse(node.left)} {new} {ast.unparse(node.comparators[0])}"
    elif isinstance(node, ast.BoolOp):
        other = ast.BoolOp(op=ast.And() if isinstance(node.op, ast.Or) else ast.Or(), values=node.values)
        yield node, f"({ast.unparse(other)})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and not _is_text(node):
        other_op = ast.BinOp(
            left=node.left, op=ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), right=node.right
        )
        yield node, f"({ast.unparse(other_op)})"
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield node.test, f"(not ({ast.unparse(node.test)}))"
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield node, repr(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield node, repr(node.value + 1)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield node, "pass"
    elif isinstance(node, ast.Break | ast.Continue):
        yield node, "continue" if isinstance(node, ast.Break) else "break"


def _is_text(node: ast.BinOp) -> bool:
    sides = (node.left, node.right)
    return any(isinstance(one, ast.JoinedStr) or isinstance(getattr(one, "value", None), str) for one in sides)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """Yield everything below a node that runs: no annotations, nothing for type checkers, no constants of a table."""
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in field if isinstance(field, list) else [field]:
            if not isinstance(child, ast.AST):
                continue
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                continue
            yield child
            yield from _parts(child)


def mutants(area: Area) -> list[Mutant]:
    """Return every change of an area that is in a function."""
    found = []
    for path in sorted({path for pattern in area.sources for path in ROOT.glob(pattern)}):
        source = path.read_text("utf-8")
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line.encode()))
        functions = [one for one in _parts(ast.parse(source)) if isinstance(one, ast.FunctionDef)]
        for node in {id(part): part for function in functions for part in _parts(function)}.values():
            for part, text in _changes(node):
                assert isinstance(part, ast.expr | ast.stmt)
                start = starts[part.lineno - 1] + part.col_offset
                end = starts[(part.end_lineno or 0) - 1] + (part.end_col_offset or 0)
                said = f"`{ast.unparse(part).splitlines()[0][:60]}` -> `{text[:60]}`"
                found.append(Mutant(area, path, part.lineno, start, end, text, said))
    return found


def drawn(count: int, seed: int, names: Sequence[str] = ()) -> list[Mutant]:
    """So many mutants, each area's share of them, no two on the same line; `names` are the areas, without any all."""
    chosen: list[Mutant] = []
    areas = [area for area in AREAS if area.name in names or not names]
    whole = sum(area.share for area in areas)
    for area in areas:
        every = mutants(area)
        random.Random(f"{seed} {area.name}").shuffle(every)  # the same for the same seed, on every Python
        lines: set[tuple[Path, int]] = set()
        for one in every:
            if len(lines) < round(count * area.share / whole) and (one.path, one.line) not in lines:
                lines.add((one.path, one.line))
                chosen.append(one)
    return chosen


def survives(mutant: Mutant, place: Path) -> bool:
    """Tell whether no test notices a mutant; `place` is a copy of the project."""
    path = place / mutant.path.relative_to(ROOT)
    source = path.read_bytes()
    path.write_bytes(source[: mutant.start] + mutant.text.encode() + source[mutant.end :])
    try:
        own = [str(one.relative_to(place)) for pattern in mutant.area.tests for one in sorted(place.glob(pattern))]
        return _pass(own, place) and _pass(list(WIDE), place)
    finally:
        path.write_bytes(source)


def _pass(tests: list[str], place: Path) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", *tests]
    environ = {**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        ended = subprocess.run(command, cwd=place, env=environ, capture_output=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return False
    return ended.returncode == 0


def main() -> int:
    """Print what survives; 1 where more does than allowed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--area", action="append", default=[], choices=[area.name for area in AREAS], dest="areas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--allowed", type=int, default=2, help="how many may survive")
    parser.add_argument("--list", action="store_true", help="only say what would be changed")
    given = parser.parse_args()
    chosen = drawn(given.count, given.seed, given.areas)
    if given.list:
        print(*chosen, sep="\n")
        return 0
    with tempfile.TemporaryDirectory(prefix="mutants") as directory, ThreadPoolExecutor(given.jobs) as pool:
        places: Queue[Path] = Queue()
        for number in range(given.jobs):
            shutil.copytree(ROOT, Path(directory, str(number)), symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
            places.put(Path(directory, str(number)))

        def judged(mutant: Mutant) -> Mutant | None:
            place = places.get()
            try:
                alive = survives(mutant, place)
            finally:
                places.put(place)
            print("survives" if alive else "noticed ", mutant, flush=True)
            return mutant if alive else None

        alive = [one for one in pool.map(judged, chosen) if one is not None]
    print(f"{len(alive)} of {len(chosen)} survive (seed {given.seed})")
    return int(len(alive) > given.allowed)


if __name__ == "__main__":
    raise SystemExit(main())

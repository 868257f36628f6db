"""Which of our modules the frozen program keeps in one piece, because who needs one of them needs all.

A hook call reads modules anew each time: looking for each, reading it and having Python import it takes as long as
running it, and texts that several modules have in common are kept once in a piece.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

_TOGETHER = ("always", "plain", "shell", "session")
"""The parts of tests/data/imports.yaml that are a piece each."""
_BESIDES = {"shell": "asking"}
"""A part -> another one, of whose modules its piece has copies."""
_PLATFORM = "rulez_py.platforms."


def groups(table: Mapping[str, object], sources: Mapping[str, str]) -> list[list[str]]:
    """Return the groups, each in an order in which none is imported before it is run.

    `table` is tests/data/imports.yaml, `sources` module -> source. What belongs to one agent alone is a group too.
    """
    found: list[list[str]] = []
    grouped: set[str] = set()
    for part in _TOGETHER:
        listed = table[part]
        assert isinstance(listed, list)
        members = [
            name for name in listed if name in sources and name not in grouped and not _of_one_agent(name, sources)
        ]
        grouped.update(members)
        found.append([*members, *copied(table, part)])
    for package in sorted(name for name in sources if name.endswith(".adapter") and _of_one_agent(name, sources)):
        folder = package.rpartition(".")[0]
        found.append([name for name in (folder, package, f"{folder}.tools") if name in sources])
    return [_in_order(members, sources) for members in found]


def copied(table: Mapping[str, object], *parts: str) -> list[str]:
    """The modules that have a piece of their own, although they stand in one of these parts' as well, or in any."""
    names = [table.get(_BESIDES[part], []) for part in parts or _TOGETHER if part in _BESIDES]
    return [name for listed in names if isinstance(listed, list) for name in listed]


def _of_one_agent(name: str, sources: Mapping[str, str]) -> bool:
    folder = ".".join(name.split(".")[:3])
    return name.startswith(_PLATFORM) and f"{folder}.adapter" in sources


def _in_order(members: Iterable[str], sources: Mapping[str, str]) -> list[str]:
    """Return each behind its package and behind what it imports when it is run.

    What a package imports of itself comes behind it: that is then found as any module is.
    """
    wanted = set(members)
    begun: set[str] = set()
    done: list[str] = []

    def take(name: str) -> None:
        parts = name.split(".")
        packages = [".".join(parts[:above]) for above in range(1, len(parts))]
        for package in packages:
            take(package)
        if name in wanted - begun and not begun.difference(done).intersection(packages):
            begun.add(name)
            for other in imported(sources[name]):
                take(other)
            done.append(name)

    for name in sorted(wanted):
        take(name)
    return done


def imported(source: str) -> list[str]:
    """Return what a module may import when it is run: not in a function, nor for type checkers alone."""
    found: list[str] = []
    rest: list[ast.stmt] = [*reversed(ast.parse(source).body)]
    while rest:
        statement = rest.pop()
        if isinstance(statement, ast.Import):
            found += [name.name for name in statement.names]
        elif isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
            found += [statement.module, *(f"{statement.module}.{name.name}" for name in statement.names)]
        elif isinstance(statement, ast.If | ast.Try | ast.With):
            if isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
                rest += reversed(statement.orelse)
            else:
                rest += [inner for inner in ast.iter_child_nodes(statement) if isinstance(inner, ast.stmt)][::-1]
    return found

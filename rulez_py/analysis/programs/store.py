"""The compiled table of programs: a row of text by name.

`compile.py` writes it out of `data/*.toml`. It is read whole, which costs less than to seek for two or three rows; a
row is found by its name without taking any other apart. In a source tree where it is missing or older than the data, it
is compiled in memory: right, and slow (`python -m rulez_py.analysis.programs.compile` writes it again).

    rulez programs 1 SIZE FINGERPRINT   SIZE of the index; the data it was made of, "-" where nobody is to compare them
    NAME <tab> START <tab> LENGTH       ... one line for each name, other names of a program included
    the rows
"""

from __future__ import annotations

from os import scandir
from os.path import dirname, join

HERE = dirname(__file__)
DATA = join(HERE, "data")
COMPILED = join(HERE, "programs.compiled")
VERSION = b"rulez programs 1"
UNCHECKED = "-"


class Rows:
    """The rows of one compiled table."""

    def __init__(self, data: bytes) -> None:
        head = data.index(b"\n")
        size = int(data[len(VERSION) : head].split()[0])
        self._index = data[head : head + size]
        self._data = data
        self._start = head + size

    def get(self, name: str) -> str | None:
        """The row of a name; None where nobody described it."""
        if "\t" in name or "\n" in name:
            return None
        key = b"\n" + name.encode("utf-8", "replace") + b"\t"
        at = self._index.find(key)
        if at < 0:
            return None
        start, _, length = self._index[at + len(key) : self._index.index(b"\n", at + 1)].partition(b"\t")
        begin = self._start + int(start)
        return self._data[begin : begin + int(length)].decode()

    def names(self) -> tuple[str, ...]:
        """Every name there is."""
        return tuple(line.partition("\t")[0] for line in self._index.decode().split("\n") if line)


def fingerprint(directory: str = DATA) -> str:
    """What tells one state of the data from another, without reading it."""
    with scandir(directory) as entries:
        files = [(one.name, one.stat()) for one in entries if one.name.endswith(".toml")]
    return ",".join(f"{name}:{stat.st_size}:{stat.st_mtime_ns}" for name, stat in sorted(files))


def _stored() -> Rows | None:
    """The compiled table; None where there is none that says what the data say."""
    try:
        with open(COMPILED, "rb") as file:
            data = file.read()
        made_of = data[: data.index(b"\n")].decode().rpartition(" ")[2]
        if data.startswith(VERSION) and (made_of == UNCHECKED or made_of == fingerprint()):
            return Rows(data)
    except (OSError, ValueError):
        pass
    return None


_rows: list[Rows] = []


def rows() -> Rows:
    """The table, loaded once."""
    if not _rows:
        stored = _stored()
        if stored is None:
            from rulez_py.analysis.programs.compile import compiled

            stored = Rows(compiled())
        _rows.append(stored)
    return _rows[0]


def replace(data: bytes | None) -> None:
    """Read another table from now on; None for the one of rulez again. What was read of the one before must go."""
    _rows[:] = [] if data is None else [Rows(data)]

"""The compiled table of programs: a row of text by name.

`compile.py` makes it out of `data/*.toml` when rulez is built. It is read whole, which costs less than to seek for two
or three rows; a row is found by its name without taking any other apart. Where it is missing, and in a source tree
where it is not what the data say, it is compiled in memory: right, and slow (`make generated` writes it).

    rulez programs 1 SIZE SUM           SIZE of the index; a sum of the data it was made of
    NAME <tab> START <tab> LENGTH       ... one line for each name, other names of a program included
    the rows

The name of what is no program begins with its dialect (`key`): no word of a command line leads to it.
"""

from __future__ import annotations

from os import listdir
from os.path import dirname, exists, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.programs.notation import Described

HERE = dirname(__file__)
DATA = join(HERE, "data")
COMPILED = join(HERE, "programs.compiled")
VERSION = b"rulez programs 1"
_SOURCE_TREE = join(dirname(dirname(dirname(HERE))), "pyproject.toml")
"""Where this is, somebody may change the data."""
_MARK = "\x7f"
_MOST_FOUND = 1_000
"""Names whose rows are kept: looking one up goes through the whole index."""


def key(name: str, dialect: str = "") -> str:
    """Return the key of a name in the index."""
    return f"{_MARK}{dialect} {name}" if dialect else name


class Rows:
    """The rows of one compiled table, and of the one `below` what it does not have."""

    def __init__(self, data: bytes, below: Rows | None = None) -> None:
        self._below = below
        head = data.index(b"\n")
        size = int(data[len(VERSION) : head].split()[0])
        self._index = data[head : head + size]
        self._data = data
        self._start = head + size
        self._found: dict[str, str | None] = {}

    def get(self, name: str, dialect: str = "") -> str | None:
        """Return the row of a name; None where it is not described."""
        if "\t" in name or "\n" in name or name[:1] == _MARK:
            return None
        wanted = key(name, dialect)
        if wanted not in self._found:
            if len(self._found) >= _MOST_FOUND:
                self._found.clear()
            self._found[wanted] = self._looked_up(wanted)
        return self._found[wanted]

    def _looked_up(self, wanted: str) -> str | None:
        line = b"\n" + wanted.encode("utf-8", "replace") + b"\t"
        at = self._index.find(line)
        if at < 0:
            below = self._below
            return None if below is None else below._looked_up(wanted)
        start, _, length = self._index[at + len(line) : self._index.index(b"\n", at + 1)].partition(b"\t")
        begin = self._start + int(start)
        return self._data[begin : begin + int(length)].decode()

    def names(self, dialect: str = "") -> tuple[str, ...]:
        """Return every name there is."""
        start = key("", dialect)
        found = dict.fromkeys(name for name, _, _ in self._listed())
        return tuple(name[len(start) :] for name in found if name.startswith(start) and (dialect or name[0] != _MARK))

    def all(self) -> dict[str, bytes]:
        """Return every row of this table alone, by its key."""
        listed = (line.split("\t") for line in self._index.decode().split("\n") if line)
        spans = ((name, self._start + int(start), int(length)) for name, start, length in listed)
        return {name: self._data[begin : begin + length] for name, begin, length in spans}

    def _listed(self) -> list[list[str]]:
        """Return the lines of the index, of what is below as well."""
        own = [line.split("\t") for line in self._index.decode().split("\n") if line]
        return own if self._below is None else [*own, *self._below._listed()]


def sources() -> list[str]:
    """Return the files with the data."""
    return sorted(join(DATA, name) for name in listdir(DATA) if name.endswith(".toml"))


def summed() -> str:
    """Return what tells one state of the data from another."""
    from zlib import crc32

    found = 0
    for path in sources():
        with open(path, "rb") as file:
            found = crc32(file.read(), found)
    return f"{found:08x}"


def compiled(entries: Sequence[Described] | None = None) -> bytes:
    """Return the whole table, made now; of rulez' own data unless `entries` are given. Raises `compile.Broken`."""
    from rulez_py.analysis.programs.compile import load, rows

    index, body = rows(load(sources())[0] if entries is None else entries, key)
    return VERSION + f" {len(index)} {summed()}".encode() + index + body


def further(entries: Sequence[Described]) -> bytes:
    """Return a table of the rows of these entries that are not rulez' own; empty where all are."""
    from rulez_py.analysis.programs.compile import rows as of

    index, body = of(entries, key)
    made = Rows(VERSION + f" {len(index)} 0".encode() + index + body).all()
    own = _own().all()
    lines: list[str] = []
    parts: list[bytes] = []
    at = 0
    for name, row in sorted(made.items()):
        if own.get(name) != row:
            lines.append(f"{name}\t{at}\t{len(row)}")
            parts.append(row)
            at += len(row)
    index = ("\n" + "\n".join(lines) + "\n").encode()
    return VERSION + f" {len(index)} 0".encode() + index + b"".join(parts) if parts else b""


def _stored() -> Rows | None:
    """Return the compiled table; None where it is missing or older than the data."""
    try:
        with open(COMPILED, "rb") as file:
            data = file.read()
        made_of = data[: data.index(b"\n")].decode().rpartition(" ")[2]
        if data.startswith(VERSION) and (not exists(_SOURCE_TREE) or made_of == summed()):
            return Rows(data)
    except (OSError, ValueError):
        pass
    return None


_rows: list[Rows] = []
_further: list[bytes] = []
"""The table that is read before rulez' own, where there is one."""


def rows() -> Rows:
    """Return the table, loaded once."""
    if not _rows:
        own = _own()
        _rows.append(Rows(_further[0], own) if _further else own)
    return _rows[0]


def _own() -> Rows:
    """Return the table of rulez itself."""
    return _stored() or Rows(compiled())


def replace(data: bytes | None) -> None:
    """Read another table from now on; None for the one of rulez again. Then `read.forget` the one before."""
    _rows[:] = [] if data is None else [Rows(data)]


def lay_over(data: bytes) -> None:
    """Read this table before rulez' own from now on; empty for that alone. Then `read.forget` the one before."""
    _further[:] = [data] if data else []
    _rows.clear()

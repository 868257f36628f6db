"""The table of MCP servers, out of `data/*.toml`: made into mcp_table.py when rulez is built.

Not on the hook path. docs/mcp-servers.md says how an entry is written.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from rulez_py.analysis import Value
from rulez_py.event.arguments import ACCESSES, plain_key
from rulez_py.event.servers.lines import ANY, groups, named, pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.event.servers.lines import Row, Table

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "data")
MADE = os.path.join(HERE, "mcp_table.py")

_KINDS = ("", "*", ";", "?", "!", "json", "sql", "options", "keys", "path", "script")
_OF_A_SERVER = {"names", "source", "tools"}
_OF_A_TOOL = {"also", "any-server", "lines", "files", "hosts", "texts", "knows", "examples"}
_OF_AN_EXAMPLE = {"given", "lines", "files", "hosts", "texts"}
_ELSEWHERE = "line"
"""In place of accesses: the command line says what becomes of the file."""

_HEAD = '''\
# ruff: noqa
# fmt: off
"""The tools of known MCP servers, out of data/*.toml (`build.py`): not to be changed here."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.event.servers.lines import Table

'''


class Tool(Value):
    """An entry as it is written: `source` says where its names and arguments are from."""

    servers: tuple[str, ...]
    name: str
    also: tuple[str, ...] = ()
    source: str = ""
    any_server: bool = False
    lines: tuple[str, ...] = ()
    files: Mapping[str, str] = {}
    hosts: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    knows: tuple[str, ...] = ()
    examples: tuple[Mapping[str, Any], ...] = ()

    @property
    def arguments(self) -> frozenset[str]:
        """The plain names of all arguments that it speaks of."""
        places = (name for line in self.lines for name in _arguments_in(line))
        return frozenset(map(plain_key, (*places, *self.files, *self.hosts, *self.texts, *self.knows)))


def tools() -> tuple[Tool, ...]:
    """Return every entry. Raises ValueError where one is not valid, OSError."""
    found: list[Tool] = []
    for name in sorted(os.listdir(DATA)):
        if name.endswith(".toml"):
            with open(os.path.join(DATA, name), "rb") as file:
                written = tomllib.load(file)
            for server in written["servers"]:
                _checked(server, _OF_A_SERVER, name)
                found += [_tool(server, tool, entry) for tool, entry in server["tools"].items()]
    return tuple(found)


def _tool(server: Mapping[str, Any], name: str, entry: Mapping[str, Any]) -> Tool:
    where = f"{server['names'][0]}.{name}"
    _checked(entry, _OF_A_TOOL, where)
    for example in entry.get("examples", ()):
        _checked(example, _OF_AN_EXAMPLE, f"{where}: an example")
    for line in entry.get("lines", ()):
        _check_line(line, where)
    for access in entry.get("files", {}).values():
        if access != _ELSEWHERE and not set(access.split()) <= set(ACCESSES):
            raise ValueError(f"{where}: {access!r} is no access")
    return Tool(
        servers=tuple(server["names"]),
        name=name,
        source=server["source"],
        any_server=entry.get("any-server", False),
        files=entry.get("files", {}),
        **{key: tuple(entry.get(key, ())) for key in ("also", "lines", "hosts", "texts", "knows", "examples")},
    )


def _checked(written: Mapping[str, Any], known: set[str], where: str) -> None:
    if unknown := set(written) - known:
        raise ValueError(f"{where}: {', '.join(sorted(unknown))} is not known")


def _check_line(line: str, where: str) -> None:
    for words, _optional in groups(line):
        for word in words:
            places = [place for _, place in pieces(word)]
            if "".join(literal + (place and f"{{{place}}}") for literal, place in pieces(word)) != word:
                raise ValueError(f"{where}: {word!r} has a brace too many or too few")
            if word[:1] == "[" or word[-1:] == "]" or not word:
                raise ValueError(f"{where}: {line!r} has brackets or blanks that do not fit")
            for place in places:
                if place and named(place)[1] not in _KINDS:
                    raise ValueError(f"{where}: {place!r} is filled in an unknown way")
    if line.count("[") != line.count("]"):
        raise ValueError(f"{where}: {line!r} has a bracket too many")


def _arguments_in(line: str) -> Iterator[str]:
    for words, _optional in groups(line):
        for _, place in (piece for word in words for piece in pieces(word) if piece[1]):
            for one in named(place)[0].split("|"):
                yield one.partition("=")[0].removeprefix("~").partition(".")[0]


def _plain_line(line: str) -> str:
    """Return the same with the names of arguments as `plain_key` has them."""
    return " ".join(
        "".join(literal + (place and f"{{{_plain_place(place)}}}") for literal, place in pieces(word))
        for word in line.split(" ")
    )


def _plain_place(place: str) -> str:
    names, _ = named(place)
    return place.replace(names, plain_key(names), 1)


def table() -> Table:
    """Plain name of a tool -> the entries of that name. Raises ValueError, OSError."""
    found: dict[str, list[Row]] = {}
    for tool in tools():
        row: Row = (
            (*tool.servers, ANY) if tool.any_server else tool.servers,
            tuple(map(_plain_line, tool.lines)),
            tuple((plain_key(key), _accesses(text)) for key, text in tool.files.items()),
            tuple(map(plain_key, tool.hosts)),
            tuple(map(plain_key, tool.texts)),
            tuple(sorted(tool.arguments)),
        )
        for name in (tool.name, *tool.also):
            found.setdefault(plain_key(name) if name != ANY else ANY, []).append(row)
    return {name: tuple(rows) for name, rows in found.items()}


def _accesses(text: str) -> tuple[str, ...]:
    return () if text == _ELSEWHERE else tuple(text.split())


def module() -> bytes:
    """Return what mcp_table.py has to hold. Raises ValueError, OSError."""
    rows = "".join(f"    {name!r}: {entries!r},\n" for name, entries in sorted(table().items()))
    return f"{_HEAD}TOOLS: Table = {{\n{rows}}}\n".encode()

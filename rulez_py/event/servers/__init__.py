"""The effects of a call of a known MCP server's tool: command lines, files, hosts.

`data/*.toml` is the table (docs/mcp-servers.md says how an entry is written), `build.py` makes `mcp_table.py` out of
it. The rules then judge the call as they judge these command lines: `kubectl_delete` is a `kubectl delete`.

INVARIANT: a value never becomes more than the word it is written in, unless the entry says that it is a line of its own
(`!`). What an entry does not account for is read as for an unknown tool.
"""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.event.arguments import FileAccess, plain_key, plain_path
from rulez_py.event.servers.lines import ANY, rendered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rulez_py.event.servers.lines import Given, Row, Table


_PATHS = ("file:", "/", "~", ".")
"""The beginnings of addresses that are local paths."""
_SEARCHES = ("search", "find", "fetch", "docs", "lookup", "ask", "suggest", "research")
"""In the names of tools whose `query` is a question for people, whatever it begins with."""
_BY_LOOKS = ":sql}"
"""The endings of templates that count only where a text begins as a statement does."""


class Told(Value):
    """The table's reading of a call. `rest` are the arguments that the entry does not name."""

    lines: tuple[str, ...] = ()
    supposed: tuple[str, ...] = ()
    """Lines that it is worth only by the names of arguments."""
    files: tuple[FileAccess, ...] = ()
    hosts: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """Texts that may be a shell's line as well as code in any language."""
    rest: Mapping[str, object] = {}
    known: bool = False
    """True if the table has an entry for the tool."""


def told(named: Sequence[tuple[str, str]], own_input: object) -> Told:
    """Return what a call is worth, by each (server, tool) that its name may mean."""
    if not isinstance(own_input, dict):
        return Told()
    tools = _table()
    rows = tuple(dict.fromkeys(row for server, tool in named for row in _rows(tools, server, tool)))
    lines: dict[str, None] = {}
    files: dict[FileAccess, None] = {}
    hosts: dict[str, None] = {}
    texts: dict[str, None] = {}
    untold: dict[object, None] = {} if rows else dict.fromkeys(own_input)
    for row in rows:
        _names, templates, _files, contacted, run, _arguments = row
        for given in _readings(own_input):
            found = [line for template in templates for line in rendered(template, given)]
            lines.update(dict.fromkeys(found))
            files.update(dict.fromkeys(_files_of(row, given)))
            hosts.update(dict.fromkeys(_address(text) for name in contacted for text in _texts(given.get(name))))
            texts.update(dict.fromkeys(text for name in run for text in _texts(given.get(name)) if text.strip()))
            misfits = bool(templates) and not found
            untold.update(dict.fromkeys(key for key in own_input if misfits or not _is_told(row, key, own_input[key])))
    rest = {key: value for key, value in own_input.items() if key in untold}
    texts.update(dict.fromkeys(_texts_of_anybody(tools.get(ANY, ()), rest)))
    searches = any(word in plain_key(tool) for _, tool in named for word in _SEARCHES)
    supposed = dict.fromkeys(_lines_of_anybody(tools.get(ANY, ()), rest, searches=searches))
    return Told(
        lines=tuple(lines),
        supposed=tuple(line for line in supposed if line not in lines),
        files=tuple(files),
        hosts=tuple(hosts),
        texts=tuple(texts),
        rest=rest,
        known=bool(rows),
    )


def _lines_of_anybody(rows: Iterable[Row], arguments: Given, *, searches: bool) -> Iterator[str]:
    """Yield what arguments are worth by their names alone, at any depth."""
    templates = [template for row in rows for template in row[1] if not (searches and template.endswith(_BY_LOOKS))]
    for inner in _objects(arguments):
        for given in _readings(inner):
            yield from (line for template in templates for line in rendered(template, given))


def _texts_of_anybody(rows: Iterable[Row], arguments: Given) -> Iterator[str]:
    for inner in _objects(arguments):
        for given in _readings(inner):
            yield from (text for row in rows for name in row[4] for text in _texts(given.get(name)) if text.strip())


def _table() -> Table:
    found: Table
    try:
        from rulez_py.event.servers.mcp_table import TOOLS as found
    except ImportError:  # a source tree in which nothing was built
        from rulez_py.event.servers.build import table

        found = table()
    return found


def _rows(tools: Table, server: str, tool: str) -> Iterator[Row]:
    """Yield the entries of a tool: those of this server, else those of a tool whose name tells enough."""
    rows = tools.get(plain_key(tool), ()) if tool != ANY else ()
    name = server.lower()
    words = frozenset("".join(character if character.isalnum() else " " for character in name).split())
    own = [row for row in rows if any(_is_called(pattern, name, words) for pattern in row[0])]
    yield from own or (row for row in rows if ANY in row[0])


def _is_called(pattern: str, name: str, words: frozenset[str]) -> bool:
    """Tell whether a server has such a name: a word of it, between `*` any part of it."""
    if pattern == ANY:
        return False
    return pattern.strip("*") in name if "*" in pattern else pattern in words


def _readings(arguments: Given) -> tuple[Given, ...]:
    """Return the arguments under plain names; where two have the same, once with the first and once with the last."""
    last: dict[str, object] = {}
    first: dict[str, object] = {}
    for key, value in arguments.items():
        name = plain_key(str(key))
        last[name] = value
        first.setdefault(name, value)
    return (last,) if len(last) == len(arguments) else (first, last)


def _objects(arguments: Given) -> Iterator[Given]:
    stack: list[object] = [arguments]
    while stack:
        item = stack.pop()
        if isinstance(item, (list, tuple)):
            stack.extend(item)
        elif isinstance(item, dict):
            yield item
            stack.extend(item.values())


def _is_told(row: Row, key: object, value: object) -> bool:
    """Tell whether an entry accounts for an argument with such a value."""
    name = plain_key(str(key))
    for named, _access in row[2]:
        if named == name:
            return value is None or isinstance(value, str) or _is_list_of_texts(value)
    if name in row[3] and isinstance(value, str) and value.lower().startswith(_PATHS):
        return False
    return name in row[-1]


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)


def _files_of(row: Row, given: Given) -> Iterator[FileAccess]:
    for name, access in row[2]:
        if access:
            yield from (FileAccess(path=plain_path(text), access=access) for text in _texts(given.get(name)) if text)


def _address(text: str) -> str:
    """Return what a browser makes of an address without a scheme."""
    return text if ":" in text.partition("/")[0] and "://" in text else f"https://{text.lstrip('/')}"


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, (list, tuple)) else []

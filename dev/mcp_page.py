"""Writes docs/mcp-servers.md: the MCP servers that rulez knows (`make mcp-page`)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from rulez_py.event.servers.build import Tool, tools
from rulez_py.event.servers.lines import ANY

PAGE = Path(__file__).parent.parent / "docs" / "mcp-servers.md"

_HEAD = """\
# MCP servers that rulez knows

A call of an MCP server's tool is judged like the command line that it is worth: `mcp__k8s__kubectl_delete` with
`{"resourceType": "namespace", "name": "prod"}` is `kubectl delete namespace prod`, `mcp__db__query` with
`{"sql": "DROP TABLE users"}` is `psql '--command=DROP TABLE users'`. So every rule about `kubectl`, `psql`, `git` or
`gh` holds for these tools as well, yours and those of the rule sets. Of the tools below rulez also knows which files
they read, write or delete.

- A server is known by its name, which you choose: `postgres` is a word of the name (`my-postgres`,
  `plugin_postgres_x`), `*postgres*` any part of it. Tools marked with \\* are known by their own name, whatever the
  server's; so are those of an agent of your own ([python.md](python.md)).
- What is read of any tool counts besides: a `command`, a `url`, a path ([policy.md](policy.md#matchers)). Arguments
  that an entry does not speak of, or whose values do not fit, are read as of an unknown tool: their paths
  count as read, written and deleted.
- Of unknown tools, `sql` (and the like) is a statement for a database, and so is `query` or `statement`
  where it begins as one and the tool's name does not say that it searches; what ends in `code` may be code in any
  language, what ends in `command` a command line.
- A value stays one word, whatever is in it. One that begins with a dash may be an option or a name: then
  both count.
- `rewrite: {command: ...}` denies such a call: it has no command line that could be replaced.

## Add one

`rulez_py/event/servers/data/*.toml` holds the table; `make mcp-page` makes what rulez reads, and this page. An entry
has examples, which are its tests.

```toml
[[servers]]
names = ["*kubernetes*", "k8s"]
source = "npm mcp-server-kubernetes 4.1.7"

[servers.tools.kubectl_delete]
any-server = true
lines = ["kubectl delete {resourceType} [{name}] [-n {namespace}] [--force{force?}]"]
examples = [{given = {resourceType = "pod", name = "a", force = true}, lines = ["kubectl delete pod a --force"]}]
```

| key | meaning |
|---|---|
| `also` | other tools that are the same |
| `any-server` | the tool's name tells enough |
| `lines` | what the call is worth, each line by itself; one whose arguments are not there is left out |
| `files` | argument = how its file is touched: `read`, `write`, `delete`, `send`; `line` where the line says it |
| `texts` | arguments that may be a shell's line as well as code in any language |
| `hosts` | arguments that name a host or an address |
| `knows` | the other arguments, which name no file here and run nothing |

| in a line | becomes |
|---|---|
| `{name}` | the value, quoted; `{a|b}` the first of these that is there, `{a.b}` what is inside |
| `[-n {name}]` | these words, where there is a value |
| `--force{force?}` | `--force`, where the argument is true |
| `reset{mode=hard,soft?}` | `reset`, where the argument has one of these values; `{~draft?}` where it is not true |
| `{files*}` | a word for each of the list, also of one value |
| `{sql;}` | a list as one word, with `; ` between |
| `{patch:json}` | the value as JSON |
| `{source:path}` | a path: `~` is the home |
| `{query:sql}` | the value, where it begins as a statement for a database |
| `{args!}` | words of their own: a list's texts as they are, a text as the shell would take it |
| `{commands:script}` | lines of their own, of a list one each |
| `{flags:options}` | an object as `--key=value` |
| `{volumes:keys}` | an object's keys, as a list |

`resourceType`, `resource_type` and `resource-type` are the same argument.

## The table

"""


def page() -> str:
    """Return the page as it has to be."""
    return _HEAD + "\n".join(_sections())


def _sections() -> Iterator[str]:
    for (names, source), entries in groupby(tools(), lambda tool: (tool.servers, tool.source)):
        title = "Any other server" if names == (ANY,) else ", ".join(f"`{name}`" for name in names)
        yield f"### {title}\n"
        yield f"From {source}.\n"
        yield "| tool | is worth |\n|---|---|"
        yield from (f"| {_named(tool)} | {_worth(tool)} |" for tool in entries)
        yield ""


def _named(tool: Tool) -> str:
    if tool.name == ANY:
        return "any"
    return ", ".join(f"`{name}`" for name in (tool.name, *tool.also)) + (" \\*" if tool.any_server else "")


def _worth(tool: Tool) -> str:
    worth = [f"`{_escaped(line)}`" for line in tool.lines]
    worth += [f"`{name}`: {access.replace(' ', ', ')}" for name, access in tool.files.items() if access != "line"]
    worth += [f"`{name}`: a host" for name in tool.hosts]
    worth += [f"`{name}`: a line or code" for name in tool.texts]
    return "<br>".join(worth) or "nothing here"


def _escaped(line: str) -> str:
    return line.replace("|", "\\|")


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Servers behind the proxy and back, in settings of each form: the table mcp_servers.yaml, and TOML of any shape."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.install import jsonc, tomlc, yamlc
from rulez_py.install.entries import program
from rulez_py.install.mcp_servers import with_proxy, without_proxy
from rulez_py.platforms import part
from rulez_py.platforms.settings import TOML, ServerFiles

TABLE: dict[str, dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("mcp_servers.yaml"))
CALLED = program(("rulez",))
SPELLED = {
    "as it is": lambda text: text,
    "a byte order mark": lambda text: "\ufeff" + text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
}


def files(agent: str) -> ServerFiles:
    found: ServerFiles = part(agent, "settings").SERVERS
    return found


def said(known: ServerFiles, text: str) -> Any:
    """What another reader than the editor finds in settings."""
    text = text.removeprefix("\ufeff")
    return tomllib.loads(text, parse_float=str) if known.form == TOML else YAML(typ="safe").load(text)


def commands(known: ServerFiles, text: str) -> Any:
    """Every setting; no arguments are the same as an empty list of them."""
    value = said(known, text)
    servers = value.get(known.key, ())
    for server in servers if isinstance(servers, list) else servers.values() if isinstance(servers, dict) else ():
        if isinstance(server, dict) and "command" in server:
            server.setdefault("args", [])
            if known.split:
                command, args = server.pop("command"), server.pop("args")
                is_open = command == "a 'b"
                words = command if isinstance(command, list) or is_open else shlex.split(command)
                server["words"] = [*words, *args]
    return value


ROWS = [name for name, row in TABLE.items() if "to" in row]


@pytest.mark.parametrize("spelled", SPELLED)
@pytest.mark.parametrize("name", ROWS)
def test_only_the_commands_are_changed(name: str, spelled: str) -> None:
    row = TABLE[name]
    known, before, after = files(row["agent"]), *(SPELLED[spelled](row[key]) for key in ("from", "to"))
    assert with_proxy(known, before, CALLED) == after
    assert with_proxy(known, after, CALLED) == after
    assert without_proxy(known, after, before) == before
    assert commands(known, without_proxy(known, after, None)) == commands(known, before)


@pytest.mark.parametrize("name", [name for name, row in TABLE.items() if "refused" in row])
def test_what_cannot_be_changed_is_refused(name: str) -> None:
    row = TABLE[name]
    *at, message = row["refused"]
    with pytest.raises(jsonc.Unreadable) as refused:
        with_proxy(files(row["agent"]), row["from"], CALLED)
    assert (list(refused.value.at), refused.value.message) == (at, message)


# TOML of any shape.

WORDS = st.sampled_from(
    ["npx", "-y", 'a "b"', "c:\\x", "# no", "é😀", "it's", "= [x]", "{y}, ", "a\tb", "\x7f", "a\nb", "<<"]
)
NAMES = ["files", "my docs", "a.b", "ü", "x-1", "command", '"', "\\"]
BLANKS = st.sampled_from(["", " ", "  ", "\t"])


@st.composite
def strings(draw: st.DrawFn, word: str) -> str:
    """A word as one of the texts of TOML."""
    plain = json.dumps(word, ensure_ascii=draw(st.booleans()) and word.isascii()).replace("\x7f", "\\u007f")
    as_they_are = [] if re.search(r"['\x00-\x1f\x7f]", word) else [f"'{word}'", f"'''{word}'''", f"'''\n{word}'''"]
    in_lines = [f'""{plain}""', f'"""\n{plain[1:-1]}"""', f'"""\\\n  {plain[1:-1]}"""']
    return draw(st.sampled_from([plain, *in_lines, *as_they_are]))


@st.composite
def arrays(draw: st.DrawFn, words: list[str]) -> str:
    blank, newline = draw(BLANKS), draw(st.sampled_from(["", "", "\n  ", ' # why, "]\n']))
    items = [f"{newline}{blank}{draw(strings(word))}{blank}" for word in words]
    last = draw(st.sampled_from(["", ","])) if words else ""
    return f"[{','.join(items)}{last}{newline}{blank}]"


@st.composite
def servers(draw: st.DrawFn) -> list[tuple[str, str]]:
    """The keys of a server with their values as TOML."""
    keys = [("command", draw(strings(draw(WORDS))))]
    if draw(st.booleans()):
        keys.append(("args", draw(arrays(draw(st.lists(WORDS, max_size=3))))))
    keys += draw(st.sampled_from([[], [("env", '{A = "b", B="]"}')], [("env.A", "'b'"), ("x", "[{y = 1.5}, nan]")]]))
    return draw(st.permutations(keys))


def key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Settings with servers, written in every way that TOML has."""
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=4))
    equals, behind = draw(st.sampled_from(["=", " = ", " =\t"])), draw(st.sampled_from(["", " # mine", "  "]))
    inline: list[str] = []
    dotted: list[str] = []
    tables: list[str] = []
    for name in names:
        keys = draw(servers())
        lines = [f"{one}{equals}{value}" for one, value in keys]
        where = draw(st.sampled_from([inline, dotted, tables]))
        if where is inline:
            where.append(f"{key(name)}{equals}{{{', '.join(lines)}}}{behind}")
        elif where is dotted:
            where += [f"{key(name)} . {line}{behind}" for line in lines]
        else:
            where.append(f"[mcp_servers.{key(name)}]{behind}")
            where += [f"{draw(BLANKS)}{line}{behind}" for line in lines]
    way = draw(st.sampled_from(["dotted", "tables first", "tables last"]))
    if way == "dotted":
        body = [*(f"mcp_servers.{line}" for line in inline + dotted), *tables]
    elif way == "tables first" and tables:
        body = [*tables, "[mcp_servers]", *inline, *dotted]
    else:
        body = ["[mcp_servers]", *inline, *dotted, *tables]
    before = draw(st.sampled_from([[], ['a = """', "[mcp_servers.x]", 'command = 1"""'], ["# first", "", "f = nan"]]))
    after = draw(st.sampled_from([[], ["[[z]]", "[[z.y]]", "b = 1", "[[z]]", "[z.y]", "b = 2"], ["", "# last"]]))
    text = "\n".join([*before, *body, *after]) + draw(st.sampled_from(["", "\n", "\n\n"]))
    return draw(st.sampled_from(["", "\ufeff"])) + text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


@given(text=documents())
def test_a_file_of_any_shape_comes_back_byte_for_byte(text: str) -> None:
    known = files("codex")
    wrapped = with_proxy(known, text, CALLED)
    expected = said(known, text)
    for name, server in expected.get("mcp_servers", {}).items():
        own = [server["command"], *server.get("args", [])]
        server |= {"command": "rulez", "args": ["mcp-proxy", "--server", name, "--", *own]}
    assert said(known, wrapped) == expected
    assert with_proxy(known, wrapped, CALLED) == wrapped
    assert without_proxy(known, wrapped, text) == text
    assert commands(known, without_proxy(known, wrapped, None)) == commands(known, text)
    # What has come since stays, and only that.
    since = "\n[since]\na = 1\n".replace("\n", "\r\n" if "\r\n" in text else "\n")
    assert without_proxy(known, wrapped + since, text) == text + since


def test_a_servers_spelling_is_found_by_its_name_where_the_list_has_changed() -> None:
    known, first, second = files("vibe"), *(f"[[mcp_servers]]\nname='{name}'\ncommand='{name}  -y'\n" for name in "ab")
    wrapped = with_proxy(known, first + second, CALLED)
    alone = wrapped[wrapped.rindex("[[") :]
    assert without_proxy(known, alone, first + second) == second


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("\ufeffa = = 1\n", (1, 5)),
        ("\ufeffa = 1\r\nb = = 1\r\n", (2, 5)),
        ("a = '\x0b'\nb = = 1\n", (1, 6)),
        ("a = '\u2028'\nb = = 1\n", (2, 5)),
        ("a = ", (1, 5)),
        (f"a = {'1' * 5000}\n", (2, 1)),
        (f"a = {'[' * 50_000}", (1, 1)),
    ],
)
def test_what_is_no_toml_has_a_place(text: str, at: tuple[int, int]) -> None:
    with pytest.raises(jsonc.Unreadable) as refused:
        tomlc.value(text)
    assert refused.value.at == at


@pytest.mark.parametrize(
    ("agent", "reading", "before", "each", "behind"),
    [
        ("codex", tomlc.value, "", '[mcp_servers.s{n}]\ncommand = "npx"\nargs = ["-y", "s{n}"]\n', "[z]\n"),
        ("vibe", tomlc.value, "", '[[mcp_servers]]\nname = "s{n}"\ncommand = "npx"\nargs = ["s{n}"]\n', "[z]\n"),
        ("hermes", yamlc.parse, "mcp_servers:\n", "  s{n}:\n    command: npx\n    args:\n    - s{n}\n", "z: 1\n"),
        ("cursor", jsonc.parse, '{"mcpServers": {', '"s{n}": {"command": "npx", "args": ["s{n}"]}, ', '"z": 1}}'),
    ],
)
def test_a_file_is_not_read_again_for_each_server(
    agent: str, reading: Any, before: str, each: str, behind: str
) -> None:
    known = files(agent)
    reads = []
    for number in (3, 30):
        text = before + "".join(each.replace("{n}", str(n)) for n in range(number)) + behind
        reading.cache_clear()
        wrapped = with_proxy(known, text, CALLED)
        assert wrapped.count('"mcp-proxy"') == number
        assert without_proxy(known, wrapped, text) == text
        reads.append(reading.cache_info().misses)
    assert reads[0] == reads[1] <= 3

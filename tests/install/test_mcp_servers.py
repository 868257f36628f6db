"""`rulez install --mcp`: MCP servers behind the proxy, and back, byte for byte."""

from __future__ import annotations

import io
import json
import os
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from ruamel.yaml import YAML

from rulez_py.cli import cli, person
from rulez_py.install import Machine, jsonc, programs
from rulez_py.install.entries import program
from rulez_py.install.mcp_servers import BEHIND, HTTP, OTHER, PLAIN, has_place, servers
from rulez_py.platforms import PLATFORMS

PROGRAM = program(("/opt/my rulez/rulez", "-x"))
BEFORE = ["/opt/my rulez/rulez", "-x", "mcp-proxy", "--server"]

USER = {
    "claude": ".claude.json",
    "cline": ".cline/data/settings/cline_mcp_settings.json",
    "codex": ".codex/config.toml",
    "copilot": ".copilot/mcp-config.json",
    "cursor": ".cursor/mcp.json",
    "droid": ".factory/mcp.json",
    "gemini": ".gemini/settings.json",
    "grok": ".grok/config.toml",
    "hermes": ".hermes/config.yaml",
    "kilo": ".config/kilo/kilo.json",
    "kimi": ".kimi-code/mcp.json",
    "opencode": ".config/opencode/opencode.jsonc",
    "openhands": ".openhands/mcp.json",
    "qwen": ".qwen/settings.json",
    "vibe": ".vibe/config.toml",
}
PROJECT = {
    "claude": ".mcp.json",
    "codex": ".codex/config.toml",
    "cursor": ".cursor/mcp.json",
    "droid": ".factory/mcp.json",
    "gemini": ".gemini/settings.json",
    "grok": ".grok/config.toml",
    "opencode": "opencode.json",
    "qwen": ".qwen/settings.json",
    "vibe": ".vibe/config.toml",
}
WHOLE = ("opencode", "kilo")
"""Agents with a command and its arguments in one list, below `mcp`."""
LISTED = ("vibe",)
"""Agents with a list of servers that have their names in them, and commands that are split into words."""


@pytest.fixture(autouse=True)
def place(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project, and a rulez that is somewhere else than this one."""
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(programs, "this_program", lambda: PROGRAM)
    monkeypatch.setattr(person, "ancestors", lambda _pid: [])
    return project


def run(*arguments: str, code: int = 0) -> str:
    result: Result = CliRunner().invoke(cli, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == code, result.output
    return result.output


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def server(platform: str, *words: str, **more: Any) -> dict[str, Any]:
    if platform in WHOLE:
        return {"type": "local", "command": list(words), **more}
    if platform in LISTED:
        return {"command": shlex.quote(words[0]), "args": list(words[1:]), **more}
    return {"command": words[0], "args": list(words[1:]), **more}


def configured(platform: str, **entries: Any) -> dict[str, Any]:
    key = "mcp" if platform in WHOLE else "mcpServers" if USER[platform].endswith(("json", "jsonc")) else "mcp_servers"
    return {key: [{"name": name, **one} for name, one in entries.items()] if platform in LISTED else entries}


def written(path: str, value: dict[str, Any]) -> str:
    """Settings as a person has written them, in the form of this file."""
    if path.endswith(("json", "jsonc")):
        return json.dumps(value, indent=3)
    if path.endswith("yaml"):
        text = io.StringIO()
        YAML().dump(value, text)
        return text.getvalue()
    (key, servers), *others = ((name, one) for name, one in reversed(value.items()))
    headed = (
        ((f"[{key}.{name}]", server) for name, server in servers.items())
        if isinstance(servers, dict)
        else ((f"[[{key}]]", server) for server in servers)
    )
    tables = [
        f"{header} # mine\n" + "".join(f"{one} = {toml(said)}\n" for one, said in server.items())
        for header, server in headed
    ]
    return "".join(f"{name} = {toml(one)}\n" for name, one in others) + "\n".join(tables)


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name} = {toml(one)}' for name, one in value.items())}}}"
    return json.dumps(value)


def entry(path: Path, *names: str) -> Any:
    text = path.read_text()
    reads: dict[str, Callable[[str], Any]] = {".toml": tomllib.loads, ".yaml": YAML(typ="safe").load}
    found = reads[path.suffix](text) if path.suffix in reads else jsonc.parse(text).value
    for name in names:
        found = found[name]
    return found


def test_the_agents_with_a_place_are_those_of_the_page() -> None:
    assert {platform for platform in PLATFORMS if has_place(platform)} == set(USER)


@pytest.mark.parametrize(("scope", "files"), [("user", USER), ("project", PROJECT)])
@pytest.mark.parametrize("platform", sorted(USER))
def test_servers_of_every_agent_go_behind_the_proxy_and_back(
    platform: str, scope: str, files: dict[str, str], home: Path, place: Path
) -> None:
    if platform not in files:
        assert "nothing to change" not in run("install", "--mcp", platform, "--scope", scope)
        return
    entries = {"files": server(platform, "npx", "-y", "x", env={"A": "b"}), "web": {"url": "https://x.example/mcp"}}
    text = written(files[platform], {"other": [1], **configured(platform, **entries)})
    path = put((home if scope == "user" else place) / files[platform], text)
    said = run("install", "--mcp", platform, "--scope", scope)
    assert "behind the proxy: files" in said
    assert "--to https://x.example/mcp" in " ".join(said.split())
    called = BEFORE if scope == "user" else ["rulez", "mcp-proxy", "--server"]
    wrapped = server(platform, *called, "files", "--", "npx", "-y", "x", env={"A": "b"})
    assert entry(path) == {"other": [1], **configured(platform, **{**entries, "files": wrapped})}
    states = {one.name: one.state for one in servers(platform, scope, Machine(os.environ, str(place)))}
    assert states == {"files": BEHIND, "web": HTTP}
    assert "nothing to change" in run("install", "--mcp", platform, "--scope", scope, "--dry-run")
    run("uninstall", "--mcp", platform, "--scope", scope)
    assert path.read_text() == text
    assert run("uninstall", "--mcp", platform, "--scope", scope) == "no MCP server is behind the proxy there\n"


ODD = """\ufeff{
  // mine
  "mcpServers": {
    "files" : { "command":"npx",  "args": ["-y",   "x", // why
        "/srv" , ] },
    "bare": {"command": "server"},
    "empty": {"args": [ ], "command": "server\\u0020x"},
    "web": {"type": "http", "url": "https://x.example/mcp"}, "broken": {"command": 1}, "no": 7,
  },
  "z": {"b": 1, "a": [1,2 ,3]}
}
"""
TEXTS = {
    "comments, commas": ODD,
    "CRLF": ODD.replace("\n", "\r\n"),
    "one line": '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y","args":["1"]}}}',
    "two keys": '{"mcpServers": {"a": {"command": "x", "command": "y"}, "a": {"command": "z", "args": []}}}',
    "tabs": json.dumps({"mcpServers": {"a": {"command": "x", "args": ["1", "2"]}}}, indent="\t"),
    "no servers": '{"mcpServers": {}}',
    "of projects": '{"projects": {"/a": {"mcpServers": {"a": {"command": "x", "args": ["1" ]}}}, "/b": {}}}',
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_file_is_what_it_was_byte_for_byte(text: str, home: Path) -> None:
    path = put(home / ".claude.json", text)
    run("install", "--mcp", "claude")
    wrapped = path.read_bytes()
    assert (wrapped == text.encode()) is ("command" not in text)
    run("install", "--mcp", "claude")
    assert path.read_bytes() == wrapped
    run("uninstall", "--mcp", "claude")
    assert path.read_bytes() == text.encode()
    kept = home / ".local/state/rulez/mcp"
    assert [one for one in kept.rglob("*") if one.is_file()] == []


def test_each_server_has_its_state(home: Path, place: Path) -> None:
    put(home / ".claude.json", ODD.replace('"bare"', '"bare "'))
    here = Machine(os.environ, str(place))

    def states() -> dict[str, str]:
        return {one.name: one.state for one in servers("claude", "user", here)}

    before = {"files": PLAIN, "bare ": PLAIN, "empty": PLAIN, "web": HTTP, "broken": OTHER, "no": OTHER}
    assert states() == before
    run("install", "--mcp", "claude")
    assert states() == {name: BEHIND if state == PLAIN else state for name, state in before.items()}
    assert entry(home / ".claude.json", "mcpServers", "bare ", "args") == [*BEFORE[1:], "bare ", "--", "server"]


def test_what_was_changed_meanwhile_stays(home: Path) -> None:
    path = put(home / ".claude.json", ODD)
    run("install", "--mcp", "claude")
    text = path.read_text().replace('"b": 1', '"b": 2').replace('"/srv"', '"/other"')
    path.write_bytes(text.encode())
    run("uninstall", "--mcp", "claude")
    # The command that was changed is written anew, all else as it was.
    files = entry(path, "mcpServers", "files")
    assert files == {"command": "npx", "args": ["-y", "x", "/other"]}
    rest = path.read_text()[path.read_text().index('"bare"') :]
    assert rest == ODD[ODD.index('"bare"') :].replace('"b": 1', '"b": 2')


def test_a_server_that_has_come_since_goes_behind_it_too_and_back(home: Path) -> None:
    path = put(home / ".claude.json", ODD)
    run("install", "--mcp", "claude")
    new = '"new": {"command": "n",   "args": [ "1" ]},\n    "bare"'
    path.write_bytes(path.read_bytes().replace(b'"bare"', new.encode(), 1))
    run("install", "--mcp", "claude")
    assert entry(path, "mcpServers", "new", "args") == [*BEFORE[1:], "new", "--", "n", "1"]
    run("uninstall", "--mcp", "claude")
    assert path.read_bytes() == ODD.replace('"bare"', new, 1).encode()


def test_a_proxy_with_options_of_a_person_stays(home: Path) -> None:
    mine = {
        "renamed": ["mcp-proxy", "--server", "other", "--", "x"],
        "ruled": ["mcp-proxy", "--server", "ruled", "--rules", "r.yaml", "--", "x"],
        "short": ["mcp-proxy", "x", "y"],
        "pasted": ["mcp-proxy", "--server", "pasted", "--", "x", "y"],
    }
    value = {"mcpServers": {name: {"command": "rulez", "args": args} for name, args in mine.items()}}
    path = put(home / ".cursor/mcp.json", json.dumps(value))
    assert "behind the proxy: renamed, ruled, short, pasted" in run("install", "--mcp", "cursor")
    value["mcpServers"]["pasted"] = {"command": BEFORE[0], "args": [*BEFORE[1:], "pasted", "--", "x", "y"]}
    assert entry(path) == value
    run("uninstall", "--mcp", "cursor")
    value["mcpServers"]["pasted"] = {"command": "x", "args": ["y"]}
    value["mcpServers"]["renamed"] = {"command": "x"}
    assert entry(path) == value


def test_without_what_was_kept_the_commands_come_back(home: Path) -> None:
    path = put(home / ".claude.json", ODD)
    value = entry(path)
    run("install", "--mcp", "claude")
    for one in sorted((home / ".local/state/rulez").rglob("*")):
        if one.is_file():
            one.unlink()
    run("uninstall", "--mcp", "claude")
    del value["mcpServers"]["empty"]["args"]  # No arguments is the same as none.
    assert entry(path) == value


@pytest.mark.parametrize("first", ["--mcp", ""])
@pytest.mark.parametrize("last", ["--mcp", ""])
@pytest.mark.parametrize(
    ("platform", "key", "text"),
    [
        ("gemini", "mcpServers", '{\n  "mcpServers": {"a": {"command": "x"}},\n  "hooks": {\n    "Stop": []\n  }\n}\n'),
        ("hermes", "mcp_servers", "mcp_servers:\n  a: # mine\n    command: x\nhooks: {}\nb: c"),
    ],
)
def test_hooks_in_the_same_file_come_and_go_by_themselves(
    platform: str, key: str, text: str, first: str, last: str, home: Path
) -> None:
    path = put(home / USER[platform], text)
    other = {"--mcp": "", "": "--mcp"}
    for option in (first, other[first]):
        run("install", platform, *filter(None, [option]))
    assert entry(path, key, "a", "command") == BEFORE[0]
    assert len(entry(path, "hooks")) > 3
    said = run("uninstall", platform, *filter(None, [other[last]]))
    assert ("`rulez uninstall --mcp --scope user`" in " ".join(said.split())) is (other[last] == "")
    run("uninstall", platform, *filter(None, [last]))
    assert path.read_text() == text


def test_a_moved_directory_of_claude_has_its_file(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual, moved = home / ".claude.json", tmp_path / "moved" / ".claude.json"
    text = '{"mcpServers": {"a": {"command": "x"}}}'
    put(usual, text), put(moved, text)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(moved.parent))
    run("install", "--mcp", "claude")
    assert usual.read_text() == text
    assert entry(moved, "mcpServers", "a", "command") == BEFORE[0]


def test_what_cannot_be_done_is_said(home: Path) -> None:
    path = put(home / ".cursor/mcp.json", '{"mcpServers": {"a": ')
    put(home / ".gemini/settings.json", '{"mcpServers": {"a": {"command": "x"}}}')
    put(home / ".codex/config.toml", "[mcp_servers.a]\ncommand = = 1\n")
    said = run("install", "--mcp", "cursor", "gemini", "pi", "codex", code=1)
    assert "~/.cursor/mcp.json:1:22: " in said
    assert "~/.codex/config.toml:2:11: this is no TOML" in said
    assert "Pi has no file of MCP servers that rulez can change; put `rulez mcp-proxy --server NAME --` before" in said
    assert "behind the proxy: a" in said
    assert path.read_text() == '{"mcpServers": {"a": '
    for command in ("install", "uninstall"):
        assert "not of the machine" in run(command, "--mcp", "--scope", "managed", code=1)


def test_a_command_that_only_the_agent_finds_stays_and_is_named(home: Path) -> None:
    text = "mcp_servers:\n  a: {command: ~/bin/a}\n  b: {command: b}\n"
    path = put(home / ".hermes/config.yaml", text)
    assert "a stays as it is: write the whole path in place of `~`" in " ".join(
        run("install", "--mcp", "hermes").split()
    )
    assert entry(path, "mcp_servers", "a", "command") == "~/bin/a"
    assert entry(path, "mcp_servers", "b", "command") == BEFORE[0]
    run("uninstall", "--mcp", "hermes")
    assert path.read_text() == text


def test_a_dry_run_changes_nothing(home: Path) -> None:
    path = put(home / ".cursor/mcp.json", '{"mcpServers": {"a": {"command": "x"}}}')
    assert '+{"mcpServers": {"a": {"command": "/opt/my rulez/rulez"' in run("install", "--mcp", "cursor", "--dry-run")
    assert path.read_text() == '{"mcpServers": {"a": {"command": "x"}}}'


def test_an_agent_changes_no_servers(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(home / ".cursor/mcp.json", '{"mcpServers": {"a": {"command": "x"}}}')
    monkeypatch.setattr(person, "why_agent", lambda: "an agent has started this")
    for command in ("install", "uninstall"):
        assert "an agent has started this" in run(command, "--mcp", "cursor", code=1)
    assert path.read_text() == '{"mcpServers": {"a": {"command": "x"}}}'


def test_doctor_says_which_servers_are_behind_it(home: Path) -> None:
    put(home / ".cursor/mcp.json", '{"mcpServers": {"a": {"command": "x"}}}')
    run("install", "--mcp", "cursor")
    put(Path(".cursor/mcp.json"), '{"mcpServers": {"b": {"command": "x"}, "c": {"url": "https://x.example"}}}')
    result = CliRunner().invoke(cli, ["doctor", "cursor"])
    assert "MCP servers: a (behind the proxy), b (not behind it), c (HTTP)" in " ".join(result.output.split())
    (agent,) = json.loads(CliRunner().invoke(cli, ["doctor", "cursor", "--json"]).output)["agents"]
    assert [(one["scope"], one["name"], one["state"]) for one in agent["servers"]] == [
        ("user", "a", "behind the proxy"),
        ("project", "b", "not behind it"),
        ("project", "c", "HTTP"),
    ]

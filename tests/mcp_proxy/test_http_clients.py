"""The official clients, Python's and TypeScript's, through the HTTP proxy: published servers, and one of ours."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.mcp_proxy.test_library import CALLS, MODES, PERSONS, is_as_judged, typescript
from tests.programs import ROOT, SOURCE_COMMAND

__all__ = ["typescript"]

pytestmark = [
    pytest.mark.skipif(find_spec("mcp_server_git") is None, reason="mcp is not installed; run `make integrations`"),
    pytest.mark.filterwarnings("default"),  # Its own.
]
TOKEN = "a-token-of-the-tests"
OURS = """\
import os
import sys
import anyio
from mcp.server import MCPServer
from mcp.server.mcpserver import Context

server = MCPServer("files")


def note(line):
    with open(sys.argv[1], "a") as ran:
        ran.write(line + "\\n")


@server.tool()
def shell(command: str) -> str:
    note(command)
    return "ran " + command


@server.tool()
def fails() -> str:
    raise ValueError("of its own")


@server.tool()
def large(megabytes: int) -> str:
    return "x" * (megabytes * 1_000_000)


@server.tool()
async def slow(steps: int, ctx: Context) -> str:
    note("slow begins")
    try:
        for step in range(steps):
            await ctx.report_progress(step, steps)
            await anyio.sleep(0.1)
    except anyio.get_cancelled_exc_class():
        note("slow is cancelled")
        raise
    return "slow has ended"


@server.tool()
def crash() -> str:
    os._exit(1)


@server.resource("file:///secret/key")
def key() -> str:
    note("read")
    return "the key"


@server.resource("docs://readme")
def readme() -> str:
    return "read me"


@server.prompt()
def review(path: str) -> str:
    return "review " + path


server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]), json_response=sys.argv[3:] == ["json"])
"""
PUBLISHED = {
    "time": "from mcp_server_time.server import create_server; server = create_server('UTC')",
    "git": "from mcp_server_git.server import create_server; server = create_server(None)",
}
"""Servers made with the official library, which has them speak HTTP. `server-everything` does so by itself."""
RULES = """\
version: "1.0"
rules:
  - {name: no-deploy, matchers: {command_match: '^deploy'}, actions: {block: true}}
  - {name: mail, matchers: {command_match: '^mail'}, actions: {ask: true}}
  - {name: no-keys, matchers: {tools: [Read], paths: {globs: ['/secret/**']}}, actions: {block: true}}
  - {name: no-reviews, matchers: {mcp: {server: s, tool: prompts/get}, input_match: /etc}, actions: {block: true}}
  - {name: none, matchers: {tools: [mcp__s__convert_time, mcp__s__git_log, mcp__s__get-sum]}, actions: {block: true}}
"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@contextlib.contextmanager
def running(command: list[str], environ: dict[str, str], cwd: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    """A process that listens on the port, while it does."""
    with (cwd / f"said-{port}").open("w+") as said:
        process = subprocess.Popen(command, env=environ, cwd=cwd, stdout=said, stderr=said, text=True)
        try:
            for _ in range(600):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
                if process.poll() is not None:
                    break
                time.sleep(0.05)
            said.seek(0)
            assert process.poll() is None, said.read()
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    rules = tmp_path / "home" / ".config" / "rulez" / "rules.yaml"
    rules.parent.mkdir(parents=True)
    rules.write_text(RULES)
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


@contextlib.contextmanager
def served(project: Path, server: str, typescript: Path | None = None) -> Iterator[tuple[str, str, int]]:
    """The URLs of a server and of the proxy before it, and the server's process."""
    port, own = free_port(), free_port()
    environ = {"HOME": str(project.parent / "home"), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    if server == "everything":
        assert typescript is not None
        program = typescript / "node_modules/@modelcontextprotocol/server-everything/dist/index.js"
        command = ["node", str(program), "streamableHttp"]
    elif server in PUBLISHED:
        run = f"; server.run('streamable-http', host='127.0.0.1', port={port})"
        command = [sys.executable, "-c", PUBLISHED[server] + run]
    else:
        (project.parent / "server.py").write_text(OURS)
        command = [sys.executable, str(project.parent / "server.py"), str(project.parent / "ran"), str(port)]
        command += ["json"] if server == "ours as json" else []
    to = f"http://127.0.0.1:{port}/mcp"
    proxy = [*SOURCE_COMMAND, "mcp-proxy", "--server", "s", "--listen", f"127.0.0.1:{own}", "--to", to]
    with (
        running(command, {**environ, "PORT": str(port)}, project.parent, port) as process,
        running(proxy, {**environ, "RULEZ_MCP_TOKEN": TOKEN}, project, own),
    ):
        yield to, f"http://127.0.0.1:{own}/mcp", process.pid


@contextlib.asynccontextmanager
async def connected(url: str, mode: str = "auto", person: Any = None) -> Any:
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60) as http:
        place = streamable_http_client(url, http_client=http, max_sse_event_size=None)
        async with Client(place, mode=mode, elicitation_callback=person) as client:
            yield client


async def called(client: Any, name: str, arguments: dict[str, Any]) -> str:
    result = await client.call_tool(name, arguments)
    return ("error: " if result.is_error else "") + str(result.content[0].text)


def person_who(action: str) -> Any:
    async def person(_context: Any, params: Any) -> Any:
        from mcp.types import ElicitResult

        assert params.message.endswith('May shell of s run with this?\ncommand: "mail x"')
        return ElicitResult(action=action, content={} if action == "accept" else None)

    return person if action else None


@pytest.mark.parametrize("server", ["ours", "ours as json"])
@pytest.mark.parametrize("mode", MODES)
def test_calls_are_judged_and_a_person_is_asked(mode: str, server: str, project: Path) -> None:
    async def play(url: str, action: str) -> None:
        async with connected(url, mode, person_who(action)) as client:
            found = [await called(client, name, arguments) for name, arguments in CALLS]
            ran = ["ls", "mail x"] if action == "accept" else ["ls"]
            is_as_judged(found, action, ran, project)
        (project.parent / "ran").unlink()

    with served(project, server) as (_, url, _process):
        for action in ("accept", "decline", ""):
            asyncio.run(play(url, action))


@pytest.mark.parametrize("mode", MODES)
@PERSONS
def test_the_typescript_client_reads_the_same(
    action: str, ran: list[str], mode: str, project: Path, typescript: Path
) -> None:
    with served(project, "ours") as (_, url, _process):
        said = of_typescript(typescript, url, mode, action, CALLS)
    is_as_judged(said["found"], action, ran, project)
    asked = [message.partition("\n\n")[2] for message in said["asked"]]
    assert asked == (['May shell of s run with this?\ncommand: "mail x"'] if action else [])


@pytest.mark.parametrize("mode", MODES)
def test_who_agrees_when_the_client_has_given_up_runs_nothing(mode: str, project: Path, typescript: Path) -> None:
    with served(project, "ours") as (_, url, _process):
        said = of_typescript(typescript, url, mode, "late", CALLS)
    assert (project.parent / "ran").read_text().splitlines() == ["ls"]
    assert len(said["asked"]) == 1
    assert said["found"][2].startswith("raised: ")
    assert said["found"][3] == "error: Error executing tool fails"  # The session goes on.


def of_typescript(typescript: Path, url: str, mode: str, action: str, calls: Any) -> Any:
    command = ["node", str(typescript / "client.mjs"), mode, action, json.dumps(calls), url, TOKEN]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


ALLOWED: dict[str, tuple[str, dict[str, Any]]] = {
    "time": ("get_current_time", {"timezone": "Nowhere/City"}),
    "git": ("git_status", {"repo_path": str(ROOT / "tests")}),
    "everything": ("echo", {"message": "é"}),
}
DENIED: dict[str, tuple[str, dict[str, Any]]] = {
    "time": ("convert_time", {"source_timezone": "UTC", "time": "12:00", "target_timezone": "UTC"}),
    "git": ("git_log", {"repo_path": str(ROOT)}),
    "everything": ("get-sum", {"a": 1, "b": 2}),
}


@pytest.mark.parametrize("server", ["time", "git", "everything"])
def test_published_servers(server: str, project: Path, typescript: Path) -> None:
    async def play(url: str, mode: str) -> list[Any]:
        async with connected(url, mode) as client:
            able = client.server_capabilities
            found = [await client.list_tools()]
            found += [await client.list_resources(), await client.list_resource_templates()] if able.resources else []
            found += [await client.list_prompts()] if able.prompts else []
            found += [await client.call_tool(*ALLOWED[server]), await client.call_tool(*DENIED[server])]
            return [able.model_dump_json(), *(each.model_dump_json() for each in found)]

    with served(project, server, typescript) as (direct, judged, _process):
        for mode in ("legacy", "auto"):
            without, through = asyncio.run(play(direct, mode)), asyncio.run(play(judged, mode))
            assert without[:-1] == through[:-1]
            assert "Blocked by rule" not in without[-1]
            assert 'Blocked by rule \\"none\\"' in through[-1]
            calls = [ALLOWED[server], DENIED[server]]
            plain, guarded = (of_typescript(typescript, url, mode, "", calls) for url in (direct, judged))
            assert plain["tools"] == guarded["tools"]
            assert plain["found"][0] == guarded["found"][0]
            assert guarded["found"][1].startswith('error: Blocked by rule "none"')


@pytest.mark.parametrize("mode", MODES)
def test_reads_are_judged(mode: str, project: Path) -> None:
    async def play(url: str) -> list[str]:
        from mcp import MCPError

        found = []
        async with connected(url, mode) as client:
            assert len((await client.list_resources()).resources) == 2
            for asked in (
                client.read_resource("docs://readme"),
                client.read_resource("file:///secret/key"),
                client.get_prompt("review", {"path": "/srv"}),
                client.get_prompt("review", {"path": "/etc"}),
            ):
                try:
                    result = await asked
                    found.append("contents" if hasattr(result, "contents") else result.messages[0].content.text)
                except MCPError as error:
                    found.append(re.split(r"[:(]", str(error))[0].strip())
        return found

    with served(project, "ours") as (_, url, _process):
        found = asyncio.run(play(url))
    assert found == ["contents", 'Blocked by rule "no-keys"', "review /srv", 'Blocked by rule "no-reviews"']
    assert not (project.parent / "ran").exists()


@pytest.mark.parametrize("mode", MODES)
def test_progress_large_results_and_a_quick_call_beside_a_slow_one(mode: str, project: Path) -> None:
    async def play(url: str) -> None:
        seen: list[float] = []

        async def progress(done: float, _all: Any, _text: Any) -> None:
            seen.append(done)

        async with connected(url, mode) as client:
            slow = asyncio.create_task(client.call_tool("slow", {"steps": 10}, progress_callback=progress))
            await asyncio.sleep(0.3)
            assert await called(client, "shell", {"command": "ls"}) == "ran ls"
            assert (await called(client, "shell", {"command": "deploy"})).startswith("error: Blocked")
            assert not slow.done()
            assert (await slow).content[0].text == "slow has ended"
            assert seen == [float(step) for step in range(10)]
            assert len(await called(client, "large", {"megabytes": 5})) == 5_000_000

    with served(project, "ours") as (_, url, _process):
        asyncio.run(play(url))


@pytest.mark.parametrize("mode", MODES)
def test_a_call_that_is_given_up_is_cancelled_at_the_server(mode: str, project: Path) -> None:
    ran = project.parent / "ran"

    async def play(url: str) -> None:
        async with connected(url, mode) as client:
            slow = asyncio.create_task(client.call_tool("slow", {"steps": 200}))
            while not ran.exists():
                await asyncio.sleep(0.05)
            slow.cancel()
            for _ in range(100):
                if "cancelled" in ran.read_text():
                    break
                await asyncio.sleep(0.05)
            assert await called(client, "shell", {"command": "ls"}) == "ran ls"

    with served(project, "ours") as (_, url, _process):
        asyncio.run(play(url))
    assert ran.read_text().splitlines() == ["slow begins", "slow is cancelled", "ls"]


@pytest.mark.parametrize("mode", MODES)
def test_a_server_that_crashes_is_an_error_and_the_proxy_lives(mode: str, project: Path) -> None:
    async def play(url: str) -> list[str]:
        from mcp import MCPError

        said = []
        async with connected(url, mode) as client:
            for _ in range(2):
                with pytest.raises(MCPError) as raised:
                    await asyncio.wait_for(client.call_tool("crash", {}), 30)
                said.append(str(raised.value))
        return said

    with served(project, "ours") as (direct, url, _process):
        _, down = asyncio.run(play(url))
    assert f"the server {direct} cannot be reached" in down


def test_who_has_no_token_speaks_with_nobody(project: Path, typescript: Path) -> None:
    with served(project, "ours") as (_, url, _process):
        command = ["node", str(typescript / "client.mjs"), "legacy", "", "[]", url, "wrong"]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode != 0
    assert not (project.parent / "ran").exists()

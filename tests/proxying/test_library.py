"""The proxy between a client and a server that are made with the MCP library itself."""

from __future__ import annotations

import asyncio
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.programs import ROOT, SOURCE_COMMAND

pytestmark = [
    pytest.mark.skipif(find_spec("mcp") is None, reason="mcp is not installed; run `make guards`"),
    pytest.mark.filterwarnings("default"),  # Its own.
]
SERVER = """\
import sys
from mcp.server import MCPServer

server = MCPServer("files")


@server.tool()
def shell(command: str) -> str:
    with open(sys.argv[1], "a") as ran:
        ran.write(command + "\\n")
    return "ran " + command


@server.tool()
def fails() -> str:
    raise ValueError("of its own")


server.run()
"""
RULES = """\
version: "1.0"
rules:
  - {name: no-deploy, matchers: {command_match: '^deploy'}, actions: {block: true}}
  - {name: mail, matchers: {command_match: '^mail'}, actions: {ask: true}}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    rules = tmp_path / "home" / ".config" / "rulez" / "rules.yaml"
    rules.parent.mkdir(parents=True)
    rules.write_text(RULES)
    (tmp_path / "server.py").write_text(SERVER)
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


async def session(project: Path, calls: list[tuple[str, dict[str, Any]]], person: Any, *, guarded: bool) -> list[str]:
    from mcp import ClientSession, StdioServerParameters, stdio_client

    server = (sys.executable, str(project.parent / "server.py"), str(project.parent / "ran"))
    command = (*SOURCE_COMMAND, "mcp-proxy", "--server", "files", "--", *server) if guarded else server
    environ = {"HOME": str(project.parent / "home"), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    started = StdioServerParameters(command=command[0], args=list(command[1:]), cwd=project, env=environ)
    found = []
    async with stdio_client(started) as streams, ClientSession(*streams, elicitation_callback=person) as client:
        await client.initialize()
        assert [tool.name for tool in (await client.list_tools()).tools] == ["shell", "fails"]
        for name, arguments in calls:
            result = await client.call_tool(name, arguments)
            found.append(("error: " if result.is_error else "") + str(result.content[0].text))
    return found


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("shell", {"command": "ls"}),
    ("shell", {"command": "deploy"}),
    ("shell", {"command": "mail x"}),
    ("fails", {}),
]


@pytest.mark.parametrize(
    ("action", "ran"),
    [("accept", ["ls", "mail x"]), ("decline", ["ls"]), ("", ["ls"])],
    ids=["agrees", "refuses", "nobody"],
)
def test_calls_are_judged_and_a_person_is_asked(action: Any, ran: list[str], project: Path) -> None:
    async def person(_context: Any, params: Any) -> Any:
        from mcp.types import ElicitResult

        assert 'May shell of files run with {"command": "mail x"}?' in params.message
        return ElicitResult(action=action, content={} if action == "accept" else None)

    found = asyncio.run(session(project, CALLS, person if action else None, guarded=True))
    assert (project.parent / "ran").read_text().splitlines() == ran
    assert found[0] == "ran ls"
    assert found[1].startswith('error: Blocked by rule "no-deploy"')
    assert found[2].startswith("ran mail x" if action == "accept" else "error: ")
    assert found[3] == "error: Error executing tool fails"


def test_without_it_everything_runs_and_reads_the_same(project: Path) -> None:
    plain = asyncio.run(session(project, CALLS, None, guarded=False))
    assert (project.parent / "ran").read_text().splitlines() == ["ls", "deploy", "mail x"]
    guarded = asyncio.run(session(project, CALLS, None, guarded=True))
    assert (plain[0], plain[3]) == (guarded[0], guarded[3])

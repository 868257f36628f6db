"""The proxy between official clients, Python's and TypeScript's, and a server that is made with the MCP library."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.programs import ROOT, SOURCE_COMMAND

TYPESCRIPT = Path(__file__).parent / "typescript"

pytestmark = [
    pytest.mark.skipif(find_spec("mcp") is None, reason="mcp is not installed; run `make integrations`"),
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


MODES = ["legacy", "auto", "2026-07-28"]
"""How a client and a server agree on a revision: as until 2025-11-25; on the newest both know; on no other."""


def started(project: Path, *, guarded: bool = True) -> tuple[tuple[str, ...], dict[str, str]]:
    """The command that a client starts, and its environment."""
    server = (sys.executable, str(project.parent / "server.py"), str(project.parent / "ran"))
    command = (*SOURCE_COMMAND, "mcp-proxy", "--server", "files", "--", *server) if guarded else server
    return command, {"HOME": str(project.parent / "home"), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}


async def session(
    project: Path, calls: list[tuple[str, dict[str, Any]]], person: Any, *, mode: str = "auto", guarded: bool = True
) -> list[str]:
    from mcp import Client, StdioServerParameters

    command, environ = started(project, guarded=guarded)
    server = StdioServerParameters(command=command[0], args=list(command[1:]), cwd=project, env=environ)
    found = []
    async with Client(server, mode=mode, elicitation_callback=person) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["shell", "fails"]
        for name, arguments in calls:
            result = await client.call_tool(name, arguments)
            found.append(("error: " if result.is_error else "") + str(result.content[0].text))
    return found


@pytest.fixture(scope="session")
def typescript() -> Path:
    """The directory with the TypeScript client, exactly as locked."""
    npm, into = shutil.which("npm"), ROOT / "build" / "libraries" / "typescript"
    if npm is None or shutil.which("node") is None:
        pytest.skip("npm is not installed")
    shutil.copytree(TYPESCRIPT, into, dirs_exist_ok=True)
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
    ended = subprocess.run([npm, "ci", *quiet], cwd=into, capture_output=True, text=True, check=False)
    if ended.returncode:
        pytest.skip("npm cannot install the client here: " + ended.stderr[-200:])
    return into


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("shell", {"command": "ls"}),
    ("shell", {"command": "deploy"}),
    ("shell", {"command": "mail x"}),
    ("fails", {}),
]


PERSONS = pytest.mark.parametrize(
    ("action", "ran"),
    [("accept", ["ls", "mail x"]), ("decline", ["ls"]), ("", ["ls"])],
    ids=["agrees", "refuses", "nobody"],
)


def is_as_judged(found: list[str], action: str, ran: list[str], project: Path) -> None:
    assert (project.parent / "ran").read_text().splitlines() == ran
    assert found[0] == "ran ls"
    assert found[1].startswith('error: Blocked by rule "no-deploy"')
    assert found[2].startswith("ran mail x" if action == "accept" else 'error: Rule "mail" wants')
    assert found[3] == "error: Error executing tool fails"


@pytest.mark.parametrize("mode", MODES)
@PERSONS
def test_calls_are_judged_and_a_person_is_asked(action: Any, ran: list[str], mode: str, project: Path) -> None:
    async def person(_context: Any, params: Any) -> Any:
        from mcp.types import ElicitResult

        assert params.message.endswith('May shell of files run with this?\ncommand: "mail x"')
        return ElicitResult(action=action, content={} if action == "accept" else None)

    found = asyncio.run(session(project, CALLS, person if action else None, mode=mode))
    is_as_judged(found, action, ran, project)


def of_typescript(typescript: Path, project: Path, mode: str, action: str) -> Any:
    """What came of the calls of the TypeScript client, and what the person was asked."""
    command, environ = started(project)
    ended = subprocess.run(
        ["node", str(typescript / "client.mjs"), mode, action, json.dumps(CALLS), *command],
        cwd=project,
        env={**environ, "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


@pytest.mark.parametrize("mode", MODES)
@PERSONS
def test_the_typescript_client_reads_the_same(
    action: str, ran: list[str], mode: str, project: Path, typescript: Path
) -> None:
    said = of_typescript(typescript, project, mode, action)
    is_as_judged(said["found"], action, ran, project)
    asked = [message.partition("\n\n")[2] for message in said["asked"]]
    assert asked == (['May shell of files run with this?\ncommand: "mail x"'] if action else [])


@pytest.mark.parametrize("mode", MODES)
def test_who_agrees_when_the_client_has_given_up_runs_nothing(mode: str, project: Path, typescript: Path) -> None:
    said = of_typescript(typescript, project, mode, "late")
    assert (project.parent / "ran").read_text().splitlines() == ["ls"]
    assert len(said["asked"]) == 1
    assert said["found"][2].startswith("raised: ")
    assert said["found"][3] == "error: Error executing tool fails"  # The session goes on.


def test_without_it_everything_runs_and_reads_the_same(project: Path) -> None:
    plain = asyncio.run(session(project, CALLS, None, guarded=False))
    assert (project.parent / "ran").read_text().splitlines() == ["ls", "deploy", "mail x"]
    guarded = asyncio.run(session(project, CALLS, None))
    assert (plain[0], plain[3]) == (guarded[0], guarded[3])

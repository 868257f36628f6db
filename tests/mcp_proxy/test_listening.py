"""`rulez mcp-proxy --listen`: which command lines start it, and what it says."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.programs import ROOT, SOURCE_COMMAND

needs_library = pytest.mark.skipif(find_spec("mcp") is None, reason="mcp is not installed; run `make integrations`")
TO = ("--to", "http://127.0.0.1:9/mcp")
HERE = ("--listen", "127.0.0.1:0")


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "project").mkdir()
    return {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}


def failed(
    arguments: tuple[str, ...], environ: dict[str, str], start: tuple[str, ...] = SOURCE_COMMAND
) -> tuple[int, str]:
    command = [*start, "mcp-proxy", *arguments]
    cwd = Path(environ["HOME"]) / "project"
    ended = subprocess.run(command, cwd=cwd, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert ended.stdout == ""
    return ended.returncode, ended.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give either the server's command, or --listen HOST:PORT and --to URL"),
        (HERE, "give either"),
        (TO, "give either"),
        ((*HERE, *TO, "--", "ls"), "give either"),
        (("--no-token", "--", "ls"), "go with --listen"),
        (("--header", "A: b", "--", "ls"), "go with --listen"),
        (("--listen", "8333", *TO), "`8333` is not HOST:PORT"),
        (("--listen", "0.0.0.0:0", *TO), "other machines reach 0.0.0.0; use 127.0.0.1, or say --allow-remote"),
        (("--listen", "0.0.0.0:0", *TO, "--allow-remote", "--no-token"), "--no-token is for this machine alone"),
        ((*HERE, "--to", "server.example/mcp"), "is not the URL of a server"),
        ((*HERE, "--to", "file:///etc"), "is not the URL of a server"),
        ((*HERE, *TO, "--header", "Authorization"), "is not the name of a header"),
        ((*HERE, *TO, "--header", "A b: c"), "is not the name of a header"),
        ((*HERE, *TO, "--header", "A: ${NO_SUCH_VARIABLE}"), "the environment has not all that `A` names"),
        ((*HERE, *TO, "--header", "A: b\nC: d"), "printable ASCII"),
    ],
)
def test_wrong_command_lines(arguments: tuple[str, ...], said: str, environ: dict[str, str]) -> None:
    code, text = failed(arguments, environ)
    assert (code, said in " ".join(text.split())) == (2, True), text


@pytest.mark.parametrize(
    ("arguments", "token", "said"),
    [
        (("--token-file", "none"), None, "none cannot be read: No such file or directory"),
        (("--token-file", "/dev/null"), None, "/dev/null has no token: one word of ASCII characters"),
        ((), "", "RULEZ_MCP_TOKEN has no token"),
        (("--rules", "none.yaml"), "x", "none.yaml"),
    ],
)
def test_it_does_not_start_without_a_token_or_a_policy(
    arguments: tuple[str, ...], token: str | None, said: str, environ: dict[str, str]
) -> None:
    given = environ if token is None else {**environ, "RULEZ_MCP_TOKEN": token}
    code, text = failed((*HERE, *TO, *arguments), given)
    assert (code, said in text) == (1, True), text


def test_without_the_library_it_says_how_to_get_it(environ: dict[str, str]) -> None:
    without = "import sys; sys.modules['mcp'] = None; from rulez_py.__main__ import main; sys.exit(main())"
    code, text = failed((*HERE, *TO), environ, (sys.executable, "-c", without))
    assert code == 1
    assert "--listen needs the Python library `mcp`: `pipx install '.[mcp]'` in a clone of rulez" in text


@contextlib.contextmanager
def listening(arguments: tuple[str, ...], environ: dict[str, str]) -> Iterator[list[str]]:
    """What it says when it listens."""
    command = [*SOURCE_COMMAND, "mcp-proxy", *HERE, *TO, *arguments]
    cwd = Path(environ["HOME"]) / "project"
    with subprocess.Popen(command, cwd=cwd, env=environ, stderr=subprocess.PIPE, text=True) as proxy:
        assert proxy.stderr is not None
        try:
            yield [proxy.stderr.readline(), proxy.stderr.readline()]
        finally:
            proxy.terminate()
        assert proxy.stderr.read() == ""


@needs_library
def test_it_prints_what_a_client_needs(environ: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "token").write_text("of-a-file\n")
    tokens = []
    for arguments, given in (
        ((), {}),
        ((), {}),
        ((), {"RULEZ_MCP_TOKEN": "of-the-environment"}),
        (("--token-file", "../token"), {"RULEZ_MCP_TOKEN": "other"}),
        (("--no-token",), {}),
    ):
        with listening(("--server", "db", *arguments), {**environ, **given}) as lines:
            entry = json.loads(lines[1])["mcpServers"]["db"]
            assert lines[0].startswith(f"http://127.0.0.1:9/mcp is judged at {entry['url']}.")
            tokens.append(entry.get("headers", {}).get("Authorization"))
    assert tokens[0] != tokens[1] and len(tokens[0]) > 40
    assert tokens[2:] == ["Bearer ${RULEZ_MCP_TOKEN}", "Bearer THE TOKEN OF ../token", None]

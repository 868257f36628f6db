"""`rulez mcp-proxy`: an MCP server whose calls are judged, for clients that have no hooks."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rulez_py.integrations import Policy

_TOKEN = "RULEZ_MCP_TOKEN"  # noqa: S105


@click.command(
    "mcp-proxy",
    context_settings={"allow_interspersed_args": False},  # What follows is the server's.
    epilog="Exit codes: the server's; 1 it cannot be started, or the policy is not valid; 2 wrong command line.",
)
@click.option(
    "--server",
    metavar="NAME",
    help="What rules call the server: mcp__NAME__TOOL. Default: the name of its program, or its host.",
)
@click.option(
    "--rules", metavar="FILE", type=click.Path(), help="Judge by this file, not the user's and the project's."
)
@click.option("--listen", metavar="HOST:PORT", help="Answer clients by HTTP here, before the server of --to.")
@click.option("--to", metavar="URL", help="The server, where it is reached by HTTP. With --listen.")
@click.option(
    "--header",
    "headers",
    metavar="'NAME: VALUE'",
    multiple=True,
    help="Sent to the server of --to; ${VARIABLE} in it is read from the environment. Any number.",
)
@click.option(
    "--token-file",
    metavar="FILE",
    type=click.Path(),
    help=f"The token that clients send is in this file. Default: {_TOKEN}, else a new one.",
)
@click.option("--no-token", is_flag=True, help="Answer every program of this machine that asks.")
@click.option("--allow-remote", is_flag=True, help="Listen on an address that other machines reach, without TLS.")
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
def mcp_proxy(
    server: str | None,
    rules: str | None,
    listen: str | None,
    to: str | None,
    headers: tuple[str, ...],
    token_file: str | None,
    no_token: bool,
    allow_remote: bool,
    command: tuple[str, ...],
) -> None:
    """Judge every call and every read of an MCP server by the policy.

    In a client's settings put it before the server's own command: `rulez mcp-proxy --server files -- npx server DIR`.
    Before a server that is reached by HTTP, start `rulez mcp-proxy --listen 127.0.0.1:8333 --to URL` and give the
    client the address and token that it prints.

    The policy is that of the directory it is started in. What is refused does not reach the server, and the model reads
    why; what asks is asked in the client, where it can (elicitation). All else goes through as it is.
    """
    from rulez_py.integrations import InvalidPolicy, Policy

    if (listen is None) != (to is None) or (listen is None) != bool(command):
        raise click.UsageError("give either the server's command, or --listen HOST:PORT and --to URL")
    if listen is None and (headers or token_file or no_token or allow_remote):
        raise click.UsageError("--header, --token-file, --no-token and --allow-remote go with --listen")
    try:
        policy = Policy.load(os.getcwd(), rules=rules)
    except InvalidPolicy as error:
        raise click.ClickException(str(error)) from None
    if listen is None or to is None:
        _child(command, policy, server)
    else:
        token = None if no_token else _token(token_file)
        _listen(listen, to, policy, server, [_header(text) for text in headers], token, allow_remote=allow_remote)


def _child(command: tuple[str, ...], policy: Policy, server: str | None) -> None:
    from rulez_py.mcp_proxy.mcp import Mediator
    from rulez_py.mcp_proxy.streams import serve

    name = server or os.path.splitext(os.path.basename(command[0]))[0]
    try:
        serve(command, Mediator(policy.decide, name), sys.stdin.buffer, sys.stdout.buffer)
    except OSError as error:
        raise click.ClickException(f"the server `{command[0]}` cannot be started: {error.strerror or error}") from None


def _listen(
    listen: str,
    to: str,
    policy: Policy,
    server: str | None,
    headers: list[tuple[str, str]],
    token: tuple[str, str] | None,
    *,
    allow_remote: bool,
) -> None:
    """Answer clients until the process is ended. `token` is the token, and how it is written in settings."""
    import socket
    from urllib.parse import urlsplit

    from rulez_py.mcp_proxy import access
    from rulez_py.mcp_proxy.mcp import Mediator

    try:
        host, port = access.address(listen)
    except ValueError as error:
        raise click.UsageError(f"--listen: {error}") from None
    place = urlsplit(to)
    if place.scheme not in ("http", "https") or not place.hostname:
        raise click.UsageError(f"--to: `{to}` is not the URL of a server, such as https://example.com/mcp")
    if not access.is_loopback(host):
        if not allow_remote:
            raise click.UsageError(f"--listen: other machines reach {host}; use 127.0.0.1, or say --allow-remote")
        if token is None:
            raise click.UsageError("--no-token is for this machine alone, not with --allow-remote")
    try:
        from rulez_py.mcp_proxy import streamable_http
    except ModuleNotFoundError:
        needed = "--listen needs the Python library `mcp`: `pipx install '.[mcp]'` in a clone of rulez"
        raise click.ClickException(f"{needed}; the program that is downloaded does not have it") from None
    name = server or place.hostname
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        raise click.ClickException(f"cannot listen on {listen}: {error.strerror or error}") from None
    port = listening.getsockname()[1]
    hosts = [] if host in ("0.0.0.0", "::") else access.hosts(host, port)  # noqa: S104
    own = f"http://{hosts[0] if hosts else f'ADDRESS:{port}'}{streamable_http.PATH}"
    click.echo(_settings(name, to, own, token), err=True)
    streamable_http.serve(
        listening,
        to,
        lambda: Mediator(policy.decide, name),
        hosts=hosts,
        token=token and token[0],
        headers=headers,
    )


def _settings(name: str, to: str, own: str, token: tuple[str, str] | None) -> str:
    """Return what a person reads when the proxy listens: what to put into the client's settings."""
    import json

    entry: dict[str, object] = {"type": "http", "url": own}
    if token is not None:
        entry["headers"] = {"Authorization": f"Bearer {token[1]}"}
    return f"{to} is judged at {own}. In the client's settings:\n" + json.dumps({"mcpServers": {name: entry}})


def _token(file: str | None) -> tuple[str, str]:
    """Return the token, and how it is written in settings: as it is only where it is new."""
    from rulez_py.mcp_proxy import access

    given = os.environ.get(_TOKEN)
    if file is None and given is None:
        new = access.new_token()
        return new, new
    try:
        if file is None:
            return access.token_of(given or ""), f"${{{_TOKEN}}}"
        with open(file, encoding="ascii") as opened:
            return access.token_of(opened.read()), f"THE TOKEN OF {file}"
    except OSError as error:
        raise click.ClickException(f"{file} cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise click.ClickException(f"{file or _TOKEN} has no token: one word of ASCII characters") from None


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip() or not name.isascii() or not name.isprintable() or " " in name.strip():
        raise click.UsageError(f"--header: `{name}` is not the name of a header, such as 'Authorization: Bearer TOKEN'")
    value = os.path.expandvars(value.strip())
    if "${" in value:
        raise click.UsageError(f"--header: the environment has not all that `{name.strip()}` names")
    if not value.isascii() or not value.isprintable():
        raise click.UsageError(f"--header: the value of `{name.strip()}` is not of printable ASCII characters")
    return name.strip(), value

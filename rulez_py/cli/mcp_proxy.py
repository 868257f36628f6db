"""`rulez mcp-proxy`: an MCP server whose calls are judged, for clients that have no hooks."""

from __future__ import annotations

import os
import sys

import click


@click.command(
    "mcp-proxy",
    context_settings={"allow_interspersed_args": False},  # What follows is the server's.
    epilog="Exit codes: the server's; 1 it cannot be started, or the policy is not valid; 2 wrong command line.",
)
@click.option(
    "--server",
    metavar="NAME",
    help="What rules call the server: mcp__NAME__TOOL. Default: the name of its program.",
)
@click.option(
    "--rules", metavar="FILE", type=click.Path(), help="Judge by this file, not the user's and the project's."
)
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def mcp_proxy(server: str | None, rules: str | None, command: tuple[str, ...]) -> None:
    """Start an MCP server and judge every call of its tools by the policy.

    In a client's settings put it before the server's own command: `rulez mcp-proxy --server files -- npx server DIR`.
    The policy is that of the directory it is started in. What is refused does not reach the server, and the model reads
    why; what asks is asked in the client, where it can (elicitation). All else goes through as it is.
    """
    from rulez_py.integrations import InvalidPolicy, Policy
    from rulez_py.mcp_proxy.mcp import Mediator
    from rulez_py.mcp_proxy.streams import serve

    try:
        policy = Policy.load(os.getcwd(), rules=rules)
    except InvalidPolicy as error:
        raise click.ClickException(str(error)) from None
    name = server or os.path.splitext(os.path.basename(command[0]))[0]
    try:
        serve(command, Mediator(policy.decide, name), sys.stdin.buffer, sys.stdout.buffer)
    except OSError as error:
        raise click.ClickException(f"the server `{command[0]}` cannot be started: {error.strerror or error}") from None

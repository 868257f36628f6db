"""`rulez uninstall`: our hooks out of the agents' settings, which are then as they were before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rulez_py.cli import person
from rulez_py.cli.install import (
    EXIT_CODES,
    NOT_OF_THE_MACHINE,
    SCOPES,
    NotDone,
    Plans,
    dry_run_option,
    platforms_argument,
    say_long,
    scope_option,
    this_machine,
)
from rulez_py.platforms import PLATFORMS

if TYPE_CHECKING:
    from collections.abc import Iterable

_LEFT = "Left: your policy (~/.config/rulez), the log and what you trust (~/.local/state/rulez), ~/.cache/rulez."


@click.command("uninstall", epilog=EXIT_CODES)
@platforms_argument
@scope_option
@dry_run_option
@click.option("--mcp", is_flag=True, help="Instead of hooks: start the agents' MCP servers without the proxy again.")
def uninstall(platforms: tuple[str, ...], scope: str, dry_run: bool, mcp: bool) -> None:
    """Take rulez out of your coding agents again: nothing judges their calls from then on.

    \b
      rulez uninstall --dry-run        look first
      rulez uninstall                  out of all agents
      rulez uninstall codex            out of this one
      rulez uninstall --scope project  out of the files of this project
      rulez uninstall --mcp            from before the MCP servers of all agents

    A settings file is then what it was before, byte for byte; what was changed in it since then stays. Do this before
    you remove the program: with the hook left and the program gone, the agents block every call.
    """
    from rulez_py.install.plan import to_uninstall

    here = this_machine()
    why = "" if dry_run else person.why_agent()
    if why:
        raise NotDone(why)
    done = Plans(here, scope, dry_run)
    if mcp and scope == SCOPES[2]:
        raise NotDone(NOT_OF_THE_MACHINE)
    if mcp:
        _take_proxy(done, platforms or PLATFORMS)
        return
    for platform in platforms or PLATFORMS:
        done.make(platform, lambda platform: to_uninstall(platform, scope, here))
    if not dry_run:
        _carry_out(done)
    if not done.failed and not any(plan.needed for _, plan in done.plans):
        click.echo("rulez is not set up there")
    _say_where_else(done, platforms or PLATFORMS)
    done.end()


def _take_proxy(done: Plans, platforms: Iterable[str]) -> None:
    """Start the agents' MCP servers without the proxy. Ends the command."""
    from rulez_py.install.mcp_servers import to_unwrap, unwrap

    for platform in platforms:
        done.make(platform, lambda platform: to_unwrap(platform, done.scope, done.here))
    if not done.dry_run:
        for platform, plan in done.plans:
            said = [f"no MCP server in {done.shown_link(change)} is behind the proxy" for change in plan.needed]
            done.carry_out(platform, plan, unwrap, said)
        if done.changed:
            click.echo("Start agents that are running again.")
    if not done.failed and not any(plan.needed for _, plan in done.plans):
        click.echo("no MCP server is behind the proxy there")
    done.end()


def _say_where_else(done: Plans, platforms: Iterable[str]) -> None:
    from rulez_py.install import found
    from rulez_py.install.mcp_servers import BEHIND, servers

    for scope in SCOPES:
        if scope != done.scope and not done.dry_run:
            paths = {one.path for platform in platforms for one in found(platform, scope, done.here)[0]}
            for path in sorted(paths):
                say_long(f"note: it is set up in {done.shown(path)} as well: `rulez uninstall --scope {scope}`")
    for scope in SCOPES if not done.dry_run else ():
        behind = [one for platform in platforms for one in servers(platform, scope, done.here) if one.state == BEHIND]
        for path in sorted({one.file for one in behind}):
            advice = f"`rulez uninstall --mcp --scope {scope}`"
            say_long(f"note: MCP servers in {done.shown(path)} are started behind rulez: {advice}")


def _carry_out(done: Plans) -> None:
    from rulez_py.install.plan import uninstall

    for platform, plan in done.plans:
        said = [
            f"{done.shown_link(change)} {'is gone' if change.after is None else 'has nothing of rulez any more'}"
            for change in plan.needed
        ]
        done.carry_out(platform, plan, uninstall, said)
    if done.changed:
        click.echo("Start agents that are running again.")
        if done.scope == "user":
            say_long(_LEFT)

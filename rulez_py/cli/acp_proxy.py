"""`rulez acp-proxy`: an agent whose requests to its editor are judged, for editors that start agents by ACP."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from rulez_py.cli.platform_option import NAMES, platform_option

if TYPE_CHECKING:
    from collections.abc import Mapping


@click.command(
    "acp-proxy",
    context_settings={"allow_interspersed_args": False},  # What follows is the agent's.
    epilog="Exit codes: the agent's; 1 it cannot be started; 2 wrong command line.",
)
@platform_option(f"Whose tools the agent has: {NAMES}. Default: as the agent calls itself.")
@click.option(
    "--rules", metavar="FILE", type=click.Path(), help="Judge by this file, not the user's and the project's."
)
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def acp_proxy(platform: str | None, rules: str | None, command: tuple[str, ...]) -> None:
    """Start an agent for an editor (ACP) and judge what it asks the editor for.

    In the editor's settings put it before the agent's own command: `rulez acp-proxy -- qwen --acp`. A request for
    permission that the policy denies is rejected, and the person reads why; all others stay with the person. Files that
    the editor shall read or write and commands that it shall run are judged as well. What the agent does without asking
    the editor is not seen: where the agent has hooks, `rulez install` protects more.
    """
    from rulez_py.acp_proxy.acp import Mediator
    from rulez_py.acp_proxy.streams import serve
    from rulez_py.integrations import Decision, InvalidPolicy, Policy

    policies: dict[str, Policy] = {}

    def problem(project: str) -> str:
        try:
            policies[project] = Policy.load(project or os.getcwd(), rules=rules)
        except (InvalidPolicy, NotADirectoryError) as error:
            return str(error)
        return ""

    def judge(project: str, call: Mapping[str, object]) -> Decision:
        wrong = "" if project in policies else problem(project)
        return Decision(decision="deny", reason=wrong, failed=True) if wrong else policies[project].decide(call)

    mediator = Mediator(judge, problem, platform or "")
    try:
        serve(command, mediator, sys.stdin.buffer, sys.stdout.buffer, sys.stderr.buffer)
    except OSError as error:
        raise click.ClickException(f"the agent `{command[0]}` cannot be started: {error.strerror or error}") from None

"""The command line: one click command per file. `rulez hook` itself never comes through here."""

from __future__ import annotations

import click

from rulez_py import __version__
from rulez_py.cli.agents_project import agents
from rulez_py.cli.allow import allow
from rulez_py.cli.completion import completion
from rulez_py.cli.debug import debug
from rulez_py.cli.doctor import doctor
from rulez_py.cli.explain import explain
from rulez_py.cli.help import Grouped
from rulez_py.cli.hook import hook
from rulez_py.cli.hooks import hooks
from rulez_py.cli.init import init
from rulez_py.cli.install import install
from rulez_py.cli.lint import lint
from rulez_py.cli.log import log
from rulez_py.cli.mcp_proxy import mcp_proxy
from rulez_py.cli.migrate import migrate
from rulez_py.cli.packs import packs
from rulez_py.cli.pause import pause
from rulez_py.cli.programs import programs
from rulez_py.cli.replay import replay
from rulez_py.cli.report import report
from rulez_py.cli.resume import resume
from rulez_py.cli.schema import schema
from rulez_py.cli.status import status
from rulez_py.cli.test import test
from rulez_py.cli.tools import tools
from rulez_py.cli.trust import trust
from rulez_py.cli.uninstall import uninstall
from rulez_py.cli.validate import validate


@click.group(
    cls=Grouped,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="`rulez COMMAND -h` says what a command does, with an example.",
)
@click.version_option(__version__, "-V", "--version", prog_name="rulez", message="%(prog)s %(version)s")
def cli() -> None:
    """One policy for every coding agent: a hook that says no when no is right."""


for command in (
    *(hook, install, uninstall, doctor, status, hooks, init, explain, log, allow, pause, resume, replay, report),
    *(validate, lint, test, debug, migrate, packs, trust, tools, programs, agents, schema, completion, mcp_proxy),
):
    cli.add_command(command)

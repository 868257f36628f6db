"""The command line: one click command per file. `rulez hook` itself never comes through here."""

from __future__ import annotations

import click

from rulez_py import __version__
from rulez_py.cli.agents import agents
from rulez_py.cli.hook import hook
from rulez_py.cli.log import log
from rulez_py.cli.packs import packs
from rulez_py.cli.programs import programs
from rulez_py.cli.replay import replay
from rulez_py.cli.schema import schema
from rulez_py.cli.test import test
from rulez_py.cli.tools import tools
from rulez_py.cli.trust import trust
from rulez_py.cli.validate import validate


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="rulez", message="%(prog)s %(version)s")
def cli() -> None:
    """One policy for every coding agent: a hook that says no when no is right."""


for command in (hook, validate, test, log, replay, packs, trust, tools, programs, agents, schema):
    cli.add_command(command)

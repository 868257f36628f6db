"""The command line: one click command per file, listed in `help.SECTIONS`.

`rulez hook` itself never comes through here.
"""

from __future__ import annotations

from importlib import import_module

import click

from rulez_py import __version__
from rulez_py.cli.help import SECTIONS, Grouped


@click.group(
    cls=Grouped,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="`rulez COMMAND -h` says what a command does, with an example.",
)
@click.version_option(__version__, "-V", "--version", prog_name="rulez", message="%(prog)s %(version)s")
def cli() -> None:
    """One policy for every coding agent: a hook that says no when no is right."""


_MODULES = {"agents": "agents_project"}
"""The modules of the commands that are not called like them."""


def _command(name: str) -> click.Command:
    """Load one command from the module that is called like it."""
    called = name.replace("-", "_")
    found: click.Command = getattr(import_module(f"{__name__}.{_MODULES.get(name, called)}"), called)
    return found


for _title, names in SECTIONS:
    for name in names:
        cli.add_command(_command(name))

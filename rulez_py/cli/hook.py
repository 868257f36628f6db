"""`rulez hook` as `rulez --help` lists it. The process entry answers it long before click is imported."""

from __future__ import annotations

import sys

import click

from rulez_py.hook.main import main


@click.command(
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []},
)
@click.pass_context
def hook(context: click.Context) -> None:
    """Judge one hook event read from stdin (what the agents call)."""
    sys.exit(main(context.args))

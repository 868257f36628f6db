"""`rulez hooks`: print the settings of an agent, for people who put them there in another way."""

from __future__ import annotations

import click

from rulez_py.platforms import PLATFORMS


@click.group("hooks")
def hooks() -> None:
    """Show what `rulez install` writes, to put it somewhere else."""


@hooks.command("show", epilog="Exit codes: 0 done; 2 wrong command line.")
@click.argument("platform", type=click.Choice(PLATFORMS))
@click.option("--command", metavar="CMD", help="How the agent calls rulez, in place of `rulez` on its PATH.")
def show(platform: str, command: str | None) -> None:
    """Print the settings, or the plugin, by which an agent calls rulez.

    \b
      rulez hooks show gemini
      rulez hooks show opencode > .opencode/plugin/rulez.js
    """
    from rulez_py.install import programs
    from rulez_py.install.entries import filled

    try:
        click.echo(filled(platform, programs.chosen("project", command)._replace(missing="")), nl=False)
    except programs.CannotName as error:
        raise click.BadParameter(str(error)) from None

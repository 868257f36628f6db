"""`rulez status`: the short form of `rulez doctor`, which tries nothing."""

from __future__ import annotations

import click

from rulez_py.cli.doctor import EXIT_CODES, examined, say
from rulez_py.cli.install import platforms_argument


@click.command(epilog=EXIT_CODES)
@platforms_argument
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def status(platforms: tuple[str, ...], as_json: bool) -> None:
    """Show where rulez is set up, which policy is in force, and what is paused or may pass.

    \b
    rulez status
    rulez status --json

    It only looks; `rulez doctor` also tries the hooks.
    """

    from rulez_py.doctor import rendered

    found, _ = examined(platforms, trying=False)
    say(found, rendered.short(found), as_json=as_json)

"""The option `--platform` of commands that are about one agent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from rulez_py.platforms import AUTO, PLATFORMS

NAMES = ", ".join(PLATFORMS)
"""The names of all agents, for a help text: in the usage line they would not wrap."""


def platform_option(about: str, *names: str, auto: bool = False, **more: Any) -> Callable[[Any], Any]:
    """Return the option; `about` is its help, `auto` lets a payload tell the agent, `names` and `more` go to click."""
    choice = click.Choice((*PLATFORMS, AUTO) if auto else PLATFORMS)
    return click.option("--platform", *names, metavar="PLATFORM", type=choice, help=about, **more)

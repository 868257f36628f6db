"""The option `--platform` of commands that are about one agent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from rulez_py.platforms import PLATFORMS

NAMES = ", ".join(PLATFORMS)
"""The names of all agents, for a help text: in the usage line they would not wrap."""


def platform_option(about: str, *names: str, **more: Any) -> Callable[[Any], Any]:
    """Return the option; `about` is its help, `names` and `more` go to click."""
    return click.option("--platform", *names, metavar="PLATFORM", type=click.Choice(PLATFORMS), help=about, **more)

"""Tables for a terminal, with its width and colours decided in one place.

Import this inside a command: rich is no part of any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rulez_py.verdict import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

STYLES = {"deny": "bold red", "ask": "yellow", "allow": "green", "pass": "dim"}
"""Verdict -> how it looks."""


def console(*, stderr: bool = False) -> Console:
    """Return the terminal, or 80 columns without colours in place of one; NO_COLOR and FORCE_COLOR count.

    Nothing that is printed is read as markup, an emoji's name or something to highlight.
    """
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)


def cell(text: object, style: str = "") -> Text:
    """Return text from anywhere without characters that a terminal obeys."""
    return Text(visible(str(text)), style=style)


def table(columns: Iterable[tuple[str, bool]], rows: Iterable[Sequence[Text]]) -> Table:
    """Rows below a head: of each column its title, and whether it holds numbers. Long cells go on in the next line."""
    made = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for title, numbers in columns:
        made.add_column(title, justify="right" if numbers else "left", no_wrap=numbers, overflow="fold")
    for row in rows:
        made.add_row(*row)
    return made

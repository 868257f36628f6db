"""`rulez report`: the log as a page for the person responsible for a team."""

from __future__ import annotations

import os
import tempfile
import time

import click

from rulez_py.cli.log import choosing, chosen, reading, summary_as_json
from rulez_py.verdict import ASK, DENY, counted, visible


@click.command("report", epilog="Exit codes: 0; 1 a file cannot be read or written; 2 wrong command line.")
@choosing
@click.option("--html", "target", type=click.Path(), required=True, help="The page to write; `-` prints it.")
def report(files: tuple[str, ...], since: str, target: str, **sets: tuple[str, ...]) -> None:
    """Write a page that shows the log: a chart, tables, filters.

    \b
    rulez report --html week.html --since 7d

    It is one file that loads nothing from anywhere. Without FILE it is about your own log.
    """
    from dataclasses import replace

    from rulez_py.history.reading import last_entries
    from rulez_py.history.report import STOPPED, page
    from rulez_py.history.summary import summarised
    from rulez_py.log.audit import iso_time

    query, paths = chosen(files, since, **sets)
    wanted = frozenset((DENY, ASK)) & (query.verdicts or frozenset((DENY, ASK)))
    try:
        with reading(paths) as raw:
            summary = summarised(raw, query)
        stopped = last_entries(paths, replace(query, verdicts=wanted), STOPPED + 1) if wanted else []
        hours = sorted(hour for hour, _ in summary.hours)
        period = f"{hours[0].replace('T', ' ')}h to {hours[-1].replace('T', ' ')}h (UTC)" if hours else "No calls."
        text = page(summary_as_json(summary), stopped, period, iso_time(time.time())[:19].replace("T", " "))
        if target == "-":
            click.echo(text, nl=False)
            return
        _write(target, text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise click.ClickException(f"{visible(str(error.filename or target))}: {error.strerror or error}") from None
    click.echo(f"{counted(summary.calls, 'call')}: {visible(target)}")


def _write(target: str, text: str) -> None:
    """Write a file whole or not at all. Raises OSError."""
    directory = os.path.dirname(os.path.abspath(target))
    descriptor, path = tempfile.mkstemp(dir=directory, prefix=".rulez-report-")
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(path, target)
    except BaseException:
        os.unlink(path)
        raise

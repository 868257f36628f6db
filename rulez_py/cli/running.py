"""The process of a command: which colours it prints, and how it ends where its output cannot be written."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from collections.abc import Mapping

CANNOT_WRITE = 1
"""The exit code where the output could not be written, whatever the command had found."""
_NOBODY_READS = (errno.EPIPE, errno.ESHUTDOWN, errno.ECONNRESET)
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def run(command: click.Command) -> NoReturn:
    """Carry out the command line of this process, and end it."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # Characters that the terminal's character set lacks are spelled out.
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _exit_code(command)
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        if error.errno not in (*_NOBODY_READS, *_NO_ROOM) or error.filename is not None:
            raise
        code = CANNOT_WRITE
        _let_go_of_the_output()
        if error.errno in _NO_ROOM:
            click.echo(f"Error: the output cannot be written: {os.strerror(error.errno or 0)}", err=True)
    sys.exit(code)


def _exit_code(command: click.Command) -> int | str | None:
    """Return what the command ends with."""
    try:
        return command.main(prog_name="rulez", color=colours(os.environ), standalone_mode=False) or 0
    except click.ClickException as error:
        return _told(error)
    except click.Abort:
        click.echo("Aborted!", err=True)
        return 1
    except SystemExit as ended:
        return ended.code


def _told(error: click.ClickException) -> int:
    """Show an error, and its exit code. What it says of the command line is spelled out: it may be anybody's text."""
    from io import StringIO

    from rulez_py.verdict import visible

    said = StringIO()
    error.show(said)
    for line in said.getvalue().splitlines():
        click.echo(visible(line), err=True)
    return error.exit_code


def _let_go_of_the_output() -> None:
    """Nothing that is still to be written is tried again when Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1,):
        os.dup2(nowhere, descriptor)


def colours(environ: Mapping[str, str]) -> bool | None:
    """Tell whether to print colours: what the environment says of it, None where a terminal is to decide.

    See https://no-color.org and https://force-color.org.
    """
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0") or environ.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    return False if environ.get("TERM") == "dumb" else None

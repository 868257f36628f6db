"""Workflow commands: lines that GitHub displays beside the lines of a pull request."""

from __future__ import annotations


def command(kind: str, path: str, line: int, column: int, text: str, *, title: str, end: int | None = None) -> str:
    """Return the line of one finding.

    `kind` is `error`, `warning` or `notice`; `line`, `column` and `end`, the column behind its last one, count from 1.
    """
    where = f"file={_property(path)},line={line},col={column}"
    until = "" if end is None else f",endColumn={end}"
    return f"::{kind} {where}{until},title={_property(title)}::{_data(text)}"


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")

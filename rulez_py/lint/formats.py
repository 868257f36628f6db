"""Print findings: as text, as JSON, as commands for GitHub's checks, and as SARIF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulez_py import __version__
from rulez_py.documents.github import command as github_command
from rulez_py.lint.checks import CHECKS, DOUBTFUL, INVALID
from rulez_py.lint.values import ERROR, NOTE, WARNING
from rulez_py.verdict import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rulez_py.lint.values import Finding

    Paint = Callable[[str, str], str]

PAGE = "docs/lint.md"
SCHEMA = 1
_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {ERROR: "error", WARNING: "warning", NOTE: "note"}
_LONGEST = 120


def text(findings: Sequence[Finding], files: int, paint: Paint) -> Iterator[str]:
    """Yield each finding with its line and carets under it."""
    for one in findings:
        place = f"{one.file}:{one.line}:{one.column}"
        yield f"{paint('place', place)}: {paint(one.severity, one.severity)} {one.code}: {one.message}"
        yield from _source(one, paint)
        if one.help:
            yield f"    help: {one.help}"
        yield ""
    yield _summary(findings, files)


def _source(one: Finding, paint: Paint) -> Iterator[str]:
    if not one.source:
        return
    start = max(0, one.column - 1 - _LONGEST // 2)
    shown = one.source.replace("\t", " ")[start : start + _LONGEST]
    before, number = one.column - 1 - start, str(one.line)
    carets = " " * len(visible(shown[:before])) + paint("mark", "^" * max(1, min(one.width, len(shown) - before)))
    yield f"{number:>5} | {visible(shown)}"
    yield f"      | {carets}"


def _summary(findings: Sequence[Finding], files: int) -> str:
    looked = f"{files} file" + ("" if files == 1 else "s")
    if not files:
        return "there is no policy file to look at"
    if not findings:
        return f"{looked}: nothing to say"
    counted = [(sum(one.severity == severity for one in findings), severity) for severity in _LEVELS]
    said = ", ".join(f"{count} {severity}{'' if count == 1 else 's'}" for count, severity in counted if count)
    return f"{looked}: {said}; {PAGE} explains the codes"


def as_json(findings: Sequence[Finding]) -> dict[str, Any]:
    """Return one JSON object."""
    keys = ("code", "severity", "file", "line", "column", "width", "message", "help")
    return {"schema": SCHEMA, "findings": [{key: getattr(one, key) for key in keys} for one in findings]}


def github(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield workflow commands, which GitHub displays beside the lines."""
    for one in findings:
        kind = {NOTE: "notice"}.get(one.severity, one.severity)
        said = f"{one.message}; {one.help}" if one.help else one.message
        end = one.column + one.width
        yield github_command(kind, one.file, one.line, one.column, said, title=one.code, end=end)


def sarif(findings: Sequence[Finding]) -> dict[str, Any]:
    """Return a log in SARIF 2.1.0."""
    known = [(check.code, check.severity, check.title, check.why) for check in CHECKS]
    known = [(INVALID, ERROR, "An invalid file", ""), (DOUBTFUL, WARNING, "What `rulez validate` warns of", ""), *known]
    rules = [
        {
            "id": code,
            "shortDescription": {"text": title},
            "fullDescription": {"text": why or title},
            "defaultConfiguration": {"level": _LEVELS[severity]},
        }
        for code, severity, title, why in known
    ]
    results = [
        {
            "ruleId": one.code,
            "level": _LEVELS[one.severity],
            "message": {"text": f"{one.message}; {one.help}" if one.help else one.message},
            "locations": [{"physicalLocation": _location(one)}],
        }
        for one in findings
    ]
    tool = {"driver": {"name": "rulez", "version": __version__, "rules": rules}}
    return {"$schema": _SARIF, "version": "2.1.0", "runs": [{"tool": tool, "results": results}]}


def _location(one: Finding) -> dict[str, Any]:
    region = {"startLine": one.line, "startColumn": one.column, "endColumn": one.column + one.width}
    return {"artifactLocation": {"uri": one.file.replace("\\", "/")}, "region": region}

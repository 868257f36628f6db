"""Run every check on a policy file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rulez_py.documents.diagnostics import diagnostic
from rulez_py.lint.checks import CHECKS, DOUBTFUL, INVALID, MISTAKES
from rulez_py.lint.values import ERROR, WARNING, Finding, Read
from rulez_py.policy.format.check import check_document, read_document
from rulez_py.policy.format.compile import compile_rules
from rulez_py.policy.format.schema import FILE
from rulez_py.policy.model.layers import USER
from rulez_py.policy.store.whole import read_whole
from rulez_py.verdict import visible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rulez_py.documents.diagnostics import Diagnostic
    from rulez_py.documents.document import Document
    from rulez_py.policy.format.check import Checked
    from rulez_py.policy.model.rule import Rule

_LONGEST_LINE = 10_000
_CLOSING = {"[": "]", "{": "}", '"': '"', "'": "'"}


def lint(
    content: bytes, shown: str, *, root: str = "", path: str = "", only: Sequence[str] = ()
) -> tuple[Finding, ...]:
    """Return the findings about a file, by position. With its `path`, the files that it extends are read.

    `root` is what its scripts are relative to, "" to look for none.

    `only` are the codes, or beginnings of codes, that are asked for; none for all.
    """
    document = read_document(content, shown)
    checked, problems = _checked(content, document, shown, root, path)
    # No line of a file that is no policy is printed: an agent may name any file.
    lines = content.decode("utf-8", "replace").splitlines() if _has_our_keys(checked.raw) else ()
    found = [_of_problem(one, lines) for one in problems]
    if checked.data is not None:
        compiled = compile_rules(
            checked.data, checked.rule_lines, layer=USER, shown=shown, root=root or "/", trusted=True
        )
        data = checked.data
        read = Read(
            data, {rule["name"]: rule for rule in compiled}, lambda: _extended(data, root), lambda: _unchanged(data)
        )
        names = [rule["name"] for _path, rule in read.each()]
        for check in CHECKS:
            for said in check.find(read):
                line, column = document.position(said.path)
                index = said.path[1] if len(said.path) > 1 else None
                rule = f"rule `{names[index]}`: " if isinstance(index, int) else ""
                at = (line, column, *_underlined(lines, line, column))
                one = _finding(check.code, check.severity, shown, at, visible(rule + said.message), visible(said.help))
                found.append(replace(one, fix=said.fix))
    wanted = [one for one in found if not only or one.code.startswith(tuple(only))]
    return tuple(sorted(wanted, key=lambda one: (one.line, one.column, one.code)))


def _checked(
    content: bytes, document: Document, shown: str, root: str, path: str
) -> tuple[Checked, tuple[Diagnostic, ...]]:
    """Return the file, checked, and what is wrong with it or with finding the files that it extends."""
    if not path:
        checked = check_document(document, shown, root=root)
        return checked, checked.problems
    whole = read_whole(path, content, shown, layer="", root=root)
    return whole.checked, tuple(one for one in whole.problems if one.path == shown)


def _has_our_keys(written: object) -> bool:
    return isinstance(written, dict) and bool(written.keys() & FILE.fields.keys())


def _extended(data: Mapping[str, Any], root: str) -> list[Rule]:
    """Return the rules of the sets that a file extends, as it has them in this project."""
    from rulez_py.policy.format.overrides import overridden
    from rulez_py.policy.store.load import read_packs

    sets = read_packs(data.get("extends") or (), "/", layer=USER, disable=data.get("disable") or ())
    return [rule for one in sets for rule in overridden(one.rules, data.get("overrides") or {}, root)]


def _unchanged(data: Mapping[str, Any]) -> list[Rule]:
    """Return the rules of the sets that a file extends, and the essentials, before it changes any."""
    from rulez_py.policy.format.overrides import ENFORCE, in_mode
    from rulez_py.policy.store.load import read_floor, read_packs

    mode = (data.get("settings") or {}).get("mode", ENFORCE)
    sets = read_packs(data.get("extends") or (), "/", layer=USER, disable=data.get("disable") or ())
    return [*(rule for one in sets for rule in in_mode(one.rules, mode, "")), *read_floor("/").rules]


def warnings_in(content: bytes, shown: str, *, root: str, path: str) -> tuple[Diagnostic, ...]:
    """Return the warnings of `rulez validate`: rules that never match, never act or never count."""
    found = lint(content, shown, root=root, path=path, only=MISTAKES)
    return tuple(
        diagnostic(shown, (one.line, one.column), f"{one.message} ({one.code})", one.help, severity=WARNING)
        for one in found
    )


def _of_problem(one: Diagnostic, lines: Sequence[str]) -> Finding:
    """Return the diagnostics of `rulez validate`."""
    code, severity = (INVALID, ERROR) if one.severity == ERROR else (DOUBTFUL, WARNING)
    at = (one.line, one.column, *_underlined(lines, one.line, one.column))
    return _finding(code, severity, one.path, at, one.message, one.help)


def _finding(code: str, severity: str, file: str, at: tuple[int, int, int, str], message: str, help: str) -> Finding:
    line, column, width, source = at
    return Finding(code, severity, file, line, column, width, message, help, source)


def _underlined(lines: Sequence[str], line: int, column: int) -> tuple[int, str]:
    """Return the number of characters that a finding is about, and the line."""
    if not 0 < line <= len(lines) or len(lines[line - 1]) > _LONGEST_LINE:
        return 1, ""
    text = lines[line - 1]
    return width(text[column - 1 :]), text


def width(rest: str) -> int:
    """Return the length of the value at the start of a text: to its closing bracket or quote, else to its end."""
    closing = _CLOSING.get(rest[:1])
    if closing in ('"', "'"):
        end = rest.find(closing, 1)
        return end + 1 if end > 0 else len(rest.rstrip()) or 1
    if closing:
        depth = 0
        for at, character in enumerate(rest):
            depth += (character == rest[0]) - (character == closing)
            if not depth:
                return at + 1
        return len(rest.rstrip())
    ends = [at for separator in (" #", ",", "]", "}", ": ") if (at := rest.find(separator)) > 0]
    return len(rest[: min(ends, default=len(rest))].rstrip()) or 1

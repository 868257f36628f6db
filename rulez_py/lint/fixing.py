"""What is found and can be written otherwise without another meaning: the file with that written so.

INVARIANT: a file differs from what it was in what was to be changed and in nothing else, comments and layout included.
What the reader of policies makes of it is compared after each change; one with another result is left out.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from rulez_py.lint.lint import lint, width
from rulez_py.policy.format.check import read_document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.documents.document import Document
    from rulez_py.lint.values import Finding, Fix


def fixed(content: bytes, shown: str, found: Sequence[Finding]) -> tuple[bytes, tuple[Finding, ...]]:
    """Return the file with all fixes applied, and the findings that were fixed."""
    done: list[Finding] = []
    for one in sorted(found, key=lambda one: (one.line, one.column), reverse=True):
        if one.fix is None:
            continue
        written = _written(content, shown, one.fix)
        if written is not None and one.code not in _codes_at(written, shown, one):
            content = written
            done.append(one)
    return content, tuple(reversed(done))


def _codes_at(content: bytes, shown: str, finding: Finding) -> set[str]:
    """Return the finding of the same code at the line of a finding."""
    return {one.code for one in lint(content, shown, only=(finding.code,)) if one.line == finding.line}


def _written(content: bytes, shown: str, fix: Fix) -> bytes | None:
    """Return the file with one key rewritten; None where that takes more than its line."""
    document = read_document(content, shown)
    path = document.present(fix.path)
    (line, column), (value_line, value_column) = document.key_position(path), document.position(path)
    lines = content.decode("utf-8").splitlines(keepends=True)
    if line != value_line or path[-1:] != fix.path[-1:]:
        return None
    text = lines[line - 1]
    ending = text[len(text.rstrip("\r\n")) :]
    before, behind = text[: column - 1], text[value_column - 1 :].rstrip("\r\n")
    behind = behind[width(behind) :]
    if fix.text:
        lines[line - 1] = before + fix.text + behind + ending
    elif before.strip() or behind.strip():
        return None
    else:
        del lines[line - 1]
    written = "".join(lines).encode("utf-8")
    return written if read_document(written, shown).data == _expected(document, path, fix.text) else None


def _expected(document: Document, path: tuple[str | int, ...], text: str) -> Any:
    """Return what is to be read of the file then."""
    data = deepcopy(document.data)
    holder = data
    for segment in path[:-1]:
        holder = holder[segment]
    del holder[path[-1]]
    if text:
        holder.update(read_document(text.encode(), "").data)
    return data

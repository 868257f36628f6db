"""Values of lint."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulez_py.documents.document import Path
    from rulez_py.policy.model.rule import Rule

ERROR, WARNING, NOTE = "error", "warning", "note"
"""Severities: the file is not valid; a rule does not do what it says; a rule could be better."""
SEVERITIES = (ERROR, WARNING, NOTE)


@dataclass(frozen=True)
class Fix:
    """One key of the file that can be written otherwise without another meaning.

    `path` is that of the key; `text` is the new text there, key and value on one line, "" for nothing.
    """

    path: Path
    text: str


@dataclass(frozen=True)
class Message:
    """The message of a check at a path in the file: what is wrong there, and what would be right.

    `fix` writes it so, where that changes nothing else.
    """

    path: Path
    message: str
    help: str = ""
    fix: Fix | None = None


@dataclass(frozen=True)
class Read:
    """A valid policy file: its data in the one shape of the schema, and its rules, compiled, by their names.

    `extended` gives the rules of the sets that it extends, as it has them; `unchanged` those and the essentials, as
    they are by themselves.
    """

    data: Mapping[str, Any]
    rules: Mapping[str, Rule]
    extended: Callable[[], Sequence[Rule]] = tuple
    unchanged: Callable[[], Sequence[Rule]] = tuple

    def each(self) -> Iterable[tuple[Path, Mapping[str, Any]]]:
        """Yield every rule, as it is written, with its path."""
        for index, rule in enumerate(self.data.get("rules") or ()):
            yield ("rules", index), rule


@dataclass(frozen=True)
class Check:
    """One check of lint. `bad` and `good` are rules with and without a finding.

    `bad_head` and `good_head` are lines above these, of the file itself.
    """

    code: str
    severity: str
    title: str
    why: str
    bad: str
    good: str
    find: Callable[[Read], Iterable[Message]]
    good_head: str = ""
    bad_head: str = ""


@dataclass(frozen=True)
class Finding:
    """One finding in one file, in the words of `Diagnostic`; it is about `width` characters of the line."""

    code: str
    severity: str
    file: str
    line: int
    column: int
    width: int
    message: str
    help: str
    source: str
    fix: Fix | None = None


def in_a_row(names: Iterable[str]) -> str:
    """Return these names for a sentence."""
    return " and ".join(names)

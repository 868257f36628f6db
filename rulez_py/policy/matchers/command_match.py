"""`command_match`: regexes on the command line, and on the lines of files that hold what it runs."""

from __future__ import annotations

from rulez_py.policy.matchers import RUN_NOTHING
from rulez_py.policy.patterns import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match
    from rulez_py.policy.patterns.regex import Regex

ABOUT = "Regexes, anywhere in the text of a shell command; `command` looks at what would be executed."
EXAMPLE = r"command_match: 'git\s+push'"
NEEDS_TOOL = True
NEVER_WITH = RUN_NOTHING


def schema() -> Kind:
    from rulez_py.policy.matchers.schema_parts import PATTERNS

    return PATTERNS


def compiled(wanted: list[str]) -> list[Regex]:
    return [regex.prepared(pattern) for pattern in wanted]


def filed_by(match: Match) -> Filing | None:
    from rulez_py.policy.matchers import index_keys

    return "command", index_keys.of_literals(match["command_match"])


def fits(wanted: list[Regex], facts: Facts, *, strict: bool) -> bool:
    def is_found(line: str) -> bool:
        return regex.any_fits(wanted, line)

    if strict or not facts.lines:
        return bool(facts.lines) and all(map(is_found, facts.lines_run))
    # What is typed is looked at first: lines of files are known only when the call is analysed.
    return any(map(is_found, facts.lines)) or any(map(is_found, facts.lines_run))


def seen(_wanted: object, facts: Facts) -> Iterable[str]:
    """Return the part of the call that the matcher has looked at, for people."""
    return facts.lines_run

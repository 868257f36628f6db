"""`command_match`: regexes on the command line."""

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

ABOUT = "Regexes, anywhere in the text of a shell command; `command` knows what of it would be executed."
EXAMPLE = r"command_match: 'git\s+push'"
NEEDS_TOOL = True
NEVER_WITH = RUN_NOTHING


def schema() -> Kind:
    from rulez_py.policy.matchers.schema_parts import PATTERNS

    return PATTERNS


def compiled(wanted: list[str]) -> list[str]:
    return wanted


def filed_by(match: Match) -> Filing | None:
    from rulez_py.policy.matchers import index_keys

    return "command", index_keys.of_regexes(match["command_match"])


def fits(wanted: list[str], facts: Facts, *, strict: bool) -> bool:
    enough = all if strict else any
    return bool(facts.lines) and enough(regex.first(wanted, line) is not None for line in facts.lines)


def seen(_wanted: object, facts: Facts) -> Iterable[str]:
    """Give what of a call the matcher has looked at, for people."""
    return facts.lines

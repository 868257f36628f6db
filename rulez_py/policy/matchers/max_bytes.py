"""`max_bytes`: how long a text about to be written is, or the file as it then is."""

from __future__ import annotations

from rulez_py.policy.matchers import WRITE_NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

ABOUT = "More bytes than this are written to a file: a whole text, or of an edit the file as it then is."
EXAMPLE = "max_bytes: 100000"
NEVER_WITH = WRITE_NOTHING


def schema() -> Kind:
    from rulez_py.documents.types import Refusal, whole_number

    def check(value: int) -> None:
        if value < 1:
            raise Refusal(f"must be 1 or more, not {value}")

    return whole_number(check, minimum=1)


def compiled(wanted: int) -> int:
    return wanted


def filed_by(match: Match) -> Filing | None:
    return "written", []


def fits(wanted: int, facts: Facts, *, strict: bool) -> bool:
    from rulez_py.policy.facts.sizes import sizes

    if strict and facts.is_shell:
        return False  # It may write more than is seen.
    found = sizes(facts, wanted)
    enough = all if strict else any
    return bool(found) and enough(size > wanted for size in found)


def wants(wanted: int) -> Iterable[str]:
    """Return what a rule wants, in a few words for people."""
    return (f"more than {wanted} bytes",)


def seen(wanted: int, facts: Facts) -> Iterable[str]:
    """Return the part of the call that the matcher has looked at, for people."""
    from rulez_py.policy.facts.sizes import sizes

    return [f"{size} bytes" if size <= wanted else f"more than {wanted} bytes" for size in sizes(facts, wanted)]

"""`content`: the rule looks at the commands in files that a call writes, too.

`command` means every such file, `loaded` those that a program loads by itself: a script runs by its name, and is judged
then. What `command`, `paths`, `domains` and their like want is then enough for a command
that a written file would run (`written_code.py` finds these parts of files): `matching.looked_at` gives the
facts that hold these. The matcher itself fits every call of a tool: a rule about files holds for those that only
delete, too.
"""

from __future__ import annotations

from rulez_py.policy.model.layers import LOADED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

ABOUT = (
    "`command`: look also at the commands in a file that the call writes (scripts, recipes, hooks, CI); "
    "`loaded`: without scripts."
)
EXAMPLE = "content: command"
GENERAL = True


def schema() -> Kind:
    from rulez_py.policy.matchers.schema_parts import one_of

    return one_of(("command", LOADED))


def compiled(wanted: str) -> str:
    return wanted


def filed_by(match: Match) -> Filing:
    """Return further keys of a rule: what it wants of a command, it may want of one in a file."""
    from rulez_py.policy.matchers import command_form
    from rulez_py.policy.matchers.command import ways

    return "contents", command_form.pieces(ways(match["command"])) if "command" in match else []


def fits(wanted: str, facts: Facts, *, strict: bool) -> bool:
    return facts.event.tool_name is not None


def seen(_wanted: object, _facts: Facts) -> Iterable[str]:
    """Return the part of the call that the matcher has looked at, for people."""
    return ()

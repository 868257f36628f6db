"""The order in which the commands of a line run."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis import Command
    from rulez_py.policy.facts.facts import Facts

_BREAKS = frozenset(";|&\n(){}`$<>\\#")


def runs_after_success(first: Command, last: Command, facts: Facts) -> bool:
    """Tell whether a line runs one command only where another has done what it says: nothing but `&&` between them."""
    if len(facts.lines) != 1 or first.script or last.script or not first.words or not last.words:
        return False
    line, start, begin = facts.lines[0], first.words[0].at[0], last.words[0].at[0]
    end = max(word.at[1] for word in first.words)
    if not start < end <= begin:
        return False
    before, between = line[:start], line[end:begin]
    if "&&" not in between or "||" in before or before.rstrip().endswith("!"):
        return False
    return _BREAKS.isdisjoint(between.replace("2>&1", "").replace("&&", ""))

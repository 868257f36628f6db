"""What a rule that asks for `pushes` says of a call: which branches would change elsewhere."""

from __future__ import annotations

from rulez_py.verdict import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.model.rule import Match

_MOST_NAMED = 3
_WORDS = {"plain": "push to", "lease": "push by lease to", "force": "push by force to", "delete": "delete"}


def pushed(match: Match, facts: Facts) -> str:
    """Return the branches by which a rule fits, as one clause; "" for other rules."""
    wanted = match.get("pushes")
    if not wanted:
        return ""
    from rulez_py.policy.matchers.pushes import met

    branches: dict[str, list[str]] = {}
    unknown = False
    for one in dict.fromkeys(one for part in facts.parts for one in met(wanted, part, facts)):
        if named := one.branch or ("the default branch" if one.is_default else ""):
            branches.setdefault(one.how, []).append(named)
        unknown = unknown or not named
    said = [f"{words} {_shown(branches[how])}" for how, words in _WORDS.items() if how in branches]
    if unknown:
        said.append(f"push to {'another' if said else 'a'} branch that is not known")
    return f"it would {' and '.join(said)}" if said else ""


def _shown(names: list[str]) -> str:
    more = [f"{len(names) - _MOST_NAMED} more"] if len(names) > _MOST_NAMED else []
    return ", ".join([*map(visible, names[:_MOST_NAMED]), *more])

"""Read an answer as a platform does: one decision and one text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rulez_py.explain.values import Told
from rulez_py.verdict import ALLOW, ASK, DENY, PASS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulez_py.hook.values import Outcome
    from rulez_py.platforms import Adapter
    from rulez_py.verdict import Answer

_DECISIONS = {"deny": DENY, "block": DENY, "ask": ASK, "allow": ALLOW, "approve": ALLOW}
_BLOCKS = 2
"""The exit code that denies on every agent."""


def told(agent: Adapter, outcome: Outcome) -> Told:
    """Return an outcome as the agent gets it."""
    answer = outcome.answer
    decision = decision_of(answer)
    if decision == ALLOW and outcome.verdict.decision != ALLOW:
        decision = PASS  # Some agents want that word beside a new input; it approves nothing there.
    text = outcome.verdict.reason if decision != PASS else "\n\n".join(outcome.verdict.context)
    return Told(agent.NAME, agent.AGENT, decision, _reason(answer) or text, answer)


def decision_of(answer: Answer) -> str:
    """Return deny, ask, allow or pass, from any of the forms that agents read."""
    if answer.exit_code == _BLOCKS:
        return DENY
    pairs = list(_pairs(answer.stdout))
    said = [value for key, value in pairs if key in _SAYING]
    if any(value is False for value in said) or ("cancel", True) in pairs:
        return DENY
    words = [_DECISIONS[value] for value in said if isinstance(value, str) and value in _DECISIONS]
    return words[0] if words else PASS


_SAYING = ("permissionDecision", "decision", "behavior", "continue", "permission")
_REASONS = ("permissionDecisionReason", "reason", "message", "stopReason", "user_message", "errorMessage")


def _reason(answer: Answer) -> str:
    """Return the reason in the answer: some platforms get other words than the verdict's."""
    for key, value in _pairs(answer.stdout):
        if key in _REASONS and isinstance(value, str) and value:
            return value
    return answer.stderr.strip()


def _pairs(text: str) -> Iterator[tuple[str, object]]:
    """Yield every key with its value in a JSON object, at any depth."""
    try:
        waiting = [json.loads(text)] if text else []
    except ValueError:
        waiting = []
    while waiting:
        value = waiting.pop(0)
        if isinstance(value, dict):
            yield from value.items()
            waiting += value.values()

"""Why a rule does not say to one of its own tests what the test expects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulez_py.event import UnreadableEvent
from rulez_py.explain.as_text import excepted, matching, missing
from rulez_py.explain.rules import about
from rulez_py.explain.values import EXCEPTED, MISSES
from rulez_py.policy.format.cases import facts_of

if TYPE_CHECKING:
    from rulez_py.policy.format.cases import Failure


def why(failure: Failure) -> tuple[str, ...]:
    """At which matcher the rule fails, or by what it matches; nothing of a case that is no call."""
    try:
        one = about(failure.tried, facts_of(failure.tried, failure.example))
    except UnreadableEvent:
        return ()
    if one.state == MISSES:
        return tuple(missing(one))
    return (excepted(one),) if one.state == EXCEPTED else tuple(matching(one))

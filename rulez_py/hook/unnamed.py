"""One outcome for a call that several agents may have sent (`--platform auto`)."""

from __future__ import annotations

from rulez_py.hook.values import Outcome
from rulez_py.platforms.unnamed import together
from rulez_py.verdict import STRICTNESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.hook.values import HookCall


def as_one(call: HookCall, judged: Sequence[tuple[HookCall, Outcome]]) -> Outcome:
    """Return the strictest verdict, and an answer that each agent understands: `judged` has a call as from each.

    The log names one agent: that as which the call was judged most strictly.
    """
    answer = together([(one.known.event, outcome.verdict, outcome.answer) for one, outcome in judged])
    strictest, outcome = max(judged, key=lambda pair: STRICTNESS[pair[1].verdict.decision])
    call.learn(event=strictest.known.event, policy=strictest.known.policy, refused=strictest.known.refused)
    told = from_each([one.options.platform for one, _ in judged])
    verdict = outcome.verdict.replace(notes=(*outcome.verdict.notes, told))
    return Outcome(verdict=verdict, answer=answer)


def from_each(platforms: Sequence[str]) -> str:
    """Return the note about a payload that each of several agents may have sent."""
    return f"sent by one of {', '.join(platforms)}, and judged as from each"

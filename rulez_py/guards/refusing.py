"""What all guards do with a decision: what passes, what asks, and what the model is told of what does not run."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulez_py.guards.policy import Decision

    Ask = Callable[[str, dict[str, object], Decision], bool | Awaitable[bool]]
    """Asks a person about a call (its tool, its arguments, what the policy says): whether it may run."""

NOBODY = "A person would have to agree to this, and nobody is there to be asked."


async def refusal(ask: Ask | None, tool: str, arguments: dict[str, object], decision: Decision) -> str:
    """Why a call must not run, as the model is told; "" where it may. Without `ask`, what asks is refused."""
    if decision.passes:
        return ""
    if decision.denied:
        return decision.reason
    if ask is None:
        return f"{decision.reason} {NOBODY}"
    agreed = ask(tool, arguments, decision)
    if inspect.isawaitable(agreed):
        agreed = await agreed
    return "" if agreed is True else f"{decision.reason} The person has not agreed."

"""Turn a decision into pass, question or refusal, with the text for the model. All guards share it."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulez_py.integrations.policy import Decision

    Ask = Callable[[str, dict[str, object], Decision], bool | Awaitable[bool]]
    """Asks a person about a call (its tool, its arguments, what the policy says): whether it may run."""


def unasked(decision: Decision) -> str:
    """Return the text for the model why a call must not run where no person can be asked; "" where it may run."""
    if decision.asks:
        return f"{decision.reason} A person would have to agree to this, and none can be asked."
    return (decision.reason or "The policy denies this.") if decision.denied else ""


def not_agreed(reason: str) -> str:
    """Return the same where a person was asked, and has not agreed."""
    return f"{reason} The person has not agreed."


async def refusal(ask: Ask | None, tool: str, arguments: dict[str, object], decision: Decision) -> str:
    """Return the text for the model why a call must not run; "" where it may. Without `ask`, questions are refusals."""
    if ask is None or not decision.asks:
        return unasked(decision)
    agreed = ask(tool, arguments, decision)
    if inspect.isawaitable(agreed):
        agreed = await agreed
    return "" if agreed is True else not_agreed(decision.reason)

"""The policy before the tools of an agent made with Google's Agent Development Kit (`google-adk`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulez_py.integrations.refusing import refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulez_py.integrations.policy import Policy
    from rulez_py.integrations.refusing import Ask


def before_tool(policy: Policy, *, ask: Ask | None = None) -> Callable[..., Any]:
    """`before_tool_callback=` of `LlmAgent`: what is refused does not run, and the model reads why as its result."""

    async def judge(tool: Any, args: dict[str, Any], tool_context: Any) -> dict[str, Any] | None:
        decision = await policy.adecide({"tool_name": tool.name, "tool_input": args})
        refused = await refusal(ask, tool.name, args, decision)
        if refused:
            return {"error": refused}
        if decision.tool_input is not None:  # The callback may change what the tool is called with.
            args.clear()
            args.update(decision.tool_input)
        return None

    return judge

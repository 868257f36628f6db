"""The policy before the tools of a Pydantic AI toolset (`pydantic-ai`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulez_py.integrations.refusing import refusal

if TYPE_CHECKING:
    from rulez_py.integrations.policy import Policy
    from rulez_py.integrations.refusing import Ask


def guarded(toolset: Any, policy: Policy, *, ask: Ask | None = None) -> Any:
    """A toolset with the same tools, each call judged before it runs: `Agent(toolsets=[guarded(toolset, policy)])`.

    What is refused does not run, and the model reads why as the tool's result.
    """
    from pydantic_ai.toolsets import WrapperToolset

    class Guarded(WrapperToolset):  # type: ignore[misc]
        async def call_tool(self, name: str, tool_args: dict[str, Any], ctx: Any, tool: Any) -> Any:
            decision = await policy.adecide({"tool_name": name, "tool_input": tool_args})
            refused = await refusal(ask, name, tool_args, decision)
            if refused:
                return refused
            return await super().call_tool(name, dict(decision.tool_input or tool_args), ctx, tool)

    return Guarded(toolset)

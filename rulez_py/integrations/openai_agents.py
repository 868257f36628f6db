"""The policy before the function tools of an agent made with the OpenAI Agents SDK (`openai-agents`)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rulez_py.integrations.refusing import refusal

if TYPE_CHECKING:
    from rulez_py.integrations.policy import Policy
    from rulez_py.integrations.refusing import Ask

REWRITES = "The policy wants other arguments, which this SDK cannot put in their place. Call the tool with these: "


def guardrail(policy: Policy, *, ask: Ask | None = None) -> Any:
    """Return one of `tool_input_guardrails=` of `function_tool`: what is refused does not run, and the model reads why.

    A guardrail cannot change arguments: what the policy rewrites is refused, with the arguments that would be right.
    """
    from agents import ToolGuardrailFunctionOutput, ToolInputGuardrail

    async def rulez(data: Any) -> Any:
        name = data.context.tool_name
        try:
            arguments = json.loads(data.context.tool_arguments or "{}")
        except ValueError:
            arguments = data.context.tool_arguments  # Judged as the text it is.
        decision = await policy.adecide({"tool_name": name, "tool_input": arguments})
        refused = await refusal(ask, name, arguments, decision)
        if not refused and decision.tool_input is not None:
            refused = REWRITES + json.dumps(dict(decision.tool_input), ensure_ascii=False)
        if refused:
            return ToolGuardrailFunctionOutput.reject_content(refused)
        return ToolGuardrailFunctionOutput.allow()

    return ToolInputGuardrail(guardrail_function=rulez)

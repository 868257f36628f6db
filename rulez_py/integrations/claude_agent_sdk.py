"""The policy before the tools of an agent made with the Claude Agent SDK (`claude-agent-sdk`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulez_py.integrations.refusing import refusal

if TYPE_CHECKING:
    from rulez_py.integrations.policy import Policy
    from rulez_py.integrations.refusing import Ask


def hooks(policy: Policy) -> dict[str, list[Any]]:
    """`hooks=` of `ClaudeAgentOptions`: every call of a tool, and every prompt, is judged before it runs.

    What asks goes to `can_use_tool`, or to the person at the terminal. Hooks see every call; `can_use_tool` alone does
    not see those that settings or the permission mode let through.
    """
    from claude_agent_sdk import HookMatcher

    async def before(event: Any, _tool_use_id: str | None, _context: Any) -> dict[str, Any]:
        decision = await policy.adecide(event)
        said: dict[str, Any] = {"hookEventName": event["hook_event_name"]}
        if event["hook_event_name"] == "UserPromptSubmit":
            if decision.denied:
                return {"decision": "block", "reason": decision.reason}
        elif decision.decision:
            said |= {"permissionDecision": decision.decision, "permissionDecisionReason": decision.reason}
        if decision.tool_input is not None:
            said["updatedInput"] = dict(decision.tool_input)
        if decision.context and not decision.denied:
            said["additionalContext"] = "\n".join(decision.context)
        return {"hookSpecificOutput": said} if len(said) > 1 else {}

    return {event: [HookMatcher(hooks=[before])] for event in ("PreToolUse", "UserPromptSubmit")}


def can_use_tool(policy: Policy, *, ask: Ask | None = None) -> Any:
    """`can_use_tool=` of `ClaudeAgentOptions`: what the SDK would ask a person about is judged, and `ask` asks one."""
    from claude_agent_sdk import PermissionResultAllow, PermissionResultDeny

    async def allowed(tool: str, arguments: dict[str, Any], _context: Any) -> Any:
        decision = await policy.adecide({"tool_name": tool, "tool_input": arguments})
        refused = await refusal(ask, tool, arguments, decision)
        if refused:
            return PermissionResultDeny(message=refused)
        return PermissionResultAllow(updated_input=dict(decision.tool_input or arguments))

    return allowed

"""The policy before the tools of a LangGraph `ToolNode` (`langgraph`), or of LangChain's `create_agent`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulez_py.integrations.refusing import refusal, unasked

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from rulez_py.integrations.policy import Policy
    from rulez_py.integrations.refusing import Ask


def wrapper(policy: Policy, *, ask: Ask | None = None) -> Callable[..., Any]:
    """`awrap_tool_call=` of `ToolNode`: what is refused does not run, and the model reads why.

    For `invoke`, which waits, give `ToolNode` `wrap_tool_call=waiting_wrapper(policy)` as well.
    """

    async def wrap(request: Any, execute: Callable[[Any], Awaitable[Any]]) -> Any:
        call = request.tool_call
        decision = await policy.adecide({"tool_name": call["name"], "tool_input": call["args"]})
        refused = await refusal(ask, call["name"], call["args"], decision)
        return _refused(call, refused) if refused else await execute(_changed(request, decision.tool_input))

    return wrap


def waiting_wrapper(policy: Policy) -> Callable[..., Any]:
    """`wrap_tool_call=` of `ToolNode`: the same where nothing may be awaited. What asks is refused."""

    def wrap(request: Any, execute: Callable[[Any], Any]) -> Any:
        call = request.tool_call
        decision = policy.decide({"tool_name": call["name"], "tool_input": call["args"]})
        refused = unasked(decision)
        return _refused(call, refused) if refused else execute(_changed(request, decision.tool_input))

    return wrap


def _changed(request: Any, arguments: Any) -> Any:
    if arguments is None:
        return request
    return request.override(tool_call={**request.tool_call, "args": dict(arguments)})


def _refused(call: Any, reason: str) -> Any:
    from langchain_core.messages import ToolMessage

    return ToolMessage(content=reason, name=call["name"], tool_call_id=call["id"], status="error")

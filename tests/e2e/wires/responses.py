"""OpenAI's Responses API, as Codex CLI uses it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.e2e.script import Reply
from tests.e2e.wires import common

Body = dict[str, Any]
_CALLS = ("function_call", "custom_tool_call", "local_shell_call")


def kind(path: str, body: Body) -> str:
    return "agent" if path.endswith("/responses") and body.get("tools") else "other"


def opening(body: Body) -> str:
    return "\n".join(common.text_of(i.get("content")) for i in body.get("input", []) if i.get("role") == "user")


def turns_taken(body: Body) -> int:
    """Calls made at once stand next to each other, so a turn is a run of calls."""
    taken, before = 0, False
    for item in body["input"]:
        is_call = item.get("type") in _CALLS
        taken += is_call and not before
        if item.get("type") != "reasoning":
            before = is_call
    return taken


def results(body: Body) -> Iterator[tuple[str, str]]:
    for item in body.get("input", []):
        if str(item.get("type")).endswith("_call_output"):
            yield item["call_id"], common.all_strings(item.get("output"))


def heard(body: Body) -> str:
    said = [i for i in body.get("input", []) if i.get("role") != "assistant" and i.get("type") not in _CALLS]
    return common.all_strings([body.get("instructions"), said])


def offered(body: Body) -> list[str]:
    names: list[str] = []
    for tool in body.get("tools", []):
        inner = tool.get("tools") if tool.get("type") == "namespace" else None
        names += [t.get("name", "") for t in inner] if inner else [tool.get("name") or tool.get("type", "")]
    return names


def system(body: Body) -> str:
    return str(body.get("instructions", ""))


def model(path: str, body: Body) -> str:
    return str(body["model"])


def answer(path: str, body: Body, reply: Reply) -> tuple[str, bytes]:
    number = turns_taken(body)
    items: list[Body] = []
    for name, call in reply.calls:
        item: Body = {"id": f"item_{name}", "call_id": name, "name": call.name}
        if isinstance(call.arguments, str):
            item |= {"type": "custom_tool_call", "input": call.arguments}
        else:
            item |= {"type": "function_call", "arguments": json.dumps(call.arguments)}
        if call.namespace:
            item["namespace"] = call.namespace
        items.append(item)
    if not items:
        content = [{"type": "output_text", "text": reply.text}]
        items.append({"type": "message", "id": f"item_{number}", "role": "assistant", "content": content})
    usage = {
        "input_tokens": 10,
        "input_tokens_details": None,
        "output_tokens": 5,
        "output_tokens_details": None,
        "total_tokens": 15,
    }
    events: list[Body] = [{"type": "response.created", "response": {"id": f"r{number}"}}]
    events += [
        {"type": "response.output_item.done", "output_index": index, "item": item} for index, item in enumerate(items)
    ]
    events.append({"type": "response.completed", "response": {"id": f"r{number}", "usage": usage}})
    return "text/event-stream", b"".join(common.event(e, e["type"]) for e in events)


def aside(path: str, body: Body) -> tuple[str, bytes]:
    if path.endswith("/responses"):
        return answer(path, {"input": [], **body}, Reply(text="ok"))
    return "application/json", b'{"object": "list", "data": [], "models": []}'

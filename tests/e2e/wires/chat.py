"""OpenAI's chat completions, as Copilot CLI (with a provider of one's own) and OpenCode use them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.e2e.script import Reply
from tests.e2e.wires import common

Body = dict[str, Any]


def kind(path: str, body: Body) -> str:
    if not path.endswith("/chat/completions"):
        return "other"
    return "agent" if body.get("tools") else "aside"


def opening(body: Body) -> str:
    return "\n".join(common.text_of(m.get("content")) for m in body.get("messages", []) if m["role"] == "user")


def turns_taken(body: Body) -> int:
    return sum(1 for m in body["messages"] if m["role"] == "assistant" and m.get("tool_calls"))


def results(body: Body) -> Iterator[tuple[str, str]]:
    for message in body.get("messages", []):
        if message["role"] == "tool":
            yield message["tool_call_id"], common.text_of(message.get("content"))


def heard(body: Body) -> str:
    return common.all_strings([m.get("content") for m in body.get("messages", []) if m["role"] != "assistant"])


def offered(body: Body) -> list[str]:
    return [(tool.get("function") or tool.get("custom") or {}).get("name", "") for tool in body.get("tools", [])]


def system(body: Body) -> str:
    spoken = ("system", "developer")
    return "\n".join(common.text_of(m.get("content")) for m in body.get("messages", []) if m["role"] in spoken)


def model(path: str, body: Body) -> str:
    return str(body["model"])


def answer(path: str, body: Body, reply: Reply) -> tuple[str, bytes]:
    message: Body = {"role": "assistant", "content": reply.text or None}
    if reply.calls:
        message["tool_calls"] = [
            {
                "index": number,
                "id": name,
                "type": "function",
                "function": {
                    "name": call.name,
                    "arguments": call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments),
                },
            }
            for number, (name, call) in enumerate(reply.calls)
        ]
    finish = "tool_calls" if reply.calls else "stop"
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    base = {"id": f"chat_{turns_taken(body)}", "created": 1, "model": body.get("model", "scripted")}
    if not body.get("stream"):
        choices = [{"index": 0, "message": message, "finish_reason": finish}]
        whole = {**base, "object": "chat.completion", "choices": choices, "usage": usage}
        return "application/json", json.dumps(whole).encode()
    base["object"] = "chat.completion.chunk"
    chunks: list[Body] = [
        {**base, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
        {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}], "usage": usage},
    ]
    return "text/event-stream", b"".join(map(common.event, chunks)) + b"data: [DONE]\n\n"


def aside(path: str, body: Body) -> tuple[str, bytes]:
    if kind(path, body) == "other":
        return "application/json", b'{"object": "list", "data": [{"id": "scripted", "object": "model"}]}'
    return answer(path, body, Reply(text="A title"))

"""Anthropic's Messages API, as Claude Code uses it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.e2e.script import Reply
from tests.e2e.wires import common

Body = dict[str, Any]


def kind(path: str, body: Body) -> str:
    if "/count_tokens" in path:
        return "count"
    if not path.split("?")[0].endswith("/v1/messages"):
        return "other"
    return "agent" if body.get("tools") else "aside"


def opening(body: Body) -> str:
    return next((common.text_of(m["content"]) for m in body.get("messages", []) if m["role"] == "user"), "")


def turns_taken(body: Body) -> int:
    return sum(1 for m in body["messages"] if m["role"] == "assistant" and _blocks(m, "tool_use"))


def results(body: Body) -> Iterator[tuple[str, str]]:
    for message in body.get("messages", []):
        for block in _blocks(message, "tool_result"):
            yield block["tool_use_id"], common.text_of(block.get("content"))


def heard(body: Body) -> str:
    said = [m["content"] for m in body.get("messages", []) if m["role"] != "assistant"]
    return common.all_strings([body.get("system"), said])


def offered(body: Body) -> list[str]:
    return [tool["name"] for tool in body.get("tools", []) if "name" in tool]


def system(body: Body) -> str:
    return common.text_of(body.get("system"))


def model(path: str, body: Body) -> str:
    return str(body["model"])


def _blocks(message: Body, kind_: str) -> list[Body]:
    content = message["content"]
    return [b for b in content if b.get("type") == kind_] if isinstance(content, list) else []


def answer(path: str, body: Body, reply: Reply) -> tuple[str, bytes]:
    blocks: list[Body] = [
        {"type": "tool_use", "id": name, "name": call.name, "input": call.arguments} for name, call in reply.calls
    ] or [{"type": "text", "text": reply.text}]
    stop = "tool_use" if reply.calls else "end_turn"
    usage = {"input_tokens": 10, "output_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    message = {
        "id": f"msg_{turns_taken(body)}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "scripted"),
        "content": blocks,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": usage,
    }
    if not body.get("stream"):
        return "application/json", json.dumps(message).encode()
    events: list[tuple[str, Body]] = [
        ("message_start", {"message": {**message, "content": [], "stop_reason": None}}),
    ]
    for index, block in enumerate(blocks):
        if block["type"] == "text":
            empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events += [
            ("content_block_start", {"index": index, "content_block": empty}),
            ("content_block_delta", {"index": index, "delta": delta}),
            ("content_block_stop", {"index": index}),
        ]
    events += [
        ("message_delta", {"delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 10}}),
        ("message_stop", {}),
    ]
    return "text/event-stream", b"".join(common.event({"type": name, **data}, name) for name, data in events)


def aside(path: str, body: Body) -> tuple[str, bytes]:
    if kind(path, body) == "count":
        return "application/json", b'{"input_tokens": 100}'
    return answer(path, body, Reply(text="ok"))

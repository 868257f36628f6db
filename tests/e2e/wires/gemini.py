"""Google's generateContent, as Gemini CLI uses it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.e2e.script import Reply
from tests.e2e.wires import common

Body = dict[str, Any]


def kind(path: str, body: Body) -> str:
    if "countTokens" in path:
        return "count"
    if "enerateContent" not in path:
        return "other"
    return "agent" if _declarations(body) else "aside"


def opening(body: Body) -> str:
    return "\n".join(common.text_of(c["parts"]) for c in body.get("contents", []) if c.get("role") != "model")


def turns_taken(body: Body) -> int:
    return sum(1 for c in body["contents"] if c.get("role") == "model" and _parts(c, "functionCall"))


def results(body: Body) -> Iterator[tuple[str, str]]:
    for content in body.get("contents", []):
        for answered in _parts(content, "functionResponse"):
            yield answered.get("id", ""), common.all_strings(answered.get("response"))


def heard(body: Body) -> str:
    said = [c for c in body.get("contents", []) if c.get("role") != "model"]
    return common.all_strings([body.get("systemInstruction"), said])


def offered(body: Body) -> list[str]:
    return [declared["name"] for declared in _declarations(body)]


def system(body: Body) -> str:
    return common.text_of((body.get("systemInstruction") or {}).get("parts"))


def model(path: str, body: Body) -> str:
    return path.rpartition("/")[2].partition(":")[0]


def _parts(content: Body, key: str) -> list[Body]:
    return [part[key] for part in content.get("parts", []) if key in part]


def _declarations(body: Body) -> list[Body]:
    return [d for tool in body.get("tools") or [] for d in tool.get("functionDeclarations") or []]


def answer(path: str, body: Body, reply: Reply) -> tuple[str, bytes]:
    parts: list[Body] = [
        {"functionCall": {"id": name, "name": call.name, "args": call.arguments}, "thoughtSignature": "c2ln"}
        for name, call in reply.calls
    ] or [{"text": reply.text}]
    return _said(path, parts)


def aside(path: str, body: Body) -> tuple[str, bytes]:
    if kind(path, body) == "count":
        return "application/json", b'{"totalTokens": 10}'
    asked = body.get("generationConfig") or {}
    schema = asked.get("responseJsonSchema") or asked.get("responseSchema")
    return _said(path, [{"text": json.dumps(_least(schema)) if schema else "ok"}])


def _said(path: str, parts: list[Body]) -> tuple[str, bytes]:
    whole = {
        "candidates": [{"content": {"role": "model", "parts": parts}, "index": 0, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
        "modelVersion": "scripted",
        "responseId": "scripted",
    }
    if "streamGenerateContent" in path:
        return "text/event-stream", common.event(whole)
    return "application/json", json.dumps(whole).encode()


def _least(schema: Body) -> Any:
    """The smallest value a JSON schema takes."""
    if "enum" in schema:
        return schema["enum"][0]
    sort = str(schema.get("type", "object")).lower()
    if sort == "object":
        return {key: _least(value) for key, value in (schema.get("properties") or {}).items()}
    return {"array": [], "string": "x", "boolean": False, "number": 0, "integer": 0}.get(sort)

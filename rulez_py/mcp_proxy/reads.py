"""Messages by which a client reads from an MCP server besides the calls of tools, as events for the policy. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulez_py.analysis import percent_decoded

RESOURCE, PROMPT = "resources/read", "prompts/get"
"""What rules call a read: `mcp__SERVER__resources/read` with its `uri`, `mcp__SERVER__prompts/get` with its `name`."""
_SUBSCRIBE, _LISTEN, _COMPLETE = "resources/subscribe", "subscriptions/listen", "completion/complete"
READS = frozenset((RESOURCE, PROMPT, _SUBSCRIBE, _LISTEN, _COMPLETE))


@dataclass(frozen=True)
class Read:
    """What a message reads."""

    events: tuple[Mapping[str, object], ...]
    """The calls that the policy is asked about; the message passes where all of them do."""
    shown: Mapping[str, object]
    """What a person is shown of it."""
    can_ask: bool
    """True where its result may be a question (`input_required`, since 2026-07-28)."""


def read(method: str, params: object, server: str) -> Read | None:
    """Return what a message of `READS` reads; None where it reads nothing. Raises ValueError where it does not say."""
    if not isinstance(params, dict):
        raise ValueError(f"`params` of `{method}` is an object")
    if method == PROMPT:
        return _prompt(params, server, can_ask=True)
    if method == _COMPLETE:
        return _completed(params, server)
    if method == _LISTEN:
        return _listened(params.get("notifications"), server)
    return _resources((_text(params, "uri", method),), server, can_ask=method == RESOURCE)


def _prompt(params: Mapping[str, object], server: str, *, can_ask: bool) -> Read:
    arguments = params.get("arguments")
    if arguments is not None and not isinstance(arguments, dict):
        raise ValueError("`arguments` of a prompt is an object")
    shown = {"name": _text(params, "name", PROMPT), **({"arguments": arguments} if arguments else {})}
    return Read((_event(server, PROMPT, shown),), shown, can_ask)


def _completed(params: Mapping[str, object], server: str) -> Read:
    """Return the read of the prompt or resource whose argument is being typed: what is offered comes from there."""
    about, typed, context = params.get("ref"), params.get("argument"), params.get("context")
    if not isinstance(about, dict) or not isinstance(typed, dict):
        raise ValueError(f"`ref` and `argument` of `{_COMPLETE}` are objects")
    others = context.get("arguments") if isinstance(context, dict) else None
    arguments = {
        **(others if isinstance(others, dict) else {}),
        _text(typed, "name", _COMPLETE): _text(typed, "value", _COMPLETE),
    }
    if "uri" not in about:
        return _prompt({"name": about.get("name"), "arguments": arguments}, server, can_ask=False)
    found = _resources((_text(about, "uri", _COMPLETE),), server, can_ask=False)
    more = {**found.shown, "arguments": arguments}
    return Read((*found.events, _event(server, RESOURCE, more)), more, can_ask=False)


def _listened(notifications: object, server: str) -> Read | None:
    uris = notifications.get("resourceSubscriptions") if isinstance(notifications, dict) else None
    if uris is None or uris == []:
        return None
    if not isinstance(uris, list) or not all(isinstance(uri, str) for uri in uris):
        raise ValueError("`resourceSubscriptions` is a list of URIs")
    return _resources(tuple(uris), server, can_ask=False)


def _resources(uris: tuple[str, ...], server: str, *, can_ask: bool) -> Read:
    """Return the read of resources: a file is judged as one that is read, and every resource as what the server has."""
    events: list[Mapping[str, object]] = []
    for uri in uris:
        if uri.strip().lower().startswith("file:"):
            events.append({"tool_name": "Read", "tool_input": {"file_path": _path(uri.strip())}})
        events.append(_event(server, RESOURCE, {"uri": uri}))
    return Read(tuple(events), {"uri": uris[0]} if len(uris) == 1 else {"uris": list(uris)}, can_ask)


def _path(uri: str) -> str:
    """Return the path in a `file:` URI, without its host, query and fragment (RFC 8089), whatever host it names."""
    rest = uri[len("file:") :].partition("#")[0].partition("?")[0]
    if rest.startswith("//"):
        rest = rest[2:].partition("/")[2]
        return percent_decoded("/" + rest.lstrip("/"))
    return percent_decoded(rest)


def _event(server: str, name: str, arguments: Mapping[str, object]) -> dict[str, object]:
    return {"tool_name": f"mcp__{server}__{name}", "tool_input": arguments}


def _text(params: Mapping[str, object], key: str, method: str) -> str:
    value = params.get(key)
    if not isinstance(value, str):
        raise ValueError(f"`{key}` of `{method}` is a text")
    return value

"""What the tests know of each agent, from docs/contracts alone: one row per platform.

Everything here is said a second time on purpose: the adapters must agree with it, and do not read it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from rulez_py.platforms import adapter
from rulez_py.verdict import Answer

if TYPE_CHECKING:
    from rulez_py.platforms.shape import Adapter

Json = dict[str, Any]


def said(answer: Answer) -> Json:
    """The one JSON object on stdout; {} where there is nothing."""
    parsed = json.loads(answer.stdout or "{}")
    assert isinstance(parsed, dict)
    return parsed


def inside(answer: Answer) -> Json:
    """The `hookSpecificOutput` of an answer; {} where there is none."""
    found: Json = said(answer).get("hookSpecificOutput", {})
    return found


class Platform(NamedTuple):
    """One agent."""

    adapter: Adapter
    before_tool: str
    """Its event before a tool runs, and its shell tool."""
    shell: str
    stops: Callable[[Answer, str], bool]
    """Whether it stops what an event of this canonical type stands before, when it gets this answer."""
    new_input: Callable[[Answer], object]
    """The tool's input that it would run instead; None where the answer has none."""
    guarding: str
    """Its events that stand before something it can still stop."""
    neutral: str = ""
    """The stdout that changes nothing."""
    exit_of_a_deny: int = 2
    asks: bool = False
    """Whether it can be made to ask the user before a tool runs."""


def _told(answer: Answer) -> bool:
    return bool(answer.stderr.strip())


def _stops_claude(answer: Answer, event_type: str) -> bool:
    words = inside(answer)
    if event_type == "PermissionRequest":
        return bool(words.get("decision", {}).get("behavior") == "deny")
    return answer.exit_code == 2 and _told(answer) and words.get("permissionDecision", "deny") == "deny"


def _stops_gemini(answer: Answer, event_type: str) -> bool:
    words = said(answer)
    if not words:
        return answer.exit_code >= 2 and _told(answer)
    if answer.exit_code != 0 or _told(answer):
        return False
    return words.get("decision") == "deny" and bool(words["reason"].strip())


def _stops_copilot(answer: Answer, event_type: str) -> bool:
    words = said(answer)
    if event_type == "PermissionRequest":
        return answer.exit_code == 2 and words.get("behavior") == "deny"
    if event_type == "UserPromptSubmit":
        return answer.exit_code == 0 and words.get("decision") == "block"
    if not words:
        return answer.exit_code == 2
    # The inside is for VS Code; the CLI in PascalCase keeps the reason from the model where there is one.
    outside = {key: value for key, value in words.items() if key != "hookSpecificOutput"}
    agree = inside(answer) in ({}, {"hookEventName": "PreToolUse", **outside})
    return answer.exit_code == 2 and words.get("permissionDecision") == "deny" and agree


def _stops_opencode(answer: Answer, event_type: str) -> bool:
    words = said(answer)
    refused = words.get("continue") is False and bool(words["reason"].strip())
    return answer.exit_code == 2 and (refused if words else _told(answer))


def _stops_codex(answer: Answer, event_type: str) -> bool:
    """By the exit code, and also by the JSON should that get lost: then every word of it has to be right."""
    words = said(answer)
    reason = answer.stderr.rstrip("\n")
    wanted: Json = {"decision": "block", "reason": reason}
    inner: dict[str, Json] = {
        "PreToolUse": {"permissionDecision": "deny", "permissionDecisionReason": reason},
        "PermissionRequest": {"decision": {"behavior": "deny", "message": reason}},
    }
    if event_type in inner:
        wanted = {"hookSpecificOutput": {"hookEventName": event_type, **inner[event_type]}}
    return answer.exit_code == 2 and _told(answer) and words in ({}, wanted)


def _new_input_of_copilot(answer: Answer) -> object:
    """The CLI reads one place and VS Code the other: both must say the same."""
    changed = inside(answer).get("updatedInput")
    return changed if changed == said(answer).get("modifiedArgs") else None


def _new_input_of_codex(answer: Answer) -> object:
    """It is ignored without the word."""
    words = inside(answer)
    return words.get("updatedInput") if words.get("permissionDecision") == "allow" else None


PLATFORMS: dict[str, Platform] = {
    "claude": Platform(
        adapter=adapter("claude"),
        before_tool="PreToolUse",
        shell="Bash",
        stops=_stops_claude,
        new_input=lambda answer: inside(answer).get("updatedInput"),
        guarding="PreToolUse PermissionRequest UserPromptSubmit UserPromptExpansion PreModelSwitch ConfigChange "
        "TaskCreated Elicitation ElicitationResult",
        asks=True,
    ),
    "gemini": Platform(
        adapter=adapter("gemini"),
        before_tool="BeforeTool",
        shell="run_shell_command",
        stops=_stops_gemini,
        new_input=lambda answer: inside(answer).get("tool_input"),
        guarding="BeforeTool BeforeAgent BeforeModel",
        exit_of_a_deny=0,
    ),
    "copilot": Platform(
        adapter=adapter("copilot"),
        before_tool="preToolUse",
        shell="bash",
        stops=_stops_copilot,
        new_input=_new_input_of_copilot,
        guarding="preToolUse PreToolUse preMcpToolCall permissionRequest PermissionRequest userPromptSubmitted "
        "UserPromptSubmit promptSubmit",
        asks=True,
    ),
    "opencode": Platform(
        adapter=adapter("opencode"),
        before_tool="tool.execute.before",
        shell="bash",
        stops=_stops_opencode,
        new_input=lambda answer: said(answer).get("args"),
        guarding="tool.execute.before chat.message command.execute.before",
        neutral='{"continue":true}',
    ),
    "codex": Platform(
        adapter=adapter("codex"),
        before_tool="PreToolUse",
        shell="Bash",
        stops=_stops_codex,
        new_input=_new_input_of_codex,
        guarding="PreToolUse PermissionRequest UserPromptSubmit",
    ),
}


def denies(answer: Answer, platform: str) -> bool:
    """Whether the agent would not run the tool it asked about."""
    return PLATFORMS[platform].stops(answer, "PreToolUse")


def is_neutral(answer: Answer, platform: str) -> bool:
    """Whether the answer changes nothing at all."""
    return (answer.stdout, answer.stderr, answer.exit_code) == (PLATFORMS[platform].neutral, "", 0)

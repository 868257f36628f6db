"""Payload in, event out: every recorded payload, and the payloads nobody could record."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulez_py.event import EVENT_TYPES, Event, UnreadableEvent
from rulez_py.event.arguments import FileAccess, file_accesses
from rulez_py.platforms import PLATFORMS, adapter
from tests.platforms import PLATFORMS as FACTS
from tests.recordings import PAYLOADS, RECORDINGS, Recording

EXPECTED: dict[str, dict[str, Any]] = {
    f"{platform}/{name}": row
    for platform in FACTS
    for name, row in json.loads((PAYLOADS / platform / "expected.json").read_text("utf-8")).items()
}


def parse(platform: str, payload: dict[str, Any], event_name: str | None = None) -> Event:
    return adapter(platform).parse(payload, event_name)


def files_of(event: Event) -> tuple[FileAccess, ...]:
    return file_accesses(
        event.tool_name, event.tool_input, event.own_input, known=event.known_tool, access=event.tool_access
    )


def summary(event: Event) -> dict[str, Any]:
    """What each platform's `expected.json` says of an event; what is absent, or as it usually is, is left out."""
    shown = {
        "types": list(event.types),
        "tool": event.tool_name,
        "platform_tool": event.tool_input.get("platform_tool_name"),
        "hook_event": event.tool_input.get(f"{event.platform}_hook_event_name"),
        "session": None if event.session_id else False,
        "prompt": event.prompt,
        "agent": [event.agent_id, event.agent_type] if event.agent_id else None,
        "files": [[file.path, *file.access] for file in files_of(event)] or None,
        "mcp": [list(reading) for reading in event.mcp] or None,
        "response": None if event.tool_response is None else True,
    }
    return {key: value for key, value in shown.items() if value is not None}


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_a_recorded_payload_reads_as_its_row_says(recording: Recording) -> None:
    assert summary(parse(recording.platform, recording.payload)) == EXPECTED[recording.name]


def test_every_recording_has_a_row_and_every_row_a_recording() -> None:
    assert sorted(EXPECTED) == sorted(recording.name for recording in RECORDINGS)


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_a_recorded_event_name_is_in_the_adapter_s_table_or_a_notification(recording: Recording) -> None:
    event = parse(recording.platform, recording.payload)
    assert event.native_event in adapter(recording.platform).EVENTS or event.types == ("Notification",)


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_the_event_keeps_the_payload_as_it_was_sent(recording: Recording) -> None:
    assert parse(recording.platform, recording.payload).payload is recording.payload


# --- the flat form, on every platform -------------------------------------------------------------------------------

BEFORE = {name: facts.before_tool for name, facts in FACTS.items()}
SHELL = {name: facts.shell for name, facts in FACTS.items()}
NATIVE_KEY = {name: f"{name}_hook_event_name" for name in PLATFORMS}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_flat_form(platform: str) -> None:
    event = parse(
        platform,
        {
            "session_id": "s-1",
            "hook_event_name": BEFORE[platform],
            "tool_name": SHELL[platform],
            "tool_input": {"command": "ls"},
            "cwd": "/home/user/project",
            "timestamp": "2026-11-21T20:35:35.393Z",
            "permission_mode": "aModeOfTheFuture",
            "flavour": {"deep": 1},
        },
    )
    renamed = {"platform_tool_name": SHELL[platform]} if SHELL[platform] != "Bash" else {}
    if BEFORE[platform] != "PreToolUse":
        renamed[NATIVE_KEY[platform]] = BEFORE[platform]
    assert event.tool_input == {
        "command": "ls",
        "permission_mode": "aModeOfTheFuture",
        "flavour": {"deep": 1},
        **renamed,
    }
    assert (event.types, event.tool_name, event.session_id) == (("PreToolUse",), "Bash", "s-1")
    assert (event.platform_tool_name, event.own_input) == (SHELL[platform], {"command": "ls"})
    assert (event.cwd, event.permission_mode) == ("/home/user/project", "aModeOfTheFuture")


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("key", ["hook_event_name", "hookEventName", "event_type"])
def test_every_spelling_of_the_event_name(platform: str, key: str) -> None:
    assert parse(platform, {key: BEFORE[platform]}).types == ("PreToolUse",)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_session_may_be_missing_or_no_text(platform: str) -> None:
    payload: dict[str, Any] = {"hook_event_name": BEFORE[platform]}
    assert parse(platform, payload).session_id == ""
    assert parse(platform, {**payload, "session_id": 7}).session_id == "7"
    assert parse(platform, {**payload, "session_id": [[]]}).session_id == ""


@pytest.mark.parametrize("platform", PLATFORMS)
def test_no_tool_name_means_no_tool(platform: str) -> None:
    for absent in ({}, {"tool_name": None}, {"tool_name": ""}):
        event = parse(platform, {"hook_event_name": BEFORE[platform], **absent})
        assert (event.tool_name, event.platform_tool_name) == (None, None)
        assert "platform_tool_name" not in event.tool_input


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize(
    ("tool_input", "flat"),
    [
        pytest.param({"command": "ls"}, {"command": "ls"}, id="object"),
        pytest.param("plain text", {"tool_input": "plain text"}, id="text"),
        pytest.param('{"command": "ls"}', {"command": "ls"}, id="object as JSON text"),
        pytest.param("{broken", {"tool_input": "{broken"}, id="text with a brace"),
        pytest.param("[1, 2]", {"tool_input": "[1, 2]"}, id="list as JSON text"),
        pytest.param(None, {}, id="null"),
        pytest.param("", {"tool_input": ""}, id="empty text"),
    ],
)
def test_the_tool_input_becomes_an_object(platform: str, tool_input: object, flat: dict[str, object]) -> None:
    event = parse(platform, {"hook_event_name": BEFORE[platform], "tool_name": "custom", "tool_input": tool_input})
    added = {NATIVE_KEY[platform]: BEFORE[platform]} if BEFORE[platform] != "PreToolUse" else {}
    assert event.tool_input == {**flat, **added}


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("text", ["ls -l", '["ls", "-l"]', '{ "ls" -l; }', "{ls,-l}"])
def test_a_text_for_a_shell_is_its_command(platform: str, text: str) -> None:
    event = parse(platform, {"hook_event_name": BEFORE[platform], "tool_name": SHELL[platform], "tool_input": text})
    assert (event.tool_input["command"], event.own_input) == (text, text)


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize(
    ("tool", "tool_input", "message"),
    [
        pytest.param("custom", ["a"], "the input of 'custom' must be an object, not a list", id="list"),
        pytest.param("custom", 5, "the input of 'custom' must be an object, not 5", id="number"),
        pytest.param("Bash", False, "the input of 'Bash' must be an object, not False", id="false"),
        pytest.param("Bash", ["ls"], "the input of 'Bash' must be an object, not a list", id="words of a command"),
        pytest.param("Read", "~/.ssh/id_rsa", "the input of 'Read' must be an object, not a text", id="path"),
        pytest.param("Edit", "no patch", "the input of 'Edit' must be an object, not a text", id="no patch"),
    ],
)
def test_an_input_in_which_rules_find_nothing_is_unreadable_before_a_tool(
    platform: str, tool: str, tool_input: object, message: str
) -> None:
    payload = {"hook_event_name": BEFORE[platform], "tool_name": tool, "tool_input": tool_input}
    with pytest.raises(UnreadableEvent, match=f"^{message}$"):
        parse(platform, payload)
    parse(platform, {**payload, "hook_event_name": "PostToolUse"})


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("tool", ["custom", "Bash", "Write"])
@pytest.mark.parametrize(
    "text", ['{"command":"git push --force; echo AAA[truncated]', '{\n  "command" : ', ' {"a":1}}']
)
def test_an_input_that_has_been_cut_is_unreadable_before_a_tool(platform: str, tool: str, text: str) -> None:
    payload = {"hook_event_name": BEFORE[platform], "tool_name": tool, "tool_input": text}
    with pytest.raises(UnreadableEvent, match="is JSON that is broken or has been cut"):
        parse(platform, payload)
    parse(platform, {**payload, "hook_event_name": "PostToolUse"})


CALL = {"tool_name": "Bash", "tool_input": {"command": "ls"}}


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("name", ["pre_tool", "PRETOOLUSE", "beforeShellExecution", "from.the.Future"])
def test_a_call_under_a_name_the_platform_does_not_know_is_a_call_before_a_tool(platform: str, name: str) -> None:
    event = parse(platform, {"hook_event_name": name, **CALL})
    assert (event.types, event.tool_name, event.native_event) == (("PreToolUse",), "Bash", name)
    assert event.tool_input[NATIVE_KEY[platform]] == name


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_call_without_any_event_name_is_a_call_before_a_tool(platform: str) -> None:
    assert parse(platform, {"session_id": "s", **CALL}).types == ("PreToolUse",)


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("part", [{"tool_name": "Bash"}, {"tool_input": {"command": "ls"}}, {"tool_name": ""}])
def test_an_unknown_event_without_a_whole_call_is_a_notification(platform: str, part: dict[str, Any]) -> None:
    assert parse(platform, {"hook_event_name": "from.the.Future", **part}).types == ("Notification",)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_event_the_platform_knows_stays_what_it_is_whatever_it_carries(platform: str) -> None:
    for name, spec in adapter(platform).EVENTS.items():
        assert parse(platform, {"hook_event_name": name, **CALL}).types[: len(spec.types)] == spec.types


def test_opencode_a_hook_of_a_tool_that_nobody_knows_is_a_call_before_a_tool() -> None:
    event = parse("opencode", {"hook": "tool.execute.around", "input": {"tool": "bash", "args": {"command": "ls"}}})
    assert (event.types, event.tool_input["command"]) == (("PreToolUse",), "ls")


@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_extra_key_never_replaces_an_argument(platform: str) -> None:
    event = parse(
        platform,
        {
            "hook_event_name": BEFORE[platform],
            "tool_name": "custom",
            "tool_input": {"note": "mine", "filePath": "real.txt", NATIVE_KEY[platform]: "kept"},
            "note": "theirs",
            "file_path": "other.txt",
        },
    )
    assert event.tool_input["note"] == "mine"
    assert event.tool_input["file_path"] == "real.txt"
    assert event.tool_input[NATIVE_KEY[platform]] == "kept"


@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_unknown_event_is_a_notification(platform: str) -> None:
    event = parse(platform, {"hook_event_name": "from.the.Future", "session_id": "s", "extra": 1})
    assert event.types == ("Notification",)
    assert event.tool_input == {"extra": 1, NATIVE_KEY[platform]: "from.the.Future"}


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("name", EVENT_TYPES)
def test_a_canonical_event_name_keeps_its_meaning_on_every_platform(platform: str, name: str) -> None:
    event = parse(platform, {"hook_event_name": name})
    assert event.type == name
    assert NATIVE_KEY[platform] not in event.tool_input


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_caller_s_event_name_counts_only_where_the_payload_has_none(platform: str) -> None:
    payload: dict[str, Any] = {"session_id": "s"}
    assert parse(platform, payload, BEFORE[platform]).native_event == BEFORE[platform]
    assert parse(platform, {**payload, "hook_event_name": "Notification"}, BEFORE[platform]).type == "Notification"


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize(
    ("payload", "message"),
    [
        pytest.param({"hook_event_name": 42}, "`hook_event_name` must be a non-empty string, not 42", id="number"),
        pytest.param({"hook_event_name": ""}, "`hook_event_name` must be a non-empty string, not ''", id="empty"),
        pytest.param(
            {"hook_event_name": {}}, "`hook_event_name` must be a non-empty string, not an object", id="object"
        ),
        pytest.param(
            {"hook_event_name": "PreToolUse", "tool_name": ["Bash"]},
            "`tool_name` must be a string, not a list",
            id="tool",
        ),
    ],
)
def test_a_field_that_decides_must_have_its_type(platform: str, payload: dict[str, Any], message: str) -> None:
    with pytest.raises(UnreadableEvent) as raised:
        parse(platform, payload)
    assert str(raised.value) == message


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_payload_that_names_no_event_says_what_would_help(platform: str) -> None:
    with pytest.raises(UnreadableEvent, match="--event NAME"):
        parse(platform, {"session_id": "s"})


@pytest.mark.parametrize("platform", ["claude", "gemini"])
def test_a_copilot_payload_for_another_platform_is_named_as_such(platform: str) -> None:
    with pytest.raises(UnreadableEvent, match="--platform copilot"):
        parse(platform, {"sessionId": "s", "toolName": "bash", "toolArgs": {}})


# --- claude ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "server", "readings"),
    [
        pytest.param("mcp__demo__poke", None, [("demo", "poke")], id="one reading"),
        pytest.param("mcp__a__b__c", None, [("a", "b__c"), ("a__b", "c")], id="two readings"),
        pytest.param("mcp__a__b__c", "a__b", [("a__b", "c")], id="server named"),
        pytest.param("mcp__my_mail__send", "my mail", [("my mail", "send"), ("my_mail", "send")], id="server spelled"),
        pytest.param("mcp__other__send", "demo", [("other", "send")], id="server that does not fit"),
        pytest.param("mcp__demo", None, [], id="no tool"),
        pytest.param("mcp____", None, [], id="nothing"),
        pytest.param("Bash", "demo", [], id="no MCP name"),
    ],
)
def test_claude_mcp_readings(tool: str, server: str | None, readings: list[tuple[str, str]]) -> None:
    payload = {"hook_event_name": "PreToolUse", "tool_name": tool, "mcp_server": {"name": server}}
    assert list(parse("claude", payload).mcp) == readings


# --- gemini ---------------------------------------------------------------------------------------------------------


AFTER = [("gemini", "AfterTool"), ("opencode", "tool.execute.after")]


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param({"error": "no"}, id="error of the payload"),
        pytest.param({"tool_input": {"error": "no"}}, id="error of the input"),
        pytest.param({"success": False}, id="no success"),
        pytest.param({"tool_input": {"success": False}}, id="no success of the input"),
    ],
)
@pytest.mark.parametrize(("platform", "after"), AFTER)
def test_a_failed_tool_is_also_a_failure(platform: str, after: str, payload: dict[str, Any]) -> None:
    event = parse(platform, {"hook_event_name": after, "tool_name": "x", **payload})
    assert event.types == ("PostToolUse", "PostToolUseFailure")


def test_gemini_an_error_in_the_response_is_a_failure() -> None:
    event = parse("gemini", {"hook_event_name": "AfterTool", "tool_response": {"error": {"message": "no"}}})
    assert event.types == ("PostToolUse", "PostToolUseFailure")


@pytest.mark.parametrize(
    "payload", [{}, {"error": None}, {"success": True}, {"tool_response": {"error": None}}, {"tool_response": "error"}]
)
@pytest.mark.parametrize(("platform", "after"), AFTER)
def test_a_tool_that_did_not_fail_is_no_failure(platform: str, after: str, payload: dict[str, Any]) -> None:
    assert parse(platform, {"hook_event_name": after, "tool_name": "x", **payload}).types == ("PostToolUse",)


def test_gemini_any_other_notification_is_no_permission_request() -> None:
    payload = {"hook_event_name": "Notification", "notification_type": "SomethingElse"}
    assert parse("gemini", payload).types == ("Notification",)


@pytest.mark.parametrize(
    ("tool", "context", "readings"),
    [
        pytest.param("mcp_a_b_c", None, [("a", "b_c"), ("a_b", "c")], id="two readings"),
        pytest.param("mcp_a_b_c", {"server_name": "a_b", "tool_name": "c"}, [("a_b", "c")], id="context"),
        pytest.param("mcp_a_b", {"server_name": 7}, [("a", "b")], id="broken context"),
        pytest.param("mcp__x__y", None, [("x", "y")], id="claude's spelling"),
        pytest.param("my_tool", None, [], id="no MCP name"),
    ],
)
def test_gemini_mcp_readings(tool: str, context: object, readings: list[tuple[str, str]]) -> None:
    payload = {"hook_event_name": "BeforeTool", "tool_name": tool, "mcp_context": context}
    assert list(parse("gemini", payload).mcp) == readings


# --- copilot --------------------------------------------------------------------------------------------------------

CAMEL = {"sessionId": "s", "timestamp": 1795293314746, "cwd": "/home/user/project"}


@pytest.mark.parametrize(
    ("fields", "native"),
    [
        ({"toolName": "bash", "toolArgs": {}}, "preToolUse"),
        ({"toolName": "bash", "toolArgs": {}, "toolResult": {"resultType": "success"}}, "postToolUse"),
        ({"toolName": "bash", "toolArgs": {}, "error": "no"}, "postToolUseFailure"),
        ({"toolName": "bash", "toolArgs": {}, "toolResult": None, "error": None}, "preToolUse"),
        ({"hookName": "permissionRequest", "toolName": "bash", "toolInput": {}}, "permissionRequest"),
        ({"toolName": "bash", "toolInput": {}, "permissionSuggestions": []}, "permissionRequest"),
        ({"prompt": "hi"}, "userPromptSubmitted"),
        ({"prompt": ""}, "userPromptSubmitted"),
        ({"prompt": "hi", "transformedPrompt": "ho"}, "userPromptTransformed"),
        ({"source": "new"}, "sessionStart"),
        ({"initialPrompt": "hi"}, "sessionStart"),
        ({"reason": "complete"}, "sessionEnd"),
        ({"reason": "error", "error": {"message": "x"}}, "sessionEnd"),
        ({"stopReason": "end_turn", "transcriptPath": "/t"}, "agentStop"),
        ({"stopReason": "end_turn", "agentName": "task", "response": "x"}, "subagentStop"),
        ({"agentName": "task", "transcriptPath": "/t"}, "subagentStart"),
        ({"error": {"message": "x"}, "errorContext": "model_call"}, "errorOccurred"),
        ({"trigger": "auto", "customInstructions": ""}, "preCompact"),
        ({"notificationType": "x", "message": "y"}, "notification"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_copilot_events_are_recognised_by_their_fields(fields: dict[str, Any], native: str) -> None:
    assert parse("copilot", {**CAMEL, **fields}).native_event == native


@pytest.mark.parametrize(
    ("event_name", "native"),
    [
        pytest.param("permissionRequest", "permissionRequest", id="known: goes before the fields"),
        pytest.param("pretooluse", "preToolUse", id="unknown: the fields go before it"),
    ],
)
def test_copilot_the_caller_s_event_name_and_the_fields(event_name: str, native: str) -> None:
    assert parse("copilot", {**CAMEL, "toolName": "bash", "toolArgs": {}}, event_name).native_event == native


def test_copilot_a_name_in_the_payload_goes_before_the_caller_s() -> None:
    payload = {**CAMEL, "hookName": "permissionRequest", "toolName": "bash"}
    assert parse("copilot", payload, "preToolUse").type == "PermissionRequest"


def test_copilot_an_unknown_name_of_the_caller_is_better_than_none() -> None:
    event = parse("copilot", {**CAMEL, "novelty": 1}, "fromTheFuture")
    assert (event.native_event, event.type) == ("fromTheFuture", "Notification")


def test_copilot_older_payload_without_session_and_with_arguments_as_text() -> None:
    payload = {"timestamp": 1, "cwd": "/p", "toolName": "bash", "toolArgs": '{"command":"rm -rf x"}'}
    event = parse("copilot", payload)
    assert (event.type, event.tool_name, event.session_id) == ("PreToolUse", "Bash", "")
    assert event.own_input == {"command": "rm -rf x"}
    assert event.tool_input["command"] == "rm -rf x"


def test_copilot_result_of_a_failure() -> None:
    payload = {**CAMEL, "toolName": "bash", "toolArgs": {}, "toolResult": {"resultType": "failure"}}
    assert parse("copilot", payload).types == ("PostToolUse", "PostToolUseFailure")


@pytest.mark.parametrize(
    ("tool", "canonical", "arguments", "files"),
    [
        ("run_in_terminal", "Bash", {"command": "ls"}, []),
        ("create_file", "Write", {"filePath": "a", "content": "x"}, [("a", ("write",))]),
        ("replace_string_in_file", "Edit", {"filePath": "a", "oldString": "x", "newString": "y"}, [("a", ("write",))]),
        (
            "multi_replace_string_in_file",
            "Edit",
            {"explanation": "e", "replacements": [{"filePath": "a"}, {"filePath": "b"}]},
            [("a", ("write",)), ("b", ("write",))],
        ),
        ("insert_edit_into_file", "Edit", {"filePath": "a", "code": "x"}, [("a", ("write",))]),
        ("read_file", "Read", {"filePath": "a"}, [("a", ("read",))]),
        ("fetch_webpage", "WebFetch", {"urls": ["https://x"]}, []),
        ("runSubagent", "Task", {"prompt": "p"}, []),
    ],
)
@pytest.mark.parametrize("spelling", [("hookEventName", "sessionId"), ("hook_event_name", "session_id")])
def test_copilot_vs_code(
    spelling: tuple[str, str], tool: str, canonical: str, arguments: dict[str, Any], files: list[Any]
) -> None:
    event_key, session_key = spelling
    payload = {
        event_key: "PreToolUse",
        session_key: "s",
        "tool_name": tool,
        "tool_input": arguments,
        "tool_use_id": "u",
    }
    event = parse("copilot", payload)
    assert (event.type, event.tool_name, event.session_id) == ("PreToolUse", canonical, "s")
    assert event.tool_input["platform_tool_name"] == tool
    touched = files_of(event)
    assert [(access.path, access.access) for access in touched] == files


@pytest.mark.parametrize(
    ("tool", "readings"),
    [
        ("demo-poke", [("demo", "poke")]),
        ("demo/poke", [("demo", "poke")]),
        ("my-server-tool", [("my", "server-tool"), ("my-server", "tool")]),
        ("my-server/tool", [("my-server", "tool"), ("my", "server/tool")]),
        ("mcp_server_tool", [("server", "tool")]),
        ("mcp_a_b_c", [("a", "b_c"), ("a_b", "c")]),
        ("mcp__a__b", [("a", "b")]),
        ("list_agents", []),
        ("bash", []),
        ("-", []),
    ],
)
def test_copilot_mcp_readings(tool: str, readings: list[tuple[str, str]]) -> None:
    assert list(parse("copilot", {**CAMEL, "toolName": tool, "toolArgs": {}}).mcp) == readings


# --- opencode -------------------------------------------------------------------------------------------------------


def plugin(hook: str, given: object, output: object = None, **more: Any) -> dict[str, Any]:
    return {"hook": hook, "input": given, "output": output, **more}


def test_opencode_what_the_plugin_adds() -> None:
    payload = plugin(
        "tool.execute.before",
        {"tool": "bash", "sessionID": "ses_2", "callID": "c"},
        {"args": {"command": "ls"}},
        directory="/repo/sub",
        worktree="/repo",
        agent="general",
        parentSessionID="ses_1",
        mcpServers=[],
    )
    event = parse("opencode", payload)
    assert (event.cwd, event.project_dir) == ("/repo/sub", "/repo/sub")
    assert (event.session_id, event.agent_id, event.agent_type) == ("ses_2", "ses_2", "general")
    assert event.tool_input["callID"] == "c"


def test_opencode_the_worktree_alone_is_the_project() -> None:
    event = parse("opencode", plugin("event", {"type": "todo.updated", "properties": {}}, worktree="/repo"))
    assert (event.cwd, event.project_dir) == (None, "/repo")


@pytest.mark.parametrize(
    ("kind", "types"),
    [
        ("session.idle", ("SubagentStop", "AfterAgent")),
        ("session.created", ("SessionStart", "SubagentStart", "BeforeAgent")),
        ("session.deleted", ("SessionEnd",)),
    ],
)
def test_opencode_a_session_with_a_parent_is_a_subagent_s(kind: str, types: tuple[str, ...]) -> None:
    payload = plugin("event", {"type": kind, "properties": {"sessionID": "ses_2"}}, parentSessionID="ses_1")
    assert parse("opencode", payload).types == types


def test_opencode_what_the_plugin_knows_goes_before_what_the_event_says() -> None:
    info = {"id": "ses_2", "parentID": "ses_0", "directory": "/elsewhere", "agent": "other"}
    payload = plugin(
        "event",
        {"type": "session.created", "properties": {"info": info}},
        directory="/repo",
        parentSessionID="ses_1",
        agent="general",
    )
    event = parse("opencode", payload)
    assert (event.session_id, event.cwd, event.agent_type) == ("ses_2", "/repo", "general")
    assert event.tool_input["parentSessionID"] == "ses_1"


def test_opencode_what_the_hook_says_of_the_call_cannot_be_overruled() -> None:
    payload = plugin(
        "tool.execute.before",
        {"tool": "bash", "sessionID": "s"},
        {"args": {"command": "rm -rf x"}},
        tool_name="read",
        tool_input={"command": "ls"},
        session_id="other",
    )
    event = parse("opencode", payload)
    assert (event.tool_name, event.own_input, event.session_id) == ("Bash", {"command": "rm -rf x"}, "s")


def test_opencode_a_prompt_is_what_the_user_typed() -> None:
    parts = [
        {"type": "text", "text": "first"},
        {"type": "text", "text": "added by a plugin", "synthetic": True},
        {"type": "file", "text": "no"},
        {"type": "text", "text": "second"},
        "noise",
    ]
    payload = plugin("chat.message", {"sessionID": "s"}, {"message": {"agent": "build"}, "parts": parts})
    event = parse("opencode", payload)
    assert (event.prompt, event.tool_input["prompt"], event.agent_type) == ("first\nsecond", "first\nsecond", "build")


def test_opencode_a_slash_command_is_no_shell_command() -> None:
    event = parse("opencode", plugin("command.execute.before", {"command": "rm", "arguments": "-rf x"}, {"parts": []}))
    assert event.prompt == "/rm -rf x"
    assert "command" not in event.tool_input
    assert (event.tool_input["command_name"], event.tool_input["command_args"]) == ("rm", "-rf x")


def test_opencode_a_tool_that_failed_arrives_as_an_event() -> None:
    state = {"status": "error", "input": {"command": "ls"}, "error": "denied"}
    part = {"type": "tool", "tool": "bash", "callID": "c", "state": state}
    event = parse("opencode", plugin("event", {"type": "message.part.updated", "properties": {"part": part}}))
    assert (event.types, event.tool_name, event.own_input) == (("PostToolUseFailure",), "Bash", {"command": "ls"})
    assert (event.tool_input["error"], event.tool_input["callID"]) == ("denied", "c")


@pytest.mark.parametrize(
    ("servers", "readings"),
    [
        pytest.param(None, [("a", "b_c"), ("a_b", "c")], id="not known"),
        pytest.param([], [], id="none"),
        pytest.param(["other"], [], id="another"),
        pytest.param(["a_b"], [("a_b", "c")], id="one"),
        pytest.param(["a", "a_b"], [("a", "b_c"), ("a_b", "c")], id="both"),
        pytest.param(["a.b", 7, ""], [("a.b", "c"), ("a_b", "c")], id="spelled with a dot"),
    ],
)
def test_opencode_mcp_readings(servers: object, readings: list[tuple[str, str]]) -> None:
    payload = plugin("tool.execute.before", {"tool": "a_b_c"}, {"args": {}}, mcpServers=servers)
    assert list(parse("opencode", payload).mcp) == readings


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        (plugin("", {}), "`hook` must be the name of a plugin hook"),
        (plugin("tool.execute.before", {}, {"args": {}}), "`input.tool` must be the name of the tool"),
        (plugin("tool.execute.before", None, {"args": {}}), "`input.tool` must be the name of the tool"),
        (plugin("tool.execute.before", {"tool": "bash"}, {}), "`output.args` must be the tool's arguments"),
        (plugin("tool.execute.after", {"tool": 7}), "`input.tool` must be the name of the tool"),
        (plugin("event", {"properties": {}}), "`input.type` must be the name of the event"),
    ],
)
def test_opencode_a_call_the_plugin_left_half_told_is_unreadable(payload: dict[str, Any], message: str) -> None:
    with pytest.raises(UnreadableEvent, match=message):
        parse("opencode", payload)

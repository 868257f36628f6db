"""What holds for every payload, every verdict and every adapter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rulez_py.event import EVENT_TYPES, Event, UnreadableEvent
from rulez_py.platforms import PLATFORMS, adapter, tool_table
from rulez_py.platforms.parsing import mapping, spec_of
from rulez_py.verdict import ALLOW, ASK, DENY, NO_OPINION, Answer, Verdict
from tests.platforms import PLATFORMS as FACTS
from tests.platforms import inside, said
from tests.recordings import RECORDINGS

UNTIMED = settings(deadline=None)

platforms = st.sampled_from(PLATFORMS)
scalars = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=8
)

# fmt: off
KEYS = [
    "hook_event_name", "hookEventName", "event_type", "hookName", "session_id", "sessionId", "tool_name",
    "toolName", "tool_input", "toolInput", "toolArgs", "tool_response", "toolResult", "tool_result", "error",
    "success", "prompt", "source", "reason", "trigger", "stopReason", "agentName", "notification_type",
    "mcp_context", "mcp_server", "mcpServers", "cwd", "directory", "worktree", "parentSessionID", "agent",
    "hook", "input", "output", "transcript_path", "tool_use_id", "stop_hook_active", "timestamp",
]
# fmt: on
NAMES = [
    *EVENT_TYPES,
    *(name for platform in PLATFORMS for name in adapter(platform).EVENTS),
    "event",
    "from.the.future",
]
TOOLS = [name for platform in PLATFORMS for name in tool_table.INBOUND[platform]] + [
    "mcp__a__b",
    "mcp_a_b",
    "a-b",
    "a_b_c",
]

inner_objects = st.fixed_dictionaries(
    {},
    optional={
        key: st.sampled_from([*NAMES, *TOOLS]) | values
        for key in ("tool", "type", "args", "sessionID", "properties", "parts", "message", "info", "command", "file")
    },
)
payloads = st.fixed_dictionaries(
    {}, optional={key: st.sampled_from(NAMES) | st.sampled_from(TOOLS) | inner_objects | values for key in KEYS}
)


# Every event of every platform, as (platform, native name), and those among them that stand before something.
EVENTS = [(platform, name) for platform in PLATFORMS for name in adapter(platform).EVENTS]
GUARDING = [(platform, name) for platform, name in EVENTS if spec_of(adapter(platform).EVENTS, name).guards]
TOO_LATE = [pair for pair in EVENTS if pair not in GUARDING]
BEFORE_TOOL = [
    (platform, name) for platform, name in EVENTS if spec_of(adapter(platform).EVENTS, name).types == ("PreToolUse",)
]


@st.composite
def events(draw: st.DrawFn, among: list[tuple[str, str]] = EVENTS) -> Event:
    """One of these events with a tool name, as its own adapter reads it from the flat form."""
    platform, name = draw(st.sampled_from(among))
    tool = draw(st.sampled_from([*tool_table.INBOUND[platform], "custom"]))
    # Only some tools are called with a text.
    patches = ["*** Begin Patch\n*** Add File: a"]
    texts = patches if tool_table.canonical_name(platform, tool) in ("Bash", "Edit", "custom") else []
    payload = {
        "hook_event_name": name,
        "session_id": "s",
        "tool_name": tool,
        "tool_input": draw(st.sampled_from([{"command": "ls"}, {"path": "a"}, *texts])),
        **draw(st.sampled_from([{}, {"transcript_path": "/t"}, {"tool_use_id": "u"}, {"stop_hook_active": True}])),
    }
    return adapter(platform).parse(payload, None)


def verdicts(*decisions: str, failed: bool | None = None) -> st.SearchStrategy[Verdict]:
    """Verdicts with one of these decisions, else with any."""
    return st.builds(
        Verdict,
        decision=st.sampled_from(decisions or (NO_OPINION, ALLOW, ASK, DENY)),
        reason=st.sampled_from(["", "because"]),
        context=st.sampled_from([(), ("note this",)]),
        rewrite=st.sampled_from([None, {"command": "true"}]),
        failed=st.booleans() if failed is None else st.just(failed),
    )


def json_in(answer: Answer, event: Event) -> dict[str, Any]:
    """The JSON object that the agent reads on stdout; {} where it takes it for text."""
    return {} if FACTS[event.platform].plain else said(answer)


def answer_to(verdict: Verdict, event: Event) -> Answer:
    return adapter(event.platform).answer(verdict, event)


def words(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from (key, *words(item))
    elif isinstance(value, str):
        yield value


def blocks(event: Event, answer: Answer) -> bool:
    """Whether the agent stops what the event comes before."""
    return FACTS[event.platform].stops(answer, event.type)


# --- parsing --------------------------------------------------------------------------------------------------------


@UNTIMED
@given(platforms, payloads, st.none() | st.sampled_from(NAMES))
def test_parsing_gives_an_event_or_says_why_not(platform: str, payload: dict[str, Any], name: str | None) -> None:
    try:
        event = adapter(platform).parse(payload, name)
    except UnreadableEvent as error:
        assert str(error)
    else:
        assert event.platform == platform
        assert event.types
        assert set(event.types) <= set(EVENT_TYPES)


@UNTIMED
@given(platforms, payloads, st.none() | st.sampled_from(NAMES), verdicts())
def test_what_was_parsed_can_be_answered(
    platform: str, payload: dict[str, Any], name: str | None, verdict: Verdict
) -> None:
    try:
        event = adapter(platform).parse(payload, name)
    except UnreadableEvent:
        return
    answer = answer_to(verdict, event)
    assert answer.exit_code in (0, 2)
    assert isinstance(json_in(answer, event), dict)


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("key", KEYS)
def test_deep_nesting_anywhere_is_no_crash(platform: str, key: str) -> None:
    deep: Any = "bottom"
    for _ in range(900):
        deep = [deep]
    payload = {"hook_event_name": "PreToolUse", "tool_name": "Bash", key: deep}
    try:
        event = adapter(platform).parse(payload, None)
    except UnreadableEvent:
        return
    answer = answer_to(Verdict(decision=DENY, reason="because"), event)
    assert "because" in answer.stdout + answer.stderr


@UNTIMED
@given(platforms, st.lists(values) | scalars)
def test_a_payload_that_is_no_object_is_unreadable(platform: str, payload: Any) -> None:
    with pytest.raises(UnreadableEvent, match="must be a JSON object"):
        adapter(platform).parse(payload, "PreToolUse")


@UNTIMED
@given(platforms, payloads)
def test_a_tool_s_own_arguments_reach_the_event_unchanged(platform: str, payload: dict[str, Any]) -> None:
    try:
        event = adapter(platform).parse(payload, "PreToolUse")
    except UnreadableEvent:
        return
    assume(isinstance(event.own_input, dict))
    assert isinstance(event.own_input, dict)
    own = {key: value for key, value in event.own_input.items() if key != "platform_tool_name"}
    assert {key: event.tool_input[key] for key in own} == own


@UNTIMED
@given(platforms, st.text(min_size=1).filter(lambda name: name not in TOOLS))
def test_an_unknown_tool_name_passes_through(platform: str, name: str) -> None:
    event = adapter(platform).parse({"hook_event_name": "PreToolUse", "tool_name": name}, None)
    assert event.tool_name == name
    assert "platform_tool_name" not in event.tool_input


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("name", tool_table.CANONICAL)
def test_a_canonical_tool_name_stays_as_it_is(platform: str, name: str) -> None:
    event = adapter(platform).parse({"hook_event_name": "PreToolUse", "tool_name": name}, None)
    assert event.tool_name == name
    assert "platform_tool_name" not in event.tool_input


# --- answering ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_no_opinion_changes_nothing(recording: Any) -> None:
    event = adapter(recording.platform).parse(recording.payload, None)
    assert answer_to(Verdict(), event) == Answer(stdout=FACTS[recording.platform].neutral)


@UNTIMED
@given(events(), verdicts(NO_OPINION, ASK, DENY) | verdicts(ALLOW, failed=True))
def test_only_an_allow_allows(event: Event, verdict: Verdict) -> None:
    answer = answer_to(verdict, event)
    # Codex CLI takes a new input only beside this word, which approves nothing there.
    rewritten = event.platform == "codex" and FACTS["codex"].new_input(answer) is not None
    assert rewritten or not {"allow", "approve"} & set(words(json_in(answer, event)))


@UNTIMED
@given(events(GUARDING), verdicts(DENY))
def test_a_deny_where_something_can_be_stopped_stops_it_and_says_why(event: Event, verdict: Verdict) -> None:
    answer = answer_to(verdict, event)
    assert blocks(event, answer)
    assert (verdict.reason or "denied by policy") in answer.stdout + answer.stderr


@UNTIMED
@given(events(GUARDING), verdicts(ASK))
def test_an_ask_is_asked_or_denied_where_something_can_be_stopped(event: Event, verdict: Verdict) -> None:
    answer = answer_to(verdict, event)
    if event.type == "PermissionRequest":
        # The user is being asked already.
        assert answer == Answer(dropped=answer.dropped)
    else:
        facts = FACTS[event.platform]
        asks = facts.asks or event.native_event in facts.asks_at.split()
        assert blocks(event, answer) or (asks and facts.asked(answer) and answer.exit_code == 0)


UNKNOWN = [(platform, "from.the.future") for platform in PLATFORMS]


@UNTIMED
@given(events(UNKNOWN), verdicts())
def test_to_a_caller_nobody_knows_only_a_deny_is_said_and_in_every_way(event: Event, verdict: Verdict) -> None:
    answer = answer_to(verdict, event)
    changes = verdict.rewrite is not None and event.own_input != {**mapping(event.own_input), "command": "true"}
    if verdict.decision in (DENY, ASK) or changes:
        assert answer.exit_code == 2
        assert answer.stderr
        closed = said(answer).get("continue") is False or said(answer).get("cancel") is True
        assert {"deny", "block"} & set(words(said(answer))) or closed
    else:
        assert (answer.stdout, answer.exit_code) == (FACTS[event.platform].neutral, 0)


@UNTIMED
@given(events(TOO_LATE), verdicts(failed=True))
def test_an_error_denies_nothing_that_can_no_longer_be_stopped(event: Event, verdict: Verdict) -> None:
    answer = answer_to(verdict, event)
    assert answer.exit_code == 0
    told = json_in(answer, event)
    assert not {"decision", "permissionDecision", "behavior", "stopReason"} & told.keys()
    assert told.get("continue", True) is True


@UNTIMED
@given(events([pair for pair in EVENTS if pair[0] == "gemini"]), verdicts())
def test_gemini_reads_nothing_but_its_answer(event: Event, verdict: Verdict) -> None:
    answer = answer_to(verdict, event)
    assert (answer.stderr, answer.exit_code) == ("", 0)
    assert event.native_event != "BeforeToolSelection" or not answer.stdout


# What Codex CLI knows at the top of an answer and inside hookSpecificOutput; one key more and all of it is ignored.
CODEX_TOP = {
    "PreToolUse": "systemMessage decision reason hookSpecificOutput",
    "PermissionRequest": "systemMessage hookSpecificOutput",
    "PostToolUse": "systemMessage decision reason hookSpecificOutput",
    "UserPromptSubmit": "systemMessage decision reason hookSpecificOutput",
    "SessionStart": "systemMessage hookSpecificOutput",
    "SubagentStart": "systemMessage hookSpecificOutput",
    "SubagentStop": "systemMessage decision reason",
    "Stop": "systemMessage decision reason",
}
CODEX_INSIDE = {
    "PreToolUse": "hookEventName permissionDecision permissionDecisionReason updatedInput additionalContext",
    "PermissionRequest": "hookEventName decision",
}


@UNTIMED
@given(events([pair for pair in EVENTS if pair[0] == "codex"]), verdicts())
def test_codex_knows_every_key_of_its_answer(event: Event, verdict: Verdict) -> None:
    answer = answer_to(verdict, event)
    assert said(answer).keys() <= set(CODEX_TOP.get(event.native_event, "systemMessage").split())
    words = inside(answer)
    assert words.keys() <= set(CODEX_INSIDE.get(event.native_event, "hookEventName additionalContext").split())
    assert not words or words["hookEventName"] == event.native_event
    assert (words.get("permissionDecision") == "allow") == ("updatedInput" in words)
    assert words.get("permissionDecision") in (None, "allow", "deny")


@UNTIMED
@given(events(BEFORE_TOOL), verdicts(NO_OPINION))
def test_a_rewrite_hands_over_the_whole_input_or_denies(event: Event, verdict: Verdict) -> None:
    answer = answer_to(verdict.replace(rewrite={"command": "true"}), event)
    if not isinstance(event.own_input, dict) or event.native_event in FACTS[event.platform].not_rewritten.split():
        assert blocks(event, answer)
        return
    assert FACTS[event.platform].new_input(answer) == {**event.own_input, "command": "true"}


@UNTIMED
@given(events(), verdicts())
def test_context_is_told_or_named_as_dropped(event: Event, verdict: Verdict) -> None:
    answer = answer_to(verdict.replace(context=("note this",)), event)
    told = "note this" in answer.stdout
    dropped = any(line.startswith("context ") for line in answer.dropped)
    assert told != dropped


@UNTIMED
@given(events(), verdicts(DENY))
def test_a_deny_is_said_or_named_as_dropped(event: Event, verdict: Verdict) -> None:
    answer = answer_to(verdict, event)
    told = (verdict.reason or "denied by policy") in answer.stdout + answer.stderr
    dropped = any(line.startswith(("deny ", "error ")) for line in answer.dropped)
    assert told != dropped

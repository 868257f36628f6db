"""`rulez hook --platform auto`: the payload tells the agent, and where it does not, the answer is the stricter one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulez_py.event import Event
from rulez_py.hook import call as hook_call
from rulez_py.hook.call import finish, log, respond
from rulez_py.hook.failing import last_words
from rulez_py.hook.main import main
from rulez_py.hook.supervise import give_up
from rulez_py.hook.values import HookCall, Options, platform_of
from rulez_py.platforms import AUTO, PLATFORMS, adapter, caller, senders
from rulez_py.platforms.unnamed import denied, together
from rulez_py.system.places import places
from rulez_py.verdict import ALLOW, ASK, DENY, NO_OPINION, Answer, Verdict
from tests.platforms import PLATFORMS as FACTS
from tests.platforms import denies, inside, is_neutral, said
from tests.programs import ROOT
from tests.recordings import BEFORE_TOOL, PAYLOADS, RECORDINGS, SHELL, Recording, environ_of, with_command

PUSH = "git push --force"


# --- the evidence ---------------------------------------------------------------------------------------------------

# Recordings that also another agent may have sent -> who may have, and why that is so.
AMBIGUOUS: dict[str, tuple[tuple[str, ...], str]] = {
    "codex/SessionEnd.json": (
        ("claude", "codex"),
        "Codex CLI sends no turn there, and Claude Code no `prompt_id` where nothing was written",
    ),
}
# The same where the environment says nothing: there is none of the agent's, or it has been cleared.
AMBIGUOUS_BY_THE_PAYLOAD: dict[str, tuple[tuple[str, ...], str]] = {
    **AMBIGUOUS,
    **{
        f"gemini/{name}.json": (("copilot", "gemini"), "VS Code's has the same keys; GEMINI_SESSION_ID is not there")
        for name in ("SessionStart", "SessionStart__clear")
    },
}


def ids(recording: Recording) -> str:
    return recording.name


@pytest.mark.parametrize("recording", RECORDINGS, ids=ids)
def test_every_recorded_payload_tells_its_agent(recording: Recording) -> None:
    expected, _ = AMBIGUOUS.get(recording.name, ((recording.platform,), ""))
    assert senders(recording.payload, environ_of(recording.platform, recording.payload)) == expected


def test_most_tell_it_without_the_environment() -> None:
    found = {one.name: senders(one.payload, {}) for one in RECORDINGS}
    others = {name: names for name, names in found.items() if names != (name.partition("/")[0],)}
    assert others == {name: names for name, (names, _) in AMBIGUOUS_BY_THE_PAYLOAD.items()}


def test_an_agent_that_another_one_has_started_is_not_taken_for_that_one() -> None:
    """It inherits the other's variables, of another session in the same project."""
    inherited: dict[str, str] = {}
    for platform in FACTS:
        inherited |= environ_of(platform, {"session_id": "another", "sessionId": "another"})
    found = {
        one.name: senders(one.payload, {**inherited, **environ_of(one.platform, one.payload)}) for one in RECORDINGS
    }
    others = {name: names for name, names in found.items() if names != (name.partition("/")[0],)}
    assert others == {name: names for name, (names, _) in AMBIGUOUS.items()}


def test_an_ambiguous_payload_comes_before_nothing_that_can_be_stopped() -> None:
    names = {recording.name for recording in BEFORE_TOOL}
    assert names & AMBIGUOUS_BY_THE_PAYLOAD.keys() == set()
    for name in AMBIGUOUS_BY_THE_PAYLOAD:
        event = adapter(name.partition("/")[0]).parse(json.loads((PAYLOADS / name).read_text()), None)
        assert all(not adapter(one).EVENTS[event.native_event].guards for one in AMBIGUOUS_BY_THE_PAYLOAD[name][0])


def test_it_agrees_with_what_a_named_hook_makes_of_another_agent_s_call() -> None:
    for one in RECORDINGS:
        environ = environ_of(one.platform, one.payload)
        for platform in PLATFORMS:
            sender = caller(platform, one.payload, environ)
            assert sender == platform or sender in senders(one.payload, environ), one.name


def test_a_tool_s_name_that_two_agents_use_does_not_tell_the_sender() -> None:
    """Copilot calls a tool of its `read_file` too, and runs Claude Code's hooks as well."""
    payload = json.loads((PAYLOADS / "qwen" / "PreToolUse__read_file.json").read_text())
    assert caller("claude", payload, environ_of("qwen", payload)) == "qwen"


@pytest.mark.parametrize("agent", ["hermes", "vibe"])
def test_what_an_agent_sent_to_claude_code_s_hook_before_it_had_an_adapter_is_its_own(agent: str) -> None:
    """tests/payloads/foreign.json"""
    sent = [one["payload"] for one in json.loads((PAYLOADS / "foreign.json").read_text()) if one["agent"] == agent]
    assert sent
    assert {senders(payload, {}) for payload in sent} == {(agent,)}


TURN = {
    "hook_event_name": "PreToolUse",
    "session_id": "s",
    "turn_id": "t",
    "permission_mode": "default",
    "tool_name": "Bash",
    "tool_input": {"command": "ls"},
}


def test_the_turn_is_codex_s() -> None:
    assert senders(TURN, {}) == ("codex",)


UNKNOWN: dict[str, dict[str, Any]] = {
    "nothing": {},
    "a call and no more": {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}},
    "a session and no more": {"session_id": "s"},
    "keys that are null": {"session_id": None, "hook_event_name": None, "cursor_version": None},
    "Codex CLI's turn with Qwen Code's keys": {**TURN, "timestamp": "2026-11-27T07:37:09.403Z"},
    "a form of the future": {"event": {"name": "before", "call": {"command": "ls"}}, "session": "s"},
}


@pytest.mark.parametrize("payload", UNKNOWN.values(), ids=UNKNOWN)
def test_what_no_agent_sends_has_no_sender(payload: dict[str, Any]) -> None:
    assert senders(payload, {"CLAUDE_CODE_SESSION_ID": "s", "GEMINI_SESSION_ID": "s", "COPILOT_CLI": "1"}) == ()


# --- one agent ------------------------------------------------------------------------------------------------------


def call_of(payload: Mapping[str, Any], platform: str = "", **options: Any) -> HookCall:
    environ = {**os.environ, **(environ_of(platform, payload) if platform else {})}
    return HookCall(Options(platform=AUTO, **options), environ, time.monotonic())


def answered(payload: Mapping[str, Any], platform: str = "", **options: Any) -> Answer:
    call = call_of(payload, platform, **options)
    try:
        return respond(call, json.dumps(payload).encode()).answer
    finally:
        finish(call)


def test_every_agent_has_a_recorded_call_of_its_shell() -> None:
    assert {one.platform for one in SHELL} == set(FACTS)


@pytest.mark.parametrize("recording", SHELL, ids=ids)
def test_a_forced_push_is_stopped_whoever_sends_it(recording: Recording) -> None:
    answer = answered(with_command(recording.payload, PUSH), recording.platform)
    assert denies(answer, recording.platform)
    assert "no-force-push" in answer.stdout + answer.stderr


@pytest.mark.parametrize("recording", SHELL, ids=ids)
def test_neutral_is_neutral_whoever_sends_it(recording: Recording) -> None:
    assert is_neutral(answered(with_command(recording.payload, "ls"), recording.platform), recording.platform)


@pytest.mark.parametrize("recording", [one for one in RECORDINGS if one.name not in AMBIGUOUS], ids=ids)
def test_it_is_as_if_the_agent_had_been_named(recording: Recording) -> None:
    environ = {**os.environ, **environ_of(recording.platform, recording.payload)}
    named = HookCall(Options(platform=recording.platform), environ, time.monotonic())
    auto = HookCall(Options(platform=AUTO), environ, time.monotonic())
    try:
        expected, outcome = respond(named, recording.data), respond(auto, recording.data)
    finally:
        finish(named)
        finish(auto)
    assert outcome == expected
    assert auto.known.event == named.known.event


def test_the_log_names_the_agent_that_was_found() -> None:
    recording = next(one for one in SHELL if one.platform == "gemini")
    call = call_of(recording.payload, "gemini")
    log(call, respond(call, recording.data))
    finish(call)
    assert [line["platform"] for line in logged()] == ["gemini"]


def logged() -> list[dict[str, Any]]:
    state = Path(places(dict(os.environ)).state)
    return [json.loads(line) for file in [state / "audit.jsonl"] for line in file.read_text().splitlines()]


def test_a_call_whose_agent_is_unknown_is_in_the_log_too() -> None:
    call = call_of({})
    log(call, respond(call, b"{}"))
    finish(call)
    assert [(line["platform"], line["verdict"]) for line in logged()] == [(AUTO, DENY)]
    assert platform_of(AUTO) in PLATFORMS


def test_only_the_adapter_of_the_agent_is_loaded() -> None:
    source = (
        "import sys, json; sys.path[:0] = {paths!r}\n"
        "from rulez_py.hook.main import main\n"
        "main(['--platform', 'auto'])\n"
        "print(json.dumps([name for name in sys.modules if name.endswith('.adapter')]), file=sys.stderr)"
    )
    recording = next(one for one in SHELL if one.platform == "qwen")
    payload = json.dumps(with_command(recording.payload, "ls"))
    command = [sys.executable, "-c", source.format(paths=[str(ROOT)])]
    subprocess.run(command, input=payload, capture_output=True, text=True, check=True)  # It compiles the policy.
    ended = subprocess.run(command, input=payload, capture_output=True, text=True, check=True)
    assert json.loads(ended.stderr) == ["rulez_py.platforms.qwen.adapter"]


# --- no agent -------------------------------------------------------------------------------------------------------

# What stops the call of a tool on each agent, by its contract.md: the facts ask for the agent's own words beside it.
OBEYS: dict[str, Callable[[Answer], bool]] = {
    "claude": lambda answer: answer.exit_code == 2 and bool(answer.stderr),
    "cline": lambda answer: said(answer).get("cancel") is True and bool(said(answer)["errorMessage"]),
    "codex": lambda answer: answer.exit_code == 2 and bool(answer.stderr),
    "copilot": lambda answer: answer.exit_code == 2,
    "cursor": lambda answer: answer.exit_code == 2 and bool(answer.stderr),
    "droid": lambda answer: answer.exit_code == 2 and bool(answer.stderr),
    "gemini": lambda answer: said(answer).get("decision") in ("deny", "block") and bool(said(answer)["reason"]),
    "grok": lambda answer: answer.exit_code == 2,
    "hermes": lambda answer: said(answer).get("decision") == "block" and bool(said(answer)["reason"]),
    "kimi": lambda answer: answer.exit_code == 2 and bool(answer.stderr),
    "kilo": lambda answer: answer.exit_code == 2,
    "opencode": lambda answer: answer.exit_code == 2,
    "openhands": lambda answer: answer.exit_code == 2,
    "pi": lambda answer: answer.exit_code == 2,
    "qwen": lambda answer: answer.exit_code == 2 and bool(answer.stderr),
    "vibe": lambda answer: answer.exit_code == 2 and bool(answer.stderr),
    "amp": lambda answer: answer.exit_code == 2,
    "auggie": lambda answer: answer.exit_code == 2 and bool(answer.stderr),
    "devin": lambda answer: answer.exit_code == 2 and bool(answer.stderr),
    "kiro": lambda answer: answer.exit_code == 2 and bool(answer.stderr),
    "windsurf": lambda answer: answer.exit_code == 2 and bool(answer.stderr),
}


def stopped_by_all(answer: Answer) -> bool:
    return all(obeys(answer) for obeys in OBEYS.values())


def test_what_is_obeyed_is_known_of_every_agent() -> None:
    assert OBEYS.keys() == FACTS.keys()


def test_the_agent_that_reads_the_reason_there_is_told_it() -> None:
    words = said(denied("because", None))
    assert (words["permissionDecision"], words["permissionDecisionReason"]) == ("deny", "because")
    assert "hookSpecificOutput" not in words


@pytest.mark.parametrize("platform", ["claude", "copilot"])
def test_a_permission_is_denied_by_those_that_do_not_obey_the_exit_code_there(platform: str) -> None:
    assert FACTS[platform].stops(denied("because", "PermissionRequest"), "PermissionRequest")


BROKEN = {
    "empty": b"",
    "blank": b" \n",
    "no JSON": b"{",
    "no object": b"[]",
    "not UTF-8": b'{"a": "\xff"}',
    **{name: json.dumps(payload).encode() for name, payload in UNKNOWN.items()},
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_read_is_denied_in_the_words_of_every_agent(data: bytes) -> None:
    call = call_of({})
    outcome = respond(call, data)
    finish(call)
    assert (outcome.verdict.decision, outcome.verdict.failed) == (DENY, True)
    assert stopped_by_all(outcome.answer)


def test_an_unknown_sender_is_told_what_to_name() -> None:
    reason = answered(UNKNOWN["a form of the future"]).stderr
    assert f"`rulez hook --platform NAME`, with one of {', '.join(PLATFORMS)}" in reason


@pytest.mark.parametrize("event", ["Stop", "PostToolUse", "SessionEnd", "AfterTool"])
def test_an_unknown_sender_at_an_event_that_guards_nothing_is_told_nothing(event: str) -> None:
    """A denial there would have some agents go on without end."""
    assert answered({"hook_event_name": event}) == Answer()
    assert stopped_by_all(answered({"hook_event_name": "PreToolUse"}))


def test_where_time_runs_out_before_the_payload_is_read_every_agent_is_stopped() -> None:
    call = call_of({}, timeout=0.001)
    outcome = give_up(call)
    finish(call)
    assert "no verdict within" in outcome.verdict.reason
    assert stopped_by_all(outcome.answer)
    assert stopped_by_all(last_words(call_of({}).known, "it hangs", "look").answer)


def test_where_on_error_allows_it_nothing_is_said(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("version: '1.0'\nsettings: {on_error: allow}\nrules: []\n")
    assert answered({}, rules=str(rules)) == Answer()


@pytest.mark.parametrize("words", [["--platform", AUTO, "--nonsense"], [f"--platform={AUTO}", "x"], [AUTO]])
def test_a_wrong_command_line_stops_every_agent(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    code = main(words)
    stdout, stderr = capfd.readouterr()
    assert "the command line of `rulez hook` is wrong" in stderr
    assert stopped_by_all(Answer(stdout=stdout, stderr=stderr, exit_code=code))


# --- several agents -------------------------------------------------------------------------------------------------

FLAT = ("claude", "codex", "copilot", "gemini", "grok", "qwen")
BOTH = [(one, other) for one in FLAT for other in FLAT if one < other]


@pytest.fixture
def doubtful(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Says who may have sent every payload."""

    def of(*names: str) -> None:
        monkeypatch.setattr(hook_call, "senders", lambda _payload, _environ: names)

    return of


def shell_call(line: str) -> dict[str, Any]:
    call = {"tool_name": "Bash", "tool_input": {"command": line}}
    return {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/home/user/project", **call}


@pytest.mark.parametrize("names", BOTH, ids="-".join)
def test_a_forced_push_is_stopped_by_each_of_two(names: tuple[str, str], doubtful: Callable[..., None]) -> None:
    doubtful(*names)
    answer = answered(shell_call(PUSH))
    assert all(OBEYS[name](answer) or denies(answer, name) for name in names)
    assert "no-force-push" in answer.stdout + answer.stderr


@pytest.mark.parametrize("names", BOTH, ids="-".join)
def test_neutral_is_neutral_to_each_of_two(names: tuple[str, str], doubtful: Callable[..., None]) -> None:
    doubtful(*names)
    assert all(is_neutral(answered(shell_call("ls")), name) for name in names)


def test_where_both_are_told_the_same_they_are_told_that(doubtful: Callable[..., None]) -> None:
    doubtful("claude", "codex")
    assert inside(answered(shell_call(PUSH)))["permissionDecision"] == "deny"


ASKING = "{name: ask, matchers: {command_match: frobnicate}, actions: {ask: true}}"
WRITING = "{name: write, matchers: {command_match: frobnicate}, actions: {rewrite: {command: ls}}}"


@pytest.mark.parametrize("rule", [ASKING, WRITING])
def test_what_one_of_two_cannot_do_is_denied(rule: str, doubtful: Callable[..., None], tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text(f"version: '1.0'\nrules: [{rule}]\n")
    doubtful("claude", "codex")
    answer = answered(shell_call("frobnicate"), rules=str(rules))
    assert OBEYS["claude"](answer)
    assert OBEYS["codex"](answer)
    assert "Claude Code or Codex CLI sent this" in answer.stderr


def test_what_cannot_be_read_as_one_of_them_is_denied(doubtful: Callable[..., None]) -> None:
    doubtful("claude", "copilot")
    answer = answered({"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": [1]})
    assert stopped_by_all(answer) or (denies(answer, "claude") and denies(answer, "copilot"))


def test_the_log_says_that_the_agent_is_in_doubt(doubtful: Callable[..., None]) -> None:
    doubtful("claude", "codex")
    call = call_of({})
    outcome = respond(call, json.dumps(shell_call(PUSH)).encode())
    log(call, outcome)
    finish(call)
    assert "sent by one of claude, codex, and judged as from each" in outcome.verdict.notes
    assert [(line["platform"], line["verdict"]) for line in logged()] == [("claude", DENY)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes can fork")
def test_a_repository_s_rules_judge_it_as_from_each(tmp_path: Path) -> None:
    """Each in a child of its own, which puts the alarm off."""
    rule = "{name: bye, matchers: {operations: [SessionEnd]}, actions: {inject_inline: bye}}"
    policy = tmp_path / ".rulez" / "rules.yaml"
    policy.parent.mkdir()
    policy.write_text(f"version: '1.0'\nrules: [{rule}]\n")
    (tmp_path / ".git").mkdir()
    payload = {**json.loads((PAYLOADS / "codex" / "SessionEnd.json").read_text()), "cwd": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "-m", "rulez_py", "hook", "--platform", AUTO],
        input=json.dumps(payload),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    (line,) = logged()
    assert [hit["rule"] for hit in line["rules"]] == ["bye"]
    assert "sent by one of claude, codex, and judged as from each" in line["notes"]


verdicts = st.builds(
    Verdict,
    decision=st.sampled_from((NO_OPINION, ALLOW, ASK, DENY)),
    reason=st.sampled_from(["", "because"]),
    context=st.sampled_from([(), ("note this",)]),
    rewrite=st.sampled_from([None, {"command": "true"}]),
    failed=st.booleans(),
)


@st.composite
def candidates(draw: st.DrawFn) -> list[tuple[Event, Verdict, Answer]]:
    """Two or three agents, each with its event before a tool or another one, its verdict and its answer."""
    found = []
    for name in draw(st.lists(st.sampled_from(PLATFORMS), min_size=2, max_size=3, unique=True)):
        event_name = draw(st.sampled_from([FACTS[name].before_tool, *adapter(name).EVENTS]))
        payload = {**shell_call("ls"), "hook_event_name": event_name}
        event = adapter(name).parse(payload, None)
        verdict = draw(verdicts)
        found.append((event, verdict, adapter(name).answer(verdict, event)))
    return found


@settings(deadline=None)
@given(candidates())
def test_together_they_never_let_pass_what_one_of_them_stops(said_by: list[tuple[Event, Verdict, Answer]]) -> None:
    answer = together(said_by)
    for event, _, alone in said_by:
        spec = adapter(event.platform).EVENTS[event.native_event]
        if not spec.guards or not FACTS[event.platform].stops(alone, event.type):
            continue
        for other, _, _ in said_by:
            before_tool = other.type == "PreToolUse"
            own = FACTS[other.platform].stops(answer, other.type)
            assert own or (OBEYS[other.platform](answer) if before_tool else stopped_by_all(answer))


@settings(deadline=None)
@given(candidates())
def test_together_they_allow_ask_and_rewrite_only_what_each_would(
    said_by: list[tuple[Event, Verdict, Answer]],
) -> None:
    answer = together(said_by)
    if any(answer.stdout != alone.stdout for _, _, alone in said_by):
        assert "allow" not in answer.stdout
        assert '"ask"' not in answer.stdout
        assert not {"updatedInput", "modifiedArgs", "updated_input", "overrideInput", "args"} & said(answer).keys()
        assert not inside(answer).keys() - {"hookEventName", "decision"}


def test_as_many_lines_as_there_are_agents_are_answered_in_one_process() -> None:
    lines = [json.dumps(with_command(one.payload, PUSH)) for one in SHELL]
    ended = subprocess.run(
        [sys.executable, "-m", "rulez_py", "hook", "--platform", AUTO, "--stream"],
        input="\n".join(lines) + "\n",
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [Answer(**json.loads(line)) for line in ended.stdout.splitlines()]
    assert [denies(answer, one.platform) for one, answer in zip(SHELL, answers, strict=True)] == [True] * len(SHELL)

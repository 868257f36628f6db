"""Whatever goes wrong, on whatever platform, ends in an answer: invariant 3 of the design as one table.

Before something that can still be stopped the answer is that platform's deny (unless `settings.on_error` says
otherwise); elsewhere it stops nothing. Standard output is one JSON object or nothing.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rulez_py.system.places
from rulez_py.hook import call as hook_call
from rulez_py.hook import stdio
from rulez_py.hook.call import finish, log, places_of, respond
from rulez_py.hook.supervise import give_up
from rulez_py.hook.values import HookCall, Options
from rulez_py.platforms import adapter
from rulez_py.verdict import Answer
from tests.platforms import PLATFORMS as FACTS
from tests.platforms import denies, in_turn, inside, is_neutral, said
from tests.programs import PROGRAMS

ROOT = Path(__file__).parent.parent.parent
PLATFORMS = tuple(FACTS)


class Machine:
    """A home, a project and a managed policy of this test alone, and calls of the hook there."""

    def __init__(self, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.project = tmp_path / "project"
        (self.project / ".git").mkdir(parents=True)
        self.managed = tmp_path / "etc" / "rules.yaml"
        self.user = home / ".config" / "rulez" / "rules.yaml"
        self.own = self.project / ".rulez" / "rules.yaml"
        self.log = home / ".local" / "state" / "rulez"
        self._patch = monkeypatch
        self._calls: list[HookCall] = []
        real = rulez_py.system.places.places
        monkeypatch.setattr(
            rulez_py.system.places, "places", lambda environ: real(environ).replace(managed_policy=str(self.managed))
        )
        monkeypatch.chdir(self.project)
        # Without it every call would read the rule sets that ship inside rulez, which only takes time here.
        rule = "{name: other, matchers: {tools: [Other]}, actions: {block: true}}"
        self.write(
            self.user, f"version: '1.0'\nsettings: {{self_protection: false, essentials: false}}\nrules: [{rule}]\n"
        )

    def write(self, place: Path, text: str) -> None:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def payload(self, platform: str, **fields: Any) -> dict[str, Any]:
        return {
            "session_id": "s",
            "hook_event_name": FACTS[platform].before_tool,
            "tool_name": "Read",
            "tool_input": {"file_path": "a.txt"},
            "cwd": str(self.project),
            **fields,
        }

    def call(self, platform: str, **options: Any) -> HookCall:
        call = HookCall(Options(platform=platform, **options), dict(os.environ), time.monotonic())
        self._calls.append(call)
        return call

    def close(self) -> None:
        """Let go of the policies of all calls, as the end of a process does: each holds a descriptor."""
        for call in self._calls:
            if call.known.policy is not None:
                call.known.policy.close()
        self._calls.clear()

    def respond(self, platform: str, data: bytes | None = None, **fields: Any) -> Answer:
        if data is None:
            data = json.dumps(self.payload(platform, **fields)).encode()
        call = self.call(platform)
        outcome = respond(call, data)
        log(call, outcome)
        return outcome.answer

    def break_(self, module: Any, name: str, error: BaseException) -> None:
        def fail(*_arguments: Any, **_options: Any) -> Any:
            raise error

        self._patch.setattr(module, name, fail)


@pytest.fixture
def machine(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    made = Machine(home, tmp_path, monkeypatch)
    yield made
    made.close()


def reason(answer: Answer) -> str:
    """Why, as the agent reads it."""
    assert "Traceback" not in answer.stdout + answer.stderr
    words = said(answer)
    keys = ("reason", "permissionDecisionReason", "user_message", "errorMessage")
    told = next((words[key] for key in keys if words.get(key)), "")
    return str(told or inside(answer).get("permissionDecisionReason") or answer.stderr)


every_platform = pytest.mark.parametrize("platform", PLATFORMS)


# What arrives on standard input.

# Where nothing can be read there is no agent's part in it but the words of its answer.
UNREADABLE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "standard input is empty"),
    "blanks": (b" \n\t\r\n", "standard input is empty"),
    "only a byte order mark": (b"\xef\xbb\xbf", "standard input is empty"),
    "half an object": (b'{"hook_event_name": "Pre', "it is not JSON"),
    "text": (b"hello", "it is not JSON"),
    "an object and more": (b"{} {}", "it is not JSON"),
    "two lines": (b'{"a":1}\n{"b":2}', "it is not JSON"),
    "single quotes": (b"{'a': 1}", "it is not JSON"),
    "not a number": (b'{"a": NaN}', "it is not JSON"),
    "invalid utf-8": (b'{"hook_event_name": "\xff\xfe"}', "it is not JSON"),
    "utf-16": ('{"a": 1}'.encode("utf-16"), "it is not JSON"),
    # Its bytes have the look of half a surrogate pair, which a more patient reader is asked about.
    "utf-16 without a mark": ('{"a": "\u755c\u6464"}'.encode("utf-16-le"), "it is not JSON"),
    "utf-16 the other way round": ('{"a": "\u5c75\u6464"}'.encode("utf-16-be"), "it is not JSON"),
    "utf-32": ('{"a": "\\ud83d"}'.encode("utf-32-le"), "it is not JSON"),
    "two byte order marks": (b'\xef\xbb\xbf\xef\xbb\xbf{"a": "\\ud83d"}', "it is not JSON"),
    "half a surrogate pair and infinity": (b'{"a": "\\ud83d", "b": Infinity}', "it is not JSON"),
    "nul bytes": (b"\x00\x00\x00", "it is not JSON"),
    "an array": (b"[]", "it is a JSON array, not an object"),
    "an array of events": (b'[{"hook_event_name": "PreToolUse"}]', "it is a JSON array, not an object"),
    "a number": (b"5", "it is a JSON number, not an object"),
    "a fraction": (b"1.5", "it is a JSON number, not an object"),
    "a string": (b'"PreToolUse"', "it is a JSON string, not an object"),
    "null": (b"null", "it is a JSON null, not an object"),
    "true": (b"true", "it is a JSON boolean, not an object"),
    "deep objects": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "it is not JSON"),
    "deep arrays": (b"[" * 100_000, "it is not JSON"),
    "deep and half a surrogate pair": (
        b'{"x":"\\ud800","a":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        "it is not JSON",
    ),
}
NO_EVENT: dict[str, tuple[bytes, str]] = {
    "an empty object": (b"{}", ""),
    "no event name": (b'{"session_id": "s"}', ""),
    "event name null": (b'{"hook_event_name": null}', ""),
    "event name empty": (b'{"hook_event_name": ""}', "`hook_event_name` must be a non-empty string"),
    "event name a number": (b'{"hook_event_name": 5}', "`hook_event_name` must be a non-empty string, not 5"),
    "event name an array": (b'{"hook_event_name": ["PreToolUse"]}', "`hook_event_name` must be a non-empty string"),
    "event name an object": (b'{"hook_event_name": {}}', "`hook_event_name` must be a non-empty string"),
}


@pytest.mark.parametrize(
    ("platform", "name"), [*((platform, name) for name, platform in in_turn(UNREADABLE)), *product(PLATFORMS, NO_EVENT)]
)
def test_an_event_that_cannot_be_read_is_denied(machine: Machine, platform: str, name: str) -> None:
    data, cause = (UNREADABLE | NO_EVENT)[name]
    answer = machine.respond(platform, data)
    assert denies(answer, platform)
    assert reason(answer).startswith(f"Blocked: the hook event cannot be read: {cause}")
    assert "Instead: " in reason(answer)
    assert len(reason(answer)) < 500


@every_platform
@pytest.mark.parametrize("name", [5, [], {}, True, 1.5], ids=repr)
def test_a_tool_name_of_the_wrong_type_is_denied(machine: Machine, platform: str, name: object) -> None:
    answer = machine.respond(platform, tool_name=name)
    assert denies(answer, platform)
    assert "`tool_name` must be a string" in reason(answer)


@every_platform
@pytest.mark.parametrize("tool_input", [5, [], ["ls"], "text", "{broken"], ids=repr)
def test_an_input_that_no_rule_could_look_into_is_denied(machine: Machine, platform: str, tool_input: object) -> None:
    answer = machine.respond(platform, tool_input=tool_input)
    assert denies(answer, platform)
    assert "the input of 'Read' must be an object" in reason(answer)


LINE = "git push --force"
DISGUISES: dict[str, dict[str, Any]] = {
    "an event of another agent": {"hook_event_name": "pre_tool", "tool_input": {"command": LINE}},
    "an event of nobody": {"hook_event_name": "beforeEverything", "tool_input": {"command": LINE}},
    "no event": {"hook_event_name": None, "tool_input": {"command": LINE}},
    "a text": {"tool_input": LINE},
    "an object as a text": {"tool_input": json.dumps({"command": LINE})},
    "an object as a text, with half a surrogate pair": {"tool_input": json.dumps({"command": LINE, "x": "\ud83d"})},
    "a text under a name of another agent": {"hook_event_name": "pre_tool", "tool_input": LINE},
}


@every_platform
@pytest.mark.parametrize("fields", DISGUISES.values(), ids=DISGUISES)
def test_a_call_is_judged_whatever_its_envelope_looks_like(
    machine: Machine, platform: str, fields: dict[str, Any]
) -> None:
    rule = "{name: no-force, matchers: {command: {program: git, any_flag: --force}}, actions: {block: history}}"
    machine.write(
        machine.user, f"version: '1.0'\nsettings: {{self_protection: false, essentials: false}}\nrules: [{rule}]\n"
    )
    answer = machine.respond(platform, tool_name=FACTS[platform].shell, **fields)
    assert "no-force" in answer.stdout + answer.stderr
    assert answer.exit_code == 2 or denies(answer, platform)


@every_platform
def test_a_payload_larger_than_allowed_is_denied(
    machine: Machine, platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stdio, "LARGEST_EVENT", 100)
    answer = machine.respond(platform, tool_input={"content": "x" * 200})
    assert denies(answer, platform)
    assert "it is larger than" in reason(answer)


@every_platform
def test_a_payload_of_more_values_than_can_be_read_in_time_is_denied(
    machine: Machine, platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stdio, "MOST_VALUES", 100)
    assert "values" not in reason(machine.respond(platform, tool_input={"content": "[{,\\" * 500}))
    answer = machine.respond(platform, tool_input={"content": "x", "more": [[]] * 200})
    assert denies(answer, platform)
    assert "it holds more than 100 values" in reason(answer)


# A policy that cannot be used, in any layer.


def broken(text: str) -> Callable[[Path], object]:
    return lambda place: place.write_text(text)


BAD_POLICIES: dict[str, tuple[Callable[[Path], object], str]] = {
    "no yaml": (broken("rules: [\n"), ""),
    "tabs": (broken("rules:\n\t- name: x\n"), ""),
    "a list": (broken("- a\n"), ""),
    "text": (broken("hello"), ""),
    "two documents": (broken("version: '1.0'\nrules: []\n---\nrules: []\n"), ""),
    "another version": (broken("version: '99'\nrules: []\n"), '"version"'),
    "an unknown key": (broken("version: '1.0'\nrulez: []\n"), '"rulez"'),
    "an unknown matcher": (
        broken("version: '1.0'\nrules:\n- name: x\n  matchers: {comand_match: y}\n  actions: {block: true}\n"),
        "comand_match",
    ),
    "a bad regex": (
        broken("version: '1.0'\nrules:\n- name: x\n  matchers: {command_match: '('}\n  actions: {block: true}\n"),
        "(",
    ),
    "an expression that would overflow the stack": (
        broken(f"version: '1.0'\nrules:\n- name: x\n  enabled_when: '1{'+1' * 50_000}==1'\n"),
        "longer than",
    ),
    "invalid utf-8": (lambda place: place.write_bytes(b"version: '\xff'"), ""),
    "nul bytes": (lambda place: place.write_bytes(b"\x00" * 64), ""),
    "deep nesting": (broken("a: " + "[" * 5000), ""),
    "a bomb of aliases": (
        broken("a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))),
        "",
    ),
    "a directory in its place": (lambda place: place.mkdir(), "it is a directory"),
    "a link to nothing": (lambda place: place.symlink_to("nowhere"), "it is a link to nothing"),
    "a link to itself": (lambda place: place.symlink_to(place), ""),
    "a pipe in its place": (lambda place: os.mkfifo(place), ""),
}


LAYERS = ("managed", "user", "own")


@pytest.mark.parametrize(
    ("name", "layer", "platform"),
    [
        (name, layer, PLATFORMS[(at + step) % len(PLATFORMS)])
        for at, name in enumerate(BAD_POLICIES)
        for step, layer in enumerate(LAYERS)
    ],
)
def test_a_policy_that_cannot_be_used_denies(machine: Machine, name: str, layer: str, platform: str) -> None:
    make, cause = BAD_POLICIES[name]
    place: Path = getattr(machine, layer)
    place.unlink(missing_ok=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    make(place)
    answer = machine.respond(platform)
    assert denies(answer, platform)
    assert reason(answer).startswith("Blocked: the policy cannot be used: ")
    assert "rules.yaml:" in reason(answer)
    assert cause in reason(answer)
    assert reason(answer).endswith("Instead: mend the file; `rulez validate` shows every problem.")
    assert len(reason(answer)) < 4000


@every_platform
def test_a_policy_file_named_on_the_command_line_must_be_there(machine: Machine, platform: str) -> None:
    call = machine.call(platform, rules="missing.yaml")
    answer = respond(call, json.dumps(machine.payload(platform)).encode()).answer
    assert denies(answer, platform)
    assert "missing.yaml" in reason(answer)


@every_platform
def test_a_broken_policy_does_not_hide_what_the_others_deny(machine: Machine, platform: str) -> None:
    machine.write(machine.own, "rules: [")
    machine.write(
        machine.user,
        "version: '1.0'\nrules:\n- name: no-reading\n  matchers: {tools: [Read]}\n  actions: {block: true}\n",
    )
    answer = machine.respond(platform)
    assert denies(answer, platform)
    assert "no-reading" in reason(answer)


# A validator that does not come to an end.


def with_validator(machine: Machine, run: str, settings: str = "") -> None:
    machine.write(
        machine.user,
        f"version: '1.0'\nsettings: {{script_timeout: 0.2{settings}}}\n"
        f"rules:\n- name: checked\n  actions: {{run: {run}}}\n",
    )


BAD_VALIDATORS = {
    "missing": "'./missing.sh'",
    "not on the path": "no-such-program-anywhere",
    "a directory": "'./'",
    "not executable": "'./plain.txt'",
    "no interpreter": "'./odd.sh'",
    "hangs": "{script: sleep, args: ['60']}",
    "hangs in a shell": "{script: 'sleep 60', shell: true}",
}


@pytest.mark.parametrize(
    ("kind", "platform"), [(kind, PLATFORMS[at % len(PLATFORMS)]) for at, kind in enumerate(BAD_VALIDATORS)]
)
def test_a_validator_that_could_not_run_denies(machine: Machine, platform: str, kind: str) -> None:
    (machine.project / "plain.txt").write_text("x")
    (machine.project / "odd.sh").write_text("#!/no/such/interpreter\n")
    (machine.project / "odd.sh").chmod(0o755)
    with_validator(machine, BAD_VALIDATORS[kind])
    answer = machine.respond(platform)
    assert denies(answer, platform)
    assert 'rule "checked" could not run its validator' in reason(answer)


@every_platform
def test_a_validator_that_is_killed_denies(machine: Machine, platform: str) -> None:
    with_validator(machine, "{script: 'kill -9 $$', shell: true}")
    assert denies(machine.respond(platform), platform)


@every_platform
def test_a_validator_nobody_trusted_denies_and_says_how_to_trust_it(machine: Machine, platform: str) -> None:
    machine.write(machine.own, "version: '1.0'\nrules:\n- name: checked\n  actions: {run: 'true'}\n")
    answer = machine.respond(platform)
    assert denies(answer, platform)
    assert "`rulez trust`" in reason(answer)


# A bug in rulez.


class Panic(BaseException):
    """What a compiled library raises when it gives up."""


ERRORS = [ValueError("odd"), RecursionError("deep"), MemoryError(), KeyError("x"), Panic("lost"), KeyboardInterrupt()]


BUGGY = ["decide", "cache", "index", "load", "parse", "answer", "places", "payload", "merge"]


def bugs(platform: str) -> list[tuple[Any, str]]:
    import rulez_py.policy.judging.decide
    import rulez_py.policy.judging.index
    import rulez_py.policy.store.cache
    import rulez_py.policy.store.load

    return [
        (rulez_py.policy.judging.decide, "decide"),
        (rulez_py.policy.store.cache, "in_force"),
        (rulez_py.policy.judging.index, "select"),
        (rulez_py.policy.store.load, "load"),
        (adapter(platform), "parse"),
        (adapter(platform), "answer"),
        (rulez_py.system.places, "places"),
        (hook_call, "read_payload"),
        (hook_call, "merge"),
    ]


def test_a_policy_is_kept_as_soon_as_it_is_compiled(machine: Machine) -> None:
    """Others may be waiting for it; where another was compiling it too, it is kept after the answer."""
    call = machine.call("claude")
    respond(call, json.dumps(machine.payload("claude")).encode())
    assert len(list(Path(places_of(call).cache).glob("*"))) == 1


def test_a_kept_policy_that_is_damaged_is_compiled_anew(machine: Machine) -> None:
    machine.write(machine.user, "version: '1.0'\nrules:\n- {name: mine, matchers: {}, actions: {block: true}}\n")
    machine.respond("claude")
    [kept] = Path(places_of(machine.call("claude")).cache).glob("*.policy")
    whole = kept.read_bytes()
    kept.write_bytes(whole.replace(b'"mine"', b'"mint"'))
    assert 'rule "mine"' in reason(machine.respond("claude"))
    assert kept.read_bytes() == whole


@pytest.mark.parametrize("data", [b"", b"{}", None], ids=["unreadable", "of no event", "judged"])
def test_a_call_leaves_nothing_open(machine: Machine, data: bytes | None) -> None:
    def next_descriptor() -> int:
        descriptor = os.dup(0)
        os.close(descriptor)
        return descriptor

    found = []
    for _ in range(3):
        call = machine.call("claude")
        log(call, respond(call, json.dumps(machine.payload("claude")).encode() if data is None else data))
        finish(call)
        found.append(next_descriptor())
    assert len(set(found)) == 1


def test_keeping_it_is_no_reason_to_fail(machine: Machine) -> None:
    call = machine.call("claude")
    finish(call)
    machine.break_(os, "replace", KeyboardInterrupt())
    assert is_neutral(respond(call, json.dumps(machine.payload("claude")).encode()).answer, "claude")
    finish(call)


@pytest.mark.parametrize(
    ("platform", "place", "error"),
    [
        pytest.param(*at, error, id=f"{'-'.join(at)}-{error!r}")
        # Where an error is caught does not depend on which it is; every place meets all of them.
        for at, error in in_turn(product(PLATFORMS, BUGGY), [*ERRORS, *ERRORS[:1]])
    ],
)
def test_a_bug_denies(machine: Machine, platform: str, place: str, error: BaseException) -> None:
    rules = "rules:\n  - {name: any, matchers: {}, actions: {inject_inline: x}}\n"
    machine.write(machine.user, f'version: "1.0"\nsettings: {{self_protection: false, essentials: false}}\n{rules}')
    machine.break_(*bugs(platform)[BUGGY.index(place)], error)
    answer = machine.respond(platform)
    assert denies(answer, platform)
    assert f"rulez failed: {type(error).__name__}: {error}. Instead: this is a bug in rulez" in reason(answer)


@every_platform
def test_a_bug_in_every_part_at_once_denies(machine: Machine, platform: str) -> None:
    for module, name in bugs(platform):
        machine.break_(module, name, Panic("lost"))
    machine.break_(adapter(platform), "unreadable", Panic("lost"))
    answer = machine.respond(platform)
    assert (answer.stdout, answer.exit_code) == ("", 2)
    assert answer.stderr.startswith("Blocked: rulez failed: Panic: lost.")


@every_platform
@pytest.mark.parametrize("error", [OSError("disk full"), Panic("lost")], ids=repr)
def test_a_log_that_cannot_be_written_changes_nothing(machine: Machine, platform: str, error: BaseException) -> None:
    from rulez_py.log import audit

    machine.break_(audit, "record", error)
    answer = machine.respond(platform)
    assert is_neutral(answer, platform)


BEGINNING = [name for name in PLATFORMS if any(spec.begins for spec in adapter(name).EVENTS.values())]
"""Agents with an event where a session begins; of the others `rulez doctor` says it."""


@pytest.mark.parametrize("platform", BEGINNING)
def test_a_log_that_cannot_be_written_is_told_where_a_session_begins(machine: Machine, platform: str) -> None:
    machine.write(machine.log, "a file in its place")
    begins = next(name for name, spec in adapter(platform).EVENTS.items() if spec.begins)
    answer = machine.respond(platform, hook_event_name=begins, source="startup")
    told = f"cannot log what it decides: {machine.log}/audit.jsonl: Not a directory" in answer.stdout
    if not told and not adapter(platform).EVENTS[begins].context:
        # Neither person nor model reads anything there; `rulez doctor` says it.
        assert [what for what in answer.dropped if "drops it" in what]
        return
    assert told
    assert is_neutral(machine.respond(platform), platform)


@pytest.mark.parametrize("platform", BEGINNING)
def test_nothing_is_told_of_a_log_that_can_be_written(machine: Machine, platform: str) -> None:
    begins = next(name for name, spec in adapter(platform).EVENTS.items() if spec.begins)
    assert "log" not in machine.respond(platform, hook_event_name=begins, source="startup").stdout


@every_platform
def test_a_failure_is_in_the_log(machine: Machine, platform: str) -> None:
    machine.respond(platform, b"")
    [line] = (machine.log / "audit.jsonl").read_text().splitlines()
    assert "standard input is empty" in line


# What `settings.on_error` says.

FAILURES: dict[str, Callable[[Machine, str], Answer]] = {}


def failure(make: Callable[[Machine, str], Answer]) -> Callable[[Machine, str], Answer]:
    FAILURES[make.__name__.replace("_", " ")] = make
    return make


@failure
def unreadable_event(machine: Machine, platform: str) -> Answer:
    return machine.respond(platform, b"{")


@failure
def no_event_name(machine: Machine, platform: str) -> Answer:
    return machine.respond(platform, b"{}")


@failure
def tool_name_of_the_wrong_type(machine: Machine, platform: str) -> Answer:
    return machine.respond(platform, tool_name=5)


@failure
def broken_project_policy(machine: Machine, platform: str) -> Answer:
    machine.write(machine.own, "rules: [")
    return machine.respond(platform)


@failure
def bug_in_the_matching(machine: Machine, platform: str) -> Answer:
    import rulez_py.policy.judging.decide

    machine.break_(rulez_py.policy.judging.decide, "decide", ValueError("odd"))
    return machine.respond(platform)


@failure
def bug_in_the_parser(machine: Machine, platform: str) -> Answer:
    machine.break_(adapter(platform), "parse", ValueError("odd"))
    return machine.respond(platform)


@failure
def time_out(machine: Machine, platform: str) -> Answer:
    call = machine.call(platform)
    call.learn(event=adapter(platform).parse(machine.payload(platform), None))
    return give_up(call).answer


@failure
def time_out_before_the_event(machine: Machine, platform: str) -> Answer:
    return give_up(machine.call(platform)).answer


WATCHING = "rules:\n  - {name: watch, mode: audit, matchers: {}, actions: {block: true}}\n"
"""A rule without a say that every event has to be held against."""


@every_platform
@pytest.mark.parametrize("fail", FAILURES.values(), ids=FAILURES)
def test_on_error_allow_lets_it_through_silently(
    machine: Machine, platform: str, fail: Callable[[Machine, str], Answer]
) -> None:
    machine.write(machine.user, "version: '1.0'\nsettings: {on_error: allow}\n" + WATCHING)
    answer = fail(machine, platform)
    assert is_neutral(answer, platform)


@pytest.mark.parametrize(
    ("platform", "own", "fail"),
    # 3 settings and 8 failures: each setting meets each of them.
    [
        pytest.param(platform, own, FAILURES[fail], id=f"{platform}-{own}-{fail}")
        for (platform, own), fail in in_turn(product(PLATFORMS, ["on_error: deny", "on_error: ask", ""]), FAILURES)
    ],
)
def test_on_error_deny_or_ask_never_lets_it_through(
    machine: Machine, platform: str, fail: Callable[[Machine, str], Answer], own: str
) -> None:
    machine.write(machine.user, f"version: '1.0'\nsettings: {{{own}}}\n" + WATCHING)
    answer = fail(machine, platform)
    if own == "on_error: ask" and not denies(answer, platform):
        assert FACTS[platform].asks
        assert FACTS[platform].asked(answer)
        assert answer.exit_code == 0
    else:
        assert denies(answer, platform)


@pytest.mark.parametrize("platform", [name for name, facts in FACTS.items() if facts.asks])
def test_on_error_ask_asks_where_the_event_could_be_read(machine: Machine, platform: str) -> None:
    machine.write(machine.user, "version: '1.0'\nsettings: {on_error: ask}\nrules: []\n")
    machine.write(machine.own, "rules: [")
    answer = machine.respond(platform, **FACTS[platform].asking)
    assert (FACTS[platform].asked(answer), answer.exit_code) == (True, 0)
    assert "the policy cannot be used" in answer.stdout


@every_platform
def test_an_adapter_that_fails_stays_silent_where_errors_are_let_through(machine: Machine, platform: str) -> None:
    machine.write(machine.user, "version: '1.0'\nsettings: {on_error: allow}\nrules: []\n")
    machine.break_(adapter(platform), "answer", ValueError("odd"))
    answer = machine.respond(platform)
    assert (answer.stdout, answer.stderr, answer.exit_code) == ("", "", 0)


@every_platform
def test_a_project_cannot_say_that_errors_are_let_through(machine: Machine, platform: str) -> None:
    machine.write(
        machine.own, "version: '1.0'\nsettings: {on_error: allow}\nrules:\n- name: x\n  actions: {run: missing}\n"
    )
    assert denies(machine.respond(platform), platform)
    assert denies(machine.respond(platform, b"{"), platform)


@every_platform
@pytest.mark.parametrize(("on_error", "denied"), [("deny", True), ("allow", False)])
def test_on_error_is_also_for_validators(machine: Machine, platform: str, on_error: str, denied: bool) -> None:
    with_validator(machine, "'./missing'", f", on_error: {on_error}")
    answer = machine.respond(platform)
    assert denies(answer, platform) is denied
    if not denied:
        assert is_neutral(answer, platform)


# Events that guard nothing, and events from the future.


def events(*, guards: bool) -> list[Any]:
    return [
        pytest.param(platform, name, id=f"{platform} {name}")
        for platform in PLATFORMS
        for name, spec in adapter(platform).EVENTS.items()
        if spec.guards is guards
    ]


def stops_nothing(answer: Answer, platform: str) -> bool:
    words = said(answer)
    words.pop("systemMessage", None)
    return (words, answer.exit_code) == (json.loads(FACTS[platform].neutral or "{}"), 0)


def refuses(answer: Answer, platform: str, name: str) -> bool:
    """Whether the answer stops what a guarding event, not always a tool call, comes before."""
    return FACTS[platform].stops(answer, adapter(platform).EVENTS[name].types[0])


@pytest.mark.parametrize(("platform", "name"), events(guards=False))
def test_an_error_stops_nothing_where_nothing_can_be_stopped(
    machine: Machine, platform: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.write(machine.own, "rules: [")
    assert stops_nothing(machine.respond(platform, hook_event_name=name), platform)
    assert stops_nothing(machine.respond(platform, hook_event_name=name, tool_name=5), platform)
    machine.break_(adapter(platform), "parse", ValueError("odd"))
    assert stops_nothing(machine.respond(platform, hook_event_name=name), platform)


@pytest.mark.parametrize(("platform", "name"), events(guards=True))
def test_an_error_stops_what_an_event_guards(machine: Machine, platform: str, name: str) -> None:
    machine.write(machine.user, "rules: [")
    assert refuses(machine.respond(platform, hook_event_name=name), platform, name)
    assert refuses(machine.respond(platform, hook_event_name=name, tool_name=5), platform, name)
    machine.break_(adapter(platform), "parse", ValueError("odd"))
    assert refuses(machine.respond(platform, hook_event_name=name), platform, name)


@pytest.mark.parametrize(("platform", "name"), events(guards=False))
def test_the_event_of_the_command_line_says_what_an_unreadable_payload_was(
    machine: Machine, platform: str, name: str
) -> None:
    assert stops_nothing(respond(machine.call(platform, event=name), b"{").answer, platform)


@every_platform
@pytest.mark.parametrize(
    "fields",
    [
        {"hook_event_name": "FromTheFuture"},
        {"tool_name": "ToolFromTheFuture"},
        {"permission_mode": "mode-from-the-future"},
        {"new_field": {"deep": [1, 2]}, "tool_use_id": 5},
        {"source": "s", "reason": ["r"], "trigger": None},
        {"session_id": None},
        {"session_id": 7, "transcript_path": 5, "timestamp": "soon", "user_id": []},
        {"cwd": None},
        {"cwd": 5},
        {"cwd": ""},
        {"cwd": "/no/such/directory"},
        {"cwd": "not/absolute"},
        {"cwd": "/\x00"},
        {"tool_input": None},
        {"tool_name": "ToolFromTheFuture", "tool_input": "text"},
        {"tool_name": "ToolFromTheFuture", "tool_input": "{broken"},
        {"tool_input": {"file_path": 5, "command": {}, "edits": "x"}},
        {"tool_input": {"file_path": "\ud800"}},
        {"tool_response": None, "prompt": 5, "agent_id": {}},
        {"tool_name": "mcp__"},
        {"mcp_server": 5, "mcp_context": [], "mcpServers": {}},
    ],
    ids=lambda fields: json.dumps(fields)[:60],
)
def test_what_an_agent_from_the_future_sends_is_no_error(
    machine: Machine, platform: str, fields: dict[str, Any]
) -> None:
    answer = machine.respond(platform, **fields)
    assert is_neutral(answer, platform)


@every_platform
@pytest.mark.parametrize("name", [None, ""])
def test_a_call_before_which_an_event_stands_must_be_found(machine: Machine, platform: str, name: str | None) -> None:
    assert denies(machine.respond(platform, tool_name=name), platform)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["hook_event_name", "tool_name", "tool_input", "cwd", "toolName", "toolArgs", "hook", "input", "output", "prompt"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(PLATFORMS), JSON | st.dictionaries(KEYS | st.text(max_size=5), JSON, max_size=5) | st.binary())
def test_any_input_gets_one_answer_of_the_platforms_kind(machine: Machine, platform: str, sent: Any) -> None:
    data = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
    answer = respond(machine.call(platform), data).answer
    machine.close()
    words = said(answer)
    assert answer.exit_code in (0, 2)
    assert answer.exit_code == 2 or not answer.stderr
    assert words.get("continue", True) is (answer.exit_code == 0) or platform != "opencode"


# As a process of its own, as the agents start it.


def command(platform: str, *options: str) -> list[str]:
    return [sys.executable, "-m", "rulez_py", "hook", "--platform", platform, *options]


def ended(process: subprocess.Popen[bytes]) -> Answer:
    stdout, stderr = process.communicate(timeout=60)
    return Answer(stdout=(stdout or b"").decode(), stderr=stderr.decode(), exit_code=process.returncode)


def sent(process: subprocess.Popen[bytes], payload: dict[str, Any]) -> Answer:
    assert process.stdin
    process.stdin.write(json.dumps(payload).encode())
    process.stdin.close()
    process.stdin = None
    return ended(process)


@contextmanager
def started(arguments: list[str], cwd: Path, **streams: Any) -> Iterator[subprocess.Popen[bytes]]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(arguments, cwd=cwd, env=environ, **pipes) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize(("platform", "data"), in_turn(PLATFORMS, [b"", b"{\xff"]))
def test_a_process_denies_what_it_cannot_read(machine: Machine, platform: str, data: bytes) -> None:
    with started(command(platform), machine.project) as process:
        assert process.stdin
        process.stdin.write(data)
        process.stdin.close()
        process.stdin = None
        answer = ended(process)
    assert denies(answer, platform)
    assert answer.stdout.count("\n") == (1 if answer.stdout else 0)


@pytest.mark.parametrize(
    ("platform", "begun"),
    [(platform, (b'{"hook_event_name": "Pre', b"")[at % 2]) for at, platform in enumerate(PLATFORMS)],
)
def test_a_process_denies_by_itself_when_its_input_never_ends(machine: Machine, platform: str, begun: bytes) -> None:
    with started(command(platform, "--timeout", "0.3"), machine.project) as process:
        assert process.stdin
        process.stdin.write(begun)
        process.stdin.flush()
        assert process.stdout and process.stderr
        stdout, stderr = process.stdout.read(), process.stderr.read()
        answer = Answer(stdout=stdout.decode(), stderr=stderr.decode(), exit_code=process.wait(60))
    assert denies(answer, platform)
    assert "no verdict within 0.3 s" in reason(answer)


def test_a_process_denies_by_itself_when_even_finding_the_policy_hangs(machine: Machine) -> None:
    source = (
        "import time, rulez_py.policy.store.load as load; load.load = lambda *a, **k: time.sleep(600);"
        "from rulez_py.hook import main, supervise; supervise.LAST_CALL = 0.2;"
        "main.main(['--platform', 'claude', '--timeout', '0.3'])"
    )
    with started([sys.executable, "-c", source], machine.project) as process:
        answer = sent(process, machine.payload("claude"))
    assert denies(answer, "claude")
    assert "no verdict within 0.3 s" in reason(answer)


def test_a_process_denies_by_itself_when_a_validator_hangs_longer_than_there_is_time(machine: Machine) -> None:
    machine.write(
        machine.user,
        "version: '1.0'\nsettings: {script_timeout: 600}\n"
        "rules:\n- name: checked\n  actions: {run: {script: 'trap \"\" TERM; sleep 600', shell: true}}\n",
    )
    with started(command("claude", "--timeout", "2.8"), machine.project) as process:
        answer = sent(process, machine.payload("claude"))
    assert denies(answer, "claude")
    assert 'rule "checked" could not run its validator' in reason(answer)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_change_neither_the_deny_nor_print_a_traceback(machine: Machine, closed: str) -> None:
    line = " ".join(["exec", *command("claude"), closed])
    with started(["/bin/sh", "-c", line], machine.project) as process:
        answer = ended(process)
    assert answer.exit_code == 2
    assert "Traceback" not in answer.stdout + answer.stderr


@pytest.mark.parametrize(
    ("platform", "program"),
    # The answer is that of the source; a program built of it closes what it was given.
    [
        pytest.param(platform, *program.values, id=f"{platform}-{program.id}", marks=program.marks)
        for platform, program in in_turn(PLATFORMS, [PROGRAMS[0], *PROGRAMS])
    ],
)
def test_where_stdout_is_closed_a_deny_is_the_exit_code(
    machine: Machine, program: tuple[str, ...], platform: str
) -> None:
    line = shlex.join([*program, "hook", "--platform", platform])
    with started(["/bin/sh", "-c", f"exec {line} >&-"], machine.project) as process:
        answer = ended(process)
    assert answer.exit_code == 2
    assert answer.stderr


@every_platform
def test_a_reader_that_has_gone_away_lets_nothing_pass(machine: Machine, platform: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with started(command(platform), machine.project, stdout=writing) as process:
        os.close(writing)
        answer = ended(process)
    assert answer.exit_code == 2
    assert "Traceback" not in answer.stderr


def test_an_answer_longer_than_a_pipe_holds_arrives_whole(machine: Machine) -> None:
    """On a stream that does not block: the reader is slower than the writer."""
    text = "x" * 500_000
    machine.write(machine.user, f"version: '1.0'\nrules:\n- name: long\n  actions: {{block: {text}}}\n")
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with started(command("gemini"), machine.project, stdout=writing) as process:
        os.close(writing)
        assert process.stdin
        process.stdin.write(json.dumps(machine.payload("gemini")).encode())
        process.stdin.close()
        with os.fdopen(reading, "rb") as pipe:
            time.sleep(0.5)
            stdout = pipe.read().decode()
        answer = Answer(stdout=stdout, exit_code=process.wait(60))
    assert denies(answer, "gemini")
    assert text in reason(answer)


@pytest.mark.parametrize(
    ("module", "platform"), [("rulez_py.platforms.claude.adapter", "claude"), ("rulez_py.system.jsontext", "gemini")]
)
def test_an_installation_with_a_part_missing_denies(machine: Machine, module: str, platform: str) -> None:
    source = (
        f"import sys; sys.modules[{module!r}] = None; from rulez_py.__main__ import run_hook;"
        f"sys.exit(run_hook(['--platform', {platform!r}]))"
    )
    with started([sys.executable, "-c", source], machine.project) as process:
        assert denies(sent(process, machine.payload(platform)), platform)

"""`rulez hook --stream`: each line answered as by a process of its own, and nothing of it left for the next."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py import trust
from rulez_py.hook.call import finish, log, respond
from rulez_py.hook.stdio import printed
from rulez_py.hook.stream import Lines
from rulez_py.hook.values import HookCall, Options
from rulez_py.platforms import adapter
from rulez_py.system.places import places
from tests.platforms import PLATFORMS
from tests.programs import PROGRAMS, ROOT, SOURCE_COMMAND, Stream, prepared, run_hook, stream
from tests.recordings import RECORDINGS, Recording

Said = dict[str, Any]

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes can fork")
posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and files")


def rules(*lines: str, settings: str = "{}") -> str:
    return f'version: "1.0"\nsettings: {settings}\nrules:\n' + "".join(f"  - {line}\n" for line in lines)


def blocking(text: str) -> str:
    """Denies commands with a text; a rule without a say sees to it that the others are judged, too."""
    return rules(
        f"{{name: no-{text}, matchers: {{tools: [Bash], command_match: {text}}}, actions: {{block: true}}}}",
        "{name: watch, mode: audit, matchers: {}, actions: {block: true}}",
    )


class Machine:
    """A home and a project of this test alone."""

    def __init__(self, home: Path, tmp_path: Path) -> None:
        self.home = home
        self.project = tmp_path / "project"
        (self.project / ".git").mkdir(parents=True)
        self.user = home / ".config" / "rulez" / "rules.yaml"
        self.own = self.project / ".rulez" / "rules.yaml"

    def write(self, path: Path, text: str) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def bash(self, command: str = "ls", platform: str = "claude", **fields: Any) -> Said:
        return {
            "session_id": "s",
            "hook_event_name": PLATFORMS[platform].before_tool,
            "tool_name": PLATFORMS[platform].shell,
            "tool_input": {"command": command},
            "cwd": str(self.project),
            **fields,
        }

    def open(self, *options: str, platform: str = "claude") -> Stream:
        return stream(SOURCE_COMMAND, platform, self.project, *options)

    def prepared(self, preparation: str, *options: str) -> Stream:
        """A stream in a program that has done something else before."""
        return Stream([*prepared(preparation), "--platform", "claude", "--stream", *options], self.project)

    def alone(self, payload: object, platform: str = "claude", *options: str) -> Said:
        """What a process of its own answers."""
        return as_said(run_hook(SOURCE_COMMAND, platform, payload, self.project, *options))

    def compiled(self) -> None:
        """Have the policy compiled and kept: what comes is to be slow or quick for another reason."""
        self.alone(self.bash())
        self.logged()

    def logged(self) -> list[Said]:
        """The log, without what differs from run to run; it is empty afterwards."""
        path = self.home / ".local" / "state" / "rulez" / "audit.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return [{**json.loads(line), "time": "", "id": "", "ms": 0} for line in lines]


def as_said(ended: subprocess.CompletedProcess[str]) -> Said:
    return {"exit_code": ended.returncode, "stdout": ended.stdout, "stderr": ended.stderr}


def blocked_by(said: Said) -> str:
    """The rule that denied; "" where nothing was denied."""
    return str(said["stderr"]).partition('Blocked by rule "')[2].partition('"')[0]


@pytest.fixture
def machine(home: Path, tmp_path: Path) -> Machine:
    return Machine(home, tmp_path)


# The same answers.

SOMETHING_FOR_EVERYBODY = rules(
    "{name: no-shell, description: no shell here, matchers: {tools: [Bash]}, actions: {block: true}}",
    "{name: careful, matchers: {tools: [Write, Edit]}, actions: {ask: it may be lost}}",
    "{name: read-this, matchers: {tools: [Read]}, actions: {rewrite: {file_path: /dev/null}}}",
    '{name: told, matchers: {}, actions: {inject_inline: "mind the é style"}}',
    settings="{self_protection: false}",
)


def kind_of(recording: Recording) -> str:
    """Return for which of these rules a recording is."""
    if not recording.before_tool:
        return "another event"
    tool = adapter(recording.platform).parse(recording.payload, None).tool_name
    return tool if tool in ("Bash", "Write", "Read") else "another tool"


def in_this_process(payload: Said, platform: str) -> Said:
    """Returns what is answered here, and logs it."""
    call = HookCall(Options(platform=platform), os.environ, time.monotonic())
    outcome = respond(call, json.dumps(payload).encode())
    finish(call)
    log(call, outcome)
    answer = outcome.answer
    return {"exit_code": answer.exit_code, "stdout": printed(answer.stdout), "stderr": printed(answer.stderr)}


def of_each_kind(platform: str) -> list[Recording]:
    return list({kind_of(each): each for each in RECORDINGS if each.platform == platform}.values())


@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_recording_is_answered_and_logged_as_a_single_call(
    platform: str, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There and back, so that each line follows another one."""
    monkeypatch.chdir(machine.project)
    machine.write(machine.user, SOMETHING_FOR_EVERYBODY)
    payloads = [each.payload for each in RECORDINGS if each.platform == platform]
    with machine.open(platform=platform) as opened:
        there_and_back = [*payloads, *reversed(payloads)]
        answers, exit_code = opened.end(b"".join(json.dumps(each).encode() + b"\n" for each in there_and_back))
    logged = machine.logged()
    alone = [in_this_process(payload, platform) for payload in payloads]
    logged_alone = machine.logged()
    assert exit_code == 0
    assert answers == alone + alone[::-1]
    assert logged == logged_alone + logged_alone[::-1]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_recording_of_each_kind_is_answered_and_logged_as_by_a_process_of_its_own(
    program: tuple[str, ...], platform: str, machine: Machine
) -> None:
    machine.write(machine.user, SOMETHING_FOR_EVERYBODY)
    payloads = [json.dumps(each.payload).encode() for each in of_each_kind(platform)]
    alone = [as_said(run_hook(program, platform, payload, machine.project)) for payload in payloads]
    logged_alone = machine.logged()
    with stream(program, platform, machine.project) as opened:
        there_and_back = [*payloads, *reversed(payloads)]
        answers, exit_code = opened.end(b"".join(payload + b"\n" for payload in there_and_back))
    assert exit_code == 0
    assert answers == alone + alone[::-1]
    assert machine.logged() == logged_alone + logged_alone[::-1]
    assert len({(said["stdout"], said["stderr"]) for said in alone}) > 2


LINES: dict[str, tuple[bytes, ...]] = {
    "nothing": (),
    "an empty line": (b"",),
    "two empty lines": (b"", b""),
    "blanks": (b" \t ",),
    "a carriage return": (b"\r",),
    "text": (b"hello",),
    "half an object": (b'{"hook_event_name": "Pre',),
    "two objects": (b"{} {}",),
    "an array": (b"[]",),
    "invalid utf-8": (b'{"a": "\xff"}',),
    "a byte order mark": (b"\xef\xbb\xbf{}",),
    "nul": (b"\x00",),
    "garbage between events": (b'{"hook_event_name": "Stop"}', b"x", b'{"hook_event_name": "Stop"}'),
    "half a surrogate pair": (b'{"hook_event_name": "PreToolUse", "tool_name": "\\ud800"}',),
}


@pytest.mark.parametrize("last_end", [b"\n", b""], ids=["ended", "not ended"])
@pytest.mark.parametrize("lines", LINES.values(), ids=LINES)
def test_every_line_gets_exactly_the_answer_it_would_get_alone(
    lines: tuple[bytes, ...], last_end: bytes, machine: Machine
) -> None:
    data = b"\n".join(lines) + (last_end if lines else b"")
    if lines and not lines[-1] and not last_end:
        lines = lines[:-1]  # what has not even begun is no line
    with machine.open() as opened:
        answers, exit_code = opened.end(data)
    assert (answers, exit_code) == ([machine.alone(line) for line in lines], 0)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_both_ends_of_line_are_understood(machine: Machine, end: bytes) -> None:
    machine.write(machine.user, blocking("danger"))
    with machine.open() as opened:
        answers, _exit_code = opened.end(json.dumps(machine.bash("danger")).encode() + end)
    assert [blocked_by(said) for said in answers] == ["no-danger"]


@pytest.mark.parametrize("rest", [b"", b"\n", b"x" * 300_000 + b"\n", b"x" * 300_000], ids=len)
def test_a_line_that_is_too_long_is_denied_once_and_skipped(machine: Machine, rest: bytes) -> None:
    machine.write(machine.user, blocking("danger"))
    with machine.prepared("from rulez_py.hook import stdio; stdio.LARGEST_EVENT = 70_000") as opened:
        opened.send(json.dumps(machine.bash("x" * 200_000)).encode()[:190_000])
        assert "it is larger than" in opened.answer()["stderr"]
        opened.send(rest)
        if rest.endswith(b"\n"):
            assert blocked_by(opened.ask(machine.bash("danger"))) == "no-danger"
        assert opened.end() == ([], 0)


def test_a_long_line_arrives_whole(machine: Machine) -> None:
    machine.write(machine.user, blocking("danger"))
    with machine.open() as opened:
        assert blocked_by(opened.ask(machine.bash("é" * 2_000_000 + "danger"))) == "no-danger"
        assert blocked_by(opened.ask(machine.bash("danger"))) == "no-danger"


def test_an_answer_is_there_before_the_next_line_is_sent(machine: Machine) -> None:
    with machine.open() as opened:
        for _ in range(3):
            assert opened.ask(machine.bash())["exit_code"] == 0
        assert opened.end() == ([], 0)


def test_each_agent_is_answered_in_its_own_words_whoever_was_answered_before(machine: Machine) -> None:
    """Copilot CLI also calls the hooks of Claude Code."""
    machine.write(machine.user, blocking("danger"))
    of_copilot = machine.bash("danger", timestamp="2025-01-01T00:00:00Z", tool_name="bash")
    payloads: list[object] = [machine.bash("danger"), of_copilot, b"garbage", machine.bash("danger"), b"", of_copilot]
    with machine.open() as opened:
        answers = [opened.ask(payload) for payload in payloads]
    assert answers == [machine.alone(payload) for payload in payloads]
    assert answers[0] != answers[1]


def test_the_options_hold_for_every_line(machine: Machine, tmp_path: Path) -> None:
    named = machine.write(tmp_path / "named.yaml", blocking("danger"))
    options = ("--rules", str(named), "--event", "PreToolUse")
    payload = {key: value for key, value in machine.bash("danger").items() if key != "hook_event_name"}
    with machine.open(*options) as opened:
        answers = [opened.ask(payload) for _ in range(2)]
    assert answers == [machine.alone(payload, "claude", *options)] * 2
    assert blocked_by(answers[0]) == "no-danger"


# Policy and trust are asked at each line.


def test_an_edit_of_the_policy_holds_from_the_next_line_on(machine: Machine) -> None:
    with machine.open() as opened:
        said = []
        for text in ("one", "two", "one"):
            machine.write(machine.user, blocking(text))
            said.append(blocked_by(opened.ask(machine.bash("one two"))))
        machine.user.unlink()
        said.append(blocked_by(opened.ask(machine.bash("one two"))))
    assert said == ["no-one", "no-two", "no-one", ""]


def test_a_policy_that_breaks_denies_until_it_is_mended(machine: Machine) -> None:
    machine.write(machine.user, blocking("danger"))
    with machine.open() as opened:
        assert opened.ask(machine.bash())["exit_code"] == 0
        machine.write(machine.user, "rules: [")
        assert "the policy cannot be used" in opened.ask(machine.bash())["stderr"]
        machine.write(machine.user, blocking("danger"))
        assert opened.ask(machine.bash())["exit_code"] == 0


def test_every_project_has_its_own_policy(machine: Machine, tmp_path: Path) -> None:
    machine.write(machine.own, blocking("danger"))
    other = tmp_path / "other"
    machine.write(other / ".rulez" / "rules.yaml", blocking("peril"))
    both = machine.bash("danger peril")
    with machine.open() as opened:
        said = [blocked_by(opened.ask({**both, "cwd": str(cwd)})) for cwd in (machine.project, other, machine.project)]
    assert said == ["no-danger", "no-peril", "no-danger"]


def test_trust_and_its_end_hold_from_the_next_line_on(machine: Machine) -> None:
    policy = machine.write(
        machine.own, rules("{name: kept, matchers: {tools: [Bash]}, actions: {rewrite: {command: 'true'}}}")
    )
    mine = places(os.environ)

    def rewritten() -> bool:
        return "updatedInput" in opened.ask(machine.bash())["stdout"]

    with machine.open() as opened:
        said = [rewritten()]
        trust.trust(mine, str(policy), trust.digest(str(policy), policy.read_bytes(), ()), time.time())
        said.append(rewritten())
        trust.revoke(mine, str(policy))
        said.append(rewritten())
    assert said == [False, True, False]


# Rules nobody has trusted are judged in a child.

# Judging is replaced by what the command says, so that one line can do what another does not.
BY_COMMAND = """
import rulez_py.policy.judging.decide as judging
real = judging.decide
def decide(rules, facts, *more):
    command = facts.event.tool_input["command"]
    if command == "crash": os.kill(os.getpid(), 11)
    if command == "hang": sum(range(10 ** 12))
    if command == "sleep": time.sleep(600)
    if command == "leave": os._exit(0)
    if command == "pid": raise ValueError(os.getpid())
    return real(rules, facts, *more)
judging.decide = decide
"""


@pytest.fixture
def untrusted(machine: Machine) -> Machine:
    """A project's policy with a rule for every call."""
    machine.write(machine.own, blocking("danger") + "  - {name: any, actions: {inject_inline: x}}\n")
    return machine


@needs_fork
@pytest.mark.parametrize(
    ("command", "cause"),
    [
        ("crash", "rulez was ended while it judged this call"),
        ("leave", "rulez was ended while it judged this call"),
        ("hang", "no verdict within 2 s"),
        ("sleep", "no verdict within 2 s"),
    ],
)
def test_what_an_untrusted_policy_does_to_one_line_the_next_does_not_feel(
    command: str, cause: str, untrusted: Machine
) -> None:
    with untrusted.prepared(BY_COMMAND, "--timeout", "2") as opened:
        assert f"Blocked: {cause}." in opened.ask(untrusted.bash(command))["stderr"]
        assert blocked_by(opened.ask(untrusted.bash("danger"))) == "no-danger"
        assert opened.ask(untrusted.bash())["exit_code"] == 0
        assert opened.end() == ([], 0)
    failed, denied, passed = untrusted.logged()
    assert (failed["failed"], failed["exit_code"]) == (True, 2)
    assert cause in failed["reason"]
    assert (denied["rule"], passed["verdict"]) == ("no-danger", "pass")


@needs_fork
def test_only_rules_nobody_trusted_are_judged_in_a_child(untrusted: Machine) -> None:
    """The child has another process id; it reads no line, and every line has one answer."""
    with untrusted.prepared(BY_COMMAND) as opened:
        pid = str(opened.process.pid)
        own = [f"ValueError: {pid}." in opened.ask(untrusted.bash("pid"))["stderr"] for _ in range(2)]
        untrusted.own.unlink()
        untrusted.write(untrusted.user, rules("{name: any, actions: {inject_inline: x}}"))
        own.append(f"ValueError: {pid}." in opened.ask(untrusted.bash("pid"))["stderr"])
        lines = b"".join(json.dumps(untrusted.bash(text)).encode() + b"\n" for text in ("danger", "ls") * 20)
        untrusted.write(untrusted.user, blocking("danger"))
        untrusted.write(untrusted.own, rules("{name: any, actions: {inject_inline: x}}"))
        answers, exit_code = opened.end(lines)
    assert own == [False, False, True]
    assert [blocked_by(said) for said in answers] == ["no-danger", ""] * 20
    assert exit_code == 0


@needs_fork
def test_a_child_that_hangs_ends_in_time_also_where_its_parent_was_killed(untrusted: Machine) -> None:
    """As long as it runs it holds the only writing end of a pipe."""
    pipe = untrusted.project / "alive"
    os.mkfifo(pipe)
    hang = f"(os.open({str(pipe)!r}, os.O_WRONLY), sum(range(10 ** 12)))"
    preparation = f"import rulez_py.policy.judging.decide as judging; judging.decide = lambda *_: {hang}"
    with untrusted.prepared(preparation, "--timeout", "1") as opened:
        opened.send(json.dumps(untrusted.bash()).encode() + b"\n")
        reader = os.open(pipe, os.O_RDONLY)
        opened.process.kill()
        ready, _, _ = select.select([reader], [], [], 60)
        assert ready and os.read(reader, 1) == b""
    os.close(reader)


def test_what_a_child_finds_is_said_and_logged_as_if_it_were_found_here(untrusted: Machine) -> None:
    untrusted.write(untrusted.user, SOMETHING_FOR_EVERYBODY)
    payloads = [untrusted.bash("danger"), untrusted.bash("x", tool_name="Read", tool_input={"file_path": "é"})]

    with untrusted.open() as opened:
        said = [opened.ask(payload) for payload in payloads]
        assert opened.end() == ([], 0)
    logged = untrusted.logged()
    assert said == [in_this_process(payload, "claude") for payload in payloads]
    assert logged == untrusted.logged()


def test_where_processes_cannot_fork_every_line_is_judged_here(untrusted: Machine) -> None:
    with untrusted.prepared("if hasattr(os, 'fork'): del os.fork") as opened:
        assert [blocked_by(opened.ask(untrusted.bash(text))) for text in ("danger", "ls")] == ["no-danger", ""]
        assert opened.end() == ([], 0)


# Time. Windows has no alarm signal; there it is a thread.

ALARMS = {
    "signal": "",
    "thread": "from rulez_py.hook import supervise\n"
    "import types\nsupervise.sys = types.SimpleNamespace(platform='win32')\n",
}
each_alarm = pytest.mark.parametrize("alarm", ALARMS.values(), ids=ALARMS)


@each_alarm
def test_a_line_that_takes_too_long_is_the_last_one_answered(machine: Machine, alarm: str) -> None:
    machine.write(machine.user, blocking("danger"))
    machine.compiled()
    lines = [machine.bash("danger"), machine.bash("sleep"), machine.bash("danger")]
    with machine.prepared(alarm + BY_COMMAND, "--timeout", "2") as opened:
        opened.send(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        assert opened.process.wait(60) == 1
        answers, _exit_code = opened.end()
    assert blocked_by(answers[0]) == "no-danger"
    assert "no verdict within 2 s" in answers[1]["stderr"]
    assert len(answers) == 2
    assert [line["rule"] for line in machine.logged()] == ["no-danger", None]


@each_alarm
def test_the_last_words_are_the_last_answer(machine: Machine, alarm: str) -> None:
    hanging = (
        "import rulez_py.policy.store.load as load; load.load = lambda *a, **k: time.sleep(600);"
        "from rulez_py.hook import supervise; supervise.LAST_CALL = 0.2"
    )
    with machine.prepared(f"{alarm}{hanging}", "--timeout", "0.3") as opened:
        opened.send(json.dumps(machine.bash()).encode() + b"\n" + json.dumps(machine.bash()).encode() + b"\n")
        assert opened.process.wait(60) == 1
        (said,), _exit_code = opened.end()
    assert said["exit_code"] == 2
    assert "no verdict within 0.3 s" in said["stderr"]


def test_a_line_that_never_ends_is_denied_in_time(machine: Machine) -> None:
    with machine.open("--timeout", "0.5") as opened:
        opened.send(b'{"hook_event_name": "Pre')
        assert opened.process.wait(60) == 1
        (said,), _exit_code = opened.end()
    assert "no verdict within 0.5 s" in said["stderr"]


@each_alarm
@pytest.mark.parametrize("trusted", [True, False])
def test_waiting_for_a_line_has_no_limit_of_time(machine: Machine, trusted: bool, alarm: str) -> None:
    machine.write(machine.user if trusted else machine.own, blocking("danger"))
    machine.compiled()
    with machine.prepared(alarm, "--timeout", "3") as opened:
        assert blocked_by(opened.ask(machine.bash("danger"))) == "no-danger"
        time.sleep(3.5)
        assert blocked_by(opened.ask(machine.bash("danger"))) == "no-danger"


def test_a_log_that_hangs_is_cut_off_after_the_answer(machine: Machine) -> None:
    hanging = "import rulez_py.log.audit as audit; audit.record = lambda *a: time.sleep(600)"
    with machine.prepared(hanging, "--timeout", "2") as opened:
        assert opened.ask(machine.bash())["exit_code"] == 0
        assert opened.process.wait(60) == 1
        assert opened.end() == ([], 1)


# The end.


@posix
def test_where_nobody_reads_the_answers_it_ends(machine: Machine) -> None:
    reading, writing = os.pipe()
    command = [*SOURCE_COMMAND, "hook", "--platform", "claude", "--stream"]
    with Stream(command, machine.project, stdout=writing) as opened:
        os.close(writing)
        os.close(reading)
        opened.send(json.dumps(machine.bash("danger")).encode() + b"\n")
        assert opened.process.wait(60) == 1
        assert opened.process.stderr and opened.process.stderr.read() == b""
    assert len(machine.logged()) == 1


@posix
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("closed", ["<&-", "<&- >&-"])
def test_without_an_input_it_ends(machine: Machine, program: tuple[str, ...], closed: str) -> None:
    """The frozen program opens a file of its own, which must not take the place of its input."""
    line = " ".join(["exec", *program, "hook", "--platform", "claude", "--stream", closed])
    with Stream(["/bin/sh", "-c", line], machine.project) as opened:
        assert opened.end() == ([], 0)


@posix
def test_an_interrupt_between_lines_ends_it_quietly(machine: Machine) -> None:
    with machine.open() as opened:
        opened.ask(machine.bash())
        time.sleep(0.2)
        opened.process.send_signal(signal.SIGINT)
        assert opened.end() == ([], 0)


@pytest.mark.parametrize("change", ["rewritten", "removed"])
def test_a_line_after_rulez_was_replaced_is_left_to_the_next_process(
    machine: Machine, tmp_path: Path, change: str
) -> None:
    program = machine.write(tmp_path / "program.py", "old")
    with machine.prepared(f"sys.frozen = True; sys.executable = {str(program)!r}") as opened:
        assert opened.ask(machine.bash())["exit_code"] == 0
        program.unlink()
        if change == "rewritten":
            program.write_text("newer")
        opened.send(json.dumps(machine.bash()).encode() + b"\n")
        assert opened.process.wait(60) == 1
        assert opened.end() == ([], 1)


# Around it.


def test_one_process_per_call_does_not_load_it(machine: Machine) -> None:
    source = "import sys; from rulez_py.hook.main import main; main(['--platform', 'claude']); print(*sys.modules)"
    command = [sys.executable, "-c", source]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    data = json.dumps(machine.bash()).encode()
    ended = subprocess.run(command, input=data, cwd=machine.project, env=environ, capture_output=True, check=True)
    assert b"rulez_py.hook.main" in ended.stdout
    assert b"rulez_py.hook.stream" not in ended.stdout


@given(st.binary(max_size=60).map(lambda data: data.replace(b"a", b"\n")), st.lists(st.integers(1, 9), min_size=1))
def test_lines_are_the_same_in_whatever_pieces_they_arrive(data: bytes, sizes: list[int]) -> None:
    lines = Lines(-1)
    pieces: list[bytes] = []
    rest = data
    while rest:
        size = sizes[len(pieces) % len(sizes)]
        pieces.append(rest[:size])
        rest = rest[size:]

    def fetch() -> bool:
        lines._ahead = pieces.pop(0) if pieces else b""
        return bool(lines._ahead)

    lines._fetch = fetch  # type: ignore[method-assign]
    found = []
    while lines.begin():
        found.append(lines.read())
    ended = data.split(b"\n")
    assert found == (ended if ended[-1] else ended[:-1])

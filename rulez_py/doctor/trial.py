"""Calls through the installed command line, which has to answer as judging in this process does."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from rulez_py.doctor.findings import Tried
from rulez_py.explain.answers import decision_of
from rulez_py.hook.call import finish, respond
from rulez_py.hook.values import HookCall, Options
from rulez_py.log.audit import OWN_SESSION
from rulez_py.platforms import adapter
from rulez_py.policy.format.circumstances import native_tool
from rulez_py.system import jsontext
from rulez_py.verdict import Answer

if TYPE_CHECKING:
    from rulez_py.install.places import Machine

CALLS = {"deny": "rulez uninstall", "pass": "true"}
"""The calls to try: a command line that self-protection denies, and one that no rule should stop."""
TIMEOUT = 40.0
_LOUD = 300


class Answered(NamedTuple):
    """The answer of the installed command line to one call. `code` is None where it did not end in time."""

    name: str
    code: int | None
    stdout: str
    stderr: str
    ms: float


def asked(platform: str, command: str, here: Machine) -> tuple[Answered, ...]:
    """Return the answers to both calls. The commands they name do not run, and this process is not changed."""
    return tuple(_asked(platform, name, command, here) for name in CALLS)


def _asked(platform: str, name: str, command: str, here: Machine) -> Answered:
    payload = _payload(platform, CALLS[name], here.project)
    began = time.monotonic()
    code, stdout, stderr = _run(command, payload, here)
    return Answered(name, code, stdout, stderr, (time.monotonic() - began) * 1000)


def compared(platform: str, answered: tuple[Answered, ...], here: Machine) -> tuple[Tried, ...]:
    """Return each answer beside the decision of judging the call in this process."""
    return tuple(_compared(platform, one, here) for one in answered)


def _compared(platform: str, one: Answered, here: Machine) -> Tried:
    wanted = _wanted(platform, _payload(platform, CALLS[one.name], here.project), here)
    code = one.code
    answer = Answer(stdout=one.stdout, stderr=one.stderr, exit_code=code or 0)
    got = "nothing" if code is None else f"exit code {code}" if code not in (0, 2) else decision_of(answer)
    said = (one.stderr or one.stdout).strip()[:_LOUD]
    return Tried(one.name, wanted, got, one.ms, "" if got == one.name else said)


def _payload(platform: str, line: str, directory: str) -> bytes:
    events = adapter(platform).EVENTS
    event = next(name for name, spec in events.items() if spec.types[:1] == ("PreToolUse",))
    call: dict[str, Any] = {
        "session_id": OWN_SESSION,
        "hook_event_name": event,
        "cwd": directory,
        "tool_name": native_tool(platform, "Bash"),
        "tool_input": {"command": line},
    }
    return jsontext.dumps_exactly(call)


def _wanted(platform: str, payload: bytes, here: Machine) -> str:
    """Return the decision of judging the call in this process."""
    call = HookCall(Options(platform=platform), here.environ, time.monotonic())
    try:
        return decision_of(respond(call, payload).answer)
    finally:
        finish(call)


def _run(command: str, payload: bytes, here: Machine) -> tuple[int | None, str, str]:
    """Return exit code (None where it did not end in time), stdout and stderr of the command, run as agents run it."""
    words: Any = command if sys.platform == "win32" else ["/bin/sh", "-c", command]
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(
            words,
            shell=sys.platform == "win32",
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            cwd=here.project,
            env=dict(here.environ),
            start_new_session=True,
        )
    except OSError as error:
        return 127, "", str(error)
    try:
        stdout, stderr = process.communicate(payload, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        end(process)
        return None, "", f"it gave no answer within {TIMEOUT:g} s"
    return process.returncode, stdout.decode("utf-8", "replace"), stderr.decode("utf-8", "replace")


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and all it has started."""
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()

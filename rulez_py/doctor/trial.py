"""Calls through exactly the command line that is installed: it has to answer as judging in this process does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from rulez_py.doctor.findings import Tried
from rulez_py.explaining.calls import native_tool
from rulez_py.explaining.told import decision_of
from rulez_py.hook.call import finish, respond
from rulez_py.hook.values import HookCall, Options
from rulez_py.log.audit import OWN_SESSION
from rulez_py.platforms import adapter
from rulez_py.system import jsontext
from rulez_py.verdict import Answer

if TYPE_CHECKING:
    from rulez_py.installing.places import Machine

CALLS = {"deny": "rulez uninstall", "pass": "true"}
"""What is tried: a command line that self-protection denies, and one that nothing should have anything against."""
TIMEOUT = 40.0
_LOUD = 300


def trials(platform: str, command: str, here: Machine) -> tuple[Tried, ...]:
    """Both calls, as the agent would have them judged; nothing of what they name runs."""
    return tuple(_tried(platform, name, line, command, here) for name, line in CALLS.items())


def _tried(platform: str, name: str, line: str, command: str, here: Machine) -> Tried:
    payload = _payload(platform, line, here.project)
    began = time.monotonic()
    code, stdout, stderr = _run(command, payload, here)
    ms = (time.monotonic() - began) * 1000
    got = "nothing" if code is None else decision_of(Answer(stdout=stdout, stderr=stderr, exit_code=code))
    if code not in (None, 0, 2):
        got = f"exit code {code}"
    said = (stderr or stdout).strip()[:_LOUD]
    return Tried(name, _wanted(platform, payload, here), got, ms, "" if got == name else said)


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
    """What judging it in this process comes to."""
    call = HookCall(Options(platform=platform), here.environ, time.monotonic())
    try:
        return decision_of(respond(call, payload).answer)
    finally:
        finish(call)


def _run(command: str, payload: bytes, here: Machine) -> tuple[int | None, str, str]:
    """Exit code (None where it did not end in time), stdout and stderr of the command as an agent runs it."""
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
        _end(process)
        return None, "", f"it gave no answer within {TIMEOUT:g} s"
    return process.returncode, stdout.decode("utf-8", "replace"), stderr.decode("utf-8", "replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it and what it has started."""
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()

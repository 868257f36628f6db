"""The command line of `rulez hook`, and the process it runs in."""

from __future__ import annotations

import os
import time

from rulez_py.hook.failing import a_bug, blunt, sentence
from rulez_py.hook.stdio import Outlet, emit, read_stdin, write
from rulez_py.hook.supervise import answer_in_time, watched
from rulez_py.hook.values import TIME_BUDGET, HookCall, Options
from rulez_py.platforms import AUTO, PLATFORMS, adapter_or_unnamed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulez_py.verdict import Answer

USAGE = f"""\
usage: rulez hook --platform PLATFORM [--event NAME] [--rules FILE] [--timeout SECONDS] [--stream]

Reads one hook event as JSON on stdin and prints the answer in the agent's own form.

  --platform PLATFORM  the agent: {", ".join(PLATFORMS)};
                       or {AUTO}, where several agents share the hook: the payload tells which one calls
  --event NAME         the event, for payloads that do not name it
  --rules FILE         judge by this policy file instead of the user's and the project's
  --timeout SECONDS    answer within this time (default {TIME_BUDGET:g})
  --stream             answer every line of stdin, each a hook event, with a line of JSON: the exit_code, stdout and
                       stderr of a `rulez hook` for that event alone; after an answer that took too long, end

Exit codes: 0 the answer, if there is one, is on stdout; 2 denied, with the reason on stderr (on stdout where the
agent reads it there); 2 as well where the call or this command line cannot be understood.
"""

AT_A_TERMINAL = """\
`rulez hook` is what agents call: it reads one hook event as JSON on stdin, and here stdin is a terminal.
To see how a call would be judged, and why: rulez explain 'git push -f'
How an agent is set up to call it: rulez -h, and `rulez hook -h` for its options.
"""


_NAMES = ", ".join((*PLATFORMS, AUTO))


class UsageError(Exception):
    """The command line cannot be carried out; the message says what would be right."""


def main(arguments: list[str]) -> int:
    """Run one hook call on this process's stdin, stdout and stderr; the result is its exit code. Raises nothing."""
    try:
        return _main(arguments, time.monotonic())
    except BaseException as error:
        return _emitted(blunt(sentence(*a_bug(error))))


def _main(arguments: list[str], started: float) -> int:
    if "--help" in arguments or "-h" in arguments:
        write(1, USAGE)
        return 0
    try:
        options = parse_options(arguments)
    except UsageError as error:
        return _emitted(usage_failure(error, arguments))
    keep_streams()
    if os.isatty(0):
        # No agent sends a payload there. One that did would get a denial.
        return _emitted(blunt(AT_A_TERMINAL))
    if options.stream:
        from rulez_py.hook.stream import answer_lines

        return answer_lines(options)
    outlet = Outlet()
    answer_in_time(watched(HookCall(options, os.environ, started), outlet), read_stdin)
    return outlet.exit_code


def _emitted(answer: Answer) -> int:
    emit(answer)
    return answer.exit_code


def keep_streams() -> None:
    """Keep the place of a closed standard stream: no file that is opened later takes it, and nothing
    can be written.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)


def parse_options(arguments: list[str]) -> Options:
    """Return the options of `rulez hook`. Raises UsageError."""
    names = ("--platform", "--event", "--rules", "--timeout", "--stream")
    values: dict[str, Any] = {}
    rest = list(arguments)
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if name not in names:
            raise UsageError(f"unknown argument `{name}`; `rulez hook` takes {', '.join(names)}")
        if name == "--stream":
            if equals:
                raise UsageError("`--stream` takes no value")
            values["stream"] = True
            continue
        if not equals:
            if not rest:
                raise UsageError(f"`{name}` needs a value")
            value = rest.pop(0)
        values[name[2:]] = value
    if "platform" not in values:
        raise UsageError(f"`--platform` is missing; it is one of {_NAMES}")
    if values["platform"] not in PLATFORMS and values["platform"] != AUTO:
        raise UsageError(f"unknown platform `{values['platform']}`; it is one of {_NAMES}")
    if "timeout" in values:
        values["timeout"] = _seconds(values["timeout"])
    return Options(**values)


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds <= 3600.0:
        raise UsageError(f"`--timeout {value}` is not a number of seconds between 0 and 3600")
    return seconds


def usage_failure(error: UsageError, arguments: list[str]) -> Answer:
    """INVARIANT: a wrong command line denies."""
    reason = sentence(f"the command line of `rulez hook` is wrong: {error}", "correct the agent's hook settings")
    for platform in (*PLATFORMS, AUTO):
        if platform in arguments or f"--platform={platform}" in arguments:
            return adapter_or_unnamed(platform).unreadable(reason, None)
    return blunt(reason)

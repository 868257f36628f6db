"""One hook call, edges included: read the event, judge it, answer in the agent's words, write the log.

INVARIANT: whatever goes wrong in here ends in an answer, and where the event guards something that answer is what
`settings.on_error` says, deny by default. Nothing but that answer is ever printed, and it is printed once.
"""

from __future__ import annotations

import os
import sys
import time

from rulez_py.adapters import PLATFORMS, adapter, caller
from rulez_py.adapters.common import EVENT_NAME_KEYS, PLEASE_TELL, spec_of, text
from rulez_py.analysis import Value
from rulez_py.event import Event, UnreadableEvent
from rulez_py.verdict import ALLOW, DENY, Answer, RuleHit, Verdict, merge, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NoReturn

    from rulez_py.adapters.common import Adapter
    from rulez_py.policy.cache import Choose, InForce
    from rulez_py.policy.facts import Facts
    from rulez_py.policy.index import Kept
    from rulez_py.policy.rule import Rule
    from rulez_py.system.places import Places, Refusal
    from rulez_py.written.problems import Problem

TIME_BUDGET = 25.0
"""Seconds from start to answer. The agents' own limits (30 s in hooks/) let the call through when they strike."""
SCRIPT_RESERVE = 2.0
"""Seconds of the budget that scripts may not use."""
LOG_BUDGET = 2.0
"""Seconds that the log, and keeping the policy, may take where the answer has used up its time; else what it left.

The agents' limits still hold: one that strikes while the log is written lets the call through.
"""
LAST_CALL = 1.0
"""Seconds that finding the right answer may take when time has run out."""
LARGEST_EVENT = 64 * 1024 * 1024
MOST_VALUES = 500_000
"""Texts, numbers, lists and so on in one event. The content of a file is one, however long."""

_IGNORE_CASE = sys.platform in ("darwin", "win32")
_RUN = ("PreToolUse", "PermissionRequest")
"""The events before something that an agent does; the others that guard are before what a person says or chooses."""
_EVENT_NAMES = (*EVENT_NAME_KEYS, "hookName", "hook")

USAGE = f"""\
usage: rulez hook --platform PLATFORM [--event NAME] [--rules FILE] [--timeout SECONDS] [--stream]

Reads one hook event as JSON on stdin and prints the answer in the agent's own form.

  --platform PLATFORM  the agent: {", ".join(PLATFORMS)}
  --event NAME         the event, for payloads that do not name it
  --rules FILE         judge by this policy file instead of the user's and the project's
  --timeout SECONDS    answer within this time (default {TIME_BUDGET:g})
  --stream             answer every line of stdin, each a hook event, with a line of JSON: the exit_code, stdout and
                       stderr of a `rulez hook` for that event alone; after an answer that took too long, end
"""


class PlacesRefused(Exception):
    """The environment leads to what nobody may believe; the arguments are the cause and the advice."""


class UsageError(Exception):
    """The command line cannot be carried out; the message says what would be right."""


class Options(Value):
    """The command line of one hook call."""

    platform: str
    event: str | None = None
    rules: str | None = None
    timeout: float = TIME_BUDGET
    stream: bool = False


class HookCall:
    """The state of one call: how far it has come, so that an error can be answered as well as it can be."""

    def __init__(self, options: Options, environ: Mapping[str, str], started: float) -> None:
        self.options = options
        self.environ = environ
        self.started = started
        self.adapter: Adapter = adapter(options.platform)
        self.event_name = options.event
        self.event: Event | None = None
        self.policy: InForce | None = None
        self.refused: tuple[Refusal, ...] = ()
        self.verdict = Verdict()
        self.supervise: Callable[[Callable[[], Answer], Callable[[], Answer]], Answer] = lambda judge, _rest: judge()
        """Carries out a judgement by rules that nobody has trusted; the second one is by the others alone."""
        self._first = iter((True,))

    @property
    def deadline(self) -> float:
        """When the answer is due, as a `time.monotonic()` value."""
        return self.started + self.options.timeout

    def claim(self) -> bool:
        """Whether the caller is the first to ask, and so the one to give the answer."""
        return next(self._first, False)

    def respond(self, data: bytes) -> Answer:
        """The answer to one payload. Raises nothing."""
        return self.safely(lambda: self._judge(data))

    def safely(self, judge: Callable[[], Answer]) -> Answer:
        """What `judge` answers, or the answer to its failure. Raises nothing."""
        try:
            return judge()
        except UnreadableEvent as error:
            return self.failure(f"the hook event cannot be read: {error}", "check how the hook is set up")
        except PlacesRefused as error:
            return self.failure(*error.args)
        except BaseException as error:  # A panic inside a compiled library is not an `Exception`.
            return self.failure(*a_bug(error))

    def exit_code_alone(self) -> int:
        """What the process ends with where nobody takes its answer: 2 blocks, where there is something to block."""
        spec = self.adapter.EVENTS.get(self.event_name or "")
        return 2 if spec is None or spec.guards else 0

    def stricter_than_failure(self, judge: Callable[[], Answer]) -> Answer | None:
        """What `judge` says, where a failure alone would be more lenient; None where it would not."""
        on_error = DENY if self.policy is None else self.policy.on_error
        if on_error == DENY:
            return None
        answer = self.safely(judge)
        return answer if on_error == ALLOW or self.verdict.decision == DENY else None

    def give_up(self) -> Answer:
        """The answer when time runs out."""
        return self.failure(*self._too_slow())

    def last_words(self) -> Answer:
        """The same, where not even that comes to an end: it asks nothing of anybody."""
        reason = sentence(*self._too_slow())
        self.verdict = Verdict(decision=DENY, reason=reason, notes=(reason,), failed=True)
        return self._last_resort(reason)

    def unread(self) -> Answer:
        """What is logged of an answer that nobody took: the exit code alone counts then."""
        code = self.exit_code_alone()
        if code:
            note = "nobody read the answer"
            self.verdict = self.verdict.replace(decision=DENY, notes=(*self.verdict.notes, note), failed=True)
        return Answer(exit_code=code)

    def _too_slow(self) -> tuple[str, str]:
        cause = f"no verdict within {self.options.timeout:g} s"
        if self.policy is None and _is_compiling():
            return f"{cause}: the policy was still being compiled", "call again; the next call will find it compiled"
        return cause, "look for slow scripts in the policy, or raise --timeout"

    def _judge(self, data: bytes) -> Answer:
        payload = read_payload(data)
        self.adapter = adapter(caller(self.options.platform, payload, self.environ))
        self.event_name = text(payload, *_EVENT_NAMES) or self.options.event
        event = self.adapter.parse(payload, self.options.event)
        self.event = event = event.replace(project_dir=self._project_dir(event))
        judge = _Judge(self, event)
        policy = self._load(judge.rules_for)
        if all(rule["trusted"] for rule in policy.rules):
            return self._apply(policy, judge)
        others = policy.replace(rules=tuple(rule for rule in policy.rules if rule["trusted"]))
        return self.supervise(lambda: self._apply(policy, judge), lambda: self._apply(others, judge))

    def _apply(self, policy: InForce, judge: _Judge) -> Answer:
        warnings = (*policy.warnings, *self._surroundings(policy, judge.event), *self._about_the_log(judge.event))
        verdicts = [Verdict(warnings=warnings)]
        if policy.problems:
            verdicts += self._invalid_policy(policy, judge.event)
        if policy.rules:
            verdicts.append(judge.verdict(policy))
        self.verdict = merge(verdicts)
        return self.adapter.answer(self.verdict, judge.event)

    def _invalid_policy(self, policy: InForce, event: Event) -> list[Verdict]:
        """What a policy that cannot be read says: nothing that it should have judged passes.

        One that came with a repository, and that nobody has trusted, does not keep a person from asking what is wrong.
        """
        prompts = spec_of(self.adapter.EVENTS, event.native_event).guards and not set(_RUN) & set(event.types)
        told = tuple(one for one in policy.problems if prompts and one in policy.untrusted)
        denying = tuple(one for one in policy.problems if one not in told)
        verdicts = [invalid_policy(policy.replace(problems=denying))] if denying else []
        return [*verdicts, tools_are_denied(told)] if told else verdicts

    def failure(self, cause: str, advice: str) -> Answer:
        """INVARIANT: no path out of here lets a guarded event pass unless `on_error` says so."""
        reason = sentence(cause, advice)
        try:
            on_error = (self.policy or self._load()).on_error
        except BaseException:
            on_error = DENY
        if on_error == ALLOW:
            self.verdict = Verdict(notes=(let_through(reason),))
        else:
            self.verdict = Verdict(decision=on_error, reason=reason, notes=(reason,), failed=True)
        event = self.event or (unknown_event(self.adapter, self.event_name) if on_error == ALLOW else None)
        try:
            if event is not None:
                return self.adapter.answer(self.verdict, event)
        except BaseException as error:
            if on_error == ALLOW:
                return Answer()
            reason = f"{reason} ({type(error).__name__})"
        return self._last_resort(reason)

    def _last_resort(self, reason: str) -> Answer:
        try:
            return self.adapter.unreadable(reason, self.event_name)
        except BaseException:
            return blunt(reason)

    def _load(self, choose: Choose | None = None) -> InForce:
        if self.policy is None:
            from rulez_py.policy.cache import in_force
            from rulez_py.policy.load import search
            from rulez_py.system.places import in_words, refused
            from rulez_py.trust import is_trusted

            places, here = self.places(), _working_directory()
            event = self.event
            start = event.project_dir if event is not None else self._project_variable()
            found = search(places, start or here, rules_file=self.options.rules)
            self.refused = refused(self.environ, places, (*found.grounds, *((here,) if here else ())))
            if self.refused:
                raise PlacesRefused(*in_words(self.refused))
            self.policy = in_force(
                places,
                start or here,
                rules_file=self.options.rules,
                trusted=lambda path, digest: is_trusted(places, path, digest),
                choose=choose,
                found=found,
                time_left=self.deadline - time.monotonic(),
            )
        return self.policy

    def places(self) -> Places:
        """This user's places."""
        from rulez_py.system.places import places

        return places(self.environ)

    def _project_dir(self, event: Event) -> str | None:
        """Where the agent's project is: its own variable, else what the payload says.

        Where the payload's `cwd` is the call's and not the session's, the model would choose which policy holds.
        """
        here = _working_directory() if self.adapter.RUNS_IN_PROJECT else None
        return self._project_variable() or event.project_dir or here or event.cwd

    def _project_variable(self) -> str | None:
        for name in self.adapter.PROJECT_VARIABLES:
            value = self.environ.get(name, "")
            if os.path.isabs(value) and os.path.isdir(value):
                return value
        return None

    def _surroundings(self, policy: InForce, event: Event) -> tuple[str, ...]:
        """What the project does to hooks, where a session begins; at any other time it would cost every call."""
        if not spec_of(self.adapter.EVENTS, event.native_event).begins:
            return ()
        from rulez_py.policy.load import shown_path
        from rulez_py.switches import warnings

        start, home = event.project_dir or policy.root, self.places().home
        return warnings(
            self.adapter.NAME, (start, policy.root), self.environ, lambda path: shown_path(path, policy.root, home)
        )

    def _about_the_log(self, event: Event) -> tuple[str, ...]:
        """What a person should know of the log, where a session begins: later nobody would be told."""
        spec = self.adapter.EVENTS.get(event.native_event)
        if spec is None or not spec.begins:
            return ()
        from rulez_py.log import audit

        why = audit.why_not_written(self.places())
        return (f"rulez judges, but cannot log what it decides: {why}. Make that file writable.",) if why else ()

    def log(self, answer: Answer) -> None:
        """Append the decision to the audit log; never raises."""
        try:
            from rulez_py.log import audit

            event = self.event or unknown_event(self.adapter, self.event_name)
            milliseconds = (time.monotonic() - self.started) * 1000
            known = self.policy.sources if self.policy is not None else ()
            sources = [source.path for source in known if not source.ignored]
            entry = audit.entry_for(event, self.verdict, answer, milliseconds, time.time(), sources)
            places = self._places_of_the_log()
            if places is not None:
                audit.record(places, entry)
        except BaseException:
            return

    def _places_of_the_log(self) -> Places | None:
        """This user's places; where the log would be somebody else's, those of the home that the system knows."""
        here = self.places()
        if not any(refusal.field == "state" for refusal in self.refused):
            return here
        from rulez_py.system.places import places, real_homes

        homes = real_homes(here)
        return places({"HOME": homes[0]}) if homes else None

    def keep(self) -> None:
        """Keep the policy for later calls, where this one had to compile it; never raises."""
        try:
            if self.policy is not None:
                self.policy.keep()
        except BaseException:
            return


class _Judge:
    """An event and the part of the world it is judged in; what needs either imports them then."""

    def __init__(self, call: HookCall, event: Event) -> None:
        self._call = call
        self.event = event
        self._facts: Facts | None = None
        self._readings: list[tuple[Facts, tuple[Rule, ...]]] = []

    def rules_for(self, root: str, kept: Kept) -> tuple[Rule, ...]:
        """The kept rules that can match in the project at `root`."""
        from rulez_py.policy.index import select

        facts = self._seen_from(root)
        chosen = select(kept, facts)
        if all(rule["trusted"] for rule in chosen):
            return chosen
        from rulez_py.policy.decide import injected_reads

        for rule in chosen:
            self._readings += [(reading, select(kept, reading)) for reading in injected_reads(rule, facts)]
        return chosen

    def verdict(self, policy: InForce) -> Verdict:
        """What the chosen rules say."""
        from rulez_py.policy.decide import decide

        return decide(policy.rules, self._seen_from(policy.root), self._readings)

    def _seen_from(self, root: str) -> Facts:
        """The event's facts for the project at `root`."""
        if self._facts is None:
            from rulez_py.policy.facts import Facts, Surroundings
            from rulez_py.system.scripts import World

            call = self._call
            around = Surroundings(
                root=root,
                home=call.places().home,
                environ=call.environ,
                ignore_case=_IGNORE_CASE,
                told_before=any("PreToolUse" in spec.types and spec.context for spec in call.adapter.EVENTS.values()),
            )
            self._facts = Facts(self.event, around, World(call.environ, call.deadline - SCRIPT_RESERVE))
        return self._facts.in_project(root)


def _working_directory() -> str | None:
    try:
        return os.getcwd()
    except OSError:
        return None  # it has been deleted


def read_payload(data: bytes) -> dict[str, object]:
    """The payload's JSON object. Raises UnreadableEvent."""
    from rulez_py.system import jsontext

    data = data.removeprefix(b"\xef\xbb\xbf")
    if not data.strip():
        raise UnreadableEvent("standard input is empty; the agent should send the event as one JSON object")
    if len(data) > LARGEST_EVENT:
        raise UnreadableEvent(f"it is larger than {LARGEST_EVENT // 1024 // 1024} MiB")
    if jsontext.has_more_values(data, MOST_VALUES):
        raise UnreadableEvent(f"it holds more than {MOST_VALUES:,} values")
    try:
        payload = jsontext.loads(data)
    except ValueError as error:
        raise UnreadableEvent(f"it is not JSON: {error}") from None
    if not isinstance(payload, dict):
        raise UnreadableEvent(f"it is a JSON {_kind(payload)}, not an object")
    return payload


def _kind(value: object) -> str:
    if isinstance(value, list):
        return "array"
    if isinstance(value, bool):
        return "boolean"
    return "null" if value is None else "string" if isinstance(value, str) else "number"


def invalid_policy(policy: InForce) -> Verdict:
    """What a policy that cannot be read says to every event."""
    shown = [str(problem) for problem in policy.problems[:3]]
    more = len(policy.problems) - len(shown)
    listed = "; ".join(shown) + (f"; and {more} more" if more > 0 else "")
    reason = sentence(f"the policy cannot be used: {listed}", "mend the file; `rulez validate` shows every problem")
    if policy.on_error == ALLOW:
        return Verdict(notes=(let_through(reason),))
    return Verdict(decision=policy.on_error, reason=reason, notes=(reason,), failed=True)


def tools_are_denied(problems: tuple[Problem, ...]) -> Verdict:
    """What a person hears of their project's broken policy instead; none of its words, since the model reads it."""
    places = ", ".join(f"{one.path}:{one.line}:{one.column}" for one in problems[:3])
    text = printable(
        f"The project's policy cannot be used ({places}), so every tool call is denied. `rulez validate` shows what is "
        "wrong; a person can mend the file or remove it."
    )
    return Verdict(context=(f"{PLEASE_TELL}\n\n{text}",), notes=(text,))


def sentence(cause: str, advice: str) -> str:
    """A failure in words for the model and the person."""
    end = "" if cause.endswith(("?", ".", "!")) else "."
    return printable(f"Blocked: {cause}{end} Instead: {advice}.")


def let_through(reason: str) -> str:
    """The same sentence for the log, where `on_error` is `allow`."""
    return reason.replace("Blocked: ", "Let through (on_error: allow): ", 1)


def a_bug(error: BaseException) -> tuple[str, str]:
    """The cause and the advice for something that must not happen."""
    return f"rulez failed: {type(error).__name__}: {error}", "this is a bug in rulez, please report it"


def blunt(reason: str) -> Answer:
    """A deny in no agent's own words: exit 2 with text on stderr blocks on every agent."""
    return Answer(stderr=reason, exit_code=2)


def unknown_event(platform: Adapter, event_name: str | None) -> Event:
    """A stand-in for an event nobody could read: it guards, as far as we know."""
    events = platform.EVENTS
    name = event_name or ""
    if name not in events:
        name = next(name for name, spec in events.items() if spec.guards)
    return Event(platform=platform.NAME, types=events[name].types, native_event=name)


def parse_options(arguments: list[str]) -> Options:
    """The options of `rulez hook`. Raises UsageError."""
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
        raise UsageError(f"`--platform` is missing; it is one of {', '.join(PLATFORMS)}")
    if values["platform"] not in PLATFORMS:
        raise UsageError(f"unknown platform `{values['platform']}`; it is one of {', '.join(PLATFORMS)}")
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
    """INVARIANT: a command line nobody can carry out denies."""
    reason = sentence(f"the command line of `rulez hook` is wrong: {error}", "correct the agent's hook settings")
    for platform in PLATFORMS:
        if platform in arguments or f"--platform={platform}" in arguments:
            return adapter(platform).unreadable(reason, None)
    return blunt(reason)


def main(arguments: list[str]) -> int:
    """Run one hook call on this process's stdin, stdout and stderr; the result is its exit code. Raises nothing."""
    try:
        return _main(arguments, time.monotonic())
    except BaseException as error:
        answer = blunt(sentence(*a_bug(error)))
        emit(answer)
        return answer.exit_code


def _main(arguments: list[str], started: float) -> int:
    if "--help" in arguments or "-h" in arguments:
        write(1, USAGE)
        return 0
    try:
        options = parse_options(arguments)
    except UsageError as error:
        answer = usage_failure(error, arguments)
        emit(answer)
        return answer.exit_code
    keep_streams()
    if options.stream:
        from rulez_py import stream

        return stream.answer_lines(options)
    call, outlet = HookCall(options, os.environ, started), Outlet()
    answer_in_time(call, read_stdin, outlet)
    return outlet.exit_code


class Outlet:
    """Where the answer to one call goes: the output and the exit code of this process."""

    exit_code: int = 2
    """What the process ends with, where it has to end now."""

    def put(self, call: HookCall, answer: Answer) -> bool:
        """Give out the answer; False where nobody takes it.

        INVARIANT: what an agent cannot read whole does not let a call pass.
        """
        self.exit_code = call.exit_code_alone()
        if write(1, printed(answer.stdout)):
            write(2, printed(answer.stderr))
            self.exit_code = answer.exit_code
            return True
        self.complain()
        return False

    def complain(self) -> None:
        """Say, where that takes no time, that the answer could not be given out."""
        try:
            os.set_blocking(2, False)
            os.write(2, b"Blocked: nobody read the answer of rulez in time. Instead: call it again.\n")
        except (OSError, AttributeError):
            return


def answer_in_time(call: HookCall, read: Callable[[], bytes], outlet: Outlet) -> None:
    """Judge the payload that `read` gets, give out the answer and log it.

    Where it takes too long, the answer says so and the process ends: what hangs in it may hang for ever.
    """
    if hasattr(os, "fork"):
        call.supervise = lambda judge, rest: _judged_by_child(call, judge, rest, outlet)
    set_alarm(call.options.timeout, lambda: _time_is_up(call, outlet))
    answer = call.respond(read())
    if not _give(call, answer, outlet):
        time.sleep(LAST_CALL + LOG_BUDGET)  # The alarm, a thread of its own, is about to end the process.


def _give(call: HookCall, answer: Answer, outlet: Outlet) -> bool:
    """Give out an answer, if it is the call's first, and do what can wait; whether it was the first.

    Where time ran out over the policy, a second process comes back from here, and goes on with that.
    """
    if not call.claim():
        return False
    set_alarm(max(call.deadline - time.monotonic(), LAST_CALL), lambda: _not_read(call, outlet))
    taken = outlet.put(call, answer)
    # Where the alarm is a thread, it is not the one that compiles.
    if sys.platform != "win32" and _is_compiling() and _keeping().finish_afterwards():
        return False
    _log(call, answer if taken else call.unread(), outlet)
    call.keep()
    clear_alarm()
    return True


def _log(call: HookCall, answer: Answer, outlet: Outlet) -> None:
    set_alarm(max(call.deadline - time.monotonic(), LOG_BUDGET), lambda: os._exit(outlet.exit_code))
    call.log(answer)


def _not_read(call: HookCall, outlet: Outlet) -> NoReturn:
    outlet.complain()
    _log(call, call.unread(), outlet)
    os._exit(outlet.exit_code)


def _time_is_up(call: HookCall, outlet: Outlet) -> None:
    set_alarm(LAST_CALL, lambda: _end_with(call, call.last_words(), outlet))
    _end_with(call, call.give_up(), outlet)


def _is_compiling() -> bool:
    """Whether the policy is being compiled, or waited for."""
    from sys import modules  # A plain call does not load it.

    return "rulez_py.policy.keeping" in modules and _keeping().compiling()


def _keeping() -> Any:
    from rulez_py.policy import keeping

    return keeping


def _end_with(call: HookCall, answer: Answer, outlet: Outlet) -> None:
    if _give(call, answer, outlet):
        os._exit(outlet.exit_code)


def _judged_by_child(call: HookCall, judge: Callable[[], Answer], rest: Callable[[], Answer], outlet: Outlet) -> Answer:
    """Have a child process judge, and answer for it where it does not.

    No alarm reaches Python while a regex or an expression runs in compiled code, and a repository's policy may be
    made to run there for ever, or to crash it. The child only judges: what it finds is given out and logged here.

    INVARIANT: where it finds nothing, the `rest`, by the rules of people, still counts.
    """
    signals = __import__("_signal")
    signals.signal(signals.SIGCHLD, signals.SIG_DFL)  # Where it is ignored, nobody can wait for a child.
    reading, writing = os.pipe()
    try:
        child = _fork(lambda: _judge_for_parent(writing, call, judge))
        clear_alarm()
    except BaseException:
        os.close(reading)
        raise
    finally:
        os.close(writing)
    try:
        told = _line_from(reading, call.deadline)
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
        os.close(reading)
    if told is not None and told.endswith(b"\n"):
        return _judgement(call, told)
    set_alarm(LAST_CALL, lambda: _end_with(call, call.last_words(), outlet))
    answer = call.stricter_than_failure(rest)
    if answer is not None:
        return answer
    if told is None:
        return call.give_up()
    return call.failure("rulez was ended while it judged this call", "look at the policy's regexes and expressions")


def _fork(work: Callable[[], None]) -> int:
    """A child process that does this and nothing else, whatever happens to it; its id."""
    parent = os.getpid()
    try:
        child = os.fork()
        if child == 0:
            work()
        return child
    finally:
        if os.getpid() != parent:
            os._exit(0)


def _judge_for_parent(parent: int, call: HookCall, judge: Callable[[], Answer]) -> None:
    from rulez_py.system import jsontext

    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # Input and output are the parent's alone.
        if descriptor != parent:
            os.dup2(nothing, descriptor)
    # Should the parent be gone by then: the signal itself ends what no handler of Python's reaches.
    alarm = __import__("_signal")
    alarm.signal(alarm.SIGALRM, alarm.SIG_DFL)
    alarm.setitimer(alarm.ITIMER_REAL, max(call.deadline - time.monotonic(), 0.0) + LAST_CALL)
    answer = call.safely(judge)
    hits = [hit.as_dict() for hit in call.verdict.hits]
    write(parent, printed(jsontext.dumps([answer.as_dict(), {**call.verdict.as_dict(), "hits": hits}])))


def _judgement(call: HookCall, told: bytes) -> Answer:
    """What a child has told; the verdict is left in `call`."""
    from rulez_py.system import jsontext

    answer, verdict = jsontext.loads(told)
    hits = [RuleHit(**hit) for hit in verdict["hits"]]
    call.verdict = Verdict(**_with_tuples({**verdict, "hits": hits}))
    return Answer(**_with_tuples(answer))


def _with_tuples(fields: dict[str, Any]) -> dict[str, Any]:
    """Fields of a value that have been JSON, which knows no tuples."""
    return {name: tuple(field) if isinstance(field, list) else field for name, field in fields.items()}


def _line_from(descriptor: int, until: float) -> bytes | None:
    """A line: without its end where the writer ended before; None where it is not there `until` (monotonic) then."""
    import select

    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    line = b""
    while not line.endswith(b"\n"):
        left = until - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            return None
        piece = os.read(descriptor, 1 << 16)
        if not piece:
            break
        line += piece
    return line


def set_alarm(seconds: float, act: Any) -> None:
    """Call `act` after `seconds`, whatever the program is doing then; a second call replaces the first."""
    if sys.platform == "win32":
        import threading

        global _timer
        if _timer is not None:
            _timer.cancel()
        _timer = threading.Timer(seconds, act)
        _timer.daemon = True
        _timer.start()
    else:
        # The `signal` module would import `enum`; this is the part of it that does the work.
        alarm = __import__("_signal")
        alarm.setitimer(alarm.ITIMER_REAL, 0)
        alarm.signal(alarm.SIGALRM, lambda _number, _frame: act())
        alarm.pthread_sigmask(alarm.SIG_UNBLOCK, (alarm.SIGALRM,))  # A parent may have blocked it.
        alarm.setitimer(alarm.ITIMER_REAL, max(seconds, 0.001))


def clear_alarm() -> None:
    """No alarm any more: at the interpreter's end it would kill the process, and with it the exit code."""
    if sys.platform == "win32":
        if _timer is not None:
            _timer.cancel()
    else:
        alarm = __import__("_signal")
        alarm.setitimer(alarm.ITIMER_REAL, 0)


_timer: Any = None


def keep_streams() -> None:
    """Where a standard stream is closed, no file that is opened later takes its place, and nothing can be written."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)


def read_stdin() -> bytes:
    """Everything on standard input, up to one byte more than an event may have; nothing where there is no input."""
    pieces: list[bytes] = []
    size = 0
    try:
        while size <= LARGEST_EVENT and (piece := read_piece(0)):
            pieces.append(piece)
            size += len(piece)
    except OSError:
        return b""
    return b"".join(pieces)


def read_piece(descriptor: int) -> bytes:
    """What can be read next, waited for also where the descriptor does not wait; nothing at the end. Raises OSError."""
    while True:
        try:
            return os.read(descriptor, 1 << 16)
        except BlockingIOError:
            time.sleep(0.001)


def emit(answer: Answer) -> None:
    """Print an answer; a reader that has gone away changes nothing."""
    write(1, printed(answer.stdout))
    write(2, printed(answer.stderr))


def printed(text: str) -> str:
    """The text as it is printed: whole lines, or nothing."""
    return text if not text or text.endswith("\n") else text + "\n"


def write(descriptor: int, text: str) -> bool:
    """Write a text to a file descriptor, whole; False where nobody reads it."""
    data = text.encode("utf-8", "replace")
    while data:
        try:
            data = data[os.write(descriptor, data) :]
        except BlockingIOError:
            time.sleep(0.001)
        except OSError:
            return False
    return True

"""Score a file of labelled shell commands: how many of those to deny a policy catches, how many of the others it stops.

The file has a JSON object a line: `command`, `expected` (deny or allow), and if you like `set` and `note`. Each command
is judged as a hook call is, in this process: same cache, same index, same answer. No command runs.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import payloads
from benchmarks.place import Place
from benchmarks.verdicts import ASK, DENY, PASS, WrongAnswer
from rulez_py.documents.diagnostics import errors
from rulez_py.hook.call import finish, respond
from rulez_py.hook.stdio import printed
from rulez_py.hook.values import TIME_BUDGET, HookCall, Options
from rulez_py.policy import packs
from rulez_py.policy.store.load import read_file
from rulez_py.verdict import Answer
from tests.platforms import denies, inside

ROOT = Path(__file__).parent.parent
ALLOW = "allow"
ALL = "all"
_SEED = 20_260_101
_SHOWN_FAILURES = 10
_HOOK = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from rulez_py.__main__ import main; main()"


class Unusable(Exception):
    """The file, the policy or an option cannot be used; the message says why."""


@dataclass(frozen=True)
class Row:
    """One labelled command."""

    command: str
    expected: str
    set: str = ALL
    note: str = ""


@dataclass(frozen=True)
class Judged:
    """What became of a row: the word, the rules that said it, the seconds it took, what went wrong."""

    row: Row
    word: str
    rules: tuple[str, ...]
    seconds: float
    answer: Answer
    failure: str = ""

    @property
    def is_miss(self) -> bool:
        return self.row.expected == DENY and self.word == PASS

    @property
    def is_alarm(self) -> bool:
        return self.row.expected == ALLOW and self.word != PASS


@dataclass(frozen=True)
class Score:
    """The counts of one set."""

    name: str
    deny: int
    caught_denied: int
    caught_asked: int
    allow: int
    stopped_denied: int
    stopped_asked: int

    @classmethod
    def of(cls, name: str, judged: Iterable[Judged]) -> Score:
        counts = {(expected, word): 0 for expected in (DENY, ALLOW) for word in (DENY, ASK, PASS)}
        for one in judged:
            counts[one.row.expected, one.word] += 1
        return cls(
            name=name,
            deny=sum(counts[DENY, word] for word in (DENY, ASK, PASS)),
            caught_denied=counts[DENY, DENY],
            caught_asked=counts[DENY, ASK],
            allow=sum(counts[ALLOW, word] for word in (DENY, ASK, PASS)),
            stopped_denied=counts[ALLOW, DENY],
            stopped_asked=counts[ALLOW, ASK],
        )

    @property
    def caught(self) -> float | None:
        """Per cent of the commands to deny that were denied or asked about; None where there are none."""
        return _percent(self.caught_denied + self.caught_asked, self.deny)

    @property
    def passed(self) -> float | None:
        """Per cent of the other commands that nothing was said about."""
        return _percent(self.allow - self.stopped_denied - self.stopped_asked, self.allow)


class Judge:
    """A policy in a place of its own: an empty repository in an empty home, and next to no environment."""

    def __init__(self, directory: Path, policy: Path) -> None:
        self.place = Place.make(directory)
        self.policy = policy
        self.environ = {name: value for name, value in self.place.environ().items() if name != "TMPDIR"}

    def command(self, row: Row) -> Judged:
        """Return the row as a call of Claude Code's Bash."""
        return self._judged(row, self._shell(row))

    def written(self, row: Row) -> Judged:
        """Return the row as what Claude Code's Write would put into a file."""
        return self._judged(row, payloads.write("notes.txt", row.command, self.place.project))

    def process(self, row: Row) -> Answer:
        """Return the answer of a real hook process to the row."""
        ended = subprocess.run(
            [sys.executable, "-I", "-c", _HOOK, "hook", "--platform", "claude", "--rules", str(self.policy)],
            input=self._shell(row),
            capture_output=True,
            cwd=self.place.project,
            env=self.environ,
            check=False,
        )
        return Answer(
            stdout=ended.stdout.decode("utf-8", "replace"),
            stderr=ended.stderr.decode("utf-8", "replace"),
            exit_code=ended.returncode,
        )

    def _shell(self, row: Row) -> bytes:
        return payloads.shell("claude", row.command, self.place.project)

    def _judged(self, row: Row, payload: bytes) -> Judged:
        started = time.monotonic()
        call = HookCall(Options(platform="claude", rules=str(self.policy)), self.environ, started)
        with contextlib.chdir(self.place.project):  # where agents start their hooks
            outcome = respond(call, payload)
        seconds = time.monotonic() - started
        finish(call)
        verdict, answer = outcome.verdict, outcome.answer
        failure = verdict.reason if verdict.failed else ""
        try:
            word = said(answer)
        except WrongAnswer as wrong:
            word, failure = PASS, f"no valid answer: {wrong}"
        if not failure and word != (verdict.decision or PASS):
            failure = f"the answer says {word}, the verdict {verdict.decision or PASS}"
        rules = tuple(hit.rule for hit in verdict.hits if hit.decision and hit.decision == verdict.decision)
        return Judged(row, word, rules, seconds, answer, failure)


def said(answer: Answer) -> str:
    """Return what an answer means to Claude Code, in one word. Raises WrongAnswer."""
    try:
        decision = inside(answer).get("permissionDecision")
    except (ValueError, AssertionError) as error:
        raise WrongAnswer(f"{answer.stdout[-200:]!r}") from error
    if decision is None and answer.exit_code == 0:
        return PASS
    if decision == ASK and answer.exit_code == 0:
        return ASK
    if denies(answer, "claude"):
        return DENY
    raise WrongAnswer(f"exit code {answer.exit_code}, {answer.stdout[-200:]!r}")


def read_rows(path: Path) -> list[Row]:
    """Return the labelled commands. Raises Unusable."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(f"{path} cannot be read: {error}") from None
    return [_row(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip()]


def _row(line: str, where: str) -> Row:
    try:
        said = json.loads(line)
        row = Row(said["command"], said["expected"], said.get("set", ALL), said.get("note", ""))
        if not all(isinstance(text, str) for text in (row.command, row.expected, row.set, row.note)):
            raise ValueError(line)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Unusable(f'{where}: write {{"command": "...", "expected": "deny"}}') from None
    if row.expected not in (DENY, ALLOW):
        raise Unusable(f'{where}: "expected" is deny or allow, not {row.expected}')
    return row


def scores(judged: Sequence[Judged]) -> list[Score]:
    """Return one for each set in the order they came, and one for all of them."""
    sets = [name for name in dict.fromkeys(one.row.set for one in judged) if name != ALL]
    parts = [Score.of(name, (one for one in judged if one.row.set == name)) for name in sets]
    return [*parts, Score.of(ALL, judged)]


def not_reached(wanted: Iterable[str], found: Iterable[Score]) -> list[str]:
    """Return which of `SET.caught=PERCENT` and `SET.passed=PERCENT` are missed, for people. Raises Unusable."""
    by_name = {score.name: score for score in found}
    missed = []
    for one in wanted:
        what, equals, least = one.partition("=")
        name, _, measure = what.rpartition(".")
        if not equals or measure not in ("caught", "passed") or not least.replace(".", "", 1).isdigit():
            raise Unusable(f"--least {one}: write SET.caught=PERCENT or SET.passed=PERCENT")
        if name not in by_name:
            raise Unusable(f"--least {one}: there is no set {name}; there are {', '.join(by_name)}")
        value = by_name[name].caught if measure == "caught" else by_name[name].passed
        if value is None or value < float(least):
            missed.append(f"{what} is {'nothing' if value is None else f'{value:.1f} %'}, wanted are {least} %")
    return missed


def main(arguments: list[str] | None = None) -> int:
    """Exit code: 0 done; 1 a wrong answer, or a threshold missed; 2 the file or the policy cannot be used."""
    options = _options(arguments)
    try:
        rows = read_rows(options.file)
        if options.set:
            rows = [row for row in rows if row.set in options.set]
        if not rows:
            raise Unusable(f"{options.file} has no rows of these sets")
        # Not among the temporary files of this machine, about which rules have an opinion.
        (ROOT / "build").mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="rulez-commands-", dir=ROOT / "build") as directory:
            # A link on the way, as in macOS' temporary directory, would be another name for the project.
            top = Path(directory).resolve()
            policy = options.policy.absolute() if options.policy else _extending(top, options.extends)
            _check(policy)
            return _run(Judge(top / "place", policy), rows, options)
    except Unusable as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _run(judge: Judge, rows: list[Row], options: argparse.Namespace) -> int:
    judge.command(rows[0])  # compiles the policy
    judged = [judge.command(row) for row in rows]
    found = scores(judged)
    wrong = [f"{_short(one)}: {one.failure}" for one in judged if one.failure]
    for line in (*_table(found), "", _times("judged", judged)):
        print(line)
    if options.misses:
        for line in _misses(judged):
            print(line)
    if options.as_write:
        written = [judge.written(row) for row in rows]
        stopped = sum(one.word != PASS for one in written)
        print(f"{_times('written to a file', written)}; {stopped} stopped")
        wrong += [f"{_short(one)} in a file: {one.failure}" for one in written if one.failure]
        wrong += [f"{_short(one)} in a file: {one.seconds:.1f} s" for one in written if one.seconds > TIME_BUDGET]
    if options.hook:
        sample = random.Random(_SEED).sample(judged, min(options.hook, len(judged)))
        differing = [one for one in sample if not same(judge.process(one.row), one.answer)]
        print(f"{len(sample)} judged by a hook process too: {len(differing)} differ")
        wrong += [f"{_short(one)}: a hook process says something else" for one in differing]
    missed = not_reached(options.least, found)
    for line in (*wrong[:_SHOWN_FAILURES], *missed):
        print(f"error: {line}", file=sys.stderr)
    if len(wrong) > _SHOWN_FAILURES:
        print(f"error: and {len(wrong) - _SHOWN_FAILURES} more", file=sys.stderr)
    return 1 if wrong or missed else 0


def same(process: Answer, answer: Answer) -> bool:
    """Tell whether a process that ended so has given this answer."""
    return process == answer.replace(stdout=printed(answer.stdout), stderr=printed(answer.stderr), dropped=())


def _extending(directory: Path, names: str | None) -> Path:
    taken = [
        name if name.startswith(packs.PREFIX) else packs.PREFIX + name for name in (names or "").split(",") if name
    ]
    policy = directory / "rules.yaml"
    policy.write_text(
        json.dumps({"version": "1.0", "extends": taken or [packs.PREFIX + name for name in packs.extendable()]})
    )
    return policy


def _check(policy: Path) -> None:
    found = errors(read_file("user", str(policy), lambda _path, _digest: False, shown=policy.name).problems)
    if found:
        raise Unusable("; ".join(str(problem) for problem in found))


# What is printed.


def _table(found: Sequence[Score]) -> Iterator[str]:
    width = max(len(score.name) for score in found)
    yield f"{'set':<{width}}  to deny  caught          (denied, asked)  harmless  stopped         (denied, asked)"
    for one in found:
        caught, stopped = one.caught_denied + one.caught_asked, one.stopped_denied + one.stopped_asked
        yield (
            f"{one.name:<{width}}  {one.deny:7}  {caught:6} {_shown(one.caught)}"
            f"  ({one.caught_denied:6}, {one.caught_asked:5})"
            f"  {one.allow:8}  {stopped:7} {_shown(_percent(stopped, one.allow))}"
            f"  ({one.stopped_denied:6}, {one.stopped_asked:5})"
        )


def _times(what: str, judged: Sequence[Judged]) -> str:
    seconds = [one.seconds for one in judged]
    slowest = max(judged, key=lambda one: one.seconds)
    return (
        f"{len(judged)} {what}: median {statistics.median(seconds) * 1000:.2f} ms, most {max(seconds) * 1000:.1f} ms"
        f" ({_short(slowest)})"
    )


def _misses(judged: Iterable[Judged]) -> Iterator[str]:
    for one in judged:
        command = one.row.command.replace("\n", "\\n")
        note = f"   # {one.row.note}" if one.row.note else ""
        if one.is_miss:
            yield f"miss   {one.row.set}: {command}{note}"
        elif one.is_alarm:
            verb = "denied" if one.word == DENY else "asked"
            yield f"alarm  {one.row.set} [{verb} by {', '.join(one.rules) or 'an error'}]: {command}{note}"


def _short(one: Judged) -> str:
    return repr(one.row.command[:60])


def _percent(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


def _shown(percent: float | None) -> str:
    return "      -" if percent is None else f"{percent:5.1f} %"


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.commands", description=__doc__)
    parser.add_argument("file", type=Path, help="the labelled commands")
    policy = parser.add_mutually_exclusive_group()
    policy.add_argument("--policy", type=Path, metavar="FILE", help="judge by this policy file")
    policy.add_argument("--extends", metavar="NAME,...", help="judge by these rule sets (default: all there are)")
    parser.add_argument("--set", action="append", metavar="NAME", help="only the rows of this set; repeatable")
    parser.add_argument("--misses", action="store_true", help="list what is missed and what is stopped for nothing")
    parser.add_argument("--as-write", action="store_true", help="also put each row into a file, with Write")
    parser.add_argument("--hook", type=int, default=0, metavar="N", help="also judge N rows by a hook process each")
    parser.add_argument(
        "--least",
        action="append",
        default=[],
        metavar="SET.caught=PERCENT",
        help="exit code 1 below this; also SET.passed; SET may be `all`; repeatable",
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())

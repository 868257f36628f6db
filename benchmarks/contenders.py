"""Who is measured: every row of the table is made here."""

from __future__ import annotations

import json
import sys
import venv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import payloads, policies, verdicts
from benchmarks.peers import PEERS, CannotInstall
from benchmarks.place import Place
from benchmarks.process import Ended, Start
from benchmarks.verdicts import ASK, DENY, PASS, TOLD, Reader, WrongAnswer
from rulez_py.analysis import LONGEST

ROOT = Path(__file__).parent.parent

BARE = "python3 -I -S -c pass"
PYTHON = "python3 -c pass"
FROZEN = "frozen"
ONE_FILE = "frozen, one file"
CONSOLE = "console script"
PARSED = "frozen, a command that is parsed"
DENIED = "frozen, denied"
REAL = "frozen, 100 real lines, median"
REAL_SLOW = "frozen, 100 real lines, p90"
COLD = "frozen, cold cache"
OTHER_REAL = "the other rulez, 100 real lines, median"
STREAM = "frozen, --stream, per call"
TREE_UNASKED = "frozen, no rule asks git"
TREE_ASKED = "frozen, a rule asks what 9,800 files would lose: nothing"
FILE_UNASKED = "frozen, no rule asks git, one file"
FILE_ASKED = "frozen, a rule asks what one file would lose: nothing"
CHANGED_UNASKED = "frozen, no rule asks git, the changed files"
MATCHED = "frozen, a rule matches"
COUNTED = "frozen, a rule counts the calls that match"
REQUIRED = "frozen, a rule requires what the session has done"
MATCHED_AFTER = "frozen, a rule matches after the call"
REMEMBERED = "frozen, a rule remembers the call until a file changes"
CHECKPOINT = "frozen, 200 changed files are kept"

INTERPRETER = "The bare interpreter"
ONE_CALL = "One call: essentials and 100 rules, `git status`"
RULES = "Number of rules"
INPUT = "Tool input, essentials and 100 rules"
TREE = "A repository of 10,000 files, 200 of them changed; essentials and 100 rules"
SESSION = "What a session has done: essentials and 100 rules, `npm test`"
OTHERS = "Other products"

HARMLESS = "git status"
TESTS = "npm test"
FORCE_PUSH = "git push --force"
NEEDS_PARSER = 'cd build && git push --dry-run origin "$(git branch --show-current)" && rm -rf out'
"""No rule stops it, and the essentials have to look at what it would execute to know."""
RESTORE_ALL = "git checkout -- src"
RESTORE_ONE = "git checkout -- src/50/50.py"
RESTORE_CHANGED = "git checkout -- changed"
"""What the rules of the rows below look at: all of the 10,000 files but those that changed, one of them, those 200."""
RULE_COUNTS = (10, 100, 1_000, 10_000)
SIZES = {"1 kB": 1_000, "100 kB": 100_000, "5 MB": 5_000_000}
LEVELS = 1_000
REAL_LINES = Path(__file__).with_name("real_lines.jsonl")
"""100 lines that agents ran, drawn by chance from public transcripts; names of people and projects are replaced.

A row is `command` and `answer`, what rulez says to it.
"""
STREAM_CALLS = 100
_USUAL = 100


def rules_name(tool: str, count: int) -> str:
    """Return the row for a number of rules."""
    return f"{tool}, {count:,} rules"


def size_name(tool: str, size: str) -> str:
    """Return the row for an input's size, a key of SIZES."""
    return f"{tool}, {size}"


@dataclass(frozen=True)
class Programs:
    """The ways to start rulez on this machine, each a command; None where it is not built or installed."""

    frozen: tuple[str, ...] | None = None
    one_file: tuple[str, ...] | None = None
    console: tuple[str, ...] | None = None
    own_pip: tuple[str, ...] | None = None
    module: tuple[str, ...] | None = None
    against: tuple[str, ...] | None = None

    @classmethod
    def built(cls, against: str | None = None) -> Programs:
        """Return what `make bench` builds, and another rulez to compare with."""
        name = "rulez.exe" if sys.platform == "win32" else "rulez"
        frozen = ROOT / "dist" / "rulez" / name
        one_file = ROOT / "dist" / name.replace("rulez", "rulez-onefile")
        pipx, own_pip = (ROOT / "build" / "bench" / name / "bin" for name in ("pipx", "own-pip"))
        return cls(
            frozen=(str(frozen),) if frozen.exists() else None,
            one_file=(str(one_file),) if one_file.exists() else None,
            console=(str(pipx / "rulez"),) if (pipx / "rulez").exists() else None,
            own_pip=(str(own_pip / "rulez"),) if (own_pip / "rulez").exists() else None,
            module=(str(pipx / "python"), "-I", "-m", "rulez_py") if (pipx / "rulez").exists() else None,
            against=(against,) if against else None,
        )


@dataclass(frozen=True)
class Check:
    """What a contender must say to a payload: the word, and a text that its answer contains."""

    payload: Path
    word: str
    mention: str = ""
    what: str = ""
    """The payload in short, for the report."""

    def hold(self, ended: Ended, read: Reader) -> None:
        """Raises WrongAnswer where it said anything else."""
        word = read(ended)
        if word != self.word or self.mention not in ended.stdout + ended.stderr:
            wanted = f"{self.word} {self.mention}".rstrip()
            raise WrongAnswer(f"it should say `{wanted}` to {self.payload.read_bytes()[-400:]!r}, it said: {ended}")


@dataclass(frozen=True)
class Contender:
    """One row. The first `measured` of `checks` are what is measured; all of them hold before anything is.

    Where they are several, each runs once in a round, and the round's sample is the one in the middle.
    """

    name: str
    group: str
    start: Start
    read: Reader
    checks: tuple[Check, ...]
    before: Callable[[], None] | None = None
    """Done before each call, outside of its time."""
    words: str = ""
    """How it was set up, for the report."""
    unknown: str = ""
    """A text by which the program shows that it has not heard of this yet."""
    measured: int = 1


@dataclass(frozen=True)
class Tail:
    """The row of another one's slow calls: of each round the call that 90 % of them do not exceed."""

    name: str
    group: str
    of: str


@dataclass(frozen=True)
class Absent:
    """A row without numbers, and why."""

    name: str
    group: str
    why: str


Row = Contender | Tail | Absent


def contenders(directory: Path, programs: Programs, *, with_peers: bool = False) -> list[Row]:
    """Return all rows, in the table's order; their homes and payloads are made in `directory`."""
    make = _Maker(directory)
    rows: list[Row] = [*_interpreters(make), *_one_call(make, programs), *_rules(make, programs)]
    rows += [
        *_inputs(make, programs),
        *_trees(make, programs),
        *_sessions(make, programs),
        *(_peers(make) if with_peers else ()),
    ]
    return rows


def _interpreters(make: _Maker) -> Iterator[Row]:
    place = make.place("interpreter")
    python = make.python()
    nothing = make.payload(b"")
    for name, flags in ((BARE, ("-I", "-S")), (PYTHON, ())):
        start = Start((python, *flags, "-c", "pass"), place.project, place.environ(), nothing)
        yield Contender(name, INTERPRETER, start, verdicts.interpreter, (Check(nothing, PASS),))


def _one_call(make: _Maker, programs: Programs) -> Iterator[Row]:
    usual = make.usual
    yield make.real(REAL, ONE_CALL, programs.frozen, usual("real"))
    yield Tail(REAL_SLOW, ONE_CALL, REAL)
    yield make.shell(FROZEN, ONE_CALL, programs.frozen, usual("frozen"))
    yield make.shell(ONE_FILE, ONE_CALL, programs.one_file, usual("one-file"))
    yield make.shell(DENIED, ONE_CALL, programs.frozen, usual("denied"), command=FORCE_PUSH)
    yield make.shell(PARSED, ONE_CALL, programs.frozen, usual("parsed"), command=NEEDS_PARSER)
    for platform in payloads.SHELL:
        if platform != "claude":
            name = f"frozen, --platform {platform}"
            yield make.shell(name, ONE_CALL, programs.frozen, usual(platform), platform=platform)
    untrusted = make.place("untrusted")
    untrusted.write_project_policy(policies.policy(_USUAL))
    yield make.shell("frozen, policy in the project, not trusted", ONE_CALL, programs.frozen, untrusted)
    essentials = make.place("essentials")
    yield make.shell("frozen, essentials only", ONE_CALL, programs.frozen, essentials, rules=0)
    yield make.shell(CONSOLE, ONE_CALL, programs.console, usual("console"))
    yield make.shell("console script of the venv's own pip", ONE_CALL, programs.own_pip, usual("own-pip"))
    yield make.shell("python -I -m rulez_py", ONE_CALL, programs.module, usual("module"))
    cold = usual("cold")
    yield make.shell(COLD, ONE_CALL, programs.frozen, cold, before=cold.forget_compiled)
    yield make.shell(STREAM, ONE_CALL, programs.frozen, usual("stream"), calls=STREAM_CALLS)
    if programs.against is not None:
        yield make.shell("the other rulez", ONE_CALL, programs.against, usual("against"))
        yield make.shell("the other rulez, denied", ONE_CALL, programs.against, usual("a-denied"), command=FORCE_PUSH)
        yield make.shell("the other rulez, parsed", ONE_CALL, programs.against, usual("a-parsed"), command=NEEDS_PARSER)
        yield make.real(OTHER_REAL, ONE_CALL, programs.against, usual("a-real"))
        yield Tail("the other rulez, 100 real lines, p90", ONE_CALL, OTHER_REAL)


def _rules(make: _Maker, programs: Programs) -> Iterator[Row]:
    places = {count: make.place(f"rules-{count}") for count in RULE_COUNTS}
    for count, place in places.items():
        place.write_user_policy(policies.policy(count))
        yield make.shell(rules_name("Bash", count), RULES, programs.frozen, place, rules=count)
    for count, place in places.items():
        yield make.write(rules_name("Write", count), RULES, programs.frozen, place, "x", rules=count)


def _inputs(make: _Maker, programs: Programs) -> Iterator[Row]:
    place = make.usual("inputs")
    for size, length in SIZES.items():
        command = payloads.long_command(length)
        yield make.shell(size_name("Bash", size), INPUT, programs.frozen, place, command=command)
    for size, length in SIZES.items():
        yield make.write(size_name("Write", size), INPUT, programs.frozen, place, payloads.text(length))
    deep = payloads.nested(LEVELS, place.project)
    checks = (Check(make.payload(deep), PASS),)
    yield make.hook(f"an argument nested {LEVELS:,} levels", INPUT, programs.frozen, place, checks)


def _trees(make: _Maker, programs: Programs) -> Iterator[Row]:
    """Yield pairs of rows: the same command in the same repository, without a rule with `loses` and with one."""
    for name, command, rule, answer in (
        (TREE_UNASKED, RESTORE_ALL, "", PASS),
        (TREE_ASKED, RESTORE_ALL, policies.LOSES, PASS),
        (FILE_UNASKED, RESTORE_ONE, "", PASS),
        (FILE_ASKED, RESTORE_ONE, policies.LOSES, PASS),
        (CHANGED_UNASKED, RESTORE_CHANGED, "", PASS),
        (CHECKPOINT, RESTORE_CHANGED, policies.KEEPS, TOLD),
    ):
        if programs.frozen is None:
            yield Absent(name, TREE, "not built; `make bench` builds it")
            continue
        place = make.place(name.replace(" ", "-").replace(",", "").replace(":", ""))
        place.write_user_policy(policies.policy(_USUAL) + rule)
        place.fill(changed=_CHANGED)
        measured = Check(make.payload(payloads.shell("claude", command, place.project)), answer)
        # The rule is there: what has changed is asked about, or kept.
        seen = Check(make.payload(payloads.shell("claude", RESTORE_CHANGED, place.project)), _OF_CHANGED[rule])
        yield make.hook(name, TREE, programs.frozen, place, (measured, seen), before=place.change)


_CHANGED = 200
_OF_CHANGED = {"": PASS, policies.LOSES: ASK, policies.KEEPS: TOLD}
"""Rule -> what rulez says to a command that loses the changed files."""


def _sessions(make: _Maker, programs: Programs) -> Iterator[Row]:
    """Yield rows with a rule that matches alone, each before those with one that asks the session, too."""
    for name, rule, after in (
        (MATCHED, policies.MATCHES, False),
        (COUNTED, policies.COUNTS, False),
        (REQUIRED, policies.REQUIRES, False),
        (MATCHED_AFTER, policies.MATCHES_AFTER, True),
        (REMEMBERED, policies.REMEMBERS, True),
    ):
        place = make.place(name.replace(" ", "-").replace(",", ""))
        place.write_user_policy(policies.policy(_USUAL) + rule)
        call = payloads.shell("claude", TESTS, place.project)
        session = json.loads(call)["session_id"]
        checks = [Check(make.payload(payloads.made(TESTS, place.project) if after else call), PASS)]
        if rule == policies.REQUIRES:
            place.remember(session, "planned")
            elsewhere = call.replace(session.encode(), b"another")
            checks.append(Check(make.payload(elsewhere), DENY, "planned"))
        yield make.hook(name, SESSION, programs.frozen, place, tuple(checks))


def _peers(make: _Maker) -> Iterator[Row]:
    for peer in PEERS:
        name = peer.title
        try:
            directory = peer.directory()
            place = make.place(peer.name)
            command = peer.command(directory, place)
        except CannotInstall as cannot:
            yield Absent(name, OTHERS, f"cannot be installed here: {cannot}")
            continue
        checks = tuple(
            Check(make.payload(payloads.shell("claude", line, place.project)), word, what=line)
            for line, word in ((HARMLESS, PASS), *peer.stops)
        )
        start = Start(command, place.project, place.environ(), checks[0].payload)
        yield Contender(name, OTHERS, start, verdicts.claude_json, checks, words=_short(command))


def _short(command: tuple[str, ...]) -> str:
    """Return a command line without the directories of this machine."""
    return " ".join(word.rpartition("/")[2] for word in command)


class _Maker:
    """Makes rows, and the places and payloads they need."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._payloads: dict[bytes, Path] = {}

    def place(self, name: str) -> Place:
        return Place.make(self._directory / name)

    def python(self) -> str:
        """A Python with nothing installed: what others have put beside this machine's may run whenever it starts."""
        venv.create(self._directory / "python", symlinks=True)
        return str(self._directory / "python" / "bin" / "python3")

    def usual(self, name: str) -> Place:
        """With essentials and 100 rules as the user's policy."""
        place = self.place(name)
        place.write_user_policy(policies.policy(_USUAL))
        return place

    def payload(self, data: bytes) -> Path:
        if data not in self._payloads:
            path = self._directory / f"payload-{len(self._payloads)}.json"
            path.write_bytes(data)
            self._payloads[data] = path
        return self._payloads[data]

    def shell(
        self,
        name: str,
        group: str,
        program: tuple[str, ...] | None,
        place: Place,
        *,
        platform: str = "claude",
        command: str = HARMLESS,
        rules: int = _USUAL,
        before: Callable[[], None] | None = None,
        calls: int = 0,
    ) -> Row:
        """Return a shell command.

        The last rule of the policy has to deny its own command before anything is measured.
        """

        def check(command: str, word: str, mention: str = "") -> Check:
            return Check(self.payload(payloads.shell(platform, command, place.project)), word, mention)

        essential = check(FORCE_PUSH, DENY, "no-force-push")
        # What is too long to be followed to its end is for the person to judge.
        word = ASK if len(command) > LONGEST else PASS
        measured = essential if command == FORCE_PUSH else check(command, word)
        last = check(policies.denied_command(rules), DENY, "program-") if rules else essential
        return self.hook(name, group, program, place, (measured, last), platform=platform, before=before, calls=calls)

    def real(self, name: str, group: str, program: tuple[str, ...] | None, place: Place) -> Row:
        """Return the lines that agents ran, see `REAL_LINES`; checked as `shell` is."""
        checks = [
            Check(self.payload(payloads.shell("claude", line["command"], place.project)), line["answer"])
            for line in map(json.loads, REAL_LINES.read_text(encoding="utf-8").splitlines())
        ]
        denied = self.payload(payloads.shell("claude", policies.denied_command(_USUAL), place.project))
        last = Check(denied, DENY, "program-")
        return self.hook(name, group, program, place, (*checks, last), measured=len(checks))

    def write(
        self, name: str, group: str, program: tuple[str, ...] | None, place: Place, content: str, *, rules: int = _USUAL
    ) -> Row:
        """Return a file written by Claude Code; checked in the same way."""
        measured = self.payload(payloads.write("notes.txt", content, place.project))
        denied = self.payload(payloads.write(policies.denied_path(rules), content, place.project))
        return self.hook(name, group, program, place, (Check(measured, PASS), Check(denied, DENY, "directory-")))

    def hook(
        self,
        name: str,
        group: str,
        program: tuple[str, ...] | None,
        place: Place,
        checks: tuple[Check, ...],
        *,
        platform: str = "claude",
        before: Callable[[], None] | None = None,
        calls: int = 0,
        measured: int = 1,
    ) -> Row:
        if program is None:
            return Absent(name, group, "not built; `make bench` builds it")
        command = (*program, "hook", "--platform", platform, *(["--stream"] if calls else []))
        start = Start(command, place.project, place.environ(), checks[0].payload, calls)
        read = verdicts.rulez_stream(platform) if calls else verdicts.rulez(platform)
        unknown = "unknown argument `--stream`" if calls else ""
        return Contender(name, group, start, read, checks, before, unknown=unknown, measured=measured)

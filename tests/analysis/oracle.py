"""Runs a script in real bash, where everything that could do harm is a stub that notes its words.

PATH holds nothing but a directory of stubs and of a few harmless programs, so a script must name programs without
directories, and must neither change PATH nor clear the environment. `maybe` succeeds or fails as it is told, and a
script with it can be run in each course that this leaves open.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from rulez_py.analysis import follow
from rulez_py.analysis.bash.patterns import fits
from rulez_py.analysis.values import CODE, LIMIT, OUTPUT, PROGRAM, RECURSION, Command, Word
from tests.analysis.stored import Stored

BASH = Path("/bin/bash")
STUBS = ("rm", "git", "dd", "mkfs", "shred", "kubectl")
"""Programs that do nothing, successfully."""
REAL = (
    *("xargs", "env", "timeout", "nice", "nohup", "setsid", "stdbuf", "find", "seq", "sleep", "basename", "dirname"),
    *("base64", "xxd", "cat", "echo", "printf", "rev", "tr", "tac", "sed", "cut", "sort", "head", "tail", "wc", "tee"),
    *("mv", "cp", "chmod", "mkdir", "mktemp"),
)
NOTED = (*STUBS, "fetch", "gen", "no", "sudo")
"""`fetch` and `gen` print their words, `no` fails, `sudo` runs the rest of its words."""
MOST_TOLD = 5
"""Times that `maybe` answers in one course, which then ends: what ran until then did run."""
MOST_COURSES = 16
_MORE = {
    "fetch": "printf '%s\\n' \"$@\"",
    "gen": "printf '%s\\n' \"$@\"",
    "no": "exit 1",
    "sudo": 'while :; do case $1 in -u) shift 2;; -*) shift;; *) break;; esac; done; exec "$@"',
}
_NOTE = """#!/bin/sh
printf '%s\\0' "$#" "${{0##*/}}" "$@" >>"$ORACLE_LOG"
{more}
"""
_MAYBE = """#!/bin/sh
if [ $# -gt 0 ]; then
  rounds=0
  while read -r loop; do [ "$loop" != "$1" ] || rounds=$((rounds+1)); done <"$ORACLE_TOLD.rounds"
  printf '%s\\n' "$1" >>"$ORACLE_TOLD.rounds"
  [ $rounds -lt 2 ] || exit $2
fi
asked=0
while read -r line; do asked=$((asked+1)); done <"$ORACLE_ASKED"
read -r told rest <"$ORACLE_TOLD"
printf '%s\\n' "$rest" >"$ORACLE_TOLD"
printf '%s\\n' "${{told:-0}}" >>"$ORACLE_ASKED"
[ $asked -lt {most} ] || kill -9 0
[ "${{told:-0}}" = 1 ]
"""
"""A number of its own makes it a loop's: it ends that loop after two rounds, with the status that comes after."""
_DEEP = "/".join(["sub"] * 16)
"""A directory in which one can go on to `sub` for as long as a script does."""
_HARD = resource.getrlimit(resource.RLIMIT_NPROC)[1]
_PROCESSES = 4_000 if _HARD == resource.RLIM_INFINITY else min(_HARD, 4_000)
_LIMITED = (str(BASH), "-c", f'ulimit -t 2 -f 1000 -u {_PROCESSES}; exec /usr/bin/env -i "$@"', "limits")
"""Runs a program under limits, in an environment that follows. A `preexec_fn` would copy this whole process first."""
_LEAVES_ALL_OPEN = frozenset((CODE, OUTPUT, LIMIT, RECURSION))
FILES = ("a.txt", "b.txt", "c d.txt", "sub/e.txt")
"""What is there when a script starts."""


class Bash:
    """Real bash in a directory of its own."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._programs = place / "programs"
        self._programs.mkdir()
        self._numbers = itertools.count()
        for name in NOTED:
            stub = self._programs / name
            stub.write_text(_NOTE.format(more=_MORE.get(name, "")))
            stub.chmod(0o755)
        maybe = self._programs / "maybe"
        maybe.write_text(_MAYBE.format(most=MOST_TOLD))
        maybe.chmod(0o755)
        for name in REAL:
            real = shutil.which(name, path="/usr/bin:/bin")
            if real:
                (self._programs / name).symlink_to(real)
        for name in ("bash", "sh"):
            (self._programs / name).symlink_to(BASH)

    def has(self, name: str) -> bool:
        """Whether there is a program of this name."""
        return (self._programs / name).exists()

    def run(self, script: str, files: Mapping[str, str] = MappingProxyType({})) -> Run:
        """Run a script as an agent would, with `bash -c`; `files` are there, by their names below the directory."""
        place = self._place / str(next(self._numbers))
        ran, errors, _ = self._run(script, place, (), files)
        return Run(script, ran, errors, str(place / "work"), str(place / "home"), files)

    def courses(self, script: str) -> Run:
        """Run a script once for each course that `maybe` can make it take; what ran in any of them."""
        place = self._place / str(next(self._numbers))
        found: dict[tuple[str, ...], None] = {}
        all_errors: dict[str, None] = {}
        pending: list[tuple[bool, ...]] = [()]
        complete = True
        for number, told in enumerate(pending):
            if number == MOST_COURSES:
                complete = False
                break
            ran, errors, asked = self._run(script, place, told)
            found.update(dict.fromkeys(ran))
            all_errors[errors] = None
            complete = complete and len(asked) <= MOST_TOLD
            pending += [(*asked[:at], not asked[at]) for at in range(len(told), min(len(asked), MOST_TOLD))]
        return Run(
            script, list(found), "".join(all_errors), str(place / "work"), str(place / "home"), complete=complete
        )

    def _run(
        self, script: str, place: Path, told: Sequence[bool], files: Mapping[str, str] = MappingProxyType({})
    ) -> tuple[list[tuple[str, ...]], str, tuple[bool, ...]]:
        """What ran, what was complained of, and what `maybe` answered."""
        work, home, log, asked = place / "work", place / "home", place / "log", place / "asked"
        for directory in (work / _DEEP, home):
            directory.mkdir(parents=True)
        for name in FILES:
            (work / name).touch()
        for name, text in files.items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_text(text)
            (work / name).chmod(0o755)
        log.touch()
        asked.touch()
        (place / "told.rounds").touch()
        (place / "told").write_text(" ".join(str(int(one)) for one in told) + "\n")
        environment = {
            "PATH": str(self._programs),
            "HOME": str(home),
            "TMPDIR": str(home),
            "LC_ALL": "C.UTF-8",
            "ORACLE_LOG": str(log),
            "ORACLE_TOLD": str(place / "told"),
            "ORACLE_ASKED": str(asked),
        }
        with subprocess.Popen(
            [*_LIMITED, *(f"{name}={value}" for name, value in environment.items()), BASH, "-c", script],
            cwd=work,
            env={},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            try:
                errors = process.communicate(timeout=10)[1].decode(errors="replace")
            except subprocess.TimeoutExpired:
                errors = "does not end"
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        words = log.read_bytes().decode(errors="replace").split("\0")[:-1]
        answers = tuple(line == "1" for line in asked.read_text().split())
        shutil.rmtree(place)
        return _commands(words), errors, answers


class Run:
    """What the stubs were given, and what `analyse` says of the script."""

    def __init__(
        self,
        script: str,
        ran: Sequence[tuple[str, ...]],
        errors: str,
        work: str,
        home: str,
        files: Mapping[str, str] = MappingProxyType({}),
        *,
        complete: bool = True,
    ) -> None:
        self.script = script
        self.complete = complete
        self.ran = ran
        self.errors = errors
        stored = Stored({f"{work}/{name}": text for name, text in files.items()}) if files else None
        self.analysed = follow(script, cwd=work, home=home, environ={}, stored=stored).commands

    @property
    def missed(self) -> list[tuple[str, ...]]:
        """What ran and is nowhere among what was analysed."""
        return [argv for argv in self.ran if not any(_covers(command, argv) for command in self.analysed)]

    @property
    def hidden(self) -> list[tuple[str, ...]]:
        """What ran and is not there word by word."""
        plain = [
            (command.program, *(word.text for word in command.words[1:]))
            for command in self.analysed
            if all(word.known and not word.glob for word in command.words[1:])
        ]
        return [argv for argv in self.ran if argv not in plain]

    @property
    def invented(self) -> list[tuple[str, ...]]:
        """What was analysed and did not run."""
        plain = [
            (command.program, *(word.text for word in command.words[1:]))
            for command in self.analysed
            if command.program in NOTED and all(word.known and not word.glob for word in command.words)
        ]
        return [argv for argv in plain if argv not in self.ran]

    @property
    def opaque(self) -> list[Command]:
        return [command for command in self.analysed if command.opaque]

    def __repr__(self) -> str:
        lines = [self.script, "-- ran:", *map(repr, self.ran), "-- analysed:"]
        for command in self.analysed:
            shown = " ".join(("" if word.known else "?") + repr(word.text) for word in command.words)
            lines.append(" ".join((shown, *("!" + reason for reason in command.opaque))))
        return "\n".join((*lines, "-- errors:", self.errors))


def _commands(words: Sequence[str]) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    at = 0
    while at < len(words):
        stop = at + 2 + int(words[at])
        found.append(tuple(words[at + 1 : stop]))
        at = stop
    return found


def _covers(command: Command, argv: tuple[str, ...]) -> bool:
    """Whether a command leaves open that this runs: a word that is not known may be any words."""
    if _LEAVES_ALL_OPEN & set(command.opaque):
        return True
    if PROGRAM in command.opaque:
        return _fit(command.words, argv)
    return command.program == argv[0].lower() and _fit(command.words[1:], argv[1:])


def _fit(words: Sequence[Word], argv: tuple[str, ...]) -> bool:
    if not words:
        return not argv
    word = words[0]
    if not word.known:
        return any(_fit(words[1:], argv[at:]) for at in range(len(argv) + 1))
    if word.glob:
        fitting = len(list(itertools.takewhile(lambda one: fits(word.glob.replace("**/", "*"), one), argv)))
        return any(_fit(words[1:], argv[at:]) for at in range(fitting + 1)) or (
            argv[:1] == (word.text,) and _fit(words[1:], argv[1:])
        )
    if word.text[:2] in ("<(", ">(") and argv[:1] and argv[0].startswith("/dev/fd/"):
        return _fit(words[1:], argv[1:])
    return argv[:1] == (word.text,) and _fit(words[1:], argv[1:])

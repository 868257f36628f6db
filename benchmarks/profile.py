"""`python -m benchmarks.profile`: where a hook call's time goes, by phase and by module."""

from __future__ import annotations

import argparse
import ast
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import importtime, payloads, phases, policies
from benchmarks.contenders import HARMLESS, SIZES, Programs
from benchmarks.importtime import Import
from benchmarks.place import Place
from benchmarks.process import Ended, Spawner, Start
from benchmarks.runner import SETTLED
from benchmarks.verdicts import WrongAnswer

START, EXIT, TOTAL, FROZEN = "interpreter's start", "exit", "**total, from source**", "**total, frozen**"
COLD = "cold, Bash, 100 rules"
_HOOK = ("hook", "--platform", "claude")
_NOTHING = Path(os.devnull)
_5_MB = SIZES["5 MB"]

CALLS = {
    "Bash, 100 rules": (100, "Bash", 0),
    "Write, 100 rules": (100, "Write", 1),
    "Bash, 10,000 rules": (10_000, "Bash", 0),
    "Write, 10,000 rules": (10_000, "Write", 1),
    "Bash, 5 MB": (100, "Bash", _5_MB),
    "Write, 5 MB": (100, "Write", _5_MB),
    COLD: (100, "Bash", 0),
}
"""Call -> number of rules, tool, length of its input (0: a short command)."""


@dataclass(frozen=True)
class Profile:
    """Call -> phase -> seconds, and the modules that a warm Bash call loads, the interpreter's own left out."""

    phases: Mapping[str, Mapping[str, float]]
    imports: Sequence[Import]

    def markdown(self, modules: int = 15) -> str:
        """Both as tables, in milliseconds."""
        names = list(next(iter(self.phases.values())))
        lines = [["phase, ms", *self.phases], ["---"] * (len(self.phases) + 1)]
        lines += [[name, *(_ms(call.get(name)) for call in self.phases.values())] for name in names]
        own = sum(one.own for one in self.imports)
        text = "Median of each phase, from source with the console script's path.\n\n" + _table(lines)
        lines = [["module", "own ms", "with what it loads"], ["---"] * 3]
        lines += [[f"`{one.name}`", _ms(one.own), _ms(one.cumulative)] for one in self.imports[:modules]]
        text += f"\nThe {len(self.imports)} modules a warm Bash call loads take {_ms(own)} ms, the slowest of them:\n\n"
        return text + _table(lines)


def _ms(seconds: float | None) -> str:
    return "–" if seconds is None else f"{seconds * 1000:.2f}"


def _table(lines: Sequence[Sequence[str]]) -> str:
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def profile(directory: Path, frozen: tuple[str, ...] | None, runs: int, calls: Sequence[str] = tuple(CALLS)) -> Profile:
    """Makes the calls in turn, `runs` times; `directory` is for their homes."""
    with Spawner() as spawner:
        made = {call: _Call(call, directory, frozen) for call in calls}
        time.sleep(SETTLED)
        taken: dict[str, list[dict[str, float]]] = {call: [] for call in calls}
        for number in range(runs + 1):
            for name, call in made.items():
                sample = call.sample(spawner)
                if number:  # The first one compiles.
                    taken[name].append(sample)
        imports = _imports(spawner, next(iter(made.values())), runs)
    medians = {
        call: {phase: statistics.median(sample[phase] for sample in samples) for phase in samples[0]}
        for call, samples in taken.items()
    }
    return Profile(medians, imports)


class _Call:
    """One kind of call, from source and frozen, each in a place of its own: what one keeps the other would replace."""

    def __init__(self, name: str, directory: Path, frozen: tuple[str, ...] | None) -> None:
        self.cold = name == COLD
        count, self._tool, self._length = CALLS[name]
        kind = "cold" if self.cold else str(count)
        self.place = _place(directory / f"source-{kind}", count)
        self._payload = directory / f"{name}.json"
        self._payload.write_bytes(self._data())
        self._report = directory / "report"
        self._frozen = None
        if frozen is not None:
            place = _place(directory / f"frozen-{kind}", count)
            self._frozen = Start((*frozen, *_HOOK), place.project, place.environ(), self._payload)
            self._frozen_place = place

    def _data(self) -> bytes:
        if self._tool == "Write":
            return payloads.write("notes.txt", payloads.text(self._length), self.place.project)
        command = payloads.long_command(self._length) if self._length else HARMLESS
        return payloads.shell("claude", command, self.place.project)

    def sample(self, spawner: Spawner) -> dict[str, float]:
        """Phase -> seconds, from one call of each kind."""
        if self.cold:
            self.place.forget_compiled()
        ended = self.run(spawner, phases.__file__, str(self._report))
        began, over, seconds = ast.literal_eval(self._report.read_text())
        first, last = began - ended.started, ended.started + ended.wall - over
        sample = {START: first, **seconds, EXIT: last, TOTAL: ended.wall}
        if self._frozen is not None:
            if self.cold:
                self._frozen_place.forget_compiled()
            sample[FROZEN] = _right(spawner.run(self._frozen)).wall
        return sample

    def run(self, spawner: Spawner, *python: str) -> Ended:
        """Return a Python that makes this hook call. Raises WrongAnswer."""
        command = (sys.executable, "-I", *python, *_HOOK)
        return _right(spawner.run(Start(command, self.place.project, self.place.environ(), self._payload)))


def _right(ended: Ended) -> Ended:
    if ended.exit_code != 0:
        raise WrongAnswer(str(ended))
    return ended


def _place(directory: Path, count: int) -> Place:
    if directory.exists():
        return Place(home=directory / "home", project=directory / "home" / "project")
    place = Place.make(directory)
    place.write_user_policy(policies.policy(count))
    return place


def _imports(spawner: Spawner, call: _Call, runs: int) -> list[Import]:
    """Return the interpreter's own modules are those of a Python that does nothing."""
    nothing = Start(
        (sys.executable, "-I", "-X", "importtime", "-c", "pass"), call.place.project, call.place.environ(), _NOTHING
    )
    hook = ("-X", "importtime", "-c", "from rulez_py.__main__ import main; main()")
    taken = [importtime.parse(call.run(spawner, *hook).stderr) for _ in range(runs)]
    return importtime.without(importtime.medians(taken), importtime.parse(spawner.run(nothing).stderr))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.profile", description=__doc__)
    parser.add_argument("--runs", type=int, default=15, help="samples of each call (default %(default)s)")
    parser.add_argument("--modules", type=int, default=25, help="modules to show (default %(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rulez-profile-") as directory:
        print(profile(Path(directory), Programs.built().frozen, options.runs).markdown(options.modules))
    return 0


if __name__ == "__main__":
    sys.exit(main())

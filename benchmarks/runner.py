"""The run: every contender is checked, then all of them take part in every round, in another order each time."""

from __future__ import annotations

import dataclasses
import random
import time
from collections.abc import Callable, Sequence

from benchmarks.contenders import Absent, Contender, Row, Tail
from benchmarks.process import Ended, Spawner
from benchmarks.stats import MIDDLE, MOST, Summary, at
from benchmarks.verdicts import WrongAnswer

SETTLED = 2.5
"""Seconds after which rulez trusts a policy file's times; a younger file is read on every call."""
_SEED = 20_260_101


def check(spawner: Spawner, rows: Sequence[Row]) -> list[Row]:
    """Return the rows, with those that this build does not know made absent. Raises WrongAnswer."""
    time.sleep(SETTLED)
    return [_checked(spawner, row) if isinstance(row, Contender) else row for row in rows]


def _checked(spawner: Spawner, row: Contender) -> Row:
    try:
        for one in (*row.checks, row.checks[0]):
            ended = spawner.run(dataclasses.replace(row.start, payload=one.payload))
            if row.unknown and row.unknown in ended.stdout + ended.stderr:
                return Absent(row.name, row.group, "not in this build")
            one.hold(ended, row.read)
    except WrongAnswer as wrong:
        raise WrongAnswer(f"{row.name}: {wrong}") from None
    return row


def measure(
    spawner: Spawner, rows: Sequence[Row], rounds: int, progress: Callable[[int], None] = lambda _done: None
) -> dict[str, Summary]:
    """Contender -> its numbers. Every sample is checked as well. Raises WrongAnswer."""
    order = [row for row in rows if isinstance(row, Contender)]
    samples: dict[str, list[list[Ended]]] = {row.name: [] for row in order}
    shuffle = random.Random(_SEED).shuffle
    for number in range(rounds):
        shuffle(order)
        for row in order:
            if row.before is not None:
                row.before()
            try:
                samples[row.name].append(_sample(spawner, row))
            except WrongAnswer as wrong:
                raise WrongAnswer(f"{row.name}, round {number + 1}: {wrong}") from None
        progress(number + 1)
    tails = {row.name: samples[row.of] for row in rows if isinstance(row, Tail) and row.of in samples}
    return {
        name: Summary.of([at(sample, part) for sample in taken])
        for part, these in ((MIDDLE, samples), (MOST, tails))
        for name, taken in these.items()
    }


def _sample(spawner: Spawner, row: Contender) -> list[Ended]:
    """Return how each line that is measured ended. Raises WrongAnswer."""
    sample = []
    for check in row.checks[: row.measured]:
        ended = spawner.run(dataclasses.replace(row.start, payload=check.payload))
        check.hold(ended, row.read)
        sample.append(ended)
    return sample

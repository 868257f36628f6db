"""The run: every contender is checked, then all of them take part in every round, in another order each time."""

from __future__ import annotations

import dataclasses
import random
import time
from collections.abc import Callable, Sequence

from benchmarks.contenders import Absent, Contender, Row
from benchmarks.process import Ended, Spawner
from benchmarks.stats import Summary
from benchmarks.verdicts import WrongAnswer

SETTLED = 2.5
"""Seconds after which rulez trusts a policy file's times; a younger file is read on every call."""
_SEED = 20_260_101


def check(spawner: Spawner, rows: Sequence[Row]) -> list[Row]:
    """Return the rows, with those that this build does not know made absent. Raises WrongAnswer."""
    time.sleep(SETTLED)
    return [row if isinstance(row, Absent) else _checked(spawner, row) for row in rows]


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
    samples: dict[str, list[Ended]] = {row.name: [] for row in order}
    shuffle = random.Random(_SEED).shuffle
    for number in range(rounds):
        shuffle(order)
        for row in order:
            if row.before is not None:
                row.before()
            ended = spawner.run(row.start)
            try:
                row.checks[0].hold(ended, row.read)
            except WrongAnswer as wrong:
                raise WrongAnswer(f"{row.name}, round {number + 1}: {wrong}") from None
            samples[row.name].append(ended)
        progress(number + 1)
    return {name: Summary.of(taken) for name, taken in samples.items()}

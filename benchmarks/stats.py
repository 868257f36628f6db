"""Numbers out of samples. Times in seconds."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.process import Ended


def p95(values: Sequence[float]) -> float:
    """Return the smallest value that at least 95 % of the values do not exceed."""
    return sorted(values)[math.ceil(0.95 * len(values)) - 1]


def paired_ratio(above: Sequence[float], below: Sequence[float]) -> float:
    """Return the median over rounds of one contender's time by another's in the same round.

    A machine that is slow for a minute slows both of a pair; it would spoil a ratio of medians.
    """
    return statistics.median(a / b for a, b in zip(above, below, strict=True))


MIDDLE, MOST = 0.5, 0.9


def at(sample: Sequence[Ended], part: float) -> Ended:
    """Return the call that `part` of the calls do not exceed."""
    return sorted(sample, key=lambda ended: ended.wall)[math.ceil(part * len(sample)) - 1]


@dataclass(frozen=True)
class Summary:
    """One contender's samples, one per round."""

    walls: tuple[float, ...]
    cpu: float | None
    """Median CPU seconds; None where they cannot be told for one call."""
    memory: int
    """The highest peak, in bytes."""

    @classmethod
    def of(cls, samples: Sequence[Ended]) -> Summary:
        cpus = [sample.cpu for sample in samples if sample.cpu is not None]
        return cls(
            walls=tuple(sample.wall for sample in samples),
            cpu=statistics.median(cpus) if cpus else None,
            memory=max(sample.memory for sample in samples),
        )

    @property
    def median(self) -> float:
        return statistics.median(self.walls)

    @property
    def p95(self) -> float:
        return p95(self.walls)

    @property
    def min(self) -> float:
        return min(self.walls)

    def ratio(self, other: Summary) -> float:
        """This time by that, see `paired_ratio`."""
        return paired_ratio(self.walls, other.walls)

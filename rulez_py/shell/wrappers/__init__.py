"""Which commands a command runs by its own words: one level, told from tables of programs."""

from __future__ import annotations

from rulez_py.shell.wrappers import git, inputs, interpreters, plain, remote, shells, tools
from rulez_py.shell.wrappers.environment import environment
from rulez_py.shell.wrappers.spec import Spec, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rulez_py.shell.values import Inner, Word

__all__ = ["PROGRAMS", "environment", "inner"]

SPECS: dict[str, Spec] = {**plain.PLAIN, **remote.SPECS}
KINDS: dict[str, Callable[[Sequence[Word]], tuple[Inner, ...]]] = {
    **shells.KINDS,
    **inputs.KINDS,
    **remote.KINDS,
    **tools.KINDS,
    "git": git.git,
}
PROGRAMS = frozenset((*SPECS, *KINDS, *interpreters.INTERPRETERS))
"""Every program that is known to run another, or code."""


def inner(program: str, words: Sequence[Word]) -> tuple[Inner, ...]:
    """What `program` runs by its own words, `words[0]` being the program as it was written.

    `program` is its name without directory and `.exe`, in lower case. Empty for one that runs no other. Where words
    are not known, everything that may be run is among it.
    """
    if not words:
        return ()
    if (kind := KINDS.get(program)) is not None:
        return kind(words)
    if (spec := SPECS.get(program)) is not None:
        return read(spec, words)
    if (language := interpreters.interpreter(program)) is not None:
        return interpreters.run(language, words)
    return ()

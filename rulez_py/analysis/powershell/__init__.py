"""Commands that a PowerShell command line would execute."""

from __future__ import annotations

from rulez_py.analysis.powershell.cmdlets import described, reading
from rulez_py.analysis.powershell.launch import inner
from rulez_py.analysis.powershell.run import run
from rulez_py.analysis.powershell.session import Session
from rulez_py.analysis.values import LIMIT, Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.analysis.powershell.external import Nested

__all__ = ["analyse", "described", "inner", "reading"]

LONGEST = 200_000
"""Characters of the longest text that is read."""


def analyse(
    text: str, *, cwd: str, home: str, environ: Mapping[str, str], depth: int = 0, nested: Nested | None = None
) -> tuple[Command, ...]:
    """Return the commands that PowerShell would execute, in the order they are written.

    `depth` is the depth of the text in other texts; the words of a nested text have no place. `nested` returns the
    commands of an external program. Raises nothing.
    """
    if len(text) > LONGEST:
        return (Command(words=(), program="", opaque=(LIMIT,)),)
    session = Session(cwd=cwd, home=home, environ=environ, depth=depth)
    run(session, text, nested)
    return tuple(session.commands)

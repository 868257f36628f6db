"""Follow a PowerShell script to the commands it would execute."""

from __future__ import annotations

from rulez_py.analysis.powershell.arguments import Arguments
from rulez_py.analysis.powershell.behaviour import SPECIAL
from rulez_py.analysis.powershell.blocks import Blocks
from rulez_py.analysis.powershell.calls import Calls
from rulez_py.analysis.powershell.expressions import Expressions
from rulez_py.analysis.powershell.external import External
from rulez_py.analysis.powershell.follow import Follow
from rulez_py.analysis.powershell.invoker import Invoker
from rulez_py.analysis.powershell.members import Members
from rulez_py.analysis.powershell.session import Enough

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.powershell.external import Nested
    from rulez_py.analysis.powershell.session import Session


def run(session: Session, text: str, nested: Nested | None) -> None:
    """Run a text in a session.

    Each part holds the parts that it uses, and registers its readers of nodes in the session.
    """
    blocks = Blocks(session, Follow(session))
    Expressions(session, blocks)
    invoker = Invoker(session, blocks, External(session, blocks, nested), SPECIAL)
    Members(session, blocks, invoker)
    Calls(session, Arguments(session), invoker)
    # INVARIANT: at a bound, an opaque command is added to the commands found so far.
    try:
        blocks.script(text, outermost=session.outermost)
    except (Enough, RecursionError):
        session.limit()

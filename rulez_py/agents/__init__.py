"""Keep the old name of `rulez_py.definitions.agents`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulez_py.renamed import forward

if TYPE_CHECKING:
    from rulez_py.definitions.agents import *  # noqa: F403
    from rulez_py.definitions.agents import Harness as Harness
    from rulez_py.definitions.agents import to_harness as to_harness
else:
    __getattr__ = forward(__name__, "rulez_py.definitions.agents")

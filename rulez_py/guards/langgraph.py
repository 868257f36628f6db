"""Keep the old name of `rulez_py.integrations.langgraph`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulez_py.renamed import forward

if TYPE_CHECKING:
    from rulez_py.integrations.langgraph import *  # noqa: F403
else:
    __getattr__ = forward(__name__, "rulez_py.integrations.langgraph")

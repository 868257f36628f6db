"""Keep the old name of `rulez_py.definitions.instructions`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulez_py.renamed import forward

if TYPE_CHECKING:
    from rulez_py.definitions.instructions import *  # noqa: F403
else:
    __getattr__ = forward(__name__, "rulez_py.definitions.instructions")

"""Keep the old name of `rulez_py.definitions.skills`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulez_py.renamed import forward

if TYPE_CHECKING:
    from rulez_py.definitions.skills import *  # noqa: F403
    from rulez_py.definitions.skills import HARNESSES as HARNESSES
    from rulez_py.definitions.skills import harness_at as harness_at
else:
    __getattr__ = forward(__name__, "rulez_py.definitions.skills")

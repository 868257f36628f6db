"""Keep the old name of `rulez_py.definitions.base.tool`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulez_py.renamed import forward

if TYPE_CHECKING:
    from rulez_py.definitions.base.tool import *  # noqa: F403
    from rulez_py.definitions.base.tool import Harness as Harness
    from rulez_py.definitions.base.tool import harness_of as harness_of
else:
    __getattr__ = forward(__name__, "rulez_py.definitions.base.tool")

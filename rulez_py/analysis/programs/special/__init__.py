"""Programs that the table cannot describe in full: what they run (`NAME_runs`) and what they touch (`NAME_effects`)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def find(code: str, kind: str) -> Any:
    """Return the function that an entry names with `code = "module.name"`; None where there is none such."""
    module, _, name = code.partition(".")
    return getattr(__import__(f"{__name__}.{module}", fromlist=[module]), f"{name}_{kind}", None)

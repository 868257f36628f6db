"""rulez: one policy for every coding agent.

For Python programs: `Policy.load(project).decide(call)` (docs/python.md); type checkers read `__init__.pyi`.
"""

from __future__ import annotations

__version__ = "0.1.0"
__all__ = ["Call", "Decision", "InvalidPolicy", "Policy", "Prompt", "__version__"]


def __getattr__(name):  # type: ignore[no-untyped-def]
    # A hook call imports this package, and pays for nothing of that.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(__import__("rulez_py.integrations", fromlist=[name]), name)

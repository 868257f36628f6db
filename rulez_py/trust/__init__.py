"""Trust: the policy files that a person has trusted, by content.

Trust covers a policy file and the scripts it names: when one byte of either changes, it is gone.

A name is loaded when it is first asked for: a hook call pays for what it uses.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.trust.digests import GLOB, content_digest, digest, digest_from, script_files, script_words, scripts_of
    from rulez_py.trust.store import (
        FILE_NAME,
        StoreProblem,
        Trusted,
        is_trusted,
        problem,
        revoke,
        trust,
        trusted,
    )

_STORE = ("FILE_NAME", "StoreProblem", "Trusted", "is_trusted", "problem", "revoke", "trust", "trusted")
"""The names that are in `store`; the others are in `digests`."""

__all__ = [
    "FILE_NAME",
    "GLOB",
    "StoreProblem",
    "Trusted",
    "content_digest",
    "digest",
    "digest_from",
    "is_trusted",
    "problem",
    "revoke",
    "script_files",
    "script_words",
    "scripts_of",
    "trust",
    "trusted",
]

if not TYPE_CHECKING:  # else every name would be there

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = __import__(f"{__name__}.{'store' if name in _STORE else 'digests'}", fromlist=(name,))
        globals()[name] = found = getattr(module, name)
        return found

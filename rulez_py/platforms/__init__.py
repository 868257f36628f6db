"""The agents that rulez speaks with: a folder each, with all that is known of one agent and of no other.

A folder is a platform where it has snippets to install (`hooks/`). Beside these it has `adapter.py` (what its hooks
send and honour, as `shape.Adapter` says), `tools.py` (what it calls its tools), `settings.py` (the files that decide
about its hooks), `agents.py` where rulez writes its agent definitions, and `contract.md` (how all of that was
measured). The modules beside the folders are what all of them share.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from rulez_py.platforms.shape import Adapter


_DIRECTORY = os.path.dirname(os.path.abspath(__file__))


def snippets(platform: str) -> str:
    """The directory of what a person installs in an agent."""
    return os.path.join(_DIRECTORY, platform, "hooks")


def _found() -> tuple[str, ...]:
    try:
        names = os.listdir(_DIRECTORY)
    except OSError:
        return ()
    return tuple(sorted(name for name in names if "." not in name and os.path.isdir(snippets(name))))


PLATFORMS: tuple[str, ...] = _found()
"""The name of each, sorted; none where rulez is not fully installed: then every hook denies."""


def part(platform: str, name: str) -> Any:
    """One module of a platform's folder; no other platform is loaded. Raises KeyError for an unknown platform."""
    if platform not in PLATFORMS:
        raise KeyError(platform)
    # `importlib` would cost the hook path milliseconds.
    return __import__(f"{__name__}.{platform}.{name}", fromlist=["NAME"])


def adapter(platform: str) -> Adapter:
    """The adapter of one platform. Raises KeyError for an unknown name."""
    found: Adapter = part(platform, "adapter")
    return found


def caller(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> str:
    """The platform that really sent a payload to a hook set up for `platform`; the others load only in doubt."""
    if not adapter(platform).may_be_foreign(payload):
        return platform
    others = (other for other in PLATFORMS if other != platform)
    return next((other for other in others if adapter(other).sends_to(platform, payload, environ)), platform)

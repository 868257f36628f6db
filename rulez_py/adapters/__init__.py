"""One module per platform; everything a platform does its own way is in its module.

A module here is called like its platform and satisfies `rulez_py.adapters.common.Adapter` by shape. Adding a platform
means one module and its table in `rulez_py/tools.py`.
"""

from __future__ import annotations

from rulez_py.tools import INBOUND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from rulez_py.adapters.common import Adapter

PLATFORMS: tuple[str, ...] = tuple(INBOUND)


def adapter(platform: str) -> Adapter:
    """The adapter of one platform; only its own module is imported. Raises KeyError for an unknown name."""
    if platform not in PLATFORMS:
        raise KeyError(platform)
    # `importlib` would cost the hook path milliseconds.
    module: Any = __import__(f"{__name__}.{platform}", fromlist=["NAME"])
    found: Adapter = module
    return found


def caller(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> str:
    """The platform that really sent a payload to a hook set up for `platform`.

    Copilot CLI also runs the hooks in a project's `.claude/settings.json`, with payloads of its own kind, which have a
    timestamp as Claude Code's never do (contracts/copilot.md sections 1 and 2, contracts/claude-code.md section 1). So
    does VS Code, which calls its tools by names of its own (section 6).
    """
    if platform != "claude" or "timestamp" not in payload:
        return platform
    tool = payload.get("tool_name")
    foreign = isinstance(tool, str) and tool in INBOUND["copilot"] and tool not in INBOUND["claude"]
    return "copilot" if foreign or environ.get("COPILOT_CLI") else platform

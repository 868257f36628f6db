"""One module per platform; everything a platform does its own way is in its module.

A module here satisfies `rulez_py.adapters.common.Adapter` by shape. Adding a platform means one module, one row in
`adapter`, and its table in `rulez_py/tools.py`.
"""

from __future__ import annotations

from rulez_py.tools import INBOUND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.adapters.common import Adapter

PLATFORMS: tuple[str, ...] = ("claude", "gemini", "copilot", "opencode")


def adapter(platform: str) -> Adapter:
    """The adapter of one platform; only its own module is imported. Raises KeyError for an unknown name."""
    if platform == "claude":
        from rulez_py.adapters import claude

        return claude
    if platform == "gemini":
        from rulez_py.adapters import gemini

        return gemini
    if platform == "copilot":
        from rulez_py.adapters import copilot

        return copilot
    if platform == "opencode":
        from rulez_py.adapters import opencode

        return opencode
    raise KeyError(platform)


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

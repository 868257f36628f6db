"""What tells the calls of our plugin for OpenCode from those of others: the arguments of its hooks (contract.md)."""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

_OF_PLUGINS = ("hook", "input")
_NAMED = ("hook_event_name", "hookEventName")
EVIDENCE = Evidence(
    forms=(
        Form(has=_OF_PLUGINS, without=_NAMED, platform="opencode"),
        # Plugins that were installed before there was one for Kilo Code do not say whose they are.
        Form(has=_OF_PLUGINS, without=(*_NAMED, "platform")),
    )
)

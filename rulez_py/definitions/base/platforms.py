"""The facts of each platform's agent definition files, from `platforms/NAME/agents.py`."""

from __future__ import annotations

from collections.abc import Mapping

from rulez_py.definitions.base.tool import Platform
from rulez_py.platforms import part
from rulez_py.platforms.agent_files import AgentFile, Offered

AGENT_FILES: Mapping[Platform, AgentFile] = {platform: part(platform.value, "agents").FILE for platform in Platform}

OFFERED: Mapping[Platform, Mapping[str, Offered]] = {
    platform: part(platform.value, "agents").OFFERED for platform in Platform
}
"""Platform -> name in a file -> what it gives the model; that may be more, less or nothing."""

"""Called by hatchling before it collects the files of a wheel or makes an editable installation (pyproject.toml)."""

from __future__ import annotations

import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildHook(BuildHookInterface[Any]):
    """Makes what is not committed (dev/generated.py)."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make it. `version` is "standard" or "editable". Raises ValueError where a source is not valid."""
        sys.path.insert(0, self.root)
        from dev import generated

        generated.main()

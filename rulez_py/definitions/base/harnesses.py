"""The facts of each harness's agent definition files, from `platforms/NAME/agents.py`."""

from __future__ import annotations

from collections.abc import Mapping

from rulez_py.definitions.base.tool import Harness
from rulez_py.platforms import part
from rulez_py.platforms.agent_files import HarnessFile, Offered

HARNESS_FILES: Mapping[Harness, HarnessFile] = {harness: part(harness.value, "agents").FILE for harness in Harness}

OFFERED: Mapping[Harness, Mapping[str, Offered]] = {
    harness: part(harness.value, "agents").OFFERED for harness in Harness
}
"""Harness -> name in a file -> what it gives the model; that may be more, less or nothing."""

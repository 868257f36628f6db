"""`rulez.agents.yaml`: which agents, skills and instructions a project keeps, and for which platforms.

`reading` makes a value of the file, `planning` all that is to be written of it.
"""

from __future__ import annotations

from rulez_py.definitions.base.plan import Entry, Everything, Left
from rulez_py.definitions.project.planning import POLICY, everything, left_over
from rulez_py.definitions.project.reading import MANIFEST, Manifest, Read, load, read

__all__ = [
    "MANIFEST",
    "POLICY",
    "Entry",
    "Everything",
    "Left",
    "Manifest",
    "Read",
    "everything",
    "left_over",
    "load",
    "read",
]

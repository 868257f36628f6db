"""Instruction files: texts written once, for every platform in the files that it reads, beside what people wrote there.

These names are what people need who write them from Python.
"""

from __future__ import annotations

from rulez_py.definitions.instructions.definition import Instructions
from rulez_py.definitions.instructions.files import PLATFORMS, LeftOver, left_over, load, plan, take_out, write
from rulez_py.definitions.output.sections import Broken

__all__ = ["PLATFORMS", "Broken", "Instructions", "LeftOver", "left_over", "load", "plan", "take_out", "write"]

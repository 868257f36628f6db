"""The output of a command is an object with its exit code; without one the result is unknown."""

from __future__ import annotations

from rulez_py.platforms.results import Form

FORM = Form(code=("output.exitCode",))

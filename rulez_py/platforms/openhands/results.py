"""The result has the exit code."""

from __future__ import annotations

from rulez_py.platforms.results import Form

FORM = Form(code=("exit_code",), going=-1)

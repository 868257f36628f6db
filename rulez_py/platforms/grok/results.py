"""The result has the exit code, 0 as well where the command goes on without the agent."""

from __future__ import annotations

from rulez_py.platforms.results import Form

FORM = Form(code=("exit_code",), unless=("timed_out", "signal", "isBackgrounded"))

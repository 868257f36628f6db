"""The result is JSON with the exit code; a command in the background has only begun."""

from __future__ import annotations

from rulez_py.platforms.results import Form

FORM = Form(tools=("terminal",), code=("exit_code",), unless=("tool_input.background",))

"""The text of a command begins with its exit code, which the adapter reads. One that goes on has none."""

from __future__ import annotations

from rulez_py.platforms.results import Form

FORM = Form(tools=("launch-process", "bash"), code=("exit_code",))

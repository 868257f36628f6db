"""The result of a command has its exit code. A process that goes on in the background has none."""

from __future__ import annotations

from rulez_py.platforms.results import Form

FORM = Form(tools=("file_system.bash",), code=("returncode",), unless=("timed_out",))

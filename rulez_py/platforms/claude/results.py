"""A command of Bash that fails comes as `PostToolUseFailure`; one that still runs has a task."""

from __future__ import annotations

from rulez_py.platforms.results import Form

FORM = Form(
    tools=("Bash",),
    silent=True,
    unless=("backgroundTaskId", "interrupted"),
    untold=("Claude Code's `PowerShell`",),
)

"""`postToolUse` has the exit code; `afterShellExecution` has what was printed alone."""

from __future__ import annotations

from rulez_py.platforms.results import Form

FORM = Form(events=("postToolUse",), code=("exitCode",), untold=("Cursor's `afterShellExecution`",))

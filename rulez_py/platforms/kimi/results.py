"""A command of Bash that fails comes as `PostToolUseFailure`; one in the background has only begun."""

from __future__ import annotations

from rulez_py.platforms.results import Form

FORM = Form(tools=("Bash",), silent=True, unless=("tool_input.run_in_background",))

"""The text for the model ends with the exit code; one that fails comes as `PostToolUseFailure`."""

from __future__ import annotations

from rulez_py.platforms.results import Form

FORM = Form(text=("llmContent",), before="Exit Code: ")

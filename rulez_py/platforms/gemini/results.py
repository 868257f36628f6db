"""The text for the model names an exit code that is not 0, and always the process group at its end."""

from __future__ import annotations

from rulez_py.platforms.results import Form

FORM = Form(
    text=("llmContent",), before="Exit Code: ", whole="Process Group PGID: ", unless_lines=("Signal: ", "Error: ")
)

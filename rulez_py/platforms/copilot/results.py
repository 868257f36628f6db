"""The text for the model ends with a line that names the exit code."""

from __future__ import annotations

from rulez_py.platforms.results import Form

FORM = Form(
    text=("textResultForLlm", "text_result_for_llm"),
    before="<shellId: ",
    behind=" completed with exit code ",
    untold=("Copilot in VS Code",),
)

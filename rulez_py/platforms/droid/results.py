"""The text of Execute ends with the exit code, which is always 0: of a command that fails no hook is told."""

from __future__ import annotations

from rulez_py.platforms.results import Form

# In the background the text repeats the command, in which anything may stand.
FORM = Form(tools=("Execute",), text=("",), before="[Process exited with code ", unless=("tool_input.fireAndForget",))

"""List the fields of an event that rules may use: one table for expressions and for scripts."""

from __future__ import annotations

from rulez_py.analysis import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rulez_py.event import Event


class Field(Value):
    """One field: `get` gives it, None where the event does not have it.

    `variable` is its name in an expression and `key` that in the JSON that a script reads, each "" where it has none
    there. An expression reads `missing` in place of None; where that is None too, the variable has no value.
    """

    get: Callable[[Event], object]
    variable: str = ""
    key: str = ""
    missing: object = ""


FIELDS: tuple[Field, ...] = (
    Field(get=lambda event: event.type, variable="event_type", key="hook_event_name"),
    Field(get=lambda event: list(event.types), key="event_types"),
    Field(get=lambda event: event.session_id, variable="session_id", key="session_id"),
    Field(get=lambda event: event.platform, variable="platform", key="platform"),
    Field(get=lambda event: event.native_event, key="platform_event_name"),
    Field(get=lambda event: event.tool_name, variable="tool_name", key="tool_name"),
    Field(get=lambda event: event.platform_tool_name, variable="platform_tool_name"),
    Field(get=lambda event: dict(event.tool_input) or None, variable="tool_input", key="tool_input", missing={}),
    Field(get=lambda event: event.tool_response, key="tool_response"),
    Field(get=lambda event: event.prompt, variable="prompt", key="prompt", missing=None),
    Field(get=lambda event: event.permission_mode, variable="permission_mode", key="permission_mode"),
    Field(get=lambda event: event.cwd, variable="cwd", key="cwd"),
    Field(get=lambda event: event.project_dir or event.cwd, variable="project_dir", key="project_dir"),
    Field(get=lambda event: event.agent_id, variable="agent_id", key="agent_id"),
    Field(get=lambda event: event.agent_type, variable="agent_type", key="agent_type"),
    *(
        Field(get=lambda event, name=name: event.payload.get(name), key=name)  # type: ignore[misc]
        for name in ("timestamp", "user_id", "transcript_path", "tool_use_id")
    ),
)
"""In the order in which a script reads them; the last are as the agent sent them."""

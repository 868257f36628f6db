"""List the fields of an event that rules may use: one table for expressions and for scripts."""

from __future__ import annotations

from rulez_py.analysis import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rulez_py.event import Event


class Field(Value):
    """One field: what it is, for people; `get` gives it, None where the event does not have it.

    `variable` is its name in an expression and `key` that in the JSON that a script reads, each "" where it has none
    there. An expression reads `missing` in place of None; where that is None too, the variable has no value.
    """

    about: str
    get: Callable[[Event], object]
    variable: str = ""
    key: str = ""
    missing: object = ""


FIELDS: tuple[Field, ...] = (
    Field(
        about="The event's type, `PreToolUse` and the like.",
        get=lambda event: event.type,
        variable="event_type",
        key="hook_event_name",
    ),
    Field(about="All types that it counts as.", get=lambda event: list(event.types), key="event_types"),
    Field(about="The agent's session.", get=lambda event: event.session_id, variable="session_id", key="session_id"),
    Field(
        about="The agent, by the name that `--platform` knows it by.",
        get=lambda event: event.platform,
        variable="platform",
        key="platform",
    ),
    Field(about="The event, as the agent calls it.", get=lambda event: event.native_event, key="platform_event_name"),
    Field(
        about="The tool, by its canonical name.",
        get=lambda event: event.tool_name,
        variable="tool_name",
        key="tool_name",
    ),
    Field(
        about="The tool, as the agent calls it.",
        get=lambda event: event.platform_tool_name,
        variable="platform_tool_name",
    ),
    Field(
        about="The tool's arguments, by their canonical names, and what else the agent sent.",
        get=lambda event: dict(event.tool_input) or None,
        variable="tool_input",
        key="tool_input",
        missing={},
    ),
    Field(about="What the tool gave back, after the call.", get=lambda event: event.tool_response, key="tool_response"),
    Field(
        about="What the person wrote, in events that have it.",
        get=lambda event: event.prompt,
        variable="prompt",
        key="prompt",
        missing=None,
    ),
    Field(
        about="The agent's mode, in its own words.",
        get=lambda event: event.permission_mode,
        variable="permission_mode",
        key="permission_mode",
    ),
    Field(about="Where the agent works.", get=lambda event: event.cwd, variable="cwd", key="cwd"),
    Field(
        about="The project's root.",
        get=lambda event: event.project_dir or event.cwd,
        variable="project_dir",
        key="project_dir",
    ),
    Field(
        about="The subagent's own name for this run.",
        get=lambda event: event.agent_id,
        variable="agent_id",
        key="agent_id",
    ),
    Field(
        about="The subagent, by the name in its definition.",
        get=lambda event: event.agent_type,
        variable="agent_type",
        key="agent_type",
    ),
    *(
        Field(about=f"{what}, as the agent sent it.", get=lambda event, name=name: event.payload.get(name), key=name)  # type: ignore[misc]
        for name, what in (
            ("timestamp", "The time"),
            ("user_id", "The person"),
            ("transcript_path", "The file with the conversation"),
            ("tool_use_id", "The call's name"),
        )
    ),
)
"""In the order in which a script reads them; the last are as the agent sent them."""

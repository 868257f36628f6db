"""One hook call, normalised: what every adapter produces and every matcher reads; and what a native event means."""

from __future__ import annotations

from rulez_py.analysis import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# The canonical event types: the 33 events of Claude Code (contracts/claude-code.md section 2), whose names are the
# canonical ones, and the five that only Gemini CLI has (contracts/gemini-cli.md section 1).
EVENT_TYPES: tuple[str, ...] = (
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "PermissionRequest",
    "PermissionDenied",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "SessionStart",
    "SessionEnd",
    "Setup",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "PreModelSwitch",
    "PostModelSwitch",
    "Notification",
    "ConfigChange",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
    "DirectoryAdded",
    "TaskCreated",
    "TaskCompleted",
    "TeammateIdle",
    "Elicitation",
    "ElicitationResult",
    "WorktreeCreate",
    "WorktreeRemove",
    "MessageDisplay",
    "BeforeAgent",
    "AfterAgent",
    "BeforeModel",
    "AfterModel",
    "BeforeToolSelection",
)


AFTER_THE_CALL = ("PostToolUse", "PostToolUseFailure")
"""The events after a tool's call, which tell what it gave back or how it failed."""
_AFTER = frozenset(AFTER_THE_CALL)


# The canonical names of tools are Claude Code's as well; `platforms.tool_table` says what each platform calls them.
CANONICAL_TOOLS: tuple[str, ...] = ("Bash", "Write", "Edit", "Read", "Glob", "Grep", "Task", "WebFetch")


REPLACED, WITHHELD = "replaced", "withheld"
"""Ways in which an agent takes a hook's word for a result: another one of the same form, or a text in its place."""


class EventSpec(Value):
    """The meaning of one native event.

    `guards` marks events that come before something that can still be stopped: only there does an error deny.
    `deny` and `context` name the adapter's own way of saying it, "" where the platform cannot; `result` what becomes of
    a tool's result that is redacted, REPLACED, WITHHELD or "" where it stays. `begins` marks those
    that begin a session: a message to the person there says what is wrong with the protection. `guessed` is an event of
    a name that the platform does not know: it carries a tool and its input, so it counts as one before a tool.
    """

    types: tuple[str, ...]
    guards: bool = False
    deny: str = ""
    context: str = ""
    begins: bool = False
    guessed: bool = False
    result: str = ""


class UnreadableEvent(ValueError):
    """The payload is not a hook event this adapter can read. The message says what is missing or wrong."""


class Event(Value):
    """One hook call.

    `types` holds every canonical event type the payload raises, the primary one first (Gemini's BeforeAgent is also
    UserPromptSubmit); a rule sees the event if one of them fits, and the strictest outcome wins.

    `tool_input` is the flattened view rules and expressions read: the tool's arguments, each also under its canonical
    name, plus every extra key of the payload. `own_input` is what the tool itself was given, exactly as the agent will
    run it (an object, or the raw text of a patch): rewrites start from it and `input_match` searches it.
    """

    platform: str
    types: tuple[str, ...]
    native_event: str
    session_id: str = ""
    call_id: str = ""
    """The agent's own identifier of the tool call, the same before and after it; "" where it sends none."""
    agent_version: str = ""
    """The agent's version, where the payload tells it."""
    tool_name: str | None = None
    platform_tool_name: str | None = None
    known_tool: bool = False
    """True if the platform is known to have this tool; else it may be an MCP server's, for instance."""
    tool_access: tuple[str, ...] = ()
    """How the tool uses the files it names, where that is known."""
    tool_input: Mapping[str, object] = {}
    own_input: object = None
    prompt: str | None = None
    tool_response: object = None
    permission_mode: str | None = None
    cwd: str | None = None
    project_dir: str | None = None
    agent_id: str | None = None
    agent_type: str | None = None
    mcp: tuple[tuple[str, str], ...] = ()
    """Every (server, tool) reading of an MCP call's name; more than one where the name alone is ambiguous."""
    asked_later: bool = False
    """True if the agent asks rulez about this call once more, at an event where it acts on an ask."""
    payload: Mapping[str, object] = {}

    @property
    def type(self) -> str:
        """The primary canonical event type."""
        return self.types[0]

    @property
    def is_after_the_call(self) -> bool:
        """True if it tells what a tool gave back, or how it failed."""
        return not _AFTER.isdisjoint(self.types)

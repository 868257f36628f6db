"""The files that decide about the hooks of OpenHands; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import (
    COMMAS,
    COMMENTS,
    DOTENV,
    MARK,
    HookPlace,
    Protects,
    ServerFiles,
    SettingsFile,
    Starts,
)

_AGENT = "OpenHands"
_ELSEWHERE = "OPENHANDS_WORK_DIR"

SETTINGS: tuple[SettingsFile, ...] = (
    SettingsFile(agent=_AGENT, name=".openhands/hooks.json", withstood=False, replaces=True),
    SettingsFile(agent=_AGENT, name=".env", form=DOTENV),
)
VARIABLES: tuple[str, ...] = (_ELSEWHERE,)
"""The variable that names the directory whose hooks it reads."""

PROVED = "1.16.0"
"""The last version of the agent with which all was tried."""
PACKAGE = ""
"""It is a Python package: its own `--version` counts."""

HOOKS = HookPlace(
    snippet="hooks.json",
    home=".openhands",
    user="hooks.json",
    project=".openhands/hooks.json",
    loses=(COMMENTS, COMMAS, MARK),
    afterwards="A project's .openhands/hooks.json is read instead: `rulez install openhands --scope project` there.",
)

SERVERS = ServerFiles(user=("mcp.json",))

PROTECTS = Protects(
    files=tuple(f"/**/.openhands/{name}" for name in ("hooks.json", "cli_config.json")),
    homes=("/**/.openhands",),
    names=("hooks",),
    extensions=("~/.openhands/mcp.json", "/**/.openhands/plugins"),
    texts=("/**/.{openhands,agents}/{agents,skills}/**", "/**/.openhands/microagents/**"),
    credentials=("~/.openhands/agent_settings.json",),
)

STARTS = Starts(
    variables=(_ELSEWHERE, "OPENHANDS_PERSISTENCE_DIR"),
    extends=(("mcp", "add"), ("plugin", "{install,enable}")),
)

"""The files that decide about the hooks of Cline; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import DOTENV, HookPlace, Protects, ServerFiles, SettingsFile, Starts

_HOME = "CLINE_DIR"

# Its program loads this file from where it is started. Hook files of a repository run beside ours, unasked.
SETTINGS: tuple[SettingsFile, ...] = (SettingsFile(agent="Cline", name=".env", form=DOTENV, off_variables=(_HOME,)),)
VARIABLES: tuple[str, ...] = (_HOME,)
"""The variable that moves its directory."""

PROVED = "3.0.65"
"""The last version of the agent with which all was tried."""
PACKAGE = "cline"
"""Its package: the file package.json beside its program says the version."""

HOOKS = HookPlace(
    snippet="PreToolUse",
    home=".cline",
    moved_by=_HOME,
    user="hooks/PreToolUse",
    project=".clinerules/hooks/PreToolUse",
    ours_alone=True,
    begins="# rulez for Cline",
    scripts=(
        ("PreToolUse", "tool_call"),
        ("PostToolUse", "tool_result"),
        ("UserPromptSubmit", "prompt_submit"),
        ("TaskStart", "agent_start"),
        ("TaskResume", "agent_resume"),
        ("TaskComplete", "agent_end"),
        ("TaskCancel", "agent_abort"),
        ("TaskError", "agent_error"),
        ("SessionShutdown", "session_shutdown"),
    ),
)

SERVERS = ServerFiles(user=("data/settings/cline_mcp_settings.json",))

PROTECTS = Protects(
    directories=("/**/.cline/hooks", "/**/.clinerules/hooks", "~/Documents/Cline/Hooks"),
    homes=("/**/.cline",),
    moved_by=_HOME,
    names=("PreToolUse",),
    extensions=(
        "/**/cline_mcp_settings.json",
        "/**/.cline/plugins",
        "~/Documents/Cline/Plugins",
    ),
    credentials=("~/.cline/data/settings/providers.json",),
)

STARTS = Starts(
    variables=("CLINE_HOOKS_DIR", "CLINE_DATA_DIR", "CLINE_GLOBAL_SETTINGS_PATH", "CLINE_MCP_SETTINGS_PATH"),
    options=("--config", "--data-dir"),
    switches=(("config",),),
    extends=(("plugin",), ("skill",)),
)

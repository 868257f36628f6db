"""The files that decide about the hooks of Gemini CLI; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import (
    COMMAS,
    DOTENV,
    MARK,
    FolderTrust,
    HookPlace,
    Protects,
    ServerFiles,
    SettingsFile,
    Starts,
)

_AGENT = "Gemini CLI"

SETTINGS: tuple[SettingsFile, ...] = (
    SettingsFile(
        agent=_AGENT,
        name=".gemini/settings.json",
        off=(("hooksConfig.enabled", False), ("hooksConfig.disabled", [])),
    ),
    SettingsFile(agent=_AGENT, name=".gemini/.env", form=DOTENV),
    SettingsFile(agent=_AGENT, name=".env", form=DOTENV),
)
VARIABLES: tuple[str, ...] = ("GEMINI_CLI_SYSTEM_SETTINGS_PATH", "GEMINI_CLI_HOME")
"""The variable that moves its directory."""

PROVED = "0.61.0"
"""The last version of the agent with which all was tried."""
PACKAGE = "@google/gemini-cli"
"""Its package: the file package.json beside its program says the version."""

HOOKS = HookPlace(
    snippet="settings.json",
    home=".gemini",
    moved_by="GEMINI_CLI_HOME",
    moved_below=".gemini",
    user="settings.json",
    project=".gemini/settings.json",
    managed=(
        ("linux", "/etc/gemini-cli/settings.json"),
        ("darwin", "/Library/Application Support/GeminiCli/settings.json"),
    ),
    keeps_on=(("", "hooksConfig.enabled", True),),
    none_at_all=(("", "hooksConfig.enabled", False),),
    trusts=FolderTrust(
        file="trustedFolders.json",
        word="TRUST_FOLDER",
        parent_word="TRUST_PARENT",
        variable="GEMINI_CLI_TRUST_WORKSPACE",
        unless=("settings.json", "security.folderTrust.enabled"),
    ),
    loses=(COMMAS, MARK),
)

SERVERS = ServerFiles(user=("settings.json",), project=(".gemini/settings.json",))

PROTECTS = Protects(
    # A rule of its own looks into what is written to any other `.env`.
    files=("/**/.gemini/settings.json", "/**/.gemini/.env", "~/.gemini/trustedFolders.json"),
    directories=("/etc/gemini-cli", "/Library/Application Support/GeminiCli"),
    homes=("/**/.gemini",),
    names=("settings",),
    extensions=("/**/.gemini/extensions",),
    texts=("/**/.gemini/commands/**",),
    credentials=("~/.gemini/oauth_creds.json", "~/.gemini/google_accounts.json"),
)

STARTS = Starts(
    variables=(*VARIABLES, "GEMINI_CLI_SYSTEM_DEFAULTS_PATH", "GEMINI_CLI_TRUST_WORKSPACE"),
    switches=(("hook{,s}", "{disable,enable,migrate}*"), ("extension{,s}", "{disable,uninstall}")),
    extends=(("extension{,s}", "{install,link}"), ("skill{,s}", "{install,link}")),
)

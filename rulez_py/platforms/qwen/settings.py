"""The files that decide about the hooks of Qwen Code; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import ALL_OFF, COMMAS, DOTENV, HookPlace, Protects, ServerFiles, SettingsFile, Starts

_AGENT = "Qwen Code"
_HOME = "QWEN_HOME"
_WITHOUT_HOOKS = ("QWEN_CODE_SAFE_MODE", "QWEN_CODE_SIMPLE")

SETTINGS: tuple[SettingsFile, ...] = (
    SettingsFile(
        agent=_AGENT,
        name=".qwen/settings.json",
        off=ALL_OFF,
        env="env",
        off_variables=_WITHOUT_HOOKS,
        own_hooks="one that takes more than a minute, or has the command of yours, undoes what yours denies",
    ),
    SettingsFile(agent=_AGENT, name=".qwen/.env", form=DOTENV, off_variables=_WITHOUT_HOOKS),
    SettingsFile(agent=_AGENT, name=".env", form=DOTENV, off_variables=_WITHOUT_HOOKS),
)
VARIABLES: tuple[str, ...] = (_HOME, "QWEN_CODE_SYSTEM_SETTINGS_PATH")
"""The variables that move its directory and its machine's settings."""

PROVED = "0.24.4"
"""The last version of the agent with which all was tried."""
PACKAGE = "@qwen-code/qwen-code"
"""Its package: the file package.json beside its program says the version."""

HOOKS = HookPlace(
    snippet="settings.json",
    home=".qwen",
    moved_by=_HOME,
    user="settings.json",
    project=".qwen/settings.json",
    managed=(
        ("linux", "/etc/qwen-code/settings.json"),
        ("darwin", "/Library/Application Support/QwenCode/settings.json"),
    ),
    keeps_on=(("", "disableAllHooks", False),),
    none_at_all=(("", "disableAllHooks", True),),
    loses=(COMMAS,),
)

SERVERS = ServerFiles(user=("settings.json",), project=(".qwen/settings.json",))

PROTECTS = Protects(
    # A rule of its own looks into what is written to any other `.env`.
    files=("/**/.qwen/settings.json", "/**/.qwen/.env", "~/.qwen/trustedFolders.json"),
    directories=("/etc/qwen-code", "/Library/Application Support/QwenCode"),
    homes=("/**/.qwen",),
    moved_by=_HOME,
    names=("settings",),
    extensions=("/**/.qwen/extensions",),
    texts=("/**/.qwen/{agents,commands,skills}/**",),
    credentials=("~/.qwen/oauth_creds.json",),
)

STARTS = Starts(
    variables=(*VARIABLES, "QWEN_CODE_SYSTEM_DEFAULTS_PATH", "QWEN_CODE_TRUSTED_FOLDERS_PATH", *_WITHOUT_HOOKS),
    without_hooks=_WITHOUT_HOOKS,
    options=("--bare", "--safe-mode"),
    switches=(("extension{,s}", "{disable,uninstall}"),),
    extends=(("extension{,s}", "{install,link,new,update}"), ("mcp", "add")),
)

"""The files that decide about the extensions of Pi; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import HookPlace, Protects, SettingsFile, Starts

# In a trusted project its list of extensions can name ours, and leave it out again (contract.md, section 5).
SETTINGS: tuple[SettingsFile, ...] = (SettingsFile(agent="Pi", name=".pi/settings.json", off=(("extensions", []),)),)
VARIABLES: tuple[str, ...] = ("PI_CODING_AGENT_DIR",)
"""The variable that moves its directory."""

PROVED = "0.87.1"
"""The last version of the agent with which all was tried."""
PACKAGE = "@earendil-works/pi-coding-agent"
"""Its package: the file package.json beside its program says the version."""

HOOKS = HookPlace(
    snippet="rulez.js",
    home=".pi/agent",
    moved_by="PI_CODING_AGENT_DIR",
    user="extensions/rulez.js",
    project=".pi/extensions/rulez.js",
    ours_alone=True,
    begins="// rulez for Pi",
    also_user=("extensions/*.js", "extensions/*.ts", "extensions/*/index.js", "extensions/*/index.ts"),
    also_project=(
        *(".pi/extensions/*.js", ".pi/extensions/*.ts"),
        *(".pi/extensions/*/index.js", ".pi/extensions/*/index.ts"),
    ),
)

PROTECTS = Protects(
    files=("/**/.pi/settings.json", "/**/.pi/agent/settings.json", "/**/.pi/agent/trust.json", "/**/.pi/agent"),
    directories=("/**/.pi/extensions", "/**/.pi/agent/extensions"),
    homes=("/**/.pi",),
    moved_by="PI_CODING_AGENT_DIR",
    extensions=("~/.pi/agent/{npm,git,packages}", "/**/.pi/{npm,git,packages}"),
    credentials=("~/.pi/agent/auth.json",),
)

STARTS = Starts(
    variables=("PI_CODING_AGENT_DIR", "PI_PACKAGE_DIR"),
    options=("--no-extensions", "-ne"),
    switches=(("config",),),
    extends=(("{install,remove,uninstall}",),),
)

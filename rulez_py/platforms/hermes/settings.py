"""The files that decide about the hooks of Hermes; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import YAML, HookPlace, Protects, ServerFiles, SettingsFile, Starts

_HOME = "HERMES_HOME"

# Hermes reads no settings, no hooks and no environment of a repository.
SETTINGS: tuple[SettingsFile, ...] = ()
VARIABLES: tuple[str, ...] = (_HOME,)
"""The variable that moves its directory."""

PROVED = "0.19.0"
"""The last version of the agent with which all was tried."""
PACKAGE = ""
"""It is a Python package: its own `--version` counts."""

HOOKS = HookPlace(
    snippet="config.yaml",
    home=".hermes",
    moved_by=_HOME,
    user="config.yaml",
    project="",
    # `hooks_auto_accept` there would accept every other hook of every person as well.
    unmanaged="Hermes calls no hook in /etc/hermes/config.yaml that a person has not accepted: rulez puts none there",
    only_managed=(("/etc/hermes/config.yaml", "hooks.pre_tool_call"),),
    profile="active_profile",
    dotenv=".env",
    approvals="shell-hooks-allowlist.json",
    approves_all=("HERMES_ACCEPT_HOOKS", "hooks_auto_accept"),
    afterwards="Hermes calls no hook that you have not accepted: start `hermes --accept-hooks` once, or answer y",
)

SERVERS = ServerFiles(user=("config.yaml",), key="mcp_servers", form=YAML, tilde=True)

PROTECTS = Protects(
    files=(
        "/**/.hermes/config.yaml",
        "/**/.hermes/shell-hooks-allowlist.json",
        "/**/.hermes/active_profile",
        "/**/.hermes/.env",
    ),
    directories=("/**/.hermes/profiles",),
    homes=("/**/.hermes",),
    moved_by=_HOME,
    names=("shell-hooks-allowlist",),
    extensions=("/**/.hermes/plugins", "/**/.hermes/hooks"),
    credentials=("~/.hermes/.env", "~/.hermes/auth.json"),
)

STARTS = Starts(
    variables=("HERMES_MANAGED_DIR", "HERMES_SAFE_MODE"),
    without_hooks=("HERMES_SAFE_MODE",),
    options=("--safe-mode", "-p", "--profile"),
    switches=(("config",), ("hooks",), ("profile",)),
    extends=(("plugins",), ("skills",), ("mcp",)),
)

"""The files that decide about the hooks of Kiro; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import COMMAS, COMMENTS, MARK, HookPlace, Protects, SettingsFile, Starts

# By its documentation, hooks of a repository run beside the person's, and nothing there switches these off.
SETTINGS: tuple[SettingsFile, ...] = ()
VARIABLES: tuple[str, ...] = ()
"""The variable that moves its directory."""

PROVED = ""
"""Nothing was played on it: it needs its service, and no registry has it."""
PACKAGE = ""

HOOKS = HookPlace(
    snippet="rulez.json",
    home=".kiro",
    user="hooks/rulez.json",
    project=".kiro/hooks/rulez.json",
    ours_alone=True,
    also_user=("hooks/*.json",),
    also_project=(".kiro/hooks/*.json",),
    loses=(COMMENTS, COMMAS, MARK),
)

PROTECTS = Protects(
    files=("/**/.kiro/settings/cli.json", "/**/.kiro/settings/permissions.yaml"),
    directories=("/**/.kiro/hooks",),
    homes=("/**/.kiro",),
    names=("hooks",),
    extensions=("/**/.kiro/agents", "/**/.kiro/powers", "/**/.kiro/settings/mcp.json"),
)

# That KIRO_HOME moves its agents and settings is documented; of the hooks nothing is said.
# The harnesses of the CLI 2 read no such file.
STARTS = Starts(variables=("KIRO_HOME",), options=("--v2", "--classic", "--agent-engine"))

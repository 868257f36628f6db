"""The files that decide about the plugins of Amp; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import HookPlace, Protects, SettingsFile, Starts

# No setting of a repository takes our plugin away; but plugins beside ours are code, which can do anything.
SETTINGS: tuple[SettingsFile, ...] = ()
VARIABLES: tuple[str, ...] = ()
"""The variable that moves its directory."""

PROVED = ""
"""Nothing was played on it: it needs its service."""
PACKAGE = "@ampcode/cli"

_PLUGINS = ("*.js", "*.ts", "*/index.js", "*/index.ts")

HOOKS = HookPlace(
    snippet="rulez.js",
    home=".config/amp",
    moved_by="XDG_CONFIG_HOME",
    moved_below="amp",
    user="plugins/rulez.js",
    project=".amp/plugins/rulez.js",
    ours_alone=True,
    begins="// rulez for Amp",
    also_user=tuple(f"plugins/{name}" for name in _PLUGINS),
    also_project=tuple(f".amp/plugins/{name}" for name in _PLUGINS),
)

PROTECTS = Protects(
    files=("/**/.amp/settings.json*", "~/.config/amp/settings.json*"),
    directories=(
        *("/**/.amp/plugins", "~/.config/amp/plugins", "/etc/ampcode"),
        # Where XDG_CONFIG_HOME says otherwise.
        "**/amp/plugins",
    ),
    homes=("/**/.amp", "~/.config/amp"),
)

STARTS = Starts(
    variables=("PLUGINS", "AMP_SETTINGS_FILE"),
    options=("--settings-file",),
    switches=(("plugin{,s}", "{remove,rm}"),),
    extends=(("plugin{,s}", "{add,update}"), ("mcp", "add"), ("skill{,s}", "{add,install}")),
)

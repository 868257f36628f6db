"""The files that decide about the hooks of Kilo Code; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import HookPlace, Protects, ServerFiles, SettingsFile, Starts

# Nothing switches hooks off; but plugins beside ours are code, which can do anything.
SETTINGS: tuple[SettingsFile, ...] = ()
VARIABLES: tuple[str, ...] = ()
"""The variable that moves its directory."""

PROVED = "7.7.9"
"""The last version of the agent with which all was tried."""
PACKAGE = ""
"""No package whose package.json says its version: its program says it fast enough itself."""

_PLACES = (".kilo", ".kilocode")
"""Its directory in a project, and the name that it had before."""
_PLUGINS = tuple(f"{name}/*.{ending}" for name in ("plugin", "plugins") for ending in ("js", "ts"))

HOOKS = HookPlace(
    snippet="rulez.js",
    home=".config/kilo",
    moved_by="XDG_CONFIG_HOME",
    moved_below="kilo",
    user="plugin/rulez.js",
    project=".kilo/plugin/rulez.js",
    ours_alone=True,
    begins="// rulez for Kilo Code",
    also_user=_PLUGINS,
    also_project=tuple(f"{place}/{name}" for place in _PLACES for name in _PLUGINS),
)

SERVERS = ServerFiles(user=("kilo.json",), key="mcp", whole=True)

PROTECTS = Protects(
    files=(
        "./kilo.json",
        "./kilo.jsonc",
        *(f"/**/{place}/{name}.json*" for place in _PLACES for name in ("kilo", "opencode", "config")),
        "~/.config/kilo/*.json*",
    ),
    directories=(
        *(f"/**/{place}/{name}" for place in _PLACES for name in ("plugin", "plugins")),
        "~/.config/kilo/plugin",
        "~/.config/kilo/plugins",
        # Where XDG_CONFIG_HOME says otherwise.
        "**/kilo/plugin",
        "**/kilo/plugins",
    ),
    homes=("/**/.kilo", "/**/.kilocode", "~/.config/kilo"),
    names=("kilo",),
    texts=(
        "/**/{.kilo,.kilocode,.config/kilo}/{command,commands,workflows}/**",
        # A project's skills run nothing.
        "~/{.kilo,.kilocode,.config/kilo}/{skill,skills}/**",
    ),
    extensions=(
        "/**/kilo.{json,jsonc}",
        "/**/{.kilo,.kilocode}/{tool,tools}",
        "~/.config/kilo/{tool,tools}",
    ),
    credentials=("~/.local/share/kilo/auth.json",),
)

STARTS = Starts(
    variables=(
        *("KILO_CONFIG", "KILO_CONFIG_CONTENT", "KILO_CONFIG_DIR", "KILO_DISABLE_PROJECT_CONFIG", "KILO_PURE"),
        *("KILO_DISABLE_DEFAULT_PLUGINS", "KILO_PERMISSION", "KILO_TEST_HOME", "KILO_TEST_MANAGED_CONFIG_DIR"),
    ),
    without_hooks=("KILO_PURE",),
    without_project=("KILO_DISABLE_PROJECT_CONFIG",),
    options=("--pure",),
    extends=(("plug{,in}",),),
)

"""The files that decide about the hooks of OpenCode; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import HookPlace, Protects, ServerFiles, SettingsFile, Starts

# Nothing switches hooks off; but plugins beside ours are code, which can do anything.
SETTINGS: tuple[SettingsFile, ...] = ()
VARIABLES: tuple[str, ...] = ()
"""The variable that moves its directory."""

PROVED = "1.18.33"
"""The last version of the agent with which all was tried."""
PACKAGE = "opencode-ai"
"""Its package: the file package.json beside its program says the version."""

HOOKS = HookPlace(
    snippet="rulez.js",
    home=".config/opencode",
    moved_by="XDG_CONFIG_HOME",
    moved_below="opencode",
    user="plugin/rulez.js",
    project=".opencode/plugin/rulez.js",
    ours_alone=True,
    begins="// rulez for OpenCode",
    also_user=("plugin/*.js", "plugin/*.ts", "plugins/*.js", "plugins/*.ts"),
    also_project=tuple(f".opencode/{name}/*.{ending}" for name in ("plugin", "plugins") for ending in ("js", "ts")),
)

SERVERS = ServerFiles(
    user=("opencode.json", "opencode.jsonc"), project=("opencode.json", "opencode.jsonc"), key="mcp", whole=True
)

PROTECTS = Protects(
    files=(
        "./opencode.json",
        "./opencode.jsonc",
        "/**/.opencode/opencode.json*",
        "~/.config/opencode/*.json*",
    ),
    directories=(
        "/**/.opencode/plugin",
        "/**/.opencode/plugins",
        "~/.config/opencode/plugin",
        "~/.config/opencode/plugins",
        # Where XDG_CONFIG_HOME says otherwise.
        "**/opencode/plugin",
        "**/opencode/plugins",
    ),
    homes=("/**/.opencode", "~/.config/opencode"),
    names=("opencode",),
    texts=("/**/{.opencode,.config/opencode}/{command,commands}/**",),
    extensions=(
        "/**/opencode.{json,jsonc}",
        "/**/.opencode/{tool,tools}",
        "~/.config/opencode/{tool,tools}",
    ),
    credentials=("~/.local/share/opencode/auth.json",),
)

STARTS = Starts(
    variables=(
        *("OPENCODE_CONFIG", "OPENCODE_CONFIG_CONTENT", "OPENCODE_CONFIG_DIR", "OPENCODE_DISABLE_PROJECT_CONFIG"),
        *("OPENCODE_PURE", "OPENCODE_DISABLE_DEFAULT_PLUGINS", "OPENCODE_PERMISSION", "OPENCODE_TEST_HOME"),
        "OPENCODE_TEST_MANAGED_CONFIG_DIR",
    ),
    without_hooks=("OPENCODE_PURE",),
    without_project=("OPENCODE_DISABLE_PROJECT_CONFIG",),
    options=("--pure",),
    extends=(("plug{,in}",),),
)

"""Reads of the environment: of all of it, of one variable with a secret, of a framework's secrets."""

from __future__ import annotations

from rulez_py.analysis.values import CREDENTIAL, ENVIRONMENT, VARIABLE, is_secretive

_NAMES = {
    "python": ("os.environ", "os.environb", "environ"),
    "javascript": ("process.env", "Bun.env", "Deno.env.toObject", "Deno.env", "import.meta.env"),
    "ruby": ("ENV",),
    "perl": ("%ENV", "\\%ENV", "$ENV", "ENV"),
    "php": ("$_ENV", "getenv", "$_SERVER"),
    "awk": ("ENVIRON",),
    "lua": ("os.getenv",),
    "r": ("Sys.getenv",),
    "tcl": ("array get env", "parray env", "array names env", "$env", "$::env"),
    "applescript": ("system attribute",),
    "unknown_language": (
        *("System.getenv", "System.get_env", "os.Environ", "env::vars", "processInfo.environment"),
        *("Platform.environment", "process-environment", "get-environment-variables", "os:getenv", "getEnvironment"),
    ),
}
"""Names of the environment in each language, the longest first."""
_FRAMEWORKS = {
    "python": ("settings", "app.config", "current_app.config", "application.config"),
    "ruby": (
        *("Rails.application.credentials", "Rails.application.secrets", "Rails.application.secret_key_base"),
        *("Rails.application.config.secret_key_base", "database_configuration", "Rails.app_class.credentials"),
        *("connection_db_config.configuration_hash", "connection_config", "Rails.application.config_for"),
    ),
    "php": ("config", "env", "Config::get", "Config::all", "Settings::get", "getConfig", "$databases", "app('config')"),
    "javascript": ("config.get", "strapi.config", "nconf.get"),
    "unknown_language": ("Application.get_all_env", "Application.get_env", "Application.fetch_env!"),
}
"""Names of the settings that hold keys and passwords, in frameworks."""
_WHOLLY_SECRET = ("credentials", "secrets", "secret_key_base", "atabase", "connection_", "get_all_env", "getConfig")
_SECRET_KEYS = ("APP.KEY", "DATABASES", "DATABASE", "HASH_SALT")
_ONE = ("get", "getenv", "fetch", "key?", "has_key?", "include?", "setdefault", "pop", "delete", "has", "dig")
"""Methods that read one variable."""
_HANDED_ON = ("env=", "env:", "env=dict(", "env={**", "env:{...", "env:Object.assign({},")
"""Text before an environment that is passed on to another program, blanks left out."""
_MOST = 200


def reads(language: str, text: str) -> tuple[str, ...]:
    """Return ENVIRONMENT for code that reads all variables, VARIABLE for one with a secret, CREDENTIAL for settings."""
    found: dict[str, None] = {}
    for name in _NAMES.get(language, ()):
        at = -1
        for _ in range(_MOST):
            at = text.find(name, at + 1)
            if at < 0:
                break
            if at and (text[at - 1].isalnum() or text[at - 1] in "_."):
                continue
            if origin := _looked_at(text, at, at + len(name)):
                found[origin] = None
    if any(_of_framework(text, name) for name in _FRAMEWORKS.get(language, ())):
        found[CREDENTIAL] = None
    return tuple(found)


def _of_framework(text: str, name: str) -> bool:
    """Tell if code reads secrets among a framework's settings: all of them, or one named like a secret."""
    at = -1
    for _ in range(_MOST):
        at = text.find(name, at + 1)
        if at < 0:
            return False
        end = at + len(name)
        if (at and (text[at - 1].isalnum() or text[at - 1] in "_>$")) or text[end : end + 1].isalnum():
            continue
        if any(part in name for part in _WHOLLY_SECRET):
            return True
        behind = text[end : end + 80].replace('"', "'").replace("get(", "(", 1)
        whole = behind.startswith(("()", ")")) and name != "settings"
        if whole or (behind[:1] in ".[(" and behind and _is_secret(behind[1:])):
            return True
    return False


def _is_secret(text: str) -> bool:
    """Tell if the key at the start is named like a secret: `SECRET_KEY`, `'app.key'`, `'database.default'`."""
    text = text.lstrip("[( '")
    end = next((at for at, character in enumerate(text) if not (character.isalnum() or character in "_.-")), len(text))
    key = text[:end].replace("-", "_").upper()
    return any(is_secretive(part) for part in key.split(".")) or key in (
        "APP.KEY",
        "DATABASES",
        "DATABASE",
        "HASH_SALT",
    )


def _looked_at(text: str, start: int, end: int) -> str:
    """Return what is read of the environment at its name: ENVIRONMENT, VARIABLE, or "" where no secret is."""
    if text[end : end + 1].isalnum() or text[end : end + 1] == "_":
        return ""
    before = "".join(text[max(start - 40, 0) : start].split())
    if before.endswith(_HANDED_ON):
        return ""
    rest = text[end : end + 80].lstrip()
    if rest[:1] == "(" and text[start:end] not in ("getenv", "os.getenv", "Sys.getenv", "Deno.env.toObject"):
        rest = rest[1:]
    one = ""
    if rest[:1] in "[{(" and rest:
        one = _name(rest[1:])
    elif rest[:1] in (".", "?"):
        member = _name(rest.lstrip("?."))
        one = _name(rest.partition("(")[2]) if member in _ONE else member if member.isupper() else ""
        if member in _ONE and not one:
            return ""
    if one:
        return VARIABLE if is_secretive(one) else ""
    # `"NAME" in environ` asks for one variable.
    return "" if before.endswith(('"in', "'in")) else ENVIRONMENT


def _name(text: str) -> str:
    """Return the name at the start of a text, quotes and blanks before it left out."""
    text = text.lstrip(" \t'\"`\\:")
    end = next((at for at, character in enumerate(text) if not (character.isalnum() or character in "_?")), len(text))
    return text[:end] if text[:end] in _ONE else text[:end].rstrip("?")

"""Paths as PowerShell resolves them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST = 4096
"""Longest path in characters; no system has longer ones."""
_NULL = ("$null", "nul", "con", "/dev/null")


def resolve(text: str, cwd: str | None, home: str) -> tuple[str, bool] | None:
    """Return the path with `/` as separator, absolute where `cwd` and `home` are, and if it is certain.

    None for a path that is no file: a registry key, a variable drive, an address, the null device.
    """
    if len(text) > LONGEST:
        return text[:LONGEST], False
    path = text.strip().replace("\\", "/")
    provider, colons, rest = path.partition("::")
    if colons:
        if not provider.lower().endswith("filesystem"):
            return None
        path = rest
    if path.lower().startswith("file:///"):
        path = path[8 if path[9:10] == ":" else 7 :]
    drive, colon, rest = path.partition(":")
    if not path or path.lower() in _NULL or (colon and (len(drive) > 1 and "/" not in drive)):
        return None
    if path == "~" or path.startswith("~/"):
        path = home.replace("\\", "/") + path[1:]
    elif colon and len(drive) == 1:
        return normal(path if rest.startswith("/") else f"{drive}:/{rest}"), True
    elif not path.startswith("/"):
        if cwd is None:
            return normal(path), False
        path = f"{cwd}/{path}" if cwd else path
    return normal(path.replace("\\", "/")), True


def normal(path: str) -> str:
    """Return the path without `.`, `..` and doubled `/`."""
    root = "//" if path.startswith("//") and path[2:3] not in ("/", "") else "/" if path.startswith("/") else ""
    if path[1:3] == ":/":
        root = path[:3]
    parts: list[str] = []
    for part in path[len(root) :].split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", ".") and not (part == ".." and root):
            parts.append(part)
    return root + "/".join(parts) or "."


# Variables of Windows, for hooks that run on other systems or without the environment.
_WINDOWS = {
    "systemdrive": "C:",
    "systemroot": "C:\\Windows",
    "comspec": "C:\\Windows\\System32\\cmd.exe",
    "windir": "C:\\Windows",
    "programfiles": "C:\\Program Files",
    "programfiles(x86)": "C:\\Program Files (x86)",
    "programdata": "C:\\ProgramData",
    "allusersprofile": "C:\\ProgramData",
    "public": "C:\\Users\\Public",
}
_BELOW_HOME = {
    "userprofile": "",
    "home": "",
    "appdata": "\\AppData\\Roaming",
    "localappdata": "\\AppData\\Local",
}


def environment(name: str, home: str, environ: Mapping[str, str]) -> str | None:
    """Return the value of `$env:name`, None where it is unknown."""
    for other in environ:
        if other.lower() == name:
            return environ[other]
    if name in _BELOW_HOME:
        return home + _BELOW_HOME[name]
    return _WINDOWS.get(name)

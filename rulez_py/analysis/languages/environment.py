"""Whether code looks at the whole environment, or at one variable that holds a secret."""

from __future__ import annotations

from rulez_py.analysis.values import ENVIRONMENT, VARIABLE, is_secretive

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
}
"""What a language calls the environment, the longest names first."""
_ONE = ("get", "getenv", "fetch", "key?", "has_key?", "include?", "setdefault", "pop", "delete", "has", "dig")
"""What asks for one variable."""
_HANDED_ON = ("env=", "env:", "env=dict(", "env={**", "env:{...", "env:Object.assign({},")
"""How the environment is handed on to another program, blanks left out."""
_MOST = 200


def reads(language: str, text: str) -> tuple[str, ...]:
    """ENVIRONMENT where code of a language looks at all variables, VARIABLE where at one that holds a secret."""
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
    return tuple(found)


def _looked_at(text: str, start: int, end: int) -> str:
    """What of the environment is looked at where its name stands; "" where nothing of a secret is."""
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
    """The name at the start of a text, quotes and blanks before it left out."""
    text = text.lstrip(" \t'\"`\\:")
    end = next((at for at, sign in enumerate(text) if not (sign.isalnum() or sign in "_?")), len(text))
    return text[:end] if text[:end] in _ONE else text[:end].rstrip("?")

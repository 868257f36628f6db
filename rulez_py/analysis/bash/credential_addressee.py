"""Tell a secret that authenticates a request from one that the request sends away."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.values import Word

_IDENTIFIES = frozenset(
    (
        *(
            "-u",
            "--user",
            "--oauth2-bearer",
            "-a",
            "--auth",
            "--password",
            "--http-password",
            "--http-user",
            "--bearer",
        ),
        *("-b", "--cookie", "-U", "--proxy-user", "--token", "--api-key", "--auth-token", "--pass", "--proxy-password"),
    )
)
"""Options whose value authenticates the caller."""
_DATA = ("-d", "-F", "--data", "--json", "--form", "--post-data", "--body-data", "-raw", "--raw")
"""How options begin whose value is sent."""
_ASKS = ("auth", "token", "key", "secret", "password", "passwd", "pass", "cookie", "credential", "jwt", "assertion")
"""Parts of the names of headers and fields that authenticate the caller."""
_KEYS = ("key", "api_key", "api-key", "apikey", "appid")
"""Fields of an address in which many services expect the caller's key."""


def gives_away(words: Sequence[Word], at: int) -> bool:
    """Tell if the secret in a word is sent as something else than what tells who asks."""
    text, before = words[at].text, words[at - 1].text
    name, equals, value = text.partition("=")
    if name.startswith("-") and equals:
        text, before = value, name
    elif text[:2] in ("-u", "-a", "-b", "-H", "-d", "-F") and len(text) > 2:
        text, before = text[2:], text[:2]
    if before in _IDENTIFIES:
        return False
    if "://" in text:
        return _in_address(text)
    place = _place(text)
    if before.startswith(_DATA) or before in ("-H", "--header"):
        return not _asks(text[:place])
    # A name that is asked for: `$TOKEN.example.com`.
    host = text[place:].partition("/")[0]
    return "." in host and host.rpartition(".")[2].isalpha()


def _place(text: str) -> int:
    """Return the place of an expansion in a word; the word's start where it is unknown."""
    return max(min((at for char in "$`" if (at := text.find(char)) >= 0), default=0), 0)


def _in_address(text: str) -> bool:
    start = text.index("://") + 3
    place = _place(text)
    host_ends = min((at for char in "/?#" if (at := text.find(char, start)) >= 0), default=len(text))
    user_ends = text.rfind("@", start, host_ends)
    if place < user_ends or (not place and user_ends > 0):
        return False
    field = text[:place].rpartition("?")[2].rpartition("&")[2]
    return not (field.endswith("=") and field[:-1].lower() in _KEYS and "KEY" in text[place:].upper())


def _asks(before: str) -> bool:
    """Tell if the text before a secret is the name of a field or a header that says who asks."""
    field = before.lower().replace('\\"', '"').rstrip(" \"':=").rpartition(",")[2].rpartition("&")[2]
    name = field.removesuffix("bearer").removesuffix("basic").removesuffix("token").rstrip(" \"':=") or field
    return bool(before) and (any(one in name for one in _ASKS) or field != name)

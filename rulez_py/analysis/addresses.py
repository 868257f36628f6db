"""Hosts in addresses: the one reader of `scheme://user@host:port/path`, for tools, shells and code alike.

Clients disagree about malformed addresses, and a rule about hosts must hold for each of them: every host that some
client (curl, wget, a browser, a library) would contact is among those that are found.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_WEB_SCHEMES = ("http", "https", "ws", "wss", "ftp")
"""Schemes after which clients do not insist on two slashes."""
_NO_HOST = ("file", "data", "mailto", "javascript", "about", "blob")
_ENDS = "/?#"
_ENDS_FOR_SOME = ("\\", ";")
"""Browsers end a host at a backslash, wget at a semicolon; for others these belong to a name or a password."""
_ENDS_IN_TEXT = frozenset("/\\?#\"'<>|`, \t\r\n)")
_IN_NO_HOST = frozenset("$` *'\"<>|(){},=;\\^&!~")
"""What no host has: a name with one of these is not known, or none."""
# Line breaks, tabs and the characters Unicode lets be ignored, as soft hyphens.
_IGNORED = dict.fromkeys(map(ord, "\t\r\n\u00ad\u034f\u200b\u200c\u200d\u2060\ufeff"))
_BLANKS = "".join(map(chr, range(33)))
_OTHER_DOTS = ("\u3002", "\uff0e", "\uff61")


def hosts_in(*texts: str) -> tuple[str, ...]:
    """Return the host of every URL in any of these texts: lower case, no user, port or final dot.

    A URL is `scheme://host`; with a web scheme also what a browser takes for that: `https:/host`, `https:\\host`.
    """
    found: dict[str, None] = {}
    for text in texts:
        found.update(dict.fromkeys(_of_whole(text)))
        at = text.find(":")
        while at >= 0:
            start = at + 1
            while text[start : start + 1] in ("/", "\\"):
                start += 1
            slashes = text[at + 1 : start]
            if slashes == "//" or (slashes and text[max(at - 5, 0) : at].lower().endswith(_WEB_SCHEMES)):
                end = start
                while end < len(text) and text[end] not in _ENDS_IN_TEXT:
                    end += 1
                found.update(dict.fromkeys(_of_authority(text[start:end])))
            at = text.find(":", start)
    return tuple(found)


def _of_whole(text: str) -> Iterator[str]:
    """Yield the hosts where the whole text is one web address, as browsers and HTTP clients read it."""
    rest = _behind_scheme(_cleaned(text), _WEB_SCHEMES)
    for host in () if rest is None else _of_rest(rest):
        if not any(map(str.isspace, host)):
            yield host


def percent_decoded(text: str) -> str:
    """Return the text with `%41` and its like decoded."""
    if "%" not in text:
        return text
    head, *rest = text.encode("utf-8", "surrogatepass").split(b"%")
    for piece in rest:
        try:
            head += bytes([int(piece[:2], 16)]) + piece[2:]
        except ValueError:
            head += b"%" + piece
    return head.decode("utf-8", "replace")


def hosts_of_url(url: str) -> tuple[str, ...]:
    """Return the hosts that clients contact for a URL; none where it has no scheme or they are not known."""
    rest = _behind_scheme(_cleaned(url))
    return () if rest is None else _known(_of_rest(rest))


def hosts_of(address: str) -> tuple[str, ...]:
    """Return the hosts for a URL, or for an address without a scheme: `user@host:port/path`, `host:path`, a name."""
    address = _cleaned(address)
    rest = _behind_scheme(address)
    if rest is None:
        scheme = address.partition(":")[0].lower()
        if scheme in _NO_HOST and ":" in address:
            return ()
        return _known(_of_rest(address.removeprefix("//")))
    return _known(_of_rest(rest))


def names_its_host(address: str) -> bool:
    """Tell whether an address that is partly unknown (`https://example.com/$PATH`) names its host for certain.

    A port that is one variable is nothing else, as in `localhost:$PORT`.
    """
    rest = _behind_scheme(_cleaned(address))
    authority = _cleaned(address) if rest is None else rest
    for end in "/\\?#":
        authority = authority.partition(end)[0]
    host, _, port = authority.partition(":")
    name = port.removeprefix("$").removeprefix("{").removesuffix("}")
    return _UNKNOWN.isdisjoint(authority) or (_UNKNOWN.isdisjoint(host) and port[:1] == "$" and name.isidentifier())


_UNKNOWN = frozenset("$`<>*?[{")
"""What begins something unknown in a word, as it was written."""


def _known(hosts: Iterator[str]) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            host
            for host in hosts
            if host[0] != "-" and _IN_NO_HOST.isdisjoint(host) and not any(map(str.isspace, host))
        )
    )


def _cleaned(address: str) -> str:
    return address.strip(_BLANKS).translate(_IGNORED)


def _behind_scheme(address: str, schemes: tuple[str, ...] = ()) -> str | None:
    """Return what follows `scheme://`, with a web scheme also `scheme:/` or `scheme:`.

    None where there is no scheme.
    """
    scheme, colon, rest = address.partition(":")
    scheme = scheme.lower()
    if not colon or scheme in _NO_HOST or (schemes and scheme not in schemes):
        return None
    if scheme in _WEB_SCHEMES:
        # A number after the colon is a port of a machine with that name.
        return (
            None
            if rest[:5].isdecimal() and not rest.startswith(("/", "\\")) and "." not in rest
            else rest.lstrip("/\\")
        )
    return rest.lstrip("/") if rest.startswith("//") and scheme.strip("+-.").isascii() else None


def _of_rest(rest: str) -> Iterator[str]:
    """Yield the hosts of what follows the scheme, by each reading of where the host ends."""
    for end in _ENDS:
        rest = rest.partition(end)[0]
    yield from _of_authority(rest)
    for end in _ENDS_FOR_SOME:
        before, found, _ = rest.partition(end)
        if found:
            yield from _of_authority(before)


def _of_authority(authority: str) -> Iterator[str]:
    """Yield the host of `user:password@host:port`: as it is written, and as the address that numbers mean."""
    host = authority.rpartition("@")[2]
    if host.startswith("["):
        inside = host[1:].partition("]")[0].lower().partition("%")[0]
        yield from dict.fromkeys(one for one in (inside, *_of_ipv6(inside)) if one)
        return
    host = _plain(host.partition(":")[0])
    if host:
        yield host
        number = _ipv4(host)
        if number and number != host:
            yield number


def _plain(host: str) -> str:
    """Return the host as the network will see it: percent escapes decoded, look-alike letters and dots made plain."""
    host = percent_decoded(host)
    if not host.isascii():
        import unicodedata

        for dot in _OTHER_DOTS:
            host = host.replace(dot, ".")
        host = unicodedata.normalize("NFKC", host).translate(_IGNORED).replace(_OTHER_DOTS[0], ".")
    return host.rstrip(".").lower()


def _ipv4(host: str) -> str:
    """Return the dotted address that `2130706433`, `0x7f.1` or `0177.0.0.1` is to clients; "" for a name."""
    parts = host.split(".")
    if len(parts) > 4 or not host[0].isdecimal():
        return ""
    numbers: list[int] = []
    for part in parts:
        octal = len(part) > 1 and part[0] == "0"
        hexadecimal = part.startswith("0x")
        if not part.isascii() or not part.isalnum() or len(part) > 20:
            return ""
        try:
            numbers.append(int(part[2:] or "0", 16) if hexadecimal else int(part, 8 if octal else 10))
        except ValueError:
            return ""
    *front, last = numbers
    if any(number > 255 for number in front) or last >= 256 ** (4 - len(front)):
        return ""
    for place, number in enumerate(front):
        last += number << (8 * (3 - place))
    return _dotted(last)


def _dotted(number: int) -> str:
    return ".".join(str(number >> shift & 255) for shift in (24, 16, 8, 0))


def _of_ipv6(text: str) -> Iterator[str]:
    """Yield an IPv6 address in its shortest form, and the IPv4 address in it."""
    before, gap, after = text.partition("::")
    head, tail = (_pieces(part) for part in (before, after))
    if head is None or tail is None or (len(head) + len(tail) != 8 and not gap) or len(head) + len(tail) > 8:
        return
    pieces = [*head, *[0] * (8 - len(head) - len(tail)), *tail]
    yield _shortest(pieces)
    if pieces[:6] in ([0, 0, 0, 0, 0, 0xFFFF], [0x64, 0xFF9B, 0, 0, 0, 0]):
        yield _dotted(pieces[6] << 16 | pieces[7])


def _pieces(text: str) -> list[int] | None:
    found: list[int] = []
    for part in text.split(":") if text else ():
        if "." in part:
            number = _ipv4(part)
            if part.count(".") != 3 or not number:
                return None
            octets = [int(octet) for octet in number.split(".")]
            found += [octets[0] << 8 | octets[1], octets[2] << 8 | octets[3]]
            continue
        try:
            found.append(int(part, 16))
        except ValueError:
            return None
        if not part.isalnum() or len(part) > 4:
            return None
    return found


def _shortest(pieces: list[int]) -> str:
    """Return the longest run of zeros left out (RFC 5952)."""
    start = length = 0
    for at in range(8):
        run = 0
        while at + run < 8 and not pieces[at + run]:
            run += 1
        if run > max(length, 1):
            start, length = at, run
    texts = [f"{piece:x}" for piece in pieces]
    if not length:
        return ":".join(texts)
    return ":".join(texts[:start]) + "::" + ":".join(texts[start + length :])

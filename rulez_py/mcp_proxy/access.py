"""Who may speak with a proxy that listens: addresses, names in `Host`, the token. Pure but for new tokens."""

from __future__ import annotations

import hmac
import ipaddress
import secrets

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def address(text: str) -> tuple[str, int]:
    """Return the host and port of `HOST:PORT`, `[IPv6]:PORT`. Raises ValueError."""
    host, colon, port = text.rpartition(":")
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if not colon or not bare or (":" in bare and bare == host) or not (port.isascii() and port.isdigit()):
        raise ValueError(f"`{text}` is not HOST:PORT, such as 127.0.0.1:8333")
    if int(port) > 65_535:
        raise ValueError(f"`{port}` is not a port: 0 to 65535")
    return bare, int(port)


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches an address. A name may mean another one tomorrow, but for `localhost`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def hosts(host: str, port: int) -> list[str]:
    """Return the values of `Host` by which a client means this proxy; a page of another name means to rebind it."""
    own = f"[{host}]" if ":" in host else host
    names = dict.fromkeys((own, *_LOOPBACK) if is_loopback(host) else (own,))
    return [f"{name}:{port}" for name in names] + (list(names) if port == 80 else [])


def new_token() -> str:
    """Return a new token, 256 bits of chance."""
    return secrets.token_urlsafe(32)


def token_of(text: str) -> str:
    """Return the token that a person has written down. Raises ValueError where no header can carry it."""
    token = text.strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise ValueError("a token is one word of ASCII characters")
    return token


def bears(authorization: str | None, token: str) -> bool:
    """Tell whether a request has the token. It takes the same time whichever characters are wrong."""
    scheme, _, given = (authorization or "").partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), token.encode())

"""Who may speak with a proxy that listens."""

from __future__ import annotations

import pytest

from rulez_py.mcp_proxy import access


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("127.0.0.1:8333", ("127.0.0.1", 8333)),
        ("localhost:0", ("localhost", 0)),
        ("[::1]:8333", ("::1", 8333)),
        ("h:²", None),
        *((text, None) for text in ("8333", ":8333", "::1", "::1:80", "host:", "host:x", "host:-1", "host:65536")),
    ],
)
def test_addresses(text: str, expected: tuple[str, int] | None) -> None:
    if expected is None:
        with pytest.raises(ValueError):
            access.address(text)
    else:
        assert access.address(text) == expected


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        *((host, True) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost", "LocalHost")),
        *((host, False) for host in ("0.0.0.0", "::", "10.0.0.1", "example.com", "localhost.example.com", "127.1")),
    ],
)
def test_only_this_machine_reaches_loopback(host: str, expected: bool) -> None:
    assert access.is_loopback(host) is expected


@pytest.mark.parametrize(
    ("host", "port", "expected"),
    [
        ("127.0.0.1", 8333, ["127.0.0.1:8333", "localhost:8333", "[::1]:8333"]),
        ("::1", 1, ["[::1]:1", "127.0.0.1:1", "localhost:1"]),
        ("10.0.0.1", 8333, ["10.0.0.1:8333"]),
        ("10.0.0.1", 80, ["10.0.0.1:80", "10.0.0.1"]),
    ],
)
def test_names_that_mean_the_proxy(host: str, port: int, expected: list[str]) -> None:
    assert access.hosts(host, port) == expected


@pytest.mark.parametrize(
    ("authorization", "expected"),
    [
        *((text, True) for text in ("Bearer abc", "bearer abc", "BEARER  abc ")),
        *((text, False) for text in (None, "", "abc", "Bearer", "Bearer ", "Bearer abcd", "Basic abc", "Bearer abé")),
    ],
)
def test_the_token(authorization: str | None, expected: bool) -> None:
    assert access.bears(authorization, "abc") is expected


def test_tokens_are_new_and_can_be_sent() -> None:
    new = access.new_token()
    assert new != access.new_token()
    assert access.token_of(f" {new}\n") == new
    for text in ("", " ", "a b", "a\nb", "é"):
        with pytest.raises(ValueError):
            access.token_of(text)

"""Hosts in addresses: whom some client would contact. WebFetch, MCP tools, shells and code read them here."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulez_py.analysis import analyse
from rulez_py.analysis.addresses import hosts_in, hosts_of, hosts_of_url

URLS = [
    pytest.param("https://example.com/path?q=1#x", ["example.com"], id="plain"),
    pytest.param("HTTPS://EXAMPLE.COM", ["example.com"], id="capitals"),
    pytest.param("https://example.com./x", ["example.com"], id="a final dot"),
    pytest.param("https://user:pass@example.com:8443/", ["example.com"], id="a user and a port"),
    pytest.param("https://good.example@evil.example/", ["evil.example"], id="a user that looks like a host"),
    pytest.param("https://a@good.example@evil.example/", ["evil.example"], id="two users"),
    pytest.param("ssh://git@host.example/repo", ["host.example"], id="another scheme"),
    pytest.param("git+ssh://host.example/repo", ["host.example"], id="two schemes in one"),
    pytest.param("https:/evil.example/x", ["evil.example"], id="one slash"),
    pytest.param("https:evil.example/x", ["evil.example"], id="no slash"),
    pytest.param("https:///evil.example/x", ["evil.example"], id="three slashes"),
    pytest.param("https:\\\\evil.example", ["evil.example"], id="backslashes"),
    pytest.param("  https://evil.example", ["evil.example"], id="blanks before"),
    pytest.param("https://evil.exa\nmple/", ["evil.example"], id="a line break, which browsers leave out"),
    pytest.param("https://%65vil.example/", ["evil.example"], id="percent signs"),
    pytest.param("https://127.0.0.%31/", ["127.0.0.1"], id="percent signs in numbers"),
    pytest.param("https://100%.example/", ["100%.example"], id="a percent sign that is none"),
    pytest.param("https://evil\uff0eexample/", ["evil.example"], id="a wide dot"),
    pytest.param("https://evil\u3002example/", ["evil.example"], id="an ideographic dot"),
    pytest.param("https://evil\uff61example/", ["evil.example"], id="a half-width dot"),
    pytest.param("https://%E3%80%82evil%E3%80%82example/", [".evil.example"], id="a dot in percent signs"),
    pytest.param("https://\uff45vil.example/", ["evil.example"], id="a wide letter"),
    pytest.param("https://ev\u00adil.example/", ["evil.example"], id="a soft hyphen"),
    pytest.param("https://b\u00fccher.example/", ["b\u00fccher.example"], id="another alphabet"),
    pytest.param("https://[2001:DB8::1]:8080/", ["2001:db8::1"], id="IPv6"),
    pytest.param("https://[2001:db8:0:0:0:0:0:1]/", ["2001:db8:0:0:0:0:0:1", "2001:db8::1"], id="IPv6 at length"),
    pytest.param("https://[2001:db8:1:2:3:4:5:6]/", ["2001:db8:1:2:3:4:5:6"], id="IPv6 without zeros"),
    pytest.param("https://[fe80::1%25eth0]/", ["fe80::1"], id="IPv6 with a zone"),
    pytest.param("https://[::ffff:10.0.0.1]/", ["::ffff:10.0.0.1", "::ffff:a00:1", "10.0.0.1"], id="IPv4 in IPv6"),
    pytest.param("https://2130706433/", ["2130706433", "127.0.0.1"], id="one number"),
    pytest.param("https://0x7f.1/", ["0x7f.1", "127.0.0.1"], id="two numbers"),
    pytest.param("https://0177.0.0.01/", ["0177.0.0.01", "127.0.0.1"], id="octal"),
    pytest.param("https://0x7F000001/", ["0x7f000001", "127.0.0.1"], id="hexadecimal"),
    pytest.param("https://127.0.0.256/", ["127.0.0.256"], id="numbers that are no address"),
    pytest.param("https://1.2.3.4.5/", ["1.2.3.4.5"], id="too many numbers"),
    # Where clients differ, each of them counts.
    pytest.param("https://evil.example\\@good.example/", ["good.example", "evil.example"], id="curl and browsers"),
    pytest.param("https://evil.example;@good.example/", ["good.example", "evil.example"], id="curl and wget"),
    pytest.param("https://good.example#@evil.example/", ["good.example"], id="a fragment"),
    pytest.param("https://", [], id="nobody"),
    pytest.param("file:///etc/passwd", [], id="a file"),
    pytest.param("mailto:me@example.com", [], id="an address of mail"),
]


@pytest.mark.parametrize(("url", "hosts"), URLS)
def test_the_hosts_of_a_url(url: str, hosts: list[str]) -> None:
    assert list(hosts_of_url(url)) == hosts
    assert list(hosts_of(url)) == hosts


@pytest.mark.parametrize(("url", "hosts"), URLS)
def test_a_tool_that_is_given_a_url_contacts_the_same_hosts(url: str, hosts: list[str]) -> None:
    assert set(hosts_in(url)) >= set(hosts)


@pytest.mark.parametrize(
    ("address", "hosts"),
    [
        ("example.com", ["example.com"]),
        ("example.com:8080/x", ["example.com"]),
        ("EXAMPLE.com.", ["example.com"]),
        ("//example.com/x", ["example.com"]),
        ("git@example.com:a/b.git", ["example.com"]),
        ("ev%69l.com/x", ["evil.com"]),
        ("2130706433", ["2130706433", "127.0.0.1"]),
        ("localhost:3000", ["localhost"]),
        ("http:8080", ["http"]),
        ("/etc/passwd", []),
        ("-x", []),
        ("", []),
        ("https://User:Secret@Example.COM:8080/x?y#z", ["example.com"]),
        ("http://[::1]:80/", ["::1"]),
        ("https://example.com/$ID", ["example.com"]),
        ("$HOST", []),
        ("https://$HOST/x", []),
        ("evil.com$X", []),
        ("{a,b}.example", []),
    ],
)
def test_an_address_may_stand_without_a_scheme(address: str, hosts: list[str]) -> None:
    assert list(hosts_of(address)) == hosts


@pytest.mark.parametrize("text", ["example.com", "/api/items", "api/items", "C:\\x", "x:y", "$URL"])
def test_a_text_without_a_scheme_is_no_url(text: str) -> None:
    assert hosts_of_url(text) == ()


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        ("see https://a.example and http://b.example.", ["a.example", "b.example"]),
        ("<https://a.example>, (https://b.example)", ["a.example", "b.example"]),
        ("C:\\Users\\me and C:/Users/me", []),
        ("https:// nothing", []),
        ("https://github.example'@evil.example/", ["evil.example", "github.example"]),
        ("https://github.example)@evil.example/", ["evil.example", "github.example"]),
        ("https:/\t/ev\til.example/x", ["evil.example"]),
        ("https://ev\u00adil.example/", ["evil.example"]),
        ("  https://a.example:8443/@b.example", ["a.example"]),
        ("no host: here", []),
        ("", []),
    ],
)
def test_every_url_in_a_text_counts(text: str, hosts: list[str]) -> None:
    assert list(hosts_in(text)) == hosts


def test_each_host_of_several_texts_is_found_once() -> None:
    assert hosts_in("https://a.example/", "https://b.example/", "read http://a.example") == ("a.example", "b.example")


@settings(deadline=None)
@given(st.text())
def test_any_text_can_be_searched_for_hosts(text: str) -> None:
    assert all(hosts_in(text))
    assert "planted.example" in hosts_in(f"{text} https://planted.example/ {text}")


# How each way of contacting a host names a URL: a shell command, PowerShell, or the input of a tool.
COMMANDS = [
    "curl -s @",
    "curl --url @",
    "wget -q @",
    "git clone @",
    "python3 -c 'import urllib.request; urllib.request.urlopen(\"@\")'",
    "node -e 'fetch(\"@\")'",
    "pwsh -Command 'Invoke-WebRequest -Uri @'",
]
SPELLINGS = [
    "https://evil.example/x",
    "https://EVIL.example./x",
    "https://ev%69l.example/x",
    "https://evil\u3002example/x",
    "https://me:secret@evil.example:8443/x",
    "https:/evil.example/x",
    "https://evil.example\\@good.example/x",
]


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_contacts_the_host_however_it_is_spelled(command: str, spelling: str) -> None:
    written = spelling.replace("\\", "\\\\") if '"' in command else spelling
    line = command.replace("@", written if "'" in command else f"'{written}'", 1)
    commands = analyse(line, cwd="/p", home="/home/me", environ={})
    assert "evil.example" in [host for one in commands for host in one.hosts]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_tool_contacts_the_host_however_it_is_spelled(spelling: str) -> None:
    assert "evil.example" in hosts_in(spelling)


@given(st.text())
def test_any_text_may_be_an_address(text: str) -> None:
    for host in (*hosts_of(text), *hosts_of_url(text)):
        assert host == host.lower()
        assert host == host.strip()

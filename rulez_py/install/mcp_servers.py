"""MCP servers in the agents' settings: put behind `rulez mcp-proxy`, and back in front of it, in place.

The new command has the old one at its end, so nothing else is needed to give it back. The file as it was before is kept
for the spelling: with it every byte is what it was.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rulez_py.install import files, jsonc
from rulez_py.install.installed import decoded
from rulez_py.install.places import PROJECT, USER, home, hooks
from rulez_py.install.plan import Change, Plan, Refused, current, kept_text, store, text_of
from rulez_py.platforms import adapter, part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulez_py.install.entries import Program
    from rulez_py.install.places import Machine
    from rulez_py.platforms.settings import ServerFiles

PLAIN, BEHIND, HTTP, OTHER = "not behind it", "behind the proxy", "HTTP", "unknown"
_T = TypeVar("_T")
_PROXY, _NAMED, _KEPT = "mcp-proxy", "--server", "mcp"


class Server(NamedTuple):
    """A server in an agent's settings.

    `state` is one of PLAIN, BEHIND, HTTP and OTHER; `path` leads to it in the text.
    """

    name: str
    state: str
    file: str
    path: jsonc.Path
    words: tuple[str, ...] = ()
    """Its own command, also where that is behind the proxy."""
    url: str = ""
    options: tuple[str, ...] = ()
    """Those of the proxy before it."""

    @property
    def as_installed(self) -> bool:
        """True if the proxy has the name of a server and no other option, as rulez writes it."""
        return self.state == BEHIND and len(self.options) == 2 and self.options[0] == _NAMED


def has_place(platform: str) -> bool:
    """Tell whether the agent is told of servers in a file that rulez can change."""
    return _known(platform) is not None


def servers(platform: str, scope: str, here: Machine) -> tuple[Server, ...]:
    """Return the servers that an agent is told of; a file that cannot be read has none."""
    found: list[Server] = []
    known = _known(platform)
    if known is None:
        return ()
    for file in _files(known, platform, scope, here):
        try:
            found += _servers(known, file, decoded(files.current(file) or b""))
        except (OSError, jsonc.Unreadable):
            continue
    return tuple(found)


def to_wrap(platform: str, scope: str, here: Machine, called: Program) -> Plan:
    """Return the way to an agent whose servers are behind the proxy of this program. Raises Refused."""
    changes, remarks = [], []
    known = _place(platform)
    for file, before in _there(known, platform, scope, here):
        text = text_of(file, before)
        base = after = _read(file, _updatable, known, file, text, _kept_of(file, scope, here))
        for server in _read(file, _servers, known, file, base):
            if server.state == PLAIN:
                proxy = (*called.words, _PROXY, _NAMED, server.name, "--", *server.words)
                after = _put(known, after, server.path, proxy)
            elif server.state == HTTP:
                remarks.append(
                    f"{server.name} is reached by HTTP and stays as it is: give the agent the address that "
                    f"`rulez mcp-proxy --server {server.name} --listen 127.0.0.1:PORT --to {server.url}` prints"
                )
        if _updatable(known, file, after, base) != base:
            raise Refused(file, "its other settings would not stay what they are; it is left alone, please report this")
        changes.append(Change(file, os.path.realpath(file), before, after.encode(), base != text))
    return Plan(tuple(changes), tuple(remarks))


def to_unwrap(platform: str, scope: str, here: Machine) -> Plan:
    """Return the way to an agent whose servers are started without the proxy. Raises Refused."""
    changes = []
    known = _known(platform)
    for file, before in _there(known, platform, scope, here) if known else ():
        kept = _kept_of(file, scope, here)
        after = _read(file, _unwrapped, known, file, text_of(file, before), kept)
        changes.append(Change(file, os.path.realpath(file), before, after.encode(), True))
    return Plan(tuple(changes))


def wrap(platform: str, change: Change, scope: str, here: Machine, now: float) -> str | None:
    """Puts the file there; the result is where its bytes from before are kept. Raises OSError."""
    place = _store(scope, here)
    earlier = files.record_of(place, change.real)
    # As it would be without rulez: servers that have come since the last time are in it.
    text = text_of(change.path, change.before or b"")
    without = _updatable(_place(platform), change.path, text, _kept_of(change.path, scope, here))
    backup = files.back_up(place, change.real, without.encode(), now)
    files.write(change.real, change.after or b"", change.before)
    if earlier is not None:
        files.forget(place, earlier, backup=True)
    files.keep(place, files.Record(change.real, backup, ()))
    return backup


def unwrap(change: Change, scope: str, here: Machine, now: float) -> str | None:
    """Takes the proxy out of the file; the result is where its bytes from before are kept, if any of them are lost.

    Raises OSError.
    """
    place = _store(scope, here)
    record = files.record_of(place, change.real)
    restored = record is not None and record.backup is not None and files.current(record.backup) == change.after
    backup = None if restored else files.back_up(place, change.real, change.before or b"", now)
    files.write(change.real, change.after or b"", change.before)
    if record is not None:
        files.forget(place, record, backup=True)
    return backup


def _store(scope: str, here: Machine) -> str:
    """Return the directory of what is kept, beside that of hooks: one file may have both."""
    return os.path.join(store(scope, here), _KEPT)


def _kept_of(file: str, scope: str, here: Machine) -> str | None:
    return kept_text(files.record_of(_store(scope, here), os.path.realpath(file)))


def _known(platform: str) -> ServerFiles | None:
    found: ServerFiles | None = getattr(part(platform, "settings"), "SERVERS", None)
    return found


def _place(platform: str) -> ServerFiles:
    known = _known(platform)
    if known is None:
        agent = adapter(platform).AGENT
        raise Refused("", f"{agent} has no JSON file of MCP servers; {_BY_HAND}")
    return known


_BY_HAND = "put `rulez mcp-proxy --server NAME --` before each server's command by hand"


def _files(known: ServerFiles, platform: str, scope: str, here: Machine) -> Iterator[str]:
    if scope == PROJECT:
        yield from (os.path.join(here.project, *name.split("/")) for name in known.project)
    elif scope == USER:
        own, usual = home(platform, here), os.path.join(here.own.home, *hooks(platform).home.split("/"))
        above = here.own.home if known.in_home and own == usual else own
        yield from (os.path.join(above, *name.split("/")) for name in known.user)


def _there(known: ServerFiles, platform: str, scope: str, here: Machine) -> Iterator[tuple[str, bytes]]:
    """Yield the files that are there and hold something, with their bytes. Raises Refused."""
    for file in _files(known, platform, scope, here):
        data = current(file)
        if data is not None and data.strip():
            yield file, data


def _read(file: str, does: Callable[..., _T], *arguments: object) -> _T:
    """Return what this returns of a file's text. Raises Refused."""
    try:
        return does(*arguments)
    except jsonc.Unreadable as error:
        raise Refused(file, error.message, error.at) from None


def _servers(known: ServerFiles, file: str, text: str) -> list[Server]:
    """Raises jsonc.Unreadable."""
    if not text.strip("\ufeff" + jsonc.BLANKS):
        return []
    root = jsonc.parse(text).value
    tables: list[tuple[jsonc.Path, Any]] = [((), root)]
    if known.of_projects and isinstance(root, dict) and isinstance(root.get(known.of_projects), dict):
        tables += [((known.of_projects, name), value) for name, value in root[known.of_projects].items()]
    found = []
    for path, table in tables:
        entries = table.get(known.key) if isinstance(table, dict) else None
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            found.append(_server(known, file, (*path, known.key, name), name, entry))
    return found


def _server(known: ServerFiles, file: str, path: jsonc.Path, name: str, entry: object) -> Server:
    words = _words(known, entry)
    if words is None:
        urls = (entry.get(key) for key in _URLS) if isinstance(entry, dict) else ()
        url = next((url for url in urls if isinstance(url, str)), "")
        return Server(name, HTTP if url else OTHER, file, path, url=url)
    behind = _behind(words)
    if behind is None:
        return Server(name, PLAIN, file, path, words)
    options, own = behind
    return Server(name, BEHIND, file, path, own, options=options)


_URLS = ("url", "httpUrl", "serverUrl")


def _words(known: ServerFiles, entry: object) -> tuple[str, ...] | None:
    """Return the command of a server; None where it has none that could be started."""
    command = entry.get("command") if isinstance(entry, dict) else None
    if known.whole:
        words = command
    else:
        more = entry.get("args", []) if isinstance(entry, dict) else []
        words = [command, *more] if isinstance(more, list) else None
    if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words) or not words[0]:
        return None
    return tuple(words)


def _behind(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the options of rulez' proxy and the command behind it; None where it is not before it."""
    proxy = words.index(_PROXY) if _PROXY in words else 0
    if not any("rulez" in word for word in words[:proxy]):
        return None
    after = words[proxy + 1 :]
    end = after.index("--") if "--" in after[:-1] else len(after)
    return after[:end], after[end + 1 :]


def _put(known: ServerFiles, text: str, path: jsonc.Path, words: tuple[str, ...]) -> str:
    """Return the text with another command of a server."""
    if known.whole:
        return jsonc.replaced(text, (*path, "command"), list(words))
    text = jsonc.replaced(text, (*path, "command"), words[0])
    if jsonc.at(jsonc.parse(text), (*path, "args")) is None:
        return jsonc.added(text, path, list(words[1:]), "args") if words[1:] else text
    return jsonc.replaced(text, (*path, "args"), list(words[1:]))


def _updatable(known: ServerFiles, file: str, text: str, kept: str | None) -> str:
    """Return the text without the proxy where rulez may write another: what a person has said by options stays.

    Raises jsonc.Unreadable.
    """
    return _unwrapped(known, file, text, kept, named=True)


def _unwrapped(known: ServerFiles, file: str, text: str, kept: str | None, *, named: bool = False) -> str:
    """Return the text without the proxy: each command as it was spelled, where that is kept.

    With `named`, only where the proxy has the name that the server has in the settings. Raises jsonc.Unreadable.
    """
    before = {server.path: server for server in _servers(known, file, kept)} if kept is not None else {}
    for server in _servers(known, file, text):
        if not server.as_installed or not server.words or (named and server.options[1] != server.name):
            continue
        was = before.get(server.path)
        if kept is not None and was is not None and (was.state, was.words) == (PLAIN, server.words):
            text = _spelled(known, text, server.path, kept)
        elif known.whole or server.words[1:]:
            text = _put(known, text, server.path, server.words)
        else:
            text = jsonc.removed(_put(known, text, server.path, server.words), (*server.path, "args"))
    return text


def _spelled(known: ServerFiles, text: str, path: jsonc.Path, kept: str) -> str:
    """Return the text with a server's command in the very characters of another text."""
    for key in ("command",) if known.whole else ("command", "args"):
        there, then = jsonc.at(jsonc.parse(text), (*path, key)), jsonc.at(jsonc.parse(kept), (*path, key))
        if there is not None and then is None:
            text = jsonc.removed(text, (*path, key))
        elif there is not None and then is not None:
            text = text[: there.start] + kept[then.start : then.end] + text[there.end :]
    return text

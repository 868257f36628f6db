"""MCP servers in the agents' settings: put behind `rulez mcp-proxy`, and back in front of it, in place.

`forms` edits the settings in the form that the agent reads. The new command has the old one at its end, so nothing else
is needed to give it back. The file as it was before is kept for the spelling: with it every byte is what it was.
"""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rulez_py.install import files, jsonc
from rulez_py.install.forms import FORMS
from rulez_py.install.installed import decoded
from rulez_py.install.places import PROJECT, USER, home, hooks
from rulez_py.install.plan import Change, Plan, Refused, current, kept_text, store, text_of
from rulez_py.platforms import adapter, part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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
            found += _servers(known, decoded(files.current(file) or b""), file)
        except (OSError, jsonc.Unreadable):
            continue
    return tuple(found)


def to_wrap(platform: str, scope: str, here: Machine, called: Program) -> Plan:
    """Return the way to an agent whose servers are behind the proxy of this program. Raises Refused."""
    changes, remarks = [], []
    known = _place(platform)
    for file, before in _there(known, platform, scope, here):
        text = text_of(file, before)
        base = _read(file, _updatable, known, text, _kept_of(file, scope, here))
        after = _read(file, with_proxy, known, base, called)
        for server in _read(file, _servers, known, base):
            if server.state == HTTP:
                remarks.append(
                    f"{server.name} is reached by HTTP and stays as it is: give the agent the address that "
                    f"`rulez mcp-proxy --server {server.name} --listen 127.0.0.1:PORT --to {server.url}` prints"
                )
            elif _needs_agent(known, server):
                remarks.append(f"{server.name} stays as it is: write the whole path in place of `~` in its command")
        if _read(file, _updatable, known, after, base) != base:
            raise Refused(file, "its other settings would not stay what they are; it is left alone, please report this")
        changes.append(Change(file, os.path.realpath(file), before, after.encode(), base != text))
    return Plan(tuple(changes), tuple(remarks))


def to_unwrap(platform: str, scope: str, here: Machine) -> Plan:
    """Return the way to an agent whose servers are started without the proxy. Raises Refused."""
    changes = []
    known = _known(platform)
    for file, before in _there(known, platform, scope, here) if known else ():
        kept = _kept_of(file, scope, here)
        after = _read(file, without_proxy, known, text_of(file, before), kept)
        changes.append(Change(file, os.path.realpath(file), before, after.encode(), True))
    return Plan(tuple(changes))


def wrap(platform: str, change: Change, scope: str, here: Machine, now: float) -> str | None:
    """Puts the file there; the result is where its bytes from before are kept. Raises OSError."""
    place = _store(scope, here)
    earlier = files.record_of(place, change.real)
    # As it would be without rulez: servers that have come since the last time are in it.
    text = text_of(change.path, change.before or b"")
    without = _updatable(_place(platform), text, _kept_of(change.path, scope, here))
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
        raise Refused("", f"{agent} has no file of MCP servers that rulez can change; {_BY_HAND}")
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


def _servers(known: ServerFiles, text: str, file: str = "") -> list[Server]:
    """Raises jsonc.Unreadable."""
    if not text.strip("\ufeff" + jsonc.BLANKS):
        return []
    root = FORMS[known.form].value(text)
    tables: list[tuple[jsonc.Path, Any]] = [((), root)]
    if known.of_projects and isinstance(root, dict) and isinstance(root.get(known.of_projects), dict):
        tables += [((known.of_projects, name), value) for name, value in root[known.of_projects].items()]
    found = []
    for path, table in tables:
        entries = table.get(known.key) if isinstance(table, dict) else None
        for key, name, entry in _named(entries):
            found.append(_server(known, file, (*path, known.key, key), name, entry))
    return found


def _named(entries: object) -> Iterator[tuple[Any, str, object]]:
    """Yield each entry of a map or list of servers: its key or number, its name, and what it says."""
    if isinstance(entries, dict):
        for key, entry in entries.items():
            yield key, str(key), entry
    for number, entry in enumerate(entries if isinstance(entries, list) else ()):
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(name, str):
            yield number, name, entry


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
_COMMAND, _ARGS = "command", "args"
_MERGED = "<<"
"""The key of YAML by which an entry has more than what is written in it."""


def _words(known: ServerFiles, entry: object) -> tuple[str, ...] | None:
    """Return the command of a server; None where it has none that could be started."""
    if not isinstance(entry, dict) or _MERGED in entry:
        return None
    command, more = entry.get(_COMMAND), [] if known.whole else entry.get(_ARGS, [])
    if isinstance(command, str) and not known.whole:
        # One without words has its program in `args`, one that cannot be split has none.
        command = _split(command) if known.split else [command]
    elif not known.whole and not known.split:
        return None
    words = [*command, *more] if isinstance(command, list) and isinstance(more, list) else []
    if not words or not all(isinstance(word, str) for word in words) or not words[0]:
        return None
    return tuple(words)


def _split(command: str) -> list[str] | None:
    """Return the words of a command as a shell has them; None where a quote has no end."""
    words = shlex.shlex(command, posix=True)
    words.whitespace_split, words.commenters = True, ""
    if sys.platform == "win32":
        words.escape = ""  # A backslash is part of a path.
    try:
        return list(words)
    except ValueError:
        return None


def _behind(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the options of rulez' proxy and the command behind it; None where it is not before it."""
    proxy = words.index(_PROXY) if _PROXY in words else 0
    if not any("rulez" in word for word in words[:proxy]):
        return None
    after = words[proxy + 1 :]
    first = 2 if after[:1] == (_NAMED,) else 0  # A server may be called `--`.
    end = after.index("--", first) if "--" in after[first:-1] else len(after)
    return after[:end], after[end + 1 :]


class _Wish(NamedTuple):
    """A server that shall have another command; with `was`, in the very characters of that one in the text `kept`."""

    server: Server
    words: tuple[str, ...]
    kept: str = ""
    was: Server | None = None


_Edit = tuple[int, int, str]
"""From where to where a text gets other characters, and which."""


def _changed(known: ServerFiles, text: str, wishes: list[_Wish]) -> str:
    """Return the text with other commands of these servers, and nothing else changed. Raises jsonc.Unreadable."""
    # Reading a large file takes long: most servers are changed at once, and the file is read once.
    at_once = [wish for wish in wishes if not _args_come_or_go(known, text, wish)]
    new = _with_values(text, [edit for wish in at_once for edit in _edits(known, text, wish)])
    if len(at_once) > 1 and _are_alone(known, text, new, at_once):
        text, wishes = new, [wish for wish in wishes if wish not in at_once]
    for wish in wishes:
        text = _changed_alone(known, text, wish)
    return text


def _changed_alone(known: ServerFiles, text: str, wish: _Wish) -> str:
    """Return the same for one server. Raises jsonc.Unreadable."""
    form, (command, args) = FORMS[known.form], _paths(wish.server)
    new = _with_values(text, _edits(known, text, wish))
    if _args_come_or_go(known, text, wish):
        there = form.span(new, args) is not None
        new = form.removed(new, args) if there else form.added_beside(new, command, _ARGS, list(wish.words[1:]))
    if _are_alone(known, text, new, [wish]):
        return new
    if wish.was is not None:  # Its characters from then do not fit here.
        return _changed_alone(known, text, _Wish(wish.server, wish.words))
    begin, _ = form.span(text, command) or (0, 0)
    message = f"the command of `{wish.server.name}` cannot be changed here without changing more: change it by hand"
    raise jsonc.Unreadable(text, begin, message)


def _paths(server: Server) -> tuple[jsonc.Path, jsonc.Path]:
    return (*server.path, _COMMAND), (*server.path, _ARGS)


def _args_come_or_go(known: ServerFiles, text: str, wish: _Wish) -> bool:
    """Tell whether more changes than values that are there. Raises jsonc.Unreadable."""
    if known.whole:
        return False
    form, (_, args) = FORMS[known.form], _paths(wish.server)
    there = form.span(text, args) is not None
    if wish.was is not None:
        return there and form.span(wish.kept, _paths(wish.was)[1]) is None
    return there != (len(wish.words) > 1)


def _edits(known: ServerFiles, text: str, wish: _Wish) -> Iterator[_Edit]:
    """Yield the changes of the values that are there and stay. Raises jsonc.Unreadable."""
    form, (command, args) = FORMS[known.form], _paths(wish.server)
    if wish.was is not None:
        for path, before in zip((command, args), _paths(wish.was), strict=True):
            there, then = form.span(text, path), form.span(wish.kept, before)
            if there is not None and then is not None and not (known.whole and path == args):
                yield (*there, wish.kept[slice(*then)])
        return
    values = {command: _command(known, form.value(text), wish), args: list(wish.words[1:])}
    for path, content in values.items():
        there = form.span(text, path) if content and not (known.whole and path == args) else None
        if there is not None:
            yield (*there, form.written(text, path, content))


def _command(known: ServerFiles, value: Any, wish: _Wish) -> str | list[str]:
    if known.whole:
        return list(wish.words)
    first = wish.words[0]
    is_list = isinstance(_at(value, (*wish.server.path, _COMMAND)), list)
    return [first] if is_list else shlex.quote(first) if known.split else first


def _with_values(text: str, edits: Iterable[_Edit]) -> str:
    for begin, end, new in sorted(edits, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


def _are_alone(known: ServerFiles, text: str, new: str, wishes: list[_Wish]) -> bool:
    """Tell whether the new text has these commands, and all else as it was."""
    form = FORMS[known.form]
    try:
        before, after = form.value(text), form.value(new)
        if any(_words(known, _at(after, server.path)) != words for server, words, *_ in wishes):
            return False
        for wish in wishes:
            before, after = _others(before, wish.server.path), _others(after, wish.server.path)
    except (jsonc.Unreadable, LookupError):
        return False
    return bool(before == after)


def _at(value: Any, path: jsonc.Path) -> Any:
    for name in path:
        value = value[name]
    return value


def _others(value: Any, path: jsonc.Path) -> Any:
    """Return all that settings say but the command of the server at this path."""
    if not path:
        return {key: one for key, one in value.items() if key not in (_COMMAND, _ARGS)}
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _others(value[path[0]], path[1:])
    return copy


def with_proxy(known: ServerFiles, text: str, called: Program) -> str:
    """Return the text with the proxy of this program before each command that has none. Raises jsonc.Unreadable."""
    wishes = [
        _Wish(server, (*called.words, _PROXY, _NAMED, server.name, "--", *server.words))
        for server in _servers(known, text)
        if server.state == PLAIN and not _needs_agent(known, server)
    ]
    return _changed(known, text, wishes)


def _needs_agent(known: ServerFiles, server: Server) -> bool:
    """Tell whether only the agent finds a server's program."""
    return known.tilde and server.state == PLAIN and server.words[0].startswith("~")


def _updatable(known: ServerFiles, text: str, kept: str | None) -> str:
    """Return the text without the proxy where rulez may write another: what a person has said by options stays.

    Raises jsonc.Unreadable.
    """
    return without_proxy(known, text, kept, named=True)


def without_proxy(known: ServerFiles, text: str, kept: str | None, *, named: bool = False) -> str:
    """Return the text without the proxy: each command as it was spelled, where that is kept.

    With `named`, only where the proxy has the name that the server has in the settings. Raises jsonc.Unreadable.
    """
    before = dict(_told_apart(_servers(known, kept))) if kept is not None else {}
    wishes = []
    for whose, server in _told_apart(_servers(known, text)):
        if not server.as_installed or not server.words or (named and server.options[1] != server.name):
            continue
        was = before.get(whose)
        if kept is not None and was is not None and (was.state, was.words) == (PLAIN, server.words):
            wishes.append(_Wish(server, server.words, kept, was))
        else:
            wishes.append(_Wish(server, server.words))
    return _changed(known, text, wishes)


def _told_apart(servers: list[Server]) -> Iterator[tuple[tuple[jsonc.Path, str, int], Server]]:
    """Yield each server with what tells it from others.

    Of a list that is not the number, which others can change, but how many of its name come before.
    """
    seen: dict[tuple[jsonc.Path, str], int] = {}
    for server in servers:
        whose = server.path[:-1], server.name
        seen[whose] = seen.get(whose, -1) + 1
        yield (*whose, seen[whose]), server

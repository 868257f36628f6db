"""What `docker compose up`, `run`, `create`, `start` run of a compose file: each service, as `docker run` has it.

    file    = { key ":" block }, `services` alone counts: { name ":" { key ":" value } }
    value   = scalar | "[" scalar { "," scalar } "]" | { "- " scalar } | { "- " key ":" scalar { key ":" scalar } }

The source of the keys is the Compose Specification (compose-spec.io). Of YAML it is what such files have, by the
indents of lines. What a merge key, `extends` or `include` brings from elsewhere is not read; an alias is a word that is
not known.
"""

from __future__ import annotations

from rulez_py.analysis.programs import parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Service = dict[str, list[dict[str, str]]]
    """The values of each key. A value is a map: a scalar under "", and under "text" where the key has that alone."""

_STARTS = ("up", "run", "create", "start", "restart", "watch")
"""Subcommands that run what services say."""
_OTHERS = frozenset(
    (
        *(
            "attach",
            "bridge",
            "build",
            "commit",
            "config",
            "convert",
            "cp",
            "down",
            "events",
            "exec",
            "export",
            "images",
        ),
        *(
            "kill",
            "logs",
            "ls",
            "pause",
            "port",
            "ps",
            "publish",
            "pull",
            "push",
            "rm",
            "scale",
            "stats",
            "stop",
            "top",
        ),
        *("unpause", "version", "volumes", "wait"),
    )
)
"""The other subcommands, whose words may be the name of one (`exec web npm start`)."""
_OPTIONS = {
    "pid": "--pid",
    "network_mode": "--network",
    "ipc": "--ipc",
    "userns_mode": "--userns",
    "user": "--user",
    "working_dir": "--workdir",
    "cap_add": "--cap-add",
    "security_opt": "--security-opt",
    "devices": "--device",
}
"""Keys of a service -> the option of `docker run` that says the same, for each of its values."""
_MOST_SERVICES = 100
_UNKNOWN = '"$COMPOSE"'
"""A word that the reader does not know, as a shell has it."""


def commands(text: str, words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the line, from 0, of each service that is run, and its `docker run` as shell code.

    `words` are those behind the program. Of more services than are read the rest is one unknown command.
    """
    starts = next((at for at, word in enumerate(words) if word in _STARTS or word in _OTHERS), None)
    if starts is None or words[starts] in _OTHERS:
        return
    behind = words[starts + 1 :]
    found = {name: (line, service) for name, line, service in _services(text)}
    one = next((word for word in behind if word in found), "") if words[starts] == "run" else ""
    instead = [_quoted(word) for word in behind[behind.index(one) + 1 :]] if one else []
    for number, name in enumerate(_needed([one], found) if one else found):
        line, service = found[name]
        if number == _MOST_SERVICES:
            yield line, 'eval "$COMPOSE"'
            return
        yield line, _run(service, instead if name == one else [])


def _needed(names: Sequence[str], found: Mapping[str, tuple[int, Service]]) -> list[str]:
    """Return services with all that they depend on."""
    pending, seen = list(names), dict[str, None]()
    while pending:
        name = pending.pop()
        if name in found and name not in seen:
            seen[name] = None
            pending += (one.get("", "") for one in found[name][1].get("depends_on", ()))
    return list(seen)


def _run(service: Service, instead: list[str]) -> str:
    """Return a service as `docker run`; `instead` is what runs in place of its command."""
    found = ["docker run"]
    if any(one.get("") == "true" for one in service.get("privileged", ())):
        found.append("--privileged")
    for key, option in _OPTIONS.items():
        found += (f"{option} {_quoted(one[''])}" for one in service.get(key, ()) if "" in one)
    for one in service.get("volumes", ()):
        mount = one.get("") or _mount(one)
        if mount:
            found.append(f"--volume {_place(mount)}")
    entry = _words(service.get("entrypoint", ()))
    if entry:
        found.append(f"--entrypoint {entry[0]}")
    image = next((one[""] for one in service.get("image", ()) if one.get("")), "image")
    return " ".join((*found, _quoted(image), *entry[1:], *(instead or _words(service.get("command", ())))))


def _mount(one: dict[str, str]) -> str:
    """Return a volume in its long form as `docker run` has it; "" for any other than a directory of this machine."""
    if one.get("type") != "bind" or "source" not in one:
        return ""
    only_read = ":ro" if one.get("read_only") == "true" else ""
    return f"{one['source']}:{one.get('target', '/')}{only_read}"


def _words(values: Sequence[dict[str, str]]) -> list[str]:
    """Return the words of a command: a text is split as a shell does, a list is words."""
    if len(values) == 1 and "text" in values[0]:
        return values[0]["text"].replace("$$", "\\$").split(" ")
    return [_quoted(one[""]) for one in values if "" in one]


def _place(mount: str) -> str:
    """Return a mount as a word of a shell, which fills in the home directory as compose does."""
    return f'"$HOME"{_quoted(mount[1:])}' if mount[:1] == "~" else _quoted(mount)


def _quoted(text: str) -> str:
    """Return a text as one word of a shell; `$NAME` in it is a variable, and what YAML refers to is unknown."""
    if text[:1] in ("*", "&"):
        return _UNKNOWN
    if "$" in text:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("`", "\\`").replace("$$", "\\$") + '"'
    return parts.in_quotes(text)


def _services(text: str) -> Iterator[tuple[str, int, Service]]:
    """Yield each service: its name, the line of its command or else its own, from 0, and the values of its keys."""
    name, begun, line = "", False, 0
    depth = key_depth = map_depth = -1
    key = ""
    service: Service = {}
    for number, plain, indent in _lines(text):
        if indent == 0:
            if name:
                yield name, line, service
            name, begun, depth = "", plain.startswith("services:"), -1
            continue
        if not begun:
            continue
        depth = indent if depth < 0 else depth
        if indent <= depth:
            if name:
                yield name, line, service
            name, line, service, key, key_depth = plain.partition(":")[0].strip("\"' "), number, {}, "", -1
            continue
        is_item = plain.startswith("- ")
        key_depth = indent if key_depth < 0 else key_depth
        if indent == key_depth and not is_item:
            key, _, value = plain.partition(":")
            key = key.strip("\"' ")
            service[key] = list(_values(value.strip()))
            map_depth = -1
            line = number if key in ("command", "entrypoint") else line
        elif is_item:
            service.setdefault(key, []).append(_item(plain[2:].strip()))
        elif key in service and (not service[key] or indent == map_depth):
            # A key of a map, as of `depends_on`.
            map_depth = indent
            service[key].append({"": plain.partition(":")[0].strip("\"' ")})
        elif service.get(key):
            # The next key of an item, or the rest of a text over several lines.
            inner, colon, value = plain.partition(":")
            last = service[key][-1]
            if colon and "text" not in last:
                last[inner.strip()] = _scalar(value.strip())
            else:
                last[""] = last["text"] = f"{last.get('', '')} {plain}".strip("|>-+ ")
    if name:
        yield name, line, service


def _lines(text: str) -> Iterator[tuple[int, str, int]]:
    """Yield the lines that say something, with their numbers, from 0, and indents."""
    for number, line in enumerate(text.split("\n")):
        plain = line.strip()
        if plain and plain[0] != "#" and plain != "---":
            yield number, plain, len(line) - len(line.lstrip(" "))


def _values(value: str) -> Iterator[dict[str, str]]:
    """Yield the values that stand behind a key in its line."""
    if value[:1] == "[":
        for one in _listed(value[1:]):
            yield {"": one}
    elif value:
        plain = _scalar(value)
        yield {"": plain, "text": plain}


def _item(value: str) -> dict[str, str]:
    """Return an item of a list: a scalar, or the first key of a map."""
    name, colon, rest = value.partition(": ")
    if colon and name.isidentifier():
        return {name: _scalar(rest.strip())}
    return {"": _scalar(value)}


def _listed(text: str) -> Iterator[str]:
    """Yield the scalars of a list in brackets, its first bracket left out."""
    quote, found, was_quoted = "", "", False
    for char in text:
        if char == quote:
            quote = ""
        elif quote:
            found += char
        elif char in "\"'" and not found.strip():
            quote, found, was_quoted = char, "", True
        elif char in ",]":
            if found.strip() or was_quoted:
                yield found if was_quoted else found.strip()
            found, was_quoted = "", False
            if char == "]":
                return
        elif not was_quoted:
            found += char


def _scalar(value: str) -> str:
    """Return a scalar without its quotes, or without the comment behind it."""
    if value[:1] in ("'", '"'):
        end = value.find(value[0], 1)
        inside = value[1:end] if end > 0 else value[1:]
        return inside if value[0] == "'" else inside.replace("\\n", "\n").replace('\\"', '"')
    return value.partition(" #")[0].strip()

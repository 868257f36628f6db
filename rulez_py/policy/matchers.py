"""Every matcher: does this rule look at this event? One function per matcher kind, one table.

All matchers of a rule must fit; inside one matcher's list, one entry is enough. A matcher whose field the event does
not have does not fit.
"""

from __future__ import annotations

import os

from rulez_py import tools
from rulez_py.arguments import ACCESSES, field, file_accesses, hosts_in, plain_path, strings_in, written_texts
from rulez_py.policy import globs, regex
from rulez_py.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from rulez_py.event import Event

    Matcher = Callable[[Any, "Call"], bool]


class Touched(Value):
    """One reading of a file the call touches: as the agent spelled it, and its absolute normalised path."""

    spelled: str
    path: str
    access: tuple[str, ...]


class Call:
    """An event seen by the rules of one policy layer: what matchers ask about, worked out once, when first asked.

    A `strict` call is for what weakens a policy (`except`, `allow`): where the event touches several files, hosts or
    texts, or can be read in several ways, all of them must fit instead of one.
    """

    def __init__(
        self, event: Event, root: str, home: str, real_path: Callable[[str], str], *, ignore_case: bool = False
    ) -> None:
        self.event = event
        self.ignore_case = ignore_case
        self.root = root
        self.home = home
        self.strict = False
        self._real_path = real_path
        self._known: dict[str, Any] = {}

    def strictly(self, about: Mapping[str, Any] | None = None) -> Call:
        """The strict form of this call; with `about`, a rule's matchers, only what made that rule match counts."""
        call = Call(self.event, self.root, self.home, self._real_path, ignore_case=self.ignore_case)
        call.strict = True
        call._known = dict(self._known)
        about = about or {}
        if any(kind in about for kind in _FILE_FITS):
            call._known["files"] = _concerned(about, self) or self.files
        if "content_match" in about:
            call._known["written"] = tuple(text for text in self.written if _search(about["content_match"], (text,)))
        if "domains" in about:
            call._known["hosts"] = tuple(host for host in self.hosts if _host_fits(about["domains"], host))
        if "mcp" in about:
            call._known["readings"] = tuple(pair for pair in self.readings if _mcp_fits(about["mcp"], *pair))
        elif "tools" in about:
            named = tuple(pair for pair in self.readings if _mcp_name_fits(about["tools"], *pair))
            call._known["readings"] = named or self.readings
        return call

    def _once(self, name: str, work: Callable[[], Any]) -> Any:
        if name not in self._known:
            self._known[name] = work()
        return self._known[name]

    @property
    def names(self) -> tuple[str, ...]:
        """The plain names the tool answers to."""
        event = self.event
        if event.platform_tool_name is None:
            return ()
        platform_name = event.platform_tool_name
        names: tuple[str, ...] = self._once("names", lambda: tools.rule_names(event.platform, platform_name))
        return names

    @property
    def readings(self) -> tuple[tuple[str, str], ...]:
        """Every (server, tool) the name of an MCP call may mean."""
        readings: tuple[tuple[str, str], ...] = self._once("readings", lambda: self.event.mcp)
        return readings

    @property
    def files(self) -> tuple[Touched, ...]:
        """Every file the call touches, in every reading: its path as written, and where its links lead."""

        def work() -> tuple[Touched, ...]:
            found: dict[Touched, None] = {}
            base = os.path.join(self.root, self.event.cwd or "")
            for file in file_accesses(self.event.tool_name, self.event.tool_input, self.event.own_input):
                written = joined(file.path, base, self.home)
                absolute = os.path.normpath(written)
                readings = [absolute, self._real_path(absolute)]
                if ".." in written:
                    # `link/..` is the place beside the link for some programs, beside what it points to for others.
                    readings.append(self._real_path(written))
                for path in readings:
                    found[Touched(spelled=file.path, path=slashed(path), access=file.access)] = None
            return tuple(found)

        files: tuple[Touched, ...] = self._once("files", work)
        return files

    def root_above(self, path: str) -> str:
        """The project root under the name that this path uses for it: the one it was given or where its links lead."""
        return self._name_above(path, "root", self.root)

    def home_above(self, path: str) -> str:
        """The same of the user's home."""
        return self._name_above(path, "home", self.home)

    def _name_above(self, path: str, what: str, given: str) -> str:
        names: tuple[str, str] = self._once(what, lambda: (slashed(given), slashed(self._real_path(given))))
        return names[1] if path.startswith(_inside(names[1])) and not path.startswith(_inside(names[0])) else names[0]

    @property
    def written(self) -> tuple[str, ...]:
        """Every text the call would write."""
        event = self.event
        written: tuple[str, ...] = self._once("written", lambda: written_texts(event.tool_name, event.tool_input))
        return written

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts of the URLs in the tool's own input; a shell command's are not seen here."""
        event = self.event
        hosts: tuple[str, ...] = self._once(
            "hosts", lambda: () if event.tool_name == "Bash" else hosts_in(event.own_input)
        )
        return hosts

    @property
    def command(self) -> str | None:
        """The command line; none where `command` is something else: a patch (Codex), an editor's action (Copilot)."""
        command = self.event.tool_input.get("command")
        return command if isinstance(command, str) and self.event.tool_name != "Edit" else None

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text in the tool's own input."""
        texts: tuple[str, ...] = self._once("texts", lambda: tuple(strings_in(self.event.own_input)))
        return texts

    def subject(self, name: str) -> str | None:
        """All that a kind of matcher looks at, in lower case (`index.select`); None where the event has nothing."""

        def work() -> str | None:
            if name == "mcp":
                return "" if self.readings else None
            parts = _SUBJECTS[name](self)
            if name == "files" and not os.path.isabs(self.event.cwd or ""):
                parts = parts and [""]  # Which files they are differs from rule to rule.
            return "\n".join(parts).lower() if parts else None

        subject: str | None = self._once(f"all of {name}", work)
        return subject


_SUBJECTS: dict[str, Callable[[Call], Sequence[str]]] = {
    "command": lambda call: [] if call.command is None else [call.command],
    "prompt": lambda call: [] if call.event.prompt is None else [call.event.prompt],
    "files": lambda call: [text for file in call.files for text in (file.path, file.spelled)],
    "hosts": lambda call: call.hosts,
    "written": lambda call: call.written,
    "input": lambda call: call.texts,
}


def matches(matchers: Mapping[str, Any], call: Call) -> bool:
    """Whether every matcher fits."""
    return all(MATCHERS[kind](wanted, call) for kind, wanted in matchers.items())


def joined(path: str, base: str, home: str) -> str:
    """An absolute path, not normalised; `~` and a relative start are filled in."""
    path = plain_path(path)
    if path == "~" or path.startswith(("~/", "~\\")):
        path = home + path[1:]
    return os.path.join(base, path.replace("\x00", ""))


def slashed(path: str) -> str:
    """The path with forward slashes (and a single leading one)."""
    path = path.replace(os.sep, "/")
    return path[1:] if path.startswith("//") else path


def _inside(directory: str) -> str:
    return directory.rstrip("/") + "/"


def _tools(wanted: list[str], call: Call) -> bool:
    return any(name in call.names for name in wanted) or _readings(
        call, lambda server, tool: _mcp_name_fits(wanted, server, tool)
    )


def _mcp_name_fits(wanted: list[str], server: str, tool: str) -> bool:
    return any(globs.plain(name, f"mcp__{server}__{tool}") for name in wanted if name.startswith("mcp__"))


def _mcp(wanted: list[dict[str, list[str]]], call: Call) -> bool:
    return _readings(call, lambda server, tool: _mcp_fits(wanted, server, tool))


def _mcp_fits(wanted: list[dict[str, list[str]]], server: str, tool: str) -> bool:
    return any(
        all(
            any(globs.plain(pattern, value) for pattern in entry[key])
            for key, value in (("server", server), ("tool", tool))
            if key in entry
        )
        for entry in wanted
    )


def _readings(call: Call, fits: Callable[[str, str], bool]) -> bool:
    enough = all if call.strict else any
    return bool(call.readings) and enough(fits(server, tool) for server, tool in call.readings)


def _operations(wanted: list[str], call: Call) -> bool:
    return any(kind in wanted for kind in call.event.types)


def _platforms(wanted: list[str], call: Call) -> bool:
    return call.event.platform in wanted


def _command_match(wanted: list[str], call: Call) -> bool:
    return call.command is not None and _search(wanted, (call.command,))


def _content_match(wanted: list[str], call: Call) -> bool:
    enough = all if call.strict else any
    return _known_whole(call) and bool(call.written) and enough(_search(wanted, (text,)) for text in call.written)


def _known_whole(call: Call) -> bool:
    """Whether what is seen of the call is all of it, where that counts: a shell command may touch and write more."""
    return not (call.strict and call.event.tool_name == "Bash")


def _input_match(wanted: list[str], call: Call) -> bool:
    return _search(wanted, call.texts)


def _prompt_match(wanted: dict[str, Any], call: Call) -> bool:
    prompt = call.event.prompt
    if prompt is None:
        return False
    fits = all if wanted["mode"] == "all" else any
    return fits((regex.search(p["regex"], prompt) is not None) != p["negate"] for p in wanted["patterns"])


def _extension_fits(wanted: list[str], file: Touched, _call: Call) -> bool:
    return extension(file.path) in wanted


def _directory_fits(wanted: list[str], file: Touched, call: Call) -> bool:
    # As spelled is how RuleZ reads it; `docs/../src` must not pass for `docs` where that would weaken a policy.
    candidates = [file.path] if call.strict else [file.path, file.spelled]
    root = _inside(call.root_above(file.path))
    if file.path.startswith(root):
        candidates.append(file.path[len(root) :])
    return any(globs.directory(pattern, path) for path in candidates for pattern in wanted)


def _path_fits(wanted: dict[str, list[str]], file: Touched, call: Call) -> bool:
    enough = all if call.strict else any
    if not enough(way in wanted["access"] for way in file.access):
        return False
    patterns = wanted["globs"]
    path, root, home = file.path, call.root_above(file.path), call.home_above(file.path)
    if call.ignore_case:
        patterns = [pattern.lower() for pattern in patterns]
        path, root, home = path.lower(), root.lower(), home.lower()
    return globs.any_path(patterns, path, root, home)


_FILE_FITS: dict[str, Callable[[Any, Touched, Call], bool]] = {
    "extensions": _extension_fits,
    "directories": _directory_fits,
    "paths": _path_fits,
}


def _of_files(kind: str) -> Matcher:
    def fits(wanted: Any, call: Call) -> bool:
        enough = all if call.strict else any
        files = call.files if _known_whole(call) else ()
        return bool(files) and enough(_FILE_FITS[kind](wanted, file, call) for file in files)

    return fits


def _concerned(match: Mapping[str, Any], call: Call) -> tuple[Touched, ...]:
    """The files for which all file matchers of a rule fit, each with the ways of access that rule is about."""
    kinds = [kind for kind in _FILE_FITS if kind in match]
    ways = match["paths"]["access"] if "paths" in match else ACCESSES
    return tuple(
        file.replace(access=tuple(way for way in file.access if way in ways))
        for file in call.files
        if all(_FILE_FITS[kind](match[kind], file, call) for kind in kinds)
    )


def _domains(wanted: list[str], call: Call) -> bool:
    enough = all if call.strict else any
    return bool(call.hosts) and enough(_host_fits(wanted, host) for host in call.hosts)


def _host_fits(wanted: list[str], host: str) -> bool:
    return any(globs.plain(_bare(pattern), host) for pattern in wanted)


def _bare(domain: str) -> str:
    """A domain pattern without what no host is compared with: capitals, a final dot, an IPv6 address's brackets."""
    domain = domain.lower().rstrip(".")
    return domain[1:-1] if domain.startswith("[") and domain.endswith("]") and ":" in domain else domain


def _require_fields(wanted: list[str], call: Call) -> bool:
    return all(field(call.event.tool_input, path) is not None for path in wanted)


def _field_types(wanted: dict[str, str], call: Call) -> bool:
    return all(_is_type(field(call.event.tool_input, path), name) for path, name in wanted.items())


def _is_type(value: object, name: str) -> bool:
    if value is None:
        return False
    if name == "any":
        return True
    if isinstance(value, bool):
        return name == "boolean"
    kinds: dict[str, type | tuple[type, ...]] = {
        "string": str,
        "number": (int, float),
        "array": list,
        "object": dict,
    }
    return name in kinds and isinstance(value, kinds[name])


def _search(patterns: list[str], texts: tuple[str, ...]) -> bool:
    return any(regex.search(pattern, text) is not None for pattern in patterns for text in texts)


def extension(path: str) -> str:
    """`.` and what follows the last dot of the file's name; `.` alone where there is none (RuleZ's rule)."""
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    stem, _dot, suffix = name.rpartition(".")
    return "." + suffix if stem else "."


MATCHERS: dict[str, Matcher] = {
    "operations": _operations,
    "platforms": _platforms,
    "tools": _tools,
    "mcp": _mcp,
    "extensions": _of_files("extensions"),
    "directories": _of_files("directories"),
    "paths": _of_files("paths"),
    "domains": _domains,
    "require_fields": _require_fields,
    "field_types": _field_types,
    "command_match": _command_match,
    "content_match": _content_match,
    "input_match": _input_match,
    "prompt_match": _prompt_match,
}

"""Every matcher: does this rule look at this event? One function per matcher kind, one table.

All matchers of a rule must fit; inside one matcher's list, one entry is enough. A matcher whose field the event does
not have does not fit.
"""

from __future__ import annotations

import os

from rulez_py import tools
from rulez_py.event.arguments import (
    ACCESSES,
    command_lines,
    field,
    file_accesses,
    of_any_language,
    readings,
    strings_in,
    working_directories,
    written_texts,
)
from rulez_py.policy import globs, regex
from rulez_py.policy.reach import Disk, Touched, joined, slashed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from rulez_py.analysis.bash.quick import Plain
    from rulez_py.analysis.values import Command
    from rulez_py.event import Event
    from rulez_py.policy.commands import Executed

    Matcher = Callable[[Any, "Call"], bool]
    Analyse = Callable[..., tuple[Command, ...]]
    """See `analyse_lazily`."""
    Words = tuple[tuple[int, int, str], ...]
    """Words of a command line: where each begins and ends ((0, 0): it does not stand there itself), and its text."""


class Part:
    """What matchers about commands, files and hosts look at together: one command of a shell call, or the whole call.

    Its files are worked out when they are first asked for. `supposed` says that it only may be a command, because the
    tool is not a shell we know.
    """

    def __init__(
        self,
        executed: Executed | None,
        hosts: tuple[str, ...],
        files: Callable[[], tuple[Touched, ...]],
        *,
        supposed: bool = False,
    ) -> None:
        self.executed = executed
        self.hosts = hosts
        self.supposed = supposed
        self._files = files
        self._found: tuple[Touched, ...] | None = None

    @property
    def files(self) -> tuple[Touched, ...]:
        """Every file it touches, in every reading: its path as written, and where its links lead."""
        if self._found is None:
            self._found = self._files()
        return self._found

    @property
    def is_opaque(self) -> bool:
        """Whether something of what it would do is not known."""
        return self.supposed or (self.executed is not None and bool(self.executed.command.opaque))

    def about(self, match: Mapping[str, Any], call: Call) -> Part:
        """The same with only those files, hosts and operands by which the matchers of a rule fit."""
        executed, hosts, files = self.executed, self.hosts, self._files
        if executed is not None and "command" in match:
            executed = executed.about(match["command"])
        if "domains" in match:
            hosts = tuple(host for host in hosts if _host_fits(match["domains"], host))
        if any(kind in match for kind in _FILE_FITS):
            concerned = _concerned(match, self.files, call)
            return Part(executed, hosts, lambda: concerned, supposed=self.supposed)
        return Part(executed, hosts, files, supposed=self.supposed)


def _redirected(part: Part) -> tuple[Part, ...]:
    """The files that the shell opens for a command, whatever the program is: no word of the command names them."""
    if part.executed is None or not part.executed.command.files:
        return ()
    rest = tuple(file for file in part.files if file.opened)
    return (Part(None, (), lambda: rest),) if rest else ()


def analyse_lazily(text: str, *, cwd: str, home: str, environ: Mapping[str, str], dialect: str) -> tuple[Command, ...]:
    """`shell.analyse`, imported when it is needed."""
    from rulez_py.analysis import analyse

    found: tuple[Command, ...] = analyse(text, cwd=cwd, home=home, environ=environ, dialect=dialect)
    return found


def _no_names(_directory: str) -> list[str]:
    return []


class Call:
    """An event seen by the rules of one policy layer: what matchers ask about, worked out once, when first asked.

    A `strict` call is for what weakens a policy (`except`, `allow`): where the event touches several files, hosts or
    texts, or can be read in several ways, all of them must fit instead of one.
    """

    def __init__(
        self,
        event: Event,
        root: str,
        home: str,
        real_path: Callable[[str], str],
        *,
        names_in: Callable[[str], list[str]] = _no_names,
        environ: Mapping[str, str] | None = None,
        analyse: Analyse = analyse_lazily,
        ignore_case: bool = False,
    ) -> None:
        self.event = event
        self.ignore_case = ignore_case
        self.root = root
        self.home = home
        self.strict = False
        self._environ = environ or {}
        self._real_path = real_path
        self._names_in = names_in
        self._analyse = analyse
        self._known: dict[str, Any] = {}

    def strictly(self, about: Mapping[str, Any] | None = None) -> Call:
        """The strict form of this call; with `about`, a rule's matchers, only what made that rule match counts."""
        call = Call(
            self.event,
            self.root,
            self.home,
            self._real_path,
            names_in=self._names_in,
            environ=self._environ,
            analyse=self._analyse,
            ignore_case=self.ignore_case,
        )
        call.strict = True
        call._known = {name: known for name, known in self._known.items() if name not in ("files", "hosts")}
        about = about or {}
        if any(kind in about for kind in _TOGETHER):
            call._known["parts"] = self._parts_about(about)
        if "content_match" in about:
            call._known["written"] = tuple(text for text in self.written if _search(about["content_match"], (text,)))
        if "mcp" in about:
            call._known["readings"] = tuple(pair for pair in self.readings if _mcp_fits(about["mcp"], *pair))
        elif "tools" in about:
            named = tuple(pair for pair in self.readings if _mcp_name_fits(about["tools"], *pair))
            call._known["readings"] = named or self.readings
        return call

    def _parts_about(self, match: Mapping[str, Any]) -> tuple[Part, ...]:
        """The parts that made a rule match, each with what of it did."""
        if "command" in match:
            return tuple(part.about(match, self) for part in self.parts if _part_fits(match, part, self) is not None)
        of_files = any(kind in match for kind in _FILE_FITS)
        parts = [one.about(match, self) for part in self.parts for one in (part, *_redirected(part))]
        if of_files and not any(part.files for part in parts):
            # Each of the matchers fits another file.
            return self.parts
        return tuple(part for part in parts if (of_files and part.files) or ("domains" in match and part.hosts))

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
    def parts(self) -> tuple[Part, ...]:
        """The commands of a shell call, each with its files and hosts; of any other call one part, the whole."""

        def work() -> tuple[Part, ...]:
            event = self.event
            if event.tool_name != "Bash":
                # What another tool does with a command is not known: it may well run it.
                whole = Part(None, self._hosts_of_the_call(), self._files_of_the_call)
                return (whole, *(self._part(one, supposed=True) for one in self.commands))
            parts = [self._part(one) for one in self.commands]
            if patched := self._files_of_the_call():
                parts.append(Part(None, (), lambda: patched))
            return tuple(parts)

        parts: tuple[Part, ...] = self._once("parts", work)
        return parts

    def _hosts_of_the_call(self) -> tuple[str, ...]:
        """The hosts in the tool's own input."""
        if not any(":" in text for text in self.texts):
            return ()
        from rulez_py.analysis.addresses import hosts_in

        return hosts_in(self.event.own_input)

    @property
    def commands(self) -> tuple[Executed, ...]:
        """Every command that the command lines would execute, each line in every directory it may start in."""

        def work() -> tuple[Executed, ...]:
            if not self.lines:
                return ()
            from rulez_py.policy.commands import Executed

            event = self.event
            foreign = of_any_language(event.tool_name, event.tool_input, event.own_input, known=event.known_tool)
            found = (
                command
                for base in reversed(self._bases)
                for line in self.lines
                for command in self._analyse(
                    line, cwd=base, home=self.home, environ=self._environ, dialect=self._dialect
                )
                # What no shell can make out of a text in another language says nothing about it.
                if line not in foreign or not set(command.opaque) - {"arguments"}
            )
            return tuple(Executed(command) for command in dict.fromkeys(found))

        commands: tuple[Executed, ...] = self._once("commands", work)
        return commands

    @property
    def _dialect(self) -> str:
        return "powershell" if (self.event.platform_tool_name or "").lower() == "powershell" else "sh"

    @property
    def _bases(self) -> tuple[str, ...]:
        """Where a relative path may start: the agent's directory, and each one that a call with a command asks for."""
        event = self.event
        base = os.path.join(self.root, event.cwd or "")
        if not self.lines:
            return (base,)
        asked = working_directories(event.tool_name, event.tool_input, event.own_input, known=event.known_tool)
        return tuple(dict.fromkeys((base, *(joined(one, base, self.home) for one in asked))))

    @property
    def files(self) -> tuple[Touched, ...]:
        """Every file the call touches, in every reading: its path as written, and where its links lead."""
        files: tuple[Touched, ...] = self._once(
            "files", lambda: tuple(dict.fromkeys(file for part in self.parts for file in part.files))
        )
        return files

    @property
    def _disk(self) -> Disk:
        def work() -> Disk:
            return Disk(self._real_path, self._names_in, self._bases, self._own_places, home=self.home)

        disk: Disk = self._once("disk", work)
        return disk

    def _files_of_the_call(self) -> tuple[Touched, ...]:
        """The files that the tool's own arguments name."""
        found: dict[Touched, None] = {}
        event = self.event
        named = file_accesses(
            event.tool_name,
            event.tool_input,
            event.own_input,
            known=event.known_tool,
            access=event.tool_access,
        )
        for file in named:
            for path in self._disk.readings(file.path):
                found[Touched(spelled=file.path, path=path, access=file.access)] = None
        return tuple(found)

    def _part(self, executed: Executed, *, supposed: bool = False) -> Part:
        def files() -> tuple[Touched, ...]:
            named = {file.replace(at=(0, 0)): file for file in reversed(executed.command.files)}
            disk = self._disk if named else None
            return tuple(
                dict.fromkeys(touched for file in reversed(named.values()) if disk for touched in disk.touched(file))
            )

        return Part(executed, executed.command.hosts, files, supposed=supposed)

    def root_above(self, path: str) -> str:
        """The project root under the name that this path uses for it: the one it was given or where its links lead."""
        return self._name_above(path, "root", self.root)

    def home_above(self, path: str) -> str:
        """The same of the user's home."""
        return self._name_above(path, "home", self.home)

    def _name_above(self, path: str, what: str, given: str) -> str:
        names = self._both_names(what, given)
        return names[1] if path.startswith(_inside(names[1])) and not path.startswith(_inside(names[0])) else names[0]

    def _both_names(self, what: str, given: str) -> tuple[str, str]:
        names: tuple[str, str] = self._once(what, lambda: (slashed(given), slashed(self._real_path(given))))
        return names

    def _own_places(self) -> tuple[str, ...]:
        return (*self._both_names("root", self.root), *self._both_names("home", self.home))

    @property
    def written(self) -> tuple[str, ...]:
        """Every text the call would write."""
        event = self.event
        written: tuple[str, ...] = self._once("written", lambda: written_texts(event.tool_name, event.tool_input))
        return written

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts of the URLs in the tool's own input, or those that its commands contact."""
        hosts: tuple[str, ...] = self._once(
            "hosts", lambda: tuple(dict.fromkeys(host for part in self.parts for host in part.hosts))
        )
        return hosts

    @property
    def lines(self) -> tuple[str, ...]:
        """Every command line the call may run."""
        event = self.event
        lines: tuple[str, ...] = self._once(
            "lines", lambda: command_lines(event.tool_name, event.tool_input, event.own_input, known=event.known_tool)
        )
        return lines

    @property
    def programs(self) -> Sequence[str]:
        """Texts that hold the name of every program the command lines would run."""
        return self.lines if self._is_plain else [executed.command.program for executed in self.commands]

    @property
    def words(self) -> Sequence[str]:
        """Texts that hold every word of the commands the line would execute, and their programs' names."""
        if self._is_plain:
            return self.lines
        commands = [executed.command for executed in self.commands]
        return [text for one in commands for text in (one.program, *(word.text for word in one.words))]

    @property
    def has_options(self) -> bool:
        """Whether there may be an option among the words; no program has one that neither dash nor slash begins."""
        return self.plain is None or "-" in self.lines[0]

    @property
    def may_touch(self) -> bool:
        """Whether the line may touch a file."""
        return self.plain is None or bool(self.plain.paths)

    @property
    def _is_plain(self) -> bool:
        """Whether each line is one command in plain words, which name every program it runs and all of its words."""
        if self._dialect != "sh" or not all(map(_PLAIN.issuperset, self.lines)):
            return False
        return not any(name in line.lower() for line in self.lines for name in _MAKE_WORDS)

    @property
    def plain(self) -> Plain | None:
        """What the call's one command line does, where that can be told without reading any shell."""

        def work() -> Plain | None:
            if len(self.lines) != 1 or self.event.tool_name != "Bash" or self._dialect != "sh":
                return None
            from rulez_py.analysis.bash import quick

            return quick.read(self.lines[0])

        plain: Plain | None = self._once("plain", work)
        return plain

    @property
    def file_names(self) -> Sequence[str]:
        """The names of every file the call touches, and where the line is plain of some that it does not."""
        if self.plain is None:
            return [name for file in self.files for name in (file.path, file.spelled)]
        return [name for path in self.plain.paths for name in (path, *self._disk.readings(path))]

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
            elif name == "files" and self.plain is None and any(file.deep for file in self.files):
                parts = [""]
            return "\n".join(parts).lower() if parts else None

        subject: str | None = self._once(f"all of {name}", work)
        return subject


_SUBJECTS: dict[str, Callable[[Call], Sequence[str]]] = {
    "command": lambda call: call.lines,
    "programs": lambda call: call.programs if call.lines else (),
    "words": lambda call: call.words if call.lines else (),
    "options": lambda call: call.words if call.lines and call.has_options else (),
    "touching": lambda call: call.words if call.lines and call.may_touch else (),
    "beyond": lambda call: call.words if call.lines and call.plain is None else (),
    "prompt": lambda call: [] if call.event.prompt is None else [call.event.prompt],
    "files": lambda call: call.file_names,
    "hosts": lambda call: call.hosts if call.plain is None else (),
    "written": lambda call: call.written,
    "input": lambda call: call.texts,
}


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,@%+- \t")
_MAKE_WORDS = ("powershell", "pwsh", "perl", "ruby", "irb")
"""Programs that can be given code in plain words which makes others: encoded, turned round, put together."""


def matches(matchers: Mapping[str, Any], call: Call) -> bool:
    """Whether every matcher fits; with `command`, those about files and hosts must fit the same command."""
    if "command" not in matchers:
        return all(MATCHERS[kind](wanted, call) for kind, wanted in matchers.items())
    rest = [kind for kind in matchers if kind not in _TOGETHER]
    if not all(MATCHERS[kind](matchers[kind], call) for kind in rest if kind not in _OF_TEXT):
        return False
    # Before those that would have to load a regex engine.
    if not _parts(call, lambda part: _part_fits(matchers, part, call) is not None):
        return False
    return all(MATCHERS[kind](matchers[kind], call) for kind in rest if kind in _OF_TEXT)


_OF_TEXT = ("command_match", "content_match", "input_match", "prompt_match")


def matched_words(matchers: Mapping[str, Any], call: Call) -> Words:
    """The words of a command line by which matchers that fit do so; none where that is not for words to say."""
    if not call.lines or not any(kind in matchers for kind in _TOGETHER):
        return ()
    for part in call.parts:
        if part.executed is not None:
            words = _part_fits(matchers, part, call)
            if words is not None:
                return words
    return ()


def _part_fits(matchers: Mapping[str, Any], part: Part, call: Call) -> Words | None:
    """The words by which one part of a call fits all matchers about commands, files and hosts; None if it does not."""
    found: dict[tuple[int, int, str], None] = {}
    if part.executed is not None:
        words = part.executed.fit(matchers.get("command", {}), strict=call.strict)
        if words is None:
            return None
        found = dict.fromkeys((*word.at, word.text) for word in words)
    elif "command" in matchers:
        return None
    kinds = [kind for kind in _FILE_FITS if kind in matchers]
    for kind in kinds:
        if not _part_fits_files(kind, matchers[kind], part, call):
            return None
    if "domains" in matchers and not _part_fits_hosts(matchers["domains"], part, call):
        return None
    if kinds:
        # Where the command's own word has been named, its file need not be.
        named = {place[:2] for place in found if place[1]}
        for file in _concerned(matchers, part.files, call):
            if file.at not in named:
                found[(*file.at, file.spelled)] = None
                named.update((file.at,) if file.at[1] else ())
    # As they stand in the command line; first those that do not stand there.
    return tuple(sorted(found, key=lambda word: word[0]))


def _parts(call: Call, fits: Callable[[Part], bool]) -> bool:
    """Whether one part of the call fits, strictly each of them."""
    return bool(call.parts) and (all if call.strict else any)(map(fits, call.parts))


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
    enough = all if call.strict else any
    return bool(call.lines) and enough(_search(wanted, (line,)) for line in call.lines)


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
    if not file.deep:
        return globs.any_path(patterns, path, root, home, file.spelled)
    if call.strict:
        # What a pattern takes out again may lie below.
        patterns = [] if any(pattern.startswith("!") for pattern in patterns) else patterns
        return globs.any_path(patterns, path, root, home, file.spelled)
    return globs.any_path(patterns, path, root, home, file.spelled) or globs.lies_below(patterns, path, root, home)


_FILE_FITS: dict[str, Callable[[Any, Touched, Call], bool]] = {
    "extensions": _extension_fits,
    "directories": _directory_fits,
    "paths": _path_fits,
}
_TOGETHER = ("command", *_FILE_FITS, "domains")
"""Matchers of which one and the same command must fit all, where `command` is among them."""


def _command(wanted: Mapping[str, Any], call: Call) -> bool:
    return matches({"command": wanted}, call)


def _of_files(kind: str) -> Matcher:
    def fits(wanted: Any, call: Call) -> bool:
        return _parts(call, lambda part: _part_fits_files(kind, wanted, part, call))

    return fits


def _part_fits_files(kind: str, wanted: Any, part: Part, call: Call) -> bool:
    if not call.strict:
        return any(_file_fits(kind, wanted, file, call) for file in part.files)
    if part.is_opaque or not part.files:
        return False
    return all(file.known and _file_fits(kind, wanted, file, call) for file in part.files)


def _file_fits(kind: str, wanted: Any, file: Touched, call: Call) -> bool:
    """Whether one file fits; the same may be named again and again."""
    known: dict[object, bool] = call._once(f"{kind} of {id(wanted)}, strictly: {call.strict}", dict)
    key = file.path, file.spelled, file.deep, file.access
    if key not in known:
        known[key] = _FILE_FITS[kind](wanted, file, call)
    return known[key]


def _concerned(match: Mapping[str, Any], files: Sequence[Touched], call: Call) -> tuple[Touched, ...]:
    """The files for which all file matchers of a rule fit, each with the ways of access that rule is about."""
    kinds = [kind for kind in _FILE_FITS if kind in match]
    ways = match["paths"]["access"] if "paths" in match else ACCESSES
    return tuple(
        file.replace(access=tuple(way for way in file.access if way in ways))
        for file in files
        if all(_file_fits(kind, match[kind], file, call) for kind in kinds)
    )


def _domains(wanted: list[str], call: Call) -> bool:
    return _parts(call, lambda part: _part_fits_hosts(wanted, part, call))


def _part_fits_hosts(wanted: list[str], part: Part, call: Call) -> bool:
    if not call.strict:
        return any(_host_fits(wanted, host) for host in part.hosts)
    return bool(part.hosts) and not part.is_opaque and all(_host_fits(wanted, host) for host in part.hosts)


def _host_fits(wanted: list[str], host: str) -> bool:
    return any(globs.plain(_bare(pattern), host) for pattern in wanted)


def _bare(domain: str) -> str:
    """A domain pattern without what no host is compared with: capitals, a final dot, an IPv6 address's brackets."""
    domain = domain.lower().rstrip(".")
    return domain[1:-1] if domain.startswith("[") and domain.endswith("]") and ":" in domain else domain


def _require_fields(wanted: list[str], call: Call) -> bool:
    return _of_arguments(call, lambda given: all(field(given, path) is not None for path in wanted))


def _field_types(wanted: dict[str, str], call: Call) -> bool:
    return _of_arguments(call, lambda given: all(_is_type(field(given, path), name) for path, name in wanted.items()))


def _of_arguments(call: Call, fits: Callable[[Mapping[str, object]], bool]) -> bool:
    """Whether one way to read the call's arguments fits, strictly each of them."""
    event = call.event
    enough = all if call.strict else any
    return enough(map(fits, readings(event.tool_name, event.tool_input, event.own_input)))


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
    "command": _command,
    "content_match": _content_match,
    "input_match": _input_match,
    "prompt_match": _prompt_match,
}

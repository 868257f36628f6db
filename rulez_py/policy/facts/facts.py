"""The facts of one event: its command lines and commands, its files, hosts and texts.

Each fact is worked out when it is first asked for, and once. Nothing here knows a rule or a matcher; the disk is seen
through `effects`.
"""

from __future__ import annotations

import os

from rulez_py.analysis import Value
from rulez_py.event import CANONICAL_TOOLS
from rulez_py.event.arguments import (
    DELETE,
    WRITE,
    canonicalise,
    codes,
    command_lines,
    file_accesses,
    of_any_language,
    readings,
    strings_in,
    texts_to_store,
    typed_lines,
    working_directories,
    written_files,
    written_texts,
)
from rulez_py.platforms import tool_table
from rulez_py.policy.facts.disk import Disk, Touched, joined, slashed
from rulez_py.system.effects import MOST_NAMES, Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from functools import cached_property as lazy
    from typing import Any

    from rulez_py.analysis import Command, File, Followed, Plain, Reading, Word
    from rulez_py.event import Event
    from rulez_py.event.arguments import FileAccess
    from rulez_py.event.servers import Told
    from rulez_py.policy.facts.file_contents import Holding
    from rulez_py.policy.facts.moves import Moves
    from rulez_py.policy.facts.scripts import Scripts
    from rulez_py.system.effects import Effects, Memory
    from rulez_py.system.git.values import Repository

    Follow = Callable[..., Followed]
    """See `follow_lazily`."""
else:

    class lazy:
        """`functools.cached_property`, whose import costs the hook path milliseconds."""

        def __init__(self, work: Callable[[Any], Any]) -> None:
            self._work = work
            self.__doc__ = work.__doc__

        def __get__(self, owner: Any, _kind: type) -> Any:
            found = owner.__dict__[self._work.__name__] = self._work(owner)
            return found


class Surroundings(Value):
    """The surroundings of an event: the project's root, the user's home, the environment.

    `ignore_case` says that file names which differ only in case are the same file. `told_before` says that this
    agent's model also reads what is said before a call, so that a rule that names no `operations` need not say it
    again after the call. `programs` is what people describe of programs (`analysis.describe`). `reads_files` says that
    what a call runs from a file is read. `now` is when that is, as RFC 3339 has it with the machine's offset, ""
    where it is not told.
    """

    root: str
    home: str
    environ: Mapping[str, str] = {}
    ignore_case: bool = False
    told_before: bool = False
    programs: str = ""
    reads_files: bool = False
    now: str = ""


class Place(Value):
    """A directory, absolute and normalised; the project's root and the home by the names that its path has for them."""

    path: str
    root: str
    home: str


def _open_ended(files: tuple[Touched, ...]) -> tuple[Touched, ...]:
    return tuple(file for file in files if file.deep or file.among or "~" in file.path)


class Part:
    """A part that matchers about commands, files and hosts look at together: one command of a shell call, or the whole
    call.

    `supposed` says that it only may be a command, because the tool is not a shell we know. `concerned` are the operands
    that count where a rule is about some of them, None where all do. `files` are those that it touches, `named` those
    that it only names to a program whose use of them is unknown; with `opened` they are those that the
    shell opens for it. `somewhere` says that it contacts a host that is not known, besides its `hosts`. `lost` is kept
    by `losses`, `pushed` by `pushes`.
    """

    def __init__(
        self,
        command: Command | None,
        hosts: tuple[str, ...],
        files: Callable[[], tuple[Touched, ...]],
        *,
        named: Callable[[], tuple[Touched, ...]] = tuple,
        somewhere: bool = False,
        supposed: bool = False,
        places: Callable[[], tuple[Place, ...]] = tuple,
    ) -> None:
        self.command = command
        self.hosts = hosts
        self.somewhere = somewhere
        self.supposed = supposed
        self.opened = False
        self.concerned: tuple[Word, ...] | None = None
        self.lost: dict[frozenset[str], tuple[Any, ...]] = {}
        self.pushed: tuple[Any, ...] | None = None
        self._files = files
        self._named = named
        self._places = places

    @lazy
    def files(self) -> tuple[Touched, ...]:
        """Return every file it touches, in every reading: its path as written, and where its links lead."""
        return self._files()

    @lazy
    def named(self) -> tuple[Touched, ...]:
        """Return the same of the files that it names."""
        return self._named()

    @lazy
    def paths(self) -> str:
        """Return the paths of all these files in one text, in lower case."""
        return "\0".join(file.path for file in self.files + self.named).lower()

    @lazy
    def open_ended(self) -> tuple[Touched, ...]:
        """Return those files that may be more than their path says: directories, and such as are not wholly known."""
        return _open_ended(self.files)

    @lazy
    def named_open_ended(self) -> tuple[Touched, ...]:
        """Return the same of those that it names."""
        return _open_ended(self.named)

    @lazy
    def places(self) -> tuple[Place, ...]:
        """Return the directories in which its command may run; none where these are not known."""
        return self._places()

    @lazy
    def reading(self) -> Reading:
        """Return the words after the program's name, split into options and operands as that program does."""
        if self.command is None:
            raise ValueError("this part of the call is no command")
        from rulez_py.analysis import reading

        return reading(self.command)

    @property
    def script(self) -> str:
        """The file that holds its command, absolute; "" for a command of the call itself."""
        return "" if self.command is None else self.command.script

    @property
    def is_opaque(self) -> bool:
        """True if an effect of it is unknown."""
        return self.supposed or (self.command is not None and bool(self.command.opaque))

    @property
    def files_are_named(self) -> bool:
        """True if nothing of it is unknown but the directory of the files it names."""
        from rulez_py.analysis import ARGUMENTS  # The commands are here: it is loaded.

        command = self.command
        if command is None or self.supposed or any(reason != ARGUMENTS for reason in command.opaque):
            return False
        return all(word.known or word.data.names for word in command.words)

    def narrowed(self, **changes: Any) -> Part:
        """Return the same with other `files`, `hosts` or `concerned` operands."""
        narrowed = object.__new__(Part)
        narrowed.__dict__.update(self.__dict__ | changes | {"lost": {}})
        return narrowed


class _Stored:
    """The files that are there, for the analysis (`values.Stored`); a call that runs none loads nothing for it."""

    __slots__ = ("_facts", "_names")

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._names: dict[str, list[str]] = {}

    def text(self, path: str) -> str | None:
        return self._facts.scripts.text(path)

    def is_beyond(self, path: str) -> bool:
        return self._facts.scripts.is_beyond(path)

    def is_cut(self, path: str) -> bool:
        return self._facts.scripts.is_cut(path)

    def names(self, directory: str) -> list[str]:
        if directory not in self._names:
            self._names[directory] = self._facts.effects.names(directory)
        return self._names[directory]


def follow_lazily(text: str, **given: Any) -> Followed:
    """`analysis.follow`, imported when it is needed."""
    from rulez_py.analysis import follow

    found: Followed = follow(text, **given)
    return found


class Facts:
    """An event as the rules of one project see it: `around` says which.

    `follow` says what a command line would do (`analysis.follow`).
    """

    def __init__(self, event: Event, around: Surroundings, effects: Effects, *, follow: Follow = follow_lazily) -> None:
        self.event = event
        self.around = around
        self.effects = effects
        self._follow = follow
        self._followed: dict[tuple[str, str, str], Followed] = {}
        self._reached = False
        self._in_projects = {around.root: self}
        self._subjects: dict[str, str | None] = {}
        self._regular: dict[str, bool] = {}
        self._scripts: list[Scripts] = []
        self.git_trees: dict[Repository, Any] = {}
        """What is known of repositories: `git_facts.Tree`, kept there."""

    def of(self, event: Event) -> Facts:
        """Return the facts of another event in the same place."""
        return Facts(event, self.around, self.effects, follow=self._follow)

    def in_project(self, root: str) -> Facts:
        """Return the same event as the rules of the project at `root` see it."""
        if root not in self._in_projects:
            there = Facts(self.event, self.around.replace(root=root), self.effects, follow=self._follow)
            there._followed, there._in_projects = self._followed, self._in_projects
            there._regular, there._scripts = self._regular, self._scripts
            there.git_trees = self.git_trees
            self._in_projects[root] = there
        return self._in_projects[root]

    def narrowed(self, known: Mapping[str, Any]) -> Facts:
        """Return the same with some facts replaced by those that a rule is about: `parts`, `written`, `mcp`."""
        narrowed = object.__new__(Facts)
        kept = {name: value for name, value in self.__dict__.items() if name not in _OF_PARTS}
        narrowed.__dict__.update(kept | {"_subjects": {}, **known})
        return narrowed

    # What the session has done.

    @property
    def session(self) -> Session:
        """The session of the event in this project."""
        return Session(platform=self.event.platform, id=self.event.session_id, project=self.around.root)

    @lazy
    def memory(self) -> Memory | None:
        """Return what is remembered of the session; None where that cannot be read."""
        return self.effects.recall(self.session)

    # The event's own fields.

    @lazy
    def names(self) -> tuple[str, ...]:
        """Return the plain names the tool answers to."""
        event = self.event
        return (
            () if event.platform_tool_name is None else tool_table.rule_names(event.platform, event.platform_tool_name)
        )

    @lazy
    def mcp(self) -> tuple[tuple[str, str], ...]:
        """Return every (server, tool) the name of an MCP call may mean."""
        return self.event.mcp

    @lazy
    def arguments(self) -> tuple[Mapping[str, object], ...]:
        """Return every way to read the call's arguments."""
        event = self.event
        return tuple(readings(event.tool_name, event.tool_input, event.own_input))

    @lazy
    def texts(self) -> tuple[str, ...]:
        """Return every text in the tool's own input."""
        return tuple(strings_in(self.event.own_input))

    @lazy
    def written(self) -> tuple[str, ...]:
        """Return every text the call would write; of a shell call also those that commands make it of."""
        if not self.lines:
            return self.known_written
        return tuple(dict.fromkeys((*self.known_written, *self._written_by_words)))

    @lazy
    def known_written(self) -> tuple[str, ...]:
        """Return every text the call would write; of a shell call those that are known."""
        texts = written_texts(self.event.tool_name, self.event.tool_input)
        if self.event.mcp:
            texts = tuple(dict.fromkeys((*texts, *texts_to_store(self.event.own_input))))
        return (*texts, *(text for _, text in self._written_by_lines)) if self.lines else texts

    @lazy
    def _written_by_words(self) -> Sequence[str]:
        """Return the texts that commands may write out of their own words, or out of what they read."""
        return () if self.plain is not None else tuple(text for text in _written_of(self.parts) if text)

    @lazy
    def _written_by_lines(self) -> tuple[tuple[str, str], ...]:
        """Return the files that command lines would write, and what."""
        if not self.is_shell or self.plain is not None or self.dialect != "sh":
            return ()
        return tuple(
            file
            for line in self.lines
            if _may_hold(line, _WRITING)
            for file in self._what_happens(line, self._bases[0], "").written
        )

    @lazy
    def whole_texts(self) -> tuple[tuple[str, str], ...]:
        """Return the files that the call would write, as they are spelled, and the text that each would hold."""
        event = self.event
        return (*written_files(event.tool_name, event.tool_input), *(self._written_by_lines if self.lines else ()))

    @lazy
    def lines(self) -> tuple[str, ...]:
        """Return every command line the call may run."""
        event = self.event
        own = command_lines(event.tool_name, event.tool_input, event.own_input, known=event.known_tool)
        if (told := self.told) is None:
            return own
        return tuple(dict.fromkeys((*own, *told.lines, *told.supposed, *told.texts, *typed_lines(told.texts))))

    @lazy
    def is_of_plain_words(self) -> bool:
        """True if each line is of plain words, which name every program it runs and all of its words."""
        if self.plain is not None:
            return not self.codes
        if self.codes or self.around.programs or self.dialect != "sh" or not all(map(_PLAIN.issuperset, self.lines)):
            return False
        if self.around.reads_files and any(_may_run_a_file(line) for line in self.lines):
            return False
        lower = [line.lower() for line in self.lines]
        if any(name in line for line in lower for name in _MAKE_WORDS):
            return False
        return all(OTHERS_NAMES.isdisjoint(line.replace("/", " ").split()) for line in lower)

    @lazy
    def lines_run(self) -> tuple[str, ...]:
        """Return the command lines, and each line of a file that holds a command which the call runs."""
        found = dict.fromkeys(self.lines)
        for part in self.parts:
            if part.command is not None and part.script:
                # Where the line is not known, the command says it itself.
                words = " ".join(word.text for word in part.command.words)
                found[self.scripts.line(part.script, part.command.line) or words] = None
        return tuple(found)

    @lazy
    def told(self) -> Told | None:
        """Return the effects of the call by the table of MCP servers.

        None where it is not asked: the agent has this tool.
        """
        event = self.event
        if event.known_tool or not event.platform_tool_name or event.tool_name in CANONICAL_TOOLS:
            return None
        from rulez_py.event.servers import told

        # A tool of an agent of one's own is of no server.
        return told(event.mcp or (("", event.platform_tool_name),), event.own_input)

    @lazy
    def codes(self) -> tuple[str, ...]:
        """Return every text the call may run as code in an unnamed language."""
        event = self.event
        own = codes(event.tool_name, event.tool_input, event.own_input, known=event.known_tool)
        return own if self.told is None else tuple(dict.fromkeys((*own, *self.told.texts)))

    @property
    def runs(self) -> bool:
        """True if the call may run anything that can be analysed."""
        return bool(self.lines or self.codes)

    @property
    def is_shell(self) -> bool:
        """True if the tool is a shell, whose files and texts are never known completely."""
        return self.event.tool_name == "Bash"

    # The effects of its command lines.

    @lazy
    def plain(self) -> Plain | None:
        """Return the effects of the call's one command line, where they are known without reading any shell."""
        if len(self.lines) != 1 or not self.is_shell or self.dialect != "sh":
            return None
        from rulez_py.analysis import plain

        found = plain(self.lines[0])
        if found is not None and found.runs_files and self.around.reads_files:
            return None
        # A person may describe a program otherwise than rulez does.
        said = self.around.programs
        return None if found and said and any(f"\n{one}\t" in said for one in found.programs) else found

    @lazy
    def commands(self) -> tuple[Command, ...]:
        """Return every command that the command lines would execute, each line in every directory it may start in."""
        event = self.event
        if not self.runs:
            return ()
        foreign = of_any_language(event.tool_name, event.tool_input, event.own_input, known=event.known_tool)
        if self.told is not None:
            foreign = foreign.union(self.told.texts)
        places = (("", self.lines, tuple(reversed(self._bases))), ("any", self.codes, self._bases))
        found = (
            command
            for dialect, texts, bases in places
            for text, commands in self._followed_until_too_much(texts, bases, dialect)
            for command in commands
            # A text in another language that no shell can read says nothing about the call.
            if text not in foreign or command is self._too_much or not set(command.opaque) - {"arguments"}
        )
        return tuple(dict.fromkeys(found))

    def _followed_until_too_much(
        self, texts: Iterable[str], bases: Iterable[str], dialect: str
    ) -> Iterator[tuple[str, tuple[Command, ...]]]:
        """Yield each text with its commands in each directory; at the bound what is followed already, and no more."""
        for base in bases:
            for text in texts:
                commands = self._commands_of(text, base, dialect)
                yield text, commands
                if commands[:1] == (self._too_much,):
                    for (followed, _, its), one in self._followed.items():
                        if its == dialect:
                            yield followed, one.commands
                    return

    def commands_of(self, line: str) -> tuple[Command, ...]:
        """Return the commands of one of the lines alone."""
        return tuple(command for base in self._bases for command in self._commands_of(line, base))

    def _commands_of(self, line: str, cwd: str, dialect: str = "") -> tuple[Command, ...]:
        return self._what_happens(line, cwd, dialect).commands

    def _what_happens(self, line: str, cwd: str, dialect: str) -> Followed:
        key, dialect = (line, cwd, dialect), dialect or self.dialect
        if key not in self._followed:
            if self._is_too_much():
                from rulez_py.analysis import Followed

                return Followed(commands=(self._too_much,))
            from rulez_py.analysis import describe

            around = self.around
            describe(around.programs)
            # What a call writes runs later, by another call: then its files are read.
            more = {"stored": self._stored} if around.reads_files and not key[2] else {}
            self._followed[key] = self._follow(
                line, cwd=cwd, home=around.home, environ=around.environ, dialect=dialect, **more
            )
        return self._followed[key]

    @lazy
    def _stored(self) -> _Stored:
        return _Stored(self)

    @property
    def scripts(self) -> Scripts:
        """The files that the call runs."""
        if not self._scripts:
            from rulez_py.policy.facts.scripts import Scripts

            self._scripts.append(Scripts(self.effects))
        return self._scripts[0]

    @lazy
    def runs_files(self) -> bool:
        """Tell if the call runs commands of a file."""
        return any(part.script for part in self.parts)

    @lazy
    def as_typed(self) -> Facts:
        """Return the facts without the commands of files."""
        return self.narrowed({"parts": tuple(part for part in self.parts if not part.script), "runs_files": False})

    @lazy
    def as_written(self) -> Facts:
        """Return the facts without commands of committed files; those of other files count as if typed."""
        parts = tuple(part for part in self.parts if not (part.script and self.scripts.is_shipped(part.script)))
        return self.narrowed({"parts": parts, "runs_files": False})

    @lazy
    def as_if_typed(self) -> Facts:
        """Return the facts with the commands of all files, which count as if typed."""
        return self.narrowed({"parts": self.parts, "runs_files": False})

    @lazy
    def as_shipped(self) -> Facts:
        """Return the facts of the certain commands in files that are as committed, and of no other."""
        from rulez_py.policy.facts.scripts import certain

        found = [part for part in self.parts if part.script and not _is_doubted(part)]
        shipped = [part.command for part in found if self.scripts.is_shipped(part.script)]
        parts = tuple(self._part(certain(one)) for one in shipped if one is not None)
        return self.narrowed({"parts": parts, "runs_files": False})

    def _is_too_much(self) -> bool:
        """Tell if the bound of followed lines and commands is reached, which all lines of a call share."""
        done = self._followed
        if not self._reached:
            commands = sum(len(one.commands) for one in done.values())
            self._reached = len(done) >= _MOST_LINES or commands >= _MOST_COMMANDS
        return self._reached

    @lazy
    def _too_much(self) -> Command:
        """Return the one opaque command in place of all lines that are not followed."""
        from rulez_py.analysis import LIMIT, Command

        return Command(words=(), program="", opaque=(LIMIT,))

    @property
    def dialect(self) -> str:
        """Return the language of the call's lines, as the analysis names it: `sh` or `powershell`."""
        return "powershell" if (self.event.platform_tool_name or "").lower() == "powershell" else "sh"

    @property
    def directories(self) -> tuple[str, ...]:
        """The directories where the agent works."""
        return self._bases

    @lazy
    def _bases(self) -> tuple[str, ...]:
        """Return where a relative path may start: the agent's directory, and each one that a call with a command
        asks for.
        """
        event = self.event
        base = os.path.join(self.around.root, event.cwd or "")
        if not self.lines:
            return (base,)
        asked = working_directories(event.tool_name, event.tool_input, event.own_input, known=event.known_tool)
        return tuple(dict.fromkeys((base, *(joined(one, base, self.around.home) for one in asked))))

    @lazy
    def parts(self) -> tuple[Part, ...]:
        """Return the commands of a shell call, each with its files and hosts; of any other call one part, the whole."""
        if not self.is_shell:
            # Another tool's use of a command is unknown: it may run it.
            whole = Part(None, self._hosts_of_the_call(), lambda: self._files_of_the_call[:_MOST_FILES])
            told = () if self.told is None else self.told.lines
            known = frozenset(command for line in told for command in self.commands_of(line))
            return (whole, *self._beyond_files, *(self._part(one, supposed=one not in known) for one in self.commands))
        parts = [self._part(one) for one in self.commands]
        if patched := self._files_of_the_call[:_MOST_FILES]:
            parts += (Part(None, (), lambda: patched), *self._beyond_files)
        if connected := self._hosts_beside_the_command():
            parts.append(Part(None, connected, tuple))
        return tuple(parts)

    @lazy
    def with_contents(self) -> Facts:
        """Return the same where the commands count that files would run which the call writes (`written_code`)."""
        return self._with(self._commands_written)

    @lazy
    def with_loaded(self) -> Facts:
        """Return the same for files alone that a program loads without being told, not for scripts."""
        return self._with(one for one, is_loaded in self._commands_written.items() if is_loaded)

    def _with(self, commands: Iterable[Command]) -> Facts:
        found = tuple(map(self._part, commands))
        return self.narrowed({"parts": (*self.parts, *found)}) if found else self

    @lazy
    def _commands_written(self) -> dict[Command, bool]:
        """Return the commands in files that the call writes, and if a program loads such a file by itself."""
        event = self.event
        files = written_files(event.tool_name, event.tool_input)
        if self.is_shell and any(_may_hold(line, _RUNNING) for line in self.lines):
            files = (*files, *self._written_by_lines)
        files = tuple(file for file in files if file[1][:2] == "#!" or not file[0].endswith(_ONLY_HELD))
        if not files:
            return {}
        from rulez_py.policy.facts.written_code import commands, is_loaded

        found: dict[Command, bool] = {}
        for path, text in files:
            by_itself = is_loaded(path, text)
            for dialect, line in commands(path, text):
                for command in self._commands_of(line, self._bases[0], dialect):
                    # Their places are in the file, not in the line.
                    one = _nowhere(command)
                    found[one] = found.get(one, False) or by_itself
        return found

    def _part(self, command: Command, *, supposed: bool = False) -> Part:
        def files() -> tuple[Touched, ...]:
            named = {file.replace(at=(0, 0)): file for file in reversed(command.files)}
            several = _several(tuple(named.values()))
            found = (
                touched.replace(many=True) if file in several else touched
                for file in reversed(named.values())
                for touched in self._disk.touched(file)
            )
            return tuple(dict.fromkeys(found))

        def named() -> tuple[Touched, ...]:
            return tuple(dict.fromkeys(touched for file in command.named for touched in self._disk.named(file)))

        def places() -> tuple[Place, ...]:
            if command.cwd is None:
                return ()
            found = self._disk.readings(command.cwd or ".")
            return tuple(Place(path=one, root=self.root_above(one), home=self.home_above(one)) for one in found)

        from rulez_py.analysis import SOMEWHERE  # The commands are here: it is loaded.

        hosts = tuple(host for host in command.hosts if host != SOMEWHERE)
        somewhere = len(hosts) < len(command.hosts)
        if supposed or not command.named:
            # A text that may be no shell command names no files.
            return Part(command, hosts, files, somewhere=somewhere, supposed=supposed, places=places)
        return Part(command, hosts, files, named=named, somewhere=somewhere, places=places)

    # Hosts.

    @lazy
    def hosts(self) -> tuple[str, ...]:
        """Return the hosts of the URLs in the tool's own input, or those that its commands contact."""
        return tuple(dict.fromkeys(host for part in self.parts for host in part.hosts))

    def _hosts_of_the_call(self) -> tuple[str, ...]:
        """Return the hosts in the tool's own input."""
        texts = self.texts if self.told is None else (*self.texts, *self.told.hosts)
        if not any(":" in text for text in texts):
            return ()
        from rulez_py.analysis import hosts_in

        return hosts_in(*texts)

    def _hosts_beside_the_command(self) -> tuple[str, ...]:
        """Return the hosts that a shell's tool connects to without a command, as `Monitor` does with `ws`."""
        own = self.event.own_input
        given = own.get("ws") if isinstance(own, dict) else None
        if given is None:
            return ()
        from rulez_py.analysis import hosts_in
        from rulez_py.event.arguments import strings_in

        return hosts_in(*strings_in(given))

    # Files.

    @lazy
    def moves(self) -> Moves:
        """Return where its commands move files to."""
        from rulez_py.policy.facts.moves import Moves

        return Moves((part.command, part.files) for part in self.parts)

    @lazy
    def files(self) -> tuple[Touched, ...]:
        """Return every file the call touches, in every reading: its path as written, and where its links lead."""
        return tuple(dict.fromkeys(file for part in self.parts for file in part.files))

    @property
    def named(self) -> tuple[Touched, ...]:
        """The files that it only names."""
        return tuple(file for part in self.parts for file in part.named)

    def without_named(self) -> Facts:
        """Return the facts without the files that are only named."""
        return self.narrowed({"parts": tuple(part.narrowed(named=()) for part in self.parts)})

    @property
    def doubted(self) -> bool:
        """True if a command is in doubt: whether the program runs that word is unknown."""
        return any(_is_doubted(part) for part in self.parts)

    def without_doubted(self) -> Facts:
        """Return the facts without the commands in doubt."""
        return self.narrowed({"parts": tuple(part for part in self.parts if not _is_doubted(part))})

    def is_file(self, path: str) -> bool:
        """Tell whether a regular file is there that can be read; the disk is asked once, however many rules want it."""
        if path not in self._regular:
            self._regular[path] = self.effects.read_bytes(path, 1) is not None
        return self._regular[path]

    def may_be_there(self, path: str) -> bool:
        """Tell whether something may be at a path.

        Nothing is where the nearest directory above that can be listed, all of it, does not have the name. Behind
        more directories that are not there than anybody has, something may be.
        """
        place = path
        for _ in range(_MOST_MISSING):
            if not place.strip("/"):
                break
            place, _, name = place.rpartition("/")
            if names := self.effects.names(place or "/"):
                # Where case does not count a file is there under another name.
                return name in names or len(names) >= MOST_NAMES or self.is_file(path)
        return True

    @lazy
    def _disk(self) -> Disk:
        effects = self.effects
        return Disk(effects.real_path, effects.names, self._bases, self._own_places, home=self.around.home)

    @lazy
    def holding(self) -> Holding:
        from rulez_py.policy.facts.file_contents import Holding  # Few rules ask, and only of what they name.

        return Holding(self.effects)

    @lazy
    def names_too_many(self) -> bool:
        """Tell if the call names more files than are looked at."""
        return len(self._files_of_the_call) > _MOST_FILES

    @lazy
    def _beyond_files(self) -> tuple[Part, ...]:
        return (self._part(self._too_much),) if self.names_too_many else ()

    @lazy
    def _files_of_the_call(self) -> tuple[Touched, ...]:
        """Return the files that the tool's own arguments name."""
        found: dict[Touched, None] = {}
        for file in self._named_by_arguments():
            for path in self._disk.readings(file.path):
                found[Touched(spelled=file.path, path=path, access=file.access)] = None
            if len(found) > _MOST_FILES:
                break  # The rest is looked at by nothing, so the disk is not asked for it.
        return tuple(found)

    def _named_by_arguments(self) -> tuple[FileAccess, ...]:
        event, told = self.event, self.told
        if told is None or not told.known:
            return file_accesses(
                event.tool_name, event.tool_input, event.own_input, known=event.known_tool, access=event.tool_access
            )
        rest = canonicalise(told.rest, event.tool_name)
        return (*told.files, *file_accesses(event.tool_name, rest, told.rest, access=event.tool_access))

    def root_above(self, path: str) -> str:
        """The project root under the name that this path uses for it: the one it was given or where its links lead."""
        return _name_above(path, self._names_of_root)

    def home_above(self, path: str) -> str:
        """Return the same of the user's home."""
        return _name_above(path, self._names_of_home)

    @lazy
    def _names_of_root(self) -> tuple[str, str]:
        return self._both_names(self.around.root)

    @lazy
    def _names_of_home(self) -> tuple[str, str]:
        return self._both_names(self.around.home)

    def _both_names(self, given: str) -> tuple[str, str]:
        return slashed(given), slashed(self.effects.real_path(given))

    def _own_places(self) -> tuple[str, ...]:
        return (*self._names_of_root, *self._names_of_home)

    # The keys of the index of rules.

    def subject(self, name: str) -> str | None:
        """Return all that one of `SUBJECTS` is about, in lower case; None where the event has nothing of it.

        In the text "" all is possible: it is not worked out, or differs from rule to rule.
        """
        if name not in self._subjects:
            texts = SUBJECTS[name](self)
            self._subjects[name] = None if texts is None else "\n".join(texts).lower()
        return self._subjects[name]


_RUNNING = (
    *(".sh", ".bash", ".zsh", "rc", "profile", "hook", "husky", ".ps1", ".py", "akefile", "justfile", ".json", ".y"),
    "#!",
)
"""A shell line without one of these is not looked through for a file that it writes and that would run."""
_ONLY_HELD = (".txt", ".md", ".rst", ".csv", ".html", ".css", ".svg", ".tsx", ".go", ".rs", ".java", ".c", ".h", ".cpp")
"""Endings of files that do not run, unless their first line names an interpreter."""
_WRITING = (">", "tee", "dd ", "cp ", "sed ", "install ")
"""Without one of these in it a line writes no text that is known."""
_COMPUTED = ("base64", "base32", "xxd", "openssl", "decode", "printf", "rev", "tr ", "\\x", "\\0", "\\u")
"""With one of these in it, a line may run text that is not written in it."""


_MOST_FILES = 600
"""INVARIANT: of a call that names more files than this, the rest is one opaque command."""
_MOST_MISSING = 64
"""Directories above a path that are asked for one by one."""
_MOST_LINES = 300
_MOST_COMMANDS = 600
"""Bounds of one call: lines that are followed, each in each directory, and the commands in them."""


def _may_hold(line: str, texts: tuple[str, ...]) -> bool:
    return any(one in line for one in texts) or any(one in line for one in _COMPUTED)


def _several(files: tuple[File, ...]) -> set[File]:
    """Return those that a command deletes beside another in the same directory."""
    if len(files) < 2:
        return set()
    deleted = {file.path: file for file in files if DELETE in file.access and not (file.some or file.among)}
    places = [os.path.dirname(path) for path in deleted]
    return {file for file, place in zip(deleted.values(), places, strict=True) if places.count(place) > 1}


def _nowhere(command: Command) -> Command:
    """Return the command without places of its words in the call's line."""
    words = tuple(word.replace(at=(0, 0)) for word in command.words)
    return command.replace(words=words, files=tuple(file.replace(at=(0, 0)) for file in command.files))


def _is_doubted(part: Part) -> bool:
    return part.command is not None and "doubt" in part.command.via


_OF_PARTS = (
    "files",
    "moves",
    "hosts",
    "with_contents",
    "with_loaded",
    "runs_files",
    "as_typed",
    "as_written",
    "as_if_typed",
    "as_shipped",
    "lines_run",
)
"""Facts that follow from the parts."""


def _name_above(path: str, names: tuple[str, str]) -> str:
    given, real = names
    return real if path.startswith(inside(real)) and not path.startswith(inside(given)) else given


def inside(directory: str) -> str:
    """Return what the paths of all that lies in a directory start with."""
    return directory.rstrip("/") + "/"


def _some(texts: Iterable[str]) -> Sequence[str] | None:
    return tuple(texts) or None


def _command(facts: Facts) -> Sequence[str] | None:
    """Return the command lines, and those of files that the call runs; "" where it is not yet worked out which."""
    if not facts.around.reads_files or not facts.lines or facts.is_of_plain_words:
        return _some(facts.lines)
    if "commands" not in facts.__dict__ and all(map(_PLAIN.issuperset, facts.lines)):
        return ("",)  # A regex may fit what is typed, without an analysis.
    return facts.lines_run


def _programs(facts: Facts) -> Sequence[str] | None:
    """Texts that hold the name of every program the command lines would run."""
    if not facts.runs:
        return None
    if facts.is_of_plain_words:
        return facts.lines if facts.plain is None else _words_of(facts.plain.programs)
    return _words_of(command.program for command in facts.commands)


def _words(facts: Facts) -> Sequence[str] | None:
    """Texts that hold every word of the commands the lines would execute, and their programs' names."""
    if not facts.runs:
        return None
    if facts.is_of_plain_words:
        return facts.lines if facts.plain is None else _words_of(facts.plain.words)
    return _words_of(text for one in facts.commands for text in (one.program, *(word.text for word in one.words)))


def _words_of(texts: Iterable[str]) -> Sequence[str] | None:
    """Return words as one text that says where each begins and ends."""
    from rulez_py.policy.patterns.regex import EDGE  # It is loaded: `select` looks for pieces.

    words = tuple(texts)
    # Where no word is known, all is possible.
    return (EDGE.join(("", *words, "")) if any(words) else "",) if words else None


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,@%+- \t")
_MAKE_WORDS = ("powershell", "pwsh", "perl", "ruby", "irb")
"""Programs that can be given code in plain words which makes others: encoded, turned round, put together."""


def _may_run_a_file(line: str) -> bool:
    """Tell if a line in plain words may run what a file holds: a program by its path, or one that runs files."""
    from rulez_py.policy.facts.runners import RUNNERS

    words = line.split()
    if not RUNNERS.isdisjoint(words) or any("/" in word for word in words[:1]):
        return True
    return any(word[:1] in "./~" or word[:6] == "python" for word in words)


OTHERS_NAMES = frozenset(("hub", "lab", "mr", "mu", "mu-repo", "myrepos", "vcsh", "yadm"))
"""Programs that run another one by its own words, whose name theirs does not tell (`words-of` in programs/data)."""


def _beyond(facts: Facts) -> Sequence[str] | None:
    return _words(facts) if facts.runs and facts.plain is None else None


def _marks(facts: Facts) -> Sequence[str] | None:
    """Return why commands are opaque, how they are reached, and where their input came from."""
    beyond = facts._too_much.opaque if facts.plain is None and facts.names_too_many else ()
    if not facts.runs or facts.plain is not None:
        return _some(beyond)
    return _some((*beyond, *(mark for one in facts.commands for mark in (*one.opaque, *one.via, *one.fed))))


def _options(facts: Facts) -> Sequence[str] | None:
    # No program has an option that neither dash nor slash begins, and a plain line has no slash that does.
    return _words(facts) if facts.runs and (facts.plain is None or "-" in facts.lines[0]) else None


def _touching(facts: Facts) -> Sequence[str] | None:
    return _words(facts) if facts.runs and (facts.plain is None or facts.plain.paths) else None


def _flows(facts: Facts) -> Sequence[str] | None:
    """Return what secrets the commands let go."""
    if not facts.lines or facts.plain is not None:
        return None
    return _some(origin for one in facts.commands for origin, _ in one.flows)


def _files(facts: Facts) -> Sequence[str] | None:
    """Return the names of every file the call touches, and where the line is plain of some that it does not."""
    if facts.plain is None:
        return _names_of(facts, facts.files)
    paths = [path for one in facts.plain.paths for path in facts._disk.readings(one)]
    names = [*paths, *facts.plain.paths]
    if names and (any("~" in path for path in paths) or not os.path.isabs(facts.event.cwd or "")):
        return ("",)
    return names or None


def _names_of(facts: Facts, files: Sequence[Touched]) -> Sequence[str] | None:
    """Return the names of some of the files that the call touches or names."""
    if not files:
        return None
    if not os.path.isabs(facts.event.cwd or ""):
        return ("",)  # Which files they are differs from rule to rule.
    if any(file.among or "~" in file.path for file in files):
        return ("",)  # It may be the short name of a file that is called otherwise, or one of many.
    return [name for file in files for name in (file.path, file.spelled)]


def _changed(facts: Facts, *ways: str) -> Sequence[str] | None:
    """Return the names of the files that the call touches in these ways, or may."""
    if facts.plain is not None:
        return _files(facts) if WRITE in ways and facts.plain.writes else None
    files = (*facts.files, *facts.named)
    return _names_of(facts, [file for file in files if not file.access or not set(ways).isdisjoint(file.access)])


def _losing(facts: Facts) -> Sequence[str] | None:
    """Return all there may be where the call deletes files, or git may throw something away."""
    if facts.plain is not None:
        return None
    deletes = any(one.program == "git" for one in facts.commands) or any(DELETE in one.access for one in facts.files)
    return ("",) if deletes else None


def _writing(facts: Facts) -> Sequence[str] | None:
    """Return the same also where the call writes files."""
    if facts.plain is not None:
        return ("",) if facts.plain.paths else None
    return ("",) if any(WRITE in one.access for one in facts.files) else _losing(facts)


def _pushing(facts: Facts) -> Sequence[str] | None:
    """Return all there may be where the call runs a program that changes branches of other repositories."""
    if not facts.runs:
        return None
    if facts.plain is not None:
        # Of plain lines with git none pushes (`bash.quick`).
        return ("",) if "gh" in facts.plain.programs else None
    from rulez_py.analysis import can_push

    return ("",) if any(can_push(one) for one in facts.commands) else None


def _below(facts: Facts) -> Sequence[str] | None:
    """Return the directories whose files the call touches, all of them; "" where a place of rules may lie in one."""
    if facts.plain is not None:
        return None
    deep = [slashed(file.path) for file in (*facts.files, *facts.named) if file.deep]
    places = facts._own_places()
    if any(inside(place).startswith(inside(path)) for path in deep for place in places):
        return ("",)
    return _some(deep)


def _named(facts: Facts) -> Sequence[str] | None:
    """Return the same, and the names of those that it only names."""
    return _files(facts) if facts.plain is not None else _names_of(facts, (*facts.files, *facts.named))


def _hosts(facts: Facts) -> Sequence[str] | None:
    return _some(facts.hosts) if facts.plain is None else None


def _contacting(facts: Facts) -> Sequence[str] | None:
    """Return all there may be where the call contacts a host, known or not; git may go to a remote by its name."""
    if facts.plain is not None:
        return None
    found = any(
        part.hosts or part.somewhere or (part.command is not None and part.command.program == "git")
        for part in facts.parts
    )
    return ("",) if found else None


def _contents(facts: Facts) -> Sequence[str] | None:
    """Texts that hold every word of the commands in what the call writes, and their programs' names."""
    written = facts._commands_written
    return _words_of(text for one in written for text in (one.program, *(word.text for word in one.words)))


# What commands may write of their own words: the script of `sed -i`, code that writes a file, a filter of
# `jq ... > f`. What comes of these is not known, but it is made of them.


def _written_of(parts: Sequence[Part]) -> Iterator[str]:
    before: Part | None = None
    for part in parts:
        command = part.command
        if command is None:
            continue
        writes = any(WRITE in file.access for file in part.files)
        if not command.words:
            # The effects of code stand behind the command that runs it.
            if writes and before is not None:
                yield from _words_and_input(before)
            continue
        before = part
        # What is sent along with a request is not what the program writes: that is the answer.
        if writes and not part.hosts and not part.somewhere:
            yield from _words_and_input(part)


def _words_and_input(part: Part) -> Iterator[str]:
    """Yield the words of a command that are no names of files, and what it reads."""
    command = part.command
    if command is None:
        return
    named = {file.spelled for file in part.files}
    for word in command.words[1:]:
        if word.text not in named:
            yield _replacement(word.text) if command.program in _SUBSTITUTING else word.text
    yield from (_added_by_patch(one.text) for one in command.inputs if one.text)


def _added_by_patch(text: str) -> str:
    """Return the lines that a patch adds; any other text whole."""
    lines = text.split("\n")
    if not any(line.startswith("+++ ") for line in lines):
        return text
    return "\n".join(line[1:] for line in lines if line.startswith("+") and not line.startswith("+++ "))


def _replacement(script: str) -> str:
    """Return what a substitution puts in place of something, `new` of `s/old/new/`; any other script whole."""
    if script[:1] == "s" and script[1:2] and not script[1].isalnum():
        pieces = script.split(script[1])
        if len(pieces) == 4 and "\\" not in script:
            return pieces[2]
    return script


_SUBSTITUTING = ("sed", "gsed", "perl")

SUBJECTS: dict[str, Callable[[Facts], Sequence[str] | None]] = {
    "flows": _flows,
    "marks": _marks,
    "beyond": _beyond,
    "words": _words,
    "options": _options,
    "touching": _touching,
    "command": _command,
    "prompt": lambda facts: None if facts.event.prompt is None else (facts.event.prompt,),
    "programs": _programs,
    "deleted": lambda facts: _changed(facts, DELETE),
    "changed": lambda facts: _changed(facts, DELETE, WRITE),
    "files": _files,
    "named": _named,
    "hosts": _hosts,
    "contacting": _contacting,
    "written": lambda facts: _some(facts.written),
    "input": lambda facts: _some(facts.texts),
    "mcp": lambda facts: ("",) if facts.mcp else None,
    "contents": _contents,
    "below": _below,
    "losing": _losing,
    "writing": _writing,
    "pushing": _pushing,
}
"""The keys of the index of rules (`index.py`), those first by which a rule is best filed where it could be by several.

Of the commands that the lines would execute, `words` are all words: a subcommand is rarer than a program. `options` are
these words where one is an option, `touching` where the line may touch a file, `beyond` where the line is not plain
(`bash.quick`). `marks` are `via`, `opaque` and origins of the input. `named` are the files, with those that a program
is only given; `below` the directories whose files are all touched; `contents` the words of commands in written files;
`contacting` is anything where the call contacts a host, known or not, `losing` where it deletes or runs git, `writing`
also where it writes, `pushing` where it runs what changes branches elsewhere.
"""

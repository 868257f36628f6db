"""One program with its words: what it touches, what it prints, what it leaves in files, what it runs in turn."""

from __future__ import annotations

from rulez_py.analysis.bash import builtins
from rulez_py.analysis.bash.dataflow import COPIED, is_download, loaded, on_path, resolved
from rulez_py.analysis.bash.expand import CHARACTERS, data_of
from rulez_py.analysis.bash.machine import MOST_TOUCHED, Invocation, Trace, ends, fed_by, reached
from rulez_py.analysis.bash.redirections import EDITED
from rulez_py.analysis.bash.world import NOTHING, PRINTED, SETS_UP, joined, mixed
from rulez_py.analysis.programs import read as options
from rulez_py.analysis.programs import runs, touches
from rulez_py.analysis.values import (
    ARGUMENTS,
    CODE,
    CREDENTIAL,
    DOWNLOAD,
    ENDLESS,
    ENVIRONMENT,
    INTERPRETER,
    LIMIT,
    NETWORK,
    PROGRAM,
    READ,
    RECURSION,
    REMOTE,
    SEND,
    SOURCES,
    VARIABLE,
    WRITE,
    Data,
    File,
    Touch,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.bash.machine import Machine
    from rulez_py.analysis.bash.nested import Nested
    from rulez_py.analysis.bash.redirections import Redirector
    from rulez_py.analysis.bash.syntax import Node
    from rulez_py.analysis.bash.world import World
    from rulez_py.analysis.values import Command, Impact, Inner

_OPTIONS_IN = {"tar": "TAR_OPTIONS", "gzip": "GZIP", "xz": "XZ_OPT", "bzip2": "BZIP2", "less": "LESS"}
"""Variables with options for a program."""
SECRETS = frozenset(SOURCES)
_ECHOES = frozenset(("echo", "printf"))
_SOURCING = frozenset(("source", ".", "eval", "command", "builtin", "exec", "trap"))
_METADATA = frozenset(("chmod", "chown", "chgrp", "touch", "setfacl", "chattr", "xattr"))
"""Programs that change what is known about a file, and not what is in it."""
_COPYING = frozenset(("cp", "gcp", "mv", "gmv", "ln", "gln", "install", "ginstall", "link", "rsync", "ditto", "dd"))
"""Programs that make of a file another one like it, or another name for it."""
_READERS = frozenset(("read", "mapfile", "readarray", "eval", "source", ".", "command", "builtin", "exec"))
"""Programs that take standard input bit by bit, in the shell itself."""


class Executor:
    """Executes programs."""

    def __init__(self, machine: Machine, redirector: Redirector, nested: Nested) -> None:
        self._machine = machine
        self._redirector = redirector
        self._nested = nested

    def execute(self, call: Invocation, world: World) -> list[World]:
        """Run a program, or a function."""
        self._machine.spend(1 + len(call.words))
        first = call.words[0]
        if first.text[:1] in ("-", "=") and (first.text != "-" or len(call.words) > 1):
            call = call.replace(words=_without_prefix(call.words))
            first = call.words[0]
        name = program_name(first.text)
        # INVARIANT: a program whose name is unknown is opaque.
        if first.glob or (not first.known and not _is_plain(name)):
            return self._unknown(call, world)
        if not name:
            # An expansion that gave nothing: the next word is not the program, but nothing runs either.
            return [world]
        if call.functions and first.text in world.functions:
            body = world.functions[first.text]
            # INVARIANT: a function that differs between merged worlds is an unknown program.
            if body is None:
                return self._unknown(call, world)
            return self._call(body, call, world)
        if "/" not in first.text and first.text in world.programs:
            name = program_name(world.programs[first.text])
            if not name:
                return self._unknown(call, world)
        return self._program(call.replace(name=name), world)

    def _program(self, call: Invocation, world: World) -> list[World]:
        """Run a program whose name is known, and say so to the observers."""
        at = len(self._machine.commands)
        after = self._followed(call, world)
        for observer in self._machine.observers:
            # Its own command is noted before those that it runs.
            observer.ran(self._machine.commands[at], self._machine.commands[at + 1 :])
        return after

    def _followed(self, call: Invocation, world: World) -> list[World]:
        at = len(self._machine.commands)
        trace = Trace()
        name, words = call.name, call.words
        stdin = world.stdin if name in _READERS else world.rest(world.stdin)
        outer_input = world.inputs.get("0")
        world.fed(stdin)
        output = builtins.run(self._nested, name, words, world, stdin)
        self._machine.spend(len((output and output.text) or "") // CHARACTERS)
        if builtins.loads_code(name, words):
            trace.opaque.append(CODE)
        call = _with_options(call, world)
        words = call.words
        impact = _bounded(self._effects(name, words, world), trace)
        trace.doubted = _doubted(name, words, impact, world)
        own = self._redirector.files(impact.touches, world)
        reads, sent = self._redirector.read_by(impact.touches, world)
        own += self._by_content(impact, (stdin, *reads), world)
        self._machine.spend(len(own))
        taken = mixed((stdin, *reads, *(_given(word) for word in words[1:])))
        contacts = (*call.hosts, *impact.hosts)
        given, flows = _released(words, sent, stdin if impact.sends else NOTHING, known=bool(contacts or impact.sends))
        own += given
        if name not in _METADATA:
            flows += self._redirector.save(impact.touches, _content(name, impact, reads, taken, stdin), world)
        self._own_making(words, world, trace)
        _installed(name, reads, trace)
        command = self._machine.command(call.replace(files=(*call.files, *own), hosts=contacts), world)
        command = self._showing(command, impact, world)
        before, world.printed = world.printed, NOTHING
        loaded = world.loaded
        world.loaded = self.lent(impact, world)
        after = self._nested.inner(call, world, trace)
        trace.opaque += _open(words, own)
        inputs = tuple(data for data in (stdin, *reads) if data.text != "")
        fed = fed_by((stdin, *trace.codes))
        command = command.replace(opaque=tuple(dict.fromkeys(trace.opaque)), fed=fed, inputs=inputs)
        if after is None:
            world.printed = _printed(call, impact, stdin, taken, world)
            flows += self._redirector.leads(world, world.printed if output is None else output)
        elif impact.origin == CREDENTIAL:
            flows += self._redirector.leads(world, Data(origins=(CREDENTIAL,)))
        self._machine.note(command.replace(flows=tuple(dict.fromkeys(flows))) if flows else command, world, at)
        after = [world] if after is None else after
        for one in after:
            one.loaded = one.loaded if name in _SOURCING else loaded
            one.fed(outer_input)
            printed, one.printed = _with_names(one.printed, name, words, NOTHING if reads else stdin), before
            self._redirector.say(one, printed if output is None else output)
        return after

    def _effects(self, name: str, words: Sequence[Word], world: World) -> Impact:
        """Return what a command does by its words; the builtins of the shell have none in doubt."""
        reading = options.read(name, words[1:])
        doubts = name not in builtins.KNOWN
        return touches.effects(
            name, words, reading, doubts=doubts, names_in=lambda word: self._nested.names_in(word, world)
        )

    def _by_content(self, impact: Impact, texts: Sequence[Data], world: World) -> tuple[File, ...]:
        """Return what a program changes that reads patches, anything where none is known, or puts there of an archive.

        The links it makes are kept.
        """
        for source, link in impact.links:
            self._redirector.linked(source, link, world)
        base = impact.patches
        if impact.unpacks is not None and texts[0].names:
            from rulez_py.analysis.programs.found import packed

            return self._redirector.files(packed(texts[0].names, impact.unpacks), world)
        if base is None:
            return ()
        if texts[0].names and not any(data.text for data in texts):
            from rulez_py.analysis.programs.found import patched

            return self._redirector.files(patched(texts[0].names, base), world)
        from rulez_py.analysis.programs.patches import touched

        known = [data.text or data.shown for data in texts]
        whole = () if any(data.text for data in texts) else (Touch(path=base, access=(WRITE,), within=True),)
        return self._redirector.files((*touched(known, base), *whole), world)

    def _showing(self, command: Command, impact: Impact, world: World) -> Command:
        """Return a command with the files that it names, and those whose variables it prints."""
        if impact.named:
            self._machine.spend(len(impact.named))
            command = command.replace(named=self._machine.seen(self._redirector.files(impact.named, world), world))
        if not world.loaded.files or not _shows_variables(command, impact):
            return command
        return command.replace(files=(*command.files, *self._redirector.variable_files(world)))

    def lent(self, impact: Impact, world: World) -> Data:
        """Return what the variables of the commands in a command were taken from."""
        if not impact.variables and not impact.lends:
            return world.loaded
        files = tuple(resolved(word.text, world) for word in impact.variables if word.known)
        return joined((world.loaded, Data(origins=(CREDENTIAL,) if impact.lends else (), files=files)))

    def _own_making(self, words: Sequence[Word], world: World, trace: Trace) -> None:
        """Run what this command line has made itself: the program, or what it is made to load."""
        first = words[0]
        if is_download(first.text):
            trace.opaque.append(CODE)
            trace.codes.append(Data(origins=(DOWNLOAD,)))
        elif "/" in first.text or first.text in world.files or runs.is_batch(first.text):
            self._nested.own_code(words, world, trace)
        elif world.is_set("PATH") and (found := on_path(first, world)) is not None:
            self._nested.own_code((found, *words[1:]), world, trace)
        for library in loaded(world):
            trace.opaque.append(CODE)
            trace.codes.append(library)

    def _unknown(self, call: Invocation, world: World) -> list[World]:
        """Run a program whose name is unknown: the command is opaque."""
        first = call.words[0]
        call = call.replace(words=(first.replace(known=False), *call.words[1:]))
        self._machine.note(
            self._machine.command(call, world, opaque=(PROGRAM,), fed=fed_by((world.stdin, first.data))), world
        )
        self._redirector.say(world, Data(origins=(PRINTED,)))
        return [world]

    def _call(self, body: Node, call: Invocation, world: World) -> list[World]:
        """Call a function."""
        name = call.words[0].text
        self._machine.touch(world, call.files, call.hosts)
        if name in world.frames:
            again = Invocation(name=name.lower(), words=call.words)
            if world.parallel:
                self._machine.note(self._machine.command(again, world).replace(via=reached(world.via, ENDLESS)), world)
            else:
                # INVARIANT: a function that calls itself is not followed again, so the call is opaque.
                self._machine.note(self._machine.command(again, world, opaque=(RECURSION,)), world)
            self._redirector.say(world, Data(origins=(PRINTED,)))
            return [world]
        own = ("arguments", "frames", "locals", "parallel", "endless", "loops", "returns")
        saved = {key: getattr(world, key) for key in own}
        world.arguments = tuple(call.words)
        world.frames = (*world.frames, name)
        world.locals = ()
        world.parallel = False
        world.loops, world.returns = 0, world.returns + 1
        machine = self._machine
        outer = machine.script, machine.offset, machine.tracks
        if defined := machine.defined.get(id(body)):
            machine.script, machine.tracks = defined, True
        after = machine.run(body, [world])
        machine.script, machine.offset, machine.tracks = outer
        for one in after:
            if one.leaving is not None and one.leaving[0] == "return":
                one.leaving = None
            one.drop_locals()
            one.__dict__.update(saved)
        return self._machine.united(after)


def _doubted(name: str, words: Sequence[Word], impact: Impact, world: World) -> tuple[Inner, ...]:
    """Return what may run of the words whose use by the program is unknown."""
    if not impact.doubted:
        return ()
    if INTERPRETER in world.via and not options.family(name):
        return ()  # Code that tests an unknown program gives it texts of any kind.
    from rulez_py.analysis.programs.doubt import commands

    return commands(words, impact.doubted)


def _without_prefix(words: Sequence[Word]) -> Sequence[Word]:
    """Return the words that zsh runs: without a leading `-`, and with the file of NAME for `=NAME`."""
    first = words[0]
    if first.text == "-":
        return words[1:]
    if first.text[0] == "=" and first.text[1:]:
        return (first.replace(text=first.text[1:], glob=""), *words[1:])
    return words


def _bounded(impact: Impact, trace: Trace) -> Impact:
    """Return the impact with at most MOST_TOUCHED files; with more the command is opaque."""
    if len(impact.touches) <= MOST_TOUCHED:
        return impact
    # INVARIANT: a command with more files than the bound is opaque.
    trace.opaque.append(LIMIT)
    return impact.replace(touches=ends(impact.touches))


def _with_options(call: Invocation, world: World) -> Invocation:
    """Put the words that a program takes from its environment before its own."""
    variable = _OPTIONS_IN.get(call.name, "")
    if not variable or not world.is_set(variable):
        return call
    value = world.get(variable)
    if not isinstance(value, Data) or value.text is None:
        return call
    options = (Word(text=part, data=value.replace(text=None)) for part in value.text.split())
    return call.replace(words=(call.words[0], *options, *call.words[1:]))


def _open(words: Sequence[Word], files: Sequence[File]) -> tuple[str, ...]:
    """Return why it is not known what a program would do whose name is known."""
    known = all(word.known for word in words[1:]) and all(file.known for file in files)
    # INVARIANT: a command with an unknown word or file is opaque.
    return () if known else (ARGUMENTS,)


def _shows_variables(command: Command, impact: Impact) -> bool:
    """Tell if it prints variables that may have been taken from a file."""
    if impact.origin in (ENVIRONMENT, VARIABLE):
        return True
    return command.program in _ECHOES and any(VARIABLE in word.data.origins for word in command.words)


def _given(word: Word) -> Data:
    """Return what a program makes of a word; a secret in it is there to be used, not to be printed."""
    data = data_of(word).replace(text=None, shown="")
    if data.origins and not SECRETS.isdisjoint(data.origins):
        data = data.replace(origins=tuple(one for one in data.origins if one not in SECRETS))
    return data


def _released(
    words: Sequence[Word], sent: Data, stdin: Data, *, known: bool
) -> tuple[tuple[File, ...], list[tuple[str, str]]]:
    """Return the files and the secrets that a program sends; nothing where it is not `known` to send anything."""
    if not known:
        return (), []
    return _sent(sent.files, words, stdin), list(_let_go(words, sent, stdin))


def _let_go(words: Sequence[Word], sent: Data, stdin: Data) -> tuple[tuple[str, str], ...]:
    """Return the secrets that a program sends to hosts: in files, on standard input, in its words."""
    origins = [*sent.origins, *stdin.origins]
    for at, word in enumerate(words):
        if at and word.data.origins and not SECRETS.isdisjoint(word.data.origins):
            from rulez_py.analysis.bash.credential_addressee import gives_away  # Few words hold a secret.

            origins += [one for one in word.data.origins if one == ENVIRONMENT or gives_away(words, at)]
    return tuple((one, NETWORK) for one in dict.fromkeys(origins) if one in SOURCES)


def _sent(files: Sequence[str], words: Sequence[Word], stdin: Data) -> tuple[File, ...]:
    """Return what a program that talks to hosts sends: these files, and those from which its words and its input were
    made.
    """
    paths = (*files, *(file for word in words[1:] for file in word.data.files), *stdin.files)
    return tuple(File(path=path, access=(SEND,)) for path in dict.fromkeys(paths))


def _installed(name: str, reads: Sequence[Data], trace: Trace) -> None:
    """Add what a program runs of what it reads because it installs that, where it was downloaded in this line."""
    if any(DOWNLOAD in data.origins for data in reads) and options.has_trait(name, "installs"):
        trace.opaque.append(CODE)
        trace.codes += reads


def _content(name: str, impact: Impact, reads: Sequence[Data], taken: Data, stdin: Data) -> Data:
    """Return what a program writes into files."""
    known = [data for data in reads if data.text is not None]
    if name in _COPYING and len(reads) == 1 and not known:
        return reads[0].replace(origins=(*reads[0].origins, COPIED))
    if len(reads) == 1 and known and not impact.origin:
        if any(READ in touch.access and WRITE in touch.access for touch in impact.touches):
            # Edited in place: the new text is unknown.
            return known[0].replace(text=None, shown=known[0].text or "", origins=(*known[0].origins, PRINTED, EDITED))
        return known[0]
    if not reads and stdin.text and not impact.origin:
        return stdin
    return taken.replace(origins=_origins(impact, taken))


def _origins(impact: Impact, taken: Data) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*taken.origins, PRINTED, *((impact.origin,) if impact.origin else ()))))


def _sets_up(name: str, words: Sequence[Word], stdin: Data) -> bool:
    """Tell if what a program prints is code for the shell that calls it, or some of what another one prints for it."""
    from rulez_py.analysis.programs.setup import hands_on, sets_up

    if stdin.names:
        # Commands made of the names of files here.
        return True
    if SETS_UP in stdin.origins and PRINTED not in stdin.origins:
        return hands_on(name)
    return sets_up(name, words)


def _printed(call: Invocation, impact: Impact, stdin: Data, taken: Data, world: World) -> Data:
    """Return what an unknown program prints: what it was given may be in it."""
    if impact.silent:
        return Data(origins=(PRINTED,))
    origins = _origins(impact, taken)
    if impact.origin == ENVIRONMENT:
        # What a container or another machine is given in variables was put there for a reason.
        origins += (*world.loaded.origins, *((CREDENTIAL,) if REMOTE in world.via else ()))
    reads = any(READ in touch.access for touch in impact.touches)
    if world.heard and _sets_up(call.name, call.words, NOTHING if reads else stdin):
        origins = tuple(dict.fromkeys(one if one != PRINTED else SETS_UP for one in origins))
    shown = taken.shown
    if call.name in _WRITING:
        # What its own program has in quotes may be among it.
        shown = "\n".join((*(word.text for word in call.words[1:] if " " in word.text), shown))
    return Data(origins=origins, files=taken.files, shown=shown)


_WRITING = ("jq", "gojq", "jaq", "yq", "tomlq", "xq", "dasel")
"""Programs that print what they read with texts of their arguments in it."""

_PACKING = ("tar", "gtar", "bsdtar")


def _with_names(printed: Data, name: str, words: Sequence[Word], stdin: Data) -> Data:
    """Return what a program prints, with the files of whose names it leaves some that it reads, which it packs or
    compares.
    """
    if name in _PACKING and printed.text is None:
        from rulez_py.analysis.programs.found import by_tar

        return printed.replace(names=by_tar(words))
    if name == "git" and printed.text is None and not printed.names and any(word.text == "--" for word in words):
        from rulez_py.analysis.programs.found import by_diff

        if names := by_diff(words):
            return printed.replace(names=names)
    if not stdin.names or printed.text is not None or printed.names:
        return printed
    from rulez_py.analysis.programs.found import passed

    return printed.replace(names=passed(name, words, stdin.names))


def program_name(text: str) -> str:
    """Return the name a program goes by: no directories, no `.exe`, lower case."""
    name = text.replace("\\", "/").rstrip("/").rpartition("/")[2].lower()
    for ending in (".exe", ".cmd", ".bat"):
        name = name.removesuffix(ending)
    return name


def _is_plain(name: str) -> bool:
    """Tell if a name has nothing in it of an expansion: what is not known was the directory."""
    return any(char.isalnum() for char in name) and not any(char in name for char in "$`(){}<>\0")

"""Redirections: which files and connections they open, what is read from them, and where output goes."""

from __future__ import annotations

import posixpath

from rulez_py.analysis.bash.dataflow import (
    based,
    by_default,
    connection,
    destination,
    device_number,
    duplicated,
    held,
    is_download,
    of_process,
    resolved,
)
from rulez_py.analysis.bash.expand import data_of
from rulez_py.analysis.bash.machine import DEEPEST, Invocation
from rulez_py.analysis.bash.world import NOTHING, PRINTED, UNKNOWN, Target, joined, mixed
from rulez_py.analysis.values import (
    BELOW,
    DELETE,
    DIRECTLY,
    DOWNLOAD,
    NETWORK,
    READ,
    SEND,
    SHOWN,
    SOME,
    SOURCES,
    STORE,
    WRITE,
    Data,
    File,
    Touch,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulez_py.analysis.bash.machine import Machine
    from rulez_py.analysis.bash.syntax import Redirect, Substitution
    from rulez_py.analysis.bash.world import World
    from rulez_py.analysis.values import Names

STORED = "stored"
"""The origin of what a file holds that was there before."""
EDITED = "edited"
"""The origin of what a file of this line's own making holds after something has changed it in place."""


class Redirector:
    """Opens files and connections, reads from them and writes to them."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.sinks: dict[str, tuple[Substitution, World]] = {}
        """What is run of each `>( )` with what is written to it, and where."""

    # Output.

    def say(self, world: World, data: Data) -> None:
        """Print something to where standard output leads, or to the world that is `heard`."""
        target = world.outputs.get("1")
        if target is not None:
            self.deliver(data, target, world)
        elif world.heard and data is not NOTHING:
            world.printed = joined((world.printed, data))

    def deliver(self, data: Data, target: Target, world: World) -> None:
        """Write something to where a descriptor leads."""
        if target.sink:
            piece, inner = self.sinks[target.sink]
            if len(inner.frames) < DEEPEST and target.sink not in inner.frames:
                again = inner.subshell().fed(data)
                again.frames = (*inner.frames, target.sink)
                again.after(world)
                self._machine.aside(world, again, lambda one: self._machine.run(piece.body, [one]))
        elif target.host:
            if data.files:
                self._machine.touch(
                    world, tuple(File(path=path, access=(SEND,)) for path in data.files), (target.host,)
                )
            if flows := tuple((origin, NETWORK) for origin in data.origins if origin in SOURCES):
                self._machine.note(
                    self._machine.command(Invocation(hosts=(target.host,)), world).replace(flows=flows), world
                )
        elif target.path:
            self._write(target.path, data, world, adds=True)

    # What is opened.

    def opened(self, redirects: Sequence[Redirect], world: World) -> None:
        """Open redirections that belong to no program, and note the files by themselves."""
        files, hosts = self.redirect(redirects, world)
        self._machine.touch(world, files, hosts)

    def redirect(self, redirects: Sequence[Redirect], world: World) -> tuple[tuple[File, ...], tuple[str, ...]]:
        """Set the world's descriptors; the files and hosts that are opened."""
        files: list[File] = []
        hosts: list[str] = []
        for redirect in redirects:
            operator = redirect.operator
            place = self._machine.place or (redirect.target.start, redirect.target.end)
            target = self._machine.expander.word(
                redirect.target.pieces, world, place, tilde=operator not in ("<<", "<<<")
            )
            default = "0" if operator[0] == "<" else "1"
            number = self._descriptor(redirect, world, default=default, closes=target.text == "-")
            duplicate = duplicated(target) if operator in ("<&", ">&") else None
            if operator in ("<<", "<<<"):
                data = data_of(target)
                if operator == "<<<" and data.text is not None:
                    data = data.replace(text=data.text + "\n")
                world.inputs[number] = data
            elif duplicate is not None:
                _duplicate(duplicate, number, operator, world)
            elif operator == "<":
                data, host = self._read_from(target, world)
                world.inputs[number] = data
                if host:
                    hosts.append(host)
                    world.outputs[number] = Target(host=host)
                else:
                    files += self.files((Touch(path=target, access=(READ,)),), world, opened=True)
            else:
                written, reached = self._write_to(target, number, operator, world)
                files += written
                hosts += reached
        return tuple(files), tuple(hosts)

    def _write_to(
        self, target: Word, number: str, operator: str, world: World
    ) -> tuple[tuple[File, ...], tuple[str, ...]]:
        """Open what output goes to; the files and hosts that this touches."""
        opened = destination(target, world)
        for one in (number, "2") if operator.startswith("&") or operator == ">&" else (number,):
            world.outputs[one] = opened
        if opened.host:
            world.inputs[number] = Data(origins=(DOWNLOAD,))
            return (), (opened.host,)
        if not opened.path:
            return (), ()
        access = (READ, WRITE) if operator == "<>" else (WRITE,)
        touch = Touch(path=target, access=access, keeps=operator.endswith(">>"))
        files = self.files((touch,), world, opened=True)
        if not operator.endswith(">>"):
            world.write(opened.path, NOTHING)
        return files, ()

    def _descriptor(self, redirect: Redirect, world: World, *, default: str, closes: bool) -> str:
        written = redirect.descriptor
        if not written.startswith("{"):
            return written.lstrip("0") or ("0" if written else default)
        number = _free(world)
        name = written[1:-1]
        known = world.get(name) if world.is_set(name) else None
        if isinstance(known, Data) and known.text and closes:
            number = known.text
        world.set(name, Data(text=number))
        return number

    # Files.

    def content(self, target: Word, world: World) -> Data:
        """Return what is read from a file."""
        return self._read_from(target, world)[0]

    def _read_from(self, target: Word, world: World) -> tuple[Data, str]:
        """Return what is read from a file, and the host where that is a connection."""
        if not target.known:
            if host := connection(target.text):
                return Data(origins=(DOWNLOAD,)), host
            if target.text.startswith(("/dev/fd/", "/proc/")):
                # INVARIANT: what is read from an unknown descriptor is unknown.
                return UNKNOWN, ""
            origins = target.data.origins
            if not target.text.lstrip("./~").startswith(_EXPANDING):
                # Only a part of its name is printed by a program, not what it holds.
                origins = tuple(one for one in origins if one != PRINTED)
            return mixed((target.data,)).replace(origins=(*origins, STORED)), ""
        host = connection(target.text)
        if host or is_download(target.text):
            return Data(origins=(DOWNLOAD,)), host
        number = device_number(target.text)
        if number == "0":
            return world.stdin, ""
        if number:
            return world.inputs.get(number, UNKNOWN), ""
        return self._stored(target, world), ""

    def _stored(self, target: Word, world: World) -> Data:
        """Return what a file holds."""
        path = resolved(target.text, world)
        written = held(target.text, world)
        if written is not None:
            return written.replace(files=(*written.files, path))
        below = [name for name in world.files if name.startswith(path + "/")]
        if below:
            inside = [world.files[name] for name in below]
            return mixed((*inside, Data(origins=(STORED,), files=(path, *below))))
        return Data(origins=(STORED,), files=(path,))

    def read_by(self, touches: Iterable[Touch], world: World) -> tuple[tuple[Data, ...], Data]:
        """Return what is in the files that a program reads by its words, what went into those that it sends."""
        reads: list[Data] = []
        sent: list[Data] = []
        for touch in touches:
            if READ in touch.access or SEND in touch.access:
                number = device_number(touch.path.text)
                data = world.inputs.get(number, UNKNOWN) if number else self._stored(based(touch), world)
                reads.append(data)
                if SEND in touch.access:
                    sent.append(data)
        return tuple(reads), joined(sent)

    def save(self, touches: Iterable[Touch], content: Data, world: World) -> tuple[tuple[str, str], ...]:
        """Return what a program's files hold afterwards; the secrets that are in them."""
        kept = False
        for touch in touches:
            if WRITE in touch.access:
                kept = True
                number = device_number(touch.path.text)
                if number and number in world.outputs:
                    self.deliver(content, world.outputs[number], world)
                elif host := connection(touch.path.text):
                    self.deliver(content, Target(host=host), world)
                elif touch.path.text in self.sinks:
                    self.deliver(content, Target(sink=touch.path.text), world)
                else:
                    self._write(resolved(based(touch).text, world), content, world, adds=touch.deep)
            if DELETE in touch.access and WRITE not in touch.access:
                world.files.pop(resolved(based(touch).text, world), None)
        return tuple((origin, STORE) for origin in content.origins if origin in SOURCES) if kept else ()

    def _write(self, path: str, data: Data, world: World, *, adds: bool) -> None:
        before = world.written(path) if adds else None
        held = world.write(path, data, adds=adds)
        first = world.links.get(path)
        if first is not None and first.known:
            world.write(posixpath.normpath(posixpath.join(world.start, first.path)), held)
        if held.text:
            if before is not None and before.text:
                # All of it is in what the file holds now.
                self._machine.written.pop((path, before.text), None)
            self._machine.written[path, held.text] = None

    def files(self, touched: Iterable[Touch], world: World, *, opened: bool = False) -> tuple[File, ...]:
        """Return the files that are touched, as they are called from where the command line starts."""
        found: list[File] = []
        for touch in touched:
            word = based(touch)
            if not word.known and word.data.names and touch.base is None:
                found += [_file_of(names, touch, world) for names in word.data.names]
                continue
            if not word.known and (place := by_default(word, world)) is not None:
                found.append(File(path=place.text, access=touch.access, deep=touch.deep, known=False, at=touch.path.at))
            if not (word.text.startswith("<(") or device_number(word.text) or connection(word.text)):
                found += _by_name(touch, word, world, opened)
        return tuple(found) if not world.links else with_first_names(found, world)

    def leads(self, world: World, printed: Data) -> tuple[tuple[str, str], ...]:
        """Return where secrets go that are printed."""
        found = [origin for origin in printed.origins if origin in SOURCES]
        if not found:
            return ()
        target = world.outputs.get("1")
        if target is None:
            sink = "" if world.heard else SHOWN
        else:
            sink = NETWORK if target.host else STORE if target.path else ""
        return tuple((origin, sink) for origin in found) if sink else ()

    def variable_files(self, world: World) -> tuple[File, ...]:
        """Return the files that variables were taken from, which printing the variables shows."""
        touched = (Touch(path=Word(text=path), access=(READ,)) for path in world.loaded.files)
        return self.files(touched, world)

    def linked(self, source: Word, name: Word, world: World) -> None:
        """Note the second name of a file (`ln`)."""
        if name.known:
            touch = Touch(path=source, access=(READ,))
            world.links[resolved(name.text, world)] = next(iter(self.files((touch,), world)), None)


_EXPANDING = ("$", "`", "<", ">")


def _by_name(touch: Touch, word: Word, world: World, opened: bool) -> Iterator[File]:
    """Yield the file that a word names, and what may be below it where that is touched as well."""
    path, glob = of_process(word.text, world), word.glob
    if not posixpath.isabs(path):
        path = posixpath.join(world.way, path)
        if glob and world.way:
            from rulez_py.analysis.bash.patterns import escaped

            glob = posixpath.join(escaped(world.way), glob)
    # INVARIANT: a relative path is unknown where the directory is.
    known = word.known and (posixpath.isabs(word.text) or world.known_cwd)
    file = File(
        path=path,
        access=touch.access,
        deep=touch.deep,
        glob=glob,
        known=known,
        opened=opened,
        at=touch.path.at,
        some=touch.some,
        keeps=touch.keeps,
    )
    if world.missing and WRITE in touch.access and known and resolved(path, world) in world.missing:
        file = file.replace(new=True)
    yield file
    if touch.within:
        yield file.replace(path=posixpath.join(path, SOME), glob="", deep=False, opened=False, among=BELOW)


def with_first_names(files: list[File], world: World) -> tuple[File, ...]:
    """Return files, also as they were called before this command line gave them second names."""
    return (*files, *(other for file in files for other in _by_first_name(file, world)))


def _by_first_name(file: File, world: World) -> Iterator[File]:
    """Yield a file as it was called before this command line gave it a second name, or something above it."""
    path, behind = resolved(file.path, world), ""
    while path not in ("", "/"):
        first = world.links.get(path)
        if first is not None:
            glob = f"{first.glob}{behind}" if first.glob else ""
            yield file.replace(path=first.path + behind, glob=glob, known=file.known and first.known)
        path, slash, name = path.rpartition("/")
        behind = f"{slash}{name}{behind}"


def _free(world: World) -> str:
    """Return a descriptor that is not in use, as far as that is known."""
    return str(10 + len(world.inputs) + len(world.outputs))


def _duplicate(duplicate: str, number: str, operator: str, world: World) -> None:
    """Duplicate a descriptor (`<&` and `>&`), or close it."""
    closes = duplicate.endswith("-")
    source = duplicate.rstrip("-")
    if source in world.inputs and (operator == "<&" or source not in world.outputs):
        world.inputs[number] = world.inputs[source]
    elif source == "0":
        world.inputs[number] = world.stdin
    if source in world.outputs:
        world.outputs[number] = world.outputs[source]
    elif source in ("1", "2") and number in world.outputs:
        del world.outputs[number]
    if closes and source:
        world.inputs.pop(source, None)
        world.outputs.pop(source, None)


def _file_of(names: Names, touch: Touch, world: World) -> File:
    """Return one of the files that a program has named: all that is below a directory, where nothing was left out."""
    directory, pattern = names.directory, names.pattern
    # Reading or rewriting the files of a place is not aimed at each file that a rule protects; deleting or sending is.
    whole = not pattern and WRITE not in touch.access and (DELETE in touch.access or SEND in touch.access)
    path = directory or "." if whole else posixpath.join(directory, pattern or SOME)
    glob = "" if pattern in ("", SOME) else path if names.flat else posixpath.join(directory, "**", pattern)
    if not posixpath.isabs(path):
        path = posixpath.join(world.way, path)
        glob = posixpath.join(world.way, glob) if glob else ""
    among = "" if whole else DIRECTLY if names.flat else BELOW
    return File(
        path=path,
        access=touch.access,
        deep=touch.deep or whole,
        glob=glob,
        known=False,
        at=touch.path.at,
        among=among,
        some=touch.some,
        keeps=touch.keeps,
    )

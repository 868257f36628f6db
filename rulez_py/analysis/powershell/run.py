"""Follow a PowerShell script to the commands it would execute."""

from __future__ import annotations

from rulez_py.analysis.addresses import hosts_of
from rulez_py.analysis.powershell import cmdlets, dotnet, launch, places
from rulez_py.analysis.powershell.behaviour import PASSES, SPECIAL, WEB
from rulez_py.analysis.powershell.flow import (
    MOST,
    Argument,
    Bytes,
    Closure,
    Flow,
    arranged,
    decoded,
    files_of,
    made,
    number,
    only_output,
    origins_of,
    parts_of,
    program_of,
    reached,
    shown_of,
    text_of,
    unknown,
)
from rulez_py.analysis.powershell.follow import BRANCHING, Enough, Follow, one_by_one
from rulez_py.analysis.powershell.invocation import Invocation, Line
from rulez_py.analysis.powershell.session import as_glob
from rulez_py.analysis.powershell.syntax import (
    BRACKETS,
    Assignment,
    Block,
    Call,
    Cast,
    Evaluation,
    Function,
    Index,
    Items,
    Member,
    Node,
    Operation,
    Pipeline,
    Script,
    Splat,
    Table,
    Text,
    TooDeep,
    Variable,
    parse,
)
from rulez_py.analysis.powershell.world import World, both, either, merged, united
from rulez_py.analysis.values import (
    BELOW,
    CODE,
    DECODE,
    DOWNLOAD,
    ENVIRONMENT,
    LIMIT,
    NETWORK,
    OUTPUT,
    PROGRAM,
    READ,
    RECURSION,
    SEND,
    SHELL,
    SOME,
    SUBSTITUTION,
    SYNTAX,
    VARIABLE,
    Command,
    Data,
    File,
    Word,
    is_secretive,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Protocol

    from rulez_py.analysis.powershell.flow import Known
    from rulez_py.analysis.powershell.world import Course

    class Nested(Protocol):
        """What an external program with these words does; the first of the commands is itself."""

        def __call__(
            self, words: tuple[Word, ...], via: tuple[str, ...], cwd: str | None, stdin: Data
        ) -> tuple[Command, ...]: ...


_DOWNLOADERS = ("curl", "wget", "aria2c", "bitsadmin")
_LISTS_DRIVES = ("get-childitem", "get-item", "get-content")
_SILENT = ("write-host", "write-verbose", "write-debug", "write-warning", "write-error", "write-information")


class Run(Follow):
    """One analysis: a session, and how its scripts are followed."""

    def __init__(self, *, cwd: str, home: str, environ: Mapping[str, str], depth: int, nested: Nested | None) -> None:
        super().__init__(cwd=cwd, home=home)
        self.environ = environ
        self.nested = nested
        self.depth = depth
        self.running: list[str] = []
        self.source = ""
        self.outermost = depth == 0

    # Scripts and statements

    def whole(self, text: str) -> None:
        try:
            self.script(text, outermost=self.outermost)
        except (Enough, RecursionError):
            self.limit()

    def limit(self) -> None:
        self.commands.append(Command(words=(), program="", via=self.via, user=self.user, opaque=(LIMIT,)))

    def script(self, text: str, *, outermost: bool = False) -> Known | None:
        """Run a text; what cannot be read of it marks its last command."""
        bound = BRACKETS - self.depth
        try:
            if bound <= 0:
                raise TooDeep
            block, whole = parse(text.replace("\r\n", "\n") if not outermost else text, bound)
        except TooDeep:
            self.limit()
            return None
        before = len(self.commands)
        found = self.block(Closure(block=block, source=text, outermost=outermost))
        if not whole:
            if len(self.commands) == before:
                self.commands.append(Command(words=(), program="", via=self.via, user=self.user, opaque=(SYNTAX,)))
            else:
                last = self.commands[-1]
                self.commands[-1] = last.replace(opaque=tuple(dict.fromkeys((*last.opaque, SYNTAX))))
        return found

    def nested_script(self, text: str, *via: str) -> Known | None:
        with_via, self.via = self.via, reached(self.via, *via)
        found = self.script(text)
        self.via = with_via
        return found

    def block(
        self, closure: Closure, arguments: Sequence[Argument] = (), fed: Known | None = None, *, own: bool = False
    ) -> Known | None:
        """Run a script block with its arguments bound; with `own` in a scope of its own."""
        if self.depth >= BRACKETS:
            self.limit()
            return None
        self.depth += 1
        source, outermost = self.source, self.outermost
        self.source, self.outermost = closure.source, closure.outermost
        outer = dict(self.world.variables) if own else {}
        hidden = {name.lstrip("-"): self.world.variables.get(name.lstrip("-")) for name, _ in closure.block.parameters}
        hidden["args"] = self.world.variables.get("args")
        self.bind_parameters(closure.block, arguments)
        if fed is not None:
            hidden["input"] = self.world.variables.get("input")
            self.world.variables["input"] = fed
        found = self.statements(closure.block.statements)
        for name, value in hidden.items():
            if value is None:
                self.world.variables.pop(name, None)
            else:
                self.world.variables[name] = value
        if own:
            inner = self.world.variables
            outer.update({name: inner[name] for name in inner if name in self.outward or name.startswith("env:")})
            self.world.variables = outer
        self.source, self.outermost = source, outermost
        self.depth -= 1
        return found

    def bind_parameters(self, block: Block, arguments: Sequence[Argument]) -> None:
        names = [name.lstrip("-") for name, _ in block.parameters]
        switches = {name[1:] for name, _ in block.parameters if name[:1] == "-"}
        given: dict[str, Known] = {}
        rest: list[Known] = []
        waiting = ""
        for argument in arguments:
            if argument.name:
                waiting = next((name for name in names if name.startswith(argument.name.lower())), "")
                if waiting:
                    given[waiting] = "True" if argument.value is None else argument.value
                    waiting = waiting if argument.value is None and waiting not in switches else ""
                continue
            value: Known = argument.value if argument.value is not None else ""
            if waiting:
                given[waiting] = value
            else:
                rest.append(value)
            waiting = ""
        for parameter, default in block.parameters:
            name = parameter.lstrip("-")
            if name in given:
                value = given[name]
            elif rest and name not in switches:
                value = rest.pop(0)
            else:
                unset = self.value(default)
                value = "" if unset is None else unset
            self.world.variables[name] = value
        self.world.variables["args"] = tuple(rest)

    def statement(self, node: Node) -> Known | None:
        """Run one statement where one value is asked for."""
        if type(node) in BRANCHING:
            return self.statements((node,))
        if isinstance(node, Pipeline):
            return self.pipeline(node)
        if isinstance(node, Assignment):
            self.assign(node, self.statement(node.value))
        elif isinstance(node, Function):
            self.world.functions[node.name] = Closure(block=node.block, source=self.source, outermost=self.outermost)
        else:
            return self.value(node)
        return None

    def assign(self, node: Assignment, assigned: Known | None) -> None:
        value: Known = "" if assigned is None else assigned
        target: Node | None = node.target
        while isinstance(target, Cast):
            target = target.operand
        if isinstance(target, Items):
            values = parts_of(value)
            for place, one in enumerate(target.items):
                if isinstance(one, Variable):
                    self.world.variables[one.name] = values[place] if place < len(values) else ""
            return
        if not isinstance(target, Variable):
            if isinstance(target, Member):
                self.value(target.target)
            return
        if node.operator == "+=":
            value = self.plus(self.world.variables.get(target.name, ""), value, self.shown(node))
        elif node.operator == "??=":
            value = self.first_known(self.variable(target), value, self.shown(node))
        elif node.operator != "=":
            value = unknown(self.shown(node), value)
        if isinstance(value, tuple) and len(value) > 1000:
            value = unknown(f"${target.name}", *value[:100])
        self.world.variables[target.name] = value
        if target.outward:
            self.outward.add(target.name)

    # Pipelines

    def pipeline(self, node: Pipeline) -> Known | None:
        fed: Known | None = None
        for place, element in enumerate(node.elements):
            self.steps -= place > 0
            if isinstance(element, Call):
                fed = self.call(element, fed if place else None)
            elif isinstance(element, Evaluation):
                fed = self.value(element.value)
                for sign, target in element.redirections:
                    self.cmdlet(
                        "Out-File", (("FilePath", self.value(target)), *((("Append", "True"),) if sign == ">>" else ()))
                    )
        return fed

    def call(self, node: Call, fed: Known | None) -> Known | None:
        name = self.value(node.name)
        line = Line(
            arguments=self.arguments(node.arguments),
            fed=fed,
            redirected=tuple(file for _, target in node.redirections for file in self.files(self.value(target), "w")),
            word=self.word(node.name, name),
            shown=self.shown(node),
            operator=node.operator,
        )
        if isinstance(name, Closure):
            return self.block(name, line.arguments, fed, own=node.operator != ".")
        text = text_of(name)
        if text is None or not text.strip():
            reason = CODE if isinstance(name, Flow) and name.type == "scriptblock" else PROGRAM
            return self.unknown_program(line, (*origins_of(name), *origins_of(fed)), reason)
        written = text.strip()
        plain = program_of(written)
        program = self.world.aliases.get(plain, plain)
        body = self.world.functions.get(program) if program else None
        if program is None or (body is None and program in self.world.functions):
            return self.unknown_program(line, origins_of(fed))
        if body is not None:
            return self.function(program, body, line)
        program = self.meant(program, plain, written, line.arguments)
        if "-" in program and (cmdlets.described(program) or _is_cmdlet(program)):
            return self.described(program, line)
        if plain in self.world.aliases:
            line = line.replace(word=line.word.replace(text=program, glob=""))
        return self.external(program, written, line)

    def unknown_program(self, line: Line, origins: tuple[str, ...], reason: str = PROGRAM) -> Known:
        """Note a command of which it is not known what it runs."""
        words = (line.word.replace(known=False), *line.words[1:])
        self.emit(Command(words=words, program="", opaque=(reason,), fed=origins, files=line.redirected))
        return unknown(line.shown).replace(origins=tuple(dict.fromkeys(origins)))

    def meant(self, program: str, plain: str, written: str, arguments: Sequence[Argument]) -> str:
        """Return the cmdlet that a name stands for, or the program where that cannot have been meant."""
        if "/" in written or "\\" in written:
            return program
        if cmdlets.is_program(plain) and (
            written.lower().endswith(".exe") or not self.fits(cmdlets.meant(program), arguments)
        ):
            return plain
        return cmdlets.meant(program)

    def fits(self, program: str, arguments: Sequence[Argument]) -> bool:
        """Tell whether a cmdlet can have been meant by an alias that is a program too."""
        if not cmdlets.described(program):
            return all(not argument.name or len(argument.name) > 2 for argument in arguments)
        if any(argument.words and argument.words[0].text.startswith("--") for argument in arguments):
            return False
        shortest = 4 if program in WEB else 1  # curl has an option for nearly every letter
        return all(
            len(found := cmdlets.candidates(program, one.name)) == 1
            and (len(one.name) >= shortest or one.name.lower() in (name.lower() for name in found[0].names))
            for one in arguments
            if one.name
        )

    def function(self, name: str, body: Closure, line: Line) -> Known | None:
        if name in self.running:
            self.emit(Command(words=line.words, program=name, opaque=(RECURSION,), files=line.redirected))
            return None
        if line.redirected:
            self.emit(Command(words=line.words, program=name, files=line.redirected))
        self.running.append(name)
        found = self.block(body, line.arguments, line.fed, own=line.operator != ".")
        self.running.pop()
        return found

    def external(self, program: str, written: str, line: Line) -> Known | None:
        if program.endswith(".ps1"):
            self.script_file(written, line)
        else:
            self.program(line.words, program, line.fed, line.redirected)
        origins = (DOWNLOAD,) if program in _DOWNLOADERS else origins_of(line.fed)
        return Flow(shown=line.shown, origins=origins, files=files_of(line.fed), output=True)

    def script_file(self, written: str, line: Line) -> None:
        read = self.files(written, "rl")
        origins = tuple(origin for file in read for origin in self.world.written.get(file.path.lower(), ()))
        name = written.replace("\\", "/").rpartition("/")[2].lower()
        via = (SHELL,) if line.operator == "." else ()
        self.emit(Command(words=line.words, program=name, fed=origins, files=(*read, *line.redirected), via=via))

    def program(self, words: tuple[Word, ...], program: str, fed: Known | None, files: tuple[File, ...] = ()) -> None:
        """Run an external program; of the shells, what they run too."""
        origins = tuple(dict.fromkeys((*origins_of(fed), *self.carried(words))))
        if program in launch.POWERSHELLS:
            self.powershell(words, program, fed, files)
        elif self.nested is None:
            self.emit(Command(words=words, program=program, fed=origins, files=files))
        else:
            data = Data(text=text_of(fed) if fed is not None else None, origins=origins_of(fed), files=files_of(fed))
            found = self.nested(words, self.via, self.world.cwd, data)
            if not found or found[0].words != words:
                self.emit(Command(words=words, program=program, fed=origins, files=files))
            elif files or self.user:
                found = (found[0].replace(files=(*found[0].files, *files)), *found[1:])
            self.commands.extend(one.replace(user=self.user or one.user) for one in found)

    def carried(self, words: tuple[Word, ...]) -> tuple[str, ...]:
        """Return where a program comes from that this text has written itself."""
        found = resolved = places.resolve(words[0].text, self.world.cwd, self.home)
        return self.world.written.get(resolved[0].lower(), ()) if found and resolved else ()

    def powershell(self, words: tuple[Word, ...], program: str, fed: Known | None, files: tuple[File, ...]) -> None:
        inner = launch.inner(words)
        if inner is None:
            self.emit(Command(words=words, program=program, files=files))
        elif inner.file is not None:
            read = self.files(inner.file.text, "rl") if inner.file.known else ()
            origins = tuple(origin for file in read for origin in self.world.written.get(file.path.lower(), ()))
            self.emit(Command(words=words, program=program, fed=origins, files=(*read, *files)))
        elif inner.stdin:
            text = text_of(fed)
            opaque = () if fed is None or text is not None else (OUTPUT if only_output(fed) else CODE,)
            self.emit(Command(words=words, program=program, opaque=opaque, fed=origins_of(fed), files=files))
            if text:
                self.nested_script(text, SHELL)
        elif inner.code is not None:
            code = inner.code
            self.emit(
                Command(
                    words=words,
                    program=program,
                    opaque=() if code.known else (CODE,),
                    fed=code.data.origins,
                    files=files,
                )
            )
            if code.known:
                outer, self.world = self.world, World(self.world.cwd)
                self.world.written = outer.written
                text = code.text.strip()
                block = text[:1] == "{" and text[-1:] == "}"
                self.nested_script(text[1:-1] if block else text, SHELL)
                outer.written, self.world = self.world.written, outer

    # Arguments

    def arguments(self, nodes: Sequence[Node]) -> list[Argument]:
        found: list[Argument] = []
        plain = False
        for node in nodes:
            first = node.parts[0] if isinstance(node, Text) and node.bare and node.parts else None
            if isinstance(first, str) and first == "--" and len(node.parts) == 1:  # type: ignore[attr-defined]
                plain = True
            name, attached = cmdlets.split(first) if isinstance(first, str) and not plain else ("", None)
            if isinstance(node, Splat):
                found.extend(self.splat(node))
            elif name and isinstance(node, Text):
                whole = self.value(node)
                word = self.word(node, whole)
                value: Known | None = None
                if attached or len(node.parts) > 1:
                    rest = (attached or "", *node.parts[1:])
                    value = self.value(Text(parts=tuple(part for part in rest if part != ""), at=node.at))
                    if value in ("$true", "$false"):
                        value = str(value)[1:].title()
                found.append(Argument(name, value, (word,), waits=attached is not None))
            else:
                value = self.value(node)
                found.append(Argument("", value, self.words(node, value)))
        return found

    def splat(self, node: Splat) -> list[Argument]:
        value = self.world.variables.get(node.name)
        shown = Word(text=f"@{node.name}", known=False, at=self.at(node))
        if isinstance(value, dict):
            found: list[Argument] = []
            for name, one in value.items():
                text = text_of(one)
                switch = (text or "").lower() in ("true", "false")
                word = Word(text=f"-{name}:{text}" if switch else f"-{name}", at=self.at(node))
                rest = () if switch else (Word(text=text if text is not None else shown.text, known=text is not None),)
                found.append(Argument(name, one, (word, *rest)))
            return found
        if isinstance(value, tuple):
            return [Argument("", one, self.words(node, one)) for one in value]
        return [Argument("", unknown(shown.text, value), (shown,))]

    def words(self, node: Node, value: Known | None) -> tuple[Word, ...]:
        """Return the words an argument is: as many as a list has items, but one for a list without blanks (`a,b`)."""
        if isinstance(node, Items) and isinstance(value, tuple) and len(node.items) == len(value):
            return tuple(self.word(one, item) for one, item in zip(node.items, value, strict=True))
        if isinstance(value, tuple) and 0 < len(value) <= 100:
            return tuple(self.word(node, item) for item in value)
        return (self.word(node, value),)

    def word(self, node: Node, value: Known | None) -> Word:
        text = text_of(value)
        data = Data(text=text, origins=origins_of(value), files=files_of(value))
        if text is None:
            plain = isinstance(value, Closure)
            return Word(text=self.shown(node) or shown_of(value), known=plain, at=self.at(node), data=data)
        glob = ""
        if isinstance(node, Text) and node.bare and as_glob(text):
            glob = text.replace("\\", "\\\\")
        if not data.origins and not data.files:
            return Word(text=text, glob=glob, at=self.at(node))
        return Word(text=text, glob=glob, at=self.at(node), data=data)

    def at(self, node: Node) -> tuple[int, int]:
        return node.at if self.outermost else (0, 0)

    def shown(self, node: Node) -> str:
        return self.source[node.at[0] : min(node.at[1], node.at[0] + 2000)]

    # Cmdlets

    def cmdlet(self, name: str, parameters: Sequence[tuple[str, Known | None]], fed: Known | None = None) -> None:
        """Run what does the same as a cmdlet, by its parameters."""
        arguments: list[Argument] = []
        for parameter, value in parameters:
            text = text_of(value)
            word = Word(
                text=text if text is not None else shown_of(value),
                known=text is not None,
                data=Data(text=text, origins=origins_of(value), files=files_of(value)),
            )
            option = Word(text=f"-{parameter}")
            arguments.append(Argument(parameter, value, (option,) if text == "True" else (option, word)))
        self.described(name.lower(), Line(word=Word(text=name), arguments=arguments, shown=name.lower(), fed=fed))

    def bind(self, program: str, arguments: Sequence[Argument]) -> dict[str, Known]:
        """Return the value of each parameter, by its documented name in lower case; a switch that is on is "True"."""
        bound: dict[str, Known] = {}
        rest: list[Known] = []
        waiting = ""
        for argument in arguments:
            if argument.name:
                found = cmdlets.candidates(program, argument.name)
                waiting = ""
                if len(found) != 1:
                    continue
                name = found[0].names[0].lower()
                if found[0].switch:
                    if (text_of(argument.value) or "").lower() not in ("false", "0") or argument.value is None:
                        bound[name] = "True"
                elif argument.value is not None:
                    bound[name] = argument.value
                else:
                    waiting = name
                if argument.waits and argument.value is None:
                    waiting = name
                continue
            value: Known = argument.value if argument.value is not None else ""
            if waiting:
                bound[waiting] = value
            else:
                rest.append(value)
            waiting = ""
        self._bind_by_position(program, rest, bound)
        return bound

    def _bind_by_position(self, program: str, rest: list[Known], bound: dict[str, Known]) -> None:
        """Words without a name are for the parameters that are left, by their positions; what is over is for ""."""
        positional = {one.position: one.names[0].lower() for one in cmdlets.parameters(program).values()}
        for position in sorted(positional):
            name = positional[position]
            if position >= 0 and name not in bound and rest and not (position == 0 and "literalpath" in bound):
                bound[name] = rest.pop(0)
        if rest:
            bound[""] = tuple(rest)

    def described(self, program: str, line: Line) -> Known | None:
        """Run a cmdlet."""
        bound = self.bind(program, line.arguments)
        files = (*self.touched(program, bound, line.fed), *(file.replace(opened=True) for file in line.redirected))
        call = Invocation(program=program, words=line.words, bound=bound, shown=line.shown, fed=line.fed, files=files)
        if "whatif" in bound and program not in ("foreach-object", "where-object"):
            self.emit(call.noted(files=tuple(file for file in files if file.access == (READ,))))
            return None
        if program in _LISTS_DRIVES and any(_is_environment(value) for value in bound.values()):
            self.emit(call.noted(files=()))
            return Flow(shown=call.shown, origins=(ENVIRONMENT,))
        call = call.replace(hosts=self.hosts(program, bound))
        special = SPECIAL.get(program)
        if special is not None:
            found = special(self, call)
            self.given_away(call)
            return found
        self.emit(call.noted(fed=origins_of(call.fed), hosts=call.hosts))
        self.given_away(call)
        self.blocks(line)
        if program in _SILENT:
            return None
        same = (value for name, value in bound.items() if program in PASSES and not name)
        return unknown(call.shown, call.fed, *same)

    def given_away(self, call: Invocation) -> None:
        """Note of the last command that the environment goes to its hosts, where it is among what it was given."""
        given = (*origins_of(call.fed), *origins_of(tuple(call.bound.values())))
        if call.hosts and self.commands and ENVIRONMENT in given:
            self.commands[-1] = self.commands[-1].replace(flows=((ENVIRONMENT, NETWORK),))

    def blocks(self, line: Line) -> None:
        """Run the script blocks among the arguments."""
        for argument in line.arguments:
            for one in parts_of(argument.value):
                if isinstance(one, Closure):
                    self.block(one, (), line.fed)

    def touched(self, program: str, bound: Mapping[str, Known], fed: Known | None) -> tuple[File, ...]:
        found: list[File] = []
        seen: list[cmdlets.Parameter] = []
        recurses = "recurse" in bound
        for one in cmdlets.parameters(program).values():
            if not one.roles or one in seen:
                continue
            seen.append(one)
            name = one.names[0].lower()
            value = bound.get(name)
            if "b" in one.roles and value is not None:
                found.extend(File(path=path, access=(SEND,)) for path in files_of(value))
                continue
            if value is None and name == "path" and "literalpath" not in bound:
                value = _implied(program, "d" in one.roles, fed)
            if value is None:
                continue
            if name == "path" and "name" in bound and program == "new-item":
                value = self.below(value, bound["name"])
            found.extend(self.files(value, one.roles, deep=recurses))
        if program in _VALUED and fed is not None and not isinstance(fed, str):
            self.remember(found, fed)
        found += self.linked(program, bound)
        if "tosession" in bound:
            found = [file.replace(access=(READ, SEND)) if file.access == (READ,) else file for file in found]
        return tuple(found)

    def linked(self, program: str, bound: Mapping[str, Known]) -> list[File]:
        """Return what New-Item gives a second name: what is written by that is written here, and below."""
        kind = (text_of(bound.get("itemtype")) or "").lower()
        if program != "new-item" or "value" not in bound or not ("link" in kind or kind == "junction"):
            return []
        first = self.files(bound["value"], "rw", deep=False)
        return [one for file in first for one in (file, file.replace(path=f"{file.path}/{SOME}", glob="", among=BELOW))]

    def hosts(self, program: str, bound: Mapping[str, Known]) -> tuple[str, ...]:
        found: list[str] = []
        for one in cmdlets.parameters(program).values():
            if "u" in one.roles or "h" in one.roles:
                for value in parts_of(bound.get(one.names[0].lower())):
                    names = hosts_of(text_of(value) or "")
                    found += [name for name in names if name not in (".", "localhost") and name not in found]
        return tuple(found)

    def execute(self, code: Known | None, *via: str) -> Known | None:
        """Run text that came to be somewhere."""
        text = text_of(code)
        return self.nested_script(text, *via) if text else None

    # Expressions

    def value(self, node: Node | None) -> Known | None:
        if node is None:
            return None
        read = _VALUES.get(type(node))
        return read(self, node) if read is not None else self.statement(node)

    def text(self, node: Text) -> Known:
        if len(node.parts) == 1 and isinstance(node.parts[0], str):
            return node.parts[0]
        found: list[str] = []
        sources: list[Known | None] = []
        whole = True
        for part in node.parts:
            if isinstance(part, str):
                found.append(part)
                continue
            value = self.value(part)
            text = text_of(value)
            sources.append(value)
            whole = whole and text is not None
            found.append(text if text is not None else shown_of(value) or self.shown(part))
        content = "".join(found)
        if whole:
            return made(content, content, *sources)
        return unknown(content[:2000], *sources).replace(paths=())

    def variable(self, node: Variable) -> Known:
        name = node.name
        if name in self.world.variables:
            return self.world.variables[name]
        if name in ("true", "false"):
            return name.title()
        if name == "null":
            return ""
        if name == "home":
            return self.home
        if name == "pwd" and self.world.cwd is not None:
            return self.world.cwd
        if name.startswith("env:"):
            value = places.environment(name[4:], self.home, self.environ)
            if value is not None:
                return value
            if is_secretive(name[4:]):
                return Flow(shown=self.shown(node) or f"${name}", origins=(VARIABLE,))
        return Flow(shown=self.shown(node) or f"${name}")

    def parens(self, node: Script) -> Known | None:
        via = self.via
        if node.substitution:
            self.via = reached(via, SUBSTITUTION)
        found = self.statements(node.statements)
        self.via = via
        return found

    def closure(self, node: Block) -> Known:
        return Closure(block=node, source=self.source, outermost=self.outermost)

    def table(self, node: Table) -> Known:
        found: dict[str, Known] = {}
        for key, one in node.pairs:
            name, value = text_of(self.value(key)), self.value(one)
            if name:
                found[name.lower()] = "" if value is None else value
        return found

    def items(self, node: Items) -> Known:
        values = (self.value(one) for one in node.items)
        if len(node.items) == 1:
            return tuple(part for value in values for part in parts_of(value))
        return tuple("" if value is None else value for value in values)

    def operation(self, node: Operation) -> Known | None:
        """Return an operator and those on its left, which may be many."""
        chain: list[Operation] = []
        first: Node | None = node
        while isinstance(first, Operation):
            chain.append(first)
            first = first.left
        value = self.value(first)
        for one in reversed(chain):
            right = self.value(one.right)
            if one.left is None:
                value = self.unary(one, right)
            else:
                value = self.binary(one.operator, value, right, self.shown(one))
        return value

    def unary(self, node: Operation, right: Known | None) -> Known | None:
        if node.operator == "join":
            return self.join(right, "", self.shown(node))
        if node.operator == "++" and isinstance(node.right, Variable):
            self.world.variables[node.right.name] = Flow(shown=self.shown(node.right))
            return None
        text = text_of(right)
        return f"-{text}" if node.operator == "-" and text and text.isdigit() else unknown(self.shown(node))

    def binary(self, operator: str, left: Known | None, right: Known | None, shown: str) -> Known | None:
        if operator == "+":
            return self.plus(left, right, shown)
        if operator == "f":
            pattern = text_of(left)
            text = arranged(pattern, parts_of(right)) if pattern is not None else None
            return unknown(shown, left, right) if text is None else made(text, shown, left, right)
        if operator == "join":
            return self.join(left, text_of(right) or "", shown)
        if operator == "*" and (repeated := _times(text_of(left), number(right))) is not None:
            return made(repeated, shown, left)
        if operator in ("replace", "ireplace", "creplace"):
            return self.replaced(left, right, shown)
        if operator in ("split", "isplit", "csplit"):
            text, separator = text_of(left), text_of(right)
            if text is not None and separator and separator.isalnum():
                return tuple(made(part, shown, left) for part in text.split(separator)[:1000])
        if operator == ".." and (listed := _range(number(left), number(right))) is not None:
            return listed
        if operator == "??":
            return self.first_known(left, right, shown)
        return unknown(shown, left, right).replace(paths=())

    def first_known(self, left: Known | None, right: Known | None, shown: str) -> Known:
        """Return the one, or the other where that is nothing."""
        if text_of(left):
            return left or ""
        return either(left, right, shown) or ""

    def plus(self, left: Known | None, right: Known | None, shown: str) -> Known:
        if isinstance(left, tuple):
            return (*left, *parts_of(right))[:MOST] if len(left) < 1000 else unknown(shown, left, right)
        if isinstance(left, dict) and isinstance(right, dict):
            return {**left, **right}
        first, second = text_of(left), text_of(right)
        if first is None or second is None:
            written = f"{shown_of(left) if first is None else first}{shown_of(right) if second is None else second}"
            return unknown(written[:2000] or shown, left, right).replace(paths=())
        if first.isdigit() and second.isdigit() and len(first) < 10 and len(second) < 10:
            return str(int(first) + int(second))
        return made(first + second, shown, left, right)

    def join(self, items: Known | None, separator: str, shown: str) -> Known:
        texts = [text_of(one) for one in parts_of(items)]
        known = [text for text in texts if text is not None]
        return made(separator.join(known), shown, items) if len(known) == len(texts) else unknown(shown, items)

    def replaced(self, left: Known | None, right: Known | None, shown: str) -> Known:
        text = text_of(left)
        parts = [text_of(one) for one in parts_of(right)]
        old = parts[0] if parts else None
        new = parts[1] if len(parts) > 1 else ""
        if text is None or not old or new is None or not old.replace(" ", "").replace("_", "").isalnum() or "$" in new:
            return unknown(shown, left)
        return made(text.replace(old, new), shown, left)

    def cast(self, node: Cast) -> Known | None:
        value = self.value(node.operand)
        shown = self.shown(node)
        if node.operand is None:
            return Flow(shown=shown, type=node.type)
        if node.type == "char":
            code = number(value)
            if code is not None and 0 < code < 0x110000:
                return chr(code)
            return value
        if node.type == "char[]":
            text = text_of(value)
            numbers = [number(one) for one in parts_of(value)]
            if isinstance(value, tuple) and all(one is not None and 0 < one < 0x110000 for one in numbers):
                return tuple(chr(one) for one in numbers if one is not None)
            return tuple(text[:1000]) if text is not None and len(text) <= 1000 else unknown(shown, value)
        if node.type in ("scriptblock", "management.automation.scriptblock") and not isinstance(value, Closure):
            return self.made_block(value, shown)
        return value

    def made_block(self, value: Known | None, shown: str) -> Known:
        text = text_of(value)
        if text is None:
            return unknown(shown, value).replace(type="scriptblock")
        try:
            block, _ = parse(text, max(1, BRACKETS - self.depth))
        except TooDeep:
            return unknown(shown, value)
        return Closure(block=block, source=text, outermost=False)

    def index(self, node: Index) -> Known | None:
        target, index = self.value(node.target), self.value(node.index)
        numbers = [number(one) for one in parts_of(index)]
        text = target if isinstance(target, str) else None
        if isinstance(target, dict):
            return target.get((text_of(index) or "").lower(), unknown(self.shown(node), target))
        items: Sequence[Known] = target if isinstance(target, tuple) else text or ()
        if items and numbers and all(one is not None and -len(items) <= one < len(items) for one in numbers):
            found = tuple(items[one] for one in numbers if one is not None)
            return found[0] if len(found) == 1 else found
        return unknown(self.shown(node), target)

    def member(self, node: Member) -> Known | None:
        shown = self.shown(node)
        name = (text_of(self.value(node.name)) or "").lower()
        target = self.value(node.target)
        if node.arguments is None:
            return self.property(target, name, shown)
        arguments = tuple(value if (value := self.value(one)) is not None else "" for one in node.arguments)
        type_name = node.target.type if isinstance(node.target, Cast) and node.target.operand is None else ""
        if type_name:
            return self.static(type_name, name, arguments, shown)
        if isinstance(target, Closure) and name in ("invoke", "invokereturnasis", "invokewithcontext"):
            return self.block(target, [Argument("", one, ()) for one in arguments], own=True)
        if name == "invokescript":
            self.evaluated("invoke-expression", arguments[:1])
            return unknown(shown)
        made_text = self.method(target, name, arguments, shown)
        if made_text is not None:
            return made_text
        same = dotnet.on_object(name, arguments)
        if same is not None:
            self.cmdlet(*same)
            return (
                Flow(shown=shown, origins=(DOWNLOAD,))
                if "download" in name or name.startswith(("get", "open"))
                else None
            )
        if name in ("delete", "kill", "moveto", "copyto"):
            self.on_item(target, name, arguments)
            return None
        for one in arguments:
            if isinstance(one, Closure):
                self.loop(one, target)
        return unknown(shown, target, *arguments).replace(paths=())

    def property(self, target: Known | None, name: str, shown: str) -> Known | None:
        if isinstance(target, dict):
            return target.get(name, unknown(shown))
        if isinstance(target, Flow):
            if target.type == "text.encoding" or target.type.startswith("text."):
                return Flow(shown=shown, type=f"text.{name}")
            keeps = name in ("fullname", "name", "path", "pspath", "directoryname", "basename", "providerpath")
            return target.replace(shown=shown, text=None, paths=target.paths if keeps else ())
        if name in ("fullname", "path", "content", "providerpath", "value"):
            return target
        return unknown(shown, target).replace(paths=())

    def method(self, target: Known | None, name: str, arguments: tuple[Known, ...], shown: str) -> Known | None:
        """Return a method of a text or of an encoding, None for any other."""
        if isinstance(target, Flow) and target.type.startswith("text.") and arguments:
            return self.encoded(target.type, name, arguments, shown)
        text = text_of(target) if isinstance(target, (str, Flow)) else None
        texts = [text_of(one) for one in arguments]
        known = [one for one in texts if one is not None]
        if text is None or len(known) < len(texts):
            return None
        if name == "split" and known and all(known):
            return tuple(made(part, shown, target) for part in text.split(known[0])[:1000])
        if name == "tochararray":
            return tuple(text[:1000])
        found = dotnet.text_method(text, name, known)
        return None if found is None else made(found, shown, target, *arguments)

    def encoded(self, encoding: str, name: str, arguments: tuple[Known, ...], shown: str) -> Known:
        value = arguments[0]
        codec = {"text.unicode": "utf-16-le", "text.bigendianunicode": "utf-16-be"}.get(encoding, "utf-8")
        if name == "getstring" and isinstance(value, Bytes):
            return Flow(text=value.data.decode(codec, "replace"), shown=shown, origins=(DECODE,))
        text = text_of(value)
        if name == "getbytes" and text is not None:
            return Bytes(data=text.encode(codec, "replace"))
        return unknown(shown, *arguments)

    def static(self, type_name: str, name: str, arguments: tuple[Known, ...], shown: str) -> Known | None:
        same = dotnet.static(type_name, name, arguments)
        if same is not None:
            return self._as_cmdlet(same, arguments, shown)
        text = text_of(arguments[0]) if arguments else None
        if type_name in ("scriptblock", "management.automation.scriptblock") and name == "create":
            return self.made_block(arguments[0] if arguments else None, shown)
        if type_name == "string":
            joined = self._of_string(name, text, arguments, shown)
            if joined is not None:
                return joined
        if (type_name, name) == ("convert", "frombase64string"):
            octets = decoded(text) if text is not None else None
            return octets if octets is not None else Flow(shown=shown, origins=(*origins_of(arguments), DECODE))
        if (type_name, name) == ("io.path", "combine") and arguments:
            path: Known = arguments[0]
            for child in arguments[1:]:
                path = self.below(path, child)
            return path
        if type_name == "environment" and text is not None:
            value = self._of_environment(name, text.lower())
            if value is not None or name in ("getenvironmentvariable", "getfolderpath"):
                return Flow(shown=shown) if value is None else value
        if name == "new":
            return Flow(shown=shown, type=type_name, paths=self.object_paths(type_name, arguments))
        for one in arguments:
            if isinstance(one, Closure):
                self.block(one)
        return unknown(shown, *arguments).replace(paths=())

    def _as_cmdlet(
        self, same: tuple[str, tuple[tuple[str, Known | None], ...]], arguments: tuple[Known, ...], shown: str
    ) -> Known | None:
        """Return a method that does what a cmdlet does."""
        self.cmdlet(*same)
        first = arguments[0] if arguments else None
        if same[0] == "Get-Content":
            return Flow(shown=shown, files=tuple(file.path for file in self.files(first, "rl")))
        if same[0] in ("Set-Content", "Add-Content"):
            self.remember(self.files(first, "wl"), *arguments[1:])
        if same[0] == "Get-ChildItem":
            return self.listing(self.files(first, "rl"), shown, below=True, deep=False)
        return None

    def _of_string(self, name: str, text: str | None, arguments: tuple[Known, ...], shown: str) -> Known | None:
        """Return what a method of `[string]` gives; None where it is none of these."""
        if name == "join" and len(arguments) > 1:
            return self.join(arguments[1] if len(arguments) == 2 else arguments[1:], text or "", shown)
        if name == "concat":
            return self.join(arguments, "", shown)
        if name == "format" and text is not None:
            found = arranged(text, arguments[1:])
            return unknown(shown, *arguments) if found is None else made(found, shown, *arguments)
        return None

    def _of_environment(self, name: str, text: str) -> str | None:
        if name == "getenvironmentvariable":
            return places.environment(text, self.home, self.environ)
        return self.home if name == "getfolderpath" and text in ("userprofile", "personal") else None

    def on_item(self, target: Known | None, name: str, arguments: tuple[Known, ...]) -> None:
        """A method of a file or a process."""
        if name == "kill":
            self.cmdlet("Stop-Process", (("InputObject", target),))
            return
        if not isinstance(target, Flow) or not target.paths:
            return
        cmdlet = {"delete": "Remove-Item", "moveto": "Move-Item", "copyto": "Copy-Item"}[name]
        parameters: list[tuple[str, Known | None]] = [("LiteralPath", target)]
        if name == "delete" and arguments and (text_of(arguments[0]) or "").lower() == "true":
            parameters.append(("Recurse", "True"))
        if name != "delete" and arguments:
            parameters.append(("Destination", arguments[0]))
        self.cmdlet(cmdlet, parameters)

    def evaluated(self, program: str, arguments: Sequence[Known]) -> None:
        self.cmdlet(cmdlets.canonical(program), [("Command", one) for one in arguments])

    def loop(self, body: Closure, fed: Known | None) -> Known | None:
        """Run a block for each input, as `$_`."""
        outer = self.world.variables.get("_")
        courses: list[Course] = [(self.world, None)]
        for item, several in one_by_one(fed, "$_"):
            value = item.replace(shown="$_") if isinstance(item, Flow) else item

            def again(start: Course, value: Known = value) -> list[Course]:
                self.world, before = start
                self.world.variables["_"] = self.world.variables["psitem"] = value
                found = self.block(body)
                return [(self.world, both(before, found))]

            courses = united(
                [end for start in courses for end in (self.rounds(start, again) if several else again(start))]
            )
        self.world, found = merged(courses)
        if outer is None:
            self.world.variables.pop("_", None)
        else:
            self.world.variables["_"] = outer
        return found


def _implied(program: str, literal: bool, fed: Known | None) -> Known | None:
    """Return the paths that a cmdlet without `-Path` is for: what it is fed, or the directory it is in."""
    if fed is not None and program not in _VALUED:
        return fed if literal else _listed(fed, program)
    return "." if program == "get-childitem" else None


def _times(text: str | None, times: int | None) -> str | None:
    """Return a text so many times; None where it is a number, or too long."""
    if text is None or times is None or text.isdigit() or len(text) * max(times, 0) > MOST:
        return None
    return text * times


def _range(first: int | None, last: int | None) -> tuple[str, ...] | None:
    """`1..3`."""
    if first is None or last is None or abs(last - first) >= 256:
        return None
    step = 1 if last >= first else -1
    return tuple(str(one) for one in range(first, last + step, step))


def _listed(value: Known, program: str) -> Known | None:
    """Return what names files, of what comes through a pipe."""
    texts = program not in ("select-string", "import-csv")
    found = tuple(one for one in parts_of(value) if (isinstance(one, Flow) and one.paths) or (texts and text_of(one)))
    return found or None


_VERBS = (
    *("add", "clear", "close", "compare", "compress", "connect", "convert", "convertfrom", "convertto", "copy"),
    *("debug", "disable", "disconnect", "dismount", "enable", "enter", "exit", "expand", "export", "find", "foreach"),
    *("format", "get", "grant", "group", "import", "initialize", "install", "invoke", "join", "measure", "merge"),
    *("mount", "move", "new", "open", "optimize", "out", "pop", "protect", "publish", "push", "read", "receive"),
    *("register", "remove", "rename", "repair", "request", "reset", "resize", "resolve", "restart", "restore"),
    *(
        "resume",
        "revoke",
        "save",
        "search",
        "select",
        "send",
        "set",
        "show",
        "sort",
        "split",
        "start",
        "stop",
        "submit",
    ),
    *(
        "submit",
        "suspend",
        "switch",
        "sync",
        "tee",
        "test",
        "trace",
        "unblock",
        "undo",
        "uninstall",
        "unlock",
        "unprotect",
    ),
    *("unpublish", "unregister", "update", "use", "wait", "watch", "where", "write"),
)


def _is_cmdlet(program: str) -> bool:
    return program.partition("-")[0] in _VERBS


_VALUED = ("set-content", "add-content", "out-file", "tee-object", "export-csv", "export-clixml", "set-acl")
"""Cmdlets that take content from the pipe, not paths."""


_VALUES: dict[type, Callable[[Run, object], Known | None]] = {
    Text: Run.text,  # type: ignore[dict-item]
    Variable: Run.variable,  # type: ignore[dict-item]
    Script: Run.parens,  # type: ignore[dict-item]
    Block: Run.closure,  # type: ignore[dict-item]
    Table: Run.table,  # type: ignore[dict-item]
    Items: Run.items,  # type: ignore[dict-item]
    Operation: Run.operation,  # type: ignore[dict-item]
    Cast: Run.cast,  # type: ignore[dict-item]
    Index: Run.index,  # type: ignore[dict-item]
    Member: Run.member,  # type: ignore[dict-item]
}


def _is_environment(value: Known) -> bool:
    """Tell whether it is the drive of all variables."""
    return any(
        (text_of(one) or "").lower() in ("env:", "env:\\", "env:/", "env:*", "env:\\*") for one in parts_of(value)
    )

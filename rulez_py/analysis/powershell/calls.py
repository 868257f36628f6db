"""Run pipelines and the commands in them: functions, cmdlets, programs."""

from __future__ import annotations

from rulez_py.analysis.powershell import cmdlets
from rulez_py.analysis.powershell.flow import Closure, Flow, files_of, origins_of, program_of, text_of, unknown
from rulez_py.analysis.powershell.invocation import Line
from rulez_py.analysis.powershell.syntax import Call, Evaluation, Pipeline
from rulez_py.analysis.values import CODE, DOWNLOAD, PROGRAM, RECURSION, Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.powershell.arguments import Arguments
    from rulez_py.analysis.powershell.flow import Argument, Known
    from rulez_py.analysis.powershell.invoker import Invoker
    from rulez_py.analysis.powershell.session import Session


_DOWNLOADERS = ("curl", "wget", "aria2c", "bitsadmin")
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
    *("suspend", "switch", "sync", "tee", "test", "trace", "unblock", "undo", "uninstall", "unlock", "unprotect"),
    *("unpublish", "unregister", "update", "use", "wait", "watch", "where", "write"),
)


class Calls:
    """The part of a session that runs commands: it finds the function, cmdlet or program of a name."""

    def __init__(self, session: Session, arguments: Arguments, invoker: Invoker) -> None:
        self.session = session
        self.arguments = arguments
        self.invoker = invoker
        self.blocks = invoker.blocks
        self.external = invoker.external
        session.readers[Pipeline] = self.pipeline

    def pipeline(self, node: Pipeline) -> Known | None:
        fed: Known | None = None
        for place, element in enumerate(node.elements):
            self.session.steps -= place > 0
            if isinstance(element, Call):
                fed = self.call(element, fed if place else None)
            elif isinstance(element, Evaluation):
                fed = self.session.value(element.value)
                for operator, target in element.redirections:
                    self.invoker.cmdlet(
                        "Out-File",
                        (
                            ("FilePath", self.session.value(target)),
                            *((("Append", "True"),) if operator == ">>" else ()),
                        ),
                    )
        return fed

    def call(self, node: Call, fed: Known | None) -> Known | None:
        name = self.session.value(node.name)
        line = Line(
            arguments=self.arguments.arguments(node.arguments),
            fed=fed,
            redirected=tuple(
                file for _, target in node.redirections for file in self.session.files(self.session.value(target), "w")
            ),
            word=self.arguments.word(node.name, name),
            shown=self.session.shown(node),
            operator=node.operator,
        )
        if isinstance(name, Closure):
            return self.blocks.block(name, line.arguments, fed, own=node.operator != ".")
        text = text_of(name)
        if text is None or not text.strip():
            reason = CODE if isinstance(name, Flow) and name.type == "scriptblock" else PROGRAM
            return self.unknown_program(line, (*origins_of(name), *origins_of(fed)), reason)
        written = text.strip()
        plain = program_of(written)
        program = self.session.world.aliases.get(plain, plain)
        body = self.session.world.functions.get(program) if program else None
        if program is None or (body is None and program in self.session.world.functions):
            return self.unknown_program(line, origins_of(fed))
        if body is not None:
            return self.function(program, body, line)
        program = self.meant(program, plain, written, line.arguments)
        if "-" in program and (cmdlets.described(program) or _is_cmdlet(program)):
            return self.invoker.invoke(program, line)
        if plain in self.session.world.aliases:
            line = line.replace(word=line.word.replace(text=program, glob=""))
        return self.external_program(program, written, line)

    def unknown_program(self, line: Line, origins: tuple[str, ...], reason: str = PROGRAM) -> Known:
        """Add a command with an unknown program.

        INVARIANT: it is added with a reason and all its arguments; an unknown name never drops a command.
        """
        words = (line.word.replace(known=False), *line.words[1:])
        self.session.emit(Command(words=words, program="", opaque=(reason,), fed=origins, files=line.redirected))
        return unknown(line.shown).replace(origins=tuple(dict.fromkeys(origins)))

    def meant(self, program: str, plain: str, written: str, arguments: Sequence[Argument]) -> str:
        """Return the cmdlet that a name is an alias of, or the program where the arguments do not fit the cmdlet."""
        if "/" in written or "\\" in written:
            return program
        if cmdlets.is_program(plain) and (
            written.lower().endswith(".exe") or not self.fits(cmdlets.meant(program), arguments)
        ):
            return plain
        return cmdlets.meant(program)

    def fits(self, program: str, arguments: Sequence[Argument]) -> bool:
        """Tell if the arguments fit a cmdlet, whose alias is a program too (`curl`, `wget`)."""
        if not cmdlets.described(program):
            return all(not argument.name or len(argument.name) > 2 for argument in arguments)
        if any(argument.words and argument.words[0].text.startswith("--") for argument in arguments):
            return False
        shortest = 4 if program in cmdlets.WEB else 1  # curl has an option for nearly every letter
        return all(
            len(found := cmdlets.candidates(program, one.name)) == 1
            and (len(one.name) >= shortest or one.name.lower() in (name.lower() for name in found[0].names))
            for one in arguments
            if one.name
        )

    def function(self, name: str, body: Closure, line: Line) -> Known | None:
        if name in self.session.running:
            self.session.emit(Command(words=line.words, program=name, opaque=(RECURSION,), files=line.redirected))
            return None
        if line.redirected:
            self.session.emit(Command(words=line.words, program=name, files=line.redirected))
        self.session.running.append(name)
        found = self.blocks.block(body, line.arguments, line.fed, own=line.operator != ".")
        self.session.running.pop()
        return found

    def external_program(self, program: str, written: str, line: Line) -> Known | None:
        if program.endswith(".ps1"):
            self.external.script_file(written, line)
        else:
            self.external.program(line.words, program, line.fed, line.redirected)
        origins = (DOWNLOAD,) if program in _DOWNLOADERS else origins_of(line.fed)
        return Flow(shown=line.shown, origins=origins, files=files_of(line.fed), output=True)


def _is_cmdlet(program: str) -> bool:
    return program.partition("-")[0] in _VERBS

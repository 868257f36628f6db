"""Invoke a cmdlet: bind arguments to its parameters, find their files and hosts, and apply its effects."""

from __future__ import annotations

from rulez_py.analysis.addresses import hosts_of
from rulez_py.analysis.powershell import cmdlets
from rulez_py.analysis.powershell.flow import (
    Argument,
    Closure,
    Flow,
    files_of,
    origins_of,
    parts_of,
    shown_of,
    text_of,
    unknown,
)
from rulez_py.analysis.powershell.invocation import Invocation, Line
from rulez_py.analysis.values import BELOW, ENVIRONMENT, NETWORK, READ, SEND, SOME, SOMEWHERE, Data, File, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rulez_py.analysis.powershell.blocks import Blocks
    from rulez_py.analysis.powershell.external import External
    from rulez_py.analysis.powershell.flow import Known
    from rulez_py.analysis.powershell.session import Session

    Special = Callable[["Invoker", Invocation], Known | None]


_LISTS_DRIVES = ("get-childitem", "get-item", "get-content")
_SILENT = ("write-host", "write-verbose", "write-debug", "write-warning", "write-error", "write-information")
_VALUED = ("set-content", "add-content", "out-file", "tee-object", "export-csv", "export-clixml", "set-acl")
"""Cmdlets whose pipe input is content, not paths."""


class Invoker:
    """The part of a session that invokes cmdlets; `special` has further effects of some (`behaviour.SPECIAL`)."""

    def __init__(self, session: Session, blocks: Blocks, external: External, special: Mapping[str, Special]) -> None:
        self.session = session
        self.blocks = blocks
        self.external = external
        self.special = special

    def cmdlet(self, name: str, parameters: Sequence[tuple[str, Known | None]], fed: Known | None = None) -> None:
        """Run a cmdlet, or code with the same effects, by its parameters."""
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
        self.invoke(name.lower(), Line(word=Word(text=name), arguments=arguments, shown=name.lower(), fed=fed))

    def invoke(self, program: str, line: Line) -> Known | None:
        """Run a cmdlet."""
        bound = self.bind(program, line.arguments)
        files = (*self.touched(program, bound, line.fed), *(file.replace(opened=True) for file in line.redirected))
        call = Invocation(program=program, words=line.words, bound=bound, shown=line.shown, fed=line.fed, files=files)
        if "whatif" in bound and program not in ("foreach-object", "where-object"):
            self.session.emit(call.noted(files=tuple(file for file in files if file.access == (READ,))))
            return None
        if program in _LISTS_DRIVES and any(_is_environment(value) for value in bound.values()):
            self.session.emit(call.noted(files=()))
            return Flow(shown=call.shown, origins=(ENVIRONMENT,))
        call = call.replace(hosts=self.hosts(program, bound))
        special = self.special.get(program)
        if special is not None:
            found = special(self, call)
            self.given_away(call)
            return found
        self.session.emit(call.noted(fed=origins_of(call.fed), hosts=call.hosts))
        self.given_away(call)
        self.given_blocks(line)
        if program in _SILENT:
            return None
        return unknown(call.shown, call.fed)

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
        """Bind words without a name to the other parameters by position; those left over are bound to ""."""
        positional = {one.position: one.names[0].lower() for one in cmdlets.parameters(program).values()}
        for position in sorted(positional):
            name = positional[position]
            if position >= 0 and name not in bound and rest and not (position == 0 and "literalpath" in bound):
                bound[name] = rest.pop(0)
        if rest:
            bound[""] = tuple(rest)

    def given_away(self, call: Invocation) -> None:
        """Add to the last command that it sends the environment to its hosts, if an argument or the input is that."""
        commands = self.session.commands
        if not call.hosts or not commands:
            return
        if ENVIRONMENT in (*origins_of(call.fed), *origins_of(tuple(call.bound.values()))):
            commands[-1] = commands[-1].replace(flows=((ENVIRONMENT, NETWORK),))

    def given_blocks(self, line: Line) -> None:
        """Run the script blocks among the arguments."""
        for argument in line.arguments:
            for one in parts_of(argument.value):
                if isinstance(one, Closure):
                    self.blocks.block(one, (), line.fed)

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
                value = self.session.below(value, bound["name"])
            found.extend(self.session.files(value, one.roles, deep=recurses))
        if program in _VALUED and fed is not None and not isinstance(fed, str):
            self.session.remember(found, fed)
        found += self.linked(program, bound)
        if "tosession" in bound:
            found = [file.replace(access=(READ, SEND)) if file.access == (READ,) else file for file in found]
        return tuple(found)

    def linked(self, program: str, bound: Mapping[str, Known]) -> list[File]:
        """Return the target of New-Item's link, which may be written through the link, and the files below it."""
        kind = (text_of(bound.get("itemtype")) or "").lower()
        if program != "new-item" or "value" not in bound or not ("link" in kind or kind == "junction"):
            return []
        first = self.session.files(bound["value"], "rw", deep=False)
        return [one for file in first for one in (file, file.replace(path=f"{file.path}/{SOME}", glob="", among=BELOW))]

    def hosts(self, program: str, bound: Mapping[str, Known]) -> tuple[str, ...]:
        found: list[str] = []
        for one in cmdlets.parameters(program).values():
            name = one.names[0].lower()
            if ("u" in one.roles or "h" in one.roles) and name in bound:
                for value in parts_of(bound[name]) or (None,):
                    text = text_of(value)
                    names = (SOMEWHERE,) if value is None or text is None else hosts_of(text)
                    found += [name for name in names if name not in (".", "localhost") and name not in found]
        return tuple(found)


def _implied(program: str, literal: bool, fed: Known | None) -> Known | None:
    """Return the paths of a cmdlet without `-Path`: its pipe input, or the current directory."""
    if fed is not None and program not in _VALUED:
        return fed if literal else _listed(fed, program)
    return "." if program == "get-childitem" else None


def _listed(value: Known, program: str) -> Known | None:
    """Return the values from a pipe that name files."""
    texts = program not in ("select-string", "import-csv")
    found = tuple(one for one in parts_of(value) if (isinstance(one, Flow) and one.paths) or (texts and text_of(one)))
    return found or None


def _is_environment(value: Known) -> bool:
    """Tell if a value is the drive of all environment variables."""
    return any(
        (text_of(one) or "").lower() in ("env:", "env:\\", "env:/", "env:*", "env:\\*") for one in parts_of(value)
    )

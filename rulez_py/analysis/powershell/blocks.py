"""Run PowerShell's script blocks, and texts as scripts."""

from __future__ import annotations

from rulez_py.analysis.powershell.flow import Closure, Flow, reached, text_of, unknown
from rulez_py.analysis.powershell.follow import one_by_one
from rulez_py.analysis.powershell.syntax import (
    BRACKETS,
    Block,
    Evaluation,
    Pipeline,
    Script,
    TooDeep,
    Variable,
    parse,
)
from rulez_py.analysis.powershell.world import both, merged, united
from rulez_py.analysis.values import SUBSTITUTION, SYNTAX, Command, Word, is_secretive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.powershell.flow import Argument, Known
    from rulez_py.analysis.powershell.follow import Follow
    from rulez_py.analysis.powershell.session import Session
    from rulez_py.analysis.powershell.world import Course


class Blocks:
    """The part of a session that runs blocks, each with its arguments and in its scope."""

    def __init__(self, session: Session, follow: Follow) -> None:
        self.session = session
        self.follow = follow
        session.readers.update({Script: self.parens, Block: self.closure})

    def script(self, text: str, *, outermost: bool = False) -> Known | None:
        """Run a text. Its last command is opaque where a part of the text cannot be read."""
        bound = BRACKETS - self.session.depth
        try:
            if bound <= 0:
                raise TooDeep
            block, whole = parse(text.replace("\r\n", "\n") if not outermost else text, bound)
        except TooDeep:
            self.session.limit()
            return None
        before = len(self.session.commands)
        found = self.block(Closure(block=block, source=text, outermost=outermost))
        self._shown(block)
        # INVARIANT: a text that is not read to its end leaves an opaque command, its last one or one added for it.
        if not whole:
            if len(self.session.commands) == before:
                self.session.commands.append(
                    Command(words=(), program="", via=self.session.via, user=self.session.user, opaque=(SYNTAX,))
                )
            else:
                last = self.session.commands[-1]
                self.session.commands[-1] = last.replace(opaque=tuple(dict.fromkeys((*last.opaque, SYNTAX))))
        return found

    def _shown(self, block: Block) -> None:
        """Add that a statement which is nothing but a secret variable (`$env:API_KEY`) prints it."""
        for statement in block.statements:
            one = statement.elements[0] if isinstance(statement, Pipeline) and len(statement.elements) == 1 else None
            value = one.value if isinstance(one, Evaluation) and not one.redirections else None
            if isinstance(value, Variable) and value.name.startswith("env:") and is_secretive(value.name[4:].upper()):
                words = (Word(text="Get-Content"), Word(text=value.name))
                self.session.emit(Command(words=words, program="get-content"))

    def nested_script(self, text: str, *via: str) -> Known | None:
        with_via, self.session.via = self.session.via, reached(self.session.via, *via)
        found = self.script(text)
        self.session.via = with_via
        return found

    def execute(self, code: Known | None, *via: str) -> Known | None:
        """Run a text that is a value, with its origins."""
        text = text_of(code)
        return self.nested_script(text, *via) if text else None

    def block(
        self, closure: Closure, arguments: Sequence[Argument] = (), fed: Known | None = None, *, own: bool = False
    ) -> Known | None:
        """Run a script block with its arguments bound; with `own` in a scope of its own."""
        # INVARIANT: a block that is too deep to be run leaves an opaque command.
        if self.session.depth >= BRACKETS:
            self.session.limit()
            return None
        self.session.depth += 1
        source, outermost = self.session.source, self.session.outermost
        self.session.source, self.session.outermost = closure.source, closure.outermost
        outer = dict(self.session.world.variables) if own else {}
        hidden = {
            name.lstrip("-"): self.session.world.variables.get(name.lstrip("-")) for name, _ in closure.block.parameters
        }
        hidden["args"] = self.session.world.variables.get("args")
        self.bind_parameters(closure.block, arguments)
        if fed is not None:
            hidden["input"] = self.session.world.variables.get("input")
            self.session.world.variables["input"] = fed
        found = self.follow.statements(closure.block.statements)
        for name, value in hidden.items():
            if value is None:
                self.session.world.variables.pop(name, None)
            else:
                self.session.world.variables[name] = value
        if own:
            inner = self.session.world.variables
            outer.update(
                {name: inner[name] for name in inner if name in self.session.outward or name.startswith("env:")}
            )
            self.session.world.variables = outer
        self.session.source, self.session.outermost = source, outermost
        self.session.depth -= 1
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
                unset = self.session.value(default)
                value = "" if unset is None else unset
            self.session.world.variables[name] = value
        self.session.world.variables["args"] = tuple(rest)

    def loop(self, body: Closure, fed: Known | None) -> Known | None:
        """Run a block for each input, as `$_`."""
        outer = self.session.world.variables.get("_")
        courses: list[Course] = [(self.session.world, None)]
        for item, several in one_by_one(fed, "$_"):
            value = item.replace(shown="$_") if isinstance(item, Flow) else item

            def again(start: Course, value: Known = value) -> list[Course]:
                self.session.world, before = start
                self.session.world.variables["_"] = self.session.world.variables["psitem"] = value
                found = self.block(body)
                return [(self.session.world, both(before, found))]

            courses = united(
                [end for start in courses for end in (self.follow.rounds(start, again) if several else again(start))]
            )
        self.session.world, found = merged(courses)
        if outer is None:
            self.session.world.variables.pop("_", None)
        else:
            self.session.world.variables["_"] = outer
        return found

    def parens(self, node: Script) -> Known | None:
        via = self.session.via
        if node.substitution:
            self.session.via = reached(via, SUBSTITUTION)
        found = self.follow.statements(node.statements)
        self.session.via = via
        return found

    def closure(self, node: Block) -> Known:
        return Closure(block=node, source=self.session.source, outermost=self.session.outermost)

    def made_block(self, value: Known | None, shown: str) -> Known:
        text = text_of(value)
        if text is None:
            return unknown(shown, value).replace(type="scriptblock")
        try:
            block, _ = parse(text, max(1, BRACKETS - self.session.depth))
        except TooDeep:
            return unknown(shown, value)
        return Closure(block=block, source=text, outermost=False)

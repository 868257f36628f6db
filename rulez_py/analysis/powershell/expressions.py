"""Values of PowerShell's expressions: texts, variables, lists, tables, operations, casts."""

from __future__ import annotations

from rulez_py.analysis.powershell import operators, places
from rulez_py.analysis.powershell.flow import Closure, Flow, made, number, parts_of, shown_of, text_of, unknown
from rulez_py.analysis.powershell.syntax import Cast, Index, Items, Operation, Table, Text, Variable
from rulez_py.analysis.values import VARIABLE, is_secretive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.powershell.blocks import Blocks
    from rulez_py.analysis.powershell.flow import Known
    from rulez_py.analysis.powershell.session import Session
    from rulez_py.analysis.powershell.syntax import Node


class Expressions:
    """The part of a session that evaluates expressions; operators are pure functions (`operators`)."""

    def __init__(self, session: Session, blocks: Blocks) -> None:
        self.session = session
        self.blocks = blocks
        session.readers.update(
            {
                Text: self.text,
                Variable: self.variable,
                Table: self.table,
                Items: self.items,
                Operation: self.operation,
                Cast: self.cast,
                Index: self.index,
            }
        )

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
            value = self.session.value(part)
            text = text_of(value)
            sources.append(value)
            whole = whole and text is not None
            found.append(text if text is not None else shown_of(value) or self.session.shown(part))
        content = "".join(found)
        if whole:
            return made(content, content, *sources)
        return unknown(content[:2000], *sources).replace(paths=())

    def variable(self, node: Variable) -> Known:
        name = node.name
        if name in self.session.world.variables:
            return self.session.world.variables[name]
        if name in ("true", "false"):
            return name.title()
        if name == "null":
            return ""
        if name == "home":
            return self.session.home
        if name == "pwd" and self.session.world.cwd is not None:
            return self.session.world.cwd
        if name.startswith("env:"):
            value = places.environment(name[4:], self.session.home, self.session.environ)
            if value is not None:
                return value
            if is_secretive(name[4:]):
                return Flow(shown=self.session.shown(node) or f"${name}", origins=(VARIABLE,))
        return Flow(shown=self.session.shown(node) or f"${name}")

    def table(self, node: Table) -> Known:
        found: dict[str, Known] = {}
        for key, one in node.pairs:
            name, value = text_of(self.session.value(key)), self.session.value(one)
            if name:
                found[name.lower()] = "" if value is None else value
        return found

    def items(self, node: Items) -> Known:
        values = (self.session.value(one) for one in node.items)
        if len(node.items) == 1:
            return tuple(part for value in values for part in parts_of(value))
        return tuple("" if value is None else value for value in values)

    def operation(self, node: Operation) -> Known | None:
        """Return the value of an operator and those on its left, without recursion: there may be many."""
        chain: list[Operation] = []
        first: Node | None = node
        while isinstance(first, Operation):
            chain.append(first)
            first = first.left
        value = self.session.value(first)
        for one in reversed(chain):
            right = self.session.value(one.right)
            if one.left is None:
                value = self.unary(one, right)
            else:
                value = operators.binary(one.operator, value, right, self.session.shown(one))
        return value

    def unary(self, node: Operation, right: Known | None) -> Known | None:
        if node.operator == "join":
            return operators.joined(right, "", self.session.shown(node))
        if node.operator == "++" and isinstance(node.right, Variable):
            self.session.world.variables[node.right.name] = Flow(shown=self.session.shown(node.right))
            return None
        text = text_of(right)
        return f"-{text}" if node.operator == "-" and text and text.isdigit() else unknown(self.session.shown(node))

    def cast(self, node: Cast) -> Known | None:
        value = self.session.value(node.operand)
        shown = self.session.shown(node)
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
            return self.blocks.made_block(value, shown)
        return value

    def index(self, node: Index) -> Known | None:
        target, index = self.session.value(node.target), self.session.value(node.index)
        numbers = [number(one) for one in parts_of(index)]
        text = target if isinstance(target, str) else None
        if isinstance(target, dict):
            return target.get((text_of(index) or "").lower(), unknown(self.session.shown(node), target))
        items: Sequence[Known] = target if isinstance(target, tuple) else text or ()
        if items and numbers and all(one is not None and -len(items) <= one < len(items) for one in numbers):
            found = tuple(items[one] for one in numbers if one is not None)
            return found[0] if len(found) == 1 else found
        return unknown(self.session.shown(node), target)

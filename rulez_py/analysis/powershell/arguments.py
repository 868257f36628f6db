"""Arguments of PowerShell commands as names, values and words."""

from __future__ import annotations

from rulez_py.analysis.powershell import cmdlets
from rulez_py.analysis.powershell.flow import Argument, Closure, files_of, origins_of, shown_of, text_of, unknown
from rulez_py.analysis.powershell.session import as_glob
from rulez_py.analysis.powershell.syntax import Items, Splat, Text
from rulez_py.analysis.values import Data, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.powershell.flow import Known
    from rulez_py.analysis.powershell.session import Session
    from rulez_py.analysis.powershell.syntax import Node


class Arguments:
    """The part of a session that reads arguments."""

    def __init__(self, session: Session) -> None:
        self.session = session

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
                whole = self.session.value(node)
                word = self.word(node, whole)
                value: Known | None = None
                if attached or len(node.parts) > 1:
                    rest = (attached or "", *node.parts[1:])
                    value = self.session.value(Text(parts=tuple(part for part in rest if part != ""), at=node.at))
                    if value in ("$true", "$false"):
                        value = str(value)[1:].title()
                found.append(Argument(name, value, (word,), waits=attached is not None))
            else:
                value = self.session.value(node)
                found.append(Argument("", value, self.words(node, value)))
        return found

    def splat(self, node: Splat) -> list[Argument]:
        value = self.session.world.variables.get(node.name)
        shown = Word(text=f"@{node.name}", known=False, at=self.session.at(node))
        if isinstance(value, dict):
            found: list[Argument] = []
            for name, one in value.items():
                text = text_of(one)
                switch = (text or "").lower() in ("true", "false")
                word = Word(text=f"-{name}:{text}" if switch else f"-{name}", at=self.session.at(node))
                rest = () if switch else (Word(text=text if text is not None else shown.text, known=text is not None),)
                found.append(Argument(name, one, (word, *rest)))
            return found
        if isinstance(value, tuple):
            return [Argument("", one, self.words(node, one)) for one in value]
        return [Argument("", unknown(shown.text, value), (shown,))]

    def words(self, node: Node, value: Known | None) -> tuple[Word, ...]:
        """Return the words of an argument: one for each item of a list, but one for a list without blanks (`a,b`)."""
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
            return Word(
                text=self.session.shown(node) or shown_of(value), known=plain, at=self.session.at(node), data=data
            )
        glob = ""
        if isinstance(node, Text) and node.bare and as_glob(text):
            glob = text.replace("\\", "\\\\")
        if not data.origins and not data.files:
            return Word(text=text, glob=glob, at=self.session.at(node))
        return Word(text=text, glob=glob, at=self.session.at(node), data=data)

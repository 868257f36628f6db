"""Values and effects of properties and methods, those of .NET's classes too."""

from __future__ import annotations

from rulez_py.analysis.powershell import dotnet, operators, places
from rulez_py.analysis.powershell.flow import (
    Argument,
    Closure,
    Flow,
    arranged,
    decoded,
    made,
    origins_of,
    text_of,
    unknown,
)
from rulez_py.analysis.powershell.syntax import Cast, Member
from rulez_py.analysis.values import DECODE, DOWNLOAD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.powershell.blocks import Blocks
    from rulez_py.analysis.powershell.flow import Known
    from rulez_py.analysis.powershell.invoker import Invoker
    from rulez_py.analysis.powershell.session import Session


class Members:
    """The part of a session that reads members."""

    def __init__(self, session: Session, blocks: Blocks, invoker: Invoker) -> None:
        self.session = session
        self.blocks = blocks
        self.invoker = invoker
        session.readers[Member] = self.member

    def member(self, node: Member) -> Known | None:
        shown = self.session.shown(node)
        name = (text_of(self.session.value(node.name)) or "").lower()
        target = self.session.value(node.target)
        if node.arguments is None:
            return dotnet.property_of(target, name, shown)
        arguments = tuple(value if (value := self.session.value(one)) is not None else "" for one in node.arguments)
        type_name = node.target.type if isinstance(node.target, Cast) and node.target.operand is None else ""
        if type_name:
            return self.static(type_name, name, arguments, shown)
        return self.called(target, name, arguments, shown)

    def called(self, target: Known | None, name: str, arguments: tuple[Known, ...], shown: str) -> Known | None:
        """Call a method of a value."""
        if isinstance(target, Closure) and name in ("invoke", "invokereturnasis", "invokewithcontext"):
            return self.blocks.block(target, [Argument("", one, ()) for one in arguments], own=True)
        if name == "invokescript":
            self.invoker.cmdlet("Invoke-Expression", [("Command", one) for one in arguments[:1]])
            return unknown(shown)
        made_text = dotnet.method(target, name, arguments, shown)
        if made_text is not None:
            return made_text
        same = dotnet.on_object(name, arguments)
        if same is not None:
            self.invoker.cmdlet(*same)
            return (
                Flow(shown=shown, origins=(DOWNLOAD,))
                if "download" in name or name.startswith(("get", "open"))
                else None
            )
        if name in dotnet.ON_ITEM:
            same = dotnet.on_item(target, name, arguments)
            if same is not None:
                self.invoker.cmdlet(*same)
            return None
        for one in arguments:
            if isinstance(one, Closure):
                self.blocks.loop(one, target)
        return unknown(shown, target, *arguments).replace(paths=())

    def static(self, type_name: str, name: str, arguments: tuple[Known, ...], shown: str) -> Known | None:
        same = dotnet.static(type_name, name, arguments)
        if same is not None:
            return self._as_cmdlet(same, arguments, shown)
        text = text_of(arguments[0]) if arguments else None
        if type_name in ("scriptblock", "management.automation.scriptblock") and name == "create":
            return self.blocks.made_block(arguments[0] if arguments else None, shown)
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
                path = self.session.below(path, child)
            return path
        if type_name == "environment" and text is not None:
            value = self._of_environment(name, text.lower())
            if value is not None or name in ("getenvironmentvariable", "getfolderpath"):
                return Flow(shown=shown) if value is None else value
        if name == "new":
            return Flow(shown=shown, type=type_name, paths=self.session.object_paths(type_name, arguments))
        for one in arguments:
            if isinstance(one, Closure):
                self.blocks.block(one)
        return unknown(shown, *arguments).replace(paths=())

    def _as_cmdlet(
        self, same: tuple[str, tuple[tuple[str, Known | None], ...]], arguments: tuple[Known, ...], shown: str
    ) -> Known | None:
        """Call a method with the effects of a cmdlet. Return its value."""
        self.invoker.cmdlet(*same)
        first = arguments[0] if arguments else None
        if same[0] == "Get-Content":
            return Flow(shown=shown, files=tuple(file.path for file in self.session.files(first, "rl")))
        if same[0] in ("Set-Content", "Add-Content"):
            self.session.remember(self.session.files(first, "wl"), *arguments[1:])
        if same[0] == "Get-ChildItem":
            return self.session.listing(self.session.files(first, "rl"), shown, below=True, deep=False)
        return None

    def _of_string(self, name: str, text: str | None, arguments: tuple[Known, ...], shown: str) -> Known | None:
        """Return the value of a method of `[string]`; None for any other."""
        if name == "join" and len(arguments) > 1:
            return operators.joined(arguments[1] if len(arguments) == 2 else arguments[1:], text or "", shown)
        if name == "concat":
            return operators.joined(arguments, "", shown)
        if name == "format" and text is not None:
            found = arranged(text, arguments[1:])
            return unknown(shown, *arguments) if found is None else made(found, shown, *arguments)
        return None

    def _of_environment(self, name: str, text: str) -> str | None:
        if name == "getenvironmentvariable":
            return places.environment(text, self.session.home, self.session.environ)
        return self.session.home if name == "getfolderpath" and text in ("userprofile", "personal") else None

"""Calls into .NET that have the effects of a cmdlet, as that cmdlet's parameters."""

from __future__ import annotations

from rulez_py.analysis.powershell.flow import Bytes, Flow, made, text_of, unknown
from rulez_py.analysis.values import DECODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.powershell.flow import Known

    Words = tuple[tuple[str, Known | None], ...]

# Type and method -> the cmdlet, and the parameter of each argument ("" for none).
STATIC: dict[tuple[str, str], tuple[str, tuple[str, ...]]] = {
    ("io.file", "delete"): ("Remove-Item", ("LiteralPath",)),
    ("io.file", "copy"): ("Copy-Item", ("LiteralPath", "Destination")),
    ("io.file", "move"): ("Move-Item", ("LiteralPath", "Destination")),
    ("io.file", "replace"): ("Move-Item", ("LiteralPath", "Destination")),
    **{
        ("io.file", name): ("Set-Content", ("LiteralPath", "Value"))
        for name in ("writealltext", "writealllines", "writeallbytes", "writealltextasync", "writeallbytesasync")
    },
    **{("io.file", name): ("Set-Content", ("LiteralPath",)) for name in ("create", "openwrite", "createtext")},
    **{("io.file", name): ("Add-Content", ("LiteralPath", "Value")) for name in ("appendalltext", "appendalllines")},
    **{
        ("io.file", name): ("Get-Content", ("LiteralPath",))
        for name in ("readalltext", "readalllines", "readlines", "readallbytes", "openread", "opentext")
    },
    ("io.directory", "delete"): ("Remove-Item", ("LiteralPath", "Recurse")),
    ("io.directory", "createdirectory"): ("New-Item", ("Path",)),
    ("io.directory", "move"): ("Move-Item", ("LiteralPath", "Destination")),
    **{
        ("io.directory", name): ("Get-ChildItem", ("LiteralPath",))
        for name in ("getfiles", "getdirectories", "enumeratefiles", "getfilesystementries")
    },
    ("io.compression.zipfile", "extracttodirectory"): ("Expand-Archive", ("LiteralPath", "DestinationPath")),
    ("io.compression.zipfile", "createfromdirectory"): ("Compress-Archive", ("LiteralPath", "DestinationPath")),
    ("diagnostics.process", "start"): ("Start-Process", ("FilePath", "ArgumentList")),
}
# Methods of a web client, by their names alone: the client is often unknown.
_WEB: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("downloadstring", "downloaddata", "getstringasync", "getbytearrayasync"), ("Uri",)),
    **dict.fromkeys(("downloadstringtaskasync", "downloaddatataskasync", "openread", "getasync"), ("Uri",)),
    **dict.fromkeys(("downloadfile", "downloadfileasync", "downloadfiletaskasync"), ("Uri", "OutFile")),
    **dict.fromkeys(("uploadfile", "uploadfileasync", "uploadfiletaskasync"), ("Uri", "InFile")),
    **dict.fromkeys(("uploadstring", "uploaddata", "uploadvalues", "postasync", "putasync"), ("Uri", "Body")),
}


_CODE = frozenset(("addscript", "run", "exec", "create"))
"""Methods that run a text, of PowerShell, WScript.Shell and Win32_Process objects."""


ON_ITEM = {"delete": "Remove-Item", "moveto": "Move-Item", "copyto": "Copy-Item", "kill": "Stop-Process"}
"""Methods of a file or a process -> the cmdlet with the same effects."""


def static(type_name: str, method: str, arguments: Sequence[Known]) -> tuple[str, Words] | None:
    """Return `[type]::method(...)` as a cmdlet and its parameters; None for a method that is not described."""
    found = STATIC.get((type_name, method))
    if found is None:
        return None
    return found[0], _words(found[1], arguments)


def on_object(method: str, arguments: Sequence[Known]) -> tuple[str, Words] | None:
    """Return `$client.method(...)` as a cmdlet and its parameters."""
    if method in _CODE and arguments and text_of(arguments[0]):
        return "Invoke-Expression", (("Command", arguments[0]),)
    names = _WEB.get(method)
    if names is None or not arguments:
        return None
    address = text_of(arguments[0])
    if address is not None and "://" not in address:
        return None
    if len(names) > 1 and len(arguments) > 2 and names[1] in ("InFile", "Body"):
        arguments = (arguments[0], arguments[-1])  # (address, method, what)
    words = _words(names, arguments)
    return "Invoke-WebRequest", (*words, ("Method", "POST")) if len(names) > 1 and names[1] != "OutFile" else words


def _words(names: Sequence[str], arguments: Sequence[Known]) -> Words:
    found: list[tuple[str, Known | None]] = []
    for name, argument in zip(names, arguments, strict=False):
        if name != "Recurse" or (text_of(argument) or "").lower() == "true":
            found.append((name, argument))
    return tuple(found)


def text_method(text: str, method: str, arguments: Sequence[str]) -> str | None:
    """Return the value of a simple method of System.String; None for any other."""
    count = len(arguments)
    numbers = [int(one) for one in arguments if one.isdigit() and len(one) < 7]
    if method == "replace" and count == 2 and arguments[0]:
        return text.replace(arguments[0], arguments[1])
    if method in ("tolower", "tolowerinvariant"):
        return text.lower()
    if method in ("toupper", "toupperinvariant"):
        return text.upper()
    if method == "tostring" and not count:
        return text
    if method in ("trim", "trimstart", "trimend") and count < 2:
        left = method != "trimend"
        stripped = text.lstrip(*arguments) if left else text
        return stripped.rstrip(*arguments) if method != "trimstart" else stripped
    if method == "insert" and count == 2 and arguments[0].isdigit() and len(arguments[0]) < 7:
        return text[: int(arguments[0])] + arguments[1] + text[int(arguments[0]) :]
    return _part(text, method, numbers) if len(numbers) == count > 0 else None


def _part(text: str, method: str, numbers: Sequence[int]) -> str | None:
    """Return the result of `Substring` or `Remove` with a start, or with a start and a length."""
    first, *size = numbers
    if method == "substring":
        return text[first : first + size[0]] if size else text[first:]
    if method == "remove":
        return text[:first] + (text[first + size[0] :] if size else "")
    return None


def on_item(target: Known | None, name: str, arguments: Sequence[Known]) -> tuple[str, Words] | None:
    """Return `$item.method(...)`, of a file or a process, as a cmdlet and its parameters."""
    if name == "kill":
        return "Stop-Process", (("InputObject", target),)
    if not isinstance(target, Flow) or not target.paths:
        return None
    parameters: list[tuple[str, Known | None]] = [("LiteralPath", target)]
    if name == "delete" and arguments and (text_of(arguments[0]) or "").lower() == "true":
        parameters.append(("Recurse", "True"))
    if name != "delete" and arguments:
        parameters.append(("Destination", arguments[0]))
    return ON_ITEM[name], tuple(parameters)


def property_of(target: Known | None, name: str, shown: str) -> Known | None:
    """Return the value of a property."""
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


def method(target: Known | None, name: str, arguments: tuple[Known, ...], shown: str) -> Known | None:
    """Return the value of a method of a text or an encoding; None for any other."""
    if isinstance(target, Flow) and target.type.startswith("text.") and arguments:
        return encoded(target.type, name, arguments, shown)
    text = text_of(target) if isinstance(target, (str, Flow)) else None
    texts = [text_of(one) for one in arguments]
    known = [one for one in texts if one is not None]
    if text is None or len(known) < len(texts):
        return None
    if name == "split" and known and all(known):
        return tuple(made(part, shown, target) for part in text.split(known[0])[:1000])
    if name == "tochararray":
        return tuple(text[:1000])
    found = text_method(text, name, known)
    return None if found is None else made(found, shown, target, *arguments)


def encoded(encoding: str, name: str, arguments: tuple[Known, ...], shown: str) -> Known:
    value = arguments[0]
    codec = {"text.unicode": "utf-16-le", "text.bigendianunicode": "utf-16-be"}.get(encoding, "utf-8")
    if name == "getstring" and isinstance(value, Bytes):
        return Flow(text=value.data.decode(codec, "replace"), shown=shown, origins=(DECODE,))
    text = text_of(value)
    if name == "getbytes" and text is not None:
        return Bytes(data=text.encode(codec, "replace"))
    return unknown(shown, *arguments)

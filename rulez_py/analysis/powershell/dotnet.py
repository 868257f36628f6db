"""Calls into .NET that do what a cmdlet does, as that cmdlet's words."""

from __future__ import annotations

from rulez_py.analysis.powershell.flow import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.powershell.flow import Known

    Words = tuple[tuple[str, Known], ...]

# Type and method -> the cmdlet and the parameter that each argument is for ("" for none).
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
# Methods of a web client, by their names alone: how it was made is often not to be seen.
_WEB: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("downloadstring", "downloaddata", "getstringasync", "getbytearrayasync"), ("Uri",)),
    **dict.fromkeys(("downloadstringtaskasync", "downloaddatataskasync", "openread", "getasync"), ("Uri",)),
    **dict.fromkeys(("downloadfile", "downloadfileasync", "downloadfiletaskasync"), ("Uri", "OutFile")),
    **dict.fromkeys(("uploadfile", "uploadfileasync", "uploadfiletaskasync"), ("Uri", "InFile")),
    **dict.fromkeys(("uploadstring", "uploaddata", "uploadvalues", "postasync", "putasync"), ("Uri", "Body")),
}


_CODE = frozenset(("addscript", "run", "exec", "create"))
"""Methods that run a text: of a PowerShell, of WScript.Shell, of Win32_Process."""


def static(type_name: str, method: str, arguments: Sequence[Known]) -> tuple[str, Words] | None:
    """`[type]::method(...)` as a cmdlet and its parameters, None where it does nothing that is described here."""
    found = STATIC.get((type_name, method))
    if found is None:
        return None
    return found[0], _words(found[1], arguments)


def on_object(method: str, arguments: Sequence[Known]) -> tuple[str, Words] | None:
    """`$client.method(...)` as a cmdlet and its parameters."""
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
    found: list[tuple[str, Known]] = []
    for name, argument in zip(names, arguments, strict=False):
        if name != "Recurse" or (text_of(argument) or "").lower() == "true":
            found.append((name, argument))
    return tuple(found)


def text_method(text: str, method: str, arguments: Sequence[str]) -> str | None:
    """Return a method of System.String, None where it is not one of the simple ones."""
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
    """Return what `Substring` and `Remove` leave of a text: from a place on, or so many letters."""
    first, *size = numbers
    if method == "substring":
        return text[first : first + size[0]] if size else text[first:]
    if method == "remove":
        return text[:first] + (text[first + size[0] :] if size else "")
    return None

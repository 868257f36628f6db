"""R."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract import UNKNOWN, Call, joined, known
from rulez_py.analysis.languages.engine import Dialect, Engine, reader
from rulez_py.analysis.languages.scan import TEXT, Scan, Syntax, plain, to_line_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.languages.abstract import Abstract

CALLS = {
    **dict.fromkeys(("system", "shell", "pipe"), "runs shell 0|command"),
    **dict.fromkeys(("system2", "processx.run", "sys.exec_wait"), "runs program 0|command 1|args"),
    "unlink": "delete recursive 0|x recursive",
    "file.remove": "delete 0+",
    "file.rename": "delete 0; write 1",
    "file.copy": "read 0|from; write 1|to",
    **dict.fromkeys(("file.create", "dir.create", "sink"), "write 0"),
    **dict.fromkeys(
        ("writeLines", "write", "saveRDS", "write.csv", "write.table", "writeBin", "dput"), "write 1|file|con"
    ),
    "cat": "write file",
    **dict.fromkeys(("readLines", "readRDS", "read.csv", "read.table", "scan", "readChar"), "content 0|file|con"),
    "file": "open 0|description 1|open",
    **dict.fromkeys(("source", "sys.source"), "runs file 0|file"),
    "eval": "same 0",
    "parse": "runs code text",
    **dict.fromkeys(("download.file", "curl_download"), "url 0|url; write 1|destfile"),
    **dict.fromkeys(("url", "GET", "httr.GET", "POST", "httr.POST", "curl.curl_fetch_memory"), "url 0|url"),
    "socketConnection": "host 0|host",
    **dict.fromkeys(("c", "list"), "list 0+"),
    "file.path": "join 0+",
    "path.expand": "expand 0",
    "normalizePath": "same 0",
    "shQuote": "same 0",
    "Sys.getenv": "getenv 0",
    **dict.fromkeys(("Sys.glob",), "glob 0"),
}


def _string(scan: Scan, i: int) -> int:
    body, after = plain(scan.text, i + 1, scan.text[i])
    scan.tokens.append((TEXT, (body,)))
    return after


def _arguments(engine: Engine, _call: Call, _on: Abstract) -> Abstract:
    return engine.arguments


def _paste(_engine: Engine, call: Call, _on: Abstract) -> Abstract:
    """Texts with a blank between them, or with `sep`."""
    between = call.keywords.get("sep", known(" "))
    whole: Abstract = call.arguments[0] if call.arguments else UNKNOWN
    for one in call.arguments[1:]:
        whole = joined(joined(whole, between), one)
    return whole


def _paste0(engine: Engine, call: Call, on: Abstract) -> Abstract:
    return _paste(engine, Call(call.arguments, {"sep": known("")}), on)


SYNTAX = Syntax({"'": _string, '"': _string, "#": to_line_end}, lines=True, names="_.")
DIALECT = Dialect(
    language="r",
    syntax=SYNTAX,
    calls=CALLS,
    attribute=("::", ":::", "$"),
    concat=(),
    keyword=("=",),
    strip=("base.", "utils."),
    prefixes=frozenset(("return", "if", "else", "while", "for", "function", "repeat")),
    special={"commandArgs": _arguments, "paste": _paste, "paste0": _paste0},
    assigning=("=", ":=", "<-", "||=", "<<-"),
    neighbours=True,
    first=1,
)
find = reader(DIALECT)

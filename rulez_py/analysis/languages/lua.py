"""Lua."""

from __future__ import annotations

from rulez_py.analysis.languages.engine import Dialect, Engine, reader
from rulez_py.analysis.languages.scan import NAME, TEXT, Scan, Syntax, plain, to_line_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.languages.abstract import Abstract

CALLS = {
    **dict.fromkeys(("os.execute", "io.popen", "vim.fn.system", "vim.cmd.silent"), "runs shell 0"),
    "os.remove": "delete 0",
    "os.rename": "delete 0; write 1",
    "lfs.rmdir": "delete 0",
    "lfs.mkdir": "write 0",
    "io.open": "open 0 1",
    **dict.fromkeys(("io.lines", "io.input"), "content 0"),
    "io.output": "write 0",
    **dict.fromkeys(("load", "loadstring"), "same 0; runs code 0"),
    **dict.fromkeys(("dofile", "loadfile"), "runs file 0"),
    "require": "name 0",
    "os.getenv": "getenv 0",
    **dict.fromkeys(("tostring", "assert", "pcall"), "same 0"),
    **dict.fromkeys(("http.request", "socket.http.request", "https.request", "ssl.https.request"), "url 0|url"),
    **dict.fromkeys(("socket.connect", "socket.tcp.connect"), "host 0"),
    "socket.tcp": "make",
    "string.char": "chars 0+",
    "string.reverse": "reverse 0",
}


def _string(scan: Scan, i: int) -> int:
    body, after = plain(scan.text, i + 1, scan.text[i])
    scan.tokens.append((TEXT, (body,)))
    return after


def _long(text: str, i: int) -> tuple[str, int]:
    """`[==[ text ]==]` at a place, and where it ends; 0 where none begins."""
    at = i + 1
    while text.startswith("=", at):
        at += 1
    if not text.startswith("[", at):
        return "", 0
    mark = "]" + "=" * (at - i - 1) + "]"
    stop = text.find(mark, at)
    return (text[at + 1 :], len(text)) if stop < 0 else (text[at + 1 : stop].removeprefix("\n"), stop + len(mark))


def _bracket(scan: Scan, i: int) -> int:
    body, after = _long(scan.text, i)
    if after:
        scan.tokens.append((TEXT, (body,)))
    return after


def _comment(scan: Scan, i: int) -> int:
    if not scan.text.startswith("--", i):
        return 0
    after = _long(scan.text, i + 2)[1] if scan.text.startswith("[", i + 2) else 0
    return after or to_line_end(scan, i)


SYNTAX = Syntax({"'": _string, '"': _string, "[": _bracket, "-": _comment})


def _function(engine: Engine) -> None:
    """`function name(a, b)`."""
    name = engine.word()
    while engine.word() or engine.sign() in (".", ":"):
        name = engine.word() or name
        engine.at += 1
    if not engine.accept("("):
        return
    names: list[Abstract] = []
    while engine.at < len(engine.tokens) and engine.sign() != ")":
        kind, value = engine.peek()
        if kind == NAME:
            names.append(value)
        engine.at += 1
    made = engine.function(names)
    if name:
        engine.variables[name] = made


DIALECT = Dialect(
    language="lua",
    syntax=SYNTAX,
    calls=CALLS,
    attribute=(".", ":"),
    concat=("..",),
    keyword=(),
    strip=("_G.", "_ENV."),
    statements={"function": _function},
    prefixes=frozenset(
        ("return", "local", "if", "then", "else", "elseif", "while", "do", "not", "end", "until", "repeat", "for")
    ),
    unmarked_blocks=True,
    called_with_text=True,
    keyless=True,
    first=1,
    argv=(("arg", 0),),
)
find = reader(DIALECT)

"""PHP, with or without `<?php`."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract import UNKNOWN, Call, Ref, environment
from rulez_py.analysis.languages.engine import ENDS, Dialect, Engine, reader
from rulez_py.analysis.languages.scan import (
    SHELL,
    TEXT,
    VARIABLE,
    Scan,
    Syntax,
    filled,
    quoted,
    single_quoted,
    slashes,
    to_line_end,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.languages.abstract import Abstract

CALLS = {
    **dict.fromkeys(("system", "exec", "shell_exec", "passthru", "popen", "expect_popen"), "runs shell 0|command"),
    "proc_open": "runs process 0|command",
    "pcntl_exec": "runs program 0 1",
    **dict.fromkeys(("eval", "assert", "create_function"), "runs code 0"),
    **dict.fromkeys(("include", "include_once", "require", "require_once"), "runs file 0"),
    "chdir": "cwd 0|directory",
    **dict.fromkeys(("unlink", "rmdir"), "delete 0|filename|directory"),
    "rename": "delete 0|from; write 1|to",
    "copy": "content 0|from; write 1|to",
    **dict.fromkeys(("file_put_contents", "touch", "mkdir", "chmod", "chown", "symlink"), "write 0|filename"),
    "move_uploaded_file": "write 1",
    **dict.fromkeys(("fopen", "gzopen"), "open 0 1"),
    **dict.fromkeys(
        ("file_get_contents", "file", "readfile", "highlight_file", "show_source", "parse_ini_file"),
        "content 0|filename",
    ),
    **dict.fromkeys(("curl_init", "get_headers"), "url 0"),
    **dict.fromkeys(("fsockopen", "pfsockopen", "stream_socket_client", "gethostbyname"), "host 0"),
    "ftp_connect": "host 0",
    "glob": "glob 0",
    "getenv": "getenv 0",
    "base64_decode": "prints decoded base64 0",
    "hex2bin": "prints decoded hex 0",
    "strrev": "reverse 0",
    "trim": "strip 0",
    "strtolower": "lower 0",
    "chr": "chars 0",
    **dict.fromkeys(("escapeshellarg", "escapeshellcmd", "realpath", "strval", "gzinflate", "urldecode"), "same 0"),
    "dirname": "parent 0",
    "array": "list 0+",
}


def _hole(scan: Scan, i: int) -> tuple[object, int] | None:
    """`$x`, `{$x}`, `${x}`."""
    text = scan.text
    if text.startswith("{$", i):
        return scan.inside(i + 1, "}")
    if text.startswith("${", i):
        stop = text.find("}", i, i + 80)
        return (((VARIABLE, text[i + 2 : stop]),), stop + 1) if stop > 0 else None
    if text[i] != "$" or not (text[i + 1 : i + 2].isalpha() or text[i + 1 : i + 2] == "_"):
        return None
    stop = i + 1
    while stop < len(text) and (text[stop].isalnum() or text[stop] == "_"):
        stop += 1
    return ((VARIABLE, text[i + 1 : stop]),), stop


def _variable(scan: Scan, i: int) -> int:
    text, stop = scan.text, i + 1
    while stop < len(text) and (text[stop].isalnum() or text[stop] == "_"):
        stop += 1
    if stop > i + 1:
        scan.tokens.append((VARIABLE, text[i + 1 : stop]))
        return stop
    return 0


def _outside(scan: Scan, i: int) -> int:
    """`?>` up to the next `<?`: text that is printed; here-documents; 0 for any other sign."""
    text = scan.text
    if text.startswith("?>", i):
        stop = text.find("<?", i)
        return len(text) if stop < 0 else _outside(scan, stop)
    for mark in ("<?php", "<?=", "<?"):
        if text.startswith(mark, i):
            scan.tokens.append(("sign", ";"))
            return i + len(mark)
    if text.startswith("<<<", i):
        at = i + 3
        quote = text[at : at + 1] if text.startswith(("'", '"'), at) else ""
        at += len(quote)
        stop = at
        while stop < len(text) and (text[stop].isalnum() or text[stop] == "_"):
            stop += 1
        if stop > at:
            scan.here(text[at:stop], indented=True, raw=quote == "'")
            return stop + len(quote)
    return 0


def _interpolation(scan: Scan, i: int) -> int:
    parts, after = filled(scan, i, "\0", _hole, keep=True)
    scan.tokens.append((TEXT, parts))
    return after


SYNTAX = Syntax(
    {
        '"': quoted('"', TEXT, _hole, keep=True),
        "'": single_quoted,
        "`": quoted("`", SHELL, _hole),
        "$": _variable,
        "#": to_line_end,
        "/": slashes,
        "?": _outside,
        "<": _outside,
        "interpolation": _interpolation,
    }
)


def _function(engine: Engine) -> None:
    """`function name($a, $b = 1) {`."""
    engine.accept("&")
    name = engine.word()
    engine.at += bool(name)
    if not engine.accept("("):
        return
    names: list[Abstract] = []
    while engine.at < len(engine.tokens) and engine.sign() not in (")", "{"):
        kind, value = engine.peek()
        if kind == VARIABLE:
            names.append(value)
        engine.at += 1
    engine.accept(")")
    made = engine.function(names)
    if name:
        engine.variables[name.lower()] = made


def _called(engine: Engine, call: Call, _on: Abstract) -> Abstract:
    """`call_user_func("system", "...")`."""
    if not call.arguments:
        return UNKNOWN
    rest = call.arguments[1:]
    return engine.call(
        call.arguments[0], Call(list(rest[0]) if len(rest) == 1 and isinstance(rest[0], tuple) else rest, {})
    )


def _curl(engine: Engine, call: Call, _on: Abstract) -> Abstract:
    """`curl_setopt($c, CURLOPT_URL, "...")`."""
    option = call.arguments[1] if len(call.arguments) > 2 else None
    if isinstance(option, Ref) and option.name == "curlopt_url":
        engine.dialect.calls["curl_init"]
        return engine.call(Ref("curl_init"), Call([call.arguments[2]], {}))
    return UNKNOWN


def _code(text: str) -> str:
    """What stands behind `<?`, where that is how the text begins."""
    start = text.find("<?")
    return text[start:] if start >= 0 and text[:start].lstrip().startswith(("#!", "<")) else text


DIALECT = Dialect(
    language="php",
    syntax=SYNTAX,
    calls=CALLS,
    attribute=("->", "::", "?->"),
    concat=(".",),
    fold=True,
    keyword=("=>", ":"),
    statements={"function": _function},
    prefixes=frozenset(
        (
            "return",
            "new",
            "echo",
            "print",
            "if",
            "else",
            "while",
            "static",
            "global",
            "throw",
            "foreach",
            "elseif",
        )
    ),
    special={"call_user_func": _called, "call_user_func_array": _called, "curl_setopt": _curl},
    arrow=("=>", "->"),
    ends=ENDS - {"|"},
    as_each=True,
    called_by_text=True,
    itself=Dialect.itself | {"new"},
    argv=(("argv", 1),),
    variables={
        "_ENV": Ref("_ENV"),
        "_ENV.HOME": environment("HOME"),
        "_SERVER": Ref("_SERVER"),
        "_SERVER.HOME": environment("HOME"),
    },
    source=_code,
)
find = reader(DIALECT)

"""PHP, with or without `<?php`."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import (
    UNKNOWN,
    Call,
    Ref,
    decoded,
    environment,
    known,
    mapped,
    number,
    text_of,
)
from rulez_py.analysis.languages.dialect import ENDS, Dialect
from rulez_py.analysis.languages.engine import reader
from rulez_py.analysis.languages.functions import handed_on
from rulez_py.analysis.languages.methods import imploded, part_of, sprintf, substituted
from rulez_py.analysis.languages.parameters import STARS
from rulez_py.analysis.languages.search import killing
from rulez_py.analysis.languages.tables.php import CALLS, LIKELY, WITHIN
from rulez_py.analysis.languages.tokens import (
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
from rulez_py.analysis.values import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.dialect import Walk


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
    """Skip printed text between `?>` and `<?`; read a here-document; return 0 for any other `?` or `<`."""
    text = scan.text
    if text.startswith("?>", i):
        stop = text.find("<?", i)
        return len(text) if stop < 0 else _outside(scan, stop)
    for mark in ("<?php", "<?=", "<?"):
        if text.startswith(mark, i):
            scan.tokens.append(("operator", ";"))
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


def _qualifier(scan: Scan, i: int) -> int:
    """Leave out the namespace before a name: `A\\B\\Name` is `Name`."""
    if i and scan.text[i - 1].isalnum() and scan.tokens and scan.tokens[-1][0] == "name":
        scan.tokens.pop()
    return i + 1


SYNTAX = Syntax(
    {
        '"': quoted('"', TEXT, _hole, keep=True),
        "'": single_quoted,
        "`": quoted("`", SHELL, _hole),
        "$": _variable,
        "#": to_line_end,
        "/": slashes,
        "\\": _qualifier,
        "?": _outside,
        "<": _outside,
        "interpolation": _interpolation,
    }
)


def _function(walk: Walk) -> Abstract:
    """`function name($a, $b = 1) {`."""
    walk.here.accept("&")
    name = walk.here.word()
    walk.here.at += bool(name)
    if not walk.here.accept("("):
        return UNKNOWN
    names: list[object] = []
    while walk.here.at < len(walk.here.tokens) and walk.here.operator() not in (")", "{"):
        kind, value = walk.here.peek()
        if kind == VARIABLE:
            names.append(STARS.get(walk.here.operator(-1), "") + value)
        walk.here.at += 1
    walk.here.accept(")")
    made = walk.definitions.function(names)
    if name:
        walk.scope.variables[name.lower()] = made
    if walk.here.word() == "use" and walk.here.operator(1) == "(":
        walk.here.at += 2
        walk.brackets.arguments_until(")")
    if walk.here.accept("=>") or walk.here.operator() == "{":
        return walk.definitions.body(made)
    return made


def _called(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`call_user_func("system", "...")`."""
    if not call.arguments:
        return UNKNOWN
    rest = call.arguments[1:]
    return walk.calls.call(
        call.arguments[0], Call(list(rest[0]) if len(rest) == 1 and isinstance(rest[0], tuple) else rest, {})
    )


def _call(walk: Walk, call: Call, function: Abstract) -> Abstract | None:
    """Follow calls with the name of a function as an argument: `array_map("unlink", $list)`."""
    assert isinstance(function, Ref)
    if function.name not in CALLBACKS:
        return None
    given = [
        Ref(one.text.lower()) if isinstance(one, Word) and one.known and one.text.lower() in CALLS else one
        for one in call.arguments
    ]
    return handed_on(walk.calls, function.name, Call(given, call.keywords), None)


CALLBACKS = frozenset(
    (
        *(
            "array_map",
            "array_walk",
            "array_walk_recursive",
            "array_filter",
            "array_reduce",
            "usort",
            "uasort",
            "uksort",
        ),
        *(
            "iterator_apply",
            "forward_static_call",
            "forward_static_call_array",
            "register_shutdown_function",
            "ob_start",
        ),
        *("preg_replace_callback", "register_tick_function", "set_error_handler", "set_exception_handler"),
        *("spl_autoload_register", "header_register_callback", "closure.fromcallable", "reflectionfunction"),
        *("array_udiff", "array_uintersect", "mb_ereg_replace_callback", "preg_replace_callback_array"),
    )
)


def _slice(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`array_slice($list, 1)`, `substr($text, 2)`."""
    bounds = [number(one) for one in call.arguments[1:3]]
    if not bounds or None in bounds or not call.arguments:
        return UNKNOWN
    first, *size = [bound or 0 for bound in bounds]
    return part_of(call.arguments[0], slice(first, first + size[0] if size else None))


def _translated(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`strtr($text, "a", "b")`."""
    texts = [text_of(one) for one in call.arguments[:3]]
    if len(texts) < 3 or not all(text.known for text in texts) or len(texts[1].text) != len(texts[2].text):
        return UNKNOWN
    return mapped(texts[0], lambda text: text.translate(str.maketrans(texts[1].text, texts[2].text)))


def _packed(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    how = text_of(call.arguments[0]).text if call.arguments else ""
    return decoded(call.arguments[1], "hex") if how.startswith("H") and len(call.arguments) > 1 else UNKNOWN


def _extract(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`extract(["name" => value])`: assigns variables."""
    for name, value in call.keywords.items():
        walk.scope.assign(name, value)
    return UNKNOWN


def _use(walk: Walk) -> None:
    """`use function name as other;`"""
    if walk.here.word() == "function":
        walk.here.at += 1
        name = walk.here.word()
        if walk.here.word(1) == "as":
            walk.scope.variables[walk.here.word(2).lower()] = Ref(walk.scope.canonical(name))
    while walk.here.at < len(walk.here.tokens) and walk.here.operator() != ";":
        walk.here.at += 1


def _curl(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`curl_setopt($c, CURLOPT_URL, "...")`."""
    option = call.arguments[1] if len(call.arguments) > 2 else None
    if isinstance(option, Ref) and option.name == "curlopt_url":
        walk.dialect.calls["curl_init"]
        return walk.calls.call(Ref("curl_init"), Call([call.arguments[2]], {}))
    return UNKNOWN


def _code(text: str) -> str:
    """Return the text from the first `<?` on, if only a `#!` line or HTML is before it."""
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
    statements={"function": _function, "use": _use},  # type: ignore[dict-item]
    functions={"function": _function, "fn": _function},
    likely=LIKELY,
    within=WITHIN,
    through={"invoke": "call 0", "__invoke": "call 0", "invokeargs": "list 0", "call": "call 1", "bindto": "bind 1"},
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
    special={
        "posix_kill": killing(0),
        **dict.fromkeys(("call_user_func", "call_user_func_array"), _called),
        "curl_setopt": _curl,
        "call": _call,
        "extract": _extract,
        **dict.fromkeys(("array_slice", "substr", "mb_substr"), _slice),
        "strtr": _translated,
        "pack": _packed,
        **dict.fromkeys(("sprintf", "vsprintf"), sprintf),
        **dict.fromkeys(("implode", "join"), imploded),
        **dict.fromkeys(("str_replace", "str_ireplace"), substituted),
    },
    ends=ENDS - {"|"},
    as_each=True,
    called_by_text=True,
    itself=Dialect.itself | {"new"},
    argv=(("argv", 1), ("_server.argv", 1)),
    variables={
        "PHP_BINARY": known("php"),
        "_ENV": Ref("_ENV"),
        "_ENV.HOME": environment("HOME"),
        "_SERVER": Ref("_SERVER"),
        "_SERVER.HOME": environment("HOME"),
    },
    source=_code,
)
find = reader(DIALECT)

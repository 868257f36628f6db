"""R."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import UNKNOWN, Call, Ref, Table, joined, known
from rulez_py.analysis.languages.dialect import Dialect
from rulez_py.analysis.languages.engine import reader
from rulez_py.analysis.languages.methods import joined_all, sprintf, substituted
from rulez_py.analysis.languages.parameters import starred
from rulez_py.analysis.languages.tables.r import CALLS
from rulez_py.analysis.languages.tokens import NAME, TEXT, Scan, Syntax, plain, to_line_end
from rulez_py.analysis.values import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.dialect import Walk


def _string(scan: Scan, i: int) -> int:
    body, after = plain(scan.text, i + 1, scan.text[i])
    scan.tokens.append((TEXT, (body,)))
    return after


def _arguments(walk: Walk, _call: Call, _on: Abstract) -> Abstract:
    return walk.arguments


def _paste(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`paste("a", "b", sep=" ")`: texts with a separator between them."""
    between = call.keywords.get("sep", known(" "))
    collapse = call.keywords.get("collapse")
    given = [
        joined_all(one, collapse) if collapse is not None and isinstance(one, tuple) else one for one in call.arguments
    ]
    whole: Abstract = given[0] if given else UNKNOWN
    for one in given[1:]:
        whole = joined(joined(whole, between), one)
    return whole


def _paste0(walk: Walk, call: Call, on: Abstract) -> Abstract:
    return _paste(walk, Call(call.arguments, {"sep": known("")}), on)


def _system2(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`system2("program", c("a", "b"))`: a shell gets the words with blanks between them."""
    first = call.arguments[0] if call.arguments else call.keywords.get("command", UNKNOWN)
    rest = call.arguments[1] if len(call.arguments) > 1 else call.keywords.get("args", ())
    walk.effects.shell(joined_all((first, rest), known(" ")), call)
    return UNKNOWN


def _list(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    if not call.keywords:
        return tuple(call.arguments)
    return Table({**{str(at): one for at, one in enumerate(call.arguments)}, **call.keywords})


def _do_call(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`do.call("system", list("..."))`."""
    function = call.arguments[0] if call.arguments else call.keywords.get("what", UNKNOWN)
    if isinstance(function, Word) and function.known:
        function = walk.scope.value_of(function.text)
    given = call.arguments[1] if len(call.arguments) > 1 else call.keywords.get("args", ())
    named = dict(given.items) if isinstance(given, Table) else {}
    arguments = given if isinstance(given, tuple) else (value for key, value in named.items() if key.isdecimal())
    return walk.calls.call(function, Call(list(arguments), named))


def _call(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`call("system", "...")`: a call for `eval`."""
    if not call.arguments or not isinstance(call.arguments[0], Word):
        return UNKNOWN
    return walk.calls.call(walk.scope.value_of(call.arguments[0].text), Call(call.arguments[1:], call.keywords))


def _function(walk: Walk) -> Abstract:
    """`function(a, b = 1) body`, `\\(a) body`."""
    names = walk.definitions.parameters(")") if walk.here.accept("(") else []
    return walk.definitions.body(
        walk.definitions.function(starred(one) if isinstance(one, str) else one for one in names)
    )


def _for(walk: Walk) -> None:
    """`for (a in list)`."""
    if walk.here.accept("("):
        walk.statements.each(None)


def _unlisted(walk: Walk, call: Call, function: Abstract) -> Abstract | None:
    """Follow R's `call("system", "...")`. Its name is also the key that is asked about all calls (`dialect.HOOKS`)."""
    return _call(walk, call, None) if isinstance(function, Ref) and function.name == "call" else None


def _name(scan: Scan, i: int) -> int:
    """Read a name between backticks."""
    body, after = plain(scan.text, i + 1, "`")
    scan.tokens.append((NAME, body))
    return after


SYNTAX = Syntax({"'": _string, "`": _name, '"': _string, "#": to_line_end}, lines=True, names="_.")
DIALECT = Dialect(
    language="r",
    syntax=SYNTAX,
    calls=CALLS,
    attribute=("::", ":::", "$"),
    concat=(),
    keyword=("=",),
    strip=("base.", "utils."),
    prefixes=frozenset(("return", "if", "else", "while", "repeat")),
    functions={"function": _function, "\\": _function},
    statements={"for": _for},
    special={
        "commandArgs": _arguments,
        "paste": _paste,
        "paste0": _paste0,
        "system2": _system2,
        "list": _list,
        "do.call": _do_call,
        "call": _unlisted,
        "sprintf": sprintf,
        **dict.fromkeys(("gsub", "sub"), substituted),
    },
    assigning=("=", ":=", "<-", "||=", "<<-"),
    neighbours=True,
    first=1,
)
find = reader(DIALECT)

"""Lua."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import UNKNOWN, Call, Function, Table, text_of
from rulez_py.analysis.languages.dialect import Dialect
from rulez_py.analysis.languages.engine import reader
from rulez_py.analysis.languages.methods import MOST_ITEMS, imploded, sprintf, substituted
from rulez_py.analysis.languages.parameters import REST, starred
from rulez_py.analysis.languages.tables.lua import CALLS, LIKELY
from rulez_py.analysis.languages.tokens import NAME, OPERATOR, TEXT, Scan, Syntax, plain, to_line_end
from rulez_py.analysis.values import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.dialect import Walk


def _string(scan: Scan, i: int) -> int:
    body, after = plain(scan.text, i + 1, scan.text[i])
    scan.tokens.append((TEXT, (body,)))
    return after


def _long(text: str, i: int) -> tuple[str, int]:
    """Return the text of `[==[ text ]==]` at a place, and the index after it; 0 where none begins."""
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


def _function(walk: Walk) -> Abstract:
    """`function name(a, b)`."""
    name = walk.here.word()
    while walk.here.word() or walk.here.operator() in (".", ":"):
        name = walk.here.word() or name
        walk.here.at += 1
    if not walk.here.accept("("):
        return UNKNOWN
    names: list[object] = []
    while walk.here.at < len(walk.here.tokens) and walk.here.operator() != ")":
        kind, value = walk.here.peek()
        if kind == NAME or (kind == OPERATOR and value == REST):
            names.append(starred(value))
        walk.here.at += 1
    made = walk.definitions.function(names)
    if name:
        walk.scope.variables[name] = made
    return made


def _rest(walk: Walk) -> Abstract:
    """`...`: all arguments of the function."""
    return walk.scope.variables.get(REST, walk.scope.learnt.get(REST, UNKNOWN))


def _for(walk: Walk) -> None:
    """`for a, b in pairs(list)`."""
    walk.statements.each(None)


def _loaded(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`load("code")`: a function that returns the value of the code."""
    made = Function(())
    if call.arguments and isinstance(call.arguments[0], Word):
        made.gives = walk.nested_value(call.arguments[0])
    return made


def _rawget(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    return walk.suffixes.index(call.arguments[0], call.arguments[1:2]) if len(call.arguments) > 1 else UNKNOWN


def _protected(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`xpcall(f, handler, ...)`."""
    return walk.calls.call(call.arguments[0], Call(call.arguments[2:], {})) if call.arguments else UNKNOWN


def _insert(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`table.insert(list, "a")`."""
    value = call.arguments[0] if call.arguments else None
    if isinstance(value, Table):
        value.items[str(min(len(value.items), MOST_ITEMS))] = call.arguments[-1]
    elif isinstance(value, tuple) and value:
        for name in [name for name, other in walk.scope.variables.items() if other is value]:
            walk.scope.assign(name, (*value, call.arguments[-1]))
    return UNKNOWN


def _substituted(walk: Walk, call: Call, on: Abstract) -> Abstract:
    """`string.gsub(text, old, new)`."""
    return substituted(walk, Call([*call.arguments[1:3], *call.arguments[:1]], {}), on)


def _command(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`vim.cmd("!program")`."""
    word = text_of(call.arguments[0]) if call.arguments else UNKNOWN
    mark = word.text.find("!")
    if mark >= 0 and word.text[:mark].strip() in ("", "silent", "sil", "silent!", "r", "read", "term", "w", "%"):
        walk.effects.shell(word.replace(text=word.text[mark + 1 :]))
    elif word.text.startswith("lua "):
        walk.nested(word.replace(text=word.text[4:]))
    return UNKNOWN


DIALECT = Dialect(
    language="lua",
    syntax=SYNTAX,
    calls=CALLS,
    attribute=(".", ":"),
    concat=("..",),
    keyword=(),
    strip=("_G.", "_ENV.", "package.loaded."),
    statements={"function": _function, "for": _for},  # type: ignore[dict-item]
    functions={"function": _function, REST: _rest},
    special={
        **dict.fromkeys(("load", "loadstring"), _loaded),
        "rawget": _rawget,
        "table.insert": _insert,
        "xpcall": _protected,
        "string.format": sprintf,
        "string.gsub": _substituted,
        "table.concat": imploded,
        **dict.fromkeys(("vim.cmd", "vim.api.nvim_command", "vim.api.nvim_exec", "vim.api.nvim_exec2"), _command),
    },
    likely=LIKELY,
    prefixes=frozenset(
        ("return", "local", "if", "then", "else", "elseif", "while", "do", "not", "end", "until", "repeat")
    ),
    unmarked_blocks=True,
    called_with_text=True,
    keyless=True,
    first=1,
    argv=(("arg", 0),),
)
find = reader(DIALECT)

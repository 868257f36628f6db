"""Ruby."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import Call, Ref, decoded, either, environment, text_of
from rulez_py.analysis.languages.dialect import Dialect
from rulez_py.analysis.languages.engine import reader
from rulez_py.analysis.languages.functions import bound
from rulez_py.analysis.languages.methods import imploded, sprintf
from rulez_py.analysis.languages.parameters import STARS
from rulez_py.analysis.languages.search import found_below, killing, sought
from rulez_py.analysis.languages.tables.ruby import CALLS, LIKELY, WITHIN
from rulez_py.analysis.languages.tokens import (
    LINE,
    NAME,
    OPERATOR,
    SHELL,
    TEXT,
    WORDS,
    Scan,
    Syntax,
    filled,
    nested,
    quoted,
    regex,
    single_quoted,
    to_line_end,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.dialect import Walk

KINDS = "QqwWiIxrs"


def _hole(scan: Scan, i: int) -> tuple[object, int] | None:
    return scan.inside(i + 2, "}") if scan.text.startswith("#{", i) else None


def _percent(scan: Scan, i: int) -> int:
    """Read `%x( )`, `%w[ ]`, `%q{ }`, `%( )`; return 0 for a remainder."""
    text = scan.text
    kind = text[i + 1 : i + 2]
    at = i + 1 + (kind in KINDS and bool(kind))
    opener = text[at : at + 1]
    if not opener or opener.isalnum() or opener.isspace() or opener == "=":
        return 0
    if (
        scan.operand_before()
        and (at == i + 1 or text[at - 2 - (at > i + 1) : i] not in (" ", "("))
        and kind not in KINDS
    ):
        return 0
    if kind in "wWiI" and at > i + 1:
        body, after = nested(text, at + 1, opener)
        scan.tokens.append((WORDS, tuple(body.split())))
    elif kind in "qs" and at > i + 1:
        body, after = nested(text, at + 1, opener)
        scan.tokens.append((TEXT, (body,)))
    else:
        closer = {"(": ")", "[": "]", "{": "}", "<": ">"}.get(opener, opener)
        parts, after = filled(scan, at + 1, closer, _hole)
        scan.tokens.append((NAME, "RegExp") if kind == "r" and at > i + 1 else (SHELL if kind == "x" else TEXT, parts))
    return after


def _colon(scan: Scan, i: int) -> int:
    """Read a symbol; return 0 for any other colon."""
    text = scan.text
    if not (text[i + 1 : i + 2].isalpha() or text[i + 1 : i + 2] == "_") or (
        i and (text[i - 1].isalnum() or text[i - 1] == ":")
    ):
        return 0
    stop = i + 1
    while stop < len(text) and (text[stop].isalnum() or text[stop] == "_"):
        stop += 1
    scan.tokens.append((TEXT, (text[i + 1 : stop],)))
    return stop


def _here(scan: Scan, i: int) -> int:
    """Read `<<~TEXT`, `<<-'TEXT'`, `<<TEXT`; return 0 for a shift."""
    text, at = scan.text, i + 2
    if not text.startswith("<<", i):
        return 0
    squiggly = text[at : at + 1] in ("~", "-")
    at += squiggly
    quote = text[at : at + 1] if text[at : at + 1] in ("'", '"') and text[at : at + 1] else ""
    at += len(quote)
    stop = at
    while stop < len(text) and (text[stop].isalnum() or text[stop] == "_"):
        stop += 1
    if stop == at or (not quote and not text[at].isupper()):
        return 0
    scan.here(text[at:stop], indented=squiggly, raw=quote == "'")
    return stop + len(quote)


def _interpolation(scan: Scan, i: int) -> int:
    """Read a here-document to its end."""
    parts, after = filled(scan, i, "\0", _hole)
    scan.tokens.append((TEXT, parts))
    return after


def _continued(scan: Scan, i: int) -> int:
    return i + 2 if scan.text.startswith("\n", i + 1) else 0


def _bang(scan: Scan, i: int) -> int:
    """Leave out the `!` at the end of a method's name: `x.clear!` is `x.clear`."""
    behind = scan.text[i + 1 : i + 2]
    ends = i and (scan.text[i - 1].isalnum() or scan.text[i - 1] == "_") and behind not in ("=", "~")
    return i + 1 if ends else 0


SYNTAX = Syntax(
    {
        '"': quoted('"', TEXT, _hole),
        "'": single_quoted,
        "`": quoted("`", SHELL, _hole),
        "%": _percent,
        ":": _colon,
        "<": _here,
        "#": to_line_end,
        "!": _bang,
        "/": regex,
        "\\": _continued,
        "interpolation": _interpolation,
    },
    lines=True,
    names="_$@",
)


def _def(walk: Walk) -> None:
    """`def name(a, b = 1)`, `def name a, b`."""
    name = walk.here.word()
    walk.here.at += 1
    while walk.here.operator() == "." and walk.here.word(1):
        name = walk.here.word(1)
        walk.here.at += 2
    bracket = walk.here.accept("(")
    names: list[object] = []
    while walk.here.at < len(walk.here.tokens):
        kind, value = walk.here.peek()
        if kind == LINE or (kind == OPERATOR and value in (")", ";", "=")):
            break
        if kind == NAME:
            names.append(STARS.get(walk.here.operator(-1), "") + value)
        walk.here.at += 1
    if bracket:
        walk.here.accept(")")
    walk.scope.variables[name] = walk.definitions.function(names)


def _attribute(_walk: Walk, _call: Call, path: Abstract) -> Abstract:
    assert isinstance(path, Ref)
    owner, _, name = path.name.rpartition(".")
    return environment(name) if owner == "ENV" and name.isupper() else None


def _unpack(walk: Walk, call: Call, on: Abstract) -> Abstract:
    """`text.unpack("m")`: base64."""
    how = text_of(call.arguments[0]).text if call.arguments else ""
    return (decoded(on, "hex" if how.startswith("H") else "base64"),)


def _unpack1(walk: Walk, call: Call, on: Abstract) -> Abstract:
    found = _unpack(walk, call, on)
    return found[0] if isinstance(found, tuple) else found


def _send(walk: Walk, call: Call, on: Abstract) -> Abstract:
    """`Kernel.send(:system, "...")`."""
    if call.arguments:
        name = text_of(call.arguments[0])
        if name.known:
            owner = walk.dialect.canonical("Kernel." + name.text) if on is None else f"*.{name.text}"
            return walk.calls.call(Ref(owner, on), Call(call.arguments[1:], call.keywords))
    return Ref("?")


def _call(walk: Walk, call: Call, function: Abstract) -> Abstract | None:
    """Follow `File.send(:delete, "...")` and `File.method(:delete)`, for any owner."""
    assert isinstance(function, Ref)
    owner, _, name = function.name.rpartition(".")
    if name not in (*SENDING, *NAMING) or not call.arguments:
        return None
    word = text_of(call.arguments[0])
    if not word.known:
        return None
    alone = owner in ("", "self", "*") or owner[:1].isdigit()
    found = (
        Ref(walk.dialect.canonical(word.text)) if alone else walk.suffixes.attribute(Ref(owner, function.on), word.text)
    )
    return found if name in NAMING else walk.calls.call(found, Call(call.arguments[1:], call.keywords))


def _lambda(walk: Walk) -> Abstract:
    """`->(a) { body }`, `-> a { body }`, `lambda { |a| body }`, `proc { |a| body }`."""
    names: list[object] = []
    if walk.here.accept("("):
        names += walk.definitions.parameters(")")
    while walk.here.word() and walk.here.word() != "do":
        names.append(walk.here.word())
        walk.here.at += 1
        walk.here.accept(",")
    if walk.here.operator(1) == "|" and (walk.here.operator() == "{" or walk.here.word() == "do"):
        walk.here.at += 2
        while walk.here.at < len(walk.here.tokens) and not walk.here.accept("|"):
            names += [STARS.get(walk.here.operator(-1), "") + walk.here.word()] if walk.here.word() else []
            walk.here.at += 1
        return walk.definitions.block_of(walk.definitions.function(names))
    return (
        walk.definitions.body(walk.definitions.function(names))
        if walk.here.operator() == "{"
        else walk.definitions.function(names)
    )


def _join(walk: Walk, call: Call, on: Abstract) -> Abstract:
    return imploded(walk, Call([on, *call.arguments], {}), None)


def _fetch(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`ENV.fetch("NAME", other)`."""
    name = text_of(call.arguments[0]) if call.arguments else text_of(None)
    value = environment(name.text) if name.known else name
    return either((value, call.arguments[1])) if len(call.arguments) > 1 else value


def _function_of_c(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`Fiddle::Function.new(library["system"], ...)`."""
    return bound(call.arguments[0], [], {}) if call.arguments else Ref("?")


def _call_named(walk: Walk, call: Call, on: Abstract) -> Abstract:
    """`method(:system)`."""
    name = text_of(call.arguments[0]) if call.arguments else text_of(None)
    return Ref(walk.dialect.canonical(name.text), on) if name.known else Ref("?")


SENDING = ("send", "__send__", "public_send", "try")
NAMING = ("method", "public_method", "instance_method", "singleton_method")


def _find(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`Find.find("dir") { |path| ... }`."""
    given = [one for one in call.arguments if not walk.calls.is_function(one)]
    found = tuple(one for each in given for one in found_below(each, sought(walk.here.tokens)))
    for function in (one for one in call.arguments if walk.calls.is_function(one)):
        for one in found:
            walk.calls.call(function, Call([one], {}))
    return found


DIALECT = Dialect(
    language="ruby",
    syntax=SYNTAX,
    calls=CALLS,
    attribute=(".", "::", "&."),
    bare=True,
    keyword=(":", "=>"),
    strip=("Kernel.", "Object.", "::"),
    statements={"def": _def},
    prefixes=frozenset(
        (
            *(
                "return",
                "if",
                "unless",
                "while",
                "until",
                "not",
                "puts",
                "p",
                "print",
                "raise",
                "elsif",
                "else",
                "then",
            ),
            *("begin", "do", "end", "yield", "BEGIN", "END", "rescue", "ensure", "and", "or", "in"),
        )
    ),
    special={
        "Process.kill": killing(1),
        "Find.find": _find,
        "attribute": _attribute,
        "*.unpack": _unpack,
        "*.unpack1": _unpack1,
        **dict.fromkeys((*SENDING, "Process.send"), _send),
        "call": _call,
        "ENV.fetch": _fetch,
        "*.join": _join,
        "Fiddle.Function.new": _function_of_c,
        **dict.fromkeys(("format", "sprintf"), sprintf),
        **dict.fromkeys(NAMING, _call_named),
    },
    likely=LIKELY,
    within=WITHIN,
    functions={"->": _lambda, "lambda": _lambda, "proc": _lambda},
    through={"call": "call 0", "yield": "call 0", "bind": "bind 1", "bind_call": "call 1", "curry": "bind 0"},
    called_by_index=True,
    slice=("..", "..."),
    bare_block=True,
    unmarked_blocks=True,
    neighbours=True,
    argv=(("ARGV", 0),),
)
find = reader(DIALECT)

"""Perl."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import (
    UNKNOWN,
    Call,
    Ref,
    decoded,
    either,
    environment,
    items,
    known,
    text_of,
)
from rulez_py.analysis.languages.actions import opened
from rulez_py.analysis.languages.dialect import Dialect
from rulez_py.analysis.languages.engine import reader
from rulez_py.analysis.languages.expressions import REPLACED
from rulez_py.analysis.languages.functions import each_of, made_of
from rulez_py.analysis.languages.methods import joined_all, one_of, sprintf
from rulez_py.analysis.languages.parameters import ALL_ARGUMENTS
from rulez_py.analysis.languages.search import found_below, killing, sought
from rulez_py.analysis.languages.tables.perl import CALLS, LIKELY, WITHIN
from rulez_py.analysis.languages.tokens import (
    NAME,
    OPERATOR,
    SHELL,
    TEXT,
    VARIABLE,
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
from rulez_py.analysis.values import DELETE, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.dialect import Walk

DEEPEST = 8
"""Depth to which code in strings is read."""
QUOTES = ("q", "qq", "qx", "qw", "qr", "m", "s", "tr", "y")


def _hole(scan: Scan, i: int) -> tuple[object, int] | None:
    """Read `$x`, `@x`, `${x}`, `$ENV{X}`, `$x[0]` inside a text."""
    text = scan.text
    if text[i] not in "$@":
        return None
    at = i + 1
    if text.startswith("{", at):
        return scan.inside(at + 1, "}") if text.startswith(("\\", "["), at + 1) else _braced(scan, at)
    stop = at
    while stop < len(text) and (text[stop].isalnum() or text[stop] == "_"):
        stop += 1
    if stop == at:
        return None
    end = stop
    if text[stop : stop + 1] in ("{", "[") and text[i] == "$" and text[stop : stop + 1]:
        close = text.find("}" if text[stop] == "{" else "]", stop, stop + 80)
        end = close + 1 if close > 0 else stop
    part = scan.part(text[i:end], DEEPEST)
    return tuple(part.tokens) or ((VARIABLE, "_"),), end


def _braced(scan: Scan, at: int) -> tuple[object, int]:
    stop = scan.text.find("}", at)
    stop = len(scan.text) if stop < 0 else stop
    return ((VARIABLE, scan.text[at + 1 : stop].strip("^")),), stop + 1


def _reference(scan: Scan, brace: int) -> int:
    """Read `@{` or `${`, a dereference, up to the brace."""
    scan.tokens.append((OPERATOR, "@"))
    return brace


def _variable(scan: Scan, i: int) -> int:
    """Read `$x`, `@x`, `%x`, `$_`, `$$x`; return 0 where no variable begins."""
    text, at = scan.text, i + 1
    if text[i] == "%" and scan.operand_before():
        return 0
    while text.startswith(("$", "#"), at) and text[i] in "$@" and text[at + 1 : at + 2].isalpha():
        at += 1
    if text.startswith("{", at):
        return _reference(scan, at) if text[i] != "%" else 0
    stop = at
    while stop < len(text) and (text[stop].isalnum() or text[stop] == "_" or text.startswith("::", stop)):
        stop += 2 if text.startswith("::", stop) else 1
    if stop == at:
        if text[i] != "$" or at >= len(text) or text[at].isspace() or text[at] in ")]};":
            return 0
        stop = at + 1 + (text[at] == "^" and text[at + 1 : at + 2].isupper())
    name = text[at:stop].removeprefix("main::").removeprefix("::")
    scan.tokens.append((NAME, "ENV") if name == "ENV" else (VARIABLE, name))
    return stop


def _quote(scan: Scan, i: int) -> int:
    """Read `q( )`, `qq{ }`, `qx< >`, `qw[ ]` or a pattern; return 0 for a name."""
    text, stop = scan.text, i
    while stop < i + 3 and text[stop : stop + 1].isalpha():
        stop += 1
    kind = text[i:stop]
    if kind not in QUOTES or text[stop : stop + 1] == "_":
        return 0
    at = stop
    while text[at : at + 1] == " ":
        at += 1
    opener = text[at : at + 1]
    if not opener or opener.isalnum() or opener.isspace() or opener in ",;)=" or (opener == "#" and at > stop):
        return 0
    if scan.tokens and scan.tokens[-1] == ("operator", "->"):
        return 0
    body, after = nested(text, at + 1, opener)
    if kind == "qw":
        scan.tokens.append((WORDS, tuple(body.split())))
    elif kind == "q":
        scan.tokens.append((TEXT, (body.replace("\\\\", "\\"),)))
    elif kind in ("qq", "qx"):
        closer = {"(": ")", "[": "]", "{": "}", "<": ">"}.get(opener, opener)
        parts, after = filled(scan, at + 1, closer, (lambda _s, _i: None) if opener == "'" else _hole)
        scan.tokens.append((SHELL if kind == "qx" else TEXT, parts))
    else:
        _code_of(scan, body)
        after = _pattern(scan, after, opener, kind)
    return after


def _code_of(scan: Scan, pattern: str) -> None:
    """Read the code in a pattern, `(?{ code })` and `(??{ code })`."""
    at = pattern.find("?{")
    while at >= 0:
        body, after = nested(pattern, at + 2, "{")
        if pattern[:at].rstrip("?").endswith("("):
            part = scan.part(body, DEEPEST)
            scan.tokens += [("operator", ";"), *part.tokens, ("operator", ";")]
        at = pattern.find("?{", after)


def _regex(scan: Scan, i: int) -> int:
    """Read a pattern between slashes, and the code in it."""
    if (after := regex(scan, i)) and "?{" in scan.text[i:after]:
        matched = scan.tokens.pop()
        _code_of(scan, scan.text[i + 1 : after])
        scan.tokens.append(matched)
    return after


def _pattern(scan: Scan, after: int, opener: str, kind: str) -> int:
    """Read the rest of a pattern after its first half: a replacement, flags."""
    replaces = kind in ("s", "tr", "y")
    if replaces:
        after = _replacement(scan, after, opener, kind)
    flags = after
    while scan.text[after : after + 1].isalpha():
        after += 1
    scan.tokens.append((VARIABLE, REPLACED if replaces and "r" not in scan.text[flags:after] else "_matched"))
    return after


def _replacement(scan: Scan, i: int, opener: str, kind: str) -> int:
    """Read the second half of `s/a/b/`; with the flag `e` it is code."""
    text = scan.text
    if opener in "([{<":
        while text[i : i + 1].isspace():
            i += 1
        opener = text[i : i + 1]
        i += 1
    body, after = nested(text, i, opener)
    flags = after
    while text[flags : flags + 1].isalpha():
        flags += 1
    if kind == "s" and "e" in text[after:flags]:
        part = scan.part(body, DEEPEST)
        scan.tokens += [("operator", ";"), *part.tokens, ("operator", ";")]
    return after


def _pod(scan: Scan, i: int) -> int:
    """Skip `=pod` up to `=cut` at the start of a line; return 0 elsewhere."""
    text = scan.text
    if (i and text[i - 1] != "\n") or not text[i + 1 : i + 2].isalpha():
        return 0
    stop = text.find("\n=cut", i)
    return len(text) if stop < 0 else stop + 5


def _here(scan: Scan, i: int) -> int:
    """Read `<<"TEXT"`, `<<~TEXT` or `<*.c>`; return 0 for a shift or a comparison."""
    text = scan.text
    if not text.startswith("<<", i):
        stop = text.find(">", i, i + 200)
        body = text[i + 1 : stop] if stop > 0 else ""
        if not any(mark in body for mark in "*?") or any(c in body for c in " =;()\n"):
            return 0
        scan.tokens += [(NAME, "glob"), ("operator", "("), (TEXT, (body,)), ("operator", ")")]
        return stop + 1
    at = i + 2
    indented = text.startswith("~", at)
    at += indented
    quote = text[at : at + 1] if text.startswith(("'", '"'), at) else ""
    at += len(quote)
    stop = at
    while stop < len(text) and (text[stop].isalnum() or text[stop] == "_"):
        stop += 1
    if stop == at or text[at].isdigit():
        return 0
    scan.here(text[at:stop], indented=indented, raw=quote == "'")
    return stop + len(quote)


def _interpolation(scan: Scan, i: int) -> int:
    parts, after = filled(scan, i, "\0", _hole)
    scan.tokens.append((TEXT, parts))
    return after


SYNTAX = Syntax(
    {
        '"': quoted('"', TEXT, _hole),
        "'": single_quoted,
        "`": quoted("`", SHELL, _hole),
        **dict.fromkeys("$@%", _variable),
        **dict.fromkeys("qmsty", _quote),
        "#": to_line_end,
        "/": _regex,
        "=": _pod,
        "<": _here,
        "interpolation": _interpolation,
    }
)


def _my(walk: Walk) -> None:
    """`my $x = ...`, `my ($a, $b) = @_;`."""
    if walk.here.operator() != "(":
        return
    walk.here.at += 1
    names = []
    while walk.here.at < len(walk.here.tokens) and walk.here.operator() not in (")", ";"):
        kind, value = walk.here.peek()
        if kind == VARIABLE:
            names.append(str(value))
        walk.here.at += 1
    walk.here.accept(")")
    if walk.here.accept("="):
        value = walk.expressions.expression()
        given = tuple(items(value)) if isinstance(value, tuple) else ()
        for at, name in enumerate(names):
            walk.scope.assign(name, given[at] if at < len(given) else one_of(value))


def _foreach(walk: Walk) -> None:
    """`foreach my $x (list) {`."""
    if walk.here.word() in ("my", "our"):
        walk.here.at += 1
    kind, name = walk.here.peek()
    if kind == VARIABLE and walk.here.operator(1) == "(":
        walk.here.at += 1
        walk.scope.assign(str(name), _any_of(walk.expressions.operand()))
    elif walk.here.operator() == "(":
        value = _any_of(walk.expressions.operand())
        walk.scope.variables["_"] = value
        walk.scope.learn("_", value)
    else:  # `system $_ for "a", "b"`
        walk.scope.learn("_", _any_of(tuple(walk.brackets.arguments_until("").arguments)))


def _any_of(value: Abstract) -> Abstract:
    """Return any element of a list. A list inside may be part of it, or the target of a reference."""
    value = _alone(value)
    if not isinstance(value, tuple):
        return value
    nested = any(isinstance(one, tuple) for one in value)
    return either([*value, *items(value)]) if nested else one_of(value)


def _alone(value: Abstract) -> Abstract:
    """Return the innermost list of lists with one element each."""
    while isinstance(value, tuple) and len(value) == 1 and isinstance(value[0], tuple):
        value = value[0]
    return value


def _map(walk: Walk) -> Abstract:
    """`map { system $_ } list`, `map system($_), list`, `first { /x/ } list`."""
    name = walk.here.word(-1)
    closer = ")" if walk.here.accept("(") else ""
    if walk.here.accept("{"):
        walk.brackets.table()
    else:
        walk.expressions.expression()
    walk.here.accept(",")
    given = tuple(walk.brackets.arguments_until(closer).arguments)
    walk.scope.learn("_", _any_of(given))
    return made_of(GIVING.get(name, ""), each_of([_alone(given)]))


GIVING = {"grep": "filter", "first": "first"}
"""Perl's and List::Util's names of functions -> those in `functions`."""


def _push(walk: Walk) -> None:
    """`push @list, "a", "b"`, `unshift @list, "a"`."""
    first = walk.here.word(-1) == "unshift"
    closer = ")" if walk.here.accept("(") else ""
    kind, name = walk.here.peek()
    if kind != VARIABLE and walk.here.operator() == "@":
        walk.here.at += 1
        kind, name = walk.here.peek()
    if kind != VARIABLE or walk.here.operator(1) != ",":
        return
    walk.here.at += 2
    given = tuple(items(tuple(walk.brackets.arguments_until(closer).arguments)))
    value = walk.scope.variables.get(name, ())
    value = value if isinstance(value, tuple) else (value,)
    walk.scope.assign(name, (*given, *value) if first else (*value, *given))


def _called(walk: Walk) -> Abstract:
    """Return the function of `&name` or `&{"name"}`."""
    if walk.here.accept("{"):
        given = walk.brackets.arguments_until("}").arguments
        word = given[-1] if given else UNKNOWN
        known_name = isinstance(word, Word) and word.known
        return Ref(walk.scope.canonical(text_of(word).text.replace("::", "."))) if known_name else word
    kind, name = walk.here.peek()
    walk.here.at += kind in (NAME, VARIABLE)
    if kind == VARIABLE:
        return walk.scope.variables.get(name, UNKNOWN)
    if kind != NAME:
        return UNKNOWN
    while walk.here.operator() == "::" and walk.here.word(1):
        name = f"{name}.{walk.here.word(1)}"
        walk.here.at += 2
    return walk.scope.value_of(name)


def _dereferenced(walk: Walk) -> Abstract:
    """Return the target of a reference, `@{$list}` or `${$text}`."""
    if walk.here.accept("{"):
        given = walk.brackets.arguments_until("}").arguments
        return given[-1] if given else UNKNOWN
    return walk.expressions.operand()


def _use(walk: Walk) -> None:
    """Skip `use Module qw(names);`, which imports names."""
    while walk.here.at < len(walk.here.tokens) and walk.here.operator() != ";":
        walk.here.at += 1


def _sub(walk: Walk) -> Abstract:
    """Read `sub name { body }` or `sub { body }`, whose arguments are one list."""
    name = walk.here.word()
    walk.here.at += bool(name)
    made = walk.definitions.function(ALL_ARGUMENTS)
    if name:
        walk.scope.variables[name] = made
    return walk.definitions.body(made) if walk.here.operator() == "{" else made


def _open(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`open(F, ">file")`, `open(my $f, "<", "file")`, `open(F, "-|", "cmd", "word")`, `open(F, "cmd|")`."""
    given = call.arguments
    if len(given) < 2:
        return UNKNOWN
    mode = text_of(given[1])
    value: Abstract = UNKNOWN
    if len(given) == 2:
        text = mode.text.strip()
        if text.startswith("|") or text.endswith("|"):
            walk.effects.shell(mode.replace(text=text.strip("|").strip()))
        else:
            prefix = text[: len(text) - len(text.lstrip("+<>"))]
            value = opened(walk.effects, mode.replace(text=text[len(prefix) :].strip()), Word(text=prefix or "<"))
    elif mode.text.strip() in ("-|", "|-"):
        rest = given[2:]
        if len(rest) == 1 and not isinstance(rest[0], tuple):
            walk.effects.shell(rest[0])
        else:
            walk.effects.words(tuple(rest))
    else:
        value = opened(walk.effects, given[2], mode.replace(text=mode.text.partition(":")[0] or "<"))
    return value


def _unlink(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """Delete the arguments; without any, `$_`."""
    walk.effects.touch(tuple(call.arguments) or walk.scope.variables.get("_", UNKNOWN), DELETE)
    return UNKNOWN


def _find(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`find(sub { unlink }, "dir")`, `finddepth({wanted => sub { ... }, no_chdir => 1}, "dir")`."""
    names = sought(walk.here.tokens)
    value = _any_of(tuple(one for given in call.arguments[1:] for one in found_below(given, names)))
    for name in ("_", "File::Find::name", "File.Find.name"):
        walk.scope.learn(name, value)
    return UNKNOWN


def _shift(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """Return the first argument of the function, or of `@ARGV`."""
    given = walk.scope.variables.get("_")
    if not call.arguments and isinstance(given, tuple) and given:
        words = walk.scope.variables.get("ARGV")
        return either((given[0], words[0])) if isinstance(words, tuple) and words else given[0]
    value = call.arguments[0] if call.arguments else walk.scope.variables.get("ARGV")
    if isinstance(value, tuple) and value:
        if not call.arguments or value is walk.scope.variables.get("ARGV"):
            walk.scope.variables["ARGV"] = value[1:]
        return value[0]
    return UNKNOWN


def _join(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    return joined_all(tuple(call.arguments[1:]), call.arguments[0]) if call.arguments else UNKNOWN


def _pack(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    how = text_of(call.arguments[0]).text if call.arguments else ""
    return decoded(call.arguments[1], "hex") if how.startswith("H") and len(call.arguments) > 1 else UNKNOWN


def _unpack(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    how = text_of(call.arguments[0]).text if call.arguments else ""
    return decoded(call.arguments[1], "base64") if how in ("m", "u") and len(call.arguments) > 1 else UNKNOWN


def _attribute(_walk: Walk, _call: Call, path: Abstract) -> Abstract:
    assert isinstance(path, Ref)
    owner, _, name = path.name.rpartition(".")
    return environment(name) if owner == "ENV" else None


DIALECT = Dialect(
    language="perl",
    syntax=SYNTAX,
    calls=CALLS,
    attribute=("->", "::"),
    concat=(".",),
    bare=True,
    keyword=("=>",),
    strip=("CORE.GLOBAL.", "CORE.", "main.", "POSIX."),
    statements={
        **dict.fromkeys(("my", "our", "local"), _my),
        **dict.fromkeys(("for", "foreach"), _foreach),
        **dict.fromkeys(("use", "no", "package"), _use),
        "sub": _sub,  # type: ignore[dict-item]
        **dict.fromkeys(("push", "unshift"), _push),
    },
    functions={
        "sub": _sub,
        "&": _called,
        "@": _dereferenced,
        **dict.fromkeys(("map", "grep", "first", "any", "all"), _map),
    },
    likely=LIKELY,
    within=WITHIN,
    alone=frozenset(("shift", "pop", "unlink", "rmdir")),
    prefixes=frozenset(
        (
            *(
                "return",
                "print",
                "say",
                "printf",
                "warn",
                "die",
                "my",
                "our",
                "local",
                "if",
                "unless",
                "while",
                "until",
            ),
            *("not", "else", "elsif", "defined", "ref", "and", "or", "BEGIN", "END"),
        )
    ),
    special={
        "kill": killing(1),
        "attribute": _attribute,
        "open": _open,
        "unlink": _unlink,
        "rmdir": _unlink,
        **dict.fromkeys(("finddepth", "File.Find.find", "File.Find.finddepth"), _find),
        "find": _find,
        "shift": _shift,
        "pop": _shift,
        "join": _join,
        "pack": _pack,
        "unpack": _unpack,
        "sprintf": sprintf,
    },
    brace_index=True,
    argv=(("ARGV", 0),),
    variables={"^X": known("perl")},
)
find = reader(DIALECT)

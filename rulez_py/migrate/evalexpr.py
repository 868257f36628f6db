"""RuleZ' expressions (evalexpr) -> CEL.

What means the same is written so; what RuleZ can never have evaluated (`'text'`, `=`, `=~`) is taken as it was meant,
and said; what CEL has no word for raises Untranslatable.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

_TOKEN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<float>\d+\.\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)
    |(?P<int>0x[0-9a-fA-F]+|\d+)
    |(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    |(?P<name>[A-Za-z_]\w*(?:(?:::|\.)\w+)*)
    |(?P<operator>&&|\|\||==|!=|<=|>=|=~|[-+*/%^]=|&&=|\|\|=|[-+*/%^!<>=(),;])""",
    re.X | re.S,
)
_DEEPEST = 100
_BINARY = {
    "||": 1,
    "&&": 2,
    **dict.fromkeys(("==", "!=", "<", ">", "<=", ">=", "=", "=~"), 3),
    **dict.fromkeys("+-", 4),
    **dict.fromkeys("*/%", 5),
}
"""The precedence of an operator; CEL has the same."""
_UNARY, _TERNARY, _CALL = 6, 0, 9
_ARITHMETIC = frozenset("+-*/%")
_SUBAGENTS = {"BeforeAgent": "SubagentStart", "AfterAgent": "SubagentStop"}
_TYPES = {
    "string": ("string",),
    "boolean": ("bool",),
    "int": ("int",),
    "float": ("int", "double"),
}
_METHODS = {"str::to_lowercase": "lowerAscii", "str::to_uppercase": "upperAscii", "str::trim": "trim"}
_VARIABLES = ("tool_name", "event_type", "prompt")
TEXT, BOOL, INT, FLOAT, ANY = "text", "bool", "int", "float", "any"


class Untranslatable(Exception):
    """CEL cannot express a part; the message names it."""


@dataclass(frozen=True)
class Translated:
    """The CEL of an expression; `inputs` are the tool's arguments that it needs, `variables` the environment's.

    `never` says why RuleZ could not evaluate it, "" where it could; `unlike` what comes out otherwise here.
    """

    cel: str
    inputs: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()
    binds: int = _CALL


@dataclass(frozen=True)
class _Part:
    """CEL for a part of an expression: the precedence of its outermost operator, and the type of its value.

    `literal` is a text or number itself; `parts` are those of a tuple.
    """

    cel: str
    binds: int = _CALL
    kind: str = ANY
    literal: object = None
    parts: tuple[_Part, ...] | None = None
    source: str = ""


def translated(expression: str, *, validates: bool = False) -> Translated:
    """Return the expression in CEL.

    Raises Untranslatable. `validates`: it is a `validate_expr`, which has more functions.
    """
    reader = _Reader(expression, validates=validates)
    part = reader.whole()
    return Translated(
        cel=part.cel,
        inputs=tuple(dict.fromkeys(reader.inputs)),
        variables=tuple(dict.fromkeys(reader.variables)),
        never=tuple(dict.fromkeys(reader.never)),
        unlike=tuple(dict.fromkeys(reader.unlike)),
        binds=part.binds,
    )


def guarded(translation: Translated) -> str:
    """Return the expression, made false where an argument that it needs is missing, as in RuleZ."""
    asked = [f'has_field("{key}")' for key in translation.inputs]
    if not asked:
        return translation.cel
    return " && ".join([*asked, _inside(translation.cel, translation.binds, _BINARY["&&"])])


def _inside(cel: str, binds: int, around: int) -> str:
    return f"({cel})" if binds < around else cel


def _refuse(what: str) -> NoReturn:
    raise Untranslatable(what)


class _Reader:
    def __init__(self, expression: str, *, validates: bool) -> None:
        self.tokens = list(_tokens(expression))
        self.at = 0
        self.validates = validates
        self.inputs: list[str] = []
        self.variables: list[str] = []
        self.never: list[str] = []
        self.unlike: list[str] = []

    def whole(self) -> _Part:
        part = self.binary(1, 0)
        if self.at < len(self.tokens):
            _refuse(f"`{self.tokens[self.at][1]}` is not understood here")
        if part.parts is not None:
            _refuse("a tuple is neither true nor false")
        return part

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def take(self, wanted: str = "") -> tuple[str, str]:
        if self.at >= len(self.tokens) or (wanted and self.peek() != wanted):
            _refuse(f"`{wanted}` is missing" if wanted else "the expression ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def binary(self, least: int, depth: int) -> _Part:
        if depth > _DEEPEST:
            _refuse("it is nested too deep")
        left = self.unary(depth)
        while (operator := self.peek()) in _BINARY and _BINARY[operator] >= least:
            self.take()
            left = self.joined(operator, left, self.binary(_BINARY[operator] + 1, depth + 1))
        return left

    def unary(self, depth: int) -> _Part:
        operator = self.peek()
        if operator not in ("!", "-") or depth > _DEEPEST:
            return self.primary(depth)
        self.take()
        part = self.unary(depth + 1)
        if operator == "-" and isinstance(part.literal, (int, float)):
            return _Part(f"-{part.cel}", _UNARY, part.kind, -part.literal)
        if operator == "-" and part.kind == ANY:
            part = _as_float(part)
        return _Part(operator + _inside(part.cel, part.binds, _UNARY), _UNARY, BOOL if operator == "!" else part.kind)

    def primary(self, depth: int) -> _Part:
        if depth > _DEEPEST:
            _refuse("it is nested too deep")
        kind, text = self.take()
        if kind == "operator":
            if text != "(":
                _refuse(f"`{text}` is not understood here")
            return self.bracketed(depth)
        if kind == "int":
            number = int(text, 0 if text.startswith("0x") else 10)
            return _Part(str(number), kind=INT, literal=number)
        if kind == "float":
            return _Part(repr(float(text)), kind=FLOAT, literal=float(text))
        if kind == "text":
            return self.text(text)
        return self.named(text, depth)

    def bracketed(self, depth: int) -> _Part:
        parts = [self.binary(1, depth + 1)]
        while self.peek() == ",":
            self.take()
            parts.append(self.binary(1, depth + 1))
        self.take(")")
        if len(parts) == 1:
            return parts[0]
        return _Part("[" + ", ".join(part.cel for part in parts) + "]", parts=tuple(parts))

    def text(self, token: str) -> _Part:
        quote, inner = token[0], token[1:-1]
        if quote == "'":
            self.never.append("single quotes are no text in RuleZ")
        value = re.sub(r"\\(.)", r"\1", inner, flags=re.S)
        return _Part(_quoted(value), kind=TEXT, literal=value)

    def named(self, name: str, depth: int) -> _Part:
        if self.peek() == "(":
            self.take()
            arguments: list[_Part] = []
            while self.peek() != ")":
                if arguments:
                    self.take(",")
                arguments.append(self.binary(1, depth + 1))
            self.take(")")
            return self.called(name, arguments)
        if name in ("true", "false"):
            return _Part(name, kind=BOOL)
        if name.startswith("env_"):
            self.variables.append(name.removeprefix("env_"))
            return _Part(name, kind=TEXT, source=name)
        if name.startswith("tool_input_") and "." not in name and ":" not in name:
            self.inputs.append(name.removeprefix("tool_input_"))
            return _Part(name, source="tool_input")
        if name not in _VARIABLES:
            _refuse(f"there is no variable `{name}`")
        return _Part(name, kind=TEXT, source=name)

    def joined(self, operator: str, left: _Part, right: _Part) -> _Part:
        if operator in ("=", "=~"):
            self.never.append(f"`{operator}` compares nothing in RuleZ")
        if left.parts is not None or right.parts is not None:
            _refuse("tuples can be compared with nothing")
        if operator == "=~":
            return _Part(f"{_inside(left.cel, left.binds, _CALL)}.matches({right.cel})", kind=BOOL)
        operator = "==" if operator == "=" else operator
        if operator in _ARITHMETIC:
            return self.computed(operator, left, right)
        if operator in ("==", "!="):
            special = _type_compared(operator, left, right) or _subagents(operator, left, right)
            if special is not None:
                return special
            for one, other in ((left, right), (right, left)):
                if one.source == "tool_input" and other.kind == INT:
                    self.unlike.append(f"`{one.cel} {operator} {other.cel}`: in RuleZ no number equals a whole one")
        if {left.kind, right.kind} == {INT, FLOAT}:
            left, right = _as_float(left), _as_float(right)
        binds = _BINARY[operator]
        return _Part(
            f"{_inside(left.cel, left.binds, binds)} {operator} {_inside(right.cel, right.binds, binds + 1)}",
            binds,
            BOOL,
        )

    def computed(self, operator: str, left: _Part, right: _Part) -> _Part:
        kinds = {left.kind, right.kind}
        kind = TEXT if operator == "+" and TEXT in kinds else INT if kinds == {INT} else ANY
        if kind == ANY and (operator != "+" or kinds != {ANY}):
            if operator == "%":
                _refuse("`%` is for whole numbers in CEL, and every number of a tool's input may be none")
            left, right, kind = _as_float(left), _as_float(right), FLOAT
        binds = _BINARY[operator]
        return _Part(
            f"{_inside(left.cel, left.binds, binds)} {operator} {_inside(right.cel, right.binds, binds + 1)}",
            binds,
            kind,
        )

    def called(self, name: str, given: list[_Part]) -> _Part:
        if len(given) == 1 and given[0].parts is not None:
            given = list(given[0].parts)
        if name in ("get_field", "has_field") and not self.validates:
            self.never.append(f"`{name}` is not there in RuleZ' enabled_when")
        made = _of_one(name, given[0]) if len(given) == 1 else _of_several(name, given)
        if made is None:
            _refuse(f"CEL has no `{name}` that takes {len(given)} such value{'s' if len(given) != 1 else ''}")
        return made


def _of_one(name: str, given: _Part) -> _Part | None:
    """Return a function of one value; None where CEL has none."""
    if name in ("get_field", "has_field"):
        return _Part(f"{name}({given.cel})", kind=BOOL if name == "has_field" else ANY)
    if name == "len" and given.parts is None:
        return _Part(f"size(bytes({given.cel}))", kind=INT)
    if name in _METHODS:
        return _Part(f"{_inside(given.cel, given.binds, _CALL)}.{_METHODS[name]}()", kind=TEXT)
    if name == "str::from":
        return _Part(f"string({given.cel})", kind=TEXT)
    return _Part(f"type({given.cel})", source="typeof") if name == "typeof" else None


def _of_several(name: str, given: list[_Part]) -> _Part | None:
    """Return a function of several values; None where CEL has none."""
    if name == "if" and len(given) == 3:
        asked, then, other = (_inside(one.cel, one.binds, 1) for one in given)
        kind = given[1].kind if given[1].kind == given[2].kind else ANY
        return _Part(f"{asked} ? {then} : {other}", _TERNARY, kind)
    if len(given) != 2 or given[0].parts is None:
        return None
    among, sought = given
    if name == "contains":
        return _Part(f"{_inside(sought.cel, sought.binds, 4)} in {among.cel}", _BINARY["=="], BOOL)
    if name == "contains_any" and sought.parts is not None:
        return _Part(f"{among.cel}.exists(x, x in {sought.cel})", kind=BOOL)
    return None


def _tokens(expression: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(expression):
        match = _TOKEN.match(expression, at)
        if match is None:
            _refuse(f"`{expression[at]}` is not understood")
        if match.lastgroup != "blank":
            found.append((str(match.lastgroup), match.group()))
        at = match.end()
    return found


def _quoted(text: str) -> str:
    """Return a text in CEL's double quotes."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(escapes.get(character, character) for character in text) + '"'


def _as_float(part: _Part) -> _Part:
    if part.kind in (FLOAT, TEXT, BOOL):
        return part
    if isinstance(part.literal, int):
        return _Part(f"{part.literal}.0", kind=FLOAT, literal=float(part.literal))
    return _Part(f"double({part.cel})", kind=FLOAT)


def _type_compared(operator: str, left: _Part, right: _Part) -> _Part | None:
    """`typeof(x) == "string"`."""
    for one, other in ((left, right), (right, left)):
        if one.source != "typeof":
            continue
        if str(other.literal) not in _TYPES:
            _refuse(f"no value here has the type {other.cel}")
        names = _TYPES[str(other.literal)]
        if len(names) == 1:
            return _Part(f"{one.cel} {operator} {names[0]}", _BINARY[operator], BOOL)
        among = f"{one.cel} in [{', '.join(names)}]"
        return _Part(among, _BINARY[operator], BOOL) if operator == "==" else _Part(f"!({among})", _UNARY, BOOL)
    return None


def _subagents(operator: str, left: _Part, right: _Part) -> _Part | None:
    """Return the event's name: events of subagents have names of their own in rulez."""
    for one, other in ((left, right), (right, left)):
        if one.source == "event_type" and other.literal in _SUBAGENTS:
            among = f'{one.cel} in ["{other.literal}", "{_SUBAGENTS[str(other.literal)]}"]'
            return _Part(among, _BINARY[operator], BOOL) if operator == "==" else _Part(f"!({among})", _UNARY, BOOL)
    return None

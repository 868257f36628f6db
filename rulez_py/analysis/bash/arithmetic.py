"""`$((...))`: whole numbers of 64 bits, with bash's operators (its manual, "Shell Arithmetic")."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Read = Callable[[str], str | None]
    """A variable's value, None where it is not known."""
    Write = Callable[[str, int | None], None]

_LONGEST = 1_000
_DEEPEST = 40
_NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_NAME = _NAME_START | frozenset("0123456789")
_ASSIGNMENTS = ("<<=", ">>=", "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "=")
_OPERATORS = (
    *("<<=", ">>=", "**", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=", "+=", "-="),
    *("&=", "^=", "|=", *"+-*/%<>=!~&^|?:,()"),
)
_BINDING = {
    operator: number
    for number, operators in enumerate(
        (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), "+-", "*/%"), 1
    )
    for operator in operators
}


class _Unreadable(Exception):
    pass


def computed(text: str, read: Read, write: Write) -> int | None:
    """Return the value of an expression, None where it is not known; what it assigns is written."""
    tokens: list[str] = []
    try:
        tokens = _tokens(text)
        reader = _Reader(tokens, read, write)
        value = reader.list() if tokens else 0
        if reader.at < len(tokens):
            raise _Unreadable
        return value
    except _Unreadable:
        for at, token in enumerate(tokens):
            beside = {*tokens[max(at - 1, 0) : at], *tokens[at + 1 : at + 2]}
            if token[0] in _NAME_START and beside & {"++", "--", *_ASSIGNMENTS}:
                write(token, None)
        return None


def _tokens(text: str) -> list[str]:
    if len(text) > _LONGEST:
        raise _Unreadable
    found: list[str] = []
    at = 0
    while at < len(text):
        if text[at] in " \t\r\n":
            at += 1
            continue
        stop = at
        while stop < len(text) and (text[stop] in _NAME or (stop > at and text[stop] in "#@" and text[at].isdigit())):
            stop += 1
        if stop == at:
            operator = next((operator for operator in _OPERATORS if text.startswith(operator, at)), "")
            if not operator:
                raise _Unreadable
            stop = at + len(operator)
        found.append(text[at:stop])
        at = stop
    return found


class _Reader:
    def __init__(self, tokens: list[str], read: Read, write: Write, depth: int = 0) -> None:
        self.at = 0
        self._tokens = tokens
        self._read = read
        self._write = write
        self._depth = depth

    def _next(self) -> str:
        return self._tokens[self.at] if self.at < len(self._tokens) else ""

    def _takes(self, token: str) -> bool:
        if self._next() != token:
            return False
        self.at += 1
        return True

    def list(self) -> int | None:
        """Return the value of the last of several expressions with commas between them."""
        value = self._assigned()
        while self._takes(","):
            value = self._assigned()
        return value

    def _assigned(self) -> int | None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _Unreadable
        name = self._next()
        operator = self._tokens[self.at + 1] if self.at + 1 < len(self._tokens) else ""
        if name[:1] in _NAME_START and name and operator in _ASSIGNMENTS:
            self.at += 2
            value = self._assigned()
            if operator != "=":
                value = _done(operator[:-1], self._value(name), value)
            self._write(name, value)
        else:
            value = self._chosen()
        self._depth -= 1
        return value

    def _chosen(self) -> int | None:
        condition = self._binary(1)
        if not self._takes("?"):
            return condition
        chosen = self._assigned()
        if not self._takes(":"):
            raise _Unreadable
        otherwise = self._assigned()
        return None if condition is None else chosen if condition else otherwise

    def _binary(self, least: int) -> int | None:
        left = self._power()
        while (binding := _BINDING.get(self._next(), 0)) >= least:
            operator = self._next()
            self.at += 1
            left = _done(operator, left, self._binary(binding + 1))
        return left

    def _power(self) -> int | None:
        base = self._unary()
        if not self._takes("**"):
            return base
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _Unreadable
        exponent = self._power()
        self._depth -= 1
        if base is None or exponent is None or not 0 <= exponent <= 64:
            return None
        return _wrapped(base**exponent)

    def _unary(self) -> int | None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _Unreadable
        token = self._next()
        self.at += 1
        if token in ("++", "--"):
            name = self._next()
            self.at += 1
            if name[:1] not in _NAME_START or not name:
                raise _Unreadable
            value = _done(token[0], self._value(name), 1)
            self._write(name, value)
        elif token in ("+", "-", "!", "~") and token:
            value = self._unary()
            if value is not None:
                value = {"+": value, "-": _wrapped(-value), "!": int(not value), "~": ~value}[token]
        elif token == "(":  # noqa: S105 (an operator)
            value = self.list()
            if not self._takes(")"):
                raise _Unreadable
        elif token[:1] in _NAME_START and token:
            value = self._value(token)
            if self._next() in ("++", "--"):
                self._write(token, _done(self._next()[0], value, 1))
                self.at += 1
        elif token[:1].isdigit():
            value = _number(token)
        else:
            raise _Unreadable
        self._depth -= 1
        return value

    def _value(self, name: str) -> int | None:
        text = self._read(name)
        if text is None:
            return None
        tokens = _tokens(text)
        if not tokens:
            return 0
        inner = _Reader(tokens, self._read, self._write, self._depth + 8)
        value = inner.list()
        if inner.at < len(tokens):
            raise _Unreadable
        return value


def _number(text: str) -> int:
    try:
        if "#" in text:
            base, _, digits = text.partition("#")
            if int(base) > 36:
                raise _Unreadable
            return _wrapped(int(digits, int(base)))
        if text[:2].lower() == "0x":
            return _wrapped(int(text[2:] or "0", 16))
        return _wrapped(int(text, 8 if text[0] == "0" else 10))
    except ValueError:
        raise _Unreadable from None


def _wrapped(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def _done(operator: str, left: int | None, right: int | None) -> int | None:
    if left is None or right is None:
        return None
    if operator in "/%":
        if not right:
            return None
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return _wrapped(quotient if operator == "/" else left - quotient * right)
    if operator in ("<<", ">>"):
        return _wrapped(left << (right & 63) if operator == "<<" else left >> (right & 63))
    return _wrapped(int(_OPERATIONS[operator](left, right)))


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "||": lambda left, right: bool(left or right),
    "&&": lambda left, right: bool(left and right),
    "|": lambda left, right: left | right,
    "^": lambda left, right: left ^ right,
    "&": lambda left, right: left & right,
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    ">": lambda left, right: left > right,
    "<=": lambda left, right: left <= right,
    ">=": lambda left, right: left >= right,
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
}

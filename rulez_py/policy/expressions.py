"""CEL expressions over an event: `enabled_when` and `actions.validate_expr`.

Variables are RuleZ's (`tool_name`, `event_type`, `prompt`, `env_NAME`, `tool_input_KEY`) and the event's other fields;
`get_field("a.b")` and `has_field("a.b")` look into the tool input. An unset environment variable is "". The engine is
linear in its regexes and has no loops beyond its inputs, so an expression cannot hang the hook.

INVARIANT: no expression longer than `LONGEST` reaches the engine. It recurses once per operator, and a long chain of
them would end the process by a stack overflow, and with it every other rule.
"""

from __future__ import annotations

from rulez_py.arguments import field, readings
from rulez_py.native import extension

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from rulez_py.event import Event

VARIABLES: tuple[str, ...] = (
    "tool_name",
    "event_type",
    "prompt",
    "platform",
    "platform_tool_name",
    "cwd",
    "project_dir",
    "session_id",
    "permission_mode",
    "agent_id",
    "agent_type",
    "tool_input",
)
PREFIXES: tuple[str, ...] = ("env_", "tool_input_")

LONGEST = 2000
"""Characters an expression may have: 1000 operators, half of what one megabyte of stack was seen to hold."""
MOST_LOOPS = 3
"""Loops can stand inside each other, and the engine cannot be interrupted."""

_LOOPS = (".all(", ".exists(", ".exists_one(", ".map(", ".filter(")
_KINDS: dict[type, str] = {
    str: "text",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "a map",
    type(None): "null",
}
_SECRET_NAMES = ("KEY", "TOKEN", "SECRET", "PASS", "CRED", "AUTH", "PRIVATE", "COOKIE", "SESSION", "DSN", "URL", "URI")

_TYPE_NAMES = ("bool", "bytes", "double", "int", "list", "map", "null_type", "string", "uint")
_OWN_FUNCTIONS: dict[str, Callable[[str], str]] = {
    "lowerAscii": lambda text: text.lower() if isinstance(text, str) else "",
    "upperAscii": lambda text: text.upper() if isinstance(text, str) else "",
    "trim": lambda text: text.strip() if isinstance(text, str) else "",
}
FUNCTIONS: tuple[str, ...] = (
    *("get_field", "has_field", *_OWN_FUNCTIONS),
    *("contains", "startsWith", "endsWith", "matches", "size"),
    *("int", "uint", "double", "string", "bytes", "type", "dyn"),
    *("timestamp", "duration", "getFullYear", "getMonth", "getDate", "getDayOfMonth", "getDayOfWeek"),
    *("getDayOfYear", "getHours", "getMinutes", "getSeconds", "getMilliseconds"),
)


_ANOTHER = "a person changes the expression"


class ExpressionError(Exception):
    """The expression could not be evaluated; the message says why, for people.

    `advice` is what would be right instead; `missing` the variable that had no value, "" where it was none.
    """

    def __init__(self, message: str, *, missing: str = "", advice: str = _ANOTHER) -> None:
        super().__init__(message)
        self.missing = missing
        self.advice = advice


def check(expression: str) -> list[str]:
    """What is wrong with an expression, before any event: syntax, unknown variables, unknown functions."""
    try:
        program = _compile(expression)
    except ExpressionError as error:
        return [str(error)]
    except Exception as error:
        return [_syntax_message(expression, str(error))]
    known = {*VARIABLES, *_TYPE_NAMES, *_loop_variables(expression)}
    wrong = [
        f"unknown variable `{name}`"
        for name in program.variables()
        if name not in known and not name.startswith(PREFIXES)
    ]
    wrong += [
        f"unknown function `{name}`"
        for name in program.functions()
        if name.isidentifier() and not name.startswith("_") and name not in FUNCTIONS
    ]
    return wrong


def evaluate(expression: str, event: Event, environ: Mapping[str, str], *, every: bool = True) -> bool:
    """The expression's truth for an event. Raises ExpressionError where it has none, or is not a boolean.

    Where an argument has several spellings, it must hold whichever of them counts; without `every`, for one of them.
    """
    wrong: ExpressionError | None = None
    for one in readings(event.tool_name, event.tool_input, event.own_input):
        try:
            if _truth(expression, event.replace(tool_input=one), environ) is not every:
                return not every
        except ExpressionError as error:
            wrong = error
    if wrong is not None:
        raise wrong
    return every


def _truth(expression: str, event: Event, environ: Mapping[str, str]) -> bool:
    misused: list[str] = []
    functions: dict[str, Callable[[Any], object]] = {
        **_OWN_FUNCTIONS,
        "get_field": lambda path: _get_field(event.tool_input, path),
        "has_field": lambda path: field(event.tool_input, path) is not None,
    }
    try:
        program = _compile(expression)
        context = _engine().Context(_variables(program.variables(), event, environ))
        for name, function in functions.items():
            context.add_function(name, _of_one_argument(name, function, misused))
        result = program.execute(context)
    except ExpressionError:
        raise
    except Exception as error:
        raise _explained(error, expression, event) from None
    if misused:
        raise ExpressionError(misused[0])
    if not isinstance(result, bool):
        # The value itself may be an environment variable's, and reasons are read by the model.
        raise ExpressionError(f"it gives {_KINDS.get(type(result), 'something')}, not true or false")
    return result


def is_about_something_else(expression: str, event: Event, error: ExpressionError) -> bool:
    """Whether an expression failed because it is about something that events of this kind never have.

    That is the input of a tool where none is called, and a prompt where nobody wrote one. No agent chooses that.
    """
    try:
        names = _compile(expression).variables()
    except Exception:
        return False
    if not _is_about_a_tool(event):
        return any(name == "tool_input" or name.startswith("tool_input_") for name in names)
    values = _variables(names, event, {})
    return error.missing == "prompt" and all(name in values or name == "prompt" for name in names)


def _is_about_a_tool(event: Event) -> bool:
    return event.tool_name is not None or any("Tool" in kind or "Permission" in kind for kind in event.types)


def harmless(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables an expression nobody has trusted may read: those whose name does not say that they are secret."""
    return {name: value for name, value in environ.items() if not any(word in name.upper() for word in _SECRET_NAMES)}


def _compile(expression: str) -> Any:
    if len(expression) > LONGEST:
        raise ExpressionError(f"it is longer than {LONGEST} characters")
    if sum(expression.count(macro) for macro in _LOOPS) > MOST_LOOPS:
        raise ExpressionError(f"it has more than {MOST_LOOPS} of all, exists, exists_one, map and filter")
    return _engine().compile(expression)


def _engine() -> Any:
    return extension("cel", "cel", {"logging": {}})


def _of_one_argument(name: str, function: Callable[[Any], object], misused: list[str]) -> Callable[..., object]:
    """The function for the engine. It must not raise: the engine reports that on stderr, which some agents read."""

    def call(*arguments: object) -> object:
        if len(arguments) == 1:
            return function(arguments[0])
        misused.append(f"`{name}` takes one argument, not {len(arguments)}")
        return ""

    return call


def _get_field(tool_input: Mapping[str, object], path: object) -> object:
    found = field(tool_input, path)
    return _plain(found) if isinstance(found, (str, bool, int, float)) else ""


def _variables(names: list[str], event: Event, environ: Mapping[str, str]) -> dict[str, Any]:
    fixed: dict[str, object] = {
        "tool_name": event.tool_name or "",
        "event_type": event.type,
        "prompt": event.prompt,
        "platform": event.platform,
        "platform_tool_name": event.platform_tool_name or "",
        "cwd": event.cwd or "",
        "project_dir": event.project_dir or event.cwd or "",
        "session_id": event.session_id,
        "permission_mode": event.permission_mode or "",
        "agent_id": event.agent_id or "",
        "agent_type": event.agent_type or "",
    }
    values: dict[str, Any] = {}
    for name in names:
        if name in fixed:
            value = fixed[name]
        elif name.startswith("env_"):
            value = environ.get(name[4:], "")
        elif name == "tool_input":
            value = dict(event.tool_input)
        elif name.startswith("tool_input_"):
            value = event.tool_input.get(name[11:])
            value = value if isinstance(value, (str, bool, int, float)) else None
        else:
            continue
        if value is not None:
            values[name] = _plain(value)
    return values


def _plain(value: object, levels: int = 100) -> object:
    """A value CEL can take: text without lone surrogates, numbers within 64 bits, nothing deeper than `levels`."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, int) and not isinstance(value, bool) and not -(2**63) <= value < 2**63:
        return float(value) if abs(value) < 10**300 else float("inf")
    if isinstance(value, (dict, list)) and not levels:
        return None
    if isinstance(value, dict):
        return {str(_plain(key)): _plain(item, levels - 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item, levels - 1) for item in value]
    return value


def _loop_variables(expression: str) -> set[str]:
    """The names bound by CEL's list macros: `items.exists(x, ...)`."""
    names = set()
    for macro in _LOOPS:
        for part in expression.split(macro)[1:]:
            names.add(part.partition(",")[0].strip())
    return names


def _syntax_message(expression: str, message: str) -> str:
    where = message.partition("<input>:")[2].split(":", 2)
    if "::" in expression:
        return "not a CEL expression: CEL has no `::` functions; write `x.contains(y)`, `size(x)`, `lowerAscii(x)`"
    if len(where) == 3 and where[1].isdecimal():
        cause = where[2].partition("\n")[0].removeprefix(" Syntax error: ")
        cause = cause.partition(" expecting {")[0].replace("'<EOF>'", "end of the expression")
        return f"not a CEL expression: {cause} at character {where[1]}"
    return "not a CEL expression: " + message.partition("\n")[0]


_UNDEFINED = "Undefined variable or function: "


def _explained(error: Exception, expression: str, event: Event) -> ExpressionError:
    """What the engine says, in our words where it is about something that is not there."""
    text = str(error).partition("\n")[0].partition(". ")[0]
    name = text.removeprefix(_UNDEFINED).strip("'")
    if isinstance(error, KeyError):
        key = str(error.args[0]) if error.args else ""
        # A key may be an environment variable's value, and reasons are read by the model.
        if not key.isidentifier() or key not in expression:
            return ExpressionError("it asks for a key that is not there")
        return ExpressionError(f"`{key}` is not there", advice=_give(key))
    if not text.startswith(_UNDEFINED) or not (name in VARIABLES or name.startswith(PREFIXES)):
        return ExpressionError(text)
    key = name.removeprefix("tool_input_")
    message = f"`{name}` is not there"
    value = event.tool_input.get(key)
    if name == key:
        return ExpressionError(message, missing=name)
    if value is None:
        return ExpressionError(message, missing=name, advice=_give(key))
    shape = _KINDS.get(type(value), "of another kind")
    message += f": `{key}` is {shape}, and only text, numbers and booleans have such a name"
    return ExpressionError(message, missing=name, advice=f"a person changes the rule: tool_input.{key} is all of it")


def _give(key: str) -> str:
    return f'give `{key}`, or a person changes the rule: has_field("{key}") says whether it is there'

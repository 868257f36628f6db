"""CEL expressions over an event: `enabled_when` and `actions.validate_expr`.

Variables are RuleZ's (`tool_name`, `event_type`, `prompt`, `env_NAME`, `tool_input_KEY`) and the event's other fields;
`get_field("a.b")` and `has_field("a.b")` look into the tool input. An unset environment variable is "". `git.NAME` is a
fact of the repository (`git.values.FACTS`); one that is unknown has no value.

The engine, Google's own, is linear in its regexes and counts its loops: after some ten thousand rounds it gives up, and
so it does with what is nested too deep. An expression can neither hang the hook nor overflow its stack.
"""

from __future__ import annotations

from rulez_py.event import Event
from rulez_py.event.arguments import field, readings
from rulez_py.event.described import DESCRIBED
from rulez_py.event.fields import FIELDS
from rulez_py.system import jsontext
from rulez_py.system.native import Unseen, extension

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    Told = Mapping[str, object]
    """Facts of one repository, as they may be."""
    Repositories = Callable[[Iterable[str]], Iterable[Told]]
    """Returns these facts of each repository that the event is about."""
    Describe = Callable[[str], object]
    """Returns what one name of DESCRIBED says of the event."""

_FIELDS = {one.variable: one for one in FIELDS if one.variable}
_GIT = "git"
VARIABLES: tuple[str, ...] = (*_FIELDS, *DESCRIBED)
PREFIXES: tuple[str, ...] = ("env_", "tool_input_")

LONGEST = 2000
"""Characters an expression may have."""
_LONGEST_SHOWN = 80
"""Characters of one value that people are shown."""

_KINDS: dict[type, str] = {
    str: "text",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "a map",
    type(None): "null",
}
_NUL = ("\0", "\\000", "\\x00", "\\X00", "\\u0000", "\\U00000000")
_SECRET_NAMES = ("KEY", "TOKEN", "SECRET", "PASS", "CRED", "AUTH", "PRIVATE", "COOKIE", "SESSION", "DSN", "URL", "URI")

_OWN_FUNCTIONS: dict[str, Callable[[str], str]] = {
    "lowerAscii": lambda text: text.lower() if isinstance(text, str) else "",
    "upperAscii": lambda text: text.upper() if isinstance(text, str) else "",
    "trim": lambda text: text.strip() if isinstance(text, str) else "",
}
FUNCTIONS: tuple[str, ...] = ("get_field", "has_field", *_OWN_FUNCTIONS)
"""Functions beside CEL's own."""
_ALL_KINDS = (
    *("STRING", "BOOL", "INT", "UINT", "DOUBLE", "BYTES", "NULL", "LIST", "MAP"),
    *("DURATION", "TIMESTAMP", "TYPE"),
)
"""Types of values, by the engine's names: a function that takes all of them is declared for each."""


_SYNTAX = "not a CEL expression: "


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
    """Return what is wrong with an expression, before any event: syntax, unknown names, operands that never fit."""
    from rulez_py.system.git.values import FACTS, ROOT

    unknown = [f"unknown variable `{_GIT}.{name}`" for name in _of_git(expression) if name not in (ROOT, *FACTS)]
    if unknown:
        return [f"{one}; known are {', '.join((ROOT, *FACTS))}" for one in dict.fromkeys(unknown)]
    try:
        _compile(expression, _functions(Event(platform="", types=("",), native_event="")))
    except ExpressionError as error:
        return [str(error)]
    except Exception as error:
        return _mistakes(expression, str(error))
    return []


def evaluate(
    expression: str,
    event: Event,
    environ: Mapping[str, str],
    *,
    every: bool = True,
    repositories: Repositories = lambda _names: ({},),
    describe: Describe = lambda _name: None,
) -> bool:
    """Return the expression's truth for an event. Raises ExpressionError where it has none, or is not a boolean.

    Where an argument has several spellings, or the event is about several repositories, it must hold whichever of them
    counts; without `every`, for one of them.
    """
    wrong: ExpressionError | None = None
    # Few expressions ask, and it costs to know.
    told = tuple(repositories(_words(_code(expression)))) if _reads(expression, _GIT) else ({},)
    for one in readings(event.tool_name, event.tool_input, event.own_input):
        for git in told:
            try:
                if _truth(expression, event.replace(tool_input=one), environ, git, describe) is not every:
                    return not every
            except ExpressionError as error:
                wrong = error
    if wrong is not None:
        raise wrong
    return every


def seen(
    expression: str,
    event: Event,
    environ: Mapping[str, str],
    *,
    repositories: Repositories = lambda _names: ({},),
    describe: Describe = lambda _name: None,
) -> tuple[str, ...]:
    """Return what an expression reads of an event, for people: each of its variables with its value, as JSON.

    Of what has no value "nothing". What `get_field` and `has_field` read is in `tool_input`.
    """
    names = _names(expression) | ({"tool_input"} if any(one in expression for one in FUNCTIONS[:2]) else set())
    found: dict[str, None] = {}
    for git in tuple(repositories(_words(_code(expression)))) if _GIT in names else ({},):
        values = _variables(names, event, environ, git, describe)
        each = {name: values.get(name) for name in sorted(names) if name != _GIT}
        each |= {f"{_GIT}.{name}": git.get(name) for name in _of_git(expression)}
        for name, value in each.items():
            shown = "nothing" if value is None else jsontext.dumps(value)
            found[f"{name} {shown if len(shown) <= _LONGEST_SHOWN else shown[: _LONGEST_SHOWN - 3] + '...'}"] = None
    return tuple(found)


def _truth(expression: str, event: Event, environ: Mapping[str, str], git: Told, describe: Describe) -> bool:
    try:
        program = _compile(expression, _functions(event))
        result = program.eval(data=_variables(_names(expression), event, environ, git, describe))
        kind, value = result.type(), result.value()
    except ExpressionError:
        raise
    except Exception as error:
        mistakes = _mistakes(expression, str(error))
        raise ExpressionError(mistakes[0]) from None
    if kind == _engine().Type.ERROR:
        raise _explained(str(value), expression, event)
    if not isinstance(value, bool):
        # The value itself may be an environment variable's, and reasons are read by the model.
        raise ExpressionError(f"it gives {_KINDS.get(type(value), 'something')}, not true or false")
    return value


def is_about_something_else(expression: str, event: Event, error: ExpressionError) -> bool:
    """Tell whether an expression failed because it is about something that events of this kind never have.

    That is the input of a tool in an event without a tool, or a prompt in one without a prompt. No agent chooses that.
    """
    names = _names(expression)
    if not _is_about_a_tool(event):
        return any(name == "tool_input" or name.startswith("tool_input_") for name in names)
    values = _variables(names, event, {}, {}, lambda _name: "")
    return error.missing == "prompt" and all(name in values or name == "prompt" for name in names)


def _is_about_a_tool(event: Event) -> bool:
    return event.tool_name is not None or any("Tool" in kind or "Permission" in kind for kind in event.types)


def harmless(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that an untrusted expression may read: those whose name does not say that they are secret."""
    return {name: value for name, value in environ.items() if not any(word in name.upper() for word in _SECRET_NAMES)}


def _compile(expression: str, functions: Mapping[str, Callable[[Any], object]]) -> Any:
    if len(expression) > LONGEST:
        raise ExpressionError(f"it is longer than {LONGEST} characters")
    if any(nul in expression for nul in _NUL):
        raise ExpressionError("no text has a NUL here; write \\ufffd, which replaces it")
    cel = _engine()
    variables = dict.fromkeys(_names(expression), cel.Type.DYN)
    # Declaring one takes longer than seeing that it is not needed.
    needed = [_declared(cel, name, function) for name, function in functions.items() if name in expression]
    with Unseen("google"):  # It would load protobuf's package where there is one; an event has no messages.
        return cel.NewEnv(variables=variables, functions=needed).compile(expression)


def _engine() -> Any:
    return extension("cel_expr_python", "cel")


def _functions(event: Event) -> dict[str, Callable[[Any], object]]:
    return {
        **_OWN_FUNCTIONS,
        "get_field": lambda path: _get_field(event.tool_input, path),
        "has_field": lambda path: field(event.tool_input, path) is not None,
    }


def _declared(cel: Any, name: str, function: Callable[[Any], object]) -> Any:
    """Return a function of one argument of any kind, to be written `f(x)` or `x.f()`."""
    gives = {"get_field": cel.Type.DYN, "has_field": cel.Type.BOOL}.get(name, cel.Type.STRING)
    kinds = [(getattr(cel.Type, kind), f"{name}_{kind}") for kind in _ALL_KINDS]
    plain = [cel.Overload(label, gives, [kind], False, function) for kind, label in kinds]
    behind = [cel.Overload(label + "_member", gives, [kind], True, function) for kind, label in kinds]
    return cel.FunctionDecl(name, plain + behind)


def _names(expression: str) -> set[str]:
    """Our variables in it; of fields also what only looks like one, in a text: that does no harm, and costs nothing."""
    found = {word for word in _words(expression) if word in _FIELDS or word.startswith(PREFIXES)}
    return found.union(name for name in (_GIT, *DESCRIBED) if _reads(expression, name))


def _words(text: str) -> list[str]:
    return "".join(one if one.isalnum() or one == "_" else " " for one in text).split()


def _reads(expression: str, name: str) -> bool:
    if name not in expression:
        return False
    code = _code(expression)
    return any(code[:at].rstrip()[-1:] != "." for at in _places(code, name))


def _of_git(expression: str) -> Iterator[str]:
    """Yield the names behind `git.` in an expression."""
    code = _code(expression)
    for at in _places(code, _GIT):
        rest = code[at + len(_GIT) :].lstrip()
        if code[:at].rstrip()[-1:] != "." and rest[:1] == ".":
            yield from _words(rest)[:1]


def _places(code: str, name: str) -> Iterator[int]:
    """Yield where a name is in an expression without texts."""
    at = code.find(name)
    while at >= 0:
        around = code[at - 1 : at] + code[at + len(name) : at + len(name) + 1]
        if not any(one.isalnum() or one == "_" for one in around):
            yield at
        at = code.find(name, at + 1)


_QUOTES = ('"""', "'''", '"', "'")


def _code(expression: str) -> str:
    """Return an expression with spaces for each text and comment in it, as many as these have characters."""
    found, at = "", 0
    while at < len(expression):
        start = at
        quote = next((one for one in _QUOTES if expression.startswith(one, at)), "")
        if quote:
            is_raw = expression[at - 1 : at] in ("r", "R")
            at += len(quote)
            while at < len(expression) and not expression.startswith(quote, at):
                at += 2 if expression[at] == "\\" and not is_raw else 1
            at += len(quote)
        elif expression.startswith("//", at):
            at = (expression.find("\n", at) + 1) or len(expression)
        else:
            found += expression[at]
            at += 1
            continue
        found += " " * (min(at, len(expression)) - start)
    return found


def with_lists(expression: str, named: Mapping[str, list[str]]) -> str:
    """Return an expression with each list in the place of `vars.NAME`, and of `vars["NAME"]`."""
    code = _code(expression)
    for at in reversed(list(_places(code, "vars"))):
        rest = expression[at + len("vars") :]
        name, after = "", 0
        if code[:at].rstrip()[-1:] == ".":
            continue
        if rest.startswith("."):
            name = "".join(_words(code[at + len("vars.") :].partition(".")[0])[:1])
            after = len("vars.") + len(name)
        elif rest[:2] in ('["', "['"):
            name = rest[2:].partition(rest[1])[0]
            after = len('vars[""]') + len(name)
        if name in named and expression[at:][:after] in (f"vars.{name}", f'vars["{name}"]', f"vars['{name}']"):
            expression = expression[:at] + jsontext.dumps(list(named[name])) + expression[at + after :]
    return expression


def _get_field(tool_input: Mapping[str, object], path: object) -> object:
    found = field(tool_input, path)
    return _plain(found) if isinstance(found, (str, bool, int, float)) else ""


def _variables(
    names: set[str], event: Event, environ: Mapping[str, str], git: Told, describe: Describe
) -> dict[str, Any]:
    values: dict[str, object] = {}
    for name in names:
        value: object
        if name == _GIT:
            value = dict(git)
        elif name in DESCRIBED:
            value = describe(name)
        elif one := _FIELDS.get(name):
            value = one.get(event)
            value = one.missing if value is None else value
        elif name.startswith("env_"):
            value = environ.get(name[4:], "")
        else:
            value = event.tool_input.get(name[11:])
            value = value if isinstance(value, (str, bool, int, float)) else None
        if value is not None:
            values[name] = _plain(value)
    return values


def _plain(value: object, levels: int = 100) -> object:
    """Return a value CEL can take: text without lone surrogates, numbers within 64 bits, nothing deeper than `levels`.

    The engine would read a text up to its first NUL: this becomes U+FFFD.
    """
    if isinstance(value, str):
        return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
    if isinstance(value, int) and not isinstance(value, bool) and not -(2**63) <= value < 2**63:
        return float(value) if abs(value) < 10**300 else float("inf")
    if isinstance(value, (dict, list)) and not levels:
        return None
    if isinstance(value, dict):
        return {str(_plain(key)): _plain(item, levels - 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item, levels - 1) for item in value]
    return value


def _mistakes(expression: str, message: str) -> list[str]:
    """Return the engine's list of what is wrong with an expression, in our words."""
    if "::" in expression:
        return [f"{_SYNTAX}CEL has no `::` functions; write `x.contains(y)`, `size(x)`, `lowerAscii(x)`"]
    found = [_mistake(expression, entry) for entry in message.split("ERROR: <input>:")[1:]] or [_cause(message)]
    if found[0].startswith(_SYNTAX):
        return found[:1]  # Later errors repeat the first.
    return list(dict.fromkeys(found))


def _mistake(expression: str, entry: str) -> str:
    line, column, text = (entry.partition("\n")[0] + "::").split(":", 2)
    text = text.strip(": ")
    name = text.partition("'")[2].partition("'")[0]
    at = f"character {column}" if line == "1" else f"line {line}, character {column}"
    if text.startswith("undeclared reference"):
        written = expression.split("\n")[int(line) - 1][int(column) - 1 :]
        if not written.startswith(("(", "." + name + "(")) and not written.startswith(name + "("):
            return f"unknown variable `{name}`" + _instead(name)
        return f"`{name}` takes one argument" if name in FUNCTIONS else f"unknown function `{name}`"
    if text.startswith("found no matching overload"):
        return f"operands that never fit: {text.removeprefix('found no matching overload for ')} at {at}"
    if "recursion" in text:
        return "it is nested too deep"
    cause = text.removeprefix("Syntax error: ").partition(" expecting {")[0].replace("'<EOF>'", "end of the expression")
    write = "; write == to compare" if cause.startswith("token recognition error at: '=") else ""
    return f"{_SYNTAX}{cause} at {at}{write}"


def _instead(name: str) -> str:
    before, _, rest = name.partition(".")
    return f"; write env_{rest}" if before == "env" and rest else ""


_NO_VALUE = 'No value with name "'
_NO_KEY = 'Key not found in map : "'


def _explained(message: str, expression: str, event: Event) -> ExpressionError:
    """Return why there is no value, in our words where it is about something that is not there."""
    text = message.partition(": ")[2] or message
    if text.startswith(_NO_KEY):
        key = text.removeprefix(_NO_KEY).partition('"')[0]
        # A key may be an environment variable's value, and reasons are read by the model.
        if not key.isidentifier() or key not in expression:
            return ExpressionError(_cause(message))
        if _reads(expression, _GIT) and key in _of_git(expression):
            advice = f"a person changes the expression: has(git.{key}) says whether it is known"
            return ExpressionError(f"`git.{key}` is unknown", advice=advice)
        return ExpressionError(f"`{key}` is not there", advice=_give(key))
    if not text.startswith(_NO_VALUE):
        return ExpressionError(_cause(message))
    name = text.removeprefix(_NO_VALUE).partition('"')[0]
    key = name.removeprefix("tool_input_")
    said = f"`{name}` is not there"
    value = event.tool_input.get(key)
    if name == key:
        return ExpressionError(said, missing=name)
    if value is None:
        return ExpressionError(said, missing=name, advice=_give(key))
    shape = _KINDS.get(type(value), "of another kind")
    said += f": `{key}` is {shape}, and only text, numbers and booleans have such a name"
    return ExpressionError(said, missing=name, advice=f"a person changes the rule: tool_input.{key} is all of it")


def _give(key: str) -> str:
    return f'give `{key}`, or a person changes the rule: has_field("{key}") says whether it is there'


def _cause(message: str) -> str:
    """Return why there is no value, without any that may be an environment variable's."""
    text = message.partition(": ")[2] or message
    if text.startswith("Key not found"):
        return "it asks for a key that is not there"
    if "recursion" in text:
        return "it is nested too deep"
    if text.startswith("No matching overloads"):
        return "operands do not fit: " + text.partition(" : ")[2]
    return text.partition(":")[0].partition("\n")[0].partition(" [")[0]

"""Python."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import (
    UNKNOWN,
    Call,
    Made,
    Ref,
    Table,
    either,
    environment,
    known,
    mapped,
    number,
    text_of,
)
from rulez_py.analysis.languages.actions import VERBS, options_of, perform
from rulez_py.analysis.languages.dialect import Dialect
from rulez_py.analysis.languages.effects import content
from rulez_py.analysis.languages.engine import reader
from rulez_py.analysis.languages.functions import handed_on
from rulez_py.analysis.languages.methods import one_of
from rulez_py.analysis.languages.parameters import STARS
from rulez_py.analysis.languages.search import kill_found, killing
from rulez_py.analysis.languages.tables.c import CALLS as LIBC
from rulez_py.analysis.languages.tables.python import CALLS, LIKELY, WITHIN
from rulez_py.analysis.languages.tokens import LINE, NAME, OPERATOR, TEXT, Scan, Syntax, filled, plain, to_line_end
from rulez_py.analysis.values import CODE, INTERPRETER, READ, Inner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rulez_py.analysis.languages.abstract_values import Abstract, Function
    from rulez_py.analysis.languages.dialect import Walk

DECODERS = {"base64": "base64", "hex": "hex", "hex_codec": "hex"}


def _string(scan: Scan, i: int) -> int:
    """Read a string with any prefix; return 0 where none begins."""
    text, at = scan.text, i
    while at < i + 3 and text[at : at + 1].lower() in ("r", "b", "f", "u", "t") and text[at : at + 1]:
        at += 1
    quote = text[at : at + 1]
    if quote not in ("'", '"') or not quote:
        return 0
    prefix = text[i:at].lower()
    mark = quote * 3 if text.startswith(quote * 3, at) else quote
    raw = "r" in prefix
    if "f" in prefix or "t" in prefix:
        parts, after = filled(scan, at + len(mark), mark, _hole, raw=raw, keep=True)
    else:
        body, after = plain(text, at + len(mark), mark, "none" if raw else "keep")
        parts = (body,)
    scan.tokens.append((TEXT, parts))
    return after


def _hole(scan: Scan, i: int) -> tuple[object, int] | None:
    c = scan.text[i]
    if c == "{":
        return ("{", i + 2) if scan.text.startswith("{{", i) else scan.inside(i + 1, "}")
    return ("}", i + 2) if scan.text.startswith("}}", i) else None


def _continued(scan: Scan, i: int) -> int:
    """Skip the end of a line that continues in the next."""
    after = i + 1 + scan.text.startswith("\r", i + 1)
    return after + 1 if scan.text.startswith("\n", after) else 0


SYNTAX = Syntax({**dict.fromkeys("'\"rRbBfFuUtT", _string), "#": to_line_end, "\\": _continued}, lines=True)


def _import(walk: Walk) -> None:
    """`import a.b as c, d`."""
    while walk.here.word():
        path = _path(walk)
        if walk.here.word() == "as":
            walk.here.at += 1
            walk.scope.variables[walk.here.word()] = Ref(path)
            walk.here.at += 1
        else:
            walk.scope.variables.pop(path.partition(".")[0], None)
        if not walk.here.accept(","):
            return


def _path(walk: Walk) -> str:
    names = [walk.here.word()]
    walk.here.at += 1
    while walk.here.operator() == "." and walk.here.word(1):
        names.append(walk.here.word(1))
        walk.here.at += 2
    return ".".join(names)


def _from(walk: Walk) -> None:
    """`from a import b as c, d`."""
    module = _path(walk)
    if walk.here.word() != "import":
        return
    walk.here.at += 1
    bracket = walk.here.accept("(")
    while walk.here.at < len(walk.here.tokens):
        name = walk.here.word()
        if walk.here.accept("*"):
            for call in CALLS:
                owner, _, short = call.rpartition(".")
                if owner == module:
                    walk.scope.variables[short] = Ref(call)
        if not name:
            break
        walk.here.at += 1
        bound = name
        if walk.here.word() == "as":
            bound = walk.here.word(1)
            walk.here.at += 2
        walk.scope.variables[bound] = walk.suffixes.attribute(Ref(module), name)
        if not walk.here.accept(","):
            break
        if bracket:
            walk.here.lines()


def _def(walk: Walk) -> None:
    """`def name(a, b=1):`."""
    at, name = walk.here.at - 1, walk.here.word()
    walk.here.at += 1
    if not walk.here.accept("("):
        return
    names: list[str] = []
    start, star = True, ""
    while walk.here.at < len(walk.here.tokens) and walk.here.operator() != ")":
        if walk.here.tokens[walk.here.at][0] == NAME and start:
            names.append(star + walk.here.word())
            start = False
        star = STARS.get(walk.here.operator(), "")
        if walk.here.operator() == ",":
            start = True
        if walk.here.accept("="):
            walk.scope.learn(names[-1] if names else "", walk.expressions.expression())
            continue
        walk.here.at += 1
    for decorator in _decorators(walk, at):
        if names and (context := CONTEXTS.get(decorator)) is not None:
            walk.scope.learn(names[0], Made(context, Call([], {})))
    walk.scope.variables[name] = walk.definitions.function(tuple(names))


CONTEXTS = {
    "invoke.task": "invoke.Context",
    "fabric.task": "fabric.Connection",
    "fabric2.task": "fabric.Connection",
    "nox.session": "nox.Session",
}
"""Decorators of tasks -> what the first parameter of a task is."""
MOST_DECORATORS = 8


def _decorators(walk: Walk, at: int) -> list[str]:
    """Return the names of the decorators in the lines before the `def` at this index."""
    tokens, found = walk.here.tokens, []
    at -= tokens[at - 1 : at] == [(NAME, "async")]
    for _ in range(MOST_DECORATORS):
        end = at
        while end and tokens[end - 1][0] == LINE:
            end -= 1
        at = end
        while at and tokens[at - 1][0] != LINE:
            at -= 1
        if tokens[at : at + 1] != [(OPERATOR, "@")]:
            break
        path = [str(value) for kind, value in tokens[at + 1 : min(at + 10, end)] if kind == NAME or value != "."]
        names = path[: next((place for place, value in enumerate(path) if not value.isidentifier()), len(path))]
        value = walk.scope.value_of(names[0]) if names else UNKNOWN
        found.append(".".join([value.name, *names[1:]]) if isinstance(value, Ref) else "")
    return found


def _async(walk: Walk) -> None:
    """`async def name():`, `async for`, `async with`."""
    if (reader := walk.dialect.statements.get(walk.here.word())) is not None:
        walk.here.at += 1
        reader(walk)


def _class(walk: Walk) -> None:
    walk.here.at += 1


def _for(walk: Walk) -> None:
    walk.statements.each(None)


def _attribute(walk: Walk, _call: Call, path: Abstract) -> Abstract:
    """Return values that are no calls: the environment, a path's parent."""
    assert isinstance(path, Ref)
    owner, _, name = path.name.rpartition(".")
    if (
        owner == "os.environ"
        and path.name not in CALLS
        and name not in ("get", "copy", "items", "update", "pop", "setdefault")
    ):
        return environment(name)
    if owner == "?":
        return walk.scope.value_of(name)
    if isinstance(path.on, Made) and owner == "pathlib.Path" and name == "parent":
        return Made(owner, Call([mapped(text_of(path.on), lambda text: text.rpartition("/")[0] or ".")], {}))
    if path.name == "os.sep":
        return known("/")
    if path.name == "sys.executable":
        return known("python")
    return None


def _getattr(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    name = text_of(call.arguments[1]) if len(call.arguments) > 1 else None
    return walk.suffixes.attribute(call.arguments[0], name.text) if name is not None and name.known else Ref("?")


def _kept(name: str) -> Callable[[Walk, Call, Abstract], Abstract]:
    """Return a function for a call that returns the path of a library's copy of a program."""
    return lambda _walk, _call, _on: known(name)


def _decode(walk: Walk, call: Call, on: Abstract) -> Abstract:
    """`codecs.decode(text, "base64")`."""
    how = text_of(call.arguments[1]) if len(call.arguments) > 1 else None
    if how is not None and how.text in DECODERS:
        return VERBS["prints decoded"](walk, "", call, on, [DECODERS[how.text], "0"])
    if how is not None and how.text in ("rot13", "rot_13"):
        return VERBS["prints decoded"](walk, "", call, on, ["rot13", "0"])
    return call.arguments[0] if call.arguments else text_of(None)


def _bytes(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    value = call.arguments[0] if call.arguments else None
    codes = [number(one) for one in value] if isinstance(value, tuple) else []
    return known("".join(chr(code or 0) for code in codes)) if codes and None not in codes else text_of(value)


def _lambda(walk: Walk) -> Function:
    """`lambda a, b=1: body`."""
    names: list[str] = []
    while walk.here.at < len(walk.here.tokens) and walk.here.operator() != ":":
        if walk.here.accept("="):
            walk.scope.learn(names[-1] if names else "", walk.expressions.expression())
            continue
        names += [STARS.get(walk.here.operator(-1), "") + walk.here.word()] if walk.here.word() else []
        walk.here.at += 1
    walk.here.accept(":")
    return walk.definitions.body(walk.definitions.function(tuple(names)))


def _looked_up(walk: Walk, call: Call, on: Abstract) -> Abstract:
    """`operator.attrgetter("system")(os)`, `operator.methodcaller("system", "...")(os)`."""
    assert isinstance(on, Made)
    if not call.arguments or not on.call.arguments:
        return UNKNOWN
    found = walk.suffixes.attribute(call.arguments[0], text_of(on.call.arguments[0]).text)
    if on.name == "operator.methodcaller":
        return walk.calls.call(found, Call(on.call.arguments[1:], on.call.keywords))
    return found


def _map(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`map(function, list)`: the list of results."""
    given = handed_on(walk.calls, "map", call, None)
    return UNKNOWN if given is None else given


def _enumerated(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`enumerate(list)`: pairs of an index and an element."""
    value = call.arguments[0] if call.arguments else UNKNOWN
    if isinstance(value, tuple):
        return tuple((Ref(str(at)), one) for at, one in enumerate(value))
    return ((UNKNOWN, one_of(value)),)


def _zipped(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`zip(list, other)`: the elements with the same index; any of each where a list is unknown."""
    lists = call.arguments
    if lists and all(isinstance(one, tuple) for one in lists):
        return tuple(zip(*lists, strict=False))
    return (tuple(one_of(one) for one in lists),)


def _vars(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    return call.arguments[0] if call.arguments else Made("?", call)


def _interact(walk: Walk, _call: Call, _on: Abstract) -> Abstract:
    """`code.interact()`: standard input is code."""
    walk.effects.inner.append(Inner(stdin=True, language="python", via=INTERPRETER))
    return UNKNOWN


def _next(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    return one_of(call.arguments[0]) if call.arguments else UNKNOWN


def _words(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`shlex.split(text)`: split a text without quotes; return any other text as it is."""
    text = text_of(call.arguments[0]) if call.arguments else UNKNOWN
    if text.known and not any(mark in text.text for mark in "'\"\\"):
        return tuple(known(part) for part in text.text.split())
    return text


def _dotenv(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`dotenv.dotenv_values()`: the content of `.env`."""
    given = call.arguments[0] if call.arguments else call.keywords.get("dotenv_path", known(".env"))
    walk.effects.touch(given, READ)
    return content(given)


def _dict(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    return Table(
        {
            **{key: value for one in call.arguments if isinstance(one, Table) for key, value in one.items.items()},
            **call.keywords,
        }
    )


def _setattr(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`setattr(module, "name", value)`."""
    if len(call.arguments) > 2 and isinstance(call.arguments[0], Ref):
        walk.scope.assign(f"{call.arguments[0].name}.{text_of(call.arguments[1]).text}", call.arguments[2])
    return UNKNOWN


def _environ(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`os.environ.get("NAME", other)`."""
    name = text_of(call.arguments[0]) if call.arguments else UNKNOWN
    value = environment(name.text) if name.known else UNKNOWN
    return either((value, call.arguments[1])) if len(call.arguments) > 1 else value


def _evaluated(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`eval(code)`: add its effects, return its value."""
    return walk.nested_value(text_of(call.arguments[0])) if call.arguments else UNKNOWN


def _substitute(walk: Walk, call: Call, on: Abstract) -> Abstract:
    """`string.Template("$a").substitute(a=...)`."""
    text = text_of(on)
    for name, value in call.keywords.items():
        given = text_of(value)
        if text.known and given.known:
            text = text.replace(text=text.text.replace("${" + name + "}", given.text).replace("$" + name, given.text))
    return text


PICKLED = ("system", "popen", "exec", "eval", "run", "Popen", "call", "check_output", "remove", "unlink", "rmtree")


def _unpickled(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`pickle.loads(data)`, `yaml.unsafe_load(text)`: calls functions that the text names, with arguments in it."""
    text = text_of(call.arguments[0]) if call.arguments else UNKNOWN
    if text.known and any(name in text.text for name in PICKLED):
        walk.effects.opaque = walk.effects.opaque or CODE
        for part in text.text.replace('"', "'").split("'")[1::2]:
            walk.effects.shell(known(part))
    return UNKNOWN


def _yaml(walk: Walk, call: Call, on: Abstract) -> Abstract:
    loader = call.keywords.get("Loader", call.arguments[1] if len(call.arguments) > 1 else None)
    safe = loader is None or (isinstance(loader, Ref) and "Safe" in loader.name)
    return UNKNOWN if safe else _unpickled(walk, call, on)


# Modules whose functions are programs: `sh.git("push")`, `sh.git.push()`.
PROGRAMS = ("sh.", "plumbum.cmd.", "plumbum.local.cmd.", "plumbum.local.")
OPTIONS_OF_SH = ("bake", "_")


def _call(walk: Walk, call: Call, function: Abstract) -> Abstract | None:
    """Follow calls without an entry: programs as functions (sh, plumbum), GitPython, the C library."""
    assert isinstance(function, Ref)
    name = function.name
    last = name.rpartition(".")[2]
    if name.startswith(("ctypes.", "cffi.FFI.")) and last in LIBC:
        return perform(walk, name, LIBC[last], call, function.on)
    if last in ("__getattribute__", "__getattr__") and call.arguments and "." in name:
        return walk.suffixes.attribute(Ref(name.rpartition(".")[0], function.on), text_of(call.arguments[0]).text)
    if name.startswith("*.") and last in ("run", "sudo") and _has_tasks(walk):
        return perform(walk, name, "runs shell 0|command", call, None)
    if name in ("sh.Command()", "plumbum.local.get()"):
        return _program(walk, [text_of(function.on).text], call)
    for prefix in PROGRAMS:
        if name.startswith(prefix):
            return _program(walk, name[len(prefix) :].split("."), call)
    if name.startswith(("git.Repo.git.", "git.Git.", "git.cmd.Git.")):
        words = name.partition("Repo.git." if ".Repo." in name else "Git.")[2].replace("_", "-").split(".")
        if words == ["execute"]:
            return perform(walk, name, "runs process 0|command", call, function.on)
        return _program(walk, ["git", *words], call)
    return None


def _has_tasks(walk: Walk) -> bool:
    """Tell if the code declares tasks of invoke or fabric, whose context runs commands."""
    task = walk.scope.variables.get("task")
    return isinstance(task, Ref) and task.name in ("invoke.task", "fabric.task", "fabric2.task")


def _program(walk: Walk, words: list[str], call: Call) -> Abstract:
    """Run a program that is called as a function. Keywords are its options."""
    given: list[Abstract] = [known(word.replace("_", "-") if at else word) for at, word in enumerate(words)]
    given += call.arguments
    walk.effects.words((*given, *options_of(call.keywords)), call)
    return UNKNOWN


DIALECT = Dialect(
    language="python",
    syntax=SYNTAX,
    calls=CALLS,
    keyword=("=",),
    strip=("builtins.", "__builtins__.", "sys.modules.", "io.", "gevent.", "eventlet.green."),
    likely=LIKELY,
    within=WITHIN,
    statements={"import": _import, "from": _from, "def": _def, "class": _class, "for": _for, "async": _async},
    functions={"lambda": _lambda},
    prefixes=frozenset(
        (
            *("return", "await", "yield", "not", "if", "elif", "while", "with", "assert", "raise", "del"),
            *("async", "else", "try", "finally", "global", "nonlocal", "print"),
        )
    ),
    special={
        "attribute": _attribute,
        "getattr": _getattr,
        "imageio_ffmpeg.get_ffmpeg_exe": _kept("ffmpeg"),
        "pypandoc.get_pandoc_path": _kept("pandoc"),
        "chromedriver_autoinstaller.install": _kept("chromedriver"),
        "codecs.decode": _decode,
        "bytes": _bytes,
        "bytearray": _bytes,
        "map": _map,
        "enumerate": _enumerated,
        "zip": _zipped,
        "call": _call,
        "vars": _vars,
        "next": _next,
        **dict.fromkeys(("code.interact", "code.InteractiveConsole.interact", "IPython.embed"), _interact),
        "shlex.split": _words,
        **dict.fromkeys(("dotenv.dotenv_values", "dotenv.main.dotenv_values", "dotenv.get_key"), _dotenv),
        "dict": _dict,
        "setattr": _setattr,
        "eval": _evaluated,
        "os.environ.get": _environ,
        "os.getenv": _environ,
        "operator.attrgetter()": _looked_up,
        "operator.methodcaller()": _looked_up,
        "codecs.encode": _decode,
        "string.Template.substitute": _substitute,
        "string.Template.safe_substitute": _substitute,
        **dict.fromkeys(("os.kill", "os.killpg", "posix.kill", "signal.pidfd_send_signal"), killing(0)),
        **{f"psutil.process_iter.{name}": kill_found for name in ("kill", "terminate", "send_signal", "suspend")},
        **dict.fromkeys(("pickle.loads", "dill.loads", "cloudpickle.loads", "marshal.loads"), _unpickled),
        **dict.fromkeys(("yaml.unsafe_load", "yaml.full_load_all", "jsonpickle.decode"), _unpickled),
        **dict.fromkeys(("yaml.load", "yaml.load_all"), _yaml),
    },
    bound_by_index=PROGRAMS,
    itself=Dialect.itself | {"__call__", "__func__", "__wrapped__", "func", "__globals__"},
    slice=(":", "::"),
    path_operator="/",
    indented=True,
    each=("for", "of"),
    neighbours=True,
    argv=(("sys.argv", 1),),
)
find = reader(DIALECT)

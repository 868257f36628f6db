"""JavaScript and TypeScript: Node, Bun, Deno, and JavaScript for Automation."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import (
    Call,
    Function,
    Made,
    Ref,
    Table,
    environment,
    known,
    number,
    text_of,
    truthy,
)
from rulez_py.analysis.languages.actions import VERBS
from rulez_py.analysis.languages.dialect import Dialect
from rulez_py.analysis.languages.engine import reader
from rulez_py.analysis.languages.methods import keys, pairs
from rulez_py.analysis.languages.search import killing
from rulez_py.analysis.languages.tables.javascript import CALLS, LIKELY, WITHIN
from rulez_py.analysis.languages.tokens import TEXT, Scan, Syntax, filled, plain, regex, slashes
from rulez_py.analysis.values import Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.dialect import Walk

MODULES = ("node:", "npm:", "jsr:")


def _string(scan: Scan, i: int) -> int:
    body, after = plain(scan.text, i + 1, scan.text[i])
    scan.tokens.append((TEXT, (body,)))
    return after


def _template(scan: Scan, i: int) -> int:
    parts, after = filled(scan, i + 1, "`", _hole)
    scan.tokens.append((TEXT, parts))
    return after


def _hole(scan: Scan, i: int) -> tuple[object, int] | None:
    return scan.inside(i + 2, "}") if scan.text.startswith("${", i) else None


def _slash(scan: Scan, i: int) -> int:
    return slashes(scan, i) or regex(scan, i)


SYNTAX = Syntax({"'": _string, '"': _string, "`": _template, "/": _slash}, names="_$")


def _module(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """Return the module of `require("fs")` or `import("fs")`. A path is a file that runs."""
    word = text_of(call.arguments[0]) if call.arguments else None
    if word is None:
        return Ref("?")
    if word.text == "shelljs/global":
        for name in CALLS:
            if name.startswith("shelljs."):
                walk.scope.variables[name.removeprefix("shelljs.")] = Ref(name)
    if word.text.startswith(("./", "../", "/")):
        if not word.text.endswith(".json"):
            walk.effects.file(word, walk.language)
        return Ref("?")
    return Ref(module_name(word.text)) if word.known else Ref("?")


def module_name(text: str) -> str:
    for prefix in MODULES:
        text = text.removeprefix(prefix)
    if text in ("shelljs", "shelljs/global"):
        return "shelljs"
    return text.removesuffix("/promises")


def _import(walk: Walk) -> None:
    """`import a, {b as c} from "d"`, `import * as a from "d"`, `import("d")`, `import "d"`."""
    if walk.here.operator() in ("(", "."):
        walk.here.at -= 1
        walk.expressions.expression()
        return
    start, stop = walk.here.at, walk.here.at
    while stop < min(len(walk.here.tokens), start + 200) and walk.here.tokens[stop][0] != TEXT:
        if walk.here.tokens[stop][1] == ";":
            return
        stop += 1
    if stop >= len(walk.here.tokens) or walk.here.tokens[stop][0] != TEXT:
        return
    module = Ref(module_name(walk.texts.filled(walk.here.tokens[stop][1]).text))
    inside = False
    while walk.here.at < stop:
        operator, name = walk.here.operator(), walk.here.word()
        inside = (inside or operator == "{") and operator != "}"
        walk.here.at += 1
        if not name or name in ("from", "type"):
            continue
        source = walk.suffixes.attribute(module, name) if inside else module
        if walk.here.word() == "as" and walk.here.word(1):
            name = walk.here.word(1)
            walk.here.at += 2
        walk.scope.variables[name if name != "as" else walk.here.word()] = source
    walk.here.at = stop + 1


def _declare(walk: Walk) -> None:
    """`const a = b`, `const {a, b: c} = d`, `const [a] = b`."""
    if walk.here.operator() != "{":
        return
    names: list[tuple[str, str]] = []
    walk.here.at += 1
    while walk.here.at < len(walk.here.tokens) and walk.here.operator() not in ("}", ";", "("):
        if name := walk.here.word():
            bound = walk.here.word(2) if walk.here.operator(1) == ":" else name
            walk.here.at += 2 * (walk.here.operator(1) == ":" and bool(bound))
            names.append((name, bound or name))
        walk.here.at += 1
    walk.here.accept("}")
    if walk.here.accept("="):
        value = walk.expressions.expression()
        for name, bound in names:
            walk.scope.variables[bound] = walk.suffixes.attribute(value, name)


def _function(walk: Walk) -> Function:
    """`function name(a, b) { body }`."""
    walk.here.accept("*")
    name = walk.here.word()
    walk.here.at += bool(name)
    made = walk.definitions.function(walk.definitions.parameters(")") if walk.here.accept("(") else ())
    if name:
        walk.scope.variables[name] = made
    return walk.definitions.body(made) if walk.here.operator() == "{" else made


def _function_of(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`new Function("a", "b", "code")`: a function that returns the value of the code."""
    made = Function(())
    if call.arguments:
        made.gives = walk.nested_value(text_of(call.arguments[-1]))
    return made


def _constructor(walk: Walk, call: Call, on: Abstract) -> Abstract:
    """`(() => {}).constructor("code")`: a function with this code, if the text may be code."""
    code = text_of(call.arguments[-1]) if call.arguments else None
    return _function_of(walk, call, on) if code is not None and code.known and "(" in code.text else text_of(None)


def _evaluated(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    return walk.nested_value(text_of(call.arguments[0])) if call.arguments else text_of(None)


def _later(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`setTimeout(f, 10, "argument")`, `setTimeout("code")`."""
    first = call.arguments[0] if call.arguments else None
    if isinstance(first, Word) and first.known:
        walk.nested(first)
    elif first is not None and walk.calls.is_function(first):
        behind = [one for one in call.arguments[1:] if number(one) is None]
        if behind:
            walk.calls.call(first, Call(behind, {}))
    return text_of(None)


def _worker(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`new Worker("file")`, `new Worker("code", {eval: true})`."""
    word = text_of(call.arguments[0]) if call.arguments else None
    if word is not None and truthy(call.keywords.get("eval")):
        walk.nested(word)
    elif word is not None and word.known:
        walk.effects.file(word, walk.language)
    return text_of(None)


def _reflect(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`Reflect.apply(f, this, [arguments])`, `Reflect.construct(f, [arguments])`."""
    if not call.arguments:
        return text_of(None)
    given = call.arguments[-1]
    return walk.calls.call(call.arguments[0], Call(list(given) if isinstance(given, tuple) else [given], {}))


def _assign(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`Object.assign({}, a, b)`: the first argument that is no table, or all tables merged."""
    tables: dict[str, Abstract] = {}
    for one in call.arguments:
        if isinstance(one, (Ref, Made)):
            return one
        if isinstance(one, Table):
            tables.update(one.items)
    return Table(tables)


def _values(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`Object.values({a: b})`."""
    given = call.arguments[0] if call.arguments else text_of(None)
    return tuple(given.items.values()) if isinstance(given, Table) else given


def _entries(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    given = call.arguments[0] if call.arguments else text_of(None)
    return pairs(given, call) or given


def _keys(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    return (keys(call.arguments[0], call) if call.arguments else None) or text_of(None)


def _git(walk: Walk, call: Call, function: Abstract) -> Abstract | None:
    """`simpleGit().push(["-f"])`: git with a subcommand and its words."""
    assert isinstance(function, Ref)
    name = function.name.rpartition(".")[2]
    if not function.name.startswith("simple-git."):
        return None
    given: list[Abstract] = []
    for one in call.arguments:
        # `{"--force": null}`: options may be keys.
        given += [known(key) for key in one.items if key.startswith("-")] if isinstance(one, Table) else [one]
    if name in MODES and given and isinstance(given[0], Word) and given[0].known and given[0].text in MODES[name]:
        given[0] = known(MODES[name][given[0].text])
    walk.effects.words((known("git"), *(() if name == "raw" else (known(name),)), *given), call)
    return function.on if isinstance(function.on, Made) else text_of(None)


MODES = {
    "reset": {mode: f"--{mode}" for mode in ("hard", "soft", "mixed", "merge", "keep")},
    "clean": {"f": "-f", "n": "-n", "fd": "-fd", "fdx": "-fdx"},
}
"""First arguments of simple-git's methods -> git's options."""


def _tag(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """zx's and execa's $`command`, `$({cwd: "x"})` before one."""
    if call.arguments and isinstance(call.arguments[0], Table):
        return Ref("$")
    return VERBS["runs shell"](walk, "$", call, None, ["0"])


def _execa(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """execa`command`, `execa("program", ["a"])`."""
    first = call.arguments[0] if call.arguments else None
    line = len(call.arguments) == 1 and isinstance(first, Word) and any(character.isspace() for character in first.text)
    how, where = ("runs shell", ["0"]) if line else ("runs program", ["0", "1"])
    return VERBS[how](walk, "execa", call, None, where)


def _attribute(_walk: Walk, _call: Call, path: Abstract) -> Abstract:
    assert isinstance(path, Ref)
    owner, _, name = path.name.rpartition(".")
    if path.name in ("process.execPath", "process.argv0"):
        return known("node")
    return environment(name) if owner in ("process.env", "Bun.env", "Deno.env") and name != "get" else None


def _buffer(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`Buffer.from(text, "base64")`."""
    how = text_of(call.arguments[1]).text if len(call.arguments) > 1 else ""
    if how in ("base64", "base64url", "hex"):
        return VERBS["prints decoded"](walk, "", call, None, ["hex" if how == "hex" else "base64", "0"])
    if call.arguments and isinstance(call.arguments[0], tuple):
        return VERBS["chars"](walk, "", call, None, ["0"])
    return call.arguments[0] if call.arguments else text_of(None)


def _command(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`new Deno.Command("rm", {args: [...]})`."""
    program = call.arguments[0] if call.arguments else None
    if program is not None and not isinstance(program, Table):
        walk.effects.words((program, call.keywords.get("args", ())), call)
    elif "cmd" in call.keywords:
        walk.effects.words(call.keywords["cmd"], call)
    return text_of(None)


def _do_shell_script(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`app.doShellScript("...", {administratorPrivileges: true})` (JavaScript for Automation)."""
    if call.arguments:
        user = "root" if call.keywords.get("administratorPrivileges") is not None else ""
        walk.effects.inner.append(Inner(code=text_of(call.arguments[0]), via="shell", user=user))
    return text_of(None)


def _promisify(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    return call.arguments[0] if call.arguments else Ref("?")


DIALECT = Dialect(
    language="javascript",
    syntax=SYNTAX,
    calls=CALLS,
    attribute=(".", "?."),
    keyword=(),
    strip=("globalThis.", "window.", "global.", "self.", "process.mainModule.", "module.", "fs.promises.fs."),
    statements={
        "import": _import,
        **dict.fromkeys(("const", "{"), _declare),
        "let": _declare,
        "var": _declare,
        "function": _function,  # type: ignore[dict-item]
    },
    functions={"function": _function},
    methods=frozenset(("if", "for", "while", "switch", "catch", "with", "function", "require", "import", "super")),
    through={"call": "call 1", "apply": "list 1", "bind": "bind 1"},
    likely=LIKELY,
    within=WITHIN,
    prefixes=frozenset(
        ("return", "await", "yield", "new", "typeof", "void", "delete", "throw", "async", "else", "do", "export")
    ),
    special={
        "process.kill": killing(0),
        "attribute": _attribute,
        "require": _module,
        "import": _module,
        "process.getBuiltinModule": _module,
        "Buffer.from": _buffer,
        "Buffer": _buffer,
        "Deno.Command": _command,
        "Deno.run": _command,
        **dict.fromkeys(("util.promisify", "util.callbackify", "pify", "bluebird.promisify"), _promisify),
        **dict.fromkeys(("module._load", "module.constructor._load", "require.main.require"), _module),
        **dict.fromkeys(("module.createRequire()", "createRequire()", "process.mainModule.require"), _module),
        **dict.fromkeys(("eval", "vm.runInThisContext"), _evaluated),
        "Function": _function_of,
        **dict.fromkeys(("*.constructor", "*.constructor.constructor", "this.constructor.constructor"), _constructor),
        **dict.fromkeys(("Function.constructor", "Object.constructor", "this.constructor"), _constructor),
        **dict.fromkeys(("setTimeout", "setInterval", "setImmediate", "process.nextTick", "queueMicrotask"), _later),
        **dict.fromkeys(("Worker", "worker_threads.Worker"), _worker),
        **dict.fromkeys(("Reflect.apply", "Reflect.construct"), _reflect),
        "Object.assign": _assign,
        "Object.values": _values,
        **dict.fromkeys(("execa", "execa.execa", "execa.execaSync"), _execa),
        **dict.fromkeys(("$", "zx.$", "Bun.$", "bun.$", "execa.$"), _tag),
        "Object.entries": _entries,
        "Object.keys": _keys,
        "call": _git,
        "*.doShellScript": _do_shell_script,
        "Application.doShellScript": _do_shell_script,
        "Application.currentApplication.doShellScript": _do_shell_script,
    },
    pair=(":",),
    arrow=("=>", "->"),
    arrow_of_name=True,
    each=("for", "of"),
    called_with_text=True,
    argv=(("process.argv", 1), ("Bun.argv", 1), ("Deno.args", 0)),
)
find = reader(DIALECT)

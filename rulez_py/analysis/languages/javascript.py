"""JavaScript and TypeScript: Node, Bun, Deno, and JavaScript for Automation."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract import Call, Ref, Table, environment, text_of
from rulez_py.analysis.languages.actions import VERBS
from rulez_py.analysis.languages.engine import Dialect, Engine, reader
from rulez_py.analysis.languages.scan import TEXT, Scan, Syntax, filled, plain, regex, slashes
from rulez_py.analysis.values import Inner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.languages.abstract import Abstract

FS = {
    "unlink": "delete 0",
    "rmdir": "delete recursive 0 recursive",
    "rm": "delete recursive 0 recursive",
    "rename": "delete 0; write 1",
    "copyFile": "read 0; write 1",
    "cp": "read 0; write 1",
    "writeFile": "write 0",
    "appendFile": "write 0",
    "truncate": "write 0",
    "mkdir": "write 0",
    "chmod": "write 0",
    "chown": "write 0",
    "symlink": "write 1",
    "link": "write 1",
    "readFile": "content 0",
    "open": "open 0 1",
    "copy": "read 0; write 1",
    "move": "delete all 0; write 1",
    "remove": "delete all 0",
    "emptyDir": "delete all 0",
    "outputFile": "write 0",
    "writeJson": "write 0",
    "readJson": "content 0",
}
DENO = {
    "remove": "delete recursive 0 recursive",
    "rename": "delete 0; write 1",
    "writeTextFile": "write 0",
    "writeFile": "write 0",
    "readTextFile": "content 0",
    "readFile": "content 0",
    "copyFile": "read 0; write 1",
    "mkdir": "write 0",
    "truncate": "write 0",
}
AXIOS = ("get", "post", "put", "patch", "delete", "head")
CALLS = {
    "child_process.exec": "runs shell 0",
    "child_process.execSync": "runs shell 0",
    **dict.fromkeys(
        [f"child_process.{name}" for name in ("spawn", "spawnSync", "execFile", "execFileSync")], "runs program 0 1"
    ),
    "child_process.fork": "runs file 0",
    **dict.fromkeys(
        ("execa", "execa.execa", "execa.sync", "execa.execaSync", "cross-spawn", "cross-spawn.sync"), "runs program 0 1"
    ),
    **dict.fromkeys(
        ("execa.command", "execa.commandSync", "execa.execaCommand", "shelljs.exec", "shell.exec"), "runs shell 0"
    ),
    **dict.fromkeys(("$", "zx.$", "Bun.$", "bun.$", "execa.$"), "runs shell 0"),
    **dict.fromkeys(("Bun.spawn", "Bun.spawnSync", "bun.spawn", "bun.spawnSync"), "runs list cmd|0"),
    "shelljs.rm": "delete all 0+",
    "Bun.write": "write 0",
    "Bun.file": "content 0",
    **{
        f"{module}.{name}{end}": line
        for module in ("fs", "fs-extra")
        for name, line in FS.items()
        for end in ("", "Sync")
    },
    "fs.createWriteStream": "write 0",
    "fs.createReadStream": "content 0",
    **{f"Deno.{name}{end}": line for name, line in DENO.items() for end in ("", "Sync")},
    **dict.fromkeys(
        ("rimraf", "rimraf.sync", "rimraf.rimraf", "rimraf.rimrafSync", "del", "del.sync", "del.deleteAsync"),
        "delete all 0",
    ),
    **dict.fromkeys(
        ("eval", "Function", "execScript", "vm.runInThisContext", "vm.runInNewContext", "vm.runInContext"),
        "runs code 0",
    ),
    **dict.fromkeys(("vm.Script", "setTimeout", "setInterval", "setImmediate"), "runs code 0"),
    **dict.fromkeys(
        ("fetch", "node-fetch", "undici.fetch", "undici.request", "got", "axios", "needle", "request"), "url url|0"
    ),
    **{
        f"{client}.{name}": "url 0"
        for client in ("axios", "got", "request", "superagent", "needle", "ky")
        for name in AXIOS
    },
    **{f"{module}.{name}": "url 0; host hostname|host" for module in ("http", "https") for name in ("get", "request")},
    **dict.fromkeys(("WebSocket", "ws", "EventSource", "navigator.sendBeacon"), "url 0"),
    **dict.fromkeys(("net.connect", "net.createConnection", "tls.connect"), "host 1; host host"),
    "net.Socket": "make",
    "net.Socket.connect": "host 1; host host",
    **dict.fromkeys(("dns.lookup", "dns.resolve"), "host 0"),
    **dict.fromkeys(("path.join", "path.resolve", "path.posix.join"), "join 0+"),
    "path.dirname": "parent 0",
    **dict.fromkeys(("path.normalize", "String", "decodeURIComponent", "unescape", "URL", "Array.from"), "same 0"),
    **dict.fromkeys(("process.chdir", "Deno.chdir"), "cwd 0"),
    "os.homedir": "home",
    "atob": "prints decoded base64 0",
    "String.fromCharCode": "chars 0+",
    "Application.currentApplication": "make",
    "Application": "make",
    "net.createServer": "make",
    "Deno.env.get": "getenv 0",
    "glob.sync": "glob 0",
    "glob.globSync": "glob 0",
    "fs.globSync": "glob 0",
}
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


def _module(engine: Engine, call: Call, _on: Abstract) -> Abstract:
    """`require("fs")`, `import("fs")`; a path is a file that is run."""
    word = text_of(call.arguments[0]) if call.arguments else None
    if word is None:
        return Ref("?")
    if word.text.startswith(("./", "../", "/")):
        if not word.text.endswith(".json"):
            engine.findings.file(word, engine.language)
        return Ref("?")
    return Ref(module_name(word.text)) if word.known else Ref("?")


def module_name(text: str) -> str:
    for prefix in MODULES:
        text = text.removeprefix(prefix)
    if text in ("shelljs", "shelljs/global"):
        return "shelljs"
    return text.removesuffix("/promises")


def _import(engine: Engine) -> None:
    """`import a, {b as c} from "d"`, `import * as a from "d"`, `import("d")`, `import "d"`."""
    if engine.sign() in ("(", "."):
        engine.at -= 1
        engine.expression()
        return
    start, stop = engine.at, engine.at
    while stop < min(len(engine.tokens), start + 200) and engine.tokens[stop][0] != TEXT:
        if engine.tokens[stop][1] == ";":
            return
        stop += 1
    if stop >= len(engine.tokens) or engine.tokens[stop][0] != TEXT:
        return
    module = Ref(module_name(engine.filled(engine.tokens[stop][1]).text))
    inside = False
    while engine.at < stop:
        sign, name = engine.sign(), engine.word()
        inside = (inside or sign == "{") and sign != "}"
        engine.at += 1
        if not name or name in ("from", "type"):
            continue
        source = engine.attribute(module, name) if inside else module
        if engine.word() == "as" and engine.word(1):
            name = engine.word(1)
            engine.at += 2
        engine.variables[name if name != "as" else engine.word()] = source
    engine.at = stop + 1


def _declare(engine: Engine) -> None:
    """`const a = b`, `const {a, b: c} = d`, `const [a] = b`."""
    if engine.sign() != "{":
        return
    names: list[tuple[str, str]] = []
    engine.at += 1
    while engine.at < len(engine.tokens) and engine.sign() not in ("}", ";", "("):
        if name := engine.word():
            bound = engine.word(2) if engine.sign(1) == ":" else name
            engine.at += 2 * (engine.sign(1) == ":" and bool(bound))
            names.append((name, bound or name))
        engine.at += 1
    engine.accept("}")
    if engine.accept("="):
        value = engine.expression()
        for name, bound in names:
            engine.variables[bound] = engine.attribute(value, name)


def _function(engine: Engine) -> None:
    """`function name(a, b) {`."""
    engine.accept("*")
    name = engine.word()
    engine.at += bool(name)
    if not engine.accept("("):
        return
    call = engine.arguments_until(")")
    made = engine.function(call.arguments)
    if name:
        engine.variables[name] = made


def _attribute(_engine: Engine, _call: Call, path: Abstract) -> Abstract:
    assert isinstance(path, Ref)
    owner, _, name = path.name.rpartition(".")
    return environment(name) if owner in ("process.env", "Bun.env", "Deno.env") and name != "get" else None


def _buffer(engine: Engine, call: Call, _on: Abstract) -> Abstract:
    """`Buffer.from(text, "base64")`."""
    how = text_of(call.arguments[1]).text if len(call.arguments) > 1 else ""
    if how in ("base64", "base64url", "hex"):
        return VERBS["prints decoded"](engine, "", call, None, ["hex" if how == "hex" else "base64", "0"])
    if call.arguments and isinstance(call.arguments[0], tuple):
        return VERBS["chars"](engine, "", call, None, ["0"])
    return call.arguments[0] if call.arguments else text_of(None)


def _command(engine: Engine, call: Call, _on: Abstract) -> Abstract:
    """`new Deno.Command("rm", {args: [...]})`."""
    program = call.arguments[0] if call.arguments else None
    if program is not None and not isinstance(program, Table):
        engine.findings.words((program, call.keywords.get("args", ())), call)
    elif "cmd" in call.keywords:
        engine.findings.words(call.keywords["cmd"], call)
    return text_of(None)


def _do_shell_script(engine: Engine, call: Call, _on: Abstract) -> Abstract:
    """`app.doShellScript("...", {administratorPrivileges: true})` (JavaScript for Automation)."""
    if call.arguments:
        user = "root" if call.keywords.get("administratorPrivileges") is not None else ""
        engine.findings.inner.append(Inner(code=text_of(call.arguments[0]), via="shell", user=user))
    return text_of(None)


def _promisify(_engine: Engine, call: Call, _on: Abstract) -> Abstract:
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
        "const": _declare,
        "let": _declare,
        "var": _declare,
        "function": _function,
    },
    prefixes=frozenset(
        ("return", "await", "yield", "new", "typeof", "void", "delete", "throw", "async", "else", "do", "export")
    ),
    special={
        "attribute": _attribute,
        "require": _module,
        "import": _module,
        "process.getBuiltinModule": _module,
        "Buffer.from": _buffer,
        "Buffer": _buffer,
        "Deno.Command": _command,
        "Deno.run": _command,
        "util.promisify": _promisify,
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

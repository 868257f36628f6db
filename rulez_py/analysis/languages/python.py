"""Python."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract import UNKNOWN, Call, Made, Ref, environment, known, mapped, number, text_of
from rulez_py.analysis.languages.actions import VERBS
from rulez_py.analysis.languages.engine import Dialect, Engine, one_of, reader
from rulez_py.analysis.languages.scan import NAME, TEXT, Scan, Syntax, filled, plain, to_line_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.languages.abstract import Abstract

# What the functions do: see actions.py.
CALLS = {
    **dict.fromkeys(
        ("os.system", "posix.system", "os.popen", "os.popen2", "commands.getoutput"), "runs shell 0|cmd|command"
    ),
    **dict.fromkeys(
        ("subprocess.getoutput", "subprocess.getstatusoutput", "asyncio.create_subprocess_shell"), "runs shell 0|cmd"
    ),
    **dict.fromkeys(("os.popen3", "os.popen4", "popen2.popen2", "commands.getstatusoutput"), "runs shell 0|cmd"),
    **dict.fromkeys(
        [f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output", "Popen")], "runs process 0|args"
    ),
    **dict.fromkeys(("asyncio.create_subprocess_exec", "sh.Command"), "runs list 0+"),
    **dict.fromkeys(("os.execl", "os.execlp", "os.execle", "os.execlpe"), "runs list 1+"),
    **dict.fromkeys(("os.execv", "os.execvp", "os.execve", "os.execvpe"), "runs list 1"),
    **dict.fromkeys(("os.posix_spawn", "os.posix_spawnp"), "runs list 1"),
    **dict.fromkeys(("os.spawnl", "os.spawnlp", "os.spawnle", "os.spawnlpe"), "runs list 2+"),
    **dict.fromkeys(("os.spawnv", "os.spawnvp", "os.spawnve", "os.spawnvpe"), "runs list 2"),
    **dict.fromkeys(("pty.spawn", "pexpect.spawn", "pexpect.run", "invoke.run", "fabric.local"), "runs process 0"),
    "distutils.spawn.spawn": "runs list 0",
    **dict.fromkeys(("exec", "eval"), "runs code 0"),
    "compile": "same 0|source",
    **dict.fromkeys(("execfile", "runpy.run_path"), "runs file 0"),
    **dict.fromkeys(("__import__", "importlib.import_module"), "name 0|name"),
    **dict.fromkeys(
        ("os.remove", "os.unlink", "os.rmdir", "posix.unlink", "posix.remove", "os.removedirs"), "delete 0|path"
    ),
    **dict.fromkeys(("shutil.rmtree", "send2trash.send2trash"), "delete all 0|path"),
    **dict.fromkeys(("os.rename", "os.replace", "os.renames"), "delete 0|src; write 1|dst"),
    "shutil.move": "delete all 0|src; write 1|dst",
    **dict.fromkeys(("shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree"), "read 0|src; write 1|dst"),
    **dict.fromkeys(("os.truncate", "os.mkdir", "os.makedirs", "os.chmod", "os.chown"), "write 0|path"),
    **dict.fromkeys(("os.symlink", "os.link"), "write 1|dst"),
    "open": "open 0|file 1|mode",
    **dict.fromkeys(("codecs.open", "gzip.open", "bz2.open", "zipfile.ZipFile", "tarfile.open"), "open 0 1|mode"),
    **dict.fromkeys(("os.chdir", "contextlib.chdir"), "cwd 0|path"),
    "os.open": "open 0|path 1|flags",
    **dict.fromkeys(("zipfile.ZipFile.extractall", "tarfile.open.extractall", "*.extractall"), "write 0|path"),
    "shutil.unpack_archive": "read 0|filename; write 1|extract_dir",
    "fileinput.input": "open 0|files inplace",
    "linecache.getlines": "content 0",
    **dict.fromkeys(
        [f"requests.{name}" for name in ("get", "post", "put", "patch", "delete", "head")]
        + [f"httpx.{name}" for name in ("get", "post", "put", "patch", "delete", "head", "stream")]
        + ["urllib.request.urlopen", "urllib.request.Request", "urllib.urlopen", "urllib2.urlopen", "aiohttp.request"],
        "url 0|url",
    ),
    **dict.fromkeys(("requests.request", "httpx.request", "urllib3.request"), "url 1|url"),
    **dict.fromkeys(("requests.Session", "requests.session", "httpx.Client", "aiohttp.ClientSession"), "make"),
    **{
        f"{client}.{name}": "url 0|url"
        for client in ("requests.Session", "requests.session", "httpx.Client", "aiohttp.ClientSession")
        for name in ("get", "post", "put", "patch", "delete", "head")
    },
    "urllib3.PoolManager": "make",
    "urllib3.PoolManager.request": "url 1|url",
    "urllib.request.urlretrieve": "url 0|url; write 1|filename",
    "urllib.urlretrieve": "url 0|url; write 1|filename",
    "wget.download": "url 0; write 1|out",
    **dict.fromkeys(("socket.socket", "paramiko.SSHClient"), "make"),
    "socket.socket.connect": "host 0",
    "socket.socket.connect_ex": "host 0",
    "socket.socket.sendto": "host 1",
    "socket.create_connection": "host 0|address",
    "paramiko.SSHClient.connect": "host 0|hostname",
    **dict.fromkeys(
        ("http.client.HTTPConnection", "http.client.HTTPSConnection", "httplib.HTTPConnection"), "host 0|host"
    ),
    **dict.fromkeys(("smtplib.SMTP", "smtplib.SMTP_SSL", "ftplib.FTP", "telnetlib.Telnet"), "host 0|host"),
    **dict.fromkeys(("asyncio.open_connection", "socket.gethostbyname"), "host 0|host"),
    **dict.fromkeys(("pathlib.Path", "pathlib.PosixPath", "pathlib.PurePath"), "made pathlib.Path join 0+"),
    "pathlib.Path.home": "made pathlib.Path home",
    "pathlib.Path.cwd": "made pathlib.Path same 0",
    "pathlib.Path.joinpath": "made pathlib.Path join self 0+",
    **dict.fromkeys(("pathlib.Path.resolve", "pathlib.Path.absolute"), "made pathlib.Path same self"),
    "pathlib.Path.expanduser": "made pathlib.Path expand self",
    "pathlib.Path.glob": "made pathlib.Path glob self 0",
    "pathlib.Path.rglob": "made pathlib.Path glob self 0",
    "pathlib.Path.iterdir": "made pathlib.Path under self",
    **dict.fromkeys(("pathlib.Path.unlink", "pathlib.Path.rmdir"), "delete self"),
    **dict.fromkeys(("pathlib.Path.rename", "pathlib.Path.replace"), "delete self; write 0; made pathlib.Path same 0"),
    **dict.fromkeys(("pathlib.Path.write_text", "pathlib.Path.write_bytes"), "write self"),
    **dict.fromkeys(("pathlib.Path.touch", "pathlib.Path.mkdir", "pathlib.Path.chmod"), "write self"),
    **dict.fromkeys(("pathlib.Path.symlink_to", "pathlib.Path.hardlink_to"), "write self"),
    **dict.fromkeys(("pathlib.Path.read_text", "pathlib.Path.read_bytes"), "content self"),
    "pathlib.Path.open": "open self 0|mode",
    "os.path.join": "join 0+",
    "os.path.expanduser": "expand 0",
    **dict.fromkeys(("os.path.abspath", "os.path.realpath", "os.path.normpath", "os.fspath"), "same 0"),
    "os.path.dirname": "parent 0",
    **dict.fromkeys(("os.getenv", "os.environ.get", "os.environb.get"), "getenv 0"),
    **dict.fromkeys(("glob.glob", "glob.iglob"), "glob 0"),
    **dict.fromkeys(("str", "shlex.quote", "pipes.quote", "list", "tuple"), "same 0"),
    **dict.fromkeys(("sorted", "set", "iter", "textwrap.dedent", "zlib.decompress", "gzip.decompress"), "same 0"),
    **dict.fromkeys(("base64.b64decode", "base64.urlsafe_b64decode", "base64.decodebytes"), "prints decoded base64 0"),
    **dict.fromkeys(("base64.standard_b64decode", "binascii.a2b_base64"), "prints decoded base64 0"),
    **dict.fromkeys(
        ("bytes.fromhex", "binascii.unhexlify", "bytearray.fromhex", "binascii.a2b_hex"), "prints decoded hex 0"
    ),
    **dict.fromkeys(("globals", "locals", "vars"), "made ? same 0"),
    "chr": "chars 0+",
    "os.walk": "make",
    "*.fromhex": "prints decoded hex 0",
}
DECODERS = {"base64": "base64", "hex": "hex", "hex_codec": "hex"}


def _string(scan: Scan, i: int) -> int:
    """A string, with any prefix; 0 where no string begins."""
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
    """A line that goes on in the next."""
    after = i + 1 + scan.text.startswith("\r", i + 1)
    return after + 1 if scan.text.startswith("\n", after) else 0


SYNTAX = Syntax({**dict.fromkeys("'\"rRbBfFuUtT", _string), "#": to_line_end, "\\": _continued}, lines=True)


def _import(engine: Engine) -> None:
    """`import a.b as c, d`."""
    while engine.word():
        path = _path(engine)
        if engine.word() == "as":
            engine.at += 1
            engine.variables[engine.word()] = Ref(path)
            engine.at += 1
        else:
            engine.variables.pop(path.partition(".")[0], None)
        if not engine.accept(","):
            return


def _path(engine: Engine) -> str:
    names = [engine.word()]
    engine.at += 1
    while engine.sign() == "." and engine.word(1):
        names.append(engine.word(1))
        engine.at += 2
    return ".".join(names)


def _from(engine: Engine) -> None:
    """`from a import b as c, d`."""
    module = _path(engine)
    if engine.word() != "import":
        return
    engine.at += 1
    bracket = engine.accept("(")
    while engine.at < len(engine.tokens):
        name = engine.word()
        if engine.accept("*"):
            for call in CALLS:
                owner, _, short = call.rpartition(".")
                if owner == module:
                    engine.variables[short] = Ref(call)
        if not name:
            break
        engine.at += 1
        bound = name
        if engine.word() == "as":
            bound = engine.word(1)
            engine.at += 2
        engine.variables[bound] = engine.attribute(Ref(module), name)
        if not engine.accept(","):
            break
        if bracket:
            engine.lines()


def _def(engine: Engine) -> None:
    """`def name(a, b=1):`."""
    name = engine.word()
    engine.at += 1
    if not engine.accept("("):
        return
    names: list[str] = []
    start = True
    while engine.at < len(engine.tokens) and engine.sign() != ")":
        if engine.tokens[engine.at][0] == NAME and start:
            names.append(engine.word())
            start = False
        if engine.sign() == ",":
            start = True
        if engine.accept("="):
            engine.learn(names[-1] if names else "", engine.expression())
            continue
        engine.at += 1
    engine.variables[name] = engine.function(tuple(names))


def _class(engine: Engine) -> None:
    engine.at += 1


def _for(engine: Engine) -> None:
    engine._each(None)


def _attribute(_engine: Engine, _call: Call, path: Abstract) -> Abstract:
    """Values that are no calls: the environment, a path's parent."""
    assert isinstance(path, Ref)
    owner, _, name = path.name.rpartition(".")
    if (
        owner == "os.environ"
        and path.name not in CALLS
        and name not in ("copy", "items", "update", "pop", "setdefault")
    ):
        return environment(name)
    if owner == "?":
        return _engine.value_of(name)
    if isinstance(path.on, Made) and owner == "pathlib.Path" and name == "parent":
        return Made(owner, Call([mapped(text_of(path.on), lambda text: text.rpartition("/")[0] or ".")], {}))
    if path.name == "os.sep":
        return known("/")
    return None


def _getattr(engine: Engine, call: Call, _on: Abstract) -> Abstract:
    name = text_of(call.arguments[1]) if len(call.arguments) > 1 else None
    return engine.attribute(call.arguments[0], name.text) if name is not None and name.known else Ref("?")


def _decode(engine: Engine, call: Call, on: Abstract) -> Abstract:
    """`codecs.decode(text, "base64")`."""
    how = text_of(call.arguments[1]) if len(call.arguments) > 1 else None
    if how is not None and how.text in DECODERS:
        return VERBS["prints decoded"](engine, "", call, on, [DECODERS[how.text], "0"])
    if how is not None and how.text in ("rot13", "rot_13"):
        return mapped(call.arguments[0], _rot13)
    return call.arguments[0] if call.arguments else text_of(None)


def _bytes(_engine: Engine, call: Call, _on: Abstract) -> Abstract:
    value = call.arguments[0] if call.arguments else None
    codes = [number(one) for one in value] if isinstance(value, tuple) else []
    return known("".join(chr(code or 0) for code in codes)) if codes and None not in codes else text_of(value)


def _map(engine: Engine, call: Call, _on: Abstract) -> Abstract:
    """`map(os.remove, names)`."""
    if len(call.arguments) > 1:
        engine.call(call.arguments[0], Call([one_of(call.arguments[1])], {}))
    return UNKNOWN


def _rot13(text: str) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz"
    turned = letters[13:] + letters[:13]
    return text.translate(str.maketrans(letters + letters.upper(), turned + turned.upper()))


DIALECT = Dialect(
    language="python",
    syntax=SYNTAX,
    calls=CALLS,
    keyword=("=",),
    strip=("builtins.", "__builtins__.", "sys.modules.", "io."),
    statements={"import": _import, "from": _from, "def": _def, "class": _class, "for": _for},
    prefixes=frozenset(
        (
            *("return", "await", "yield", "not", "if", "elif", "while", "with", "assert", "raise", "del", "lambda"),
            *("async", "else", "try", "finally", "global", "nonlocal", "print"),
        )
    ),
    special={
        "attribute": _attribute,
        "getattr": _getattr,
        "codecs.decode": _decode,
        "bytes": _bytes,
        "bytearray": _bytes,
        "map": _map,
    },
    path_sign="/",
    indented=True,
    each=("for", "of"),
    neighbours=True,
    argv=(("sys.argv", 1),),
)
find = reader(DIALECT)

"""Python."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract import (
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
    truthy,
)
from rulez_py.analysis.languages.actions import LIBC, VERBS, perform
from rulez_py.analysis.languages.dialect import Dialect
from rulez_py.analysis.languages.engine import reader
from rulez_py.analysis.languages.findings import content
from rulez_py.analysis.languages.functions import handed_on
from rulez_py.analysis.languages.methods import one_of
from rulez_py.analysis.languages.parameters import STARS
from rulez_py.analysis.languages.scan import NAME, TEXT, Scan, Syntax, filled, plain, to_line_end
from rulez_py.analysis.languages.seeking import kill_found, killing
from rulez_py.analysis.values import CODE, INTERPRETER, READ, Inner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rulez_py.analysis.languages.abstract import Abstract, Function
    from rulez_py.analysis.languages.dialect import Walk

# What the functions do: see actions.py.
CONNECTIONS = (
    *("http.client.HTTPConnection", "http.client.HTTPSConnection", "httplib.HTTPConnection", "httplib.HTTPSConnection"),
    *("smtplib.SMTP", "smtplib.SMTP_SSL", "ftplib.FTP", "ftplib.FTP_TLS", "telnetlib.Telnet", "poplib.POP3"),
)
SENDING = (
    *(
        "request",
        "send",
        "sendall",
        "sendto",
        "sendfile",
        "sendmail",
        "send_message",
        "storbinary",
        "storlines",
        "write",
    ),
)
CALLS = {
    **dict.fromkeys(
        ("os.system", "posix.system", "os.popen", "os.popen2", "commands.getoutput"), "runs shell 0|cmd|command"
    ),
    **dict.fromkeys(
        (
            *("subprocess.getoutput", "subprocess.getstatusoutput", "asyncio.create_subprocess_shell"),
            *(
                "asyncio.subprocess.create_subprocess_shell",
                "platform.popen",
                "os.startfile",
                "delegator.run",
                "envoy.run",
            ),
            *("fabric.Connection.local", "nt.system", "delegator.chain"),
        ),
        "runs shell 0|cmd|command",
    ),
    **dict.fromkeys(("subprocess.list2cmdline", "sqlalchemy.text", "sqlalchemy.sql.text"), "same 0"),
    **dict.fromkeys(("psycopg.sql.SQL", "psycopg2.sql.SQL"), "same 0"),
    **dict.fromkeys(("os.popen3", "os.popen4", "popen2.popen2", "commands.getstatusoutput"), "runs shell 0|cmd"),
    **dict.fromkeys(
        [f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output", "Popen")], "runs process 0|args"
    ),
    **dict.fromkeys(("asyncio.create_subprocess_exec", "asyncio.subprocess.create_subprocess_exec"), "runs list 0+"),
    **dict.fromkeys(("sh.Command", "plumbum.local.get", "git.Git", "git.cmd.Git", "git.Repo"), "make"),
    **dict.fromkeys(("psutil.Popen", "trio.run_process", "trio.lowlevel.open_process"), "runs process 0|args|command"),
    **dict.fromkeys(("anyio.run_process", "anyio.open_process", "trio.open_process"), "runs process 0|command"),
    **dict.fromkeys(("ptyprocess.PtyProcess.spawn", "ptyprocess.PtyProcessUnicode.spawn"), "runs process 0"),
    **dict.fromkeys(("pexpect.popen_spawn.PopenSpawn", "pexpect.spawnu", "pexpect.runu"), "runs process 0"),
    **dict.fromkeys(("webbrowser.GenericBrowser", "webbrowser.BackgroundBrowser", "webbrowser.get"), "runs process 0"),
    "twisted.internet.utils.getProcessOutput": "runs program 0 1",
    "twisted.internet.utils.getProcessValue": "runs program 0 1",
    **dict.fromkeys(("invoke.Context", "invoke.context.Context", "fabric.Connection", "fabric2.Connection"), "make"),
    **dict.fromkeys(("nox.Session", "cffi.FFI", "tkinter.Tcl", "tkinter.Tk", "code.InteractiveInterpreter"), "make"),
    **dict.fromkeys(("invoke.Context.run", "invoke.context.Context.run", "invoke.Context.sudo"), "runs shell 0"),
    **dict.fromkeys(("get_ipython", "IPython.get_ipython", "code.InteractiveConsole", "timeit.Timer"), "make"),
    **{
        f"{owner}.{name}": line
        for owner in ("get_ipython", "IPython.get_ipython")
        for name, line in (("system", "runs shell 0"), ("getoutput", "runs shell 0"), ("run_cell", "runs code 0"))
    },
    **{
        f"code.{owner}.{name}": "runs code 0"
        for owner in ("InteractiveInterpreter", "InteractiveConsole")
        for name in ("runsource", "runcode", "push")
    },
    **dict.fromkeys(("timeit.timeit", "timeit.repeat"), "runs code 0|stmt; runs code 1|setup"),
    "timeit.Timer": "runs code 0|stmt; runs code 1|setup",
    **dict.fromkeys(
        (
            "cProfile.run",
            "cProfile.runctx",
            "profile.run",
            "profile.runctx",
            "pdb.run",
            "pdb.runeval",
            "trace.Trace.run",
        ),
        "runs code 0",
    ),
    **dict.fromkeys(("bdb.Bdb.run", "doctest.debug_src", "trace.Trace.runctx"), "runs code 0"),
    **dict.fromkeys(("trace.Trace", "bdb.Bdb", "cProfile.Profile", "profile.Profile", "pdb.Pdb"), "make"),
    **dict.fromkeys(("cProfile.Profile.run", "cProfile.Profile.runctx", "pdb.Pdb.run"), "runs code 0"),
    "types.FunctionType": "runs code 0",
    **dict.fromkeys(("imp.load_source", "importlib.util.spec_from_file_location"), "runs file 1"),
    "importlib.machinery.SourceFileLoader": "runs file 1",
    "reversed": "reverse 0",
    **dict.fromkeys(("ctypes.CDLL", "ctypes.PyDLL", "ctypes.cdll.LoadLibrary", "cffi.FFI.dlopen"), "make"),
    **dict.fromkeys(("git.Repo.remote", "git.Repo.create_remote", "git.Repo.submodule", "git.Repo.init"), "make"),
    **dict.fromkeys(
        (
            "fabric.Connection.run",
            "fabric.Connection.sudo",
            "fabric2.Connection.run",
            "paramiko.SSHClient.exec_command",
        ),
        "runs shell there 0|command",
    ),
    **dict.fromkeys(("asyncio.run", "asyncio.ensure_future", "asyncio.create_task", "iter"), "same 0"),
    "shutil.which": "same 0|cmd",
    "sys.modules.get": "name 0",
    **dict.fromkeys(("os.execl", "os.execlp", "os.execle", "os.execlpe"), "runs list 1+"),
    **dict.fromkeys(("os.execv", "os.execvp", "os.execve", "os.execvpe"), "runs list 1"),
    **dict.fromkeys(("os.posix_spawn", "os.posix_spawnp"), "runs list 1"),
    **dict.fromkeys(("os.spawnl", "os.spawnlp", "os.spawnle", "os.spawnlpe"), "runs list 2+"),
    **dict.fromkeys(("os.spawnv", "os.spawnvp", "os.spawnve", "os.spawnvpe"), "runs list 2"),
    **dict.fromkeys(("pty.spawn", "pexpect.spawn", "pexpect.run", "invoke.run", "fabric.local"), "runs process 0"),
    "distutils.spawn.spawn": "runs list 0",
    "exec": "runs code 0",
    "compile": "same 0|source",
    **dict.fromkeys(("execfile", "runpy.run_path"), "runs file 0"),
    "runpy.run_module": "runs module 0|mod_name",
    **dict.fromkeys([f"rulez_py.cli.{name}" for name in ("cli", "main", "cli.main")], "runs rulez 0|args"),
    **dict.fromkeys(("__import__", "importlib.import_module", "importlib.__import__"), "name 0|name"),
    **dict.fromkeys(
        ("os.remove", "os.unlink", "os.rmdir", "posix.unlink", "posix.remove", "os.removedirs"), "delete 0|path"
    ),
    **dict.fromkeys(("shutil.rmtree", "send2trash.send2trash", "aiofiles.os.removedirs"), "delete all 0|path"),
    **dict.fromkeys(
        ("aiofiles.os.remove", "aiofiles.os.unlink", "aiofiles.os.rmdir", "os.remove_file"), "delete 0|path"
    ),
    **dict.fromkeys(
        [f"{module}.dir_util.remove_tree" for module in ("distutils", "setuptools._distutils")],
        "delete all 0|directory",
    ),
    **{
        f"{module}.file_util.{name}": line
        for module in ("distutils", "setuptools._distutils")
        for name, line in (("copy_file", "read 0|src; write 1|dst"), ("move_file", "delete 0|src; write 1|dst"))
    },
    **dict.fromkeys(("FileIO", "aiofiles.open", "lzma.open", "shelve.open", "dbm.open"), "open 0|file 1|mode"),
    **dict.fromkeys(("os.rename", "os.replace", "os.renames"), "delete 0|src; write 1|dst"),
    "shutil.move": "delete all 0|src; write 1|dst",
    **dict.fromkeys(("shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree"), "read 0|src; write 1|dst"),
    **dict.fromkeys(("os.truncate", "os.mkdir", "os.makedirs", "os.chmod", "os.chown"), "write 0|path"),
    **dict.fromkeys(("os.symlink", "os.link"), "links 0|src 1|dst"),
    **dict.fromkeys(("os.listdir", "os.scandir"), "found 0|path"),
    "open": "open 0|file 1|mode",
    **dict.fromkeys(("codecs.open", "gzip.open", "bz2.open", "zipfile.ZipFile", "tarfile.open"), "open 0 1|mode"),
    **dict.fromkeys(("os.chdir", "contextlib.chdir"), "cwd 0|path"),
    "os.open": "open 0|path 1|flags",
    **dict.fromkeys(("zipfile.ZipFile.extractall", "tarfile.open.extractall", "*.extractall"), "write 0|path"),
    "shutil.unpack_archive": "read 0|filename; write 1|extract_dir",
    "fileinput.input": "open 0|files inplace; read 0|files",
    **dict.fromkeys(
        ("configparser.ConfigParser", "configparser.RawConfigParser", "configparser.SafeConfigParser"), "make"
    ),
    **dict.fromkeys(
        [f"configparser.{name}.read" for name in ("ConfigParser", "RawConfigParser")],
        "read 0|filenames",
    ),
    **dict.fromkeys(("netrc.netrc", "tokenize.open"), "read 0|file"),
    **dict.fromkeys(("pandas.read_csv", "pandas.read_table", "numpy.loadtxt", "numpy.genfromtxt"), "read 0"),
    **dict.fromkeys(
        ("decouple.RepositoryEnv", "environ.Env.read_env", "tomllib.load", "envparse.Env.read_envfile"), "read 0"
    ),
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
    "socket.create_connection": "host 0|address; make",
    "paramiko.SSHClient.connect": "host 0|hostname",
    **dict.fromkeys(CONNECTIONS, "host 0|host; make"),
    **{f"{client}.{name}": "data 0+" for client in CONNECTIONS for name in SENDING},
    **{f"socket.{client}.{name}": "data 0+" for client in ("socket", "create_connection") for name in SENDING},
    **dict.fromkeys(
        ("websocket.create_connection", "websockets.connect", "websockets.sync.client.connect"), "url 0; make"
    ),
    **{f"{client}.send": "data 0+" for client in ("websocket.create_connection", "websockets.sync.client.connect")},
    **dict.fromkeys(("asyncio.open_connection", "socket.gethostbyname"), "host 0|host"),
    **dict.fromkeys(("pathlib.Path", "pathlib.PosixPath", "pathlib.PurePath"), "made pathlib.Path join 0+"),
    "pathlib.Path.home": "made pathlib.Path home",
    "pathlib.Path.cwd": "made pathlib.Path here",
    **dict.fromkeys(("os.getcwd", "os.getcwdb", "posix.getcwd"), "here"),
    "pathlib.Path.joinpath": "made pathlib.Path join self 0+",
    **dict.fromkeys(("pathlib.Path.resolve", "pathlib.Path.absolute"), "made pathlib.Path same self"),
    "pathlib.Path.expanduser": "made pathlib.Path expand self",
    "pathlib.Path.glob": "made pathlib.Path glob self 0",
    "pathlib.Path.rglob": "made pathlib.Path found self 0",
    "pathlib.Path.iterdir": "made pathlib.Path found self",
    **dict.fromkeys(("pathlib.Path.unlink", "pathlib.Path.rmdir"), "delete self"),
    **dict.fromkeys(("pathlib.Path.rename", "pathlib.Path.replace"), "delete self; write 0; made pathlib.Path same 0"),
    **dict.fromkeys(("pathlib.Path.write_text", "pathlib.Path.write_bytes"), "write self"),
    **dict.fromkeys(("pathlib.Path.touch", "pathlib.Path.mkdir", "pathlib.Path.chmod"), "write self"),
    **dict.fromkeys(("pathlib.Path.symlink_to", "pathlib.Path.hardlink_to"), "links 0|target self"),
    **dict.fromkeys(("pathlib.Path.read_text", "pathlib.Path.read_bytes"), "content self"),
    "pathlib.Path.open": "open self 0|mode",
    "os.path.join": "join 0+",
    "os.path.expanduser": "expand 0",
    **dict.fromkeys(("os.path.abspath", "os.path.realpath", "os.path.normpath", "os.fspath"), "same 0"),
    "os.path.dirname": "parent 0",
    "os.environb.get": "getenv 0",
    **dict.fromkeys(("glob.glob", "glob.iglob"), "glob 0"),
    **dict.fromkeys(("str", "shlex.quote", "pipes.quote", "list", "tuple"), "same 0"),
    **dict.fromkeys(("sorted", "set", "iter", "textwrap.dedent", "zlib.decompress", "gzip.decompress"), "same 0"),
    **dict.fromkeys(("base64.b64decode", "base64.urlsafe_b64decode", "base64.decodebytes"), "prints decoded base64 0"),
    **dict.fromkeys(("base64.standard_b64decode", "binascii.a2b_base64"), "prints decoded base64 0"),
    **dict.fromkeys(
        ("bytes.fromhex", "binascii.unhexlify", "bytearray.fromhex", "binascii.a2b_hex"), "prints decoded hex 0"
    ),
    **dict.fromkeys(("globals", "locals"), "made ? same 0"),
    "chr": "chars 0+",
    **dict.fromkeys(("os.walk", "psutil.process_iter"), "make"),
    **dict.fromkeys(("operator.methodcaller", "operator.attrgetter", "operator.itemgetter"), "make"),
    "string.Template": "make",
    "*.fromhex": "prints decoded hex 0",
}
DECODERS = {"base64": "base64", "hex": "hex", "hex_codec": "hex"}


def _string(scan: Scan, i: int) -> int:
    """Return a string, with any prefix; 0 where no string begins."""
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
    """Return a line that goes on in the next."""
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
    while walk.here.sign() == "." and walk.here.word(1):
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
    name = walk.here.word()
    walk.here.at += 1
    if not walk.here.accept("("):
        return
    names: list[str] = []
    start, star = True, ""
    while walk.here.at < len(walk.here.tokens) and walk.here.sign() != ")":
        if walk.here.tokens[walk.here.at][0] == NAME and start:
            names.append(star + walk.here.word())
            start = False
        star = STARS.get(walk.here.sign(), "")
        if walk.here.sign() == ",":
            start = True
        if walk.here.accept("="):
            walk.scope.learn(names[-1] if names else "", walk.expressions.expression())
            continue
        walk.here.at += 1
    walk.scope.variables[name] = walk.definitions.function(tuple(names))


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
    """Values that are no calls: the environment, a path's parent."""
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
    """Return a call that gives where a library keeps its copy of a program."""
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
    while walk.here.at < len(walk.here.tokens) and walk.here.sign() != ":":
        if walk.here.accept("="):
            walk.scope.learn(names[-1] if names else "", walk.expressions.expression())
            continue
        names += [STARS.get(walk.here.sign(-1), "") + walk.here.word()] if walk.here.word() else []
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
    """`map(function, list)`: what the function gives for each."""
    given = handed_on(walk.calls, "map", call, None)
    return UNKNOWN if given is None else given


def _enumerated(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`enumerate(list)`: pairs of a number and a thing."""
    value = call.arguments[0] if call.arguments else UNKNOWN
    if isinstance(value, tuple):
        return tuple((Ref(str(at)), one) for at, one in enumerate(value))
    return ((UNKNOWN, one_of(value)),)


def _zipped(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`zip(list, other)`: what stands at the same place; any of each where that is not known."""
    lists = call.arguments
    if lists and all(isinstance(one, tuple) for one in lists):
        return tuple(zip(*lists, strict=False))
    return (tuple(one_of(one) for one in lists),)


def _vars(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    return call.arguments[0] if call.arguments else Made("?", call)


def _interact(walk: Walk, _call: Call, _on: Abstract) -> Abstract:
    """`code.interact()`: standard input is code."""
    walk.findings.inner.append(Inner(stdin=True, language="python", via=INTERPRETER))
    return UNKNOWN


def _next(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    return one_of(call.arguments[0]) if call.arguments else UNKNOWN


def _words(_walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`shlex.split(text)`: a text without quotes is split; a process is given the others as they are."""
    text = text_of(call.arguments[0]) if call.arguments else UNKNOWN
    if text.known and not any(mark in text.text for mark in "'\"\\"):
        return tuple(known(part) for part in text.text.split())
    return text


def _dotenv(walk: Walk, call: Call, _on: Abstract) -> Abstract:
    """`dotenv.dotenv_values()`: what is in `.env`."""
    given = call.arguments[0] if call.arguments else call.keywords.get("dotenv_path", known(".env"))
    walk.findings.touch(given, READ)
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
    """`eval(code)`: what it does, and what it gives."""
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
    """`pickle.loads(data)`, `yaml.unsafe_load(text)`: calls what the text names, with what stands in it."""
    text = text_of(call.arguments[0]) if call.arguments else UNKNOWN
    if text.known and any(name in text.text for name in PICKLED):
        walk.findings.opaque = walk.findings.opaque or CODE
        for part in text.text.replace('"', "'").split("'")[1::2]:
            walk.findings.shell(known(part))
    return UNKNOWN


def _yaml(walk: Walk, call: Call, on: Abstract) -> Abstract:
    loader = call.keywords.get("Loader", call.arguments[1] if len(call.arguments) > 1 else None)
    safe = loader is None or (isinstance(loader, Ref) and "Safe" in loader.name)
    return UNKNOWN if safe else _unpickled(walk, call, on)


# Modules whose functions are programs: `sh.git("push")`, `sh.git.push()`.
PROGRAMS = ("sh.", "plumbum.cmd.", "plumbum.local.")
OPTIONS_OF_SH = ("bake", "_")


def _call(walk: Walk, call: Call, function: Abstract) -> Abstract | None:
    """Calls without an entry: programs that are functions (sh, plumbum), git as an object, functions of C's library."""
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
    if name.startswith("git.Repo.") and last in ("push", "reset", "clean", "delete_head", "delete_tag"):
        return _of_repository(walk, last, call)
    return None


def _of_repository(walk: Walk, method: str, call: Call) -> Abstract:
    """`repo.remote().push("main", force=True)`, `repo.delete_head("x")`: the method is git's own command."""
    if method.startswith("delete_"):
        words = (known("branch"), known("-D")) if method == "delete_head" else (known("tag"), known("-d"))
        walk.findings.words((known("git"), *words, *call.arguments))
        return UNKNOWN
    if (
        method == "push"
        and (refs := call.keywords.pop("refspec", None) or (call.arguments[:1] or [None])[0]) is not None
    ):
        # The remote is what it is a method of; only what is pushed is an argument.
        call = Call([known("origin"), refs], call.keywords)
    return _program(walk, ["git", method], call)


def _has_tasks(walk: Walk) -> bool:
    """Tell whether the code declares tasks, whose context runs commands (invoke, fabric)."""
    task = walk.scope.variables.get("task")
    return isinstance(task, Ref) and task.name in ("invoke.task", "fabric.task", "fabric2.task")


def _program(walk: Walk, words: list[str], call: Call) -> Abstract:
    """Return a program that is called as a function: its options are keywords, too."""
    given: list[Abstract] = [known(word.replace("_", "-") if at else word) for at, word in enumerate(words)]
    given += call.arguments
    for name, value in call.keywords.items():
        if name.startswith("_") or not truthy(value):
            continue
        dashes = "-" if len(name) == 1 else "--"
        given.append(known(dashes + name.replace("_", "-")))
        given += [] if isinstance(value, Ref) and value.name == "True" else [value]
    walk.findings.words(tuple(given), call)
    return UNKNOWN


LIKELY = {
    **dict.fromkeys(("system", "popen", "getoutput", "getstatusoutput", "create_subprocess_shell"), "runs shell 0"),
    **dict.fromkeys(("check_output", "check_call", "Popen"), "runs process 0|args"),
    **dict.fromkeys(("execv", "execvp", "execve", "posix_spawn", "posix_spawnp"), "runs list 1"),
    **dict.fromkeys(("execl", "execlp"), "runs list 1+"),
    **dict.fromkeys(("rmtree", "removedirs", "remove_tree"), "delete all 0"),
    "unlink": "delete 0",
}
"""What methods of these names do wherever nobody knows what they belong to."""
DIALECT = Dialect(
    language="python",
    syntax=SYNTAX,
    calls=CALLS,
    keyword=("=",),
    strip=("builtins.", "__builtins__.", "sys.modules.", "io.", "gevent.", "eventlet.green."),
    likely=LIKELY,
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
    path_sign="/",
    indented=True,
    each=("for", "of"),
    neighbours=True,
    argv=(("sys.argv", 1),),
)
find = reader(DIALECT)

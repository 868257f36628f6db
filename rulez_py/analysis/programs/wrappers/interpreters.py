"""Interpreters of other languages: code in an option, a file, or standard input.

From their manuals; python, node, perl, mawk and psql compared with what `--help` prints.
"""

from __future__ import annotations

from rulez_py.analysis.programs.wrappers import parts
from rulez_py.analysis.programs.wrappers.spec import Scan, Spec, each, scan
from rulez_py.analysis.record import Value
from rulez_py.analysis.values import INTERPRETER, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Interpreter(Value):
    """How an interpreter is given its code.

    `code` are the options that hold some, joined by line ends; `last` those behind which no option follows. `file` are
    options that name a file, `spec` has all others. Without any, the first operand is a file or, with `first`, code.
    `reads` says that without an operand standard input is code. `below` are subcommands, None for one that runs nothing
    of ours. `also` says that the first operand is a file even where an option held code.
    """

    language: str
    code: str = ""
    last: str = ""
    file: str = ""
    spec: Spec = Spec()
    first: bool = False
    reads: bool = True
    also: bool = False
    below: Mapping[str, Interpreter | None] | None = None


PYTHON = Interpreter(
    language="python",
    code="-c",
    last="-c -m",
    spec=Spec(values="-W -X -Q --check-hash-based-pycs", nothing="-V --version -h --help -? --help-all", exact=True),
)
NODE_VALUES = (
    "-r --require --import -C --conditions --loader --experimental-loader --env-file --env-file-if-exists "
    "--input-type --title --inspect-port --debug-port --diagnostic-dir --icu-data-dir --redirect-warnings "
    "--unhandled-rejections --cpu-prof-dir --heap-prof-dir --trace-event-categories "
    "--experimental-default-type --disable-warning --openssl-config --stack-trace-limit "
    "--max-http-header-size --dns-result-order --tls-cipher-list --experimental-config-file --run"
)
NODE = Interpreter(
    language="javascript",
    code="-e --eval -p --print -pe",
    spec=Spec(
        values=NODE_VALUES, nothing="-c --check -v --version -h --help --completion-bash --v8-options", exact=True
    ),
    below={"inspect": Interpreter(language="javascript")},
)
TYPESCRIPT = Interpreter(
    language="javascript",
    code="-e --eval -p --print -pe",
    spec=Spec(values=f"{NODE_VALUES} -P --project -O --compiler-options --tsconfig --cwd -I --ignore", exact=True),
    below={"watch": Interpreter(language="javascript")},
)
BUN_FILE = Interpreter(
    language="javascript",
    code="-e --eval -p --print",
    spec=Spec(
        values="-r --preload --require --import -c --config --cwd --env-file --port --conditions --tsconfig-override "
        "--define -d --loader -l --install --shell --filter -F --title",
        nothing="-v --version --revision -h --help",
        exact=True,
    ),
    reads=False,
)
BUN = BUN_FILE.replace(
    below={
        "run": BUN_FILE,
        **dict.fromkeys(
            (
                *(
                    "install",
                    "i",
                    "add",
                    "a",
                    "remove",
                    "rm",
                    "update",
                    "outdated",
                    "link",
                    "unlink",
                    "publish",
                    "patch",
                ),
                *("pm", "build", "init", "create", "c", "upgrade", "test", "repl", "x", "exec", "audit", "info", "why"),
            )
        ),
    }
)
DENO_SPEC = Spec(
    values="-c --config --import-map --cert --ext --location --seed --v8-flags -L --log-level",
    attached="--lock --env-file",
    flags="-A --allow-all -R --allow-read -W --allow-write -N --allow-net -E --allow-env -S --allow-sys --allow-run "
    "--allow-ffi --allow-hrtime --allow-import -I --deny-read --deny-write --deny-net --deny-env --deny-sys --deny-run "
    "--deny-ffi --no-prompt --no-check --check --watch --watch-hmr --no-clear-screen -r --reload -q --quiet --unstable "
    "--cached-only --no-lock --no-remote --no-npm --no-config --inspect --inspect-brk --inspect-wait "
    "--node-modules-dir --frozen --vendor --no-code-cache --unstable-kv --unstable-ffi --unstable-worker-options "
    "--unstable-cron --unstable-temporal --unstable-net --unstable-http --unstable-webgpu "
    "--unstable-bare-node-builtins "
    "--unstable-byonm --unstable-sloppy-imports -p --print",
    nothing="-h --help -V --version",
    exact=True,
)
DENO_FILE = Interpreter(language="javascript", spec=DENO_SPEC)
DENO = Interpreter(
    language="javascript",
    spec=DENO_SPEC,
    reads=False,
    below={
        "eval": Interpreter(language="javascript", spec=DENO_SPEC, first=True, reads=False),
        "run": DENO_FILE,
        "serve": DENO_FILE,
        "repl": Interpreter(language="javascript", code="--eval", file="--eval-file", spec=DENO_SPEC),
        **dict.fromkeys(
            (
                *(
                    "fmt",
                    "lint",
                    "check",
                    "test",
                    "bench",
                    "cache",
                    "info",
                    "install",
                    "uninstall",
                    "add",
                    "remove",
                    "task",
                ),
                *(
                    "compile",
                    "doc",
                    "upgrade",
                    "types",
                    "init",
                    "coverage",
                    "publish",
                    "jupyter",
                    "lsp",
                    "vendor",
                    "bundle",
                ),
            )
        ),
    },
)
PERL = Interpreter(
    language="perl",
    code="-e -E",
    spec=Spec(values="-I", attached="-C -d -D -F -i -m -M -V -x", nothing="-v -h -c", exact=True),
)
RUBY = Interpreter(
    language="ruby",
    code="-e",
    spec=Spec(
        values="-I -r -C -E --encoding --external-encoding --internal-encoding --require",
        attached="-F -i -K -T -W -x",
        nothing="-c --version -h --help",
        exact=True,
    ),
)
PHP = Interpreter(
    language="php",
    code="-r --run -B --process-begin -R --process-code -E --process-end",
    file="-f --file -F --process-file",
    spec=Spec(
        values="-c --php-ini -d --define -z --zend-extension -S --server -t --docroot --rf --rc --re --rz --ri",
        nothing="-l --syntax-check -i --info -v --version -m --modules -h --help -S --server -w --strip -s "
        "--syntax-highlight",
        exact=True,
    ),
)
LUA = Interpreter(language="lua", code="-e", also=True, spec=Spec(values="-l -j -O", nothing="-v", exact=True))
AWK = Interpreter(
    language="awk",
    code="-e --source",
    file="-f --file -E --exec",
    first=True,
    reads=False,
    spec=Spec(
        values="-v --assign -F --field-separator -i --include -l --load -W",
        attached="-d -D -L -o -p",
        nothing="-V --version -h --help -C --copyright",
        flags="--source --sandbox",
    ),
)
R = Interpreter(
    language="r",
    code="-e",
    file="-f --file",
    below={"CMD": None},
    spec=Spec(values="-g --gui -d --debugger --args --encoding", nothing="--version --help", exact=True),
)
OSASCRIPT = Interpreter(language="applescript", code="-e", spec=Spec(values="-l -s"))
TCL = Interpreter(language="tcl", spec=Spec(values="-encoding", exact=True))
EXPECT = Interpreter(
    language="tcl",
    code="-c",
    file="-f -b",
    also=True,
    spec=Spec(values="-D", flags="-d -i -n -N", nothing="-v"),
)

INTERPRETERS: dict[str, Interpreter] = {
    **dict.fromkeys(("python", "pypy", "pythonw", "ipython", "micropython", "py", "jython", "bpython"), PYTHON),
    **dict.fromkeys(("node", "nodejs", "electron"), NODE),
    **dict.fromkeys(("tsx", "ts-node", "esno", "ts-node-esm"), TYPESCRIPT),
    "deno": DENO,
    "perl": PERL,
    **dict.fromkeys(("ruby", "jruby", "truffleruby"), RUBY),
    **dict.fromkeys(("php", "php-cli"), PHP),
    **dict.fromkeys(("lua", "luajit", "texlua"), LUA),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk", "goawk", "original-awk"), AWK),
    **dict.fromkeys(("rscript", "r", "littler"), R),
    "osascript": OSASCRIPT,
    **dict.fromkeys(("tclsh", "wish", "jimsh"), TCL),
    "expect": EXPECT,
    "julia": Interpreter(
        language="julia",
        code="-e --eval -E --print",
        spec=Spec(values="-L --load -p --procs -t --threads -J --sysimage --machine-file", exact=True),
    ),
    "elixir": Interpreter(
        language="elixir", code="-e --eval --rpc-eval", spec=Spec(values="-r -pa -pz --name --sname", exact=True)
    ),
    "groovy": Interpreter(language="groovy", code="-e", spec=Spec(values="-cp -classpath --classpath -D", exact=True)),
    "raku": Interpreter(language="raku", code="-e", spec=Spec(values="-I -M", exact=True)),
    "guile": Interpreter(language="scheme", code="-c", spec=Spec(values="-L -C -x -l -e", exact=True)),
    "emacs": Interpreter(
        language="elisp",
        code="-eval --eval -execute --execute",
        file="-l -load --load -script --script",
        spec=Spec(values="-u --user -L --directory --chdir -f -funcall --funcall", exact=True),
        reads=False,
    ),
}
MODULES = frozenset(
    (
        *("pip", "pipx", "pipenv", "poetry", "pdm", "hatch", "uv", "twine", "build"),
        *("pytest", "coverage", "flask", "alembic", "ansible", "celery", "black", "ruff", "mypy", "invoke"),
    )
)
"""Modules that are the program of the same name."""
DRIVERS = {"pdb": "-c", "cProfile": "-o -s", "profile": "-o -s", "trace": "-f -C -s", "coverage": ""}
"""Modules that run a file, and their options with a value."""


def interpret(program: str, words: Sequence[Word]) -> tuple[Inner, ...]:
    """What one of INTERPRETERS runs."""
    return run(INTERPRETERS[program], words)


def run(how: Interpreter, words: Sequence[Word], first: int = 1, *, guess: bool = True) -> tuple[Inner, ...]:
    """What an interpreter runs."""
    spec = how.spec.replace(values=f"{how.spec.values} {how.code} {how.file}", split=f"{how.last} -")
    return each(spec, words, lambda own: _run(how, own, words, guess=guess), first)


def _run(how: Interpreter, own: Scan, words: Sequence[Word], *, guess: bool) -> tuple[Inner, ...]:
    """What an interpreter runs by one reading of its words."""
    found: list[Inner] = []
    ends = how.last.split()
    if own.has(how.spec.nothing):
        return ()
    where = own.value("-C") if how.language == "ruby" else None
    rest = tuple(words[own.last :])
    codes = own.every(how.code)
    if ends and own.has("-m") and how.language == "python" and not codes:
        module = own.value("-m")
        return () if module is None else run_module(module, rest)
    if codes:
        code = parts.join(codes, "\n")
        found.append(Inner(code=code, language=how.language, via=INTERPRETER, arguments=(words[0], *rest), cwd=where))
    files = own.every(how.file)
    found += [
        Inner(file=file, language=how.language, via=INTERPRETER, arguments=(file, *rest), cwd=where) for file in files
    ]
    if found and not how.also:
        return tuple(found)
    if own.has("-") and not found:
        return (Inner(stdin=True, language=how.language, via=INTERPRETER, arguments=(words[0], *rest)),)
    for start in own.starts:
        word, behind = words[start], tuple(words[start:])
        if how.below is not None and word.text in how.below:
            below = how.below[word.text]
            if below is not None and guess:
                found += run(below, words, start + 1, guess=False)
        elif how.first:
            found.append(Inner(code=word, language=how.language, via=INTERPRETER, arguments=(words[0], *behind[1:])))
        else:
            found.append(Inner(file=word, language=how.language, via=INTERPRETER, arguments=behind, cwd=where))
    if not found and how.reads and not own.starts:
        found.append(Inner(stdin=True, language=how.language, via=INTERPRETER, arguments=(words[0], *rest)))
    return tuple(found)


def run_module(module: Word, rest: Sequence[Word]) -> tuple[Inner, ...]:
    """python -m: modules that are a program known by the same name, or that run a file or code."""
    if module.text in MODULES:
        return (Inner(words=(module, *rest)),)
    if module.text == "timeit":
        spec = Spec(values="-n --number -r --repeat -u --unit -s --setup", exact=True)
        timed = scan(spec, rest, 0)
        texts = [*timed.every("-s --setup"), *rest[timed.last :]]
        return (Inner(code=parts.join(texts, "\n"), language="python", via=INTERPRETER),) if texts else ()
    if module.text in DRIVERS:
        driven = scan(Spec(values=DRIVERS[module.text], exact=True), rest, 0)
        return tuple(
            Inner(file=rest[start], language="python", via=INTERPRETER, arguments=tuple(rest[start:]))
            for start in driven.starts
        )
    if module.text == "code":
        return (Inner(stdin=True, language="python", via=INTERPRETER),)
    return ()

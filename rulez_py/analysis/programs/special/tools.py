"""Programs that do something else, and run a command where an option, an operand or a script says so."""

from __future__ import annotations

from rulez_py.analysis.languages.unknown_language import is_command
from rulez_py.analysis.programs import parts
from rulez_py.analysis.programs.doubt import quoted
from rulez_py.analysis.programs.read import cut
from rulez_py.analysis.programs.runs import plainly, texts
from rulez_py.analysis.programs.special.interpreters import run_module
from rulez_py.analysis.programs.special.shells import shell
from rulez_py.analysis.programs.touches import plainly as plainly_touched
from rulez_py.analysis.values import ANY, INTERPRETER, REMOTE, SHELL, WRAPPER, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.programs.runs import Own
    from rulez_py.analysis.programs.touches import Touching


EX_PREFIXES = ("silent!", "silent", "sil!", "sil", "execute", "exe", "exec", "noautocmd", "noa")
EX_SHELL = (
    "!",
    "%!",
    ".!",
    "r!",
    "r !",
    "read !",
    "read!",
    "w !",
    "write !",
    "%w !",
    "term ",
    "terminal ",
    "te ",
    "0r!",
    "0r !",
)
EX_CALLS = ("system(", "systemlist(", "termopen(", "term_start(", "jobstart(", "job_start(")


_EX_CALLS = ("writefile(", "readfile(", "delete(", "lua ", "py ", "py3 ", "python", "perl ", "ruby ", "saveas ")


def vim_runs(own: Own) -> tuple[Inner, ...]:
    """Return what vim, vi, nvim, ex run: `!command` and system() in -c, --cmd and +command."""
    # `-s` is a script for the editor, but for `ex`, and behind `-e`, it only says "silent".
    given = [*own.every("-c", "--cmd"), *[parts.cut(word, 1) for word in own.words[1:] if word.text[:1] == "+"]]
    found = [one for text in given if (one := _ex(text)) is not None]
    found += [parts.as_text(text) for text in given if any(name in text.text for name in _EX_CALLS)]
    found += [one for one in plainly(own) if one.file is not None]
    if own.has("-l") and parts.name(own.words[0]) == "nvim":
        found += [Inner(file=file, language="lua", via=INTERPRETER) for file in own.operands[:1]]
    if own.has("-e", "-E") or parts.name(own.words[0]) == "ex":
        found.append(Inner(stdin=True, language=ANY, via=INTERPRETER))
    return tuple(found)


def _ex(word: Word) -> Inner | None:
    text = word.text.lstrip(": ")
    for prefix in EX_PREFIXES * 2:
        if text.startswith(prefix + " ") or (prefix.endswith("!") and text.startswith(prefix)):
            text = text[len(prefix) :].lstrip(": '\"")
    for start in EX_SHELL:
        if text.startswith(start):
            return Inner(code=parts.with_text(word, text[len(start) :].strip()), via=SHELL)
    for call in EX_CALLS:
        at = text.find(call)
        if at >= 0:
            inside = text[at + len(call) :].lstrip()
            quote = inside[:1]
            if quote == "[":
                listed = parts.with_text(word, inside[1:].partition("]")[0])
                return Inner(words=tuple(quoted(listed)), via=WRAPPER)
            end = inside.rfind(quote, 1) if quote in ("'", '"') else -1
            code = parts.with_text(word, inside[1:end]) if end > 0 else word.replace(known=False)
            return Inner(code=code, via=SHELL)
    return None


def gdb_runs(own: Own) -> list[Inner]:
    """Return the commands of gdb --args WORDS, and of `shell`, `!` and `python` in -ex, which may start a program."""
    found = texts(own)
    runs = False
    for word in own.every("-ex", "-iex", "--eval-command", "--init-eval-command", "-eval-command"):
        name, _, rest = word.text.strip().partition(" ")
        code = parts.with_text(word, rest)
        runs = runs or name in ("r", "run", "start", "starti")
        if name in ("shell", "she"):
            found.append(Inner(code=code, via=SHELL))
        elif name[:1] == "!":
            found.append(Inner(code=parts.with_text(word, word.text.strip()[1:]), via=SHELL))
        elif name in ("python", "py", "pi", "python-interactive"):
            found.append(Inner(code=code, language="python", via=INTERPRETER))
    found += [Inner(words=own.behind) for _ in own.starts]
    if runs and not own.starts:
        found += [Inner(words=(word,)) for word in own.operands[:1]]
    return found


def psql_runs(own: Own) -> tuple[Inner, ...]:
    """Return the commands of psql -c: `\\! command`, and the programs that COPY, \\copy, \\o and \\g are given."""
    found = [*texts(own), *(one for one in plainly(own) if one.file is not None)]
    for word in own.every("-c", "--command"):
        text = word.text.strip()
        if text.startswith("\\!"):
            found.append(Inner(code=parts.with_text(word, text[2:].strip()), via=SHELL))
        elif text[:2] in ("\\o", "\\g", "\\w") and "|" in text:
            found.append(Inner(code=parts.with_text(word, text.partition("|")[2].strip()), via=SHELL))
        else:
            start = text.lower().find("program '")
            if start >= 0:
                end = text.rfind("'")
                there = not text.startswith("\\copy")
                code = parts.with_text(word, text[start + 9 : end if end > start + 9 else None])
                found.append(Inner(code=code, via=REMOTE if there else SHELL))
    return tuple(found)


def sqlite_effects(command: Touching) -> None:
    """Touch the database, and what SQL names in quotes; `console_commands.py` reads the dot commands."""
    plainly_touched(command)
    for word in command.words[1:]:
        text = word.text.lstrip()
        if text[:1] != "." and (" " in text or "(" in text):
            command.suppose(*quoted(word))


def emacs_effects(command: Touching) -> None:
    """Touch the files that are edited, and those that code names."""
    plainly_touched(command)
    for option, _ in command.options:
        if option.value is not None and not {"-eval", "--eval", "-e", "-execute"}.isdisjoint(option.names):
            _supposed_in(option.value, ("(delete-", "(move-file-to-trash"), command)


def _supposed_in(code: Word, deletes: tuple[str, ...], command: Touching) -> None:
    """Touch the files that a text in an unread language names in quotes; deleted where it deletes any."""
    for file in quoted(code):
        if any(call in code.text for call in deletes):
            command.touch(file, "d", deep=True)
        else:
            command.suppose(file)


def uv_run_runs(own: Own) -> list[Inner]:
    """Return the commands of uv run: a program, a Python file, a module (-m) or Python code on standard input."""
    if own.is_idle:
        return []
    if own.has("-m", "--module"):
        module = own.value("-m", "--module")
        return [] if module is None else list(run_module(module, own.behind))
    if any(word.text == "-" for word in own.operands):
        return [Inner(stdin=True, language="python", via=INTERPRETER)]
    found = plainly(own)
    if own.start is None:
        return found
    rest = own.behind
    if own.has("-s", "--script", "--gui-script") or rest[0].text.endswith((".py", ".pyw")) or "://" in rest[0].text:
        return [
            one.replace(words=(), file=rest[0], language="python", via=INTERPRETER, arguments=rest) for one in found
        ]
    return found


_CARGO_PROGRAMS = ("runner", "rustc-wrapper", "rustc-workspace-wrapper", "rustc", "rustdoc", "linker")
"""Settings of cargo that name a program."""


def script_runs(own: Own) -> list[Inner]:
    """Return a script of a project, or a program: what has the form of a command is taken for one."""
    if own.is_idle or own.start is None or own.start + 1 >= len(own.words):
        return []
    return plainly(own) if is_command(own.words[own.start].text) else []


def _in_address(word: Word) -> Inner:
    """Return the code in a `data:` address (RFC 2397): percent-encoded, or in base64, which is left unknown."""
    head, _, text = word.text.partition(",")
    code, at = "", 0
    while (sign := text.find("%", at)) >= 0:
        digits = text[sign + 1 : sign + 3]
        is_code = len(digits) == 2 and all(one in "0123456789abcdefABCDEF" for one in digits)
        code += text[at:sign] + (chr(int(digits, 16)) if is_code else "%")
        at = sign + (3 if is_code else 1)
    held = parts.with_text(word, code + text[at:])
    if head.endswith(";base64"):
        held = held.replace(known=False)
    return Inner(code=held, language="javascript", via=INTERPRETER)


def deno_run_runs(own: Own) -> list[Inner]:
    """Return the commands of deno run: a file, or a package of a registry, which is a program (`npm:eslint@9`)."""
    if own.start is not None and own.words[own.start].text.startswith("data:"):
        return [_in_address(own.words[own.start])]
    if own.start is None or not own.words[own.start].text.startswith(("npm:", "jsr:")):
        return plainly(own)
    package, rest = own.words[own.start], own.words[own.start + 1 :]
    name = package.text[4:].lstrip("/")
    ends = name.find("@", 1)
    name = name if ends < 0 else name[:ends]
    return [Inner(words=(parts.with_text(package, name.rpartition("/")[2]), *rest))]


def mvn_runs(own: Own) -> list[Inner]:
    """Return the command of Maven's exec plugin: `-Dexec.executable=P -Dexec.args="A B"`."""
    found = plainly(own)
    given = {name: parts.cut(word, len(name) + 1) for word in own.every("-D") for name in [word.text.partition("=")[0]]}
    program = given.get("exec.executable")
    if program is not None and program.text:
        rest = given.get("exec.args") or given.get("exec.commandlineArgs")
        found = [*found, Inner(words=(program, *(parts.split(rest) if rest is not None else ())))]
    return found


def cargo_runs(own: Own) -> list[Inner]:
    """Return the commands of cargo +TOOLCHAIN WORDS, watch -s CODE, -x CARGO WORDS; --config target.x.runner=..."""
    words = own.words
    if len(words) > 2 and words[1].text[:1] == "+":
        return [Inner(words=(words[0], *words[2:]))]
    found = plainly(own)
    for word in own.every("--config"):
        name, equals, _ = word.text.partition("=")
        if equals and name.rstrip().rpartition(".")[2] in _CARGO_PROGRAMS:
            value = parts.cut(word, len(name) + 1)
            listed = value.text.strip().strip("[]").replace(",", " ")
            found.append(Inner(words=parts.split(parts.with_text(value, listed))))
    if own.level.key == "cargo watch":
        found += [Inner(words=(words[0], *parts.split(word))) for word in own.every("-x", "--exec")]
    return found


def nix_run_runs(own: Own) -> list[Inner]:
    """Return what `nix run INSTALLABLE -- WORDS` runs: the program after the `#`, or the flake's own."""
    if not own.operands:
        return []
    words = own.words[own.dashes :] if own.dashes is not None else own.words[len(own.words) :]
    name = own.operands[0].text.rpartition("#")[2].rpartition(".")[2].rpartition("/")[2]
    return [Inner(words=(parts.with_text(own.operands[0], name), *words))] if name else []


def direnv_allow_runs(own: Own) -> tuple[Inner, ...]:
    """Return the commands of direnv allow: the .envrc of the directory runs as soon as a shell is there."""
    file = own.operands[0] if own.operands else parts.with_text(own.words[0], ".envrc")
    return (Inner(file=file, via=SHELL),)


def start_stop_daemon_runs(own: Own) -> list[Inner]:
    """Return the commands of start-stop-daemon --start --exec PROGRAM -- ARGUMENTS."""
    if own.is_idle:
        return []
    program = own.value("-a", "--startas") or own.value("-x", "--exec")
    if program is None:
        return []
    behind = own.words[own.dashes :] if own.dashes is not None else ()
    user = parts.user(own.value("-c", "--chuid"))
    return [Inner(words=(program, *behind), cwd=own.value("-d", "--chdir"), user=user)]


def capsh_runs(own: Own) -> tuple[Inner, ...]:
    """Return what capsh runs: the words of a shell follow `--`."""
    return () if own.dashes is None else shell((own.words[0], *own.words[own.dashes :]))


_EX_WRITES = ("w", "w!", "wq", "wq!", "x", "x!", "sav", "sav!", "saveas", "saveas!", "up", "update", "write", "write!")
_EX_READS = ("r", "read", "so", "source")
_EX_EDITS = ("e", "e!", "edit", "sp", "split", "vs", "vsplit", "tabe", "tabedit", "badd", "n", "next", "args")


_EX = dict.fromkeys(_EX_WRITES, "w") | dict.fromkeys(_EX_READS, "r") | dict.fromkeys(_EX_EDITS, "rw")


def vim_effects(command: Touching) -> None:
    """Touch the files that are edited, and those that commands name (`-c 'w copy'`, `+'r other'`)."""
    command.by_options()
    commands = [option.value for option, _ in command.options if option.value and {"-c", "--cmd"} & set(option.names)]
    for word in command.operands:
        if word.text[:1] == "+":
            commands.append(cut(word, 1))
        elif not any(word is one for one in commands):
            command.touch(word, "rw")
    for word in commands:
        _supposed_in(word, ("delete(",), command)
        start = len(word.text) - len(word.text.lstrip(": "))
        name, blank, file = word.text[start:].partition(" ")
        if blank and file and not file.startswith(("!", ">>")) and name.lstrip("%") in _EX:
            letters = _EX[name.lstrip("%")]
            command.touch(cut(word, start + len(name) + 1), letters)


_CMAKE_TOOLS = {
    **dict.fromkeys(("copy", "copy_if_different", "copy_if_newer"), ("cp",)),
    **dict.fromkeys(("copy_directory", "copy_directory_if_different", "copy_directory_if_newer"), ("cp", "-r")),
    **dict.fromkeys(("rm", "remove"), ("rm",)),
    "remove_directory": ("rm", "-r"),
    "rename": ("mv",),
    "make_directory": ("mkdir", "-p"),
    "cat": ("cat",),
    "create_symlink": ("ln", "-s"),
    "create_hardlink": ("ln",),
    "tar": ("tar",),
    "env": ("env",),
    "time": (),
    **dict.fromkeys(("touch", "touch_nocreate"), ("touch",)),
}
"""What cmake does as a tool -> the program that does the same."""
_CMAKE_RUNS = ("COMPILER", "LAUNCHER", "EMULATOR", "LINKER", "MAKE_PROGRAM", "RULE_MESSAGES", "EXECUTABLE")


def cmake_runs(own: Own) -> list[Inner]:
    """Return the commands of cmake -E TOOL WORDS and -P SCRIPT, and the compilers and launchers that -D names."""
    found = [Inner(file=word, language="cmake", via=INTERPRETER) for word in own.every("-P")]
    for word in own.every("-D"):
        name, _, value = word.text.partition("=")
        if value and any(part in name for part in _CMAKE_RUNS):
            found.append(Inner(words=tuple(parts.with_text(word, one) for one in value.split(";") if one)))
    tool = own.value("-E")
    rest = own.behind
    if tool is None or not rest:
        return found
    if tool.text == "chdir" and len(rest) > 1:
        found.append(Inner(words=rest[1:], cwd=rest[0]))
    elif tool.text in _CMAKE_TOOLS:
        found.append(Inner(words=(*(parts.with_text(tool, one) for one in _CMAKE_TOOLS[tool.text]), *rest)))
    return found


def just_runs(own: Own) -> list[Inner]:
    """Return the commands of just -c COMMAND, the shell that --shell names, and recipes on standard input."""
    found = texts(own)
    if own.start is not None:
        found.append(Inner(words=own.behind))
    shell = own.value("--shell")
    if shell is not None:
        found.append(Inner(words=(shell, *own.every("--shell-arg"))))
    return found + [
        Inner(stdin=True, language=ANY, via=INTERPRETER)
        if file.text in ("-", "/dev/stdin")
        else Inner(file=file, language=ANY, via=INTERPRETER)
        for file in own.every("-f", "--justfile")
    ]


_NPM_PROGRAMS = ("git", "editor", "shell", "script-shell", "viewer", "browser", "node-gyp")
"""Settings of npm that name a program."""


def npm_config_runs(own: Own) -> list[Inner]:
    """Return the commands of npm config set KEY VALUE, KEY=VALUE: the programs that npm runs from then on."""
    found: list[Inner] = []
    given = own.operands
    for word, behind in zip(given, (*given[1:], None), strict=False):
        name, equals, _ = word.text.partition("=")
        value = parts.cut(word, len(name) + 1) if equals else behind
        if name.replace("_", "-") in _NPM_PROGRAMS and value is not None:
            found.append(Inner(code=value, via=SHELL))
    return found


def redis_runs(own: Own) -> list[Inner]:
    """Return the commands of redis-cli: on standard input, and those that scripts in Lua call."""
    words = own.operands
    found = [Inner(file=file, language="lua", via=INTERPRETER) for file in own.valued("runs file")]
    if len(words) > 1 and words[0].text.lower() in ("eval", "eval_ro") and words[1].known:
        found.append(Inner(code=words[1], language="lua", via=INTERPRETER))
    if not words and not found:
        found.append(Inner(stdin=True, language="redis", via=INTERPRETER))
    return found

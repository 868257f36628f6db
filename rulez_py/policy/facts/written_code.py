"""Find the code that runs of a file that is being written: by itself, or by a command that people type every day.

By the file's name and its first line alone. What is found are lines as a shell would be given them, so that they are
judged as if an agent ran them: `commands(path, text)`. A piece of a file, as an edit holds it, is read as the whole
file would be. Nothing is parsed that could be too deep: each text is gone through once, line by line. What is too long
for the analysis is given to it whole, and it says so.
"""

from __future__ import annotations

from rulez_py.analysis import recipes
from rulez_py.event.arguments import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Line = tuple[str, str]
    """A dialect (`analysis.analyse`), and a line in it."""

SH, POWERSHELL = "sh", "powershell"
LONGEST = 400_000
"""Characters of a text that is taken apart here."""
MOST = 500
"""Lines of a text that are judged each by itself; the others as one."""

_SHELL_ENDINGS = (".sh", ".bash", ".zsh", ".ksh", ".command", ".bats", ".envrc", ".bashrc", ".zshrc", ".profile")
_SHELL_NAMES = frozenset(
    (
        *(".envrc", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv"),
        *(".zprofile", ".zlogin", ".kshrc", ".xinitrc", ".xprofile", ".xsession", "PKGBUILD", "rc.local"),
    )
)
_HOOK_DIRECTORIES = ("/.husky/", "/.git/hooks/", "/.githooks/", "/git-hooks/", "/etc/cron.daily/", "/etc/init.d/")
_POWERSHELL_ENDINGS = (".ps1", ".psm1")
_BATCH_ENDINGS = (".bat", ".cmd")
_SCRIPT_ENDINGS = (".sh", ".bash", ".zsh", ".ksh", ".command", ".bats", *_POWERSHELL_ENDINGS, *_BATCH_ENDINGS)
_FED_TO = {"python": "python3", "javascript": "node", "ruby": "ruby", "r": "Rscript", "lua": "lua"}
"""Language -> the program that the code is given to."""
_BY_ENDING = {".fish": "fish", ".nu": "nu", ".awk": "awk", ".pth": "python3", ".exs": "elixir", ".el": "elisp"}
"""Ending of a script's name -> the program that the code is given to."""
_TESTS = {".py": "python3", ".js": "node", ".ts": "node", ".mjs": "node", ".rb": "ruby"}
_DELETING = ("rmtree", "rm -rf", "rmSync", "rm_rf", "rimraf", "system(", "unlink(")
"""A test without one of these is not looked through: tests are many, and long."""
_OPTIONS = {"awk": "awk -f", "gawk": "gawk -f", "mawk": "mawk -f"}
"""Program -> how it is told to read its code from a file."""
_SETTINGS_ENDINGS = (".service", ".timer", ".desktop", ".sql", ".vim")
"""Endings of files in which a line may hold a command: `ExecStart=rm x`, `\\! rm x`, `!rm x`."""
_SHELLS = frozenset(("sh", "bash", "dash", "zsh", "ksh", "ash", "mksh"))
_MAKEFILES = frozenset(("Makefile", "makefile", "GNUmakefile"))
_MAKE_ENDINGS = (".mk", ".mak", ".make")
_RUN_KEYS = (
    "run",
    "script",
    "before_script",
    "after_script",
    "command",
    "commands",
    "cmd",
    "entrypoint",
    "shell",
    "sh",
)
_JSON_NAMES = frozenset(("package.json", "composer.json", "tasks.json", "launch.json", "deno.json", "deno.jsonc"))
_JSON_ENDINGS = (
    ".mcp.json",
    "mcp.json",
    "mcp_config.json",
    "devcontainer.json",
    "settings.json",
    "settings.local.json",
    ".code-workspace",
)
_YAML_ENDINGS = (".yml", ".yaml")
_YAML_PLACES = ("/.github/", "/.gitea/", "/.forgejo/", "/.circleci/", "/.buildkite/", "/.woodpecker/")
_YAML_NAMES = (
    *(".gitlab-ci", "azure-pipelines", "bitbucket-pipelines", ".travis", ".drone", "cloudbuild", "buildspec"),
    *(".pre-commit-config", "lefthook", "docker-compose", "compose", "appveyor", ".appveyor", "Taskfile", "taskfile"),
    *("playbook", ".gitpod", ".woodpecker", "skaffold", "devspace", ".overcommit"),
)


def commands(path: str, text: str) -> tuple[Line, ...]:
    """Return the lines that run of `text` in the file at `path`; none of a file that only holds data."""
    path = "/" + path.replace("\\", "/").lstrip("/")
    name = path.rpartition("/")[2]
    found = list(dict.fromkeys(_by_kind(path, name, text[:LONGEST])))
    if found and len(text) > LONGEST:
        return ((SH, text),)
    if len(found) > MOST:
        found[MOST:] = [(SH, "\n".join(line for _, line in found[MOST:]))]
    return tuple(found)


def is_loaded(path: str, text: str) -> bool:
    """Tell if a file that `commands` reads is loaded by a program; a script runs by its name."""
    path = "/" + path.replace("\\", "/").lstrip("/")
    name = path.rpartition("/")[2]
    if name in _SHELL_NAMES or any(one in path for one in _HOOK_DIRECTORIES) or _loaded_as(path):
        return True
    return not (_interpreter(text) or name.endswith((*_SCRIPT_ENDINGS, *_BY_ENDING)) or _is_a_test(name))


def _by_kind(path: str, name: str, text: str) -> Iterator[Line]:
    interpreter = _interpreter(text)
    languages = () if interpreter else _loaded_as(path)
    if interpreter and interpreter not in _SHELLS:
        yield SH, _fed(interpreter, text)
    elif _FED_TO.keys() & languages:
        for language in languages:
            yield SH, _fed(_FED_TO.get(language, name), text)
    elif interpreter or _is_shell(path, name):
        yield SH, text
    elif name.endswith(_POWERSHELL_ENDINGS):
        yield POWERSHELL, text
    elif name.endswith(_BATCH_ENDINGS):
        for line in text.split("\n"):
            if line.strip():
                yield POWERSHELL, f"cmd /c '{line.strip().replace(chr(39), chr(39) * 2)}'"
    elif name in _MAKEFILES or name.endswith(_MAKE_ENDINGS):
        yield from ((SH, line) for line in _recipes(text))
    elif name in ("justfile", "Justfile", ".justfile"):
        yield from ((SH, line) for line in _recipes(text, " \t"))
    elif name in _JSON_NAMES or name.endswith(_JSON_ENDINGS):
        yield from ((SH, line) for line in _of_json(text))
    elif name.endswith(_YAML_ENDINGS) and (name.startswith(_YAML_NAMES) or any(one in path for one in _YAML_PLACES)):
        yield from ((SH, line) for line in _of_yaml(text))
        yield from _recipes_of("lines", text)
    elif languages and name.endswith((".json", ".jsonc")):
        yield from ((SH, line) for line in _of_json(text))
    elif "xml" in languages or name.endswith(".xml"):
        yield from _recipes_of("xml", text)
    elif languages:
        yield SH, _fed(name, text)
        yield from _recipes_of("lines", text)
    elif name.endswith(_SETTINGS_ENDINGS):
        yield from _recipes_of("lines", text)
    elif (ending := name[max(name.rfind("."), 0) :]) in _BY_ENDING:
        yield SH, _fed(_BY_ENDING[ending], text)
    elif ending in _TESTS and _is_a_test(name) and any(one in text for one in _DELETING):
        yield SH, _fed(_TESTS[ending], text)


_languages: dict[str, tuple[str, ...]] = {}


def _loaded_as(path: str) -> tuple[str, ...]:
    """Return the languages of a file that a program loads by itself."""
    if not _languages:
        from rulez_py.policy.facts.loaded_files import LOADED

        for line in LOADED.split("\n"):
            language, _, names = line.partition(" ")
            for one in names.split():
                if language not in _languages.get(one, ()):
                    _languages[one] = (*_languages.get(one, ()), language)
    directory, _, name = path.rpartition("/")
    dots = (at for at, char in enumerate(name) if char == ".")
    keys = (
        name,
        f"{directory.rpartition('/')[2]}/{name}",
        *(f"*{name[at:]}" for at in dots),
        f"*{name[-len('rc.js') :]}",
    )
    return tuple(dict.fromkeys(language for key in keys for language in _languages.get(key, ())))


def _is_a_test(name: str) -> bool:
    return name.startswith("test_") or any(one in name for one in ("_test.", ".test.", ".spec.", "_spec."))


def _recipes_of(language: str, text: str) -> Iterator[Line]:
    """Yield the commands of a file of recipes; which of them run is unknown."""
    code = recipes(language, text)
    if code.strip():
        yield SH, code


def _is_shell(path: str, name: str) -> bool:
    if name in _SHELL_NAMES or name.endswith(_SHELL_ENDINGS):
        return True
    return any(one in path for one in _HOOK_DIRECTORIES) and not name.endswith((".sample", ".md"))


def _interpreter(text: str) -> str:
    """Return the program that the first line names (`#!`), without its version; "" where it names none."""
    if text[:2] != "#!":
        return ""
    words = text[2 : text.find("\n") if "\n" in text else len(text)].split()
    if words and words[0].endswith("/env"):
        words = [word for word in words[1:] if word[:1] != "-" and "=" not in word]
    name = words[0].rpartition("/")[2] if words else ""
    return name.rstrip("0123456789.") + ("3" if name.startswith("python3") else "")


def _fed(program: str, code: str) -> str:
    """Return a line that gives a program its code."""
    end = "E"
    while f"\n{end}\n" in f"\n{code}\n":
        end += "E"
    return f"{_OPTIONS.get(program, program)} - <<'{end}'\n{code}\n{end}\n"


def _recipes(text: str, indents: str = "\t") -> Iterator[str]:
    """Yield the lines of recipes: indented ones, joined where a backslash continues them, and `$(shell ...)`."""
    line = ""
    for one in text.split("\n"):
        if line or (one[:1] and one[0] in indents):
            line += one.strip() if not line else "\n" + one.strip()
            if line.endswith("\\"):
                continue
            # Make takes these off, and `$$` is a dollar to the shell.
            yield line.lstrip("@-+ \t").replace("$$", "$")
            line = ""
        elif "$(shell " in one:
            yield one.partition("$(shell ")[2].rstrip(") \t\r")
        elif ":" in one.partition(";")[0] and one.partition(";")[2].strip():
            yield one.partition(";")[2].lstrip("@-+ \t").replace("$$", "$")
    if line:
        yield line.lstrip("@-+ \t").replace("$$", "$")


def _of_json(text: str) -> Iterator[str]:
    """Yield each text that is a value, and `command` with the list of its `args` as one line."""
    command: list[str] = []
    previous, depth = "", 0
    programs, lists = ("command", "runtimeExecutable"), ("args", "command", "arguments", "runtimeArgs")
    for kind, value in _tokens(text):
        if kind == "]" and depth:
            depth = 0
            if len(command) > 1:
                yield " ".join(map(quoted, command))
        elif kind == '"' and depth:
            command.append(value)
        elif kind == "[" and previous in lists:
            command, depth = command if previous != "command" else [], 1
        elif kind == '"':
            yield value
            if previous in programs:
                command = [value]
        previous = value if kind == "key" else ""


def _tokens(text: str) -> Iterator[Line]:
    """Yield the tokens of a JSON file as (kind, text): keys, texts and the brackets of lists.

    Of a file that is not valid JSON, yield what looks like these.
    """
    at, end = 0, len(text)
    while at < end:
        char = text[at]
        if char in "[]":
            yield char, ""
        elif char == '"':
            start = at + 1
            at = start
            while at < end and text[at] != '"' and text[at] != "\n":
                at += 2 if text[at] == "\\" else 1
            value = _unescaped(text[start:at])
            behind = at + 1
            while behind < end and text[behind] in " \t\r\n":
                behind += 1
            yield ("key" if text[behind : behind + 1] == ":" else '"'), value
        at += 1


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    found, at = [], 0
    while at < len(text):
        if text[at] != "\\":
            found.append(text[at])
            at += 1
            continue
        letter, digits = text[at + 1 : at + 2], text[at + 2 : at + 6]
        if letter == "u" and len(digits) == 4 and all(one in "0123456789abcdefABCDEF" for one in digits):
            found.append(chr(int(digits, 16)))
            at += 6
        else:
            found.append(_ESCAPES.get(letter, letter))
            at += 2
    return "".join(found)


def _of_yaml(text: str) -> Iterator[str]:
    """Yield the values of keys that hold commands: after them, in the block below, in the list below."""
    block: list[str] = []
    column = -1
    for line in text.split("\n"):
        plain = line.strip()
        indent = len(line) - len(line.lstrip(" "))
        if column >= 0 and plain and indent <= column and not (plain.startswith("- ") and indent == column):
            yield from _block(block)
            column, block = -1, []
        if column >= 0:
            block.append(line)
            continue
        key, colon, value = plain.removeprefix("- ").partition(":")
        if not colon or key.strip("\"'") not in _RUN_KEYS:
            continue
        value = value.strip()
        if value and value[0] not in "|>[":
            yield _scalar(value)
        elif value[:1] == "[":
            yield " ".join(quoted(_scalar(one.strip())) for one in value.strip("[]").split(","))
        else:
            # After `- ` the key begins two columns further in.
            column = indent + (2 if plain.startswith("- ") else 0)
    yield from _block(block)


def _block(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a block as one text, and each entry of a list by itself."""
    plain = [line.strip() for line in lines]
    entries = [line[2:] for line in plain if line.startswith("- ")]
    if entries and plain and plain[0].startswith("- "):
        yield from map(_scalar, entries)
    if plain:
        yield "\n".join(line.removeprefix("- ") for line in plain)


def _scalar(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        inner = value[1:-1]
        return _unescaped(inner) if value[0] == '"' else inner.replace("''", "'")
    return value.partition(" #")[0]

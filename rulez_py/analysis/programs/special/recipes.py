"""What a runner runs of the file with its recipes: a makefile, package.json, composer.json, a justfile, a Taskfile.

Each reader returns shell code with every command in the line in which the file has it. It is told the words
behind the program, and returns those recipes that they ask for with all that these need: where the words name none, or
one that is not there, what the runner would do.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    Recipes = Callable[[str, Sequence[str]], str]

_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_RUNS = frozenset(("run", "run-script", "rum", "urn", "task"))
_BY_THEMSELVES = {
    **{name: (name,) for name in ("test", "start", "stop", "restart")},
    **dict.fromkeys(("t", "tst"), ("test",)),
    **dict.fromkeys(
        ("install", "i", "ci", "add", "clean-install", "install-test", "it", "require", "update", "dump-autoload"),
        (
            *("install", "prepublish", "prepare", "pre-install-cmd", "post-install-cmd", "pre-update-cmd"),
            *("post-update-cmd", "pre-autoload-dump", "post-autoload-dump", "post-root-package-install"),
        ),
    ),
    **dict.fromkeys(("publish", "pack"), ("prepublishOnly", "prepack", "prepare", "postpack", "publish")),
    "version": ("version",),
    "uninstall": ("uninstall",),
    "rebuild": ("install",),
}
"""Subcommands of npm -> the scripts that they run, each with those before and behind it (`pretest`, `posttest`)."""


def shell_of(language: str, text: str, words: Sequence[str]) -> str:
    """Return the shell code of the recipes that a runner's words ask for. Raises KeyError for another language."""
    return _READERS[language](text, words)


def _reached(asked: Iterable[str], needs: Callable[[str], Iterable[str]]) -> Iterator[str]:
    """Yield what is asked for and all that it needs, each once."""
    pending, seen = list(asked), set[str]()
    while pending:
        name = pending.pop(0)
        if name not in seen:
            seen.add(name)
            yield name
            pending += needs(name)


class _Lines:
    """Shell code in the lines of another text."""

    def __init__(self, text: str) -> None:
        self._lines = [""] * (text.count("\n") + 2)

    def put(self, number: int, code: str) -> None:
        """Have code in a line, from 0, in a shell of its own: what ends a recipe ends no other."""
        pieces = code.split("\n")
        held = self._lines[min(number, len(self._lines) - 1)]
        pieces[0] = f"({pieces[0]}" if held[-1:] in ("", ";", "&") else f";({pieces[0]}"
        last = min(number + len(pieces), len(self._lines) - 1)
        for at, piece in enumerate(pieces):
            self._lines[min(number + at, len(self._lines) - 1)] += piece
        # A comment at the end of the recipe must not hide the bracket.
        self._lines[last] = ");" + self._lines[last]

    def set(self, number: int, code: str) -> None:
        """Have code in a line, for all that comes after it."""
        self._lines[number] += code

    @property
    def text(self) -> str:
        return "\n".join(self._lines)


# Make and just.


def _make(text: str, words: Sequence[str]) -> str:
    found = _Targets(text, indents="\t", assigns="=", expand=_expanded)
    found.lines.set(0, "MAKE=make; ")
    return found.asked(words, ("include", "-include", "sinclude"), "make -f")


def _just(text: str, words: Sequence[str]) -> str:
    found = _Targets(text, indents=" \t", assigns=":=", expand=_interpolated)
    return found.asked(words, ("import", "import?"), "just -f")


_WITH_RECIPES = (".mk", ".make", "akefile", ".just", "ustfile")
"""How names end of files that hold recipes; what else is included are variables (`include .env`)."""


class _Targets:
    """What a makefile or a justfile has: recipes and needs of its targets, and variables, by line."""

    def __init__(self, text: str, *, indents: str, assigns: str, expand: Callable[[str], str]) -> None:
        self._assigns = assigns
        self._expand = expand
        self.lines = _Lines(text)
        self.recipes: dict[str, list[tuple[int, str]]] = {}
        self.needs: dict[str, list[str]] = {}
        self._written: list[tuple[int, str]] = []
        """The lines that are no recipe, no rule and no variable."""
        self._names: list[str] = []
        for number, line in _joined_lines(text):
            if line[:1] and line[0] in indents:
                self._recipe(number, line)
            elif line.strip() and line.lstrip()[0] != "#" and not self._is_variable(number, line):
                self._rule(number, line)

    def _recipe(self, number: int, line: str) -> None:
        recipe = line.lstrip("\t @+-")
        if recipe.strip() and recipe[0] != "#":
            for name in self._names:
                self.recipes[name].append((number, self._expand(recipe)))

    def _is_variable(self, number: int, line: str) -> bool:
        name, equals, value = line.partition(self._assigns)
        name = name.removeprefix("export ").strip(" :?+!")
        if not equals or not name or not _NAME.issuperset(name):
            return False
        if not any(one in value for one in "'\n$"):
            self.lines.set(number, f"{name}='{value.strip().strip(chr(34))}'; ")
        return True

    def _rule(self, number: int, line: str) -> None:
        head, colon, rest = line.partition(":")
        if not colon:
            self._names = []
            self._written.append((number, line))
            return
        rest, _, recipe = rest.removeprefix(":").partition(";")
        # A recipe of just may have parameters behind its name.
        names = head.split()[:1] if self._assigns == ":=" else head.split()
        self._names = [name.lstrip("@") for name in names]
        for name in self._names:
            self.recipes.setdefault(name, [])
            self.needs.setdefault(name, []).extend(rest.replace("|", " ").replace("&&", " ").split())
            if recipe.strip():
                self.recipes[name].append((number, self._expand(recipe.lstrip(" @+-"))))

    def asked(self, words: Sequence[str], includes: Sequence[str], reads: str) -> str:
        """Return the recipes of the targets that are named, or of the first, with all that these need.

        What the text does not have is looked for in the files that it `includes`: the command `reads` one.
        """
        reached = list(_reached(_asked(words, self.recipes), self._needed))
        for name in reached:
            for number, recipe in self.recipes.get(name, ()):
                self.lines.put(number, recipe)
        wanted = [*_targets(words), *(need for name in reached for need in self.needs.get(name, ()))]
        missing = dict.fromkeys(name for name in wanted if name not in self.recipes and _is_plain(name))
        if missing or not reached:
            for number, line in self._written:
                word, *names = line.split()
                for name in names if word in includes else ():
                    file = name.strip("'\"")
                    if file.endswith(_WITH_RECIPES) and _is_plain(file):
                        self.lines.put(number, " ".join((reads, file, *missing)))
        return self.lines.text

    def _needed(self, name: str) -> Iterator[str]:
        for one in self.needs.get(name, ()):
            yield from [one] if one in self.recipes else [other for other in self.recipes if "%" in other]


def _joined_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield lines with their numbers, from 0; those that a backslash continues as one."""
    started, line = 0, ""
    for number, one in enumerate(text.split("\n")):
        started = number if not line else started
        line = f"{line}\n{one}" if line else one
        if not line.endswith("\\"):
            yield started, line
            line = ""
    if line:
        yield started, line


def _asked(words: Sequence[str], recipes: Mapping[str, object]) -> list[str]:
    """Return the targets that words name; the first of all where they name none."""
    named = _targets(words)
    known = [word for word in named if word in recipes]
    if known or named:
        # What is no target may be made by a rule for many.
        return known if len(known) == len(named) else [*known, *(name for name in recipes if "%" in name)]
    return next(([name] for name in recipes if name[:1] != "."), [])


def _targets(words: Sequence[str]) -> list[str]:
    return [word for word in words if word[:1] != "-" and "=" not in word and not word.isdigit()]


def _is_plain(text: str) -> bool:
    """Tell if a text is one word to a shell as it is."""
    return bool(text) and text[0] != "-" and all(one.isalnum() or one in "_./+@-" for one in text)


def _expanded(recipe: str) -> str:
    from rulez_py.analysis.programs.special.jobs import expanded

    return expanded(recipe)


def _interpolated(recipe: str) -> str:
    """Return a recipe of just as a shell gets it: `{{name}}` is a variable of ours."""
    found, rest = "", recipe
    while "{{" in rest and "}}" in rest:
        before, _, behind = rest.partition("{{")
        name, _, rest = behind.partition("}}")
        found += before + ("${" + name.strip() + "}" if _NAME.issuperset(name.strip()) else "${JUST}")
    return found + rest


# Scripts in JSON.


def _npm(text: str, words: Sequence[str]) -> str:
    """npm, pnpm, yarn, bun, composer: the scripts that the words run, each with `preNAME` and `postNAME`."""
    scripts = _scripts(text)
    named = [word for word in words if word[:1] != "-"]
    first = named[0] if named else "install"
    if first in _RUNS:
        asked: tuple[str, ...] = tuple(named[1:2])
    else:
        asked = _BY_THEMSELVES.get(first, ()) or (first,)
    found = _Lines(text)

    def codes(name: str) -> list[tuple[int, str]]:
        return [code for one in (f"pre{name}", name, f"post{name}") for code in scripts.get(one, ())]

    def others(name: str) -> list[str]:
        # composer: `@NAME` is another script of this file.
        return [code[1:].split(" ")[0] for _, code in codes(name) if code[:1] == "@"]

    for name in _reached(asked, others):
        for number, code in codes(name):
            if code[:1] != "@":
                found.put(number, code.replace("\n", " ; "))
    return found.text


def _scripts(text: str) -> dict[str, list[tuple[int, str]]]:
    """Return the values of `scripts` and `tasks` of a JSON object: name -> each text with its line, from 0."""
    found: dict[str, list[tuple[int, str]]] = {}
    path: list[str] = []
    key, at, end = "", 0, len(text)
    while at < end:
        char = text[at]
        if char in "{[":
            path.append(key if char == "{" else f"{key}[")
            key = "" if char == "{" else key
        elif char in "}]":
            path = path[:-1]
        elif char == '"':
            start = at + 1
            at = start
            while at < end and text[at] != '"':
                at += 2 if text[at] == "\\" else 1
            value = _unescaped(text[start:at])
            behind = text[at + 1 : at + 40].lstrip()
            if behind[:1] == ":":
                key = value
            elif path[:2] in (["", "scripts"], ["", "tasks"]) and len(path) < 4:
                name = path[2].rstrip("[") if len(path) == 3 else key
                found.setdefault(name, []).append((text.count("\n", 0, start), value))
        at += 1
    return found


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def _unescaped(text: str) -> str:
    found, at = "", 0
    while (slash := text.find("\\", at)) >= 0:
        found += text[at:slash]
        sign, digits = text[slash + 1 : slash + 2], text[slash + 2 : slash + 6]
        if sign == "u" and len(digits) == 4 and all(one in "0123456789abcdefABCDEF" for one in digits):
            found, at = found + chr(int(digits, 16)), slash + 6
        else:
            found, at = found + _ESCAPES.get(sign, sign), slash + 2
    return found + text[at:]


# Taskfiles.


def _task(text: str, words: Sequence[str]) -> str:
    """task: the commands of the tasks that are named, or of `default`, with those that they call and need."""
    tasks = _tasks(text)
    named = [word for word in words if word[:1] != "-" and "=" not in word]
    found = _Lines(text)

    def others(name: str) -> list[str]:
        return [value for _, kind, value in tasks.get(name, ()) if kind == "task"]

    for name in _reached(named or ["default"], others):
        for number, kind, value in tasks.get(name, ()):
            if kind == "cmd":
                found.put(number, value.replace("{{.", "${").replace("}}", "}"))
    return found.text


def _tasks(text: str) -> dict[str, list[tuple[int, str, str]]]:
    """Return the tasks of a Taskfile: name -> (line from 0, "cmd" or "task", text), by the indents of its lines."""
    found: dict[str, list[tuple[int, str, str]]] = {}
    inside, name, section, depth = False, "", "", 0
    for number, line in enumerate(text.split("\n")):
        plain, indent = line.strip(), len(line) - len(line.lstrip(" "))
        if not plain or plain[0] == "#":
            continue
        if indent == 0:
            inside = plain.startswith("tasks:")
            continue
        if not inside:
            continue
        if plain[:1] != "-" and (not name or indent <= depth):
            name, _, value = plain.partition(":")
            name, depth, section = name.strip("\"'"), indent, "cmds"
            found[name] = []
            if value.strip():
                found[name].append((number, "cmd", value.strip().strip("\"'")))
        elif plain[:1] == "-" and section in ("cmds", "deps"):
            kind, _, value = plain[1:].strip().partition(":")
            if kind in ("cmd", "task") and value.strip():
                found[name].append((number, kind, value.strip().strip("\"'")))
            elif plain[1:].strip() not in ("|", ">"):
                found[name].append((number, "cmd" if section == "cmds" else "task", plain[1:].strip().strip("\"'")))
        elif plain[:1] != "-":
            key, _, value = plain.partition(":")
            section = key.strip()
            if section == "cmd" and value.strip():
                found[name].append((number, "cmd", value.strip().strip("\"'")))
    return found


# Files of settings; it is unknown which of their lines run.


def _settings(text: str, _words: Sequence[str]) -> str:
    """Return each line whose value begins a command: `key: git gc`, `key = "git gc"`, `- git gc`, `:!git gc`."""
    from rulez_py.analysis.languages.unknown_language import begins

    found = _Lines(text)
    for number, line in enumerate(text.split("\n")):
        value = _behind_word(line.strip()).lstrip("-:!\\@ \t")
        for _ in range(_MOST_KEYS):
            if not value or begins(value):
                break
            value = _after_key(value).strip().lstrip("-!:@[ \t\"'")
        if value:
            found.put(number, _balanced(value))
    return found.text


_LONGEST_KEY = 60
_MOST_KEYS = 20
"""INVARIANT: keys before a value in one line; what is behind more of them is looked at as if it were a command."""
_WORDS = ("//go:generate ", "platform shell ", "shell ")
"""What go, lldb and gdb have before a command."""


def _behind_word(line: str) -> str:
    return next((line[len(word) :] for word in _WORDS if line.startswith(word)), line)


def _after_key(line: str) -> str:
    """Return what is behind the key at the beginning of a line; "" where there is none."""
    at = min((at for at in (line.find(":"), line.find("=")) if at >= 0), default=-1)
    return line[at + 1 :] if 0 <= at <= _LONGEST_KEY else ""


def _balanced(value: str) -> str:
    """Return a value without the quotes and brackets around it."""
    value = value.rstrip().rstrip(",]").rstrip()
    for quote in "\"'":
        if value.count(quote) % 2:
            value = value.removesuffix(quote).rstrip() if value.endswith(quote) else value.replace(quote, "")
    return value


def _xml(text: str, _words: Sequence[str]) -> str:
    """Return the commands of a build tool's XML; which of them run is unknown."""
    from rulez_py.analysis.programs.special.build_xml import commands

    found = _Lines(text)
    number = at = 0
    for start, code in commands(text):
        number, at = number + text.count("\n", at, start), start
        found.put(number, code)
    return found.text


def _compose(text: str, words: Sequence[str]) -> str:
    """docker compose: the services of a compose file, each as `docker run`."""
    from rulez_py.analysis.programs.special.compose import commands

    found = _Lines(text)
    for number, code in commands(text, words):
        found.put(number, code)
    return found.text


_READERS: dict[str, Recipes] = {
    "make": _make,
    "just": _just,
    "npm": _npm,
    "task": _task,
    "lines": _settings,
    "xml": _xml,
    "compose": _compose,
}
LANGUAGES = tuple(_READERS)

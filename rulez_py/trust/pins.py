"""Find the files that a policy's scripts reach, as far as that can be known without running them.

Their lines are followed as those of an agent are (`shell`): what they run, source or hand to an interpreter is pinned,
wherever a `cd` before led. The rest is reported to the person: files that are unknown from the line.

INVARIANT: a pure function of the policy's content and place. What is on the disk is looked at when trust is.
"""

from __future__ import annotations

import posixpath

from rulez_py.analysis import CODE, LIMIT, OUTPUT, PROGRAM, SET_UP, SYNTAX, Value, started

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from rulez_py.analysis import Started, Word

_HOME = "/~"
_SYSTEM = ("/bin/", "/sbin/", "/usr/", "/nix/", "/System/", "/Library/", "/opt/homebrew/", "/dev/", "/proc/")
_LONGEST = 60

_RUNNERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("make", "gmake", "remake"), ("GNUmakefile", "makefile", "Makefile")),
    **dict.fromkeys(("npm", "npx", "pnpm", "pnpx", "yarn", "bun", "bunx", "turbo", "nx", "lerna"), ("package.json",)),
    "just": ("justfile", "Justfile", ".justfile"),
    "task": ("Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"),
    "rake": ("Rakefile", "rakefile", "Rakefile.rb"),
    "bundle": ("Gemfile", "Rakefile"),
    "mvn": ("pom.xml",),
    "ant": ("build.xml",),
    "gradle": ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"),
    "gradlew": ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradlew"),
    "cargo": ("Cargo.toml", "build.rs", ".cargo/config.toml"),
    "cmake": ("CMakeLists.txt", "CMakePresets.json"),
    "ninja": ("build.ninja",),
    "composer": ("composer.json",),
    "deno": ("deno.json", "deno.jsonc"),
    "tox": ("tox.ini", "pyproject.toml", "setup.cfg"),
    "nox": ("noxfile.py",),
    **dict.fromkeys(("invoke", "inv"), ("tasks.py",)),
    "fab": ("fabfile.py",),
    **dict.fromkeys(("poe", "hatch", "pdm", "poetry", "uv", "rye"), ("pyproject.toml",)),
    "pytest": ("conftest.py", "pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"),
    "pre-commit": (".pre-commit-config.yaml",),
    "lefthook": ("lefthook.yml", "lefthook.yaml"),
    **dict.fromkeys(("docker-compose", "podman-compose"), ("compose.yaml", "docker-compose.yml")),
    **dict.fromkeys(("bazel", "bazelisk"), ("MODULE.bazel", "WORKSPACE", "BUILD.bazel", "BUILD")),
    **dict.fromkeys(("gulp", "grunt", "vagrant"), ("gulpfile.js", "Gruntfile.js", "Vagrantfile")),
}
"""Programs that run what a file of the project says -> the files they look for."""
_DIRECTORY = ("-C", "--directory", "--cwd", "--prefix", "--dir")
_FILE = ("-f", "--file", "--makefile", "--justfile", "--rakefile")


class Reach(Value):
    """`words` are paths from the policy's root that are pinned, `globs` patterns for such.

    `beyond` lists what is not covered, in sentences for people.
    """

    words: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    beyond: tuple[str, ...] = ()


def reach(data: object, root: str) -> Reach:
    """Return what the scripts of a policy's plain YAML data reach from `root`, where they run. Raises nothing."""
    found = _Found(root.replace("\\", "/"))
    for line in _lines(data):
        try:
            _follow(line, found)
        except Exception:  # A bug, too, leaves the script uncovered, and the report says so.
            found.tell(f"what {_shown(line)} runs: rulez could not follow it to its end")
    return Reach(words=tuple(sorted(found.words)), globs=tuple(sorted(found.globs)), beyond=tuple(found.beyond))


def _lines(data: object) -> Iterator[str]:
    """Yield each script of a policy as a shell line, or as a whole script."""
    rules = data.get("rules") if isinstance(data, dict) else None
    for rule in rules if isinstance(rules, list) else []:
        actions = rule.get("actions") if isinstance(rule, dict) else None
        if isinstance(actions, dict):
            for key in ("inject_command", "inline_script"):
                if isinstance(actions.get(key), str):
                    yield actions[key]
            yield from _line_of_run(actions.get("run"))


def _line_of_run(run: object) -> Iterator[str]:
    import shlex

    settings: dict[Any, Any] = run if isinstance(run, dict) else {"script": run}
    script, arguments = settings.get("script", settings.get("command")), settings.get("args")
    if isinstance(script, list):
        script, arguments = None, script
    words = [word for word in arguments if isinstance(word, str)] if isinstance(arguments, list) else None
    if isinstance(script, str) and settings.get("shell") is True:
        yield script
    elif words is not None:
        yield shlex.join([script, *words] if isinstance(script, str) else words)
    elif isinstance(script, str):
        try:
            yield shlex.join(shlex.split(script))
        except ValueError:
            return  # it is no command line, and never run


def _follow(line: str, found: _Found) -> None:
    import re

    if re.search(r"\bPATH\+?=", line):
        found.tell(f"which programs {_shown(line)} finds, since it sets PATH")
    first, _, rest = line.partition("\n")
    interpreter = first[2:].split() if first.startswith("#!") else []
    names = [posixpath.basename(word) for word in interpreter]
    if interpreter and not any(name in ("sh", "bash", "dash", "ksh", "zsh", "ash") for name in names):
        found.tell(f"what {_shown(rest)} itself loads, runs or reads")
        return
    starts = started(line, cwd=found.root, home=_HOME, steps=found.steps)
    found.steps = starts.steps
    for one in starts.started:
        if one.language:
            _loaded(one, found)
        else:
            _run_by(one, found)
    if not starts.whole:
        found.tell(f"what {_shown(line)} runs: rulez could not follow it to its end")


class _Found:
    """The files found so far."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.words: set[str] = set()
        self.globs: set[str] = set()
        self.beyond: dict[str, None] = {}
        self.steps = 0

    def tell(self, what: str) -> None:
        self.beyond[what] = None

    def pin(self, path: str, *, glob: bool = False) -> None:
        """Pin an absolute path, or tell that it is out of reach."""
        if "\0" in path:
            return
        path = posixpath.normpath(path)
        top = self.root.rstrip("/") + "/"
        if path.startswith(top):
            (self.globs if glob else self.words).add(path[len(top) :])
        elif not path.startswith(_SYSTEM) and path != self.root:
            shown = "~" + path.removeprefix(_HOME) if path.startswith(f"{_HOME}/") else path
            self.tell(f"`{shown}`, which is not in the project")

    def file(self, word: Word, one: Started) -> None:
        """Pin the file that a word names where this was started."""
        import re

        if word.text.startswith(("<(", ">(")):
            return  # The files it reads are followed by themselves.
        text = word.glob or word.text
        if "$" not in text and "`" not in text and (one.known_cwd or text.startswith("/")):
            self.pin(
                posixpath.join(one.cwd, text), glob=bool(word.glob) or any(character in text for character in "*?[")
            )
            if word.known:
                return
        # Most likely a variable for the project's directory; that it is, is not known.
        rest = re.fullmatch(r"\$\{?\w+\}?/([^$`]+)", word.text)
        if rest is not None:
            self.pin(posixpath.join(self.root, rest[1]))
        self.tell(f"which file `{word.text}` is")


def _loaded(one: Started, found: _Found) -> None:
    if one.file is not None:
        found.file(one.file, one)
    for path in one.files:
        found.pin(posixpath.join(found.root, path))
    if one.code is not None and one.language == "python":
        _imports(one.code, one, found)


def _run_by(one: Started, found: _Found) -> None:
    words, name, opaque = one.words, one.program, one.opaque
    shown = _shown(" ".join(word.text for word in words))
    if words and "/" in words[0].text:
        found.file(words[0], one)
    if PROGRAM in opaque:
        found.tell(f"which program {shown} is")
    if CODE in opaque:
        found.tell(f"what {shown} runs: it is not in the line")
    if OUTPUT in opaque or SET_UP in opaque:
        found.tell(f"what {shown} runs: another program prints it")
    if SYNTAX in opaque or LIMIT in opaque:
        found.tell(f"what {shown or 'a script'} runs: rulez could not follow it to its end")
    if name in _RUNNERS:
        _runner(one, found)
    if name.startswith(("python", "pypy")):
        module = _module(words)
        if module is not None:
            _pin_module(module, one, found)
            found.tell(f"what the module {module} imports")


def _runner(one: Started, found: _Found) -> None:
    directory, names = one.cwd, list(_RUNNERS[one.program])
    texts = [word.text for word in one.words]
    for at, text in enumerate(texts[1:], 1):
        option, equals, value = text.partition("=")
        value = value if equals else texts[at + 1] if at + 1 < len(texts) else ""
        if option in _DIRECTORY:
            directory = posixpath.join(directory, value)
        elif option in _FILE and one.program != "docker-compose":
            names.append(value)
        elif text.startswith(("-C", "-f")) and len(text) > 2 and not equals:
            directory = posixpath.join(directory, text[2:]) if text.startswith("-C") else directory
            names += [text[2:]] if text.startswith("-f") else []
    for file in names:
        found.pin(posixpath.join(directory, file))
    line = _shown(" ".join(texts))
    found.tell(f"what {line} runs besides {' or '.join(dict.fromkeys(names))}")


def _pin_module(module: str, one: Started, found: _Found) -> None:
    """Pin the files that a module of Python may be, from the current directory."""
    parts = module.split(".")
    for count in range(1, len(parts) + 1):
        place = posixpath.join(one.cwd, *parts[:count])
        for ending in ("/__init__.py", *((".py", "/__main__.py") if count == len(parts) else ())):
            found.pin(place + ending)


def _imports(code: str, one: Started, found: _Found) -> None:
    import re

    for line in re.split(r"[\n;]", code):
        names = re.match(r"\s*(?:from\s+([\w.]+)\s+import|import\s+([\w., ]+))", line)
        for name in re.split(r"[, ]+", (names[1] or names[2]).strip()) if names else ():
            if re.fullmatch(r"\w+(?:\.\w+)*", name):
                _pin_module(name, one, found)
    found.tell(f"what the code {_shown(code)} itself loads, runs or reads")


def _module(words: Sequence[Word]) -> str | None:
    """Return the module that `python -m` runs."""
    import re

    texts = [word.text for word in words[1:]]
    for at, text in enumerate(texts):
        flags = re.fullmatch(r"-[bBdEiIOPqsSuvx]*([mcWX])(.*)", text)
        if not text.startswith("-"):
            if at == 0 or texts[at - 1] not in ("-W", "-X"):
                return None
        elif flags is not None and flags[1] == "m":
            return flags[2] or (texts[at + 1] if at + 1 < len(texts) else None)
        elif flags is not None and flags[1] == "c":
            return None
    return None


def _shown(line: str) -> str:
    text = " ".join(line.split())
    return f"`{text if len(text) <= _LONGEST else text[: _LONGEST - 3] + '...'}`" if text else ""

"""python -m: modules that are a program known by the same name, or that run a file or code."""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.programs.doubt import of_undescribed
from rulez_py.analysis.programs.read import level
from rulez_py.analysis.programs.runs import plainly, ways
from rulez_py.analysis.programs.touches import plainly as plainly_touched
from rulez_py.analysis.values import INTERPRETER, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulez_py.analysis.programs.runs import Own
    from rulez_py.analysis.programs.touches import Touching

_PROGRAMS = frozenset(
    (
        *("pip", "pipx", "pipenv", "poetry", "pdm", "hatch", "uv", "twine", "build"),
        *("pytest", "coverage", "flask", "alembic", "ansible", "celery", "black", "ruff", "mypy", "invoke"),
        *("zipfile", "tarfile"),
        *("http.server", "SimpleHTTPServer", "keyring", "dotenv", "pyftpdlib", "uploadserver", "twisted", "wormhole"),
        *("updog", "RangeHTTPServer", "livereload", "aiohttp.web", "wsgidav", "browser_cookie3"),
    )
)
"""Modules that are the program of the same name."""
_OURS = frozenset(("rulez", "rulez_py"))
"""Modules that are rulez itself, as is every module in them."""
_MAKES_DIRECTORIES = frozenset(("venv", "virtualenv", "http.server"))
"""Modules that are given a directory."""
_DRIVERS = frozenset(("pdb", "cProfile", "profile", "trace"))
"""Modules that run a file, described as `python -m NAME`."""

_SHELLS = frozenset(("code", "asyncio", "IPython", "ptpython", "bpython"))
"""Modules that read code from standard input."""


def python_runs(own: Own) -> Iterable[Inner]:
    """Return what Python runs: the module that is named, else code or a file."""
    modules = own.valued("runs module")
    if modules and not own.is_idle and not own.valued("runs code"):
        return run_module(modules[-1], own.behind)
    return [*plainly(own), *_ours_by_path(own)]


def osascript_runs(own: Own) -> Iterable[Inner]:
    """Return what osascript runs; `-l JavaScript` says that the code is no AppleScript (osascript(1))."""
    language = own.value("-l")
    for one in plainly(own):
        is_code = one.language == "applescript" and language is not None and language.text.lower() == "javascript"
        yield one.replace(language="javascript") if is_code else one


def _ours_by_path(own: Own) -> Iterable[Inner]:
    """Return `python DIRECTORY/rulez_py ...` as rulez, and so the file in it that Python starts."""
    if own.start is None or own.is_idle or own.valued("runs code"):
        return ()
    path = own.words[own.start]
    last = path.text.rstrip("/").removesuffix("/__main__.py").rpartition("/")[2]
    return (Inner(words=(parts.with_text(path, "rulez"), *own.words[own.start + 1 :])),) if last == "rulez_py" else ()


def python_effects(command: Touching) -> None:
    """Run what a module is given that is no program known by its name."""
    plainly_touched(command)
    at = next((place for place, (option, _) in enumerate(command.options) if "-m" in option.names), None)
    module = command.value("-m")
    if at is None or module is None or module.text in _PROGRAMS or module.text in _MAKES_DIRECTORIES:
        return
    behind = command.place.get(id(module), command.place.get(id(command.options[at][0].word), len(command.words)))
    given = of_undescribed(command.words[behind:])
    command.named += given.named
    command.unknown += given.doubted


def run_module(module: Word, rest: Sequence[Word]) -> tuple[Inner, ...]:
    """Return what `python -m` runs; `rest` is what the module is given."""
    if module.text in _PROGRAMS:
        return (Inner(words=(module, *rest)),)
    if module.text.partition(".")[0] in _OURS:
        return (Inner(words=(parts.with_text(module, "rulez"), *rest)),)
    words = (module, *rest)
    if module.text == "timeit":
        owns, _ = ways(level("python -m timeit"), words)
        texts = [*owns[0].valued("runs code"), *owns[0].behind]
        return (Inner(code=parts.join(texts, "\n"), language="python", via=INTERPRETER),) if texts else ()
    if module.text in _DRIVERS:
        owns = ways(level(f"python -m {module.text}"), words)[0]
        for own in owns:
            # `python -m cProfile -m MODULE`
            if modules := own.valued("runs module"):
                return run_module(modules[-1], own.behind)
        return tuple(
            Inner(file=words[start], language="python", via=INTERPRETER, arguments=tuple(words[start:]))
            for own in owns
            for start in own.starts
        )
    if module.text in _SHELLS:
        return (Inner(stdin=True, language="python", via=INTERPRETER),)
    return ()

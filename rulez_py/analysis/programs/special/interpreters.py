"""python -m: modules that are a program known by the same name, or that run a file or code."""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.programs.read import level
from rulez_py.analysis.programs.runs import plainly, ways
from rulez_py.analysis.values import INTERPRETER, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulez_py.analysis.programs.runs import Own

_PROGRAMS = frozenset(
    (
        *("pip", "pipx", "pipenv", "poetry", "pdm", "hatch", "uv", "twine", "build"),
        *("pytest", "coverage", "flask", "alembic", "ansible", "celery", "black", "ruff", "mypy", "invoke"),
        *("http.server", "SimpleHTTPServer", "keyring", "dotenv", "pyftpdlib", "uploadserver", "twisted", "wormhole"),
        *("updog", "RangeHTTPServer", "livereload", "aiohttp.web", "wsgidav", "browser_cookie3"),
    )
)
"""Modules that are the program of the same name."""
_DRIVERS = frozenset(("pdb", "cProfile", "profile", "trace"))
"""Modules that run a file, described as `python -m NAME`."""


def python_runs(own: Own) -> Iterable[Inner]:
    """What Python runs: the module that is named, else code or a file."""
    modules = own.valued("runs module")
    if modules and not own.is_idle and not own.valued("runs code"):
        return run_module(modules[-1], own.behind)
    return plainly(own)


def run_module(module: Word, rest: Sequence[Word]) -> tuple[Inner, ...]:
    """What `python -m` runs; `rest` is what the module is given."""
    if module.text in _PROGRAMS:
        return (Inner(words=(module, *rest)),)
    words = (module, *rest)
    if module.text == "timeit":
        owns, _ = ways(level("python -m timeit"), words)
        texts = [*owns[0].valued("runs code"), *owns[0].behind]
        return (Inner(code=parts.join(texts, "\n"), language="python", via=INTERPRETER),) if texts else ()
    if module.text in _DRIVERS:
        return tuple(
            Inner(file=words[start], language="python", via=INTERPRETER, arguments=tuple(words[start:]))
            for own in ways(level(f"python -m {module.text}"), words)[0]
            for start in own.starts
        )
    if module.text == "code":
        return (Inner(stdin=True, language="python", via=INTERPRETER),)
    return ()

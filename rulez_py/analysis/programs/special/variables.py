"""Environment variables whose value says in a form of its own what a program runs (from the programs' manuals)."""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.programs.runs import within_level
from rulez_py.analysis.values import INTERPRETER, SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_FUNCTIONS = ("bash", "sh", "rbash")
"""The shells that take functions from the environment."""
_ZSH_FILES = (".zshenv", ".zprofile", ".zshrc", ".zlogin")
_BASH_FILES = (".bashrc", ".bash_profile", ".profile")
_PRELOADS = ("--require", "-r", "--import", "--loader", "--experimental-loader")


def commands(program: str, name: str, value: Word, words: Sequence[Word]) -> list[Inner]:
    """Return what a program runs because of one variable."""
    if name in ("LESSOPEN", "LESSCLOSE"):
        return _less(value)
    if name == "TAR_OPTIONS":
        given = (words[0] if words else value, *parts.split(value))
        return [one for one in within_level(program, given) if not one.words]
    if name == "GOFLAGS":
        flags = [one.text.partition("=") for one in parts.split(value)]
        return [
            Inner(code=parts.with_text(value, text), via=SHELL)
            for flag, _, text in flags
            if flag.lstrip("-") in ("toolexec", "exec") and text
        ]
    if name == "NODE_OPTIONS":
        return _node(value)
    if name in ("HOME", "ZDOTDIR"):
        return _starting(words[0] if words else value, name, value)
    if name.startswith("BASH_FUNC_") and program in _FUNCTIONS:
        _, brace, body = value.text.partition("{")
        return [Inner(code=parts.with_text(value, brace + body) if brace else value, via=SHELL)]
    return []


def _starting(program: Word, name: str, value: Word) -> list[Inner]:
    """Return the files that a shell reads when it starts, in a directory that a variable names."""
    zsh = parts.name(program).startswith("zsh")
    if not zsh and name == "ZDOTDIR":
        return []
    return [
        Inner(file=parts.with_text(value, f"{value.text}/{file}"), language="zsh" if zsh else "sh", via=SHELL)
        for file in (_ZSH_FILES if zsh else _BASH_FILES)
    ]


def _less(value: Word) -> list[Inner]:
    """Read `|-command %s`, `||command`, or a plain command that prints the name of a file."""
    text = value.text.lstrip("|-")
    return [
        Inner(code=parts.cut(value, len(value.text) - len(text)), via=SHELL, placeholder="%s" if "%s" in text else "")
    ]


def _node(value: Word) -> list[Inner]:
    """Return the files that --require, -r, --import and --loader name."""
    given = parts.split(value)
    found: list[Inner] = []
    _, inline, code = value.text.partition("data:text/javascript,")
    if inline:
        from rulez_py.analysis.addresses import percent_decoded

        code = percent_decoded(code)
        return [Inner(code=parts.with_text(value, code), language="javascript", via=INTERPRETER)]
    for word, behind in zip(given, (*given[1:], None), strict=True):
        name, equals, _ = word.text.partition("=")
        if name in _PRELOADS:
            file = parts.cut(word, len(name) + 1) if equals else behind
            if file is not None:
                found.append(Inner(file=file, language="javascript", via=INTERPRETER))
    return found

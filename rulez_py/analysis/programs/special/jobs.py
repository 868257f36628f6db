"""Texts with shell code in them: a crontab's lines and a makefile's recipes, and the programs that take such texts."""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.values import SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulez_py.analysis.programs.runs import Own

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_PROGRAMS = frozenset(
    (
        "SHELL",
        "CC",
        "CXX",
        "CPP",
        "LD",
        "AR",
        "AS",
        "FC",
        "RM",
        "INSTALL",
        "PYTHON",
        "NODE",
        "GO",
        "CARGO",
        "GIT",
        "MAKE",
    )
)
"""Variables of makefiles that name a program."""
_TIMES = 5
_VARIABLE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


def crontab_runs(own: Own) -> tuple[Inner, ...]:
    """Return the commands of crontab FILE, or what is on standard input: its lines run later."""
    if own.is_idle:
        return ()
    operand = own.operands[0] if own.operands else None
    if operand is None or operand.text == "-":
        return (Inner(stdin=True, language="crontab", via=SHELL),)
    return (Inner(file=operand, language="crontab", via=SHELL),)


def make_runs(own: Own) -> tuple[Inner, ...]:
    """Return what `make` runs: the recipes of a makefile that is known, whatever the target."""
    if own.is_idle:
        return ()
    place = own.value("-C", "--directory")
    given = own.every("-f", "--file", "--makefile")
    read = given or [Word(text=name, at=own.words[0].at) for name in MAKEFILES]
    evaluated = [Inner(code=word, language="make", via=SHELL, cwd=place) for word in own.every("-E", "--eval")]
    targets = tuple(own.operands)
    return (
        *evaluated,
        *_variables(own.operands),
        *(one.replace(arguments=targets) for one in _from(read, place, given)),
    )


def _variables(operands: Sequence[Word]) -> Iterator[Inner]:
    """Yield what variables run that are given to make: the shell, and what is in `$(shell ...)`."""
    for word in operands:
        length = parts.assignment(word)
        if length and word.text[:length] in _PROGRAMS:
            yield Inner(code=parts.cut(word, length + 1), via=SHELL)
        elif length and "$(shell" in word.text:
            yield parts.as_text(parts.cut(word, length + 1))


def _from(read: Sequence[Word], place: Word | None, given: Sequence[Word]) -> Iterator[Inner]:
    yield from (
        Inner(stdin=True, language="make", via=SHELL, cwd=place)
        if file.text in ("-", "/dev/stdin") and given
        else Inner(file=file, language="make", via=SHELL, cwd=place)
        for file in read
    )


def shell_of(language: str, text: str) -> str:
    """Return the shell code in a crontab or a makefile."""
    return _jobs(text) if language == "crontab" else _recipes(text)


def _jobs(text: str) -> str:
    """Return the command after the times; a `%` ends it."""
    found = []
    for line in text.split("\n"):
        line = line.strip()
        times = 1 if line.startswith("@") else _TIMES
        parts = line.split(None, times)
        if len(parts) <= times or not (line[0].isdigit() or line[0] in "*@"):
            continue
        command, _, _ = parts[times].replace("\\%", "\0").partition("%")
        found.append("(\n" + command.replace("\0", "%") + "\n)")
    return "\n".join(found)


def _recipes(text: str) -> str:
    """Return the lines of all recipes, each for a shell of its own, behind the plain variables."""
    found = []
    for line in text.replace("\\\n", "\\\r").split("\n"):
        line = line.replace("\r", "\n")
        if line.startswith("\t"):
            recipe = line.lstrip("\t @+-")
            if recipe.strip() and not recipe.startswith("#"):
                found.append(f"(\n{expanded(recipe)}\n)")
            continue
        name, equals, value = line.partition("=")
        name = name.rstrip(" :?+")
        if equals and name and _VARIABLE.issuperset(name):
            found.append(f"{name}='{value.strip()}'" if "'" not in value else "")
        _, rule, recipe = line.partition(";")
        if rule and ":" in line and not equals:
            found.append(f"(\n{expanded(recipe.lstrip(' @+-'))}\n)")
    return "\n".join(found)


def expanded(recipe: str) -> str:
    """Return a recipe as the shell gets it: `$(NAME)` is a variable, `$$` a `$`.

    make puts a value in before the shell reads quotes, so between single quotes a variable is let out of them.
    """
    found: list[str] = []
    at, quote = 0, ""
    while at < len(recipe):
        dollar = recipe.find("$", at)
        if dollar < 0:
            break
        found.append(recipe[at:dollar])
        quote = _quote_after(recipe[at:dollar], quote)
        char = recipe[dollar + 1 : dollar + 2]
        end = recipe.find(")" if char == "(" else "}", dollar)
        inside = recipe[dollar + 2 : end] if char in ("(", "{") and end > 0 else ""
        if inside and _VARIABLE.issuperset(inside):
            found.append(f"'\"${{{inside}}}\"'" if quote == "'" else f"${{{inside}}}")
            at = end + 1
        elif inside.startswith("shell "):
            found.append("$(")
            at = dollar + 8
        elif char == "$":
            found.append("$")
            at = dollar + 2
        else:
            found.append("${MAKE}")
            at = end + 1 if inside else dollar + 2
    found.append(recipe[at:])
    return "".join(found)


def _quote_after(text: str, quote: str) -> str:
    """Return the quote that is open behind a text of shell code, "" where none is."""
    at = 0
    while at < len(text):
        if text[at] == "\\" and quote != "'":
            at += 1
        elif quote:
            quote = "" if text[at] == quote else quote
        elif text[at] in "\"'":
            quote = text[at]
        at += 1
    return quote

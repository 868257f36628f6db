"""Ask the analysis about a line: each function loads what it needs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.analysis.bash.interpreter import Interpreter
    from rulez_py.analysis.bash.script_files import Starts
    from rulez_py.analysis.values import Command, Discard, Followed, Push, Reading, Stored, Word


def analyse(text: str, *, cwd: str, home: str, environ: Mapping[str, str], dialect: str = "sh") -> tuple[Command, ...]:
    """Return the commands of a line (`follow`)."""
    return follow(text, cwd=cwd, home=home, environ=environ, dialect=dialect).commands


def follow(
    text: str,
    *,
    cwd: str,
    home: str,
    environ: Mapping[str, str],
    dialect: str = "sh",
    stored: Stored | None = None,
) -> Followed:
    """Return what would be executed, in the order in which it is met, and what would be written.

    `cwd` is where the command line starts, `home` the user's, `environ` what is known of the environment (TMPDIR,
    SHELL, USER). `dialect` is "sh", "powershell", or "any" for a text in an unknown language. What cannot
    be followed to its end, because it is too long, too deep or too slow, is a command that is opaque. `stored` are
    the files that are there; without it no file is read.
    """
    from rulez_py.analysis.bash.interpreter import Interpreter

    return _followed(Interpreter(stored=stored), text, cwd, home, environ, dialect)


def nested(
    text: str,
    *,
    cwd: str,
    home: str,
    environ: Mapping[str, str],
    dialect: str = "sh",
    stored: Stored | None = None,
) -> tuple[Followed, Mapping[Command, Command]]:
    """Follow a line (`follow`), and return which command runs which; those of the line itself have no entry."""
    from rulez_py.analysis.bash.interpreter import Interpreter
    from rulez_py.analysis.bash.nesting import Nesting

    nesting = Nesting()
    return _followed(Interpreter(nesting, stored=stored), text, cwd, home, environ, dialect), nesting.run_by


def _followed(
    interpreter: Interpreter, text: str, cwd: str, home: str, environ: Mapping[str, str], dialect: str
) -> Followed:
    from rulez_py.analysis.bash.machine import LONGEST, Exhausted
    from rulez_py.analysis.bash.world import World
    from rulez_py.analysis.values import LIMIT, Command, Followed

    known = {"TMPDIR": "/tmp", "SHELL": "/bin/sh"} | {  # noqa: S108 (where it is not set, this is what is meant)
        name: environ[name] for name in ("TMPDIR", "SHELL", "USER", "LOGNAME") if environ.get(name)
    }
    try:
        if len(text) > LONGEST:
            raise Exhausted
        interpreter.follow(text, World(cwd, home, known), dialect)
    except (Exhausted, RecursionError):
        # INVARIANT: a line that is not followed to its end leaves an opaque command, so that rules can ask about it.
        interpreter.commands.append(Command(words=(), program="", opaque=(LIMIT,)))
    return Followed(commands=tuple(interpreter.commands), written=tuple(interpreter.written))


_described = [""]


def describe(table: str) -> None:
    """Read what people describe (`programs.of_people`) from now on, before what rulez knows; "" for nothing."""
    if table == _described[0]:
        return
    _described[0] = table
    from rulez_py.analysis.powershell import cmdlets
    from rulez_py.analysis.programs import read, store

    store.lay_over(table.encode())
    read.forget()
    cmdlets.forget()


def started(text: str, *, cwd: str, home: str, steps: int = 0) -> Starts:
    """Return what a shell line starts, `steps` having been taken before it.

    A caller that follows several lines hands on the steps of one to the next: they share the bound of one line, so
    their number does not set how long it takes.
    """
    from rulez_py.analysis.bash.script_files import follow

    return follow(text, cwd=cwd, home=home, steps=steps)


def reading(command: Command) -> Reading:
    """Return a command's words after the program as options and operands, as that program reads them."""
    words = command.words[1:]
    if "-" in command.program:
        from rulez_py.analysis.powershell import cmdlets

        if cmdlets.described(command.program):
            return cmdlets.reading(command.program, words)
    from rulez_py.analysis.programs.read import read

    return read(command.program, words)


def subcommand(command: Command) -> tuple[Word, ...]:
    """Return the words behind a program's name that name its subcommand; none of a program without a description."""
    from rulez_py.analysis.programs.read import levels

    operands = reading(command).operands
    return tuple(one.word for one in operands[: levels(command.program, operands)[2]])


def discards(command: Command) -> tuple[Discard, ...]:
    """Return what a git command throws away of a repository; nothing of any other command."""
    if command.program != "git":
        return ()
    from rulez_py.analysis.programs.special.discards import discards as found

    return found(command, reading(command))


def pushes(command: Command) -> tuple[Push, ...]:
    """Return the branches of other repositories that a command changes, by git or the clients of code hosts."""
    if not can_push(command):
        return ()
    from rulez_py.analysis.programs.special.pushes import pushes as found

    return found(command, reading(command))


def can_push(command: Command) -> bool:
    """Tell whether a command's program may change branches of another repository."""
    from rulez_py.analysis.programs.special.pushes import PROGRAMS

    return command.program in PROGRAMS


def recipes(language: str, text: str) -> str:
    """Return the shell code in a file of recipes or settings (`lines`, `xml`): all of it, for which runs is unknown."""
    from rulez_py.analysis.programs.special.recipes import shell_of

    return shell_of(language, text, ())

"""From a command line to what it would execute, read, write, delete and contact.

This is the only door: whoever stands outside imports `rulez_py.analysis` and nothing below it, and nothing in here
imports anything else of rulez. `__all__` is what there is to have; the rest may change from one day to the next.

- `follow` gives the `Command`s of a line, with their `Word`s, `File`s and `Data`, and the texts that it writes into
  files; what cannot be known about a command is said in its `opaque`, by reasons of `OPAQUE`. `analyse` gives the
  commands alone, `nested` says besides which command runs which.
- `reading` tells a command's options from its operands; `holds` and `certainly` ask such a `Reading` for one option.
- `started` is for who wants to know which files run, and not what they do.
- `plain` is a quick answer for most lines; `hosts_in` finds the hosts in texts.

A name is loaded when it is first asked for: a hook call pays for what it uses.
"""

from __future__ import annotations

from rulez_py.analysis.record import Value as Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.analysis.addresses import hosts_in, hosts_of, hosts_of_url, percent_decoded
    from rulez_py.analysis.bash.follow import Follower
    from rulez_py.analysis.bash.machine import LONGEST
    from rulez_py.analysis.bash.quick import Plain
    from rulez_py.analysis.bash.started import Started, Starts
    from rulez_py.analysis.programs.read import certainly, holds
    from rulez_py.analysis.values import (
        ARGUMENTS,
        BELOW,
        CODE,
        DELETE,
        LIMIT,
        OPAQUE,
        ORIGINS,
        OUTPUT,
        PROGRAM,
        READ,
        RECURSION,
        REMOTE,
        SEND,
        SET_UP,
        SINKS,
        SOME,
        SOURCES,
        SYNTAX,
        VIA,
        WRITE,
        Command,
        Data,
        File,
        Followed,
        Inner,
        Operand,
        Option,
        Reading,
        Word,
    )

_HOMES = {
    **dict.fromkeys(("hosts_in", "hosts_of", "hosts_of_url", "percent_decoded"), "addresses"),
    "Plain": "bash.quick",
    "LONGEST": "bash.machine",
    **dict.fromkeys(("Started", "Starts"), "bash.started"),
    **dict.fromkeys(("certainly", "holds"), "programs.read"),
}
"""The modules of the names that are not in `values`."""

__all__ = [
    "ARGUMENTS",
    "BELOW",
    "CODE",
    "DELETE",
    "LIMIT",
    "LONGEST",
    "OPAQUE",
    "ORIGINS",
    "OUTPUT",
    "PROGRAM",
    "READ",
    "RECURSION",
    "REMOTE",
    "SEND",
    "SET_UP",
    "SINKS",
    "SOME",
    "SOURCES",
    "SYNTAX",
    "VIA",
    "WRITE",
    "Command",
    "Data",
    "File",
    "Followed",
    "Inner",
    "Operand",
    "Option",
    "Plain",
    "Reading",
    "Started",
    "Starts",
    "Value",
    "Word",
    "analyse",
    "certainly",
    "follow",
    "holds",
    "hosts_in",
    "hosts_of",
    "hosts_of_url",
    "nested",
    "percent_decoded",
    "plain",
    "reading",
    "started",
]

if not TYPE_CHECKING:  # else every name would be there

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = __import__(f"{__name__}.{_HOMES.get(name, 'values')}", fromlist=(name,))
        globals()[name] = found = getattr(module, name)
        return found


def analyse(text: str, *, cwd: str, home: str, environ: Mapping[str, str], dialect: str = "sh") -> tuple[Command, ...]:
    """The commands of a line (`follow`)."""
    return follow(text, cwd=cwd, home=home, environ=environ, dialect=dialect).commands


def follow(text: str, *, cwd: str, home: str, environ: Mapping[str, str], dialect: str = "sh") -> Followed:
    """What would be executed, in the order in which it is met, and what would be written.

    `cwd` is where the command line starts, `home` the user's, `environ` what is known of the environment (TMPDIR,
    SHELL, USER). `dialect` is "sh", "powershell", or "any" for a text in a language that nobody knows. What cannot
    be followed to its end, because it is too long, too deep or too slow, is a command that is opaque.
    """
    from rulez_py.analysis.bash.follow import Follower

    return _followed(Follower(), text, cwd, home, environ, dialect)


def nested(
    text: str, *, cwd: str, home: str, environ: Mapping[str, str], dialect: str = "sh"
) -> tuple[Followed, Mapping[Command, Command]]:
    """The same, and what each command is run by; those that the line itself runs have nothing there."""
    from rulez_py.analysis.bash.nesting import NestingFollower

    follower = NestingFollower()
    return _followed(follower, text, cwd, home, environ, dialect), follower.run_by


def _followed(follower: Follower, text: str, cwd: str, home: str, environ: Mapping[str, str], dialect: str) -> Followed:
    from rulez_py.analysis.bash.machine import LONGEST, Exhausted
    from rulez_py.analysis.bash.world import World
    from rulez_py.analysis.values import ANY, INTERPRETER, LIMIT, Command, Followed, Inner, Word

    known = {"TMPDIR": "/tmp", "SHELL": "/bin/sh"} | {  # noqa: S108 (where it is not set, this is what is meant)
        name: environ[name] for name in ("TMPDIR", "SHELL", "USER", "LOGNAME") if environ.get(name)
    }
    try:
        if len(text) > LONGEST:
            raise Exhausted
        world = World(cwd, home, known)
        if dialect == "powershell":
            follower.powershell(text, world)
        elif dialect == ANY:
            follower.one_inner(Inner(code=Word(text=text), language=ANY, via=INTERPRETER), world, [], [])
        else:
            follower.follow(text, world)
    except (Exhausted, RecursionError):
        follower.commands.append(Command(words=(), program="", opaque=(LIMIT,)))
    return Followed(commands=tuple(follower.commands), written=tuple(follower.written))


def plain(text: str) -> Plain | None:
    """What a plain line does, without an analysis; None of any other line."""
    from rulez_py.analysis.bash import quick

    return quick.read(text)


def started(text: str, *, cwd: str, home: str, steps: int = 0) -> Starts:
    """What a shell line starts, `steps` having been taken before it.

    Who follows several lines hands on the steps that one took to the next: they share the bound of one line, and
    whoever wrote them does not choose how long it takes.
    """
    from rulez_py.analysis.bash.started import follow

    return follow(text, cwd=cwd, home=home, steps=steps)


def reading(command: Command) -> Reading:
    """A command's words behind the program, told apart as that program does it."""
    words = command.words[1:]
    if "-" in command.program:
        from rulez_py.analysis.powershell import cmdlets

        if cmdlets.described(command.program):
            return cmdlets.reading(command.program, words)
    from rulez_py.analysis.programs.read import read

    return read(command.program, words)

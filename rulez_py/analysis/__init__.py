"""From a command line to what it would execute, read, write, delete and contact."""

from __future__ import annotations

from rulez_py.analysis.record import Value as Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.analysis.values import Command


def analyse(text: str, *, cwd: str, home: str, environ: Mapping[str, str], dialect: str = "sh") -> tuple[Command, ...]:
    """What would be executed, in the order in which it is met.

    `cwd` is where the command line starts, `home` the user's, `environ` what is known of the environment (TMPDIR,
    SHELL, USER). `dialect` is "sh" or "powershell". What cannot be followed to its end, because it is too long, too
    deep or too slow, is a command that is opaque.
    """
    from rulez_py.analysis.bash.follow import Follower
    from rulez_py.analysis.bash.machine import LONGEST, Exhausted
    from rulez_py.analysis.bash.world import World
    from rulez_py.analysis.values import LIMIT, Command

    follower = Follower()
    known = {"TMPDIR": "/tmp", "SHELL": "/bin/sh"} | {  # noqa: S108 (where it is not set, this is what is meant)
        name: environ[name] for name in ("TMPDIR", "SHELL", "USER", "LOGNAME") if environ.get(name)
    }
    try:
        if len(text) > LONGEST:
            raise Exhausted
        world = World(cwd, home, known)
        if dialect == "powershell":
            follower.powershell(text, world)
        else:
            follower.follow(text, world)
    except (Exhausted, RecursionError):
        follower.commands.append(Command(words=(), program="", opaque=(LIMIT,)))
    return tuple(follower.commands)

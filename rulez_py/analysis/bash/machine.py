"""What the parts of an interpreter share: the commands that were noted, bounds, trying every choice, observers."""

from __future__ import annotations

from rulez_py.analysis.bash.dataflow import mounted
from rulez_py.analysis.bash.expand import Expander
from rulez_py.analysis.bash.world import UNDECIDED, either, merged, united
from rulez_py.analysis.record import Value
from rulez_py.analysis.values import LIMIT, ORIGINS, REMOTE, Command, File, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    from rulez_py.analysis.bash.expand import Place
    from rulez_py.analysis.bash.syntax import Node, Substitution
    from rulez_py.analysis.bash.world import World
    from rulez_py.analysis.values import Data, Inner, Stored

    Act: TypeAlias = Callable[[World], list[World]]
    """What happens in a world, which it may change; the worlds that it leaves behind."""

MOST_COMMANDS = 600
MOST_STEPS = 20_000
MOST_FILES = 800
"""Bounds: commands noted, steps taken, files that the commands touch, for each of which each rule about files asks."""
MOST_TOUCHED = 500
"""Files of one command that are kept apart; with more it is opaque."""
STEPS_IN_FILES = 6_000
"""Steps that following the files of a line may take; beyond it they are read flat (`scripts`)."""
GIVEN_A_STEP = 16
"""Variables that a program may be given, for each of its steps."""
OF_A_FILE = 5
OF_ONE_OF_MANY = 25
"""Steps for what rules about files do with one, and with one of which only the directory is known."""
MOST_INPUTS = 32
"""Inputs of a loop, of xargs and of its like that are followed one by one."""
DEEPEST = 50
LONGEST = 500_000
"""Bounds: constructs in one another, characters."""
_MOVING = ("GIT_DIR", "GIT_WORK_TREE")
"""Variables that say to a program where it works."""
MOST_TRIED = 16
"""Times that one part is followed in one world, each with other choices; beyond it nothing is known of them."""


_OF_A_PART = ("depth", "place", "_choices", "scripts", "script", "offset", "bound", "opened", "tracks")
"""What of a machine following a part changes while it does."""


def ends(files: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the first and the last of files, MOST_TOUCHED together."""
    half = MOST_TOUCHED // 2
    return (*files[:half], *files[-half:])


class Exhausted(Exception):
    """A bound is reached."""


class Invocation(Value):
    """One run of a program: its `words`, and what is set for it alone.

    `name` is the program's without directories, "" where it is not known yet. `files` and `hosts` are those of its
    redirections, `environment` are the variables written before it. `functions` says whether its name may be that of
    a function.
    """

    name: str = ""
    words: Sequence[Word] = ()
    files: tuple[File, ...] = ()
    hosts: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    functions: bool = True


class Script(Value):
    """A file that is being followed: its path, absolute, and where its lines begin.

    `lines` are their numbers, where the text that is followed was made from the file's and has them in another order.
    """

    path: str
    starts: tuple[int, ...]
    lines: tuple[int, ...] = ()

    @staticmethod
    def of(path: str, text: str) -> Script:
        """Return the file at a path, with the lines of a text."""
        starts, at = [0], 0
        while (at := text.find("\n", at) + 1) > 0:
            starts.append(at)
        return Script(path=path, starts=tuple(starts))

    def line_of(self, offset: int) -> int:
        """Return the line, from 1, in which an offset of its text lies."""
        from bisect import bisect_right  # Few lines run files.

        at = bisect_right(self.starts, offset)
        return self.lines[at - 1] if self.lines else at


class Trace:
    """Collects from the code that a program runs: why it is opaque, and which code that was."""

    def __init__(self) -> None:
        self.opaque: list[str] = []
        self.codes: list[Data] = []
        self.doubted: tuple[Inner, ...] = ()
        """What its words may be besides: it is unknown if it runs them."""


class Choices:
    """The choices met while a part is followed once: the first ones as given, of all others the first possibility."""

    def __init__(self, given: tuple[int, ...], *, undecided: bool = False) -> None:
        self.given = given
        self.undecided = undecided
        self.made: list[tuple[int, int]] = []
        """Each choice: which, and of how many."""

    def choose(self, count: int) -> int:
        """Return one of so many possibilities; UNDECIDED where there are too many of them all."""
        if self.undecided:
            return UNDECIDED
        at = len(self.made)
        chosen = self.given[at] if at < len(self.given) else 0
        self.made.append((chosen, count))
        return chosen

    def others(self) -> list[tuple[int, ...]]:
        """Return the choices that lead to what has not been tried."""
        before = tuple(chosen for chosen, _ in self.made)
        return [
            (*before[:at], other)
            for at in range(len(self.given), len(self.made))
            for other in range(1, self.made[at][1])
        ]


class Observer:
    """Hears of what an interpreter does, and changes nothing of it."""

    def noted(self, command: Command, world: World) -> None:
        """Hear of a command that is noted, before those after it."""

    def ran(self, command: Command, inner: Sequence[Command]) -> None:
        """Hear of a program that was run, and of the commands that it runs in turn."""

    def code(self, inner: Inner, world: World) -> None:
        """Hear of a command in a command, before it is followed."""


class Machine:
    """Holds what the parts of an interpreter share: what was noted, bounds, choices, and the ways to one another.

    `run` follows one part of a line in each of several worlds, which it uses up, and returns what it leaves behind.
    `execute` runs a program, or a function. `trapped` runs what traps have left for the end. `Interpreter`
    connects them.
    """

    run: Callable[[Node, Sequence[World]], list[World]]
    execute: Callable[[Invocation, World], list[World]]
    trapped: Callable[[list[World]], list[World]]

    def __init__(
        self,
        substituted: Callable[[Substitution, World], Data],
        observers: Sequence[Observer],
        steps: int,
        stored: Stored | None,
    ) -> None:
        self.commands: list[Command] = []
        self.written: dict[tuple[str, str], None] = {}
        """What files hold after each time that a known text is written to them: the path, the text."""
        self.expander = Expander(substituted, self.doubt, self.choose, self.spend)
        self.observers = observers
        self.steps = steps
        self.depth = 0
        self.place: Place | None = None
        """The place of all words, where that is not where they are written."""
        self._choices: Choices | None = None
        self.stored = stored
        """The files that are there; None where none is read."""
        self.scripts: tuple[Script, ...] = ()
        """The files that are being followed, outermost first."""
        self.script: Script | None = None
        """The file of the command that is followed: of a function, where it is defined."""
        self.traps: dict[Inner, tuple[Script | None, int]] = {}
        """The file, and the place in it, where a trap is set."""
        self.defined: dict[int, Script] = {}
        """The files in which functions are defined, by the identity of their bodies."""
        self.offset = 0
        """The place of the command that is followed, in the innermost of them."""
        self.opened = False
        """True if the text that is read next is that of the innermost of them."""
        self.tracks = False
        """True if the text that is followed is a file's own: then `offset` is its place."""
        self.bound = MOST_STEPS
        self.touched = 0
        self.left_for_files = STEPS_IN_FILES
        self.searched: set[str] = set()
        """Files that were searched for commands: which of these run is unknown, so who runs them matters little."""

    def kept(self) -> dict[str, Any]:
        """Return what following a part changes, and gives back when it has come to its end."""
        return {name: getattr(self, name) for name in _OF_A_PART}

    def restore(self, kept: Mapping[str, Any], **changes: Any) -> None:
        """Take back what `kept` gave, where following has stopped at a bound."""
        self.__dict__.update({**kept, **changes})

    # Bounds.

    def spend(self, steps: int) -> None:
        """Take so many steps. Raises Exhausted."""
        self.steps += steps
        if self.steps > self.bound or len(self.commands) > MOST_COMMANDS or self.touched > MOST_FILES:
            raise Exhausted

    def united(self, worlds: Sequence[World]) -> list[World]:
        """Unite equal worlds (`world.united`). Comparing them takes steps as well."""
        if len(worlds) > 1:
            self.spend(len(worlds) // 2 + sum(len(world.variables) + len(world.files) for world in worlds) // 48)
        return united(worlds)

    # Choices.

    def choose(self, count: int) -> int:
        """Return one of so many possibilities, all of which are tried; UNDECIDED where that would be too many."""
        return UNDECIDED if self._choices is None else self._choices.choose(count)

    def unchosen(self, act: Callable[[], list[Word]]) -> list[Word]:
        """Return what an act gives where nothing is chosen: what may be one of several is unknown."""
        kept, self._choices = self._choices, None
        try:
            return act()
        finally:
            self._choices = kept

    def each(self, worlds: Sequence[World], act: Act) -> list[World]:
        """Do it in each world, with each choice that it meets there; the same command is noted once."""
        found: list[World] = []
        seen: set[Command] | None = None
        for world in worlds:
            pending = [Choices(())]
            outer = self._choices
            for number, choices in enumerate(pending):
                self._choices = choices
                at = len(self.commands)
                found += act(world.copy())
                more = choices.others()
                if len(pending) + len(more) > MOST_TRIED:
                    more = []
                    # INVARIANT: past the bound of tries, the part is followed once more with every choice unknown.
                    if not pending[-1].undecided:
                        pending.append(Choices((), undecided=True))
                pending[number + 1 : number + 1] = [Choices(given) for given in more]
                if seen is not None:
                    self.commands[at:] = [command for command in self.commands[at:] if command not in seen]
                if len(worlds) > 1 or len(pending) > 1:
                    seen = (seen or set()).union(self.commands[at:])
            self._choices = outer
        return self.united(found)

    # Commands.

    def note(self, command: Command, world: World, at: int | None = None) -> None:
        """Note what would be executed in a world; `at` is its place among what is noted, where that is not the end."""
        if len(command.files) > MOST_TOUCHED:
            # INVARIANT: a command with more files than the bound is opaque.
            command = command.replace(files=ends(command.files), opaque=(*command.opaque, LIMIT))
        for observer in self.observers:
            observer.noted(command, world)
        self.commands.insert(len(self.commands) if at is None else at, command)
        if command.files:
            self.touched += len(command.files)
            self.steps += sum(OF_ONE_OF_MANY if file.among else OF_A_FILE for file in command.files)

    def doubt(self, reason: str, world: World) -> None:
        """Note that something unknown would be executed here."""
        self.note(self.command(Invocation(), world, opaque=(reason,)), world)

    def touch(self, world: World, files: tuple[File, ...], hosts: tuple[str, ...]) -> None:
        """Note what is touched without a program."""
        if files or hosts:
            self.note(self.command(Invocation(files=files, hosts=hosts), world), world)

    def _given(self, world: World) -> tuple[tuple[str, Data], ...]:
        """Return what programs may be given of what was set; the more that is, the sooner it is too much."""
        given = world.given if world.variables else ()
        self.spend(len(given) // GIVEN_A_STEP)
        return given

    def command(
        self, call: Invocation, world: World, *, opaque: tuple[str, ...] = (), fed: tuple[str, ...] = ()
    ) -> Command:
        """Return what would be executed in a world."""
        given = self._given(world)
        elsewhere = not world.known_cwd or REMOTE in world.via or any(variable in _MOVING for variable, _ in given)
        return Command(
            words=tuple(call.words),
            program=call.name,
            via=world.via,
            user=world.user,
            opaque=opaque,
            fed=fed,
            files=self.seen(call.files, world),
            hosts=tuple(dict.fromkeys(call.hosts)),
            environment=given,
            cwd=None if elsewhere else world.way,
            **self._where(),
        )

    def _where(self) -> dict[str, Any]:
        """Return the file of the command that is followed, and its line there."""
        if self.script is None:
            return {}
        return {"script": self.script.path, "line": self.script.line_of(self.offset) if self.offset >= 0 else 0}

    def seen(self, files: tuple[File, ...], world: World) -> tuple[File, ...]:
        """Return those files that are on this machine, by their names here."""
        return mounted(files, world.mounts) if REMOTE in world.via else files

    # Programs of their own.

    def process(self, world: World, act: Act) -> list[World]:
        """Run a subshell or another program to its end in its own world, traps included; return the worlds then."""
        kids = act(world)
        for kid in kids:
            kid.leaving = None
        return self.trapped(kids)

    def aside(self, world: World, inner: World, act: Act) -> Data:
        """Run another program, go on in `world` after all its possible ends, and return what it printed."""
        kids = self.process(inner, act)
        world.after(merged(kids))
        printed = [kid.printed for kid in kids]
        return printed[0] if all(one == printed[0] for one in printed) else either(printed)


def fed_by(parts: Iterable[Data]) -> tuple[str, ...]:
    """Return where data came from, as far as rules ask for it."""
    return tuple(dict.fromkeys(origin for data in parts for origin in data.origins if origin in ORIGINS))


def reached(via: tuple[str, ...], one: str) -> tuple[str, ...]:
    """Return how a command is reached, by one way more."""
    return via if one in via else (*via, one)

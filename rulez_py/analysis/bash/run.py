"""Follows a command line as its shell would run it, and notes each simple command on the way.

Both sides of a condition are followed, each from what was before it, and what they leave behind stays possible side by
side (`State.unite`). A command whose words rest on what is open so is followed once for each combination of it. Nothing
is run and nothing is read: what the machine would have to be asked for is not known.
"""

from __future__ import annotations

import posixpath

from rulez_py.analysis.bash import builtins, grammar
from rulez_py.analysis.bash.expand import Expander, data_of, is_volatile
from rulez_py.analysis.bash.fillings import GIVEN, MOST_INPUTS, coded, filled, is_one_expansion
from rulez_py.analysis.bash.flows import (
    based,
    connection,
    destination,
    device_number,
    duplicated,
    filled_in,
    loaded,
    mounted,
    on_path,
    resolved,
)
from rulez_py.analysis.bash.loops import assigned, fits_all, is_paced, leaves, may_fail, never_ends, reads, walks
from rulez_py.analysis.bash.state import NOTHING, PRINTED, UNKNOWN, State, Target, either, joined, mixed
from rulez_py.analysis.bash.syntax import (
    Case,
    Coprocess,
    Count,
    For,
    Function,
    Group,
    If,
    Pipeline,
    Redirected,
    Series,
    Simple,
    Substitution,
    Test,
    Text,
    While,
    Written,
)
from rulez_py.analysis.programs import read as options
from rulez_py.analysis.programs import runs as wrappers
from rulez_py.analysis.programs import touches
from rulez_py.analysis.values import (
    ARGUMENTS,
    CODE,
    DELETE,
    DOWNLOAD,
    ENDLESS,
    ORIGINS,
    OUTPUT,
    PROGRAM,
    READ,
    RECURSION,
    REMOTE,
    SEND,
    SHELL,
    SUBSTITUTION,
    SYNTAX,
    WRAPPER,
    WRITE,
    Command,
    Data,
    File,
    Inner,
    Touch,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from rulez_py.analysis.bash.expand import Place
    from rulez_py.analysis.bash.state import Variable, World
    from rulez_py.analysis.bash.syntax import Assignment, Node, Redirect
    from rulez_py.analysis.values import Found, Impact, Inner, Names

    Combination: TypeAlias = tuple[tuple[str, int | None], ...]
    """Which alternative is chosen of what is open; of the others it is the first."""

MOST_COMMANDS = 2_000
MOST_STEPS = 40_000
DEEPEST = 50
LONGEST = 500_000
"""Bounds: commands noted, steps taken, constructs in one another, characters."""
MOST_COMBINATIONS = 32
"""Combinations of what is open that a command is followed with one by one."""
_MOST_LEFT = 8
"""Ways out of a loop or a function that are told apart."""

STORED = "stored"
"""The origin of what a file holds that was there before."""

_STATEFUL = frozenset(("eval", "source", ".", "command", "builtin", "exec", "trap"))
"""Programs whose inner command runs in the shell itself."""
_OPTIONS_IN = {"tar": "TAR_OPTIONS", "gzip": "GZIP", "xz": "XZ_OPT", "bzip2": "BZIP2", "less": "LESS"}
"""Variables with options for a program."""
_METADATA = frozenset(("chmod", "chown", "chgrp", "touch", "setfacl", "chattr", "xattr"))
"""Programs that change what is known about a file, and not what is in it."""
_READERS = frozenset(("read", "mapfile", "readarray", "eval", "source", ".", "command", "builtin", "exec"))
"""Programs that take standard input bit by bit, in the shell itself."""
_PROMPTS = ("PS0", "PS1", "PS2", "PS4")
_BEFORE_PROMPT = "PROMPT_COMMAND"
"""Variables in whose values bash substitutes, and the one whose value it runs."""
_STARTS = ("BASH_ENV", "ENV")
"""Variables with the name of a file, in which a shell expands before it reads that."""
_WITHOUT_PROGRAM = "command_not_found_handle"
"""The function that bash calls for a program that is not there."""
_LISTS = ("crontab", "make")
"""Languages of which each line, or recipe, is shell code."""


class Exhausted(Exception):
    """A bound is reached."""


class Machine:
    """Runs commands in their states and notes them."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self._expander = Expander(self._substituted, self._doubt)
        self._steps = 0
        self._depth = 0
        self._place: Place | None = None
        self._sinks: dict[str, tuple[Substitution, State]] = {}
        self._late: list[tuple[Inner, State]] = []

    # Code.

    def code(self, text: str, state: State, stdin: Data, place: Place | None = None) -> Data:
        """Run a text in a state. `place` is where all its words stand, where that is not where they are written."""
        self._spend(1 + len(text) // 100)
        try:
            parsed = grammar.parse(text)
        except grammar.TooDeep:
            raise Exhausted from None
        if parsed.broken:
            self._note(self._command((), "", state, opaque=(SYNTAX,)))
        outer, self._place = self._place, place
        try:
            return self.run(parsed.body, state, stdin)
        finally:
            self._place = outer

    def finish(self) -> None:
        """Run what traps have left for the end, as things are then."""
        noted = set(self.commands) if self._late else set()
        for inner, state in self._late[:MOST_INPUTS]:
            state = state.copy()
            state.via = _with(state.via, inner.via)
            before = len(self.commands)
            opaque: list[str] = []
            self._one_inner(inner, state, NOTHING, opaque, [])
            new = [command for command in self.commands[before:] if command not in noted]
            noted.update(new)
            self.commands[before:] = new
        if len(self._late) > MOST_INPUTS:
            raise Exhausted

    def _spend(self, steps: int) -> None:
        self._steps += steps
        if self._steps > MOST_STEPS or len(self.commands) > MOST_COMMANDS:
            raise Exhausted

    def _note(self, command: Command) -> None:
        self.commands.append(command)

    def _doubt(self, reason: str, state: State) -> None:
        """Note that something of which nothing is known would be executed here."""
        self._note(self._command((), "", state, opaque=(reason,)))

    # The parts of a command line.

    def run(self, node: Node, state: State, stdin: Data) -> Data:
        """Run one part; what it prints."""
        self._spend(1)
        self._depth += 1
        if self._depth > DEEPEST:
            raise Exhausted
        try:
            return self._run(node, state, stdin)
        finally:
            self._depth -= 1

    def _run(self, node: Node, state: State, stdin: Data) -> Data:
        if isinstance(node, Simple):
            return self._simple(node, state, stdin)
        if isinstance(node, Series):
            return self._series(node, state, stdin)
        if isinstance(node, Pipeline):
            return self._pipeline(node, state, stdin)
        if isinstance(node, Group):
            if not node.subshell:
                return self.run(node.body, state, stdin)
            return self.run(node.body, state.copy(), stdin)
        if isinstance(node, Redirected):
            return self._in_each(state, lambda: self._redirected(node, state, stdin))
        if isinstance(node, Function):
            state.functions[node.name] = (node.body,)
            if node.name == _WITHOUT_PROGRAM:
                self._unasked(node.body, state)
            return NOTHING
        if isinstance(node, If):
            return self._if(node, state, stdin)
        if isinstance(node, Test):
            return self._in_each(state, lambda: self._test(node, state))
        if isinstance(node, Coprocess):
            return self._coprocess(node, state)
        if isinstance(node, Case):
            return self._in_each(state, lambda: self._case(node, state, stdin))
        if isinstance(node, For):
            return self._in_each(state, lambda: self._for(node, state, stdin))
        if isinstance(node, While):
            return self._while(node, state, stdin)
        return self._in_each(state, lambda: self._count(node, state, stdin))

    def _test(self, node: Test, state: State) -> Data:
        if node.raw.startswith("(("):
            self._expander.computed(node.pieces, state)
        else:
            self._expander.tested(node.pieces, state)
        return NOTHING

    # What may take several courses.

    def _world(self, state: State) -> World:
        self._spend(1 + (len(state.variables) + len(state.files)) // 64)
        return state.world()

    def _unite(self, state: State, worlds: Sequence[World]) -> None:
        """What several courses of things have left behind, in one state; no work where there is one."""
        if len(worlds) > 1:
            self._spend(len(worlds) * sum(len(world["variables"]) + len(world["files"]) for world in worlds) // 64)
        state.unite(worlds)

    def _in_each(self, state: State, act: Callable[[], Data]) -> Data:
        """Do it once for each combination of what it rests on and is open; what it leaves behind stays open.

        Of too many, once for each that is open, and once more with nothing known of any.
        """
        outer = state.choice, state.open_choices
        state.choice, state.open_choices = {}, {}
        before, at = self._world(state), len(self.commands)
        printed = [act()]
        worlds: list[World] = []
        seen = [self.commands[at:]]
        tried: list[Combination] = [()]
        while state.open_choices:
            left = [one for one in _combinations(state.open_choices) if one not in tried]
            if not left:
                break
            worlds = worlds or [self._world(state)]
            self._spend(1)
            tried.append(left[0])
            found = state.open_choices
            state.enter(before)
            state.choice = {}
            for name, number in left[0]:
                if number is None:
                    state.leave_open(name)
                else:
                    state.choose(name, number)
            at = len(self.commands)
            printed.append(act())
            worlds.append(self._world(state))
            new = self.commands[at:]
            if new in seen:
                del self.commands[at:]
            else:
                seen.append(new)
            for name, count in found.items():
                state.open_choices[name] = count
        self._unite(state, worlds)
        state.choice, state.open_choices = outer
        return printed[0] if len(printed) == 1 else either(printed)

    def _series(self, node: Series, state: State, stdin: Data) -> Data:
        printed: list[Data] = []
        uncertain = False
        at = 0
        while at < len(node.items):
            stop = at
            while node.items[stop][1] in ("&&", "||") and stop + 1 < len(node.items):
                stop += 1
            new = self._list(node, range(at, stop + 1), state, stdin)
            uncertain = uncertain or any(data.text != "" for data in new[1:])
            printed += new
            at = stop + 1
        # What is printed only sometimes, alone, is taken for printed.
        return _perhaps(printed) if uncertain and sum(data.text != "" for data in printed) > 1 else joined(printed)

    def _list(self, node: Series, places: range, state: State, stdin: Data) -> list[Data]:
        """Commands with `&&` and `||` between them; what each prints.

        A directory is taken to be there, but for what stands directly behind `cd there ||`.
        """
        if len(places) == 1:
            return [self._item(node, places[0], state, stdin)]
        printed: list[Data] = []
        succeeded: list[World] = []
        failed: list[World] = []
        for number in places:
            part, following = node.items[number]
            separator = node.items[number - 1][1] if number > places[0] else ""
            reaching = [] if not separator else succeeded if separator == "&&" else failed
            if separator:
                # What nothing seems to lead to is followed all the same, but leaves nothing behind.
                self._unite(state, reaching or succeeded or failed)
            before = self._world(state)
            printed.append(self._item(node, number, state, stdin))
            after = [] if leaves(part, state) or (separator and not reaching) else [self._world(state)]
            fails = after if may_fail(part) else []
            if walks(part):
                fails = [before] if following == "||" else []
            succeeded = self._as_one([*after, *(succeeded if separator == "||" else ())], state)
            failed = self._as_one([*fails, *(failed if separator == "&&" else ())], state)
        self._unite(state, succeeded if failed == succeeded else [*succeeded, *failed])
        return printed

    def _as_one(self, worlds: list[World], state: State) -> list[World]:
        """Worlds as one, so that many conditions are no more work than few; `state` holds it then."""
        if len(worlds) < 2 or all(one == worlds[0] for one in worlds):
            return worlds[:1]
        self._unite(state, worlds)
        return [self._world(state)]

    def _item(self, node: Series, number: int, state: State, stdin: Data) -> Data:
        part, following = node.items[number]
        if following != "&":
            return self.run(part, state, stdin)
        background = state.copy()
        background.parallel = True
        background.endless = state.endless and not is_paced(node.items, number)
        if background.endless:
            background.via = _with(background.via, ENDLESS)
        return self.run(part, background, NOTHING)

    def _pipeline(self, node: Pipeline, state: State, stdin: Data) -> Data:
        flowing = stdin
        for number, part in enumerate(node.parts):
            last = number == len(node.parts) - 1
            its = state.copy()
            its.parallel = True
            # A pipe takes the place of where the descriptors led before.
            if number:
                its.inputs.pop("0", None)
            if not last:
                its.outputs.pop("1", None)
            flowing = self.run(part, its, flowing)
            if last:
                # It runs in the shell itself where `lastpipe` is set, and in zsh.
                its.inputs, its.outputs = state.inputs, state.outputs
                state.unite([self._world(its), self._world(state)], unset=UNKNOWN)
        return flowing

    def _if(self, node: If, state: State, stdin: Data) -> Data:
        printed: list[Data] = []
        ends: list[World] = []
        for condition, body in node.branches:
            printed.append(self.run(condition, state, stdin))
            otherwise = self._world(state)
            printed.append(self.run(body, state, stdin))
            if not leaves(body, state):
                ends.insert(0, self._world(state))
            state.enter(otherwise)
        if node.otherwise is None:
            ends.append(self._world(state))
        else:
            printed.append(self.run(node.otherwise, state, stdin))
            if not leaves(node.otherwise, state):
                ends.insert(0, self._world(state))
        self._unite(state, ends)
        return _perhaps(printed)

    def _case(self, node: Case, state: State, stdin: Data) -> Data:
        word = self._expander.word(node.word.pieces, state)
        word = word.replace(known=word.known and not is_volatile(node.word.pieces))
        start = self._world(state)
        ends: list[World] = []
        printed: list[Data] = []
        fallen: list[World] = []
        settled = False
        for patterns, body, end in node.items:
            fits = self._may_fit(word, patterns, state)
            if not fits and not fallen:
                continue
            self._unite(state, [*fallen, *([start] if fits else [])])
            printed.append(self.run(body, state, stdin))
            after = [] if leaves(body, state) else [self._world(state)]
            fallen = after if end != ";;" else []
            ends = ends if fallen else [*after, *ends]
            settled = settled or any(fits_all(pattern) for pattern in patterns)
            state.enter(start)
        self._unite(state, [*fallen, *ends, *([] if settled and (fallen or ends) else [start])])
        return _perhaps(printed)

    # Loops.

    def _round(self, body: Node, state: State, stdin: Data, broken: list[World]) -> Data:
        """One round of a loop; where `break` leaves it is added to `broken`."""
        outer, state.leaving = state.leaving, []
        printed = self.run(body, state, stdin)
        left, state.leaving = state.leaving, outer
        going = []
        for how, count, there in left[:_MOST_LEFT]:
            world = _reopened(there, state)
            if how == "return" or count > 1:
                state.leaving.append((how, count - 1, world))
            elif how == "break":
                broken.append(world)
            else:
                going.append(world)
        if len(left) > _MOST_LEFT:
            raise Exhausted
        if going:
            self._unite(state, [self._world(state), *going])
        return printed

    def _for(self, node: For, state: State, stdin: Data) -> Data:
        endless = state.endless
        words = state.arguments[1:] if node.words is None else self._expander.words(node.words, state, self._place)
        state.endless = False
        values = [data_of(word) for word in words[:MOST_INPUTS]]
        values += [mixed(map(data_of, words[MOST_INPUTS:]))] if len(words) > MOST_INPUTS else []
        printed: list[Data] = []
        ends: list[World] = []
        if not any(data.text is not None and not data.glob for data in values):
            ends.append(self._world(state))
        for value in values:
            state.set(node.name, value)
            printed.append(self._round(node.body, state, stdin, ends))
        self._unite(state, [self._world(state), *reversed(ends)])
        state.endless = endless
        return _perhaps(printed)

    def _while(self, node: While, state: State, stdin: Data) -> Data:
        if not node.until and reads(node.condition):
            return _perhaps(self._read_by_line(node, state, stdin))
        endless, state.endless = state.endless, never_ends(node)
        printed = self._rounds(node, state, stdin)
        state.endless = endless
        return _perhaps(printed)

    def _count(self, node: Count, state: State, stdin: Data) -> Data:
        # Its counter has other values later.
        for piece in node.pieces:
            self._expander.word((piece,), state, tilde=False)
        self._expander.evaluated_in(node.pieces, state)
        for name in assigned(node.pieces):
            state.variables[name] = (UNKNOWN,)
        endless, state.endless = state.endless, not node.bounded
        printed = self._rounds(node, state, stdin)
        state.endless = endless
        return _perhaps(printed)

    def _rounds(self, node: While | Count, state: State, stdin: Data, *, started: bool = False) -> list[Data]:
        """Twice, as what the first round has set counts in the second; what still moves then may be anything."""
        printed: list[Data] = []
        ends: list[World] = []
        if isinstance(node, While) and not started:
            printed.append(self.run(node.condition, state, stdin))
        ends.append(self._world(state))
        printed.append(self._round(node.body, state, stdin, ends))
        before = self._world(state)
        ends.append(before)
        printed.append(self._round(node.body, state, stdin, ends))
        if state.moves(before):
            ends.append(self._world(state))
            if isinstance(node, While):
                printed.append(self.run(node.condition, state, stdin))
            printed.append(self._round(node.body, state, stdin, ends))
        self._unite(state, [self._world(state), *reversed(ends)])
        return printed

    def _read_by_line(self, node: While, state: State, stdin: Data) -> list[Data]:
        """A loop over the lines that `read` takes, where these are known; else like any other."""
        printed: list[Data] = []
        ends: list[World] = []
        for _ in range(MOST_INPUTS):
            state.ended = None
            printed.append(self.run(node.condition, state, stdin))
            if state.ended is not False:
                break
            printed.append(self._round(node.body, state, stdin, ends))
        if not state.ended:
            printed += self._rounds(node, state, UNKNOWN if state.ended is False else stdin, started=True)
        if ends:
            self._unite(state, [self._world(state), *reversed(ends)])
        return printed

    def _may_fit(self, word: Word, patterns: Iterable[Written], state: State) -> bool:
        from rulez_py.analysis.bash.patterns import fits

        for pattern in patterns:
            wanted = self._expander.words([pattern], state, self._place)
            if not word.known or any(not one.known or fits(one.glob or one.text, word.text) for one in wanted):
                return True
        return False

    def _unasked(self, body: Node, state: State) -> None:
        """A function that bash calls by itself, with words that nobody knows."""
        inner = state.copy()
        inner.arguments = (Word(text="sh"), Word(text="$@", known=False))
        self.run(body, inner, NOTHING)

    def _coprocess(self, node: Coprocess, state: State) -> Data:
        inner = state.copy()
        inner.parallel = True
        # What is written to it later is not known now.
        printed = self.run(node.body, inner, UNKNOWN)
        reading, writing = str(60 + 2 * len(state.inputs)), str(61 + 2 * len(state.inputs))
        state.set(node.name, {"0": Data(text=reading), "1": Data(text=writing)})
        state.inputs[reading] = printed
        sink = f"coproc {node.name}"
        self._sinks[sink] = (Substitution(body=Series(items=((node.body, ";"),)), raw=sink), state.copy())
        state.outputs[writing] = Target(sink=sink)
        return NOTHING

    def _substituted(self, piece: Substitution, state: State) -> Data:
        """What a substitution prints, or the name of the file that it stands for."""
        self._spend(1)
        inner = state.copy()
        inner.via = _with(inner.via, SUBSTITUTION)
        inner.outputs = {key: value for key, value in inner.outputs.items() if key != "1"}
        if piece.direction == ">":
            self._sinks[piece.raw] = (piece, inner)
            self.run(piece.body, inner.copy(), NOTHING)
            return Data(text=piece.raw)
        printed = self.run(piece.body, inner, NOTHING)
        if piece.direction:
            state.files[piece.raw] = (printed,)
            return Data(text=piece.raw, origins=(), files=())
        return printed

    # Redirections.

    def _redirected(self, node: Redirected, state: State, stdin: Data) -> Data:
        inner = state.copy()
        stdin = self._opened(node.redirects, inner, stdin)
        shared = state if not (isinstance(node.body, Group) and node.body.subshell) else inner
        inputs, outputs = shared.inputs, shared.outputs
        shared.inputs, shared.outputs = inner.inputs, inner.outputs
        printed = self.run(node.body, shared, stdin)
        shared.inputs, shared.outputs = inputs, outputs
        return self._delivered(printed, inner)

    def _opened(self, redirects: Sequence[Redirect], state: State, stdin: Data) -> Data:
        """Standard input after redirections that belong to no program; what they touch is noted by itself."""
        stdin, files, hosts = self._redirect(redirects, state, stdin)
        self._touch(state, files, hosts)
        return stdin

    def _touch(self, state: State, files: tuple[File, ...], hosts: tuple[str, ...]) -> None:
        """Note what is touched without a program."""
        if files or hosts:
            self._note(self._command((), "", state, files=files, hosts=hosts))

    def _redirect(
        self, redirects: Sequence[Redirect], state: State, stdin: Data
    ) -> tuple[Data, tuple[File, ...], tuple[str, ...]]:
        """Standard input, and the files and hosts that redirections open; the descriptors are set in `state`."""
        files: list[File] = []
        hosts: list[str] = []
        for redirect in redirects:
            operator = redirect.operator
            place = self._place or (redirect.target.start, redirect.target.end)
            target = self._expander.word(redirect.target.pieces, state, place, tilde=operator not in ("<<", "<<<"))
            default = "0" if operator[0] == "<" else "1"
            number = self._descriptor(redirect, state, default=default, closes=target.text == "-")
            if operator in ("<<", "<<<"):
                data = data_of(target)
                if operator == "<<<" and data.text is not None:
                    data = data.replace(text=data.text + "\n")
                state.inputs[number] = data
            elif operator in ("<&", ">&") and (duplicate := duplicated(target)) is not None:
                closes = duplicate.endswith("-")
                source = duplicate.rstrip("-")
                if source in state.inputs and (operator == "<&" or source not in state.outputs):
                    state.inputs[number] = state.inputs[source]
                elif source == "0":
                    state.inputs[number] = stdin
                if source in state.outputs:
                    state.outputs[number] = state.outputs[source]
                elif source in ("1", "2") and number in state.outputs:
                    del state.outputs[number]
                if closes and source:
                    state.inputs.pop(source, None)
                    state.outputs.pop(source, None)
            elif operator == "<":
                data, host = self._content(target, state, stdin)
                state.inputs[number] = data
                if host:
                    hosts.append(host)
                    state.outputs[number] = Target(host=host)
                else:
                    files += self._files((Touch(path=target, access=(READ,)),), state, opened=True)
            else:
                opened = destination(target, state)
                for one in (number, "2") if operator.startswith("&") or operator == ">&" else (number,):
                    state.outputs[one] = opened
                if opened.host:
                    hosts.append(opened.host)
                    state.inputs[number] = Data(origins=(DOWNLOAD,))
                elif opened.path:
                    access = (READ, WRITE) if operator == "<>" else (WRITE,)
                    files += self._files((Touch(path=target, access=access),), state, opened=True)
                    if not operator.endswith(">>"):
                        state.write(opened.path, NOTHING)
        return state.inputs.get("0", stdin), tuple(files), tuple(hosts)

    def _descriptor(self, redirect: Redirect, state: State, *, default: str, closes: bool) -> str:
        written = redirect.descriptor
        if not written.startswith("{"):
            return written.lstrip("0") or ("0" if written else default)
        number = str(10 + len(state.inputs) + len(state.outputs))
        name = written[1:-1]
        known = state.get(name) if state.is_set(name) else None
        if isinstance(known, Data) and known.text and closes:
            number = known.text
        state.set(name, Data(text=number))
        return number

    def content(self, target: Word, state: State, stdin: Data) -> Data:
        """What is read from a file."""
        return self._content(target, state, stdin)[0]

    def _content(self, target: Word, state: State, stdin: Data) -> tuple[Data, str]:
        """What is read from a file, and the host where that is a connection."""
        if not target.known:
            if target.text.startswith(("/dev/fd/", "/proc/")):
                # A descriptor, nobody knows which.
                return UNKNOWN, ""
            return mixed((target.data,)).replace(origins=(*target.data.origins, STORED)), ""
        host = connection(target.text)
        if host:
            return Data(origins=(DOWNLOAD,)), host
        number = device_number(target.text)
        if number == "0":
            return stdin, ""
        if number:
            return state.inputs.get(number, UNKNOWN), ""
        return self._stored(target, state), ""

    def _stored(self, target: Word, state: State) -> Data:
        """What a file holds; of several alternatives each is a part of it."""
        path = resolved(target.text, state)
        written = state.written(path) or state.written(target.text)
        if not written:
            below = [name for name in state.files if name.startswith(path + "/")]
            if below:
                inside = [data for name in below for data in state.files[name]]
                return mixed((*inside, Data(origins=(STORED,), files=(path, *below))))
            return Data(origins=(STORED,), files=(path,))
        if len(written) == 1:
            return written[0].replace(files=(*written[0].files, path))
        return either(written)

    def _delivered(self, printed: Data, state: State) -> Data:
        """What is left of what was printed after it went where standard output leads."""
        target = state.outputs.get("1")
        if target is None:
            return printed
        self._deliver(printed, target, state)
        return NOTHING

    def _deliver(self, data: Data, target: Target, state: State) -> None:
        if target.sink:
            piece, inner = self._sinks[target.sink]
            if len(inner.frames) < DEEPEST:
                again = inner.copy()
                again.frames = (*inner.frames, target.sink)
                if target.sink not in inner.frames:
                    self.run(piece.body, again, data)
        elif target.host:
            if data.files:
                self._touch(state, tuple(File(path=path, access=(SEND,)) for path in data.files), (target.host,))
        elif target.path:
            state.write(target.path, data, adds=True)

    # Simple commands.

    def _simple(self, node: Simple, state: State, stdin: Data) -> Data:
        return self._in_each(state, lambda: self._once(node, state, stdin))

    def _once(self, node: Simple, state: State, stdin: Data) -> Data:
        self._spend(1 + len(node.words))
        words = self._expander.words(node.words, state, self._place)
        if not words:
            for assignment in node.assignments:
                self._assign(assignment, state)
            inner = state.copy()
            stdin = self._opened(node.redirects, inner, stdin)
            if node.redirects and not node.assignments and node.redirects[-1].operator in ("<", "<<<", "<<"):
                # `$(<file)` prints it; in zsh `<file` does so too.
                return self._delivered(stdin, inner)
            return NOTHING
        lasting = words[0].text == "exec" and len(words) == 1 + sum(word.text.startswith("-") for word in words[1:])
        if words[0].text == "exec" and len(words) == 2 and words[1].text.startswith("{"):
            lasting = True
        if not (node.assignments or node.redirects or node.declared):
            return self._delivered(self.execute(words, state, stdin), state)
        its = state if lasting else _shared(state)
        variables = {name: state.variables.get(name) for name in (one.name for one in node.assignments)}
        for assignment in node.assignments:
            self._assign(assignment, its)
        files: tuple[File, ...] = ()
        hosts: tuple[str, ...] = ()
        if node.redirects:
            stdin, files, hosts = self._redirect(node.redirects, its, stdin)
        for assignment in node.declared:
            self._assign(assignment, its)
        its.exported |= {one.name for one in node.assignments}
        printed = self.execute(
            words, its, stdin, files=files, hosts=hosts, environment=tuple(one.name for one in node.assignments)
        )
        printed = self._delivered(printed, its) if not lasting else printed
        for name, value in variables.items():
            if value is None:
                state.variables.pop(name, None)
            else:
                state.variables[name] = value
        if not lasting:
            state.ways, state.left_behind, state.given, state.ended = its.ways, its.left_behind, its.given, its.ended
            state.exported |= its.exported - {one.name for one in node.assignments}
        return printed

    def _assign(self, assignment: Assignment, state: State) -> None:
        if assignment.items is not None:
            start = state.get(assignment.name) if assignment.adds and state.is_set(assignment.name) else None
            items: dict[str, Data] = dict(start) if isinstance(start, dict) else {}
            at = 1 + max((int(key) for key in items if key.isdigit()), default=-1)
            for word in self._expander.words(assignment.items, state, self._place):
                key, found, rest = word.text.partition("]=")
                if found and key.startswith("["):
                    key = key[1:].strip("'\"")
                    items[key] = data_of(word).replace(text=rest if word.known else None, glob="")
                    at = int(key) + 1 if key.isdigit() and key.isascii() and len(key) < 9 else at
                else:
                    key = str(at)
                    items[key] = data_of(word)
                    at += 1
                if assignment.name in (_BEFORE_PROMPT, "BASH_ALIASES", "BASH_CMDS"):
                    self.assign(state, assignment.name, items[key], index=key)
            state.set(assignment.name, items)
            return
        value = self._expander.value(assignment.value.pieces, state) if assignment.value is not None else NOTHING
        self.assign(state, assignment.name, value, adds=assignment.adds, index=self._index(assignment, state))

    def assign(self, state: State, name: str, value: Data, *, adds: bool = False, index: str | None = None) -> None:
        """Assign a value as the variable's attributes (`declare -i`, `-u`, `-l`) have it."""
        attribute = state.attributes.get(name, "")
        if attribute and value.text is not None:
            if attribute == "i":
                computed = self.compute(Word(text=value.text), state)
                adds_to = _scalar_text(state.get(name)) if adds else "0"
                value = self.compute(Word(text=f"({adds_to})+({computed.text})"), state) if adds else computed
                adds = False
            else:
                change = str.upper if attribute == "u" else str.lower
                value = value.replace(text=None if attribute == "?" else change(value.text or ""))
        builtins.store(state, name, value, adds=adds, index=index)
        if name in _PROMPTS or name == _BEFORE_PROMPT:
            self._prompted(name, value, state)
        elif index is not None and name in ("BASH_ALIASES", "BASH_CMDS"):
            word = Word(text=value.text or "", known=value.text is not None)
            if name == "BASH_ALIASES":
                builtins.abbreviate(state, index, word)
            else:
                state.programs[index] = word.text if word.known else ""

    def _prompted(self, name: str, value: Data, state: State) -> None:
        """What bash does with the value of a variable by itself, before a prompt or a line of `set -x`."""
        inner = state.copy()
        if value.text is None:
            if value.origins:
                self._doubt(CODE, state)
        elif name == _BEFORE_PROMPT:
            inner.via = _with(inner.via, SHELL)
            self.code(value.text, inner, NOTHING, self._place)
        else:
            self._expander.prompted(value.text, inner)

    def evaluate(self, word: Word, state: State) -> None:
        """A word that is read as the name of a variable, with an index or without."""
        if word.known and "[" in word.text:
            self._expander.evaluated(word.text, state)

    def evaluated(self, text: str, state: State) -> None:
        """A text in which bash expands again."""
        self._expander.prompted(text, state.copy())

    def nested(self, word: Word, state: State) -> None:
        """A word that a builtin runs as code, now or later; `$@` in it stands for what nobody knows."""
        inner = state.copy()
        inner.via = _with(inner.via, SHELL)
        inner.arguments = (Word(text="sh"), Word(text="$@", known=False))
        opaque: list[str] = []
        self._script_or_opaque(data_of(word), Inner(), inner, NOTHING, opaque, [], word)
        for reason in opaque:
            self._doubt(reason, state)

    def compare(self, word: Word, state: State) -> None:
        """A word that zsh reads as an expression."""
        if word.known:
            self._expander.evaluated(word.text, state)

    def compute(self, word: Word, state: State) -> Data:
        """The value of a word that is an arithmetic expression."""
        return self._expander.computed((Text(text=word.text, quoted=True),), state) if word.known else UNKNOWN

    def _index(self, assignment: Assignment, state: State) -> str | None:
        if assignment.index is None:
            return None
        key = self._expander.value(assignment.index, state).text
        if key is None:
            return "?"
        self._expander.evaluated(key, state)
        return key.strip("'\"")

    # Programs.

    def execute(
        self,
        words: Sequence[Word],
        state: State,
        stdin: Data,
        *,
        files: tuple[File, ...] = (),
        hosts: tuple[str, ...] = (),
        environment: tuple[str, ...] = (),
        functions: bool = True,
    ) -> Data:
        """Run a program with its words; what it prints. `files` and `hosts` are those of redirections."""
        self._spend(1 + len(words))
        first = words[0]
        name = program_name(first.text)
        if first.glob or (not first.known and not _is_plain(name)):
            return self._unknown(words, state, stdin, files, hosts)
        if not name:
            # An expansion that gave nothing: the next word is not the program, but nothing runs either.
            return NOTHING
        if functions and first.text in state.functions:
            body = state.function(first.text)
            if body is not None:
                return self._call(body, words, state, stdin, files, hosts)
            if not state.functions[first.text]:
                return self._unknown(words, state, stdin, files, hosts)
        if "/" not in first.text and first.text in state.programs:
            name = program_name(state.programs[first.text])
            if not name:
                return self._unknown(words, state, stdin, files, hosts)
        at = len(self.commands)
        opaque: list[str] = []
        codes: list[Data] = []
        if name not in _READERS:
            stdin = state.rest(stdin)
        said = builtins.run(self, name, words, state, stdin)
        if builtins.loads_code(name, words):
            opaque.append(CODE)
        words = self._with_options(name, words, state)
        reading = options.read(name, words[1:])
        effects = touches.effects(name, words, reading)
        own, reads, sent = self._touched(effects, state)
        taken = mixed((stdin, *reads, *(data_of(word).replace(text=None, shown="") for word in words[1:])))
        contacts = (*hosts, *effects.hosts)
        if contacts:
            leaving = [*sent, *(file for word in words[1:] for file in word.data.files)]
            leaving += stdin.files if effects.sends else ()
            own = (*own, *(File(path=path, access=(SEND,)) for path in dict.fromkeys(leaving)))
        if name not in _METADATA:
            self._save(effects, reads, taken, stdin, state)
        printed = self._inner(name, words, state, stdin, environment, opaque, codes)
        if "/" in first.text or first.text in state.files:
            codes.extend(self._own_code(words, state, stdin, opaque))
        elif state.is_set("PATH") and (found := on_path(first, state)) is not None:
            codes.extend(self._own_code((found, *words[1:]), state, stdin, opaque))
        for library in loaded(state):
            opaque.append(CODE)
            codes.append(library)
        if any(not word.known for word in words[1:]) or any(not file.known for file in own):
            opaque.append(ARGUMENTS)
        self.commands.insert(
            at,
            self._command(
                words,
                name,
                state,
                opaque=tuple(dict.fromkeys(opaque)),
                files=(*files, *own),
                hosts=contacts,
                fed=_fed((stdin, *codes)),
                inputs=tuple(data for data in (stdin, *reads) if data.text != ""),
            ),
        )
        if said is not None:
            return said
        if printed is not None:
            return printed
        names: tuple[Names, ...] = ()
        if stdin.names:
            from rulez_py.analysis.programs.found import passed

            names = passed(name, words, stdin.names)
        if effects.silent:
            return Data(origins=(PRINTED,), names=names)
        origins = (*taken.origins, PRINTED, *((effects.origin,) if effects.origin else ()))
        return Data(origins=tuple(dict.fromkeys(origins)), files=taken.files, shown=taken.shown, names=names)

    def _unknown(
        self,
        words: Sequence[Word],
        state: State,
        stdin: Data,
        files: tuple[File, ...],
        hosts: tuple[str, ...],
    ) -> Data:
        """Run a program of which nobody knows which it is."""
        first, fed = words[0].replace(known=False), _fed((stdin, words[0].data))
        words = (first, *words[1:])
        self._note(self._command(words, "", state, opaque=(PROGRAM,), files=files, hosts=hosts, fed=fed))
        return Data(origins=(PRINTED,))

    def _with_options(self, name: str, words: Sequence[Word], state: State) -> Sequence[Word]:
        """The words of a program, behind those that it takes from its environment."""
        variable = _OPTIONS_IN.get(name, "")
        if not variable or not state.is_set(variable):
            return words
        value = state.get(variable)
        if not isinstance(value, Data) or value.text is None:
            return words
        return (words[0], *(Word(text=part, data=value.replace(text=None)) for part in value.text.split()), *words[1:])

    def _command(
        self,
        words: Sequence[Word],
        name: str,
        state: State,
        *,
        opaque: tuple[str, ...] = (),
        files: tuple[File, ...] = (),
        hosts: tuple[str, ...] = (),
        fed: tuple[str, ...] = (),
        inputs: tuple[Data, ...] = (),
    ) -> Command:
        return Command(
            words=tuple(words),
            program=name,
            via=state.via,
            user=state.user,
            opaque=opaque,
            fed=fed,
            inputs=inputs,
            files=mounted(files, state.mounts) if REMOTE in state.via else files,
            hosts=tuple(dict.fromkeys(hosts)),
        )

    def _call(
        self,
        body: Node,
        words: Sequence[Word],
        state: State,
        stdin: Data,
        files: tuple[File, ...],
        hosts: tuple[str, ...],
    ) -> Data:
        """Call a function."""
        name = words[0].text
        self._touch(state, files, hosts)
        if name in state.frames:
            if state.parallel:
                command = self._command(words, name.lower(), state)
                self._note(command.replace(via=_with(state.via, ENDLESS)))
            else:
                self._note(self._command(words, name.lower(), state, opaque=(RECURSION,)))
            return Data(origins=(PRINTED,))
        saved = state.given, state.frames, state.locals, state.parallel, state.endless, state.leaving
        state.arguments = tuple(words)
        state.leaving = []
        state.frames = (*state.frames, name)
        state.locals = {}
        state.parallel = False
        printed = self.run(body, state, stdin)
        left = [_reopened(world, state) for how, _, world in state.leaving if how == "return"]
        if len(left) > _MOST_LEFT:
            raise Exhausted
        if left:
            self._unite(state, [self._world(state), *reversed(left)])
        for variable, value in state.locals.items():
            if value:
                state.variables[variable] = value
            else:
                state.variables.pop(variable, None)
        state.given, state.frames, state.locals, state.parallel, state.endless, state.leaving = saved
        return printed

    def _own_code(self, words: Sequence[Word], state: State, stdin: Data, opaque: list[str]) -> list[Data]:
        """What is in a file of this command line's own making that is run as a program."""
        first = words[0]
        written = state.written(resolved(first.text, state)) or state.written(first.text)
        for data in written:
            first_line = (data.text or "").partition("\n")[0]
            interpreter = first_line[2:].split() if first_line.startswith("#!") else []
            if interpreter:
                self.execute([*(Word(text=part) for part in interpreter), *words], state.elsewhere(), stdin)
            elif data.text is not None:
                self._script(data, state.elsewhere(), tuple(words), stdin=stdin)
            elif PRINTED in data.origins and not any(origin in ORIGINS for origin in data.origins):
                # What a compiler has made, or another program here.
                opaque.append(OUTPUT)
            else:
                opaque.append(CODE)
        return list(written)

    # Files.

    def _touched(self, effects: Impact, state: State) -> tuple[tuple[File, ...], tuple[Data, ...], list[str]]:
        """The files a program touches by its words, what is in those it reads, what went into those it sends."""
        reads: list[Data] = []
        sent: list[str] = []
        for touch in effects.touches:
            if READ in touch.access or SEND in touch.access:
                number = device_number(touch.path.text)
                data = state.inputs.get(number, UNKNOWN) if number else self._stored(based(touch), state)
                reads.append(data)
                if SEND in touch.access:
                    sent += data.files
        return self._files(effects.touches, state), tuple(reads), sent

    def _files(self, touched: Iterable[Touch], state: State, *, opened: bool = False) -> tuple[File, ...]:
        found = []
        for touch in touched:
            word = based(touch)
            if not word.known and word.data.names and touch.base is None:
                found += [self._file_of(names, touch, state) for names in word.data.names]
                continue
            path = word.text
            if path.startswith("<(") or device_number(path) or connection(path):
                continue
            glob = word.glob
            if not posixpath.isabs(path):
                path = posixpath.join(state.way, path)
                if glob and state.way:
                    from rulez_py.analysis.bash.patterns import escaped

                    glob = posixpath.join(escaped(state.way), glob)
            known = word.known and (posixpath.isabs(word.text) or state.known_cwd)
            file = File(path=path, access=touch.access, deep=touch.deep, glob=glob, known=known, at=touch.path.at)
            found.append(file.replace(opened=True) if opened else file)
        return tuple(found)

    def _file_of(self, names: Names, touch: Touch, state: State) -> File:
        """One of the files that a program has named: all that is below a directory, where nothing was left out."""
        directory, pattern = names.directory, names.pattern
        # Who reads or rewrites the files of a place does not mean each that a rule keeps; who deletes or sends does.
        whole = not pattern and WRITE not in touch.access and (DELETE in touch.access or SEND in touch.access)
        path = directory or "." if whole else posixpath.join(directory, pattern or "{}")
        glob = "" if pattern in ("", "{}") else path if names.flat else posixpath.join(directory, "**", pattern)
        if not posixpath.isabs(path):
            path = posixpath.join(state.way, path)
            glob = posixpath.join(state.way, glob) if glob else ""
        return File(path=path, access=touch.access, deep=touch.deep or whole, glob=glob, known=False, at=touch.path.at)

    def _save(self, effects: Impact, reads: Sequence[Data], taken: Data, stdin: Data, state: State) -> None:
        """What a program's files hold afterwards."""
        content = taken.replace(
            origins=tuple(
                dict.fromkeys(
                    (*(one for one in taken.origins), PRINTED, *((effects.origin,) if effects.origin else ()))
                )
            )
        )
        known = [data for data in reads if data.text is not None]
        if len(reads) == 1 and known and not effects.origin:
            content = known[0]
        elif not reads and stdin.text and not effects.origin:
            content = stdin
        for touch in effects.touches:
            if WRITE in touch.access:
                number = device_number(touch.path.text)
                if number and number in state.outputs:
                    self._deliver(content, state.outputs[number], state)
                elif host := connection(touch.path.text):
                    self._deliver(content, Target(host=host), state)
                elif touch.path.text in self._sinks:
                    self._deliver(content, Target(sink=touch.path.text), state)
                else:
                    state.write(resolved(based(touch).text, state), content, adds=touch.deep)
            if DELETE in touch.access and WRITE not in touch.access:
                state.files.pop(resolved(based(touch).text, state), None)

    # Commands in commands.

    def _inner(
        self,
        name: str,
        words: Sequence[Word],
        state: State,
        stdin: Data,
        environment: tuple[str, ...],
        opaque: list[str],
        codes: list[Data],
    ) -> Data | None:
        """Run what a program runs by its words; what that prints, None where it runs nothing."""
        found = list(wrappers.inner(name, words))
        found += wrappers.environment(name, words, self._exported(name, state, environment))
        if not found:
            return None
        printed = []
        for inner in found:
            if name in _STATEFUL:
                its = state.copy() if state.parallel or name == "trap" else state
            else:
                its = state.elsewhere()
            if name == "trap" and not any(one == inner and there is state for one, there in self._late):
                self._late.append((inner, state))
            via, user, ways = its.via, its.user, its.ways
            its.via = _with(via, inner.via)
            its.user = inner.user or user
            if inner.via == REMOTE and options.family(name) == "docker":
                from rulez_py.analysis.programs.special.remote import mounts

                its.mounts = tuple(
                    (place, posixpath.join(state.way, source.text)) for place, source, _ in mounts(words) if place
                )
            if inner.cwd is not None:
                builtins.change_directory(its, inner.cwd)
            for variable, word in inner.environment:
                self.assign(its, variable, data_of(word))
                its.exported |= {variable}
            printed.append(self._one_inner(inner, its, stdin, opaque, codes))
            if its is state:
                its.via, its.user = via, user
                if inner.cwd is not None:
                    its.ways = ways
        return joined(printed)

    def _exported(self, program: str, state: State, environment: tuple[str, ...]) -> dict[str, Word]:
        """The variables that a program may read its commands from."""
        found: dict[str, Word] = {}
        for name in (*environment, *state.variables):
            if name in found or not wrappers.may_command(program, name):
                continue
            known = [one for one in state.variables.get(name, ()) if one != UNKNOWN]
            value = state.get(name) if len(known) != 1 else known[0]
            if isinstance(value, Data) and name in _STARTS and value.text and ("$" in value.text or "`" in value.text):
                value = self._expander.prompted(value.text, state.copy())
            if isinstance(value, Data):
                found[name] = Word(text=value.text or "", known=value.text is not None, data=value.replace(text=None))
        return found

    def _one_inner(self, inner: Inner, state: State, stdin: Data, opaque: list[str], codes: list[Data]) -> Data:
        inputs = self._inputs(inner, stdin)
        if inner.words:
            printed = []
            for words, given in filled(inner, inputs):
                if given is not None:
                    state.variables[GIVEN] = (given,)
                    state.exported |= {GIVEN}
                if words:
                    its = NOTHING if inner.takes_stdin else stdin
                    printed.append(self.execute(words, state, its, functions=inner.via != WRAPPER))
            return joined(printed)
        if inner.stdin:
            return self._script_or_opaque(stdin, inner, state, NOTHING, opaque, codes, None)
        if inner.file is not None:
            data = self.content(inner.file, state, stdin)
            return self._script_or_opaque(data, inner, state, stdin, opaque, codes, inner.file)
        code = inner.code
        if code is None:
            return NOTHING
        printed = []
        for one, given in coded(code, inner, inputs):
            if given is not None:
                state.variables[GIVEN] = (given,)
            data = data_of(one)
            if data.text is None and not is_one_expansion(one.text):
                # A part of it is known: the rest stands in it as it was written.
                data = data.replace(text=one.text)
            printed.append(self._script_or_opaque(data, inner, state, stdin, opaque, codes, one))
        return joined(printed)

    def _script_or_opaque(
        self,
        data: Data,
        inner: Inner,
        state: State,
        stdin: Data,
        opaque: list[str],
        codes: list[Data],
        word: Word | None,
    ) -> Data:
        codes.append(data)
        if data.text is None and inner.language in _LISTS and data.shown:
            # Beside what was there before stands what this command line adds.
            data = data.replace(text=data.shown)
        if data.text is None:
            if any(origin in ORIGINS for origin in data.origins):
                opaque.append(CODE)
            elif PRINTED in data.origins:
                opaque.append(OUTPUT)
            elif data.shown.strip() and not is_one_expansion(data.shown.strip()):
                self._script(data.replace(text=data.shown), state, inner.arguments, inner.language, stdin, word, opaque)
                opaque.append(CODE)
            elif STORED not in data.origins:
                opaque.append(CODE)
            return Data(origins=(PRINTED, *data.origins), files=data.files)
        return self._script(data, state, inner.arguments, inner.language, stdin, word, opaque)

    def _script(
        self,
        data: Data,
        state: State,
        arguments: tuple[Word, ...],
        language: str = "sh",
        stdin: Data = NOTHING,
        word: Word | None = None,
        opaque: list[str] | None = None,
    ) -> Data:
        text = data.text or ""
        if len(text) > LONGEST:
            raise Exhausted
        place = word.at if word is not None and word.at != (0, 0) else self._place or (0, 0)
        stdin = state.rest(stdin)
        if language in _LISTS:
            from rulez_py.analysis.programs.special.jobs import shell_of

            text, language = shell_of(language, text), "sh"
        if language == "sh":
            saved = state.given
            if arguments:
                state.arguments = arguments
            printed = self.code(text, state, stdin, place)
            state.given = saved if arguments else state.given
            return printed
        if language == "powershell":
            return self.powershell(text, state)
        from rulez_py.analysis import languages

        found = languages.find(language, text, arguments[1:])
        self._found(found, state, stdin, place)
        if found.opaque and opaque is not None:
            opaque.append(found.opaque)
        return Data(origins=(PRINTED,))

    def powershell(self, text: str, state: State) -> Data:
        """Run a text of PowerShell's; programs that are not its own come back here."""
        from rulez_py.analysis import powershell

        def nested(words: Sequence[Word], via: Sequence[str], cwd: str | None, stdin: Data) -> tuple[Command, ...]:
            its = state.elsewhere()
            its.via = tuple(dict.fromkeys((*state.via, *via)))
            if cwd is None:
                its.go(its.way, known=False)
            else:
                its.go("" if cwd == its.start else cwd, known=True)
            at = len(self.commands)
            self.execute(words, its, stdin)
            found = tuple(self.commands[at:])
            del self.commands[at:]
            return found

        for command in powershell.analyse(
            text, cwd=state.cwd, home=state.home, environ=state.environ, depth=self._depth, nested=nested
        ):
            self._spend(1)
            self._note(command.replace(via=tuple(dict.fromkeys((*state.via, *command.via)))))
        return Data(origins=(PRINTED,))

    def _found(self, found: Found, state: State, stdin: Data, place: Place) -> None:
        """Follow what code of another language does."""
        outer, self._place = self._place, place
        touches = [
            touch.replace(path=filled_in(touch.path, state), base=touch.base and filled_in(touch.base, state))
            for touch in found.touches
        ]
        self._touch(state, self._files(touches, state), found.hosts)
        for inner in found.inner:
            inner = inner.replace(
                words=tuple(filled_in(word, state) for word in inner.words),
                cwd=inner.cwd and filled_in(inner.cwd, state),
            )
            its = state.elsewhere()
            its.via = _with(its.via, inner.via)
            its.user = inner.user or its.user
            if inner.cwd is not None:
                builtins.change_directory(its, inner.cwd)
            opaque: list[str] = []
            codes: list[Data] = []
            self._one_inner(inner, its, stdin, opaque, codes)
            if opaque:
                word = inner.code or inner.file
                words = (word,) if word is not None else ()
                self._note(self._command(words, "", its, opaque=tuple(opaque), fed=_fed(codes)))
        self._place = outer

    def _inputs(self, inner: Inner, stdin: Data) -> list[Word] | None:
        """The inputs that an inner command is run with; None where they are not known."""
        if inner.inputs is not None:
            return list(inner.inputs)
        if inner.takes_stdin and stdin.text is not None:
            parts = stdin.text.split("\n") if inner.placeholder or inner.code is not None else stdin.text.split()
            if inner.separator:
                parts = stdin.text.split(inner.separator)
                parts = parts[:-1] if not parts[-1] else parts
            elif any(sign in stdin.text for sign in "'\"\\"):
                parts = [word.text for word in self._split_words(stdin.text)]
            kept = [part for part in parts if part or inner.separator]
            return [Word(text=part, data=stdin.replace(text=None)) for part in kept]
        if inner.takes_stdin and stdin.names:
            from rulez_py.analysis.programs.found import word_for

            others = [Word(text="...", known=False)] if len(stdin.names) > MOST_INPUTS else []
            return [*(word_for(one) for one in stdin.names[:MOST_INPUTS]), *others]
        return None

    def _split_words(self, text: str) -> list[Word]:
        """Words as xargs reads them: quotes and backslashes count, nothing else does."""
        plain = text.replace("$", "\\$").replace("`", "\\`")
        for sign in "|&;()<>#{}*?[~":
            plain = plain.replace(sign, f"'{sign}'") if "'" not in text and '"' not in text else plain
        try:
            parsed = grammar.parse(plain)
        except grammar.TooDeep:
            return []
        return [
            word
            for part, _ in parsed.body.items
            if isinstance(part, Simple)
            for word in self._expander.words(part.words, State("/", "/", {}), (0, 0))
        ]


def _reopened(world: World, state: State) -> World:
    """What was held where a part was left, with the descriptors of who goes on."""
    return {**world, "inputs": dict(state.inputs), "outputs": dict(state.outputs)}


def _combinations(choices: Mapping[str, int]) -> Iterator[Combination]:
    """What to choose where something is open: nothing, one of each, two of them, ...; None leaves it open."""
    import itertools

    total = 1
    for count in choices.values():
        total *= count
    if total <= MOST_COMBINATIONS:
        every = itertools.product(*([(name, number) for number in range(count)] for name, count in choices.items()))
        chosen = [tuple(pair for pair in one if pair[1]) for one in every]
        yield from sorted(chosen, key=len)
        return
    yield ()
    for name, count in itertools.islice(choices.items(), MOST_COMBINATIONS):
        yield from (((name, number),) for number in range(1, count))
    yield tuple((name, None) for name in choices)


def program_name(text: str) -> str:
    """The name a program goes by: no directories, no `.exe`, lower case."""
    name = text.replace("\\", "/").rstrip("/").rpartition("/")[2].lower()
    for ending in (".exe", ".cmd", ".bat"):
        name = name.removesuffix(ending)
    return name


def _is_plain(name: str) -> bool:
    """Whether a name has nothing in it of an expansion: what is not known was the directory."""
    return any(sign.isalnum() for sign in name) and not any(sign in name for sign in "$`(){}<>\0")


def _fed(parts: Iterable[Data]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(origin for data in parts for origin in data.origins if origin in ORIGINS))


def _with(via: tuple[str, ...], one: str) -> tuple[str, ...]:
    return via if one in via else (*via, one)


def _shared(state: State) -> State:
    """The same state, but for descriptors."""
    other = State.__new__(State)
    other.__dict__.update(state.__dict__)
    other.inputs = dict(state.inputs)
    other.outputs = dict(state.outputs)
    return other


def _perhaps(printed: Sequence[Data]) -> Data:
    """What is printed where only some of it is."""
    return joined((*printed, UNKNOWN)) if any(data.text != "" for data in printed) else NOTHING


def _scalar_text(value: Variable) -> str:
    return value.text or "0" if isinstance(value, Data) else "0"

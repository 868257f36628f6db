"""Follows a command line as its shell would run it, and notes each simple command on the way.

Each part is followed in worlds (`world.py`): a condition leaves behind those of both its sides, and what comes after
it is followed in each of them. Nothing is run and nothing is read: what only the machine can answer is unknown.
"""

from __future__ import annotations

from rulez_py.analysis.bash.builtins import GLOBAL, abbreviated
from rulez_py.analysis.bash.dataflow import resolved
from rulez_py.analysis.bash.execution import Executor
from rulez_py.analysis.bash.expand import data_of, is_volatile
from rulez_py.analysis.bash.loops import assigned, declares, fits_all, is_paced, may_fail, never_ends, reads, walks
from rulez_py.analysis.bash.machine import DEEPEST, MOST_INPUTS, Exhausted, Invocation, Machine, Trace, reached
from rulez_py.analysis.bash.nested import Nested
from rulez_py.analysis.bash.redirections import Redirector
from rulez_py.analysis.bash.syntax import (
    Case,
    Coprocess,
    Count,
    For,
    Function,
    Group,
    If,
    Negated,
    Pipeline,
    Redirected,
    Series,
    Simple,
    Substitution,
    Test,
    While,
    Written,
    is_test,
)
from rulez_py.analysis.bash.world import ANY_WORDS, NOTHING, UNDECIDED, UNKNOWN, Target, level, merged, mixed, widened
from rulez_py.analysis.values import ANY, ENDLESS, INTERPRETER, SUBSTITUTION, Data, File, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulez_py.analysis.bash.machine import Act, Observer
    from rulez_py.analysis.bash.syntax import Assignment, Node
    from rulez_py.analysis.bash.world import Variable, World
    from rulez_py.analysis.values import Command, Stored

_BY_ITSELF = frozenset(
    (
        *("command_not_found_handle", "command_not_found_handler", "precmd", "preexec", "chpwd", "periodic"),
        *("zshexit", "zshaddhistory", "fish_prompt", "fish_command_not_found", "cwdcmd", "postcmd"),
    )
)
"""The functions that shells call by themselves: for a program that is not there, before a prompt, at their end."""
_TRAP = "TRAP"
"""What the names begin with of those that zsh calls for signals, and at its end."""
_HOOKS = ("BASH_ALIASES", "BASH_CMDS", "PROMPT_COMMAND")
"""Lists whose items each mean something to the shell."""


class Interpreter:
    """Follows command lines. `commands` are what it has noted, `written` what would be written to files.

    `steps` are taken as spent before it begins. `stored` are the files that are there.
    """

    def __init__(self, *observers: Observer, steps: int = 0, stored: Stored | None = None) -> None:
        machine = Machine(self.substituted, observers, steps, stored)
        self.commands, self.written = machine.commands, machine.written
        self._machine = machine
        self._redirector = Redirector(machine)
        self._nested = Nested(machine, self._redirector)
        machine.run = self.run
        machine.execute = Executor(machine, self._redirector, self._nested).execute
        machine.trapped = self._nested.trapped

    @property
    def steps(self) -> int:
        """Return the steps taken so far."""
        return self._machine.steps

    def follow(self, text: str, world: World, dialect: str = "sh") -> None:
        """Follow a command line to its end, traps included. Raises Exhausted."""
        if dialect == "powershell":
            self._nested.powershell(text, world)
        elif dialect == ANY:
            self._nested.one_inner(Inner(code=Word(text=text), language=ANY, via=INTERPRETER), world, Trace())
        else:
            self._machine.process(world, lambda one: self._nested.code(text, [one]))

    def run(self, node: Node, worlds: Sequence[World]) -> list[World]:
        """Follow one part (`Machine.run`).

        Worlds that are leaving stay as they are. A part that no other world reaches is followed all the same.
        """
        self._machine.spend(1)
        self._machine.depth += 1
        if self._machine.depth > DEEPEST:
            raise Exhausted
        try:
            going = [world for world in worlds if world.leaving is None]
            if going:
                left = [world for world in worlds if world.leaving is not None]
                after = self._run(node, going)
                return self._machine.united([*after, *left]) if left else after
            # INVARIANT: what comes after `exit`, `return` or `break` is followed all the same.
            if worlds:
                unreached = worlds[0].copy()
                unreached.leaving = None
                self._run(node, [unreached])
            return list(worlds)
        finally:
            self._machine.depth -= 1

    def _run(self, node: Node, worlds: list[World]) -> list[World]:
        if isinstance(node, Simple):
            return self._machine.each(worlds, lambda world: self._simple(node, world))
        if isinstance(node, Series):
            return self._series(node, worlds)
        if isinstance(node, Pipeline):
            return self._machine.each(worlds, lambda world: self._pipeline(node, world))
        if isinstance(node, Negated):
            return self.run(node.body, worlds)
        if isinstance(node, Group):
            return self._machine.each(worlds, self._subshell(node)) if node.subshell else self.run(node.body, worlds)
        if isinstance(node, Redirected):
            return self._machine.each(worlds, lambda world: self._redirected(node, world))
        if isinstance(node, Function):
            return [self._defined(node, world) for world in worlds]
        if isinstance(node, If):
            return self._if(node, worlds)
        if isinstance(node, Test):
            return self._machine.each(worlds, lambda world: self._test(node, world))
        if isinstance(node, Coprocess):
            return self._machine.each(worlds, lambda world: self._coprocess(node, world))
        if isinstance(node, Case):
            return self._machine.each(worlds, lambda world: self._case(node, world))
        if isinstance(node, For):
            return self._machine.each(worlds, lambda world: self._for(node, world))
        if isinstance(node, While):
            return self._machine.each(worlds, lambda world: self._while(node, world))
        return self._machine.each(worlds, lambda world: self._count(node, world))

    # Simple commands.

    def _simple(self, node: Simple, world: World) -> list[World]:
        self._machine.spend(1 + len(node.words))
        if self._machine.tracks and node.words:
            self._machine.offset = node.words[0].start
        words = self._words(node, world)
        if GLOBAL in world.variables:
            words = abbreviated(words, world)
        if not words:
            return self._without_words(node, world)
        lasting = words[0].text == "exec" and len(words) == 1 + sum(word.text.startswith("-") for word in words[1:])
        if words[0].text == "exec" and len(words) == 2 and words[1].text.startswith("{"):
            lasting = True
        if not (node.assignments or node.redirects or node.declared):
            return self._machine.execute(Invocation(words=words), world)
        names = tuple(one.name for one in node.assignments)
        variables = {
            name: (name in world.variables, world.variables.get(name), name in world.exported) for name in names
        }
        inputs, outputs = dict(world.inputs), dict(world.outputs)
        for assignment in node.assignments:
            self._assign(assignment, world)
        files: tuple[File, ...] = ()
        hosts: tuple[str, ...] = ()
        if node.redirects:
            files, hosts = self._redirector.redirect(node.redirects, world)
        for assignment in node.declared:
            self._assign(assignment, world)
        world.exported |= set(names)
        after = self._machine.execute(Invocation(words=words, files=files, hosts=hosts, environment=names), world)
        for one in after:
            _restore(one, variables)
            if not lasting:
                one.inputs, one.outputs = dict(inputs), dict(outputs)
        return after

    def _words(self, node: Simple, world: World) -> list[Word]:
        """Return the words of a command. Behind `export` and its like what looks like an assignment is never split."""
        if not any(declares(node, one) for one in node.words[1:]):
            return self._machine.expander.words(node.words, world, self._machine.place)
        found = self._machine.expander.words(node.words[:1], world, self._machine.place)
        for one in node.words[1:]:
            place = self._machine.place or (one.start, one.end)
            if declares(node, one):
                found.append(self._machine.expander.word(one.pieces, world, place))
            else:
                found += self._machine.expander.words([one], world, place)
        return found

    def _without_words(self, node: Simple, world: World) -> list[World]:
        """Run a command without words: assignments, and redirections of nothing."""
        for assignment in node.assignments:
            self._assign(assignment, world)
        if node.redirects:
            inputs, outputs = dict(world.inputs), dict(world.outputs)
            files, hosts = self._redirector.redirect(node.redirects, world)
            if files or hosts:
                # Nothing runs, as with `:`.
                self._machine.note(self._machine.command(Invocation(name=":", files=files, hosts=hosts), world), world)
            if not node.assignments and node.redirects[-1].operator in ("<", "<<<", "<<"):
                # `$(<file)` prints it; in zsh `<file` does so too.
                self._redirector.say(world, world.stdin)
            world.inputs, world.outputs = inputs, outputs
        return [world]

    def _assign(self, assignment: Assignment, world: World) -> None:
        if assignment.items is not None:
            start = world.get(assignment.name) if assignment.adds and world.is_set(assignment.name) else None
            items: dict[str, Data] = dict(start) if isinstance(start, dict) else {}
            self._machine.spend(len(items) // 8)
            at = 1 + max((int(key) for key in items if key.isdigit()), default=-1)
            for word in self._machine.expander.words(assignment.items, world, self._machine.place):
                key, found, rest = word.text.partition("]=")
                if found and key.startswith("["):
                    key = key[1:].strip("'\"")
                    items[key] = data_of(word).replace(text=rest if word.known else None, glob="")
                    at = int(key) + 1 if key.isdigit() and key.isascii() and len(key) < 9 else at
                else:
                    key = str(at)
                    items[key] = data_of(word)
                    at += 1
                if assignment.name in _HOOKS:
                    self._nested.assign(world, assignment.name, items[key], index=key)
            world.set(assignment.name, items)
            return
        value = (
            self._machine.expander.value(assignment.value.pieces, world) if assignment.value is not None else NOTHING
        )
        self._nested.assign(world, assignment.name, value, adds=assignment.adds, index=self._index(assignment, world))

    def _index(self, assignment: Assignment, world: World) -> str | None:
        if assignment.index is None:
            return None
        key = self._machine.expander.value(assignment.index, world).text
        if key is None:
            return "?"
        self._machine.expander.evaluated(key, world)
        return key.strip("'\"")

    def _test(self, node: Test, world: World) -> list[World]:
        if node.raw.startswith("(("):
            self._machine.expander.computed(node.pieces, world)
        else:
            self._machine.expander.tested(node.pieces, world)
        return [world]

    def _defined(self, node: Function, world: World) -> World:
        world.functions[node.name] = node.body
        if self._machine.script is not None and self._machine.tracks:
            self._machine.defined[id(node.body)] = self._machine.script
        if node.name in _BY_ITSELF or (node.name.startswith(_TRAP) and node.name.isupper()):
            # With unknown words.
            inner = world.subshell().fed(None)
            inner.arguments = ANY_WORDS
            self._machine.aside(world, inner, lambda one: self.run(node.body, [one]))
        return world

    # Several commands.

    def _series(self, node: Series, worlds: list[World]) -> list[World]:
        at = 0
        while at < len(node.items):
            stop = at
            while node.items[stop][1] in ("&&", "||") and stop + 1 < len(node.items):
                stop += 1
            worlds = self._list(node, range(at, stop + 1), worlds)
            at = stop + 1
        return worlds

    def _list(self, node: Series, places: range, worlds: list[World]) -> list[World]:
        """Follow commands with `&&` and `||` between them.

        A directory is taken to be there, but for the command directly after `cd there ||`.
        """
        if len(places) == 1:
            return self._item(node, places[0], worlds)
        missing = frozenset[str]().union(*(world.missing for world in worlds))
        succeeded = worlds
        failed: list[World] = []
        left: list[World] = []
        for number in places:
            part, following = node.items[number]
            separator = node.items[number - 1][1] if number > places[0] else "&&"
            reaching = succeeded if separator == "&&" else failed
            if self._is_decided(reaching, left):
                continue
            # INVARIANT: a part that nothing seems to lead to is followed all the same, but leaves nothing behind.
            after = self._item(node, number, [world.copy() for world in reaching or succeeded or failed or left])
            after = after if reaching else []
            left += [world for world in after if world.leaving is not None]
            after = [world for world in after if world.leaving is None]
            fails = self._failed(part, reaching if following == "||" else [], after)
            after = self._answered(part, after, holds=True)
            succeeded, failed = (after, [*fails, *failed]) if separator == "&&" else ([*after, *succeeded], fails)
            succeeded, failed = self._machine.united(succeeded), self._machine.united(failed)
        return self._joined(_forgetful([*succeeded, *failed, *left], missing))

    def _failed(self, part: Node, reaching: list[World], after: list[World]) -> list[World]:
        """Return the worlds behind a part that fails, of those that it leaves behind; of a `cd` those that reach it."""
        if walks(part):
            return [world.copy() for world in reaching]
        return self._answered(part, after, holds=False) if may_fail(part) else []

    def _is_decided(self, reaching: list[World], left: list[World]) -> bool:
        """Tell whether a test in a file has decided that a part does not run."""
        return not reaching and not left and bool(self._machine.scripts)

    def _answered(self, node: Node, worlds: list[World], *, holds: bool) -> list[World]:
        """Return the worlds after a part with an answer; a test of a file may say that it is missing."""
        if not isinstance(node, Negated) and not is_test(node):
            return worlds
        if self._machine.scripts:
            from rulez_py.analysis.bash.scripts import decided

            worlds = [one for one in worlds if decided(node, one, self._machine) in (None, holds)]
        from rulez_py.analysis.bash.file_tests import missing

        asked = missing(node)
        if asked is None or asked[1] is not holds:
            return worlds
        found = []
        for world in worlds:
            word = self._machine.expander.word(asked[0], world)
            if word.known and not word.glob:
                world = world.copy()
                world.missing |= {resolved(word.text, world)}
            found.append(world)
        return found

    def _item(self, node: Series, number: int, worlds: list[World]) -> list[World]:
        part, following = node.items[number]
        if following != "&":
            return self.run(part, worlds)
        endless = not is_paced(node.items, number)

        def in_background(world: World) -> list[World]:
            its = world.subshell().fed(None)
            its.parallel = True
            its.endless = world.endless and endless
            if its.endless:
                its.via = reached(its.via, ENDLESS)
            return self._beside(world, its, lambda one: self.run(part, [one]))

        return self._machine.each(worlds, in_background)

    def _beside(self, world: World, inner: World, act: Act) -> list[World]:
        """Follow a subshell; it leaves behind files, and what it has printed."""
        found = []
        for kid in self._machine.process(inner, act):
            one = world.copy()
            one.after(kid)
            self._redirector.say(one, kid.printed)
            found.append(one)
        return found

    def _subshell(self, node: Group) -> Act:
        return lambda world: self._beside(world, world.subshell(), lambda one: self.run(node.body, [one]))

    def _pipeline(self, node: Pipeline, world: World) -> list[World]:
        """Follow each part in a subshell of its own. Between two parts, what flows is what the world has `printed`."""
        before, heard = world.printed, world.heard
        world.printed = world.stdin
        worlds = [world]
        for number, part in enumerate(node.parts):
            last = number == len(node.parts) - 1
            found = []
            for one in worlds:
                found += self._piped(part, one, last=last, heard=heard)
            worlds = self._machine.united(found)
        for one in worlds:
            printed, one.printed, one.heard = one.printed, before, heard
            if printed is not NOTHING:
                self._redirector.say(one, printed)
        return worlds

    def _piped(self, part: Node, world: World, *, last: bool, heard: bool) -> list[World]:
        its = world.subshell(heard=True)
        its.parallel = True
        # A pipe takes the place of where the descriptors led before.
        its.fed(world.printed)
        if not last:
            its.outputs.pop("1", None)
        else:
            its.heard = heard
        kids = self._machine.process(its, lambda one: self.run(part, [one]))
        found = []
        for kid in kids:
            one = world.copy()
            one.after(kid)
            one.printed = kid.printed
            found.append(one)
        if last:
            # It runs in the shell itself where `lastpipe` is set, and in zsh.
            for kid in kids:
                one = kid.copy()
                one.inputs, one.outputs = dict(world.inputs), dict(world.outputs)
                one.via, one.parallel, one.endless, one.traps = world.via, world.parallel, world.endless, world.traps
                found.append(one)
        return found

    # Conditions.

    def _if(self, node: If, worlds: list[World]) -> list[World]:
        missing = frozenset[str]().union(*(world.missing for world in worlds))
        ends: list[World] = []
        for condition, body in node.branches:
            worlds = self.run(condition, worlds)
            left = [world for world in worlds if world.leaving is not None]
            worlds = [world for world in worlds if world.leaving is None] or left
            test = condition.items[0][0] if len(condition.items) == 1 else condition
            entering = self._answered(test, worlds, holds=True)
            ends = [*self.run(body, [world.copy() for world in entering]), *ends, *left]
            worlds = self._answered(test, worlds, holds=False)
        ends = [*self.run(node.otherwise, worlds), *ends] if node.otherwise is not None else [*ends, *worlds]
        return self._joined(_forgetful(ends, missing))

    def _joined(self, worlds: list[World]) -> list[World]:
        """Return what the sides of a condition leave behind."""
        level(worlds)
        return self._machine.united(worlds)

    def _case(self, node: Case, world: World) -> list[World]:
        word = self._machine.expander.word(node.word.pieces, world)
        word = word.replace(known=word.known and not is_volatile(node.word.pieces))
        ended: list[list[World]] = []
        fallen: list[World] = []
        # What has come through a `;;&` is compared with the later patterns as well.
        again: list[World] = []
        settled = False
        for patterns, body, end in node.items:
            fits = self._may_fit(word, patterns, world)
            if not fits and not fallen:
                continue
            entering = [*fallen, *([one.copy() for one in (world, *again)] if fits else [])]
            if any(fits_all(pattern) for pattern in patterns):
                settled, again = True, []
            after = self.run(body, entering)
            fallen = after if end == ";&" else []
            if end == ";;&":
                again = self._machine.united([*again, *after])
            elif end != ";&":
                ended.append(after)
        ends = [*fallen, *again, *(one for after in reversed(ended) for one in after)]
        # INVARIANT: `case` without a pattern that fits everything may run no branch at all.
        return self._joined([*ends, *([] if settled and ends else [world])])

    def _may_fit(self, word: Word, patterns: Iterable[Written], world: World) -> bool:
        from rulez_py.analysis.bash.patterns import fits

        for pattern in patterns:
            wanted = self._machine.expander.words([pattern], world, self._machine.place)
            # INVARIANT: an unknown word may fit every pattern, an unknown pattern every word.
            if not word.known or any(not one.known or fits(one.glob or one.text, word.text) for one in wanted):
                return True
        return False

    # Loops.

    def _round(self, body: Node, worlds: Sequence[World], ended: list[World]) -> list[World]:
        """Follow one round of a loop, and return the worlds that go on; those that leave it are added to `ended`."""
        for world in worlds:
            world.loops += 1
        going = []
        for world in self.run(body, worlds):
            world.loops -= 1
            how, count = world.leaving or ("", 0)
            if how in ("break", "continue"):
                world.leaving = (how, count - 1) if count > 1 else None
            if how in ("", "continue") and world.leaving is None:
                going.append(world)
            else:
                ended.append(world)
        return self._machine.united(going)

    def _for(self, node: For, world: World) -> list[World]:
        words = (
            world.arguments[1:]
            if node.words is None
            else self._machine.expander.words(node.words, world, self._machine.place)
        )
        self._machine.spend(len(words) // 8)
        values = [data_of(word) for word in words[:MOST_INPUTS]]
        # INVARIANT: words of a loop past the bound are one unknown value.
        values += [mixed(map(data_of, words[MOST_INPUTS:]))] if len(words) > MOST_INPUTS else []
        ended: list[World] = []
        if not any(data.text is not None and not data.glob for data in values):
            ended.append(world.copy())
        endless, world.endless = world.endless, False
        worlds = [world]
        for value in values:
            for one in worlds:
                one.set(node.name, value)
            worlds = self._round(node.body, worlds, ended)
        return _again(self._machine.united([*worlds, *reversed(ended)]), endless)

    def _while(self, node: While, world: World) -> list[World]:
        if not node.until and reads(node.condition):
            return self._read_by_line(node, world)
        endless, world.endless = world.endless, never_ends(node)
        return _again(self._rounds(node, [world]), endless)

    def _count(self, node: Count, world: World) -> list[World]:
        # Its counter has other values later.
        for piece in node.pieces:
            self._machine.expander.word((piece,), world, tilde=False)
        self._machine.expander.evaluated_in(node.pieces, world)
        for name in assigned(node.pieces):
            world.variables[name] = UNKNOWN
        endless, world.endless = world.endless, not node.bounded
        return _again(self._rounds(node, [world]), endless)

    def _rounds(self, node: While | Count, worlds: list[World], *, started: bool = False) -> list[World]:
        """Follow two rounds, as the second sees what the first has set. What still changes then is unknown."""
        ended: list[World] = []

        def condition(worlds: list[World]) -> list[World]:
            if not isinstance(node, While):
                return worlds
            at = len(self._machine.commands)
            after = self.run(node.condition, worlds)
            self._machine.commands[at:] = [command for command in self._machine.commands[at:] if command not in tried]
            tried.update(self._machine.commands[at:])
            return after

        tried: set[Command] = set()
        if started and isinstance(node, While):
            tried.update(self._machine.commands)
        worlds = worlds if started else condition(worlds)
        ended += [world.copy() for world in worlds]
        first = self._round(node.body, worlds, ended)
        ended += [world.copy() for world in first]
        second = self._round(node.body, condition([world.copy() for world in first]), ended)
        ended += [world.copy() for world in second]
        if moved := widened(first, second):
            ended += self._round(node.body, condition(moved), ended)
        return self._machine.united(ended)

    def _read_by_line(self, node: While, world: World) -> list[World]:
        """Follow a loop over the lines that `read` takes, where these are known; else like any other."""
        ended: list[World] = []
        going = [world]
        for number in range(MOST_INPUTS + 1):
            for one in going:
                one.ended = None
            after = self.run(node.condition, going)
            ended += [one for one in after if one.ended or one.leaving is not None]
            open_ended = [one for one in after if one.ended is None and one.leaving is None]
            going = [one for one in after if one.ended is False and one.leaving is None]
            if open_ended:
                ended += self._rounds(node, open_ended, started=True)
            if not going:
                break
            if number == MOST_INPUTS:
                ended += self._rounds(node, [one.fed(UNKNOWN) for one in going], started=True)
                break
            going = self._round(node.body, going, ended)
        return self._machine.united(ended)

    # Subshells with a name.

    def _coprocess(self, node: Coprocess, world: World) -> list[World]:
        inner = world.subshell(heard=True)
        inner.parallel = True
        inner.outputs.pop("1", None)
        # What is written to it later is not known now.
        printed = self._machine.aside(world, inner.fed(UNKNOWN), lambda one: self.run(node.body, [one]))
        reading, writing = str(60 + 2 * len(world.inputs)), str(61 + 2 * len(world.inputs))
        world.set(node.name, {"0": Data(text=reading), "1": Data(text=writing)})
        world.inputs[reading] = printed
        sink = f"coproc {node.name}"
        self._redirector.sinks[sink] = (Substitution(body=Series(items=((node.body, ";"),)), raw=sink), world.copy())
        world.outputs[writing] = Target(sink=sink)
        return [world]

    def substituted(self, piece: Substitution, world: World) -> Data:
        """Return what a substitution prints, or the name of the file that takes its place."""
        self._machine.spend(1)
        # What `>( )` prints goes where the shell's own output goes.
        inner = world.subshell(heard=piece.direction != ">")
        inner.via = reached(inner.via, SUBSTITUTION)
        if piece.direction == ">":
            self._redirector.sinks[piece.raw] = (piece, inner.copy())
            self._machine.aside(world, inner.fed(None), lambda one: self.run(piece.body, [one]))
            return Data(text=piece.raw)
        inner.outputs.pop("1", None)
        kids = self._machine.process(inner, lambda one: self.run(piece.body, [one]))
        chosen = self._machine.choose(len(kids)) if len(kids) > 1 else 0
        kid = merged(kids) if chosen == UNDECIDED else kids[chosen]
        world.after(kid)
        if piece.direction:
            world.files[piece.raw] = kid.printed
            return Data(text=piece.raw, origins=(), files=())
        return kid.printed

    # Redirections.

    def _redirected(self, node: Redirected, world: World) -> list[World]:
        inputs, outputs = dict(world.inputs), dict(world.outputs)
        self._redirector.opened(node.redirects, world)
        after = self.run(node.body, [world])
        for one in after:
            one.inputs, one.outputs = dict(inputs), dict(outputs)
        return after


def _restore(world: World, variables: dict[str, tuple[bool, Variable, bool]]) -> None:
    """Give variables that were set for one command what they were before."""
    for name, (was_set, value, _) in variables.items():
        if was_set:
            world.variables[name] = value
        else:
            world.variables.pop(name, None)
    world.exported -= {name for name, (_, _, was_exported) in variables.items() if not was_exported}


def _forgetful(worlds: list[World], missing: frozenset[str]) -> list[World]:
    """Reset which files are missing to what was known before a condition, so that its worlds do not differ."""
    for world in worlds:
        world.missing &= missing
    return worlds


def _again(worlds: list[World], endless: bool) -> list[World]:
    """Reset `endless` after a loop to what the loop around it has."""
    for world in worlds:
        world.endless = endless
    return worlds

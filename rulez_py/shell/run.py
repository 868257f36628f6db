"""Follows a command line as its shell would run it, and notes each simple command on the way.

Both sides of a condition are followed, and what depends on one stays possible beside what was before. Nothing is run
and nothing is read: what the machine would have to be asked for is not known.
"""

from __future__ import annotations

import posixpath

from rulez_py.shell import builtins, grammar, options, touches, wrappers
from rulez_py.shell.expand import Expander, data_of, is_volatile
from rulez_py.shell.fillings import GIVEN, MOST_INPUTS, coded, filled, is_one_expansion
from rulez_py.shell.flows import (
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
from rulez_py.shell.loops import assigned, is_paced, never_ends, reads
from rulez_py.shell.state import MOST_ALTERNATIVES, NOTHING, PRINTED, UNKNOWN, State, Target, either, joined, mixed
from rulez_py.shell.syntax import (
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
from rulez_py.shell.values import (
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
    SUBSTITUTION,
    SYNTAX,
    WRAPPER,
    WRITE,
    Command,
    Data,
    File,
    Touch,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulez_py.shell.expand import Place
    from rulez_py.shell.state import Variable
    from rulez_py.shell.syntax import Assignment, Node, Redirect
    from rulez_py.shell.values import Effects, Found, Inner, Names

MOST_COMMANDS = 2_000
MOST_STEPS = 40_000
DEEPEST = 50
LONGEST = 500_000
"""Bounds: commands noted, steps taken, constructs in one another, characters."""

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
_LISTS = ("crontab", "make")
"""Languages of which each line, or recipe, is shell code."""


class Exhausted(Exception):
    """A bound is reached."""


class Machine:
    """Runs commands in their states and notes them."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self._expander = Expander(self._substituted)
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
        for inner, state in self._late[:MOST_INPUTS]:
            state = state.copy()
            state.via = _with(state.via, inner.via)
            before = len(self.commands)
            opaque: list[str] = []
            self._one_inner(inner, state, NOTHING, opaque, [])
            new = [command for command in self.commands[before:] if command not in self.commands[:before]]
            self.commands[before:] = new

    def _spend(self, steps: int) -> None:
        self._steps += steps
        if self._steps > MOST_STEPS or len(self.commands) > MOST_COMMANDS:
            raise Exhausted

    def _note(self, command: Command) -> None:
        self.commands.append(command)

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
            return self._redirected(node, state, stdin)
        if isinstance(node, Function):
            state.functions[node.name] = node.body
            return NOTHING
        if isinstance(node, If):
            return self._if(node, state, stdin)
        if isinstance(node, Test):
            if node.raw.startswith("(("):
                self._expander.computed(node.pieces, state)
            else:
                self._expander.word(node.pieces, state)
            return NOTHING
        if isinstance(node, Coprocess):
            return self._coprocess(node, state)
        return self._repeated(node, state, stdin)

    def _series(self, node: Series, state: State, stdin: Data) -> Data:
        printed: list[Data] = []
        endless = state.endless
        conditional = state.conditional
        separator = ";"
        uncertain = False
        for number, (part, following) in enumerate(node.items):
            state.conditional = conditional or separator in ("&&", "||")
            if following == "&":
                background = state.copy()
                background.parallel = True
                background.endless = endless and not is_paced(node.items, number)
                if background.endless:
                    background.via = _with(background.via, ENDLESS)
                printed.append(self.run(part, background, NOTHING))
            else:
                printed.append(self.run(part, state, stdin))
            separator = following
            uncertain = uncertain or (state.conditional and printed[-1].text != "")
        state.conditional = conditional
        # What is printed only sometimes, alone, is taken for printed.
        return _perhaps(printed) if uncertain and sum(data.text != "" for data in printed) > 1 else joined(printed)

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
                state.merge(its)
                state.way, state.known_cwd = its.way, its.known_cwd
        return flowing

    def _if(self, node: If, state: State, stdin: Data) -> Data:
        printed: list[Data] = []
        before, state.conditional = state.conditional, True
        for condition, body in node.branches:
            printed += [self.run(condition, state, stdin), self.run(body, state, stdin)]
        if node.otherwise is not None:
            printed.append(self.run(node.otherwise, state, stdin))
        state.conditional = before
        return _perhaps(printed)

    def _repeated(self, node: While | For | Count | Case, state: State, stdin: Data) -> Data:
        before, endless, state.conditional = state.conditional, state.endless, True
        printed: list[Data] = []
        if isinstance(node, Case):
            word = self._expander.word(node.word.pieces, state)
            open_word = word.replace(known=word.known and not is_volatile(node.word.pieces))
            bodies = [(body, self._may_fit(open_word, patterns, state)) for patterns, body, _ in node.items]
            falls = False
            for (body, fits), (_, _, end) in zip(bodies, node.items, strict=True):
                if fits or falls:
                    printed.append(self.run(body, state, stdin))
                falls = (fits or falls) and end != ";;"
        elif isinstance(node, For):
            words = state.arguments[1:] if node.words is None else self._expander.words(node.words, state, self._place)
            state.endless = False
            values = [data_of(word) for word in words[:MOST_INPUTS]]
            values += [mixed(map(data_of, words[MOST_INPUTS:]))] if len(words) > MOST_INPUTS else []
            for value in values:
                state.variables[node.name] = (value,)
                printed.append(self.run(node.body, state, stdin))
            for value in values:
                state.set(node.name, value)
        elif isinstance(node, While) and not node.until and reads(node.condition):
            state.conditional = before
            printed = self._read_by_line(node, state, stdin)
        else:
            if isinstance(node, While):
                state.endless = never_ends(node)
            else:
                # Its counter has other values later.
                for piece in node.pieces:
                    self._expander.word((piece,), state, tilde=False)
                for name in assigned(node.pieces):
                    state.variables[name] = (UNKNOWN,)
                state.endless = not node.bounded
            printed = self._rounds(node, state, stdin, started=False)
        state.conditional, state.endless = before, endless
        return _perhaps(printed)

    def _rounds(self, node: While | Count, state: State, stdin: Data, *, started: bool) -> list[Data]:
        """Twice, as what the first round has set counts in the second; what still moves then may be anything."""
        printed: list[Data] = []
        if isinstance(node, While) and not started:
            printed.append(self.run(node.condition, state, stdin))
        printed.append(self.run(node.body, state, stdin))
        before = dict(state.variables)
        printed.append(self.run(node.body, state, stdin))
        moving = [name for name, value in state.variables.items() if before.get(name) != value]
        for name in moving:
            state.variables[name] = (*state.variables[name], UNKNOWN)[-MOST_ALTERNATIVES:]
        if moving:
            if isinstance(node, While):
                printed.append(self.run(node.condition, state, stdin))
            printed.append(self.run(node.body, state, stdin))
        return printed

    def _read_by_line(self, node: While, state: State, stdin: Data) -> list[Data]:
        """A loop over the lines that `read` takes, where these are known; else like any other."""
        printed: list[Data] = []
        for _ in range(MOST_INPUTS):
            state.ended = None
            printed.append(self.run(node.condition, state, stdin))
            if state.ended is not False:
                break
            printed.append(self.run(node.body, state, stdin))
        if not state.ended:
            state.conditional = True
            printed += self._rounds(node, state, UNKNOWN if state.ended is False else stdin, started=True)
        return printed

    def _may_fit(self, word: Word, patterns: Iterable[Written], state: State) -> bool:
        from rulez_py.shell.patterns import fits

        for pattern in patterns:
            wanted = self._expander.words([pattern], state, self._place)
            if not word.known or any(not one.known or fits(one.glob or one.text, word.text) for one in wanted):
                return True
        return False

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
            number = self._descriptor(redirect, state, default="0" if operator[0] == "<" else "1")
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

    def _descriptor(self, redirect: Redirect, state: State, *, default: str) -> str:
        written = redirect.descriptor
        if not written.startswith("{"):
            return written.lstrip("0") or ("0" if written else default)
        number = str(10 + len(state.inputs) + len(state.outputs))
        name = written[1:-1]
        known = state.get(name) if state.is_set(name) else None
        if isinstance(known, Data) and known.text and duplicated(Word(text="-")) and known.text in state.outputs:
            number = known.text
        state.set(name, Data(text=number))
        return number

    def content(self, target: Word, state: State, stdin: Data) -> Data:
        """What is read from a file."""
        return self._content(target, state, stdin)[0]

    def _content(self, target: Word, state: State, stdin: Data) -> tuple[Data, str]:
        """What is read from a file, and the host where that is a connection."""
        if not target.known:
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
        """Run it once for each value that the variables in it may have."""
        outer = state.choice, state.open_choices
        state.choice, state.open_choices = {}, {}
        printed = [self._once(node, state, stdin)]
        for name, count in list(state.open_choices.items())[:2]:
            for number in range(1, count):
                self._spend(1)
                state.choice = {name: number}
                printed.append(self._once(node, state, stdin))
        state.choice, state.open_choices = outer
        return printed[0] if len(printed) == 1 else either(printed)

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
            state.way, state.known_cwd, state.arguments = its.way, its.known_cwd, its.arguments
            state.ended, state.conditional = its.ended, its.conditional
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
                    items[str(at)] = data_of(word)
                    at += 1
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
                value = value.replace(text=change(value.text or ""))
        builtins.store(state, name, value, adds=adds, index=index)

    def compute(self, word: Word, state: State) -> Data:
        """The value of a word that is an arithmetic expression."""
        return self._expander.computed((Text(text=word.text, quoted=True),), state) if word.known else UNKNOWN

    def _index(self, assignment: Assignment, state: State) -> str | None:
        if assignment.index is None:
            return None
        key = self._expander.value(assignment.index, state).text
        return "?" if key is None else key.strip("'\"")

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
            fed = _fed((stdin, first.data))
            self._note(self._command(words, "", state, opaque=(PROGRAM,), files=files, hosts=hosts, fed=fed))
            return Data(origins=(PRINTED,))
        if not name:
            # An expansion that gave nothing: the next word is not the program, but nothing runs either.
            return NOTHING
        if functions and first.text in state.functions:
            return self._call(first.text, words, state, stdin, files, hosts)
        if "/" not in first.text and first.text in state.programs:
            name = program_name(state.programs[first.text])
        at = len(self.commands)
        opaque: list[str] = []
        codes: list[Data] = []
        if name not in _READERS:
            stdin = state.rest(stdin)
        said = builtins.run(self, name, words, state, stdin)
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
            from rulez_py.shell.found import passed

            names = passed(name, words, stdin.names)
        if effects.silent:
            return Data(origins=(PRINTED,), names=names)
        origins = (*taken.origins, PRINTED, *((effects.origin,) if effects.origin else ()))
        return Data(origins=tuple(dict.fromkeys(origins)), files=taken.files, shown=taken.shown, names=names)

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
        name: str,
        words: Sequence[Word],
        state: State,
        stdin: Data,
        files: tuple[File, ...],
        hosts: tuple[str, ...],
    ) -> Data:
        """Call a function."""
        self._touch(state, files, hosts)
        if name in state.frames:
            if state.parallel:
                command = self._command(words, name.lower(), state)
                self._note(command.replace(via=_with(state.via, ENDLESS)))
            else:
                self._note(self._command(words, name.lower(), state, opaque=(RECURSION,)))
            return Data(origins=(PRINTED,))
        saved = state.arguments, state.frames, state.locals, state.parallel, state.endless
        state.arguments = tuple(words)
        state.frames = (*state.frames, name)
        state.locals = {}
        state.parallel = False
        printed = self.run(state.functions[name], state, stdin)
        for variable, value in state.locals.items():
            if value:
                state.variables[variable] = value
            else:
                state.variables.pop(variable, None)
        state.arguments, state.frames, state.locals, state.parallel, state.endless = saved
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

    def _touched(self, effects: Effects, state: State) -> tuple[tuple[File, ...], tuple[Data, ...], list[str]]:
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
                    from rulez_py.shell.patterns import escaped

                    glob = posixpath.join(escaped(state.way), glob)
            known = word.known and (state.known_cwd or posixpath.isabs(word.text))
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

    def _save(self, effects: Effects, reads: Sequence[Data], taken: Data, stdin: Data, state: State) -> None:
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
        found += wrappers.environment(name, words, self._exported(state, environment))
        if not found:
            return None
        printed = []
        for inner in found:
            if name in _STATEFUL:
                its = state.copy() if state.parallel or name == "trap" else state
            else:
                its = state.elsewhere()
            if name == "trap":
                self._late.append((inner, state))
            via, user, cwd = its.via, its.user, (its.way, its.known_cwd)
            its.via = _with(via, inner.via)
            its.user = inner.user or user
            if inner.via == REMOTE and options.family(name) == "docker":
                from rulez_py.shell.wrappers.remote import mounts

                its.mounts = tuple(
                    (place, posixpath.join(state.way, source.text)) for place, source, _ in mounts(words) if place
                )
            if inner.cwd is not None:
                builtins.change_directory(its, inner.cwd)
            for variable, word in inner.environment:
                its.variables[variable] = (data_of(word),)
                its.exported |= {variable}
            printed.append(self._one_inner(inner, its, stdin, opaque, codes))
            if its is state:
                its.via, its.user = via, user
                if inner.cwd is not None:
                    its.way, its.known_cwd = cwd
        return joined(printed)

    def _exported(self, state: State, environment: tuple[str, ...]) -> dict[str, Word]:
        """The variables that a program may read its commands from."""
        found = {}
        for name in (*environment, *state.variables):
            if name in found:
                continue
            known = [one for one in state.variables.get(name, ()) if one != UNKNOWN]
            value = state.get(name) if len(known) != 1 else known[0]
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
            from rulez_py.shell.wrappers.jobs import shell_of

            text, language = shell_of(language, text), "sh"
        if language == "sh":
            saved = state.arguments
            if arguments:
                state.arguments = arguments
            printed = self.code(text, state, stdin, place)
            state.arguments = saved
            return printed
        if language == "powershell":
            return self.powershell(text, state)
        from rulez_py.shell import code

        found = code.find(language, text, arguments[1:])
        self._found(found, state, stdin, place)
        if found.opaque and opaque is not None:
            opaque.append(found.opaque)
        return Data(origins=(PRINTED,))

    def powershell(self, text: str, state: State) -> Data:
        """Run a text of PowerShell's; programs that are not its own come back here."""
        from rulez_py.shell import powershell

        def nested(words: Sequence[Word], via: Sequence[str], cwd: str | None, stdin: Data) -> tuple[Command, ...]:
            its = state.elsewhere()
            its.via = tuple(dict.fromkeys((*state.via, *via)))
            if cwd is None:
                its.known_cwd = False
            else:
                its.cwd = cwd
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
            from rulez_py.shell.found import word_for

            return [word_for(one) for one in stdin.names[:MOST_INPUTS]]
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

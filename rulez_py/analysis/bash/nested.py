"""Follow commands in commands: those that a program runs by its words, input, environment or a file."""

from __future__ import annotations

import posixpath

from rulez_py.analysis.bash import builtins, grammar
from rulez_py.analysis.bash.builtins import KNOWN
from rulez_py.analysis.bash.dataflow import BROUGHT, copy_of, filled_in, git_settings, held, is_no_code, listed
from rulez_py.analysis.bash.expand import data_of
from rulez_py.analysis.bash.machine import LONGEST, MOST_INPUTS, Exhausted, Invocation, Script, Trace, fed_by, reached
from rulez_py.analysis.bash.redirections import EDITED, STORED
from rulez_py.analysis.bash.syntax import Simple, Text
from rulez_py.analysis.bash.world import ANY_WORDS, NOTHING, PRINTED, SETS_UP, UNKNOWN, World, joined
from rulez_py.analysis.programs import read as options
from rulez_py.analysis.programs import runs
from rulez_py.analysis.values import (
    ANY,
    CODE,
    CONSOLES,
    DIALECTS,
    DOUBT,
    ENVIRONMENT,
    INTERPRETER,
    LIMIT,
    NETWORK,
    ORIGINS,
    OUTPUT,
    READ,
    REMOTE,
    SET_UP,
    SHELL,
    SOURCES,
    SYNTAX,
    WRAPPER,
    Data,
    Inner,
    Touch,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.bash.expand import Place
    from rulez_py.analysis.bash.machine import Act, Machine
    from rulez_py.analysis.bash.redirections import Redirector
    from rulez_py.analysis.values import Command, Found

_STATEFUL = frozenset(("eval", "source", ".", "command", "builtin", "exec", "trap"))
"""Programs whose inner command runs in the shell itself."""
_PROMPTS = ("PS0", "PS1", "PS2", "PS4")
_BEFORE_PROMPT = "PROMPT_COMMAND"
"""Variables in whose values bash substitutes, and the one whose value it runs."""
_STARTS = ("BASH_ENV", "ENV")
"""Variables with the name of a file, in which a shell expands before it reads that."""
_LISTS = ("crontab", "make")
"""Languages whose lines, or recipes, are shell code."""
_RECIPES = ("make", *runs.RECIPES)
"""Languages of files with recipes; a runner runs some of them."""
_STANDARD_INPUT = "-"
"""The name of a file that is standard input, for every program: what it says of a file holds of that."""
_MOST_FITTING = 16
"""Files of a pattern that are read: what loads them loads each, and all share one bound of work."""


def _given(program: str, words: Sequence[Word], world: World, redirector: Redirector) -> list[Inner]:
    """Return what an undescribed program may run of its standard input, and of what its words substitute: `x <(y)`."""
    if program in KNOWN:
        return []
    found = [
        Inner(file=word, language=ANY, via=WRAPPER)
        for word in map(_substituted, words[1:])
        if word.text.startswith("<(") and runs.is_code_for(program, redirector.content(word, world).text or "")
    ]
    text = world.stdin.text
    named = program not in runs.SOURCES or any(word.text in ("-", "/dev/stdin", "fsi") for word in words[1:])
    if text and named and runs.is_code_for(program, text):
        found.append(Inner(stdin=True, language=ANY, via=WRAPPER))
    return found


def _substituted(word: Word) -> Word:
    """Return the `<( )` that is the value of an option in the same word (`--use:<(x)`); any other word itself."""
    at = word.text.find("<(") if word.text[:1] == "-" else -1
    return word.replace(text=word.text[at:]) if at > 0 and word.text[at - 1] in "=:" else word


class Nested:
    """Follows what programs run, and does what builtins ask for (`world.Shell`)."""

    def __init__(self, machine: Machine, redirector: Redirector) -> None:
        self._machine = machine
        self._redirector = redirector
        self._followed: set[tuple[str, str]] = set()
        """The settings of git that were followed already."""

    # Code.

    def code(self, text: str, worlds: Sequence[World], place: Place | None = None) -> list[World]:
        """Follow a text. `place` is the place of all its words, where that is not where they are written."""
        self._machine.spend(1 + len(text) // 100)
        try:
            # Where a file is read, the places in it tell its lines.
            parsed = grammar.parse(text, None if self._machine.opened else place)
        except grammar.TooDeep:
            raise Exhausted from None
        # INVARIANT: what the grammar cannot read is followed as far as it goes, and is opaque.
        if parsed.broken:
            self._machine.doubt(SYNTAX, worlds[0])
        machine = self._machine
        outer = machine.place, machine.opened, machine.tracks
        machine.place, machine.opened, machine.tracks = place, False, machine.opened
        try:
            return machine.run(parsed.body, worlds)
        finally:
            machine.place, machine.opened, machine.tracks = outer

    def trapped(self, worlds: list[World]) -> list[World]:
        """Run what traps have left for the end, as things are then; nothing comes after them."""
        machine = self._machine
        outer = machine.script, machine.offset, machine.tracks
        for world in worlds:
            for inner in world.traps[:MOST_INPUTS]:
                machine.script, machine.offset = machine.traps.get(inner, outer[:2])
                machine.tracks = False  # The text is a word, not the file's own.
                noted = set(self._machine.commands)
                at = len(self._machine.commands)
                its = world.subshell().fed(None)
                its.via = reached(its.via, inner.via)
                self.one_inner(inner, its, Trace())
                self._machine.commands[at:] = dict.fromkeys(
                    new for new in self._machine.commands[at:] if new not in noted
                )
            # INVARIANT: traps over the bound are not dropped: the line is opaque.
            if len(world.traps) > MOST_INPUTS:
                raise Exhausted
            world.traps = ()
        machine.script, machine.offset, machine.tracks = outer
        return worlds

    # What a program runs.

    def inner(self, call: Invocation, world: World, trace: Trace) -> list[World] | None:
        """Run what a program runs by its words; None where it runs nothing. What that prints is in `printed`."""
        name = call.name
        found = [*self._all_inner(call, world), *trace.doubted]
        if all(one.language in CONSOLES for one in found):
            # What it prints is its own, whatever runs besides.
            for one in found:
                self._apart(call, one, world, trace)
            return None
        worlds = [world]
        for one in found:
            if name == "trap":
                self._machine.traps[one] = (self._machine.script, self._machine.offset)
                for its in worlds:
                    its.traps += (one,) if one not in its.traps else ()
            if name in _STATEFUL and name != "trap" and not world.parallel:
                worlds = [after for its in worlds for after in self._here(name, one, its, trace)]
            else:
                for its in worlds:
                    printed = self._apart(call, one, its, trace)
                    its.printed = joined((its.printed, printed))
                    its.loaded = joined((its.loaded, self._variables_in(name, one, its)))
            worlds = self._machine.united(worlds)
        return worlds

    def _all_inner(self, call: Invocation, world: World) -> list[Inner]:
        """Return what a program runs by its words, its environment, and the files that it loads."""
        name, words = call.name, call.words
        found = list(runs.inner(name, words)) or _given(name, words, world, self._redirector)
        if world.files:
            found += runs.loaded(name, words, world.files)
        if self._machine.stored is not None:
            for one in runs.recipes(name, words):
                found += [its for its in self._named(one, world) if self._is_there(its, world)]
        exported = self._exported(name, world, call.environment)
        if exported:
            from rulez_py.analysis.programs.environment import commands

            found += commands(name, words, exported)
        if name == "git" and (settings := git_settings(world, self._machine.spend)):
            from rulez_py.analysis.programs.special.git import by_files

            self._machine.spend(sum(len(value.text) + 8 for _, value in settings) // 32)
            found += by_files(words, settings, self._followed)
        return found

    def _named(self, inner: Inner, world: World) -> list[Inner]:
        """Return an inner command for each file that a pattern names in the working directory (`*.csproj`)."""
        if inner.file is None or "*" not in inner.file.text or self._machine.stored is None:
            return [inner]
        start, _, end = inner.file.text.partition("*")
        names = sorted(self._machine.stored.names(world.cwd)) if world.known_cwd else []
        fitting = [name for name in names if name.startswith(start) and name.endswith(end)]
        return [inner.replace(file=inner.file.replace(text=name)) for name in fitting[:_MOST_FITTING]]

    def _is_there(self, inner: Inner, world: World) -> bool:
        """Tell whether a file that a runner loads is there; one that the line writes is read in any language."""
        from rulez_py.analysis.bash import scripts

        data = NOTHING if inner.file is None else self._redirector.content(inner.file, world)
        machine = self._machine
        return scripts.text_of(data, world, machine) is not None or scripts.is_beyond(data, world, machine)

    def _here(self, name: str, inner: Inner, world: World, trace: Trace) -> list[World]:
        """Run what runs in the shell itself."""
        saved = {key: getattr(world, key) for key in ("via", "user", "returns")}
        place = {key: getattr(world, key) for key in ("way", "known_cwd")} if inner.cwd is not None else {}
        sourced = name in ("source", ".")
        world.returns += sourced
        after = self.one_inner(inner, self._as_given(inner, world), trace)
        variables = self._variables_in(name, inner, world)
        for one in after:
            one.__dict__.update(saved | place)
            one.loaded = joined((one.loaded, variables))
            if sourced and one.leaving is not None and one.leaving[0] == "return":
                one.leaving = None
        return after

    def _variables_in(self, name: str, inner: Inner, world: World) -> Data:
        """Return the file that a shell takes variables from."""
        if name not in ("source", ".") or inner.file is None:
            return NOTHING
        read = self._redirector.content(inner.file, world)
        return read.replace(origins=(), shown="") if read.text is None else NOTHING

    def _apart(self, call: Invocation, inner: Inner, world: World, trace: Trace) -> Data:
        """Run another program; what it prints."""
        its = world.subshell() if call.name in _STATEFUL else world.elsewhere()
        its = self._as_given(inner, its)
        if inner.via == REMOTE and options.family(call.name) == "docker":
            from rulez_py.analysis.programs.special.remote import mounts

            its.mounts = tuple(
                (place, posixpath.join(world.way, source.text)) for place, source, _ in mounts(call.words) if place
            )
        printed = self._machine.aside(world, its, lambda one: self.one_inner(inner, one, trace))
        if inner.via == REMOTE and STORED in printed.origins:
            # A file of another machine is not one of this machine: what it holds is unknown.
            printed = printed.replace(origins=tuple(one if one != STORED else PRINTED for one in printed.origins))
        return printed

    def _as_given(self, inner: Inner, world: World) -> World:
        """Return a world with the user, directory and variables that the inner command is given."""
        world.via = reached(world.via, inner.via)
        world.user = inner.user or world.user
        if inner.cwd is not None:
            builtins.change_directory(world, inner.cwd)
        for variable, word in inner.environment:
            self.assign(world, variable, data_of(word))
            world.exported |= {variable}
        return world

    def _exported(self, program: str, world: World, environment: tuple[str, ...]) -> dict[str, Word]:
        """Return the variables that a program may read its commands from."""
        found: dict[str, Word] = {}
        for name in runs.commanding(program, dict.fromkeys((*environment, *world.variables))):
            value = world.get(name)
            if isinstance(value, Data) and name in _STARTS and value.text and ("$" in value.text or "`" in value.text):
                value = self._machine.expander.prompted(value.text, world.copy())
            if isinstance(value, Data):
                found[name] = Word(text=value.text or "", known=value.text is not None, data=value.replace(text=None))
        return found

    def one_inner(self, inner: Inner, world: World, trace: Trace) -> list[World]:
        """Run one inner command in a world that is its own."""
        for observer in self._machine.observers:
            observer.code(inner, world)
        stdin = world.stdin
        inputs = self._inputs(inner, world)
        if inner.words:
            return self._filled(inner, inputs, world)
        if inner.stdin or (inner.file is not None and inner.file.text == _STANDARD_INPUT):
            return self._code_or_opaque(stdin, inner, world.fed(NOTHING), trace, None)
        if inner.file is not None:
            data = self._redirector.content(inner.file, world)
            if inner.via == INTERPRETER and is_no_code(inner.file.text):
                # An interpreter shows what it cannot read.
                self._machine.touch(world, self._redirector.files((Touch(path=inner.file, access=(READ,)),), world), ())
            if BROUGHT in data.origins and inner.language != "sh":
                # What a clone is for is to build and to run it; its scripts for a shell set up the machine.
                return [world]
            return self._code_or_opaque(data, inner, world, trace, inner.file)
        if inner.code is None:
            return [world]
        worlds = [world]
        for one, given in _coded(inner.code, inner, inputs):
            data = data_of(one)
            if data.text is None and not _is_one_expansion(one.text):
                # A part of it is known: the rest is in it as it was written.
                data = data.replace(text=one.text)
            after = []
            for its in worlds:
                if given is not None:
                    _give(its, given)
                after += self._code_or_opaque(data, inner, its, trace, one)
            worlds = self._machine.united(after)
        return worlds

    def _filled(self, inner: Inner, inputs: list[Word] | None, world: World) -> list[World]:
        """Run an inner command with its inputs where they belong."""
        worlds = [world]
        for words, given in _filled(inner, inputs):
            if not words:
                continue
            after = []
            for its in worlds:
                if given is not None:
                    _give(its, given)
                stdin = its.stdin
                if inner.takes_stdin:
                    its.fed(NOTHING)
                call = Invocation(words=words, functions=inner.via != WRAPPER)
                after += [one.fed(stdin) for one in self._machine.execute(call, its)]
            worlds = self._machine.united(after)
        return worlds

    def _code_or_opaque(self, data: Data, inner: Inner, world: World, trace: Trace, word: Word | None) -> list[World]:
        """Run code as far as it is known; say what it came from, and why it is not known."""
        if script := self._script_there(data, inner, world, trace):
            return self._from_file(script, inner, world, trace, word)
        if inner.language in CONSOLES:
            # Most of what these texts hold are data: what is not known of one is nothing to ask about.
            text = data.replace(text=data.shown if data.text is None else data.text)
            return self._script(text, inner, world, trace, word)
        trace.codes.append(data)
        if data.text is None and inner.language in _LISTS and data.shown:
            # What this command line adds comes after what was there before.
            data = data.replace(text=data.shown)
        if data.text is not None:
            return self._script(data, inner, world, trace, word)
        if any(origin in ORIGINS for origin in data.origins):
            trace.opaque.append(CODE)
        elif PRINTED in data.origins:
            trace.opaque.append(OUTPUT)
            if EDITED in data.origins:
                before = data.replace(text=data.shown)
                self._machine.aside(world, world.subshell(), self._script_of(before, inner, trace, word))
        elif SETS_UP in data.origins:
            trace.opaque.append(SET_UP)
        elif data.shown.strip() and not _is_one_expansion(data.shown.strip()):
            shown = data.replace(text=data.shown)
            self._machine.aside(world, world.subshell(), self._script_of(shown, inner, trace, word))
            trace.opaque.append(CODE)
        elif STORED not in data.origins:
            # INVARIANT: code whose text is unknown is opaque. Only a file from before this line is left to rules about
            # files.
            trace.opaque.append(CODE)
        self._redirector.say(world, Data(origins=(PRINTED, *data.origins), files=data.files))
        return [world]

    def _script_there(self, data: Data, inner: Inner, world: World, trace: Trace) -> tuple[str, str] | None:
        """Return the path and the text of the file that holds some code; one that is not read makes it opaque."""
        if data.text is not None or self._machine.stored is None or not data.files:
            return None
        from rulez_py.analysis.bash import scripts

        script = scripts.text_of(data, world, self._machine)
        stored, sure = self._machine.stored, inner.via != DOUBT
        if script is None and sure and scripts.is_beyond(data, world, self._machine):
            trace.opaque.append(LIMIT)
        if script is not None and sure and stored.is_cut(script[0]) and inner.language != "javascript":
            trace.opaque.append(LIMIT)
        return script

    def _from_file(
        self, script: tuple[str, str], inner: Inner, world: World, trace: Trace, word: Word | None
    ) -> list[World]:
        """Follow a file that is there, in the language that it is run in."""
        from rulez_py.analysis.bash import scripts

        path, text = script
        if inner.via == DOUBT:
            if path in self._machine.searched:
                return [world]
            self._machine.searched.add(path)
        if inner.language == "sh":
            world.variables["BASH_SOURCE"] = {"0": Data(text=path)}
        data = Data(text=text, files=(path,))
        act = self._script_of(data, inner, trace, word)
        if inner.language in ("sh", *_RECIPES):
            return scripts.follow(self._machine, script, world, (act, self._flat(text, inner, trace)), trace)
        # A text in any language: what has the form of a command.
        flat = self._script_of(data, inner.replace(language=ANY), trace, word)
        return scripts.follow(self._machine, script, world, (act, flat), trace)

    def _flat(self, text: str, inner: Inner, trace: Trace) -> Act:
        """Return what reads a file's text command by command."""

        def act(world: World) -> list[World]:
            from rulez_py.analysis.bash import scripts

            code = text if inner.language == "sh" else self._recipes(text, inner)[0]
            scripts.flat(self._machine, code, world, trace)
            return [world]

        return act

    def _recipes(self, text: str, inner: Inner) -> tuple[str, Inner]:
        """Return the shell code in a file of recipes or of jobs, and the command that runs it."""
        script = self._machine.script
        if inner.language in runs.RECIPES or (inner.language in _RECIPES and script is not None):
            from rulez_py.analysis.programs.special.recipes import shell_of as recipes_of

            text = recipes_of(inner.language, text, [one.text for one in inner.arguments])
            if script is not None:
                # The lines are the same, where they begin is not.
                self._machine.script = Script.of(script.path, text)
        else:
            from rulez_py.analysis.programs.special.jobs import shell_of

            text = shell_of(inner.language, text)
        return text, inner.replace(arguments=())

    def _script_of(self, data: Data, inner: Inner, trace: Trace, word: Word | None) -> Act:
        return lambda one: self._script(data, inner, one, trace, word)

    def _script(self, data: Data, inner: Inner, world: World, trace: Trace, word: Word | None) -> list[World]:
        """Run a text in the language of an inner command. `word` is what holds it, where one does."""
        text, language = data.text or "", inner.language
        if len(text) > LONGEST:
            raise Exhausted
        place = word.at if word is not None and word.at != (0, 0) else self._machine.place or (0, 0)
        if self._machine.script is not None:
            place = (0, 0)  # No word of a file is a word of the line.
        world.fed(world.rest(world.stdin))
        if language in _RECIPES or language in _LISTS:
            text, inner = self._recipes(text, inner)
            language = "sh"
        if language in DIALECTS:
            world.arguments = inner.arguments or world.arguments
            return self._of_dialect(language, text, world, place, trace)
        if language == "sh":
            saved = world.arguments
            if inner.arguments:
                world.arguments = inner.arguments
            after = self.code(text, world.begun(), place)
            for one in after if inner.arguments else ():
                one.arguments = saved
            return after
        if language == "powershell":
            self.powershell(text, world)
        else:
            from rulez_py.analysis import languages

            found = languages.find(language, text, inner.arguments[1:])
            self._found(found, world, place, text if self._machine.script is not None else "")
            if found.opaque:
                trace.opaque.append(found.opaque)
            return self._printed_by(found, world)
        # Commands made of the names of files here are no text from elsewhere.
        self._redirector.say(world, Data(origins=(SETS_UP if world.stdin.names else PRINTED,)))
        return [world]

    def _printed_by(self, found: Found, world: World) -> list[World]:
        """Return what code of another language prints: of what it read, and of what it was given."""
        files = self._redirector.variable_files(world) if ENVIRONMENT in found.reads else ()
        self._machine.touch(world, files, ())
        fed = tuple(origin for origin in world.stdin.origins if origin in SOURCES)
        origins = (
            SETS_UP if world.stdin.names else PRINTED,
            *found.reads,
            *fed,
            *(world.loaded.origins if found.reads else ()),
        )
        printed = Data(origins=tuple(dict.fromkeys(origins)), files=world.stdin.files)
        flows = self._redirector.leads(world, printed)
        if found.hosts and ENVIRONMENT in found.reads:
            flows += ((ENVIRONMENT, NETWORK),)
        if flows:
            self._machine.note(self._machine.command(Invocation(hosts=found.hosts), world).replace(flows=flows), world)
        self._redirector.say(world, printed)
        return [world]

    def _of_dialect(self, language: str, text: str, world: World, place: Place, trace: Trace) -> list[World]:
        """Run a text of another shell; one that cannot be read to its end is opaque."""
        from rulez_py.analysis.bash.dialects import translated

        machine = self._machine
        machine.spend(1 + len(text) // 100)
        kept = machine.script, machine.opened, machine.tracks
        if language == "cmd" and machine.opened and machine.script is not None:
            from rulez_py.analysis.bash import cmd

            code, starts, lines = cmd.located(text)
            machine.script = machine.script.replace(starts=starts, lines=lines)
        else:
            code = translated(language, text)
        machine.tracks, machine.opened = machine.opened and language == "cmd", False
        try:
            parsed = grammar.parse(code)
        except grammar.TooDeep:
            raise Exhausted from None
        if parsed.broken:
            self._machine.doubt(SYNTAX, world)
            trace.opaque.append(CODE)
        outer, self._machine.place = self._machine.place, place
        try:
            return self._machine.run(parsed.body, world.begun())
        finally:
            self._machine.place = outer
            machine.script, machine.opened, machine.tracks = kept

    def own_code(self, words: Sequence[Word], world: World, trace: Trace) -> None:
        """Run what is in a file of this command line's own making that is run as a program."""
        data = made_here(words, world)
        if data is None:
            is_path = "/" in words[0].text or runs.is_batch(words[0].text)
            if self._machine.stored is not None and is_path and words[0].known:
                self._program_of_a_file(words, world, trace)
            return
        if original := copy_of(data, world):
            named = [words[0].replace(text=original), *words[1:]]
            copied = Invocation(words=named, functions=False)
            self._machine.aside(world, world.subshell(), lambda one: self._machine.execute(copied, one))
            trace.codes.append(data)
            return
        if interpreter := _interpreter(data.text or ""):
            named = [*interpreter, *words]
            self._machine.aside(
                world, world.elsewhere(), lambda one: self._machine.execute(Invocation(words=named), one)
            )
        elif data.text is not None:
            script = self._script_of(data, Inner(arguments=tuple(words)), Trace(), None)
            self._machine.aside(world, world.elsewhere(), script)
        else:
            trace.opaque.append(OUTPUT if is_made_by_program(data) else CODE)
        trace.codes.append(data)

    def _program_of_a_file(self, words: Sequence[Word], world: World, trace: Trace) -> None:
        """Run a file that is there as a program: by what its first line names, or by a shell."""
        from rulez_py.analysis.bash import scripts

        if runs.is_batch(words[0].text):
            file = words[0].replace(text=words[0].text.replace("\\", "/"))
            batch = Inner(file=file, language="cmd", via=SHELL, arguments=(file, *words[1:]))
            if self._is_there(batch, world):
                self._machine.aside(world, self._as_given(batch, world.elsewhere()), self._one(batch, trace))
            return
        data = self._redirector.content(words[0], world)
        script = scripts.text_of(data, world, self._machine)
        if script is None:
            if scripts.is_beyond(data, world, self._machine):
                trace.opaque.append(LIMIT)
            return
        named = [*(_interpreter(script[1]) or (Word(text="sh"),)), *words]
        self._machine.aside(
            world, world.elsewhere(), lambda one: self._machine.execute(Invocation(words=named, functions=False), one)
        )

    # Other languages.

    def powershell(self, text: str, world: World) -> None:
        """Run a text of PowerShell's; programs that are not its own come back here."""
        from rulez_py.analysis import powershell

        of_file = self._machine.script is not None and self._machine.opened
        if of_file:
            self._machine.opened = self._machine.tracks = False

        def nested(words: Sequence[Word], via: Sequence[str], cwd: str | None, stdin: Data) -> tuple[Command, ...]:
            its = world.elsewhere().fed(stdin)
            its.via = tuple(dict.fromkeys((*world.via, *via)))
            if cwd is None:
                its.go(its.way, known=False)
            else:
                its.go("" if cwd == its.start else cwd, known=True)
            at = len(self._machine.commands)
            if of_file:
                from rulez_py.analysis.bash.scripts import offset_of

                self._machine.offset = offset_of(text, words)
            self._machine.aside(world, its, lambda one: self._machine.execute(Invocation(words=words), one))
            found = tuple(self._machine.commands[at:])
            del self._machine.commands[at:]
            return found

        for command in powershell.analyse(
            text, cwd=world.cwd, home=world.home, environ=world.environ, depth=self._machine.depth, nested=nested
        ):
            self._machine.spend(1)
            self._machine.note(command.replace(via=tuple(dict.fromkeys((*world.via, *command.via)))), world)

    def _found(self, found: Found, world: World, place: Place, text: str) -> None:
        """Follow what code of another language does; `text` is the code where it is a file's own."""
        outer, self._machine.place = self._machine.place, place
        touched = [
            listed(touch.replace(path=filled_in(touch.path, world), base=touch.base and filled_in(touch.base, world)))
            for touch in found.touches
        ]
        for source, name in found.links:
            self._redirector.linked(filled_in(source, world), filled_in(name, world), world)
        self._machine.touch(world, self._redirector.files(touched, world), found.hosts)
        # What code puts into a file is unknown: a program that runs that file is opaque.
        self._redirector.save([touch for touch in touched if touch.path.known], Data(origins=(PRINTED,)), world)
        if text:
            self._machine.opened = self._machine.tracks = False
        for inner in found.inner:
            if text:
                from rulez_py.analysis.bash.scripts import offset_of

                self._machine.offset = offset_of(text, inner.words or ((inner.code,) if inner.code else ()))
            inner = inner.replace(
                words=tuple(filled_in(word, world) for word in inner.words),
                code=inner.code and filled_in(inner.code, world),
                cwd=inner.cwd and filled_in(inner.cwd, world),
            )
            trace = Trace()
            its = self._as_given(inner.replace(environment=()), world.elsewhere())
            self._machine.aside(world, its, self._one(inner, trace))
            if trace.opaque:
                word = inner.code or inner.file
                run = Invocation(words=(word,) if word is not None else ())
                self._machine.note(
                    self._machine.command(run, its, opaque=tuple(trace.opaque), fed=fed_by(trace.codes)), its
                )
        self._machine.place = outer

    def _one(self, inner: Inner, trace: Trace) -> Act:
        return lambda world: self.one_inner(inner, world, trace)

    # What builtins ask for.

    def content(self, target: Word, world: World) -> Data:
        """Return what is read from a file."""
        return self._redirector.content(target, world)

    def choose(self, count: int) -> int:
        """Return one of so many possibilities (`Machine.choose`)."""
        return self._machine.choose(count)

    def assign(self, world: World, name: str, value: Data, *, adds: bool = False, index: str | None = None) -> None:
        """Assign a value as the variable's attributes (`declare -i`, `-u`, `-l`) have it."""
        attribute = world.attributes.get(name, "")
        if attribute and value.text is not None:
            if attribute == "i":
                computed = self.compute(Word(text=value.text), world)
                before = world.get(name)
                adds_to = (before.text or "0") if isinstance(before, Data) and adds else "0"
                value = self.compute(Word(text=f"({adds_to})+({computed.text})"), world) if adds else computed
                adds = False
            else:
                change = str.upper if attribute == "u" else str.lower
                value = value.replace(text=None if attribute == "?" else change(value.text or ""))
        builtins.store(world, name, value, adds=adds, index=index)
        if name in _PROMPTS or name == _BEFORE_PROMPT:
            self._prompted(name, value, world)
        elif index is not None and name in ("BASH_ALIASES", "BASH_CMDS"):
            word = Word(text=value.text or "", known=value.text is not None)
            if name == "BASH_ALIASES":
                builtins.abbreviate(world, index, word)
            else:
                world.programs[index] = word.text if word.known else ""

    def _prompted(self, name: str, value: Data, world: World) -> None:
        """Run what bash does with the value of a variable by itself, before a prompt or a line of `set -x`."""
        if value.text is None:
            if value.origins:
                self._machine.doubt(CODE, world)
        elif name == _BEFORE_PROMPT:
            text, inner = value.text, world.subshell().fed(None)
            inner.via = reached(inner.via, SHELL)
            self._machine.aside(world, inner, lambda one: self.code(text, [one], self._machine.place))
        else:
            self._machine.expander.prompted(value.text, world.copy())

    def evaluate(self, word: Word, world: World) -> None:
        """Evaluate a word that is the name of a variable, with an index or without."""
        if word.known and "[" in word.text:
            self._machine.expander.evaluated(word.text, world)

    def evaluated(self, text: str, world: World) -> None:
        """Evaluate a text in which bash expands again."""
        self._machine.expander.prompted(text, world.copy())

    def nested(self, word: Word, world: World) -> None:
        """Follow a word that a builtin runs as code, now or later; `$@` in it is unknown."""
        inner = world.subshell().fed(None)
        inner.via = reached(inner.via, SHELL)
        inner.arguments = ANY_WORDS
        trace = Trace()
        self._machine.aside(world, inner, lambda one: self._code_or_opaque(data_of(word), Inner(), one, trace, word))
        for reason in trace.opaque:
            self._machine.doubt(reason, world)

    def beside(self, words: Sequence[Word], world: World) -> None:
        """Follow a command that a builtin starts."""
        self._machine.aside(world, world.subshell(), lambda one: self._machine.execute(Invocation(words=words), one))

    def compare(self, word: Word, world: World) -> None:
        """Evaluate a word that zsh reads as an expression."""
        if word.known:
            self._machine.expander.evaluated(word.text, world)

    def compute(self, word: Word, world: World) -> Data:
        """Return the value of a word that is an arithmetic expression."""
        return self._machine.expander.computed((Text(text=word.text, quoted=True),), world) if word.known else UNKNOWN

    # Inputs.

    def names_in(self, word: Word, world: World) -> list[Word]:
        """Return the names of files that a file holds, or standard input (`-`): its lines, or what NUL parts."""
        data = self._listed(word, world)
        if data.text is None:
            return (_unknown_inputs(Inner(), data) or []) if data.names else []
        self._machine.spend(1 + len(data.text) // 32)
        names = data.text.split("\0" if "\0" in data.text else "\n")
        own = data.replace(text=None)
        return [Word(text=name, at=word.at, data=own) for name in map(str.strip, names) if name]

    def _listed(self, word: Word, world: World) -> Data:
        """Return what a file holds, as far as it is known, or standard input (`-`)."""
        if word.text == _STANDARD_INPUT:
            return world.stdin
        data = self._redirector.content(word, world)
        if data.text is None and self._machine.stored is not None and data.files:
            from rulez_py.analysis.bash import scripts

            if script := scripts.text_of(data, world, self._machine):
                return data.replace(text=script[1])
        return data

    def _inputs(self, inner: Inner, world: World) -> list[Word] | None:
        """Return the inputs that an inner command is run with; None where they are not known."""
        if inner.inputs is not None:
            return list(inner.inputs)
        stdin = world.stdin
        if inner.input_file is not None:
            stdin = self._listed(inner.input_file, world)
            if stdin.text is None and not stdin.names:
                return None
            inner = inner.replace(takes_stdin=True)
        if inner.takes_stdin and stdin.text is not None:
            parts = stdin.text.split("\n") if inner.placeholder or inner.code is not None else stdin.text.split()
            if inner.separator:
                parts = stdin.text.split(inner.separator)
                parts = parts[:-1] if not parts[-1] else parts
            elif any(char in stdin.text for char in "'\"\\"):
                parts = [word.text for word in self._split_words(stdin.text)]
            kept = [part for part in parts if part or inner.separator]
            return [Word(text=part, data=stdin.replace(text=None)) for part in kept]
        return _unknown_inputs(inner, stdin) if inner.takes_stdin else None

    def _split_words(self, text: str) -> list[Word]:
        """Return words as xargs reads them: quotes and backslashes count, nothing else does."""
        plain = text.replace("$", "\\$").replace("`", "\\`")
        for char in "|&;()<>#{}*?[~":
            plain = plain.replace(char, f"'{char}'") if "'" not in text and '"' not in text else plain
        try:
            parsed = grammar.parse(plain, (0, 0))
        except grammar.TooDeep:
            return []
        return [
            word
            for part, _ in parsed.body.items
            if isinstance(part, Simple)
            for word in self._machine.expander.words(part.words, World("/", "/", {}), (0, 0))
        ]


def _unknown_inputs(inner: Inner, stdin: Data) -> list[Word] | None:
    """Return the inputs in an unknown text that is known to be made from them; None where those are unknown, too."""
    if stdin.names:
        from rulez_py.analysis.programs.found import word_for

        others = [Word(text="...", known=False)] if len(stdin.names) > MOST_INPUTS else []
        return [*(word_for(one) for one in stdin.names[:MOST_INPUTS]), *others]
    if stdin.files or any(origin in SOURCES for origin in stdin.origins):
        return [Word(text=inner.placeholder or "...", known=False, data=stdin.replace(text=None, shown=""))]
    return None


def _interpreter(text: str) -> tuple[Word, ...]:
    """Return the program that a file's first line names (`#!`), with its words; nothing where it names none."""
    first_line = text.partition("\n")[0]
    return tuple(Word(text=part) for part in first_line[2:].split()) if first_line.startswith("#!") else ()


def made_here(words: Sequence[Word], world: World) -> Data | None:
    """Return what this command line has put into the file that is run as a program."""
    return held(words[0].text, world)


def is_made_by_program(data: Data) -> bool:
    """Tell if it is what a compiler has made, or another program here."""
    return PRINTED in data.origins and not any(origin in ORIGINS for origin in data.origins)


def _filled(inner: Inner, inputs: list[Word] | None) -> list[tuple[tuple[Word, ...], Data | None]]:
    """Return the words of an inner command, as often as it runs; and the unknown input in code among them."""
    if not inner.placeholder and not inner.appends:
        return [(inner.words, None)]
    from rulez_py.analysis.bash.xargs_inputs import filled

    return filled(inner, inputs)


def _coded(code: Word, inner: Inner, inputs: list[Word] | None) -> list[tuple[Word, Data | None]]:
    """Return the code of an inner command, as often as it runs; and the unknown input in it."""
    if not inner.placeholder and not inner.appends:
        return [(code, None)]
    from rulez_py.analysis.bash.xargs_inputs import coded

    return coded(code, inner, inputs)


def _give(world: World, given: Data) -> None:
    """Put an unknown input into the variable that code has it in."""
    from rulez_py.analysis.bash.xargs_inputs import GIVEN

    world.variables[GIVEN] = given
    world.exported |= {GIVEN}


def _is_one_expansion(text: str) -> bool:
    """Tell if code that is not known is nothing but one expansion, so that nothing of it is known."""
    return not any(char in text for char in " \t\n;|&") or text.startswith(("$(", "`"))

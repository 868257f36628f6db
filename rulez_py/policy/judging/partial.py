"""Rewrite a part of a call: words of the commands that a rule is about, or a part of another argument.

A rewrite of this kind says what becomes of one command, wherever it is in a line; all else of the line stays byte
for byte. What cannot be placed with certainty is refused (`Refused`), and the call is denied.
"""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.policy.judging.matching import looks_at_parts, narrowed
from rulez_py.policy.model.rewrites import ADD, COMMAND, PROGRAM, REMOVE, REPLACE, pairs, texts
from rulez_py.policy.patterns import regex
from rulez_py.verdict import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rulez_py.analysis import Command, Edit, Option, Word
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.model.rewrites import Pairs
    from rulez_py.policy.model.rule import Match

    Place = tuple[int, int]

_IN_THE_LINE = frozenset(("wrapper", "substitution"))
"""Ways to reach a command (`analysis.VIA`) whose words are words of the line itself."""
_REMOTE = "remote"
_NOWHERE = (0, 0)
_MODULE = "-m"
_LONGEST = 60


class Refused(Exception):
    """The part cannot be rewritten with certainty; the message says why, and what can be done."""


class Changed(Value):
    """The edits of one argument; `text` is what the agent has sent, `whole` the new text where there are no edits."""

    text: str
    edits: tuple[Edit, ...] = ()
    whole: str | None = None


def replaced(text: str, wanted: Pairs) -> str:
    """Return a text with what each regex fits replaced; `\\1` is what its first group has found."""
    for pattern, new in wanted:
        data = text.encode("utf-8", "surrogatepass")
        parts: list[bytes] = []
        at = 0
        for spans in _matches(pattern, data):
            parts += (data[at : spans[0][0]], _filled_in(new, data, spans))
            at = spans[0][1]
        text = b"".join((*parts, data[at:])).decode("utf-8", "surrogatepass")
    return text


def changed(match: Match, facts: Facts, name: str, wanted: Mapping[str, object]) -> Changed | None:
    """Return what a partial rewrite makes of an argument; None where it changes nothing. Raises Refused."""
    if name != COMMAND:
        return _changed_argument(facts, name, pairs(wanted.get(REPLACE)))
    line = _line(facts)
    if line is None:
        return None
    edits: dict[Edit, None] = {}
    after: list[list[str | None]] = []
    for command in _meant(match, facts, line):
        its = _Rewriting(line, command, facts, wanted).run()
        if its.edits:
            edits.update(dict.fromkeys(its.edits))
            after.append(its.words_then())
    found = tuple(edits)
    if found:
        _check_read_again(facts, line, applied(Changed(text=line, edits=found), facts), after)
    return Changed(text=line, edits=found) if found else None


def applied(one: Changed, facts: Facts) -> str:
    """Return the new text. Raises Refused where something else would be read otherwise."""
    if one.whole is not None:
        return one.whole
    from rulez_py.analysis import edited

    new = edited(one.text, one.edits, facts.dialect)
    if new is None:
        raise Refused(f"its rewrite would change how the rest of the line is read; {_BY_ITSELF}")
    return new


def overlap(one: Changed, another: Changed) -> bool:
    """Tell whether two rules change the same words, each otherwise."""
    if one.whole is not None or another.whole is not None:
        return one.whole != another.whole
    return any(
        mine != its and mine.start < its.end and its.start < mine.end for mine in one.edits for its in another.edits
    )


def _changed_argument(facts: Facts, name: str, wanted: Pairs) -> Changed | None:
    from rulez_py.event.arguments import rewritten

    event = facts.event
    values = [one[name] for one in facts.arguments if name in one]
    if any(value != values[0] for value in values):
        raise Refused(f"the call has more than one `{name}`; give it one")
    if not values:
        # Where it is inside of other arguments, its text is not seen here.
        if rewritten(event.own_input, event.tool_name, {name: None}, known=event.known_tool) is None:
            raise Refused(f"the call has `{name}` inside of another argument; make one call for each")
        return None
    if not isinstance(values[0], str):
        raise Refused(f"the argument `{name}` of the call is no text; give it as text")
    new = replaced(values[0], wanted)
    return None if new == values[0] else Changed(text=values[0], whole=new)


def _line(facts: Facts) -> str | None:
    """Return the one line of the call; None where it has none. Raises Refused where there are more."""
    lines = facts.lines
    if not lines:
        return None
    foreign = facts.told is not None and {*facts.told.lines, *facts.told.supposed, *facts.told.texts} & set(lines)
    if foreign or len(lines) != 1 or all(one.get(COMMAND) != lines[0] for one in facts.arguments):
        what = "has no command line of its own" if foreign else "has more than one command line"
        raise Refused(f"its rewrite is about a command, and the call {what}; make each command a call of its own")
    return lines[0]


def _meant(match: Match, facts: Facts, line: str) -> list[Command]:
    """Return the commands that the rule is about: those by which it matches, all where it is about none."""
    inside = facts.commands_of(line)
    if not looks_at_parts(match):
        return list(dict.fromkeys(inside))
    parts = narrowed(facts, match).parts
    return list(dict.fromkeys(part.command for part in parts if part.command is not None))


_BY_ITSELF = "run the command as a call of its own, written out"


class _Rewriting:
    """What becomes of one command: edits of the line, and its words afterwards."""

    def __init__(self, line: str, command: Command, facts: Facts, wanted: Mapping[str, object]) -> None:
        from rulez_py.analysis import reading

        self.line, self.command, self.facts, self.wanted = line, command, facts, wanted
        self.dialect = facts.dialect
        self.reading = reading(command)
        self.edits: list[Edit] = []
        self.gone: set[Place] = set()
        self.new: dict[int, list[str]] = {}
        """The words that take the place of one, by its index."""

    def run(self) -> _Rewriting:
        if isinstance(program := self.wanted.get(PROGRAM), str):
            self.replace_program(program.split())
        for flag in texts(self.wanted.get(REMOVE)):
            self.remove(flag)
        if flags := [flag.split() for flag in texts(self.wanted.get(ADD))]:
            self.add([flag for flag in flags if not self.holds(flag)])
        if wanted := pairs(self.wanted.get(REPLACE)):
            self.replace(wanted)
        return self

    def words_then(self) -> list[str | None]:
        """Return the words of the command as they are then, None for what is not known."""
        found: list[str | None] = []
        for index, word in enumerate(self.command.words):
            if index in self.new:
                found += self.new[index]
            else:
                found.append(word.text if word.known else None)
        return found

    def placed(self, word: Word, what: str) -> str:
        """Return a word as the line has it. Raises Refused where the line does not have it as it is."""
        if self.command.script:
            self.refuse(what, f"is in a file ({printable(self.command.script)})")
        if _REMOTE in self.command.via:
            self.refuse(what, "runs on another machine, or in a container")
        if not _IN_THE_LINE.issuperset(self.command.via):
            self.refuse(what, "is in a text that another program reads as code")
        start, end = word.at
        source = self.line[start:end]
        if self.dialect == _POWERSHELL:
            if not source or source.strip("'\"") != word.text:
                self.refuse(what, "is not written in the line as it is")
            return source
        known = _words(self.line)
        if word.at == _NOWHERE or not word.known or known.get(word.at, ("", -1))[0] != word.text or not source:
            self.refuse(what, "is not written in the line as it is")
        own = {known[one.at][1] for one in (self.command.words[0], word) if one.at in known}
        if len(own) != 1:
            self.refuse(what, "is not written beside the name of its program")
        return source

    def refuse(self, what: str, why: str) -> None:
        shown = _shown(" ".join(one.text for one in self.command.words))
        raise Refused(f"its rewrite would {what}, but that {why}; run {shown} as a call of its own, written out")

    def put(self, word: Word, new: list[str], source: str) -> None:
        """Replace a word: `new` are the words, `source` is how they are written."""
        from rulez_py.analysis import Edit

        self.edits.append(Edit(start=word.at[0], end=word.at[1], text=source))
        self.new[self.index(word)] = new

    def index(self, word: Word) -> int:
        return next(at for at, one in enumerate(self.command.words) if one is word or one == word)

    def written(self, new: Iterable[str], *, program: bool = False) -> str:
        """Return words as this shell needs them."""
        from rulez_py.analysis import quoted

        found: list[str] = []
        for number, text in enumerate(new):
            one = quoted(text, self.dialect, program=program and number == 0)
            if one is None:
                raise Refused(f"its rewrite names a program that PowerShell would take for a text: {_shown(text)}")
            found.append(one)
        return " ".join(found)

    def replace_program(self, program: list[str]) -> None:
        word = self.command.words[0]
        what = f"put {_shown(' '.join(program))} in the place of {_shown(word.text)}"
        begin = self.module()
        if begin is None and [word.text] == program:
            return
        self.placed(word, what)
        self.put(word, program, self.written(program, program=True))
        if begin is not None:
            self.edits[-1] = self.edits[-1].replace(start=begin)
        self.gone.add(word.at)

    def module(self) -> int | None:
        """Return where the interpreter is written whose module this is (`python -m pip`), None for another command.

        Raises Refused where the interpreter has further options, which would be lost.
        """
        own = self.command.words[0].at
        for outer in self.facts.commands_of(self.line):
            places = [word.at for word in outer.words]
            if own == _NOWHERE or own not in places[1:] or not outer.program.startswith(("python", "pypy", "py")):
                continue
            at = places.index(own)
            if outer.words[at - 1].text != _MODULE:
                continue
            if at != 2 or not places[0][1] or outer.words[0].at not in _words(self.line):
                python = _shown(" ".join(one.text for one in outer.words[:at]))
                self.refuse(f"take {python} away", "has options of its own, which would be lost")
            return places[0][0]
        return None

    def remove(self, flag: str) -> None:
        for option in self.reading.options:
            if flag in option.names and self.index(option.word) not in self.new:
                self.cut(option, flag)
        # A word may be what it says although nothing describes it.
        bare = [one for one in self.reading.operands if one.word.text == flag and one.doubtful]
        if bare:
            self.refuse(f"remove {_shown(flag)}", "may be the value of another option")

    def cut(self, option: Option, flag: str) -> None:
        """Take an option away, and its value."""
        from rulez_py.analysis import without

        what, word, value = f"remove {_shown(flag)}", option.word, option.value
        if not option.certain or option.second is not None:
            self.refuse(what, "is not known to be this option")
        if any(one.doubtful and self.follows(word, one.word) for one in self.reading.operands):
            self.refuse(what, "is not known to take a value or none")
        source = self.placed(word, what)
        apart = value is not None and value.at != word.at
        if apart and value is not None:
            self.placed(value, what)
            self.edits.append(without(self.line, *value.at))
            self.new[self.index(value)] = []
            self.gone.add(value.at)
        together = [one for one in self.reading.options if one.word == word and one.names != option.names]
        if not together:
            self.edits.append(without(self.line, *word.at))
            self.new[self.index(word)] = []
            self.gone.add(word.at)
            return
        letters = [name[1] for name in option.names if len(name) == 2 and word.text.count(name[1]) == 1]
        joint = sum(1 for one in together if one.certain) == len(word.text.lstrip("-")) - 1
        if source != word.text or len(letters) != 1 or not joint or (value is not None and not apart):
            self.refuse(what, f"is joined with others in {_shown(word.text)}")
        rest = source.replace(letters[0], "", 1)
        self.put(word, [rest], rest)
        self.gone.add(word.at)

    def follows(self, word: Word, other: Word) -> bool:
        """Tell whether a word is right behind another."""
        at = self.index(word)
        return at + 1 < len(self.command.words) and self.command.words[at + 1] == other

    def holds(self, flag: list[str]) -> bool:
        """Tell whether an option is there, in whatever spelling, and stays."""
        name = flag[0].partition("=")[0]
        there = (one for one in self.reading.options if one.certain and {name, flag[0]} & {*one.names})
        return any(self.index(one.word) not in self.new for one in there)

    def add(self, flags: list[list[str]]) -> None:
        """Put options behind the subcommand."""
        from rulez_py.analysis import behind, subcommand

        added = [word for flag in flags for word in flag]
        if not added:
            return
        last = (self.command.words[0], *subcommand(self.command))[-1]
        for word in (self.command.words[0], last):
            self.placed(word, f"add {_shown(' '.join(added))}")
        self.edits.append(behind(self.line, last.at[1], self.written(added)))
        at = self.index(last)
        self.new[at] = [*self.new.get(at, [last.text]), *added]

    def replace(self, wanted: Pairs) -> None:
        from rulez_py.analysis import quoted

        for index, word in enumerate(self.command.words):
            if index in self.new and word.at in self.gone:
                continue
            text = replaced(word.text, wanted)
            if text == word.text:
                continue
            what = f"change {_shown(word.text)}"
            source = self.placed(word, what)
            new = _in_place(source, word.text, wanted) if self.dialect != _POWERSHELL else None
            if new is None and not word.glob:
                new = quoted(text, self.dialect, program=index == 0)
            if new is None:
                self.refuse(what, "is a pattern whose quoting would change")
            if index == 0 and not text:
                self.refuse(what, "would leave no program")
            self.put_besides(index, word, text, new or "")

    def put_besides(self, index: int, word: Word, text: str, source: str) -> None:
        """Replace a word behind which options may have been put."""
        added = self.new.get(index, [word.text])[1:]
        self.put(word, [text, *added], source)


_POWERSHELL = "powershell"


def _in_place(source: str, value: str, wanted: Pairs) -> str | None:
    """Return a word's source with parts of its value replaced, its quoting kept; None where that cannot be."""
    from rulez_py.analysis import put, spelled

    for pattern, new in wanted:
        data = value.encode("utf-8", "surrogatepass")
        # From the end, so that the places before stay.
        for spans in reversed(_matches(pattern, data)):
            how = spelled(source)
            start, end = (len(data[:at].decode("utf-8", "surrogatepass")) for at in spans[0])
            if how is None or len(how.text) < end:
                return None
            text = _filled_in(new, data, spans).decode("utf-8", "surrogatepass")
            changed_source = put(source, how, start, end, text)
            if changed_source is None:
                return None
            source = changed_source
        value = replaced(value, ((pattern, new),))
        how = spelled(source)
        if how is None or how.text != value:
            return None
    return source


def _matches(pattern: str, data: bytes) -> list[list[tuple[int, int]]]:
    """Return the spans of each match, and of its groups, one after the other."""
    found: list[list[tuple[int, int]]] = []
    at = 0
    while at <= len(data):
        spans = regex.match_from(pattern, data, at, groups=True)
        if spans is None:
            break
        start, end = spans[0]
        found.append(spans)
        at = end
        if end == start:
            at += 1
            while at < len(data) and data[at] & 0xC0 == 0x80:
                at += 1
    return found


def _filled_in(text: str, data: bytes, spans: list[tuple[int, int]]) -> bytes:
    """Return the text of a policy with `\\0` to `\\9` replaced by what was found; `\\\\` is a backslash."""
    parts: list[bytes] = []
    at = 0
    while at < len(text):
        following = text[at + 1 : at + 2]
        if text[at] == "\\" and following and following in "0123456789\\":
            at += 2
            if following == "\\":
                parts.append(b"\\")
            elif int(following) < len(spans) and spans[int(following)][0] >= 0:
                start, end = spans[int(following)]
                parts.append(data[start:end])
        else:
            parts.append(text[at].encode("utf-8", "surrogatepass"))
            at += 1
    return b"".join(parts)


def _check_read_again(facts: Facts, line: str, new: str, after: list[list[str | None]]) -> None:
    """INVARIANT: read anew, the line runs each command as its rewrite says. Raises Refused."""
    if new == line:
        return
    there = list(facts.commands_of(new))
    for expected in after:
        fitting = next((one for one in there if _fits(expected, one)), None)
        if fitting is None:
            shown = _shown(" ".join(text or "..." for text in expected))
            raise Refused(f"its rewrite would not run {shown} by {_shown(new)}; {_BY_ITSELF}")
        there.remove(fitting)


def _fits(expected: list[str | None], command: Command) -> bool:
    return len(expected) == len(command.words) and all(
        text is None or text == word.text for text, word in zip(expected, command.words, strict=True)
    )


def _words(line: str) -> Mapping[Place, tuple[str, int]]:
    """Return the words of a line that are written as they are (`analysis.words`); the last line's are kept."""
    global _known
    if _known[0] != line:
        from rulez_py.analysis import words

        _known = line, words(line)
    return _known[1]


_known: tuple[str, Mapping[Place, tuple[str, int]]] = ("", {})


def _shown(text: str) -> str:
    line = " ".join(printable(text[: 10 * _LONGEST]).split())
    return f"`{line if len(line) <= _LONGEST else line[: _LONGEST - 3].rstrip() + '...'}`"

"""Compiled rules as bytes, so arranged that a hook reads only the rules that can match its event.

Rules are filed by event type, by tool, and by what else an event must have for them: a subject (a command, files, a
prompt, ...); within that, by a piece of text that the subject of everything they match contains. What the filing leaves
in is only a guess on the safe side: `decide.decide` has the last word.

The form: a place names a part: [offset, length, checksum]. A rule is a part in JSON, and so is the table: drawer ->
the places of three parts in a form that needs no parsing where nothing fits: the entries of the rules that must always
be read; lines of text; and an entry for each line, of the rule to be read where the subject contains it. An entry is
four numbers of five bytes: a rule's number and its place.
"""

from __future__ import annotations

import zlib

from rulez_py.analysis import Value
from rulez_py.policy import globs, regex
from rulez_py.system import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, Protocol

    from rulez_py.policy.facts import Facts
    from rulez_py.policy.matchers.command import Wanted

    Rule = Mapping[str, Any]
    Place = Sequence[int]

    class Kept(Protocol):
        """Packed rules, wherever they lie: the place of their table, and the bytes from an offset on, so many."""

        @property
        def table(self) -> Place: ...
        def read(self, at: int, length: int) -> bytes: ...


ANY = "*"
"""The drawer for rules about every event type, or every tool, or that need nothing in particular."""
_SHORTEST = 2
"""Characters of a piece: nearly everything contains a shorter one."""
_MOST = 100
"""Drawers and pieces for one rule: a rule that names everything must not be written down once for each of it."""
_WIDTH = 5
_ENTRY = 4 * _WIDTH


class Damaged(ValueError):
    """These are not the bytes that were packed."""


class Packed(Value):
    """Rules in evaluation order: `data` in parts, and the place of the table in it."""

    table: tuple[int, ...]
    data: bytes

    def read(self, at: int, length: int) -> bytes:
        """A part's bytes."""
        return self.data[at : at + length]


def _of_regexes(patterns: Iterable[str]) -> list[str]:
    return [piece for pattern in patterns for piece in regex.literals(pattern) or ("",)]


def _of_globs(patterns: Iterable[str]) -> list[str]:
    return [globs.literal(pattern) for pattern in patterns]


def _of_paths(wanted: Mapping[str, Any]) -> list[str]:
    return _of_globs(pattern for pattern in wanted["globs"] if not pattern.startswith("!"))


def _of_domains(wanted: Iterable[str]) -> list[str]:
    return _of_globs(pattern.rstrip(".") for pattern in wanted)


def _of_each(wanted: Wanted, pieces: Callable[[Mapping[str, Any]], list[str]]) -> list[str]:
    """The pieces of every way in which a command may fit; nothing where one has none."""
    from rulez_py.policy.matchers.command import ways

    found = [pieces(one) for one in ways(wanted)]
    return [piece for part in found for piece in part] if all(found) else []


def _of_programs(wanted: Wanted) -> list[str]:
    return _of_each(wanted, _of_program)


def _of_program(wanted: Mapping[str, Any]) -> list[str]:
    return _of_globs(wanted.get("program", ()))


def _of_subcommands(wanted: Mapping[str, Any]) -> list[str]:
    """A word of each subcommand; nothing where one has none that is plain."""
    words = [word for path in wanted.get("subcommand", ()) for word in max(map(_of_choices, path), key=_shortest)]
    return words if all(map(_is_distinctive, words)) else []


def _of_choices(pattern: str) -> list[str]:
    """A piece for each of the choices in a glob's braces."""
    head, brace, rest = pattern.partition("{")
    choices, _, tail = rest.partition("}")
    if not brace or "{" in rest or "\\" in pattern:
        return [globs.literal(pattern)]
    return [globs.literal(head + choice + tail) for choice in choices.split(",")]


def _shortest(words: Iterable[str]) -> int:
    return min(map(len, words))


def _of_prompts(wanted: Mapping[str, Any]) -> list[str]:
    if any(pattern["negate"] for pattern in wanted["patterns"]):
        return []
    return _of_regexes(pattern["regex"] for pattern in wanted["patterns"])


# Matcher -> the subject without which it fits nothing, and a piece of text for each way in which it can fit that.
# The first that has such pieces is the one a rule is filed by.
_FILED_BY: dict[str, tuple[str, Callable[[Any], list[str]]]] = {
    "command_match": ("command", _of_regexes),
    "prompt_match": ("prompt", _of_prompts),
    "command": ("programs", _of_programs),
    "paths": ("files", _of_paths),
    "directories": ("files", _of_globs),
    "extensions": ("files", lambda wanted: [extension.lower() for extension in wanted]),
    "domains": ("hosts", _of_domains),
    "content_match": ("written", _of_regexes),
    "input_match": ("input", _of_regexes),
    "mcp": ("mcp", lambda _wanted: []),
}
_BEYOND = "beyond"
"""The words of a line that is not plain (`shell.quick`)."""
_WORDS = "words"
"""All words of the commands a line would execute, of which a subcommand is rarer than a program."""
_OPTIONS = "options"
"""The same where there is an option among them."""
_TOUCHING = "touching"
"""The same where the line may touch a file."""
_OF_FILES = ("paths", "directories", "extensions")
_NEVER_PLAIN = ("via", "opaque", "stdin_from", "user")
"""What the `command` matcher may want that no command of a plain line has."""
_SUBJECTS = (
    *dict.fromkeys((ANY, *(subject for subject, _ in _FILED_BY.values()))),
    _WORDS,
    _OPTIONS,
    _TOUCHING,
    _BEYOND,
)


def pack(rules: Iterable[Rule]) -> Packed:
    """The rules, given in evaluation order."""
    parts = _Parts()
    drawers: dict[str, tuple[list[bytes], list[bytes], list[bytes]]] = {}
    for number, rule in enumerate(rules):
        place = parts.add(jsontext.dumps_exactly(rule))
        entry = b"".join(value.to_bytes(_WIDTH, "little") for value in (number, *place))
        subject, pieces = _filed_by(rule["match"])
        for drawer in _drawers(rule["match"], subject):
            always, lines, by_line = drawers.setdefault(drawer, ([], [], []))
            for piece in pieces:
                lines.append(piece.encode("ascii"))
                by_line.append(entry)
            if not pieces:
                always.append(entry)
    registers = {
        drawer: [parts.add(b"".join(always)), parts.add(b"\n".join(lines)), parts.add(b"".join(by_line))]
        for drawer, (always, lines, by_line) in drawers.items()
    }
    table = parts.add(jsontext.dumps_exactly(registers))
    return Packed(table=tuple(table), data=b"".join(parts.found))


class _Parts:
    def __init__(self) -> None:
        self.found: list[bytes] = []
        self._at = 0

    def add(self, data: bytes) -> list[int]:
        place = [self._at, len(data), zlib.crc32(data)]
        self.found.append(data)
        self._at += len(data)
        return place


def _filed_by(match: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The subject, and the pieces of text of which it must contain one; none where it may contain anything."""
    if "command" in match:
        subject, pieces = _filed_by_command(match)
        if subject:
            return subject, pieces
    wanted = [(subject, pieces(match[kind])) for kind, (subject, pieces) in _FILED_BY.items() if kind in match]
    for subject, pieces in wanted:
        if usable := _usable(pieces):
            return subject, usable
    return (wanted[0][0] if wanted else ANY), []


def _filed_by_command(match: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The same where the rule's command says more than its program; "" where that is all."""
    from rulez_py.policy.matchers.command import ways  # A hook call that finds its policy compiled packs nothing.

    command = match["command"]
    if all(any(one.get(key) for key in _NEVER_PLAIN) for one in ways(command)):
        return _BEYOND, _usable(_of_each(command, lambda one: _of_subcommands(one) or _of_program(one)))
    if words := _usable(_of_each(command, _of_subcommands)):
        return _WORDS, words
    programs = _usable(_of_programs(command))
    if all(one.get("any_flag") or one.get("all_flags") for one in ways(command)):
        return _OPTIONS, programs
    if programs and any(kind in match for kind in _OF_FILES):
        return _TOUCHING, programs
    return "", []


def _usable(pieces: Iterable[str]) -> list[str]:
    """Pieces that a rule can be filed by, each once; none where there are too many, or one says too little."""
    unique = list(dict.fromkeys(pieces))
    return unique if len(unique) <= _MOST and all(map(_is_distinctive, unique)) else []


def _is_distinctive(piece: str) -> bool:
    """Whether a piece can be filed by: its lower case must not depend on what stands around it, for one thing."""
    return len(piece) >= _SHORTEST and piece.isascii() and "\n" not in piece


def _drawers(match: Mapping[str, Any], subject: str) -> list[str]:
    kinds, tools = (list(dict.fromkeys(match.get(matcher, [ANY]))) for matcher in ("operations", "tools"))
    if any(tool.startswith("mcp__") for tool in tools) or len(tools) > _MOST:
        tools = [ANY]
    if len(kinds) * len(tools) > _MOST:
        kinds = [ANY]
    return [f"{kind} {tool} {subject}" for kind in kinds for tool in tools]


def select(kept: Kept, facts: Facts) -> tuple[Rule, ...]:
    """The packed rules that may match an event, in evaluation order. Raises Damaged."""
    drawers = jsontext.loads(_part(kept, kept.table))
    found: dict[int, Place] = {}
    for drawer, needed in _wanted(facts.event.types, facts.names):
        if drawer not in drawers:
            continue
        text = "" if needed == ANY else facts.subject(needed)
        if text is None:
            continue
        always, lines, by_line = drawers[drawer]
        found.update(_entries(_part(kept, always)))
        if lines[1]:
            pieces = _part(kept, lines).decode("ascii").split("\n")
            fitting = regex.contained(pieces, text) if text else range(len(pieces))
            if fitting:
                entries = _part(kept, by_line)
                for at in fitting:
                    found.update(_entries(entries[at * _ENTRY : (at + 1) * _ENTRY]))
    return tuple(jsontext.loads(_part(kept, found[number])) for number in sorted(found))


def _wanted(types: Iterable[str], names: Iterable[str]) -> Iterator[tuple[str, str]]:
    for kind in (ANY, *types):
        for name in (ANY, *names):
            for subject in _SUBJECTS:
                yield f"{kind} {name} {subject}", subject


def _entries(data: bytes) -> Iterator[tuple[int, Place]]:
    """Rule numbers and places."""
    for at in range(0, len(data), _ENTRY):
        number, *place = (
            int.from_bytes(data[start : start + _WIDTH], "little") for start in range(at, at + _ENTRY, _WIDTH)
        )
        yield number, place


def _part(kept: Kept, place: Place) -> bytes:
    at, length, checksum = place
    data = kept.read(at, length)
    if zlib.crc32(data) != checksum:
        raise Damaged("a part has another checksum")
    return data

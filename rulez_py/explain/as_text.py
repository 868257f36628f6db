"""An explanation as people read it in a terminal."""

from __future__ import annotations

import shlex
import textwrap
import unicodedata
from typing import TYPE_CHECKING

from rulez_py.explain.checks import GENERAL
from rulez_py.explain.values import EXCEPTED, MATCHES, MISSES, OFF
from rulez_py.trust import exceptions
from rulez_py.trust.grants import in_words
from rulez_py.verdict import ALLOW, ASK, DENY, PASS, UNKNOWN, counted, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rulez_py.analysis import Command, Word
    from rulez_py.explain.values import AboutRule, Check, Explained, Node
    from rulez_py.policy.facts.disk import Touched

    Paint = Callable[[str, str], str]
    """(kind of a text, the text) -> the text with colours."""

FEW = 3
"""The number of nearly matching rules to print unless all are asked for."""
_INDENT = "  "
_NARROWEST = 40

VERDICTS = {DENY: "DENIED", ASK: "ASKED ABOUT", ALLOW: "APPROVED", PASS: "PASSES", "": "PASSES"}
_STOPPED = "Stopped for nothing? Report what --json prints (CONTRIBUTING.md)."
_PASSED = "Should it be stopped? Report privately what --json prints (SECURITY.md)."
_WHY_NOT_KNOWN = {
    "program": "which program runs is not known",
    "code": "the code that it runs is not known",
    "output": "it runs what another program prints",
    "set-up": "it runs what a program prints to set up the shell",
    "syntax": "no shell can read this; rulez read what it could",
    "limit": "too long, too deep or too slow to follow to the end",
    "recursion": "a function that calls itself",
    "arguments": "some of its words are not known",
}
_HOW = {
    "substitution": "in $( )",
    "remote": "on another machine, or in a container",
    "endless": "again and again, without end",
    "doubt": "perhaps: whether the program runs this is not known",
}


def text(
    found: Explained, paint: Paint, *, width: int, everything: bool, ways_out: Sequence[str] = ()
) -> Iterator[str]:
    """Yield the lines of the explanation. `ways_out` are commands by which a person lets the call pass once."""
    yield from _call(found, paint, width)
    yield from _verdict(found, paint, width)
    yield from _granted(found, paint, width)
    if found.commands or found.files or found.hosts:
        yield from _titled(paint, "What would run" if found.commands else "What it touches", _tree(found, paint, width))
    yield from _rules(found, paint, width, everything=everything)
    yield from _titled(paint, "Policy in force", _layers(found, width))
    told = "What each agent would be told" + (", if no person let it pass" if _passes(found) else "")
    yield from _titled(paint, told, _told(found, paint, width))
    if found.changes or (ways_out and found.verdict.decision in (DENY, ASK)):
        yield from _titled(paint, "To change it (a person does; agents may not)", _changes(found, width, ways_out))
    yield ""
    yield from _wrapped(_STOPPED if found.verdict.decision in (DENY, ASK) else _PASSED, width, "", hanging=_INDENT)


def brief(found: Explained, paint: Paint, *, width: int) -> Iterator[str]:
    """Yield the lines about the decision, and the commands that would run."""
    yield from _call(found, paint, width)
    yield from _verdict(found, paint, width)
    yield from _granted(found, paint, width)
    if found.commands:
        yield from _titled(paint, "What would run", _tree(found, paint, width))


def _titled(paint: Paint, title: str, lines: Iterable[str]) -> Iterator[str]:
    yield ""
    yield paint("title", title)
    yield from lines


def _wrapped(text: str, width: int, indent: str = _INDENT, *, hanging: str = "") -> list[str]:
    """Return a text in lines of a width, with control characters spelled out."""
    return textwrap.wrap(
        visible(" ".join(text.split())),
        max(width, _NARROWEST),
        initial_indent=indent,
        subsequent_indent=indent + hanging,
        break_on_hyphens=False,
    ) or [indent.rstrip()]


# The call.


def _call(found: Explained, paint: Paint, width: int) -> Iterator[str]:
    event = found.event
    deciding = found.deciding
    if found.logged:
        when, then = found.logged.get("time"), VERDICTS.get(str(found.logged.get("verdict") or ""), "?")
        yield from _wrapped(f"{when}, {found.logged.get('platform')}: {then.lower()} then", width, "")
        for one, state in found.kept:
            yield from _wrapped(f"then rulez {one.in_words(state)}", width)
    if found.line:
        words = deciding.words if deciding is not None else ()
        yield from underlined(found.line, [(start, end) for start, end, _ in words], width, paint)
    elif event.prompt is not None and event.tool_name is None:
        yield from _wrapped(f"prompt: {event.prompt}", width)
    else:
        given = event.own_input if isinstance(event.own_input, dict) else {"input": event.own_input}
        said = ", ".join(f"{key}={_short(value)}" for key, value in given.items())
        yield from _wrapped(f"{event.tool_name or event.native_event} {said}", width, hanging=_INDENT)
    for note in found.notes:
        yield from _wrapped(f"note: {note}", width, "")


def _short(value: object) -> str:
    shown = value if isinstance(value, str) else repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def underlined(line: str, places: Sequence[tuple[int, int]], width: int, paint: Paint) -> Iterator[str]:
    """Yield a command line in pieces of a width, with a caret under each character that lies in one of the places."""
    marked = {at for start, end in places for at in range(start, end)}
    room = max(width, _NARROWEST) - len(_INDENT)
    shown, carets, used = "", "", 0
    for at, character in enumerate(line):
        seen = visible(character) if character != "\t" else " "
        cells = _cells(seen)
        if character == "\n" or used + cells > room:
            yield from _row(shown, carets, paint)
            shown, carets, used = "", "", 0
        if character == "\n":
            continue
        shown += seen
        carets += ("^" if at in marked else " ") * cells
        used += cells
    yield from _row(shown, carets, paint)


def _cells(text: str) -> int:
    """Return the number of columns that a text takes."""
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else not unicodedata.combining(one) for one in text)


def _row(shown: str, carets: str, paint: Paint) -> Iterator[str]:
    yield _INDENT + shown
    if carets.strip():
        yield _INDENT + paint("mark", carets.rstrip())


def _verdict(found: Explained, paint: Paint, width: int) -> Iterator[str]:
    verdict, deciding = found.verdict, found.deciding
    said = VERDICTS[verdict.decision]
    by = "" if deciding is None else f" by rule {deciding.rule['name']} ({deciding.rule['source']})"
    yield ""
    for number, line in enumerate(_wrapped(said + by, width, "", hanging=_INDENT)):
        yield line if number else paint(verdict.decision or PASS, said) + line.removeprefix(said)
    if verdict.reason:
        yield from _wrapped(verdict.reason, width)
    for context in verdict.context:
        yield from _wrapped(f"told to the model: {context}", width, hanging=_INDENT)
    for name, value in (verdict.rewrite or {}).items():
        yield from _rewritten(name, found.event.tool_input.get(name), value, width)
    for note in verdict.notes:
        if note != verdict.reason:
            yield from _wrapped(f"note: {note}", width, hanging=_INDENT)
    for script in found.scripts:
        yield from _wrapped(f"not run here, and may say otherwise: {script}", width, hanging=_INDENT)


def _rewritten(name: str, before: object, after: object, width: int) -> Iterator[str]:
    """Yield an argument as the agent has sent it, and as it is then: all of it, for one word may be the difference."""
    yield from _wrapped(f"rewritten: {name}", width)
    for mark, value in (("-", before), ("+", after)):
        if value is not None:
            shown = value if isinstance(value, str) else repr(value)
            for line in shown.split("\n"):
                yield from _wrapped(f"{mark} {line}", width, hanging=_INDENT)


def _passes(found: Explained) -> bool:
    """Tell if the verdict stops the call, and a grant of a person lets it pass."""
    return found.verdict.decision in (DENY, ASK) and any(one.passing in _NOW for one in found.granted)


_NOW = {ALLOW: "is approved", PASS: "passes"}


def _granted(found: Explained, paint: Paint, width: int) -> Iterator[str]:
    """Yield the exceptions and grants that hold in this project."""
    for exception in found.exceptions:
        yield from _wrapped(f"note: by exception {exceptions.in_words(exception)}", width, hanging=_INDENT)
    for one in found.granted:
        said = in_words(one.grant)
        if _passes(found) and one.passing is not None:
            now = f"But now it {_NOW[one.passing]}: {said}"
            yield from (paint(one.passing, line) for line in _wrapped(now, width, "", hanging=_INDENT))
            continue
        if one.passing in (DENY, ASK):
            but = ", but not what stops this: the machine's rules and those by which rulez protects itself"
        else:
            but = ", and this is another call" if one.grant.text and one.passing is None else ""
        yield from _wrapped(f"note: {said}{but}", width, hanging=_INDENT)


# Commands that would run.


def _tree(found: Explained, paint: Paint, width: int) -> Iterator[str]:
    if found.commands:
        for node in found.commands:
            lines = _node(node, None, found.event.cwd or found.project, paint, width - len(_INDENT))
            yield from (_INDENT + line for line in lines)
        return
    yield from _touched(found.files, _INDENT, width)
    if found.hosts:
        yield from _wrapped(f"contacts {', '.join(found.hosts)}", width)


def _node(node: Node, above: Command | None, directory: str, paint: Paint, width: int) -> Iterator[str]:
    """Yield a command with its facts, and those that it runs below it."""
    line = " ".join(map(_word, node.command.words)) or "(something)"
    for piece in _wrapped(line, width, "", hanging="    "):
        text = piece.lstrip()
        yield piece[: len(piece) - len(text)] + paint("command", text)
    for said in _facts(node, above, directory):
        yield from _wrapped(said, width, "│   " if node.runs else "    ", hanging=_INDENT)
    for number, inner in enumerate(node.runs, start=1):
        first, others = ("└─ ", "   ") if number == len(node.runs) else ("├─ ", "│  ")
        for at, below in enumerate(_node(inner, node.command, directory, paint, width - len(first))):
            yield (others if at else first) + below


def _word(word: Word) -> str:
    """Return a word as the program gets it; unknown parts are as they were written."""
    return shlex.quote(word.text) if word.known else word.text


def _facts(node: Node, above: Command | None, directory: str) -> Iterator[str]:
    """Yield the facts of a command beside its words."""
    command = node.command
    if node.supposed:
        yield "only supposed: the tool may run this"
    if command.script and (above is None or (above.script, above.line) != (command.script, command.line)):
        yield f"in {_inside(command.script, directory)}" + (f":{command.line}" if command.line else "")
    if command.user and (above is None or above.user != command.user):
        yield f"as {command.user}"
    for way in command.via:
        if way in _HOW and (above is None or way not in above.via):
            yield _HOW[way]
    for access, names in _files(command, directory).items():
        yield f"{_ways(access)} {_some(names)}"
    if command.named:
        given = dict.fromkeys(_inside(file.path, directory) for file in command.named)
        yield f"names, for a use that is not known: {_some(given)}"
        yield from _describe_it(command)
    if command.hosts:
        yield f"contacts {', '.join(command.hosts)}"
    if command.fed:
        yield f"is fed what was {' and '.join(_FED[one] for one in command.fed)}"
    for origin, sink in command.flows:
        yield f"lets go of secrets: {origin} to {sink}"
    for reason in command.opaque:
        unknown = [word.text for word in command.words[1:] if not word.known] if reason == "arguments" else []
        yield f"not known: {_WHY_NOT_KNOWN.get(reason, reason)}" + (f" ({', '.join(unknown)})" if unknown else "")


def _describe_it(command: Command) -> Iterator[str]:
    """Yield the command by which a person describes a program that is not described yet."""
    from rulez_py.analysis.programs import family

    if command.program and not family(command.program):
        yield f"{visible(command.program)} is not described: `rulez programs new {shlex.quote(command.program)}`"


def _files(command: Command, directory: str) -> dict[tuple[str, ...], list[str]]:
    """Return the files that a command touches, by how it does; each once, in every way."""
    ways: dict[str, dict[str, None]] = {}
    for file in command.files:
        name = _inside(file.path, directory) + ("/..." if file.deep else "") + ("" if file.known else " ?")
        ways.setdefault(name, {}).update(dict.fromkeys(file.access))
    found: dict[tuple[str, ...], list[str]] = {}
    for name, access in ways.items():
        found.setdefault(tuple(access), []).append(name)
    return found


def _inside(path: str, directory: str) -> str:
    """Return a path relative to the directory where the line starts; outside it, the path itself."""
    return path.removeprefix(directory.rstrip("/") + "/")


_FED = {"download": "downloaded", "decode": "decoded"}
_VERBS = {"read": "reads", "write": "writes", "delete": "deletes", "send": "sends away"}
_MOST = 8


def _ways(access: Sequence[str]) -> str:
    return " and ".join(_VERBS[one] for one in access)


def _some(texts: Iterable[str]) -> str:
    found = list(texts)
    more = len(found) - _MOST
    return ", ".join(found[:_MOST]) + (f" and {more} more" if more > 0 else "")


def _touched(files: Sequence[Touched], indent: str, width: int) -> Iterator[str]:
    by: dict[tuple[str, ...], dict[str, None]] = {}
    for file in files:
        by.setdefault(file.access, {})[file.spelled] = None
    for access, names in by.items():
        yield from _wrapped(f"{_ways(access)} {_some(names)}", width, indent, hanging=_INDENT)


# The rules.


def _rules(found: Explained, paint: Paint, width: int, *, everything: bool) -> Iterator[str]:
    matching = [one for one in found.rules if one.state == MATCHES]
    off = [one for one in found.rules if one.state in (EXCEPTED, OFF)]
    missing = [one for one in found.rules if one.state == MISSES]
    near = missing if everything else [one for one in missing if one.near][:FEW]
    if matching:
        yield from _titled(
            paint, "Rules that match", (line for one in matching for line in _matching(one, paint, width))
        )
    if off:
        yield from _titled(paint, "Rules that are off here", (line for one in off for line in _off(one, paint, width)))
    rest = len(missing) - len(near)
    title = "Rules that do not match" if everything else "Rules that come nearest, and why they do not match"
    if near:
        yield from _titled(paint, title, (line for one in near for line in _missing(one, paint, width)))
    if rest:
        lead = "" if near else "\n"
        yield f"{lead}{_INDENT}{rest} {'more' if near else 'rules'} {'does' if rest == 1 else 'do'} not match (--all)"


def _headed(one: AboutRule, paint: Paint, width: int, said: str = "") -> Iterator[str]:
    mode = "" if one.rule["mode"] == "enforce" else f", mode {one.rule['mode']}"
    name, rest = one.rule["name"], f"{said}{one.rule['source']}{mode}"
    if len(_INDENT + name) + 2 + len(rest) <= width:
        yield f"{_INDENT}{paint('rule', name)}  {rest}"
    else:
        yield _INDENT + paint("rule", name)
        yield from _wrapped(rest, width, "    ", hanging="  ")


def _matching(one: AboutRule, paint: Paint, width: int) -> Iterator[str]:
    would = _WOULD.get(one.would, "")
    yield from _headed(one, paint, width, f"{one.decision or would or 'no objection'}, ")
    for said in matching(one):
        yield from _wrapped(said, width, "    ", hanging="  ")
    for note in one.notes:
        yield from _wrapped(f"note: {note}", width, "    ", hanging="  ")


_WOULD = {DENY: "would deny", ASK: "would ask", UNKNOWN: "its script would decide"}
_SAYS_LITTLE = ("command.no_flag",)


def matching(one: AboutRule) -> Iterator[str]:
    """Yield why a rule matches."""
    if one.words:
        yield f"by the words: {' '.join(text for _start, _end, text in one.words)}"
    telling = [check for check in one.checks if check.kind not in GENERAL and check.name not in _SAYS_LITTLE]
    yield "; ".join(map(_had, telling or one.checks)) or "it looks at every call"
    by = one.rule.get("kept_by")
    if by:
        yield f"keeps what is lost instead of {'denying' if 'block' in one.rule['actions'] else 'asking'}, by {by}"
    yield from one.session
    if changed := [place for place in one.rule.get("changed_by", ()) if place != by]:
        yield f"changed by {', '.join(changed)}"


def _had(check: Check) -> str:
    there = f": {check.there}" if check.there and check.there != check.wanted else ""
    return f"{check.name} {check.wanted}{there}"


def _off(one: AboutRule, paint: Paint, width: int) -> Iterator[str]:
    yield from _headed(one, paint, width)
    why = f"its enabled_when says no: {one.rule['enabled_when']}"
    if one.state == EXCEPTED:
        why = excepted(one)
    elif one.rule["enabled_when"] is None:
        why = "; ".join(one.session)
    yield from _wrapped(why, width, "    ", hanging="  ")


def excepted(one: AboutRule) -> str:
    """Return why a rule is off."""
    return f"its `except` fits: {'; '.join(map(_had, one.excepting))}"


def _missing(one: AboutRule, paint: Paint, width: int) -> Iterator[str]:
    yield from _headed(one, paint, width)
    for said in missing(one):
        yield from _wrapped(said, width, "    ", hanging="  ")


def missing(one: AboutRule) -> Iterator[str]:
    """Yield why a rule does not match: a line for each condition that the call does not meet."""
    for check in one.missing:
        yield f"{check.name} wants {check.wanted}; here {check.there or 'nothing'}"


# The policy, the agents, the way out.


def _layers(found: Explained, width: int) -> Iterator[str]:
    for layer in found.layers:
        state = "ignored: another user owns it" if layer.source.ignored else ""
        if not state and not layer.source.trusted:
            state = "not trusted: it only denies and asks"
        if layer.by:
            state = f"trusted by {visible(layer.by)}"
        yield from _wrapped(
            f"{layer.source.layer}: {layer.shown}" + (f" ({state})" if state else ""), width, hanging=_INDENT
        )
    yield from _wrapped(f"{counted(len(found.rules), 'rule')}, for the project {found.project}", width, hanging=_INDENT)


def _told(found: Explained, paint: Paint, width: int) -> Iterator[str]:
    same: dict[tuple[str, str], list[str]] = {}
    for one in found.told:
        # A text printed above is not repeated for each of them.
        more = one.text.removeprefix(found.verdict.reason).strip().replace(one.agent, "it")
        same.setdefault((one.decision, more), []).append(one.agent)
    for (decision, more), agents in same.items():
        first, *rest = _wrapped(", ".join(agents), width, " " * len(f"{_INDENT}{decision}  "))
        yield f"{_INDENT}{paint(decision, decision)}  {first.lstrip()}"
        yield from rest
        if more:
            yield from _wrapped(more, width, "    ")


def _changes(found: Explained, width: int, ways_out: Sequence[str]) -> Iterator[str]:
    if found.verdict.decision in (DENY, ASK):
        for way in ways_out:
            yield from _wrapped(way, width, hanging=_INDENT)
    for change in found.changes:
        yield from _wrapped(f"{change.file}: {change.purpose}:", width, hanging=_INDENT)
        yield from (f"      {line}" for line in change.lines)

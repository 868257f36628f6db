"""Find what a rewrite would lose of a command line: all beside the command by which its rule matched.

A rule puts a line in the place of another and means one command of it. Until it can put a command in the place of a
command, such a rewrite is refused wherever the line says more than that command.
"""

from __future__ import annotations

from rulez_py.policy.judging.matching import narrowed
from rulez_py.policy.matchers import CALL, KINDS
from rulez_py.verdict import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rulez_py.analysis import Command
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.model.rule import Match

_OF_TEXTS = ("command_match", "input_match")
"""Matchers of the call that look at a part of what its line says."""
_SUBSTITUTION = "substitution"
_LONGEST = 60
_MOST = 5


def bounded(matchers: Mapping[str, object]) -> bool:
    """Tell whether a rule with these matchers is about something in a line, and not about the call whatever it is."""
    return any(KINDS[kind] != CALL or kind in _OF_TEXTS for kind in matchers)


def objection(match: Match, facts: Facts, line: str) -> str:
    """Return the objections to replacing the call's line by `line`.

    "" where nothing would be lost.
    """
    if not bounded(match):
        return ""
    if facts.told is not None and set(_replaced(facts)) & {*facts.told.lines, *facts.told.supposed}:
        return f"its rewrite would put {_shown(line)} in the place of a call that has no command line of its own"
    for own in _replaced(facts):
        command, lost = _least_lost(own, match, facts, line)
        if lost:
            shown = ", ".join(map(_shown, lost[:_MOST])) + (", ..." if len(lost) > _MOST else "")
            alone = f"run {_shown(command)} as a call of its own" if command else "make each command a call of its own"
            return (
                f"its rewrite would take the place of the whole line: {_shown(line)}, without {shown};"
                f" {alone}, or write the new command into the line yourself"
            )
    return ""


def _replaced(facts: Facts) -> list[str]:
    """Return the lines in whose place a new `command` is put."""
    given = [one.get("command") for one in facts.arguments]
    return [line for line in facts.lines if line in given] or list(facts.lines)


def _least_lost(own: str, match: Match, facts: Facts, line: str) -> tuple[str, list[str]]:
    """Return the command among those by which the rule matched that leaves the least beside it, and what that is."""
    inside = facts.commands_of(own)
    meant = [part.command for part in narrowed(facts, match).parts if part.command in inside]
    each = list(dict.fromkeys(one for one in meant if one is not None))
    if len(each) > 1 and _keeps_between(own, each, line) and not _lost(own, each, inside, line):
        return "", []
    found = [(_text(own, one), _lost(own, [one], inside, line)) for one in each]
    return min(found, key=lambda one: sum(map(len, one[1])), default=("", [own]))


def _keeps_between(own: str, commands: Iterable[Command], line: str) -> bool:
    """Tell whether a new line has all that is beside some commands, in order and as it is: each is said anew."""
    spans: list[tuple[int, int]] = []
    for start, end in sorted(map(_span, commands)):
        if not spans or start >= spans[-1][1]:
            spans.append((start, end))
    at = spans[0][0] if line.startswith(own[: spans[0][0]]) else len(line) + 1
    for index in range(1, len(spans)):
        end, start = spans[index - 1][1], spans[index][0]
        found = line.find(own[end:start], at)
        at = found + start - end if found >= 0 else len(line) + 1
    rest = own[spans[-1][1] :]
    return line.endswith(rest) and at <= len(line) - len(rest)


def _lost(own: str, commands: Iterable[Command], inside: Iterable[Command], line: str) -> list[str]:
    """Return the parts of a line beside the words of commands, or run to make them, that the new line lacks."""
    beside: list[str] = []
    inner: list[str] = []
    at = 0
    for command in sorted(commands, key=_span):
        start, end = _span(command)
        if start < at:
            continue
        beside += (own[at:start], *_between(own, command))
        inner += (_text(own, one) for one in inside if _SUBSTITUTION in one.via and start <= _span(one)[0] < end)
        at = end
    beside.append(_without_end(own[at:]))
    kept, at, lost = _on_one_line(line), 0, []
    for text in filter(None, map(_on_one_line, beside)):
        found = _end_in(kept, text, at)
        at = found or at
        lost += [] if found else [text]
    return lost + [text for text in map(_on_one_line, inner) if not _end_in(kept, text, 0)]


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


_OPERATORS = "&|<>!"


def _end_in(line: str, text: str, start: int) -> int:
    """Return where a text ends in a line, searched from `start` on; 0 where it is not there as a whole word."""
    while (at := line.find(text, start)) >= 0:
        end = at + len(text)
        if not _are_one(line[at - 1 : at], text[0]) and not _are_one(text[-1], line[end : end + 1]):
            return end
        start = at + 1
    return 0


def _are_one(left: str, right: str) -> bool:
    """Tell whether two characters beside each other belong to the same word or operator."""
    return bool(left and right) and (
        (left.isalnum() and right.isalnum()) or (left in _OPERATORS and right in _OPERATORS)
    )


def _between(own: str, command: Command) -> list[str]:
    """Return the text between a command's words: redirections."""
    found: list[str] = []
    at = _span(command)[0]
    for start, end in sorted(word.at for word in command.words if word.at != _NOWHERE):
        found.append(own[at:start].replace("\\\n", " "))
        at = max(at, end)
    return found


def _without_end(rest: str) -> str:
    """Return what follows a command, but for what only ends it, and a comment."""
    text = rest.strip().removeprefix(";").strip()
    return "" if text.startswith("#") and "\n" not in text and text != rest else rest


_NOWHERE = (0, 0)


def _span(command: Command) -> tuple[int, int]:
    """Return where a command's words begin and end in its line."""
    places = [word.at for word in command.words if word.at != _NOWHERE] or [_NOWHERE]
    return min(start for start, _end in places), max(end for _start, end in places)


def _text(own: str, command: Command) -> str:
    start, end = _span(command)
    return own[start:end]


def _shown(text: str) -> str:
    line = " ".join(printable(text[: 10 * _LONGEST]).split())
    return f"`{line if len(line) <= _LONGEST else line[: _LONGEST - 3].rstrip() + '...'}`"

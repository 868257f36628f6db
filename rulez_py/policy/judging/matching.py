"""Does a rule look at this event? All of its matchers (`matchers/`) must fit."""

from __future__ import annotations

from rulez_py.policy.facts.facts import Part, inside
from rulez_py.policy.matchers import CALL, FILE, KINDS, matcher
from rulez_py.policy.model.layers import LOADED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from rulez_py.policy.facts.disk import Touched
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.model.rule import Match

    Fits = Callable[[Part], bool]
    Words = tuple[tuple[int, int, str], ...]
    """Words of a command line: where each begins and ends ((0, 0): it is not written there), and its text."""

_JOINING = "command"
"""With one of these matchers, those about parts and files must fit the same command."""


_WIDENING = "content"
"""This one asks nothing of an event where there is a matcher about commands: it says which commands count."""


def looked_at(match: Match, facts: Facts) -> Facts:
    """Return the facts that a rule with these matchers looks at."""
    if _WIDENING not in match:
        return facts
    return facts.with_loaded if match[_WIDENING] == LOADED else facts.with_contents


def matches(match: Match, facts: Facts, *, strict: bool = False) -> bool:
    """Tell whether every matcher fits, strictly (`matchers`) for what weakens a policy."""
    enough = all if strict else any
    of_parts: Match | None = None
    for kind, wanted in match.items():
        if kind == _WIDENING and _JOINING in match:
            continue
        if KINDS[kind] == CALL:
            if not matcher(kind).fits(wanted, facts, strict=strict):
                return False
            continue
        if _JOINING in match and of_parts is not None:
            continue
        of_parts = _of_parts(match) if _JOINING in match else {kind: wanted}
        fits = _fits_all(of_parts, facts, strict=strict)
        if not facts.parts or not enough(map(fits, facts.parts)):
            return False
    return True


def matches_certainly(match: Match, facts: Facts) -> bool:
    """Tell whether every matcher fits a command by what is known of it: by one file at least whose path is known."""
    of_parts = _of_parts(match)
    if not of_parts or not all(
        matcher(kind).fits(wanted, facts, strict=False) for kind, wanted in _of_calls(match).items()
    ):
        return False
    together = [of_parts] if _JOINING in of_parts else [{kind: wanted} for kind, wanted in of_parts.items()]
    return all(any(_fits_certainly(one, part, facts) for part in facts.parts) for one in together)


def _fits_certainly(of_parts: Match, part: Part, facts: Facts) -> bool:
    for kind, wanted in of_parts.items():
        if KINDS[kind] != FILE:
            if not matcher(kind).fits(wanted, part, facts, strict=True):
                return False
        elif not any(file.known and _fits_file(kind, wanted, facts)(file) for file in _looked_at(kind, wanted)(part)):
            return False
    return True


def matched_in(match: Match, facts: Facts) -> str:
    """Return the file and the line of the command by which matchers fit; "" where that is the call itself."""
    of_parts = _of_parts(match)
    if not of_parts or not any(part.script for part in facts.parts):
        return ""
    fits = _fits_all(of_parts, facts, strict=False)
    found = next((part.command for part in facts.parts if part.command is not None and fits(part)), None)
    if found is None or not found.script:
        return ""
    path = found.script.removeprefix(inside(facts.around.root))
    return f"{path}:{found.line}" if found.line else path


def _of_calls(match: Match) -> Match:
    """Return the matchers that look at the call as a whole."""
    return {kind: wanted for kind, wanted in match.items() if KINDS[kind] == CALL and kind != _WIDENING}


def _of_parts(match: Match) -> Match:
    """Return the matchers that look at parts of a call or at files."""
    return {kind: wanted for kind, wanted in match.items() if KINDS[kind] != CALL}


def looks_at_parts(match: Match) -> bool:
    """Tell if a rule with these matchers asks for commands, hosts or files, which a file that runs may hold."""
    return any(KINDS[kind] != CALL for kind in match)


def _of_files(match: Match) -> Match:
    return {kind: wanted for kind, wanted in match.items() if KINDS[kind] == FILE}


def _fits_all(of_parts: Match, facts: Facts, *, strict: bool) -> Fits:
    """Return whether a part fits all of these."""
    # Before the files are looked for.
    order = sorted(of_parts, key=lambda kind: KINDS[kind] == FILE)
    each = [_fits(kind, of_parts[kind], facts, strict=strict) for kind in order]
    if strict and not _of_files(of_parts):
        # Of what the shell opens for a program its name says nothing.
        return lambda part: not part.opened and all(fits(part) for fits in each)
    return lambda part: all(fits(part) for fits in each)


def _fits(kind: str, wanted: Any, facts: Facts, *, strict: bool) -> Fits:
    asked = matcher(kind)
    if KINDS[kind] != FILE:
        return lambda part: bool(asked.fits(wanted, part, facts, strict=strict))
    fits_file = _fits_file(kind, wanted, facts, strict=strict)
    if not strict:
        files = _looked_at(kind, wanted)
        return lambda part: any(map(fits_file, files(part)))
    return lambda part: (
        (not part.is_opaque or part.files_are_named)
        and bool(part.files)
        and all(_certainly(fits_file, file) for file in part.files + part.named)
    )


def _certainly(fits_file: Callable[[Touched], bool], file: Touched) -> bool:
    """Tell if a file fits whose name is known, in whatever directory it lies."""
    if file.known:
        return fits_file(file)
    directory, slash, name = file.path.rpartition("/")
    if not file.among or not slash or any(character in name for character in _OF_PATTERNS):
        return False
    deeper = file.replace(path=f"{directory}/{_ANY}/{_ANY}/{name}")
    return fits_file(file) and fits_file(deeper)


_OF_PATTERNS = "*?[\\"
_ANY = "\x01"
"""A name that no glob means but `*`."""


def _looked_at(kind: str, wanted: Any) -> Callable[[Part], tuple[Touched, ...]]:
    """Return the files of a part that a matcher looks at, where the rule is not to be weakened."""
    asked = matcher(kind)
    if hasattr(asked, "possible"):
        return lambda part: asked.possible(wanted, part)
    return lambda part: part.files


def _fits_file(kind: str, wanted: Any, facts: Facts, *, strict: bool = False) -> Callable[[Touched], bool]:
    """Tell whether one file fits; the same may be named again and again."""
    fits = matcher(kind).fits
    known: dict[object, bool] = {}

    def fits_file(file: Touched) -> bool:
        key = file.path, file.spelled, file.deep, file.access, file.among, file.new
        if key not in known:
            known[key] = fits(wanted, file, facts, strict=strict)
        return known[key]

    return fits_file


def matched_words(match: Match, facts: Facts) -> Words:
    """Return the words of a command line by which matchers that fit do so; none where that is not for words to say."""
    of_parts = _of_parts(match)
    if not of_parts or not (facts.lines or "content" in match):
        return ()
    fits = _fits_all(of_parts, facts, strict=False)
    found = next((part for part in facts.parts if part.command is not None and fits(part)), None)
    return () if found is None else _words(match, found, facts)


def matched_by(match: Match, facts: Facts) -> tuple[str, ...]:
    """Return the parts of a call that make matchers fit, as far as they may be displayed: words of its command line,
    files, hosts, MCP tools.

    Written text and prompts are left out.
    """
    found = [text for _start, _end, text in matched_words(match, facts)]
    if not (_NAMING & match.keys()):
        return tuple(found)
    concerned = narrowed(facts, match)
    if not found and _of_files(match):
        found += dict.fromkeys(file.spelled for file in concerned.files)
    if "domains" in match:
        found += (host for host in concerned.hosts if not any(host in text.lower() for text in found))
        if any(part.somewhere for part in concerned.parts) and isinstance(match["domains"], dict):
            found.append(matcher("domains").UNKNOWN)
    if not found:
        found += (f"{server} {tool}" for server, tool in concerned.mcp[:1])
    return tuple(found)


_NAMING = frozenset(("paths", "extensions", "directories", "domains", "mcp", "tools"))
"""Matchers about what can be named beside the words of a command line."""


def _words(match: Match, part: Part, facts: Facts) -> Words:
    """Return the words in the order of the command line; first those that are not written there."""
    from rulez_py.policy.matchers.command import words

    found = dict.fromkeys((*word.at, word.text) for word in words(match.get(_JOINING, {}), part) or ())
    # Where the command's own word has been named, its file need not be.
    named = {place[:2] for place in found if place[1]}
    for file in _concerned(_of_files(match), part, facts) if _of_files(match) else ():
        if file.at not in named:
            found[(*file.at, file.spelled)] = None
            named.update((file.at,) if file.at[1] else ())
    return tuple(sorted(found, key=lambda word: word[0]))


def losing_parts(match: Match, facts: Facts) -> tuple[Part, ...]:
    """Return the parts of a call that would lose something, by which matchers with `loses` fit.

    Where each of the matchers fits another part, all that lose something.
    """
    of_parts = _of_parts(match)
    fits = _fits_all(of_parts, facts, strict=False)
    found = tuple(part for part in facts.parts if fits(part))
    if found or _JOINING in of_parts:
        return found
    loses = _fits(_LOSING, of_parts[_LOSING], facts, strict=False)
    return tuple(part for part in facts.parts if loses(part))


_LOSING = "loses"


def is_excepted(exceptions: Sequence[Match], match: Match, facts: Facts) -> bool:
    """Tell whether all by which a rule with these matchers fits fits an exception, strictly: one for all of it, or of a
    call's parts each the one or the other."""
    if not exceptions:
        return False
    concerned = narrowed(facts, match)
    if any(matches(one, concerned, strict=True) for one in exceptions):
        return True
    each = [
        _fits_all(_of_parts(one), concerned, strict=True)
        for one in exceptions
        if _of_parts(one) and all(matcher(kind).fits(one[kind], concerned, strict=True) for kind in _of_calls(one))
    ]
    return len(each) > 1 and bool(concerned.parts) and all(any(fits(part) for fits in each) for part in concerned.parts)


def narrowed(facts: Facts, match: Match) -> Facts:
    """Return the facts by which a rule matched, for its exceptions to be held against."""
    known: dict[str, Any] = {}
    for kind in match:
        if KINDS[kind] == CALL and hasattr(matcher(kind), "about"):
            known.update(matcher(kind).about(match, facts))
    if of_parts := _of_parts(match):
        known["parts"] = _concerned_parts(of_parts, facts)
    return facts.narrowed(known)


def _concerned_parts(of_parts: Match, facts: Facts) -> tuple[Part, ...]:
    """Return the parts that made a rule match, each with its matching words, files and hosts."""
    if _JOINING in of_parts:
        fits = _fits_all(of_parts, facts, strict=False)
        return tuple(_concerned_part(of_parts, part, facts) for part in facts.parts if fits(part))
    of_files = bool(_of_files(of_parts))
    parts = [_concerned_part(of_parts, one, facts) for part in facts.parts for one in (part, *_redirected(part))]
    if of_files and not any(part.files for part in parts):
        # Each of the matchers fits another file.
        return facts.parts
    others = [_fits(kind, wanted, facts, strict=False) for kind, wanted in of_parts.items() if KINDS[kind] != FILE]
    return tuple(part for part in parts if (of_files and part.files) or any(fits(part) for fits in others))


def _redirected(part: Part) -> tuple[Part, ...]:
    """The files that the shell opens for a command, whatever the program is: no word of the command names them."""
    if part.command is None or not part.command.files:
        return ()
    rest = tuple(file for file in part.files if file.opened)
    return (part.narrowed(files=rest, named=(), opened=True),) if rest else ()


def _concerned_part(of_parts: Match, part: Part, facts: Facts) -> Part:
    """Return the same with only those files, hosts and operands by which the matchers of a rule fit."""
    for kind, wanted in of_parts.items():
        if KINDS[kind] != FILE:
            part = matcher(kind).about(wanted, part, facts)
    files = _of_files(of_parts)
    return part.narrowed(files=_concerned(files, part, facts), named=()) if files else part


def _concerned(of_files: Match, part: Part, facts: Facts) -> tuple[Touched, ...]:
    """Return the files for which all file matchers of a rule fit, each with the ways of access that rule is about."""
    looked_at = [_looked_at(kind, wanted)(part) for kind, wanted in of_files.items()]
    files: Iterable[Touched] = dict.fromkeys(file for found in looked_at for file in found)
    for kind, wanted in of_files.items():
        fits, about = _fits_file(kind, wanted, facts), getattr(matcher(kind), "about", None)
        fitting = filter(fits, files)
        files = tuple(fitting if about is None else (about(wanted, file) for file in fitting))
    return tuple(files)


# For who explains: each matcher by itself.


def asked_of_the_call(match: Match, facts: Facts) -> Mapping[str, bool]:
    """Return each matcher that looks at the call as a whole, and whether it fits."""
    return {
        kind: matcher(kind).fits(wanted, facts, strict=False)
        for kind, wanted in match.items()
        if KINDS[kind] == CALL and not (kind == _WIDENING and _JOINING in match)
    }


def asked_of_parts(match: Match, facts: Facts) -> Mapping[str, Fits]:
    """Return each matcher that looks at parts of a call or at files, to be asked of one part."""
    return {kind: _fits(kind, wanted, facts, strict=False) for kind, wanted in _of_parts(match).items()}


def is_about_one_part(match: Match) -> bool:
    """Tell whether all of these must fit the same part."""
    return _JOINING in match

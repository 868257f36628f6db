"""Follow what a line runs from files that are there: whole while that is bounded, else each command by itself.

The text comes through `Machine.stored`, which the caller of the analysis provides; nothing is opened here. All files
of a line share one bound of steps, apart from the line's own: a script never makes its caller opaque.
"""

from __future__ import annotations

from rulez_py.analysis.bash import grammar
from rulez_py.analysis.bash.dataflow import COPIED
from rulez_py.analysis.bash.expand import is_volatile
from rulez_py.analysis.bash.machine import Exhausted, Script, Trace
from rulez_py.analysis.bash.redirections import STORED
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
    Test,
    While,
)
from rulez_py.analysis.values import LIMIT, REMOTE, Data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulez_py.analysis.bash.machine import Act, Machine
    from rulez_py.analysis.bash.syntax import Node
    from rulez_py.analysis.bash.world import World
    from rulez_py.analysis.values import Command, Word

FLAT_STEPS = 30_000
"""Steps that reading one file flat may take; beyond it what is left is opaque."""
LARGEST = 32_000
"""Characters of a file that is followed; a larger one is read flat."""
DEEPEST_SCRIPT = 4
"""Files that run one another; what the last one runs from a file is not read."""


def text_of(data: Data, world: World, machine: Machine) -> tuple[str, str] | None:
    """Return the path and the text of the file that holds some code; None where the file is not known or not there."""
    path = _new_file(data, world, machine)
    if path is None or machine.stored is None or len(machine.scripts) >= DEEPEST_SCRIPT:
        return None
    text = machine.stored.text(path)
    return None if text is None else (path, text)


def is_beyond(data: Data, world: World, machine: Machine) -> bool:
    """Tell if the file that holds some code is there, and is not read: too many files are run, or one by another.

    INVARIANT: what runs such a file is opaque.
    """
    path = _new_file(data, world, machine)
    if path is None or machine.stored is None:
        return False
    if len(machine.scripts) >= DEEPEST_SCRIPT and machine.stored.text(path) is not None:
        return True
    return machine.stored.is_beyond(path)


def _new_file(data: Data, world: World, machine: Machine) -> str | None:
    """Return the file that holds some code and may be there; None of one that is followed already: it runs itself."""
    if data.text is not None or machine.stored is None or REMOTE in world.via or len(data.files) != 1:
        return None
    if any(origin not in (STORED, COPIED) for origin in data.origins):
        return None
    path = data.files[0]
    return None if any(one.path == path for one in machine.scripts) else path


def follow(machine: Machine, script: tuple[str, str], world: World, acts: tuple[Act, Act], trace: Trace) -> list[World]:
    """Follow a file's text by the first of `acts`; where a bound is reached, read it flat by the second.

    INVARIANT: what comes after the place where a limit is reached is read all the same.
    """
    path, text = script
    before = world.copy()
    kept = machine.kept()
    outermost = not machine.scripts
    machine.scripts = (*machine.scripts, Script.of(path, text))
    machine.script, machine.opened, machine.offset = machine.scripts[-1], True, -1
    base = machine.steps
    left = machine.left_for_files if outermost else machine.bound - machine.steps
    machine.bound = base + max(left, 0)
    try:
        if len(text) > LARGEST or left <= 0:
            raise Exhausted
        after = acts[0](world)
    except (Exhausted, RecursionError):
        machine.restore(kept, scripts=machine.scripts, script=machine.scripts[-1])
        machine.bound = machine.steps + FLAT_STEPS
        try:
            acts[1](before.copy())
        except (Exhausted, RecursionError):
            trace.opaque.append(LIMIT)
        after = [before]
    finally:
        used = machine.steps - base
        machine.restore(kept)
        if outermost:
            machine.left_for_files -= used
            machine.steps = base
    return after


def offset_of(text: str, words: Sequence[Word]) -> int:
    """Return where code of another language has the words of a command; -1 where it has them nowhere together.

    Where it has them more than once, the place where they are nearest to each other.
    """
    first = words[0].text if words else ""
    at = text.find(first) if first else -1
    best, least = -1, _NEAR + 1
    while at >= 0:
        near = text[at : at + _NEAR]
        found = [near.find(one.text) for one in words[1:]]
        if min(found, default=0) >= 0 and max(found, default=0) < least:
            best, least = at, max(found, default=0)
        at = text.find(first, at + 1)
    return best


_NEAR = 400
"""Characters within which the words of one command stand."""


def decided(node: Node, world: World, machine: Machine) -> bool | None:
    """Return the answer of a test whose words are all known (`[ "$1" = --hard ]`); None of any other.

    So a script's options are followed as they are given. A line that an agent writes is followed on both sides.
    """
    answer = True
    while isinstance(node, Negated):
        node, answer = node.body, not answer
    if not isinstance(node, Simple) or node.assignments or node.redirects or not 3 <= len(node.words) <= 6:
        return None
    if any(is_volatile(one.pieces) for one in node.words):
        return None
    # One of several values would answer both of the questions that are asked about a condition.
    words = machine.unchosen(lambda: machine.expander.words(node.words, world, machine.place))
    if not words or any(not one.known or one.glob for one in words):
        return None
    program, *texts = (one.text for one in words)
    if program == "[" and texts[-1:] == ["]"]:
        texts.pop()
    elif program != "test":
        return None
    if texts[:1] == ["!"] and len(texts) > 1:
        texts, answer = texts[1:], not answer
    found = _compared(texts)
    return None if found is None else found is answer


def _compared(texts: Sequence[str]) -> bool | None:
    """Return what `A = B`, `A != B`, `-z A` and `-n A` say of texts that are known."""
    if len(texts) == 3 and texts[1] in ("=", "==", "!="):
        return (texts[0] == texts[2]) is (texts[1] != "!=")
    if len(texts) == 2 and texts[0] in ("-z", "-n"):
        return (not texts[1]) is (texts[0] == "-z")
    return None


def flat(machine: Machine, text: str, world: World, trace: Trace) -> None:
    """Read each simple command of a shell text by itself: no variables, no functions, no conditions."""
    try:
        seen: set[Command] = set()
        for node in _simple(grammar.parse(text).body):
            at = len(machine.commands)
            its = world.elsewhere()
            its.variables, its.functions, its.fresh = {}, {}, False
            machine.place, machine.tracks = (0, 0), True
            try:
                machine.run(node, [its])
            except RecursionError:
                trace.opaque.append(LIMIT)
            new = [one for one in machine.commands[at:] if one.replace(line=0) not in seen]
            seen.update(one.replace(line=0) for one in new)
            machine.commands[at:] = new
    except (Exhausted, grammar.TooDeep):
        trace.opaque.append(LIMIT)


def _simple(node: Node) -> Iterator[Node]:
    """Yield the simple commands of a text, and the tests, which may substitute commands, in their order."""
    pending: list[Node] = [node]
    while pending:
        one = pending.pop()
        if isinstance(one, (Simple, Test)):
            yield one
        else:
            pending.extend(reversed(list(_parts(one))))


def _parts(node: Node) -> Iterator[Node]:
    if isinstance(node, Series):
        yield from (one for one, _ in node.items)
    elif isinstance(node, Pipeline):
        yield from node.parts
    elif isinstance(node, (Negated, Group, Redirected, Function, Coprocess)):
        yield node.body
    elif isinstance(node, If):
        for condition, body in node.branches:
            yield from (condition, body)
        if node.otherwise is not None:
            yield node.otherwise
    elif isinstance(node, While):
        yield from (node.condition, node.body)
    elif isinstance(node, (For, Count)):
        yield node.body
    elif isinstance(node, Case):
        yield from (body for _, body, _ in node.items)

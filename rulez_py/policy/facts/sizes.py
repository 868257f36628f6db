"""How many bytes the files will have that a call writes, as far as that is known."""

from __future__ import annotations

from rulez_py.analysis import WRITE
from rulez_py.event.arguments import byte_length, changes_parts, growth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulez_py.policy.facts.facts import Facts


def sizes(facts: Facts, most: int) -> tuple[int, ...]:
    """Return the bytes of each text that the call writes; with an edit, or behind `>>`, those of the whole file.

    Of a file no more than `most` bytes and what the call adds are read: one that is longer counts as one byte more.
    """
    return tuple(_sizes(facts, most))


def _sizes(facts: Facts, most: int) -> Iterator[int]:
    event = facts.event
    if changes_parts(event.tool_name, event.tool_input):
        grown = growth(event.tool_name, event.tool_input)
        for path in dict.fromkeys(file.path for file in facts.files if WRITE in file.access and file.known):
            yield max(_there(facts, path, most + abs(grown)) + grown, 0)
        return
    added_to = [file for file in facts.files if WRITE in file.access and file.known and file.keeps]
    paths = {name: file.path for file in added_to for name in (file.spelled, file.path)}
    for name, text in facts.whole_texts:
        yield byte_length(text) + (_there(facts, paths[name], most) if name in paths else 0)


def _there(facts: Facts, path: str, most: int) -> int:
    """Return how many bytes a file has, of one with more than `most` one more; 0 where there is none."""
    return len(facts.effects.read_bytes(path, most + 1) or b"")

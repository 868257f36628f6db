"""YAML text -> events with their places, read by libyaml.

PyYAML brings libyaml as a compiled module. `import yaml` would run a dozen modules more, to build objects from events,
and half of the standard library with them. This needs four small ones, and the names of the exceptions.
"""

from __future__ import annotations

from rulez_py.system.native import bare, extension

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class _ReaderError(Exception):
    """A character that YAML does not allow. Its place counts bytes, and is not used."""

    def __init__(self, _name: object, _place: object, character: int, _encoding: object, _reason: object) -> None:
        super().__init__(character)
        self.character = character


def _libyaml() -> Any:
    package = bare("yaml")
    for name in ("error", "events", "nodes", "tokens"):
        __import__(f"yaml.{name}")
    marked = package.error.MarkedYAMLError
    for name in ("reader", "scanner", "parser", "composer", "constructor", "representer", "serializer", "emitter"):
        if not hasattr(package, name):
            error = f"{name.capitalize()}Error"
            raised = _ReaderError if name == "reader" else type(error, (marked,), {})
            setattr(package, name, type(name, (), {error: raised}))
    return extension("yaml", "_yaml")


_compiled = _libyaml()

# Events. Each has `start_mark` and `end_mark`, whose `line` and `column` count characters from 0.
Alias, Scalar = _compiled.AliasEvent, _compiled.ScalarEvent
SequenceStart, SequenceEnd = _compiled.SequenceStartEvent, _compiled.SequenceEndEvent
MappingStart, MappingEnd = _compiled.MappingStartEvent, _compiled.MappingEndEvent
DocumentStart = _compiled.DocumentStartEvent

BadCharacter = _compiled.ReaderError
"""Raised for a `character` (its number) that YAML does not allow."""
BadSyntax = (_compiled.ScannerError, _compiled.ParserError)
"""Raised for text that is not YAML: `problem` at `problem_mark`, `context` from `context_mark` on, any of them None."""


def reader(text: str) -> Callable[[], Any]:
    """Return a function that returns the next event, None after the last."""
    return _compiled.CParser(text).get_event  # type: ignore[no-any-return]

"""tree-sitter's parsers, without the Python around the compiled modules.

`import tree_sitter` drags in `re` and `enum` for the patterns of queries and the types of a log; nobody here asks for
either.
"""

from __future__ import annotations

from rulez_py.native import extension

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _compile(pattern: str) -> Any:
    return __import__("re").compile(pattern)


def _log_type(_name: str, _members: dict[str, int]) -> type:
    """Instead of an enumeration, which only a parser's logger would get to see."""
    return int


_INSTEAD: dict[str, dict[str, object]] = {"re": {"compile": _compile}, "enum": {"IntEnum": _log_type}}
_parsers: dict[str, Any] = {}


def parser(package: str) -> Any:
    """A `tree_sitter.Parser` for the language of an installed grammar (`tree_sitter_bash`), made once.

    Raises ImportError where the grammar or tree-sitter is not installed, ValueError where they do not fit each other.
    """
    if package not in _parsers:
        binding: Any = extension("tree_sitter", "_binding", _INSTEAD)
        grammar: Any = extension(package, "_binding")
        _parsers[package] = binding.Parser(binding.Language(grammar.language()))
    return _parsers[package]

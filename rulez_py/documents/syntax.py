"""Messages for text that is not YAML: where, what is wrong and what would be right.

libyaml's own messages are short. So a text that it has refused is read once more, up to the same
place, by PyYAML's reader in Python, which names what it found and what it expected.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Message = tuple[tuple[int, int], str, str]
    """Line and column from 1, what is wrong, what would be right."""


def refusal(text: str, error: Any) -> Message:
    """Return the message for a text that was refused with one of `events.BadSyntax`."""
    start, here = error.context_mark or error.problem_mark, error.problem_mark or error.context_mark
    if "Unicode character escape code" in error.problem:
        if text[here.index : here.index + 2].lower() in _SURROGATES:
            return _position(start), "half of a surrogate pair is not a character", "write the character itself"
        return _position(start), "what follows cannot be read as YAML", "look for an escape like \\U00110000"
    if error.context == "while scanning an alias":
        name = text[start.index + 1 :]
        end = next((index for index, character in enumerate(name) if character in _BEHIND_A_NAME), len(name))
        return _position(start), *nameless(name[:end])
    return _explained(text) or _message(error)


def nameless(anchor: str) -> tuple[str, str]:
    """Return message and help for an alias without an anchor."""
    return f'"*{anchor}" is read as a YAML alias, and nothing is called "&{anchor}"', "put it in quotes"


def bad_character(text: str, number: int) -> Message:
    """Return the message for the first character that YAML does not allow."""
    return place(text, text.find(chr(number))), f"character U+{number:04X} is not allowed in YAML", "remove it"


def place(text: str, index: int) -> tuple[int, int]:
    """Return line and column of a character."""
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


_BEHIND_A_NAME = " \t\r\n,[]{}"
_SURROGATES = tuple(f"d{digit}" for digit in "89abcdef")


def _explained(text: str) -> Message | None:
    """Return the message for what the slow reader refuses, None where it accepts the text."""
    from yaml.error import MarkedYAMLError  # type: ignore[import-untyped]
    from yaml.parser import Parser  # type: ignore[import-untyped]
    from yaml.reader import Reader, ReaderError  # type: ignore[import-untyped]
    from yaml.scanner import Scanner  # type: ignore[import-untyped]

    class Slow(Reader, Scanner, Parser):  # type: ignore[misc]
        def __init__(self) -> None:
            Reader.__init__(self, text)
            Scanner.__init__(self)
            Parser.__init__(self)

    try:
        slow = Slow()
        while slow.get_event() is not None:
            pass
    except MarkedYAMLError as error:
        return _message(error)
    except ReaderError as error:
        return bad_character(text, error.character)
    except (ValueError, OverflowError):
        pass
    return None


# A part of the slow reader's message -> message and help. `{start}` is the line on which the construct began; a row
# marked "start" points there. The first row that fits wins.
_SYNTAX: tuple[tuple[str, str, str, str], ...] = (
    ("found character '\\t'", "a tab is written where YAML wants spaces", "use spaces", "here"),
    ("that cannot start any token", "unquoted text cannot start with this character", "put it in quotes", "here"),
    (
        "mapping values are not allowed here",
        'a ": " does not fit here',
        'quote text that contains ": ", or check the indentation',
        "here",
    ),
    ("found unexpected ':'", 'a ":" does not fit here', 'quote text that begins or ends with ":"', "here"),
    ("could not find expected ':'", 'this line is neither "key: value" nor a list item', "add the colon", "start"),
    (
        "found unknown escape character",
        "double-quoted text has no such backslash escape",
        "use single quotes: there a backslash is just a backslash",
        "here",
    ),
    ("expected escape sequence of", "the backslash escape is incomplete", "use single quotes", "here"),
    ("found unexpected end of stream", "the quote that opens here is never closed", "close it", "start"),
    ("found unexpected document separator", "the quote that opens here is never closed", "close it", "start"),
    (
        "expected ',' or ']'",
        'the list that opens with "[" on line {start} needs a comma or "]" here',
        "quote text that starts with [",
        "here",
    ),
    (
        "expected ',' or '}'",
        'the map that opens with "{" on line {start} needs a comma or "}" here',
        "quote text that starts with {",
        "here",
    ),
    (
        "expected <block end>, but found '<scalar>'",
        "nothing may follow a quoted text or a closed bracket",
        "put the whole text in quotes",
        "here",
    ),
    (
        "expected <block end>",
        "this does not line up with what is around it",
        "check the indentation",
        "here",
    ),
    ("sequence entries are not allowed here", 'a list item ("- ") cannot start here', "put it on its own line", "here"),
    ("mapping keys are not allowed here", 'text that starts with "? " is read as a key', "put it in quotes", "here"),
    (
        "expected '<document start>'",
        "the list, map or text that is the whole file has ended before this",
        "check indentation and brackets",
        "here",
    ),
    ("incompatible YAML document", "the %YAML line asks for another YAML", "remove it", "here"),
    ("undefined tag handle", "the tag is not supported", "put text that starts with ! in quotes", "here"),
    ("expected the node content", "a value is missing here", "give it one, in quotes if it is punctuation", "here"),
)
# Messages by what was being read when it went wrong.
_SYNTAX_CONTEXT: tuple[tuple[str, str, str], ...] = (
    ("scanning a block scalar", 'nothing may follow the "|" or ">"', "start the text on the next line"),
    ("scanning an alias", 'text that starts with "*" is read as an alias', "put it in quotes"),
    ("scanning an anchor", 'text that starts with "&" is read as an anchor', "put it in quotes"),
    (" tag", 'text that starts with "!" is read as a tag', "put it in quotes"),
    (" directive", 'a line that starts with "%" is read as a directive', "remove it"),
)


def _message(error: Any) -> Message:
    found: str = error.problem or ""
    here = error.problem_mark or error.context_mark
    start = error.context_mark or here
    for fragment, message, help, where in _SYNTAX:
        if fragment in found:
            line = str(start.line + 1)
            at = _position(start if where == "start" else here)
            return at, message.replace("{start}", line), help
    for fragment, message, help in _SYNTAX_CONTEXT:
        if fragment in (error.context or ""):
            return _position(start), message, help
    return _position(here), f"not valid YAML: {found}", ""


def _position(mark: Any) -> tuple[int, int]:
    return (mark.line + 1, mark.column + 1)

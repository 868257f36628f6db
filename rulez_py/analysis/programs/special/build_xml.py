"""The commands in XML files of build tools: MSBuild's, Maven's and Ant's, and a JetBrains run configuration's.

A command is one text (`<Exec Command="git gc"/>`, `<option name="SCRIPT_TEXT" value="git gc"/>`), or a program with
its arguments behind it (`<executable>git</executable><argument>gc</argument>`,
`<exec executable="git"><arg value="gc"/>`).
The text is gone through once; what is no XML has no commands.
"""

from __future__ import annotations

from rulez_py.analysis.programs import parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Tag = tuple[str, dict[str, str], str, int]
    """An opening or closing (`/NAME`) tag: its name and attributes in small letters, the text behind it, its offset."""

_TEXTS = frozenset(("command", "commandline"))
_PROGRAMS = frozenset(("executable", "program", "toolexe"))
_ARGUMENTS = frozenset(("argument", "arg"))
_LISTS = frozenset(("commandlineargs", "commandlineparameters", "line"))
_ENDS = frozenset(("/exec", "/configuration", "/execution", "/plugin", "/target"))
_NAMES = frozenset(("script_text", "script"))
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&#10;", "\n"), ("&amp;", "&"))


def commands(text: str) -> list[tuple[int, str]]:
    """Return the commands with their offsets in the text, in order; each is shell code."""
    found: list[tuple[int, str]] = []
    command: list[str] = []
    start = 0
    for name, attributes, behind, at in _tags(text):
        program = _first(attributes, _PROGRAMS) or (behind if name in _PROGRAMS else "")
        if command and (program or name in _ENDS):
            found.append((start, " ".join(command)))
            command = []
        if program:
            command, start = [parts.in_quotes(program)], at
        if command:
            command += _arguments(name, attributes, behind)
        found += [(at, one) for one in _whole(attributes)]
    if command:
        found.append((start, " ".join(command)))
    return found


def _first(attributes: dict[str, str], names: frozenset[str]) -> str:
    return next((attributes[one] for one in attributes if one in names), "")


def _arguments(name: str, attributes: dict[str, str], behind: str) -> list[str]:
    """Return the words that a tag adds to a command: single ones quoted, lists as they are."""
    single = (attributes.get("value", ""), behind) if name in _ARGUMENTS else ()
    lists = (_first(attributes, _LISTS), behind if name in _LISTS else "")
    return [*(parts.in_quotes(one) for one in single if one), *filter(None, lists)]


def _whole(attributes: dict[str, str]) -> list[str]:
    """Return the commands that are one attribute."""
    named = attributes.get("value", "") if attributes.get("name", "").lower() in _NAMES else ""
    return [*(attributes[one] for one in attributes if one in _TEXTS), *filter(None, (named,))]


def _tags(text: str) -> Iterator[Tag]:
    """Yield the tags of a text. Comments and CDATA have none."""
    at = text.find("<")
    while at >= 0:
        if text.startswith(("<!--", "<![CDATA["), at):
            end = text.find("-->" if text[at + 2] == "-" else "]]>", at)
            if end < 0:
                return
        else:
            end = _end_of_tag(text, at)
            following = text.find("<", end)
            behind = _plain(text[end + 1 : following if following >= 0 else len(text)].strip())
            name, attributes = _read(text[at + 1 : end])
            yield name, attributes, behind, at
        at = text.find("<", end)


def _end_of_tag(text: str, at: int) -> int:
    """Return the offset of the `>` that ends a tag: none in quotes does. The end of the text where there is none."""
    quote = ""
    for here in range(at + 1, len(text)):
        char = text[here]
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char == ">":
            return here
    return len(text)


def _read(tag: str) -> tuple[str, dict[str, str]]:
    """Return the name of a tag, without a prefix, and its attributes."""
    at = 0
    while at < len(tag) and not (tag[at].isspace() or (tag[at] == "/" and at)):
        at += 1
    closing, name = tag[:1] == "/", tag[:at].lstrip("/").lower().rpartition(":")[2]
    attributes: dict[str, str] = {}
    while (sign := tag.find("=", at)) >= 0:
        key = tag[at:sign].split()[-1:]
        opening = next((here for here in range(sign + 1, len(tag)) if not tag[here].isspace()), len(tag))
        closes = tag.find(tag[opening], opening + 1) if tag[opening : opening + 1] in ('"', "'") and key else -1
        if closes < 0:
            break
        attributes[key[0].lower()] = _plain(tag[opening + 1 : closes])
        at = closes + 1
    return ("/" if closing else "") + name, attributes


def _plain(text: str) -> str:
    if "&" in text:
        for entity, char in _ENTITIES:
            text = text.replace(entity, char)
    return text

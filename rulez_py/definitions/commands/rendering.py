"""A slash command -> the file that a platform loads, as text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from rulez_py.definitions.base import prompt
from rulez_py.definitions.base.mapping import tool_names
from rulez_py.definitions.base.notes import CannotSay, Note
from rulez_py.definitions.base.platforms import AGENT_FILES
from rulez_py.definitions.base.tool import Platform
from rulez_py.definitions.commands.definition import SlashCommand
from rulez_py.definitions.output import yamltext
from rulez_py.definitions.output.errors import InvalidAgent
from rulez_py.platforms import adapter, parts
from rulez_py.platforms.agent_files import LARGE, SMALL
from rulez_py.platforms.slash_command_files import CommandFiles

Warn = Callable[[Note], object]


COMMAND_FILES: Mapping[str, CommandFiles] = {
    platform: known.FILES for platform, known in parts("slash_commands").items()
}
PLATFORMS: tuple[str, ...] = tuple(COMMAND_FILES)
"""The names of those that slash commands are written for, sorted."""


def platform_named(name: str) -> str:
    """Return a platform by its name. Raises InvalidAgent for one that loads no slash commands."""
    if str(name) not in COMMAND_FILES:
        raise InvalidAgent(f"there is no platform {name!r} with slash commands; there are {', '.join(PLATFORMS)}")
    return str(name)


def file_path(command: SlashCommand, platform: str, *, user: bool = False) -> str:
    """Return where the file belongs, from the project's or the home directory. Raises InvalidAgent."""
    file = COMMAND_FILES[platform_named(platform)]
    return f"{file.user_directory if user else file.directory}/{command.name}{file.ending}"


def render(command: SlashCommand, platform: str, *, warn: Warn | None = None) -> str:
    """Return the text of the file, without the mark of who wrote it.

    Raises CannotSay where the platform would replace, read or run a part of the text; InvalidAgent for an
    unknown platform.
    """
    return _Writer(command, platform_named(platform), warn or (lambda _note: None)).file_text()


class _Writer:
    """One command for one platform."""

    def __init__(self, command: SlashCommand, platform: str, warn: Warn) -> None:
        self.command = command
        self.platform = platform
        self.file = COMMAND_FILES[platform]
        self._warn = warn

    def note(self, text: str, *, grave: bool = False, always: bool = False) -> None:
        said = f"{self.command.name}, {adapter(self.platform).AGENT}: {text}"
        self._warn(Note(said, grave=grave, always=always))

    def file_text(self) -> str:
        head, body = self._head(), self._text()
        if not self.file.toml:
            return f"---\n{yamltext.mapping(head)}---\n\n{body}"
        lines = [f"{_toml_key(key)} = {_toml(value)}\n" for key, value in head.items()]
        inner = _escaped_toml(body).replace('"""', '""\\"')
        return "".join(lines) + f'prompt = """\n{inner}"""\n'

    def _head(self) -> dict[str, object]:
        command = self.command
        said: dict[str, object] = {
            "description": " ".join(command.description.split()),
            "arguments": command.arguments or None,
            "model": self._model(),
            "tools": tool_names(command.tools, self.platform, on_missing=self._missing) or None,
        }
        head: dict[str, object] = {}
        for field, value in said.items():
            if value is not None and field in self.file.keys:
                head[self.file.keys[field]] = value
            elif value is not None:
                self.note(f"cannot set {field}, so it is left out")
        if "tools" in self.file.keys and head.get(self.file.keys["tools"]):
            self.note("lets it use these tools without a question", grave=True)
        return {**head, **self.command.platforms.get(self.platform, {})}

    def _missing(self, tool: object) -> None:
        self.note(f"has no {tool}, so it is left out", always=True)

    def _model(self) -> str | None:
        model = self.command.model
        own = isinstance(model, Mapping)
        name = model.get(self.platform) if isinstance(model, Mapping) else model
        if name is None or "model" not in self.file.keys:
            return name
        facts = AGENT_FILES[Platform(self.platform)]
        if name in (SMALL, LARGE):
            name = facts.sizes.get(name)
        elif not own and not facts.model.fullmatch(name):
            self.note(f'the model "{name}" is not one of its models, so it is left out', always=True)
            return None
        return name

    # The text.

    def _text(self) -> str:
        parts: list[str] = []
        for piece in self.command.pieces():
            if piece.number is None:
                parts.append(self._literal(piece.text))
            elif piece.number == 0:
                parts.append(self.file.every)
            elif self.file.one:
                parts.append(self.file.one.format(piece.number - 1 + self.file.first))
            else:
                self.note(f"knows no single arguments: all of them stand for {{{{arg:{piece.number}}}}}", grave=True)
                parts.append(self.file.every)
        return "".join(parts).strip("\n") + "\n"

    def _literal(self, text: str) -> str:
        """Text as it is to reach the model. Raises CannotSay."""
        text = prompt.filled(text, lambda tools: tool_names(tools, self.platform))

        def kept(found: re.Match[str]) -> str:
            if self.file.escapable is not None and self.file.escapable.fullmatch(found[0]):
                return "\\" + found[0]
            raise CannotSay(
                f"command {self.command.name} cannot be written for {adapter(self.platform).AGENT}: it would replace, "
                f"read or run {found[0].strip()!r} in its text, and there is no way to write that literally"
            )

        return self.file.taken.sub(kept, text)


def _toml_key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key)


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_toml, value))}]"
    return f'"{_escaped_toml(str(value), line_ends=True)}"'.replace("\x7f", "\\u007f")


def _escaped_toml(text: str, *, line_ends: bool = False) -> str:
    """Text between quotes of TOML, without the quotes that end it."""

    def escaped(found: re.Match[str]) -> str:
        char = found[0]
        if (char == "\n" and not line_ends) or (char == '"' and not line_ends):
            return char
        return {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\t" if not line_ends else "\\t"}.get(
            char, f"\\u{ord(char):04x}"
        )

    return re.sub(r'[\x00-\x1f\x7f"\\]', escaped, text)

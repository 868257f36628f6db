"""The slash command of a platform -> a definition, and the parts that a definition cannot express."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rulez_py.definitions.base import composing, prompt
from rulez_py.definitions.base.names import why_no_name
from rulez_py.definitions.base.notes import CannotSay, Note
from rulez_py.definitions.base.source import Report, front_matter
from rulez_py.definitions.base.tool import Platform, spelled
from rulez_py.definitions.base.variants import variants
from rulez_py.definitions.commands.definition import SlashCommand, escaped
from rulez_py.definitions.commands.files import read
from rulez_py.definitions.commands.rendering import COMMAND_FILES, render
from rulez_py.definitions.output import yamltext
from rulez_py.definitions.output.errors import InvalidAgent
from rulez_py.definitions.output.marks import marked, origin, source_of
from rulez_py.documents.diagnostics import errors
from rulez_py.documents.document import parse
from rulez_py.platforms import adapter, parts
from rulez_py.platforms.agent_files import LARGEST_FILE
from rulez_py.platforms.slash_command_files import CommandFiles

READABLE: Mapping[str, CommandFiles] = {
    **COMMAND_FILES,
    **{platform: known.FILES for platform, known in parts("prompts").items()},
}
"""The files of those that commands are written for, and of those whose commands are read alone."""

_LINE = re.compile(r"(?P<key>[A-Za-z][\w-]*):[ \t]*(?P<value>.*?)[ \t]*")
_TOOL = re.compile(r"[^\s,()]+(?:\([^()]*\))?")
_LIVE = re.compile(
    r"(?P<slashes>\\*)\$(?:(?P<all>ARGUMENTS)|(?P<number>\d+))|(?P<every>\{\{args\}\})|\$\{input:(?P<input>\w+)[^}\n]*\}"
    r"|!`(?P<run>[^`]+)`|!\{(?P<runs>(?:[^{}]|\{\{[^{}]*\}\}|\{[^{}]*\})*)\}"
    r"|@\{(?P<file>[^{}\n]*)\}|@(?P<word>[\w.~/][\w./~-]*)",
    re.A,
)
_MOST_ARGUMENTS = 20
_LONGEST_DESCRIPTION = 200


@dataclass(frozen=True)
class Imported:
    """A command as it is to be kept: `text` is a Markdown file. `notes` are what it says otherwise than the file."""

    command: SlashCommand
    text: str
    notes: tuple[Note, ...]


def platform_at(path: str) -> str | None:
    """Return the platform that loads a command there; None where none does."""
    directory = f"/{os.path.dirname(path.replace(os.sep, '/'))}/"
    for platform, file in READABLE.items():
        if path.endswith(file.ending) and any(f"/{one}/" in directory for one in (file.directory, file.user_directory)):
            return platform
    return None


def imported(content: bytes, path: str, platform: str) -> Imported:
    """Return the definition that makes what a platform's command says.

    `path` is its name in errors, and names the command.

    Raises InvalidAgent for what is no such file, or was written by rulez.
    """
    if marked(content):
        raise InvalidAgent(f"{path} was written by rulez from {source_of(content) or 'Python'}: that is the definition")
    return _Reader(path, platform).read(content)


@dataclass
class _Reader:
    """One file of one platform."""

    path: str
    platform: str
    notes: dict[str, None] = field(default_factory=dict)
    inputs: dict[str, None] = field(default_factory=dict)
    """Names of what VS Code asks for, in their order."""

    @property
    def file(self) -> CommandFiles:
        return READABLE[self.platform]

    def note(self, text: str) -> None:
        self.notes[text] = None

    def read(self, content: bytes) -> Imported:
        head, body = self._toml(content) if self.file.toml else self._markdown(content)
        name = self._name()
        data = self._said(head)
        text = self._text(body).strip("\n")
        if not str(data.get("description") or "").strip():
            first = next((line.strip(" #") for line in body.splitlines() if line.strip(" #")), "")
            data["description"] = composing.kept(first[:_LONGEST_DESCRIPTION])
            self.note("has no description, so its first line is taken for one")
        data = {key: data[key] for key in _ORDER if key in data}
        whole = f"---\n{origin(content, self.path)}{yamltext.mapping(data)}---\n\n{text}\n"
        done = read(whole.encode(), f"{name}.md")
        if done.command is None:
            listed = "; ".join(one.text for one in errors(done.problems))
            raise InvalidAgent(f"{self.path}: no definition can say this: {listed}")
        if self.platform in COMMAND_FILES:
            try:
                render(done.command, self.platform)
            except CannotSay as error:
                self.note(str(error))
        said = f"{name}, {adapter(self.platform).AGENT}: "
        return Imported(done.command, whole, tuple(Note(said + one, grave=True) for one in self.notes))

    # The file.

    def _markdown(self, content: bytes) -> tuple[dict[str, Any], str]:
        """Return its front matter as data, and what follows it; all of it where there is no front matter."""
        report = Report(self.path, "the command")
        if len(content) > LARGEST_FILE:
            raise InvalidAgent(f"{self.path}: the file has more than {LARGEST_FILE:,} bytes")
        head, body = front_matter(content, report)
        if body is None:
            head, body = front_matter(b"---\n---\n" + content.removeprefix(b"\xef\xbb\xbf"), report := Report("", ""))
        if body is None or report.problems:
            raise InvalidAgent(f"{self.path}: {'; '.join(one.text for one in report.problems)}")
        lines = head.decode("utf-8", "replace").splitlines()
        hint = self.file.keys.get("arguments", "")
        document = parse("\n".join(_as_yaml(line, hint) for line in lines).encode(), self.path, if_empty="")
        if document.data is None and any(line.strip() for line in lines):
            raise InvalidAgent("\n".join(one.labelled for one in errors(document.problems)))
        if document.data is not None and not isinstance(document.data, dict):
            raise InvalidAgent(f"{self.path}:1:1: error: the front matter is no map")
        return document.data or {}, body.text

    def _toml(self, content: bytes) -> tuple[dict[str, Any], str]:
        try:
            data = tomllib.loads(content.decode("utf-8-sig"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InvalidAgent(f"{self.path}: it is no TOML: {error}") from None
        body = data.pop("prompt", "")
        if not isinstance(body, str):
            raise InvalidAgent(f"{self.path}: its prompt is no text")
        return data, body

    def _name(self) -> str:
        """Return the command's name: of one in a directory below, the directory's before its own."""
        path = os.path.abspath(self.path).replace(os.sep, "/")
        below = next(
            (
                path.partition(f"/{one}/")[2]
                for one in (self.file.directory, self.file.user_directory)
                if f"/{one}/" in path
            ),
            os.path.basename(path),
        )
        written = below.removesuffix(self.file.ending)
        name = re.sub(r"[^a-z0-9]+", "-", written.lower()).strip("-") if why_no_name(written) else written
        if why := why_no_name(name):
            raise InvalidAgent(f'{self.path}: the name "{written}" {why}')
        if name != written:
            self.note(f'its name "{written.replace("/", ":")}" becomes "{name}"')
        return name

    # Its front matter.

    def _said(self, head: Mapping[str, Any]) -> dict[str, Any]:
        """Return known keys under rulez' names, the others below `platforms` where that can be written."""
        data: dict[str, Any] = {}
        for ours, key in self.file.keys.items():
            value = head.get(key)
            if value in (None, ""):
                continue
            if ours == "tools":
                if tools := self._tools(value):
                    data["tools"] = tools
            elif not isinstance(value, str):
                self.note(f"{key} is left out: it is no text")
            elif ours == "model":
                if value != "inherit":
                    self._model(data, value)
            else:
                text = " ".join(value.split())
                data[ours] = composing.kept(text) if ours == "description" else text
        own = {key: value for key, value in head.items() if key not in self.file.keys.values()}
        for key, value in list(own.items()):
            if self.platform not in COMMAND_FILES or not _is_plain(value):
                self.note(f"{key} is left out: a definition has no place for it")
                del own[key]
        if own:
            data["platforms"] = {self.platform: own}
        return data

    def _model(self, data: dict[str, Any], value: str) -> None:
        if self.platform in COMMAND_FILES:
            data["model"] = {self.platform: value}
        else:
            self.note(f"model is left out: no command is written for {adapter(self.platform).AGENT}")

    def _tools(self, value: Any) -> list[str]:
        """Tools that need no question."""
        words = _TOOL.findall(value) if isinstance(value, str) else list(map(str, value if _is_list(value) else ()))
        usable = [word for word in words if "," not in word]
        for word in words:
            if word not in usable:
                self.note(f"the tool {word} is left out: no name of a tool has a comma")
        if "*" in usable:
            self.note("the tool * is left out: it would let every tool run without a question")
        return [spelled(tool) for tool in variants([one for one in usable if one != "*"], Platform(self.platform))]

    # Its text.

    def _text(self, text: str) -> str:
        """The text with our places for arguments, and in words what the platform runs or reads while it loads it."""
        text = text.replace("\r\n", "\n")
        self.inputs |= dict.fromkeys(found["input"] for found in _LIVE.finditer(text) if found["input"])
        made, at = [], 0
        for taken in self.file.taken.finditer(text):
            if taken.start() < at:
                continue
            found = _LIVE.match(text, taken.start())
            said = self._in_words(found) if found is not None else None
            if found is None or said is None:
                self.note(f"{taken[0].strip()} in its text stays as it is: a definition has no word for it")
                continue
            made += [_kept(text[at : taken.start()]), said]
            at = found.end()
        return "".join((*made, _kept(text[at:])))

    def _in_words(self, found: re.Match[str]) -> str | None:
        if found["slashes"]:
            one = len(found["slashes"]) == 1 and self.file.escapable is not None
            return _kept(found[0][1:]) if one else None
        if found["all"] or found["every"]:
            return "{{args}}"
        if found["number"]:
            return _argument(int(found["number"]) - self.file.first + 1)
        if found["input"]:
            return "{{args}}" if len(self.inputs) == 1 else _argument(list(self.inputs).index(found["input"]) + 1)
        if command := found["run"] or found["runs"]:
            self.note(f"runs `{command}` while it loads the text: the model is told to run it")
            return f"run `{self._text(command)}`"
        path = found["file"] or found["word"].rstrip(".") or found["word"]
        rest = found[0].removeprefix(f"@{path}") if found["word"] else ""
        is_path = bool(found["file"]) or "/" in path or "." in path
        self.note(f"takes @{path} for a file to be read: it becomes text, and the model reads it itself")
        return f"`{_kept(path)}`{rest}" if is_path else f"`@{_kept(path)}`{rest}"


def _as_yaml(line: str, hint: str) -> str:
    """Return a line of front matter that its readers take for text, as YAML that says the same.

    People write `argument-hint: [file]`, which is text, and `description: Fix: it`, which is no YAML.
    """
    found = _LINE.fullmatch(line)
    if found is None or not found["value"]:
        return line
    value = found["value"]
    is_text = found["key"] == hint and not value.startswith(('"', "'", "|", ">"))
    if not is_text and (value[0] in "|>&*!" or not errors(parse(line.encode(), "", if_empty="").problems)):
        return line
    return f"{found['key']}: {json.dumps(value)}"


_ORDER = ("description", "arguments", "model", "tools", "platforms")


def _argument(number: int) -> str | None:
    return f"{{{{arg:{number}}}}}" if 1 <= number <= _MOST_ARGUMENTS else None


def _kept(text: str) -> str:
    """Return text with rulez' placeholders escaped."""
    return escaped(composing.kept(prompt.escaped(text)))


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_plain(value: Any) -> bool:
    """Tell whether YAML and JSON have words for a value."""
    try:
        yamltext.value(value)
    except TypeError:
        return False
    return True

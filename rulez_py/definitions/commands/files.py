"""Slash commands on the disk: read from Markdown files, and planned as each platform's files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rulez_py.definitions.base.files import content_of
from rulez_py.definitions.base.names import why_no_name
from rulez_py.definitions.base.notes import Note
from rulez_py.definitions.base.source import Body, Report, check_body, filled, read_whole, tools_of
from rulez_py.definitions.commands.definition import SlashCommand
from rulez_py.definitions.commands.format import FILE
from rulez_py.definitions.commands.rendering import COMMAND_FILES, PLATFORMS, file_path, platform_named, render
from rulez_py.definitions.output.errors import AgentError, InvalidAgent
from rulez_py.definitions.output.marks import NO_FILE, mark
from rulez_py.definitions.output.targets import WholeFile
from rulez_py.definitions.output.written import Scope
from rulez_py.documents import types
from rulez_py.documents.diagnostics import Diagnostic, errors
from rulez_py.documents.types import Refusal
from rulez_py.platforms import adapter

__all__ = ["PLATFORMS", "Read", "load", "plan", "read"]


@dataclass(frozen=True)
class Read:
    """A file, read: the command, None where an error is among the `problems`."""

    command: SlashCommand | None
    problems: tuple[Diagnostic, ...]


def load(path: str | os.PathLike[str], *, variables: Mapping[str, str] = MappingProxyType({})) -> SlashCommand:
    """Return the command in a Markdown file. `variables` are values for `{{var:NAME}}`, which win over the file's own.

    Raises InvalidAgent with every problem and its place, one a line; CannotLoad where the file cannot be read.
    """
    name = os.fspath(path)
    content = content_of(name)
    done = read(content, name, variables=variables)
    if done.command is None:
        raise InvalidAgent("\n".join(one.labelled for one in errors(done.problems)))
    return done.command


def read(content: bytes, path: str, *, variables: Mapping[str, str] = MappingProxyType({})) -> Read:
    """Return the command that a file's bytes make.

    `path` is its name in the problems, and its stem the command's name.
    """
    command, problems = read_whole(
        content,
        Report(path, "the command"),
        lambda report, body: _command(report, body, variables) if body is not None else None,
        if_empty="write at least a description",
    )
    return Read(command, problems)


def _command(report: Report, body: Body, variables: Mapping[str, str]) -> SlashCommand | None:
    refusals: list[Refusal] = []
    done: dict[str, Any] = types.read(FILE, report.document.data, (), refusals) or {}
    for refusal in refusals:
        report.refusal(refusal)
    stem = os.path.basename(report.path).removesuffix(".md")
    if why := why_no_name(stem):
        report.add((1, 1), f'"{stem}", the name of this file, {why}', "rename it")
    check_body(body, report)
    values = {**(done.get("vars") or {}), **variables} if isinstance(done, dict) else dict(variables)
    text = filled(body.text, values, body.at, report)
    if not text.strip():
        report.add((body.line, 1), "the command has no text", "write what the model is to do")
    if errors(tuple(report.problems)):
        return None
    at = report.document.position(("description",))
    description = filled(done["description"], values, lambda _: at, report)
    tools = tools_of(report.document.data, "tools", report)
    if errors(tuple(report.problems)):
        return None
    try:
        return SlashCommand(
            name=stem,
            description=description,
            text=text,
            arguments=done.get("arguments", ""),
            model=done.get("model"),
            tools=tools or (),
            platforms=done.get("platforms", {}),
        )
    except AgentError as error:
        report.add((body.line, 1), str(error))
        return None


def plan(
    command: SlashCommand,
    platforms: Iterable[str],
    root: str | os.PathLike[str] | None = None,
    *,
    scope: Scope = "project",
    source: str = NO_FILE,
    instead_of: str = "",
) -> tuple[dict[str, WholeFile], list[Note]]:
    """Return the file of each platform. Nothing is written.

    `root` is the project's directory, by default the current one; in the scope `user` the home directory. `instead_of`
    is the checksum of the file that the definition was imported from, whose place it may take. Raises CannotSay and
    InvalidAgent as `render` does.
    """
    home = os.path.expanduser("~")
    place = os.fspath(root) if root is not None else home if scope == "user" else os.curdir
    found: dict[str, WholeFile] = {}
    notes: list[Note] = []
    for name in platforms:
        platform = platform_named(name)
        file = COMMAND_FILES[platform]
        text = mark(render(command, platform, warn=notes.append), source, after_first_line=not file.toml)
        path = os.path.join(place, *file_path(command, platform, user=scope == "user").split("/"))
        found[platform] = WholeFile(path, os.path.normpath(path), text, instead_of)
        for rival in file.rivals if scope == "project" else ():
            other = os.path.join(home, *rival[2:].format(name=command.name).split("/"))
            if os.path.lexists(other):
                told = f"{rival.format(name=command.name)} is a command of that name as well, and may take its place"
                notes.append(Note(f"{command.name}, {adapter(platform).AGENT}: {told}", grave=True))
    return found, notes

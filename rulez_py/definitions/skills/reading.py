"""A skill's directory -> a skill. Every problem at once, with its place."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType
from typing import Any

from rulez_py.definitions.base.names import why_no_name
from rulez_py.definitions.base.source import (
    Body,
    Report,
    check_body,
    check_numbers,
    filled,
    read_whole,
    tools_of,
)
from rulez_py.definitions.output.errors import WrongType
from rulez_py.definitions.skills.definition import SKILL_MD, Skill, SkillFile, meant_key, why_not_together
from rulez_py.definitions.skills.format import FILE
from rulez_py.definitions.skills.platforms import ACTED_ON, SKILL_FILES
from rulez_py.documents import types
from rulez_py.documents.diagnostics import WARNING, Diagnostic, closest, errors
from rulez_py.documents.types import Refusal
from rulez_py.platforms import adapter
from rulez_py.platforms.skill_files import SkillFiles

_KNOWN = ACTED_ON | frozenset(key for files in SKILL_FILES.values() for key in files.must_be) | {"license", "version"}
_TAKEN_AWAY = "disallowedtools"
_MOST_TOLD = 100
"""The most places of one kind to report; finding each takes time in proportion to the text."""


@dataclass(frozen=True)
class Read:
    """A skill's directory, read: the skill, None where an error is among the `problems`."""

    skill: Skill | None
    problems: tuple[Diagnostic, ...]


def read(
    content: bytes,
    directory: str,
    files: Sequence[SkillFile] = (),
    *,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> Read:
    """Return the skill that the bytes of a SKILL.md and the files beside it make.

    `directory` is its directory's name in the problems; its last part is the skill's name where SKILL.md says none.
    `variables` are values for `{{var:NAME}}`, which win over the skill's own.

    Raises WrongType for content that is no bytes.
    """
    if not isinstance(content, bytes | bytearray | memoryview):
        raise WrongType(f"the content of a file is bytes, not {type(content).__name__}")
    content = bytes(content)
    directory = directory.replace("\\", "/").rstrip("/") or directory
    skill, problems = read_whole(
        content,
        Report(posixpath.join(directory, SKILL_MD), "the skill"),
        lambda report, body: (
            _skill(report, body, posixpath.basename(directory), tuple(files), variables) if body is not None else None
        ),
        if_empty="write at least a description",
    )
    return Read(skill, problems)


def _skill(
    report: Report, body: Body, directory: str, files: tuple[SkillFile, ...], variables: Mapping[str, str]
) -> Skill | None:
    data = report.document.data
    if not isinstance(data, dict):
        report.add((1, 1), f"the front matter of a skill is a map with a description, not {types.described(data)}")
        return None
    known = {key: value for key, value in data.items() if key in FILE.fields}
    extra = {key: value for key, value in data.items() if key not in FILE.fields}
    _check_directory(known, directory, report)
    refusals: list[Refusal] = []
    done = types.read(FILE, known, (), refusals)
    for refusal in refusals:
        report.refusal(refusal)
    for key in extra:
        _check_extra(key, report)
    for platform, more in done.get("platforms", {}).items() if done else ():
        for key in more or ():
            if meant := meant_key(key):
                at = report.document.key_position(("platforms", platform, key))
                report.add(at, f'"platforms.{platform}.{key}" says in other words what "{meant}" says', "write that")
    check_numbers(extra, (), report)
    check_body(body, report)
    values = {**((done or {}).get("vars") or {}), **variables}
    text = filled(body.text, values, body.at, report)
    said = (done or {}).get("description")
    description = filled(said or "", values, lambda _: report.document.position(("description",)), report)
    expands = (done or {}).get("expands", ())
    _check_expanded(body, expands, report)
    _check_beside(files, report)
    tools = tools_of(data, "tools", report)
    if errors(tuple(report.problems)):
        return None
    return Skill(
        name=done["name"],
        description=description,
        tools=tools,
        expands=tuple(expands),
        front_matter=extra,
        platforms=done.get("platforms", {}),
        text=text,
        files=files,
    )


def _check_beside(files: tuple[SkillFile, ...], report: Report) -> None:
    """The files beside SKILL.md: that they can be together, and are what people take them for."""
    if why := why_not_together(files):
        report.add((1, 1), f"the skill {why}")
    for one in files:
        if one.path.endswith(".md") and b"{{tool:" in one.content:
            said = f"{{{{tool:...}}}} in {one.path} stays as it is: files beside {SKILL_MD} are written unchanged"
            report.add((1, 1), said, severity=WARNING)


def _check_directory(known: dict[str, Any], directory: str, report: Report) -> None:
    """The directory's name, which is the skill's where it says no other."""
    if "name" not in known:
        if why := why_no_name(directory):
            report.add(
                (1, 1), f'"{directory}", the name of its directory, {why}', "rename it, or give the skill a name"
            )
        known["name"] = directory if not why else "nameless"
    elif known["name"] != directory and isinstance(known["name"], str) and not why_no_name(known["name"]):
        said = f'it is written as "{known["name"]}", and its directory is called "{directory}"'
        help = "give both one name: agents do not agree about which of the two counts"
        report.add(report.document.position(("name",)), said, help, severity=WARNING)


def _check_extra(key: str, report: Report) -> None:
    """Report keys of free front matter that are misspelled keys of rulez, or that only one platform knows."""
    at = report.document.key_position((key,))
    plain = "".join(one for one in key.lower() if one not in "-_")
    if (meant := meant_key(key)) or (meant := None if key in _KNOWN else closest(key, FILE.fields)):
        report.add(at, f'unknown key "{key}"', f'did you mean "{meant}"?')
    elif plain == "allowedtools":
        said = f'"{key}" is {_who(key)}\'s alone, with its own names of tools'
        report.add(at, said, "write `tools`, as in [Shell, Read], for every agent", severity=WARNING)
    elif plain == _TAKEN_AWAY:
        said = f'"{key}" takes tools away with {_who("disallowed-tools")} alone'
        report.add(at, said, "what a skill must not do is a matter of rules", severity=WARNING)
    elif key in ACTED_ON:
        report.add(at, f'"{key}" does something with {_who(key)} alone', severity=WARNING)


def _who(key: str) -> str:
    """Return the platforms that a key does something on, for people."""
    return " and ".join(
        adapter(name).AGENT for name, files in SKILL_FILES.items() if key in files.acts_on or key == files.permits
    )


def _check_expanded(body: Body, expands: Sequence[str], report: Report) -> None:
    """Tell of what a platform would run while it loads the text, where that is not wanted; and what was meant to be
    put in.
    """
    for name, files in SKILL_FILES.items():
        if files.told_late:
            continue
        for pattern in (files.arguments, files.values) if "arguments" not in expands else ():
            for found in islice(pattern.finditer(body.text), _MOST_TOLD) if pattern else ():
                if any(map(str.isalpha, found[0])) and not found[0].startswith("\\"):  # Not the price of $5.
                    said = f"{adapter(name).AGENT} would put something in for {found[0]}"
                    help = "write `expands: arguments` if that is meant"
                    report.add(body.at(found.start()), said, help, severity=WARNING)
        for found in _commands(files, body.text) if "commands" not in expands else ():
            said = f"{_short(found[0])} is run by {adapter(name).AGENT} while it loads the skill, and no rule sees it"
            help = "write `expands: commands` if that is meant; else put a space behind the !, or no space before it"
            report.add(body.at(found.start()), said, help)


def _commands(files: SkillFiles, text: str) -> Iterator[re.Match[str]]:
    """Return what a platform runs of any skill; of a person's own alone is told when it is written."""
    if files.commands is None or files.runs_own_alone:
        return iter(())
    return islice(files.commands.finditer(text), _MOST_TOLD)


def _short(found: str) -> str:
    line = found.split("\n")[0]
    return line if len(line) <= 40 else line[:37] + "..."

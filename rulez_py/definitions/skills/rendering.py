"""A skill -> the SKILL.md that a platform loads, as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from rulez_py.definitions.base import prompt
from rulez_py.definitions.base.mapping import means_every_tool, tool_names
from rulez_py.definitions.base.notes import CannotSay, Note, short
from rulez_py.definitions.output import yamltext
from rulez_py.definitions.skills.companions import listed
from rulez_py.definitions.skills.definition import Skill
from rulez_py.definitions.skills.platforms import ACTED_ON, PERMITTING, SKILL_FILES, platform_named
from rulez_py.platforms import adapter
from rulez_py.renamed import takes

_TAG = re.compile(r"</?\s*[A-Za-z][A-Za-z_-]*\s*/?>")
_RESTRICTING = frozenset(("disable-model-invocation", "disallowed-tools"))

Warn = Callable[[Note], object]


@takes(harness="platform")
def render(skill: Skill, platform: str, *, warn: Warn | None = None) -> str:
    """Return the text of the SKILL.md, without the mark of who wrote it.

    Raises CannotSay for what the platform would not load, or would take for something else; InvalidAgent for an
    unknown platform.
    """
    writer = _Writer(skill, platform_named(platform), warn or (lambda _note: None))
    writer.check()
    head = writer.head()
    body = writer.text()
    text = f"---\n{listed(skill.files)}{yamltext.mapping(head)}---\n" + (f"\n{body}" if body else "")
    if writer.file.replaced and (found := writer.file.replaced.search(text)):
        raise writer.refuse(f"it replaces {found[0]}, or loads no file with it, and there is no way to write that")
    if len(text.encode()) > writer.file.largest:
        raise writer.refuse(f"it loads no SKILL.md of more than {writer.file.largest:,} bytes")
    return text


class _Writer:
    """One skill for one platform."""

    def __init__(self, skill: Skill, platform: str, warn: Warn) -> None:
        self.skill = skill
        self.platform = platform
        self.file = SKILL_FILES[platform]
        self.title = adapter(platform).AGENT
        self._warn = warn
        self._told: set[str] = set()

    def note(self, text: str, *, grave: bool = False, always: bool = False) -> None:
        """Tells people once."""
        if text not in self._told:
            self._told.add(text)
            self._warn(Note(f"{self.skill.name}, {self.title}: {text}", grave=grave, always=always))

    def refuse(self, why: str) -> CannotSay:
        return CannotSay(f"skill {self.skill.name} cannot be written for {self.title}: {why}")

    def check(self) -> None:
        """Raises CannotSay for a name that the platform loads no skill by."""
        if not self.file.name.fullmatch(self.skill.name):
            raise self.refuse("it loads no skill of that name; use a-z, 0-9, and - between them")
        if self.file.free_names is not None:
            self._check_file_names(self.file.free_names)
        if self.file.needs_text and not self.skill.text.strip():
            self.note("loads no skill without a text", grave=True)

    def _check_file_names(self, free: frozenset[str]) -> None:
        for one in self.skill.files:
            directory, *_ = one.path.split("/")
            if one.path.rpartition("/")[2] == f"{self.skill.name}.md" and directory not in free:
                places = ", ".join(sorted(free))
                raise self.refuse(f"it takes {one.path} for another skill; rename it, or put it in one of {places}")

    # The head of the file.

    def head(self) -> dict[str, Any]:
        description = " ".join(self.skill.description.split())
        if self.file.list_is_raw and (found := _TAG.search(description)):
            self.note(f"{found[0]} in its description is not replaced in the list that its model reads", grave=True)
        if len(description) > self.file.most_description:
            self.note(f"the list that its model reads has {self.file.most_description} characters of its description")
        head = {"name": self.skill.name, "description": description, **self._permitted()}
        more = dict(self._more())
        if both := [key for key in more if key in head]:
            raise self.refuse(f"its tools and its front matter both say {both[0]}; keep one")
        return {**head, **more}

    def _permitted(self) -> dict[str, Any]:
        if not self.skill.tools:
            return {}
        if not self.file.permits:
            self.note("asks for each tool as ever, so its tools are left out")
            return {}
        names = tool_names(
            self.skill.tools,
            self.platform,
            on_missing=lambda tool: self.note(f"has no {tool}, so it is left out", always=True),
        )
        for name in names:
            if means_every_tool(name):
                raise self.refuse(f"{name!r} would let every tool run without a question; name them one by one")
        if names:
            self.note(f"lets it use {', '.join(names)} without a question", grave=True)
        return {self.file.permits: names} if names else {}

    def _more(self) -> Iterator[tuple[str, Any]]:
        own = self.skill.platforms.get(self.platform, {})
        for key, value in self.skill.front_matter.items():
            if key in own:
                continue
            if (why := self._wrong(key, value)) is not None:
                self.note(f"{why}, so it is left out", grave=key in _RESTRICTING)
            else:
                yield self._noted(key), value
        for key, value in own.items():
            check = {**self.file.acts_on, **self.file.must_be}.get(key)
            if check is not None and not check(value):
                raise self.refuse(f"it loads no skill with {short(key)}: {short(value)}")
            yield self._noted(key), value

    def _wrong(self, key: str, value: Any) -> str | None:
        """Return why a key for every platform cannot be in this one's file, None where it can."""
        check = {**self.file.acts_on, **self.file.must_be}.get(key)
        if check is not None and not (key in PERMITTING and key != self.file.permits):
            return None if check(value) else f"does not take {short(key)}: {short(value)}"
        return f"does nothing with {short(key)}" if key in ACTED_ON else None

    def _noted(self, key: str) -> str:
        if key in self.file.widening:
            self.note(f"{key} {self.file.widening[key]}", grave=True)
        return key

    # Its text.

    def text(self) -> str:
        text = prompt.filled(
            self.skill.text,
            lambda tools: tool_names(
                tools,
                self.platform,
                on_missing=lambda tool: self.note(f"has no {tool}, and the text speaks of it"),
            ),
        )
        self._check_commands(text)
        text = self._arguments(text)
        if self.file.attaches and (found := self.file.attaches.search(text)):
            self.note(f"{found[0]} in its text attaches the project's file of that name, where there is one")
        if self.file.most_text:
            size, lines = self.file.most_text
            if len(text.encode()) > size or text.count("\n") > lines:
                why = f"its model is not given a whole text of more than {size:,} bytes or {lines:,} lines"
                raise self.refuse(f"{why}; put parts of it into files beside SKILL.md")
        return text

    def _check_commands(self, text: str) -> None:
        wanted = "commands" in self.skill.expands
        if self.file.commands is None:
            if wanted and (left := _of_any("commands", text)):
                self.note(f"runs nothing while it loads a text: {left} stays as it is", grave=True)
        elif found := self.file.commands.search(text):
            shown = _shown(found) + " while it loads the text"
            if self.file.runs_with:
                shown += f", where {self.file.runs_with} is set"
            if not wanted:
                raise self.refuse(f"it would run {shown}; expand commands if that is meant")
            told = f"runs {shown}, and no rule sees it"
            self.note(f"{told}; in a project's skill it does not" if self.file.runs_own_alone else told, grave=True)

    def _arguments(self, text: str) -> str:
        """Return the text in which nothing is replaced that is not meant to be."""
        if "arguments" in self.skill.expands:
            for kind, said in (("arguments", "has no arguments for a skill"), ("values", "has no such value")):
                if getattr(self.file, kind) is None and (found := _of_any(kind, text)):
                    self.note(f"{said}: {found} stays as it is", grave=True)
            return text
        if self.file.values and (value := self.file.values.search(text)):
            self.note(f"{value[0]} in its text is replaced, and there is no way to write it", grave=True)
        return self.file.arguments.sub(self._escaped, text) if self.file.arguments else text

    def _escaped(self, found: re.Match[str]) -> str:
        if not self.file.keeps_arguments:
            self.note(f"{found[0]} in its text is replaced, and there is no way to write it", grave=True)
            return found[0]
        if found["slashes"]:
            what = "loses its \\" if len(found["slashes"]) == 1 else "is replaced, and there is no way to write it"
            self.note(f"{found[0]} in its text {what}", grave=True)
            return found[0]
        return "\\" + found[0]


def _of_any(kind: str, text: str) -> str:
    """Return the first place where some platform would put something into a text; "" where none would."""
    patterns = (getattr(files, kind) for files in SKILL_FILES.values())
    found = (pattern.search(text) for pattern in patterns if pattern is not None)
    return next((_shown(one) for one in found if one), "")


def _shown(found: re.Match[str]) -> str:
    """Return the first line of what was found."""
    return found["command" if "command" in found.re.groupindex else 0].split("\n")[0]

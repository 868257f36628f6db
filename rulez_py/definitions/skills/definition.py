"""A skill, as a value: its SKILL.md in universal terms, and the files beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from rulez_py.definitions.base.frozen import FrozenMap, check_text, frozen
from rulez_py.definitions.base.mapping import Tools, one_by_one
from rulez_py.definitions.base.names import RESERVED, why_no_name
from rulez_py.definitions.base.prompt import wrong_placeholders
from rulez_py.definitions.base.tool import AnyTool, CustomTool, Tool
from rulez_py.definitions.output.errors import InvalidAgent, WrongType
from rulez_py.definitions.skills.platforms import platform_named
from rulez_py.platforms.agent_files import LARGEST_FILE

if TYPE_CHECKING:
    from os import PathLike

    from rulez_py.definitions.output.written import Scope
    from rulez_py.definitions.skills.written import Skills

SKILL_MD = "SKILL.md"
LONGEST_DESCRIPTION = 1024
"""UTF-16 units. Copilot loads no skill with more, Codex CLI cuts them, Claude Code a little later."""
MOST_FILES = 200
LARGEST_SKILL = 2 * LARGEST_FILE
"""Bytes of all files of a skill."""
DEEPEST = 8
_LONGEST_PART = 100
_PART = re.compile(r"[A-Za-z0-9._+@()=~-](?:[A-Za-z0-9 ._+@()=~-]*[A-Za-z0-9_+@()=~-])?")

Expands = Literal["arguments", "commands"]
"""Text that a platform may insert: the arguments of the skill; the output of commands that it runs to load it."""
EXPANDS: tuple[Expands, ...] = ("arguments", "commands")


@dataclass(frozen=True)
class SkillFile:
    """A file beside SKILL.md, written as it is. `path` is from the skill's directory, with `/` between its parts.

    Raises InvalidAgent for a path that could not be written everywhere, or is another skill.
    """

    path: str
    content: bytes
    executable: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.path, str) or not isinstance(self.content, bytes):
            raise WrongType(f"a skill's file is a path and bytes, not {self.path!r} and {type(self.content).__name__}")
        if why := why_no_path(self.path):
            raise InvalidAgent(f"the file {self.path!r} of a skill {why}")
        if len(self.content) > LARGEST_FILE:
            raise InvalidAgent(f"the file {self.path} of a skill has more than {LARGEST_FILE:,} bytes")


@dataclass(frozen=True, kw_only=True)
class Skill:
    """One skill, in universal terms.

    `name` is also its directory's: a-z, 0-9, `-` and `_`. `description` says when to use it; models choose by it.
    `tools` need no question while the skill is at work, where a platform has that; they restrict nothing. `expands` is
    what a platform may put into the text (`Expands`); without it the text is given to the model unchanged.
    `front_matter`, `platforms` and their values are as those of an AgentDefinition. `text` is the Markdown below the
    front matter, `files` what lies beside SKILL.md.

    Raises InvalidAgent for a name or a path that no platform or no disk would take, a description without text or with
    more than 1,024 characters, a placeholder that names no tool; WrongType for values of another type.
    """

    name: str
    description: str
    tools: tuple[AnyTool, ...] | None = None
    expands: tuple[Expands, ...] = ()
    front_matter: Mapping[str, Any] = field(default_factory=dict)
    platforms: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    text: str = ""
    files: tuple[SkillFile, ...] = ()

    if TYPE_CHECKING:
        # The accepted input; the fields hold its one form.
        def __init__(
            self,
            *,
            name: str,
            description: str,
            tools: Tools | None = None,
            expands: Sequence[Expands] = (),
            front_matter: Mapping[str, Any] = ...,
            platforms: Mapping[str, Mapping[str, Any]] = ...,
            text: str = "",
            files: Sequence[SkillFile] = (),
        ) -> None: ...

        # files.write_skill, put here by that module.
        def write(
            self,
            platform: str,
            root: str | PathLike[str] | None = None,
            *,
            scope: Scope = "project",
            check: bool = False,
            force: bool = False,
            warn: Callable[[Any], object] | None = None,
        ) -> Skills: ...

    def __post_init__(self) -> None:
        for key in ("name", "description", "text"):
            if not isinstance(value := getattr(self, key), str):
                raise WrongType(f"the {key} of a skill is text, not {value!r}")
        if why := why_no_name(self.name):
            raise InvalidAgent(f"the skill name {self.name!r} {why}")
        if why := why_no_description(self.description):
            raise InvalidAgent(f"the description of skill {self.name} {why}")
        for key in ("description", "text"):
            check_text(getattr(self, key), key, self._whose)
        for _, unknown in wrong_placeholders(self.text):
            raise unknown
        text = self.text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
        self._set("text", text + "\n" if text.strip() else "")
        self._set("tools", None if self.tools is None else tuple(self._checked(self.tools)))
        self._set("expands", self._expands())
        for key in ("front_matter", "platforms"):
            if not isinstance(value := getattr(self, key), Mapping):
                raise WrongType(f"{key} of {self._whose} is a map, not {value!r}")
        own = {platform_named(name): frozen(more, self._whose) for name, more in self.platforms.items()}
        self._set("platforms", FrozenMap(own))
        self._set("front_matter", frozen(self.front_matter, self._whose))
        for more in (self.front_matter, *own.values()):
            self._check_front_matter(more)
        self._set("files", self._files())

    @property
    def _whose(self) -> str:
        return f"skill {self.name}"

    def _set(self, key: str, value: object) -> None:
        object.__setattr__(self, key, value)

    def _checked(self, given: Tools) -> Iterator[AnyTool]:
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise WrongType(f"the tools of {self._whose} are a list, like [Tool.Read], not {given!r}")
        for one in one_by_one(given):
            if not isinstance(one, (Tool, CustomTool)):
                raise WrongType(f"{one!r} is no tool: write Tool.Shell, Tool.Custom(...), or use parse_tool")
            yield one

    def _expands(self) -> tuple[Expands, ...]:
        if isinstance(self.expands, str) or not isinstance(self.expands, Iterable):
            raise WrongType(f"what {self._whose} expands is a list, not {self.expands!r}")
        given = tuple(self.expands)
        for one in given:
            if one not in EXPANDS:
                raise InvalidAgent(f"{self._whose} expands {one!r}; there are {', '.join(EXPANDS)}")
        return tuple(one for one in EXPANDS if one in given)

    def _check_front_matter(self, more: object) -> None:
        if not isinstance(more, Mapping):
            raise WrongType(f"the entry for one platform's file of {self._whose} is a map, not {more!r}")
        for key in more:
            if meant := meant_key(key):
                raise InvalidAgent(f'{self._whose} has "{key}" in its front matter: that is {meant}')

    def _files(self) -> tuple[SkillFile, ...]:
        if not isinstance(self.files, Iterable):
            raise WrongType(f"the files of {self._whose} are a list of SkillFile, not {self.files!r}")
        files = tuple(self.files)
        for one in files:
            if not isinstance(one, SkillFile):
                raise WrongType(f"{one!r} is no SkillFile")
        if why := why_not_together(files):
            raise InvalidAgent(f"{self._whose} {why}")
        return tuple(sorted(files, key=lambda one: one.path))


def why_no_description(description: str) -> str:
    """Return why a skill cannot have this description, as the end of a sentence; "" where it can."""
    if not description.strip():
        return "is empty"
    units = len(description.strip().encode("utf-16-le", "surrogatepass")) // 2
    if units > LONGEST_DESCRIPTION:
        lost = f"more than {LONGEST_DESCRIPTION:,} lose the skill on Copilot, and are cut on Codex CLI"
        return f"has {units:,} characters: {lost}"
    return ""


def why_no_path(path: str) -> str:
    """Return why a skill cannot have a file of this path, as the end of a sentence; "" where it can."""
    parts = path.split("/")
    if len(parts) > DEEPEST:
        return f"lies more than {DEEPEST} directories deep"
    for part in parts:
        if part in ("", ".", ".."):
            return "has a path that does not go down from the skill's directory"
        if not _PART.fullmatch(part) or len(part) > _LONGEST_PART:
            return "has a name that some disks do not take: use A-Z, a-z, 0-9, and . _ - + in between"
        if part.split(".")[0].lower() in RESERVED:
            return "has a name that Windows keeps for a device"
    if parts[-1].lower() == SKILL_MD.lower():
        return "would be a skill of its own" if len(parts) > 1 else "is what the skill itself becomes"
    return ""


def why_not_together(files: Sequence[SkillFile]) -> str:
    """Return why these files cannot lie in one skill, as the end of a sentence; "" where they can."""
    if len(files) > MOST_FILES:
        return f"has more than {MOST_FILES} files"
    if sum(len(one.content) for one in files) > LARGEST_SKILL:
        return f"has more than {LARGEST_SKILL:,} bytes of files"
    places: dict[str, str] = {}
    for one in files:
        parts = one.path.split("/")
        for end in range(1, len(parts) + 1):
            place, kind = "/".join(parts[:end]), "file" if end == len(parts) else "directory"
            known = places.setdefault(place.lower(), f"{kind} {place}")
            if known != f"{kind} {place}":
                return f"has a {known} and a {kind} {place}, which are one on some disks"
    if len({one.path for one in files}) < len(files):
        return "has a file twice"
    return ""


_MEANT = {
    **{name: name for name in ("name", "description", "tools", "platforms", "expands", "vars")},
    "proto": "a key that YAML does not have",
    "<<": "a key that YAML does not have",
}


def meant_key(key: str) -> str | None:
    """Return the key of rulez that free front matter has in another spelling, None for a free key."""
    return _MEANT.get("".join(one for one in key.lower() if one not in "-_ ."))

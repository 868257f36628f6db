"""The files beside a SKILL.md. They carry no mark of their own: a line in SKILL.md has the checksum of each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rulez_py.definitions.output.marks import digest, marked
from rulez_py.definitions.output.targets import Target
from rulez_py.definitions.output.written import State
from rulez_py.definitions.output.yamltext import without_dashes
from rulez_py.definitions.skills.definition import SkillFile, why_no_path

_LINE = re.compile(rb"^# Its files: ([^\r\n]+)\r?$", re.M)
_ENTRY = re.compile(r"(.+) ([0-9a-f]{16})")
_DASH = without_dashes("--")[:-1]


def listed(files: Iterable[SkillFile]) -> str:
    """Return the line that says which files were written beside a SKILL.md; "" where there are none."""
    entries = "; ".join(f"{without_dashes(one.path)} {digest(one.content)}" for one in files)
    return f"# Its files: {entries}\n" if entries else ""


def recorded(content: bytes) -> Mapping[str, str]:
    """Path -> checksum of the files that a SKILL.md says were written with it; none where rulez wrote no such file."""
    found = _LINE.search(content.partition(b"\n---")[0])
    if found is None or not marked(content):
        return {}
    entries = found[1].decode("utf-8", "replace").replace(_DASH, "-").split("; ")
    kept = (entry.groups() for one in entries if (entry := _ENTRY.fullmatch(one)))
    return {path: checksum for path, checksum in kept if not why_no_path(path)}


@dataclass(frozen=True)
class Companion(Target):
    """A file beside SKILL.md. `wrote` is the checksum of what rulez put there, None where it put nothing.

    `runnable` says whether the file that is there may be run.
    """

    content: bytes
    may_run: bool = False
    wrote: str | None = None
    runnable: bool = True

    @property
    def executable(self) -> bool:
        return self.may_run

    def state(self, before: bytes | None) -> State:
        if before is None:
            return State.Missing
        if _plain(before) == _plain(self.content):
            return State.Ours if self.may_run and not self.runnable else State.Same
        return State.Ours if self.wrote == digest(before) else State.Edited

    def wanted(self, before: bytes | None) -> bytes:
        return self.content


def _plain(content: bytes) -> bytes:
    """Text without the line ends that git may write; other files as they are."""
    return content if b"\0" in content else content.replace(b"\r\n", b"\n")

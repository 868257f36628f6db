"""The files of an agent's hooks on this machine."""

from __future__ import annotations

import glob
import os
import shutil
import sys
from collections.abc import Mapping
from typing import NamedTuple

from rulez_py.platforms import PLATFORMS, adapter, part
from rulez_py.platforms.settings import HookPlace
from rulez_py.system.places import Places, places

USER, PROJECT, MANAGED = "user", "project", "managed"
SCOPES = (USER, PROJECT, MANAGED)


class Machine(NamedTuple):
    """The base of the places: `project` is a project's directory, `root` where the machine's own places begin."""

    environ: Mapping[str, str]
    project: str
    system: str = sys.platform
    root: str = os.sep

    @property
    def own(self) -> Places:
        """The places of rulez itself."""
        return places(self.environ, self.system)


def hooks(platform: str) -> HookPlace:
    """Return what is known of the places of one agent's hooks."""
    known: HookPlace = part(platform, "settings").HOOKS
    return known


def home(platform: str, here: Machine) -> str:
    """Return the agent's own directory."""
    known = hooks(platform)
    moved = here.environ.get(known.moved_by, "") if known.moved_by else ""
    if os.path.isabs(moved):
        return os.path.join(moved, known.moved_below) if known.moved_below else moved
    own = os.path.join(here.own.home, *known.home.split("/"))
    profile = _named(os.path.join(own, known.profile)) if known.profile else ""
    return os.path.join(own, "profiles", profile) if profile else own


def _named(path: str) -> str:
    """Return the name of the profile in an agent's file, "" where it is the usual one or no name."""
    try:
        with open(path, encoding="utf-8") as file:
            name = file.read(256).strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return "" if name == "default" or name.startswith(".") or name != os.path.basename(name) else name


def no_place(platform: str, scope: str) -> str:
    """Return the words for an agent that has no place for hooks of this scope."""
    if scope == MANAGED and (why := hooks(platform).unmanaged):
        return why
    whose = "a project" if scope == PROJECT else "the whole machine"
    return f"{adapter(platform).AGENT} has no place for hooks of {whose}"


def target(platform: str, scope: str, here: Machine) -> str | None:
    """Return the file that our hooks belong into; None where the agent has no place for that."""
    known = hooks(platform)
    if scope == USER:
        return os.path.join(home(platform, here), *known.user.split("/"))
    if scope == PROJECT and not known.project:
        return None
    if scope == PROJECT:
        return os.path.join(here.project, *known.project.split("/"))
    path = dict(known.managed).get(here.system)
    return os.path.join(here.root, path.lstrip("/")) if path else None


def targets(platform: str, scope: str, here: Machine) -> tuple[str, ...]:
    """Return every file that our hooks belong into, the one before a tool first; () without a place for that."""
    first = target(platform, scope, here)
    if first is None:
        return ()
    directory = os.path.dirname(first)
    return tuple(dict.fromkeys((first, *(os.path.join(directory, name) for name, _ in hooks(platform).scripts))))


def candidates(platform: str, scope: str, here: Machine) -> tuple[str, ...]:
    """Return every file that the agent looks for hooks in and that is there, the one that ours belong into first."""
    known = hooks(platform)
    also: list[str] = []
    if scope == USER:
        also = [os.path.join(home(platform, here), *name.split("/")) for name in known.also_user]
    elif scope == PROJECT:
        also = [os.path.join(here.project, *name.split("/")) for name in known.also_project]
    paths = list(targets(platform, scope, here))
    for path in also:
        directory, name = os.path.split(path)
        paths += sorted(glob.glob(os.path.join(glob.escape(directory), name)))
    return tuple(path for path in dict.fromkeys(paths) if os.path.isfile(path))


def on_this_machine(platform: str, here: Machine) -> str:
    """Return how it is known that the agent is used here: its program, or its directory.

    "" where it does not seem to be.
    """
    for name in adapter(platform).PROGRAMS:
        program = "" if "/" in name else shutil.which(name, path=here.environ.get("PATH", ""))
        if program:
            return program
    own = home(platform, here)
    return own if os.path.isdir(own) else ""


def agents_here(here: Machine) -> tuple[str, ...]:
    """Return the platforms whose agents are used on this machine."""
    return tuple(platform for platform in PLATFORMS if on_this_machine(platform, here))

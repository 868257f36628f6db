"""What keeps an agent from calling hooks that are set up: its settings, variables, and what it has not been told yet.

What the switches are and where they stand, the platforms' `settings.py` say.
"""

from __future__ import annotations

import os
import re
import tomllib
from typing import TYPE_CHECKING, Any

from rulez_py.doctor.findings import BROKEN, NOTE, Finding
from rulez_py.installing import jsonc
from rulez_py.installing.found import decoded, read
from rulez_py.installing.places import MANAGED, PROJECT, home, hooks, target
from rulez_py.platforms import adapter, part
from rulez_py.policy.search import shown_path
from rulez_py.switches import found as switches
from rulez_py.switches import switches_off

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulez_py.installing.found import Found
    from rulez_py.installing.places import Machine


def switched(platform: str, here: Machine, guards: Sequence[Found]) -> Iterator[Finding]:
    """Everything of one agent that is known to keep it from calling these hooks, or may."""
    yield from _by_files(platform, here)
    yield from _by_moved_settings(platform, here)
    yield from _by_variables(platform, here)
    if not guards:
        return
    yield from _by_the_machine(platform, here, guards)
    yield from _beside_the_hooks(platform, here, guards)
    yield from _not_trusted(platform, here, guards)
    yield from _not_reviewed(platform, here, guards)


def _by_files(platform: str, here: Machine) -> Iterator[Finding]:
    for one in switches((platform,), (here.project, here.own.home), lambda path: _shown(path, here)):
        place = f"{one.path}:{one.line}:{one.column}"
        yield Finding(BROKEN if switches_off(one) else NOTE, f"{place}: {one.message}", one.help)


def _by_moved_settings(platform: str, here: Machine) -> Iterator[Finding]:
    """The same in the person's own settings, where a variable has them elsewhere."""
    known, own = part(platform, "settings"), home(platform, here)
    usual = known.HOOKS.home + "/"
    if own == os.path.join(here.own.home, *known.HOOKS.home.split("/")):
        return
    for settings in (one for one in known.SETTINGS if one.name.startswith(usual) and one.off):
        path = os.path.join(own, settings.name.removeprefix(usual))
        content = _content(path)
        for key, off in settings.off:
            value = _at(content, key)
            if value if isinstance(off, list) else value is off:
                what = f"{_shown(path, here)}: `{key}` switches hooks of {settings.agent} off"
                yield Finding(BROKEN, what, "take that out of the file")


def _by_variables(platform: str, here: Machine) -> Iterator[Finding]:
    known, agent = part(platform, "settings"), adapter(platform).AGENT
    for name in known.STARTS.variables:
        if not here.environ.get(name) or name in known.VARIABLES:
            continue
        mend = f"unset {name} where the agent starts"
        if name in known.STARTS.without_hooks:
            yield Finding(BROKEN, f"{name} is set: {agent} starts without hooks", mend)
        else:
            yield Finding(NOTE, f"{name} is set: {agent} may start with other settings, or without hooks", mend)


def _by_the_machine(platform: str, here: Machine, guards: Sequence[Found]) -> Iterator[Finding]:
    """Switches in the machine's settings."""
    agent, mend = adapter(platform).AGENT, "whoever manages this machine can take that out of the file"
    for name, key, value in hooks(platform).none_at_all:
        path = _of_the_machine(platform, name, here)
        if _at(_content(path), key) is value:
            yield Finding(BROKEN, f"{path}: `{key}` switches all hooks of {agent} off", mend)
    if any(one.scope == MANAGED for one in guards):
        return
    for name, key in hooks(platform).only_managed:
        path = _of_the_machine(platform, name, here)
        if _at(_content(path), key) is True:
            what = f"{path}: by `{key}` {agent} calls only hooks of the machine's settings, and ours are not among them"
            yield Finding(BROKEN, what, f"rulez install {platform} --scope managed, as who manages this machine")


def _beside_the_hooks(platform: str, here: Machine, guards: Sequence[Found]) -> Iterator[Finding]:
    """Switches in the very files that the hooks stand in."""
    for path in dict.fromkeys(one.path for one in guards):
        for key in hooks(platform).skipped_by:
            if _at(_content(path), key) is True:
                what = f"{_shown(path, here)}: by `{key}` {adapter(platform).AGENT} calls no hook of this file"
                yield Finding(BROKEN, what, f"set `{key}` to false there")


# What a person has to say first.


def _not_trusted(platform: str, here: Machine, guards: Sequence[Found]) -> Iterator[Finding]:
    """Whether hooks that stand in the project alone wait for the person to trust it."""
    known, agent = hooks(platform).trusts, adapter(platform).AGENT
    if known is None or any(one.scope != PROJECT for one in guards):
        return
    own = home(platform, here)
    file, key = known.unless
    everywhere = file and _at(_content(os.path.join(own, file)), key) is False
    if everywhere or here.environ.get(known.variable) == "true":
        return
    mend = f"trust this folder where {agent} asks, or `rulez install {platform}` for all your projects"
    if not known.file:
        what = f"its hooks stand in the project alone: {agent} calls them only where you have trusted the folder"
        yield Finding(NOTE, what, mend)
        return
    path = os.path.join(own, known.file)
    folders = _at(_content(path), *known.above)
    said: dict[str, str] = {}
    for name, value in folders.items() if isinstance(folders, dict) else ():
        word = _at(value, *known.below)
        said[os.path.dirname(name) if word == known.parent_word else name] = word
    project = os.path.realpath(here.project)
    fitting = [name for name in said if _is_inside(project, os.path.realpath(name))]
    if not fitting or said[max(fitting, key=len)] not in (known.word, known.parent_word):
        what = f"its hooks stand in the project alone, and {agent} calls none there until you trust the folder"
        yield Finding(BROKEN, f"{what} ({_shown(path, here)} does not have it)", mend)


def _is_inside(path: str, directory: str) -> bool:
    return path == directory or path.startswith(directory.rstrip(os.sep) + os.sep)


def _not_reviewed(platform: str, here: Machine, guards: Sequence[Found]) -> Iterator[Finding]:
    """Hooks that the agent skips until the person has reviewed them. Whether they changed since, nobody can tell."""
    known, agent = hooks(platform).reviews, adapter(platform).AGENT
    if known is None or any(one.scope == MANAGED for one in guards):
        return
    content = _content(os.path.join(home(platform, here), known.file))
    table = _at(content, *known.above)
    reviewed = {_same(key) for key, value in table.items() if _at(value, known.word)} if isinstance(table, dict) else ()
    for one in guards:
        if not one.path.endswith(".json") or len(one.at) != _PLACES:
            place = _shown(one.path, here)
            what = f"whether you have reviewed the hook in {place} is not known: {agent} skips it until then"
            yield Finding(NOTE, what, hooks(platform).afterwards)
            return
        _, event, group, _, entry = one.at
        if _same(f"{one.path}:{_snake(str(event))}:{group}:{entry}") in reviewed:
            return
    what = f"{agent} skips the hook in {_shown(guards[0].path, here)} until you have reviewed it"
    yield Finding(
        BROKEN, what, f"start `{adapter(platform).PROGRAMS[0]}` and say yes to its review, or type /hooks there"
    )


_PLACES = len(("hooks", "event", "group", "hooks", "entry"))


def _same(key: str) -> str:
    """A key with its file as it is without links."""
    path, *rest = key.rsplit(":", 3)
    return ":".join((os.path.realpath(path), *rest))


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


# Files.


def _of_the_machine(platform: str, name: str, here: Machine) -> str:
    """A file of the machine's settings; "" is the one with the hooks."""
    return os.path.join(here.root, name.lstrip("/")) if name else target(platform, MANAGED, here) or ""


def _content(path: str) -> Any:
    """What a settings file says; {} where it cannot be read, which others tell."""
    try:
        text = decoded(read(path)) if path else ""
        if path.endswith(".toml"):
            return tomllib.loads(text)
        return jsonc.parse(text).value if text.strip("\ufeff" + jsonc.BLANKS) else {}
    except (OSError, ValueError, jsonc.Unreadable):
        return {}


def _at(content: Any, *keys: str) -> Any:
    """What stands at dotted keys, each below the one before; None where nothing does."""
    for name in ".".join(keys).split(".") if keys else ():
        content = content.get(name) if isinstance(content, dict) else None
    return content


def _shown(path: str, here: Machine) -> str:
    return shown_path(path, here.project, here.own.home)

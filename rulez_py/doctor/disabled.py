"""What keeps an agent from calling hooks that are set up: settings, variables, and trust not yet given.

The platforms' `settings.py` list the switches and their files.
"""

from __future__ import annotations

import os
import re
import tomllib
from typing import TYPE_CHECKING, Any

from rulez_py.disabled_hooks import found as switches
from rulez_py.disabled_hooks import switches_off, variables_in
from rulez_py.doctor.findings import BROKEN, Finding
from rulez_py.doctor.reviews import MODIFIED, TRUSTED, Listed, same
from rulez_py.doctor.states import finding
from rulez_py.install import blocks, jsonc, yamlc
from rulez_py.install.entries import ACTION, KEY, ON_PATH, entries_in, filled, is_plugin, is_yaml, settings
from rulez_py.install.installed import decoded, read
from rulez_py.install.places import MANAGED, PROJECT, USER, home, hooks, target
from rulez_py.platforms import adapter, part
from rulez_py.platforms.settings import replaces
from rulez_py.policy.store.search import shown_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulez_py.install.entries import Entry
    from rulez_py.install.installed import Found
    from rulez_py.install.places import Machine
    from rulez_py.platforms.settings import FolderTrust, HookSwitches


def switched(
    platform: str, here: Machine, guards: Sequence[Found], listed: tuple[Listed, ...] | None
) -> tuple[Finding, ...]:
    """Return a finding for everything that keeps one agent from calling these hooks, or may.

    `listed` is what the agent itself says of its hooks, None where it says nothing.
    """
    told = [
        *_by_files(platform, here, guards),
        *_by_moved_settings(platform, here),
        *_by_variables(platform, here, guards),
    ]
    if guards:
        told += _by_the_machine(platform, here, guards)
        told += _beside_the_hooks(platform, here, guards)
        told += _altered(platform, here, guards)
        told += _not_trusted(platform, here, guards)
        told += _switched_off_there(platform, here, guards)
        told += _not_accepted(platform, here, guards)
        # With all hooks off, or a project's, the agent lists none: a finding says so already.
        off = any(one.level == BROKEN for one in told)
        if listed != () or not off:
            told += _not_reviewed(platform, here, guards, listed)
    return tuple(told)


def _by_files(platform: str, here: Machine, guards: Sequence[Found]) -> Iterator[Finding]:
    takes_its_place = replaces(part(platform, "settings").SETTINGS)
    calls_rulez = {_shown(one.path, here) for one in guards if takes_its_place and one.scope == PROJECT}
    for one in switches((platform,), (here.project, here.own.home), lambda path: _shown(path, here)):
        if one.path in calls_rulez:
            continue
        name = "switched-off" if switches_off(one) else "surroundings"
        said = f"{one.path}:{one.line}:{one.column}: {one.message}"
        yield finding(name, platform, said=said, advice=one.help)


def _by_moved_settings(platform: str, here: Machine) -> Iterator[Finding]:
    """Yield switches in the person's own settings where a variable moves them."""
    known, own = part(platform, "settings"), home(platform, here)
    usual = known.HOOKS.home + "/"
    if own == os.path.join(here.own.home, *known.HOOKS.home.split("/")):
        return
    for file in (one for one in known.SETTINGS if one.name.startswith(usual) and one.off):
        path = os.path.join(own, file.name.removeprefix(usual))
        content = _content(path)
        for key, off in file.off:
            value = _at(content, key)
            if value if isinstance(off, list) else value is off:
                said = f"{_shown(path, here)}: `{key}` switches hooks of {file.agent} off"
                yield finding("switched-off", platform, said=said, advice="take that out of the file")


def _by_variables(platform: str, here: Machine, guards: Sequence[Found]) -> Iterator[Finding]:
    known = part(platform, "settings")
    in_project = bool(guards) and all(one.scope == PROJECT for one in guards)
    for name in known.STARTS.variables:
        if not here.environ.get(name) or name in known.VARIABLES:
            continue
        state = "starts-otherwise"
        if name in known.STARTS.without_hooks:
            state = "starts-without-hooks"
        elif name in known.STARTS.without_project and in_project:
            state = "starts-without-the-projects"
        yield finding(state, platform, variable=name)
    path = os.path.join(home(platform, here), known.HOOKS.dotenv)
    there = {name for name, *_ in variables_in(_text(path))} if known.HOOKS.dotenv else ()
    for name in (one for one in known.STARTS.without_hooks if one in there):
        yield finding("starts-without-hooks", platform, variable=f"{name} in {_shown(path, here)}")


def _by_the_machine(platform: str, here: Machine, guards: Sequence[Found]) -> Iterator[Finding]:
    """Yield switches in the machine's settings."""
    for name, key, value in hooks(platform).none_at_all:
        path = _of_the_machine(platform, name, here)
        if _at(_content(path), key) is value:
            yield finding("machine-has-none", platform, where=path, key=key)
    if any(one.scope == MANAGED for one in guards):
        return
    advice = _TO_THE_MACHINE.format(platform) if target(platform, MANAGED, here) else _TAKE_OUT
    for name, key in hooks(platform).only_managed:
        path = _of_the_machine(platform, name, here)
        if _at(_content(path), key) not in (None, False):
            where = _shown(path, here) if name and not name.startswith("/") else path
            yield finding("machine-has-others", platform, where=where, key=key, advice=advice)


_TO_THE_MACHINE = "rulez install {} --scope managed, as the administrator of this machine"
_TAKE_OUT = "take that out of the file, or ask the administrator of this machine to"


def _beside_the_hooks(platform: str, here: Machine, guards: Sequence[Found]) -> Iterator[Finding]:
    """Yield switches in the files that hold the hooks."""
    for path in dict.fromkeys(one.path for one in guards):
        for key in hooks(platform).skipped_by:
            if _at(_content(path), key) is True:
                yield finding("skips-the-file", platform, where=_shown(path, here), key=key)
        for said in _not_known(platform, _content(path)):
            yield finding("refuses-the-list", platform, where=_shown(path, here), said=said)
    for event, directory in dict.fromkeys((one.event, os.path.dirname(one.path)) for one in guards):
        for name in hooks(platform).overruled_by:
            path = os.path.join(directory, name)
            if _at(_content(path), event):
                yield finding("overruled", platform, where=_shown(path, here), event=event)


def _not_known(platform: str, content: Any) -> Iterator[str]:
    """Yield what has the agent call no hook of a file where each must be as it knows them; one word is enough."""
    known = hooks(platform).strict
    listed = _at(content, KEY) if known else ()
    for hook in listed if isinstance(listed, list) else ():
        odd = [key for key in hook if key not in known] if isinstance(hook, dict) else [KEY]
        if not odd and hook.get("event") not in adapter(platform).EVENTS:
            odd = [str(hook.get("event"))]
        if odd:
            yield f"`{odd[0]}`"
            return


_HARMLESS = ("command", "bash", "powershell", "exec", "args", "description", "name", "statusMessage", "hooks")
"""Keys of an entry that do not affect if it is called. The command itself is tried."""
_LIMITS = ("timeout", "timeoutSec")


def _altered(platform: str, here: Machine, guards: Sequence[Found]) -> Iterator[Finding]:
    """Yield keys of a hook before a tool that differ from what rulez writes: agents were seen to skip such hooks."""
    known = hooks(platform)
    for path in dict.fromkeys(one.path for one in guards) if known.ends else ():
        said = _odd_in_lines(platform, path)
        if said:
            yield finding("altered", platform, where=_shown(path, here), said=said)
    if is_plugin(platform):
        return
    wanted = {one.event: _keys_of(settings(platform, ON_PATH), one.path) for one in _ours_in(platform)}
    for one in guards:
        if one.event in wanted:
            there = _keys_of(_content(one.path), one.at)
            odd = [key for key in {**wanted[one.event], **there} if _is_less(key, there, wanted[one.event])]
            if odd:
                place = f"{_shown(one.path, here)}:{one.line}" if one.line else _shown(one.path, here)
                yield finding("altered", platform, where=place, said=", ".join(f"`{key}`" for key in odd))


def _odd_in_lines(platform: str, path: str) -> str:
    """Return the first key of our lines in a file that is not as rulez writes it; "" where all are."""
    known = hooks(platform)
    try:
        text = decoded(read(path)).removeprefix("\ufeff")
        texts = (text, blocks.inside(known, text), filled(platform, ON_PATH))
        every, ours, wanted = (tomllib.loads(one)["hooks"] for one in texts)
    except (OSError, ValueError, KeyError, jsonc.Unreadable):
        return "what begins and ends the lines"
    # Of hooks with one name the agent takes the first.
    named = [hook for hook in every if isinstance(hook, dict) and "name" in hook]
    by_name = {blocks.called(hook): hook for hook in reversed([*named, *ours])}
    for hook in wanted:
        has = by_name.get(blocks.called(hook))
        if has is None or has not in ours:
            return f"`{blocks.called(hook)}`"
        odd = [key for key in {**hook, **has} if key not in _HARMLESS and _is_less(key, has, hook)]
        if odd:
            return ", ".join(f"`{key}`" for key in odd)
    return ""


def _ours_in(platform: str) -> tuple[Entry, ...]:
    """Return the hooks that rulez writes for this agent."""
    return tuple(entries_in(settings(platform, ON_PATH)))


def _keys_of(content: Any, path: Sequence[str | int]) -> dict[str, Any]:
    """Return the keys of an entry and its group; {} without an entry."""
    found: dict[str, Any] = {}
    try:
        for step in path:
            content = content[step]
            if isinstance(content, dict) and isinstance(step, int):
                found |= content
    except (KeyError, IndexError, TypeError):
        return {}
    action = found.pop(ACTION, None)
    found |= action if isinstance(action, dict) else {}
    return {key: value for key, value in found.items() if key not in _HARMLESS}


def _is_less(key: str, there: dict[str, Any], wanted: dict[str, Any]) -> bool:
    has, wants = there.get(key), wanted.get(key)
    if key == "matcher":
        return (has if has != "*" else None) != (wants if wants != "*" else None)
    if key in _LIMITS and isinstance(has, (int, float)) and isinstance(wants, (int, float)):
        return has < wants
    return bool(has != wants)


# Trust and reviews, which a person has to give first.


def _not_trusted(platform: str, here: Machine, guards: Sequence[Found]) -> Iterator[Finding]:
    """Yield a finding where hooks that are in the project alone wait for the person to trust it."""
    known = hooks(platform).trusts
    if known is None or any(one.scope != PROJECT for one in guards):
        return
    if _is_false(platform, here, known.unless) or here.environ.get(known.variable) in known.variable_words:
        return
    if not known.file:
        yield finding("folder-trust-unknown", platform)
        return
    path = os.path.join(home(platform, here), known.file)
    said = _said_of_folders(known, _content(path))
    project = os.path.realpath(here.project)
    fitting = [name for name in said if _is_inside(project, os.path.realpath(name))]
    if not fitting or said[max(fitting, key=len)] not in (known.word, known.parent_word):
        yield finding("folder-not-trusted", platform, where=_shown(path, here))


def calls_another_s(platform: str, here: Machine, one: Found) -> bool:
    """Tell whether the agent calls this hook in another agent's file (`also_calls`), as far as its settings say."""
    known = hooks(platform).also_calls
    if known is None:
        return False
    variable, word = known.unless_variable
    if (variable and here.environ.get(variable) == word) or _is_false(platform, here, known.unless):
        return False
    return all(said.state != "folder-not-trusted" for said in _not_trusted(platform, here, [one]))


def _is_false(platform: str, here: Machine, place: tuple[str, str]) -> bool:
    """Tell whether a key of a file in the agent's own directory is false; ("", "") is no such place."""
    file, key = place
    return bool(file) and _at(_content(os.path.join(home(platform, here), file)), key) is False


def _said_of_folders(known: FolderTrust, content: Any) -> dict[str, object]:
    """Return each folder of the agent's list, with its word."""
    said: dict[str, object] = {}
    folders = _at(content, *known.above)
    for name, value in folders.items() if isinstance(folders, dict) and not all(known.lists) else ():
        word = _at(value, *known.below)
        said[os.path.dirname(name) if word == known.parent_word else name] = word
    for key, word in zip(known.lists, (known.word, not known.word), strict=True):
        listed = _at(content, key) if key else ()
        said |= {name: word for name in (listed if isinstance(listed, list) else ()) if isinstance(name, str)}
    return said


def _switched_off_there(platform: str, here: Machine, guards: Sequence[Found]) -> Iterator[Finding]:
    """Yield a finding where the person has switched every hook before tools off, by the agent's own list."""
    known = hooks(platform).switches
    if known is None:
        return
    try:
        text = decoded(read(os.path.join(home(platform, here), known.file)))
    except (OSError, jsonc.Unreadable):
        return
    off = {line.strip() for line in text.splitlines()}
    if all(_name_there(known, one) in off for one in guards):
        where, program = _shown(guards[0].path, here), adapter(platform).PROGRAMS[0]
        yield finding("disabled-there", platform, where=where, program=program)


def _name_there(known: HookSwitches, one: Found) -> str:
    """Return the name of a hook in the agent's list of those that are off; "" for those of the machine."""
    scope = {USER: known.user, PROJECT: known.project}.get(one.scope)
    if scope is None or len(one.at) < _STEPS:
        return ""
    _, event, group, *inner = one.at
    file = os.path.splitext(os.path.basename(one.path))[0]
    return known.name.format(scope=scope, file=file, event=_snake(str(event)), group=group, entry=inner[-1])


def _not_accepted(platform: str, here: Machine, guards: Sequence[Found]) -> Iterator[Finding]:
    """Yield hooks before tools that the agent skips, since its list of those that the person accepts lacks them."""
    known = hooks(platform)
    variable, key = known.approves_all
    if not known.approvals or here.environ.get(variable, "").strip().lower() in _ON:
        return
    path = os.path.join(home(platform, here), known.approvals)
    listed = _at(_content(path), "approvals")
    accepted = [(_at(one, "event"), _at(one, "command")) for one in (listed if isinstance(listed, list) else ())]
    for one in guards:
        if (one.event, one.command) not in accepted and _at(_content(one.path), key) not in (True, *_ON):
            where, program = _shown(one.path, here), adapter(platform).PROGRAMS[0]
            yield finding("not-accepted", platform, where=where, program=program, list=_shown(path, here))
            return


_ON = ("1", "true", "yes", "on")


_STEPS = 4
"""Steps to a hook that is in a group: `hooks`, its event, the group, and its place there."""


def _is_inside(path: str, directory: str) -> bool:
    return path == directory or path.startswith(directory.rstrip(os.sep) + os.sep)


def _not_reviewed(
    platform: str, here: Machine, guards: Sequence[Found], listed: tuple[Listed, ...] | None
) -> Iterator[Finding]:
    """Yield hooks that the agent skips until the person has reviewed their present form."""
    known = hooks(platform).reviews
    if known is None or any(one.scope == MANAGED for one in guards):
        return
    if listed is None:
        state = "review-unknown" if _once_reviewed(platform, here, guards) else "not-reviewed"
    else:
        state = _listed_as(guards, listed)
    if state:
        where, program = _shown(guards[0].path, here), adapter(platform).PROGRAMS[0]
        yield finding(state, platform, where=where, program=program)


def _listed_as(guards: Sequence[Found], listed: tuple[Listed, ...]) -> str:
    """Return the state of the hooks before tools from the agent's own list.

    "" where it calls one for each event.
    """
    of = {one.key: one for one in listed}
    for event in dict.fromkeys(one.event for one in guards):
        known = [of[key] for key in (_key(one) for one in guards if one.event == event) if key in of]
        if any(one.called for one in known):
            continue
        if not known:
            return "not-listed"
        if any(one.trust == MODIFIED for one in known):
            return "changed-since-review"
        return "disabled-there" if any(one.trust == TRUSTED for one in known) else "not-reviewed"
    return ""


def _once_reviewed(platform: str, here: Machine, guards: Sequence[Found]) -> bool:
    """Tell whether the agent's settings know of a review of one of these hooks."""
    known = hooks(platform).reviews
    assert known is not None
    table = _at(_content(os.path.join(home(platform, here), known.file)), *known.above)
    reviewed = {same(key) for key, value in table.items() if _at(value, known.word)} if isinstance(table, dict) else ()
    return any(_key(one) in reviewed for one in guards)


def _key(one: Found) -> str:
    _, event, group, *inner = one.at
    return same(f"{one.path}:{_snake(str(event))}:{group}:{inner[-1] if inner else 0}")


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


# Files.


def _of_the_machine(platform: str, name: str, here: Machine) -> str:
    """Return a file of the machine's settings; "" is the one with the hooks, others may be in the agent's directory."""
    if name and not name.startswith("/"):
        return os.path.join(home(platform, here), *name.split("/"))
    return os.path.join(here.root, name.lstrip("/")) if name else target(platform, MANAGED, here) or ""


def _text(path: str) -> str:
    """Return the text of a file, "" where it cannot be read."""
    try:
        return decoded(read(path))
    except (OSError, jsonc.Unreadable):
        return ""


def _content(path: str) -> Any:
    """Return the content of a settings file; {} where it cannot be read, which another finding reports."""
    try:
        text = decoded(read(path)) if path else ""
        if path.endswith(".toml"):
            return tomllib.loads(text)
        if is_yaml(path):
            return yamlc.value(text)
        return jsonc.parse(text).value if text.strip("\ufeff" + jsonc.BLANKS) else {}
    except (OSError, ValueError, jsonc.Unreadable):
        return {}


def _at(content: Any, *keys: str) -> Any:
    """Return the value at dotted keys, each below the one before; None without one."""
    for name in ".".join(keys).split(".") if keys else ():
        content = content.get(name) if isinstance(content, dict) else None
    return content


def _shown(path: str, here: Machine) -> str:
    return shown_path(path, here.project, here.own.home)

"""One agent: whether our hooks are set up in it, whether they answer, and what keeps them from being called."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

from rulez_py.doctor.findings import BROKEN, NOTE, AgentState, Finding, Place, Tried
from rulez_py.doctor.trial import trials
from rulez_py.history.reading import Query, last_entries, log_files
from rulez_py.installing.entries import KEY, ON_PATH, is_plugin, is_rulez, settings
from rulez_py.installing.found import decoded, found, not_read_for, read
from rulez_py.installing.jsonc import Unreadable
from rulez_py.installing.places import SCOPES, hooks, on_this_machine
from rulez_py.platforms import adapter, part
from rulez_py.policy.search import shown_path
from rulez_py.switches import found as switches
from rulez_py.switches import switches_off

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulez_py.installing.found import Found
    from rulez_py.installing.places import Machine

_SLOW_MS = 5000


def examine(platform: str, here: Machine, *, trying: bool) -> AgentState:
    """What is known of one agent; with `trying` its version is asked for and its hook is called. Raises nothing."""
    there = on_this_machine(platform, here)
    ours = [one for scope in SCOPES for one in found(platform, scope, here)[0] if _is_for(platform, one)]
    guards = [one for one in ours if _guards(platform, one)]
    tried: tuple[Tried, ...] = trials(platform, guards[0].command, here) if trying and guards else ()
    version = _version(there) if trying else ""
    fired = _fired(platform, here)
    findings = [
        *_set_up(platform, here, ours, guards),
        *_unread(platform, here),
        *_answers(platform, tried),
        *_switched(platform, here),
        *_unproved(platform, version),
        *_unfired(platform, fired, guards),
    ]
    return AgentState(
        platform=platform,
        agent=adapter(platform).AGENT,
        there=there,
        version=version,
        proved=_proved(platform),
        places=tuple(dict.fromkeys(Place(one.scope, one.path, one.line, one.command) for one in guards)),
        tried=tried,
        fired=fired,
        findings=tuple(dict.fromkeys(findings)),
    )


def _is_for(platform: str, one: Found) -> bool:
    return f"--platform {platform}" in one.command or f"--platform={platform}" in one.command or is_rulez(one.command)


def _guards(platform: str, one: Found) -> bool:
    """Whether it is called before a tool; a plugin always is."""
    spec = adapter(platform).EVENTS.get(one.event)
    return not one.event or (spec is not None and "PreToolUse" in spec.types)


def _set_up(platform: str, here: Machine, ours: list[Found], guards: list[Found]) -> Iterator[Finding]:
    mend = f"rulez install {platform}"
    if not guards:
        yield Finding(BROKEN, "no hook of rulez is set up: nothing judges its calls", mend)
        return
    if any(is_rulez(one.command) for one in ours):
        yield Finding(BROKEN, f"{_at(guards[0], here)} calls RuleZ, which rulez takes the place of", mend)
    if not is_plugin(platform):
        missing = sorted(set(settings(platform, ON_PATH)[KEY]) - {one.event for one in ours})
        if missing:
            yield Finding(NOTE, f"no hook at {', '.join(missing)}: set up by an older rulez, or by hand", mend)
    counted: dict[tuple[str, str, str], list[Found]] = {}
    for one in guards:
        counted.setdefault((one.event, str(one.entry.get("matcher", "")), ""), []).append(one)
    twice = next((same for same in counted.values() if len(same) > 1), None)
    if twice:
        where = " and ".join(dict.fromkeys(_at(one, here) for one in twice))
        yield Finding(NOTE, f"set up more than once, so each call is judged twice: {where}", _once(twice))


def _once(twice: list[Found]) -> str:
    scopes = list(dict.fromkeys(one.scope for one in twice))
    if len(scopes) > 1:
        return f"rulez uninstall {twice[0].platform} --scope {scopes[-1]}"
    return f"take one of them out, or `rulez uninstall {twice[0].platform}` and install it again"


def _at(one: Found, here: Machine) -> str:
    return f"{_shown(one.path, here)}:{one.line}" if one.line else _shown(one.path, here)


def _shown(path: str, here: Machine) -> str:
    return shown_path(path, here.project, here.own.home)


def _unread(platform: str, here: Machine) -> Iterator[Finding]:
    """Files in which hooks would stand, and that the agent or we cannot read."""
    for scope in SCOPES:
        ours, unread = found(platform, scope, here)
        for bad in unread:
            place = ":".join((_shown(bad.path, here), *map(str, bad.at)))
            yield Finding(BROKEN, f"{place}: {bad.message}", "mend this file, then `rulez doctor` again")
        for path in dict.fromkeys(one.path for one in ours if one.path.endswith(".json")):
            try:
                odd = not_read_for(platform, decoded(read(path)))
            except (OSError, Unreadable):
                continue
            for one in odd:
                place = ":".join((_shown(path, here), *map(str, one.at)))
                what = f"{place}: {adapter(platform).AGENT} reads no settings with {one.what}, so it calls no hook"
                yield Finding(BROKEN, what, "take that out of the file")


def _answers(platform: str, tried: tuple[Tried, ...]) -> Iterator[Finding]:
    for one in tried:
        if not one.right:
            said = f" ({' '.join(one.said.split())})" if one.said else ""
            what = f"the installed command answers {one.got} where it should {one.wanted}{said}"
            yield Finding(BROKEN, what, f"rulez install {platform}")
    if tried and tried[0].right and tried[0].wanted != "deny":
        what = "self-protection is off or relaxed, so that a denial comes through could not be tried"
        yield Finding(NOTE, what, "leave out `self_protection: false` and `overrides` of it in your own policy")
    slowest = max((one.ms for one in tried), default=0.0)
    if slowest > _SLOW_MS:
        yield Finding(
            NOTE, f"a call took {slowest / 1000:.1f} s", "look for slow scripts in the policy: `rulez log --summary`"
        )


def _switched(platform: str, here: Machine) -> Iterator[Finding]:
    """What files and variables do to the hooks."""
    directories = (here.project, here.own.home)
    for one in switches((platform,), directories, lambda path: _shown(path, here)):
        place = f"{one.path}:{one.line}:{one.column}"
        yield Finding(BROKEN if switches_off(one) else NOTE, f"{place}: {one.message}", one.help)
    known = part(platform, "settings")
    for name in known.STARTS.variables:
        if here.environ.get(name) and name not in known.VARIABLES:
            what = f"{name} is set: {adapter(platform).AGENT} may start with other settings, or without hooks"
            yield Finding(NOTE, what, f"unset {name} where the agent starts")


def _unfired(platform: str, fired: str, guards: list[Found]) -> Iterator[Finding]:
    afterwards = hooks(platform).afterwards
    if guards and not fired and afterwards:
        yield Finding(NOTE, "it has never called rulez yet", afterwards)


# Versions, and the log.


def _proved(platform: str) -> str:
    version: str = part(platform, "settings").PROVED
    return version


def _version(program: str) -> str:
    """The version that the agent's program tells, "" where it tells none."""
    if not os.path.isfile(program):
        return ""
    try:
        told = subprocess.run(
            [program, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    match = re.search(r"\d+\.\d+\.\d+", told.stdout)
    return match[0] if match else ""


def _unproved(platform: str, version: str) -> Iterator[Finding]:
    proved = _proved(platform)
    if version and _number(version) > _number(proved):
        what = f"version {version} is newer than {proved}, the last one that rulez was proved with"
        yield Finding(NOTE, what, "update rulez; see in the agent that a call which should be denied is")
    elif version and _number(version) < _number(proved):
        what = f"version {version} is older than {proved}, which rulez was proved with"
        yield Finding(NOTE, what, f"update {adapter(platform).AGENT}")


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _fired(platform: str, here: Machine) -> str:
    """When the agent last had a call judged, "" where the log knows none."""
    query = Query(platforms=frozenset((platform,)))
    try:
        last = last_entries(log_files(here.own.state, query), query, 1)
    except OSError:
        return ""
    return last[0]["time"] if last else ""

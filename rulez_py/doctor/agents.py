"""One agent: whether our hooks are set up in it, whether they answer, and what keeps them from being called."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from rulez_py.doctor.disabled import switched
from rulez_py.doctor.findings import AgentState, Place
from rulez_py.doctor.reviews import Listed, listed
from rulez_py.doctor.states import finding
from rulez_py.doctor.trial import Answered, asked, compared
from rulez_py.history.reading import Query, last_entries, log_files
from rulez_py.install.entries import KEY, ON_PATH, is_plugin, is_rulez, settings
from rulez_py.install.installed import decoded, found, not_read_for, read
from rulez_py.install.jsonc import Unreadable
from rulez_py.install.owners import why_changeable
from rulez_py.install.places import MANAGED, PROJECT, SCOPES, USER, on_this_machine
from rulez_py.platforms import adapter, part
from rulez_py.policy.store.search import shown_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rulez_py.doctor.findings import Finding, Tried
    from rulez_py.install.installed import Found
    from rulez_py.install.places import Machine

_SLOW_MS = 5000


class Told(NamedTuple):
    """What other programs told of one agent: its version, its own list of its hooks, the answers to the trial."""

    version: str = ""
    listed: tuple[Listed, ...] | None = None
    answered: tuple[Answered, ...] = ()


def ask(platforms: Sequence[str], here: Machine, *, trying: bool) -> dict[str, Told]:
    """Asks the programs of these agents, all at once; their versions and our hooks only with `trying`."""
    begun = {platform: _begun(platform, here, trying=trying) for platform in platforms}
    return {platform: Told(*(one.result() for one in questions)) for platform, questions in begun.items()}


def _begun(platform: str, here: Machine, *, trying: bool) -> tuple[_Question, ...]:
    program = on_this_machine(platform, here)
    guards = _ours(platform, here)[1]
    return (
        _Question(lambda: version(platform, program if trying else "", here)),
        _Question(lambda: listed(platform, program if guards else "", here)),
        _Question(lambda: asked(platform, guards[0].command, here) if guards and trying else ()),
    )


class _Question:
    """What another program is asked in a thread of its own (`concurrent` is not in the frozen program)."""

    def __init__(self, ask: Callable[[], Any]) -> None:
        self._ask = ask
        self._answer: Any = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._answer = self._ask()
        except BaseException as error:
            self._error = error

    def result(self) -> Any:
        """Return the answer, waited for. Raises what asking raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._answer


def examine(platform: str, here: Machine, told: Told) -> AgentState:
    """Return what is known of one agent. Raises nothing."""
    there = on_this_machine(platform, here)
    ours, guards = _ours(platform, here)
    tried = compared(platform, told.answered, here)
    fired = _fired(platform, here)
    findings = [
        *_set_up(platform, here, ours, guards),
        *_unread(platform, here),
        *_others_program(platform, here, guards),
        *_answers(platform, tried),
        *switched(platform, here, guards, told.listed),
        *_unproved(platform, told.version),
    ]
    return AgentState(
        platform=platform,
        agent=adapter(platform).AGENT,
        there=there,
        version=told.version,
        proved=_proved(platform),
        places=tuple(dict.fromkeys(Place(one.scope, one.path, one.line, one.command) for one in guards)),
        tried=tried,
        fired=fired,
        findings=tuple(dict.fromkeys(findings)),
    )


def _ours(platform: str, here: Machine) -> tuple[list[Found], list[Found]]:
    """Our hooks for this agent, and those of them that are called before a tool."""
    ours = [one for scope in SCOPES for one in found(platform, scope, here)[0] if _is_for(platform, one)]
    return ours, [one for one in ours if _guards(platform, one)]


def _is_for(platform: str, one: Found) -> bool:
    return f"--platform {platform}" in one.command or f"--platform={platform}" in one.command or is_rulez(one.command)


def _guards(platform: str, one: Found) -> bool:
    """Tell whether it is called before a tool; a plugin always is."""
    spec = adapter(platform).EVENTS.get(one.event)
    return not one.event or (spec is not None and "PreToolUse" in spec.types)


def _set_up(platform: str, here: Machine, ours: list[Found], guards: list[Found]) -> Iterator[Finding]:
    if not guards:
        yield finding("no-hook", platform)
        return
    if any(is_rulez(one.command) for one in ours):
        yield finding("rulez-before", platform, where=_at(guards[0], here))
    if not is_plugin(platform):
        missing = sorted(set(settings(platform, ON_PATH)[KEY]) - {one.event for one in ours})
        if missing:
            yield finding("events-missing", platform, said=", ".join(missing))
    counted: dict[tuple[str, str], list[Found]] = {}
    for one in guards:
        counted.setdefault((one.event, str(one.entry.get("matcher", ""))), []).append(one)
    twice = next((same for same in counted.values() if len(same) > 1), None)
    if twice:
        where = " and ".join(dict.fromkeys(_at(one, here) for one in twice))
        yield finding("twice", platform, where=where, advice=_once(twice))


def _once(twice: list[Found]) -> str:
    """Return which copy can go: a person's own, never the team's or the company's."""
    platform, scopes = twice[0].platform, {one.scope for one in twice}
    if scopes == {USER, PROJECT}:
        return f"leave the project's, it is everybody's; yours holds in your other projects: {_OWN.format(platform)}"
    if len(scopes) == 1:
        return f"take one of them out, or `rulez uninstall {platform}` and install it again"
    return f"{_OWN.format(platform)}" if USER in scopes else "leave both: neither of them is yours alone"


_OWN = "`rulez uninstall {}` takes out yours"


def _at(one: Found, here: Machine) -> str:
    return f"{_shown(one.path, here)}:{one.line}" if one.line else _shown(one.path, here)


def _shown(path: str, here: Machine) -> str:
    return shown_path(path, here.project, here.own.home)


def _unread(platform: str, here: Machine) -> Iterator[Finding]:
    """Yield files in which hooks would stand, and that the agent or we cannot read."""
    for scope in SCOPES:
        ours, unread = found(platform, scope, here)
        for bad in unread:
            place = ":".join((_shown(bad.path, here), *map(str, bad.at)))
            yield finding("unreadable", platform, where=place, said=bad.message)
        for path in dict.fromkeys(one.path for one in ours if one.path.endswith(".json")):
            try:
                odd = not_read_for(platform, decoded(read(path)))
            except (OSError, Unreadable):
                continue
            for one in odd:
                place = ":".join((_shown(path, here), *map(str, one.at)))
                yield finding("not-its-json", platform, where=place, said=one.what)


def _others_program(platform: str, here: Machine, guards: list[Found]) -> Iterator[Finding]:
    """Yield a program of the machine's hooks that somebody but root can put another one in the place of."""
    for one in guards:
        why = why_changeable(one.command) if one.scope == MANAGED else ""
        if why:
            yield finding("program-changeable", platform, where=_at(one, here), said=why)


def _answers(platform: str, tried: tuple[Tried, ...]) -> Iterator[Finding]:
    for one in tried:
        if not one.right:
            said = f" ({' '.join(one.said.split())})" if one.said else ""
            yield finding("wrong-answer", platform, said=f"{one.got} where it should {one.wanted}{said}")
    if tried and tried[0].right and tried[0].wanted != "deny":
        yield finding("deny-not-tried", platform)
    slowest = max((one.ms for one in tried), default=0.0)
    if slowest > _SLOW_MS:
        yield finding("slow", platform, said=f"{slowest / 1000:.1f}")


# Versions, and the log.


def _proved(platform: str) -> str:
    version: str = part(platform, "settings").PROVED
    return version


def version(platform: str, program: str, here: Machine) -> str:
    """The version of the agent's program, "" where it is not known: as its package says, else as it tells itself."""
    if not os.path.isfile(program):
        return ""
    return _packaged(platform, program) or _version(_told(program, here))


def _packaged(platform: str, program: str) -> str:
    """As the package says that the program belongs to: that takes no start, which is seconds with some."""
    package = part(platform, "settings").PACKAGE
    directory = os.path.realpath(program)
    for _ in range(_DEEPEST if package else 0):
        directory = os.path.dirname(directory)
        try:
            content = json.loads(read(os.path.join(directory, "package.json")))
        except (OSError, ValueError):
            continue
        if isinstance(content, dict) and content.get("name") == package:
            return _version(str(content.get("version")))
    return ""


_DEEPEST = 5
"""Directories above a program in which its package.json is looked for."""


def _told(program: str, here: Machine) -> str:
    try:
        return subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
            env=dict(here.environ),
        ).stdout
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""


def _version(text: str) -> str:
    match = re.search(r"\d+\.\d+\.\d+", text)
    return match[0] if match else ""


def _unproved(platform: str, version: str) -> Iterator[Finding]:
    proved = _proved(platform)
    if version and _number(version) != _number(proved):
        state = "newer" if _number(version) > _number(proved) else "older"
        yield finding(state, platform, version=version, proved=proved)


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _fired(platform: str, here: Machine) -> str:
    """Return when the agent last had a call judged, "" where the log knows none."""
    query = Query(platforms=frozenset((platform,)))
    try:
        last = last_entries(log_files(here.own.state, query), query, 1)
    except OSError:
        return ""
    return last[0]["time"] if last else ""

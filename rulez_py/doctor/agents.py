"""One agent: are rulez' hooks set up in it, do they answer, and what keeps the agent from calling them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from rulez_py.doctor.disabled import calls_another_s, switched
from rulez_py.doctor.findings import AgentState, Place, ServerState
from rulez_py.doctor.reviews import Listed, listed
from rulez_py.doctor.states import finding
from rulez_py.doctor.trial import Answered, asked, compared
from rulez_py.history.reading import Query, last_entries, log_files
from rulez_py.install.entries import events, is_for, is_rulez
from rulez_py.install.installed import decoded, found, not_read_for, read
from rulez_py.install.jsonc import Unreadable
from rulez_py.install.mcp_servers import servers
from rulez_py.install.owners import why_changeable
from rulez_py.install.places import MANAGED, PROJECT, SCOPES, USER, hooks, on_this_machine
from rulez_py.platforms import adapter, part
from rulez_py.platforms.settings import replaces
from rulez_py.policy.store.search import shown_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rulez_py.doctor.findings import Finding, Tried
    from rulez_py.install.installed import Found
    from rulez_py.install.places import Machine

_SLOW_MS = 5000


class Reported(NamedTuple):
    """The output of other programs about one agent: its version, its list of hooks, the answers to the trial."""

    version: str = ""
    listed: tuple[Listed, ...] | None = None
    answered: tuple[Answered, ...] = ()


def ask(platforms: Sequence[str], here: Machine, *, trying: bool) -> dict[str, Reported]:
    """Ask the programs of these agents in parallel; start the agents and rulez' hooks only with `trying`."""
    begun = {platform: _begun(platform, here, trying=trying) for platform in platforms}
    return {platform: Reported(*(one.result() for one in questions)) for platform, questions in begun.items()}


def _begun(platform: str, here: Machine, *, trying: bool) -> tuple[_Question, ...]:
    program = on_this_machine(platform, here)
    guards = _ours(platform, here)[1]
    return (
        _Question(lambda: version(platform, program if trying else "", here)),
        _Question(lambda: listed(platform, program if guards else "", here)),
        _Question(lambda: asked(platform, guards[0].command, here) if guards and trying else ()),
    )


class _Question:
    """A question to another program, in a thread of its own (`concurrent` is not in the frozen program)."""

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
        """Wait for the answer and return it. Raises what the question raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._answer


def examine(platform: str, here: Machine, reported: Reported) -> AgentState:
    """Return the state of one agent. Raises nothing."""
    there = on_this_machine(platform, here)
    ours, guards = _ours(platform, here)
    tried = compared(platform, reported.answered, here)
    fired = _fired(platform, here)
    findings = [
        *_set_up(platform, here, ours, guards),
        *_beside(platform, here, guards),
        *_unread(platform, here),
        *_others_program(platform, here, guards),
        *_answers(platform, tried),
        *switched(platform, here, guards, reported.listed),
        *_unproved(platform, reported.version),
    ]
    return AgentState(
        platform=platform,
        agent=adapter(platform).AGENT,
        there=there,
        version=reported.version,
        proved=_proved(platform),
        places=tuple(dict.fromkeys(Place(one.scope, one.path, one.line, one.command) for one in guards)),
        tried=tried,
        fired=fired,
        findings=tuple(dict.fromkeys(findings)),
        servers=tuple(
            ServerState(scope, one.file, one.name, one.state)
            for scope in SCOPES
            for one in servers(platform, scope, here)
        ),
    )


def _ours(platform: str, here: Machine) -> tuple[list[Found], list[Found]]:
    """Return rulez' hooks for this agent, and those of them that are called before a tool."""
    ours = [one for scope in SCOPES for one in found(platform, scope, here)[0] if _is_for(platform, one)]
    return ours, [one for one in ours if _guards(platform, one)]


def _is_for(platform: str, one: Found) -> bool:
    return is_for(platform, one.command) or is_rulez(one.command)


def _guards(platform: str, one: Found) -> bool:
    """Tell whether it is called before a tool; a plugin always is."""
    spec = adapter(platform).EVENTS.get(one.event)
    return not one.event or (spec is not None and "PreToolUse" in spec.types)


def _set_up(platform: str, here: Machine, ours: list[Found], guards: list[Found]) -> Iterator[Finding]:
    if not guards:
        theirs = _others(platform, here)
        where = " and ".join(_at(one, here) for one in theirs)
        state = "only-anothers" if theirs else "no-hook"
        yield finding(state, platform, where=where, other=adapter(theirs[0].platform).AGENT if theirs else "")
        return
    if any(is_rulez(one.command) for one in ours):
        yield finding("rulez-before", platform, where=_at(guards[0], here))
    missing = sorted(set(events(platform)) - {one.event for one in ours})
    if missing:
        yield finding("events-missing", platform, said=", ".join(missing))
    counted: dict[tuple[str, str], list[Found]] = {}
    for one in guards:
        counted.setdefault((one.event, str(one.entry.get("matcher", ""))), []).append(one)
    twice = next((same for same in counted.values() if len(same) > 1 and not _one_replaces(platform, same)), None)
    if twice:
        where = " and ".join(dict.fromkeys(_at(one, here) for one in twice))
        yield finding("twice", platform, where=where, advice=_once(twice))


def _others(platform: str, here: Machine) -> list[Found]:
    """Return rulez' hooks before tools in another agent's files, where this agent calls them as well."""
    known = hooks(platform).also_calls
    if known is None:
        return []
    paths = [_placed(name, here) for name in known.files]
    theirs = [one for one in _ours(known.platform, here)[1] if one.path in paths]
    return [one for one in theirs if is_for(one.platform, one.command) and calls_another_s(platform, here, one)]


def _beside(platform: str, here: Machine, guards: list[Found]) -> Iterator[Finding]:
    """Yield a finding where another agent's hook of rulez is called beside this one's own."""
    theirs = _others(platform, here) if guards else []
    paths = [one.path for one in theirs]
    own = [one for one in guards if one.path not in paths]
    if not own or not theirs:
        return
    where = " and ".join(dict.fromkeys(_at(one, here) for one in (own[0], *theirs)))
    other = adapter(theirs[0].platform).AGENT
    if any(one.scope == USER for one in theirs):
        advice = f"leave both where you use {other} as well; else {_OWN.format(theirs[0].platform)} there"
    else:
        advice = f"leave both where {other} is used in this project as well"
    yield finding("twice-by-another", platform, where=where, other=other, advice=advice)


def _placed(name: str, here: Machine) -> str:
    """Return the path of a file of the person (`~/...`), or of the project."""
    return os.path.join(here.own.home if name.startswith("~/") else here.project, *name.removeprefix("~/").split("/"))


def _one_replaces(platform: str, same: list[Found]) -> bool:
    """Tell if the agent reads only one of these: the project's file in place of the person's."""
    scopes = [one.scope for one in same]
    return len(set(scopes)) == len(scopes) and replaces(part(platform, "settings").SETTINGS)


def _once(twice: list[Found]) -> str:
    """Return the help for a hook set up twice: take out the person's own copy, never the team's or the company's."""
    platform, scopes = twice[0].platform, {one.scope for one in twice}
    if scopes == {USER, PROJECT}:
        return f"leave the project's, the team uses it; yours holds in your other projects: {_OWN.format(platform)}"
    if len(scopes) == 1:
        return f"take one of them out, or `rulez uninstall {platform}` and install it again"
    return f"{_OWN.format(platform)}" if USER in scopes else "leave both: other people use both of them"


_OWN = "`rulez uninstall {}` takes out yours"


def _at(one: Found, here: Machine) -> str:
    return f"{_shown(one.path, here)}:{one.line}" if one.line else _shown(one.path, here)


def _shown(path: str, here: Machine) -> str:
    return shown_path(path, here.project, here.own.home)


def _unread(platform: str, here: Machine) -> Iterator[Finding]:
    """Yield a finding for each file for hooks that the agent or rulez cannot read."""
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
    """Yield a finding for each program of the machine's hooks that others than root can replace."""
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
    """Return the version of the agent's program from its package.json or `--version`; "" where it is unknown."""
    if not os.path.isfile(program):
        return ""
    return _packaged(platform, program) or _version(_printed(program, here))


def _packaged(platform: str, program: str) -> str:
    """Return the version in the program's package.json, which spares a start (seconds with some agents)."""
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
"""How many directories above a program are searched for its package.json."""


def _printed(program: str, here: Machine) -> str:
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
    if not proved:
        yield finding("unproven", platform)
    elif version and _number(version) != _number(proved):
        state = "newer" if _number(version) > _number(proved) else "older"
        yield finding(state, platform, version=version, proved=proved)


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _fired(platform: str, here: Machine) -> str:
    """Return when the agent last had a call judged, "" where the log has no call."""
    query = Query(platforms=frozenset((platform,)))
    try:
        last = last_entries(log_files(here.own.state, query), query, 1)
    except OSError:
        return ""
    return last[0]["time"] if last else ""

"""The world of one event of a scenario: what its circumstances tell, and what the scenario's sessions remember."""

from __future__ import annotations

import os
from datetime import datetime
from typing import TYPE_CHECKING

from rulez_py.policy.format.case_world import Nothing, ToldWorld, files_of, made_of, repository_of, session_of
from rulez_py.policy.format.circumstances import MADE, SESSION
from rulez_py.system.effects import ScriptResult
from rulez_py.system.sessions.memory import full

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from rulez_py.policy.facts.facts import Surroundings
    from rulez_py.policy.format.case_repository import Untold
    from rulez_py.scenarios.sessions import Sessions
    from rulez_py.system.effects import Counter, Memory, MemoryChanges, Script, Session


class _Beyond(Nothing):
    """A world without files, in which each script counts as one without objection; `scripts` are those not run."""

    def __init__(self, git: Untold) -> None:
        super().__init__(git)
        self.scripts: list[str] = []

    def run(self, script: Script) -> ScriptResult:
        self.scripts.append("an inline script" if script.inline else " ".join(script.command))
        return ScriptResult(exit_code=0)


class ScenarioWorld(ToldWorld):
    """The world that circumstances tell of, for sessions that remember."""

    def __init__(self, told: Mapping[str, Any], around: Surroundings, sessions: Sessions) -> None:
        repository, files = repository_of(told, around.root), files_of(told, around.root, around.home)
        self._without_scripts = _Beyond(repository)
        super().__init__(
            self._without_scripts,
            files=files,
            repository=repository,
            marker=repository.marker,
            session=session_of(told),
            made=made_of(told),
        )
        self._told = told
        self._now = datetime.fromisoformat(around.now).timestamp() if around.now else 0.0
        self._told_files = files
        self._sessions = sessions

    @property
    def scripts(self) -> tuple[str, ...]:
        """The scripts that rules would have run."""
        return tuple(dict.fromkeys(self._without_scripts.scripts))

    def has_seen(self, session: str, path: str) -> bool | None:
        """Tell what `loses` says of it, else what the session remembers; without told files that is unknown."""
        told = super().has_seen(session, path)
        if told is not None or self._told_files is None:
            return told
        return self._sessions.has_seen(session, path, self.content(path))

    def recall(self, session: Session) -> Memory | None:
        """Return what is told of the session, else what it has done."""
        return self._sessions.recall(session, self._now) if SESSION not in self._told else super().recall(session)

    def change(self, session: Session, changes: MemoryChanges) -> str:
        """Forget and remember keys of the session; never fails."""
        self._sessions.change(session, changes, self._now)
        return ""

    def count(self, session: Session, counters: tuple[Counter, ...], call: str, *, using: bool) -> bool | None:
        """Tell whether a call is not one too many, as told or as the session has counted, and count it."""
        if MADE in self._told:
            return super().count(session, counters, call, using=using)
        if not using:
            return not full(self._sessions.recall(session, self._now), counters, call, self._now)
        return self._sessions.count(session, counters, call, self._now)

    def content(self, path: str) -> bytes | None:
        """Return the content of a told file; None where it is not there."""
        return None if self._told_files is None else self._told_files.get(os.path.normpath(path))

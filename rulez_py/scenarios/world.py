"""The world of one event of a scenario: what its circumstances tell, and what the scenario's sessions remember."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rulez_py.policy.format.case_world import Nothing, ToldWorld, files_of, repository_of
from rulez_py.system.effects import ScriptResult

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from rulez_py.policy.facts.facts import Surroundings
    from rulez_py.policy.format.case_repository import Untold
    from rulez_py.scenarios.sessions import Sessions
    from rulez_py.system.effects import Script


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
        super().__init__(self._without_scripts, files=files, repository=repository, marker=repository.marker)
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

    def content(self, path: str) -> bytes | None:
        """Return the content of a told file; None where it is not there."""
        return None if self._told_files is None else self._told_files.get(os.path.normpath(path))

"""What was found, as values: one finding for each thing that is wrong or that a person should know."""

from __future__ import annotations

from typing import NamedTuple

from rulez_py.policy.store.floor import Floor

BROKEN, UNKNOWN, NOTE = "broken", "unknown", "note"
_NOT_GREEN = (BROKEN, UNKNOWN)


class Finding(NamedTuple):
    """One thing: `level` BROKEN where protection does not hold because of it, UNKNOWN where nobody can tell.

    `mend` is what a person can do; `state` the name of its row in `states.STATES`, "" where it is not about one agent.
    """

    level: str
    what: str
    mend: str
    state: str = ""


class Tried(NamedTuple):
    """One call through the installed command line: what it came to, what it should have, and how long it took."""

    name: str
    wanted: str
    got: str
    ms: float
    said: str = ""

    @property
    def right(self) -> bool:
        """Whether the answer was what it should be."""
        return self.got == self.wanted


class Place(NamedTuple):
    """A file in which a hook of ours stands."""

    scope: str
    path: str
    line: int
    command: str


class AgentState(NamedTuple):
    """One agent: `there` is how it is known to be here, "" where it is not. `fired` is the time of its last call."""

    platform: str
    agent: str
    there: str
    version: str
    proved: str
    places: tuple[Place, ...]
    tried: tuple[Tried, ...]
    fired: str
    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        """Whether protection is known to hold in it."""
        return not any(finding.level in _NOT_GREEN for finding in self.findings)

    @property
    def broken(self) -> bool:
        """Whether it is known not to."""
        return any(finding.level == BROKEN for finding in self.findings)


class PolicyState(NamedTuple):
    """One policy file in force."""

    layer: str
    path: str
    digest: str
    rules: int
    trusted: bool


class Examined(NamedTuple):
    """All of it: the agents, the policy, what a person lets pass now, and what is wrong with none of the agents.

    `floor` says how the essentials hold.
    """

    agents: tuple[AgentState, ...]
    policy: tuple[PolicyState, ...]
    floor: Floor
    granted: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        """Whether protection is known to hold everywhere that was looked at."""
        return all(agent.holds for agent in self.agents) and not any(one.level in _NOT_GREEN for one in self.findings)

    @property
    def broken(self) -> bool:
        """Whether it is known not to, somewhere."""
        return any(agent.broken for agent in self.agents) or any(one.level == BROKEN for one in self.findings)

"""Findings of `rulez doctor` as values."""

from __future__ import annotations

from typing import NamedTuple

from rulez_py.policy.store.floor import Floor

BROKEN, UNKNOWN, NOTE = "broken", "unknown", "note"
_NOT_GREEN = (BROKEN, UNKNOWN)


class Finding(NamedTuple):
    """One thing that is wrong or worth knowing. `level` is BROKEN where it ends protection, UNKNOWN where it may.

    `message` says what is wrong, `help` what a person can do. `state` is the name of its row in `states.STATES`,
    "" where it is not about one agent.
    """

    level: str
    message: str
    help: str
    state: str = ""


class Tried(NamedTuple):
    """One call through the installed command line: the decision it got, the one it should get, and milliseconds."""

    name: str
    wanted: str
    got: str
    ms: float
    said: str = ""

    @property
    def right(self) -> bool:
        """True if the decision is as it should be."""
        return self.got == self.wanted


class Place(NamedTuple):
    """A file with a hook of rulez in it."""

    scope: str
    path: str
    line: int
    command: str


class ServerState(NamedTuple):
    """An MCP server in an agent's settings: `state` says whether it is behind `rulez mcp-proxy`."""

    scope: str
    path: str
    name: str
    state: str


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
    servers: tuple[ServerState, ...] = ()

    @property
    def holds(self) -> bool:
        """True if protection is known to hold in it."""
        return not any(finding.level in _NOT_GREEN for finding in self.findings)

    @property
    def broken(self) -> bool:
        """True if protection is known not to hold in it."""
        return any(finding.level == BROKEN for finding in self.findings)


class PolicyState(NamedTuple):
    """One policy file in force; `by` says by whom or what a project's is trusted."""

    layer: str
    path: str
    digest: str
    rules: int
    trusted: bool
    by: str = ""


class Examined(NamedTuple):
    """The report: the agents, the policy, what a person lets pass now, and findings about no single agent.

    `floor` says whether the essentials hold.
    """

    agents: tuple[AgentState, ...]
    policy: tuple[PolicyState, ...]
    floor: Floor
    granted: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        """True if protection is known to hold everywhere that was looked at."""
        return all(agent.holds for agent in self.agents) and not any(one.level in _NOT_GREEN for one in self.findings)

    @property
    def broken(self) -> bool:
        """True if protection is known not to hold somewhere."""
        return any(agent.broken for agent in self.agents) or any(one.level == BROKEN for one in self.findings)

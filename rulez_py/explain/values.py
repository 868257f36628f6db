"""The explanation of a call as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulez_py.analysis import Command
    from rulez_py.event import Event
    from rulez_py.log.checkpoints import Logged
    from rulez_py.policy.facts.disk import Touched
    from rulez_py.policy.judging.matching import Words
    from rulez_py.policy.model.rule import Rule
    from rulez_py.policy.store.search import Source
    from rulez_py.trust.exceptions import Excepted
    from rulez_py.trust.grants import Grant
    from rulez_py.verdict import Answer, Verdict

MATCHES, EXCEPTED, OFF, MISSES = "matches", "excepted", "off", "misses"
"""States of a rule: it matches; its `except` fits; its `enabled_when` is false; one of its matchers does not fit."""


@dataclass(frozen=True)
class Check:
    """One condition of a rule (`command.program`), whether the call meets it, and what the call has there."""

    name: str
    fits: bool
    wanted: str
    there: str = ""

    @property
    def kind(self) -> str:
        """The matcher."""
        return self.name.partition(".")[0]


@dataclass(frozen=True)
class AboutRule:
    """One rule and the call.

    `words` are those of a command line by which it matches; `excepting` are the checks of its `except`, where that
    fits. `near` says that the call has something particular that the rule wants. `decision` and `reason` are those of
    the rule alone; `would` is what a rule that only logs or warns would decide, "" for nothing. `session` says of each
    key that it asks for whether that is remembered.
    """

    rule: Rule
    state: str
    checks: tuple[Check, ...]
    near: bool = False
    words: Words = ()
    excepting: tuple[Check, ...] = ()
    decision: str = ""
    would: str = ""
    reason: str = ""
    notes: tuple[str, ...] = ()
    session: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[Check, ...]:
        """The wanted parts that the call does not have."""
        return tuple(check for check in self.checks if not check.fits)


@dataclass(frozen=True)
class Node:
    """A command, with those that it runs. `supposed`: it may be none, as the tool is not a known shell."""

    command: Command
    runs: tuple[Node, ...] = ()
    supposed: bool = False


@dataclass(frozen=True)
class Told:
    """The answer that one agent would get, and its effect there."""

    platform: str
    agent: str
    decision: str
    text: str
    answer: Answer


@dataclass(frozen=True)
class Change:
    """One change of a policy: the file, the purpose, and the lines to write."""

    file: str
    purpose: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Layer:
    """One file of the policy in force; `by` says by whom or what a project's is trusted."""

    source: Source
    shown: str
    by: str = ""


@dataclass(frozen=True)
class Granted:
    """A grant of a person that holds in this project now.

    `passing` is the decision that an agent's call gets by it in place of the verdict; None where it is about another
    call.
    """

    grant: Grant
    passing: str | None = None


@dataclass(frozen=True)
class Explained:
    """The explanation of one call.

    `line` is its command line, "" where it has none or several. `notes` say in what the call differs from the one
    that was asked about. `scripts` are those of rules that match; they were not run. `this` maps each rule that stops
    the call, by name and source, to an `except` for this call alone; {} where no exception holds. `exceptions` are
    those by which matching rules only log. `granted` are grants; the other fields do not take them into account.
    `no_exceptions` is that of the policy. `kept` are the checkpoints that the logged call has, each with its state now.
    """

    event: Event
    line: str
    project: str
    commands: tuple[Node, ...]
    files: tuple[Touched, ...]
    hosts: tuple[str, ...]
    layers: tuple[Layer, ...]
    rules: tuple[AboutRule, ...]
    verdict: Verdict
    told: tuple[Told, ...]
    changes: tuple[Change, ...] = ()
    this: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    logged: Mapping[str, object] = field(default_factory=dict)
    kept: tuple[tuple[Logged, str], ...] = ()
    exceptions: tuple[Excepted, ...] = ()
    granted: tuple[Granted, ...] = ()
    no_exceptions: str = ""

    @property
    def deciding(self) -> AboutRule | None:
        """The rule whose reason the agent gets."""
        return next((one for one in self.rules if one.state == MATCHES and one.rule["name"] == self.verdict.rule), None)

"""Results of tests as values: those of a policy file's rules, or of a scenario file, to be printed in each format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulez_py.explain.failures import why
from rulez_py.policy.format.cases import shown_case

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rulez_py.documents.diagnostics import Diagnostic
    from rulez_py.policy.format.cases import Tested


@dataclass(frozen=True)
class Result:
    """One test: `name` in its `group`, a rule or a scenario, at a line of its file.

    `problem` says what is wrong, None where it holds; `why` are lines that say more. `expected` is the decision that
    it wants. `fields` are for JSON.
    """

    group: str
    name: str
    line: int
    expected: str
    problem: Diagnostic | None = None
    why: tuple[str, ...] = ()
    fields: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Suite:
    """The tests of one file, and how many seconds they took; or what is `wrong` with the file.

    `kind` is what it is, for people. `skipped` says of rules why their tests are not tried; `untested` are names of
    rules that have none.
    """

    shown: str
    results: Sequence[Result] = ()
    skipped: Sequence[Diagnostic] = ()
    untested: Sequence[str] = ()
    wrong: Sequence[Diagnostic] = ()
    seconds: float = 0.0
    kind: str = "policy file"

    @property
    def held(self) -> int:
        """The number of tests that hold."""
        return sum(one.problem is None for one in self.results)

    @property
    def failures(self) -> tuple[Result, ...]:
        """The tests that fail."""
        return tuple(one for one in self.results if one.problem is not None)

    @property
    def is_ok(self) -> bool:
        """True if nothing fails or is wrong."""
        return not self.wrong and not self.failures


def of_rules(shown: str, tested: Tested, seconds: float) -> Suite:
    """Return the results of the tests that a policy file's rules carry."""
    held = [
        Result(group=one.rule, name=f"{one.expected}: {shown_case(one.example)}", line=one.line, expected=one.expected)
        for one in tested.holding
    ]
    failed = [
        Result(
            group=one.rule,
            name=f"{one.expected}: {shown_case(one.example)}",
            line=one.problem.line,
            expected=one.expected,
            problem=one.problem,
            why=why(one),
            fields={
                "rule": one.rule,
                "test": one.example,
                "expected": one.expected,
                "decision": one.decision or None,
            },
        )
        for one in tested.failures
    ]
    return Suite(shown, (*held, *failed), skipped=tested.skipped, untested=tested.untested, seconds=seconds)

"""A policy's text, asked about calls as a hook asks it: every rule of it, trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulez_py.documents.diagnostics import errors
from rulez_py.policy.format import case_repository, cases
from rulez_py.policy.format.check import check
from rulez_py.policy.format.compile import compile_rules
from rulez_py.policy.model.layers import BUILT_IN
from rulez_py.verdict import NO_OPINION, STRICTNESS

if TYPE_CHECKING:
    from rulez_py.policy.model.rule import Rule


def rules_of(text: str) -> tuple[Rule, ...]:
    """The rules of a policy that has to be valid."""
    checked = check(text.encode(), "policy")
    assert errors(checked.problems) == (), text
    assert checked.data is not None
    compiled = compile_rules(
        checked.data, checked.rule_lines, layer=BUILT_IN, shown="policy", root=case_repository.PROJECT_DIR, trusted=True
    )
    return tuple(compiled)


def verdict(rules: tuple[Rule, ...], call: object) -> str:
    """The strictest of what the rules say to a call, as the tests of rules name calls."""
    return max((cases.judged(rule, call).decision for rule in rules), key=STRICTNESS.__getitem__, default=NO_OPINION)

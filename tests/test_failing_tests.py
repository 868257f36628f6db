"""What `rulez test` says of a test that fails (`data/failing_tests.yaml`): all that does not fit, or all that does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.explain.failures import why
from rulez_py.policy import packs
from rulez_py.policy.format import cases
from rulez_py.system import jsontext

ROWS: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).parent / "data" / "failing_tests.yaml")


def failure_of(rule: dict[str, Any], expected: str, case: object) -> cases.Failure | None:
    """The failure of a rule's one test; None where it holds."""
    whole = {**rule, "tests": {expected: [case]}}
    tried = cases.run_cases(jsontext.dumps({"version": "1.0", "rules": [whole]}).encode(), "p")
    return tried.failures[0] if tried.failures else None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["title"])
def test_why(row: dict[str, Any]) -> None:
    failure = failure_of({"name": "r", **row["rule"]}, row["expected"], row["case"])
    assert failure is not None
    assert list(why(failure)) == row["why"]


EXAMPLES = [
    (rule, expected, example)
    for rule in packs.rules_of(packs.reach(("recommended",)))
    for expected, examples in (rule.get("tests") or {}).items()
    for example in examples or ()
]


@given(one=st.sampled_from(EXAMPLES))
def test_something_is_said_of_every_test_that_would_fail(one: tuple[dict[str, Any], str, object]) -> None:
    rule, expected, example = one
    failure = failure_of(rule, "deny" if expected == "allow" else "allow", example)
    assert failure is not None
    assert all(why(failure))
    assert why(failure)

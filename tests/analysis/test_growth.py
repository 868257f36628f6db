"""The work of a call grows with its text and not faster, whatever is repeated in it, and has a bound that is told."""

from __future__ import annotations

from typing import Any

import pytest

from rulez_py.analysis import LIMIT, follow
from rulez_py.policy.facts.facts import Facts, Surroundings
from rulez_py.policy.judging import index
from rulez_py.policy.judging.decide import decide
from rulez_py.verdict import ASK, DENY, NO_OPINION
from tests.judging import packed
from tests.repeated import SIZE, call, constructs, longest
from tests.test_packs import HOME, RECOMMENDED, ROOT, Machine, called
from tests.work import calls

FEW, MANY = 200, 400
LARGE = 60_000
"""Characters at which most bounds are just reached, so that the work is greatest."""
MOST_CALLS = 6_000_000
"""What a call may take, in calls of functions: about a second of CPU where nothing counts them."""
EVEN = [construct for construct, about in constructs().items() if about.get("even")]
SOME = [*constructs()][:72:8]
"""Each takes seconds while its calls are counted."""


def judged(tool: str, given: dict[str, Any]) -> tuple[str, bool]:
    """What most teams' rules say, and if a bound of the analysis was reached."""
    event = called("claude", "PreToolUse", tool, given)
    facts = Facts(event, Surroundings(root=ROOT, home=HOME, environ={"HOME": HOME}), Machine())
    found = decide(index.select(packed(*RECOMMENDED), facts), facts).decision
    return found, any(part.command is not None and LIMIT in part.command.opaque for part in facts.parts)


def steps(construct: str, count: int) -> int:
    """How many functions are called to follow so many of a construct."""
    text = call(construct, count)[1]["command"]
    return calls(follow, text, cwd="/home/user/project", home="/home/user", environ={})


def number_of(construct: str, size: int) -> int:
    """How many of it make a text of about that size."""
    return max(longest(construct) * size // SIZE, 1)


@pytest.mark.parametrize("construct", EVEN)
def test_twice_the_text_is_about_twice_the_work(construct: str) -> None:
    steps(construct, 2)  # What is loaded once is loaded.
    assert steps(construct, MANY) <= 2.5 * steps(construct, FEW) + 1000


@pytest.mark.parametrize("construct", SOME)
def test_more_of_it_is_bounded_and_never_passes_for_that(construct: str) -> None:
    few, _ = judged(*call(construct, 3))
    said: list[tuple[str, bool]] = []
    assert calls(lambda: said.append(judged(*call(construct, number_of(construct, LARGE))))) <= MOST_CALLS
    decision, limited = said[0]
    assert decision in (ASK, DENY) or (few == NO_OPINION and not limited)


@pytest.mark.parametrize("construct", ["find -exec", "commands for vim", "commands for gdb", "shells for rsync"])
def test_what_is_too_much_is_said(construct: str) -> None:
    given = call(construct, 8_000)[1]["command"]
    found = follow(given, cwd="/", home="/home/user", environ={})
    assert any(LIMIT in command.opaque for command in found.commands)

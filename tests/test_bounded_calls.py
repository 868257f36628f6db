"""What a call asks of us is bounded, however its commands are spread over its arguments; beyond that we ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rulez_py.policy.facts.facts import Facts, Surroundings
from rulez_py.policy.judging import index
from rulez_py.policy.judging.decide import decide
from rulez_py.verdict import ASK, NO_OPINION
from tests.judging import packed
from tests.test_packs import HOME, RECOMMENDED, ROOT, Machine, called, rules_of

SPREAD: dict[str, Callable[[int], dict[str, Any]]] = {
    "maps in a list": lambda count: {"items": [{"command": f"ls a{number}"} for number in range(count)]},
    "texts in a list": lambda count: {"commands": [f"ls a{number}" for number in range(count)]},
    "each in a directory of its own": lambda count: {
        "items": [{"command": f"ls a{number}", "cwd": f"/srv/d{number}"} for number in range(count)]
    },
}
"""How many commands stand in the arguments of one call."""


FILES: dict[str, tuple[str, Callable[[int], dict[str, Any]]]] = {
    "paths of a tool": ("mcp__server__read", lambda count: {"paths": [f"a{number}" for number in range(count)]}),
    "files of a command": ("Bash", lambda count: {"command": f"cat {' '.join(f'a{n}' for n in range(count))}"}),
    "files of many commands": ("Bash", lambda count: {"command": "; ".join(f"mv {n} b{n}" for n in range(count // 2))}),
    "redirections": ("Bash", lambda count: {"command": f"ls {' '.join(f'> a{n}' for n in range(count))}"}),
}
"""How many files a call touches."""


@pytest.mark.parametrize("form", FILES)
@pytest.mark.parametrize(("count", "wanted"), [(300, NO_OPINION), (3_000, ASK)])
def test_many_files_of_one_call_are_asked_about(form: str, count: int, wanted: str) -> None:
    tool, arguments = FILES[form]
    event = called("claude", "PreToolUse", tool, arguments(count))
    facts = Facts(event, Surroundings(root=ROOT, home=HOME, environ={"HOME": HOME}), Machine())
    assert decide(index.select(packed(*RECOMMENDED), facts), facts).decision == wanted


@pytest.mark.parametrize("form", SPREAD)
@pytest.mark.parametrize(("count", "wanted"), [(3, NO_OPINION), (3_000, ASK)])
def test_many_commands_of_one_call_share_one_bound(form: str, count: int, wanted: str) -> None:
    event = called("claude", "PreToolUse", "mcp__server__run", SPREAD[form](count))
    facts = Facts(event, Surroundings(root=ROOT, home=HOME, environ={"HOME": HOME}), Machine())
    assert decide(rules_of(*RECOMMENDED), facts).decision == wanted
    assert len(facts._followed) <= 600

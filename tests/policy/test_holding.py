"""`paths: {holding: TEXT}`: what the files that a call names hold now, looked at with a bound."""

from __future__ import annotations

import pytest

from rulez_py.policy.decide import decide
from rulez_py.policy.facts import Facts
from tests.policy.test_commands import compiled, event
from tests.policy.test_decide import AROUND, ROOT, World

FILES = {
    "keep/a.txt": "plain",
    "keep/deep/b.txt": "please KEEP",
    "free/a.txt": "plain",
    "far/1/2/3/4/x": "KEEP",
    "one.txt": "KEEP",
    "long.txt": "x" * (1 << 16) + "KEEP",
    **{f"many/{number}": "" for number in range(300)},
}
RULE = "matchers: {paths: {globs: ['**'], access: [delete], holding: KEEP}}\nactions: "


def decided(command: str, actions: str = "{block: true}") -> str:
    world = World(files={f"{ROOT}/{name}": text for name, text in FILES.items()})
    return decide([compiled(RULE + actions)], Facts(event(command), AROUND, world)).decision


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("rm one.txt", "deny"),
        ("rm -rf keep", "deny"),
        ("rm keep/deep/b.txt", "deny"),
        ("rm keep/a.txt", ""),
        ("rm -rf free", ""),
        ("rm -rf gone", ""),
        ("rm -rf far/1/2", "deny"),
        ("rm -rf far", ""),  # More than two directories further down.
        ("rm long.txt", ""),  # Behind what is read of a file.
        ("rm -rf many", "deny"),  # More than is looked at.
        ('rm "$X"', "deny"),  # Nobody knows which file.
        ("rm fr*/a.txt", ""),
        ("rm on*.txt", "deny"),
        ("cat one.txt", ""),
    ],
)
def test_what_is_named_counts_where_it_holds_the_text(command: str, decision: str) -> None:
    assert decided(command) == decision


@pytest.mark.parametrize(("command", "decision"), [("rm one.txt", "allow"), ('rm "$X"', ""), ("rm -rf many", "")])
def test_nothing_is_allowed_for_what_is_not_known(command: str, decision: str) -> None:
    assert decided(command, "{allow: true}") == decision


def test_a_directory_of_any_size_is_looked_at_with_a_bound() -> None:
    world = World(files={f"{ROOT}/a/{number}": "" for number in range(10_000)})
    decide([compiled(RULE + "{block: true}")], Facts(event("rm -rf a"), AROUND, world))
    assert len(world.read) <= 1_000

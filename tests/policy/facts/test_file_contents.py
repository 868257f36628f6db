"""`paths: {holding: TEXT}`: what the files that a call names hold now, looked at with a bound."""

from __future__ import annotations

import pytest

from rulez_py.policy.facts.facts import Facts
from rulez_py.policy.judging.decide import decide
from tests.policy.judging.test_commands import compiled, event
from tests.policy.judging.test_decide import AROUND, ROOT, World

FILES: dict[str, str | bytes] = {
    "keep/a.txt": "plain",
    "keep/deep/b.txt": "please KEEP",
    "free/a.txt": "plain",
    "far/1/2/3/4/x": "KEEP",
    "one.txt": "KEEP",
    "behind.txt": "x" * (1 << 16) + "KEEP",
    "long.txt": "x" * (1 << 20) + "xKEEP",
    "full.txt": "x" * (1 << 20),
    "little.txt": "a KEEP".encode("utf-16-le"),
    "big.txt": "a KEEP".encode("utf-16-be"),
    "marked.txt": "a KEEP".encode("utf-16"),
    "other.txt": "a K.E.E.P".encode("utf-16"),
    **{f"much/{number}": "x" * (1 << 20) for number in range(17)},
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
        ("rm behind.txt", "deny"),
        ("rm long.txt", "deny"),  # Longer than what is read of a file.
        ("rm full.txt", ""),
        ("rm little.txt", "deny"),
        ("rm big.txt", "deny"),
        ("rm marked.txt", "deny"),
        ("rm other.txt", ""),
        ("rm -rf much", "deny"),  # More in them all than is read for one call.
        ("rm -rf many", "deny"),  # More than is looked at.
        ('rm "$X"', "deny"),  # Nobody knows which file.
        ("rm fr*/a.txt", ""),
        ("rm on*.txt", "deny"),
        ("cat one.txt", ""),
    ],
)
def test_what_is_named_counts_where_it_holds_the_text(command: str, decision: str) -> None:
    assert decided(command) == decision


@pytest.mark.parametrize(
    ("command", "decision"), [("rm one.txt", "allow"), ("rm long.txt", ""), ('rm "$X"', ""), ("rm -rf many", "")]
)
def test_nothing_is_allowed_for_what_is_not_known(command: str, decision: str) -> None:
    assert decided(command, "{allow: true}") == decision


def test_a_directory_of_any_size_is_looked_at_with_a_bound() -> None:
    world = World(files={f"{ROOT}/a/{number}": "" for number in range(10_000)})
    decide([compiled(RULE + "{block: true}")], Facts(event("rm -rf a"), AROUND, world))
    assert len(world.read) <= 1_000

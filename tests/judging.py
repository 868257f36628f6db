"""What most teams want and every rule set for a tool, asked about shell commands as a hook asks them."""

from __future__ import annotations

from functools import cache
from typing import Any

from rulez_py.policy import packs
from rulez_py.policy.facts.facts import Facts, Surroundings
from rulez_py.policy.judging import index
from rulez_py.policy.judging.decide import decide
from rulez_py.verdict import Verdict
from tests.test_packs import HOME, ROOT, Machine, called, rules_of

TOOLS = (
    *("containers", "kubernetes", "cloud-aws", "cloud-gcp", "cloud-azure"),
    *("terraform", "databases", "package-publish", "ci-cd"),
)
EVERYTHING = (*packs.reach(("recommended", *TOOLS)), packs.SELF_PROTECTION)
ENVIRON = {"HOME": HOME}


@cache
def packed(*sets: str) -> index.Packed:
    """All rules of these sets, as a hook has them."""
    return index.pack(sorted(rules_of(*sets), key=lambda rule: -rule["priority"]))


def decided(rules: index.Packed, tool: str, given: dict[str, Any], environ: dict[str, str] = ENVIRON) -> Verdict:
    """What they say to a call that Claude Code is about to make."""
    event = called("claude", "PreToolUse", tool, given)
    facts = Facts(event, Surroundings(root=ROOT, home=HOME, environ=environ), Machine())
    return decide(index.select(rules, facts), facts)


@cache
def judged(command: str) -> Verdict:
    """What they say to a command that Claude Code's Bash is about to run."""
    return decided(packed(*EVERYTHING), "Bash", {"command": command})

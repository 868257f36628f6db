"""What most teams want and every rule set for a tool, asked about shell commands as a hook asks them."""

from __future__ import annotations

from functools import cache

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
def _packed() -> index.Packed:
    rules = rules_of(*EVERYTHING)
    return index.pack(sorted(rules, key=lambda rule: -rule["priority"]))


@cache
def judged(command: str) -> Verdict:
    """What they say to a command that Claude Code's Bash is about to run."""
    event = called("claude", "PreToolUse", "Bash", {"command": command})
    facts = Facts(event, Surroundings(root=ROOT, home=HOME, environ=ENVIRON), Machine())
    return decide(index.select(_packed(), facts), facts)

"""What most teams want and every rule set for a tool, asked about shell commands as a hook asks them."""

from __future__ import annotations

from functools import cache

from rulez_py.policy import index, packs
from rulez_py.policy.match import Calls, Surroundings, decide
from rulez_py.tools import rule_names
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
    calls = Calls(event, Machine(), HOME, ignore_case=False, environ=ENVIRON)
    packed = _packed()
    names = rule_names("claude", "Bash")
    rules = index.select(packed.read, packed.table, event.types, names, lambda subject: calls.of(ROOT).subject(subject))
    return decide(rules, event, Machine(), Surroundings(root=ROOT, home=HOME, environ=ENVIRON), calls)

"""Writes the table of docs/security.md of what is stopped by default and with more sets (`make kinds-page`)."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from dev.marked import between  # noqa: E402
from rulez_py.policy import index, packs  # noqa: E402
from rulez_py.policy.decide import decide  # noqa: E402
from rulez_py.policy.facts import Facts, Surroundings  # noqa: E402
from tests import test_packs as machine  # noqa: E402

PAGE = ROOT / "docs" / "security.md"
KINDS = ROOT / "tests" / "data" / "kinds.yaml"
POLICIES = {
    "by default": (*packs.reach((packs.DEFAULT,)), packs.SELF_PROTECTION),
    "with `recommended`": (*packs.reach(("recommended", packs.DEFAULT)), packs.SELF_PROTECTION),
    "with every set": packs.names(),
}
_BEGIN, _END = "<!-- kinds: written by `make kinds-page` -->\n", "<!-- /kinds -->\n"


def main() -> None:
    """Write it."""
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def with_table(page: str) -> str:
    """The page with the table as it should be. Raises ValueError where there is no place for it."""
    return between(page, _BEGIN, _END, table())


def table() -> str:
    """A row for each kind: how many of its calls are stopped."""
    kinds: list[dict[str, Any]] = YAML(typ="safe").load(KINDS)
    rows = [f"| of calls of this kind are stopped | {' | '.join(POLICIES)} |", "|---|---|---|---|"]
    for one in kinds:
        told = (stopped(policy, one["calls"]) for policy in POLICIES)
        rows.append(f"| {one['kind']} | {' | '.join(told)} |")
    return "\n".join(rows) + "\n"


def stopped(policy: str, calls: list[Any]) -> str:
    """`3 of 5`, `all 5` or `none of 5`: a question counts as a stop."""
    count = sum(bool(_decision(policy, call)) for call in calls)
    return f"all {len(calls)}" if count == len(calls) else f"{count or 'none'} of {len(calls)}"


@cache
def _packed(policy: str) -> index.Packed:
    rules = machine.rules_of(*dict.fromkeys(POLICIES[policy]))
    return index.pack(sorted(rules, key=lambda rule: -rule["priority"]))


def _decision(policy: str, call: Any) -> str:
    given = {"tool": "Bash", "command": call} if isinstance(call, str) else dict(call)
    tool = given.pop("tool")
    event = machine.called("claude", "PreToolUse", tool, given)
    around = Surroundings(root=machine.ROOT, home=machine.HOME, environ={"HOME": machine.HOME})
    facts = Facts(event, around, machine.Machine())
    return decide(index.select(_packed(policy), facts), facts).decision


if __name__ == "__main__":
    main()

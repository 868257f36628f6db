"""Writes the tables of docs/security.md: what is stopped, and what other products stop of it (`make kinds-page`)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.kinds import KEPT, SIDES, kinds, tool_and_input  # noqa: E402
from dev.marked import between  # noqa: E402
from rulez_py.policy import packs  # noqa: E402
from tests.judging import decided, packed  # noqa: E402

PAGE = ROOT / "docs" / "security.md"
POLICIES = {
    "by default": (*packs.reach((packs.DEFAULT,)), packs.SELF_PROTECTION),
    "with `recommended`": (*packs.reach(("recommended", packs.DEFAULT)), packs.SELF_PROTECTION),
    "with every set": packs.names(),
}
_BEGIN, _END = "<!-- kinds: written by `make kinds-page` -->\n", "<!-- /kinds -->\n"
_PEERS_BEGIN, _PEERS_END = (
    "<!-- peers: written by `make kinds-page`, measured by `make peers` -->\n",
    "<!-- /peers -->\n",
)
OURS = {"rulez, by default": "by default", "rulez, `recommended`": "with `recommended`"}


def main() -> None:
    """Write it."""
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def with_table(page: str) -> str:
    """Return the page with the tables as they should be. Raises ValueError where there is no place for one."""
    return between(between(page, _BEGIN, _END, table()), _PEERS_BEGIN, _PEERS_END, peers_table())


def table() -> str:
    """Return a row for each kind: how many of its calls are stopped."""
    rows = [f"| of calls of this kind are stopped | {' | '.join(POLICIES)} |", "|---|---|---|---|"]
    for one in kinds():
        told = (stopped(policy, one["calls"]) for policy in POLICIES)
        rows.append(f"| {one['kind']} | {' | '.join(told)} |")
    return "\n".join(rows) + "\n"


def peers_table() -> str:
    """Return a row for each kind, ours beside what `make peers` has measured, then sums of both sides."""
    told = {title: {side: _counts(policy, side) for side in SIDES} for title, policy in OURS.items()}
    told |= json.loads(KEPT.read_text(encoding="utf-8"))["stopped"]
    rows = [["of calls of this kind are stopped", *told], ["---"] * (1 + len(told))]
    for at, one in enumerate(kinds()):
        rows.append([one["kind"], *(_of(counts["calls"][at], len(one["calls"])) for counts in told.values())])
    for side, name in zip(SIDES, ("**All kinds**", "**Harmless calls, stopped for nothing**"), strict=True):
        of = sum(len(one[side]) for one in kinds())
        rows.append([name, *(_of(sum(counts[side]), of) for counts in told.values())])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def stopped(policy: str, calls: list[Any]) -> str:
    """`3 of 5`, `all 5` or `none of 5`: a question counts as a stop."""
    return _of(_stops(policy, calls), len(calls))


def _of(count: int, calls: int) -> str:
    return f"all {calls}" if count == calls else f"{count or 'none'} of {calls}"


def _counts(policy: str, side: str) -> list[int]:
    return [_stops(policy, one[side]) for one in kinds()]


def _stops(policy: str, calls: list[Any]) -> int:
    rules = packed(*dict.fromkeys(POLICIES[policy]))
    return sum(bool(decided(rules, *tool_and_input(call)).decision) for call in calls)


if __name__ == "__main__":
    main()

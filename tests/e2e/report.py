"""docs/conformance.md and the summary in README.md, from what came of each agent's cases when it was last played."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rulez_py.platforms import adapter
from tests.e2e.agents import AGENTS
from tests.e2e.table import plans
from tests.platforms import PLATFORMS, PROVEN

Results = Sequence[Mapping[str, Any]]
"""One mapping per test: platform, form, case, control, outcome (pytest's), why."""

KEPT = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Kept:
    """What came of one agent's cases: title -> outcome (the worst of its forms) and why."""

    version: str
    date: str
    cases: Mapping[str, Sequence[str]]


def keep(platform: str, kept: Kept) -> None:
    """Write it down."""
    (KEPT / f"{platform}.json").write_text(json.dumps(asdict(kept), indent=1, ensure_ascii=False) + "\n")


def kept() -> dict[str, Kept]:
    """Return what is written down of each agent."""
    return {name: Kept(**json.loads((KEPT / f"{name}.json").read_text())) for name in AGENTS}


def came_of(results: Results, platform: str, version: str, date: str) -> Kept:
    """Return what came of one agent's cases in a run."""
    of: dict[str, list[Mapping[str, Any]]] = {}
    for row in results:
        if row["platform"] == platform and not row["control"]:
            of.setdefault(row["case"], []).append(row)
    cases = {}
    for case, rows in of.items():
        outcome = _worst(rows)
        why = next((row["why"] for row in rows if row["outcome"] == outcome), "")
        cases[case] = (outcome, why if outcome in ("xfailed", "skipped") else "")
    return Kept(version, date, cases)


_UNPROVEN = "[unproven](../hooks/README.md#agents-without-proof)"
MARKS = {"passed": "yes", "xfailed": "no", "skipped": "–", "failed": "**FAILED**", "error": "**FAILED**"}

_HEAD = """\
# What holds on the real agents

Each case below was played on the published CLI itself, offline, with a scripted model, `rulez` put into the hook
by [`rulez install`](cli.md#rulez-install), and the outcome read off the disk and off what the model was sent next.
`make conformance` plays everything and writes this page; [tests/e2e](../tests/e2e/README.md) says how it works.

*yes*: it holds, with the frozen program and, where both are named, with the console script. *no*: the agent does not
allow it; the note says why. *–*: the agent has no such tool. A case marked *controlled* was also played with a hook
that always passes: there it does not hold, except where the agent by itself sees to it. Codex CLI's review of hooks was
skipped with its own option for that. Cursor's agent needs Cursor's service: its cases show what its own hook runtime
does. A denial ends Cline's run, and it says the reason to nobody: each of its cases was played in a session of its own,
and what is told was looked for in the hook's answer.
"""


def page(kept: Mapping[str, Kept]) -> str:
    """The whole page."""
    lines = [_HEAD, "Played:", ""]
    lines += [f"- {_title(platform)} {of.version}, on {of.date}" for platform, of in kept.items()]
    lines += [f"- {_title(platform)}: nothing, it is {_UNPROVEN}" for platform in PLATFORMS if platform not in PROVEN]
    lines += ["", f"| case | played | {' | '.join(map(_title, kept))} |", f"|---|---|{'---|' * len(kept)}"]
    notes: dict[str, int] = {}
    for plan in plans().values():
        for case in plan.cases:
            cells = [_cell(of.cases[case.title], notes) for of in kept.values()]
            played = ", ".join((*plan.forms, *(("controlled",) if plan.control and not case.anyway else ())))
            lines.append(f"| {case.title} | {played} | {' | '.join(cells)} |")
    lines += ["", "## Notes", ""]
    lines += [f"{number}. {why}" for why, number in notes.items()]
    return "\n".join(lines) + "\n"


def summary(kept: Mapping[str, Kept]) -> str:
    """The table in the README."""
    lines = ["| agent | version | played on | holds | not possible there | no such tool |"]
    lines += ["|---|---|---|---|---|---|"]
    for platform, of in kept.items():
        outcomes = [outcome for outcome, _ in of.cases.values()]
        counts = [outcomes.count(outcome) for outcome in ("passed", "xfailed", "skipped")]
        told = f"{counts[0]} cases | {counts[1]} | {counts[2]}"
        lines.append(f"| {_title(platform)} | {of.version} | {of.date} | {told} |")
    lines += [f"| {_title(platform)} | unproven | | nothing | | |" for platform in PLATFORMS if platform not in PROVEN]
    return "\n".join(lines) + "\n"


def _title(platform: str) -> str:
    return adapter(platform).AGENT


def _worst(rows: Sequence[Mapping[str, Any]]) -> str:
    """The outcome of a case that was played in several forms."""
    outcome: str = max((row["outcome"] for row in rows), key=list(MARKS).index)
    return outcome


def _cell(came: Sequence[str], notes: dict[str, int]) -> str:
    outcome, why = came
    return f"{MARKS[outcome]} [{notes.setdefault(why, len(notes) + 1)}](#notes)" if why else MARKS[outcome]

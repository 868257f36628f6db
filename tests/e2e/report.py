"""docs/conformance.md and the summary in README.md, from the results of one run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from rulez_py.platforms import adapter
from tests.e2e.agents import AGENTS
from tests.e2e.table import plans

Results = Sequence[Mapping[str, Any]]
"""One mapping per test: platform, form, case, control, outcome (pytest's), why."""

MARKS = {"passed": "yes", "xfailed": "no", "skipped": "–", "failed": "**FAILED**", "error": "**FAILED**"}

_HEAD = """\
# What holds on the real agents

Each case below was played on the published CLI itself, offline, with a scripted model, `rulez` put into the hook
by [`rulez install`](cli.md#rulez-install), and the outcome read off the disk and off what the model was sent next.
`make conformance` plays everything and writes this page; [tests/e2e](../tests/e2e/README.md) says how it works.

*yes*: it holds, with the frozen program and, where both are named, with the console script. *no*: the agent does not
allow it; the note says why. *–*: the agent has no such tool. A case marked *controlled* was also played with a hook
that always passes: there it does not hold, except where the agent by itself sees to it. Codex CLI's review of hooks was
skipped with its own option for that.
"""


def page(results: Results, versions: Mapping[str, str], date: str) -> str:
    """The whole page; `date` is when the cases were played."""
    lines = [_HEAD, f"Played on {date}:", ""]
    lines += [f"- {_title(platform)} {versions[platform]}" for platform in AGENTS]
    lines += ["", f"| case | played | {' | '.join(map(_title, AGENTS))} |", f"|---|---|{'---|' * len(AGENTS)}"]
    notes: dict[str, int] = {}
    of = _by_case(results)
    for plan in plans().values():
        for case in plan.cases:
            cells = [_cell(of[case.title][platform], notes) for platform in AGENTS]
            played = ", ".join((*plan.forms, *(("controlled",) if plan.control and not case.anyway else ())))
            lines.append(f"| {case.title} | {played} | {' | '.join(cells)} |")
    lines += ["", "## Notes", ""]
    lines += [f"{number}. {why}" for why, number in notes.items()]
    return "\n".join(lines) + "\n"


def summary(results: Results, versions: Mapping[str, str], date: str) -> str:
    """The table in the README."""
    lines = [f"| agent | version, {date} | holds | not possible there | no such tool |", "|---|---|---|---|---|"]
    for platform in AGENTS:
        outcomes = [_worst(rows[platform]) for rows in _by_case(results).values() if platform in rows]
        counts = [outcomes.count(outcome) for outcome in ("passed", "xfailed", "skipped")]
        lines.append(f"| {_title(platform)} | {versions[platform]} | {counts[0]} cases | {counts[1]} | {counts[2]} |")
    return "\n".join(lines) + "\n"


def _title(platform: str) -> str:
    return adapter(platform).AGENT


def _by_case(results: Results) -> dict[str, dict[str, list[Mapping[str, Any]]]]:
    of: defaultdict[str, defaultdict[str, list[Mapping[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for row in results:
        if row["control"]:
            continue
        of[row["case"]][row["platform"]].append(row)
    return {case: dict(rows) for case, rows in of.items()}


def _worst(rows: Sequence[Mapping[str, Any]]) -> str:
    """The outcome of a case that was played in several forms."""
    outcome: str = max((row["outcome"] for row in rows), key=list(MARKS).index)
    return outcome


def _cell(rows: Sequence[Mapping[str, Any]], notes: dict[str, int]) -> str:
    outcome = _worst(rows)
    why = next((row["why"] for row in rows if row["outcome"] == outcome), "")
    if outcome not in ("xfailed", "skipped"):
        return MARKS[outcome]
    return f"{MARKS[outcome]} [{notes.setdefault(why, len(notes) + 1)}](#notes)"

"""Write docs/packs.md out of rulez_py/policy/packs."""

from __future__ import annotations

from pathlib import Path

from rulez_py.cli.packs import rules_in
from rulez_py.policy import packs

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "packs.md"
INTRODUCTION = """\
# The rule sets

Written by `make packs` out of [the rule sets](../rulez_py/policy/packs); `rulez packs show NAME` shows them too, with
what to do instead. A policy file takes one with `extends: [builtin:NAME]` and leaves single rules of it out with
`disable: [RULE]`; `rulez test --pack NAME` tries the tests that its rules carry. `rulez packs suggest` names those that
fit a project by its files, and `rulez init` writes them into a new policy as comments ([cli.md](cli.md#rulez-packs)).

A rule denies, or asks the person; where an agent cannot ask, that is a denial. A rule about commands holds whatever way
a command is reached ([policy.md](policy.md#command)).
"""


def main() -> None:
    """Write it."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """Return what docs/packs.md has to hold."""
    return "\n".join((INTRODUCTION, table(), *(_section(name) for name in _names())))


def table() -> str:
    """Return a line for each rule set."""
    rows = ["| rule set | rules | what it is for |", "|---|---|---|"]
    for name in _names():
        count = sum(map(len, packs.reach((name,)).values()))
        rows.append(f"| [{name}](#builtin{name}) | {count} | {packs.about(name)} |")
    return "\n".join(rows) + "\n"


def _section(name: str) -> str:
    lines = [f"## builtin:{name}", "", _comment(name), ""]
    extended = [f"[{other}](#builtin{other})" for other in packs.extended_by(name)]
    if extended:
        lines += [f"Its rules are those of {', '.join(extended)}, and:", ""]
    lines += ["| rule | decision | reason |", "|---|---|---|"]
    for rule in rules_in(name):
        if rule["pack"] == name:
            does = "asks" if rule["decision"] == "ask" else "denies"
            lines.append(f"| `{rule['name']}` | {does} | {_cell(rule['description'])} |")
    return "\n".join(lines) + "\n"


def _names() -> tuple[str, ...]:
    """Return what most people take first, then the others; what always holds is the last."""
    first = (packs.DEFAULT, "recommended")
    others = (name for name in packs.extendable() if name not in first)
    return (*first, *others, packs.SELF_PROTECTION)


def _comment(name: str) -> str:
    """Return what a rule set's file begins with, one sentence behind the other."""
    found = []
    for line in Path(packs.path_of(name)).read_text(encoding="utf-8").splitlines():
        # The last lines are for those who change the set.
        if not line.startswith("#") or line.startswith("# By name:"):
            break
        found.append(line.lstrip("# "))
    return "\n".join(found)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


if __name__ == "__main__":
    main()

"""Write docs/packs.md and the README's table of rule sets, out of rulez_py/policy/packs."""

from __future__ import annotations

from pathlib import Path

from dev.marked import between
from rulez_py.cli.packs import rules_in
from rulez_py.policy import packs

ROOT = Path(__file__).resolve().parents[1]
PAGE, README = ROOT / "docs" / "packs.md", ROOT / "README.md"
BEGIN, END = "<!-- packs: written by `make packs` -->\n", "<!-- end of packs -->"
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
    """Write both."""
    PAGE.write_text(page(), encoding="utf-8")
    README.write_text(with_table(README.read_text(encoding="utf-8")), encoding="utf-8")


def page() -> str:
    """What docs/packs.md has to hold."""
    return "\n".join((INTRODUCTION, table("#builtin"), *(_section(name) for name in _names())))


def with_table(text: str) -> str:
    """A page with the table of rule sets between its markers."""
    return between(text, BEGIN, END, table("docs/packs.md#builtin"))


def table(address: str) -> str:
    """A line for each rule set; `address` is where its section is, up to its name."""
    rows = ["| rule set | rules | |", "|---|---|---|"]
    for name in _names():
        count = sum(map(len, packs.reach((name,)).values()))
        rows.append(f"| [{name}]({address}{name}) | {count} | {packs.about(name)} |")
    return "\n".join(rows) + "\n"


def _section(name: str) -> str:
    lines = [f"## builtin:{name}", "", _comment(name), ""]
    extended = [f"[{other}](#builtin{other})" for other in packs.extended_by(name)]
    if extended:
        lines += [f"Its rules are those of {', '.join(extended)}, and:", ""]
    lines += ["| rule | | |", "|---|---|---|"]
    for rule in rules_in(name):
        if rule["pack"] == name:
            does = "asks" if rule["decision"] == "ask" else "denies"
            lines.append(f"| `{rule['name']}` | {does} | {_cell(rule['description'])} |")
    return "\n".join(lines) + "\n"


def _names() -> tuple[str, ...]:
    """What most people take first, then the others; what always holds is the last."""
    first = (packs.DEFAULT, "recommended")
    others = (name for name in packs.extendable() if name not in first)
    return (*first, *others, packs.SELF_PROTECTION)


def _comment(name: str) -> str:
    """What a rule set's file begins with, one sentence behind the other."""
    found = []
    for line in Path(packs.path_of(name)).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        found.append(line.lstrip("# "))
    return "\n".join(found)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


if __name__ == "__main__":
    main()

"""Writes the table of docs/cli.md of what `rulez doctor` finds in an agent (`make states-page`)."""

from __future__ import annotations

from pathlib import Path

from dev.marked import between
from rulez_py.doctor.findings import BROKEN, NOTE, UNKNOWN
from rulez_py.doctor.states import STATES
from rulez_py.platforms import PLATFORMS, titled

PAGE = Path(__file__).parent.parent / "docs" / "cli.md"
_BEGIN, _END = "<!-- states: written by `make states-page` -->\n", "<!-- /states -->\n"
_MARKS = {BROKEN: "!", UNKNOWN: "?", NOTE: "-"}


def main() -> None:
    """Write it."""
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def with_table(page: str) -> str:
    """Return the page with the table as it should be. Raises ValueError where there is no place for it."""
    return between(page, _BEGIN, _END, table())


def table() -> str:
    """Return a row for each state."""
    rows = ["| | state | agents | found by | seen |", "|---|---|---|---|---|"]
    for state in STATES:
        names = "all" if state.platforms == PLATFORMS else ", ".join(map(titled, state.platforms))
        rows.append(
            f"| `{_MARKS[state.level]}` | `{state.name}`: {state.title} | {names} | {state.found} | {state.seen} |"
        )
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    main()

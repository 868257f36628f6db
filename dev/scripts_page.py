"""Write the tables of docs/scripts.md: what a script is told of a call (`make scripts-page`)."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from dev.marked import between  # noqa: E402
from rulez_py.event.described import DESCRIBED, Described  # noqa: E402
from rulez_py.event.fields import FIELDS  # noqa: E402

PAGE = ROOT / "docs" / "scripts.md"
_FIELDS = "<!-- fields: written by `make scripts-page` -->\n", "<!-- /fields -->\n"
_FACTS = "<!-- facts: written by `make scripts-page` -->\n", "<!-- /facts -->\n"


def main() -> None:
    """Write them."""
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def with_tables(page: str) -> str:
    """Return the page with the tables as they should be. Raises ValueError where there is no place for one."""
    return between(between(page, *_FIELDS, _of_fields()), *_FACTS, _of_facts())


def _of_fields() -> str:
    rows = ["| key | in expressions | what it is |", "|---|---|---|"]
    for one in FIELDS:
        rows.append(f"| {_code(one.key)} | {_code(one.variable)} | {one.about} |")
    return "\n".join(rows) + "\n"


def _of_facts() -> str:
    rows = ["| name | form | what it is |", "|---|---|---|"]
    for name, one in DESCRIBED.items():
        rows.append(f"| `{name}` | {_form(one)} | {one.about} |")
        if not isinstance(one.form, str):
            rows += [f"| | `{part}` | {form} |" for part, form in one.form.items()]
    return "\n".join(rows) + "\n"


def _form(one: Described) -> str:
    return one.form if isinstance(one.form, str) else "map" if one.is_map else "list of maps"


def _code(name: str) -> str:
    return f"`{name}`" if name else "-"


if __name__ == "__main__":
    main()

"""docs/packs.md and the README's table say what the rule sets hold."""

from __future__ import annotations

import pytest

from dev import packs_page
from rulez_py.policy import packs

HOW = "run `make packs`"


def test_the_page_is_what_the_rule_sets_hold() -> None:
    assert packs_page.PAGE.read_text(encoding="utf-8") == packs_page.page(), HOW


def test_so_is_the_table_in_the_readme() -> None:
    readme = packs_page.README.read_text(encoding="utf-8")
    assert packs_page.with_table(readme) == readme, HOW


@pytest.mark.parametrize("name", packs.names())
def test_a_rule_set_has_a_section_with_a_line_for_each_rule_of_its_own(name: str) -> None:
    section = packs_page.page().split(f"\n## builtin:{name}\n")[1].split("\n## ")[0]
    rows = [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")]
    assert rows == list(packs.reach((name,))[name])
    assert packs.about(name) in section.replace("\n", " ")


def test_a_page_without_a_place_for_the_table_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no <!-- packs"):
        packs_page.with_table("# Something else\n")

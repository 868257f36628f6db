"""docs/packs.md says what the rule sets hold."""

from __future__ import annotations

import pytest

from dev import packs_page
from rulez_py.policy import packs

HOW = "run `make packs`"


def test_the_page_is_what_the_rule_sets_hold() -> None:
    assert packs_page.PAGE.read_text(encoding="utf-8") == packs_page.page(), HOW


@pytest.mark.parametrize("name", packs.names())
def test_a_rule_set_has_a_section_with_a_line_for_each_rule_of_its_own(name: str) -> None:
    section = packs_page.page().split(f"\n## builtin:{name}\n")[1].split("\n## ")[0]
    rows = [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")]
    assert rows == list(packs.reach((name,))[name])
    assert packs.about(name) in section.replace("\n", " ")

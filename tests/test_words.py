"""Phrases that readers have to read twice are in no docstring, comment or message (CONTRIBUTING.md, "Words")."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[1]
DATA = YAML(typ="safe").load(ROOT / "tests" / "data" / "words.yaml")
FILES = sorted(
    path
    for folder in ("rulez_py", "dev", "benchmarks")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".py", ".yaml") and "tables" not in path.parts
)


@pytest.mark.parametrize("phrase", DATA["phrases"])
def test_a_phrase_that_is_read_twice_is_nowhere(phrase: str) -> None:
    pattern = re.compile(DATA["phrases"][phrase])
    kept = [row["text"] for row in DATA["kept"]]
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in FILES
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if pattern.search(line) and not any(text in line for text in kept)
    ]
    assert found == []


def test_what_is_kept_is_there() -> None:
    whole = "\n".join(path.read_text("utf-8") for path in FILES)
    assert [row["text"] for row in DATA["kept"] if row["text"] not in whole or not row["why"]] == []

"""Which lines of a file that is written would run, from the table in contents.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.policy.facts import written_code

TABLE: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("written_code.yaml"))
NAMES = sorted({row["path"] for row in TABLE})


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['path']}: {row['text'][:40]!r}")
def test_what_of_a_file_runs(row: dict[str, Any]) -> None:
    found = written_code.commands(row["path"], row["text"])
    assert [line if dialect == "sh" else f"{dialect} {line}" for dialect, line in found] == row["runs"]


@given(st.sampled_from(NAMES), st.text(alphabet="ab\"\\:[]{}-|\n\t $#'run</>=&;", max_size=60))
def test_any_text_is_read(path: str, text: str) -> None:
    for dialect, line in written_code.commands(path, text):
        assert dialect in ("sh", "powershell")
        assert isinstance(line, str)


def test_what_is_too_long_is_judged_as_a_whole() -> None:
    text = "\tls\n" * (written_code.LONGEST // 4 + 1)
    assert written_code.commands("Makefile", text) == (("sh", text),)


def test_what_has_too_many_lines_is_judged_by_fewer() -> None:
    text = "".join(f"\tls {number}\n" for number in range(written_code.MOST + 3))
    found = written_code.commands("Makefile", text)
    assert len(found) == written_code.MOST + 1
    assert found[-1] == ("sh", f"ls {written_code.MOST}\nls {written_code.MOST + 1}\nls {written_code.MOST + 2}")

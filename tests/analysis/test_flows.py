"""Which secrets lines let go: flows.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from rulez_py.analysis import analyse

TABLE = YAML(typ="safe").load(Path(__file__).with_name("flows.yaml").read_text("utf-8"))
ROWS = [(line, flows) for row in TABLE for line, flows in row.items()]


@pytest.mark.parametrize(("line", "flows"), ROWS)
def test_a_line_lets_go_what_the_table_says(line: str, flows: list[str]) -> None:
    commands = analyse(line, cwd="/home/me/project", home="/home/me", environ={})
    found = {f"{origin} -> {sink}" for command in commands for origin, sink in command.flows}
    assert found == set(flows)


def test_what_was_loaded_from_a_file_is_read_by_what_prints_it() -> None:
    for line in ("source .env; env", "set -a; . ./.env; echo $DB_PASSWORD", "node --env-file=.env -p process.env"):
        commands = analyse(line, cwd="/home/me/project", home="/home/me", environ={})
        assert any(file.path.endswith(".env") and "read" in file.access for one in commands for file in one.files), line
    commands = analyse("source .env; make; echo $HOME", cwd="/home/me/project", home="/home/me", environ={})
    assert not any(one.files for one in commands)

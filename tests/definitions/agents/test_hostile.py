"""Hostile names, texts and enrichers end in an error that says where, and no file: hostile.yaml has them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

from rulez_py.cli import cli

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("hostile.yaml"))


def test_there_are_enough() -> None:
    assert len(CASES) >= 30


@pytest.mark.skipif(os.name == "nt", reason="there are no such devices")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_it_ends_in_an_error_that_says_where_and_no_file(
    tmp_path: Path, case: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    (project / "agents").mkdir(parents=True)
    (project / ".git").mkdir()
    (tmp_path / "out.md").write_text("out")
    os.mkfifo(project / "agents" / "device.md")
    name = case.get("name", "agents/a.yaml")
    (project / name).write_bytes(bytes.fromhex(case["bytes"]) if "bytes" in case else case["file"].encode())
    more = []
    if "enricher" in case:
        (project / "mine.py").write_text(case["enricher"])
        more = ["--enricher", "mine:change"]
    monkeypatch.chdir(project)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    before = sorted(project.rglob("*"))
    result = CliRunner().invoke(cli, ["agents", "write", name, "--platform", "all", *more])
    assert result.exit_code == 1, result.output
    assert result.stderr.startswith(case["said"]), result.stderr
    assert "Traceback" not in result.output
    assert [path for path in sorted(project.rglob("*")) if "__pycache__" not in path.parts] == before

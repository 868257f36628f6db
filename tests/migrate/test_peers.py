"""A file of another product is called by its name, not read as if it were RuleZ' or Claude Code's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.migrate.peers import PEERS, title

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("peers.yaml"))


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        pytest.param(file["path"], file["text"], case["title"], id=f"{case['title']} {file['path']} {number}")
        for case in CASES
        for number, file in enumerate(case["files"])
    ],
)
def test_whose_a_file_is(path: str, text: str, said: str | None) -> None:
    assert title(path, text.encode()) == said
    assert title(f"/p/{path}", text.replace("\n", "\r\n").encode()) == said


def test_every_peer_has_a_case() -> None:
    assert [peer.title for peer in PEERS] == [case["title"] for case in CASES if case["title"]]

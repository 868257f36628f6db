"""`rulez log`: what is shown, and that nothing in the log reaches a terminal as it is."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulez_py.cli import cli
from tests.test_history import KEPT, Kept, line

EVIL = 'ls \x1b]0;title\x07 "\u202e" =1'
LINES = [
    line(1, "deny", "no-force-push", tool_input={"command": EVIL}),
    line(2, "ask", "r\u202e", ms=99.0, session_id="\x1b[2J"),
    line(3, tool_input={"command": "=cmd()"}),
]


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    place = tmp_path / "rulez"
    place.mkdir()
    (place / "audit.jsonl").write_bytes(b"".join(LINES))
    (place / "denied.jsonl").write_bytes(b"".join(LINES[:2]))
    return place


def shown(*arguments: str, code: int = 0) -> str:
    ended = CliRunner().invoke(cli, ["log", *arguments])
    assert ended.exit_code == code, ended.output
    return ended.output


def test_a_day_and_its_calls(state: Path) -> None:
    day, *calls = shown().splitlines()
    assert day == "2023-11-14"
    assert [call.split()[:4] for call in calls] == [
        ["22:13:21", "deny", "claude", "Bash"],
        ["22:13:22", "ask", "claude", "Bash"],
        ["22:13:23", "pass", "claude", "Bash"],
    ]
    assert "no-force-push" in calls[0]


@pytest.mark.parametrize("arguments", [(), ("--summary",), ("--json",), ("--csv",), ("--json", "--summary")])
def test_no_character_that_a_terminal_obeys_is_printed(state: Path, arguments: tuple[str, ...]) -> None:
    raw = b'{"time":"2023-11-14\xc2\x9b","verdict":"\xe2\x80\xaedeny","rule":"a\xe2\x80\xae","input":"\xc2\x9b"}\n'
    (state / "audit.jsonl").write_bytes(b"".join((*LINES, raw)))
    output = shown(*arguments)
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(output)


def test_last_so_many(state: Path) -> None:
    assert len(shown("-n", "1").splitlines()) == 2
    assert len(shown("-n", "0").splitlines()) == 4


def test_one_json_object_for_each(state: Path) -> None:
    found = [json.loads(text) for text in shown("--json").splitlines()]
    assert [json.loads(text) for text in LINES] == found


def test_a_spreadsheet_takes_every_cell_for_text(state: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(shown("--csv"))))
    assert [row["verdict"] for row in rows] == ["deny", "ask", "pass"]
    assert rows[2]["input"] == "'=cmd()"


def test_only_what_was_asked_for(state: Path) -> None:
    assert [json.loads(text)["verdict"] for text in shown("--json", "--verdict", "ask").splitlines()] == ["ask"]
    assert shown("--since", "1h", "--json") == ""


def test_a_summary(state: Path) -> None:
    output = shown("--summary")
    assert output.startswith("3 calls: 1 deny, 1 ask, 1 pass\n")
    assert "no-force-push" in output
    assert json.loads(shown("--summary", "--json"))["verdicts"] == {"deny": 1, "ask": 1, "pass": 1}
    assert max(map(len, output.splitlines())) <= 80


def test_no_log_is_said_to_be_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert shown() == "no call has been logged yet\n"
    assert shown("--summary").startswith("0 calls")
    assert shown("--json") == ""


def test_where_nothing_fits_that_is_said(state: Path) -> None:
    assert shown("--rule", "no-such-rule") == "the log has no such call\n"
    assert shown("--rule", "no-such-rule", "--json") == ""
    (state / "audit.jsonl").write_bytes(line(1, session_id="rulez-doctor"))
    assert shown() == "no call has been logged yet\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--since", "yesterday"), "is no time"),
        (("--verdict", "no"), "is not one of"),
        (("--json", "--csv"), "do not go together"),
        (("-f", "--summary"), "do not go together"),
        (("/nowhere/audit.jsonl",), "does not exist"),
    ],
)
def test_a_wrong_command_line(state: Path, arguments: tuple[str, ...], said: str) -> None:
    assert said in shown(*arguments, code=2)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end otherwise there")
@pytest.mark.parametrize("arguments", [(), ("--json",), ("--csv",), ("--summary",)])
def test_a_pipe_that_nobody_reads_is_no_traceback(state: Path, arguments: tuple[str, ...]) -> None:
    (state / "audit.jsonl").write_bytes(b"".join(LINES) * 3000)
    receiver, sender = os.pipe()
    os.close(receiver)
    command = [sys.executable, "-m", "rulez_py", "log", "-n", "0", *arguments]
    ended = subprocess.run(
        command, stdout=sender, stderr=subprocess.PIPE, env=dict(os.environ), timeout=60, check=False
    )
    os.close(sender)
    assert (ended.returncode in (0, 1), b"Traceback" in ended.stderr) == (True, False)


@pytest.mark.parametrize("case", KEPT, ids=lambda case: case.id)
def test_what_was_kept_is_said_with_how_to_give_it_back(state: Path, case: Kept) -> None:
    case.write(state)
    assert f"  ({case.said})" in shown()
    assert f" {case.checkpoint.id} {case.state} {case.checkpoint.what}" in " ".join(shown("--summary").split())
    (found,) = json.loads(shown("--summary", "--json"))["kept"]
    assert (found["id"], found["state"], found["input"]) == (case.checkpoint.id, case.state, "run 5")
    (row,) = csv.DictReader(io.StringIO(shown("--csv")))
    assert row["checkpoints"] == case.checkpoint.id

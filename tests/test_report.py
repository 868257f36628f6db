"""`rulez report`: one page, in which what the log says is nothing but text."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rulez_py.cli import cli
from rulez_py.history import report
from tests.test_history import KEPT, Kept, line

EVIL = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> \x1b[2J \u202e &amp; {period}"


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    path = tmp_path / "audit.jsonl"
    path.write_bytes(
        line(1, "deny", EVIL, tool_input={"command": EVIL}, session_id=EVIL)
        + line(2, "ask", "r")
        + line(3, tool_input={"command": "passes"})
        + json.dumps({"time": f"2023-11-14T{EVIL}", "verdict": EVIL, "platform": EVIL}).encode()
    )
    return path


def made(*arguments: str, code: int = 0) -> str:
    ended = CliRunner().invoke(cli, ["report", *arguments])
    assert ended.exit_code == code, ended.output
    return ended.output


def data_of(page: str) -> Any:
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page)
    return json.loads(found)


def test_what_the_log_says_is_in_a_block_of_data_and_nowhere_else(log: Path) -> None:
    page = made("--html", "-", str(log))
    data = data_of(page)
    assert data["stopped"][1]["input"].startswith("</script><script>alert(1)</script><!--")
    without = page.replace(re.findall(r'id="data">(.*?)</script>', page)[0], "")
    assert "alert" not in re.sub(r"<p>2023-[^\n]*</p>", "", without)
    assert page.count("<script") == page.count("</script>") == 2
    assert not {"\x1b", "\u202e"} & set(page)


def test_only_the_page_s_own_script_and_style_may_run(log: Path) -> None:
    page = made("--html", "-", str(log))
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    rules = dict(rule.strip().split(" ", 1) for rule in html.unescape(policy).split(";"))
    for name, tag in (("script-src", "<script>"), ("style-src", "<style>")):
        (text,) = re.findall(tag + "(.*?)</", page, re.DOTALL)
        assert rules[name] == f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
    assert (rules["default-src"], rules["base-uri"], rules["form-action"]) == ("'none'", "'none'", "'none'")


def test_nothing_is_loaded_from_anywhere(log: Path) -> None:
    log.write_bytes(line(1))
    page = made("--html", "-", str(log))
    assert set(re.findall(r"\w+://[^\"\s]+", page)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\b(src|href)=|@import|url\(|innerHTML|insertAdjacentHTML|document\.write|eval\(", page)


def test_what_was_stopped_is_listed_the_latest_first(log: Path) -> None:
    assert [one["verdict"] for one in data_of(made("--html", "-", str(log)))["stopped"]] == ["ask", "deny"]
    assert data_of(made("--html", "-", "--verdict", "pass", str(log)))["stopped"] == []
    assert [one["rule"] for one in data_of(made("--html", "-", "--rule", "r", str(log)))["stopped"]] == ["r"]


def test_only_the_latest_of_many_are_listed(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "STOPPED", 1)
    page = made("--html", "-", str(log))
    assert [one["verdict"] for one in data_of(page)["stopped"]] == ["ask"]
    assert "The latest 1 call that was denied" in page


def test_the_file_is_whole_and_private(log: Path) -> None:
    log.write_bytes(line(1) + line(2))
    assert made("--html", "page.html", str(log)) == "2 calls: page.html\n"
    written = log.parent / "page.html"
    assert written.read_text(encoding="utf-8").endswith("</html>\n")
    if sys.platform != "win32":
        assert stat.S_IMODE(written.stat().st_mode) == 0o600
    assert sorted(path.name for path in log.parent.iterdir()) == ["audit.jsonl", "page.html"]


def test_an_empty_log_is_a_page_as_well(log: Path) -> None:
    assert data_of(made("--html", "-"))["calls"] == 0


@pytest.mark.parametrize(("target", "code"), [("nowhere/page.html", 1), (".", 1)])
def test_a_place_that_cannot_be_written(log: Path, target: str, code: int) -> None:
    assert made("--html", target, str(log), code=code).startswith("Error: ")
    assert [path.name for path in log.parent.iterdir()] == ["audit.jsonl"]


@pytest.mark.parametrize("case", KEPT, ids=lambda case: case.id)
def test_what_was_kept_is_listed(log: Path, case: Kept) -> None:
    state = log.parent / "rulez"
    state.mkdir()
    case.write(state)
    page = made("--html", "-")
    (found,) = data_of(page)["kept"]
    assert (found["said"], found["state"]) == (case.said, case.state)
    assert '<table id="kept">' in page

"""`loses: unread`: what an agent's session has read, and what has changed since."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulez_py.system.sessions import seen

POLICY = """\
version: "1.0"
rules:
  - name: read-it-first
    matchers: {operations: [PreToolUse], loses: unread}
    actions: {ask: true}
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / ".config" / "rulez").mkdir(parents=True)
    (tmp_path / ".config" / "rulez" / "rules.yaml").write_text(POLICY)
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "a").write_text("1\n")
    return tmp_path


def hook(place: Path, event: str, tool: str, *, session: str = "s", **given: Any) -> str:
    """The decision of a hook call, "" for none."""
    payload = {
        "session_id": session,
        "cwd": str(place / "p"),
        "hook_event_name": event,
        "permission_mode": "default",
        "tool_name": tool,
        "tool_input": given,
        **({"tool_response": {}} if event == "PostToolUse" else {}),
    }
    ended = subprocess.run(
        [sys.executable, "-I", "-m", "rulez_py", "hook", "--platform", "claude"],
        input=json.dumps(payload).encode(),
        capture_output=True,
        cwd=place / "p",
        env={"HOME": str(place), "PATH": os.environ["PATH"]},
        check=False,
    )
    assert ended.returncode == 0, ended
    said = json.loads(ended.stdout or b"{}").get("hookSpecificOutput", {})
    return str(said.get("permissionDecision", ""))


def write(place: Path, **more: Any) -> str:
    return hook(place, "PreToolUse", "Write", file_path=str(place / "p" / "a"), content="2\n", **more)


SEEN = {
    # what happened in the session before the file is written over: the decision
    "nothing": "ask",
    "it was read": "",
    "it was read by a shell": "",
    "it was written": "",
    "it was read, and then changed": "ask",
    "it was read, changed, and read again": "",
    "another session read it": "ask",
    "another file was read": "ask",
    "its mode was changed": "ask",
    "it was staged": "ask",
    "something was added": "ask",
    "it was counted": "ask",
    "a part was read": "ask",
    "it was copied away": "ask",
    "it is gone": "",
    "it is empty": "",
}


LINES = {
    "its mode was changed": "chmod +x a",
    "it was staged": "git add a",
    "something was added": "echo x >> a",
    "it was counted": "wc -l a",
    "it was copied away": "cat a > b",
}


@pytest.mark.parametrize("before", SEEN)
def test_a_file_is_read_before_it_is_written_over(place: Path, before: str) -> None:
    path = place / "p" / "a"

    def read(**more: Any) -> None:
        hook(place, "PostToolUse", "Read", file_path=str(path), **more)

    if before == "it was read by a shell":
        hook(place, "PostToolUse", "Bash", command="cat a")
    elif before == "it was written":
        hook(place, "PostToolUse", "Write", file_path=str(path), content="1\n")
    elif before.startswith("it was read"):
        read()
        if "changed" in before:
            path.write_text("changed\n")
        if "again" in before:
            read()
    elif before == "another session read it":
        read(session="t")
    elif before == "another file was read":
        (place / "p" / "b").write_text("1\n")
        hook(place, "PostToolUse", "Read", file_path=str(place / "p" / "b"))
    elif before in LINES:
        hook(place, "PostToolUse", "Bash", command=LINES[before])
    elif before == "a part was read":
        read(limit=1)
    elif before == "it is gone":
        path.unlink()
    elif before == "it is empty":
        path.write_text("")
    assert write(place) == SEEN[before]


def test_an_edit_of_a_part_needs_no_reading(place: Path) -> None:
    given = {"file_path": str(place / "p" / "a"), "old_string": "1", "new_string": "2"}
    assert hook(place, "PreToolUse", "Edit", **given) == ""


def test_nothing_is_noted_where_no_rule_asks(place: Path) -> None:
    (place / ".config" / "rulez" / "rules.yaml").write_text(POLICY.replace("unread", "overwritten"))
    hook(place, "PostToolUse", "Read", file_path=str(place / "p" / "a"))
    assert not list(place.rglob("seen"))


def test_what_old_sessions_have_seen_is_deleted(place: Path) -> None:
    state, path = str(place / "state"), str(place / "p" / "a")
    seen.note(state, "old", [path])
    seen.note(state, "new", [path])
    (old,) = (one for one in (place / "state" / "seen").iterdir() if bytes.fromhex(one.name) == b"old")
    os.utime(old, (0, 0))
    assert seen.has_seen(state, "old", path) is False
    assert old.exists()
    seen.forget(state, os.stat(place / "state" / "seen").st_mtime)
    assert not old.exists()
    assert seen.has_seen(state, "new", path) is True


def test_of_a_long_session_the_last_files_count(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state, path, other = str(place / "state"), str(place / "p" / "a"), place / "p" / "b"
    other.write_text("b\n")
    seen.note(state, "s", [path, str(other)])
    monkeypatch.setattr(seen, "MOST_BYTES", len(os.fsencode(other)) + 30)
    assert seen.has_seen(state, "s", str(other)) is True
    assert seen.has_seen(state, "s", path) is False


def test_what_cannot_be_looked_at_is_unknown(place: Path) -> None:
    state, path = str(place / "state"), str(place / "p" / "a")
    assert seen.has_seen(state, "", path) is None
    odd = place / "p" / "a\nb"
    odd.write_text("x\n")
    seen.note(state, "s", [str(odd)])
    assert seen.has_seen(state, "s", str(odd)) is None
    link = place / "state" / "seen" / b"s".hex()
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(path)
    assert seen.has_seen(state, "s", path) is None

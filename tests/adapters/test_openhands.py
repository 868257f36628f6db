"""OpenHands' editor has several tools' work, its terminal goes on, and its servers have no name."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulez_py.platforms import adapter, caller
from tests.recordings import PAYLOADS, RECORDINGS

OPENHANDS = adapter("openhands")


def recorded(name: str, **given: object) -> dict[str, Any]:
    payload: dict[str, Any] = json.loads((PAYLOADS / "openhands" / f"{name}.json").read_text())
    return {**payload, "tool_input": {**payload["tool_input"], **given}}


@pytest.mark.parametrize(
    ("command", "tool", "access"),
    [
        ("view", "Read", ("read",)),
        ("create", "Write", ("write",)),
        ("str_replace", "Edit", ("write",)),
        ("insert", "Edit", ("write",)),
        ("undo_edit", "Edit", ("write",)),
        ("of_the_future", "Edit", ("write",)),
        (None, "Edit", ("write",)),
    ],
)
def test_the_editor_s_command_says_which_tool_it_is(command: str | None, tool: str, access: tuple[str, ...]) -> None:
    event = OPENHANDS.parse(recorded("PreToolUse__file_editor__create", command=command), None)
    assert (event.tool_name, event.tool_access) == (tool, access)


@pytest.mark.parametrize(
    ("given", "typed"),
    [
        ("rm -r x", "rm -r x\n"),
        ("C-c", "{c-c}"),
        ("UP", "{up}"),
        (" ENTER ", "{enter}"),
        ("C-cat", "C-cat\n"),
        ("up x", "up x\n"),
    ],
)
def test_what_is_typed_into_a_program_is_no_command_of_its_own(given: str, typed: str) -> None:
    event = OPENHANDS.parse(recorded("PreToolUse__terminal__input", command=given), None)
    assert "command" not in event.tool_input
    assert event.tool_input["chars"] == typed


def test_a_server_s_tool_has_its_own_arguments_and_a_server_without_a_name() -> None:
    event = OPENHANDS.parse(recorded("PreToolUse__make_file"), None)
    assert event.own_input == {"path": "/home/user/project/mcp.txt"}
    assert event.mcp == (("", "make_file"), ("make", "file"))


def test_a_tool_of_its_own_is_no_server_s() -> None:
    assert OPENHANDS.parse(recorded("PreToolUse__file_editor__view"), None).mcp == ()


@pytest.mark.parametrize("one", [one for one in RECORDINGS if one.platform == "openhands"], ids=lambda one: one.name)
def test_a_hook_for_claude_code_in_its_file_answers_in_its_words(one: Any) -> None:
    assert caller("claude", one.payload, {}) == "openhands"
    assert caller("openhands", one.payload, {}) == "openhands"

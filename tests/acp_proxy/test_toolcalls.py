"""What an agent tells of a call, and the calls that the policy judges: the table, and what holds of anything told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.acp_proxy import agents
from rulez_py.acp_proxy.toolcalls import ToolCall, calls
from rulez_py.event import CANONICAL_TOOLS
from rulez_py.platforms import PLATFORMS
from tests.acp_proxy.test_acp import JSON

TABLE: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).parent / "calls.yaml")


def told(*updates: Any, key: str = "") -> ToolCall:
    call = ToolCall(key=key)
    for update in updates:
        call = call.told_more(update)
    return call


@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"]) for row in TABLE])
def test_a_call_is_judged_as_what_it_is(row: dict[str, Any]) -> None:
    found = calls(told(*row["told"], key=row.get("key", "")), row["platform"])
    assert [list(one) for one in found.calls] == row["judged"]
    assert found.whole is row.get("whole", True)


def test_what_is_said_again_replaces_and_what_is_left_out_stays() -> None:
    first = {"kind": "edit", "rawInput": {"path": "/a", "content": "x"}, "locations": [{"path": "/a"}]}
    call = told(first, {"rawInput": {"path": "/b"}, "kind": None, "locations": None})
    assert (call.kind, call.input, call.places) == ("edit", {"path": "/b", "content": "x"}, ("/a",))


def test_the_tables_name_what_there_is() -> None:
    assert set(agents.PLATFORM_OF.values()) <= set(PLATFORMS)
    assert set(agents.TOOL_OF_KIND.values()) | set(agents.TITLE_IS) <= set(CANONICAL_TOOLS)


PIECES = st.dictionaries(
    st.sampled_from(["kind", "title", "name", "rawInput", "content", "locations", "_meta"]),
    JSON | st.lists(st.fixed_dictionaries({"type": st.just("diff"), "path": JSON, "newText": JSON, "oldText": JSON})),
)


@given(st.lists(PIECES, max_size=3), st.text(), st.sampled_from([*PLATFORMS]))
def test_whatever_is_told_is_a_call_or_is_not_whole(updates: list[Any], key: str, platform: str) -> None:
    found = calls(told(*updates, key=key), platform)
    assert all(isinstance(tool, str) and tool and isinstance(given, dict) for tool, given in found.calls)
    assert found.calls or not found.whole


@given(st.text(), st.text())
def test_of_an_edit_the_parts_that_stay_are_left_out_and_no_others(old: str, new: str) -> None:
    diff = {"type": "diff", "path": "/a", "oldText": old, "newText": new}
    [(tool, arguments)] = calls(told({"kind": "edit", "content": [diff]}), "claude").calls
    if tool == "Write":
        assert (old, arguments["content"]) == ("", new)
    else:
        gone, come = arguments["old_string"], arguments["new_string"]
        places = [at for at in range(len(old) + 1) if old[at:].startswith(gone)]
        assert new in [old[:at] + come + old[at + len(gone) :] for at in places]

"""What TOOL-MAPPING.md says a name gives the model is what the end-to-end tests see the CLIs offer."""

from __future__ import annotations

import pytest

from rulez_py.definitions.base.harnesses import OFFERED
from rulez_py.definitions.base.tool import Harness
from rulez_py.tools import AGENT_FILE_NAMES
from tests.e2e.agents import agent_files


@pytest.mark.parametrize("harness", Harness)
def test_there_is_a_word_on_every_name_of_the_matrix_in_its_order(harness: Harness) -> None:
    names = [name for row in AGENT_FILE_NAMES[harness].values() for name in row]
    assert list(OFFERED[harness]) == list(dict.fromkeys(names))


@pytest.mark.parametrize("harness", Harness)
def test_an_agent_with_every_tool_is_offered_what_the_page_says(harness: Harness) -> None:
    """With a remark it may be missing. What ends a subagent's work, or comes from an MCP server, is no variant."""
    files = agent_files(harness)
    seen = {name for name in files.shell | files.others | files.instead if "make_file" not in name} - {"complete_task"}
    said = {name for one in OFFERED[harness].values() for name in one.names}
    certain = {name for one in OFFERED[harness].values() if not one.remark for name in one.names}
    assert certain <= seen <= said

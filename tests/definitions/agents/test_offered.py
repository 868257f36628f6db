"""What TOOL-MAPPING.md says a name gives the model is what the end-to-end tests see the CLIs offer."""

from __future__ import annotations

import pytest

from rulez_py.definitions.base.platforms import OFFERED
from rulez_py.definitions.base.tool import Platform
from rulez_py.platforms.tool_table import AGENT_FILE_NAMES
from tests.e2e.agents import agent_files


@pytest.mark.parametrize("platform", Platform)
def test_there_is_a_word_on_every_name_of_the_matrix_in_its_order(platform: Platform) -> None:
    names = [name for row in AGENT_FILE_NAMES[platform].values() for name in row]
    assert list(OFFERED[platform]) == list(dict.fromkeys(names))


@pytest.mark.parametrize("platform", Platform)
def test_an_agent_with_every_tool_is_offered_what_the_page_says(platform: Platform) -> None:
    """With a remark it may be missing. What ends a subagent's work, or comes from an MCP server, is no variant."""
    files = agent_files(platform)
    seen = {name for name in files.shell | files.others | files.instead if "make_file" not in name}
    seen -= {"complete_task", "ToolSearch"}
    said = {name for one in OFFERED[platform].values() for name in one.names}
    certain = {name for one in OFFERED[platform].values() if not one.remark for name in one.names}
    assert certain <= seen <= said

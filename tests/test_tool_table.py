"""The tool table against the requirement, name by name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rulez_py.platforms import PLATFORMS, adapter, tool_table
from tests.platforms import PLATFORMS as FACTS
from tests.platforms import PROVEN
from tests.recordings import RECORDINGS, Recording

# Tool variant -> names in an agent definition file, letter for letter.
AGENT_FILES = """
variant   | opencode  | copilot | claude
Write     | write     | write   | Write
Edit      | edit      | edit    | Edit
Shell     | bash      | execute | Bash
Read      | read      | read    | Read
Glob      | grep      | search  | Glob
List      | list      | search  | Glob
LSP       | lsp       | -       | LSP
Skill     | skill     | skill   | skill
TodoWrite | todowrite | todo    | TaskCreate TaskUpdate
TodoRead  | todoread  | todo    | TaskList TaskGet TaskUpdate
WebFetch  | webfetch  | web     | WebFetch
WebSearch | -         | web     | WebSearch
Question  | question  | -       | AskUserQuestion
"""


def required() -> Iterator[tuple[str, str, str]]:
    for platform, facts in FACTS.items():
        for canonical, names in facts.tools.items():
            yield from ((platform, name, canonical) for name in names.split())


def agent_files() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    header, *lines = [[cell.strip() for cell in line.split("|")] for line in AGENT_FILES.strip().splitlines()]
    for variant, *cells in lines:
        for platform, cell in zip(header[1:], cells, strict=True):
            yield platform, variant, () if cell == "-" else tuple(cell.split())


@pytest.mark.parametrize(("platform", "name", "canonical"), list(required()))
def test_a_platform_s_name_has_its_canonical_name(platform: str, name: str, canonical: str) -> None:
    assert tool_table.canonical_name(platform, name) == canonical


@pytest.mark.parametrize("platform", PLATFORMS)
def test_no_other_name_is_mapped(platform: str) -> None:
    mapped = {name for name, row in tool_table.INBOUND[platform].items() if row.canonical is not None}
    assert mapped == {name for row_platform, name, _ in required() if row_platform == platform}


@pytest.mark.parametrize(
    ("platform", "name"), [(platform, name) for platform, facts in FACTS.items() for name in facts.unchanged.split()]
)
def test_every_other_name_passes_through(platform: str, name: str) -> None:
    assert tool_table.canonical_name(platform, name) == name


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("name", tool_table.CANONICAL)
def test_a_canonical_name_is_its_own(platform: str, name: str) -> None:
    assert tool_table.canonical_name(platform, name) == name


@pytest.mark.parametrize(("platform", "variant", "names"), list(agent_files()))
def test_the_names_in_an_agent_file(platform: str, variant: str, names: tuple[str, ...]) -> None:
    assert tool_table.AGENT_FILE_NAMES[platform][variant] == names


@pytest.mark.parametrize("platform", tool_table.AGENT_FILE_NAMES)
def test_an_agent_file_has_a_word_on_every_variant(platform: str) -> None:
    assert tuple(tool_table.AGENT_FILE_NAMES[platform]) == tool_table.VARIANTS


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_table_uses_only_known_words(platform: str) -> None:
    for name, row in tool_table.INBOUND[platform].items():
        assert row.name == name
        assert row.canonical is None or row.canonical in tool_table.CANONICAL
        assert set(row.variants) <= set(tool_table.VARIANTS)
        assert row.evidence in (tool_table.SEEN, tool_table.SOURCE, tool_table.DOCS, tool_table.REQUIRED)


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_a_recorded_name_is_marked_as_seen(recording: Recording) -> None:
    sent = adapter(recording.platform).parse(recording.payload, None).platform_tool_name
    row = tool_table.INBOUND[recording.platform].get(sent or "")
    levels = (tool_table.SEEN,) if recording.platform in PROVEN else (tool_table.DOCS, tool_table.SOURCE)
    assert row is None or row.evidence in levels


@pytest.mark.parametrize(
    ("platform", "name", "answers_to"),
    [
        ("claude", "Bash", ("Bash", "Shell")),
        ("claude", "Monitor", ("Bash", "Monitor", "Shell")),
        ("claude", "NotebookEdit", ("NotebookEdit", "Edit")),
        ("claude", "TaskUpdate", ("TaskUpdate", "TodoWrite", "TodoRead")),
        ("claude", "Agent", ("Task", "Agent")),
        ("gemini", "run_shell_command", ("Bash", "run_shell_command", "Shell")),
        ("gemini", "google_web_search", ("google_web_search", "WebSearch")),
        ("gemini", "list_directory", ("list_directory", "List")),
        ("copilot", "view", ("Read", "view")),
        ("copilot", "apply_patch", ("Edit", "apply_patch")),
        ("opencode", "websearch", ("websearch", "WebSearch")),
        ("opencode", "bash", ("Bash", "bash", "Shell")),
        ("opencode", "mytool", ("mytool",)),
        ("opencode", "Grep", ("Grep",)),
        ("codex", "Bash", ("Bash", "Shell")),
        ("codex", "apply_patch", ("Edit", "apply_patch")),
        ("codex", "request_user_input", ("request_user_input", "Question")),
    ],
)
def test_the_names_a_rule_may_use(platform: str, name: str, answers_to: tuple[str, ...]) -> None:
    assert tool_table.rule_names(platform, name) == answers_to


@pytest.mark.parametrize("platform", PLATFORMS)
def test_names_are_case_sensitive(platform: str) -> None:
    for name in tool_table.CANONICAL:
        assert name not in tool_table.rule_names(platform, name.upper() + "X")
    assert "Bash" not in tool_table.rule_names("claude", "bash")

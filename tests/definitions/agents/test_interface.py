"""The Python interface of rulez_py.definitions.agents, as people write it: plain names and lists, values, and errors
of one kind.

mypy reads this file strictly (`make types`): what is here is what type checkers let people write.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from rulez_py.cli import cli
from rulez_py.definitions import agents
from rulez_py.definitions.agents import (
    AgentDefinition,
    AgentError,
    CustomTool,
    EnricherError,
    InvalidAgent,
    Note,
    Platform,
    Section,
    Tool,
    ToolMap,
    WrongType,
    compose,
    enrichers,
    file_path,
    map_tools,
    parse_tool,
    read,
    render,
    to_platform,
)
from rulez_py.definitions.agents.format import json_schema


def agent(**fields: Any) -> AgentDefinition:
    return AgentDefinition(**{"name": "ab", "description": "d", "sections": [Section("", "Do your work.")], **fields})


# What people write.


def test_lists_and_plain_names_of_platforms_are_taken() -> None:
    made = AgentDefinition(
        name="reviewer",
        description="Reviews a change.",
        tools=[Tool.Read, Tool.Custom("mcp__db__query")],
        disallowed_tools=[Tool.Write],
        model={"claude": "sonnet"},
        platforms={"opencode": {"mode": "subagent"}},
        sections=[Section("Role", "You review.")],
    )
    assert made.tools == (Tool.Read, CustomTool("mcp__db__query"))
    assert (made.model_on("claude"), made.model_on(Platform.Claude), made.model_on("gemini")) == (
        "sonnet",
        "sonnet",
        None,
    )
    assert "mode: subagent" in render(made, "opencode")
    assert file_path(made, "claude", "markdown") == ".claude/agents/reviewer.md"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_old_name_stands_for_two_tools_everywhere() -> None:
    assert to_platform(Tool.Todo, Platform.Claude) == map_tools([Tool.Todo], "claude")
    assert AgentDefinition(name="a", description="d", tools=[Tool.Read, Tool.Todo]).tools == (
        Tool.Read,
        Tool.TodoWrite,
        Tool.TodoRead,
    )


@pytest.mark.parametrize("output", ["markdown", "json", "yaml"])
def test_an_output_is_named_as_on_the_command_line(output: str) -> None:
    text = render(agent(), "claude", output)
    assert text.startswith({"markdown": "---\n", "json": "{", "yaml": "ab:\n"}[output])


@pytest.mark.parametrize("name", ["Custom", "Bash", "Todo", "Shell"])
def test_every_name_of_a_tool_is_listed(name: str) -> None:
    assert name in dir(Tool)


@pytest.mark.parametrize(("tool", "text"), [(Tool.Shell, "Shell"), (Tool.Custom("x"), "Custom:x")])
def test_a_tool_as_text_is_what_files_write(tool: Any, text: str) -> None:
    assert (str(tool), parse_tool(text)) == (text, (tool,))


def test_a_note_prints_as_its_sentence() -> None:
    assert str(Note("It has no skills.")) == "It has no skills."


def test_maps_of_tools_are_joined() -> None:
    one = ToolMap({"a": True, "b": True})
    assert (one | {"b": False}, {"b": False} | one) == (
        ToolMap({"a": True, "b": False}),
        ToolMap({"b": True, "a": True}),
    )


# Values.


MADE = agent(tools=[Tool.Read], front_matter={"x": {"y": [1, {"z": None}]}}, platforms={"claude": {"color": "red"}})


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one)), dataclasses.replace],
    ids=["copy", "deepcopy", "pickle", "replace"],
)
def test_a_definition_is_a_value(copied: Any) -> None:
    other = copied(MADE)
    assert (other, hash(other), {MADE: 1}[other]) == (MADE, hash(MADE), 1)


def test_a_definition_becomes_a_dictionary() -> None:
    assert dataclasses.asdict(MADE)["front_matter"] == {"x": {"y": (1, {"z": None})}}


def test_nothing_in_a_definition_can_be_changed() -> None:
    with pytest.raises(AttributeError):
        MADE.front_matter["x"]._entries = {}
    with pytest.raises(TypeError):
        MADE.front_matter["x"]["y"] = 1


# What is refused.


WRONG: dict[str, tuple[dict[str, Any], type[AgentError], str]] = {
    "a misspelt platform in platforms": ({"platforms": {"open-code": {}}}, InvalidAgent, 'did you mean "opencode"?'),
    "a misspelt platform in model": ({"model": {"cluade": "x"}}, InvalidAgent, 'did you mean "claude"?'),
    "a platform there is none of": ({"model": {"emacs": "x"}}, InvalidAgent, "there is no platform 'emacs'"),
    "a temperature that is true": ({"temperature": True}, WrongType, "is a number, not True"),
    "a temperature that is text": ({"temperature": "warm"}, WrongType, "is a number, not 'warm'"),
    "tokens with a point": ({"max_tokens": 2000.0}, WrongType, "is a whole number, not 2000.0"),
    "a model that is a number": ({"model": 5}, WrongType, "the model of agent ab is a name, not 5"),
    "a model of blanks": ({"model": {"claude": " "}}, WrongType, "the model of agent ab is a name, not ' '"),
    "front matter that is a list": ({"front_matter": ["x"]}, WrongType, "front_matter of agent ab is a map"),
    "a platform that is no map": ({"platforms": {"claude": "x"}}, WrongType, "must be a map, not 'x'"),
    "a title of two lines": ({"sections": [Section("a\nb", "")]}, InvalidAgent, "has more than one line"),
    "a section that is text": ({"sections": "Do it."}, WrongType, "are a list of Section"),
    "a name that is no text": ({"name": 5}, WrongType, "the name of an agent is text, not 5"),
    "no description": ({"description": None}, WrongType, "the description of an agent is text, not None"),
    "tools that are a text": ({"tools": "Write"}, WrongType, "are a list, like [Tool.Read], not 'Write'"),
    "a long key inside": ({"front_matter": {"x": {"k" * 201: 1}}}, InvalidAgent, "a key of 201 characters"),
    "Windows' name for a device": ({"name": "nul"}, InvalidAgent, "Windows keeps for a device"),
    "a name in capitals": ({"name": "My-Agent"}, InvalidAgent, "for instance my-agent"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_value_is_refused_with_what_would_be_right(case: str) -> None:
    fields, kind, said = WRONG[case]
    with pytest.raises(kind) as refused:
        agent(**fields)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: render(MADE, "nope"), "there is no platform 'nope'"),
        (lambda: render(MADE, "claude", "xml"), "there is no output 'xml'; there are markdown, json, yaml"),
        (lambda: to_platform(Tool.Read, "nope"), "there is no platform 'nope'"),
        (lambda: to_platform("Read", "claude"), "'Read' is no tool"),  # type: ignore[arg-type]
        (lambda: Tool.Custom("x" * 201), "more than 200 characters"),
        (lambda: ToolMap().enable(Tool.Shell), "write a tool's name on the platform"),  # type: ignore[arg-type]
        (lambda: ToolMap({Tool.Shell: True}), "a tool map has names, which differ"),  # type: ignore[arg-type]
        (lambda: read("text", "x.yaml"), "the content of a file is bytes"),  # type: ignore[arg-type]
    ],
)
def test_every_error_is_an_agent_error(call: Any, said: str) -> None:
    with pytest.raises(AgentError) as refused:
        call()
    assert said in str(refused.value)


def test_there_is_one_base_class_of_errors() -> None:
    errors = [one for one in vars(agents).values() if isinstance(one, type) and issubclass(one, Exception)]
    assert [one for one in errors if not issubclass(one, AgentError)] == []


@pytest.mark.parametrize("key", ["platforms", "model"])
def test_the_schema_knows_the_platforms(key: str) -> None:
    data = {"description": "d", key: {"open-code": {"x": 1} if key == "platforms" else "x"}}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, json_schema())


@pytest.mark.parametrize(("word", "meant"), [("bash", "Shell"), ("grep", "Glob"), ("run_shell_command", "Shell")])
def test_a_platform_s_own_name_proposes_the_variant(word: str, meant: str) -> None:
    done = read(f"description: d\ntools: [{word}]\n".encode(), "x.yaml")
    assert f'did you mean "{meant}"?' in done.problems[0].help


@pytest.mark.parametrize("word", ["{{tool Bash}}", "{{{tool Bash}}}", "{{{tool:Shell}}}", "{{ tool:Shell }}"])
def test_what_is_nearly_a_placeholder_is_told(word: str) -> None:
    done = read(f"description: d\nprompt: 'Run {word}.'\n".encode(), "x.yaml")
    assert [one.help for one in done.problems] == ["write {{tool:Shell}}"]


# Enrichers.


def enriched(enricher: Any) -> str:
    return render(agent(tools=[Tool.Read]), "opencode", enricher=enricher)


@pytest.mark.parametrize("enricher", [None, compose([None]), compose([None, lambda _h, _a, tools: tools])])
def test_no_enricher_changes_nothing(enricher: Any) -> None:
    assert enriched(enricher) == enriched(lambda _platform, _agent, tools: tools)


@pytest.mark.parametrize("name", ["", " bash ", "a, Bash", "x\n  bash: true", "a\0", "\ud800", "x" * 201])
def test_a_name_that_an_enricher_adds_is_checked_as_any_other(name: str) -> None:
    with pytest.raises(EnricherError, match="is no tool's name"):
        enriched(lambda _platform, _agent, tools: {**tools, name: True})


async def _async(_platform: Platform, _agent: AgentDefinition, tools: ToolMap) -> ToolMap:
    return tools


RETURNED: dict[str, tuple[Any, str]] = {
    "nothing": (lambda _h, _a, _t: None, "it returned nothing"),
    "a list": (lambda _h, _a, tools: list(tools), "it returned a list, and must return a map"),
    "an endless iterator": (lambda _h, _a, _t: iter(int, 1), "it returned a callable_iterator"),
    "a coroutine": (_async, "it returned a coroutine"),
    "a number for a tool": (lambda _h, _a, _t: {"Read": 1}, "names and True or False"),
}


@pytest.mark.filterwarnings("ignore:coroutine")
@pytest.mark.parametrize("case", RETURNED)
def test_what_an_enricher_returns_is_a_map_of_tools(case: str) -> None:
    enricher, said = RETURNED[case]
    with pytest.raises(EnricherError) as refused:
        enriched(enricher)
    assert said in str(refused.value)


class _Own(BaseException):
    pass


def test_an_enricher_s_own_base_exception_is_an_error() -> None:
    def fail(_platform: Platform, _agent: AgentDefinition, _tools: ToolMap) -> ToolMap:
        raise _Own("why")

    with pytest.raises(EnricherError, match=r"_Own: why"):
        enriched(fail)


def test_an_enricher_that_hangs_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    from threading import Event

    monkeypatch.setattr(enrichers, "LONGEST", 0.05)
    with pytest.raises(EnricherError, match=r"not done after 0\.05 seconds"):
        enriched(lambda _h, _a, tools: Event().wait(20) and tools)


def test_what_an_enricher_prints_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    enriched(lambda _h, _a, tools: print("working") or tools)
    assert tuple(capsys.readouterr()) == ("", "working\n")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "helper_beside.py").write_text("NAME = 'db_query'\n")
    (tmp_path / "tools" / "enriching.py").write_text(
        "def add(platform, agent, tools):\n"
        "    from helper_beside import NAME\n"
        "    print('adding', NAME)\n"
        "    return tools.enable(NAME)\n"
    )
    (tmp_path / "a.yaml").write_text("description: d\ntools: [Read]\nprompt: x\n")
    return tmp_path


def test_an_enricher_imports_what_lies_beside_it_and_keeps_standard_output_clean(project: Path) -> None:
    words = ["agents", "write", "a.yaml", "--platform", "claude", "--format", "json", "--out", "-"]
    result = CliRunner().invoke(cli, [*words, "--enricher", "tools/enriching.py:add"])
    assert (result.exit_code, "adding db_query" in result.stderr) == (0, True), result.output
    assert json.loads(result.stdout)["a"]["tools"] == ["Read", "db_query"]
    assert str(project / "tools") not in sys.path


def test_a_definition_is_never_written_over_by_its_own_file(project: Path) -> None:
    file = project / ".claude" / "agents" / "rev.md"
    file.parent.mkdir(parents=True)
    file.write_text("---\ndescription: d\n---\nUse {{tool:Shell}}.\n")
    words = ["agents", "write", ".claude/agents/rev.md", "--platform", "claude", "--force"]
    result = CliRunner().invoke(cli, words)
    assert (result.exit_code, "is the definition itself" in result.output) == (1, True), result.output
    assert file.read_text() == "---\ndescription: d\n---\nUse {{tool:Shell}}.\n"


# Files.


def test_a_prompt_is_its_sections() -> None:
    made = AgentDefinition(name="a", description="d", prompt="Hello.\n\n## Role\n\nYou review.\n")
    assert made.sections == (Section("", "Hello."), Section("Role", "You review."))
    assert made.markdown == "Hello.\n\n## Role\n\nYou review.\n"
    with pytest.raises(InvalidAgent, match="a prompt and sections"):
        AgentDefinition(name="a", description="d", prompt="x", sections=[Section("", "y")])


def test_a_definition_is_loaded_or_its_problems_are_told(tmp_path: Path) -> None:
    file = tmp_path / "reviewer.yaml"
    file.write_text("description: d\ntools: [Read]\nprompt: Hello.\n")
    assert agents.load(file) == AgentDefinition(name="reviewer", description="d", tools=[Tool.Read], prompt="Hello.\n")
    file.write_text("description: d\ntools: {Read: true}\n")
    with pytest.raises(InvalidAgent, match=r'reviewer\.yaml:2:8: error: "tools" is a map; write a list of its tools'):
        agents.load(file)
    with pytest.raises(agents.CannotLoad, match="No such file"):
        agents.load(tmp_path / "none.yaml")


@pytest.mark.parametrize("platform", list(Platform))
@pytest.mark.parametrize("scope", ["project", "user"])
def test_a_file_is_written_once_and_known_again(tmp_path: Path, platform: Platform, scope: Any) -> None:
    made = agent(tools=[Tool.Read])
    states = [made.write(platform, tmp_path, scope=scope, check=True).state]
    states += [made.write(platform, tmp_path, scope=scope).state for _ in range(2)]
    assert states == [agents.State.Missing, agents.State.Missing, agents.State.Same]
    written = Path(made.write(platform, tmp_path, scope=scope).path)
    assert written.read_text().splitlines()[1].startswith("# Written by `rulez agents write` from <Python>; sha256 ")
    assert agent(tools=[Tool.Write]).write(platform, tmp_path, scope=scope).state is agents.State.Ours


def test_a_file_that_somebody_edited_is_kept(tmp_path: Path) -> None:
    made = agent()
    file = Path(made.write("claude", tmp_path).path)
    file.write_text(file.read_text() + "More.\n")
    with pytest.raises(agents.CannotWrite, match="edited by hand"):
        made.write("claude", tmp_path)
    done = made.write("claude", tmp_path, force=True)
    assert (done.state, Path(done.kept).read_text().endswith("More.\n")) == (agents.State.Edited, True)


def test_a_file_from_python_is_not_taken_for_one_whose_definition_is_gone(project: Path) -> None:
    agent(name="other").write("claude", project)
    result = CliRunner().invoke(cli, ["agents", "write", "a.yaml", "--platform", "claude"])
    assert (result.exit_code, "still loaded" in result.output) == (0, False), result.output


def test_a_directory_that_leads_elsewhere_is_refused(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (project / ".claude").symlink_to(elsewhere)
    result = CliRunner().invoke(cli, ["agents", "write", "a.yaml", "--platform", "claude"])
    said = ".claude is a symbolic link; put a directory in its place, or remove it"
    assert (result.exit_code, result.stderr) == (1, f"Error: {said}\n")
    with pytest.raises(agents.CannotWrite, match="is a symbolic link"):
        agent().write("claude", project)
    assert not list(elsewhere.iterdir())


def test_a_directory_of_a_person_s_own_home_may_lead_elsewhere_and_that_is_told(
    project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    (home / ".claude").symlink_to(tmp_path_factory.mktemp("dotfiles"))
    result = CliRunner().invoke(cli, ["agents", "write", "a.yaml", "--platform", "claude", "--scope", "user"])
    assert result.exit_code == 0, result.output
    assert "leads out of the project, to " in result.stderr


@pytest.mark.parametrize(
    ("name", "mcp"),
    [
        ("mcp__db__query", ("db", "query")),
        ("mcp__db__read__all", ("db", "read__all")),
        ("mcp__db", ("db", "")),
        ("mcp__db__*", ("db", "")),
        ("mcp__*", None),
        ("mcp__", None),
        ("mcp_db_query", None),
        ("query", None),
    ],
)
def test_a_custom_tool_knows_its_mcp_server(name: str, mcp: tuple[str, str] | None) -> None:
    assert CustomTool(name).mcp == mcp


def test_mcp_beside_every_tool_is_told() -> None:
    done = read(b"description: d\nmcp: {server: db}\n", "x.yaml")
    assert [one.message for one in done.problems] == ['"mcp" adds to "tools", without which it has every tool']


@pytest.mark.parametrize("server", ['"a,b"', '"a__b"', '"*"', '""', "[a]"])
def test_a_wrong_name_of_a_server_is_refused(server: str) -> None:
    done = read(f"description: d\ntools: []\nmcp: {{server: {server}}}\n".encode(), "x.yaml")
    assert (done.agent, [one.line for one in done.problems]) == (None, [3])

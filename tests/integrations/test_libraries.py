"""The guards before tools of agents made with real libraries, with models that say what they are told to say.

Each is played with a guard, and once without one: then everything runs.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from rulez_py import Policy
from tests.integrations.libraries import CALLS, Shell, agreed
from tests.programs import ROOT
from tests.test_pages import blocks

Play = Callable[[Shell, str, Policy | None, Any], str]
"""Has an agent call a shell's tool with a command, under a policy; what the model reads of it."""


def openai_agents(shell: Shell, command: str, policy: Policy | None, ask: Any) -> str:
    from agents import Agent, RunConfig, Runner, function_tool
    from agents.testing import ScriptedModel, assistant_message, function_call

    from rulez_py.integrations import openai_agents as guards

    guardrails = [guards.guardrail(policy, ask=ask)] if policy else []
    tool = function_tool(shell.run_shell, tool_input_guardrails=guardrails)
    called = function_call("run_shell", {"command": command}, call_id="1")
    model = ScriptedModel([[called], [assistant_message("done")]])
    agent = Agent(name="a", model=model, tools=[tool])
    result = asyncio.run(Runner.run(agent, "go", run_config=RunConfig(tracing_disabled=True)))
    [read] = [item.output for item in result.new_items if item.type == "tool_call_output_item"]
    return str(read)


def langgraph(shell: Shell, command: str, policy: Policy | None, ask: Any) -> str:
    return asyncio.run(_langgraph(shell, command, policy, ask, waits=False))


def langgraph_waiting(shell: Shell, command: str, policy: Policy | None, ask: Any) -> str:
    return asyncio.run(_langgraph(shell, command, policy, ask, waits=True))


async def _langgraph(shell: Shell, command: str, policy: Policy | None, ask: Any, *, waits: bool) -> str:
    from langchain_core.messages import AIMessage
    from langchain_core.tools import tool
    from langgraph.graph import END, START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode

    from rulez_py.integrations import langgraph as guards

    given: dict[str, Any] = {}
    if policy:
        given = {"wrap_tool_call": guards.waiting_wrapper(policy)}
        given |= {} if waits else {"awrap_tool_call": guards.wrapper(policy, ask=ask)}
    graph = StateGraph(MessagesState)
    graph.add_node("tools", ToolNode([tool(shell.run_shell)], **given))
    graph.add_edge(START, "tools")
    graph.add_edge("tools", END)
    called = AIMessage("", tool_calls=[{"name": "run_shell", "args": {"command": command}, "id": "1"}])
    app = graph.compile()
    said = app.invoke({"messages": [called]}) if waits else await app.ainvoke({"messages": [called]})
    return str(said["messages"][-1].content)


def pydantic_ai(shell: Shell, command: str, policy: Policy | None, ask: Any) -> str:
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel
    from pydantic_ai.toolsets import FunctionToolset

    from rulez_py.integrations import pydantic_ai as guards

    read: list[str] = []

    def model(messages: Any, _info: Any) -> Any:
        returned = [part for part in messages[-1].parts if part.part_kind == "tool-return"]
        if not returned:
            return ModelResponse(parts=[ToolCallPart("run_shell", {"command": command})])
        read.append(str(returned[0].content))
        return ModelResponse(parts=[TextPart("done")])

    tools: Any = FunctionToolset([shell.run_shell])
    if policy:
        tools = guards.guarded(tools, policy, ask=ask)
    asyncio.run(Agent(FunctionModel(model), toolsets=[tools]).run("go"))
    return read[0]


def google_adk(shell: Shell, command: str, policy: Policy | None, ask: Any) -> str:
    from google.adk.agents import LlmAgent
    from google.adk.models import BaseLlm, LlmResponse
    from google.adk.runners import InMemoryRunner
    from google.genai import types

    from rulez_py.integrations import google_adk as guards

    read: list[str] = []

    class Scripted(BaseLlm):  # type: ignore[misc]
        async def generate_content_async(self, llm_request: Any, stream: bool = False) -> Any:
            parts = [part for content in llm_request.contents for part in content.parts or ()]
            answers = [part.function_response.response for part in parts if part.function_response]
            if answers:
                read.append(json.dumps(answers[0]))
                said = types.Part(text="done")
            else:
                said = types.Part(function_call=types.FunctionCall(name="run_shell", args={"command": command}))
            yield LlmResponse(content=types.Content(role="model", parts=[said]))

    callback = guards.before_tool(policy, ask=ask) if policy else None
    agent = LlmAgent(name="a", model=Scripted(model="x"), tools=[shell.run_shell], before_tool_callback=callback)
    asyncio.run(InMemoryRunner(agent).run_debug("go", quiet=True))
    return str(json.loads(read[0]).get("error", read[0]))


def claude_agent_sdk(shell: Shell, command: str, policy: Policy | None, ask: Any) -> str:
    """Without its program: the callbacks, as the SDK's control protocol calls them."""
    if policy is None:
        return shell.run_shell(command)
    from claude_agent_sdk import PermissionResultAllow, ToolPermissionContext

    from rulez_py.integrations import claude_agent_sdk as guards

    allowed = guards.can_use_tool(policy, ask=ask)
    result = asyncio.run(allowed("run_shell", {"command": command}, ToolPermissionContext()))
    if not isinstance(result, PermissionResultAllow):
        return str(result.message)
    return shell.run_shell(str((result.updated_input or {})["command"]))


LIBRARIES: tuple[tuple[str, Play], ...] = (
    ("agents", openai_agents),
    ("langgraph", langgraph),
    ("langgraph", langgraph_waiting),
    ("pydantic_ai", pydantic_ai),
    ("google.adk", google_adk),
    ("claude_agent_sdk", claude_agent_sdk),
)


def is_there(library: str) -> bool:
    try:
        return find_spec(library) is not None
    except ModuleNotFoundError:
        return False


PLAYS = [
    pytest.param(
        play,
        id=play.__name__,
        marks=[
            pytest.mark.skipif(not is_there(library), reason=f"{library} is not installed; run `make integrations`"),
            pytest.mark.filterwarnings("default"),  # Its own.
        ],
    )
    for library, play in LIBRARIES
]


@pytest.mark.parametrize(("command", "runs", "read"), CALLS, ids=[command for command, _, _ in CALLS])
@pytest.mark.parametrize("play", PLAYS)
def test_what_is_refused_does_not_run_and_the_model_reads_why(
    play: Play, command: str, runs: bool, read: str, policy: Policy
) -> None:
    shell = Shell()
    assert read in play(shell, command, policy, None)
    assert shell.ran == ([command] if runs else [])


@pytest.mark.parametrize("play", PLAYS)
def test_without_a_guard_everything_runs(play: Play) -> None:
    shell = Shell()
    play(shell, "deploy", None, None)
    assert shell.ran == ["deploy"]


@pytest.mark.parametrize("play", PLAYS)
def test_a_person_may_agree_to_what_asks(play: Play, policy: Policy) -> None:
    shell = Shell()
    play(shell, "mail x", policy, agreed)
    assert shell.ran == ([] if play is langgraph_waiting else ["mail x"])
    play(shell, "deploy", policy, agreed)
    assert "deploy" not in shell.ran


@pytest.mark.parametrize("play", PLAYS)
def test_what_is_rewritten_runs_rewritten_or_not_at_all(play: Play, policy: Policy) -> None:
    shell = Shell()
    read = play(shell, "release", policy, None)
    if play is openai_agents:
        assert (shell.ran, "release --dry-run" in read) == ([], True)
    else:
        assert shell.ran == ["release --dry-run"]


@pytest.mark.skipif(
    not is_there("claude_agent_sdk"), reason="claude_agent_sdk is not installed; run `make integrations`"
)
@pytest.mark.parametrize(
    ("command", "said"),
    [("touch x", None), ("deploy", "deny"), ("mail x", "ask"), ("release", None)],
)
def test_the_claude_agent_sdks_hooks_say_it_in_its_words(command: str, said: str | None, policy: Policy) -> None:
    from claude_agent_sdk import HookMatcher

    from rulez_py.integrations import claude_agent_sdk as guards

    hooks = guards.hooks(policy)
    assert set(hooks) == {"PreToolUse", "UserPromptSubmit"}
    [matcher] = hooks["PreToolUse"]
    assert isinstance(matcher, HookMatcher)
    event: Any = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}}
    answer: Any = asyncio.run(matcher.hooks[0](event, "1", {"signal": None}))
    specific = answer.get("hookSpecificOutput", {})
    assert specific.get("permissionDecision") == said
    assert specific.get("updatedInput") == ({"command": "release --dry-run"} if command == "release" else None)


EXAMPLES = [text for language, text in blocks(ROOT / "docs" / "python.md") if language == "python"]
NEEDS = ("rulez_py", *(library for library, play in LIBRARIES if play is not langgraph_waiting))


def _needed(example: str) -> str:
    return next((one for one in NEEDS[1:] if f"from {one}" in example), "rulez_py")


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("example", EXAMPLES, ids=map(_needed, EXAMPLES))
def test_the_pages_examples_run(
    example: str, place: Path, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    if not is_there(_needed(example)):
        pytest.skip(f"{_needed(example)} is not installed; run `make integrations`")
    monkeypatch.chdir(place)
    monkeypatch.setenv("HOME", environ["HOME"])
    scope: dict[str, Any] = {"__name__": "example"}
    exec(compile(example, "python.md", "exec"), scope)
    assert scope["policy"].project == str(place)
    if _needed(example) == "rulez_py":
        assert capsys.readouterr().out.startswith("deny no-force-push\nBlocked by rule")


def test_there_is_an_example_for_each_library() -> None:
    assert sorted(map(_needed, EXAMPLES)) == sorted(NEEDS)

"""The proxy between an editor and an agent that are both made with the official library for Python."""

from __future__ import annotations

import asyncio
import json
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.programs import ROOT, SOURCE_COMMAND

pytestmark = [
    pytest.mark.skipif(find_spec("acp") is None, reason="acp is not installed; run `make integrations`"),
    pytest.mark.filterwarnings("default"),  # Its own.
]
AGENT = """\
import asyncio, json, sys
import acp
from acp import schema

OPTIONS = [
    schema.PermissionOption(option_id=kind, name=kind, kind=kind)
    for kind in ("allow_always", "allow_once", "reject_once")
]


class Asks(acp.Agent):
    def on_connect(self, conn):
        self.editor = conn

    async def initialize(self, protocol_version, **_):
        return acp.InitializeResponse(protocol_version=protocol_version)

    async def new_session(self, cwd, **_):
        return acp.NewSessionResponse(session_id="s1")

    async def prompt(self, session_id, prompt, **_):
        for number, (what, *words) in enumerate(json.loads(prompt[0].text)):
            try:
                said = await self.does(session_id, f"call-{number}", what, *words)
            except acp.RequestError as error:
                said = f"error: {error}"
            await self.editor.session_update(session_id, acp.update_agent_message_text(said))
        return acp.PromptResponse(stop_reason="end_turn")

    async def does(self, session_id, key, what, first, *words):
        if what == "terminal":
            made = await self.editor.create_terminal(session_id=session_id, command=first, args=list(words))
            return made.terminal_id
        if what == "write":
            await self.editor.write_text_file(session_id=session_id, path=first, content=words[0])
            return "written"
        if what == "read":
            return (await self.editor.read_text_file(session_id=session_id, path=first)).content
        started = acp.start_tool_call(key, "A step", kind="execute", raw_input={"command": first})
        await self.editor.session_update(session_id, started)
        asked = schema.ToolCallUpdate(tool_call_id=key)
        answer = await self.editor.request_permission(session_id=session_id, tool_call=asked, options=OPTIONS)
        return answer.outcome.outcome + " " + getattr(answer.outcome, "option_id", "")


asyncio.run(acp.run_agent(Asks()))
"""
RULES = """\
version: "1.0"
rules:
  - {name: no-deploy, matchers: {command_match: '^deploy'}, actions: {block: true}}
  - {name: no-secrets, matchers: {paths: {globs: ['**/secret']}}, actions: {block: true}}
  - {name: mail, matchers: {command_match: '^mail'}, actions: {ask: true}}
"""


def played(place: Path, calls: list[list[str]], *, agrees: bool = True, guarded: bool = True) -> tuple[list[str], Any]:
    """What the agent and rulez have told the person, and what the editor was asked for."""
    return asyncio.run(session(place, calls, agrees, guarded))


async def session(place: Path, calls: list[list[str]], agrees: bool, guarded: bool) -> tuple[list[str], Any]:
    import acp
    from acp import schema

    found: list[str] = []
    asked: list[Any] = []

    class Editor(acp.Client):  # type: ignore[misc]
        async def request_permission(self, session_id: str, tool_call: Any, options: Any, **_: Any) -> Any:
            texts = [one.content.text for one in tool_call.content or () if one.type == "content"]
            kinds = [one.kind for one in options]
            asked.append(("permission", texts, kinds))
            wanted = "allow_once" if agrees else "reject_once"
            option = next(one.option_id for one in options if one.kind == wanted)
            outcome = schema.AllowedOutcome(outcome="selected", option_id=option)
            return acp.RequestPermissionResponse(outcome=outcome)

        async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
            if update.session_update == "agent_message_chunk":
                found.append(update.content.text.strip())

        async def write_text_file(self, session_id: str, path: str, content: str, **_: Any) -> None:
            asked.append(("write", path))
            Path(path).write_text(content)

        async def read_text_file(self, session_id: str, path: str, **_: Any) -> Any:
            asked.append(("read", path))
            return acp.ReadTextFileResponse(content="text")

        async def create_terminal(self, session_id: str, command: str, args: Any = None, **_: Any) -> Any:
            asked.append(("terminal", command, *(args or ())))
            return acp.CreateTerminalResponse(terminal_id="terminal 1")

    rules = place / "home" / ".config" / "rulez" / "rules.yaml"
    rules.parent.mkdir(parents=True)
    rules.write_text(RULES)
    (place / "project").mkdir()
    (place / "agent.py").write_text(AGENT)
    agent = (sys.executable, str(place / "agent.py"))
    command, *arguments = (*SOURCE_COMMAND, "acp-proxy", "--", *agent) if guarded else agent
    environ = {"HOME": str(place / "home"), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    editor: Any = Editor()
    async with acp.spawn_agent_process(editor, command, *arguments, env=environ, cwd="/") as (agent_side, _process):
        await agent_side.initialize(protocol_version=acp.PROTOCOL_VERSION)
        opened = await agent_side.new_session(cwd=str(place / "project"), mcp_servers=[])
        text = json.dumps([[word.replace("{project}", str(place / "project")) for word in call] for call in calls])
        ended = await agent_side.prompt(session_id=opened.session_id, prompt=[acp.text_block(text)])
        assert ended.stop_reason == "end_turn"
    return found, asked


CALLS = [
    ["permission", "ls"],
    ["permission", "deploy now"],
    ["write", "{project}/secret", "x"],
    ["write", "{project}/free", "x"],
    ["read", "{project}/secret"],
    ["read", "{project}/free"],
    ["terminal", "deploy", "now"],
    ["terminal", "ls"],
]
ALWAYS = ["allow_always", "allow_once", "reject_once"]


def test_what_the_policy_denies_never_reaches_the_editor(tmp_path: Path) -> None:
    found, asked = played(tmp_path, CALLS)
    project = tmp_path / "project"
    assert asked == [
        ("permission", [], ALWAYS),
        ("write", str(project / "free")),
        ("read", str(project / "free")),
        ("terminal", "ls"),
    ]
    assert sorted(one.name for one in project.iterdir()) == ["free"]
    assert [text.partition('"')[0] + text.partition('"')[2].partition('"')[0] for text in found] == [
        "selected allow_once",
        "rulez has denied `A step`: Blocked by rule no-deploy",
        "selected reject_once",
        "error: Blocked by rule no-secrets",
        "written",
        "error: Blocked by rule no-secrets",
        "text",
        "error: Blocked by rule no-deploy",
        "terminal 1",
    ]


def test_without_it_everything_reaches_the_editor(tmp_path: Path) -> None:
    found, asked = played(tmp_path, CALLS, guarded=False)
    assert len(asked) == len(CALLS)
    assert (tmp_path / "project" / "secret").exists()
    assert not any("rulez" in text for text in found)


@pytest.mark.parametrize("agrees", [True, False])
def test_what_a_rule_asks_about_is_for_the_person(agrees: bool, tmp_path: Path) -> None:
    calls = [["permission", "mail x"], ["terminal", "mail", "x"], ["terminal", "mail", "y"]]
    found, asked = played(tmp_path, calls, agrees=agrees)
    why = 'Rule "mail" wants'
    questions = [one for one in asked if one[0] == "permission"]
    assert all(texts[0].startswith(why) for _, texts, _ in questions)
    assert {tuple(kinds) for _, _, kinds in questions} == {("allow_once", "reject_once")}
    if agrees:
        # The person has agreed to the first, and is asked about it once.
        assert [one[0] for one in asked] == ["permission", "terminal", "permission", "terminal"]
        assert found == ["selected allow_once", "terminal 1", "terminal 1"]
    else:
        assert [one[0] for one in asked] == ["permission"] * 3
        assert found[0] == "selected reject_once"
        assert all(text.endswith("The person has not agreed.") for text in found[1:])

"""Hermes, driven with `chat -q` (docs/contracts/hermes.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.e2e.agents import NO_PROJECT, NO_SHELL, Conditions, SkillUse, Start
from tests.e2e.place import MCP_COMMAND, Place
from tests.e2e.script import MCP_SERVER, MCP_TOOL, Call, Spelling, added_file
from tests.e2e.wires import chat as WIRE

__all__ = ["WIRE"]

PACKAGE = "hermes-agent[mcp]"
PYTHON = (3, 11)
LACKS: Mapping[str, str] = {
    NO_PROJECT: "Hermes reads no hooks of a project.",
    "Fetch": "Hermes' model reads the web with a service or a browser, which are not here.",
}
_NO_ASK = "A hook cannot make Hermes ask, so it is a deny."
_DEAF = "Hermes reads no text of a hook there; use a UserPromptSubmit rule."
_NO_PROMPT = "Hermes asks its model whatever a hook says of the prompt."
CANNOT: Mapping[str, str] = {
    "leave a call the user's own settings do not permit to them": "A headless Hermes runs what it is told to.",
    "ask the person, and run the call when they agree": _NO_ASK,
    "ask the person, and do not run the call when they refuse": _NO_ASK,
    "run the rewritten command": "Hermes takes no new input from a hook, so a rewrite is a deny.",
    "tell the model context before a call": _DEAF,
    "tell the model context after a call": _DEAF,
    "tell the model context when the session starts": _DEAF,
    "block a prompt": _NO_PROMPT,
    "tell the person why a prompt was blocked": _NO_PROMPT,
    "tell the person where the policy is broken": "`hermes chat -q` prints only what the model says.",
    "deny when something the agent left running kills rulez and the shell that runs it": NO_SHELL,
}
BUT: Mapping[str, Mapping[str, Any]] = {
    # It writes a patch's last line without an end.
    "run a harmless patch": {"content": {"fine.txt": "x"}},
    # Its model reads a reason within JSON.
    "deny when a validator hangs": {"told": ["slow", "timed out"]},
}

# With --yolo every command runs, and without it those that it finds harmless.
SKILLS = SkillUse(
    call=lambda name, _args: Spelling("skill_view", {"name": name}),
    words=("terminal", "write_file"),
    permits=True,
    as_json=True,
    replaces=("x!`date`", "(!`date`)"),
)

_CONFIG = """\
model:
  default: scripted
  provider: custom
  base_url: {url}/v1
  api_key: dummy
  context_length: 200000
mcp_servers:
  {server}:
    command: {command}
    args: {arguments}
"""


def program(installed: Path) -> list[str]:
    found = installed / "bin" / "hermes"
    if not found.exists():
        raise ValueError("the program is elsewhere in this version")
    return [str(found)]


def prepare(conditions: Conditions) -> None:
    command, *arguments = MCP_COMMAND
    said = _CONFIG.format(
        url=conditions.model, server=MCP_SERVER, command=json.dumps(command), arguments=json.dumps(arguments)
    )
    conditions.place.write(f"{conditions.place.home}/.hermes/config.yaml", said)


def start(conditions: Conditions) -> Start:
    accepted = {"HERMES_ACCEPT_HOOKS": "1"} if conditions.unreviewed else {}
    approval = ["--yolo"] if conditions.permitted else []
    return Start(
        arguments=["chat", "-q", conditions.prompt, "-Q", *approval],
        environment={"HERMES_DISABLE_LAZY_INSTALLS": "1", **accepted},
    )


def spell(call: Call, place: Place) -> Spelling:
    given = call.arguments
    path = str(place.project / given.get("path", ""))
    match call.tool:
        case "Shell":
            return Spelling("terminal", {"command": given["command"]})
        case "ShellElsewhere":
            return Spelling("terminal", {"command": given["command"], "workdir": given["directory"]})
        case "ShellAside":
            twice = {"workdir": given["directory"], "cwd": given["decoy"]}
            return Spelling("terminal", {"command": given["command"], **twice})
        case "Write":
            return Spelling("write_file", {"path": path, "content": given["content"]})
        case "Edit":
            return Spelling("patch", {"path": path, "old_string": given["old"], "new_string": given["new"]})
        case "Patch":
            return Spelling("patch", {"mode": "patch", "patch": added_file(path, given["content"])})
        case "Read":
            return Spelling("read_file", {"path": path})
        case "Search":
            return Spelling("search_files", {"pattern": given["pattern"], "path": path})
        case "Subagent":
            return Spelling("delegate_task", {"goal": given["task"]})
        case "Mcp":
            return Spelling(f"mcp__{MCP_SERVER}__{MCP_TOOL}", {"path": path})
        case "McpShell":
            twice = {"command": given["decoy"], "cmd": given["command"]}
            return Spelling(f"mcp__{MCP_SERVER}__{MCP_TOOL}", {"path": path, **twice})
    raise KeyError(call.tool)


def closing(conversation: str) -> Spelling | None:
    return None

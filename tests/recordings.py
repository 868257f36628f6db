"""The recorded payloads of the agents, as test parameters."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.platforms import PLATFORMS

PAYLOADS = Path(__file__).parent / "payloads"
_BEFORE_TOOL = {
    event for platform in PLATFORMS.values() for event in (platform.before_tool, *platform.before_other_tools.split())
}


class Recording:
    """One payload file: which agent sent it, under which event, and the bytes."""

    def __init__(self, path: Path) -> None:
        self.name = path.relative_to(PAYLOADS).as_posix()
        self.platform = self.name.partition("/")[0]
        self.data = path.read_bytes()
        self.payload: dict[str, Any] = json.loads(self.data)

    @property
    def before_tool(self) -> bool:
        """Whether this comes before a tool call (the file is named after its event)."""
        return Path(self.name).stem.partition("__")[0] in _BEFORE_TOOL

    @property
    def sent_tool_name(self) -> str:
        """The tool's name as the agent sent it."""
        given, call = self.payload.get("input"), self.payload.get("tool_call")
        name = self.payload.get("tool_name", self.payload.get("toolName"))
        for inside, key in ((given, "tool"), (call, "name")):
            name = inside[key] if isinstance(inside, dict) else name
        if name is None:  # The agent sends none: the file's name has the one under which rules see the call.
            name = Path(self.name).stem.split("__")[1]
        assert isinstance(name, str)
        return name


NO_RECORDINGS = ("expected.json", "answers.json")
"""What a platform's recordings are read as, and what it is answered (tests/adapters)."""

RECORDINGS = [
    Recording(path)
    for platform in PLATFORMS
    for path in sorted((PAYLOADS / platform).rglob("*.json"))
    if path.name not in NO_RECORDINGS
]
BEFORE_TOOL = [recording for recording in RECORDINGS if recording.before_tool]
SHELL = [one for one in BEFORE_TOOL if one.sent_tool_name.lower() == PLATFORMS[one.platform].shell.lower()]
"""Those of each agent's shell."""


def environ_of(platform: str, payload: Mapping[str, Any]) -> dict[str, str]:
    """Return the variables that this agent gives the hook that it sends a payload to."""
    return {name: str(payload.get(key) or "/home/user/project") for name, key in PLATFORMS[platform].environ.items()}


def with_command(value: Any, line: str) -> Any:
    """Return a payload with this line in the place of every command in it."""
    if isinstance(value, dict):
        new = {key: with_command(item, line) for key, item in value.items()}
        new |= {key: line for key in ("command", "cmd", "command_line") if isinstance(value.get(key), str)}
        return new | ({"commands": [line]} if "commands" in value else {})
    return [with_command(item, line) for item in value] if isinstance(value, list) else value


def with_path(value: Any, path: str) -> Any:
    """Return a payload with this path in the place of every file that a tool of it names."""
    if isinstance(value, dict):
        keys = {"path", "file_path", "filePath", "target_file"} & set(value)
        changed = {key: path if key in keys else with_path(item, path) for key, item in value.items()}
        return {**changed, "paths": [path]} if "paths" in value else changed
    return [with_path(item, path) for item in value] if isinstance(value, list) else value

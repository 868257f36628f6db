"""The recorded payloads of the agents, as test parameters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.platforms import PLATFORMS

PAYLOADS = Path(__file__).parent / "payloads"
_BEFORE_TOOL = {platform.before_tool for platform in PLATFORMS.values()}


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

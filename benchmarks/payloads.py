"""What the contenders read on stdin: recorded payloads of the agents (tests/payloads), with another tool input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_RECORDINGS = Path(__file__).parent.parent / "tests" / "payloads"

SHELL = {
    "claude": "claude/PreToolUse__Bash.json",
    "gemini": "gemini/BeforeTool__run_shell_command.json",
    "copilot": "copilot/camel/preToolUse__bash.json",
    "opencode": "opencode/tool.execute.before__bash.json",
    "codex": "codex/PreToolUse__Bash.json",
}
"""Platform -> a recorded call of its shell tool."""
_MADE = "claude/PostToolUse__Bash.json"
_WRITE = "claude/PreToolUse__Write.json"
_MCP = "claude/PreToolUse__mcp__stub__echo.json"

_LINE = "for row in table.rows(kind='order', since=yesterday): total += row.price * row.amount  # plain words\n"


def shell(platform: str, command: str, project: Path) -> bytes:
    """Return a call of the platform's shell tool from an agent that works in `project`."""
    payload = _recorded(SHELL[platform], project)
    if platform == "opencode":
        payload["directory"] = payload["worktree"] = str(project)  # as our plugin adds them
        payload["output"]["args"] = {"command": command}
    else:
        arguments = payload["toolArgs" if platform == "copilot" else "tool_input"]
        arguments["command"] = command
    return _line(payload)


def made(command: str, project: Path) -> bytes:
    """Return the event after a call of Claude Code's Bash."""
    payload = _recorded(_MADE, project)
    payload["tool_input"] = {"command": command}
    return _line(payload)


def write(path: str, content: str, project: Path) -> bytes:
    """Claude Code's Write; `path` is relative to the project."""
    payload = _recorded(_WRITE, project)
    payload["tool_input"] = {"file_path": str(project / path), "content": content}
    return _line(payload)


def nested(levels: int, project: Path) -> bytes:
    """Return a call of an MCP tool whose argument is a list in a list in a list."""
    payload = _recorded(_MCP, project)
    payload["tool_input"] = {"text": "@"}
    return _line(payload).replace(b'"@"', b"[" * levels + b'"deep"' + b"]" * levels)


def text(size: int) -> str:
    """`size` characters of plain text in lines."""
    return (_LINE * (size // len(_LINE) + 1))[:size]


def long_command(size: int) -> str:
    """Return a harmless command of `size` characters: a file written by the shell."""
    head, tail = "cat > notes.txt <<'END'\n", "\nEND"
    return head + text(size - len(head) - len(tail)) + tail


def _recorded(name: str, project: Path) -> dict[str, Any]:
    payload: dict[str, Any] = json.loads((_RECORDINGS / name).read_bytes())
    if "cwd" in payload:
        payload["cwd"] = str(project)
    return payload


def _line(payload: object) -> bytes:
    return json.dumps(payload).encode() + b"\n"

"""A person at the agent: answers what it asks permission for, through a host's protocol or at a terminal.

Each function plays one prompt, until the agent says that it is done or ends, and returns what the person was asked.
"""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

TERMINAL = (sys.executable, "-I", os.path.join(os.path.dirname(os.path.abspath(__file__)), "terminal.py"))
"""In front of an agent's command: what gives it the terminal that `Terminal` sits at."""

_UNSEEN = re.compile(rb"\x1b\[[0-9;?<>=]*[a-zA-Z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")


def stream_json(process: subprocess.Popen[bytes], prompt: str, agrees: bool, over: threading.Event) -> list[str]:
    """A host of Claude Code: `--input-format stream-json --permission-prompt-tool stdio`."""
    asked: list[str] = []
    _send(process, {"type": "control_request", "request_id": "1", "request": {"subtype": "initialize", "hooks": {}}})
    for message in _messages(process):
        request = message.get("request", {})
        if message.get("type") == "control_response":
            content = {"role": "user", "content": prompt}
            _send(process, {"type": "user", "message": content, "parent_tool_use_id": None, "session_id": ""})
        elif request.get("subtype") == "can_use_tool":
            asked.append(json.dumps(request))
            said = {"behavior": "allow", "updatedInput": request["input"]}
            if not agrees:
                said = {"behavior": "deny", "message": "The person says no."}
            answer = {"subtype": "success", "request_id": message["request_id"], "response": said}
            _send(process, {"type": "control_response", "response": answer})
        elif message.get("type") == "result":
            break
    return asked


def pi_rpc(process: subprocess.Popen[bytes], prompt: str, agrees: bool, over: threading.Event) -> list[str]:
    """A client of Pi's RPC mode, which shows what an extension asks."""
    asked: list[str] = []
    _send(process, {"id": "1", "type": "prompt", "message": prompt})
    for message in _messages(process):
        if message.get("type") == "extension_ui_request" and message.get("method") == "confirm":
            asked.append(json.dumps(message))
            _send(process, {"type": "extension_ui_response", "id": message["id"], "confirmed": agrees})
        elif message.get("type") == "agent_settled":
            break
    return asked


def _send(process: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
    stdin = _pipe(process.stdin)
    stdin.write(json.dumps(message).encode() + b"\n")
    stdin.flush()


def _messages(process: subprocess.Popen[bytes]) -> Iterator[dict[str, Any]]:
    for line in _pipe(process.stdout):
        if line.startswith(b"{"):
            yield json.loads(line)


@dataclass(frozen=True)
class Terminal:
    """A person who sits at the agent's own dialogs, and knows them by a text in them.

    `first` are dialogs before the work begins -> the keys; `question` is the dialog that counts, `yes` and `no` its
    keys. A screen cannot be read for the end: it is redrawn in pieces. So the end is when the model is done.
    """

    first: dict[str, str]
    question: str
    yes: str
    no: str

    def __call__(self, process: subprocess.Popen[bytes], prompt: str, agrees: bool, over: threading.Event) -> list[str]:
        asked: list[str] = []
        screen = b""
        for shown in _shown(process, over):
            screen += shown
            text = _UNSEEN.sub(b"", screen).decode(errors="replace")
            keys = next((keys for dialog, keys in self.first.items() if dialog in text), "")
            if self.question in text:
                keys = self.yes if agrees else self.no
                asked.append(text)
            if keys:
                time.sleep(0.5)  # A dialog that has just been drawn does not take keys yet.
                os.write(_pipe(process.stdin).fileno(), keys.encode())
                screen = b""
        process.terminate()
        return asked


def _shown(process: subprocess.Popen[bytes], over: threading.Event) -> Iterator[bytes]:
    """What the program draws, until it ends, or for a second after the model is done."""
    stdout = _pipe(process.stdout).fileno()
    last: float | None = None
    while last is None or time.monotonic() < last:
        if select.select([stdout], [], [], 0.2)[0]:
            shown = os.read(stdout, 65536)
            if not shown:
                return
            yield shown
        if last is None and over.is_set():
            last = time.monotonic() + 1


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream

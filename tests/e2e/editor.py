"""An editor that has started an agent by ACP, and a person in it who agrees to everything."""

from __future__ import annotations

import json
import subprocess
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

SERVED = ("fs/read_text_file", "fs/write_text_file", "terminal/create")
MOST_PROMPTS = 6
CAPABILITIES = {"fs": {"readTextFile": True, "writeTextFile": True}, "terminal": True}


@dataclass
class Editor:
    """One session. `able` says whether the editor touches files and runs commands for the agent.

    `asked` are the titles, or else the ids, of calls that the person was asked about, `read` the agent's messages,
    `served` the methods that the editor was called for.
    """

    project: Path
    able: bool
    asked: list[str] = field(default_factory=list)
    read: list[str] = field(default_factory=list)
    served: list[str] = field(default_factory=list)
    _ended: dict[str, subprocess.CompletedProcess[str]] = field(default_factory=dict)

    def talk(self, out: IO[str], into: IO[str], prompt: str, over: threading.Event) -> None:
        """Open a session, give the prompt, and answer what the agent asks until the model has said all.

        Some agents end their turn where a call is rejected: then they are prompted again.
        """
        opened, prompts = "", 0

        def say(message: dict[str, Any]) -> None:
            into.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            into.flush()

        said = {"protocolVersion": 1, "clientCapabilities": CAPABILITIES if self.able else {}}
        say({"id": "begin", "method": "initialize", "params": said})
        for line in out:
            message = json.loads(line)
            if "method" in message and "id" in message:
                say({"id": message["id"], **self._answered(message["method"], message["params"])})
            elif message.get("method") == "session/update":
                update = message["params"]["update"]
                if update["sessionUpdate"] == "agent_message_chunk":
                    self.read.append(update["content"].get("text", ""))
            elif message.get("id") == "begin":
                say({"id": "open", "method": "session/new", "params": {"cwd": str(self.project), "mcpServers": []}})
            elif message.get("id") in ("open", f"turn {prompts}"):
                opened = opened or message["result"]["sessionId"]
                if over.is_set() or prompts == MOST_PROMPTS:
                    return
                prompts += 1
                params = {"sessionId": opened, "prompt": [{"type": "text", "text": prompt}]}
                say({"id": f"turn {prompts}", "method": "session/prompt", "params": params})

    def _answered(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        if method == "session/request_permission":
            call = params["toolCall"]
            self.asked.append(call.get("title") or call["toolCallId"])  # Mistral Vibe sends no title there.
            option = next(one["optionId"] for one in params["options"] if one["kind"] == "allow_once")
            return {"result": {"outcome": {"outcome": "selected", "optionId": option}}}
        if method in SERVED:
            self.served.append(method)
        match method:
            case "fs/read_text_file":
                # Gemini CLI 0.61.0 makes no file of which an editor says that it is not there.
                path = Path(params["path"])
                return {"result": {"content": path.read_text() if path.is_file() else ""}}
            case "fs/write_text_file":
                Path(params["path"]).write_text(params["content"])
                return {"result": {}}
            case "terminal/create":
                key = str(len(self._ended))
                line = params["command"] if not params.get("args") else [params["command"], *params["args"]]
                self._ended[key] = subprocess.run(
                    line,
                    shell=isinstance(line, str),
                    cwd=params.get("cwd") or self.project,
                    env={"PATH": "/usr/bin:/bin"},
                    capture_output=True,
                    text=True,
                    check=False,
                )
                return {"result": {"terminalId": key}}
            case "terminal/output":
                ended = self._ended[params["terminalId"]]
                status = {"exitCode": ended.returncode, "signal": None}
                return {"result": {"output": ended.stdout, "truncated": False, "exitStatus": status}}
            case "terminal/wait_for_exit":
                return {"result": {"exitCode": self._ended[params["terminalId"]].returncode, "signal": None}}
            case "terminal/release" | "terminal/kill":
                return {"result": {}}
        return {"error": {"code": -32601, "message": "no such method"}}

"""The hooks that an agent's own server lists, and which of them it would call.

The server is started offline with the person's settings. No session begins, and no hook runs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from rulez_py.doctor.trial import end
from rulez_py.install.places import hooks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulez_py.install.places import Machine

LIMIT = 8.0
"""Seconds to wait for the server's answer. The real one takes a quarter of a second."""
_LIST = 2
TRUSTED, MODIFIED = "trusted", "modified"


class Listed(NamedTuple):
    """One hook as the agent lists it. `key` is FILE:event_in_snake_case:GROUP:ENTRY, the file without links."""

    key: str
    trust: str
    enabled: bool
    managed: bool

    @property
    def called(self) -> bool:
        """True if the agent would call it."""
        return self.enabled and (self.managed or self.trust == TRUSTED)


def listed(platform: str, program: str, here: Machine) -> tuple[Listed, ...] | None:
    """Return the hooks that the agent lists for this project; None where it gives no answer."""
    review = hooks(platform).reviews
    if review is None or not os.path.isfile(program):
        return None
    answer = _asked([program, *review.server], here)
    try:
        return tuple(_hooks(answer["result"]))
    except (KeyError, TypeError, AttributeError):
        return None


def same(key: str) -> str:
    """Return a key with symbolic links in its file resolved."""
    path, *rest = key.rsplit(":", 3)
    return ":".join((os.path.realpath(path), *rest))


def _hooks(result: Any) -> Iterator[Listed]:
    for project in result["data"]:
        for one in project["hooks"]:
            yield Listed(same(one["key"]), one["trustStatus"], one["enabled"] is True, one["isManaged"] is True)


def _asked(words: list[str], here: Machine) -> Any:
    """Return the server's answer to the request for its hooks; {} without an answer."""
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=here.project,
            env=dict(here.environ),
            start_new_session=sys.platform != "win32",
        )
    except OSError:
        return {}
    limit = threading.Timer(LIMIT, end, [process])
    limit.start()
    try:
        assert process.stdin is not None and process.stdout is not None
        with process.stdin, process.stdout:
            _send(process.stdin, here.project)
            return _answer(process.stdout)
    except OSError:
        return {}
    finally:
        limit.cancel()
        end(process)


def _send(stdin: IO[bytes], project: str) -> None:
    client = {"clientInfo": {"name": "rulez", "version": "1"}}
    for message in (
        {"id": 1, "method": "initialize", "params": client},
        {"method": "initialized"},
        {"id": _LIST, "method": "hooks/list", "params": {"cwds": [project]}},
    ):
        stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    stdin.flush()


def _answer(stdout: IO[bytes]) -> Any:
    for line in stdout:
        try:
            message = json.loads(line)
        except ValueError:
            continue
        if isinstance(message, dict) and message.get("id") == _LIST:
            return message
    return {}

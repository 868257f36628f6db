"""Asks the other products about the calls of tests/data/kinds.yaml, and keeps what they stop (`make peers`)."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from benchmarks import verdicts
from benchmarks.peers import PEERS, CannotInstall, Peer
from benchmarks.place import Place
from benchmarks.process import Spawner, Start
from benchmarks.verdicts import PASS, WrongAnswer

ROOT = Path(__file__).parent.parent
KINDS = ROOT / "tests" / "data" / "kinds.yaml"
KEPT = ROOT / "tests" / "data" / "peers.json"
SIDES = ("calls", "free")


def main() -> int:
    """Writes what they stop. Exit code 1, and nothing written, where one cannot be asked."""
    try:
        # Not below /tmp, where products let pass what they would stop in a home.
        around = tempfile.TemporaryDirectory(prefix=".rulez-peers-", dir=Path.home())
        with around as directory, Spawner() as spawner:
            told = {peer.title: asked(spawner, peer, Path(directory)) for peer in PEERS}
    except (CannotInstall, WrongAnswer) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    KEPT.write_text(json.dumps({"kinds": digest(), "stopped": told}, indent=1) + "\n", encoding="utf-8")
    return 0


def kinds() -> list[dict[str, Any]]:
    """Return the kinds with their calls."""
    found: list[dict[str, Any]] = YAML(typ="safe").load(KINDS)
    return found


def tool_and_input(call: Any) -> tuple[str, dict[str, Any]]:
    """Return the tool of a call of kinds.yaml, and what it is given; a text alone is a line of Bash."""
    given = {"tool": "Bash", "command": call} if isinstance(call, str) else dict(call)
    return given.pop("tool"), given


def digest() -> str:
    """Tells one state of the calls from another; comments do not count."""
    return hashlib.sha256(json.dumps(kinds()).encode()).hexdigest()[:16]


def asked(spawner: Spawner, peer: Peer, directory: Path) -> dict[str, list[int]]:
    """Return how many calls of each kind a product stops, on each side. Raises CannotInstall and WrongAnswer."""
    place = Place.make(directory / peer.name)
    start = Start(peer.command(peer.directory(), place), place.project, place.environ(), directory / "payload.json")
    matcher = peer.matcher(place)

    def stops(call: Any) -> bool:
        event = payload(call, place)
        if not matcher(str(event["tool_name"])):
            return False
        start.payload.write_text(json.dumps(event), encoding="utf-8")
        try:
            return verdicts.claude_json(spawner.run(start)) != PASS
        except WrongAnswer as wrong:
            raise WrongAnswer(f"{peer.title}, {call!r}: {wrong}") from None

    return {side: [sum(map(stops, kind[side])) for kind in kinds()] for side in SIDES}


def payload(call: Any, place: Place) -> dict[str, Any]:
    """Return the call as Claude Code sends it: paths of files in full."""
    tool, given = tool_and_input(call)
    for key in ("file_path", "path"):
        if key in given:
            home = given[key].replace("~", str(place.home), 1) if given[key].startswith("~") else given[key]
            given[key] = os.path.join(place.project, home)
    return {
        "session_id": "s",
        "transcript_path": str(place.home / "transcript.jsonl"),
        "cwd": str(place.project),
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": given,
    }


if __name__ == "__main__":
    sys.exit(main())

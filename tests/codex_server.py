"""A `codex` that lists its hooks as Codex CLI's app server does (docs/contracts/codex.md), for tests of `rulez doctor`.

`python codex_server.py VERSION ARGUMENT...`: with `app-server` it answers `hooks/list`, with anything else its version.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ANY = "sha256:any"
"""A hash of a review that holds for whatever is there."""
NAMES = ("initialize", "initialized", "hooks/list")


def script(version: str) -> str:
    """The program as text."""
    return f'#!/bin/sh\nexec {shlex.join((sys.executable, __file__, version))} "$@"\n'


def digest(entry: object) -> str:
    """What changes when the entry does."""
    return f"sha256:{hashlib.sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()}"


def entries(file: Path) -> Iterator[tuple[str, object]]:
    """Each hook of a file with the key by which Codex CLI knows it."""
    value = tomllib.loads(file.read_text()) if file.suffix == ".toml" else json.loads(file.read_text())
    if file.suffix == ".json" and set(value) - {"hooks", "description"}:
        return
    for event, groups in value.get("hooks", {}).items():
        snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", event).lower()
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            for inner, entry in enumerate(group.get("hooks", ())):
                yield f"{os.path.realpath(file)}:{snake}:{number}:{inner}", entry


def hooks(own: Path, project: Path) -> list[dict[str, Any]]:
    """The hooks of a person and of a project that they trust."""
    config = own / "config.toml"
    settings = tomllib.loads(config.read_text()) if config.exists() else {}
    state = settings.get("hooks", {}).get("state", {})
    trusts = settings.get("projects", {}).get(str(project), {}).get("trust_level") == "trusted"
    places = [own / "hooks.json", config, *([project / ".codex" / "hooks.json"] if trusts else [])]
    if settings.get("features", {}).get("hooks") is False:
        places = []
    found = []
    for key, entry in (one for place in places if place.exists() for one in entries(place)):
        said = state.get(key, {})
        known = said.get("trusted_hash")
        trust = "untrusted" if known is None else "trusted" if known in (digest(entry), ANY) else "modified"
        found.append(
            {"key": key, "trustStatus": trust, "enabled": said.get("enabled", True) is True, "isManaged": False}
        )
    return found


def main() -> None:
    """Answer as the program does."""
    if sys.argv[2:] != ["app-server"]:
        print(f"codex-cli {sys.argv[1]}")
        return
    own = Path(os.environ.get("CODEX_HOME") or Path(os.environ["HOME"]) / ".codex")
    for line in sys.stdin:
        message = json.loads(line)
        assert message["method"] in NAMES
        print(json.dumps({"method": "configWarning", "params": {}}), flush=True)
        if message["method"] == "hooks/list":
            (project,) = message["params"]["cwds"]
            data = [{"cwd": project, "hooks": hooks(own, Path(project)), "warnings": [], "errors": []}]
            print(json.dumps({"id": message["id"], "result": {"data": data}}), flush=True)


if __name__ == "__main__":
    main()

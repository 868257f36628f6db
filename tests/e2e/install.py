"""The agents' CLIs, from npm into a cache directory, each version in a prefix of its own."""

from __future__ import annotations

import json
import os
import platform as machine
import shutil
import subprocess
import sys
from pathlib import Path

from tests.e2e.agents import PINNED, agent

VERSIONS = "RULEZ_E2E_VERSIONS"
"""Environment variable: the versions of this run where they are not the pinned ones, as JSON."""
CACHE = "RULEZ_E2E_CACHE"
"""Environment variable: where the CLIs are kept between runs; ~/.cache/rulez-e2e without it."""

# Read now: a test has a home and an environment of its own (tests/conftest.py).
_versions: dict[str, str] = {**PINNED, **json.loads(os.environ.get(VERSIONS, "{}"))}
_cache = Path(os.environ.get(CACHE) or Path.home() / ".cache" / "rulez-e2e")


class CannotInstall(Exception):
    """A CLI cannot be had here; the message says why."""


def version(platform: str) -> str:
    """The version this run is about."""
    return _versions[platform]


def versions() -> dict[str, str]:
    """Platform -> the version this run is about."""
    return dict(_versions)


def choose(versions: dict[str, str]) -> None:
    """Makes this run about other versions than the pinned ones."""
    _versions.update(versions)


def prefix(platform: str) -> Path:
    """The npm prefix of a platform's CLI in this run's version."""
    return _cache / f"{platform}-{version(platform)}"


def ensure(platform: str) -> None:
    """Installs the CLI where it is missing. Raises CannotInstall."""
    done = prefix(platform) / "done"
    if done.exists():
        return
    name = agent(platform).PACKAGE
    try:
        shutil.rmtree(prefix(platform), ignore_errors=True)
        prefix(platform).mkdir(parents=True)
    except OSError as error:
        raise CannotInstall(f"{prefix(platform)} cannot be made: {error.strerror}; set {CACHE}") from None
    wanted = f"{name}@{version(platform)}"
    said = _npm("install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(prefix(platform)), wanted)
    try:
        agent(platform).program(prefix(platform))
    except (StopIteration, ValueError):
        raise CannotInstall(f"{wanted} has no program for this machine") from None
    done.write_text(said)


NODE = "26.0.0"
"""The version of Node for agents that need a newer one than the machine may have."""


def node() -> Path:
    """That Node, from npm where it is missing. Raises CannotInstall."""
    place = _cache / f"node-{NODE}"
    kind = {"x86_64": "x64", "aarch64": "arm64"}.get(machine.machine(), machine.machine())
    package = f"node-{sys.platform}-{kind}"
    program = place / "node_modules" / package / "bin" / "node"
    if not program.exists():
        _npm("install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(place), f"{package}@{NODE}")
    return program


EDITOR = "4.139.1"
"""The version of code-server: VS Code 1.139.1 with its own Copilot extension, as its maintainers publish it on npm."""


def editor() -> Path:
    """The bundle of that extension, from npm where it is missing. Raises CannotInstall."""
    place = _cache / f"code-server-{EDITOR}"
    bundle = place / "node_modules/code-server/lib/vscode/extensions/copilot/dist/extension.js"
    if not bundle.exists():
        _npm("install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(place), f"code-server@{EDITOR}")
    return bundle


def latest(platform: str) -> str:
    """The newest published version. Raises CannotInstall."""
    return _npm("view", agent(platform).PACKAGE, "version").strip()


def _npm(*arguments: str) -> str:
    npm = shutil.which("npm")
    if npm is None:
        raise CannotInstall("npm is not installed (Node 20 or newer brings it)")
    ended = subprocess.run([npm, *arguments], capture_output=True, text=True, check=False)
    if ended.returncode:
        last = ended.stderr.strip().splitlines()[-8:]
        raise CannotInstall(f"`npm {' '.join(arguments)}` failed:\n" + "\n".join(last))
    return ended.stdout

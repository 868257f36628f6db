"""The agents' CLIs, from npm or for Python, into a cache directory, each version in a prefix of its own."""

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
    if oldest := _oldest_python(platform):
        said = _pip(prefix(platform), oldest, f"{name}=={version(platform)}")
    else:
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


def _oldest_python(platform: str) -> tuple[int, int] | None:
    """The oldest Python for an agent that is a package of it; None for one from npm."""
    oldest: tuple[int, int] | None = getattr(agent(platform), "PYTHON", None)
    return oldest


PYTHON = "RULEZ_E2E_PYTHON"
"""Environment variable: a Python for agents that need a newer one than this."""
_python = os.environ.get(PYTHON)
_pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")


def python(oldest: tuple[int, int]) -> str:
    """A Python that is new enough: the named one, this one, one on the PATH or of pyenv. Raises CannotInstall."""
    if _python:
        return _python
    if sys.version_info >= oldest:
        return sys.executable
    for minor in range(oldest[1], oldest[1] + 4):
        name = f"python{oldest[0]}.{minor}"
        there = [shutil.which(name), *sorted(map(str, _pyenv.glob(f"versions/*/bin/{name}")))]
        for program in filter(None, there):
            # The one on the PATH may be a shim of pyenv's, which starts nothing.
            if subprocess.run([program, "--version"], capture_output=True, check=False).returncode == 0:
                return program
    raise CannotInstall(f"Python {oldest[0]}.{oldest[1]} or newer is not here; name one in {PYTHON}")


def _pip(place: Path, oldest: tuple[int, int], *wanted: str) -> str:
    """Installs packages of Python in an environment of their own. Raises CannotInstall."""
    program = str(place / "bin" / "python")
    said = ""
    for command in (
        [python(oldest), "-m", "venv", str(place)],
        # It chooses among many dependencies in seconds, where pip takes minutes.
        [program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv"],
        [str(place / "bin" / "uv"), "pip", "install", "--quiet", "--python", program, *wanted],
    ):
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        if ended.returncode:
            last = ended.stderr.strip().splitlines()[-8:]
            raise CannotInstall(f"`{' '.join(command)}` failed:\n" + "\n".join(last))
        said += ended.stdout
    return said


def latest(platform: str) -> str:
    """The newest published version, of a package of Python the newest that can be installed. Raises CannotInstall."""
    oldest = _oldest_python(platform)
    if oldest is not None:
        asked = [python(oldest), "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", "-"]
        ended = subprocess.run([*asked, agent(platform).PACKAGE], capture_output=True, text=True, check=False)
        if ended.returncode:
            raise CannotInstall(f"`{' '.join(asked)}` failed:\n{ended.stderr[-500:]}")
        chosen = json.loads(ended.stdout)["install"]
        newest: str = next(one["metadata"]["version"] for one in chosen if one["requested"])
        return newest
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

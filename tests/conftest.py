"""Every test runs on a machine of its own: no home, no agent, no policy but what the test itself puts there."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_HOMES = {
    "HOME": ".",
    "USERPROFILE": ".",
    "XDG_CONFIG_HOME": ".config",
    "XDG_STATE_HOME": ".local/state",
    "XDG_CACHE_HOME": ".cache",
    "XDG_DATA_HOME": ".local/share",
    "APPDATA": "AppData/Roaming",
    "LOCALAPPDATA": "AppData/Local",
    "PROGRAMDATA": "ProgramData",
}
# `mktemp` looks at each directory that it has made before it makes the next, and there are 50,000 tests.
_NUMBERS = itertools.count()
_OF_AGENTS = ("CLAUDE", "GEMINI_", "COPILOT_", "OPENCODE", "CODEX_", "RULEZ_")

# The gate plays the same inputs each time, however slow the machine is; `make random` makes up others.
_ALWAYS = {"deadline": None, "database": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("rulez", derandomize=True, **_ALWAYS)  # type: ignore[arg-type]
settings.register_profile("random", print_blob=True, **_ALWAYS)  # type: ignore[arg-type]
settings.load_profile("rulez")


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home directory; the real one is out of reach, and no agent seems to have started this test."""
    place = tmp_path_factory.getbasetemp() / "homes" / str(next(_NUMBERS))
    place.mkdir(parents=True)
    for variable, below in _HOMES.items():
        monkeypatch.setenv(variable, str(place / below))
    for variable in list(os.environ):
        if variable.startswith(_OF_AGENTS):
            monkeypatch.delenv(variable)
    return place

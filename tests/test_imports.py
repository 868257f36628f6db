"""What a hook call may load: `tests/data/imports.yaml`, in the source and in the frozen program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.programs import FROZEN, REPORTING, ROOT, needs_binary

TABLE: dict[str, Any] = YAML(typ="safe").load(Path(__file__).parent / "data" / "imports.yaml")
SCENARIOS: list[dict[str, Any]] = TABLE["scenarios"]
REPORTER = ROOT / "dev" / "report_modules.py"

Program = Callable[[Path], list[str]]
"""A directory to put files in -> the command line of a program that reports what it has loaded."""


def from_source(_place: Path) -> list[str]:
    paths = [str(ROOT), *(path for path in sys.path if path.endswith("site-packages"))]
    source = (
        f"import sys; sys.path[:0] = {paths!r}; exec(open({str(REPORTER)!r}).read());"
        "from rulez_py.__main__ import main; main()"
    )
    return [sys.executable, "-I", "-S", "-c", source]


def frozen(place: Path) -> list[str]:
    program = place / REPORTING.name
    program.write_bytes(REPORTING.read_bytes())
    program.chmod(0o755)
    (place / "_internal").symlink_to(FROZEN.parent / "_internal")
    return [str(program)]


@pytest.fixture(
    params=[
        pytest.param(from_source, id="source"),
        pytest.param(frozen, id="frozen", marks=[pytest.mark.binary, needs_binary]),
    ]
)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    choose: Program = request.param
    return choose(tmp_path_factory.mktemp("program"))


@pytest.fixture(scope="module")
def bare() -> set[str]:
    """What the interpreter loads by itself."""
    source = f"exec(open({str(REPORTER)!r}).read()); os._exit(0)"
    ended = subprocess.run([sys.executable, "-I", "-S", "-c", source], capture_output=True, text=True, check=True)
    return set(reported(ended.stderr)) | {"zipimport"}


def reported(stderr: str, title: str = "modules:") -> dict[str, str]:
    """Module -> who imported it. Where a child has judged the call, both have reported."""
    lines = [line.split() for line in stderr.splitlines()]
    assert ["modules:"] in [words[:1] for words in lines], stderr
    pairs = (word.partition("=") for words in lines if words[:1] == [title] for word in words[1:])
    return {name: importer for name, _, importer in pairs}


def call(program: list[str], scenario: dict[str, Any], project: Path) -> tuple[bool, str]:
    """One hook call: whether it denied, and its report."""
    event = {"session_id": "s", "hook_event_name": "PreToolUse", "cwd": str(project)}
    payload = {**event, "tool_name": scenario["tool"], "tool_input": scenario["input"]}
    ended = subprocess.run(
        [*program, "hook", "--platform", "claude"],
        input=json.dumps(payload),
        capture_output=True,
        text=True,
        cwd=project,
        env=dict(os.environ),
        check=False,
        timeout=60,
    )
    assert ended.returncode in (0, 2), ended.stderr
    return ended.returncode == 2, ended.stderr


@pytest.fixture
def project(tmp_path: Path) -> Path:
    place = tmp_path / "project"
    place.mkdir()
    return place


def prepare(scenario: dict[str, Any], home: Path, project: Path) -> None:
    """Make the scenario's rules the user's policy, or the project's."""
    if "rules" in scenario:
        policy = (project / ".rulez" if scenario.get("layer") else home / ".config" / "rulez") / "rules.yaml"
        policy.parent.mkdir(parents=True)
        settings = {"essentials": False, **scenario.get("settings", {})}
        content = {"version": "1.0", "rules": scenario["rules"], "settings": settings}
        policy.write_text(json.dumps(content))


@pytest.mark.skipif(sys.platform == "win32", reason="linking needs rights")
def test_the_first_call_under_the_rules_inside_rulez_compiles_none_of_them(program: list[str], project: Path) -> None:
    denied, report = call(program, {"tool": "Bash", "input": {"command": "git push --force"}}, project)
    loaded = reported(report)
    assert denied
    assert "rulez_py.policy.store.load" in loaded
    compiling = ("rulez_py.policy.packs.build", "rulez_py.policy.format.compile", "rulez_py.policy.format.check")
    assert [name for name in compiling if name in loaded] == []


@pytest.mark.skipif(sys.platform == "win32", reason="the alarm is a thread there, and linking needs rights")
@pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario["id"] for scenario in SCENARIOS])
def test_a_hook_call_loads_only_what_it_may(
    scenario: dict[str, Any], program: list[str], bare: set[str], home: Path, project: Path
) -> None:
    prepare(scenario, home, project)
    call(program, scenario, project)
    denied, report = call(program, scenario, project)
    loaded = reported(report)
    assert denied == scenario.get("denies", False)
    assert "rulez_py.policy.store.cache" in loaded
    allowed = {name for part in scenario["loads"] for name in TABLE[part]}
    allowed |= {f"rulez_py.policy.matchers.{kind}" for kind in scenario.get("asks", ())}
    surplus = [f"{name}, imported by {loaded[name] or '?'}" for name in sorted(set(loaded) - allowed - bare)]
    assert surplus == []
    # Looking for what is not there goes along the whole path.
    assert reported(report, "missed:") == {}


@pytest.mark.skipif(sys.platform == "win32", reason="see above")
def test_what_is_heavy_is_loaded_where_a_policy_is_compiled_and_seen_here(
    program: list[str], home: Path, project: Path
) -> None:
    """Or the test above would see nothing."""
    prepare(SCENARIOS[0], home, project)
    _, report = call(program, SCENARIOS[0], project)
    loaded = reported(report)
    assert set(TABLE["heavy"]) - set(loaded) == set()
    assert loaded["yaml.events"] == "rulez_py.documents.events"


def test_nothing_heavy_is_allowed_in_every_call() -> None:
    assert set(TABLE["heavy"]) & {name for part in ("always", "regex", "expression") for name in TABLE[part]} == set()

"""Where an agent looks for hooks, and which of those there are ours."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rulez_py.install import PROJECT, USER, Found, Machine, found
from rulez_py.install.entries import ON_PATH, called_by, filled, program
from rulez_py.install.places import agents_here, target
from rulez_py.platforms import PLATFORMS
from tests.platforms import PLATFORMS as FACTS


@pytest.fixture
def here(tmp_path: Path) -> Machine:
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    environ = {"HOME": str(tmp_path / "home"), "PATH": str(tmp_path / "bin")}
    return Machine(environ, str(tmp_path / "project"), "linux", str(tmp_path / "root"))


def put(path: str | None, text: str) -> str:
    assert path is not None
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)
    return path


PLACES = {(name, scope): place for name, facts in FACTS.items() for scope, place in facts.places.items()}
MOVED = {name: facts.moved for name, facts in FACTS.items() if facts.moved}


@pytest.mark.parametrize(("platform", "scope"), PLACES)
def test_the_hook_has_its_place(platform: str, scope: str, here: Machine, tmp_path: Path) -> None:
    assert target(platform, scope, here) == str(tmp_path / PLACES[platform, scope])


@pytest.mark.parametrize("platform", MOVED)
def test_a_home_that_was_moved_is_believed(platform: str, here: Machine, tmp_path: Path) -> None:
    variable, below = MOVED[platform]
    moved = here._replace(environ={**here.environ, variable: str(tmp_path / "moved")})
    assert target(platform, USER, moved) == str(tmp_path / "moved" / below)


@pytest.mark.parametrize(("platform", "scope"), PLACES)
def test_what_is_set_up_is_found(platform: str, scope: str, here: Machine) -> None:
    path = put(target(platform, scope, here), filled(platform, program(("/opt/a b/rulez",))))
    hooks, unread = found(platform, scope, here)
    assert unread == ()
    assert {hook.path for hook in hooks} == {path}
    assert {called_by(hook.command) for hook in hooks} == {"'/opt/a b/rulez'"}
    assert all(hook.line > 0 for hook in hooks)


def test_a_hook_is_found_with_its_event_its_line_and_all_of_it(here: Machine) -> None:
    entry = {"type": "command", "command": "rulez hook --platform claude", "timeout": 30}
    settings = {"a": 1, "hooks": {"Stop": [{"hooks": [{"command": "./mine.sh"}, entry]}]}}
    path = put(target("claude", USER, here), json.dumps(settings, indent=1))
    expected = Found(
        "claude", USER, path, 10, "Stop", "rulez hook --platform claude", entry, ("hooks", "Stop", 0, "hooks", 1)
    )
    assert found("claude", USER, here) == ((expected,), ())


@pytest.mark.parametrize(
    ("platform", "name", "text"),
    [
        ("claude", "project/.claude/settings.local.json", filled("claude", ON_PATH)),
        ("copilot", "project/.github/hooks/other.json", filled("copilot", ON_PATH)),
        ("copilot", "project/.claude/settings.json", filled("claude", ON_PATH)),
        ("copilot", "project/.github/copilot/settings.json", filled("copilot", ON_PATH)),
        ("opencode", "project/.opencode/plugins/x.ts", filled("opencode", ON_PATH)),
        (
            "codex",
            "project/.codex/config.toml",
            '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "rulez hook --platform codex"\n',
        ),
    ],
)
def test_other_files_that_the_agent_reads_count(
    platform: str, name: str, text: str, here: Machine, tmp_path: Path
) -> None:
    path = put(str(tmp_path / name), text)
    hooks, _ = found(platform, PROJECT, here)
    assert {hook.path for hook in hooks} == {path}


def test_what_cannot_be_read_is_named(here: Machine) -> None:
    path = put(target("gemini", USER, here), '{\n  "hooks": {,}\n}')
    hooks, unread = found("gemini", USER, here)
    assert (hooks, [(one.path, one.at) for one in unread]) == ((), [(path, (2, 13))])


@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_agent_is_here_by_its_program_or_its_directory(platform: str, here: Machine, tmp_path: Path) -> None:
    assert agents_here(here) == ()
    put(str(tmp_path / "bin" / platform), "#!/bin/sh\n")
    os.chmod(tmp_path / "bin" / platform, 0o755)
    assert agents_here(here) == (platform,)
    (tmp_path / "bin" / platform).unlink()
    os.makedirs(os.path.dirname(target(platform, USER, here) or ""))
    assert agents_here(here) == (platform,)

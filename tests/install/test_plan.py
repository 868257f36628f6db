"""What is to be done for an agent, also in the machine's own places, which only root may write."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from rulez_py.install import MANAGED, PROJECT, USER, Machine, plan
from rulez_py.install.entries import IN_PROJECT, program, settings
from rulez_py.install.files import Changed
from rulez_py.install.programs import CannotName, chosen, doubts, this_program

PROGRAM = program(("/opt/rulez/rulez",))


@pytest.fixture
def here(tmp_path: Path) -> Machine:
    environ = {"HOME": str(tmp_path / "home"), "PATH": ""}
    return Machine(environ, str(tmp_path / "project"), "linux", str(tmp_path / "root"))


EXISTING = {
    "gemini": {"etc/gemini-cli/settings.json": '{"hooksConfig": {"enabled": false}, "a": 1}'},
    "codex": {"etc/codex/requirements.toml": "# ours\nallow_remote = false\n[features]\nx = true"},
    "claude": {"etc/claude-code/managed-settings.json": '{"allowManagedHooksOnly": true}\n'},
    "copilot": {},
    "droid": {"etc/factory/settings.json": '{"hooks": {"hooksDisabled": true}, "a": 1}'},
    "qwen": {"etc/qwen-code/settings.json": '{"disableAllHooks": true, "a": 1}'},
}


@pytest.mark.parametrize("platform", EXISTING)
@pytest.mark.parametrize("existing", [False, True])
def test_the_machines_own_place_keeps_what_was_there_beside_the_machines_policy(
    platform: str, existing: bool, here: Machine, tmp_path: Path
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    for name, text in EXISTING[platform].items() if existing else ():
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text(text)
    before = files(root)
    for change in plan.to_install(platform, MANAGED, here, PROGRAM).needed:
        plan.install(change, MANAGED, here, 0)
    first = plan.to_install(platform, MANAGED, here, PROGRAM).changes[0]
    written = json.loads(Path(first.path).read_text())["hooks"]
    assert {**written, **settings(platform, PROGRAM)["hooks"]} == written
    assert written.keys() - settings(platform, PROGRAM)["hooks"].keys() == ({"hooksDisabled"} & written.keys())
    assert plan.to_install(platform, MANAGED, here, PROGRAM).needed == ()
    assert list((root / "etc/rulez/installed").iterdir())
    for change in plan.to_uninstall(platform, MANAGED, here).needed:
        plan.uninstall(change, MANAGED, here, 0)
    assert files(root) == before
    assert sorted(path.name for path in (root / "etc").iterdir()) in (["rulez"], sorted({"rulez", *tops(before)}))
    assert not (tmp_path / "home").exists()


def files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def tops(names: dict[str, bytes]) -> set[str]:
    return {name.split("/")[1] for name in names}


def test_what_would_switch_hooks_off_is_on_for_the_whole_machine(here: Machine, tmp_path: Path) -> None:
    for platform in ("gemini", "codex", "droid", "qwen"):
        for change in plan.to_install(platform, MANAGED, here, PROGRAM).needed:
            plan.install(change, MANAGED, here, 0)
    etc = tmp_path / "root" / "etc"
    assert json.loads((etc / "gemini-cli/settings.json").read_text())["hooksConfig"] == {"enabled": True}
    assert json.loads((etc / "qwen-code/settings.json").read_text())["disableAllHooks"] is False
    assert json.loads((etc / "factory/settings.json").read_text())["hooks"]["hooksDisabled"] is False
    assert tomllib.loads((etc / "codex/requirements.toml").read_text()) == {"features": {"hooks": True}}


def test_another_system_has_other_places(here: Machine) -> None:
    with pytest.raises(plan.Refused):
        plan.to_install("copilot", MANAGED, here._replace(system="darwin"), PROGRAM)
    (change,) = plan.to_install("claude", MANAGED, here._replace(system="darwin"), PROGRAM).needed
    assert change.path.endswith("/Library/Application Support/ClaudeCode/managed-settings.json")


def test_a_file_that_was_written_meanwhile_is_left_alone(here: Machine) -> None:
    (change,) = plan.to_install("claude", USER, here, PROGRAM).needed
    Path(change.path).parent.mkdir(parents=True)
    Path(change.path).write_text("{}")
    with pytest.raises(Changed):
        plan.install(change, USER, here, 0)
    assert Path(change.path).read_text() == "{}"
    assert [path.name for path in Path(change.path).parent.iterdir()] == ["settings.json"]


def test_two_backups_of_one_second_are_two_files(here: Machine) -> None:
    path = Path(here.environ["HOME"]) / ".claude" / "settings.json"
    path.parent.mkdir(parents=True)
    for text in ("{}", '{"a": 1}'):
        path.write_text(text)
        (change,) = plan.to_install("claude", USER, here, PROGRAM).needed
        plan.install(change, USER, here, 0)
    kept = sorted(Path(here.own.state, "backups").iterdir())
    assert [file.read_text() for file in kept] == ["{}", '{"a": 1}']


def test_a_file_that_the_agent_does_not_read_is_told(here: Machine) -> None:
    path = Path(here.environ["HOME"]) / ".copilot" / "hooks" / "rulez.json"
    path.parent.mkdir(parents=True)
    path.write_text("// mine\n{}")
    (doubt,) = plan.to_install("copilot", USER, here, PROGRAM).doubts
    assert (doubt.at, doubt.message.partition(":")[0]) == ((1, 1), "Copilot reads no settings with comments")


def test_hooks_that_only_a_person_can_take_out_are_told(here: Machine) -> None:
    path = Path(here.environ["HOME"]) / ".codex" / "config.toml"
    path.parent.mkdir(parents=True)
    entry = 'type = "command"\ncommand = "rulez hook --platform codex"\n'
    path.write_text(f"[[hooks.Stop]]\n[[hooks.Stop.hooks]]\n{entry}")
    assert f"take rulez out of {path} by hand" in plan.to_install("codex", USER, here, PROGRAM).remarks[0]
    assert f"take rulez out of {path} by hand" in plan.to_uninstall("codex", USER, here).remarks[0]


def test_what_is_kept_of_a_file_is_json_with_a_schema(here: Machine) -> None:
    (change,) = plan.to_install("codex", USER, here, PROGRAM).needed
    plan.install(change, USER, here, 0)
    (record,) = Path(here.own.state, "installed").iterdir()
    home = here.environ["HOME"]
    directories = [f"{home}/.codex", home]
    expected = {"schema": 1, "path": change.real, "backup": None, "directories": directories}
    assert json.loads(record.read_text()) == expected


# Which program.


def test_this_program_can_be_called_from_anywhere() -> None:
    called = this_program()
    ended = subprocess.run(
        [*called.words, "--version"],
        cwd="/",
        env={"PYTHONPATH": "/nowhere"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.startswith("rulez ")
    shell = subprocess.run(["sh", "-c", f"{called.text} --version"], capture_output=True, text=True, check=True)
    assert shell.stdout == ended.stdout


def test_a_program_that_is_not_installed_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/usr/bin/true")
    with pytest.raises(CannotName):
        this_program()


def test_the_built_program_names_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "rulez").touch()
    (tmp_path / "link").symlink_to("rulez")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "link"))
    assert this_program().words == (str(tmp_path / "rulez"),)


def test_a_project_names_no_path() -> None:
    assert chosen(PROJECT, None) == IN_PROJECT
    assert chosen(PROJECT, "uvx rulez").words == ("uvx", "rulez")


@pytest.mark.parametrize(
    ("scope", "path", "said"),
    [
        (USER, "/home/me/.cache/uv/archive-v0/x/bin/python", "cleared from time to time"),
        (PROJECT, "rulez", "needs a `rulez` on the PATH"),
    ],
)
def test_a_program_that_may_not_be_there_tomorrow_is_doubted(scope: str, path: str, said: str) -> None:
    (doubt,) = doubts(scope, program((path,)))
    assert said in doubt


def test_a_program_of_the_system_is_not_doubted() -> None:
    assert doubts(MANAGED, program(("/bin/true",))) == doubts(USER, program(("/bin/true",))) == []

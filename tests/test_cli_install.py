"""`rulez install` and `rulez uninstall` as people, scripts and agents meet them."""

from __future__ import annotations

import importlib
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulez_py.cli import cli, person
from rulez_py.install import Machine, owners, programs
from rulez_py.install.entries import (
    IN_PROJECT,
    by_event,
    command_of,
    filled,
    is_plugin,
    is_yaml,
    program,
    settings,
    snippet,
)
from rulez_py.install.owners import Rights
from rulez_py.platforms import PLATFORMS, adapter, is_proven
from tests.machines import FILES, all_the_same
from tests.platforms import PLATFORMS as FACTS

PROGRAM = program(("/opt/my rulez/rulez",))
PROJECT_FILES = {
    name: facts.places["project"].removeprefix("project/") for name, facts in FACTS.items() if "project" in facts.places
}
each_platform = pytest.mark.parametrize("platform", PLATFORMS)

OTHERS = """{
  // mine
  "model": "x",
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "./mine.sh"}]},   // a list
    ],
    "Other": [ ],
  },
  "z": {"b": 1, "a": [1,2 ,3]}
}
"""
SETTINGS = {
    "nothing": None,
    "an empty file": b"",
    "an empty object": b"{}",
    "other hooks, comments, commas": OTHERS.encode(),
    "CRLF": OTHERS.replace("\n", "\r\n").encode(),
    "a byte order mark": b"\xef\xbb\xbf" + OTHERS.encode(),
    "one line": b'{"a":1,"hooks":{"PreToolUse":[]}}',
    "tabs": json.dumps({"a": 1, "hooks": {}}, indent="\t").encode(),
}
IN_A_LIST = (
    (b'"hooks": {\n    "Stop": [', b'"hooks": ['),
    (b'"hooks": {\r\n    "Stop": [', b'"hooks": ['),
    (b'    ],\n    "Other": [ ],\n  },', b"    ],"),
    (b'    ],\r\n    "Other": [ ],\r\n  },', b"    ],"),
    (b'{"PreToolUse":[]}', b"[]"),
    (b'"hooks": {}', b'"hooks": []'),
)
"""What is another way where the hooks of all events are in one list."""


def settings_of(platform: str, name: str) -> bytes | None:
    """Return settings with hooks where this agent has them."""
    data = SETTINGS[name]
    listed = not is_plugin(platform) and isinstance(settings(platform, IN_PROJECT)["hooks"], list)
    for old, new in IN_A_LIST if listed else ():
        data = data and data.replace(old, new)
    return data


@pytest.fixture(autouse=True)
def place(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without agents, an empty project, and a rulez that is somewhere else than this one."""
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(programs, "this_program", lambda: PROGRAM)
    monkeypatch.setattr(person, "ancestors", lambda _pid: [])
    return project


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(cli, all_the_same(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def good(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.output


def tree(root: Path) -> dict[str, bytes | None]:
    """Every file and directory, but for what rulez keeps of its own."""
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else None
        for path in sorted(root.rglob("*"))
        if not path.is_relative_to(root / ".local")
    }


def put(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


LOSING = tuple(name for name, facts in FACTS.items() if facts.loses)
NOT_READ = dict.fromkeys(("other hooks, comments, commas", "CRLF", "a byte order mark"), LOSING)


@each_platform
@pytest.mark.parametrize("name", SETTINGS)
def test_a_home_is_what_it_was_afterwards(platform: str, name: str, home: Path) -> None:
    if (is_plugin(platform) or is_yaml(FILES[platform])) and name not in ("nothing", "an empty file"):
        pytest.skip("it takes a plugin, or YAML (tests/install/test_yaml_merge.py)")
    data = settings_of(platform, name)
    if data is not None:
        put(home / FILES[platform], data)
    before = tree(home)
    assert run("install", platform).exit_code == int(platform in NOT_READ.get(name, ()))
    installed = tree(home)
    assert PROGRAM.words[0] in (installed[FILES[platform]] or b"").decode()
    assert "up to date already" in run("install", platform).stdout
    assert tree(home) == installed
    good("uninstall", platform)
    assert tree(home) == before


@pytest.mark.parametrize(
    ("platform", "text", "said"),
    [
        ("claude", '{\n  // mine\n  "a": 1\n}', "settings.json:2:3: Claude Code reads no settings with comments"),
        ("claude", '{\n  "a": [1, 2, ]\n}', "settings.json:2:13: Claude Code reads no settings with trailing commas"),
        ("claude", '\ufeff{"a": "/* x */, }"}', ""),
        ("gemini", '{"a": 1 /* x */}', ""),
        ("gemini", '{"a": 1,}', "Gemini CLI reads no settings with trailing commas"),
        ("codex", "\ufeff{}", "hooks.json:1:1: Codex CLI reads no settings with a byte order mark"),
        ("copilot", "{} // x", "rulez.json:"),
    ],
)
def test_settings_that_the_agent_itself_does_not_read_are_told_with_their_place(
    platform: str, text: str, said: str, home: Path
) -> None:
    put(home / FILES[platform], text.encode())
    result = run("install", platform)
    assert (result.exit_code, said in result.stderr) == (int(bool(said)), True), result.output


def test_an_agent_without_hooks_of_a_project_says_so(place: Path) -> None:
    before = tree(place)
    result = run("install", "kimi", "--scope", "project")
    assert (result.exit_code, tree(place)) == (1, before), result.output
    assert "Kimi Code has no place for hooks of a project" in result.stderr


UNPROVEN = tuple(name for name in PLATFORMS if not is_proven(name))
each_unproven = pytest.mark.parametrize("platform", UNPROVEN)


@each_unproven
def test_an_agent_without_proof_is_refused_by_name(platform: str, home: Path) -> None:
    before = tree(home)
    refused = CliRunner().invoke(cli, ("install", platform, "claude"))
    assert (refused.exit_code, set(tree(home)) - set(before)) == (1, {".claude", ".claude/settings.json"})
    assert f"{adapter(platform).AGENT}: rulez was never played on it itself" in refused.stderr
    assert f"`rulez install {platform} --unproven` sets it up all the same" in refused.stderr


@each_unproven
@pytest.mark.parametrize("others", [(), (".claude",)])
def test_an_agent_without_proof_that_is_found_is_left_out_with_a_note(
    platform: str, others: tuple[str, ...], home: Path
) -> None:
    file = home / FILES[platform]
    for directory in (file.parent, *(home / other for other in others)):
        directory.mkdir(parents=True)
    said = " ".join(good("install").split())
    assert f"note: {adapter(platform).AGENT} is left out" in said
    assert f"`rulez install {platform} --unproven`" in said
    assert (file.exists(), (home / ".claude/settings.json").exists()) == (False, bool(others))
    assert "never played" in good("install", "--unproven")
    assert file.exists()


def test_an_agent_with_proof_is_not_said_to_have_none(home: Path) -> None:
    assert "never played" not in good("install", "claude", "--unproven")


@pytest.mark.parametrize("platform", PROJECT_FILES)
def test_a_project_is_what_it_was_afterwards(platform: str, place: Path, home: Path) -> None:
    before = tree(place)
    good("install", platform, "--scope", "project")
    assert (place / PROJECT_FILES[platform]).read_text() == filled(platform, IN_PROJECT)
    assert tree(home) == {}
    good("uninstall", platform, "--scope", "project")
    assert tree(place) == before


def test_a_project_is_that_around_the_current_directory(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(place / "a" / "b")
    good("install", "claude", "--scope", "project")
    assert (place / ".claude" / "settings.json").exists()


PLAIN = json.dumps({"a": [1, 2], "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "./x"}]}]}}, indent=4)


def test_a_link_is_followed_and_stays(home: Path, tmp_path: Path) -> None:
    real = put(tmp_path / "dotfiles" / "claude.json", PLAIN.encode())
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").symlink_to(real)
    told = good("install", "claude")
    assert f"~/.claude/settings.json -> {real}" in told
    assert PROGRAM.words[0] in real.read_text()
    good("uninstall", "claude")
    assert real.read_bytes() == PLAIN.encode()
    assert (home / ".claude" / "settings.json").is_symlink()


def test_a_file_keeps_its_mode_and_its_other_names(home: Path, tmp_path: Path) -> None:
    path = put(home / FILES["gemini"], b"{}")
    path.chmod(0o640)
    (tmp_path / "other").hardlink_to(path)
    good("install", "gemini")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert (tmp_path / "other").samefile(path)
    good("uninstall", "gemini")
    assert path.read_bytes() == b"{}"


def test_the_file_from_before_is_kept_while_rulez_is_set_up(home: Path) -> None:
    put(home / FILES["claude"], PLAIN.encode())
    told = good("install", "claude")
    (kept,) = (home / ".local/state/rulez/backups").iterdir()
    assert kept.read_bytes() == PLAIN.encode()
    assert f"as it was: ~/.local/state/rulez/backups/{kept.name}" in told
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    good("uninstall", "claude")
    assert not kept.exists()


def test_what_came_in_between_stays_and_the_rest_is_as_before(home: Path) -> None:
    path = put(home / FILES["claude"], PLAIN.encode())
    good("install", "claude")
    path.write_text(path.read_text().replace("1,", "3,"))
    told = good("uninstall", "claude")
    assert path.read_text() == PLAIN.replace("1,", "3,")
    assert "as it was: " in told


def test_a_file_of_ours_in_which_somebody_wrote_stays(home: Path) -> None:
    good("install", "claude")
    path = home / FILES["claude"]
    path.write_text(json.dumps({**json.loads(path.read_text()), "model": "y"}))
    good("uninstall", "claude")
    assert json.loads(path.read_text()) == {"model": "y"}


@each_platform
def test_a_snippet_that_was_pasted_by_hand_is_brought_up_to_date_and_goes(platform: str, home: Path) -> None:
    path = put(home / FILES[platform], snippet(platform).encode())
    assert "brought up to date" in good("install", platform)
    assert path.read_text() == filled(platform, PROGRAM)
    good("uninstall", platform)
    assert not path.exists() or json.loads(path.read_text()) == {}


@each_platform
def test_without_what_install_kept_our_hooks_go_all_the_same(platform: str, home: Path) -> None:
    path = put(home / FILES[platform], filled(platform, PROGRAM).encode())
    good("uninstall", platform)
    assert not path.exists() or json.loads(path.read_text()) == {}


def test_a_copy_in_another_file_that_the_agent_reads_goes(home: Path) -> None:
    other = put(home / ".config/opencode/plugins/rulez.js", snippet("opencode").encode())
    good("install", "opencode")
    assert not other.exists()
    assert (home / FILES["opencode"]).exists()


def test_another_agents_hooks_in_a_file_that_this_one_reads_too_stay(place: Path) -> None:
    claudes = put(place / ".claude/settings.json", snippet("claude").encode())
    good("install", "copilot", "--scope", "project")
    assert claudes.read_text() == snippet("claude")
    good("uninstall", "copilot", "--scope", "project")
    assert claudes.read_text() == snippet("claude")


def test_somebody_elses_plugin_is_left_alone(home: Path) -> None:
    path = put(home / FILES["opencode"], b"export const x = 1\n")
    result = run("install", "opencode")
    assert (result.exit_code, path.read_bytes()) == (1, b"export const x = 1\n")
    assert "another plugin has the name of rulez' plugin" in result.stderr


def test_a_hook_file_of_ones_own_is_left_alone(home: Path) -> None:
    own = put(home / ".cline/hooks/PostToolUse", b"#!/bin/sh\n")
    before = tree(home)
    result = run("install", "cline")
    assert result.exit_code == 1
    assert "PostToolUse: another hook is there; it is left alone: rename it PostToolUse.sh" in result.stderr
    assert tree(home) == before
    own.rename(own.with_suffix(".sh"))
    before = tree(home)
    good("install", "cline")
    assert own.with_suffix(".sh").read_bytes() == b"#!/bin/sh\n"
    good("uninstall", "cline")
    assert tree(home) == before


def test_a_hook_file_can_be_started(home: Path) -> None:
    good("install", "cline")
    files = sorted((home / ".cline/hooks").iterdir())
    assert len(files) == 9
    assert all(os.access(file, os.X_OK) for file in files)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{\n  "a": 1\n  "b": 2\n}', '~/.claude/settings.json:3:3: a "," is missing here'),
        (b'{"a": "\xff"}', "~/.claude/settings.json:1:8: this is not UTF-8"),
        (b'{"hooks": 1}', "~/.claude/settings.json:1:11: `hooks` is not an object with a list for each event"),
    ],
)
@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_what_cannot_be_read_is_refused_and_left_alone(data: bytes, said: str, command: str, home: Path) -> None:
    path = put(home / FILES["claude"], data)
    result = run(command, "claude")
    assert path.read_bytes() == data
    if command == "install" or b"hooks" not in data:
        assert (result.exit_code, said in result.stderr) == (1, True), result.output
        assert "nothing was changed" in result.stderr


def test_one_agents_bad_file_keeps_no_other_from_being_set_up(home: Path) -> None:
    put(home / FILES["claude"], b"{")
    assert run("install", "claude", "gemini").exit_code == 1
    assert (home / FILES["gemini"]).exists()


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_dry_run_prints_a_diff_and_changes_nothing(command: str, home: Path) -> None:
    put(home / FILES["claude"], PLAIN.encode())
    if command == "uninstall":
        good("install", "claude")
    before = tree(home)
    told = good(command, "claude", "--dry-run")
    sign = "+" if command == "install" else "-"
    assert f"{sign}                        " in told
    assert "'/opt/my rulez/rulez' hook --platform claude" in told
    assert '"command": "./x"' in told
    assert tree(home) == before


def test_without_a_name_those_on_the_machine_are_set_up(home: Path, tmp_path: Path) -> None:
    (home / ".gemini").mkdir()
    put(tmp_path / "bin" / "codex", b"#!/bin/sh\n").chmod(0o755)
    told = good("install")
    assert set(tree(home)) == {".gemini", FILES["gemini"], ".codex", FILES["codex"]}
    assert "Not found here: Claude Code, Cline, Copilot, " in told
    assert "Review the hooks: `codex` asks at its next start" in told
    good("uninstall")
    assert set(tree(home)) == {".gemini"}


def test_where_no_agent_is_a_person_has_to_name_one() -> None:
    result = run("install")
    assert (result.exit_code, "name yours: claude, cline" in result.stderr) == (1, True)


def test_a_command_of_ones_own_is_what_agents_call(home: Path) -> None:
    good("install", "claude", "opencode", "--command", "/opt/wrap 'a b' rulez")
    assert "/opt/wrap 'a b' rulez hook --platform claude" in (home / FILES["claude"]).read_text()
    assert 'const COMMAND = ["/opt/wrap", "a b", "rulez"]' in (home / FILES["opencode"]).read_text()
    good("uninstall")
    assert not (home / FILES["claude"]).exists()


@pytest.mark.parametrize("command", ["", " ", "a 'b", "a\nb"])
def test_a_command_that_is_none_is_refused(command: str, home: Path) -> None:
    assert run("install", "claude", "--command", command).exit_code == 1
    assert tree(home) == {}


def test_a_hook_that_is_set_up_in_another_place_too_is_told(place: Path) -> None:
    good("install", "codex", "--scope", "project")
    told = " ".join(good("install", "codex").split())
    assert f"note: it is set up in {place}/.codex/hooks.json as well" in told


def test_an_agent_may_set_rulez_up_and_change_nothing_that_is_there(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(home / FILES["gemini"], snippet("gemini").encode())
    monkeypatch.setenv("CLAUDECODE", "1")
    good("install", "claude")
    before = tree(home)
    for refused in (("install", "gemini"), ("install", "codex", "--command", "true"), ("uninstall",)):
        result = run(*refused)
        assert (result.exit_code, "a coding agent cannot do this (CLAUDECODE is set)" in result.stderr) == (1, True)
    assert tree(home) == before
    good("install", "gemini", "--dry-run")
    good("uninstall", "--dry-run")


def test_where_else_it_is_set_up_is_told(place: Path) -> None:
    good("install", "claude", "--scope", "project")
    told = " ".join(good("uninstall").split())
    assert told.startswith("rulez is not set up there note: it is set up in .claude/settings.json as well: `rulez")


def test_where_nothing_is_set_up_nothing_is_taken_out() -> None:
    assert good("uninstall") == "rulez is not set up there\n"


@each_platform
def test_hooks_show_prints_what_would_be_written(platform: str) -> None:
    assert good("hooks", "show", platform) == snippet(platform)
    assert good("hooks", "show", platform, "--command", PROGRAM.text) == filled(platform, PROGRAM)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_the_machines_own_place_needs_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owners, "look", lambda _path: Rights(0o755, 0, 0))
    result = run("install", "claude", "--scope", "managed")
    assert (result.exit_code, "try again with sudo" in result.stderr) == (1, True)


# What the whole machine, and a team, have in common.


@pytest.fixture
def machines(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the machine's settings stand; its programs are root's."""
    root = tmp_path / "root"
    here = Machine(os.environ, str(place), "linux", str(root))
    monkeypatch.setattr(importlib.import_module("rulez_py.cli.install"), "this_machine", lambda: here)
    monkeypatch.setattr(owners, "look", lambda _path: Rights(0o755, 0, 0))
    return root


def test_an_agent_without_a_place_for_the_machine_says_so(machines: Path) -> None:
    result = run("install", "opencode", "--scope", "managed")
    assert (result.exit_code, "OpenCode has no place for hooks of the whole machine" in result.stderr) == (1, True)
    result = run("install", "hermes", "--scope", "managed")
    said = " ".join(result.stderr.split())
    assert result.exit_code == 1
    assert "no hook in /etc/hermes/config.yaml that a person has not accepted: rulez puts none there;" in said
    assert "`rulez install` without --scope sets it up for you alone" in said


def test_where_no_agent_is_named_one_without_such_a_place_is_a_note(machines: Path, home: Path) -> None:
    for name in (".claude", ".codex", ".config/opencode"):
        (home / name).mkdir(parents=True)
    for words in (("--dry-run",), ()):
        said = " ".join(good("install", "--scope", "managed", *words).split())
        assert "note: OpenCode has no place for hooks of the whole machine" in said
        assert "Not found here: Cline, Copilot, " in said
    assert PROGRAM.words[0] in (machines / "etc/claude-code/managed-settings.json").read_text()


def test_where_only_such_an_agent_is_here_nothing_is_called_done(machines: Path, home: Path) -> None:
    (home / ".config/opencode").mkdir(parents=True)
    assert run("install", "--scope", "managed").exit_code == 1


@pytest.mark.parametrize("words", [(), ("--dry-run",)])
def test_a_program_that_is_not_roots_is_refused_for_the_machine(
    machines: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = os.path.dirname(PROGRAM.words[0])
    monkeypatch.setattr(owners, "look", lambda path: Rights(0o755, 4_000_000 * (path == theirs), 0))
    result = run("install", "claude", "codex", "--scope", "managed", *words)
    said = " ".join(result.stderr.split())
    assert (result.exit_code, f"error: {theirs} belongs to uid 4000000" in said) == (1, True)
    assert "Install rulez where only root can write" in said
    assert not machines.exists()


@pytest.mark.parametrize(("scope", "said"), [("managed", False), ("user", True)])
def test_nobody_reviews_what_is_the_machines(machines: Path, scope: str, said: bool) -> None:
    assert ("Review the hooks" in good("install", "codex", "--scope", scope)) == said


@pytest.mark.parametrize("platform", [name for name in PLATFORMS if not is_plugin(name) and not is_yaml(FILES[name])])
@pytest.mark.parametrize("name", NOT_READ)
def test_looking_first_says_what_install_will_complain_of(platform: str, name: str, home: Path) -> None:
    put(home / FILES[platform], settings_of(platform, name) or b"")
    looked, done = run("install", platform, "--dry-run"), run("install", platform)
    assert (looked.exit_code, looked.stderr) == (done.exit_code, done.stderr)
    assert (looked.exit_code, "reads no settings with" in looked.stderr) in ((1, True), (0, False))


COMMANDS = [
    pytest.param(platform, command, id=f"{platform}: {event}")
    for platform in PLATFORMS
    if not is_plugin(platform) and platform in PROJECT_FILES
    for event, groups in by_event(settings(platform, IN_PROJECT)["hooks"]).items()
    for entry in (groups[0].get("hooks") or groups)
    for command in (command_of(entry) or entry.get("bash"),)
    if ">&2" in command
]


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a shell")
@pytest.mark.parametrize(("platform", "command"), COMMANDS)
def test_who_does_not_have_rulez_is_told_where_to_get_it(platform: str, command: str, tmp_path: Path) -> None:
    def called(path: str) -> subprocess.CompletedProcess[str]:
        words = ["/bin/sh", "-c", command]
        return subprocess.run(words, input="{}", env={"PATH": path}, capture_output=True, text=True, check=False)

    missing = called("/nowhere")
    assert (missing.returncode, "pipx install . in a clone of rulez" in missing.stderr) == (2, True)
    stub = put(tmp_path / "bin" / "rulez", b'#!/bin/sh\nread line; echo "$line $*"\n')
    stub.chmod(0o755)
    there = called(f"{tmp_path}/bin:/usr/bin:/bin")
    assert (there.returncode, there.stdout, there.stderr) == (0, f"{{}} hook --platform {platform}\n", "")


def test_each_agent_that_runs_a_command_has_one_that_says_so() -> None:
    assert {str(one.values[0]) for one in COMMANDS} == {name for name in PROJECT_FILES if not is_plugin(name)}

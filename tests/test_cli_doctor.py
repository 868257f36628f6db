"""`rulez doctor` and `rulez status`: green after `rulez install`; each thing that is broken is named."""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulez_py.doctor.findings import BROKEN, NOTE
from rulez_py.install import owners
from rulez_py.install.owners import Rights
from rulez_py.install.places import Machine as Here
from rulez_py.platforms import PLATFORMS, part
from rulez_py.policy.store.load import read_floor
from tests.machines import COMMAND, FILES, Machine, installed, whats
from tests.platforms import PLATFORMS as FACTS
from tests.platforms import PROVEN
from tests.programs import ROOT

each_platform = pytest.mark.parametrize("platform", PLATFORMS)


@pytest.fixture
def machine(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(home, tmp_path, monkeypatch)


# As it should be.


@each_platform
def test_after_install_protection_holds(machine: Machine, platform: str) -> None:
    installed(machine, platform)
    code, found = machine.doctor()
    assert (code, whats(found, BROKEN)) == (0, [])
    (agent,) = found["agents"]
    assert [(one["name"], one["got"]) for one in agent["tried"]] == [("deny", "deny"), ("pass", "pass")]
    assert agent["places"][0]["path"] == str(machine.file(platform))
    assert agent["version"] == (agent["proved"] or "1.0.0")
    assert [one["state"] for one in agent["findings"]] == ([] if platform in PROVEN else ["unproven"])
    assert [one["layer"] for one in found["policy"]] != []


@pytest.mark.parametrize("platform", [name for name in PLATFORMS if name not in PROVEN])
def test_an_unproven_agent_that_is_not_set_up_is_a_note_unless_it_is_named(machine: Machine, platform: str) -> None:
    installed(machine, "claude")
    machine.agent(platform)
    code, found = machine.doctor()
    assert (code, [one["platform"] for one in found["agents"]]) == (0, ["claude"])
    (note,) = (one for one in found["findings"] if "never played" in one["what"])
    assert (note["level"], note["mend"]) == (NOTE, f"rulez install {platform} --unproven")
    code, found = machine.doctor(platform)
    assert (code, found["agents"][0]["holds"]) == (1, False)
    assert found["agents"][0]["findings"][0]["mend"] == f"rulez install {platform} --unproven"
    installed(machine, platform)
    code, found = machine.doctor()
    assert (code, [one["platform"] for one in found["agents"]]) == (0, sorted(["claude", platform]))


@pytest.mark.parametrize("platform", ["claude", "copilot", "cursor", "droid", "gemini", "grok", "qwen"])
def test_a_hook_that_several_agents_share_is_rulez_hook_too(machine: Machine, platform: str) -> None:
    installed(machine, platform)
    file = machine.file(platform)
    file.write_text(file.read_text().replace(f"hook --platform {platform}", "hook --platform auto"))
    code, found = machine.doctor()
    assert (code, whats(found, BROKEN)) == (0, [])
    (agent,) = found["agents"]
    assert [(one["name"], one["got"]) for one in agent["tried"]] == [("deny", "deny"), ("pass", "pass")]
    assert machine.says("install", platform, "--command", COMMAND).exit_code == 0
    assert f"hook --platform {platform}" in file.read_text()
    assert "hook --platform auto" not in file.read_text()


@each_platform
def test_status_is_the_short_form(machine: Machine, platform: str) -> None:
    installed(machine, platform)
    said = machine.says("status")
    assert (said.exit_code, "set up, not called yet" in said.output) == (0, True)


def test_what_was_tried_is_no_call_of_the_agent(machine: Machine) -> None:
    installed(machine, "claude")
    machine.doctor()
    _, found = machine.doctor()
    assert found["agents"][0]["fired"] == ""
    assert machine.says("explain", "--last").exit_code == 1


# What is not covered is a note in one line, and nothing worse.


def not_covered(found: dict[str, Any]) -> list[str]:
    return [what for what in whats(found, NOTE) if what.startswith("Not covered here")]


@pytest.mark.parametrize(
    ("files", "note"),
    [
        ({}, []),
        ({"main.tf": ""}, ["Not covered here: terraform (main.tf)"]),
        (
            {"main.tf": "", "chart/Chart.yaml": "", "x.tf": ""},
            ["Not covered here: terraform (main.tf), kubernetes (chart/Chart.yaml)"],
        ),
        ({"main.tf": "", ".rulez/rules.yaml": 'version: "1.0"\nextends: [builtin:terraform]\n'}, []),
    ],
)
def test_what_fits_and_is_not_in_force_is_noted(machine: Machine, files: dict[str, str], note: list[str]) -> None:
    installed(machine, "claude")
    for name, text in files.items():
        machine.put(name, text)
    code, found = machine.doctor()
    assert (code, found["holds"], not_covered(found)) == (0, True, note)


def test_of_a_policy_that_cannot_be_used_nobody_knows_what_it_covers(machine: Machine) -> None:
    machine.put("main.tf", "")
    machine.put(".rulez/rules.yaml", "version: 1\nrules: [{nam: x}]\n")
    assert not_covered(machine.doctor()[1]) == []


REMEMBERS = """\
version: "1.0"
rules:
  - {name: tests-pass, matchers: {command: {program: npm, subcommand: test}}, actions: {remember: tests-passed}}
  - {name: push, matchers: {command: {program: git, subcommand: push}}, requires: tests-passed, actions: {block: true}}
"""


@pytest.mark.parametrize(
    ("platforms", "agents"),
    [(["codex"], "Codex CLI"), (["claude", "codex"], "Claude Code's `PowerShell` and Codex CLI"), (["cursor"], "")],
)
def test_a_rule_that_never_remembers_in_an_agent_of_this_machine_is_noted(
    machine: Machine, platforms: list[str], agents: str
) -> None:
    for platform in platforms:
        installed(machine, platform)
    machine.own("rules.yaml", REMEMBERS)
    code, found = machine.doctor()
    notes = [what for what in whats(found, NOTE) if "never remembers" in what]
    said = (
        f"~/.config/rulez/rules.yaml:3: rule `tests-pass` never remembers `tests-passed` in {agents}, which do not "
        "tell the result of a command, and push objects each time"
    )
    assert (code, notes) == (0, [said.replace("/", os.sep)] if agents else [])


# Each thing broken.


def nothing_installed(machine: Machine, platform: str) -> None:
    machine.says("uninstall", platform)


def not_runnable(machine: Machine, platform: str) -> None:
    machine.says("install", platform, "--command", "/not/there/rulez")


def says_nothing(machine: Machine, platform: str) -> None:
    program = machine.bin / "passes"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    machine.says("install", platform, "--command", str(program))


def unreadable(machine: Machine, platform: str) -> None:
    machine.file(platform).write_text('{"hooks": {')


def a_policy_that_is_none(machine: Machine, _platform: str) -> None:
    machine.put(".rulez/rules.yaml", "version: 1\nrules: [{nam: x}]\n")


def a_pause(machine: Machine, _platform: str) -> None:
    assert machine.says("pause", "15m").exit_code == 0


LOSING = " ".join(name for name, facts in FACTS.items() if facts.settings)
BREAKS: dict[str, tuple[Callable[[Machine, str], None], str, str]] = {
    "nothing is installed": (nothing_installed, "no hook of rulez is set up", ""),
    "the command cannot be run": (not_runnable, "where it should", ""),
    "it answers nothing": (says_nothing, "where it should deny", ""),
    "settings that cannot be read": (unreadable, FILES["claude"].rpartition("/")[2], LOSING),
    "an invalid policy": (a_policy_that_is_none, ".rulez/rules.yaml:2", ""),
    "a pause": (a_pause, "rules are paused", ""),
}
SILENCE_DENIES = ("hermes",)
"""Agents whose installed command makes a denial of no answer."""
CASES = [
    pytest.param(platform, name, id=f"{platform}: {name}")
    for name, (_, _, only) in BREAKS.items()
    for platform in PLATFORMS
    if not only or platform in only.split()
]


@pytest.mark.parametrize(("platform", "name"), CASES)
def test_what_is_broken_is_named(machine: Machine, platform: str, name: str) -> None:
    installed(machine, platform)
    do, what, _ = BREAKS[name]
    do(machine, platform)
    code, found = machine.doctor()
    said = whats(found, BROKEN)
    expected = machine.file(platform).name if name == "settings that cannot be read" else what
    if name == "it answers nothing" and platform in SILENCE_DENIES:
        expected = "where it should pass"
    # OpenCode's plugin has no `|| exit 2` of a shell around it.
    assert code == 1
    assert any(expected in one for one in said), said


OFF = {
    "claude": (".claude/settings.json", '{"disableAllHooks": true}'),
    "codex": (".codex/config.toml", "[features]\nhooks = false\n"),
    "copilot": (".github/copilot/settings.json", '{"disableAllHooks": true}'),
}


@pytest.mark.parametrize("platform", OFF)
def test_what_switches_hooks_off_is_named(machine: Machine, platform: str) -> None:
    installed(machine, platform)
    machine.put(*OFF[platform])
    code, found = machine.doctor()
    assert (code, any("switches" in one and " off" in one for one in whats(found, BROKEN))) == (1, True)


MOVED = {
    "claude": ("CLAUDE_CONFIG_DIR", "settings.json", '{"disableAllHooks": true}', "disableAllHooks"),
    "codex": ("CODEX_HOME", "config.toml", "[features]\nhooks = false\n", "features.hooks"),
    "gemini": (
        "GEMINI_CLI_HOME",
        ".gemini/settings.json",
        '{"hooksConfig": {"disabled": ["a"]}}',
        "hooksConfig.disabled",
    ),
}


@pytest.mark.parametrize("platform", MOVED)
def test_what_switches_hooks_off_is_named_where_a_variable_has_moved_it(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    variable, name, text, key = MOVED[platform]
    monkeypatch.setenv(variable, str(machine.home / "moved"))
    (machine.home / "moved" / name).parent.mkdir(parents=True)
    (machine.home / "moved" / name).write_text(text)
    machine.agent(platform)
    _, found = machine.doctor()
    assert any(f"`{key}` switches hooks of" in one for one in whats(found, BROKEN))


@pytest.mark.parametrize(("version", "word"), [("99.0.0", "newer"), ("0.0.1", "older")])
def test_a_version_that_was_not_proved_is_told(machine: Machine, version: str, word: str) -> None:
    installed(machine, "claude")
    machine.agent("claude", version)
    code, found = machine.doctor()
    assert (code, [one for one in whats(found) if f"version {version} is {word}" in one] != []) == (0, True)


def test_a_hook_that_is_set_up_twice_is_told(machine: Machine) -> None:
    installed(machine, "claude")
    machine.says("install", "claude", "--scope", "project", "--command", COMMAND)
    code, found = machine.doctor()
    assert (code, any("judged twice" in one for one in whats(found))) == (0, True)


MANAGED = "managed"
TWICE = {
    ("user", "project"): ("leave the project's", "`rulez uninstall claude` takes out yours"),
    ("user", MANAGED): ("`rulez uninstall claude` takes out yours",),
    ("user", "project", MANAGED): ("`rulez uninstall claude` takes out yours",),
    ("project", MANAGED): ("leave both",),
}


@pytest.mark.parametrize("scopes", TWICE)
def test_of_two_copies_only_a_persons_own_is_to_go(
    machine: Machine, machines: Path, monkeypatch: pytest.MonkeyPatch, scopes: tuple[str, ...]
) -> None:
    monkeypatch.setattr(owners, "look", lambda _path: Rights(0o755, 0, 0))
    machine.agent("claude")
    for scope in scopes:
        assert machine.says("install", "claude", "--scope", scope, "--command", COMMAND).exit_code == 0
    (mend,) = (one["mend"] for one in machine.doctor("claude")[1]["agents"][0]["findings"] if one["state"] == "twice")
    assert [part for part in TWICE[scopes] if part not in mend] == []
    assert not re.search("--scope (project|managed)", mend)
    assert ("the managed" in machine.says("doctor", "claude").output) is False


# What the machine's settings say, and what a folder that nobody has trusted comes to.


@pytest.fixture
def machines(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the machine's settings stand."""
    here = Here(os.environ, str(machine.project), root=str(machine.home / "root"))
    monkeypatch.setattr(importlib.import_module("rulez_py.cli.install"), "this_machine", lambda: here)
    return Path(here.root)


MACHINES = {
    "claude: only the machine's": ("etc/claude-code/managed-settings.json", '{"allowManagedHooksOnly": true}'),
    "claude: none": ("etc/claude-code/managed-settings.json", '{"disableAllHooks": true}'),
    "gemini: none": ("etc/gemini-cli/settings.json", '{"hooksConfig": {"enabled": false}}'),
    "qwen: none": ("etc/qwen-code/settings.json", '{"disableAllHooks": true}'),
    "droid: only the machine's": ("etc/factory/settings.json", '{"allowManagedHooksOnly": true}'),
    "droid: none": ("etc/factory/settings.json", '{"hooks": {"hooksDisabled": true}}'),
    "codex: only the machine's": ("etc/codex/requirements.toml", "allow_managed_hooks_only = true\n"),
}


@pytest.mark.skipif(sys.platform != "linux", reason="the places are those of Linux")
@pytest.mark.parametrize("name", MACHINES)
def test_what_the_machines_settings_keep_from_being_called_is_named(
    machine: Machine, machines: Path, name: str
) -> None:
    platform, _, what = name.partition(": ")
    installed(machine, platform)
    assert machine.doctor()[0] == 0
    path, text = MACHINES[name]
    (machines / path).parent.mkdir(parents=True)
    (machines / path).write_text(text)
    code, found = machine.doctor()
    (said,) = whats(found, BROKEN)
    assert (code, str(machines / path) in said) == (1, True)
    assert ("not among them" in said) == (what != "none")


def in_the_project(machine: Machine, platform: str) -> None:
    machine.agent(platform)
    assert machine.says("install", platform, "--scope", "project", "--command", COMMAND).exit_code == 0


TRUSTING = {
    "gemini": [
        (".gemini/trustedFolders.json", '{{"{project}": "TRUST_FOLDER"}}'),
        (".gemini/trustedFolders.json", '{{"{project}/..": "TRUST_FOLDER", "/elsewhere": "DO_NOT_TRUST"}}'),
        (".gemini/trustedFolders.json", '{{"{project}": "TRUST_PARENT"}}'),
        (".gemini/settings.json", '{{"security": {{"folderTrust": {{"enabled": false}}}}}}'),
    ],
    "codex": [(".codex/config.toml", '[projects."{project}"]\ntrust_level = "trusted"\n')],
}


@pytest.mark.parametrize("platform", TRUSTING)
@pytest.mark.parametrize("number", range(4))
def test_hooks_of_a_project_wait_for_its_trust(machine: Machine, platform: str, number: int) -> None:
    in_the_project(machine, platform)
    waits = "calls none there until you trust the folder"
    code, found = machine.doctor(platform)
    assert (code, any(waits in one for one in whats(found, BROKEN))) == (1, True)
    if number < len(TRUSTING[platform]):
        path, text = TRUSTING[platform][number]
        (machine.home / path).parent.mkdir(exist_ok=True)
        (machine.home / path).write_text(text.format(project=machine.project))
        assert not any(waits in one for one in whats(machine.doctor(platform)[1]))


def test_a_folder_that_is_not_trusted_is_told_from_one_above_it_that_is(machine: Machine) -> None:
    in_the_project(machine, "gemini")
    path = machine.home / ".gemini" / "trustedFolders.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({str(machine.project.parent): "TRUST_FOLDER", str(machine.project): "DO_NOT_TRUST"}))
    assert machine.doctor("gemini")[0] == 1


def test_where_nobody_knows_what_is_trusted_that_is_told(machine: Machine) -> None:
    in_the_project(machine, "copilot")
    code, found = machine.doctor("copilot")
    assert (code, any("only where you have trusted the folder" in one for one in whats(found))) == (1, True)


@pytest.mark.parametrize(("platform", "variable"), [("opencode", "OPENCODE_PURE"), ("claude", "CLAUDE_CODE_SIMPLE")])
def test_a_variable_that_leaves_hooks_out_is_named(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, platform: str, variable: str
) -> None:
    installed(machine, platform)
    monkeypatch.setenv(variable, "1")
    code, found = machine.doctor()
    assert (code, any(f"{variable} is set" in one for one in whats(found, BROKEN))) == (1, True)


def test_a_switch_beside_the_hooks_is_named(machine: Machine) -> None:
    installed(machine, "copilot")
    path = machine.file("copilot")
    path.write_text(path.read_text().replace('"version": 1', '"version": 1, "disableAllHooks": true'))
    code, found = machine.doctor()
    assert (code, whats(found, BROKEN)) == (
        1,
        ["~/.copilot/hooks/rulez.json: by `disableAllHooks` Copilot calls no hook of this file"],
    )


def test_a_machine_without_agents_has_no_protection(machine: Machine) -> None:
    code, found = machine.doctor()
    assert (code, whats(found, BROKEN)) == (1, ["no coding agent was found on this machine"])


def test_a_cache_that_cannot_be_written_is_told(machine: Machine) -> None:
    installed(machine, "claude")
    cache = Path(os.environ["XDG_CACHE_HOME"]) / "rulez"
    cache.mkdir(parents=True, exist_ok=True)
    cache.chmod(0o777)
    _, found = machine.doctor()
    assert any("cannot be kept" in one for one in whats(found))


def test_a_file_has_the_rules_of_the_sets_that_it_extends(machine: Machine) -> None:
    machine.put(".rulez/rules.yaml", 'version: "1.0"\nextends: [builtin:essentials]\nrules: []\n')
    _code, found = machine.doctor()
    counts = {one["path"]: one["rules"] for one in found["policy"]}
    assert counts[".rulez/rules.yaml"] == found["essentials"]["rules"] > 20


SWITCHED_OFF = 'version: "1.0"\nsettings: {essentials: false}\n'
SAYS_NOTHING = 'version: "1.0"\nrules: []\n'


def test_whether_the_essentials_hold_is_said_and_by_whose_word_not(machine: Machine) -> None:
    installed(machine, "claude")
    rules = len(read_floor("/").rules)
    assert f"builtin:essentials (built-in): {rules} rules" in machine.says("status").output
    machine.own("rules.yaml", SWITCHED_OFF)
    _code, found = machine.doctor()
    off_by = "~/.config/rulez/rules.yaml:2"
    assert (found["essentials"]["holds"], found["essentials"]["off_by"]) == (False, off_by)
    said = " ".join(machine.says("status").output.split())
    assert f"builtin:essentials is switched off by {off_by}" in said


def test_agents_in_which_no_result_is_redacted_are_named(machine: Machine) -> None:
    installed(machine, "claude")
    machine.own("rules.yaml", 'version: "1.0"\nextends: [builtin:secrets-in-results]\n')
    assert not any("redacted" in one for one in whats(machine.doctor()[1]))
    installed(machine, "grok")
    (said,) = (one for one in whats(machine.doctor()[1]) if "redacted" in one)
    assert said == "results are redacted (no-secrets-in-results), and no hook of Grok Build changes a result"


@pytest.mark.parametrize(
    ("own", "what"),
    [
        ("settings: {mode: audit}\nextends: [builtin:terraform]\n", "~/.config/rulez/rules.yaml"),
        ('overrides: {"*": {mode: audit}}\n', "builtin:essentials"),
    ],
)
def test_a_file_whose_rules_only_log_is_named(machine: Machine, own: str, what: str) -> None:
    installed(machine, "claude")
    machine.own("rules.yaml", f'version: "1.0"\n{own}')
    (said,) = (one for one in whats(machine.doctor()[1]) if "is enforced" in one)
    assert said.startswith(f"nothing of {what} is enforced: its ")
    assert said.endswith(" rules only log (~/.config/rulez/rules.yaml:2)")
    assert f"nothing of {what} is enforced" in " ".join(machine.says("status").output.split())


def test_a_file_from_the_time_when_it_took_their_place_is_named(machine: Machine) -> None:
    machine.own("rules.yaml", SAYS_NOTHING)
    assert any(
        "builtin:essentials holds beside ~/.config/rulez/rules.yaml" in one for one in whats(machine.doctor()[1])
    )
    machine.own("rules.yaml", SAYS_NOTHING + "extends: [builtin:essentials]\n")
    assert not any("builtin:essentials holds" in one for one in whats(machine.doctor()[1]))


def test_what_may_pass_once_is_shown(machine: Machine) -> None:
    installed(machine, "claude")
    machine.says("allow", "--once", "make deploy")
    code, found = machine.doctor()
    assert code == 0
    assert "`make deploy` may pass once" in found["granted"][0]
    assert "make deploy" in machine.says("status").output


def test_the_page_fits_a_terminal_and_says_how_to_mend(machine: Machine) -> None:
    machine.agent("claude")
    said = machine.says("doctor")
    assert said.exit_code == 1
    assert "help: rulez install claude" in said.output
    assert "Protection does not hold" in said.output
    assert max(map(len, said.output.splitlines())) < 80


def test_the_versions_are_those_that_were_proved() -> None:
    proved = json.loads((ROOT / "tests" / "e2e" / "versions.json").read_text())
    assert {platform: part(platform, "settings").PROVED for platform in PROVEN} == proved

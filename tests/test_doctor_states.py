"""Each row of the table of states, played for each of its agents: doctor names it, and is green beside a note alone.

tests/e2e/test_states.py plays those of them on the real agents that need no other machine.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dev import states_page
from rulez_py.doctor import agents, reviews, states
from rulez_py.doctor.findings import NOTE
from rulez_py.doctor.states import PLAYED, STATES
from rulez_py.install import owners
from rulez_py.install.entries import by_event
from rulez_py.install.owners import Rights
from rulez_py.install.places import Machine as Here
from rulez_py.platforms import PLATFORMS, adapter, part
from tests.e2e import test_states as played
from tests.e2e.agents import agent as real
from tests.machines import COMMAND, Machine, accepted, installed, reviewed
from tests.platforms import PROVEN

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the agents here are shell scripts")


class Stage:
    """A machine on which rulez holds in one agent, until a play breaks that."""

    def __init__(self, machine: Machine, platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.machine, self.platform, self.monkeypatch = machine, platform, monkeypatch
        self.root = machine.home / "root"

    def says(self, *words: str) -> None:
        assert self.machine.says(*words).exit_code == 0

    def home(self, path: str, text: str) -> None:
        file = self.machine.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def edit(self, old: str, new: str, *, count: int = -1) -> None:
        file = self.machine.file(self.platform)
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, count))

    def in_the_project(self) -> None:
        self.says("uninstall", self.platform)
        self.says("install", self.platform, "--scope", "project", "--command", COMMAND)

    def of_the_machine(self, path: str, text: str) -> None:
        here = Here(os.environ, str(self.machine.project), system="linux", root=str(self.root))
        self.monkeypatch.setattr(importlib.import_module("rulez_py.cli.install"), "this_machine", lambda: here)
        self.home(f"root/{path}", text)

    def another_program(self, text: str) -> None:
        program = self.machine.bin / "another"
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)
        self.says("install", self.platform, "--command", str(program))
        if self.platform == "codex":
            reviewed(self.machine)
        if self.platform == "hermes":
            accepted(self.machine)


def nothing(stage: Stage) -> None:
    stage.says("uninstall", stage.platform)


def the_one_before(stage: Stage) -> None:
    file = stage.machine.file(stage.platform)
    if file.suffix == ".yaml":
        file.write_text(re.sub(r'command: ".*"', f"command: rulez {stage.platform} hook", file.read_text()))
        return
    file.write_text(
        re.sub(r'"command": "[^"\n]*(\\"[^"\n]*)*"', f'"command": "rulez {stage.platform} hook"', file.read_text())
    )


def unreadable(stage: Stage) -> None:
    stage.machine.file(stage.platform).write_bytes(b'{"hooks": {\xff')


def commas(stage: Stage) -> None:
    stage.edit("\n}", ",\n}", count=-1)


ALTERED = {
    "cursor": '"failClosed": false',
    "claude": '"async": true',
    "gemini": '"timeout": 5',
    "copilot": '"matcher": ""',
    "codex": '"matcher": "^no$"',
    "grok": '"timeout": 5',
    "devin": '"timeout": 5',
    "droid": '"timeout": 5',
    "qwen": '"async": true',
    "openhands": '"async": true',
    "kiro": '"enabled": false',
    "windsurf": '"working_directory": "/"',
    "auggie": '"timeout": 5',
}
ALTERED_LINES = {
    "hermes": ("timeout: 120", "timeout: 5"),
    "kimi": ("timeout = 120", "timeout = 5"),
    "vibe": ("strict = true", "strict = false"),
}


def altered(stage: Stage) -> None:
    file = stage.machine.file(stage.platform)
    if part(stage.platform, "settings").HOOKS.scripts:
        file.with_name("PostToolUse").unlink()
        return
    if file.suffix in (".toml", ".yaml"):
        stage.edit(*ALTERED_LINES[stage.platform])
        return
    settings = json.loads(file.read_text())
    hooks = by_event(settings["hooks"])
    event = next(name for name in ("BeforeTool", "PreToolUse", "preToolUse", "pre_run_command") if name in hooks)
    (group, *_) = hooks[event]
    # A matcher belongs to the group; where the file is flat, a group is its own entry.
    entry = group if stage.platform == "codex" or "hooks" not in group else group["hooks"][0]
    entry.update(json.loads(f"{{{ALTERED[stage.platform]}}}"))
    file.write_text(json.dumps(settings, indent=2))


def another_can_write(stage: Stage) -> None:
    stage.of_the_machine("etc/none", "")
    stage.monkeypatch.setattr(owners, "look", lambda _path: Rights(0o755, 0, 0))
    stage.says("install", stage.platform, "--scope", "managed", "--command", COMMAND)
    stage.monkeypatch.setattr(owners, "look", lambda _path: Rights(0o757, 0, 0))


def wrong_answer(stage: Stage) -> None:
    stage.another_program(f"exit {2 if stage.platform == 'claude' else 0}")


OFF = {
    "claude": (".claude/settings.json", '{"disableAllHooks": true}'),
    "gemini": (".gemini/settings.json", '{"hooksConfig": {"enabled": false}}'),
    "copilot": (".github/copilot/settings.json", '{"disableAllHooks": true}'),
    "codex": (".codex/config.toml", "[features]\nhooks = false\n"),
    "pi": (".pi/settings.json", '{"extensions": ["~/.pi/agent/extensions/rulez.js", "!**/rulez.js"]}'),
    "qwen": (".qwen/settings.json", '{"disableAllHooks": true}'),
    "cline": (".env", "CLINE_DIR=/nowhere\n"),
    "openhands": (".openhands/hooks.json", "{}"),
    "droid": (".factory/settings.json", '{"hooks": {"hooksDisabled": true}}'),
    "vibe": (".vibe/hooks.toml", '[[hooks]]\nname = "rulez"\ntype = "post_agent"\ncommand = "true"\n'),
}
AROUND = {
    "claude": (".claude/settings.json", '{"env": {"LD_PRELOAD": "x"}}'),
    "gemini": (".env", "LD_PRELOAD=x\n"),
    "cline": (".env", "LD_PRELOAD=x\n"),
    "qwen": (".env", "LD_PRELOAD=x\n"),
    "openhands": (".env", "LD_PRELOAD=x\n"),
}


def switched_off(stage: Stage) -> None:
    stage.machine.put(*OFF[stage.platform])


def surroundings(stage: Stage) -> None:
    stage.machine.put(*AROUND[stage.platform])


def variable(stage: Stage, name: str) -> None:
    stage.monkeypatch.setenv(name, "1")


def without_hooks(stage: Stage) -> None:
    variable(stage, part(stage.platform, "settings").STARTS.without_hooks[0])


def without_the_projects(stage: Stage) -> None:
    stage.in_the_project()
    variable(stage, part(stage.platform, "settings").STARTS.without_project[0])


def otherwise(stage: Stage) -> None:
    known = part(stage.platform, "settings")
    others = (*known.STARTS.without_hooks, *known.VARIABLES)
    variable(stage, next(name for name in known.STARTS.variables if name not in others))


NONE = {
    "claude": ("etc/claude-code/managed-settings.json", '{"disableAllHooks": true}'),
    "gemini": ("etc/gemini-cli/settings.json", '{"hooksConfig": {"enabled": false}}'),
    "qwen": ("etc/qwen-code/settings.json", '{"disableAllHooks": true}'),
    "droid": ("etc/factory/settings.json", '{"hooks": {"hooksDisabled": true}}'),
}
OTHERS = {
    "claude": ("etc/claude-code/managed-settings.json", '{"allowManagedHooksOnly": true}'),
    "codex": ("etc/codex/requirements.toml", "allow_managed_hooks_only = true\n"),
    "grok": ("etc/grok/requirements.toml", 'allowManagedHooksOnly = "yes"\n'),
    "droid": ("etc/factory/settings.json", '{"allowManagedHooksOnly": true}'),
    "hermes": ("etc/hermes/config.yaml", "hooks:\n  pre_tool_call: []\n"),
}


def machine_has_none(stage: Stage) -> None:
    stage.of_the_machine(*NONE[stage.platform])


def machine_has_others(stage: Stage) -> None:
    stage.of_the_machine(*OTHERS[stage.platform])


def skips_the_file(stage: Stage) -> None:
    stage.edit('"version": 1', '"version": 1, "disableAllHooks": true')


def refuses_the_list(stage: Stage) -> None:
    file = stage.machine.file(stage.platform)
    file.write_text(file.read_text() + '\n[[hooks]]\nevent = "Stop"\ncommand = "true"\nname = "x"\n')


def overruled(stage: Stage) -> None:
    stage.home(".factory/hooks.json", json.dumps({"PreToolUse": [{"hooks": [{"type": "command", "command": "true"}]}]}))


def project_alone(stage: Stage) -> None:
    stage.in_the_project()


def not_reviewed(stage: Stage) -> None:
    (stage.machine.home / ".codex" / "config.toml").unlink()


def not_accepted(stage: Stage) -> None:
    stage.edit("timeout -k 1 27", "timeout -k 1 26")


def changed(stage: Stage) -> None:
    stage.says("install", "codex", "--command", f"{COMMAND} ")
    stage.edit('"timeout": 120', '"timeout": 121')


def disabled(stage: Stage) -> None:
    if stage.platform == "grok":
        stage.home(".grok/disabled-hooks", "other\n global/rulez:pre_tool_use[0].hooks[0] \n")
        return
    config = stage.machine.home / ".codex" / "config.toml"
    config.write_text(config.read_text().replace("trusted_hash", "enabled = false\ntrusted_hash"))


def not_listed(stage: Stage) -> None:
    stage.edit('"hooks": {', '"version": 1,\n  "hooks": {', count=1)


def silent_server(stage: Stage) -> None:
    program = stage.machine.bin / "codex"
    program.write_text(f"#!/bin/sh\necho {part('codex', 'settings').PROVED}\n")


def events_missing(stage: Stage) -> None:
    file = stage.machine.file(stage.platform)
    if part(stage.platform, "settings").HOOKS.scripts:
        file.with_name("PostToolUse").unlink()
        return
    if file.suffix == ".yaml":
        stage.edit("on_session_start:", "on_session_reset:")
        return
    settings = json.loads(file.read_text())
    hooks = by_event(settings["hooks"])
    event = next(name for name in ("SessionStart", "sessionStart", "pre_user_prompt") if name in hooks)
    (one,) = hooks[event]
    settings["hooks"].remove(one) if isinstance(settings["hooks"], list) else settings["hooks"].pop(event)
    file.write_text(json.dumps(settings, indent=2))


def twice(stage: Stage) -> None:
    stage.says("install", stage.platform, "--scope", "project", "--command", COMMAND)


def beside_another(stage: Stage, scope: str = "project") -> None:
    other = part(stage.platform, "settings").HOOKS.also_calls.platform
    stage.says("install", other, "--scope", scope, "--command", COMMAND)
    if stage.platform == "grok":
        stage.home(".grok/trusted_folders.toml", f'[folders."{stage.machine.project}"]\ntrusted = true\n')


def another_alone(stage: Stage) -> None:
    nothing(stage)
    beside_another(stage)


def relaxed(stage: Stage) -> None:
    stage.home(".config/rulez/rules.yaml", 'version: "1.0"\nsettings: {self_protection: false}\nrules: []\n')


def slow(stage: Stage) -> None:
    stage.monkeypatch.setattr(agents, "_SLOW_MS", -1)


def newer(stage: Stage) -> None:
    stage.machine.agent(stage.platform, "99.0.0")


def older(stage: Stage) -> None:
    stage.machine.agent(stage.platform, "0.0.1")


PLAYS: dict[str, Callable[[Stage], None]] = {
    "no-hook": nothing,
    "only-anothers": another_alone,
    "rulez-before": the_one_before,
    "unreadable": unreadable,
    "not-its-json": commas,
    "altered": altered,
    "program-changeable": another_can_write,
    "wrong-answer": wrong_answer,
    "switched-off": switched_off,
    "surroundings": surroundings,
    "starts-without-hooks": without_hooks,
    "starts-without-the-projects": without_the_projects,
    "starts-otherwise": otherwise,
    "machine-has-none": machine_has_none,
    "machine-has-others": machine_has_others,
    "skips-the-file": skips_the_file,
    "refuses-the-list": refuses_the_list,
    "overruled": overruled,
    "folder-not-trusted": project_alone,
    "folder-trust-unknown": project_alone,
    "not-accepted": not_accepted,
    "not-reviewed": not_reviewed,
    "changed-since-review": changed,
    "disabled-there": disabled,
    "not-listed": not_listed,
    "review-unknown": silent_server,
    "events-missing": events_missing,
    "twice": twice,
    "twice-by-another": beside_another,
    "deny-not-tried": relaxed,
    "slow": slow,
    "unproven": lambda _stage: None,
    "newer": newer,
    "older": older,
}
ROWS = [
    pytest.param(state, platform, id=f"{platform}: {state.name}") for state in STATES for platform in state.platforms
]


@pytest.fixture
def machine(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(home, tmp_path, monkeypatch)


@pytest.mark.parametrize(("state", "platform"), ROWS)
def test_each_state_is_named_and_green_beside_a_note_alone(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, state: states.State, platform: str
) -> None:
    installed(machine, platform)
    PLAYS[state.name](Stage(machine, platform, monkeypatch))
    code, found = machine.doctor(platform)
    (agent,) = found["agents"]
    said = {one["state"]: one["level"] for one in agent["findings"]}
    assert said.get(state.name) == state.level, agent["findings"]
    assert code == int(state.level != NOTE), agent["findings"]
    assert agent["holds"] == (state.level == NOTE)


def test_what_cannot_be_told_is_not_called_protection(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(machine, "codex")
    silent_server(Stage(machine, "codex", monkeypatch))
    assert "CANNOT TELL" in machine.says("status").output
    said = machine.says("doctor")
    assert (said.exit_code, "Protection holds" in said.output, "It is unknown" in said.output) == (1, False, True)
    assert "  ? " in said.output


def test_a_server_that_says_nothing_is_not_waited_for(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(machine, "codex")
    program = machine.bin / "codex"
    program.write_text('#!/bin/sh\ncase "$1" in app-server) exec sleep 600;; esac\necho 0.169.0\n')
    monkeypatch.setattr(reviews, "LIMIT", 0.2)
    code, found = machine.doctor("codex")
    assert (code, [one["state"] for one in found["agents"][0]["findings"]]) == (1, ["review-unknown"])


@pytest.mark.parametrize("answer", ["[]", '{"id": 2, "error": {}}', '{"id": 2, "result": {"data": [{}]}}', "\\0"])
def test_an_answer_of_another_form_is_none(machine: Machine, answer: str) -> None:
    installed(machine, "codex")
    (machine.bin / "codex").write_text(f"#!/bin/sh\nprintf '%b\\n' {shlex.quote(answer)}\n")
    here = Here(os.environ, str(machine.project))
    assert reviews.listed("codex", str(machine.bin / "codex"), here) is None


def test_of_two_copies_one_that_is_called_is_enough(machine: Machine) -> None:
    installed(machine, "codex")
    with open(machine.home / ".codex" / "config.toml", "a", encoding="utf-8") as config:
        config.write(f'[projects."{machine.project}"]\ntrust_level = "trusted"\n')
    machine.says("install", "codex", "--scope", "project", "--command", COMMAND)
    code, found = machine.doctor("codex")
    assert (code, [one["state"] for one in found["agents"][0]["findings"]]) == (0, ["twice"])


def test_a_hook_in_the_agents_own_settings_is_looked_up_too(machine: Machine) -> None:
    machine.agent("codex")
    entry = {"type": "command", "command": f"{COMMAND} hook --platform codex", "timeout": 120}
    config = machine.home / ".codex" / "config.toml"
    config.parent.mkdir()
    lines = "\n".join(f"{key} = {json.dumps(value)}" for key, value in entry.items())
    config.write_text(f"[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\n{lines}\n")
    assert "not-reviewed" in [one["state"] for one in machine.doctor("codex")[1]["agents"][0]["findings"]]
    reviewed(machine, config)
    assert machine.doctor("codex")[0] == 0


@pytest.mark.parametrize(
    ("file", "text", "states"),
    [
        (".env", "A=1\nexport HERMES_SAFE_MODE=1\n", ["starts-without-hooks"]),
        (".env", "A=1\n", []),
        ("active_profile", "work\n", ["no-hook"]),
        ("active_profile", "default\n", []),
        ("shell-hooks-allowlist.json", '{"approvals": 1}', ["not-accepted"]),
        ("shell-hooks-allowlist.json", "{", ["not-accepted"]),
    ],
)
def test_hermes_own_files_can_take_its_hooks_away(machine: Machine, file: str, text: str, states: list[str]) -> None:
    installed(machine, "hermes")
    (machine.home / ".hermes" / file).write_text(text)
    code, found = machine.doctor("hermes")
    assert ([one["state"] for one in found["agents"][0]["findings"]], code) == (states, int(bool(states)))


def test_the_profile_of_hermes_that_is_in_use_gets_the_hooks(machine: Machine) -> None:
    installed(machine, "hermes")
    (machine.home / ".hermes" / "active_profile").write_text("work\n")
    assert machine.says("install", "hermes", "--command", COMMAND).exit_code == 0
    assert (machine.home / ".hermes/profiles/work/config.yaml").read_text() == machine.file("hermes").read_text()
    assert [one["state"] for one in machine.doctor("hermes")[1]["agents"][0]["findings"]] == ["not-accepted"]


@pytest.mark.parametrize(
    ("variable", "setting"), [("HERMES_ACCEPT_HOOKS", ""), ("", "hooks_auto_accept: true\n"), ("", "")]
)
def test_all_hooks_of_hermes_may_be_accepted(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, variable: str, setting: str
) -> None:
    installed(machine, "hermes")
    (machine.home / ".hermes" / "shell-hooks-allowlist.json").unlink()
    if variable:
        monkeypatch.setenv(variable, "1")
    file = machine.file("hermes")
    file.write_text(setting + file.read_text())
    assert machine.doctor("hermes")[0] == int(not variable and not setting)


@pytest.mark.parametrize("platform", ["copilot", "cursor", "devin", "grok"])
@pytest.mark.parametrize("scope", ["user", "project"])
def test_beside_another_s_hook_doctor_says_where_and_what_to_do(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, platform: str, scope: str
) -> None:
    installed(machine, platform)
    stage = Stage(machine, platform, monkeypatch)
    beside_another(stage, scope)
    code, found = machine.doctor(platform)
    told = [one for one in found["agents"][0]["findings"] if one["state"] == "twice-by-another"]
    assert code == 0
    if (platform, scope) == ("copilot", "user"):
        assert told == []
        return
    (one,) = told
    theirs = "~/.claude/settings.json:" if scope == "user" else ".claude/settings.json:"
    assert one["what"].partition("judged twice: ")[2].split(" and ")[1].startswith(theirs), one
    assert ("rulez uninstall claude" in one["mend"]) == (scope == "user")


def test_an_unproven_agent_that_calls_another_s_hook_is_not_said_to_have_none(machine: Machine) -> None:
    installed(machine, "claude")
    machine.agent("devin")
    code, found = machine.doctor()
    (note,) = (one for one in found["findings"] if "Devin CLI is here" in one["what"])
    assert (code, note["level"], note["mend"]) == (0, NOTE, "rulez install devin --unproven")
    assert "only that of Claude Code judges its calls (~/.claude/settings.json:" in note["what"]
    assert "nothing judges" not in note["what"]


def alone(stage: Stage) -> None:
    """The hook for any agent in Claude Code's file, which Copilot CLI reads as its own, and no other."""
    another_alone(stage)
    file = stage.machine.project / ".claude" / "settings.json"
    file.write_text(file.read_text().replace("hook --platform claude", "hook --platform auto"))


def one_before(stage: Stage) -> None:
    beside_another(stage, "user")
    file = stage.machine.file("claude")
    file.write_text(re.sub(r'"command": ".*"', '"command": "rulez claude hook"', file.read_text()))


def without_the_other(stage: Stage) -> None:
    (stage.machine.project / ".claude").rename(stage.machine.project / "claude")


CALLED_ONCE: dict[str, tuple[str, Callable[[Stage], None]]] = {
    "a variable": ("grok", lambda stage: stage.monkeypatch.setenv("GROK_CLAUDE_HOOKS_ENABLED", "0")),
    "its settings": ("grok", lambda stage: stage.home(".grok/config.toml", "[compat.claude]\nhooks = false\n")),
    "a folder that is not trusted": ("grok", lambda stage: stage.home(".grok/trusted_folders.toml", "")),
    "the other's hooks are elsewhere": ("cursor", without_the_other),
}


@pytest.mark.parametrize("name", CALLED_ONCE)
def test_a_call_that_is_judged_once_is_not_said_to_be_judged_twice(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    platform, play = CALLED_ONCE[name]
    installed(machine, platform)
    stage = Stage(machine, platform, monkeypatch)
    beside_another(stage)
    states = {one["state"] for one in machine.doctor(platform)[1]["agents"][0]["findings"]}
    assert "twice-by-another" in states
    play(stage)
    states = {one["state"] for one in machine.doctor(platform)[1]["agents"][0]["findings"]}
    assert "twice-by-another" not in states


@pytest.mark.parametrize(("platform", "play"), [("copilot", alone), ("cursor", one_before)])
def test_one_hook_of_rulez_is_no_second_one(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, platform: str, play: Callable[[Stage], None]
) -> None:
    installed(machine, platform)
    play(Stage(machine, platform, monkeypatch))
    (agent,) = machine.doctor(platform)[1]["agents"]
    assert agent["places"] != []
    assert "twice-by-another" not in {one["state"] for one in agent["findings"]}


# Versions.


def package(machine: Machine, platform: str, content: str) -> Path:
    """A program as npm lays it: a link to a file in the folder of its package. It tells no version itself."""
    folder = machine.home / "lib" / platform
    (folder / "bin").mkdir(parents=True)
    (folder / "package.json").write_text(content)
    (folder / "bin" / "start").write_text("#!/bin/sh\necho 9.9.9\n")
    (folder / "bin" / "start").chmod(0o755)
    link = machine.bin / adapter(platform).PROGRAMS[0]
    link.unlink(missing_ok=True)
    link.symlink_to(folder / "bin" / "start")
    return link


@pytest.mark.parametrize("platform", [name for name in PLATFORMS if part(name, "settings").PACKAGE])
@pytest.mark.parametrize(
    ("content", "version"),
    [
        ('{{"name": "{name}", "version": "1.2.3"}}', "1.2.3"),
        ('{{"name": "{name}", "version": "1.2.3-linux-x64"}}', "1.2.3"),
        ('{{"name": "another", "version": "1.2.3"}}', "9.9.9"),
        ("[]", "9.9.9"),
        ("{{", "9.9.9"),
    ],
)
def test_the_version_stands_beside_the_program(machine: Machine, platform: str, content: str, version: str) -> None:
    link = package(machine, platform, content.format(name=part(platform, "settings").PACKAGE))
    assert agents.version(platform, str(link), Here(os.environ, str(machine.project))) == version


def test_the_packages_are_those_that_are_tried() -> None:
    for platform in PROVEN:
        assert part(platform, "settings").PACKAGE in ("", real(platform).PACKAGE)


def test_all_agents_are_asked_at_once(machine: Machine) -> None:
    """Each waits until all others have begun: one after the other, they would wait for ever."""
    for platform in PLATFORMS:
        machine.agent(platform)
        program = machine.bin / adapter(platform).PROGRAMS[0]
        others = " ".join(f"[ -e {machine.home}/begun-{name} ] &&" for name in PLATFORMS)
        wait = f"touch {machine.home}/begun-{platform}; until {others} :; do sleep 0.02; done"
        program.write_text(f"#!/bin/sh\n{wait}\necho 1.2.3\n")
    told = agents.ask(PLATFORMS, Here(os.environ, str(machine.project)), trying=True)
    assert [told[platform].version for platform in PLATFORMS] == ["1.2.3"] * len(PLATFORMS)


# The table itself.


def test_the_page_is_what_the_table_says() -> None:
    page = states_page.PAGE.read_text(encoding="utf-8")
    assert states_page.with_table(page) == page, "run `make states-page`"


def test_each_state_says_where_it_was_seen_unless_it_is_a_note() -> None:
    assert [state.name for state in STATES if state.level != NOTE and not state.seen] == []
    assert len({state.name for state in STATES}) == len(STATES) == len(PLAYS)


def test_what_is_said_to_be_played_on_the_agents_is() -> None:
    rows = [state for state in STATES if state.seen == PLAYED]
    said = {(state.name, platform) for state in rows for platform in state.platforms if platform in PROVEN}
    assert {(name, platform) for name, plays in played.PLAYS.items() for platform in plays} == said


CAN: dict[str, Callable[[Any], object]] = {
    "unproven": lambda known: not known.PROVED,
    "newer": lambda known: known.PROVED,
    "older": lambda known: known.PROVED,
    "not-its-json": lambda known: known.HOOKS.loses,
    "starts-without-hooks": lambda known: known.STARTS.without_hooks,
    "starts-without-the-projects": lambda known: known.STARTS.without_project,
    "starts-otherwise": lambda known: set(known.STARTS.variables) - {*known.STARTS.without_hooks, *known.VARIABLES},
    "switched-off": lambda known: [
        file for file in known.SETTINGS if file.off or file.off_variables or file.replaces or file.takes
    ],
    "machine-has-none": lambda known: known.HOOKS.none_at_all,
    "machine-has-others": lambda known: known.HOOKS.only_managed,
    "skips-the-file": lambda known: known.HOOKS.skipped_by,
    "refuses-the-list": lambda known: known.HOOKS.strict,
    "overruled": lambda known: known.HOOKS.overruled_by,
    "folder-not-trusted": lambda known: known.HOOKS.trusts and known.HOOKS.trusts.file,
    "folder-trust-unknown": lambda known: known.HOOKS.trusts and not known.HOOKS.trusts.file,
    "not-accepted": lambda known: known.HOOKS.approvals,
    "not-reviewed": lambda known: known.HOOKS.reviews,
    "changed-since-review": lambda known: known.HOOKS.reviews,
    "disabled-there": lambda known: known.HOOKS.reviews or known.HOOKS.switches,
    "not-listed": lambda known: known.HOOKS.reviews,
    "review-unknown": lambda known: known.HOOKS.reviews,
    "program-changeable": lambda known: known.HOOKS.managed,
    "altered": lambda known: not known.HOOKS.begins or known.HOOKS.ends,
    "twice": lambda known: known.HOOKS.project and not any(file.replaces for file in known.SETTINGS),
    "only-anothers": lambda known: known.HOOKS.also_calls,
    "twice-by-another": lambda known: known.HOOKS.also_calls,
    "events-missing": lambda known: not known.HOOKS.begins or known.HOOKS.scripts,
}
"""What of a platform's settings.py has its agent come into a state."""


@pytest.mark.parametrize("state", [state for state in STATES if state.name in CAN], ids=lambda state: state.name)
def test_a_row_has_the_agents_of_which_it_is_known(state: states.State) -> None:
    can = [platform for platform in PLATFORMS if CAN[state.name](part(platform, "settings"))]
    assert sorted(state.platforms) == sorted(can)


def test_a_project_s_file_that_calls_rulez_may_stand_in_place_of_the_person_s(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(machine, "openhands")
    Stage(machine, "openhands", monkeypatch).says("install", "openhands", "--scope", "project", "--command", COMMAND)
    code, found = machine.doctor("openhands")
    assert (code, found["agents"][0]["findings"]) == (0, [])

"""Nothing that comes with a repository loosens anything: what is denied or asked without it, is with it as well.

Each set-up is what the person has; each addition is what a repository may bring: files, an environment by its `.env`,
or a `.git` where the agent works. A policy says the same on all agents, so each pair of the table is tried on two.
"""

from __future__ import annotations

import itertools
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

import rulez_py.system.places
from rulez_py.hook.call import finish, log, respond
from rulez_py.hook.values import HookCall, Options, Outcome
from rulez_py.policy.store.load import read_file
from rulez_py.system.places import Places
from rulez_py.trust import trust
from rulez_py.verdict import STRICTNESS
from tests.platforms import PLATFORMS, denies, in_turn, is_neutral, said

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX paths")


def policy(*rules: str, head: str = "") -> str:
    return f'version: "1.0"\n{head}\nrules: [{", ".join(rules)}]\n'


def rule(name: str, action: str, matchers: str = "command_match: deploy") -> str:
    return f"{{name: {name}, matchers: {{operations: [PreToolUse], {matchers}}}, actions: {{{action}}}}}"


OWN = policy(rule("mine", "block: true"), head="extends: [builtin:essentials]")
ASKS = policy(rule("mine", "ask: true"))
LOOSE = policy(
    rule("theirs", "allow: true, rewrite: {command: ls}", "tools: [Bash]"),
    head="settings: {on_error: allow, self_protection: false}\nextends: [builtin:essentials]\ndisable: [no-force-push]",
)
EMPTY = policy()
WITHOUT = EMPTY + "disable: [no-force-push]\n"
BROKEN = "rules: 7\n"

SETUPS: dict[str, dict[str, str]] = {
    "nothing": {},
    "a policy of the user's": {"home/.config/rulez/rules.yaml": OWN},
    "one that asks": {"home/.config/rulez/rules.yaml": ASKS},
    "a managed policy": {"etc/rules.yaml": OWN},
    "a trusted policy above": {"work/.rulez/rules.yaml": OWN},
    "a trusted policy of the project": {"work/app/.rulez/rules.yaml": OWN},
}

# Below `work/app`, where the agent works; a name that ends with a slash is a directory. `$X` are variables.
ADDITIONS: dict[str, dict[str, str]] = {
    "a policy without rules": {".rulez/rules.yaml": EMPTY},
    "RuleZ's policy without rules": {".claude/hooks.yaml": EMPTY},
    "a policy that loosens": {".rulez/rules.yaml": LOOSE},
    "a broken policy": {".rulez/rules.yaml": BROKEN},
    "a policy nearer to the agent": {"src/.rulez/rules.yaml": LOOSE},
    "a repository where the agent works": {"src/.git/": ""},
    "a worktree where the agent works": {"src/.git": "gitdir: elsewhere"},
    "a repository with a policy where the agent works": {"src/.git/": "", "src/.rulez/rules.yaml": LOOSE},
    "a user's policy": {".x/rulez/rules.yaml": LOOSE, "$XDG_CONFIG_HOME": "/proc/self/cwd/.x"},
    "no user's policy": {"$XDG_CONFIG_HOME": "{app}/.x"},
    "no user's policy, elsewhere": {"$XDG_CONFIG_HOME": "/nowhere-at-all"},
    "a home": {".x/.config/rulez/rules.yaml": LOOSE, ".x/.claude/hooks.yaml": LOOSE, "$HOME": "{app}/.x"},
    "itself as a home": {".config/rulez/rules.yaml": LOOSE, "$HOME": "/proc/self/cwd"},
    "trust": {".rulez/rules.yaml": LOOSE, ".x/rulez/trust.json": "{trust}", "$XDG_STATE_HOME": "{app}/.x"},
    "a kept policy": {".x/rulez/": "", "$XDG_CACHE_HOME": "{app}/.x"},
}

CALLS = {"a force-push": "git push --force", "what the policy names": "./deploy now", "a harmless call": "ls"}
NEUTRAL, ASKED, DENIED = STRICTNESS[""], STRICTNESS["ask"], STRICTNESS["deny"]


class Machine:
    """A person's home, a managed policy, and a project in which an agent works in `src`."""

    def __init__(self, top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.top, self.app, self.home = top, top / "work" / "app", top / "home"
        self.start = self.app / "src"
        self.start.mkdir(parents=True)
        self.home.mkdir()
        self.environ = {"HOME": str(self.home), "PATH": os.environ["PATH"]}
        really = rulez_py.system.places.places

        def places(environ: Any) -> Places:
            return really(environ).replace(managed_policy=str(top / "etc" / "rules.yaml"))

        monkeypatch.setattr(rulez_py.system.places, "places", places)
        monkeypatch.setattr(rulez_py.system.places, "real_homes", lambda _here: (str(self.home),))
        monkeypatch.chdir(self.app)

    def write(self, below: Path, files: dict[str, str]) -> None:
        for name, text in files.items():
            filled = text.replace("{app}", str(self.app))
            if name.startswith("$"):
                self.environ[name[1:]] = filled
            elif name.endswith("/"):
                (below / name).mkdir(parents=True)
            else:
                (below / name).parent.mkdir(parents=True, exist_ok=True)
                (below / name).write_text(self._trust() if text == "{trust}" else filled)

    def _trust(self) -> str:
        """The list of trusted files of somebody who trusts all that is in this project."""
        elsewhere = rulez_py.system.places.places({"HOME": str(self.top / "elsewhere")})
        self.trust(self.app / ".rulez" / "rules.yaml", elsewhere)
        return (Path(elsewhere.state) / "trust.json").read_text()

    def trust(self, path: Path, places: Places) -> None:
        digest = read_file("project", str(path), lambda _path, _digest: False, shown="x").source.digest
        trust(places, str(path), digest, now=0.0)

    def call(self, platform: str, command: str, **fields: Any) -> Outcome:
        facts = PLATFORMS[platform]
        payload = {
            "session_id": "s",
            "hook_event_name": facts.before_tool,
            "tool_name": facts.shell,
            "tool_input": {"command": command},
            "cwd": str(self.start),
            "directory": str(self.start),
            **fields,
        }
        call = HookCall(Options(platform=platform), self.environ, time.monotonic())
        outcome = respond(call, json.dumps(payload).encode())
        finish(call)
        log(call, outcome)
        return outcome

    def strictness(self, platform: str, command: str) -> int:
        """What the agent does: nothing, or ask, or not run it."""
        outcome = self.call(platform, command)
        if denies(outcome.answer, platform):
            return DENIED
        asks = PLATFORMS[platform].asked(outcome.answer)
        assert asks or is_neutral(outcome.answer, platform), outcome
        return ASKED if asks else NEUTRAL


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)
    return Machine(tmp_path.resolve(), monkeypatch)


# What is put in the place of a trusted file is no addition.
PAIRS = [(s, a) for s in SETUPS for a in ADDITIONS if not {f"work/app/{name}" for name in ADDITIONS[a]} & {*SETUPS[s]}]


@pytest.mark.parametrize(
    ("setup", "addition", "platforms"),
    [(*pair, platforms) for pair, platforms in in_turn(PAIRS, itertools.pairwise([*PLATFORMS, next(iter(PLATFORMS))]))],
)
def test_nothing_that_a_repository_brings_loosens_anything(
    machine: Machine, setup: str, addition: str, platforms: tuple[str, ...]
) -> None:
    machine.write(machine.top, SETUPS[setup])
    for name in SETUPS[setup]:
        if name.startswith("work"):
            machine.trust(machine.top / name, rulez_py.system.places.places(machine.environ))
    before = {(p, name): machine.strictness(p, command) for p in platforms for name, command in CALLS.items()}
    assert DENIED in before.values()
    machine.write(machine.app, ADDITIONS[addition])
    for (platform, name), strictness in before.items():
        assert machine.strictness(platform, CALLS[name]) >= strictness, (platform, name)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_trusted_policy_that_changes_brings_the_essentials_back(machine: Machine, platform: str) -> None:
    machine.write(machine.app, {".rulez/rules.yaml": WITHOUT})
    assert machine.strictness(platform, "git push --force") == DENIED
    machine.trust(machine.app / ".rulez" / "rules.yaml", rulez_py.system.places.places(machine.environ))
    assert machine.strictness(platform, "git push --force") == NEUTRAL
    machine.write(machine.app, {".rulez/rules.yaml": WITHOUT + "# changed\n"})
    assert machine.strictness(platform, "git push --force") == DENIED


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("variable", ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "HOME"])
def test_an_environment_that_leads_into_the_project_is_refused_in_words(
    machine: Machine, variable: str, platform: str
) -> None:
    machine.write(machine.app, {f"${variable}": "/proc/self/cwd/.x"})
    outcome = machine.call(platform, "ls")
    assert denies(outcome.answer, platform)
    assert outcome.verdict.reason.startswith(f"Blocked: {variable} is /proc/self/cwd/.x, so ")
    assert f"which lies in the project {machine.app}" in outcome.verdict.reason
    assert f"Instead: a person can unset {variable} where the agent starts, or let it name" in outcome.verdict.reason
    assert not (machine.app / ".x").exists()
    log = machine.home / ".local" / "state" / "rulez" / "audit.jsonl"
    assert json.loads(log.read_text())["verdict"] == "deny"


def test_it_stops_nothing_where_nothing_can_be_stopped(machine: Machine) -> None:
    machine.write(machine.app, {"$XDG_CONFIG_HOME": "/proc/self/cwd/.x"})
    outcome = machine.call("claude", "ls", hook_event_name="SessionStart")
    assert outcome.answer.exit_code == 0
    assert outcome.verdict.reason in said(outcome.answer)["systemMessage"]


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("name", ["its default places", "a place elsewhere"])
def test_in_the_home_directory_itself_all_is_well(machine: Machine, name: str, platform: str) -> None:
    (machine.home / ".git").mkdir()
    machine.start = machine.home
    if name == "a place elsewhere":
        machine.environ["XDG_CONFIG_HOME"] = str(machine.home / "settings")
    machine.write(Path(machine.environ.get("XDG_CONFIG_HOME", machine.home / ".config")), {"rulez/rules.yaml": OWN})
    assert machine.strictness(platform, "./deploy") == DENIED
    assert machine.strictness(platform, "ls") == NEUTRAL


# Somebody else's policy.


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="root only")
@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_file_of_another_user_above_the_project_decides_nothing_and_is_told(machine: Machine, platform: str) -> None:
    machine.write(machine.top, {"work/.rulez/rules.yaml": policy(rule("theirs", "block: true", "tools: [Bash]"))})
    for path in (machine.top / "work" / ".rulez", machine.top / "work" / ".rulez" / "rules.yaml"):
        os.chown(path, 12345, 12345)
    assert machine.strictness(platform, "ls") == NEUTRAL
    assert machine.strictness(platform, "git push --force") == DENIED
    outcome = machine.call(platform, "git push --force")
    [warning] = outcome.verdict.warnings
    assert "rules.yaml:1:1: this file is ignored: it belongs to user 12345" in warning
    assert "12345" not in outcome.verdict.reason
    line = json.loads((machine.home / ".local/state/rulez/audit.jsonl").read_text().splitlines()[-1])
    assert warning in line["notes"]
    assert all("work/.rulez" not in path for path in line["policies"])


# A broken policy.


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("layer", ["home/.config/rulez/rules.yaml", "etc/rules.yaml", "work/app/.rulez/rules.yaml"])
def test_a_broken_policy_denies_tools_and_that_of_a_repository_no_prompt(
    machine: Machine, layer: str, platform: str
) -> None:
    machine.write(machine.top, {layer: BROKEN})
    outcome = machine.call(platform, "ls")
    assert denies(outcome.answer, platform)
    facts = PLATFORMS[platform]
    if not facts.prompt:
        return
    prompt = {"hook_event_name": facts.prompt, "prompt": "hello"}
    outcome = machine.call(platform, "ls", **prompt, tool_name=None, tool_input=None)
    if facts.prompt not in facts.guarding.split():
        assert not facts.stops(outcome.answer, "UserPromptSubmit")
    elif "app" in layer:
        assert outcome.verdict.decision == ""
        assert "rules.yaml:1:" in "".join(outcome.verdict.context)
        assert ("rules.yaml:1:" in outcome.answer.stdout) is facts.hears(facts.prompt)
    else:
        assert facts.stops(outcome.answer, "UserPromptSubmit")

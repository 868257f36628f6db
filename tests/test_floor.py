"""No friendly step takes protection away: every way to set policies up, every step a person takes.

A table of set-ups and steps; after each of them the lines that README promises are put to the policy in force.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

import rulez_py.system.places
from rulez_py.cli import cli, person
from rulez_py.policy.facts.facts import Facts, Surroundings
from rulez_py.policy.judging import index
from rulez_py.policy.judging.decide import decide
from rulez_py.policy.store.load import load
from rulez_py.system.places import places
from rulez_py.trust import is_trusted
from rulez_py.verdict import STRICTNESS
from tests.platforms import PLATFORMS, in_turn
from tests.test_packs import Machine, called

PROMISES: list[dict[str, str]] = YAML(typ="safe").load(Path(__file__).parent / "data" / "promises.yaml")

RULE = "rules:\n  - {name: no-npm, matchers: {operations: [PreToolUse], command: npm}, actions: {block: true}}\n"
SCRIPT = "rules:\n  - {name: checked, matchers: {command: npm}, actions: {run: {script: 'true', shell: true}}}\n"
HEAD = 'version: "1.0"\n'
LOGS = 'overrides: {"*": {action: log}}\n'
USER, PROJECT, CLAUDE = ".config/rulez/rules.yaml", "project/.rulez/rules.yaml", "project/.claude/hooks.yaml"
FALLBACK, ABOVE = ".claude/hooks.yaml", ".rulez/rules.yaml"

SET_UPS: dict[str, dict[str, str]] = {
    "nothing": {},
    "a harmless rule of the project": {PROJECT: HEAD + RULE},
    "a script of the project": {PROJECT: HEAD + SCRIPT},
    "no rules in the project": {PROJECT: HEAD + "rules: []\n"},
    "settings in the project": {PROJECT: HEAD + "settings: {script_timeout: 9}\n"},
    "another set in the project": {PROJECT: HEAD + "extends: [builtin:terraform, builtin:kubernetes]\n"},
    "the essentials in the project": {PROJECT: HEAD + "extends: [builtin:essentials]\n" + RULE},
    "recommended, only logging, in the project": {PROJECT: HEAD + "extends: [builtin:recommended]\n" + LOGS},
    "all of them only logging in the project": {PROJECT: HEAD + LOGS + RULE},
    "switched off in the project": {PROJECT: HEAD + "settings: {essentials: false, self_protection: false}\n" + RULE},
    "RuleZ' file in the project": {CLAUDE: HEAD + RULE},
    "a broken file in the project": {PROJECT: HEAD + "ruls: []\n"},
    "a rule of the person's own": {USER: HEAD + RULE},
    "another set of the person's own": {USER: HEAD + "extends: [builtin:terraform]\n", PROJECT: HEAD + RULE},
    "RuleZ' file of the person's own": {FALLBACK: HEAD + RULE, CLAUDE: HEAD + RULE},
    "a policy above the repository": {ABOVE: HEAD + "extends: [builtin:git]\n" + LOGS, PROJECT: HEAD + RULE},
}

OWN_RULE = "{name: no-make, matchers: {command: make}, actions: {block: x}}"
AGENT = f"description: Reviews.\nprompt: Review.\npolicy:\n  - {OWN_RULE}\n"
MANIFEST = 'version: "1.0"\nagents: agents/*.yaml\n'
CLAUDES = "---\nname: helper\ndescription: Helps.\ntools: Read, Bash\n---\nHelp.\n"


class Disk(Machine):
    """Nothing runs; the files are those that are there."""

    def names(self, directory: str) -> list[str]:
        return os.listdir(directory) if os.path.isdir(directory) else []


class Place:
    """A home with a repository in it, and a person at the terminal."""

    def __init__(self, home: Path) -> None:
        self.home, self.project = home, home / "project"
        (self.project / ".git").mkdir(parents=True)

    def put(self, path: str, text: str) -> None:
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def says(self, *words: str) -> None:
        """Whether the command can do it or not: what holds afterwards is what counts."""
        CliRunner().invoke(cli, words, input="y\n")

    def manifest(self) -> None:
        self.put("project/agents/reviewer.yaml", AGENT)
        self.put("project/rulez.agents.yaml", MANIFEST)

    def verdicts(self, platforms: Iterable[str]) -> dict[tuple[str, str], str]:
        """(platform, line) -> what the policy in force here comes to."""
        mine = places(os.environ)
        policy = load(mine, str(self.project), trusted=lambda path, digest: is_trusted(mine, path, digest))
        around = Surroundings(root=policy.root, home=str(self.home), environ={"HOME": str(self.home)})
        broken = {(platform, one["line"]): "deny" for platform in platforms for one in PROMISES}
        if policy.problems:
            return broken
        found, packed = {}, index.pack(policy.rules)
        for platform in platforms:
            facts = PLATFORMS[platform]
            for one in PROMISES:
                event = called(platform, facts.before_tool, facts.shell, {"command": one["line"]}, str(self.project))
                about = Facts(event, around, Disk())
                found[platform, one["line"]] = decide(index.select(packed, about), about).decision
        return found


def _after(*commands: tuple[str, ...]) -> Callable[[Place], None]:
    def step(place: Place) -> None:
        for words in commands:
            place.says(*words)

    return step


def _write_agents(place: Place) -> None:
    place.manifest()
    place.says("agents", "write", "--force")
    place.says("trust", "--yes")


def _clean_agents(place: Place) -> None:
    _write_agents(place)
    place.says("agents", "clean", "--all", "--force")
    place.says("trust", "--yes")


def _import_agents(place: Place) -> None:
    place.put("project/.claude/agents/helper.md", CLAUDES)
    place.says("agents", "import", ".claude/agents/helper.md")
    place.says("agents", "write", "--force")
    place.says("trust", "--yes")


STEPS: dict[str, Callable[[Place], None]] = {
    "before trust": _after(),
    "trust": _after(("trust", "--yes")),
    "init --pack": _after(("init", "--pack", "terraform", "--pack", "kubernetes"), ("trust", "--yes")),
    "init --user": _after(("init", "--user", "--pack", "terraform"), ("trust", "--yes")),
    "migrate": _after(
        ("migrate", ".claude/hooks.yaml", "-o", ".rulez/rules.yaml"),
        ("migrate", "../.claude/hooks.yaml", "-o", "../.config/rulez/rules.yaml"),
        ("trust", "--yes"),
    ),
    "agents write": _write_agents,
    "agents clean": _clean_agents,
    "agents import": _import_agents,
}


@pytest.fixture
def place(home: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setattr(person, "why_agent", lambda: "")
    monkeypatch.setattr(person, "why_no_person", lambda: "")
    monkeypatch.setattr(rulez_py.system.places, "real_homes", lambda _here: (str(home),))
    here = Place(home)
    monkeypatch.chdir(here.project)
    return here


@pytest.mark.parametrize(
    ("set_up", "step", "platform"),
    # A policy says the same on all agents.
    [(*tried, platform) for tried, platform in in_turn(itertools.product(SET_UPS, STEPS))],
)
def test_no_step_takes_a_promise_back(place: Place, set_up: str, step: str, platform: str) -> None:
    for path, text in SET_UPS[set_up].items():
        place.put(path, text)
    STEPS[step](place)
    wanted = {one["line"]: STRICTNESS[one["at_least"]] for one in PROMISES}
    fallen = {key: said for key, said in place.verdicts([platform]).items() if STRICTNESS[said] < wanted[key[1]]}
    assert fallen == {}


NAMED: dict[str, dict[str, str]] = {
    "the person, all of them": {USER: HEAD + "settings: {essentials: false}\n"},
    "the person, one": {USER: HEAD + "disable: [no-force-push, no-force-push-by-refspec]\n"},
    "a project that is trusted, one": {PROJECT: HEAD + "disable: [no-force-push, no-force-push-by-refspec]\n"},
}


@pytest.mark.parametrize("files", NAMED.values(), ids=NAMED)
def test_a_person_s_word_that_names_it_does(place: Place, files: dict[str, str]) -> None:
    for path, text in files.items():
        place.put(path, text)
    place.says("trust", "--yes")
    said: dict[Any, str] = place.verdicts(PLATFORMS)
    assert {said[platform, "git push -f"] for platform in PLATFORMS} == {""}

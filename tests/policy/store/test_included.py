"""Policies of several files: `rules.d` beside a policy, and the files that it extends."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.policy.model.layers import BUILT_IN
from rulez_py.policy.store.load import said_of_people
from rulez_py.policy.store.search import MOST_RULES
from tests.policy.store.test_load import Machine, text

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).parents[2] / "data" / "included.yaml")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine(tmp_path.resolve())
    monkeypatch.setenv("HOME", str(machine.home))
    monkeypatch.setenv("USERPROFILE", str(machine.home))
    machine.repository()
    return machine


def place(machine: Machine, name: str) -> Path:
    top, _, rest = name.partition("/")
    tops = {
        "ETC": machine.managed.parent,
        "USER": machine.user.parent,
        "PROJECT": machine.project,
        "HOME": machine.home,
    }
    return tops[top] / rest


def rule(said: Any) -> Any:
    return (
        {"name": said, "matchers": {"tools": ["Bash"]}, "actions": {"block": True}} if isinstance(said, str) else said
    )


def content(said: Any) -> str:
    if isinstance(said, str):
        return said
    whole = {"rules": [*map(rule, said)]} if isinstance(said, list) else said
    if "rules" in whole:
        whole = {**whole, "rules": [*map(rule, whole["rules"])]}
    return "{version: '1.0',\n" + json.dumps(whole)[1:] + "\n"


def put(machine: Machine, files: dict[str, Any]) -> None:
    for name, said in files.items():
        text(place(machine, name), content(said))


def as_shown(machine: Machine, said: str) -> str:
    return said.replace("ETC", str(machine.managed.parent)).replace("USER", "~/.config/rulez").replace("/", os.sep)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_included(machine: Machine, case: dict[str, Any]) -> None:
    put(machine, case["files"])
    policy = machine.load(trusted=lambda _path, _digest: case.get("trusted", True))
    own = [one for one in policy.rules if one["layer"] != BUILT_IN]
    wanted = [as_shown(machine, one) for one in case.get("rules", ())]
    assert [f"{one['layer']} {one['name']} {one['source']}" for one in own] == wanted
    assert [str(one) for one in policy.problems] == [as_shown(machine, one) for one in case.get("problems", ())]
    assert [str(one) for one in policy.warnings] == [as_shown(machine, one) for one in case.get("warnings", ())]
    assert policy.self_protection is case.get("self_protection", True)
    assert policy.no_exceptions == as_shown(machine, case.get("no_exceptions", ""))
    by_name = {one["name"]: one for one in own}
    assert {name: by_name[name]["mode"] for name in case.get("modes", {})} == case.get("modes", {})
    assert [name for name in case.get("without_actions", ()) if by_name[name]["actions"]] == []
    matches = {name: by_name[name]["match"] for name in case.get("matches", {})}
    assert json.loads(json.dumps(matches)) == case.get("matches", {})


def test_a_project_has_so_many_files_in_rules_d_and_no_more(machine: Machine) -> None:
    put(machine, {f"PROJECT/.rulez/rules.d/{number}.yaml": [f"rule-{number}"] for number in range(MOST_RULES)})
    assert machine.load().problems == ()
    put(machine, {"PROJECT/.rulez/rules.d/more.yaml": ["one-more"]})
    (problem,) = machine.load().problems
    assert f"more than {MOST_RULES} policies" in problem.message


@pytest.mark.parametrize("said", [False, "sudo"])
def test_what_one_managed_file_takes_from_people_no_other_gives_back(machine: Machine, said: object) -> None:
    put(machine, {"ETC/rules.yaml": {"settings": {"trust": True}, "rules": []}})
    put(machine, {"ETC/rules.d/a.yaml": {"settings": {"trust": said}, "rules": []}})
    put(machine, {"ETC/rules.d/b.yaml": {"settings": {"trust": "polkit"}, "rules": []}})
    assert said_of_people(machine.places, "trust") == (said, f"{machine.managed.parent / 'rules.d' / 'a.yaml'}:2")

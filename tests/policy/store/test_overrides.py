"""What policy files change of rules of others, and who may: the rules that come of it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.policy import packs
from rulez_py.policy.format.overrides import ACTIONS, MODES
from rulez_py.policy.store.load import read_floor
from tests.policy.store.test_load import Machine, text

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).parents[2] / "data" / "overrides.yaml")
PLACES = ("managed", "user", "project", "above")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine(tmp_path.resolve())
    monkeypatch.setenv("HOME", str(machine.home))
    monkeypatch.setenv("USERPROFILE", str(machine.home))
    return machine


def rule(said: Any) -> Any:
    if not isinstance(said, str):
        return said
    return {"name": said, "matchers": {"tools": ["Bash"]}, "actions": {"block": "The team says so."}}


def put(machine: Machine, case: dict[str, Any]) -> None:
    machine.repository()
    above = machine.home / "work" / ".rulez" / "rules.yaml"
    paths = dict(zip(PLACES, (machine.managed, machine.user, machine.rulez, above), strict=True))
    for place in PLACES:
        if place in case:
            whole = {**case[place], "rules": [rule(one) for one in case[place].get("rules", ())]}
            text(paths[place], "{version: '1.0',\n" + json.dumps(whole)[1:] + "\n")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_overrides(machine: Machine, case: dict[str, Any]) -> None:
    put(machine, case)
    policy = machine.load(trusted=lambda _path, _digest: case.get("trusted", True))
    assert [str(one) for one in policy.problems] == []

    def said(text: str) -> str:
        text = text.replace("ETC", str(machine.managed)).replace("ESSENTIALS", str(len(policy.floor.rules)))
        return text.replace("/", os.sep) if text.startswith(("~", ".")) else text

    for key, wanted in case["rules"].items():
        layer, name = key.split()
        found = [one for one in policy.rules if (one["layer"], one["name"]) == (layer, name)]
        assert found, key
        for one in found:
            so: dict[str, Any] = {what: one.get(what) for what in wanted}
            places = wanted.get("changed_by")
            assert so == (wanted if places is None else {**wanted, "changed_by": [*map(said, places)]}), key
    if "floor" in case:
        assert {one.rule: one.does for one in policy.floor.changed} == case["floor"]
    if "says" in case:
        assert list(policy.unenforced) == [*map(said, case["says"])]
        assert set(policy.unenforced) <= set(policy.notices)


def test_without_changes_a_rule_is_the_set_s(machine: Machine) -> None:
    text(machine.user, 'version: "1.0"\nextends: [builtin:terraform]\n')
    machine.load()
    assert not any("changed_by" in one for one in (*machine.load().rules, *read_floor("/").rules))


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_leads_into_no_change_and_out_of_none(machine: Machine) -> None:
    real = machine.home / "live"
    real.mkdir()
    (machine.home / "work" / "link").symlink_to(real)
    said = {
        "no-force-push": {"mode": "audit", "only_in": ["~/work"]},
        "no-fork-bombs": {"mode": "audit", "not_in": ["~/live"]},
    }
    text(machine.user, json.dumps({"version": "1.0", "overrides": said}))
    policy = machine.load(machine.home / "work" / "link")
    assert policy.floor.changed == ()


# The law: whatever a project's file says, rules of other files are what they would be without it.

FLOOR = packs.floor_names()
NAMES = st.sampled_from(["*", "no-*", "*e*", "no-destroy", "ask-before-unread-*", *FLOOR])
CHANGES = st.fixed_dictionaries(
    {"reason": st.just("x")},
    optional={
        "action": st.sampled_from([one for one in ACTIONS if one not in ("log", "checkpoint")]),
        "mode": st.sampled_from(MODES),
        "files": st.just("off"),
        "except": st.just({"tools": ["Bash"]}),
    },
)


@settings(max_examples=25, deadline=None)
@given(
    overrides=st.dictionaries(NAMES, CHANGES, min_size=1, max_size=4),
    mode=st.sampled_from(MODES),
    trusted=st.booleans(),
)
def test_a_project_changes_no_rule_of_another_file(
    tmp_path_factory: pytest.TempPathFactory, overrides: dict[str, Any], mode: str, trusted: bool
) -> None:
    machine = Machine(tmp_path_factory.mktemp("law").resolve())
    put(machine, {"managed": {"rules": ["no-npm"]}, "user": {"rules": ["no-make"], "extends": ["builtin:terraform"]}})
    named = overrides.keys() if trusted else ()

    def others(**said: Any) -> list[Any]:
        text(machine.rulez, json.dumps({"version": "1.0", "extends": ["builtin:terraform"], **said}))
        policy = machine.load(trusted=lambda _path, _digest: trusted)
        assert policy.problems == ()
        rules = [rule for rule in policy.rules if rule["layer"] != "project"]
        return [rule for rule in rules if rule["layer"] != "built-in" or rule["name"] not in named]

    assert others(overrides=overrides, settings={"mode": mode}) == others()

"""Policies of several files: `rules.d` beside a policy, and the files that it extends."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.policy.format.check import check
from rulez_py.policy.format.schema import read_matchers
from rulez_py.policy.matchers import matchers_of
from rulez_py.policy.model.layers import BUILT_IN
from rulez_py.policy.store.cache import in_force
from rulez_py.policy.store.included import MOST_LEVELS
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
    said = [f"{one['layer']} {one['name']} {one['source']}" for one in own]
    if "some" in case:
        assert set(map(partial(as_shown, machine), case["some"])) <= set(said)
    else:
        assert said == wanted
    assert [str(one) for one in policy.problems] == [as_shown(machine, one) for one in case.get("problems", ())]
    assert [str(one) for one in policy.warnings] == [as_shown(machine, one) for one in case.get("warnings", ())]
    assert policy.self_protection is case.get("self_protection", True)
    assert policy.no_exceptions == as_shown(machine, case.get("no_exceptions", ""))
    assert set(case.get("gone", ())) & {one["name"] for one in own} == set()
    by_name = {one["name"]: one for one in own}
    assert {name: by_name[name]["mode"] for name in case.get("modes", {})} == case.get("modes", {})
    assert [name for name in case.get("without_actions", ()) if by_name[name]["actions"]] == []
    matches = {name: by_name[name]["match"] for name in case.get("matches", {})}
    assert json.loads(json.dumps(matches)) == case.get("matches", {})
    like = {name: json.loads(json.dumps(matchers_of(read_matchers(one)))) for name, one in case.get("like", {}).items()}
    assert {name: json.loads(json.dumps(by_name[name]["match"])) for name in like} == like
    told = case.get("expressions", {})
    assert {name: by_name[name]["enabled_when"] for name in told} == told


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


TEAM = {
    "PROJECT/.rulez/rules.yaml": {"extends": ["./team.yaml", "../shared/*.yaml"], "rules": ["own"]},
    "PROJECT/.rulez/team.yaml": ["team"],
    "PROJECT/shared/a.yaml": ["shared"],
}


def digest_of(machine: Machine) -> str:
    return next(one.digest for one in machine.load().sources if one.path == str(machine.rulez))


CHANGES = {
    "a byte of one": {"PROJECT/.rulez/team.yaml": ["teams"]},
    "a byte of one that a glob fits": {"PROJECT/shared/a.yaml": ["shares"]},
    "a new file that a glob fits": {"PROJECT/shared/b.yaml": ["more"]},
    "one of a file that one extends": {"PROJECT/.rulez/team.yaml": {"extends": "./more.yaml", "rules": ["team"]}},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_trust_and_what_is_kept_end_with_each_change(machine: Machine, change: dict[str, Any]) -> None:
    put(machine, {**TEAM, "PROJECT/.rulez/more.yaml": ["more"]})
    before = digest_of(machine)
    kept = in_force(machine.places, str(machine.project), trusted=lambda _path, digest: digest == before)
    kept.keep()
    kept.close()
    assert digest_of(machine) == before
    put(machine, change)
    assert digest_of(machine) != before
    now = in_force(machine.places, str(machine.project), trusted=lambda _path, digest: digest == before)
    (ours,) = (one for one in now.sources if one.path == str(machine.rulez))
    assert (ours.trusted, ours.digest) == (False, digest_of(machine))
    now.close()


def test_what_is_kept_is_used_while_nothing_has_changed(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    put(
        machine,
        {**TEAM, "ETC/rules.d/a.yaml": {"extends": "./b.yml", "rules": ["managed"]}, "ETC/rules.d/b.yml": ["b"]},
    )
    first = in_force(machine.places, str(machine.project), trusted=lambda _path, _digest: True)
    first.keep()
    monkeypatch.setattr("rulez_py.policy.store.load.load", lambda *_, **__: pytest.fail("it is compiled anew"))
    again = in_force(machine.places, str(machine.project), trusted=lambda _path, _digest: True)
    assert again.sources == first.sources
    first.close()
    again.close()


@pytest.mark.parametrize("name", ["ETC/rules.d/a.yaml", "USER/rules.d/a.yaml", "PROJECT/.rulez/rules.d/a.yaml"])
def test_a_new_file_in_rules_d_counts_at_once(machine: Machine, name: str) -> None:
    put(machine, TEAM)
    first = in_force(machine.places, str(machine.project), trusted=lambda _path, _digest: True)
    first.keep()
    first.close()
    put(machine, {name: ["new"]})
    now = in_force(machine.places, str(machine.project), trusted=lambda _path, _digest: True)
    assert str(place(machine, name)) in {one.path for one in now.sources}
    now.close()


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("link", ["PROJECT/.rulez/team.yaml", "PROJECT/shared"])
def test_no_link_leads_a_project_s_policy_to_files_of_others(machine: Machine, link: str) -> None:
    put(machine, {"PROJECT/.rulez/rules.yaml": TEAM["PROJECT/.rulez/rules.yaml"], "HOME/else/a.yaml": ["secret"]})
    put(machine, {name: said for name, said in TEAM.items() if not name.startswith(link)})
    target = machine.home / "else" / "a.yaml"
    place(machine, link).symlink_to(target if link.endswith(".yaml") else target.parent)
    (problem,) = machine.load(trusted=lambda _path, _digest: True).problems
    assert "out of the project" in problem.message
    assert "secret" not in str(problem)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize(
    ("base", "part", "holds"),
    [
        ("USER/rules.yaml", "USER/team.yaml", False),
        ("ETC/rules.yaml", "ETC/team.yaml", False),
        ("PROJECT/.rulez/rules.yaml", "PROJECT/.rulez/team.yaml", True),
    ],
)
def test_a_file_of_another_user_becomes_no_part_unless_a_person_trusts_it(
    machine: Machine, base: str, part: str, holds: bool
) -> None:
    put(machine, {base: {"extends": "./team.yaml"}, part: ["team"]})
    os.chown(place(machine, part), 4242, -1)
    (problem,) = machine.load().problems
    assert "belongs to user 4242" in problem.message
    assert (machine.load(trusted=lambda _path, _digest: True).problems == ()) is holds


def test_files_that_are_extended_are_guarded(machine: Machine) -> None:
    put(machine, {**TEAM, "USER/rules.yaml": {"extends": "~/elsewhere/*.yaml"}, "HOME/elsewhere/a.yaml": ["mine"]})
    guarded = machine.load().protects
    assert guarded is not None
    for path in (machine.rulez.parent / "team.yaml", machine.project / "shared", machine.home / "elsewhere"):
        assert any(glob == path.as_posix() for glob in guarded.globs), path


def test_files_may_extend_one_another_only_so_deep(machine: Machine) -> None:
    put(machine, {"PROJECT/.rulez/rules.yaml": {"extends": "./0.yaml"}})
    for number in range(MOST_LEVELS + 1):
        put(machine, {f"PROJECT/.rulez/{number}.yaml": {"extends": f"./{number + 1}.yaml"}})
    (problem,) = machine.load().problems
    assert f"more than {MOST_LEVELS} files extend one another" in problem.message


def test_where_there_is_nothing_one_look_says_so(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    put(machine, {"USER/rules.yaml": ["mine"]})
    looked: list[str] = []

    def counted(real: Any) -> Any:
        def look(path: Any, *rest: Any, **more: Any) -> Any:
            looked.append(str(path))
            return real(path, *rest, **more)

        return look

    for name in ("lstat", "stat", "listdir"):
        monkeypatch.setattr(os, name, counted(getattr(os, name)))
    machine.found()
    absent = (str(machine.managed.parent), str(machine.project / ".rulez"), str(machine.project.parent / ".rulez"))
    assert {one: looked.count(one) for one in absent} == dict.fromkeys(absent, 1)
    assert [one for one in looked if one.startswith(tuple(directory + os.sep for directory in absent))] == []


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_project_s_link_to_a_person_s_rules_makes_them_no_project_s(machine: Machine) -> None:
    put(machine, {"USER/rules.d/a.yaml": ["mine"], "PROJECT/.rulez/README": ""})
    (machine.project / ".rulez" / "rules.d").symlink_to(machine.user.parent / "rules.d")
    assert machine.found() == [("user", "home/me/.config/rulez/rules.d/a.yaml")]


PLAIN_ENTRIES = ["a", "b.example", "*.c", "d-e"]
LISTED = st.lists(st.sampled_from(PLAIN_ENTRIES), min_size=1, max_size=4)
ENTRIES = st.lists(st.sampled_from([*PLAIN_ENTRIES, "$HOME", "$listing"]), min_size=1, max_size=4)
KEYS = st.sampled_from(["domains", "projects", "directories", "agent_types"])


@given(KEYS, ENTRIES, LISTED, st.booleans())
def test_a_list_by_name_is_the_same_as_its_entries(key: str, before: list[str], listed: list[str], out: bool) -> None:
    mark = "!" if out else ""

    def compiled(entries: list[str]) -> Any:
        rules = [{"name": "r", "matchers": {key: entries}, "actions": {"block": True}}]
        whole = {"version": "1.0", "vars": {"named": listed}, "rules": rules}
        checked = check(json.dumps(whole).encode(), "f")
        assert checked.data is not None, checked.problems
        return checked.data["rules"][0]["matchers"]

    assert compiled([*before, f"{mark}$named", "z"]) == compiled([*before, *(mark + one for one in listed), "z"])

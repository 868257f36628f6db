"""What is made when rulez is built is what its sources say; and rulez judges the same where it was not made."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dev import generated
from rulez_py.policy import packs
from rulez_py.policy.judging import index
from rulez_py.policy.matchers.paths import with_more_globs
from rulez_py.policy.model.layers import BUILT_IN, PROJECT
from rulez_py.policy.packs import build
from rulez_py.policy.store.load import read_pack

if TYPE_CHECKING:
    from rulez_py.policy.model.rule import Rule

ROOT = Path(__file__).parent.parent
FILES = dict(generated.files())


@pytest.mark.parametrize(("path", "make"), FILES.items(), ids=list(FILES))
def test_what_was_made_is_as_its_source_says(path: str, make: Callable[[], bytes]) -> None:
    assert (ROOT / path).read_bytes() == make(), "run `make generated`"


@pytest.mark.parametrize("path", FILES)
def test_what_is_made_is_not_committed(path: str) -> None:
    ignored = subprocess.run(["git", "check-ignore", "--quiet", path], cwd=ROOT)
    if ignored.returncode == 128:
        pytest.skip("not a git checkout")
    assert ignored.returncode == 0


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The package in a place of its own, without anything that was made."""
    shutil.copytree(ROOT / "rulez_py", tmp_path / "rulez_py", ignore=shutil.ignore_patterns("__pycache__"))
    for path in FILES:
        (tmp_path / path).unlink()
    return tmp_path


def answer(tree: Path, command: str) -> tuple[int, str]:
    for name in ("home", "project"):
        (tree / name).mkdir(exist_ok=True)
    payload = {"session_id": "s", "hook_event_name": "PreToolUse", "cwd": str(tree / "project"), "tool_name": "Bash"}
    ended = subprocess.run(
        [sys.executable, "-m", "rulez_py", "hook", "--platform", "claude", "--timeout", "60"],
        input=json.dumps({**payload, "tool_input": {"command": command}}),
        env={"HOME": str(tree / "home"), "PATH": os.environ["PATH"], "PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
    )
    return ended.returncode, ended.stderr


def test_without_what_is_made_a_source_tree_says_the_same(tree: Path) -> None:
    code, said = answer(tree, "rm -rf ~")
    assert (code, "no-delete-of-everything" in said) == (2, True), said
    assert answer(tree, "ls -la") == (0, "")
    log = (tree / "home" / ".local" / "state" / "rulez" / "audit.jsonl").read_text("utf-8")
    assert [json.loads(line)["verdict"] for line in log.splitlines()] == ["deny", "pass"]


def test_a_rule_set_made_from_another_text_does_not_count(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "DIRECTORY", str(tree / "rulez_py" / "policy" / "packs"))
    written = Path(packs.path_of("privilege"))
    content, form = build.checked("privilege")
    Path(packs.checked_path_of("privilege")).write_bytes(content)
    assert build.checked("privilege") == (content, form)
    written.write_text(written.read_text("utf-8").replace("  - name: ", "  - name: other-", 1), "utf-8")
    assert build.checked("privilege")[1]["data"]["rules"][0]["name"] == "other-" + form["data"]["rules"][0]["name"]


def test_a_rule_set_that_is_not_valid_cannot_be_made(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "DIRECTORY", str(tree / "rulez_py" / "policy" / "packs"))
    Path(packs.path_of("privilege")).write_text("version: '1.0'\nrules: [{}]\n", "utf-8")
    with pytest.raises(ValueError, match="builtin:privilege:2:9: rule 1 has no name"):
        build.checked("privilege")


def test_rule_sets_that_extend_each_other_and_were_not_made_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packs, "DIRECTORY", str(tmp_path))
    for name, other in (("a", "b"), ("b", "a")):
        rule = f"{{name: in-{name}, matchers: {{tools: [Bash]}}, actions: {{block: true}}}}"
        text = f"version: '1.0'\nextends: builtin:{other}\nrules:\n  - {rule}\n"
        (tmp_path / f"{name}.yaml").write_text(text, "utf-8")
    assert packs.reach(("a",)) == {"a": {"in-a": 4}, "b": {"in-b": 4}}


@pytest.mark.parametrize("name", packs.names())
@pytest.mark.parametrize("layer", [BUILT_IN, PROJECT])
def test_the_compiled_rules_are_those_that_are_compiled_anew(
    name: str, layer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = read_pack(name, "/project", layer=layer)
    packed = index.pack(made.rules, packs.known_filings())
    monkeypatch.setattr(packs, "compiled", lambda name: None)
    anew = read_pack(name, "/project", layer=layer)
    assert made.rules
    assert [json.dumps(rule) for rule in made.rules] == [json.dumps(rule) for rule in anew.rules]
    assert (made.source, made.problems) == (anew.source, anew.problems)
    assert packed == index.pack(anew.rules)


def test_compiled_rules_count_for_the_rulez_that_has_made_them_alone(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packs, "DIRECTORY", str(tree / "rulez_py" / "policy" / "packs"))
    monkeypatch.setattr(packs, "_PACKAGE", str(tree / "rulez_py"))
    monkeypatch.setattr(packs, "_sizes", [])
    written, compiled = Path(packs.path_of("privilege")), Path(packs.compiled_path_of("privilege"))
    compiled.write_bytes(build.compiled_form("privilege"))
    assert packs.compiled("privilege") is not None
    whole = written.read_bytes()
    written.write_bytes(whole.replace(b"name: ", b"name: o", 1)[:-1])
    assert packs.compiled("privilege") is None
    written.write_bytes(whole + b"# ")
    written.write_bytes(whole)
    assert packs.compiled("privilege") is not None
    with open(tree / "rulez_py" / "policy" / "matchers" / "paths.py", "a") as module:
        module.write("# another\n")
    monkeypatch.setattr(packs, "_sizes", [])
    monkeypatch.setattr(packs, "_read", {})
    assert packs.compiled("privilege") is None
    compiled.write_bytes(b"[")
    assert packs.compiled("privilege") is None


def test_matchers_that_were_changed_are_filed_anew() -> None:
    rule = next(one for one in read_pack("self-protection", "/project").rules if "paths" in one["match"])
    known = packs.known_filings()
    wanted = with_more_globs(rule["match"]["paths"], ["/place/of/mine/**"])
    changed: Rule = {**rule, "match": {**rule["match"], "paths": wanted}}
    assert index.pack([rule], known) == index.pack([rule]) != index.pack([changed], known) == index.pack([changed])
